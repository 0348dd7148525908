//! That every kind of special rule acts. SCNS-01 to SCNS-16

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::event::{Fact, FlankClass};
use protocol::ids::{LeaderId, Side};
use protocol::orders::{MoveOrder, Order, Stage};
use protocol::words::Quality;

use super::*;
use crate::battle::{Battle, Post, Theatre};
use crate::dice::{Purpose, ScriptedDice};
use crate::fire::{self, Firer, Occasion, Officers, Round, Shot, Standing, Stands, lay};
use crate::ground::{Ground, Obstacle, ObstacleKind, Place};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::scenario::{Band, Clock, Condition, RollFails, RollOn, RollResult, Scenario, TargetClass};
use crate::testing::{self, Maker};

/// A term for everybody, everywhere, always.
fn special(id: &str, kind: SpecialKind) -> Special {
    Special {
        id: id.to_owned(),
        kind,
        side: None,
        who: Vec::new(),
        arm: None,
        formation: Vec::new(),
        place: None,
        turns: None,
        optional: false,
        note: String::new(),
    }
}

/// A battle on open ground with a fence along y = 32 inches and a field of ten by ten inches, played by these terms.
fn battle(specials: Vec<Special>, units: Vec<Maker>) -> Battle {
    let fence = Obstacle {
        id: "fence".into(),
        kind: ObstacleKind::Fence,
        line: vec![Point::new(0, 32_000), Point::new(60_000, 32_000)],
    };
    let corner = |x: i32, y: i32| Point::new(x * 1_000, y * 1_000);
    let field = Place {
        id: "field".into(),
        name: "the field".to_owned(),
        outline: vec![corner(25, 25), corner(35, 25), corner(35, 45), corner(25, 45)],
        shown: true,
    };
    let ground = Ground { obstacles: vec![fence], places: vec![field], ..testing::open_ground() };
    let clock = Clock { date: String::new(), start: 0, turns: 9 };
    let scenario = Scenario { ground, specials, clock, ..Scenario::default() };
    let units = units.into_iter().map(Maker::unit).collect();
    testing::battle(Table::new(Theatre::new(Arc::new(scenario)), units))
}

fn blue(id: &str) -> Maker {
    testing::infantry(id, Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true)
}

fn grey(id: &str) -> Maker {
    testing::infantry(id, Side::Confederate).at(30_000, 36_000).facing(18_000)
}

/// The fire of `a` at `b`, on HOLD.
fn shot(table: &Table, round: Round) -> Shot {
    let unit = testing::ix(table, "a");
    let standing = Standing::of(&table[unit], &Order::Hold { task: None });
    let firer = Firer { unit, standing, rapid: false, stands: Stands::All, overhead_risk: false };
    Shot { round, ..Shot::new(firer, testing::ix(table, "b"), Occasion::Hold) }
}

fn drm(battle: &Battle) -> i32 {
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    lay(&field, &shot(&battle.table, Round::Plain), &Officers::Present).unwrap().modifiers.total()
}

fn modifier(id: &str, on: ModifierOn, value: i32) -> Special {
    special(id, SpecialKind::Modifier { on, value, while_true: None, until: None })
}

#[test]
fn scns_02_modifiers_act_on_firer_and_target() {
    let plain = drm(&battle(Vec::new(), vec![blue("a"), grey("b")]));
    let bent = |on, who: &str, value| {
        let term = Special { who: vec![who.to_owned()], ..modifier("bold", on, value) };
        // `who` names units of the order of battle; here the side says the same.
        let side = if who == "a" { Side::Union } else { Side::Confederate };
        drm(&battle(vec![Special { who: Vec::new(), side: Some(side), ..term }], vec![blue("a"), grey("b")])) - plain
    };
    assert_eq!(bent(ModifierOn::FirerDrm, "a", 2), 2);
    assert_eq!(bent(ModifierOn::FirerDrm, "b", 2), 0);
    assert_eq!(bent(ModifierOn::TargetDrm, "b", -1), -1);
}

