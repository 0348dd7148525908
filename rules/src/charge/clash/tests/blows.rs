//! MEL-02, MEL-04, MEL-07, MEL-10, MEL-14 to MEL-19: what counts in one blow.
//!
//! All melees here begin without a dice down. The first round is what is looked at: every die shows one, so that nobody falls and
//! the side with fewer figures gives up after ten rounds.

use protocol::event::{MeleeSide, Morale, OrderShown};
use protocol::words::{Arm, Formation, Quality};

use super::*;
use crate::charge::clash::melee;
use crate::dice::Purpose;
use crate::testing::{battery, cavalry, table};

/// Ones, but for a choice of the test.
struct Ones;

impl Dice for Ones {
    fn die(&self, _phase: u8, _purpose: Purpose, _key: &[&str], _n: u32) -> u8 {
        1
    }
}

/// Goes straight to melee.
fn fought(table: Table, clash: &Clash) -> Played {
    play_step(ordered(table), clash, &Ones, |play, clash| melee::fight(play, clash, &mut Engaged::default()))
}

/// Both sides of a round, the attacker's first, with their modifiers and numbers of dice.
struct Seen {
    sides: [MeleeSide; 2],
    modifiers: Vec<i32>,
    dice: Vec<usize>,
}

fn round(played: &Played, number: u32) -> Seen {
    let found = played.events.iter().find_map(|event| match &event.fact {
        Fact::MeleeRound { round, attacker, defender } if *round == number => Some(Seen {
            sides: [attacker.clone(), defender.clone()],
            modifiers: event.explanation.sums.iter().map(|sum| sum.total).collect(),
            dice: event
                .explanation
                .dice
                .iter()
                .filter(|dice| dice.purpose == "melee")
                .map(|dice| dice.faces.len())
                .collect(),
        }),
        _ => None,
    });
    found.expect("the round was fought")
}

/// The rounds of a melee of `a` and `d`, who stands.
fn rounds(a: Maker, d: Maker) -> [Seen; 2] {
    let table = table(open_ground(), [a, d]);
    let clash = charge(&table, &[], &[]);
    let played = fought(table, &clash);
    [round(&played, 1), round(&played, 2)]
}

/// What each side adds in the first round.
fn modifiers(a: Maker, d: Maker) -> (i32, i32) {
    let [first, _] = rounds(a, d);
    (first.modifiers[0], first.modifiers[1])
}

fn figures(seen: &Seen) -> (u32, u32) {
    (seen.sides[0].figures, seen.sides[1].figures)
}

#[test]
fn mel_02_and_fire_10_four_dice_a_side_and_three_of_a_shaken_unit() {
    let [first, second] = rounds(a(), d().morale(Morale::Shaken));
    assert_eq!((first.dice, second.dice), (vec![4, 3], vec![4, 3]));
    // No ammunition check, no opening volley, no fire of the ledger.
    let table = table(open_ground(), [a().with(|unit| unit.opening_volley_used = false), d()]);
    let clash = charge(&table, &[], &[]);
    let played = fought(table, &clash);
    let unit = played.unit("a");
    assert!(!unit.opening_volley_used && !unit.ammunition_out() && unit.marks.fires == 0);
}

#[test]
fn mel_04_and_cav_29_losses_double_for_infantry_alone() {
    // 16 figures throw 16: 5 hits, but for the modifier of what is struck: all are veterans.
    let lost = |d: Maker| {
        let table = table(open_ground(), [a(), d]);
        let clash = charge(&table, &[], &[]);
        let fours = Faces(|purpose, key| if purpose == Purpose::Melee && key == "a" { 4 } else { 1 });
        let played =
            play_step(ordered(table), &clash, &fours, |play, clash| melee::fight(play, clash, &mut Engaged::default()));
        round(&played, 1).sides[0].kills
    };
    let rider = || cavalry("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    assert_eq!(lost(d()), 10);
    assert_eq!(lost(rider()), 5);
    assert_eq!(lost(rider().with(|unit| unit.mounted = false)), 5);
    assert_eq!(lost(battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000)), 5);
    // No halving for skirmishers.
    assert_eq!(lost(d().formation(Formation::SkirmishLine)), 10);
}

/// Faces by purpose and first part of the key.
struct Faces(fn(Purpose, &str) -> u8);

impl Dice for Faces {
    fn die(&self, _phase: u8, purpose: Purpose, key: &[&str], _n: u32) -> u8 {
        (self.0)(purpose, key.first().copied().unwrap_or_default())
    }
}

