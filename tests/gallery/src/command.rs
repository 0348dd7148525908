//! A commander's radius over mixed ground, and a chain of friends. CMD-01, CMD-03, CMD-05

use protocol::place::Point;
use rules::battle::UnitIx;
use rules::command::{Link, link};
use rules::ground::Terrain;

use crate::scene::{self, Window};
use crate::svg::{Hold, Sheet};
use crate::{Fault, Picture};

const RULES: [&str; 3] = ["CMD-01", "CMD-03", "CMD-05"];

/// The commander stands in the open, with a wood to his north-east, broken ground to his north-west and rocks to his south.
pub(crate) const SCENE: &str = r#"
title = "Command"
[table]
size = [46, 34]

[[table.area]]
id = "wood"
name = "A wood"
terrain = "woods"
geometry = { type = "Polygon", coordinates = [[[18, 17], [27, 19], [27, 31], [16, 31]]] }

[[table.area]]
id = "farms"
name = "Farms"
terrain = "broken"
geometry = { type = "Polygon", coordinates = [[[1, 18], [12, 20], [13, 29], [1, 29]]] }

[[table.area]]
id = "rocks"
name = "Rocks"
terrain = "rough"
geometry = { type = "Polygon", coordinates = [[[9, 4], [21, 3], [20, 10], [11, 11]]] }

[[leader]]
id = "vincent"
side = "union"
name = "Vincent"
level = 1
at = [16, 15]

[[unit]]
id = "first"
side = "union"
under = "vincent"
at = [26, 15]
facing = 0

[[unit]]
id = "second"
side = "union"
under = "vincent"
at = [31, 15]
facing = 0

[[unit]]
id = "third"
side = "union"
under = "vincent"
at = [36, 15]
facing = 0

[[unit]]
id = "fourth"
side = "union"
under = "vincent"
at = [42.5, 25]
facing = 0

[[unit]]
id = "probe"
side = "union"
under = "vincent"
at = [5, 5]
facing = 0
"#;

const FRIENDS: [&str; 4] = ["first", "second", "third", "fourth"];

/// The picture.
///
/// # Errors
/// A scene that the rules refuse.
pub(crate) fn picture() -> Result<Picture, Fault> {
    let title = "Command over mixed ground, and a chain";
    let window =
        Window { from: Point::new(1_000, 1_000), to: Point::new(46_000, 32_000), spot: (180, 380), scale: 152 };
    let mut sheet = Sheet::new(720, 560, title, &RULES);
    let mut table = scene::battle(SCENE)?.table;
    let probe = scene::unit(&table, "probe")?;
    window.shade(&mut sheet, 250, |spot| {
        table[probe].footing.anchor = spot;
        colour(&link(&scene::look(&table), probe))
    });
    // The probe itself is not in the picture.
    table[probe].footing.anchor = Point::new(2_000, 2_000);
    let field = scene::look(&table);
    for area in &field.ground().ground().areas {
        let (name, hatch) = match area.terrain {
            Terrain::Woods => ("woods", "#1b6b2f"),
            Terrain::Broken => ("broken", "#8a6d1b"),
            Terrain::Rough => ("rough", "#555"),
            Terrain::Open => ("open", "#999"),
        };
        let style = format!("fill=\"{hatch}\" fill-opacity=\".16\" stroke=\"{hatch}\" stroke-dasharray=\"5 3\"");
        window.polygon(&mut sheet, &area.outline, &style);
        let corner = area.outline.iter().max_by_key(|point| (point.y, -point.x)).copied().unwrap_or_default();
        sheet.label(window.at(Point::new(corner.x + 300, corner.y - 1_000)), Hold::Start, name);
    }
    for (name, above) in FRIENDS.into_iter().zip([false, true, false, true]) {
        let unit: UnitIx = scene::unit(&table, name)?;
        let anchor = field.unit(unit).footing.anchor;
        let words = match link(&field, unit) {
            Link::Direct(_) => "within the radius",
            Link::Chain(..) => "by the chain",
            Link::Free | Link::TooFar | Link::NoCommander | Link::Spent => "out of command",
        };
        window.stands(&mut sheet, field.layout(unit), anchor, "#1f3d7a");
        sheet.label(
            window.at(Point::new(anchor.x, anchor.y + if above { 1_500 } else { -1_500 })),
            Hold::Middle,
            words,
        );
    }
    for leader in field.table.leaders_on_table() {
        let stand = field.leader_stand(leader);
        window.polygon(&mut sheet, &stand.corners, "fill=\"#f2c200\" stroke=\"#222\"");
        sheet.label(window.at(Point::new(leader.at.x, leader.at.y - 1_400)), Hold::Middle, "brigade commander");
    }
    window.framed(&mut sheet);
    let below = window.bottom() + 260;
    let keys = [(DIRECT, "within his radius"), (CHAINED, "on the chain"), ("#fff", "out of command")];
    sheet.legend((180, below), 1_500, &keys);
    window.measure(&mut sheet, (5_300, below), 6);
    Ok(Picture {
        name: "command",
        title,
        rules: &RULES,
        about: "Each spot is the middle of the front of a regiment facing north. The radius of the commander is twelve inches over open \
                ground, six over broken ground or woods, three over rough; ground is weighed along the shortest line to the nearest \
                stand. Beyond it a regiment is in command while it is contiguous to friends in a chain that reaches into the radius.",
        svg: sheet.finish(title),
    })
}

const DIRECT: &str = "#a9d3a0";
const CHAINED: &str = "#b9d6f2";

fn colour(link: &Link) -> Option<&'static str> {
    match link {
        Link::Direct(_) => Some(DIRECT),
        Link::Chain(..) => Some(CHAINED),
        Link::Free | Link::TooFar | Link::NoCommander | Link::Spent => None,
    }
}