#[test]
fn scns_02_modifiers_act_on_competence_and_rally() {
    let number = |specials: Vec<Special>| {
        let battle = battle(specials, vec![blue("a")]);
        let field = Field::before_dice(Ruleset::standard(), &battle.table);
        crate::competence::number_to_beat(&field, testing::ix(&battle.table, "a"), None).total()
    };
    // A veteran's base morale point is 3. What is added to the die is taken from the number.
    assert_eq!(number(Vec::new()), 3);
    assert_eq!(number(vec![modifier("drilled", ModifierOn::Competence, 1)]), 2);

    let rally = |specials: Vec<Special>| {
        let battle = battle(specials, vec![blue("a").morale(protocol::event::Morale::Shaken)]);
        let field = Field::before_dice(Ruleset::standard(), &battle.table);
        let unit = testing::ix(&battle.table, "a");
        crate::morale::Modifiers::of(&field, unit, 2, &crate::morale::InCharge::default()).rally().total()
    };
    assert_eq!(rally(vec![modifier("rattled", ModifierOn::Rally, 2)]) - rally(Vec::new()), 2);
}

fn roll_term(on: RollOn, result: RollResult) -> SpecialKind {
    SpecialKind::Roll { on, result, after: None, nth: None, from_turn: 1, fails: RollFails::Faces(vec![1]) }
}

/// The battle after the rolls at the opening of a turn, in which all dice show that face.
fn opened(term: Special, face: u8) -> Battle {
    let battle = battle(vec![term], vec![blue("a")]);
    let dice = ScriptedDice::new().with(Purpose::ScenarioRoll, &["custer", "a", "1"], &[face]);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    play.phase = 1;
    begin_turn(&mut play);
    let battle = play.battle;
    dice.finish().unwrap();
    battle
}

#[test]
fn scns_04_and_10_who_fails_at_the_start_of_a_turn_draws_off_or_stays() {
    let allowed = |result, face| {
        let battle = opened(special("custer", roll_term(RollOn::TurnStart, result)), face);
        let unit = &battle.table[testing::ix(&battle.table, "a")];
        allowed_orders(&battle.table, unit).map(|(_, orders)| orders)
    };
    assert_eq!(allowed(RollResult::WithdrawTurn, 2), None);
    assert_eq!(allowed(RollResult::WithdrawTurn, 1), Some(BTreeSet::from([OrderWord::Move, OrderWord::Disengage])));
    assert_eq!(allowed(RollResult::NotDone, 1), Some(BTreeSet::from([OrderWord::Hold, OrderWord::FirstFire])));
}

#[test]
fn scns_04_who_ceases_fires_no_more_this_turn() {
    let table = battle(Vec::new(), vec![blue("a").with(|unit| unit.marks.ceased = true), grey("b")]).table;
    let field = Field::before_dice(Ruleset::standard(), &table);
    let refused = lay(&field, &shot(&table, Round::Plain), &Officers::Present).unwrap_err();
    assert_eq!(refused.rule.to_string(), "SCNS-04");
}

#[test]
fn scns_04_a_march_over_the_fence_rolls_and_halts_or_goes_on_in_disorder() {
    let marched = |result, faces: &[u8]| {
        let mut term = special("rails", roll_term(RollOn::Crosses, result));
        term.place = Some(PlaceTerm::Feature("fence".into()));
        let mut battle = battle(vec![term], vec![blue("a")]);
        let march = MoveOrder { path: vec![Point::new(30_000, 34_500)], ..MoveOrder::default() };
        testing::give(&mut battle, "a", Order::Move(march), protocol::orders::Instructions::default());
        let dice = faces
            .iter()
            .fold(ScriptedDice::new(), |dice, face| dice.with(Purpose::ScenarioRoll, &["rails", "a", "1"], &[*face]));
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        crate::movement::play(&mut play);
        let unit = play.table()[testing::ix(play.table(), "a")].clone();
        dice.finish().unwrap();
        (unit.footing.anchor.y, unit.footing.disorder, unit.carried.crossed.get("rails").copied())
    };
    let (passed, _, count) = marched(RollResult::Halt, &[4]);
    assert_eq!(count, Some(1));
    let (halted, disorder, _) = marched(RollResult::Halt, &[1]);
    assert!(32_000 < halted && halted < 32_200 && halted < passed, "{halted} {passed}");
    assert!(!disorder);
    let (went_on, disorder, _) = marched(RollResult::Disorder, &[1]);
    assert!(disorder && halted < went_on, "{went_on}");
}