#[test]
fn mel_07_and_mel_08_the_formation_of_the_impact_then_disorder() {
    let twelve = |maker: Maker| maker.figures(12);
    for (formation, first_round) in [
        (Formation::SingleLine, 12),
        (Formation::DoubleLine, 24),
        (Formation::AttackColumn, 24),
        (Formation::MarchColumn, 3),
        (Formation::SkirmishLine, 6),
        (Formation::LineWithReserve, 12),
        (Formation::LineWithSkirmishers, 12),
    ] {
        let [first, second] = rounds(twelve(a()), twelve(d()).formation(formation));
        assert_eq!((figures(&first), figures(&second)), ((12, first_round), (12, 12)), "{formation}");
    }
    // Disordered at the impact: its factor is 1 from the first round on. Rounded down after all factors: 13 x 1/2.
    let double = twelve(d()).formation(Formation::DoubleLine).disordered();
    assert_eq!(figures(&rounds(twelve(a()), double)[0]), (12, 12));
    assert_eq!(figures(&rounds(twelve(a()), d().figures(13).formation(Formation::SkirmishLine))[0]), (12, 6));
}

#[test]
fn mel_10_and_mel_11_supports_count_half_then_whole_and_as_disordered() {
    // A support in double line counts as disordered: x 1, and half of it. 16 + 13/2 = 22.5 and 16 + 13.
    let support = seasoned(infantry("s", Side::Union).figures(13).at(30_000, 29_000).formation(Formation::DoubleLine));
    let other = seasoned(infantry("t", Side::Union).figures(13).at(24_000, 29_000));
    let table = table(open_ground(), [a(), d(), support, other]);
    let played = fought(table.clone(), &charge(&table, &["s"], &[]));
    assert_eq!((figures(&round(&played, 1)), figures(&round(&played, 2))), ((22, 16), (29, 16)));
    // Two odd halves make a figure: 16 + 26/2.
    let played = fought(table.clone(), &charge(&table, &["s", "t"], &[]));
    assert_eq!(figures(&round(&played, 1)), (29, 16));
    assert!(played.unit("s").footing.disorder);
}

#[test]
fn mel_14_flank_and_rear_help_in_the_first_round() {
    let bonus = |aspect, d: Maker| {
        let table = table(open_ground(), [a(), d]);
        let clash = Clash { aspect, ..charge(&table, &[], &[]) };
        let played = fought(table, &clash);
        [1, 2].map(|number| (round(&played, number).modifiers[0], round(&played, number).modifiers[1]))
    };
    assert_eq!(bonus(FlankClass::Front, d()), [(0, 0), (0, 0)]);
    assert_eq!(bonus(FlankClass::Partial, d()), [(2, 0), (0, 0)]);
    assert_eq!(bonus(FlankClass::Full, d()), [(4, 0), (0, 0)]);
    assert_eq!(bonus(FlankClass::Rear, d()), [(2, 0), (0, 0)]);
    // None against a disordered defender, but for the rear.
    assert_eq!(bonus(FlankClass::Full, d().disordered())[0], (0, 0));
    assert_eq!(bonus(FlankClass::Rear, d().disordered())[0], (2, 0));
}

#[test]
fn mel_15_quality_counts_in_every_round() {
    let of = |quality| d().quality(quality);
    // Own quality, then what is struck: green -1 and +1, elite +1 and -1, militia as green.
    assert_eq!(modifiers(a(), of(Quality::Green)), (1, -1));
    assert_eq!(modifiers(a(), of(Quality::Elite)), (-1, 1));
    assert_eq!(modifiers(a().quality(Quality::Elite), of(Quality::Militia)), (2, -2));
    let [_, second] = rounds(a(), of(Quality::Green));
    assert_eq!(second.modifiers, [1, -1]);
}

#[test]
fn mel_16_an_officer_helps_the_front_unit_that_he_is_directly_with() {
    let with = |at: (i32, i32), level, began: &[&str], attached: bool| {
        let mut table = table(open_ground(), [a(), d()]);
        let mut leader = officer("l", Side::Union, at, level, began);
        leader.attached = attached.then(|| "a".into());
        put(&mut table, leader);
        let clash = charge(&table, &[], &[]);
        let played = fought(table, &clash);
        let in_melee = played.battle.table.leaders.values().all(|leader| leader.marks.in_melee);
        (round(&played, 1).modifiers[0], in_melee)
    };
    // The rear edge of a is at 29.375, his stand reaches half an inch: an inch away at 27.875.
    assert_eq!(with((30_000, 27_875), 2, &["a"], false), (1, true));
    assert_eq!(with((30_000, 27_800), 2, &["a"], false), (0, false), "within his radius, but not directly with it");
    assert_eq!(with((30_000, 27_800), 2, &["a"], true), (1, true), "attached to it, and OFF-06: he helped it");
    assert_eq!(with((30_000, 27_875), 2, &[], false), (0, true), "LEAD-11: he did not begin the turn with it");
    assert_eq!(with((30_000, 28_000), 0, &["a"], false), (0, true), "level 0 helps nobody");
    // Never +2.
    let mut table = table(open_ground(), [a(), d()]);
    for (id, x) in [("l", 29_000), ("m", 31_000)] {
        put(&mut table, officer(id, Side::Confederate, (x, 31_400), 1, &[]));
    }
    let clash = charge(&table, &[], &[]);
    assert_eq!(round(&fought(table, &clash), 1).modifiers[1], 1);
}

