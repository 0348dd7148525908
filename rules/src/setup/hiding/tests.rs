//! What may begin under pickets, and what both sides then have before them. The Wilderness.

use std::sync::Arc;

use protocol::ids::{PicketNumber, Side};
use protocol::orders::{Draft, LeaderDraft, PlanShape, Stage};
use protocol::view::Viewer;

use super::*;
use crate::battle::{Battle, Theatre, known};
use crate::dice::{KeyedDice, SealedPicket, TurnSeed};
use crate::setup::{Seating, deploy, muster};
use crate::stage::Envelopes;

fn scenario(change: impl FnOnce(&mut Scenario)) -> Arc<Theatre> {
    let mut scenario = crate::scenario::read(include_str!("../../../../scenarios/wilderness.toml")).unwrap();
    scenario.options.hidden_movement = true;
    change(&mut scenario);
    Theatre::new(Arc::new(scenario))
}

/// The battle of turn 0, one seat a side.
pub(super) fn mustered_on(change: impl FnOnce(&mut Scenario)) -> Battle {
    muster(&scenario(change), Ruleset::standard(), &Seating::one_each(), &BTreeSet::new())
}

fn mustered() -> Battle {
    mustered_on(|_| {})
}

fn seat(side: Side) -> SeatId {
    Seating::one_each().otherwise.get(side).clone()
}

