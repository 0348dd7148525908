use protocol::ids::Side;
use protocol::orders::{Instructions, Order, Stage};
use protocol::place::Bearing;

use super::*;
use crate::battle::Battle;
use crate::dice::ScriptedDice;
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, battery, infantry, ix, open_ground};

/// A regiment on HOLD in the middle of the table, facing north, with others, and what it was told.
fn holding(others: Vec<Maker>, refuse: Option<Refuse>) -> Battle {
    let own = infantry("own", Side::Union).at(30_000, 30_000);
    let units = std::iter::once(own).chain(others);
    let mut battle = testing::battle(testing::table(open_ground(), units));
    let said = Instructions { refuse, ..Instructions::default() };
    testing::give(&mut battle, "own", Order::Hold { task: None }, said);
    battle
}

fn enemy(id: &str, x: i32, y: i32, facing: i32) -> Maker {
    infantry(id, Side::Confederate).at(x, y).facing(facing)
}

/// Which end stand a unit has bent back after a moment.
fn refused(battle: Battle, moment: Moment) -> Option<Flank> {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
    let before = play.table()[ix(play.table(), "own")].footing.refused;
    let any = refuse_end_stands(&mut play, moment);
    let after = play.table()[ix(play.table(), "own")].footing.refused;
    assert_eq!(any, before != after);
    assert_eq!(play.events.len(), usize::from(any), "it is told once, and only if it is done");
    after
}

#[test]
fn enf_12_the_threatened_end_is_bent_back_when_the_reveal_is_over() {
    // Stands of the enemy from y 27.15 to 30.65: three are wholly behind the front line, two behind the rear line.
    let right = || enemy("right", 36_000, 28_900, 27_000);
    let left = |x: i32| enemy("left", x, 28_900, 9_000);
    assert_eq!(refused(holding(vec![right()], None), Moment::Reveal), Some(Flank::Right));
    assert_eq!(refused(holding(vec![left(24_000)], None), Moment::Reveal), Some(Flank::Left));
    assert_eq!(refused(holding(vec![right(), left(24_000)], None), Moment::Reveal), None, "level threats");
    assert_eq!(refused(holding(vec![right(), left(24_100)], None), Moment::Reveal), Some(Flank::Left), "the nearer");
    // Before it, behind it, routed, or too far off: 1.75 of its own line, then more than twelve inches.
    assert_eq!(refused(holding(vec![enemy("e", 30_000, 36_000, 18_000)], None), Moment::Reveal), None);
    assert_eq!(
        refused(holding(vec![enemy("e", 36_000, 27_000, 27_000)], None), Moment::Reveal),
        None,
        "the rear, IDD-07"
    );
    let routed = right().morale(Morale::Routed);
    assert_eq!(refused(holding(vec![routed], None), Moment::Reveal), None);
    assert_eq!(refused(holding(vec![enemy("e", 43_800, 28_900, 27_000)], None), Moment::Reveal), None);
    assert_eq!(refused(holding(vec![enemy("e", 43_700, 28_900, 27_000)], None), Moment::Reveal), Some(Flank::Right));
}

#[test]
fn enf_12_the_owner_says_which_end_or_none() {
    let threat = || vec![enemy("right", 36_000, 28_900, 27_000)];
    assert_eq!(refused(holding(threat(), Some(Refuse::Never)), Moment::Reveal), None);
    assert_eq!(refused(holding(threat(), Some(Refuse::Left)), Moment::Reveal), Some(Flank::Left));
    assert_eq!(refused(holding(vec![], Some(Refuse::Right)), Moment::Reveal), Some(Flank::Right));
    // An end that is bent back is straightened by a word, and kept without one.
    let bent = |said| {
        let mut battle = holding(vec![], said);
        let own = ix(&battle.table, "own");
        battle.table[own].footing.refused = Some(Flank::Left);
        refused(battle, Moment::Reveal)
    };
    assert_eq!((bent(Some(Refuse::Never)), bent(None)), (None, Some(Flank::Left)));
}

#[test]
fn enf_12_in_phase_7_only_who_was_told_so_turns() {
    let threat = || vec![enemy("right", 36_000, 28_900, 27_000)];
    assert_eq!(refused(holding(threat(), None), Moment::Movement), None);
    assert_eq!(refused(holding(threat(), Some(Refuse::Threatened)), Moment::Movement), Some(Flank::Right));
}