fn guns_beyond(class: TargetClass) -> Special {
    let kind = SpecialKind::OffTableBattery {
        sections: 3,
        gun: "rifle_10_or_3in".to_owned(),
        quality: Quality::Veteran,
        dice: 2,
        band: Band::Long,
        class,
        from: "Little Round Top".to_owned(),
    };
    let place = Some(PlaceTerm::Feature("field".into()));
    Special { side: Some(Side::Union), place, ..special("hazlett", kind) }
}

#[test]
fn scns_05_guns_beyond_the_edge_fire_at_the_largest_enemy_in_their_place_each_turn() {
    // Of two in the field that with more figures; the largest stands outside of it.
    let units = vec![
        grey("b").figures(12).at(28_000, 30_000),
        grey("c").figures(16).at(32_000, 40_000),
        grey("d").figures(20).at(50_000, 50_000),
    ];
    let battle = battle(vec![guns_beyond(TargetClass::Full)], units);
    let dice = ScriptedDice::new().with(Purpose::FireVolley, &["hazlett"], &[1, 1]).with(
        Purpose::FireConfirm,
        &["hazlett", "c"],
        &[1],
    );
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
    play.phase = 4;
    let fires = fire::rolled_from_afar(&play);
    let happened = fire::strike_from_afar(&mut play, fires);
    let told: Vec<&Fact> = play.events.iter().map(|event| &event.fact).collect();
    assert!(matches!(told.first(), Some(Fact::Special { unit: Some(unit) }) if unit.as_str() == "c"), "{told:?}");
    assert!(play.table()[testing::ix(play.table(), "c")].marks.fired_on);
    let [crate::settle::Happening::FiredOn(fired)] = happened.as_slice() else { panic!("{happened:?}") };
    assert_eq!((fired.flank, fired.by.len()), (FlankClass::Full, 0));
}

#[test]
fn scns_05_guns_beyond_the_edge_keep_silent_outside_of_their_turns_and_without_a_target() {
    let dice = ScriptedDice::new();
    let silent = |term: Special, y: i32| {
        let battle = battle(vec![term], vec![grey("b").at(30_000, y)]);
        let play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
        fire::rolled_from_afar(&play).is_empty()
    };
    assert!(silent(Special { turns: Some((2, 3)), ..guns_beyond(TargetClass::None) }, 30_000));
    assert!(silent(guns_beyond(TargetClass::None), 50_000));
    assert!(silent(Special { optional: true, ..guns_beyond(TargetClass::None) }, 30_000));
}

fn ammunition(fires: Option<u32>, canister_only: bool) -> Special {
    special("few", SpecialKind::Ammunition { fires, canister_only, resupply: false })
}

#[test]
fn scns_11_after_so_many_fires_the_boxes_are_empty_and_canister_is_kept_apart() {
    let out = |fires: u32, canister: u32| {
        let unit = blue("a").with(|unit| (unit.carried.fires, unit.carried.canister_fires) = (fires, canister));
        let battle = battle(vec![ammunition(Some(2), false)], vec![unit]);
        let table = &battle.table;
        let unit = &table[testing::ix(table, "a")];
        let (_, limit) = fires_allowed(table, unit).unwrap();
        limit <= unit.carried.fires - unit.carried.canister_fires
    };
    assert_eq!([out(1, 0), out(2, 0), out(3, 2)], [false, true, false]);
}

#[test]
fn scns_11_the_second_fire_of_two_leaves_the_unit_out_of_ammunition() {
    let battle = battle(vec![ammunition(Some(2), false)], vec![blue("a"), grey("b")]);
    let dice =
        ScriptedDice::new().with(Purpose::FireVolley, &["a"], &[1, 1, 1]).with(Purpose::FireVolley, &["a"], &[1, 1]);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    let mut out = Vec::new();
    for _ in 0..2 {
        let shot = shot(play.table(), Round::Plain);
        let count = {
            let field = Field::new(play.rules, play.table(), play.dice);
            lay(&field, &shot, &Officers::Present).unwrap().dice_count()
        };
        assert!(count <= 3);
        fire::shoot(&mut play, vec![shot.clone()]);
        out.push(play.table()[shot.lead()].ammunition_out());
    }
    assert_eq!(out, [false, true]);
}