fn at(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// In the north of the Union's zone, which goes from 25320 to 34000 east and from 1200 to 29000 north: there is room behind it.
const WELL_INSIDE: (i32, i32) = (30_000, 25_000);

fn hides(hides: Hides, (x, y): (i32, i32)) -> Hiding {
    Hiding { at: at(x, y), facing: Bearing::NORTH, hides, leaders: Vec::new(), path: Vec::new() }
}

fn unit(id: &str, place: (i32, i32)) -> Hiding {
    hides(Hides::Unit { unit: id.into(), formation: Formation::SingleLine, gap: None }, place)
}

fn dummy(place: (i32, i32)) -> Hiding {
    hides(Hides::Dummy {}, place)
}

fn under(leader: &str, hiding: Hiding) -> Hiding {
    Hiding { leaders: vec![leader.into()], ..hiding }
}

/// Cutler's regiments in order of identifier.
const CUTLER: [&str; 6] = ["in07", "in19", "mi24", "wi02", "wi06", "wi07"];

fn brigade(order: &[&str], formation: Formation, shape: PlanShape, gap: u32) -> Hiding {
    let plan = Plan { order: order.iter().map(|id| (*id).into()).collect(), shape, gap };
    hides(Hides::Brigade { brigade: "cutler".into(), formation, plan }, WELL_INSIDE)
}

fn hiding(hiding: impl IntoIterator<Item = Hiding>) -> Draft {
    Draft { hiding: hiding.into_iter().collect(), ..Draft::default() }
}

/// The rules by which a Union draft is refused, with what was refused, and how many pickets are left of it.
fn told_on(battle: &Battle, draft: &Draft) -> (Vec<String>, usize) {
    let known = known(battle, Side::Union);
    let (legal, refusals) =
        crate::orders::legal_part(&known, Ruleset::standard(), &seat(Side::Union), Stage::Orders, draft);
    let told = refusals.iter().map(|refusal| format!("{} {}", refusal.subject, refusal.rule)).collect();
    (told, legal.hiding.len())
}

fn told(wanted: impl IntoIterator<Item = Hiding>) -> (Vec<String>, usize) {
    told_on(&mustered(), &hiding(wanted))
}

fn refused_by(rule: &str) -> (Vec<String>, usize) {
    (vec![format!("hiding 1 {rule}")], 0)
}

fn setup_dice(seed: u8) -> KeyedDice {
    KeyedDice::for_setup(&TurnSeed([seed; 32]), "a game")
}

fn deployed_with(battle: &Battle, union: Draft, confederate: Draft, seed: u8) -> Battle {
    let envelopes: Envelopes = [(seat(Side::Union), union), (seat(Side::Confederate), confederate)].into();
    deploy(Ruleset::standard(), battle, &Seating::one_each(), &BTreeSet::new(), &envelopes, &setup_dice(seed))
}

fn deployed(union: impl IntoIterator<Item = Hiding>) -> Battle {
    deployed_with(&mustered(), hiding(union), Draft::default(), 7)
}

fn union_secrets(battle: &Battle) -> &crate::battle::SideSecrets {
    battle.secrets.union.open()
}

/// The number of the picket that hides a unit.
fn over(battle: &Battle, id: &str) -> PicketNumber {
    let pickets = &union_secrets(battle).pickets;
    let over = pickets.iter().find(|(_, under)| under.units.iter().any(|unit| unit.id.as_str() == id));
    *over.expect("it is hidden").0
}

#[test]
fn hid_01_a_picket_stands_for_one_regiment_one_brigade_or_nothing() {
    let all = brigade(&CUTLER, Formation::DoubleLine, PlanShape::InDepth {}, 0);
    assert_eq!(told([unit("me20", WELL_INSIDE), all, dummy(WELL_INSIDE)]), (vec![], 3));
    // Twice the same regiment: the second is refused.
    assert_eq!(told([unit("me20", WELL_INSIDE), unit("me20", WELL_INSIDE)]), (vec!["hiding 2 HID-01".to_owned()], 1));
    assert_eq!(told([unit("nobody", WELL_INSIDE)]), refused_by("HID-05"));
    // The enemy's regiment, wherever it would stand.
    assert_eq!(told([unit("va10", WELL_INSIDE)]), refused_by("HID-05"));
    let guns = Plan { order: vec!["d1ny".into()], shape: PlanShape::InDepth {}, gap: 0 };
    let guns = Hides::Brigade { brigade: "wainwright".into(), formation: Formation::Limbered, plan: guns };
    assert_eq!(told([hides(guns, WELL_INSIDE)]), refused_by("HID-01"));
}

#[test]
fn hid_03_the_marker_is_the_anchor_and_faces_as_the_unit_does() {
    let battle = deployed([unit("me20", WELL_INSIDE)]);
    let number = over(&battle, "me20");
    let marker = &battle.table.pickets[&number];
    let footing = &union_secrets(&battle).pickets[&number].units[0].footing;
    assert_eq!((marker.at, marker.facing), (at(30_000, 25_000), Bearing::NORTH));
    assert_eq!((footing.anchor, footing.facing), (marker.at, marker.facing));
}

#[test]
fn hid_04_a_regiment_hides_in_any_formation_of_its_arm_and_in_no_other() {
    let formed = |formation| {
        let wanted = hides(Hides::Unit { unit: "me20".into(), formation, gap: None }, WELL_INSIDE);
        told([wanted])
    };
    for formation in [Formation::AttackColumn, Formation::SkirmishLine, Formation::MarchColumn, Formation::DoubleLine] {
        assert_eq!(formed(formation), (vec![], 1), "{formation}");
    }
    for formation in [Formation::Limbered, Formation::DismountedLine] {
        assert_eq!(formed(formation), refused_by("FORM-01"), "{formation}");
    }
}

#[test]
fn hid_05_a_picket_stands_with_all_its_stands_in_a_zone_of_its_side() {
    // Stands of the 20th Maine are three quarters of 0.875 wide: the line is 2.625 long, and reaches 1.312 to the west of its middle.
    assert_eq!(told([unit("me20", (26_600, 12_000))]), refused_by("HID-05"));
    assert_eq!(told([unit("me20", (26_700, 12_000))]), (vec![], 1));
    // A dummy has no stands.
    assert_eq!(told([dummy((25_400, 12_000))]), (vec![], 1));
    // Out of the zone, in the enemy's, off the table, as far as a number goes.
    for place in [(25_000, 12_000), (12_000, 12_000), (-1, 12_000), (i32::MAX, i32::MIN)] {
        assert_eq!(told([unit("me20", place)]), refused_by("HID-05"), "{place:?}");
        assert_eq!(told([dummy(place)]), refused_by("HID-05"), "{place:?}");
    }
}

#[test]
fn hid_05_a_unit_that_is_shaken_begins_openly() {
    let mut battle = mustered();
    let ix = battle.table.find(&"me20".into()).unwrap();
    battle.table[ix].morale = Morale::Shaken;
    assert_eq!(told_on(&battle, &hiding([unit("me20", WELL_INSIDE)])), refused_by("HID-05"));
}

#[test]
fn scn_07_nobody_hides_where_hidden_movement_is_not_played_or_the_battle_has_nobody_hidden() {
    let off = mustered_on(|scenario| scenario.options.hidden_movement = false);
    let none = mustered_on(|scenario| scenario.deployment.hidden = HiddenStarts::None);
    for battle in [off, none] {
        assert_eq!(told_on(&battle, &hiding([unit("me20", WELL_INSIDE)])), refused_by("SCN-07"));
        assert_eq!(told_on(&battle, &hiding([dummy(WELL_INSIDE)])), refused_by("SCN-07"));
        let seen = view_of(&battle, Side::Union).deployment.expect("turn 0");
        assert_eq!(seen.hiding, None);
    }
}

/// Only the 20th Maine is listed.
fn listed() -> Battle {
    mustered_on(|scenario| {
        scenario.deployment.hidden = HiddenStarts::Listed;
        let mut term = scenario.specials.first().expect("the battle has a term").clone();
        term.id = "unseen".to_owned();
        term.who = vec!["me20".to_owned()];
        term.optional = false;
        term.kind = SpecialKind::HiddenStart { until: None };
        scenario.specials.push(term);
    })
}

#[test]
fn scns_13_where_they_are_listed_the_listed_ones_begin_hidden_and_no_others() {
    let battle = listed();
    let (me20, pa83) = (unit("me20", WELL_INSIDE), unit("pa83", (30_000, 20_000)));
    assert_eq!(told_on(&battle, &hiding([me20, pa83])), (vec!["hiding 2 SCN-07".to_owned()], 1));
    // A listed one is not placed openly.
    let footing = &battle.table.unit(&"me20".into()).unwrap().footing;
    let place =
        orders::Placement { anchor: footing.anchor, facing: footing.facing, formation: footing.formation, gap: None };
    let openly = Draft { deployment: [("me20".into(), place)].into(), ..Draft::default() };
    assert_eq!(told_on(&battle, &openly).0, ["me20 SCNS-13"]);
    // Its owner says nothing: its place is drawn in its zone, and nobody else is hidden.
    let begun = deployed_with(&battle, Draft::default(), Draft::default(), 7);
    let number = over(&begun, "me20");
    assert_eq!(begun.table.pickets.len(), 1);
    let zone = &begun.table.scenario().deployment.zones[0];
    assert!(inside(zone, &rects(&union_secrets(&begun).pickets[&number].units[0])));
    assert_ne!(begun.table.pickets[&number].at, footing.anchor, "never where the file prints it");
    // SCN-07: dummies by all units on the table, not by those that hide.
    let seen = view_of(&battle, Side::Union).deployment.expect("turn 0").hiding.expect("it is played");
    assert_eq!((seen.units, seen.dummies), (vec!["me20".into()], 2 * 26));
}

fn view_of(battle: &Battle, side: Side) -> protocol::view::View {
    let viewer = Viewer::Seat { side, seat: seat(side) };
    crate::view::view(Ruleset::standard(), battle, Stage::Orders, &viewer)
}

#[test]
fn hid_06_a_side_has_two_dummies_for_every_unit_on_the_table() {
    // 26 regiments and no battery of the Union begin on the table.
    let on_table = mustered().table.units_of(Side::Union).count();
    let seen = view_of(&mustered(), Side::Union).deployment.expect("turn 0").hiding.expect("it is played");
    assert_eq!(seen.dummies as usize, 2 * on_table);
    let dummies = |count: usize| told((0..count).map(|_| dummy(WELL_INSIDE)));
    assert_eq!(dummies(2 * on_table), (vec![], 2 * on_table));
    let refused = vec![format!("hiding {} HID-06", 2 * on_table + 1)];
    assert_eq!(dummies(2 * on_table + 1), (refused, 2 * on_table));
}

#[test]
fn hid_06_each_seat_of_a_side_has_the_dummies_of_its_own_units() {
    let mut seating = Seating::one_each();
    seating.commands.insert("cutler".into(), "wadsworth".into());
    let battle = muster(&scenario(|_| {}), Ruleset::standard(), &seating, &BTreeSet::new());
    let known = known(&battle, Side::Union);
    let of = |seat: &str| dummies_of(&known, Ruleset::standard(), &|other| other.as_str() == seat);
    let all = battle.table.units_of(Side::Union).count() as u32;
    assert_eq!((of("wadsworth"), of("union")), (12, 2 * all - 12));
}

#[test]
fn hid_07_a_brigade_rides_whole_on_one_picket() {
    let whole = |order: &[&str]| told([brigade(order, Formation::DoubleLine, PlanShape::InDepth {}, 0)]);
    assert_eq!(whole(&CUTLER), (vec![], 1));
    // One held back, one twice, a stranger.
    assert_eq!(whole(&CUTLER[1..]), refused_by("HID-07"));
    assert_eq!(whole(&["in07", "in07", "in19", "mi24", "wi02", "wi06", "wi07"]), refused_by("HID-07"));
    assert_eq!(whole(&["me20", "in19", "mi24", "wi02", "wi06", "wi07"]), refused_by("HID-07"));
    // On pickets of their own they have left the brigade's.
    let apart = [unit("in07", (30_000, 20_000)), brigade(&CUTLER, Formation::DoubleLine, PlanShape::InDepth {}, 0)];
    assert_eq!(told(apart), (vec!["hiding 2 HID-01".to_owned()], 1));
    // The number of dummies stays the same.
    let battle = deployed([brigade(&CUTLER, Formation::DoubleLine, PlanShape::InDepth {}, 0)]);
    assert_eq!(battle.table.pickets.len(), 1);
    assert_eq!(union_secrets(&battle).pickets[&over(&battle, "wi06")].units.len(), 6);
}

#[test]
fn hid_08_all_regiments_of_a_brigade_picket_are_in_one_formation_that_all_have() {
    let battle = deployed([brigade(&CUTLER, Formation::AttackColumn, PlanShape::TwoLines { first: 3 }, 0)]);
    let units = &union_secrets(&battle).pickets[&over(&battle, "wi06")].units;
    assert!(units.iter().all(|unit| unit.footing.formation == Formation::AttackColumn));
    let limbered = brigade(&CUTLER, Formation::Limbered, PlanShape::InDepth {}, 0);
    assert_eq!(told([limbered]), refused_by("HID-08"));
}

#[test]
fn hid_10_a_plan_that_cannot_be_drawn_up_is_refused() {
    let planned = |formation, shape, gap| told([brigade(&CUTLER, formation, shape, gap)]);
    let double = Formation::DoubleLine;
    for (shape, gap) in [
        (PlanShape::InDepth {}, 1_000),
        (PlanShape::Abreast {}, 0),
        (PlanShape::TwoLines { first: 1 }, 0),
        (PlanShape::TwoLines { first: 5 }, 0),
    ] {
        assert_eq!(planned(double, shape, gap), (vec![], 1), "{shape:?}");
    }
    for (shape, gap) in
        [(PlanShape::InDepth {}, 1_001), (PlanShape::TwoLines { first: 0 }, 0), (PlanShape::TwoLines { first: 6 }, 0)]
    {
        assert_eq!(planned(double, shape, gap), refused_by("HID-10"), "{shape:?}");
    }
    assert_eq!(planned(Formation::MarchColumn, PlanShape::Abreast {}, 0), refused_by("HID-10"));
    assert_eq!(planned(Formation::MarchColumn, PlanShape::InDepth {}, 0), (vec![], 1));
}

#[test]
fn hid_11_a_leader_begins_under_a_picket_of_his_own_command() {
    let me20 = || unit("me20", WELL_INSIDE);
    assert_eq!(told([under("bartlett", me20())]), (vec![], 1));
    assert_eq!(told([under("griffin", me20())]), (vec![], 1), "his division");
    assert_eq!(told([under("ayres", me20())]), refused_by("HID-11"));
    assert_eq!(told([under("steuart", me20())]), refused_by("HID-11"));
    assert_eq!(told([under("bartlett", dummy(WELL_INSIDE))]), refused_by("HID-11"));
    let twice = [under("bartlett", me20()), under("bartlett", unit("pa83", (30_000, 20_000)))];
    assert_eq!(told(twice), (vec!["hiding 2 HID-11".to_owned()], 1));
    let said = LeaderDraft { place: Some(at(30_000, 14_000)), ..LeaderDraft::default() };
    let both = Draft { leaders: [("bartlett".into(), said)].into(), ..hiding([under("bartlett", me20())]) };
    assert_eq!(told_on(&mustered(), &both), (vec!["bartlett HID-11".to_owned()], 1));
    // He is where the marker is, and nobody else has him on the table.
    let battle = deployed([under("bartlett", me20())]);
    let rider = &union_secrets(&battle).pickets[&over(&battle, "me20")].leaders[0];
    assert_eq!((rider.at, rider.presence), (at(30_000, 25_000), Presence::Hidden));
    let of = |side| view_of(&battle, side).leaders.iter().any(|leader| leader.id.as_str() == "bartlett");
    assert_eq!((of(Side::Union), of(Side::Confederate)), (true, false));
}

#[test]
fn hid_02_numbers_are_distinct_over_both_sides_and_what_has_still_to_come() {
    let dummies = (0..20).map(|n| dummy((30_000, 2_000 + n * 1_000)));
    let others = (0..20).map(|n| dummy((12_000, 2_000 + n * 1_000)));
    let battle = deployed_with(&mustered(), hiding(dummies), hiding(others), 7);
    let drawn: Vec<u32> = battle.table.pickets.keys().map(|number| number.0).collect();
    assert_eq!(drawn.len(), 40);
    let kept = |side| battle.secrets.get(side).open().kept_numbers.iter().map(|kept| kept.number.0).collect::<Vec<_>>();
    // Winslow's battery of the Union; five regiments of Daniel and six of Gordon. Three numbers each.
    assert_eq!((kept(Side::Union).len(), kept(Side::Confederate).len()), (3, 33));
    let all: BTreeSet<u32> = drawn.into_iter().chain(kept(Side::Union)).chain(kept(Side::Confederate)).collect();
    assert_eq!(all.len(), 40 + 36, "no number twice");
    assert!(all.iter().all(|number| (100..=999).contains(number)));
}

/// Where each number stands.
fn markers(battle: &Battle) -> Vec<(u32, Point)> {
    battle.table.pickets.iter().map(|(number, marker)| (number.0, marker.at)).collect()
}

/// Places far enough from each other for any regiment.
fn places() -> Vec<(i32, i32)> {
    (0..6).map(|n| (30_000, 4_000 + n * 3_600)).collect()
}

#[test]
fn leak_05_neither_order_nor_gaps_of_numbers_tell_what_is_real() {
    let places = places();
    // Real ones named first, last, and on the other places: the numbers go with the places all the same.
    let wanted = |real: [usize; 3], backwards: bool| {
        let ids = ["me20", "pa83", "ny44"];
        let mut list: Vec<Hiding> = real.iter().zip(ids).map(|(n, id)| unit(id, places[*n])).collect();
        list.extend((0..6).filter(|n| !real.contains(n)).map(|n| dummy(places[n])));
        if backwards {
            list.reverse();
        }
        deployed(list)
    };
    let one = markers(&wanted([0, 1, 2], false));
    for other in [wanted([0, 1, 2], true), wanted([5, 3, 4], false), wanted([2, 0, 1], true)] {
        assert_eq!(markers(&other), one);
    }
    // Other dice, other numbers; and they do not follow the places either.
    let again = deployed_with(&mustered(), hiding(places.iter().map(|place| dummy(*place))), Draft::default(), 8);
    assert_ne!(markers(&again), one);
    assert!(one.windows(2).any(|two| two[1].1.y < two[0].1.y), "numbers rise otherwise than places");
}

#[test]
fn leak_08_the_order_in_which_pickets_were_set_up_changes_no_byte() {
    let list: Vec<Hiding> = places().into_iter().map(dummy).chain([unit("me20", WELL_INSIDE)]).collect();
    let mut backwards = list.clone();
    backwards.reverse();
    let (one, other) = (deployed(list), deployed(backwards));
    assert_eq!(crate::archive::store(&one).as_bytes(), crate::archive::store(&other).as_bytes());
}

/// What the enemy is sent, but for the commitments: these differ, and tell nothing to who has not their salts.
fn seen_by_the_enemy(battle: &Battle) -> String {
    let mut battle = battle.clone();
    battle.table.pickets.values_mut().for_each(|marker| marker.commitment.clear());
    let mut bytes = String::new();
    for viewer in [Viewer::Seat { side: Side::Confederate, seat: seat(Side::Confederate) }, Viewer::Public {}] {
        let view = crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer);
        bytes += &serde_json::to_string(&view).unwrap();
    }
    bytes
}

