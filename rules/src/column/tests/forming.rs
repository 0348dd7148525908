//! Forming, ordering, marching, leaving. TAC-27, TAC-28, TAC-34

use std::collections::BTreeMap;

use protocol::event::{Fact, Morale, OrderShown};
use protocol::ids::{BrigadeId, Side, UnitId};
use protocol::message::Refusal;
use protocol::orders::{Draft, FormTask, MoveOrder, Order, Stage, UnitDraft, Wheel};
use protocol::place::{Bearing, Point};
use protocol::words::{Flank, Formation};

use super::{anchor, column, enemy, form, give, list, regiment};
use crate::archive;
use crate::battle::{Battle, Table, known};
use crate::dice::ScriptedDice;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::movement::preview;
use crate::odds::Question;
use crate::orders::check;
use crate::play::{Audience, Event, Play};
use crate::ruleset::Ruleset;
use crate::stage::resolve;
use crate::testing::{self, Maker, infantry, ix, open_ground};

/// Four regiments side by side, each with such a gap to the next.
fn side_by_side(gap: i32) -> Vec<Maker> {
    let at = |n: i32| 10_000 + n * (3_500 + gap);
    ["a", "b", "c", "d"].iter().zip(0..).map(|(id, n)| regiment(id, at(n), 30_000)).collect()
}

fn refusals(table: Table, orders: &[(&str, Order)]) -> Vec<Refusal> {
    let draft = |order: &Order| UnitDraft { order: Some(order.clone()), ..UnitDraft::default() };
    let units: BTreeMap<UnitId, UnitDraft> =
        orders.iter().map(|(unit, order)| (UnitId::new(*unit), draft(order))).collect();
    let draft = Draft { units, ..Draft::default() };
    let battle = testing::battle(table);
    check(&known(&battle, Side::Union), Ruleset::standard(), &testing::seat(Side::Union), Stage::Orders, &draft)
}

/// All of a list told to form it: which rules refuse.
fn refused(units: Vec<Maker>, regiments: &[&str]) -> Vec<String> {
    let orders: Vec<(&str, Order)> = regiments.iter().map(|id| (*id, form(regiments))).collect();
    let refusals = refusals(testing::table(open_ground(), units), &orders);
    refusals.iter().map(|refusal| refusal.rule.to_string()).collect()
}

/// Plays phase 7.
fn played(battle: Battle) -> (Battle, Vec<Event>) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::phases::movement::play(&mut play);
    (play.battle, play.events)
}

/// Two regiments, 3 inches apart, both told to form a column behind the first; and what else stands there.
fn two_forming(others: Vec<Maker>) -> Battle {
    let own = vec![regiment("a", 30_000, 30_000), regiment("b", 36_500, 30_000)];
    let table = testing::table(open_ground(), own.into_iter().chain(others));
    let mut battle = testing::battle(table);
    for id in ["a", "b"] {
        give(&mut battle, id, form(&["a", "b"]));
    }
    battle
}

#[test]
fn tac_27_a_chain_of_neighbours_within_three_inches_may_form() {
    let all = ["a", "b", "c", "d"];
    assert!(refused(side_by_side(3_000), &all).is_empty());
    // Three inches and three thousandths between each two, which is more than SCALE-07 forgives.
    assert_eq!(refused(side_by_side(3_003), &all), ["TAC-27"; 4]);
    // The second is the link between the first and the third.
    assert_eq!(refused(side_by_side(3_000), &["a", "c"]), ["TAC-27"; 2]);
}

