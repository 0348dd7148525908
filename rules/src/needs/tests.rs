//! What needs a player, worked by hand on open ground. Two regiments face each other; the Union is asked.

mod horse;

use protocol::event::{Fact, FlankClass, ImpactResult, OrderShown};
use protocol::ids::{Side, UnitId};
use protocol::message::{Chance, Fate};
use protocol::orders::{HoldFire, HoldTrigger, IfCharged, MoveOrder, RangeBand, Refuse};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::*;
use crate::battle::{Battle, known};
use crate::charge;
use crate::dice::{KeyedDice, TurnKey};
use crate::play::Play;
use crate::testing::{Maker, battle, cavalry, give, infantry, open_ground, seat, table};

/// A Union regiment at (x, y) facing north, seasoned: no opening volley and no first casualty come in.
fn union(id: &str, x: i32, y: i32) -> Maker {
    seasoned(infantry(id, Side::Union).at(x, y)).with(|unit| unit.marks.shown = Some(OrderShown::Hold {}))
}

/// A Confederate regiment at (x, y) facing south.
fn confederate(id: &str, x: i32, y: i32) -> Maker {
    seasoned(infantry(id, Side::Confederate).at(x, y).facing(18_000))
}

fn seasoned(maker: Maker) -> Maker {
    maker.with(|unit| {
        unit.opening_volley_used = true;
        unit.first_casualty_taken = true;
    })
}

fn charges(maker: Maker, target: &str, support_of: Option<&str>) -> Maker {
    let shown = OrderShown::Charge { target: Some(UnitId::new(target)), support_of: support_of.map(UnitId::new) };
    maker.with(|unit| unit.marks.shown = Some(shown))
}

fn shows(maker: Maker, shown: OrderShown) -> Maker {
    maker.with(|unit| unit.marks.shown = Some(shown))
}

fn silent() -> Instructions {
    Instructions { fire: Some(false), ..Instructions::default() }
}

fn hold() -> Order {
    Order::Hold { task: None }
}

/// A battle in which these Union units have these orders.
fn field(units: Vec<Maker>, orders: &[(&str, Order, Instructions)]) -> Battle {
    let mut battle = battle(table(open_ground(), units));
    for (unit, order, said) in orders {
        give(&mut battle, unit, order.clone(), said.clone());
    }
    battle
}

fn asked_in(battle: &Battle, stage: Stage) -> Needs {
    needs(&known(battle, Side::Union), Ruleset::standard(), &seat(Side::Union), stage)
}

fn asked(battle: &Battle) -> Needs {
    asked_in(battle, Stage::Reactions)
}

fn only(needs: Needs) -> Need {
    assert_eq!(needs.needs.len(), 1, "{needs:?}");
    needs.needs.into_iter().next().expect("there is one")
}

fn of<'n>(need: &'n Need, label: &str) -> &'n NeedAnswer {
    let labels: Vec<&str> = need.answers.iter().map(|answer| answer.label.as_str()).collect();
    need.answers.iter().find(|answer| answer.label == label).unwrap_or_else(|| panic!("`{label}` among {labels:?}"))
}

fn odds<'n>(need: &'n Need, label: &str) -> &'n ChargeOdds {
    of(need, label).odds.as_ref().expect("it is reckoned")
}

fn exact(chance: &Chance) -> &str {
    &chance.exact
}

fn in_force(need: &Need) -> Vec<&str> {
    need.answers.iter().filter(|answer| answer.in_force).map(|answer| answer.label.as_str()).collect()
}

/// In how many of 1296 ways the attacker's two dice fall below the defender's two with so much added.
fn below(edge: i32) -> u64 {
    let faces = || 1..=6;
    let throws = faces()
        .flat_map(|a| faces().flat_map(move |b| faces().flat_map(move |c| faces().map(move |d| (a + b, c + d)))));
    throws.filter(|(attacker, defender)| attacker < &(defender + edge)).count() as u64
}

