//! A column that fires, is fired at, checks its morale and falls apart. TAC-29 to TAC-36

use protocol::event::{Fact, FlankClass, Morale};
use protocol::ids::{Side, UnitId};
use protocol::orders::{Order, RangeBand, Stage};
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use super::{anchor, column, enemy, list, regiment};
use crate::battle::{Battle, Table, UnitIx};
use crate::column;
use crate::dice::ScriptedDice;
use crate::field::Field;
use crate::fire::{Firer, Laid, NoFire, Occasion, Officers, Shot, Standing, Stands, lay, shoot};
use crate::morale;
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::settle::{FiredOn, Happening};
use crate::testing::{self, Maker, battery, ix, open_ground};

const HOLD: Order = Order::Hold { task: None };

fn shot(table: &Table, firer: &str, target: &str) -> Shot {
    let unit = ix(table, firer);
    let standing = Standing::of(&table[unit], &HOLD);
    let firer = Firer { unit, standing, rapid: false, stands: Stands::All, overhead_risk: false };
    Shot::new(firer, ix(table, target), Occasion::Hold)
}

fn laid(table: &Table, firer: &str, target: &str) -> Result<Laid, NoFire> {
    lay(&Field::before_dice(Ruleset::standard(), table), &shot(table, firer, target), &Officers::Present)
}

/// Fires one volley in phase 7, and settles what follows.
fn fired(table: Table, firer: &str, target: &str, dice: &str) -> (Table, Vec<Event>) {
    let shot = shot(&table, firer, target);
    played(table, dice, |play| {
        let happenings = shoot(play, vec![shot]);
        morale::settle(play, happenings);
    })
}

fn played(table: Table, dice: &str, step: impl FnOnce(&mut Play<'_>)) -> (Table, Vec<Event>) {
    let dice = ScriptedDice::parse(dice).expect("the dice of a test can be read");
    let battle: Battle = testing::battle(table);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    step(&mut play);
    let (battle, events) = (play.battle, play.events);
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()), "{:#?}", sentences(&events));
    (battle.table, events)
}

fn sentences(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.explanation.sentence.as_str()).collect()
}

fn figures(table: &Table, regiments: &[&str]) -> Vec<u32> {
    regiments.iter().map(|id| table[ix(table, id)].figures()).collect()
}

fn morale_of(table: &Table, regiments: &[&str]) -> Vec<Morale> {
    regiments.iter().map(|id| table[ix(table, id)].morale).collect()
}

#[test]
fn tac_29_fire_at_a_column_has_two_more() {
    // Of muskets and of shot alike; a single line adds nothing.
    let line = |firer: Maker| testing::table(open_ground(), [regiment("a", 30_000, 30_000), firer]);
    let sum = |table: Table| laid(&table, "e", "a").map(|laid| laid.modifiers.total());
    for firer in [enemy("e", 30_000, 34_000), battery("e", Side::Confederate).at(30_000, 50_000).facing(18_000)] {
        let of_line = sum(line(firer.clone())).expect("it fires at the line");
        assert_eq!(sum(column(&["a", "b"], vec![firer])).ok(), Some(of_line + 2));
    }
}

#[test]
fn tac_30_every_regiment_loses_what_the_lead_loses() {
    // Sixteen figures at three inches on HOLD, three dice: 11 and 2 for the column are 13, which kills 3 of it.
    let table = column(&["a", "b", "c", "d"], vec![enemy("e", 30_000, 33_000)]);
    let (table, events) = fired(table, "e", "a", "fire.volley e: 3 4 4");
    assert_eq!(figures(&table, &["a", "b", "c", "d"]), [13; 4]);
    let losses = events.iter().filter(|event| matches!(event.fact, Fact::Losses { figures: 3, .. }));
    let rules: Vec<&str> = losses.map(|event| event.rule.as_str()).collect();
    assert_eq!(rules, ["ORG-05", "TAC-30", "TAC-30", "TAC-30"]);
}

#[test]
fn tac_30_as_far_as_it_has_them() {
    let mut table = column(&["a", "b", "c"], vec![enemy("e", 30_000, 33_000)]);
    let b = ix(&table, "b");
    table[b].stands.truncate(1);
    table[b].stands[0].figures = 2;
    // Its last two fall: the regiment is lost, which nobody of the column checks for.
    let (table, _) = fired(table, "e", "a", "fire.volley e: 3 4 4");
    assert_eq!(figures(&table, &["a", "c"]), [13; 2]);
    assert!(!table[ix(&table, "b")].on_table());
    assert_eq!(list(&table, "a"), ["a", "c"]);
}

