//! From where a unit is enfiladed. ENF-02 to ENF-16
//!
//! Each spot is the middle of the front of a firer that faces the middle of its target; the shade is the class that the
//! engine gives to its shot.

use protocol::event::FlankClass;
use protocol::place::Point;
use protocol::words::Flank;
use rules::battle::{Table, UnitIx};
use rules::fire::{Firer, Occasion, Officers, Shot, Standing, Stands, lay};
use rules::geometry::Frame;

use crate::scene::{self, Window};
use crate::svg::{Hold, Sheet};
use crate::{Fault, Picture};

/// What is fired at.
#[derive(Clone, Copy)]
pub(crate) enum Struck {
    Line,
    RefusedLine,
    Column,
}

/// Who fires.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Muskets,
    Guns,
}

/// A firer and a target on open ground.
pub(crate) struct Duel {
    table: Table,
    firer: UnitIx,
    target: UnitIx,
}

/// The middle of the scene's table.
pub(crate) const MIDDLE: Point = Point { x: 20_000, y: 20_000 };

impl Duel {
    /// The target in the middle of the table, facing north.
    ///
    /// # Errors
    /// A scene that the rules refuse.
    pub(crate) fn new(by: By, struck: Struck) -> Result<Duel, Fault> {
        // The firing line is a stand wider than its target, so that it need not be aimed to a hair.
        let (arm, size) = match by {
            By::Muskets => ("infantry", "figures = 20\n"),
            By::Guns => ("artillery", ""),
        };
        let formation = match struck {
            Struck::Line | Struck::RefusedLine => "single_line",
            Struck::Column => "march_column",
        };
        let case = format!(
            "title = \"Enfilade\"\n[table]\nsize = [40, 40]\n\
             [[unit]]\nid = \"target\"\nfigures = 12\nside = \"confederate\"\nat = [20, 20]\nfacing = 0\nformation = \"{formation}\"\n\
             [[unit]]\nid = \"firer\"\nside = \"union\"\narm = \"{arm}\"\nat = [20, 30]\nfacing = 180\n{size}"
        );
        let mut table = scene::battle(&case)?.table;
        let (firer, target) = (scene::unit(&table, "firer")?, scene::unit(&table, "target")?);
        // The scene turns about the middle of the target's stands.
        let middle = scene::look(&table).center(target);
        let footing = &mut table[target].footing;
        footing.anchor = Point::new(MIDDLE.x + footing.anchor.x - middle.x, MIDDLE.y + footing.anchor.y - middle.y);
        if matches!(struck, Struck::RefusedLine) {
            footing.refused = Some(Flank::Right);
        }
        Ok(Duel { table, firer, target })
    }

    /// The class of the firer's shot from a spot; none: it has no shot, or stands on its target.
    pub(crate) fn class_from(&mut self, spot: Point) -> Option<FlankClass> {
        scene::place(&mut self.table, self.firer, spot, MIDDLE);
        let field = scene::look(&self.table);
        if field.distance(self.firer, self.target).closer_than(CLEAR) {
            return None;
        }
        let firer = Firer {
            unit: self.firer,
            standing: Standing::Hold,
            rapid: false,
            stands: Stands::All,
            overhead_risk: false,
        };
        let shot = Shot::new(firer, self.target, Occasion::Hold);
        lay(&field, &shot, &Officers::Present).ok().map(|laid| laid.flank)
    }
}

/// Nearer than this the two would stand in each other's way, thousandths of an inch.
const CLEAR: i32 = 100;