#[test]
fn chg_28_a_charge_is_listed_with_who_where_and_how_likely_it_comes_so_far() {
    // Fifteen inches: six, and nine or more on three dice. Eight or less fall in 56 ways of 216, so 160 of them: 20/27.
    let units = vec![
        union("a", 30_000, 10_000),
        charges(confederate("x", 30_000, 25_000), "a", None),
        union("b", 5_000, 5_000),
    ];
    let needs = asked(&field(units, &[("a", hold(), silent())]));
    assert_eq!(needs.rest, 1, "b needs nothing");
    let need = only(needs);
    let NeedKind::Charged { by, supports, declared_at, bearing, distance, aspect, reaches } = &need.what else {
        panic!("{need:?}")
    };
    assert_eq!((by.as_str(), supports.len(), declared_at), ("x", 0, &None));
    assert_eq!((*bearing, *distance, *aspect), (Bearing::NORTH, 15_000, FlankClass::Front));
    assert_eq!(exact(reaches), "20/27");
    assert_eq!(need.sentence, "a is charged by x, 15 inches off to the north; it comes so far in 74 %.");
    assert_eq!(exact(&odds(&need, "stand").falls_short), "7/27");
    assert_eq!(in_force(&need), ["stand"]);
}

#[test]
fn chg_28_a_charge_that_cannot_come_so_far_is_told_and_asks_for_nothing() {
    // Six inches and three sixes are twenty-four.
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 35_000), "a", None)];
    let need = only(asked(&field(units, &[("a", hold(), silent())])));
    assert!(need.sentence.ends_with("over this ground it cannot come so far."), "{}", need.sentence);
    assert!(need.answers.is_empty());
}

#[test]
fn chg_52_who_stands_in_the_way_is_struck_and_chg_17_supports_are_named() {
    let units = vec![
        union("a", 30_000, 10_000),
        union("b", 30_000, 5_000),
        charges(confederate("x", 30_000, 20_000), "b", None),
        charges(confederate("y", 30_000, 22_000), "b", Some("x")),
    ];
    let needs = asked(&field(units, &[("a", hold(), silent()), ("b", hold(), silent())]));
    let NeedKind::Charged { by, supports, declared_at, .. } = &needs.needs[0].what else { panic!("{needs:?}") };
    assert_eq!((needs.needs[0].unit.as_str(), by.as_str()), ("a", "x"));
    assert_eq!(supports.iter().map(UnitId::as_str).collect::<Vec<_>>(), ["y"]);
    assert_eq!(declared_at.as_ref().map(UnitId::as_str), Some("b"));
    assert!(needs.needs[0].sentence.starts_with("a stands in the way of x with y in support, 10 inches"));
}

#[test]
fn idd_03_without_fire_standing_is_the_dice_down_alone() {
    // Five inches are within the normal move: in order, with elan, 2 against 3. Of 1296 ways 721 are below, 140 level, 435
    // above, as the dice down itself has it; a beaten veteran is good in 6 ways of 36, shaken in 20, routed in 9, gone in 1.
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let need = only(asked(&field(units, &[("a", hold(), silent())])));
    let stand = odds(&need, "stand");
    assert_eq!(below(1), 721);
    let all = [&stand.falls_short, &stand.halted, &stand.beaten_off, &stand.melee, &stand.thrown_back];
    assert_eq!(all.map(exact), ["0", "0", "145/432", "35/324", "721/1296"]);
    let fates: Vec<(Fate, &str)> = stand.fates.iter().map(|fate| (fate.fate, exact(&fate.chance))).collect();
    assert_eq!(fates, [(Fate::Good, "1/6"), (Fate::Shaken, "5/9"), (Fate::Routed, "1/4"), (Fate::PickedUp, "1/36")]);
    let totals = [&stand.attacker, &stand.defender].map(|sum| sum.as_ref().map(|sum| sum.total));
    assert_eq!(totals, [Some(2), Some(3)]);
}