#[test]
fn tac_30_and_tac_31_fire_at_its_tail_is_fire_at_its_lead() {
    // From the east at the height of the third regiment; the lead's rear line is y 29.375, and the firer's four stands, from y
    // 25.25 to 28.75, all lie behind it, but the lead is not in its primary zone: partial, by ENF-10. The third regiment by itself
    // is in that zone, with two stands behind the line of its front, y 27: full, by ENF-05.
    let table = column(&["a", "b", "c"], vec![enemy("e", 35_000, 27_000).facing(27_000)]);
    let at_tail = laid(&table, "e", "c").expect("it can be fired at");
    assert_eq!((at_tail.shot.target, at_tail.flank), (ix(&table, "a"), FlankClass::Partial));
    // Range from the firer's front at x 35 to the end of the third line at x 31.75.
    assert_eq!(at_tail.range.rounded(), 3_250);
    let alone = [regiment("c", 30_000, 27_000), enemy("e", 35_000, 27_000).facing(27_000)];
    let alone = testing::table(open_ground(), alone);
    assert_eq!(laid(&alone, "e", "c").expect("it can be fired at").flank, FlankClass::Full);
}

#[test]
fn tac_30_its_regiments_are_one_target() {
    // A regiment on HOLD to the east, level with the gap between two regiments equally near: one volley, and no die between them.
    let firer = enemy("e", 35_000, 28_938).facing(27_000);
    let mut battle = testing::battle(column(&["a", "b"], vec![firer]));
    testing::give(&mut battle, "e", HOLD, Default::default());
    let (table, events) = played(battle.table, "fire.volley e: 1 1 2", crate::phases::movement::play);
    let volleys: Vec<_> = events.iter().filter(|event| matches!(event.fact, Fact::Volley { .. })).collect();
    assert_eq!(volleys.len(), 1);
    assert!(matches!(&volleys[0].fact, Fact::Volley { target: Some(target), .. } if target.as_str() == "a"));
    assert_eq!(table[ix(&table, "e")].marks.fired_at.len(), 1);
}

#[test]
fn pen_06_the_fire_does_not_go_on_through_the_column() {
    // At close range musketry goes on behind its target; here stands nobody but the column.
    let table = column(&["a", "b"], vec![enemy("e", 30_000, 32_000)]);
    assert_eq!(laid(&table, "e", "a").expect("it fires").band, RangeBand::Close);
    let threatened = |table: &Table| {
        let field = Field::before_dice(Ruleset::standard(), table);
        let odds = crate::fire::odds(&field, &shot(table, "e", "a")).expect("it fires");
        odds.threatened(&field)
    };
    assert_eq!(threatened(&table), Vec::<UnitIx>::new());
    // The same two regiments, when they are no column.
    let two = [regiment("a", 30_000, 30_000), regiment("b", 30_000, 28_500), enemy("e", 30_000, 32_000)];
    let two = testing::table(open_ground(), two);
    assert_eq!(threatened(&two), [ix(&two, "b")]);
}

#[test]
fn tac_30_and_tac_33_the_odds_know_a_column() {
    let table = column(&["a", "b"], vec![enemy("e", 30_000, 33_000)]);
    let battle = testing::battle(table);
    let known = crate::battle::known(&battle, Side::Confederate);
    let question =
        crate::odds::Question { firer: UnitId::new("e"), target: UnitId::new("a"), order: HOLD, said: Vec::new() };
    let odds = crate::odds::odds(&known, Ruleset::standard(), &question).expect("both are there");
    assert!(odds.explanation.notes.iter().any(|note| note.rule.to_string() == "TAC-30"));
    // Four figures are a stand: what costs the lead one stand costs the column two, its number of regiments, and calls for a
    // check; so nobody who loses a stand is certain to be good, and nobody who loses none checks.
    let lost = |stands: bool| odds.losses.iter().any(|loss| (0 < loss.stands) == stands && 0 < loss.chance.millionths);
    assert!(lost(true) && lost(false));
    let point = odds.check.expect("some losses call for a check");
    // A veteran's 3 and 3 for the lead's stand.
    assert_eq!(point.total, 6);
}

#[test]
fn tac_31_the_whole_column_is_disordered_with_its_lead() {
    let table = column(&["a", "b"], vec![]);
    let a = ix(&table, "a");
    let (table, events) = played(table, "", |play| {
        morale::consequence::fall_into_disorder(play, a, crate::catalogue::TC_08);
    });
    assert!(["a", "b"].iter().all(|id| table[ix(&table, id)].footing.disorder));
    assert_eq!(events.iter().map(|event| event.rule.as_str()).collect::<Vec<_>>(), ["TC-08", "TAC-31"]);
    assert_eq!(list(&table, "b"), ["a", "b"], "it is a column still");
}