#[test]
fn tac_27_only_fit_infantry_of_one_brigade_forms() {
    let with = |change: fn(Maker) -> Maker| vec![regiment("a", 30_000, 30_000), change(regiment("b", 36_000, 30_000))];
    let cases: [fn(Maker) -> Maker; 6] = [
        |unit| unit.morale(Morale::Shaken),
        Maker::disordered,
        |unit| unit.formation(Formation::SkirmishLine),
        |unit| unit.with(|unit| unit.brigade = Some(BrigadeId::new("other"))),
        |unit| unit.with(|unit| unit.brigade = None),
        |unit| unit.with(|unit| unit.arm = protocol::words::Arm::Cavalry),
    ];
    assert!(refused(with(|unit| unit), &["a", "b"]).is_empty());
    for change in cases {
        assert_eq!(refused(with(change), &["a", "b"]), ["TAC-27"; 2]);
    }
    assert_eq!(refused(with(Maker::prone), &["a", "b"]), ["TAC-07"; 2]);
    let units = || with(|unit| unit);
    assert_eq!(refused(units(), &["a"]), ["TAC-27"], "alone");
    assert_eq!(refused(units(), &["a", "a"]), ["TAC-27"], "twice");
    let of_table = || testing::table(open_ground(), units());
    let stranger = refusals(of_table(), &[("a", form(&["a", "nobody"]))]);
    assert!(stranger[0].message.contains("there is no such regiment"), "{}", stranger[0].message);
    let not_named = refusals(of_table(), &[("a", form(&["b", "c"]))]);
    assert!(not_named[0].message.contains("is not in the list"), "{}", not_named[0].message);
}

#[test]
fn tac_27_all_of_the_list_must_have_the_same_order() {
    let table = || testing::table(open_ground(), side_by_side(1_000));
    let alone = refusals(table(), &[("a", form(&["a", "b"]))]);
    assert_eq!(alone.len(), 1);
    assert!(alone[0].message.contains("give `b` the same order"), "{}", alone[0].message);
    let other_lead = refusals(table(), &[("a", form(&["a", "b"])), ("b", form(&["b", "a"]))]);
    assert_eq!(other_lead.len(), 2, "{other_lead:?}");
    assert!(refusals(table(), &[("a", form(&["a", "b"])), ("b", form(&["a", "b"]))]).is_empty());
}

#[test]
fn tac_27_and_tac_34_it_stands_at_the_end_of_phase_7() {
    let mut battle = testing::battle(testing::table(open_ground(), side_by_side(2_000)));
    // Anchors at x 10, 15.5, 21, 26.5; the second leads.
    for id in ["a", "b", "c"] {
        give(&mut battle, id, form(&["b", "a", "c"]));
    }
    let (battle, events) = played(battle);
    let table = &battle.table;
    let anchors: Vec<_> = ["b", "a", "c", "d"].iter().map(|id| anchor(table, id)).collect();
    assert_eq!(anchors, [(15_500, 30_000), (15_500, 28_500), (15_500, 27_000), (26_500, 30_000)]);
    assert_eq!(list(table, "a"), ["b", "a", "c"]);
    assert_eq!(list(table, "d"), [""; 0]);
    let formed = events.iter().filter(|event| matches!(event.fact, Fact::Formed { .. })).count();
    assert_eq!((formed, events.iter().filter(|event| event.rule.as_str() == "TAC-27").count()), (3, 3));
    assert!(["a", "b", "c"].iter().all(|id| table[ix(table, id)].marks.changed_formation));
    // The record is stored with the battle.
    let stored = archive::store(&battle);
    let restored = archive::restore(&stored, battle.table.theatre.clone()).expect("what was stored can be read");
    assert_eq!(list(&restored.table, "c"), ["b", "a", "c"]);
}

#[test]
fn tac_27_all_form_or_none() {
    let stands = |battle: &Battle| (anchor(&battle.table, "a"), anchor(&battle.table, "b"));
    let apart = ((30_000, 30_000), (36_500, 30_000));
    assert_eq!(stands(&played(two_forming(vec![])).0), ((30_000, 30_000), (30_000, 28_500)));
    // Shaken since the orders were sealed.
    let mut battle = two_forming(vec![]);
    let b = ix(&battle.table, "b");
    battle.table[b].morale = Morale::Shaken;
    let (after, events) = played(battle);
    assert_eq!(stands(&after), apart);
    let told: Vec<_> = events.iter().filter(|event| event.rule.as_str() == "TAC-27").collect();
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|event| event.audience == Audience::Side(Side::Union)));
    // Another list.
    let mut battle = two_forming(vec![]);
    give(&mut battle, "b", form(&["b", "a"]));
    assert_eq!(stands(&played(battle).0), apart);
    // A friend in the second place, whose stands lie from y 27.875 to 28.5; one behind that does not matter.
    let friend = |y| infantry("friend", Side::Union).at(30_000, y);
    assert_eq!(stands(&played(two_forming(vec![friend(29_000)])).0), apart);
    assert_eq!(stands(&played(two_forming(vec![friend(27_800)])).0).1, (30_000, 28_500));
    // An enemy within an inch of that place, and one farther off.
    let behind = |y| enemy("enemy", 30_000, y).facing(0).with(|unit| unit.marks.fires = 1);
    assert_eq!(stands(&played(two_forming(vec![behind(26_900)])).0), apart);
    assert_eq!(stands(&played(two_forming(vec![behind(26_860)])).0).1, (30_000, 28_500));
}

