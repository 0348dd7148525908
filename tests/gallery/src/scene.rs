//! A battle for a picture, and the window through which it is seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::ids::{BySide, UnitId};
use protocol::place::{Bearing, Point};
use rules::adjudicate;
use rules::battle::{Battle, Table, Theatre, UnitIx};
use rules::field::Field;
use rules::formation::Layout;
use rules::geometry::{Frame, bearing_between};
use rules::ruleset::Ruleset;
use rules::setup::{self, Seating};

use crate::Fault;
use crate::grid::{Colour, Grid};
use crate::svg::{Hold, Sheet, Spot};

/// Sets a battle up from the text of a case, as the referee's bench reads it.
///
/// # Errors
/// The first fault of the text.
pub(crate) fn battle(case: &str) -> Result<Battle, Fault> {
    let read = adjudicate::read(case, |name| Err(format!("no scenario is called {name}")));
    let case = read.map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())?;
    let theatre = Theatre::new(Arc::clone(&case.scenario));
    let seating = Seating::one_each();
    Ok(setup::start(&theatre, Ruleset::standard(), &seating, &BTreeSet::new(), &BySide::default()))
}

/// The index of a unit of the scene.
///
/// # Errors
/// There is none of that name.
pub(crate) fn unit(table: &Table, id: &str) -> Result<UnitIx, Fault> {
    table.find(&UnitId::new(id)).ok_or_else(|| format!("the scene has no {id}"))
}

/// A look at the scene, by the tables in force.
pub(crate) fn look(table: &Table) -> Field<'_> {
    Field::before_dice(Ruleset::standard(), table)
}

/// Puts a unit elsewhere, the middle of its front at a point and its front towards another.
pub(crate) fn place(table: &mut Table, unit: UnitIx, at: Point, towards: Point) {
    let footing = &mut table[unit].footing;
    footing.anchor = at;
    footing.facing = bearing_between(at, towards).unwrap_or(Bearing::NORTH);
}

/// A part of the table as it stands on the sheet.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The table's south-west corner of the window, thousandths of an inch.
    pub(crate) from: Point,
    /// The north-east corner.
    pub(crate) to: Point,
    /// Where the window's upper left corner stands on the sheet.
    pub(crate) spot: Spot,
    /// Tenths of a pixel to an inch.
    pub(crate) scale: i32,
}

impl Window {
    /// A place of the table on the sheet.
    pub(crate) fn at(&self, point: Point) -> Spot {
        let (x, y) = self.spot;
        (x + self.length(point.x - self.from.x), y + self.length(self.to.y - point.y))
    }

    /// A length of the table on the sheet.
    pub(crate) fn length(&self, thousandths: i32) -> i32 {
        (thousandths * self.scale + 500).div_euclid(1_000)
    }

    /// Where the window ends below, tenths of a pixel.
    pub(crate) fn bottom(&self) -> i32 {
        self.at(self.from).1
    }

    /// Asks for every spot of a grid which colour it has, and fills the areas. `cell` is the grid's width in thousandths of
    /// an inch; its spots are the middles of the cells.
    pub(crate) fn shade(&self, sheet: &mut Sheet, cell: i32, mut ask: impl FnMut(Point) -> Colour) {
        let columns = (self.to.x - self.from.x) / cell;
        let rows = (self.to.y - self.from.y) / cell;
        let grid = Grid::asked(columns, rows, |column, row| {
            ask(Point::new(self.from.x + column * cell + cell / 2, self.to.y - row * cell - cell / 2))
        });
        let mut areas: BTreeMap<&str, Vec<(Spot, i32, i32)>> = BTreeMap::new();
        // Runs of the row above that go on below it, by where they begin and end: a box grows downward while it does.
        let mut open: BTreeMap<(&str, i32, i32), i32> = BTreeMap::new();
        for row in 0..=rows {
            let mut runs: BTreeMap<(&str, i32, i32), i32> = BTreeMap::new();
            let mut run: Option<(&str, i32)> = None;
            for column in 0..=columns {
                let colour = grid.at(column, row);
                if run.map(|(colour, _)| colour) != colour {
                    if let Some((colour, from)) = run {
                        let since = open.remove(&(colour, from, column)).unwrap_or(row);
                        runs.insert((colour, from, column), since);
                    }
                    run = colour.map(|colour| (colour, column));
                }
            }
            for ((colour, from, to), since) in std::mem::replace(&mut open, runs) {
                let corner = Point::new(self.from.x + from * cell, self.to.y - since * cell);
                let size = (self.length((to - from) * cell), self.length((row - since) * cell));
                areas.entry(colour).or_default().push((self.at(corner), size.0, size.1));
            }
        }
        for (colour, boxes) in areas {
            sheet.boxes(&boxes, &format!("fill=\"{colour}\" shape-rendering=\"crispEdges\""));
        }
    }