#[test]
fn scns_11_guns_with_canister_alone_have_no_shot() {
    let guns = testing::battery("a", Side::Union).at(30_000, 30_000);
    let table = battle(vec![ammunition(None, true)], vec![guns, grey("b").at(30_000, 33_000)]).table;
    let field = Field::before_dice(Ruleset::standard(), &table);
    let refused = lay(&field, &shot(&table, Round::Plain), &Officers::Present).unwrap_err();
    assert_eq!(refused.rule.to_string(), "SCNS-11");
    assert!(lay(&field, &shot(&table, Round::Canister), &Officers::Present).is_ok());
}

#[test]
fn scns_12_a_leader_of_wide_powers_links_any_brigade_within_his_radius() {
    let linked = |any_brigade| {
        let kind = SpecialKind::Leader { any_brigade, casualty_within_2: false, arm: None };
        let term = Special { who: vec!["reynolds".to_owned()], ..special("leads", kind) };
        let unit = blue("a").with(|unit| unit.brigade = Some("meredith".into()));
        let mut battle = battle(vec![term], vec![unit]);
        testing::commander(&mut battle.table, "meredith", Post::Brigade, (2_000, 2_000), None);
        testing::commander(&mut battle.table, "reynolds", Post::Corps, (30_000, 28_000), None);
        let field = Field::before_dice(Ruleset::standard(), &battle.table);
        crate::command::link(&field, testing::ix(&battle.table, "a"))
    };
    assert_eq!(linked(true), crate::command::Link::Direct(LeaderId::new("reynolds")));
    assert!(!linked(false).in_command());
}

#[test]
fn scns_14_out_of_a_cut_few_stands_fire_over_the_lip_and_all_along_it() {
    let cut = |lip_stands| {
        let kind = SpecialKind::RestrictedPlace { lip_stands, charged_full_flank: true };
        Special { place: Some(PlaceTerm::Feature("fence".into())), ..special("cut", kind) }
    };
    // The cut runs east and west, the enemy stands to the north of it: over the lip.
    let units = |target: Maker| vec![blue("a").at(30_000, 32_100), target];
    let strength = |lip_stands, target: Maker| {
        let table = battle(vec![cut(lip_stands)], units(target)).table;
        let field = Field::before_dice(Ruleset::standard(), &table);
        lay(&field, &shot(&table, Round::Plain), &Officers::Present).map(|laid| laid.aims[0].firing.len())
    };
    assert_eq!(strength(1, grey("b")).unwrap(), 1);
    assert_eq!(strength(0, grey("b")).unwrap_err().rule.to_string(), "SCNS-14");
    let table = battle(vec![cut(1)], units(grey("b"))).table;
    let field = Field::before_dice(Ruleset::standard(), &table);
    let (a, b) = (testing::ix(&table, "a"), testing::ix(&table, "b"));
    assert_eq!(fire::class_at_contact(&field, b, a), FlankClass::Full, "whoever comes at it from before");
    assert_eq!(fire::class_at_contact(&field, a, b), FlankClass::Front, "nobody in the cut");
    let defile = defile_of(&field, a).unwrap();
    assert!([9_000, 27_000].contains(&defile.along.hundredths()), "{defile:?}");
}

#[test]
fn scns_16_an_exit_right_opens_its_stretch_once_its_trigger_has_come_true() {
    let stretch = Stretch { edge: crate::scenario::Edge::East, from: 0, to: 60_000 };
    let kind = SpecialKind::ExitRight { when: Condition::FriendPassed };
    let term = Special { place: Some(PlaceTerm::Edge(stretch)), ..special("relieved", kind) };
    let mut battle = battle(vec![term], vec![blue("a")]);
    let unit = testing::ix(&battle.table, "a");
    assert!(exit_rights(&battle.table, &battle.table[unit]).is_empty());
    battle.table.came_true.insert("relieved/a".to_owned(), 2);
    assert_eq!(exit_rights(&battle.table, &battle.table[unit]), [&stretch]);
}