#[test]
fn hid_14_what_a_marker_hides_changes_no_byte_of_the_enemy_s_view() {
    let [one, two] = [(30_000, 8_000), (30_000, 16_000)];
    let worlds = [
        deployed([under("bartlett", unit("me20", one)), dummy(two)]),
        deployed([dummy(one), under("bartlett", unit("me20", two))]),
        deployed([
            under(
                "bartlett",
                hides(Hides::Unit { unit: "me20".into(), formation: Formation::SkirmishLine, gap: None }, one),
            ),
            dummy(two),
        ]),
    ];
    for world in &worlds {
        assert_eq!(seen_by_the_enemy(world), seen_by_the_enemy(&worlds[0]));
        let knows = |world: &Battle| {
            let mut world = world.clone();
            world.table.pickets.values_mut().for_each(|marker| marker.commitment.clear());
            known(&world, Side::Confederate)
        };
        assert!(knows(world) == knows(&worlds[0]), "the enemy's knowledge is another");
    }
}

#[test]
fn hid_13_the_name_of_a_hidden_unit_stands_as_printed_and_shifts_nobody() {
    let battle = deployed([unit("me20", WELL_INSIDE)]);
    let name = battle.table.unit(&"me20".into()).unwrap();
    let force = battle.table.scenario().force("me20").unwrap();
    assert_eq!((name.presence, name.footing.anchor), (Presence::Hidden, force.standing.unwrap().at));
    // The 118th is put where the file prints the 20th Maine: there is nobody in its way.
    let footing = name.footing.clone();
    let place =
        orders::Placement { anchor: footing.anchor, facing: footing.facing, formation: footing.formation, gap: None };
    let draft = Draft { deployment: [("pa118".into(), place.clone())].into(), ..hiding([unit("me20", WELL_INSIDE)]) };
    assert_eq!(told_on(&mustered(), &draft), (vec![], 1));
    let begun = deployed_with(&mustered(), draft, Draft::default(), 7);
    assert_eq!(begun.table.unit(&"pa118".into()).unwrap().footing.anchor, place.anchor);
}