#[test]
fn mel_17_and_arty_07_each_gunner_fights_as_a_skirmisher_in_every_round() {
    let guns = battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    let guns = guns.with(|unit| {
        unit.stands[0].figures = 4;
        unit.stands[0].full = 4;
        unit.figures_at_start = 4;
    });
    let [first, second] = rounds(a(), guns);
    assert_eq!((figures(&first), figures(&second)), ((16, 2), (16, 2)));
}

#[test]
fn mel_18_and_cav_31_to_33_pistols_mounted_or_not() {
    let rider = || cavalry("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    assert_eq!(modifiers(a(), rider()), (0, 1));
    assert_eq!(modifiers(a(), rider().with(|unit| unit.mounted = false)), (0, 1));
    // What the scenario says of the battalion goes before.
    let armed = |pistols, shotguns| {
        let table = table_with_force(pistols, shotguns, [a(), rider()]);
        let clash = charge(&table, &[], &[]);
        round(&fought(table, &clash), 1).modifiers[1]
    };
    assert_eq!((armed(true, true), armed(false, false), armed(false, true)), (2, 0, 1));
}

/// A table whose scenario says which side arms `d` has.
fn table_with_force(pistols: bool, shotguns: bool, units: [Maker; 2]) -> Table {
    use crate::scenario::{Force, Scenario, StartState, Strength};
    let strength =
        Strength::Stands { men: 360, stands: vec![3; 4], weapon: "muzzle_carbine".to_owned(), pistols, shotguns };
    let force = Force {
        id: "d".into(),
        name: "d".to_owned(),
        side: Side::Confederate,
        arm: Arm::Cavalry,
        under: "nobody".into(),
        regiment: None,
        quality: Quality::Veteran,
        bmp: None,
        strength,
        leader: String::new(),
        standing: None,
        formation: Formation::SingleLine,
        state: StartState::default(),
        optional: false,
        attached_to: None,
    };
    let scenario = Scenario { ground: open_ground(), forces: vec![force], ..Scenario::default() };
    let theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    Table::new(theatre, units.into_iter().map(Maker::unit).collect())
}

#[test]
fn mel_19_nothing_else_enters_a_melee() {
    // Works, disorder, skirmish line, a smoothbore, an unused opening volley: none of them changes the roll.
    let d = d().weapon("smoothbore").formation(Formation::ExtendedLine).with(|unit| unit.opening_volley_used = false);
    let table = table(line(ObstacleKind::HeavyWorks, 30_000, true, open_ground()), [a().disordered(), d]);
    let clash = charge(&table, &[], &[]);
    let played = fought(table, &clash);
    assert_eq!([1, 2].map(|number| round(&played, number).modifiers), [vec![0, 0], vec![0, 0]]);
}

#[test]
fn dis_17_the_attacker_strikes_first_with_two_more_and_the_checks_add_nine() {
    let fleeing =
        d().facing(0).at(30_000, 30_625).disordered().with(|unit| unit.marks.shown = Some(OrderShown::Disengage {}));
    let table = table(open_ground(), [a(), fleeing]);
    let clash = charge(&table, &[], &[]);
    // 9 thrown and 2: 11 reads 2 on the row of sixteen, doubled 4: a stand. Its check must beat 3 + 3 + 9 = 15. Twelve counts by
    // itself. The survivors reply with 12. In round two nothing of it is left: 9 reads 2 again, 4 more, on 3 + 6 = 9.
    let dice = "melee a: 3 2 2 2 3 2 2 2 6 6 6 6\nmelee d: 1 1 1 1 1 1 1 1 1 1 1 1\nmorale.stand_lost d: 6 6 5 5";
    let dice = ScriptedDice::parse(dice).expect("the dice can be read");
    let played =
        play_step(ordered(table), &clash, &dice, |play, clash| melee::fight(play, clash, &mut Engaged::default()));
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()));
    assert_eq!(played.rounds(), [(16, 0), (0, 12), (16, 12), (16, 8)]);
    assert_eq!(played.checks(), ["d stand lost: 12 on 15, good", "d stand lost: 10 on 9, good"]);
}