#[test]
fn scn_16_a_limit_of_sight_holds_in_its_turns_and_at_its_place() {
    let kind = SpecialKind::Sight { inches_per_pip: 1_000 };
    let dusk = |turns, place| Special { turns, place, ..special("dusk", kind.clone()) };
    // A die of 1 with an inch to the pip: three inches are too far.
    let seen = |term: Option<Special>, turn: u32| {
        let mut battle = battle(term.into_iter().collect(), vec![blue("a"), grey("b").at(30_000, 33_700)]);
        battle.table.turn = turn;
        let dice = crate::dice::ScriptedDice::new().with(Purpose::VisibilityPair, &["a", "b"], &[1]);
        let field = Field::new(Ruleset::standard(), &battle.table, &dice);
        field.sees(testing::ix(&battle.table, "a"), testing::ix(&battle.table, "b"))
    };
    assert!(seen(None, 9));
    assert!(!seen(Some(dusk(None, None)), 1));
    assert_eq!([1, 2, 3].map(|turn| seen(Some(dusk(Some((2, 2)), None)), turn)), [true, false, true]);
    assert!(!seen(Some(dusk(None, Some(PlaceTerm::Feature("field".into())))), 1));
    let elsewhere = PlaceTerm::Around { at: Point::new(5_000, 5_000), radius: 2_000 };
    assert!(seen(Some(dusk(None, Some(elsewhere))), 1));
}

#[test]
fn scns_03_conditions_look_at_the_unit_and_the_open_field() {
    let units = vec![
        blue("a").with(|unit| {
            (unit.carried.fires, unit.carried.held_turns, unit.marks.fired_on) = (4, 2, true);
        }),
        blue("lost").with(|unit| unit.presence = protocol::view::Presence::Removed),
        grey("b"),
    ];
    let mut battle = battle(Vec::new(), units);
    battle.table.turn = 3;
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    let holds = |condition: Condition| holds(&field, &condition, testing::ix(&battle.table, "a"));
    let true_now = [
        Condition::Turn(3),
        Condition::AfterTurn(2),
        Condition::Fires(4),
        Condition::HeldTurns(2),
        Condition::InPlace("field".into()),
        Condition::FiredOn,
        Condition::EnemyWithin(6_000),
        Condition::SideInPlace(Side::Confederate, "field".into()),
        Condition::Lost(1),
    ];
    for condition in true_now {
        assert!(holds(condition.clone()), "{condition:?}");
    }
    let untrue_now = [
        Condition::Turn(2),
        Condition::AfterTurn(3),
        Condition::PassedCheck,
        Condition::Fires(5),
        Condition::HeldTurns(3),
        Condition::InPlace("fence".into()),
        Condition::Mounted,
        Condition::Dismounted,
        Condition::Hidden,
        Condition::Charged,
        Condition::EnemyWithin(5_000),
        Condition::SideInPlace(Side::Union, "fence".into()),
        Condition::Lost(2),
        Condition::FriendPassed,
        Condition::Umpire,
    ];
    for condition in untrue_now {
        assert!(!holds(condition.clone()), "{condition:?}");
    }
}

#[test]
fn scns_15_leaving_the_column_of_the_start_takes_its_whole_turns_of_form() {
    let formed = |leaving: u32| {
        let kind = SpecialKind::Start {
            formation: Some(Formation::AttackColumn),
            screen_allowed: false,
            limbered: None,
            mounted: None,
            morale: None,
            leave_turns: 2,
        };
        let unit = blue("a").formation(Formation::AttackColumn).with(|unit| unit.carried.leaving = leaving);
        let mut battle = battle(vec![special("tyler", kind)], vec![unit]);
        let task = protocol::orders::FormTask::Formation {
            formation: Formation::SingleLine,
            facing: None,
            pivot: None,
            gap: None,
        };
        testing::give(&mut battle, "a", Order::Form { task }, protocol::orders::Instructions::default());
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        crate::movement::play(&mut play);
        play.table()[testing::ix(play.table(), "a")].footing.formation
    };
    assert_eq!([formed(0), formed(1)], [Formation::AttackColumn, Formation::SingleLine]);
}