#[test]
fn enf_12_only_lines_of_three_stands_that_hold() {
    let told = |change: fn(Maker) -> Maker, order: Order| {
        let own = change(infantry("own", Side::Union).at(30_000, 30_000));
        let mut battle = testing::battle(testing::table(open_ground(), [own]));
        let said = Instructions { refuse: Some(Refuse::Right), ..Instructions::default() };
        testing::give(&mut battle, "own", order, said);
        refused(battle, Moment::Reveal)
    };
    let hold = || Order::Hold { task: None };
    assert_eq!(told(|own| own.formation(Formation::DoubleLine), hold()), Some(Flank::Right));
    assert_eq!(told(|own| own.stands_left(3), hold()), Some(Flank::Right));
    assert_eq!(told(|own| own.stands_left(2), hold()), None);
    assert_eq!(told(|own| own.formation(Formation::MarchColumn), hold()), None);
    assert_eq!(told(Maker::disordered, hold()), None);
    assert_eq!(told(|own| own, Order::FirstFire {}), None);
    assert_eq!(told(|own| own, Order::Move(Default::default())), None);
    let on_hold = |own: Maker| own.with(|unit| unit.marks.conditional_hold = true);
    assert_eq!(told(on_hold, Order::Move(Default::default())), Some(Flank::Right));
}

#[test]
fn enf_12_no_stand_is_bent_back_onto_a_neighbour() {
    // The catalogue's vector: the bent stand reaches 1.936 to the right and 1.244 back.
    let neighbour = |x: i32| infantry("friend", Side::Union).at(x, 30_000).formation(Formation::MarchColumn);
    // The column is 0.875 wide: its left side at x - 0.4375.
    assert_eq!(refused(holding(vec![neighbour(32_300)], Some(Refuse::Right)), Moment::Reveal), None);
    assert_eq!(refused(holding(vec![neighbour(32_400)], Some(Refuse::Right)), Moment::Reveal), Some(Flank::Right));
}

/// Where a battery faces after an instant, and whether it has pivoted.
fn pivoted(target: Maker, pivot: Pivot, before_moves: bool, change: fn(&mut Unit)) -> (Bearing, bool) {
    let guns = battery("guns", Side::Union).at(30_000, 30_000).with(change);
    let mut battle = testing::battle(testing::table(open_ground(), [guns, target]));
    let said = Instructions { pivot: Some(pivot), ..Instructions::default() };
    testing::give(&mut battle, "guns", Order::Hold { task: None }, said);
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    let before = field_center(&play);
    pivot_batteries(&mut play, before_moves);
    assert_eq!(field_center(&play), before, "it turns about its centre");
    let guns = &play.table()[ix(play.table(), "guns")];
    (guns.footing.facing, guns.marks.pivoted)
}

fn field_center(play: &Play<'_>) -> protocol::place::Point {
    Field::before_dice(play.rules, play.table()).center(ix(play.table(), "guns"))
}

#[test]
fn arty_27_guns_pivot_to_a_bearing_before_anybody_moves() {
    let nobody = || enemy("e", 30_000, 50_000, 18_000);
    let to = || Pivot::To { bearing: Bearing::EAST };
    assert_eq!(pivoted(nobody(), to(), true, |_| ()), (Bearing::EAST, true));
    assert_eq!(pivoted(nobody(), to(), false, |_| ()), (Bearing::NORTH, false));
    assert_eq!(
        pivoted(nobody(), to(), true, |guns| guns.marks.fires = 1),
        (Bearing::NORTH, false),
        "its fire is spent"
    );
    assert_eq!(pivoted(nobody(), Pivot::IfCharged {}, true, |_| ()), (Bearing::NORTH, false));
    assert_eq!(pivoted(nobody(), Pivot::Never {}, true, |_| ()), (Bearing::NORTH, false));
}