#[test]
fn hid_01_who_is_under_a_picket_is_not_placed_too() {
    let footing = mustered().table.unit(&"me20".into()).unwrap().footing.clone();
    let place =
        orders::Placement { anchor: footing.anchor, facing: footing.facing, formation: footing.formation, gap: None };
    let draft = Draft { deployment: [("me20".into(), place)].into(), ..hiding([unit("me20", WELL_INSIDE)]) };
    assert_eq!(told_on(&mustered(), &draft), (vec!["me20 HID-01".to_owned()], 1));
}

#[test]
fn leak_90_what_the_enemy_has_where_refuses_no_picket() {
    // A Confederate regiment before the muzzle of the marker, as nobody could have it: the answer is the same.
    let mut crowded = mustered();
    let ix = crowded.table.find(&"va10".into()).unwrap();
    crowded.table[ix].footing.anchor = at(29_000, 12_000);
    let draft = hiding([unit("me20", WELL_INSIDE), dummy((29_000, 12_000))]);
    assert_eq!(told_on(&crowded, &draft), told_on(&mustered(), &draft));
    assert_eq!(told_on(&crowded, &draft), (vec![], 2));
}

#[test]
fn hid_72_the_hash_covers_contents_roster_line_and_salt() {
    let battle = deployed([under("bartlett", unit("me20", WELL_INSIDE)), dummy((30_000, 20_000))]);
    for (number, roster) in &union_secrets(&battle).roster {
        let crate::hidden::RosterLine { contents, line, salt, commitment } = roster;
        let marker = &battle.table.pickets[number];
        assert_eq!(*commitment, marker.commitment);
        let hash = |salt: &[u8; 16], contents: &str, line: &str| {
            let sealed = SealedPicket { salt, number: *number, side: Side::Union, contents, line };
            sealed.hash().iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        assert_eq!(hash(salt, contents, line), *commitment);
        assert_ne!(hash(&[0; 16], contents, line), *commitment, "without its salt nobody can try it out");
        assert_ne!(hash(salt, "{}", line), *commitment);
        assert_ne!(hash(salt, contents, "another"), *commitment);
    }
    let number = over(&battle, "me20");
    let roster = &union_secrets(&battle).roster[&number];
    let contents =
        r#"{"hides":{"type":"unit","unit":"me20","formation":"single_line","gap":null},"leaders":["bartlett"]}"#;
    let line = format!(
        "picket {} of the Union side is 20th Maine in single line, with Brig. Gen. Joseph J. Bartlett",
        number.0
    );
    assert_eq!((roster.contents.as_str(), roster.line.as_str()), (contents, line.as_str()));
}

#[test]
fn leak_61_every_hash_has_a_salt_of_its_own_that_the_secret_seed_alone_gives() {
    let dummies = || hiding(places().into_iter().map(dummy));
    let with = |seed| deployed_with(&mustered(), dummies(), Draft::default(), seed);
    let of = |battle: &Battle| {
        let roster = union_secrets(battle).roster.values().cloned();
        roster.map(|roster| (roster.salt, roster.commitment)).collect::<Vec<_>>()
    };
    let (one, other) = (of(&with(7)), of(&with(8)));
    let salts: BTreeSet<[u8; 16]> = one.iter().chain(&other).map(|(salt, _)| *salt).collect();
    // All six hide the same, and no two salts or hashes are alike: not in one game, not in two.
    assert_eq!(salts.len(), 12);
    let hashes: BTreeSet<&String> = one.iter().chain(&other).map(|(_, hash)| hash).collect();
    assert_eq!(hashes.len(), 12);
}

#[test]
fn leak_75_rosters_are_disclosed_after_the_battle_and_not_while_the_campaign_goes_on() {
    let open = |battle: &Battle| {
        let view = crate::view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Public {});
        view.disclosed.into_iter().map(|picket| (picket.number, picket.line)).collect::<Vec<_>>()
    };
    let end = |battle: &mut Battle| {
        battle.table.ended = Some(crate::battle::Ended { winner: None, lines: Vec::new() });
    };
    let wanted = || hiding([unit("me20", WELL_INSIDE), dummy((30_000, 20_000))]);
    let mut battle = deployed_with(&mustered(), wanted(), Draft::default(), 7);
    assert_eq!(open(&battle), [], "not in play");
    end(&mut battle);
    assert_eq!(open(&battle).len(), 2);
    let campaign = mustered_on(|scenario| scenario.options.campaign = true);
    let mut battle = deployed_with(&campaign, wanted(), Draft::default(), 7);
    end(&mut battle);
    assert_eq!(open(&battle), []);
}