#[test]
fn scns_07_ground_treated_otherwise_counts_for_cover_and_for_sight() {
    let corner = |x: i32, y: i32| Point::new(x * 1_000, y * 1_000);
    let area = crate::ground::Area {
        id: "grove".into(),
        name: "The grove".to_owned(),
        terrain: crate::ground::Terrain::Woods,
        wooded: crate::ground::Wooded::Heavy,
        outline: vec![corner(20, 34), corner(40, 34), corner(40, 40), corner(20, 40)],
    };
    let laid = |uses: Vec<crate::scenario::GroundUse>, seen_as: Vec<(usize, crate::ground::Wooded)>| {
        let kind = SpecialKind::Terrain {
            treated_as: Some(crate::ground::Terrain::Open),
            wooded: Some(crate::ground::Wooded::None),
            uses,
        };
        let term = Special { place: Some(PlaceTerm::Feature("grove".into())), ..special("thin", kind) };
        let ground = Ground { areas: vec![area.clone()], seen_as, ..testing::open_ground() };
        let scenario = Scenario { ground, specials: vec![term], ..Scenario::default() };
        let units = vec![blue("a").unit(), grey("b").at(30_000, 38_000).unit()];
        let table = Table::new(Theatre::new(Arc::new(scenario)), units);
        let field = Field::before_dice(Ruleset::standard(), &table);
        let (a, b) = (testing::ix(&table, "a"), testing::ix(&table, "b"));
        let treated = treated(&table, &table[b], crate::scenario::GroundUse::Cover);
        let covered = field.ground().bent(&treated).in_woods(&field.stands(b));
        (covered, field.open_line(a, b).map(|line| line.depth))
    };
    // The centres of the enemy's front rank lie 4.3125 inches within heavy woods or so, which count twice.
    let (covered, depth) = laid(Vec::new(), Vec::new());
    assert!(covered && depth.is_some_and(|depth| 8_000 < depth), "{depth:?}");
    let (covered, same) = laid(vec![crate::scenario::GroundUse::Cover], Vec::new());
    assert!(!covered && same == depth, "{same:?}");
    let (_, half) = laid(Vec::new(), vec![(0, crate::ground::Wooded::Light)]);
    assert_eq!(half.map(|half| half * 2), depth);
    let (_, none) = laid(Vec::new(), vec![(0, crate::ground::Wooded::None)]);
    assert_eq!(none, Some(0));
}

#[test]
fn scns_09_who_may_falls_back_after_his_fire_if_told_to() {
    let stands_at = |told: Option<bool>, behind: Option<i32>| {
        let kind = SpecialKind::MoveAllowance { inches: 4_000, after_own_fire: true };
        let term = Special { side: Some(Side::Union), ..special("delay", kind) };
        let others = behind.map(|y| testing::infantry("c", Side::Union).at(30_000, y));
        let units = [blue("a"), grey("b")].into_iter().chain(others).collect();
        let mut battle = battle(vec![term], units);
        let standing = protocol::orders::Instructions { fall_back_after_fire: told, ..Default::default() };
        testing::give(&mut battle, "a", Order::Hold { task: None }, standing);
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        let before = fires_before(play.table());
        let unit = testing::ix(play.table(), "a");
        play.table_mut()[unit].marks.fires = 1;
        draw_back(&mut play, &before);
        let after = &play.table()[unit];
        (after.footing.anchor.y, after.footing.facing.hundredths(), after.marks.fell_back)
    };
    assert_eq!(stands_at(None, None), (30_000, 0, false), "the default is to stay");
    // Straight away from the enemy in the north, four inches, facing kept.
    assert_eq!(stands_at(Some(true), None), (26_000, 0, true));
    // Its own depth of 0.625 inch clear of a friend whose front is two inches behind its front: 1.375 inches.
    assert_eq!(stands_at(Some(true), Some(28_000)), (28_625, 0, true));
}