#[test]
fn arty_27_guns_pivot_at_a_unit_that_they_see_in_range_outside_their_arc() {
    let at = || Pivot::At { unit: "e".into() };
    // Two stands of its line on either side of y = 29.5, the centre of the battery: the two nearest are level, half a stand off.
    let (facing, turned) = pivoted(enemy("e", 38_000, 29_500, 27_000), at(), false, |_| ());
    assert!(turned && facing.angle_to(Bearing::EAST) < 400, "{facing:?}");
    // In the arc already; out of range; routed.
    assert!(!pivoted(enemy("e", 30_000, 40_000, 18_000), at(), false, |_| ()).1);
    assert!(!pivoted(enemy("e", 59_000, 1_000, 27_000), at(), false, |_| ()).1);
    assert!(!pivoted(enemy("e", 38_000, 29_500, 27_000).morale(Morale::Routed), at(), false, |_| ()).1);
}

/// A unit after the reveal, and how often it was told that it has formed.
fn rejoined(own: Maker, others: Vec<Maker>) -> (Unit, usize) {
    let battle = testing::battle(testing::table(open_ground(), std::iter::once(own).chain(others)));
    let dice = ScriptedDice::new();
    let outcome =
        crate::stage::resolve(Ruleset::standard(), Stage::Orders, battle, &crate::stage::Envelopes::new(), &dice);
    let formed = outcome.events.iter().filter(|event| matches!(event.fact, Fact::Formed { .. }) && event.phase == 3);
    (outcome.battle.table[ix(&outcome.battle.table, "own")].clone(), formed.count())
}

#[test]
fn tac_20_and_25_a_screen_that_fell_back_stands_in_line_again_next_turn() {
    let out = || infantry("own", Side::Union).at(30_000, 30_000).formation(Formation::LineWithSkirmishers);
    let back = || out().with(|unit| unit.footing.screen_back = true);
    assert_eq!(back().unit().layout().stands.len(), 3, "it stands behind the line and is no target");
    let (unit, told) = rejoined(back(), vec![]);
    assert_eq!((unit.footing.formation, unit.footing.gap, told), (Formation::SingleLine, 0, 1));
    // Both ends grow by half a stand about the same middle: 4 x 875 / 2.
    assert_eq!(unit.footing.anchor, protocol::place::Point::new(30_000, 30_000));
    assert_eq!(unit.layout().as_target.front.left.x, 30_000 - 1_750);
    // One that is still out stays out; one without room waits. A neighbour 3 inches off: 2625 / 2 + 3500 / 2 is 3062.5.
    assert_eq!(rejoined(out(), vec![]).0.footing.formation, Formation::LineWithSkirmishers);
    let neighbour = || infantry("other", Side::Union).at(30_000 + 3_100, 30_000);
    let (unit, told) = rejoined(back(), vec![neighbour()]);
    assert_eq!((unit.footing.formation, told), (Formation::LineWithSkirmishers, 0));
}

/// How a regiment on HOLD stands after the reactions window, with cavalry that moves at a distance, and what it was told.
fn against_cavalry(wish: EmergencySquare, cavalry: Maker, shown: OrderShown, die: Option<u8>) -> Unit {
    let horse = cavalry.with(|unit| unit.marks.shown = Some(shown));
    let mut battle = holding(vec![horse], None);
    let said = Instructions { square: Some(wish), ..Instructions::default() };
    testing::give(&mut battle, "own", Order::Hold { task: None }, said);
    let mut dice = ScriptedDice::new();
    if let Some(face) = die {
        dice = dice.with(Purpose::SquareForm, &["own"], &[face]);
    }
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
    play.phase = 4;
    form_emergency_squares(&mut play);
    dice.finish().expect("the die is thrown, or is not");
    let own = ix(play.table(), "own");
    play.table()[own].clone()
}

fn horse(north: i32) -> Maker {
    testing::cavalry("horse", Side::Confederate).at(30_000, 30_000 + north).facing(18_000)
}

fn moves() -> OrderShown {
    OrderShown::Move { bearing: Bearing::wrapping(18_000), formation: None }
}

fn charges(target: &str) -> OrderShown {
    OrderShown::Charge { target: Some(target.into()), support_of: None }
}