/// A fire that cost a regiment so many figures and stands.
fn fire(table: &Table, unit: &str, figures: u32, stands: u32) -> Happening {
    Happening::FiredOn(FiredOn {
        unit: ix(table, unit),
        by: vec![ix(table, "e")],
        forces_hit_check: false,
        starred: false,
        figures,
        stands,
        horses: 0,
        first_casualty: false,
        flank: FlankClass::Front,
        band: RangeBand::Normal,
        from: Point::new(30_000, 40_000),
        canister: false,
        unseen: false,
        in_cover: false,
        at_screen: false,
        behind_target: false,
    })
}

/// Takes one stand off each of these regiments, counts them, and settles the fire that did it.
fn after_stands_lost(mut table: Table, regiments: &[&str], dice: &str) -> (Table, Vec<Event>) {
    for id in regiments {
        let regiment = ix(&table, id);
        table[regiment].stands.remove(0);
        column::count_losses(&mut table, regiment, 1);
    }
    let lost = |id: &&str| u32::from(regiments.contains(id));
    let happenings: Vec<Happening> = ["a", "b", "c", "d"].iter().map(|id| fire(&table, id, 4, lost(id))).collect();
    played(table, dice, |play| morale::settle(play, happenings))
}

/// The sums of the checks that were rolled.
fn points(events: &[Event]) -> Vec<i32> {
    let checks = events.iter().filter(|event| matches!(event.fact, Fact::MoraleCheck { .. }));
    checks.filter_map(|event| event.explanation.sums.first()).map(|sum| sum.total).collect()
}

/// A column of four, an enemy eight inches before it.
fn four() -> Table {
    column(&["a", "b", "c", "d"], vec![enemy("e", 30_000, 38_000)])
}

#[test]
fn tac_33_no_check_until_as_many_stands_are_lost_as_it_has_regiments() {
    // Three stands of a column of four call for none; the fourth does. A veteran's point is 3, and the lead's lost stand adds 3.
    let (table, events) = after_stands_lost(four(), &["a", "b", "c"], "");
    assert_eq!(points(&events), [0; 0]);
    let (table, events) = after_stands_lost(table, &["d"], "morale.stand_lost a: 4 4");
    assert_eq!(points(&events), [6]);
    assert_eq!(morale_of(&table, &["a", "d"]), [Morale::Good; 2]);
    // The count goes on from there: four more for the next.
    let (_, events) = after_stands_lost(table, &["b", "c", "d"], "");
    assert_eq!(points(&events), [0; 0]);
}

#[test]
fn tac_32_and_tac_33_the_lead_s_stands_count_for_all() {
    // Four stands of the three behind the lead, which itself has lost none: the check has nothing for a lost stand.
    let (table, _) = after_stands_lost(four(), &["b", "c", "d"], "");
    let (_, events) = after_stands_lost(table, &["b"], "morale.stand_lost a: 4 4");
    assert_eq!(points(&events), [3]);
}

#[test]
fn tac_32_it_checks_as_one_and_falls_back_as_one() {
    // 3 is not above 6: all are shaken. They fall back four inches, straight away from the enemy in the north, and keep their order.
    let (table, _) = after_stands_lost(four(), &["a", "b", "c"], "");
    let (table, events) = after_stands_lost(table, &["d"], "morale.stand_lost a: 1 2\nshaken.distance a: 4");
    assert_eq!(morale_of(&table, &["a", "b", "c", "d"]), [Morale::Shaken; 4]);
    let anchors: Vec<_> = ["a", "b", "c", "d"].iter().map(|id| anchor(&table, id)).collect();
    assert_eq!(anchors, [(30_000, 26_000), (30_000, 24_500), (30_000, 23_000), (30_000, 21_500)]);
    let checks = events.iter().filter(|event| matches!(event.fact, Fact::MoraleCheck { .. })).count();
    assert_eq!(checks, 4, "each is told of it, one is rolled");
    assert_eq!(list(&table, "a"), ["a", "b", "c", "d"]);
}

#[test]
fn tac_32_and_lead_12_a_leader_with_its_tail_falls_back_with_it() {
    // He stands beside the fourth regiment, 4.5 inches behind the lead: too far off to hold the column in its place.
    let (mut table, _) = after_stands_lost(four(), &["a", "b", "c"], "");
    let mut leader = testing::leader("cruft", Side::Union, 30_000, 24_500);
    leader.attached = Some(UnitId::new("d"));
    table.leaders.insert(leader.id.clone(), leader);
    let (table, _) = after_stands_lost(table, &["d"], "morale.stand_lost a: 1 2\nshaken.distance a: 4");
    assert_eq!(anchor(&table, "d"), (30_000, 21_500));
    assert_eq!(table.leaders.values().map(|leader| leader.at).next(), Some(Point::new(30_000, 20_500)));
}

