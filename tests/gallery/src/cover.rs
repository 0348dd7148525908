//! From where a wall covers a line. COVER-01 to COVER-03

use protocol::place::Point;
use rules::battle::{Table, UnitIx};
use rules::fire::{Firer, Occasion, Officers, Shot, Standing, Stands, lay};

use crate::scene::{self, Window};
use crate::svg::{Hold, Sheet};
use crate::{Fault, Picture};

const RULES: [&str; 3] = ["COVER-01", "COVER-02", "COVER-03"];

/// The wall, inches: along the front of a line that faces north, and bent back at its right end.
const WALL: &str = "[[17, 20], [22.25, 20], [22.25, 18]]";

/// A line near a wall and a sharpshooter somewhere.
pub(crate) struct Scene {
    table: Table,
    firer: UnitIx,
    target: UnitIx,
}

impl Scene {
    /// The line stands so far behind the wall, thousandths of an inch.
    ///
    /// # Errors
    /// A scene that the rules refuse.
    pub(crate) fn new(behind: i32) -> Result<Scene, Fault> {
        let case = format!(
            "title = \"Cover\"\n[table]\nsize = [40, 40]\n\
             [[table.obstacle]]\nid = \"wall\"\nkind = \"stone_wall\"\ngeometry = {{ type = \"LineString\", coordinates = {WALL} }}\n\
             [[unit]]\nid = \"target\"\nside = \"confederate\"\nat = [20, 19]\nfacing = 0\n\
             [[unit]]\nid = \"firer\"\nside = \"union\"\narm = \"sharpshooter\"\nat = [20, 30]\nfacing = 180\n"
        );
        let mut table = scene::battle(&case)?.table;
        let (firer, target) = (scene::unit(&table, "firer")?, scene::unit(&table, "target")?);
        table[target].footing.anchor = Point::new(20_000, 20_000 - behind);
        Ok(Scene { table, firer, target })
    }

    /// What the cover is worth against fire from a spot; none: there is no fire.
    pub(crate) fn cover_from(&mut self, spot: Point) -> Option<i32> {
        let middle = scene::look(&self.table).center(self.target);
        scene::place(&mut self.table, self.firer, spot, middle);
        let field = scene::look(&self.table);
        if field.distance(self.firer, self.target).closer_than(100) {
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
        lay(&field, &shot, &Officers::Present).ok().map(|laid| laid.cover.total())
    }
}

/// The picture.
///
/// # Errors
/// A scene that the rules refuse.
pub(crate) fn picture() -> Result<Picture, Fault> {
    let title = "Behind a stone wall";
    let mut sheet = Sheet::new(720, 440, title, &RULES);
    for (left, behind, words) in
        [(140, 300, "the line 0.3 inches behind the wall"), (3_660, 1_300, "1.3 inches behind it")]
    {
        let window =
            Window { from: Point::new(14_000, 13_500), to: Point::new(26_000, 25_500), spot: (left, 600), scale: 280 };
        sheet.text((left, 520), 13, Hold::Start, "", words);
        panel(&mut sheet, &window, behind)?;
    }
    sheet.legend(
        (140, 4_220),
        1_900,
        &[(colour(-2), "covered: -2 (musketry)"), (colour(0), "no cover"), ("#fff", "no fire")],
    );
    let measured = Window { from: Point::default(), to: Point::default(), spot: (0, 0), scale: 280 };
    measured.measure(&mut sheet, (5_600, 4_220), 2);
    Ok(Picture {
        name: "cover",
        title,
        rules: &RULES,
        about: "The wall runs along the front of the line and bends back at its right. Each spot is a sharpshooter who fires at the line: \
                the wall covers it against him where his fire at most of its stands crosses the wall close before them. The same line \
                more than an inch behind the wall has no cover from any side.",
        svg: sheet.finish(title),
    })
}

fn panel(sheet: &mut Sheet, window: &Window, behind: i32) -> Result<(), Fault> {
    let mut scene = Scene::new(behind)?;
    window.shade(sheet, 125, |spot| scene.cover_from(spot).map(colour));
    window.ruled(sheet, 1);
    let wall = [(17_000, 20_000), (22_250, 20_000), (22_250, 18_000)].map(|(x, y)| Point::new(x, y));
    window.line(sheet, &wall, "stroke=\"#222\" stroke-width=\"3.5\"");
    let field = scene::look(&scene.table);
    window.stands(sheet, field.layout(scene.target), field.unit(scene.target).footing.anchor, "#8b2e2e");
    Ok(())
}

fn colour(drm: i32) -> &'static str {
    if drm < 0 { "#a6d96a" } else { "#f4ece0" }
}
