use std::collections::BTreeMap;

use protocol::words::Arm;

use super::*;
use crate::ground::Terrain;
use crate::ruleset::Ruleset;

const LITTLE_ROUND_TOP: &str = include_str!("../../../scenarios/little_round_top.toml");
const MANUAL: &str = include_str!("../../../docs/scenarios.md");

pub(super) fn faults_of(text: &str) -> Vec<String> {
    read(text).map_or_else(|faults| faults.iter().map(Fault::to_string).collect(), |_| Vec::new())
}

fn little_round_top() -> Scenario {
    match read(LITTLE_ROUND_TOP) {
        Ok(scenario) => scenario,
        Err(faults) => panic!("{}", faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// The smallest file that is a battle; `extra` is put at its end.
pub(super) fn small(extra: &str) -> String {
    let file = "format = 1\n\
        [scenario]\nid = \"small\"\ntitle = \"Small\"\ndate = \"1863-07-02\"\nstart = \"09:00\"\nturns = 4\ntable_inches = [30, 20]\n\
        [map]\n\
        [[map.way]]\nid = \"pike\"\nname = \"Pike\"\nkind = \"road\"\ngeometry = { type = \"LineString\", coordinates = [[0, 10], [30, 10]] }\n\
        [[commander]]\nid = \"grey\"\nside = \"confederate\"\nname = \"Grey\"\ncommand = \"Grey's Brigade\"\npost = \"brigade\"\nlevel = 1\nat = [5, 5]\n\
        [[commander]]\nid = \"blue\"\nside = \"union\"\nname = \"Blue\"\ncommand = \"Blue's Brigade\"\npost = \"brigade\"\nlevel = 1\nat = [5, 15]\n\
        [[unit]]\nid = \"va01\"\nname = \"1st Virginia\"\nside = \"confederate\"\narm = \"infantry\"\nunder = \"grey\"\nmen = 360\nfigures = 12\nquality = \"veteran\"\nweapon = \"rifle_musket\"\nat = [5, 6]\nfacing = 0\n\
        [[unit]]\nid = \"ny01\"\nname = \"1st New York\"\nside = \"union\"\narm = \"infantry\"\nunder = \"blue\"\nmen = 360\nfigures = 12\nquality = \"veteran\"\nweapon = \"rifle_musket\"\nat = [5, 14]\nfacing = 180\n\
        [[victory_term]]\nid = \"result\"\nkind = \"result\"\nrule = \"more_points\"\n";
    format!("{file}{extra}")
}

// ---------------------------------------------------------------------------------------------- Little Round Top

#[test]
fn little_round_top_has_the_strengths_of_the_order_of_battle() {
    let scenario = little_round_top();
    let under = |id: &str| -> (u32, u32) {
        let units = scenario.forces.iter().filter(|force| force.under.as_str() == id);
        units.fold((0, 0), |(men, figures), force| (men + force.men(), figures + force.figures()))
    };
    assert_eq!(under("vincent"), (1335, 45));
    assert_eq!(under("weed"), (1487, 49));
    assert_eq!(under("sheffield"), (1929, 65));
    assert_eq!(under("robertson"), (1729, 58));
    let side = |side: Side| {
        let forces = scenario.forces.iter().filter(|force| force.side == side);
        forces.fold((0, 0), |(figures, sections), force| (figures + force.figures(), sections + force.sections()))
    };
    assert_eq!(side(Side::Union), (96, 3));
    assert_eq!(side(Side::Confederate), (123, 6));
}

#[test]
fn org_03_every_regiment_of_little_round_top_has_its_stands() {
    let scenario = little_round_top();
    let stands: BTreeMap<&str, Vec<u32>> = scenario
        .forces
        .iter()
        .filter_map(|force| match &force.strength {
            Strength::Stands { stands, .. } => Some((force.id.as_str(), stands.clone())),
            Strength::Guns { .. } => None,
        })
        .collect();
    assert_eq!(stands["me20"], [3, 4, 3, 3]);
    assert_eq!(stands["pa83"], [2, 3, 2, 3]);
    assert_eq!(stands["pa91"], [1, 2, 2, 2]);
    assert_eq!(stands["al15"], [4, 5, 4, 4]);
    assert_eq!(stands["usss2"], [2]);
    assert_eq!(stands.len(), 18);
}

/// The faults of the smallest battle with one more unit, without their places.
fn faults_with_unit(arm: &str, weapon: &str, men: u32, figures: u32) -> Vec<String> {
    let unit = format!(
        "[[unit]]\nid = \"va02\"\nname = \"2nd Virginia\"\nside = \"confederate\"\narm = \"{arm}\"\nunder = \"grey\"\n\
         men = {men}\nfigures = {figures}\nquality = \"veteran\"\nweapon = \"{weapon}\"\nat = [15, 6]\nfacing = 0\n"
    );
    faults_of(&small(&unit))
}

fn one_fault(faults: &[String], words: &str) -> bool {
    matches!(faults, [fault] if fault.contains(words))
}

/// The smallest battle with a second Confederate regiment under that commander, and more.
fn with_second(under: &str, side: &str, extra: &str) -> String {
    let unit = format!(
        "[[unit]]\nid = \"va02\"\nname = \"2nd Virginia\"\nside = \"{side}\"\narm = \"infantry\"\nunder = \"{under}\"\n\
         men = 360\nfigures = 12\nquality = \"veteran\"\nweapon = \"rifle_musket\"\nat = [15, 6]\nfacing = 0\n"
    );
    small(&format!("{unit}{extra}"))
}

#[test]
fn scn_08_and_tac_34_regiments_may_begin_in_a_brigade_column() {
    let column = "[[column]]\nregiments = [\"va01\", \"va02\"]\n";
    let scenario = read(&with_second("grey", "confederate", column)).expect("the file has no faults");
    let theatre = crate::battle::Theatre::new(Arc::new(scenario));
    let seating = crate::setup::Seating::one_each();
    let battle = crate::setup::start(&theatre, Ruleset::standard(), &seating, &Default::default(), &Default::default());
    let unit = |id: &str| battle.table.unit(&UnitId::new(id)).expect("it is on the list");
    // The head stands where the file says, the other straight behind it, whatever its own place.
    assert_eq!(unit("va01").footing.anchor, Point::new(5_000, 6_000));
    assert_eq!(unit("va02").footing.anchor.x, 5_000);
    assert!(unit("va02").footing.anchor.y < 6_000);
    assert!(unit("va01").leads_column() && unit("va02").follows_in_column());
    // None where players place their units, none of two brigades, and none of one regiment.
    let zone = |side: &str, from: i32| {
        let outline = format!("[[0, {from}], [30, {from}], [30, {0}], [0, {0}]]", from + 8);
        let geometry = format!("geometry = {{ type = \"Polygon\", coordinates = [{outline}] }}");
        format!("[[zone]]\nid = \"{side}\"\nside = \"{side}\"\n{geometry}\n")
    };
    let zones = zone("confederate", 0) + &zone("union", 12);
    let placed = faults_of(&with_second("grey", "confederate", &format!("{column}{zones}")));
    assert!(one_fault(&placed, "while the players place their units"), "{placed:?}");
    let other = "[[commander]]\nid = \"drab\"\nside = \"confederate\"\nname = \"Drab\"\ncommand = \"Drab's Brigade\"\n\
                 post = \"brigade\"\nlevel = 1\nat = [6, 4]\n";
    let mixed = faults_of(&with_second("drab", "confederate", &format!("{column}{other}")));
    assert!(one_fault(&mixed, "of several brigades"), "{mixed:?}");
    let alone = faults_of(&small("[[column]]\nregiments = [\"va01\"]\n"));
    assert!(one_fault(&alone, "two regiments or more"), "{alone:?}");
}

#[test]
fn org_01_a_figure_is_thirty_men() {
    let regiment = |men, figures| faults_with_unit("infantry", "rifle_musket", men, figures);
    assert_eq!([regiment(480, 16), regiment(360, 12)], [Vec::<String>::new(), Vec::new()]);
    assert!(one_fault(&regiment(480, 12), "480 men are not 12 figures"));
}

#[test]
fn org_04_and_12_what_is_too_large_for_its_stands_is_split() {
    // Infantry: five figures on a stand are legal, twenty in all. Cavalry: three, twelve in all.
    assert_eq!(faults_with_unit("infantry", "rifle_musket", 600, 20), Vec::<String>::new());
    assert_eq!(faults_with_unit("cavalry", "muzzle_carbine", 360, 12), Vec::<String>::new());
    let too_large = faults_with_unit("infantry", "rifle_musket", 630, 21);
    assert!(too_large.iter().any(|fault| fault.contains("wanted is a whole number from 1 to 20")), "{too_large:?}");
    assert!(one_fault(
        &faults_with_unit("cavalry", "muzzle_carbine", 390, 13),
        "13 figures are more than 3 on a stand"
    ));
}

#[test]
fn org_08_two_guns_are_a_section() {
    let battery = |guns: u32, sections: u32| {
        faults_of(&small(&format!(
            "[[battery]]\nid = \"va_bty\"\nname = \"Battery\"\nside = \"confederate\"\nunder = \"grey\"\nguns = {guns}\n\
             sections = {sections}\nquality = \"veteran\"\ngun = \"napoleon_12\"\nat = [15, 6]\nfacing = 0\n"
        )))
    };
    assert_eq!([battery(6, 3), battery(4, 2), battery(5, 3)], [Vec::<String>::new(), Vec::new(), Vec::new()]);
    assert!(one_fault(&battery(6, 2), "6 guns are not 2 sections"));
}

#[test]
fn scn_03_the_last_turn_of_little_round_top_begins_at_half_past_seven() {
    let clock = little_round_top().clock;
    assert_eq!((clock.hour(1), clock.hour(9)), ("16:50".to_owned(), "19:30".to_owned()));
}

#[test]
fn turn_07_and_scale_01_a_turn_is_twenty_minutes() {
    let late = super::Clock { date: "1863-07-02".to_owned(), start: 23 * 60 + 30, turns: 4 };
    assert_eq!([1, 2, 3, 4].map(|turn| late.hour(turn)), ["23:30", "23:50", "00:10", "00:30"]);
}

#[test]
fn scn_12_optional_troops_of_little_round_top_are_off_until_switched_on() {
    let scenario = little_round_top();
    let off: Vec<&str> = scenario
        .forces
        .iter()
        .filter(|force| !scenario.takes_part(force, &BTreeSet::new()))
        .map(|force| force.id.as_str())
        .collect();
    assert_eq!(off, ["usss2", "ar03", "tx01", "reilly", "latham"]);
    let on = BTreeSet::from(["tx01".to_owned()]);
    assert!(scenario.takes_part(scenario.force("tx01").unwrap(), &on));
}

#[test]
fn scns_01_a_commander_means_all_under_him() {
    let scenario = little_round_top();
    let law: Vec<String> = scenario.selected(&["law".to_owned()]).iter().map(UnitId::to_string).collect();
    let all = ["al04", "al15", "al44", "al47", "al48", "ar03", "latham", "reilly", "tx01", "tx04", "tx05"];
    assert_eq!(law, all);
}

/// The highest contour round a point.
fn feet(scenario: &Scenario, at: Point) -> i32 {
    let contours = scenario.ground.contours.iter().filter(|contour| shape::inside(&contour.outline, at));
    contours.map(|contour| contour.feet).max().unwrap_or(0)
}

#[test]
fn the_hills_of_little_round_top_have_their_heights() {
    let scenario = little_round_top();
    let at = |x, y| feet(&scenario, Point::new(x, y));
    assert_eq!(at(38_350, 25_100), 150, "the summit");
    assert_eq!(at(35_600, 10_900), 285, "Big Round Top");
    assert_eq!(at(39_700, 19_600), 100, "Vincent's Spur is below the 110 foot line");
    assert_eq!(at(38_900, 15_600), 60, "the saddle");
    assert_eq!(at(31_700, 25_200), 0, "Plum Run");
    assert!(40 <= at(29_300, 23_400), "Devil's Den");
    assert!(40 <= at(27_800, 29_400), "Houck's Ridge");
}

#[test]
fn the_ground_of_little_round_top_is_what_its_text_says() {
    let scenario = little_round_top();
    let terrain = |x, y| {
        let at = Point::new(x, y);
        let areas = scenario.ground.areas.iter().filter(|area| shape::inside(&area.outline, at));
        areas.map(|area| area.terrain).max().unwrap_or(Terrain::Open)
    };
    assert_eq!(terrain(38_200, 25_000), Terrain::Rough, "the summit");
    assert_eq!(terrain(35_500, 25_000), Terrain::Broken, "the west face");
    assert_eq!(terrain(42_000, 25_000), Terrain::Woods, "the eastern slope");
    assert_eq!(terrain(39_500, 19_500), Terrain::Woods, "the spur");
    assert_eq!(terrain(39_000, 16_000), Terrain::Woods, "the saddle");
    assert_eq!(terrain(33_000, 8_000), Terrain::Rough, "Big Round Top, west");
    assert_eq!(terrain(39_000, 8_000), Terrain::Woods, "Big Round Top, east");
    assert_eq!(terrain(29_400, 23_400), Terrain::Rough, "Devil's Den");
    assert_eq!(terrain(31_600, 27_200), Terrain::Broken, "Plum Run");
    assert_eq!(terrain(15_000, 23_000), Terrain::Open, "the farm land");
}

#[test]
fn the_picture_is_whole_and_names_what_it_shows() {
    let svg = render::svg(&little_round_top());
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    for name in ["20th Maine", "15th Alabama", "Plum Run", "Taneytown Road", "Devil's Den", "Vincent's Spur"] {
        assert!(svg.contains(name), "{name}");
    }
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

// ---------------------------------------------------------------------------------------------- faults

#[test]
fn scn_01_every_fault_of_a_file_is_told_with_its_place_and_a_cure() {
    let text = small(
        "[[unit]]\nid = \"va02\"\nname = \"2nd Virginia\"\nside = \"confederte\"\narm = \"infantry\"\nunder = \"gray\"\nmen = 360\nfigures = 99\nqualty = \"elite\"\nweapon = \"rifle\"\nat = [5, 60]\nfacing = 0\n",
    );
    let first = small("").lines().count() + 1;
    let told = faults_of(&text);
    let starts = |line: usize, what: &str| {
        let start = format!("line {}, column", first + line);
        assert!(told.iter().any(|fault| fault.starts_with(&start) && fault.contains(what)), "{what}: {told:#?}");
    };
    starts(0, "`quality` is missing; add `quality = ...`, one of `elite`, `veteran`, `green`, `militia`");
    starts(3, "`side` knows no word `confederte`; did you mean `confederate`?");
    starts(5, "no commander is called `gray`; did you mean `grey`?");
    starts(7, "`figures` is 99; wanted is a whole number from 1 to 20");
    starts(8, "unknown key `qualty`; did you mean `quality`?");
    starts(9, "`weapon` knows no `rifle`");
    starts(10, "`at` is 60; wanted is a number from 0 to 20 with at most three decimals");
}

#[test]
fn a_small_file_is_a_scenario() {
    let scenario = read(&small("")).unwrap();
    // SCN-04: south of the Union, north of the Confederates; each leaves behind itself.
    assert_eq!(scenario.sides.union.enemy_bearing, Bearing::SOUTH);
    assert_eq!(scenario.sides.confederate.exit_edge, Stretch { edge: Edge::South, from: 0, to: 30_000 });
    assert_eq!(scenario.deployment.setup, Setup::Fixed);
    assert_eq!(scenario.options, Options::default());
}

#[test]
fn faults_between_tables_are_found() {
    let cases = [
        (
            "[[arrival]]\nid = \"late\"\nside = \"union\"\nturn = 9\nedge = \"north\"\nwho = [\"ny01\"]\n",
            "`late` speaks of turn 9",
        ),
        (
            "[[arrival]]\nid = \"late\"\nside = \"union\"\nturn = 2\nedge = \"north\"\nwho = [\"ny01\"]\n",
            "`ny01` stands on the table and arrives",
        ),
        (
            "[[arrival]]\nid = \"late\"\nside = \"union\"\nturn = 2\nplace = \"pike\"\nwho = [\"va01\"]\n",
            "an arrival enters at a point or an edge",
        ),
        ("[[victory_term]]\nid = \"again\"\nkind = \"result\"\nrule = \"more_points\"\n", "a second result"),
        (
            "[[victory_term]]\nid = \"x\"\nkind = \"sole\"\nside = \"either\"\npoints = 1\nplace = \"pyke\"\n",
            "no feature of the map is called `pyke`; did you mean `pike`?",
        ),
        ("[[victory_term]]\nid = \"x\"\nkind = \"sole\"\nside = \"either\"\npoints = 1\n", "a place is missing"),
        (
            "[[victory_term]]\nid = \"x\"\nkind = \"sole\"\nside = \"either\"\npoints = 1\nplace = \"pike\"\nat = [1, 1]\n",
            "more than one place",
        ),
        (
            "[[special]]\nid = \"x\"\nkind = \"cover\"\nplace = \"pike\"\nas = \"stone_wal\"\n",
            "did you mean `stone_wall`?",
        ),
        (
            "[[special]]\nid = \"x\"\nkind = \"modifier\"\nwho = [\"va01\"]\non = \"rally\"\nvalue = 1\nuntil = \"soon\"\n",
            "`until` is no condition",
        ),
        (
            "[[special]]\nid = \"x\"\nkind = \"weapon\"\nwho = [\"grey\"]\nweapon = \"smoothbore\"\n[[special]]\nid = \"y\"\nkind = \"weapon\"\nwho = [\"va01\"]\nweapon = \"flintlock\"\n",
            "both set its weapon of `va01`",
        ),
        ("[[brigade_total]]\nunder = \"grey\"\nmen = 400\ntolerance = 10\n", "have 360 men, not 400"),
        (
            "[[zone]]\nid = \"a\"\nside = \"union\"\ngeometry = { type = \"Polygon\", coordinates = [[[0, 0], [5, 0], [5, 5]]] }\n",
            "the Confederate has no zone",
        ),
        ("[house_rules]\nrally_too = \"stays\"\n", "unknown key `rally_too`; did you mean `rally_two`?"),
        ("[house_rules]\nrally_two = \"dies\"\n", "wanted is one of `routs`, `stays`"),
        ("[house_rules]\nrally_two = true\n", "wanted is one of `routs`, `stays`"),
        ("[options]\norder_limits = true\n[house_rules]\norder_limits = false\n", "stands under `[options]` too"),
        ("[chart.dice]\nhild = 3\n", "`chart`: `dice.hild` is no cell of the tables"),
        ("[options]\npase = \"live\"\n", "unknown key `pase`; did you mean `pace`?"),
        ("[[unti]]\nid = \"x\"\n", "unknown key `unti`; did you mean `unit`?"),
        ("[[wagon]]\nid = \"va01\"\nside = \"union\"\nat = [1, 1]\n", "`va01` is given twice"),
    ];
    for (extra, wanted) in cases {
        let told = faults_of(&small(extra));
        assert!(told.iter().any(|fault| fault.contains(wanted)), "{wanted}: {told:#?}");
    }
}

#[test]
fn shapes_that_enclose_nothing_or_cross_are_refused() {
    let area = |ring: &str| {
        let feature = format!(
            "[[map.area]]\nid = \"wood\"\nname = \"Wood\"\nterrain = \"woods\"\ngeometry = {{ type = \"Polygon\", coordinates = [{ring}] }}\n"
        );
        let text = small("").replace("[map]\n", &format!("[map]\n{feature}"));
        faults_of(&text)
    };
    assert_eq!(area("[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]"), [""; 0]);
    for (ring, wanted) in [
        ("[[0, 0], [4, 4], [4, 0], [0, 3]]", "the outline crosses itself"),
        ("[[0, 0], [4, 0]]", "the outline encloses no ground"),
        ("[[0, 0], [4, 0], [8, 0]]", "the outline encloses no ground"),
        ("[[0, 0], [4, 0], [4, nan]]", "`coordinates` is nan"),
        ("[[0, 0], [4, 0], [4, 1e300]]", "`coordinates` is 1e300"),
        ("[[0, 0], [4, 0], [4, 4]], [[1, 1], [2, 1], [2, 2]]", "the polygon has holes"),
        ("", "the polygon has no ring"),
    ] {
        let told = area(ring);
        assert!(told.iter().any(|fault| fault.contains(wanted)), "{ring}: {told:#?}");
    }
}

// ---------------------------------------------------------------------------------------------- the vocabulary

/// One table of each kind of the vocabulary, with all its fields.
const TERMS: &str = r#"
[[victory_term]]
id = "v1"
kind = "hold"
side = "union"
points = 5
place = "pike"
units = 2
parts = 3
need_parts = 2
arm = "infantry"
state = "any"
when = "turn 3"
[[victory_term]]
id = "v2"
kind = "sole"
side = "either"
points = 2
place = "pike"
parts = 3
each_part = true
turns = [1, 4]
[[victory_term]]
id = "v3"
kind = "last"
side = "either"
points = 2
at = [3, 3]
radius_inches = 1.5
initial = "union"
[[victory_term]]
id = "v4"
kind = "control"
side = "confederate"
points = 1
area = [[1, 1], [4, 1], [4, 4]]
turns = [2, 3]
[[victory_term]]
id = "v5"
kind = "deny"
side = "union"
points = 1
side_of = ["pike", "south"]
turns = [1, 4]
[[victory_term]]
id = "v6"
kind = "reach"
side = "confederate"
points = 2
height_over_ft = 40
turns = [1, 2]
[[victory_term]]
id = "v7"
kind = "unit_lost"
side = "either"
points = 1
arm = "cavalry"
count = "unit"
[[victory_term]]
id = "v8"
kind = "battery_taken"
side = "either"
points = 2
[[victory_term]]
id = "v9"
kind = "section_taken"
side = "either"
points = 2
[[victory_term]]
id = "v10"
kind = "stand_lost"
side = "either"
points = 1
[[victory_term]]
id = "v11"
kind = "figure_lost"
side = "either"
points = 1
who = ["va01"]
[[victory_term]]
id = "v12"
kind = "withdraw"
side = "either"
points = 3
post = "brigade"
level = 40
[[victory_term]]
id = "v13"
kind = "points_lost"
side = "either"
points = 1
per = 4
[[victory_term]]
id = "v14"
kind = "leader_lost"
side = "union"
points = 3
who = ["grey"]
how = "killed"
[[victory_term]]
id = "v15"
kind = "exit"
side = "confederate"
points = 4
edge = ["north", 2, 8.5]
state = "good"
[[victory_term]]
id = "v16"
kind = "instant_win"
side = "confederate"
place = "pike"
units = 3
turns = [1, 4]

[[special]]
id = "s1"
kind = "modifier"
who = ["va01"]
on = "morale_point"
value = -1
while = "held_turns 1"
until = "enemy_within 6"
[[special]]
id = "s2"
kind = "roll"
side = "confederate"
on = "crosses"
place = "pike"
nth = 2
formation = ["march_column", "disorder"]
against = "bmp"
result = "disorder"
[[special]]
id = "s3"
kind = "roll"
who = ["blue"]
on = "fires"
after = 4
from_turn = 2
fails = [1, 2]
result = "out_of_ammunition"
optional = true
[[special]]
id = "s4"
kind = "off_table_battery"
side = "union"
sections = 3
gun = "mixed"
dice = 2
band = "long"
area = [[0, 0], [9, 0], [9, 9]]
class = "full"
from = "the hill"
turns = [1, 2]
[[special]]
id = "s5"
kind = "task"
who = ["va01"]
action = "dam"
result = "both"
[[special]]
id = "s6"
kind = "terrain"
place = "pike"
as = "woods"
wooded = "light"
use = ["movement", "cover"]
arm = "infantry"
[[special]]
id = "s7"
kind = "cover"
place = "pike"
as = "hasty"
facing = "all"
while = "in_place pike"
[[special]]
id = "s8"
kind = "move_allowance"
side = "union"
arm = "cavalry"
formation = ["dismounted_line"]
inches = 4.5
after = "own_fire"
[[special]]
id = "s9"
kind = "orders"
who = ["va01"]
only = ["hold", "first_fire"]
until = "side_in_place union pike"
[[special]]
id = "s10"
kind = "release"
who = ["ny01"]
turn = 2
[[special]]
id = "s11"
kind = "ammunition"
who = ["va01"]
fires = 5
resupply = true
[[special]]
id = "s12"
kind = "leader"
who = ["grey"]
any_brigade = true
casualty_as = "within_2"
arm = "cavalry"
[[special]]
id = "s13"
kind = "hidden_start"
who = ["va01"]
until = "leaves_woods"
[[special]]
id = "s14"
kind = "restricted_place"
place = "pike"
lip_stands = 1
charged = "full_flank"
[[special]]
id = "s15"
kind = "start"
who = ["va01"]
formation = "march_column"
screen = "allowed"
leave_turns = 1
morale = "shaken"
[[special]]
id = "s16"
kind = "attached_command"
who = ["ny01"]
under = "blue"
[[special]]
id = "s17"
kind = "exit_right"
who = ["ny01"]
when = "friend_passed"
[[special]]
id = "s18"
kind = "weapon"
who = ["ny01"]
weapon = "repeating_rifle"
[[special]]
id = "s19"
kind = "as_data"
field = "weapon"
[[special]]
id = "s20"
kind = "as_book"
rule = "CAVC-25"
[[special]]
id = "s21"
kind = "sight"
inches_per_pip = 4
turns = [3, 4]
"#;

#[test]
fn scns_01_every_kind_of_the_vocabulary_is_read() {
    let scenario = read(&small(TERMS)).unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert_eq!((scenario.victory.len(), scenario.specials.len()), (16, 21));
    assert_eq!(scenario.victory[0].when, When::Turn(3));
    let VictoryKind::Exit { place, .. } = &scenario.victory[14].kind else { panic!("v15 is an exit") };
    assert_eq!(*place, PlaceTerm::Edge(Stretch { edge: Edge::North, from: 2_000, to: 8_500 }));
    assert_eq!(scenario.specials[7].kind, SpecialKind::MoveAllowance { inches: 4_500, after_own_fire: true });
    assert_eq!(scenario.specials[7].arm, Some(Arm::Cavalry));
    let until = Some(Condition::EnemyWithin(6_000));
    let modifier = SpecialKind::Modifier {
        on: ModifierOn::MoralePoint,
        value: -1,
        while_true: Some(Condition::HeldTurns(1)),
        until,
    };
    assert_eq!(scenario.specials[0].kind, modifier);
    // Twenty kinds are in the vocabulary; a scenario that is read and written again is the same.
    let json = serde_json::to_string(&scenario).unwrap();
    assert_eq!(serde_json::from_str::<Scenario>(&json).unwrap(), scenario);
}

#[test]
fn scns_01_the_kinds_are_those_of_the_catalogue() {
    let catalogue: toml::Table = include_str!("../../catalogue/50-scenario.toml").parse().unwrap();
    let terms = catalogue["term"].as_array().unwrap();
    for term in terms.iter().filter(|term| term["table"].as_str() != Some("arrival")) {
        let (table, kind) = (term["table"].as_str().unwrap(), term["kind"].as_str().unwrap());
        if kind == "result" {
            continue;
        }
        let stated = format!("[[{table}]]\nid = \"{}", if table == "special" { "s" } else { "v" });
        assert!(TERMS.contains(&stated) && TERMS.contains(&format!("kind = \"{kind}\"")), "{table} {kind}");
    }
}

// ---------------------------------------------------------------------------------------------- the manual

/// The manual's examples marked `toml`, each a whole file or tables to add to the smallest one.
#[test]
fn the_examples_of_the_manual_are_read() {
    let mut examples = 0;
    for block in MANUAL.split("```toml\n").skip(1) {
        let example = block.split("```").next().unwrap();
        let text = if example.starts_with("format") { example.to_owned() } else { small(example) };
        assert_eq!(faults_of(&text), [""; 0], "{example}");
        examples += 1;
    }
    assert!(6 <= examples, "{examples}");
}

// ---------------------------------------------------------------------------------------------- mutations

/// A generator of small random numbers, the same on every machine (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Files that are nearly a scenario are read or refused with faults that have a place in the file; nothing panics.
fn read_mutated(text: &str) {
    if let Err(faults) = read(text) {
        assert!(!faults.is_empty());
        let lines = text.matches('\n').count() + 1;
        assert!(faults.iter().all(|f| 1 <= f.line && f.line <= lines && 1 <= f.column && !f.what.is_empty()));
        assert!(faults.iter().all(|f| f.what.len() < 2_000 && !f.cure.is_empty()));
    }
}

#[test]
fn altered_lines_never_panic() {
    let lines: Vec<&str> = LITTLE_ROUND_TOP.lines().collect();
    let mut chance = Chance(1863);
    let values = [
        "nan",
        "inf",
        "-inf",
        "99999999999999999999999",
        "1e308",
        "-1",
        "0",
        "0.0005",
        "\"\"",
        "[]",
        "{}",
        "true",
        "[[[[[[[[]]]]]]]]",
        "\"\\u0000\"",
        "1863-07-02",
        "0xffff",
        "[1, 2, 3]",
        "\"me20\"",
        "2147483647",
        "2147483648",
        "-2147483648.999",
    ];
    for _ in 0..200 {
        let mut mutated: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        for _ in 0..=chance.below(3) {
            let (at, other) = (chance.below(mutated.len()), chance.below(mutated.len()));
            match chance.below(5) {
                0 => drop(mutated.remove(at)),
                1 => mutated.insert(other, mutated[at].clone()),
                2 => mutated.swap(at, other),
                _ => {
                    let key = mutated[at].split('=').next().unwrap_or_default().to_owned();
                    mutated[at] = format!("{key}= {}", values[chance.below(values.len())]);
                }
            }
        }
        read_mutated(&mutated.join("\n"));
    }
}

#[test]
fn altered_bytes_never_panic() {
    let mut chance = Chance(702);
    for _ in 0..400 {
        let mut bytes = LITTLE_ROUND_TOP.as_bytes().to_vec();
        for _ in 0..=chance.below(4) {
            let at = chance.below(bytes.len());
            match chance.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, b"0123456789[]{}\"'=.,-# \nae"[chance.below(25)]),
                2 => bytes[at] = b"0123456789[]{}\"'=.,-# \nae"[chance.below(25)],
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        read_mutated(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn altered_small_files_never_panic() {
    let whole = small(TERMS);
    let mut chance = Chance(50);
    for _ in 0..2_000 {
        let mut bytes = whole.as_bytes().to_vec();
        for _ in 0..=chance.below(6) {
            let at = chance.below(bytes.len());
            bytes[at] = b"0123456789[]{}\"'=.,-# \nae\xff\x00"[chance.below(27)];
        }
        read_mutated(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn deep_nesting_and_large_files_are_refused() {
    for text in [
        format!("format = {}{}", "[".repeat(20_000), "]".repeat(20_000)),
        format!("format = 1\nx = {}1{}", "{a=".repeat(5_000), "}".repeat(5_000)),
        format!("format = 1\n[{}]", vec!["a"; 5_000].join(".")),
        "x".repeat(MOST_BYTES + 1),
        String::new(),
        "format = 2".to_owned(),
        "\u{feff}format = 1".to_owned(),
    ] {
        assert!(!faults_of(&text).is_empty());
        read_mutated(&text);
    }
}

#[test]
fn scn_20_a_file_has_house_rules_and_a_chart_of_its_own() {
    let text = small(
        "[options]\nself_activation = true\n[house_rules]\nrally_two = \"stays\"\norder_limits = true\nbrush = \"off\"\n\
         [chart]\ntitle = \"Ours\"\n[chart.dice]\nhold = 4\n[chart.crt.12]\n16 = \"4\"\n",
    );
    let edition = read(&text).unwrap_or_else(|faults| panic!("{faults:?}")).edition;
    let differing: Vec<&str> = edition.house().differing().iter().map(|(switch, _)| switch.id).collect();
    assert_eq!(differing, ["self_activation", "order_limits", "brush", "rally_two"]);
    let chart = edition.chart().expect("the file has one");
    assert_eq!((chart.title(), chart.cells().len(), edition.rules().dice.hold), ("Ours", 2, 4));
    let again = crate::house::Edition::try_from(edition.sheet().clone()).expect("what is stored can be read");
    assert_eq!(again.rules(), edition.rules());
    assert_eq!(read(&small("")).expect("a sound file").edition, crate::house::Edition::default());
}

#[test]
fn faults_of_house_rules_and_chart_are_told_at_their_line() {
    let line = small("").lines().count();
    let faults =
        read(&small("[house_rules]\nrally_two = \"dies\"\n[chart.dice]\nhold = \"4\"\n")).expect_err("two faults");
    let places: Vec<(usize, usize)> = faults.iter().map(|fault| (fault.line, fault.column)).collect();
    assert_eq!(places, [(line + 2, 13), (line + 4, 1)], "{faults:?}");
}
