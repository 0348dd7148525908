//! One charge along its ray: distances, disorder, ground, ends. CHG-08, CHG-09, CHG-23 to CHG-28, MOVE-05 to MOVE-07

use protocol::ids::FeatureId;
use protocol::place::Point;
use protocol::words::Formation;

use super::*;
use crate::ground::{Area, Ground, Terrain, Wooded};

/// A band of ground across the table, from south to north, thousandths of an inch.
fn band(terrain: Terrain, south: i32, north: i32) -> Area {
    let corner = Point::new;
    Area {
        id: FeatureId::new("band"),
        name: "Band".to_owned(),
        terrain,
        wooded: if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None },
        outline: vec![corner(0, south), corner(60_000, south), corner(60_000, north), corner(0, north)],
    }
}

fn ground(areas: Vec<Area>) -> Ground {
    Ground { areas, ..open_ground() }
}

#[test]
fn chg_23_and_chg_28_a_charge_that_falls_short_runs_its_whole_distance() {
    // 6 inches and 1 + 1 + 1: nine of the fifteen to the enemy. He keeps his order and was never charged.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
        .play();
    assert_eq!(played.story(), ["a charges 9000 disorder 7500", "a in disorder", "a to 30000 19000", "a fell short"]);
    assert_eq!(played.unit("x").marks.charged_by, None);
    assert!(played.unit("a").marks.order_spent && played.unit("a").marks.charged);
}

#[test]
fn chg_26_and_move_06_veterans_lose_order_after_half_of_the_bonus() {
    // The book's example: four inches of broken ground and a bonus of six; in disorder after seven.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)])
        .on(ground(vec![band(Terrain::Broken, 0, 60_000)]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3])
        .play();
    assert_eq!(played.story()[0], "a charges 10000 disorder 7000");
    assert!(played.unit("a").footing.disorder);
}

#[test]
fn chg_26_and_move_07_green_troops_lose_order_half_way() {
    let played = Field::of(vec![union("a", 30_000, 10_000).green(), confederate("x", 30_000, 25_000)])
        .on(ground(vec![band(Terrain::Broken, 0, 60_000)]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3])
        .play();
    assert_eq!(played.story()[0], "a charges 10000 disorder 5000");
}

#[test]
fn chg_27_veterans_without_a_bonus_keep_their_order() {
    let second = || union("a", 30_000, 10_000).with(|unit| unit.carried.charge_turns = 1);
    let played = Field::of(vec![second(), confederate("x", 30_000, 25_000)]).charges("a", "x").silent("x").play();
    assert_eq!(played.story(), ["a charges 6000", "a to 30000 16000", "a fell short"]);
    assert!(!played.unit("a").footing.disorder);
}

#[test]
fn chg_27_green_troops_without_a_bonus_lose_order_half_way() {
    let second = || union("a", 30_000, 10_000).green().with(|unit| unit.carried.charge_turns = 1);
    let played = Field::of(vec![second(), confederate("x", 30_000, 25_000)]).charges("a", "x").silent("x").play();
    assert_eq!(played.story()[0], "a charges 6000 disorder 3000");
}

#[test]
fn chg_24_and_25_inches_cost_by_the_rates_of_the_ground() {
    // Woods up to an inch before its front: rate 2 and one die, 4: six in all. 1 + x / 3 = 6: fifteen inches of open ground
    // after the first, sixteen in all.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 40_000)])
        .on(ground(vec![band(Terrain::Woods, 0, 11_000)]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[4])
        .die(Purpose::VisibilityPair, &["a", "x"], &[6])
        .play();
    assert_eq!(played.anchor("a"), (30_000, 26_000));
}

#[test]
fn chg_25_the_distance_is_told_in_inches_of_the_ground_where_it_starts() {
    // As above, sixteen inches are run for six; in the open 6 and 3 are nine of anybody's inches.
    let told = |woods: bool| {
        let bands = if woods { vec![band(Terrain::Woods, 0, 11_000)] } else { Vec::new() };
        let dice: &[u8] = if woods { &[4] } else { &[1, 1, 1] };
        let field = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 40_000)])
            .on(ground(bands))
            .charges("a", "x")
            .silent("x")
            .bonus("a", dice);
        let seen = if woods { field.die(Purpose::VisibilityPair, &["a", "x"], &[6]) } else { field };
        let played = seen.play();
        let began = played.events.iter().find(|event| matches!(event.fact, Fact::ChargeBegan { .. })).unwrap();
        let noted = began.explanation.notes.iter().any(|note| note.rule == crate::catalogue::CHG_25.into());
        (began.explanation.sentence.clone(), noted)
    };
    let (woods, noted) = told(true);
    assert!(woods.ends_with(": 6 inches of woods in all.") && noted, "{woods}");
    let (open, noted) = told(false);
    assert!(open.ends_with(": 9 inches in all.") && !noted, "{open}");
}

