//! What owners wish of their fire, at its limits: rapid fire, ranges, screens, and fire at what is not seen.

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};
use protocol::orders::{HoldTask, Instructions, Order, RangeBand, RangeChoice, RapidFire, Stage, UnseenFire};
use protocol::place::Point;
use protocol::words::Formation;

use super::{Candidates, HOLD, Occasion, Stands, Wishes, blue, choose, grey, ground_with, ordered};
use crate::battle::Table;
use crate::dice::{Dice, Purpose};
use crate::field::Field;
use crate::fire::unseen::at_a_point;
use crate::fire::{Firer, Holders, Unseen, at_nothing};
use crate::geometry::EPS;
use crate::ground::{Contour, Ground};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::testing::{Maker, battery, battle, cavalry, ix, open_ground, table};

/// The same face for every die.
struct Always(u8);

impl Dice for Always {
    fn die(&self, _phase: u8, _purpose: Purpose, _key: &[&str], _n: u32) -> u8 {
        self.0
    }
}

/// `a` on HOLD as it would fire at `b`.
fn firer(units: [Maker; 2], wishes: &Wishes) -> Option<Firer> {
    let table = table(open_ground(), units);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let looking =
        Candidates { field: &field, unit: ix(&table, "a"), order: &HOLD, wishes, occasion: Occasion::Hold, dice: None };
    choose(&looking).ok()?.firers.pop()
}

#[test]
fn tac_01_who_fires_rapidly_and_when() {
    let rapid = |maker: Maker, range: i32, rapid_fire: RapidFire| {
        firer([maker, grey("b", 12, range)], &Wishes { rapid_fire, ..Wishes::default() })
            .expect("it is ahead and in range")
            .rapid
    };
    let breech = || blue("a", 12).weapon("breech_rifle");
    // Close range of a breechloading rifle is 2 inches.
    assert!(rapid(breech(), 2_000, RapidFire::Close));
    assert!(!rapid(breech(), 2_000 + EPS + 1, RapidFire::Close));
    assert!(rapid(breech(), 2_000 + EPS + 1, RapidFire::Always));
    assert!(!rapid(breech(), 2_000, RapidFire::Charged));
    assert!(!rapid(blue("a", 12), 2_000, RapidFire::Always), "muzzleloaders never do");
    let horse = |mounted: bool| {
        let maker = cavalry("a", Side::Union).weapon("repeating_carbine").at(30_000, 30_000);
        maker.with(|unit| unit.mounted = mounted).formation(if mounted {
            Formation::SingleLine
        } else {
            Formation::DismountedLine
        })
    };
    assert!(!rapid(horse(true), 900, RapidFire::Always), "nor do men in the saddle");
    assert!(rapid(horse(false), 900, RapidFire::Always));
}

#[test]
fn cav_13_dismounted_cavalry_fires_with_all_and_mounted_with_half() {
    // Twelve figures; a carbine reaches a close range of one inch.
    let figures = |mounted: bool, formation| {
        let horse = cavalry("a", Side::Union).at(30_000, 30_000).formation(formation);
        super::reckoned(vec![horse.with(|unit| unit.mounted = mounted), grey("b", 12, 900)], "a", "b").2
    };
    assert_eq!(figures(true, Formation::SingleLine), crate::ruleset::Strength::Figures(6));
    assert_eq!(figures(false, Formation::DismountedLine), crate::ruleset::Strength::Figures(12));
}

#[test]
fn ff_06_and_mfire_08_at_which_ranges() {
    let bands = [RangeBand::Close, RangeBand::Normal, RangeBand::Long];
    let accepted = |choice| bands.map(|band| Wishes::accepts(choice, band));
    assert_eq!(accepted(RangeChoice::Always), [true, true, true]);
    assert_eq!(accepted(RangeChoice::NotAtLong), [true, true, false]);
    assert_eq!(accepted(RangeChoice::OnlyClose), [true, false, false]);
}

/// Which stands of a line with skirmishers fire at an enemy straight ahead; none: nobody does. The body cannot fire through
/// its screen, which stands right before it.
fn stands_that_fire(screen_fire: Option<bool>, change: impl FnOnce(&mut crate::battle::Unit)) -> Option<Stands> {
    let screened = blue("a", 16).formation(Formation::LineWithSkirmishers).with(change);
    firer([screened, grey("b", 12, 5_000)], &Wishes { screen_fire, ..Wishes::default() }).map(|firer| firer.stands)
}