/// Little Round Top with these terms besides its own.
fn little_round_top(specials: Vec<Special>) -> Table {
    let mut scenario = crate::scenario::read(include_str!("../../../scenarios/little_round_top.toml")).unwrap();
    scenario.specials.extend(specials);
    let (rules, seating) = (Ruleset::standard(), crate::setup::Seating::one_each());
    let theatre = Theatre::new(Arc::new(scenario));
    crate::setup::start(&theatre, rules, &seating, &BTreeSet::new(), &protocol::ids::BySide::default()).table
}

fn of(who: &str, kind: SpecialKind) -> Special {
    Special { who: vec![who.to_owned()], ..special(who, kind) }
}

#[test]
fn scns_12_15_and_16_units_and_leaders_begin_as_terms_have_them() {
    let start = SpecialKind::Start {
        formation: Some(Formation::DoubleLine),
        screen_allowed: false,
        limbered: None,
        mounted: None,
        morale: Some(crate::scenario::StartMorale::Shaken),
        leave_turns: 0,
    };
    let gunner = SpecialKind::Leader {
        any_brigade: false,
        casualty_within_2: false,
        arm: Some(crate::scenario::LeaderArm::Artillery),
    };
    let table = little_round_top(vec![
        of("me20", start.clone()),
        of("ny44", SpecialKind::Weapon { weapon: "smoothbore".to_owned() }),
        Special { optional: true, ..of("pa83", start) },
        of("vincent", gunner),
    ]);
    let unit = |id: &str| table.unit(&protocol::ids::UnitId::new(id)).unwrap();
    assert_eq!(unit("me20").footing.formation, Formation::DoubleLine);
    assert_eq!(unit("me20").morale, protocol::event::Morale::Shaken);
    assert_eq!(unit("ny44").weapon, "smoothbore");
    assert_eq!(unit("pa83").morale, protocol::event::Morale::Good, "an optional term is off");
    assert_eq!(table.leaders[&LeaderId::new("vincent")].arm, Some(protocol::words::Arm::Artillery));
}

#[test]
fn scns_16_an_attached_regiment_is_in_command_of_the_other_brigade_alone() {
    let linked = |specials: Vec<Special>| {
        let table = little_round_top(specials);
        let field = Field::before_dice(Ruleset::standard(), &table);
        crate::command::link(&field, testing::ix(&table, "me20"))
    };
    assert_eq!(linked(Vec::new()), crate::command::Link::Direct(LeaderId::new("vincent")));
    // Weed is still to come.
    let attached = linked(vec![of("me20", SpecialKind::AttachedCommand { under: LeaderId::new("weed") })]);
    assert_ne!(attached, crate::command::Link::Direct(LeaderId::new("vincent")));
}

#[test]
fn scn_12_who_may_stay_away_comes_only_when_he_is_called() {
    let came = |owner_may_refuse: bool, called: bool| {
        let arrival = crate::scenario::Arrival {
            id: "relief".to_owned(),
            side: Side::Union,
            turn: 1,
            place: PlaceTerm::Around { at: Point::new(30_000, 10_000), radius: 2_000 },
            who: vec!["a".to_owned()],
            roll: None,
            owner_may_refuse,
            optional: false,
            unlisted: false,
            due_if: None,
            formation: None,
            note: String::new(),
        };
        let scenario = Scenario { ground: testing::open_ground(), arrivals: vec![arrival], ..Scenario::default() };
        let unit = blue("a").at(30_000, 10_000).with(|unit| {
            (unit.presence, unit.arrives) = (protocol::view::Presence::ToCome, Some(1));
        });
        let table = Table::new(Theatre::new(Arc::new(scenario)), vec![unit.unit()]);
        let mut battle = testing::battle(table);
        if called {
            let march = MoveOrder { path: vec![Point::new(30_000, 13_000)], ..MoveOrder::default() };
            testing::give(&mut battle, "a", Order::Move(march), protocol::orders::Instructions::default());
        }
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        crate::movement::play(&mut play);
        play.table()[testing::ix(play.table(), "a")].presence == protocol::view::Presence::Table
    };
    assert_eq!([came(false, false), came(true, false), came(true, true)], [true, false, true]);
}