#[test]
fn tac_32_a_column_that_routs_falls_apart() {
    // A natural 2: each regiment runs by its own dice, in disorder and by itself.
    let (table, _) = after_stands_lost(four(), &["a", "b", "c"], "");
    let runs = "rout.distance a: 1 2 2\nrout.distance b: 3 2 2\nrout.distance c: 2 2 3\nrout.distance d: 3 3 1";
    let (table, _) = after_stands_lost(table, &["d"], &format!("morale.stand_lost a: 1 1\n{runs}"));
    for id in ["a", "b", "c", "d"] {
        let regiment = &table[ix(&table, id)];
        assert_eq!((regiment.morale, regiment.column.is_none()), (Morale::Routed, true));
        assert_eq!((regiment.footing.formation, regiment.footing.disorder), (Formation::SingleLine, true));
    }
    // Each turns about its middle, which brings its front 0.625 inches to the south, and runs 5, 7, 7 and 7 inches from there.
    for (id, y) in [("a", 24_375), ("b", 20_875), ("c", 19_375), ("d", 17_875)] {
        assert!((anchor(&table, id).1 - y).abs() <= 1, "{id}: {:?}", anchor(&table, id));
    }
}

#[test]
fn tac_32_it_sees_as_one() {
    // A friend beside the third regiment is lost, more than six inches from the lead, who checks once for all.
    let friend = testing::infantry("f", Side::Union).at(35_000, 23_500);
    let table = column(&["a", "b", "c"], vec![friend]);
    let f = ix(&table, "f");
    let (_, events) = played(table, "morale.saw_loss a f: 5 5", |play| {
        crate::rout::lose(play, f, crate::catalogue::ROUT_19, crate::rout::Loss::WipedOut, Vec::new());
        morale::settle(play, vec![Happening::Removed(f)]);
    });
    let checks = events.iter().filter(|event| matches!(event.fact, Fact::MoraleCheck { .. })).count();
    assert_eq!(checks, 3);
}

#[test]
fn tac_32_it_rallies_by_the_attempt_of_its_lead() {
    let mut table = column(&["a", "b"], vec![]);
    for id in ["a", "b"] {
        let regiment = ix(&table, id);
        table[regiment].morale = Morale::Shaken;
    }
    let dice = ScriptedDice::parse("rally a: 6 5").expect("the dice can be read");
    let mut play = Play::new(Ruleset::standard(), &dice, testing::battle(table), Stage::Orders);
    play.phase = 2;
    crate::phases::rally::play(&mut play);
    assert_eq!(morale_of(play.table(), &["a", "b"]), [Morale::Good; 2]);
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()));
}

#[test]
fn tac_34_only_the_lead_fires_and_it_keeps_its_order() {
    let table = column(&["a", "b"], vec![enemy("e", 30_000, 34_000)]);
    let by_lead = laid(&table, "a", "e").expect("the lead fires");
    assert_eq!(by_lead.strength, crate::ruleset::Strength::Figures(16));
    let behind = laid(&table, "b", "e").expect_err("the second regiment does not");
    assert_eq!(behind.rule.as_str(), "TAC-34");
    let (table, _) = fired(table, "a", "e", "fire.volley a: 1 1 2");
    assert!(!table[ix(&table, "a")].footing.disorder);
}

#[test]
fn tac_34_if_the_lead_is_lost_the_next_leads() {
    let mut table = column(&["a", "b", "c"], vec![enemy("e", 30_000, 33_000)]);
    let a = ix(&table, "a");
    table[a].stands.truncate(1);
    table[a].stands[0].figures = 1;
    let (mut table, _) = fired(table, "e", "a", "fire.volley e: 3 4 4");
    assert_eq!((figures(&table, &["b", "c"]), list(&table, "c")), (vec![13, 13], vec!["b".to_owned(), "c".to_owned()]));
    assert_eq!((anchor(&table, "b"), anchor(&table, "c")), ((30_000, 28_500), (30_000, 27_000)), "nobody moves");
    // Where the new lead goes the other follows, 1.5 inches behind.
    let b = ix(&table, "b");
    table[b].footing.anchor = Point::new(40_000, 40_000);
    table[b].footing.facing = Bearing::wrapping(9_000);
    column::follow(&mut table, b);
    assert_eq!(anchor(&table, "c"), (38_500, 40_000));
    assert_eq!(table.unit(&UnitId::new("c")).map(|unit| unit.footing.facing), Some(Bearing::wrapping(9_000)));
}