#[test]
fn hid_73_before_both_have_sealed_nothing_of_the_enemy_is_seen() {
    let battle = mustered();
    for side in Side::BOTH {
        let view = view_of(&battle, side);
        assert!(view.pickets.is_empty() && view.units.iter().all(|unit| unit.side == side));
        let enemy = battle.table.all_units().map(|(_, unit)| unit).find(|unit| unit.side != side).unwrap();
        let bytes = serde_json::to_string(&view).unwrap();
        assert!(!bytes.contains(&enemy.name));
    }
    // And then all markers at one instant: of the enemy's their total, and nothing of their kinds.
    let begun = deployed([unit("me20", WELL_INSIDE), dummy((30_000, 20_000))]);
    assert_eq!(view_of(&begun, Side::Confederate).pickets.len(), 2);
}

#[test]
fn leak_60_the_enemy_is_not_told_how_many_dummies_a_side_has_placed_or_might_have() {
    let battle = deployed([unit("me20", WELL_INSIDE), dummy((30_000, 20_000))]);
    let two = deployed([unit("me20", WELL_INSIDE), unit("pa83", (30_000, 20_000))]);
    let mut view = view_of(&battle, Side::Confederate);
    assert_eq!(view.deployment, None);
    assert_eq!(view.pickets.len(), view_of(&two, Side::Confederate).pickets.len());
    assert!(view.pickets.iter().all(|picket| picket.own.is_none()));
    view.pickets.clear();
    assert!(!serde_json::to_string(&view).unwrap().contains("dumm"));
}

