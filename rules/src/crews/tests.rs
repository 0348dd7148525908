use protocol::event::Morale;
use protocol::ids::Side;
use protocol::orders::{Draft, FormTask, Instructions, Stage, UnitDraft};
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use super::*;
use crate::battle::{Battle, known};
use crate::dice::ScriptedDice;
use crate::fire::{Occasion, may_fire};
use crate::orders;
use crate::phases;
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, battery, infantry, ix, open_ground, table};

const SPIKE: Order = Order::Hold { task: Some(HoldTask::Spike {}) };
const HOLD: Order = Order::Hold { task: None };

fn guns(id: &str, side: Side) -> Maker {
    battery(id, side).at(30_000, 30_000)
}

/// The crew of a battery that has left its guns, one figure a section.
fn crew(id: &str, side: Side) -> Maker {
    guns(id, side).formation(Formation::SingleLine).with(|unit| {
        unit.arm = Arm::GunCrew;
        unit.guns = None;
        (unit.stand_width, unit.stand_depth) = (625, 625);
        unit.footing.disorder = true;
    })
}

/// A battle in which the guns of `battery` stand in the middle without a crew, facing east.
fn battle(battery: &str, side: Side, units: Vec<Maker>) -> Battle {
    let mut battle = testing::battle(table(open_ground(), units));
    let left = crate::rout::abandoned(&guns(battery, side).facing(9_000).unit()).expect("a battery has guns");
    battle.table.abandoned.insert(battery.into(), left);
    battle
}

