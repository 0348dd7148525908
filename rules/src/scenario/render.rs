//! A picture of a scenario: its map and its troops at the start, as SVG.
//!
//! Owns the drawing for mappers and hosts, made of text and whole numbers alone: one unit of the picture is a
//! hundredth of an inch of the table. It never reads a game: players' maps are drawn by the client from their views.

use std::fmt::Write;

use protocol::ids::Side;
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::{Force, Scenario};
use crate::geometry::Frame;
use crate::ground::{BuildingKind, ObstacleKind, Terrain, WayKind, Wooded};

/// The picture of a scenario as an SVG document.
pub fn svg(scenario: &Scenario) -> String {
    let mut sheet = Sheet { out: String::new(), height: scenario.ground.height };
    let (width, height) = (scenario.ground.width / 10, scenario.ground.height / 10);
    sheet.put(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Serif, Georgia, serif\">"
    ));
    sheet.put(PATTERNS);
    // What the mapper has drawn beyond the edges of the table is cut off there, however wide the window is.
    sheet.put(&format!("<clipPath id=\"table\"><rect width=\"{width}\" height=\"{height}\"/></clipPath>"));
    sheet.put("<g clip-path=\"url(#table)\">");
    sheet.put(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#e9e6c9\"/>"));
    areas(&mut sheet, scenario);
    contours(&mut sheet, scenario);
    water(&mut sheet, scenario);
    ways(&mut sheet, scenario);
    obstacles(&mut sheet, scenario);
    buildings(&mut sheet, scenario);
    sheet.put("</g>");
    grid(&mut sheet, width, height);
    area_names(&mut sheet, scenario);
    places(&mut sheet, scenario);
    troops(&mut sheet, scenario);
    legend(&mut sheet, scenario);
    sheet.put("</svg>");
    sheet.out
}

/// Patterns by which woods, rough and broken ground are told apart also without colour.
const PATTERNS: &str = "<defs>\
<pattern id=\"light\" width=\"52\" height=\"48\" patternUnits=\"userSpaceOnUse\"><g fill=\"#8fae7c\"><circle cx=\"12\" cy=\"12\" r=\"8\"/><circle cx=\"38\" cy=\"34\" r=\"9\"/></g></pattern>\
<pattern id=\"heavy\" width=\"40\" height=\"36\" patternUnits=\"userSpaceOnUse\"><g fill=\"#6f9468\"><circle cx=\"10\" cy=\"9\" r=\"9\"/><circle cx=\"30\" cy=\"27\" r=\"9\"/></g></pattern>\
<pattern id=\"rocks\" width=\"64\" height=\"58\" patternUnits=\"userSpaceOnUse\"><g fill=\"#a39b8b\" stroke=\"#6f685c\" stroke-width=\"2\"><path d=\"M8 20 l8 -12 l14 2 l4 11 l-12 6z\"/><path d=\"M40 48 l5 -10 l11 0 l4 9 l-9 6z\"/><path d=\"M44 16 l5 -6 l7 4 l-3 7z\"/></g></pattern>\
<pattern id=\"scrub\" width=\"70\" height=\"60\" patternUnits=\"userSpaceOnUse\"><path d=\"M10 20 l5 -9 l5 9 M44 48 l5 -9 l5 9 M52 14 l4 -7 l4 7\" fill=\"none\" stroke=\"#9aa06a\" stroke-width=\"3\"/></pattern>\
</defs>";

struct Sheet {
    out: String,
    /// North-south extent: the picture's y runs to the south.
    height: i32,
}

impl Sheet {
    fn put(&mut self, element: &str) {
        self.out.push_str(element);
        self.out.push('\n');
    }

    /// A point of the table as hundredths of an inch of the picture.
    fn at(&self, p: Point) -> (i32, i32) {
        (p.x.div_euclid(10), (self.height - p.y).div_euclid(10))
    }

    /// A path through points, closed or not.
    fn path(&self, points: &[Point], closed: bool) -> String {
        let mut path = String::new();
        for (n, p) in points.iter().enumerate() {
            let (x, y) = self.at(*p);
            // Writing to a String cannot fail.
            let _written = write!(path, "{}{x} {y}", if n == 0 { "M" } else { "L" });
        }
        if closed {
            path.push('Z');
        }
        path
    }

    fn shape(&mut self, points: &[Point], closed: bool, style: &str) {
        let path = self.path(points, closed);
        self.put(&format!("<path d=\"{path}\" {style}/>"));
    }