#[test]
fn tac_27_and_cmd_07_nobody_advances_into_a_column_who_may_not_advance() {
    // Out of command, two inches farther from the enemy than its place; and beside that place.
    let refused_at = |y: i32| {
        let behind = regiment("b", 33_700, y).with(|unit| unit.marks.in_command = false);
        refused(vec![regiment("a", 30_000, 30_000), behind, enemy("e", 30_000, 40_000)], &["a", "b"])
    };
    assert_eq!(refused_at(26_500), ["CMD-07", "TAC-27"]);
    assert!(refused_at(29_000).is_empty());
}

#[test]
fn tac_27_the_preview_shows_where_it_would_stand() {
    let battle = two_forming(vec![infantry("friend", Side::Union).at(30_000, 29_000)]);
    let known = known(&battle, Side::Union);
    let shown = preview(&known, Ruleset::standard(), &UnitId::new("b"), &form(&["a", "b"]));
    assert_eq!(shown.end.map(|end| end.anchor), Some(Point::new(30_000, 28_500)));
    assert_eq!(shown.column.iter().map(|stance| stance.anchor).collect::<Vec<_>>(), [Point::new(30_000, 30_000)]);
    assert_eq!(shown.spent, 5_040_000, "an entire turn");
    assert!(shown.notes[0].text.contains("`friend` stands in the place of `b`"), "{:?}", shown.notes);
    let refused = preview(&known, Ruleset::standard(), &UnitId::new("b"), &form(&["b"]));
    assert_eq!(refused.refusals[0].rule.to_string(), "TAC-27");
}

fn march_to(path: &[(i32, i32)]) -> MoveOrder {
    MoveOrder { path: path.iter().map(|&(x, y)| Point::new(x, y)).collect(), ..MoveOrder::default() }
}

#[test]
fn tac_28_it_moves_at_the_speed_of_a_line_on_the_ground_of_its_lead() {
    // Six inches in the open, and all go alike.
    let mut battle = testing::battle(column(&["a", "b", "c"], vec![]));
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 40_000)])));
    let (battle, events) = played(battle);
    let anchors: Vec<_> = ["a", "b", "c"].iter().map(|id| anchor(&battle.table, id)).collect();
    assert_eq!(anchors, [(30_000, 36_000), (30_000, 34_500), (30_000, 33_000)]);
    let moved = events.iter().filter(|event| matches!(event.fact, Fact::Moved { .. })).count();
    assert_eq!(moved, 3, "the way of each is told");
    // The second regiment stands in woods, where a line moves two inches; the lead is out of them.
    let outline = [(0, 0), (60_000, 0), (60_000, 29_000), (0, 29_000)].map(|(x, y)| Point::new(x, y)).to_vec();
    let woods = Area { id: "w".into(), name: "w".to_owned(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    let mut table = column(&["a", "b"], vec![]);
    table.theatre = testing::table(Ground { areas: vec![woods], ..open_ground() }, []).theatre;
    let mut battle = testing::battle(table);
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 40_000)])));
    assert_eq!(anchor(&played(battle).0.table, "b"), (30_000, 34_500));
}

#[test]
fn tac_28_a_leader_with_a_regiment_behind_goes_along() {
    let mut table = column(&["a", "b"], vec![]);
    let mut leader = testing::leader("cruft", Side::Union, 32_000, 28_500);
    leader.attached = Some(UnitId::new("b"));
    table.leaders.insert(leader.id.clone(), leader);
    let mut battle = testing::battle(table);
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 34_000)])));
    let (battle, _) = played(battle);
    let at = battle.table.leaders.values().map(|leader| leader.at).next();
    assert_eq!(at, Some(Point::new(32_000, 32_500)));
}