/// The pictures of this chapter.
///
/// # Errors
/// A scene that the rules refuse.
pub(crate) fn pictures() -> Result<[Picture; 5], Fault> {
    let line = "The target is a line that faces north; each spot is the middle of the front of a regiment, a stand wider, that faces its middle. Partial: two of \
                its stands are wholly behind the 45 degree line. Full: two are behind the front line, and the target lies almost \
                fully in its primary zone. Rear: all that fire are behind the rear line.";
    let refused = "The same line with its right end stand bent back: against firers on that side full enfilade counts as partial, and partial as \
                   none. Fire into the rear stays what it is.";
    let column = "A march column is enfiladed along its spine: full where the column lies almost fully in the firer's primary zone, else \
                  partial. Its head is a flank like its tail.";
    let by_guns = "A battery is judged by its own stand: partial once it is wholly behind a 45 degree line, full when a corner of it is behind \
                   the front line as well, rear when it is wholly behind the rear line.";
    let column_by_guns = "A battery on the line of the spine has full enfilade; within the 45 degree rays of head or tail it has partial.";
    Ok([
        picture(
            "enfilade-line",
            "Enfilade of a line by infantry",
            &["ENF-02", "ENF-04", "ENF-05", "ENF-10"],
            line,
            By::Muskets,
            Struck::Line,
        )?,
        picture(
            "enfilade-refused",
            "A refused end stand",
            &["ENF-12", "ENF-13"],
            refused,
            By::Muskets,
            Struck::RefusedLine,
        )?,
        picture(
            "enfilade-column",
            "Enfilade of a march column by infantry",
            &["ENF-06", "ENF-07", "ENF-08"],
            column,
            By::Muskets,
            Struck::Column,
        )?,
        picture(
            "enfilade-line-guns",
            "Enfilade of a line by guns",
            &["ENF-14", "ENF-15", "ENF-10"],
            by_guns,
            By::Guns,
            Struck::Line,
        )?,
        picture(
            "enfilade-column-guns",
            "Enfilade of a march column by guns",
            &["ENF-09"],
            column_by_guns,
            By::Guns,
            Struck::Column,
        )?,
    ])
}

/// The target's own colour.
const TARGET: &str = "#8b2e2e";

/// Where firers are drawn as examples, thousandths of an inch east and north of the target's middle.
fn examples(struck: Struck) -> [(i32, i32); 4] {
    match struck {
        Struck::Line | Struck::RefusedLine => [(-4_000, 7_500), (7_500, 3_500), (-8_000, -500), (2_500, -7_000)],
        Struck::Column => [(-5_000, 7_500), (8_000, 3_000), (-8_000, -2_500), (400, -7_000)],
    }
}

/// A firer in its place, with the class of its shot.
fn example(sheet: &mut Sheet, window: &Window, duel: &mut Duel, spot: Point) {
    let Some(class) = duel.class_from(spot) else { return };
    let field = scene::look(&duel.table);
    let layout = field.layout(duel.firer);
    for rect in layout.rects() {
        window.polygon(sheet, &rect.corners, "fill=\"#fff\" fill-opacity=\".5\" stroke=\"#1f3d7a\"");
    }
    window.arrow(sheet, spot, layout.as_firer.front.facing);
    // Words stand behind the firer, away from its target.
    let (x, y) = window.at(Frame::new(spot, layout.as_firer.front.facing).at(-2_000, 0));
    sheet.label((x, y + 40), Hold::Middle, word(class));
}

fn word(class: FlankClass) -> &'static str {
    match class {
        FlankClass::Front => "no enfilade",
        FlankClass::Partial => "partial",
        FlankClass::Full => "full",
        FlankClass::Rear => "rear",
    }
}

fn colour(class: FlankClass) -> &'static str {
    match class {
        FlankClass::Front => "#eef0f2",
        FlankClass::Partial => "#fdd28a",
        FlankClass::Full => "#e34a33",
        FlankClass::Rear => "#8c96c6",
    }
}

fn picture(
    name: &'static str,
    title: &'static str,
    rules: &'static [&'static str],
    about: &'static str,
    by: By,
    struck: Struck,
) -> Result<Picture, Fault> {
    let (west, north) = (11_500, 11_500);
    let window = Window {
        from: Point::new(MIDDLE.x - west, MIDDLE.y - north),
        to: Point::new(MIDDLE.x + west, MIDDLE.y + north),
        spot: (150, 380),
        scale: 300,
    };
    let mut duel = Duel::new(by, struck)?;
    let mut sheet = Sheet::new(720, 770, title, rules);
    window.shade(&mut sheet, 200, |spot| duel.class_from(spot).map(colour));
    window.ruled(&mut sheet, 1);
    for (east, north) in examples(struck) {
        example(&mut sheet, &window, &mut duel, Point::new(MIDDLE.x + east, MIDDLE.y + north));
    }
    let field = scene::look(&duel.table);
    let anchor = field.unit(duel.target).footing.anchor;
    window.stands(&mut sheet, field.layout(duel.target), anchor, TARGET);
    let below = window.bottom() + 220;
    let key = |class| (colour(class), word(class));
    let keys = [
        key(FlankClass::Front),
        key(FlankClass::Partial),
        key(FlankClass::Full),
        key(FlankClass::Rear),
        ("#fff", "no fire"),
        (TARGET, "target"),
    ];
    sheet.legend((150, below), 950, &keys);
    window.measure(&mut sheet, (5_850, below), 2);
    Ok(Picture { name, title, rules, about, svg: sheet.finish(title) })
}