#[test]
fn move_05_rough_ground_on_the_way_puts_it_in_disorder_where_the_anchor_enters() {
    // Two inches of open ground, then rough at an inch a turn: six times as dear. 6 + 9 = 15: 2 + 13 / 6 inches.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 30_000)])
        .on(ground(vec![band(Terrain::Rough, 12_000, 60_000)]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 3])
        .play();
    let disorder = played.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).unwrap();
    assert_eq!(disorder.rule, crate::catalogue::MOVE_05);
    assert_eq!(played.anchor("a"), (30_000, 14_166));
}

#[test]
fn move_05_a_charge_that_starts_in_rough_ground_is_in_disorder_throughout() {
    // Rate 1 and half a die: 5 is 2.5 inches.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)])
        .on(ground(vec![band(Terrain::Rough, 0, 60_000)]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[5])
        .play();
    assert_eq!(played.story()[..2], ["a charges 3500 disorder 0", "a in disorder"]);
}

#[test]
fn chg_09_forty_five_degrees_off_the_front_is_disorder_and_the_rate_of_disorder() {
    // Woods: a line goes two inches, in disorder three. The enemy lies due east, 90 degrees off, beyond the edge.
    let corner = Point::new;
    let outline = vec![corner(8_000, 28_000), corner(12_000, 28_000), corner(12_000, 32_000), corner(8_000, 32_000)];
    let wood = Area { outline, ..band(Terrain::Woods, 0, 1) };
    let played = Field::of(vec![union("a", 10_000, 30_000), confederate("x", 30_000, 30_000)])
        .on(ground(vec![wood]))
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1])
        .play();
    assert_eq!(played.story()[..2], ["a charges 4000 disorder 0", "a in disorder"]);
}

#[test]
fn chg_08_contact_comes_after_exactly_the_distance() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 33_000, 18_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[6, 6, 6])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.anchor("a"), (30_000, 18_000));
    // IDD-07: two of its stands lie beyond the ray from X's right corner.
    assert_eq!(played.clash(0), "a charging elan / x / Partial");
}

#[test]
fn chg_08_a_charge_bearing_strikes_only_whom_it_would_strike_first() {
    // At 1000 hundredths east the target is still the first enemy touched.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 18_000)])
        .order(
            "a",
            charge_at("x"),
            Instructions { charge_bearing: Some(protocol::place::Bearing::wrapping(1_000)), ..Instructions::default() },
        )
        .silent("x")
        .bonus("a", &[6, 6, 6])
        .ends(Ending::Fought)
        .play();
    // 8 inches north, 8 tan 10 = 1.411 east.
    let (x, y) = played.anchor("a");
    assert!((31_405..=31_417).contains(&x) && (17_995..=18_005).contains(&y), "{x} {y}");
}

#[test]
fn chg_52_the_first_enemy_touched_is_the_target_unless_the_declared_one_is_just_behind() {
    let first = |y: i32| {
        let played = Field::of(vec![
            union("a", 30_000, 10_000),
            confederate("x", 31_000, 18_000),
            confederate("other", 26_500, y),
        ])
        .charges("a", "x")
        .silent("x")
        .silent("other")
        .bonus("a", &[6, 6, 6])
        .ends(Ending::Fought)
        .play();
        played.clash(0)
    };
    // The other stands straight ahead as well: a quarter of an inch nearer it is passed over, farther forward it is not.
    assert!(first(17_760).contains("/ x"), "{}", first(17_760));
    assert!(first(17_700).contains("/ other"), "{}", first(17_700));
}

#[test]
fn chg_02_and_03_the_nearest_charge_goes_first() {
    let played = Field::of(vec![
        union("a", 20_000, 10_000),
        union("b", 40_000, 10_000),
        confederate("x", 20_000, 40_000),
        confederate("y", 40_000, 39_000),
    ])
    .charges("a", "x")
    .charges("b", "y")
    .silent("x")
    .silent("y")
    .bonus("a", &[1, 1, 1])
    .bonus("b", &[1, 1, 1])
    .play();
    // And each is played to its end before the next begins.
    let story = played.story().into_iter();
    let told: Vec<String> = story.filter(|told| told.contains("charges") || told.contains("short")).collect();
    let expected = ["b charges 9000 disorder 7500", "b fell short", "a charges 9000 disorder 7500", "a fell short"];
    assert_eq!(told, expected);
}