#[test]
fn tac_27_what_a_volley_would_do_is_asked_by_the_order_of_the_column() {
    let enemy = enemy("e", 30_000, 40_000);
    let table = testing::table(open_ground(), side_by_side(1_000).into_iter().chain([enemy]));
    let known = known(&testing::battle(table), Side::Union);
    let order = form(&["a", "b"]);
    let said = UnitDraft { order: Some(order.clone()), ..UnitDraft::default() };
    let units = ["a", "b"].map(|id| (UnitId::new(id), said.clone())).into();
    let draft = Draft { units, ..Draft::default() };
    let (seat, pair) = (testing::seat(Side::Union), (UnitId::new("a"), UnitId::new("e")));
    let at = (&seat, Stage::Orders);
    let question = Question::of(&known, Ruleset::standard(), at, Some(&draft), (&pair.0, &pair.1), None);
    assert_eq!(question.order, order);
}

#[test]
fn tac_28_it_wheels_as_one_body() {
    let mut battle = testing::battle(column(&["a", "b"], vec![]));
    let wheel = Wheel { pivot: Flank::Right, facing: Bearing::wrapping(9_000), last: false };
    give(&mut battle, "a", Order::Move(MoveOrder { wheel: Some(wheel), ..MoveOrder::default() }));
    // The outer end is 3.0625 inches from the pivot: the chord of a quarter turn is 4.33 inches, of the six that it has.
    let (battle, _) = played(battle);
    let facing = |id: &str| battle.table[ix(&battle.table, id)].footing.facing;
    assert_eq!((facing("a"), facing("b")), (Bearing::wrapping(9_000), Bearing::wrapping(9_000)));
    // The pivot is the middle of the right stand's front, 1.3125 to the right of the head's middle, which comes to as much north of it.
    let (head, behind) = (anchor(&battle.table, "a"), anchor(&battle.table, "b"));
    assert!((head.0 - 31_312).abs() <= 1 && (head.1 - 31_312).abs() <= 1, "{head:?}");
    assert_eq!((head.0 - behind.0, head.1 - behind.1), (1_500, 0), "1.5 inches behind, now to the west");
}

#[test]
fn tac_28_an_enemy_near_its_tail_stops_the_whole() {
    // The second regiment has 24 figures: its line is 4.5 inches long, 2.25 to each side. The enemy's west end is at x 33.1: 1.35
    // inches from the way of the lead, but 0.85 from that of the second, which must stay 0.527 short of his front line at y 33
    // to keep an inch off him. So its front comes to y 32.473, and the lead, 1.5 before it, to 33.973.
    let beside = enemy("e", 34_850, 33_000).with(|unit| unit.marks.fires = 1);
    let own = [regiment("a", 30_000, 30_000), regiment("b", 30_000, 20_000).figures(24), beside];
    let mut table = testing::table(open_ground(), own);
    testing::in_column(&mut table, &["a", "b"]);
    let mut battle = testing::battle(table);
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 36_000)])));
    let (battle, events) = played(battle);
    let halted = events.iter().find(|event| matches!(&event.fact, Fact::Moved { halted: Some(_), .. }));
    assert_eq!(halted.map(|event| event.rule.as_str()), Some("MV-26"));
    let (a, b) = (anchor(&battle.table, "a"), anchor(&battle.table, "b"));
    // A segment of 120 is 0.05 inches long.
    assert!((33_923..=33_974).contains(&a.1), "{a:?}");
    assert_eq!((a.0 - b.0, a.1 - b.1), (0, 1_500));
}