    /// The window's frame, and lines every so many inches.
    pub(crate) fn ruled(&self, sheet: &mut Sheet, inches: i32) {
        let step = inches * 1_000;
        let style = "stroke=\"#000\" stroke-opacity=\".12\" stroke-width=\".7\"";
        for x in (self.from.x..=self.to.x).filter(|x| x.rem_euclid(step) == 0) {
            sheet.line(&[self.at(Point::new(x, self.from.y)), self.at(Point::new(x, self.to.y))], style);
        }
        for y in (self.from.y..=self.to.y).filter(|y| y.rem_euclid(step) == 0) {
            sheet.line(&[self.at(Point::new(self.from.x, y)), self.at(Point::new(self.to.x, y))], style);
        }
        self.framed(sheet);
    }

    /// The window's frame.
    pub(crate) fn framed(&self, sheet: &mut Sheet) {
        let corners = [self.from, Point::new(self.from.x, self.to.y), self.to, Point::new(self.to.x, self.from.y)];
        sheet.polygon(&corners.map(|corner| self.at(corner)), "fill=\"none\" stroke=\"#888\"");
    }

    /// A polygon of the table.
    pub(crate) fn polygon(&self, sheet: &mut Sheet, points: &[Point], style: &str) {
        let spots: Vec<Spot> = points.iter().map(|point| self.at(*point)).collect();
        sheet.polygon(&spots, style);
    }

    /// A line of the table.
    pub(crate) fn line(&self, sheet: &mut Sheet, points: &[Point], style: &str) {
        let spots: Vec<Spot> = points.iter().map(|point| self.at(*point)).collect();
        sheet.line(&spots, style);
    }

    /// The stands of a unit, with an arrow from the anchor along its front.
    pub(crate) fn stands(&self, sheet: &mut Sheet, layout: &Layout, anchor: Point, colour: &str) {
        for rect in layout.rects() {
            self.polygon(sheet, &rect.corners, &format!("fill=\"{colour}\" stroke=\"#fff\" stroke-width=\".8\""));
        }
        self.arrow(sheet, anchor, layout.as_firer.front.facing);
    }

    /// An arrow from an anchor along a bearing, and the anchor.
    pub(crate) fn arrow(&self, sheet: &mut Sheet, anchor: Point, facing: Bearing) {
        // On the sheet an arrow has one length at every scale: 16 pixels.
        let inch = 1_600_000 / (10 * self.scale.max(1));
        let frame = Frame::new(anchor, facing);
        let tip = frame.at(inch, 0);
        let head = [frame.at(inch * 2 / 3, -inch / 5), tip, frame.at(inch * 2 / 3, inch / 5)];
        self.line(sheet, &[anchor, tip], "stroke=\"#000\" stroke-width=\"1.2\"");
        self.line(sheet, &head, "stroke=\"#000\" stroke-width=\"1.2\"");
        sheet.circle(self.at(anchor), 25, "fill=\"#000\"");
    }

    /// How long some inches are.
    pub(crate) fn measure(&self, sheet: &mut Sheet, (x, y): Spot, inches: i32) {
        let length = self.length(inches * 1_000);
        sheet.line(&[(x, y - 40), (x, y), (x + length, y), (x + length, y - 40)], "stroke=\"#222\"");
        let words = if inches == 1 { "1 inch".to_owned() } else { format!("{inches} inches") };
        sheet.text((x + length + 60, y), 12, Hold::Start, "", &words);
    }
}
