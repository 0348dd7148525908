//! The infantry formations, their anchors and their lines. FORM-03 to FORM-19, TAC-11, TAC-16, TAC-34, TAC-43

use protocol::place::{Bearing, Point};
use protocol::words::{Flank, Formation};
use rules::formation::{Drawn, Edges, Layout, brigade_column};
use rules::ruleset::Ruleset;

use crate::Picture;
use crate::scene::Window;
use crate::svg::{Hold, Sheet};

const RULES: [&str; 6] = ["FORM-03", "FORM-04", "FORM-05", "FORM-06", "FORM-07", "FORM-09"];

const CELLS: [(&str, &str, Formation); 12] = [
    ("Single line", "FORM-04", Formation::SingleLine),
    ("Extended line", "FORM-05", Formation::ExtendedLine),
    ("Double line", "FORM-06", Formation::DoubleLine),
    ("Attack column", "FORM-07", Formation::AttackColumn),
    ("March column", "FORM-19", Formation::MarchColumn),
    ("Square", "TAC-43", Formation::Square),
    ("Skirmish line", "FORM-09", Formation::SkirmishLine),
    ("Line with reserve", "TAC-11", Formation::LineWithReserve),
    ("Line with skirmishers", "TAC-16", Formation::LineWithSkirmishers),
    ("Brigade column", "TAC-34", Formation::BrigadeColumn),
    ("Refused right end stand", "ENF-12", Formation::SingleLine),
    ("Refused left end stand", "ENF-12", Formation::ExtendedLine),
];

/// The picture.
pub(crate) fn picture() -> Picture {
    let title = "Formations of a regiment";
    let mut sheet = Sheet::new(720, 925, title, &["FORM-03"]);
    for (place, (name, rule, formation)) in (0..).zip(CELLS) {
        let spot = (140 + place % 3 * 2_330, 600 + place / 3 * 2_060);
        let window = Window { from: Point::new(-3_750, -5_050), to: Point::new(3_750, 950), spot, scale: 300 };
        sheet.text((spot.0, spot.1 - 40), 13, Hold::Start, "font-weight=\"bold\"", name);
        sheet.text((spot.0 + 2_250, spot.1 - 40), 11, Hold::End, "fill=\"#666\"", rule);
        cell(&mut sheet, window, formation, name);
    }
    let below = 8_950;
    sheet.line(&[(140, below - 40), (400, below - 40)], "stroke=\"#d7301f\" stroke-width=\"2.5\"");
    sheet.text((460, below), 12, Hold::Start, "", "front line");
    sheet.line(&[(1_240, below - 40), (1_500, below - 40)], "stroke=\"#6a51a3\" stroke-width=\"2.5\"");
    sheet.text((1_560, below), 12, Hold::Start, "", "rear line");
    sheet.circle((2_400, below - 40), 25, "fill=\"#000\"");
    sheet.text((2_480, below), 12, Hold::Start, "", "anchor, and where it faces");
    let measured = Window { from: Point::default(), to: Point::default(), spot: (0, 0), scale: 300 };
    measured.measure(&mut sheet, (4_500, below), 1);
    Picture {
        name: "formations",
        title,
        rules: &RULES,
        about: "Four stands of the width of three figures in each formation of infantry, all facing up the page, with the front and rear \
                lines that fire zones and flanks are taken from. A refused end stand leaves the front line of its own fire, but as a \
                target the line counts as straight; here the line of its fire is drawn. A brigade column is a lead regiment and those \
                behind it.",
        svg: sheet.finish(title),
    }
}

fn cell(sheet: &mut Sheet, window: Window, formation: Formation, name: &str) {
    let scale = &Ruleset::standard().scale;
    let (stands, depth) = (4, scale.infantry_stand_depth.thousandths());
    let mut drawn = Drawn::new(formation, stands, WIDTH, depth);
    drawn.refused = match name {
        "Refused right end stand" => Some(Flank::Right),
        "Refused left end stand" => Some(Flank::Left),
        _ => None,
    };
    // A screen stands far ahead of its body, so that picture is taken from farther back.
    let back = if formation == Formation::LineWithSkirmishers { 3_700 } else { 0 };
    drawn = drawn.at(Point::new(0, -back), Bearing::NORTH);
    let layout = drawn.layout();
    window.framed(sheet);
    if formation == Formation::BrigadeColumn {
        let behind = brigade_column(drawn.frame(), WIDTH, &[depth, depth, depth]);
        for frame in behind.iter().skip(1) {
            let regiment = drawn.at(frame.at(0, 0), Bearing::NORTH).layout();
            stands_of(sheet, &window, &regiment);
        }
    }
    stands_of(sheet, &window, &layout);
    lines(sheet, &window, &layout.as_firer);
    window.arrow(sheet, drawn.anchor, drawn.facing);
}

/// ORG-02 The width of a stand of three figures, thousandths of an inch.
const WIDTH: i32 = 750;

fn stands_of(sheet: &mut Sheet, window: &Window, layout: &Layout) {
    for rect in layout.rects() {
        window.polygon(sheet, &rect.corners, "fill=\"#9db7d5\" stroke=\"#33507a\" stroke-width=\".8\"");
    }
}

fn lines(sheet: &mut Sheet, window: &Window, edges: &Edges) {
    window.line(sheet, &[edges.front.left, edges.front.right], "stroke=\"#d7301f\" stroke-width=\"2.5\"");
    window.line(sheet, &[edges.rear_left, edges.rear_right], "stroke=\"#6a51a3\" stroke-width=\"2.5\"");
}