#[test]
fn tac_26_the_screen_fires_by_wish_and_who_has_begun_goes_on() {
    assert_eq!(stands_that_fire(None, |_| ()), Some(Stands::Screen));
    assert_eq!(stands_that_fire(Some(true), |_| ()), Some(Stands::Screen));
    assert_eq!(stands_that_fire(Some(false), |_| ()), None);
    assert_eq!(stands_that_fire(Some(true), |unit| unit.footing.screen_back = true), Some(Stands::All));
    let after_one_fire = |by_screen: bool| {
        move |unit: &mut crate::battle::Unit| {
            unit.marks.fires = 1;
            unit.marks.screen_fired = by_screen;
        }
    };
    assert_eq!(stands_that_fire(Some(false), after_one_fire(true)), Some(Stands::Screen));
    assert_eq!(stands_that_fire(Some(true), after_one_fire(false)), None);
}

#[test]
fn tac_26_a_screen_before_a_single_stand_still_fires() {
    assert_eq!(stands_that_fire(Some(true), |unit| unit.stands.truncate(2)), Some(Stands::Screen));
}

/// What comes of a fire of `a` that was told so. VIS-12
fn unseen(table: &Table, unseen_fire: UnseenFire) -> Option<Unseen> {
    let wishes = Wishes { unseen_fire, ..Wishes::default() };
    let field = Field::before_dice(Ruleset::standard(), table);
    let unit = ix(table, "a");
    at_a_point(&Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion: Occasion::Hold, dice: None })
}

const AHEAD: UnseenFire = UnseenFire::Point { at: Point::new(30_000, 34_000) };

#[test]
fn vis_12_an_enemy_in_sight_ahead_forbids_it_and_one_at_an_angle_does_not() {
    // The right corner of twelve figures lies at x = 31.5; at y = 36.3 the ray has come to 37.8.
    let with = |x: i32| table(open_ground(), [blue("a", 12), grey("b", 12, 6_000).at(x, 36_000)]);
    assert!(unseen(&with(30_000), AHEAD).is_none());
    assert!(unseen(&with(35_500), AHEAD).is_some());
}