#[test]
fn leak_77_what_has_still_to_come_and_its_numbers_are_in_no_view_of_the_enemy() {
    let battle = deployed([dummy(WELL_INSIDE)]);
    let number = union_secrets(&battle).kept_numbers[0].number;
    let view = view_of(&battle, Side::Confederate);
    assert!(view.pickets.iter().all(|picket| picket.number != number));
    assert!(view.units.iter().all(|unit| unit.id.as_str() != "d1ny"));
    // Whether a side has troops to come changes nothing in what the others are given.
    let none_to_come = deployed_with(
        &mustered_on(|scenario| scenario.arrivals.retain(|arrival| arrival.id != "winslow")),
        hiding([dummy(WELL_INSIDE)]),
        Draft::default(),
        7,
    );
    assert_eq!(markers(&none_to_come), markers(&battle));
}

#[test]
fn hid_82_where_the_scenario_says_so_places_are_drawn_from_the_setup_seed() {
    let battle = mustered_on(|scenario| scenario.deployment.hidden_at_random = true);
    assert_eq!(told_on(&battle, &hiding([unit("me20", WELL_INSIDE)])), refused_by("HID-82"));
    assert_eq!(view_of(&battle, Side::Union).deployment.expect("turn 0").hiding, None);
    let begin = |seed| deployed_with(&battle, Draft::default(), Draft::default(), seed);
    let begun = begin(7);
    // 26 Union regiments, each on a picket of its own, and two dummies for each.
    let units = battle.table.units_of(Side::Union).count();
    let own = begun.table.pickets.values().filter(|marker| marker.side == Side::Union);
    assert_eq!(own.clone().count(), 3 * units);
    let bearing = begun.table.scenario().sides.union.enemy_bearing;
    let zone = &begun.table.scenario().deployment.zones[0].outline;
    assert!(
        own.clone().all(|marker| crate::geometry::contains_within_eps(zone, marker.at) && marker.facing == bearing)
    );
    assert!(begun.table.units_of(Side::Union).next().is_none(), "nobody stands openly");
    assert_eq!(markers(&begin(7)), markers(&begun));
    assert_ne!(markers(&begin(8)), markers(&begun));
}