#[test]
fn cavc_47_a_charge_of_horse_over_open_ground_is_reckoned() {
    // Five inches are within the normal move: in order, 3 less 1 for elan and 1 for its line, against 3. Foot that horse has beaten
    // is shaken if it throws above 3, else routed.
    let horse = || seasoned(cavalry("x", Side::Confederate).at(30_000, 15_000).facing(18_000));
    let units = |square: bool| {
        let formation = if square { Formation::Square } else { Formation::SingleLine };
        vec![union("a", 30_000, 10_000).formation(formation), charges(horse(), "a", None)]
    };
    let need = only(asked(&field(units(false), &[("a", hold(), silent())])));
    let stand = odds(&need, "stand");
    let totals = [&stand.attacker, &stand.defender].map(|sum| sum.as_ref().map(|sum| sum.total));
    assert_eq!(totals, [Some(1), Some(3)]);
    assert_eq!(exact(&stand.thrown_back), crate::chance::Chance::new(below(2), 1_296).to_string());
    let fates: Vec<(Fate, &str)> = stand.fates.iter().map(|fate| (fate.fate, exact(&fate.chance))).collect();
    assert_eq!(fates, [(Fate::Shaken, "1/2"), (Fate::Routed, "1/2")]);
    // TAC-42 At a square it throws for more, which is not reckoned.
    let need = only(asked(&field(units(true), &[("a", hold(), silent())])));
    assert!(need.answers.iter().all(|answer| answer.odds.is_none()), "{need:?}");
}

#[test]
fn dis_16_one_that_has_turned_its_back_is_reckoned_when_it_has_gone() {
    // In disorder 4, on the rear 9, and 3 of its own: 16 against 2, which no throw makes good.
    let units = || {
        let back = union("a", 30_000, 10_000).facing(18_000).disordered();
        vec![shows(back, OrderShown::Disengage {}), charges(confederate("x", 30_000, 15_000), "a", None)]
    };
    let order = Order::Disengage { abandon_guns: false };
    let battle = field(units(), &[("a", order, silent())]);
    assert!(only(asked(&battle)).answers[0].odds.is_none());
    let need = only(asked_in(&battle, Stage::Charges));
    let back = odds(&need, "turns its back");
    assert_eq!(back.defender.as_ref().map(|sum| sum.total), Some(16));
    assert_eq!(exact(&back.thrown_back), "1");
}

#[test]
fn cf_05_forming_succeeds_for_a_veteran_in_half_and_weighs_two_each_way() {
    // Above 3 on one die: 1/2. Formed in time it is forming (2) and on Conditional Hold (2): 3 + 4 against 2. Else in disorder
    // (4) and on Conditional Hold: 3 + 6 against 2.
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let need = only(asked(&field(units, &[("a", hold(), silent())])));
    let form = of(&need, "form and face it");
    assert_eq!(form.notes[0].text, "50 % of forming in time; if it fails it is in disorder");
    assert_eq!(form.instructions.if_charged, Some(IfCharged::Form));
    let expected = crate::chance::Chance::new(below(5) + below(7), 2 * 1_296);
    assert_eq!(exact(&odds(&need, "form and face it").thrown_back), expected.to_string());
}

#[test]
fn cf_07_a_charge_that_begins_within_four_inches_leaves_no_time_to_form() {
    let units = |gap: i32| vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 10_000 + gap), "a", None)];
    let labels = |gap: i32| -> Vec<String> {
        let need = only(asked(&field(units(gap), &[("a", hold(), silent())])));
        need.answers.into_iter().map(|answer| answer.label).collect()
    };
    assert_eq!(labels(3_900), ["stand", "countercharge"]);
    assert_eq!(labels(4_100), ["stand", "form and face it", "countercharge"]);
}

