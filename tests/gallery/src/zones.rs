//! Fire zones and range bands. FIRE-11, FIRE-22, FIRE-23, ARTY-24

use protocol::orders::RangeBand;
use protocol::place::Point;
use rules::fire::{Zone, zone_at};
use rules::ruleset::{Inches, Ruleset};

use crate::scene::{self, Window};
use crate::svg::{Hold, Sheet};
use crate::{Fault, Picture};

/// A regiment of sixteen figures, facing north from (15, 2).
pub(crate) const LINE: &str = r#"
title = "A line"
[table]
size = [30, 20]
[[unit]]
id = "firer"
side = "union"
at = [15, 2]
facing = 0
"#;

const BATTERY: &str = r#"
title = "A battery"
[table]
size = [48, 34]
[[unit]]
id = "firer"
side = "union"
arm = "artillery"
at = [24, 2]
facing = 0
"#;

/// The pictures of this chapter.
///
/// # Errors
/// A scene that the rules refuse.
pub(crate) fn pictures() -> Result<[Picture; 2], Fault> {
    let line = Picture {
        name: "fire-zones",
        title: "Fire zones of a line",
        rules: &["FIRE-11", "FIRE-22", "FIRE-23"],
        about: "A regiment of sixteen figures with rifle muskets in single line. Straight ahead lies its primary zone, between that and \
                the 45 degree rays its secondary zone. Dark, middle and light: close, normal and long range, measured from its \
                stands.",
        svg: line()?,
    };
    let arc = Picture {
        name: "fire-arc",
        title: "Arc of fire of a battery",
        rules: &["FIRE-11", "ARTY-22", "ARTY-24"],
        about: "A battery of Napoleons. It fires 45 degrees to each side of its front, everywhere alike; canister reaches as far as the \
                darkest band.",
        svg: arc()?,
    };
    Ok([line, arc])
}

fn colour((zone, band): (Zone, RangeBand)) -> &'static str {
    match (zone, band) {
        (Zone::Primary, RangeBand::Close) => "#2b7bba",
        (Zone::Primary, RangeBand::Normal) => "#7fb4dc",
        (Zone::Primary, RangeBand::Long) => "#cfe3f3",
        (Zone::Secondary, RangeBand::Close) => "#e08214",
        (Zone::Secondary, RangeBand::Normal) => "#f6b76b",
        (Zone::Secondary, RangeBand::Long) => "#fde3c0",
    }
}

fn line() -> Result<String, Fault> {
    let window = Window { from: Point::new(4_500, 500), to: Point::new(25_500, 14_500), spot: (140, 380), scale: 330 };
    let mut sheet = Sheet::new(720, 545, "Fire zones of a line", &["FIRE-11", "FIRE-22", "FIRE-23"]);
    draw(&mut sheet, &window, LINE, 100)?;
    labels(&mut sheet, &window);
    let below = window.bottom() + 260;
    sheet.text((140, below), 12, Hold::Start, "", "close, normal, long:");
    let row = |zone| [RangeBand::Close, RangeBand::Normal, RangeBand::Long].map(|band| (colour((zone, band)), ""));
    let [close, normal, _] = row(Zone::Primary);
    sheet.legend((1_350, below), 170, &[close, normal, (colour((Zone::Primary, RangeBand::Long)), "primary zone")]);
    let [close, normal, _] = row(Zone::Secondary);
    sheet.legend((2_850, below), 170, &[close, normal, (colour((Zone::Secondary, RangeBand::Long)), "secondary zone")]);
    window.measure(&mut sheet, (4_800, below), 5);
    Ok(sheet.finish("Fire zones of a line"))
}

/// Names the zones, and the bands where they end straight ahead.
fn labels(sheet: &mut Sheet, window: &Window) {
    if let Some(musket) = Ruleset::standard().small_arm.get("rifle_musket") {
        // Each band is named under the place where it ends straight ahead.
        for (words, limit) in [("close", musket.close), ("normal", musket.normal), ("long", musket.long)] {
            let (x, y) = window.at(Point::new(15_000, 2_000 + limit.thousandths()));
            let words = format!("{words}, to {} inches", limit.thousandths() / 1_000);
            sheet.label((x, y + 170), Hold::Middle, &words);
        }
    }
    sheet.label(window.at(Point::new(15_000, 9_000)), Hold::Middle, "primary zone");
    sheet.label(window.at(Point::new(9_500, 9_800)), Hold::Middle, "secondary zone");
    sheet.label(window.at(Point::new(20_500, 9_800)), Hold::Middle, "secondary zone");
}

fn arc() -> Result<String, Fault> {
    let window = Window { from: Point::new(0, 500), to: Point::new(48_000, 33_500), spot: (120, 380), scale: 145 };
    let mut sheet = Sheet::new(720, 600, "Arc of fire of a battery", &["FIRE-11", "ARTY-22", "ARTY-24"]);
    draw(&mut sheet, &window, BATTERY, 200)?;
    let below = window.bottom() + 260;
    if let Some(gun) = Ruleset::standard().gun.get("napoleon_12") {
        let to = |words: &str, limit: Inches| format!("{words} range, to {} inches", limit.thousandths() / 1_000);
        let words = [to("canister", gun.canister), to("normal", gun.normal), to("long", gun.long)];
        let bands = [RangeBand::Close, RangeBand::Normal, RangeBand::Long];
        let keys: Vec<_> = bands.map(|band| colour((Zone::Primary, band))).into_iter().zip(&words).collect();
        sheet.legend(
            (140, below),
            1_850,
            &keys.iter().map(|(colour, words)| (*colour, words.as_str())).collect::<Vec<_>>(),
        );
    }
    window.measure(&mut sheet, (5_750, below), 5);
    Ok(sheet.finish("Arc of fire of a battery"))
}

fn draw(sheet: &mut Sheet, window: &Window, case: &str, cell: i32) -> Result<(), Fault> {
    let battle = scene::battle(case)?;
    let firer = scene::unit(&battle.table, "firer")?;
    let field = scene::look(&battle.table);
    window.shade(sheet, cell, |point| zone_at(&field, firer, point).map(colour));
    window.ruled(sheet, 1);
    window.stands(sheet, field.layout(firer), field.unit(firer).footing.anchor, "#1f3d7a");
    Ok(())
}