#[test]
fn leak_93_no_picket_stands_where_the_file_prints_its_unit_but_by_its_owner_s_word() {
    let battle = mustered_on(|scenario| scenario.deployment.hidden_at_random = true);
    let begun = deployed_with(&battle, Draft::default(), Draft::default(), 7);
    for (number, under) in &union_secrets(&begun).pickets {
        for unit in &under.units {
            let printed = begun.table.scenario().force(unit.id.as_str()).unwrap().standing.unwrap().at;
            assert_ne!(begun.table.pickets[number].at, printed);
        }
    }
    // Without such a word of the scenario whoever says nothing hides nobody.
    assert!(deployed_with(&mustered(), Draft::default(), Draft::default(), 7).table.pickets.is_empty());
}

#[test]
fn hid_64_and_scn_18_a_hidden_unit_may_begin_behind_works_that_its_side_alone_knows() {
    use protocol::orders::{FormTask, Order, UnitDraft, Work};
    let frontage = |battle: &Battle| crate::works::frontage(battle.table.unit(&"in07".into()).unwrap());
    let inches = frontage(&mustered());
    let battle = mustered_on(|scenario| scenario.sides.union.hasty_works = inches);
    let task = FormTask::Work { work: Work::BuildHastyWorks, at: Vec::new() };
    let dug_in = UnitDraft { order: Some(Order::Form { task }), ..UnitDraft::default() };
    let draft = |ids: &[&str], dug: &[&str]| Draft {
        units: dug.iter().map(|id| ((*id).into(), dug_in.clone())).collect(),
        ..hiding(ids.iter().map(|id| unit(id, WELL_INSIDE)))
    };
    // The inches are those of the side, hidden or not.
    assert_eq!(told_on(&battle, &draft(&["in07"], &["in07"])), (Vec::new(), 1));
    assert_eq!(told_on(&battle, &draft(&["in07"], &["in07", "in19"])).0, ["in19 SCN-18"]);
    let begun = |dug: &[&str]| deployed_with(&battle, draft(&["in07"], dug), Draft::default(), 7);
    let (with, without) = (begun(&["in07"]), begun(&[]));
    let works: Vec<_> = union_secrets(&with).works.iter().map(|(number, works)| (*number, works.clone())).collect();
    assert_eq!(works.len(), 1);
    assert_eq!((works[0].0, works[0].1.at), (over(&with, "in07"), at(30_000, 25_000)));
    let under = &union_secrets(&with).pickets[&works[0].0].units[0];
    let length = crate::geometry::polyline_length(&works[0].1.changes.built[0].line);
    assert!((length - under.stand_width * under.stands.len() as i32).abs() <= 3, "{length}");
    // LEAK-57 The enemy is sent the same as if there were none.
    assert_eq!(seen_by_the_enemy(&with), seen_by_the_enemy(&without));
    let own = view_of(&with, Side::Union);
    assert_eq!(own.obstacles.len(), view_of(&without, Side::Union).obstacles.len() + 1);
}

#[test]
fn scn_06_nobody_marches_before_turn_1() {
    let marching = |hiding: Hiding| Hiding { path: vec![at(30_000, 26_000)], ..hiding };
    for hidden in [unit("in07", WELL_INSIDE), dummy(WELL_INSIDE)] {
        assert_eq!(told([marching(hidden)]), refused_by("SCN-06"));
    }
}