#[test]
fn cc_02_a_countercharge_keeps_order_in_half_and_meets_on_level_terms() {
    // In order both have elan: 2 against 2, and the lower of two throws wins in 575 ways of 1296. In disorder it is 2 + 4.
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let need = only(asked(&field(units, &[("a", hold(), silent())])));
    assert_eq!(below(0), 575);
    let expected = crate::chance::Chance::new(below(0) + below(4), 2 * 1_296);
    assert_eq!(exact(&odds(&need, "countercharge").thrown_back), expected.to_string());
}

#[test]
fn cf_09_what_was_said_with_the_orders_is_in_force() {
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    for (said, expected) in [
        (IfCharged::Form, "form and face it"),
        (IfCharged::Countercharge, "countercharge"),
        (IfCharged::FormIfFlanked, "stand"),
    ] {
        let said = Instructions { if_charged: Some(said), ..silent() };
        let need = only(asked(&field(units.clone(), &[("a", hold(), said)])));
        assert_eq!(in_force(&need), [expected]);
        assert_eq!(of(&need, expected).source, Some(ChoiceSource::Standing));
    }
}

#[test]
fn turn_06_where_the_answer_in_force_comes_from_is_told() {
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let mut battle = field(units, &[("a", hold(), silent())]);
    assert_eq!(of(&only(asked(&battle)), "stand").source, Some(ChoiceSource::Default));
    let orders = battle.secrets.get_mut(Side::Union).open_mut().orders.get_mut(&UnitId::new("a"));
    let said = Instructions { if_charged: Some(IfCharged::Form), ..Instructions::default() };
    orders.expect("it has orders").said.insert(Stage::Reactions, said);
    // In its own window an answer is not sealed yet, and is the draft's affair.
    assert_eq!(in_force(&only(asked(&battle))), ["stand"]);
    let need = only(asked_in(&battle, Stage::Charges));
    assert_eq!(of(&need, "form and face it").source, Some(ChoiceSource::Answer));
}

#[test]
fn cf_10_a_marching_unit_halts_as_it_stands_or_forms_where_it_must() {
    let charger = || charges(confederate("x", 30_000, 15_000), "a", None);
    let march = || Order::Move(MoveOrder::default());
    let need = only(asked(&field(vec![union("a", 30_000, 10_000), charger()], &[("a", march(), silent())])));
    assert_eq!(in_force(&need), ["halt and hold as it stands"]);
    // On Conditional Hold (2): 3 + 2 against 2.
    let expected = crate::chance::Chance::new(below(3), 1_296);
    assert_eq!(exact(&odds(&need, "halt and hold as it stands").thrown_back), expected.to_string());
    let column = union("a", 30_000, 10_000).formation(Formation::MarchColumn);
    let need = only(asked(&field(vec![column, charger()], &[("a", march(), silent())])));
    assert_eq!(in_force(&need), ["form and face it"]);
}

#[test]
fn chg_50_first_fire_cannot_be_told_anything_and_its_odds_are_told() {
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let need = only(asked(&field(units, &[("a", Order::FirstFire {}, Instructions::default())])));
    assert_eq!(in_force(&need), ["fires as it is ordered"]);
    assert_eq!(need.answers[0].instructions, Instructions::default());
    assert!(0 < odds(&need, "fires as it is ordered").halted.millionths);
}

#[test]
fn arty_23_guns_that_are_charged_choose_their_canister() {
    let guns = crate::testing::battery("a", Side::Union).at(30_000, 10_000);
    let units = vec![guns, charges(confederate("x", 30_000, 15_000), "a", None)];
    let need = only(asked(&field(units, &[("a", hold(), Instructions::default())])));
    assert_eq!(in_force(&need), ["stand, with single canister"]);
    let halted = |label: &str| odds(&need, label).halted.millionths;
    assert!(halted("stand, with single canister") < halted("stand, with double canister"));
}