fn refused(battle: &Battle, unit: &str, order: Order) -> Vec<String> {
    let side = battle.table[ix(&battle.table, unit)].side;
    let said = UnitDraft { order: Some(order), ..UnitDraft::default() };
    let draft = Draft { units: [(unit.into(), said)].into(), ..Draft::default() };
    let seat = testing::seat(side);
    let refusals = orders::check(&known(battle, side), Ruleset::standard(), &seat, Stage::Orders, &draft);
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

/// Plays a phase with orders given, and without a die.
fn played(mut battle: Battle, phase: u8, orders: &[(&str, Order)]) -> (Battle, Vec<String>) {
    for (unit, order) in orders {
        testing::give(&mut battle, unit, order.clone(), Instructions::default());
    }
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = phase;
    match phase {
        7 => phases::movement::play(&mut play),
        8 => phases::moving_fire::play(&mut play),
        _ => phases::turn::begin(&mut play),
    }
    let told = play.events.iter().map(|event| event.rule.to_string()).collect();
    (play.battle, told)
}

// ---------------------------------------------------------------------------------------------- ARTY-47

#[test]
fn arty_47_a_crew_spikes_its_own_guns_in_half_a_turn_and_they_never_fire_again() {
    let battle = testing::battle(table(open_ground(), [guns("a", Side::Union)]));
    assert!(refused(&battle, "a", SPIKE).is_empty());
    let of = |battle: &Battle| battle.table[ix(&battle.table, "a")].clone();
    assert_eq!(may_fire(&of(&battle), &SPIKE, Occasion::Hold).map_err(|reason| reason.rule), Err(ARTY_47));
    let (after, told) = played(battle, 7, &[("a", SPIKE)]);
    let unit = of(&after);
    assert!(unit.guns.as_ref().is_some_and(|guns| guns.spiked) && told.contains(&"ARTY-47".to_owned()));
    assert_eq!(may_fire(&unit, &HOLD, Occasion::Hold).map_err(|reason| reason.rule), Err(ARTY_47));
    assert_eq!(refused(&after, "a", SPIKE), ["ARTY-47"], "once is enough");
}

#[test]
fn arty_47_it_is_done_at_the_middle_of_the_turn_by_those_who_are_still_there() {
    let dice = ScriptedDice::new();
    let spiked = |segment: u8, change: fn(&mut Unit)| {
        let mut battle = testing::battle(table(open_ground(), [guns("a", Side::Union).with(change)]));
        testing::give(&mut battle, "a", SPIKE, Instructions::default());
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        spike(&mut play, segment);
        play.table()[ix(play.table(), "a")].guns.as_ref().is_some_and(|guns| guns.spiked)
    };
    // Half of 120 segments.
    assert_eq!([59, 60, 61].map(|segment| spiked(segment, |_| ())), [false, true, false]);
    assert!(!spiked(60, |unit| unit.morale = Morale::Routed));
    assert!(!spiked(60, |unit| unit.marks.fell_back = true));
    assert!(!spiked(60, |unit| unit.marks.in_melee = true));
}

#[test]
fn arty_47_only_gun_crews_spike_guns_of_either_side_where_they_touch_them() {
    // The guns stand from x = 29 to 30, y = 29.5 to 30.5, facing east. A stand of the crew is 0.625 deep, its front at its anchor.
    let by = |maker: Maker, side: Side| refused(&battle("gone", side, vec![maker]), "a", SPIKE);
    for side in Side::BOTH {
        assert!(by(crew("a", Side::Union).at(29_500, 29_500), side).is_empty());
        assert_eq!(by(crew("a", Side::Union).at(29_500, 29_400), side), ["ARTY-47"], "a tenth of an inch off");
    }
    assert_eq!(by(infantry("a", Side::Union).at(29_500, 29_500), Side::Confederate), ["ARTY-47"]);
    // A battery in action beside them spikes these, not its own; a limbered one does not.
    let beside = battery("a", Side::Union).at(29_500, 29_500);
    let (after, _) = played(battle("gone", Side::Confederate, vec![beside]), 7, &[("a", SPIKE)]);
    assert!(after.table.abandoned[&UnitId::new("gone")].guns.spiked);
    assert!(after.table[ix(&after.table, "a")].guns.as_ref().is_some_and(|guns| !guns.spiked));
    let view = crate::view::view(Ruleset::standard(), &after, Stage::Orders, &protocol::view::Viewer::Umpire {});
    assert!(view.abandoned.iter().all(|guns| guns.spiked));
}

// ---------------------------------------------------------------------------------------------- ARTY-49

/// The crew of `a` at its guns, or where it is put, when a turn has begun.
fn back_at_the_guns(change: impl FnOnce(Maker) -> Maker) -> Battle {
    let crew = change(crew("a", Side::Union).at(29_500, 29_500));
    played(battle("a", Side::Union, vec![crew]), 1, &[]).0
}

#[test]
fn arty_49_a_crew_back_at_its_guns_works_them_again_after_a_whole_turn() {
    let (after, told) = played(back_at_the_guns(|crew| crew), 8, &[("a", HOLD)]);
    let unit = &after.table[ix(&after.table, "a")];
    assert_eq!(
        (unit.arm, unit.footing.formation, unit.footing.disorder),
        (Arm::Artillery, Formation::Unlimbered, false)
    );
    assert_eq!((unit.footing.anchor, unit.footing.facing), (Point::new(30_000, 30_000), Bearing::EAST));
    assert!(unit.guns.as_ref().is_some_and(|guns| !guns.unmanned && guns.horses == 2));
    assert!(after.table.abandoned.is_empty() && told == ["ARTY-49"]);
    assert_eq!(may_fire(unit, &HOLD, Occasion::Hold), Ok(()));
}

#[test]
fn arty_49_not_without_the_whole_turn() {
    let still_a_crew = |battle: Battle, order: Order| {
        let (after, _) = played(battle, 8, &[("a", order)]);
        after.table[ix(&after.table, "a")].arm == Arm::GunCrew && !after.table.abandoned.is_empty()
    };
    let with = |change: fn(&mut Unit)| {
        let mut battle = back_at_the_guns(|crew| crew);
        let ix = ix(&battle.table, "a");
        change(&mut battle.table[ix]);
        battle
    };
    // Elsewhere, or still routed, when the turn began; driven off or busy since.
    assert!(still_a_crew(back_at_the_guns(|crew| crew.at(29_500, 29_400)), HOLD));
    assert!(still_a_crew(back_at_the_guns(|crew| crew.morale(Morale::Routed)), HOLD));
    assert!(still_a_crew(with(|unit| unit.marks.fell_back = true), HOLD));
    assert!(still_a_crew(with(|unit| unit.marks.moved = true), HOLD));
    assert!(still_a_crew(with(|_| ()), SPIKE));
    assert!(still_a_crew(with(|_| ()), Order::Form { task: FormTask::Resupply {} }));
}

// ---------------------------------------------------------------------------------------------- ARTY-40

/// Two batteries so many thousandths apart, with so many horses; `a` is to lend one to `b`.
fn side_by_side(gap: i32, horses: [u32; 2]) -> Battle {
    let units = [("a", 0), ("b", 1)].map(|(id, n)| {
        let maker = battery(id, Side::Union).at(30_000 + n * (1_000 + gap), 30_000);
        maker.with(|unit| unit.guns.as_mut().expect("a battery has guns").horses = horses[n as usize])
    });
    let mut battle = testing::battle(table(open_ground(), units));
    battle.table.turn = 3;
    battle
}

fn lend() -> Order {
    Order::Hold { task: Some(HoldTask::LendHorse { to: "b".into() }) }
}

fn horses(battle: &Battle) -> [u32; 2] {
    ["a", "b"].map(|id| battle.table[ix(&battle.table, id)].guns.as_ref().map_or(0, |guns| guns.horses))
}

#[test]
fn arty_40_a_horse_passes_on_and_both_roll_for_another() {
    let battle = side_by_side(1_000, [2, 0]);
    assert!(refused(&battle, "a", lend()).is_empty());
    let (after, told) = played(battle, 8, &[("a", lend()), ("b", HOLD)]);
    assert_eq!((horses(&after), told), ([1, 1], vec!["ARTY-40".to_owned()]));
    // RALLY-26: in the turn that follows both throw for the horse that each lacks. A veteran's 4 beats 3.
    let mut next = after;
    next.table.turn = 4;
    let dice = ScriptedDice::new().with(crate::dice::Purpose::ReplaceHorse, &["a"], &[4]).with(
        crate::dice::Purpose::ReplaceHorse,
        &["b"],
        &[3],
    );
    let mut play = Play::new(Ruleset::standard(), &dice, next, Stage::Orders);
    play.phase = 2;
    phases::rally::play(&mut play);
    dice.finish().expect("both throw");
    assert_eq!(horses(&play.battle), [2, 1]);
}

#[test]
fn arty_40_only_to_a_battery_without_a_horse_within_an_inch() {
    let why = |gap, horses| refused(&side_by_side(gap, horses), "a", lend());
    assert_eq!(
        [why(1_010, [2, 0]), why(1_000, [1, 0]), why(1_000, [2, 1])],
        [["ARTY-40"]; 3].map(|rules| rules.map(str::to_owned).to_vec())
    );
    assert_eq!(
        refused(&side_by_side(0, [2, 0]), "a", Order::Hold { task: Some(HoldTask::LendHorse { to: "a".into() }) }),
        ["ARTY-40"]
    );
}

#[test]
fn arty_40_neither_stirs_or_fires() {
    let unchanged = |unit: &str, change: fn(&mut Unit)| {
        let mut battle = side_by_side(1_000, [2, 0]);
        let ix = ix(&battle.table, unit);
        change(&mut battle.table[ix]);
        horses(&played(battle, 8, &[("a", lend()), ("b", HOLD)]).0) == [2, 0]
    };
    for unit in ["a", "b"] {
        assert!(unchanged(unit, |unit| unit.marks.fires = 1));
        assert!(unchanged(unit, |unit| unit.marks.pivoted = true));
        assert!(unchanged(unit, |unit| unit.marks.moved = true));
        assert!(unchanged(unit, |unit| unit.marks.charged_by = Some("z".into())));
        assert!(unchanged(unit, |unit| unit.guns.iter_mut().for_each(|guns| guns.horse_lost_in = Some(3))));
    }
    let to_march = Order::Move(protocol::orders::MoveOrder::default());
    assert_eq!(horses(&played(side_by_side(1_000, [2, 0]), 8, &[("a", lend()), ("b", to_march)]).0), [2, 0]);
    assert!(!unchanged("b", |_| ()));
}

// ---------------------------------------------------------------------------------------------- ARTY-48

fn man() -> Order {
    Order::Form { task: FormTask::ManGuns { battery: "gone".into() } }
}

/// A Union regiment of sixteen that stands on the guns of a Confederate battery of two sections.
fn at_the_guns(change: impl FnOnce(Maker) -> Maker) -> Battle {
    // The guns stand from x = 29 to 30, y = 29.5 to 30.5. The line's left end is at 30, its front at y = 30.
    let mut battle = battle("gone", Side::Confederate, vec![change(infantry("a", Side::Union).at(31_750, 30_000))]);
    battle.table.turn = 3;
    battle
}

/// Ends the turn, and with it all that was ordered.
fn turn_ended(mut battle: Battle, order: Order) -> Battle {
    testing::give(&mut battle, "a", order, Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 9;
    phases::turn::end(&mut play);
    play.battle
}

#[test]
fn arty_48_a_stand_of_infantry_mans_guns_that_count_as_one_section() {
    let battle = at_the_guns(|maker| maker);
    assert!(refused(&battle, "a", man()).is_empty());
    let after = turn_ended(battle, man());
    let (regiment, guns) = (&after.table[ix(&after.table, "a")], &after.table[ix(&after.table, "gone_manned")]);
    // The regiment has three stands and has lost none.
    assert_eq!((regiment.stands.len(), regiment.figures(), regiment.stands_lost()), (3, 12, 0));
    assert_eq!((guns.side, guns.arm, guns.quality), (Side::Union, Arm::Artillery, regiment.quality));
    assert_eq!((guns.figures(), guns.sections(Ruleset::standard())), (4, 1));
    assert_eq!((guns.footing.anchor, guns.footing.facing), (Point::new(30_000, 30_000), Bearing::EAST));
    assert!(after.table.abandoned.is_empty());
    // Ready only after one whole further turn.
    let silent = |battle: &Battle| {
        let guns = &battle.table[ix(&battle.table, "gone_manned")];
        may_fire(guns, &HOLD, Occasion::Hold).map_err(|reason| reason.rule)
    };
    assert_eq!(silent(&after), Err(ARTY_48));
    let next = turn_ended(after, HOLD);
    assert_eq!(silent(&next), Ok(()));
    // It fires as one section, and can neither limber nor move.
    let target = infantry("z", Side::Confederate).at(40_000, 30_000).facing(27_000).unit();
    let mut table = next.table.clone();
    table.insert(target);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let firer = crate::fire::Firer {
        unit: ix(&table, "gone_manned"),
        standing: crate::fire::Standing::Hold,
        rapid: false,
        stands: crate::fire::Stands::All,
        overhead_risk: false,
    };
    let shot = crate::fire::Shot::new(firer, ix(&table, "z"), Occasion::Hold);
    let laid = crate::fire::lay(&field, &shot, &crate::fire::Officers::Present).expect("it is in the arc");
    assert_eq!(laid.strength, crate::ruleset::Strength::Sections(1));
    let march =
        Order::Move(protocol::orders::MoveOrder { path: vec![Point::new(31_000, 30_000)], ..Default::default() });
    assert_eq!(refused(&next, "gone_manned", march), ["ARTY-39"]);
    assert_eq!(refused(&next, "gone_manned", Order::Form { task: FormTask::Limber { facing: None } }), ["ARTY-39"]);
}

#[test]
fn arty_48_only_infantry_that_touches_guns_without_a_crew_that_are_not_spiked() {
    assert_eq!(refused(&at_the_guns(|maker| maker.at(31_760, 30_000)), "a", man()), ["ARTY-48"], "not in contact");
    assert_eq!(refused(&at_the_guns(|maker| maker.stands_left(1)), "a", man()), ["ARTY-48"], "its last stand");
    let mut spiked = at_the_guns(|maker| maker);
    spiked.table.abandoned.values_mut().for_each(|left| left.guns.spiked = true);
    assert_eq!(refused(&spiked, "a", man()), ["ARTY-48"]);
    let mut nobody = at_the_guns(|maker| maker);
    nobody.table.abandoned.clear();
    assert_eq!(refused(&nobody, "a", man()), ["ARTY-48"]);
    let crew = battle("gone", Side::Confederate, vec![crew("a", Side::Union).at(29_500, 29_500)]);
    assert_eq!(refused(&crew, "a", man()), ["ARTY-48"]);
    // Driven off, or busy, it mans nothing.
    let done = |change: fn(&mut Unit)| {
        let after = turn_ended(at_the_guns(|maker| maker.with(change)), man());
        after.table.find(&UnitId::new("gone_manned")).is_some()
    };
    assert!(done(|_| ()));
    assert!(!done(|unit| unit.marks.fell_back = true));
    assert!(!done(|unit| unit.marks.fires = 1));
    assert!(!done(|unit| unit.morale = Morale::Routed));
}

#[test]
fn arty_48_losses_at_the_guns_come_from_the_stand() {
    let mut after = turn_ended(at_the_guns(|maker| maker), man());
    let guns = ix(&after.table, "gone_manned");
    // Three of four men: it still fires as a section, and has lost no stand.
    let taken = crate::losses::take(&mut after.table[guns], 3);
    let unit = &after.table[guns];
    assert_eq!((taken.figures, unit.figures(), unit.sections(Ruleset::standard())), (3, 1, 1));
    assert_eq!(crate::morale::point::losses(unit), 0);
    // When the last is lost the regiment has lost a stand.
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, after, Stage::Movement);
    crate::rout::lose(&mut play, guns, crate::catalogue::ROUT_19, crate::rout::Loss::WipedOut, Vec::new());
    let regiment = &play.table()[ix(play.table(), "a")];
    assert_eq!((regiment.stands_lost(), regiment.figures_at_start, regiment.figures()), (1, 16, 12));
}

#[test]
fn arty_48_men_who_rout_from_the_guns_are_infantry_again_and_leave_them() {
    let mut battle = turn_ended(at_the_guns(|maker| maker), man());
    let guns = ix(&battle.table, "gone_manned");
    battle.table[guns].morale = Morale::Shaken;
    let dice = ScriptedDice::parse("rout.distance gone_manned: 4 4").expect("the dice of a test can be read");
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::morale::rout_at_once(&mut play, &[guns], Vec::new());
    let unit = &play.table()[guns];
    assert_eq!((unit.arm, unit.morale, unit.weapon.as_str()), (Arm::Infantry, Morale::Routed, "rifle_musket"));
    let left = play.table().abandoned.values().next().expect("the guns stay where they were");
    assert_eq!((left.sections, left.footing.anchor), (2, Point::new(30_000, 30_000)));
}

#[test]
fn arty_48_the_guns_outlast_the_men_who_are_shot_down_at_them() {
    let mut battle = turn_ended(at_the_guns(|maker| maker), man());
    let guns = ix(&battle.table, "gone_manned");
    crate::losses::take(&mut battle.table[guns], 4);
    let shot = crate::settle::FiredOn {
        at_screen: false,
        unit: guns,
        by: vec![ix(&battle.table, "a")],
        forces_hit_check: false,
        starred: false,
        figures: 4,
        stands: 1,
        horses: 0,
        first_casualty: false,
        flank: protocol::event::FlankClass::Front,
        band: protocol::orders::RangeBand::Normal,
        from: Point::new(40_000, 30_000),
        canister: false,
        unseen: false,
        in_cover: false,
        behind_target: false,
    };
    // The regiment beside them sees the loss of the unit, and passes by a natural 12.
    let dice = ScriptedDice::parse("morale.saw_loss a gone_manned: 6 6").expect("the dice of a test can be read");
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::morale::settle(&mut play, vec![crate::settle::Happening::FiredOn(shot)]);
    let left = play.table().abandoned.values().next().expect("the guns stay");
    assert_eq!((left.sections, play.table()[guns].on_table()), (2, false));
}
