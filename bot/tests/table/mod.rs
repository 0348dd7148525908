//! A small table for the planner's tests: written as JSON, read as the protocol's types, so that what the bot
//! gets here is what it gets from a server.

use protocol::ids::Side;
use protocol::view::{BattleCard, View};
use serde_json::{Value, json};

/// Forty-eight by forty inches: woods on a hill in the middle of the west, a wall before it, a road in the south.
pub(crate) fn card() -> BattleCard {
    read(json!({
        "scenario": "test_field", "title": "Test field", "date": "1863-07-02", "start": "16:00", "turns": 9,
        "story": "", "history": "", "weather": "clear",
        "victory": ["the hill counts 6", "the Union wins on equal points"],
        "special_rules": [],
        "map": {
            "width": 48_000, "height": 40_000,
            "areas": [
                { "id": "hill_woods", "name": "", "terrain": "woods", "wooded": "light", "outline": square(10_000, 16_000, 7_500) },
                { "id": "rocks", "name": "", "terrain": "rough", "wooded": "none", "outline": square(30_000, 30_000, 5_000) },
            ],
            "contours": [{ "feet": 60, "outline": square(9_000, 15_000, 10_000) }],
            "ways": [{ "id": "pike", "name": "Pike", "kind": "road", "line": path([[0, 4_000], [48_000, 4_000]]), "width": 500 }],
            "streams": [], "buildings": [],
            "obstacles": [{ "id": "wall", "name": "", "kind": "stone_wall", "line": path([[20_000, 14_000], [20_000, 26_000]]), "width": 0 }],
            "places": [
                { "id": "hill", "name": "The Hill", "kind": "objective", "outline": square(12_000, 16_700, 6_700) },
                { "id": "farm", "name": "The Farm", "kind": "objective", "outline": square(38_000, 18_000, 3_000) },
            ],
        },
        "brigades": [], "ruleset": "",
        "postures": POSTURES.map(|(name, arms)| json!({ "name": name, "sentence": "", "arms": arms })),
    }))
}

/// What the table offers, and for whom.
pub(crate) const POSTURES: [(&str, &[&str]); 9] = [
    ("stubborn", &["infantry", "cavalry"]),
    ("volley_and_countercharge", &["infantry"]),
    ("delay", &["infantry", "cavalry"]),
    ("assault", &["infantry", "cavalry"]),
    ("cautious_advance", &["infantry", "cavalry"]),
    ("reserve", &["infantry", "cavalry"]),
    ("skirmish_screen", &["infantry", "cavalry", "sharpshooter"]),
    ("guns_hold_to_canister", &["artillery"]),
    ("cavalry_screen", &["cavalry"]),
];

/// A whole view for one side; units and leaders are given as JSON.
pub(crate) fn view(side: Side, units: Vec<Value>, leaders: Vec<Value>) -> View {
    read(json!({
        "viewer": { "type": "seat", "side": side, "seat": seat(side) },
        "turn": 1, "stage": "orders", "clock": "16:00",
        "units": units, "leaders": leaders,
        "brigades": [], "pickets": [], "abandoned": [], "destroyed": [],
        "objectives": [
            { "place": "hill", "name": "The Hill", "points": 6, "held_by": null },
            { "place": "farm", "name": "The Farm", "points": 2, "held_by": null },
        ],
        "score": { "union": 0, "confederate": 0 },
        "result": null,
    }))
}

/// The one seat of a side.
pub(crate) fn seat(side: Side) -> &'static str {
    match side {
        Side::Union => "union",
        Side::Confederate => "confederate",
    }
}

/// A regiment in line, seen by its own side. Place in inches, facing in degrees.
pub(crate) fn own_foot(id: &str, side: Side, at: (f64, f64), facing: u32) -> Value {
    let mut unit = foot(id, side, at, facing);
    unit["own"] = json!({
        "seat": seat(side), "order": null, "instructions": {}, "limits": [], "bmp": 3,
        "canister": null, "arrives": null, "open_rate": 6_000, "ranges": [2_000, 4_000, 12_000],
    });
    unit
}

/// A regiment in line as the enemy sees it.
pub(crate) fn foot(id: &str, side: Side, at: (f64, f64), facing: u32) -> Value {
    json!({
        "id": id, "name": id, "side": side, "brigade": format!("brigade_of_{}", seat(side)),
        "arm": "infantry", "quality": "veteran", "weapon": "rifle_musket",
        "stance": stance(at, facing, "single_line", 4, 875, 625),
        "stands": [{ "figures": 3, "full": 3 }, { "figures": 3, "full": 3 }, { "figures": 3, "full": 3 }, { "figures": 3, "full": 3 }],
        "figures_at_start": 12, "stands_at_start": 4, "sections": null, "horses": null,
        "morale": "good", "ammunition_out": false, "in_command": true, "shown": null, "fires": 0,
        "presence": "table", "own": null,
    })
}

/// A battery of three sections.
pub(crate) fn own_guns(id: &str, side: Side, at: (f64, f64), facing: u32, formation: &str) -> Value {
    let mut unit = own_foot(id, side, at, facing);
    unit["arm"] = json!("artillery");
    unit["weapon"] = json!("napoleon_12");
    unit["stance"] = stance(at, facing, formation, 1, 1_000, 1_000);
    unit["stands"] = json!([{ "figures": 3, "full": 3 }]);
    unit["sections"] = json!(3);
    unit["horses"] = json!(2);
    unit["stands_at_start"] = json!(3);
    unit["own"]["canister"] = json!(2);
    unit["own"]["open_rate"] = json!(if formation == "limbered" { 16_000 } else { 2_000 });
    unit["own"]["ranges"] = json!([3_000, 12_000, 30_000]);
    unit
}

/// A brigade commander of level 1.
pub(crate) fn leader(id: &str, side: Side, at: (f64, f64)) -> Value {
    json!({
        "id": id, "name": id, "side": side, "post": "brigade", "level": 1,
        "at": point([(at.0 * 1000.0) as i32, (at.1 * 1000.0) as i32]), "corners": null, "attached": null,
        "brigade": format!("brigade_of_{}", seat(side)), "superior": null, "command_radius": 12_000, "benefit_radius": 1_000,
        "wounded_until": null, "presence": "table", "seat": seat(side),
    })
}

pub(crate) fn stance(at: (f64, f64), facing: u32, formation: &str, count: i32, width: i32, depth: i32) -> Value {
    let (sin, cos) = f64::from(facing).to_radians().sin_cos();
    let corner = |across: i32, along: i32| {
        let (across, along) = (f64::from(across), f64::from(along));
        point([
            (at.0 * 1000.0 + along * sin + across * cos).round() as i32,
            (at.1 * 1000.0 + along * cos - across * sin).round() as i32,
        ])
    };
    let stands: Vec<Value> = (0..count)
        .map(|index| {
            let left = index * width - count * width / 2;
            json!([corner(left, 0), corner(left + width, 0), corner(left + width, -depth), corner(left, -depth)])
        })
        .collect();
    json!({
        "anchor": point([(at.0 * 1000.0).round() as i32, (at.1 * 1000.0).round() as i32]), "facing": facing * 100,
        "formation": formation, "disorder": false, "prone": false, "stands": stands,
    })
}

fn point(at: [i32; 2]) -> Value {
    json!({ "x": at[0], "y": at[1] })
}

fn path(points: [[i32; 2]; 2]) -> Value {
    json!(points.map(point))
}

fn square(x: i32, y: i32, side: i32) -> Value {
    json!([point([x, y]), point([x + side, y]), point([x + side, y + side]), point([x, y + side])])
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}