#[test]
fn cc_02_a_unit_beside_the_charged_one_may_go_and_meet_the_charge() {
    // Five inches to its left: the charge comes by within six.
    let units = vec![
        union("a", 30_000, 10_000),
        union("b", 25_000, 10_000),
        charges(confederate("x", 30_000, 18_000), "a", None),
    ];
    let battle = field(units, &[("a", hold(), silent()), ("b", hold(), silent())]);
    let needs = asked(&battle);
    let order: Vec<&str> = needs.needs.iter().map(|need| need.unit.as_str()).collect();
    assert_eq!(order, ["a", "b"], "who is charged comes first");
    let need = &needs.needs[1];
    let NeedKind::MayCountercharge { charger, target, .. } = &need.what else { panic!("{need:?}") };
    assert_eq!((charger.as_str(), target.as_str()), ("x", "a"));
    assert_eq!(in_force(need), ["stay"]);
    assert!(of(need, "countercharge").odds.is_some());
    assert!(asked_in(&battle, Stage::Movement).needs.is_empty(), "then the charges are over");
}

#[test]
fn enf_12_an_open_flank_is_listed_with_what_may_be_done() {
    // Eight inches to the right and level with the line: it strikes the full flank.
    let units = || {
        let enemy = infantry("x", Side::Confederate).at(40_000, 9_500).facing(27_000);
        vec![union("a", 30_000, 10_000), shows(enemy, OrderShown::Hold {})]
    };
    let need = only(asked(&field(units(), &[("a", hold(), Instructions::default())])));
    let NeedKind::FlankExposed { to, aspect, .. } = &need.what else { panic!("{need:?}") };
    assert_eq!((to.as_str(), *aspect), ("x", FlankClass::Full));
    assert_eq!(in_force(&need), ["bend back the threatened end"]);
    let face = of(&need, "go to Conditional Hold and face him");
    assert_eq!(face.instructions.conditional_hold, Some(true));
    // Later in the turn only who was told so bends.
    let need = only(asked_in(&field(units(), &[("a", hold(), Instructions::default())]), Stage::Movement));
    assert_eq!(in_force(&need), ["keep the line straight"]);
    let never = Instructions { refuse: Some(Refuse::Never), ..Instructions::default() };
    let need = only(asked_in(&field(units(), &[("a", hold(), never)]), Stage::Movement));
    assert_eq!(in_force(&need), ["keep the line straight"]);
    assert_eq!(need.answers.len(), 2, "Conditional Hold is chosen after the reveal alone");
}

#[test]
fn fire_35_a_shot_whose_moment_cannot_come_is_listed() {
    // Six inches off, on HOLD, and to be fired at from two inches on: it does not come.
    let wait = |trigger| Instructions {
        hold_fire: Some(HoldFire { any_of: vec![vec![trigger]], only_if_charged: false, wait_for: None }),
        ..Instructions::default()
    };
    let close = || wait(HoldTrigger::At { band: RangeBand::Close });
    let units = |shown| vec![union("a", 30_000, 10_000), shows(confederate("x", 30_000, 16_000), shown)];
    let need = only(asked(&field(units(OrderShown::Hold {}), &[("a", hold(), close())])));
    let NeedKind::ShotMissed { target, distance, .. } = &need.what else { panic!("{need:?}") };
    assert_eq!((target.as_str(), *distance), ("x", 6_000));
    assert_eq!(in_force(&need), ["keep the shot"]);
    // A march of six inches and a push could bring it there.
    let comes = OrderShown::Move { bearing: Bearing::SOUTH, formation: None };
    assert!(asked(&field(units(comes), &[("a", hold(), close())])).needs.is_empty());
    // By default it fires after the moves at the latest, and a moment that has come is none to wait for.
    assert!(asked(&field(units(OrderShown::Hold {}), &[("a", hold(), Instructions::default())])).needs.is_empty());
    let within = wait(HoldTrigger::Within { distance: 6_000 });
    assert!(asked(&field(units(OrderShown::Hold {}), &[("a", hold(), within)])).needs.is_empty());
}