#[test]
fn tac_28_one_order_for_the_whole_column() {
    let orders = |unit: &str, order: Order| refusals(column(&["a", "b"], vec![]), &[(unit, order)]);
    let line = |formation| FormTask::Formation { formation, facing: None, pivot: None, gap: None };
    assert!(orders("a", Order::Move(march_to(&[(30_000, 33_000)]))).is_empty());
    for order in [Order::Hold { task: None }, Order::FirstFire {}, Order::Move(march_to(&[(30_000, 33_000)]))] {
        let refusals = orders("b", order);
        assert_eq!(refusals[0].rule.to_string(), "TAC-28");
        assert!(refusals[0].message.contains("order `a`"), "{}", refusals[0].message);
    }
    assert!(orders("b", Order::Form { task: line(Formation::SingleLine) }).is_empty(), "it may leave");
    let both = MoveOrder { form_first: Some(line(Formation::DoubleLine)), ..march_to(&[(30_000, 33_000)]) };
    assert_eq!(orders("a", Order::Move(both))[0].rule.to_string(), "TAC-34");
}

#[test]
fn tac_28_the_lead_s_order_is_sealed_and_shown_for_all() {
    let battle = testing::battle(column(&["a", "b"], vec![]));
    let said = UnitDraft { order: Some(Order::Move(march_to(&[(30_000, 33_000)]))), ..UnitDraft::default() };
    let draft = Draft { units: [(UnitId::new("a"), said)].into(), ..Draft::default() };
    let unordered = crate::orders::without_order(&known(&battle, Side::Union), &testing::seat(Side::Union), &draft);
    assert!(unordered.is_empty(), "nobody is left without an order");
    let envelopes = [(testing::seat(Side::Union), draft)].into();
    let dice = ScriptedDice::new();
    let outcome = resolve(Ruleset::standard(), Stage::Orders, battle, &envelopes, &dice);
    let shown = |id: &str| outcome.battle.table[ix(&outcome.battle.table, id)].marks.shown.clone();
    let north = Some(OrderShown::Move { bearing: Bearing::NORTH, formation: None });
    assert_eq!((shown("a"), shown("b")), (north.clone(), north));
}

#[test]
fn tac_34_leaving_is_an_ordinary_change_of_formation() {
    let form =
        |formation| Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } };
    // The last of three leaves, the others go on without it.
    let mut battle = testing::battle(column(&["a", "b", "c"], vec![]));
    give(&mut battle, "c", form(Formation::DoubleLine));
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 33_000)])));
    let (battle, _) = played(battle);
    let table = &battle.table;
    assert_eq!(list(table, "a"), ["a", "b"]);
    assert_eq!(table[ix(table, "c")].footing.formation, Formation::DoubleLine);
    assert_eq!((anchor(table, "a"), anchor(table, "b")), ((30_000, 33_000), (30_000, 31_500)));
    // Of two the other is by itself.
    let mut battle = testing::battle(column(&["a", "b"], vec![]));
    give(&mut battle, "b", form(Formation::DoubleLine));
    let (battle, _) = played(battle);
    let a = &battle.table[ix(&battle.table, "a")];
    assert_eq!((a.column.is_none(), a.footing.formation), (true, Formation::SingleLine));
}

#[test]
fn tac_34_a_regiment_that_forms_another_column_does_not_march_with_the_old_one() {
    let others = vec![regiment("c", 33_600, 27_000)];
    let mut battle = testing::battle(column(&["a", "b"], others));
    give(&mut battle, "a", Order::Move(march_to(&[(30_000, 34_000)])));
    give(&mut battle, "b", form(&["b", "c"]));
    give(&mut battle, "c", form(&["b", "c"]));
    let (battle, _) = played(battle);
    let table = &battle.table;
    assert_eq!((list(table, "a"), list(table, "b")), (vec![], vec!["b".to_owned(), "c".to_owned()]));
    assert_eq!((anchor(table, "a"), anchor(table, "b")), ((30_000, 34_000), (30_000, 28_500)));
    assert_eq!(anchor(table, "c"), (30_000, 27_000));
}

#[test]
fn tac_34_the_layout_is_seen_by_the_enemy() {
    let battle = testing::battle(column(&["a", "b"], vec![enemy("e", 30_000, 50_000)]));
    let viewer = protocol::view::Viewer::Side { side: Side::Confederate };
    let view = crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer);
    let seen = view.units.iter().find(|unit| unit.id.as_str() == "b").map(|unit| unit.column.clone());
    assert_eq!(seen, Some(vec![UnitId::new("a"), UnitId::new("b")]));
}