#[test]
fn tac_40_a_regiment_on_hold_may_form_square_against_cavalry_that_starts_twelve_inches_off() {
    use EmergencySquare::{IfCavalryChargesMe, IfCavalryThreatens, Never};
    let formation = |wish, horse, shown, die| against_cavalry(wish, horse, shown, die).footing.formation;
    // A veteran must beat 3.
    let squared = against_cavalry(IfCavalryThreatens, horse(12_000), moves(), Some(4));
    assert_eq!((squared.footing.formation, squared.footing.disorder), (Formation::Square, false));
    // It has formed: two dice, and no fires besides. FIRE-06, ADDF-02
    let standing = Standing::of(&squared, &Order::Hold { task: None });
    assert_eq!((standing.base(Ruleset::standard()).2, standing.has_extra_fires()), (2, false));
    // The hull of the line is centred 312.5 behind its front, that of a square 1062.5.
    assert!((squared.footing.anchor.y - 30_750).abs() <= 1, "{:?}", squared.footing.anchor);
    // Too near, too far, holding, or not minded.
    assert_eq!(formation(IfCavalryThreatens, horse(11_990), moves(), None), Formation::SingleLine);
    assert_eq!(formation(IfCavalryThreatens, horse(30_010), moves(), None), Formation::SingleLine);
    assert_eq!(formation(IfCavalryThreatens, horse(15_000), OrderShown::Hold {}, None), Formation::SingleLine);
    assert_eq!(formation(Never, horse(15_000), charges("own"), None), Formation::SingleLine);
    // Whom it charges.
    assert_eq!(formation(IfCavalryChargesMe, horse(15_000), moves(), None), Formation::SingleLine);
    assert_eq!(formation(IfCavalryChargesMe, horse(15_000), charges("another"), None), Formation::SingleLine);
    assert_eq!(formation(IfCavalryChargesMe, horse(15_000), charges("own"), Some(6)), Formation::Square);
    assert_eq!(formation(IfCavalryChargesMe, horse(31_000), charges("own"), Some(6)), Formation::Square);
    // Horsemen on foot are no cavalry to fear.
    let on_foot = horse(15_000).with(|unit| unit.mounted = false);
    assert_eq!(formation(IfCavalryThreatens, on_foot, moves(), None), Formation::SingleLine);
}

#[test]
fn tac_41_a_failed_attempt_leaves_it_in_disorder() {
    let failed = against_cavalry(EmergencySquare::IfCavalryThreatens, horse(15_000), moves(), Some(3));
    assert_eq!((failed.footing.formation, failed.footing.disorder), (Formation::SingleLine, true));
    assert!(failed.marks.changed_formation);
}

#[test]
fn arty_28_a_battery_pivots_about_its_centre_where_there_is_room() {
    let nobody = || enemy("e", 30_000, 50_000, 18_000);
    let to = |hundredths: i32| Pivot::To { bearing: Bearing::wrapping(hundredths) };
    // The battery's square reaches half an inch from (30, 29.5); turned by 45 degrees 0.707 inches. `pivoted` checks the centre.
    assert_eq!(pivoted(nobody(), to(4_500), true, |_| ()), (Bearing::wrapping(4_500), true));
    // A neighbour 0.6 inches east of the centre: the corner would lie on it. Turned by a right angle the square stays the same.
    // The column of infantry is 0.875 wide: its left side at 30.6.
    let beside = |hundredths: i32| {
        let column = infantry("f", Side::Union).at(31_038, 30_000).formation(Formation::MarchColumn);
        pivoted(column, to(hundredths), true, |_| ())
    };
    assert_eq!(beside(4_500), (Bearing::NORTH, false));
    assert_eq!(beside(9_000), (Bearing::EAST, true));
    // Guns are crowded: friendly guns in action beside it are of its group (ARTY-16) and no hindrance; limbers, and the enemy's
    // guns, are.
    let guns = |side: Side, formation: Formation| {
        let other = battery("f", side).at(31_100, 30_000).formation(formation);
        pivoted(other, to(4_500), true, |_| ())
    };
    assert_eq!(guns(Side::Union, Formation::Unlimbered), (Bearing::wrapping(4_500), true));
    assert_eq!(guns(Side::Union, Formation::Limbered), (Bearing::NORTH, false));
    assert_eq!(guns(Side::Confederate, Formation::Unlimbered), (Bearing::NORTH, false));
}