#[test]
fn turn_06_with_the_orders_and_for_another_seat_nothing_is_listed() {
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let battle = field(units, &[("a", hold(), silent())]);
    let with_orders = asked_in(&battle, Stage::Orders);
    assert_eq!((with_orders.needs.len(), with_orders.rest), (0, 1));
    let other = protocol::ids::SeatId::new("another");
    let needs = needs(&known(&battle, Side::Union), Ruleset::standard(), &other, Stage::Reactions);
    assert_eq!((needs.needs.len(), needs.rest), (0, 0));
}

#[test]
fn leak_what_the_enemy_has_said_changes_no_byte() {
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 15_000), "a", None)];
    let battle = field(units, &[("a", hold(), Instructions::default())]);
    let mut other = battle.clone();
    let said = Instructions { charge_bearing: Some(Bearing::WEST), fire: Some(false), ..Instructions::default() };
    give(&mut other, "x", Order::FirstFire {}, said);
    let bytes = |battle: &Battle| serde_json::to_string(&asked(battle)).expect("it serialises");
    assert_eq!(bytes(&battle), bytes(&other));
}

/// How a charge came out in the log of phase 6, for the unit that it was about.
fn came_out(play: &Play<'_>) -> usize {
    let facts = || play.events.iter().map(|event| &event.fact);
    let result = facts().find_map(|fact| match fact {
        Fact::Impact { result, .. } => Some(*result),
        _ => None,
    });
    match result {
        Some(ImpactResult::AttackerRecoils | ImpactResult::AttackerThrownBack) => 2,
        Some(ImpactResult::Melee) => 3,
        Some(ImpactResult::DefenderThrownBack) => 4,
        None if facts().any(|fact| matches!(fact, Fact::Charged { .. })) => 1,
        None => 0,
    }
}

#[test]
fn idd_03_and_chg_43_the_engine_s_own_charges_come_out_as_they_were_reckoned() {
    // Two hundred charges over twelve inches at a regiment that fires its volley: each end is met about as often as was
    // foreseen. Four deviations of a chance of one half are 0.142 of them.
    let units = vec![union("a", 30_000, 10_000), charges(confederate("x", 30_000, 22_000), "a", None)];
    for said in [IfCharged::Stand, IfCharged::Form, IfCharged::Countercharge] {
        let told = Instructions { if_charged: Some(said), ..Instructions::default() };
        let mut battle = field(units.clone(), &[("a", hold(), told)]);
        let need = only(asked(&battle));
        let answer = need.answers.iter().find(|answer| answer.in_force).expect("one is in force");
        let odds = answer.odds.as_ref().expect("it is reckoned");
        let foreseen = [&odds.falls_short, &odds.halted, &odds.beaten_off, &odds.melee, &odds.thrown_back];
        let target = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
        give(&mut battle, "x", target, Instructions::default());
        let mut met = [0_u32; 5];
        const PLAYS: u32 = 200;
        for n in 0..PLAYS {
            let mut key = [0; 32];
            key[..4].copy_from_slice(&n.to_le_bytes());
            let dice = KeyedDice::new(TurnKey(key));
            let mut play = Play::new(Ruleset::standard(), &dice, battle.clone(), Stage::Charges);
            play.phase = 6;
            charge::play(&mut play);
            met[came_out(&play)] += 1;
        }
        for (end, chance) in foreseen.into_iter().enumerate() {
            let often = met[end] * 1_000_000 / PLAYS;
            assert!(often.abs_diff(chance.millionths) < 142_000, "{said:?}, end {end}: {met:?} of {foreseen:?}");
        }
        assert!(
            foreseen.iter().map(|chance| chance.millionths).sum::<u32>().abs_diff(1_000_000) < 5,
            "they add up to one"
        );
    }
}