/// A hill of 100 feet between y = 32 and 33 inches.
fn hill(ground: &mut Ground) {
    let outline = [(10_000, 32_000), (50_000, 32_000), (50_000, 33_000), (10_000, 33_000)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    ground.contours.push(Contour { feet: 100, outline });
}

/// `a` fires at nobody: its marks, and what is told.
fn fired_at_nothing(units: [Maker; 2], wish: UnseenFire, face: u8) -> (crate::battle::Unit, Vec<(Fact, String)>) {
    let table = table(ground_with(hill), units);
    let Some(Unseen::Nobody(nothing)) = unseen(&table, wish) else { panic!("nobody can be hit behind a hill") };
    let dice = Always(face);
    let mut play = Play::new(Ruleset::standard(), &dice, battle(table), Stage::Movement);
    play.phase = 7;
    at_nothing(&mut play, &nothing);
    let told = play.events.iter().map(|event| (event.fact.clone(), event.explanation.sentence.clone())).collect();
    (play.table()[ix(play.table(), "a")].clone(), told)
}

#[test]
fn vis_12_a_fire_at_nobody_gives_the_firer_away_and_may_empty_his_boxes() {
    let units = || [blue("a", 12), grey("b", 12, 6_000).with(|unit| unit.located = true)];
    let (unit, told) = fired_at_nothing(units(), AHEAD, 3);
    assert!(unit.marks.seen_by_firing && unit.located);
    assert_eq!((unit.marks.fires, unit.ammunition_out()), (1, false));
    assert_eq!(told.len(), 1);
    assert!(told[0].1.contains("fires blind"), "{told:?}");
    // At a unit that was located it is area fire.
    let (_, told) = fired_at_nothing(units(), UnseenFire::Area { unit: UnitId::new("b") }, 3);
    assert!(told[0].1.contains("by area fire"), "{told:?}");
    // AMMO-01: all dice a 6. Who has nothing left has nothing to lose.
    let (unit, told) = fired_at_nothing(units(), AHEAD, 6);
    assert_eq!((unit.ammunition_out(), told.len()), (true, 2));
    let [a, b] = units();
    let (unit, told) = fired_at_nothing([a.with(|unit| unit.ammunition_out_since = Some(0)), b], AHEAD, 6);
    assert_eq!((unit.ammunition_out_since, told.len()), (Some(0), 1));
}

#[test]
fn vis_12_guns_that_are_being_spiked_do_not_fire_blind_either() {
    let fires = |task: Option<HoldTask>| {
        let guns = battery("a", Side::Union).at(30_000, 30_000);
        let said = Instructions { fire: Some(true), unseen_fire: Some(AHEAD), ..Instructions::default() };
        let battle = ordered(battle(table(open_ground(), [guns])), vec![("a", Order::Hold { task }, said)]);
        let dice = Always(3);
        let play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        Holders::of(&play).at_the_unseen(&play, &[]).len()
    };
    assert_eq!((fires(None), fires(Some(HoldTask::Spike {}))), (1, 0));
}

/// The 20th Maine of Little Round Top after its fifth fire, in turn 6, by a scenario in which the roll of `cartridges` has
/// that result. It throws a 2, and 1 and 2 fail.
fn failed(result: &str, change: impl FnOnce(&mut crate::battle::Unit)) -> (crate::battle::Unit, Vec<Fact>) {
    let text = include_str!("../../../../scenarios/little_round_top.toml")
        .replace("result = \"out_of_ammunition\"", &format!("result = \"{result}\""));
    let scenario = crate::scenario::read(&text).expect("the scenario is sound");
    let theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    let seating = crate::setup::Seating::one_each();
    let (rules, nothing) = (Ruleset::standard(), protocol::ids::BySide::default());
    let mut battle = crate::setup::start(&theatre, rules, &seating, &Default::default(), &nothing);
    battle.table.turn = 6;
    let unit = ix(&battle.table, "me20");
    battle.table[unit].carried.fires = 5;
    change(&mut battle.table[unit]);
    let dice = Always(2);
    let mut play = Play::new(rules, &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::fire::scenario::after_fire(&mut play, unit);
    // The first event is the roll.
    (play.table()[unit].clone(), play.events.into_iter().skip(1).map(|event| event.fact).collect())
}

#[test]
fn scns_04_who_fails_a_roll_is_thrown_into_disorder_or_runs_dry_once() {
    let (unit, told) = failed("disorder", |_| ());
    assert!(unit.footing.disorder);
    assert!(matches!(told.as_slice(), [Fact::Disorder { disorder: true, .. }]), "{told:?}");
    assert!(failed("disorder", |unit| unit.footing.disorder = true).1.is_empty());
    let (unit, told) = failed("out_of_ammunition", |_| ());
    assert_eq!(unit.ammunition_out_since, Some(6));
    assert!(matches!(told.as_slice(), [Fact::Ammunition { out: true, .. }]), "{told:?}");
    let (unit, told) = failed("out_of_ammunition", |unit| unit.ammunition_out_since = Some(4));
    assert_eq!((unit.ammunition_out_since, told.len()), (Some(4), 0));
}

#[test]
fn fire_25_enemies_that_are_level_throw_dice_and_the_highest_is_fired_at() {
    // Twelve figures each, three inches off, their middles two inches to either side.
    let units = [blue("a", 12), grey("b", 12, 0).at(28_000, 33_000), grey("c", 12, 0).at(32_000, 33_000)];
    let table = table(open_ground(), units);
    for (faces, target) in [((2, 5), "c"), ((5, 2), "b")] {
        let dice = crate::dice::ScriptedDice::new().with(Purpose::TieTarget, &["a", "b"], &[faces.0]).with(
            Purpose::TieTarget,
            &["a", "c"],
            &[faces.1],
        );
        let field = Field::before_dice(Ruleset::standard(), &table);
        let (wishes, unit, occasion) = (Wishes::default(), ix(&table, "a"), Occasion::Hold);
        let dice_of_phase = Some((&dice as &dyn Dice, 7));
        let looking = Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion, dice: dice_of_phase };
        assert_eq!(choose(&looking).map(|shot| table[shot.target].id.to_string()), Ok(target.to_owned()));
        dice.finish().unwrap();
    }
}