#[test]
fn chg_13_a_target_that_is_gone_is_replaced_by_the_most_threatening_enemy() {
    // X is routed when the charge comes up: Y, in reach, takes its place.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("x", 30_000, 20_000).with(|unit| unit.morale = Morale::Routed),
        confederate("y", 33_000, 30_000),
    ])
    .charges("a", "x")
    .silent("y")
    .bonus("a", &[1, 1, 1])
    .play();
    let began = played.events.iter().find_map(|event| match &event.fact {
        Fact::ChargeBegan { target, .. } => target.clone(),
        _ => None,
    });
    assert_eq!(began, Some(UnitId::new("y")));
}

#[test]
fn chg_49_the_point_passes_through_a_friend_and_both_roll() {
    let played =
        Field::of(vec![union("a", 30_000, 10_000), union("friend", 30_000, 14_000), confederate("x", 30_000, 25_000)])
            .charges("a", "x")
            .silent("friend")
            .silent("x")
            .bonus("a", &[1, 1, 1])
            .die(Purpose::TacticalPassThrough, &["a", "friend"], &[3])
            .die(Purpose::TacticalPassThrough, &["friend", "a"], &[4])
            .play();
    assert!(played.unit("a").footing.disorder, "3 is not above 3");
    assert!(!played.unit("friend").footing.disorder);
}

#[test]
fn chg_54_a_unit_that_would_end_on_a_friend_stops_short_of_him() {
    // Nine inches lead exactly onto the friend, whose rear edge lies 8.375 inches off.
    let played =
        Field::of(vec![union("a", 30_000, 10_000), union("friend", 30_000, 19_000), confederate("x", 30_000, 28_000)])
            .charges("a", "x")
            .silent("friend")
            .silent("x")
            .bonus("a", &[1, 1, 1])
            .die(Purpose::TacticalPassThrough, &["a", "friend"], &[6])
            .die(Purpose::TacticalPassThrough, &["friend", "a"], &[6])
            .play();
    assert_eq!(played.anchor("a").1 / 10, 1_837);
}

#[test]
fn chg_52_a_routed_enemy_on_the_way_surrenders_and_the_charge_goes_on() {
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("r", 30_000, 14_000).with(|unit| unit.morale = Morale::Routed),
        confederate("x", 30_000, 25_000),
    ])
    .charges("a", "x")
    .silent("x")
    .bonus("a", &[1, 1, 1])
    .play();
    assert!(!played.unit("r").on_table());
    assert_eq!(played.anchor("a"), (30_000, 19_000));
}

#[test]
fn chg_54_it_faces_where_it_charged_if_its_stands_fit() {
    let played = Field::of(vec![union("a", 10_000, 30_000), confederate("x", 40_000, 38_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
        .play();
    let began = played.events.iter().find_map(|event| match &event.fact {
        Fact::ChargeBegan { bearing, .. } => Some(*bearing),
        _ => None,
    });
    assert_eq!(Some(played.unit("a").footing.facing), began);
    assert_eq!(played.unit("a").footing.formation, Formation::SingleLine);
}

#[test]
fn chg_10_a_charge_slides_without_turning() {
    // The enemy lies ahead and to the right, 20 degrees off: until it is over the line faces north.
    let played = Field::of(vec![union("a", 20_000, 10_000), confederate("x", 32_000, 30_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
        .play();
    let way = played.events.iter().find_map(|event| match &event.fact {
        Fact::Moved { track, .. } => track.last().map(|point| point.stance.facing),
        _ => None,
    });
    assert_eq!(way, Some(protocol::place::Bearing::NORTH));
}

#[test]
fn chg_29_a_second_charge_running_has_no_elan() {
    let second = union("a", 30_000, 10_000).with(|unit| unit.carried.charge_turns = 1);
    let played = Field::of(vec![second, confederate("x", 30_000, 15_000)])
        .charges("a", "x")
        .silent("x")
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging / x / Front");
}

#[test]
fn chg_19_a_leader_with_the_point_goes_along() {
    let mut battle = battle(table(open_ground(), [union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)]));
    crate::testing::commander(&mut battle.table, "l", crate::battle::Post::Brigade, (30_000, 9_000), None);
    for leader in battle.table.leaders.values_mut() {
        leader.attached = Some(UnitId::new("a"));
    }
    give(&mut battle, "a", charge_at("x"), Instructions::default());
    give(&mut battle, "x", hold(), silent());
    let dice = ScriptedDice::new().with(Purpose::ChargeBonus, &["a"], &[1, 1, 1]);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    crate::charge::play(&mut play);
    let leader = play.table().leaders.values().next().unwrap();
    assert_eq!(leader.at, Point::new(30_000, 18_000));
}