    fn text(&mut self, at: (i32, i32), size: i32, style: &str, text: &str) {
        let (x, y) = at;
        self.put(&format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {style}>{}</text>", escaped(text)));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn areas(sheet: &mut Sheet, scenario: &Scenario) {
    let mut areas: Vec<_> = scenario.ground.areas.iter().collect();
    areas.sort_by_key(|area| (area.terrain, area.wooded));
    for area in areas {
        let (fill, pattern) = match (area.terrain, area.wooded) {
            (Terrain::Open, _) => ("#f1ecc8", ""),
            (Terrain::Broken, _) => ("#dfdcae", "scrub"),
            (Terrain::Woods, Wooded::Heavy) => ("#9dbb8b", "heavy"),
            (Terrain::Woods, _) => ("#b3cb9d", "light"),
            (Terrain::Rough, Wooded::None) => ("#d3cab4", "rocks"),
            (Terrain::Rough, _) => ("#98b086", "heavy"),
        };
        let edge = if area.terrain == Terrain::Broken || area.terrain == Terrain::Open { "#bdb988" } else { "#7f9a6c" };
        sheet.shape(&area.outline, true, &format!("fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"3\""));
        if !pattern.is_empty() {
            sheet.shape(&area.outline, true, &format!("fill=\"url(#{pattern})\""));
        }
        if area.terrain == Terrain::Rough && area.wooded != Wooded::None {
            sheet.shape(&area.outline, true, "fill=\"url(#rocks)\" opacity=\"0.75\"");
        }
    }
}

fn contours(sheet: &mut Sheet, scenario: &Scenario) {
    for contour in &scenario.ground.contours {
        let heavy = contour.feet % 50 == 0;
        let width = if heavy { 7 } else { 4 };
        sheet.shape(
            &contour.outline,
            true,
            &format!("fill=\"#7a5a2a\" fill-opacity=\"0.02\" stroke=\"#a5793f\" stroke-opacity=\"0.8\" stroke-width=\"{width}\""),
        );
    }
    // Heights are written once a line, by turns where the line is farthest to the west, south, east and north.
    for (turn, contour) in scenario.ground.contours.iter().enumerate() {
        let margin = 600;
        let on_table = contour.outline.iter().filter(|p| {
            margin < p.x
                && p.x < scenario.ground.width - margin
                && margin < p.y
                && p.y < scenario.ground.height - margin
        });
        let outward = |p: &&Point| match turn % 4 {
            0 => p.x,
            1 => p.y,
            2 => -p.x,
            _ => -p.y,
        };
        if let (Some(p), true) = (on_table.min_by_key(outward), 12 <= contour.outline.len()) {
            let (x, y) = sheet.at(*p);
            let style = "fill=\"#7d5520\" text-anchor=\"middle\" stroke=\"#efe9cc\" stroke-width=\"7\" paint-order=\"stroke\" font-family=\"DejaVu Sans, sans-serif\"";
            sheet.text((x, y + 9), 28, style, &contour.feet.to_string());
        }
    }
}

fn water(sheet: &mut Sheet, scenario: &Scenario) {
    for stream in &scenario.ground.streams {
        sheet.shape(
            &stream.line,
            false,
            "fill=\"none\" stroke=\"#4f86b0\" stroke-width=\"14\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        );
        along(sheet, &stream.line, 1, &stream.name, "fill=\"#2f648c\" font-style=\"italic\"", 44);
    }
}

fn ways(sheet: &mut Sheet, scenario: &Scenario) {
    for way in &scenario.ground.ways {
        let round = "fill=\"none\" stroke-linejoin=\"round\"";
        match way.kind {
            WayKind::Road => {
                let width = way.width / 10;
                sheet.shape(
                    &way.line,
                    false,
                    &format!("{round} stroke=\"#7c6a4c\" stroke-width=\"{}\"", width.min(60)),
                );
                sheet.shape(
                    &way.line,
                    false,
                    &format!("{round} stroke=\"#f5edd6\" stroke-width=\"{}\"", width.min(60) - 12),
                );
            }
            WayKind::Trail => {
                sheet.shape(
                    &way.line,
                    false,
                    &format!("{round} stroke=\"#8a7650\" stroke-width=\"12\" stroke-dasharray=\"36 20\""),
                );
            }
        }
        along(sheet, &way.line, 2, &way.name, "fill=\"#5b4a2c\"", 40);
    }
}

/// The name of a line, written along its segment of the given number from the start, or its longest shown one.
fn along(sheet: &mut Sheet, line: &[Point], wanted: usize, name: &str, style: &str, size: i32) {
    let segments: Vec<(Point, Point)> = line.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let length = |(a, b): &(Point, Point)| i64::from(a.x - b.x).abs() + i64::from(a.y - b.y).abs();
    let longest = segments.iter().copied().max_by_key(length);
    let chosen = segments.get(wanted).copied().filter(|segment| 4000 < length(segment)).or(longest);
    let Some((a, b)) = chosen else { return };
    let (a, b) = if a.x <= b.x { (a, b) } else { (b, a) };
    let Some(bearing) = crate::geometry::bearing_between(a, b) else { return };
    let degrees = bearing.hundredths() as i32 / 100 - 90;
    let (x, y) = sheet.at(Point::new((a.x + b.x) / 2, (a.y + b.y) / 2));
    let style = format!(
        "{style} text-anchor=\"middle\" stroke=\"#efe9cc\" stroke-width=\"8\" paint-order=\"stroke\" transform=\"rotate({degrees} {x} {y})\""
    );
    sheet.text((x, y - 34), size, &style, name);
}

fn obstacles(sheet: &mut Sheet, scenario: &Scenario) {
    for obstacle in &scenario.ground.obstacles {
        let style = match obstacle.kind {
            ObstacleKind::Fence => "stroke=\"#7a5c34\" stroke-width=\"7\" stroke-dasharray=\"22 9\"",
            ObstacleKind::StoneWall => "stroke=\"#5c5a55\" stroke-width=\"14\" stroke-dasharray=\"18 4\"",
            ObstacleKind::Bank => "stroke=\"#7a5a2a\" stroke-width=\"12\" stroke-dasharray=\"6 10\"",
            ObstacleKind::Abatis | ObstacleKind::Fraise | ObstacleKind::ChevauxDeFrise => {
                "stroke=\"#3f5a2c\" stroke-width=\"18\" stroke-dasharray=\"5 11\""
            }
            _ => "stroke=\"#5a3a1c\" stroke-width=\"20\"",
        };
        sheet.shape(&obstacle.line, false, &format!("fill=\"none\" {style}"));
    }
}

fn buildings(sheet: &mut Sheet, scenario: &Scenario) {
    for building in &scenario.ground.buildings {
        let fill = if building.kind == BuildingKind::Stone { "#6d6a68" } else { "#4b3b33" };
        sheet.shape(&building.outline, true, &format!("fill=\"{fill}\" stroke=\"#201a16\" stroke-width=\"4\""));
    }
}

/// A tick on the edge for each inch, a longer one for ten.
fn grid(sheet: &mut Sheet, width: i32, height: i32) {
    let mut ticks = String::new();
    for inch in 0..=(width / 100) {
        let (x, long) = (inch * 100, if inch % 10 == 0 { 40 } else { 18 });
        let _written = write!(ticks, "M{x} 0v{long}M{x} {height}v-{long}");
    }
    for inch in 0..=(height / 100) {
        let (y, long) = (height - inch * 100, if inch % 10 == 0 { 40 } else { 18 });
        let _written = write!(ticks, "M0 {y}h{long}M{width} {y}h-{long}");
    }
    sheet.put(&format!("<path d=\"{ticks}\" stroke=\"#3c3426\" stroke-width=\"4\"/>"));
    sheet.put(&format!(
        "<rect x=\"4\" y=\"4\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#3c3426\" stroke-width=\"8\"/>",
        width - 8,
        height - 8
    ));
}

/// The names of areas, in small letters, where no named place says more.
fn area_names(sheet: &mut Sheet, scenario: &Scenario) {
    let mut told: Vec<&str> = scenario.ground.places.iter().map(|place| place.name.as_str()).collect();
    for area in &scenario.ground.areas {
        let Some(middle) = crate::geometry::centroid(&area.outline) else { continue };
        if told.iter().any(|name| area.name.starts_with(name)) {
            continue;
        }
        told.push(&area.name);
        let (x, y) = sheet.at(middle);
        let style = "text-anchor=\"middle\" fill=\"#3d5230\" font-style=\"italic\" stroke=\"#e9e6c9\" stroke-width=\"6\" stroke-opacity=\"0.7\" paint-order=\"stroke\"";
        sheet.text((x, y + 40), 34, style, &area.name);
    }
}

fn places(sheet: &mut Sheet, scenario: &Scenario) {
    for place in scenario.ground.places.iter().filter(|place| place.shown) {
        sheet.shape(
            &place.outline,
            true,
            "fill=\"none\" stroke=\"#6b2d5c\" stroke-opacity=\"0.55\" stroke-width=\"5\" stroke-dasharray=\"30 14\"",
        );
        let (left, right) = (place.outline.iter().map(|p| p.x).min(), place.outline.iter().map(|p| p.x).max());
        if let (Some(left), Some(right), Some(top)) = (left, right, place.outline.iter().map(|p| p.y).max()) {
            let (x, y) = sheet.at(Point::new((left + right) / 2, top));
            let style = "text-anchor=\"middle\" fill=\"#4a1f40\" font-style=\"italic\" stroke=\"#efe9cc\" stroke-width=\"9\" paint-order=\"stroke\"";
            sheet.text((x, y - 14), 46, style, &place.name);
        }
    }
}

fn troops(sheet: &mut Sheet, scenario: &Scenario) {
    for force in &scenario.forces {
        if let Some(standing) = force.standing {
            block(sheet, scenario, force, standing.at, standing.facing);
        }
    }
    for commander in &scenario.commanders {
        if let Some(at) = commander.at {
            let (x, y) = sheet.at(at);
            sheet.put(&format!(
                "<path d=\"M{x} {y}m0 -30l9 21 23 2-18 15 6 22-20-12-20 12 6-22-18-15 23-2z\" fill=\"#f7d774\" stroke=\"{}\" stroke-width=\"6\"/>",
                colour(commander.side)
            ));
            let label =
                "text-anchor=\"middle\" fill=\"#222\" stroke=\"#efe9cc\" stroke-width=\"7\" paint-order=\"stroke\"";
            let surname = commander.name.rsplit(' ').next().unwrap_or_default();
            sheet.text((x, y + 62), 34, label, surname);
        }
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Union => "#24407a",
        Side::Confederate => "#9c2f26",
    }
}

/// A unit as one block of its width: its true stands are the battle's matter.
fn block(sheet: &mut Sheet, scenario: &Scenario, force: &Force, at: Point, facing: Bearing) {
    let (width, depth) = front(scenario, force);
    let frame = Frame::new(at, facing);
    let half = width / 2;
    let corners = [frame.at(0, -half), frame.at(0, half), frame.at(-depth, half), frame.at(-depth, -half)];
    let faint = if force.optional { " opacity=\"0.6\" stroke-dasharray=\"14 8\"" } else { "" };
    sheet.shape(&corners, true, &format!("fill=\"{}\" stroke=\"#111\" stroke-width=\"5\"{faint}", colour(force.side)));
    sheet.shape(&[frame.at(0, 0), frame.at(350, 0)], false, "stroke=\"#111\" stroke-width=\"6\"");
    let (x, y) = sheet.at(frame.at(-depth - 450, 0));
    let style = "text-anchor=\"middle\" fill=\"#1c1a17\" font-weight=\"bold\" stroke=\"#efe9cc\" stroke-width=\"8\" paint-order=\"stroke\"";
    sheet.text((x, y + 12), 32, style, &force.name);
}

/// Width and depth of a unit's front in line, thousandths of an inch. ORG-02, ORG-09, SCN-05
fn front(scenario: &Scenario, force: &Force) -> (i32, i32) {
    match &force.strength {
        super::Strength::Guns { .. } => (1000, 1000),
        super::Strength::Stands { stands, .. } => {
            let most = stands.iter().max().copied().unwrap_or(1) as i32;
            let stand = (375 + 125 * most) * if force.arm == Arm::Sharpshooter { 2 } else { 1 };
            (stand * stands.len() as i32 * scenario.frontage_factor as i32 / 1000, 625)
        }
    }
}

fn legend(sheet: &mut Sheet, scenario: &Scenario) {
    let style = "fill=\"#2a241a\" stroke=\"#efe9cc\" stroke-width=\"10\" paint-order=\"stroke\"";
    let foot = sheet.height / 10;
    sheet.text((70, foot - 160), 84, &format!("{style} font-weight=\"bold\""), &scenario.title);
    let line = format!("{}, {}; {} turns", scenario.clock.date, scenario.clock.hour(1), scenario.clock.turns);
    sheet.text((70, foot - 100), 46, style, &line);
    sheet.text((70, foot - 50), 34, style, "1 inch = 50 yards; heights in feet above the lowest ground");
}
