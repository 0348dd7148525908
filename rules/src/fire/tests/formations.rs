//! Chapters FORM, ORG and AMMO as they bear on fire: how many fire, what a formation is worth as a target, who runs dry.
//!
//! Rows of the table that are used, by total: twelve figures or six sections 9 and 10 kill 1, 11 to 13 two, 14 to 16 three,
//! 17 four, 18 five; two sections 9 MC, 10 and 11 1*, 12 to 14 one, 15 to 18 two.

use protocol::event::{Fact, FlankClass};
use protocol::ids::Side;
use protocol::orders::{Canister, Order};
use protocol::words::{Arm, Formation};

use super::{
    Came, Candidates, HOLD, Occasion, Officers, Shot, Wishes, blue, choose, chosen, fired, fired_as, grey, laid, lay,
    reckoned, shot, volley_dice,
};
use crate::battle::Table;
use crate::dice::Purpose;
use crate::field::Field;
use crate::fire::{Round, combine};
use crate::losses;
use crate::ruleset::{Ruleset, Strength};
use crate::settle::{FiredOn, Happening};
use crate::testing::{Maker, battery, cavalry, infantry, ix, leader, open_ground, table};

/// A Union battery of so many sections that faces north; its opening volley is used.
fn guns(id: &str, sections: u32) -> Maker {
    battery(id, Side::Union).at(30_000, 30_000).with(move |unit| {
        unit.stands[0].figures = sections;
        unit.stands[0].full = sections;
        unit.figures_at_start = sections;
        unit.opening_volley_used = true;
    })
}

fn with_canister(charges: u32) -> impl FnOnce(&mut crate::battle::Unit) {
    move |unit| unit.guns.as_mut().expect("a battery has guns").canister = charges
}

/// Why a unit does not fire at another, by the rule.
fn refusal(units: Vec<Maker>, firer: &str, target: &str) -> Option<String> {
    let table = table(open_ground(), units);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let reason = lay(&field, &shot(&table, firer, target, &HOLD, Occasion::Hold), &Officers::Present).err();
    reason.map(|reason| reason.rule.to_string())
}

/// Flank class and modifiers of a fire on HOLD.
fn aimed(firer: Maker, target: Maker) -> (FlankClass, i32) {
    let table = table(open_ground(), [firer, target]);
    let laid = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
    (laid.flank, laid.modifiers.total())
}

/// What was done to a unit, as it goes to morale.
fn fired_on<'c>(came: &'c Came, unit: &str) -> Option<&'c FiredOn> {
    let unit = ix(&came.battle.table, unit);
    came.happenings.iter().find_map(|happening| match happening {
        Happening::FiredOn(fire) if fire.unit == unit => Some(fire),
        _ => None,
    })
}

fn is_out(came: &Came, unit: &str) -> bool {
    came.battle.table[ix(&came.battle.table, unit)].ammunition_out()
}

fn charges(came: &Came, unit: &str) -> Option<u32> {
    came.battle.table[ix(&came.battle.table, unit)].guns.as_ref().map(|guns| guns.canister)
}

// ---------------------------------------------------------------------------------------------- how many fire

#[test]
fn org_05_living_figures_of_a_stand_that_has_begun_to_suffer_still_fire() {
    let worn = blue("a", 12).with(|unit| {
        losses::take(unit, 2);
    });
    assert_eq!(reckoned(vec![worn, grey("b", 12, 3_000)], "a", "b").2, Strength::Figures(10));
}

#[test]
fn form_06_and_07_only_the_first_rank_fires() {
    // Sixteen figures: two stands of a double line, one of an attack column.
    for (formation, figures) in [(Formation::SingleLine, 16), (Formation::DoubleLine, 8), (Formation::AttackColumn, 4)]
    {
        let strength = reckoned(vec![blue("a", 16).formation(formation), grey("b", 12, 3_000)], "a", "b").2;
        assert_eq!(strength, Strength::Figures(figures), "{formation}");
    }
}

#[test]
fn form_14_half_of_all_figures_of_a_skirmish_line_fire_rounded_down() {
    let skirmishers = |figures: u32| blue("a", figures).formation(Formation::SkirmishLine);
    // 13 are 3, 4, 3 and 3: half of the sum is 6; by stands it would be 1 + 2 + 1 + 1.
    for (figures, fire) in [(13, 6), (12, 6), (7, 3)] {
        let strength = reckoned(vec![skirmishers(figures), grey("b", 12, 3_000)], "a", "b").2;
        assert_eq!(strength, Strength::Figures(fire));
    }
    // Half of one is none.
    let one = skirmishers(4).stands_left(1);
    assert_eq!(refusal(vec![one, grey("b", 12, 3_000)], "a", "b").as_deref(), Some("FIRE-05"));
}

#[test]
fn form_16_skirmishers_have_no_opening_volley_and_keep_it() {
    let fresh = |formation| blue("a", 12).formation(formation).with(|unit| unit.opening_volley_used = false);
    let drm = |formation| reckoned(vec![fresh(formation), grey("b", 12, 3_000)], "a", "b").1;
    assert_eq!((drm(Formation::SkirmishLine), drm(Formation::SingleLine)), (0, 2));
    // Fired as skirmishers first: the bonus waits for the first fire in another formation.
    let units = [fresh(Formation::SkirmishLine), grey("b", 12, 3_000)];
    let came = fired(table(open_ground(), units), 7, volley_dice("a", &[1, 1, 2]), &[("a", "b", HOLD, Occasion::Hold)]);
    let mut after = came.battle.table;
    let own = ix(&after, "a");
    after[own].footing.formation = Formation::SingleLine;
    assert_eq!(laid(&after, &shot(&after, "a", "b", &HOLD, Occasion::Hold)).modifiers.total(), 2);
}

#[test]
fn form_22_a_point_on_the_ray_is_side_fire_and_nothing_is_fired_to_the_rear() {
    // Twelve figures: the head is 750 wide, its right corner lies at (30375, 30000). A battery an inch square whose centre
    // lies three inches ahead and three to the right of that corner is on the ray; 5 thousandths to the left it is ahead.
    let column = || blue("a", 12).formation(Formation::MarchColumn);
    let target = |x: i32| battery("b", Side::Confederate).at(x, 32_500).facing(18_000);
    assert_eq!(reckoned(vec![column(), target(33_375)], "a", "b").2, Strength::Figures(6));
    assert_eq!(reckoned(vec![column(), target(33_370)], "a", "b").2, Strength::Figures(3));
    let behind = battery("b", Side::Confederate).at(30_000, 25_000).facing(0);
    assert!(refusal(vec![column(), behind], "a", "b").is_some());
}

#[test]
fn form_26_disorder_lies_over_the_stands_as_they_were() {
    // A disordered column keeps its stands one behind another and fires from its head alone: half of its figures, no sides.
    let column = || blue("a", 12).formation(Formation::MarchColumn).disordered();
    let units = [column(), blue("ordered", 12).formation(Formation::MarchColumn)];
    let table = table(open_ground(), units);
    assert_eq!(table[ix(&table, "a")].layout().corners(), table[ix(&table, "ordered")].layout().corners());
    assert_eq!(reckoned(vec![column(), grey("b", 12, 3_000)], "a", "b").2, Strength::Figures(6));
    let beside = grey("b", 12, 0).at(33_000, 28_500).facing(27_000);
    assert!(refusal(vec![column(), beside], "a", "b").is_some());
    // A stand lost leaves it as ORG-06 has it: the tail is gone.
    let mut unit = column().unit();
    let before = unit.layout().corners();
    losses::take(&mut unit, 3);
    assert_eq!(unit.layout().corners(), before[..3]);
}

// ---------------------------------------------------------------------------------------------- who is hit

#[test]
fn form_15_losses_of_skirmishers_are_halved_rounded_down() {
    // A total of 9 kills 1, 11 two, 14 three, 17 four.
    for (faces, killed) in [([3, 3, 3], 0), ([4, 4, 3], 1), ([5, 5, 4], 1), ([6, 6, 5], 2)] {
        let target = grey("b", 12, 3_000).formation(Formation::SkirmishLine);
        let field = table(open_ground(), [blue("a", 12), target]);
        let came = fired(field, 7, volley_dice("a", &faces), &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!(12 - came.left("b"), killed, "{faces:?}");
    }
}

/// `a` fires at the line `t` past a screen so many thousandths before it.
fn past(screen: Maker, gap: i32) -> Table {
    table(open_ground(), [blue("a", 12), screen, grey("t", 16, 3_625 + gap)])
}

#[test]
fn form_17_past_a_skirmish_line_two_inches_before_the_target_is_area_fire() {
    let skirmishers = || grey("s", 16, 3_000).formation(Formation::SkirmishLine);
    let reckon = |table: &Table| {
        let laid = laid(table, &shot(table, "a", "t", &HOLD, Occasion::Hold));
        (table[laid.shot.target].id.to_string(), laid.dice_count(), laid.sharers.len())
    };
    // Two dice on HOLD at long range, one less for area fire. The gap of 2.000 takes its tolerance of 0.002 off.
    assert_eq!(reckon(&past(skirmishers(), 2_000)), ("t".to_owned(), 1, 0));
    assert_eq!(reckon(&past(skirmishers(), 1_998)), ("t".to_owned(), 1, 0));
    assert_eq!(reckon(&past(skirmishers(), 1_997)), ("s".to_owned(), 3, 1));
    // Nobody is named: the skirmishers are the nearer target, unless the owner wishes past them.
    let table = past(skirmishers(), 2_000);
    assert_eq!(chosen(&table, "a", &Wishes::default()).as_deref(), Some("s"));
    let wishes = Wishes { past_skirmishers: true, ..Wishes::default() };
    assert_eq!(chosen(&table, "a", &wishes).as_deref(), Some("t"));
    // One clear line is enough: a single stand does not screen a line of four.
    assert_eq!(reckon(&past(skirmishers().stands_left(1), 2_000)), ("t".to_owned(), 2, 0));
    // Sharpshooters screen like skirmishers.
    let sharpshooters = infantry("s", Side::Confederate).at(30_000, 33_000).facing(18_000).with(|unit| {
        unit.arm = Arm::Sharpshooter;
        unit.footing.formation = Formation::SkirmishLine;
        unit.stands.truncate(1);
        unit.stand_width = 6_000;
    });
    assert_eq!(reckon(&past(sharpshooters, 2_000)), ("t".to_owned(), 1, 0));
}

#[test]
fn form_18_the_unit_close_behind_takes_the_checks_of_a_unit_behind_a_target() {
    let field = || {
        let skirmishers = grey("s", 16, 3_500).formation(Formation::SkirmishLine);
        table(open_ground(), [guns("a", 2), skirmishers, grey("t", 16, 3_500 + 625 + 1_500)])
    };
    let fire = |faces: &[u8]| {
        let dice = volley_dice("a", faces).with(Purpose::PenDepth, &["a"], &[1]);
        fired(field(), 7, dice, &[("a", "t", HOLD, Occasion::Hold)])
    };
    // 15 on two sections: two figures, halved to one on the skirmishers, and one on the line behind them.
    let hit = fire(&[5, 5, 5]);
    assert_eq!((hit.left("s"), hit.left("t")), (15, 15));
    let forced = |came: &Came, unit: &str| fired_on(came, unit).map(|fire| (fire.forces_hit_check, fire.figures));
    assert_eq!((forced(&hit, "s"), forced(&hit, "t")), (Some((true, 1)), Some((true, 1))));
    // 9 is an MC: it shakes those at whom it was fired and is not passed on (PEN-07).
    let shaken = fire(&[3, 3, 3]);
    assert_eq!((forced(&shaken, "s"), forced(&shaken, "t")), (Some((true, 0)), None));
    // 12 kills one, and half of one skirmisher is none: still a hit for them, nothing for the line.
    let spared = fire(&[4, 4, 4]);
    assert_eq!((forced(&spared, "s"), forced(&spared, "t")), (Some((true, 0)), None));
}

#[test]
fn form_18_at_long_range_too() {
    // Eight inches off are long range for muskets: nothing penetrates, and the loss is shared all the same. 12: two, halved.
    let skirmishers = grey("s", 16, 8_000).formation(Formation::SkirmishLine);
    let field = table(open_ground(), [blue("a", 12), skirmishers, grey("t", 16, 8_000 + 625 + 1_500)]);
    let came = fired(field, 7, volley_dice("a", &[6, 5]), &[("a", "s", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("s"), came.left("t")), (15, 15));
}

#[test]
fn org_11_leaders_stand_in_nobodys_way() {
    for side in Side::BOTH {
        let mut table = table(open_ground(), [blue("a", 16), grey("b", 16, 3_000)]);
        table.leaders.insert("l".into(), leader("l", side, 30_000, 31_500));
        let mut wide = leader("wide", side, 30_000, 31_500);
        wide.post = crate::battle::Post::Corps;
        table.leaders.insert("wide".into(), wide);
        let one = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
        assert_eq!(one.strength, Strength::Figures(16));
        assert_eq!(chosen(&table, "a", &Wishes::default()).as_deref(), Some("b"));
    }
}

// ---------------------------------------------------------------------------------------------- what it is worth

/// A march column of sixteen figures in four stands, 875 wide and 2500 long.
fn column(facing: i32, x: i32, y: i32) -> Maker {
    grey("b", 16, 0).formation(Formation::MarchColumn).facing(facing).at(x, y)
}

#[test]
fn form_24_the_head_and_the_tail_of_a_column_are_its_flanks() {
    // Three inches north of the firer: its head, its tail, its side.
    let head = column(18_000, 30_000, 33_000);
    let tail = column(0, 30_000, 35_500);
    let side = column(9_000, 31_250, 33_438);
    // +3 as a column, +4 for the full flank; it has no rear.
    assert_eq!(aimed(blue("a", 12), head), (FlankClass::Full, 7));
    assert_eq!(aimed(blue("a", 12), tail), (FlankClass::Full, 7));
    assert_eq!(aimed(blue("a", 12), side), (FlankClass::Front, 3));
}

#[test]
fn form_25_a_column_is_three_to_muskets_and_guns_and_enfilade_comes_on_top() {
    let side = || column(9_000, 31_250, 33_438);
    assert_eq!((aimed(blue("a", 12), side()).1, aimed(guns("a", 2), side()).1), (3, 3));
    // Guns along its length: +6.
    assert_eq!(aimed(guns("a", 2), column(18_000, 30_000, 33_000)), (FlankClass::Full, 9));
}

#[test]
fn form_28_disorder_is_three_from_any_direction() {
    let disordered = |facing: i32, x: i32| grey("b", 16, 3_313).disordered().facing(facing).at(x, 33_313);
    for firer in [blue("a", 12), guns("a", 2)] {
        // On its front and on its right and left flanks.
        for facing in [18_000, 9_000, 27_000] {
            assert_eq!(aimed(firer.clone(), disordered(facing, 30_000)), (FlankClass::Front, 3));
        }
    }
    // On its rear, but not directly: it stands six inches to the side.
    assert_eq!(aimed(blue("a", 12), disordered(0, 35_700)), (FlankClass::Front, 3));
    // Mounted cavalry has a value of its own.
    let horse = cavalry("b", Side::Confederate).at(30_000, 33_000).facing(18_000).disordered();
    assert_eq!(aimed(blue("a", 12), horse).1, 6);
}

#[test]
fn form_31_directly_from_the_rear_its_penalty_comes_on_top() {
    // Its rear edge lies three inches north of the firer, who stands squarely behind it: +2 for muskets, +3 for shot.
    let disordered = || grey("b", 16, 0).disordered().facing(0).at(30_000, 33_625);
    assert_eq!(aimed(blue("a", 12), disordered()), (FlankClass::Rear, 5));
    assert_eq!(aimed(guns("a", 2), disordered()), (FlankClass::Rear, 6));
    // The rays run outward at 45 degrees from the corners of its rear, here (31750, 33000) and (28250, 33000). The centres
    // of the firer's stands lie 3.313 inches behind: one that is 3.312 inches outside still counts, one 3.320 does not.
    let single = |x: i32| blue("a", 20).stands_left(1).at(x, 30_000);
    assert_eq!(aimed(single(31_750 + 3_312), disordered()).0, FlankClass::Rear);
    assert_eq!(aimed(single(31_750 + 3_320), disordered()).0, FlankClass::Front);
}

// ---------------------------------------------------------------------------------------------- ammunition

#[test]
fn ammo_01_one_die_is_all_dice() {
    // Moved and at long range: one die. A six is nothing but sixes; side rolls do not count.
    let moved = Order::Move(Default::default());
    for (face, out) in [(6, true), (5, false)] {
        let field = table(open_ground(), [blue("a", 16), grey("b", 16, 5_000)]);
        let mut dice = volley_dice("a", &[face]);
        // 5 and 6 on sixteen figures are a possible loss.
        dice = dice.with(Purpose::FireConfirm, &["a", "b"], &[6]);
        let came = fired(field, 8, dice, &[("a", "b", moved.clone(), Occasion::Moving)]);
        assert_eq!((is_out(&came, "a"), came.left("b")), (out, 15), "the fire itself is resolved in full");
    }
}

#[test]
fn ammo_02_a_die_less_but_at_least_one() {
    let out = |unit: &mut crate::battle::Unit| unit.ammunition_out_since = Some(1);
    let dice = |firer: Maker, order: &Order, range: i32| {
        let table = table(open_ground(), [firer, grey("b", 12, range)]);
        laid(&table, &shot(&table, "a", "b", order, Occasion::Hold)).dice_count()
    };
    let moved = Order::Move(Default::default());
    assert_eq!((dice(blue("a", 12), &HOLD, 3_000), dice(blue("a", 12).with(out), &HOLD, 3_000)), (3, 2));
    assert_eq!((dice(blue("a", 12), &moved, 5_000), dice(blue("a", 12).with(out), &moved, 5_000)), (1, 1));
    assert_eq!((dice(guns("a", 2), &HOLD, 8_000), dice(guns("a", 2).with(out), &HOLD, 8_000)), (3, 2));
    // Nothing but sixes again changes nothing more, and is not told again.
    let field = table(open_ground(), [blue("a", 12).with(out), grey("b", 16, 3_000)]);
    let came = fired(field, 7, volley_dice("a", &[6, 6]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.battle.table[ix(&came.battle.table, "a")].ammunition_out_since, Some(1));
    assert!(!came.facts.iter().any(|fact| matches!(fact, Fact::Ammunition { .. })));
}

#[test]
fn ammo_03_repeaters_run_out_on_fours() {
    for (rapid, faces, out) in [
        (true, vec![4, 5, 6, 4], true),
        (true, vec![3, 5, 6, 4], false),
        (false, vec![4, 5, 6], false),
        (false, vec![6, 6, 6], true),
    ] {
        let field = table(open_ground(), [blue("a", 12).weapon("repeating_rifle"), grey("b", 16, 3_000)]);
        let mut one = shot(&field, "a", "b", &HOLD, Occasion::Hold);
        one.firers[0].rapid = rapid;
        assert_eq!(is_out(&fired_as(field, 7, volley_dice("a", &faces), vec![one]), "a"), out, "{rapid} {faces:?}");
    }
}

#[test]
fn ammo_07_batteries_that_fire_as_one_run_out_together() {
    let row = |n: i32| guns(&format!("g{n}"), 2).at(30_000 + 1_500 * n, 30_000);
    let field = table(open_ground(), [row(0), row(1), row(2), grey("b", 16, 10_000)]);
    let mut one = shot(&field, "g0", "b", &HOLD, Occasion::Hold);
    for other in ["g1", "g2"] {
        one.firers.extend(shot(&field, other, "b", &HOLD, Occasion::Hold).firers);
    }
    let dice = volley_dice("g0", &[6, 6, 6]).with(Purpose::PenDepth, &["g0"], &[1]);
    let came = fired_as(field, 7, dice, vec![one]);
    assert!(["g0", "g1", "g2"].iter().all(|battery| is_out(&came, battery)));
}

#[test]
fn ammo_09_sixes_with_canister_take_a_die_of_either_round_and_no_further_charge() {
    let field = table(open_ground(), [guns("a", 2).with(with_canister(2)), grey("b", 16, 2_000)]);
    let canister = |table: &Table, round| Shot { round, ..shot(table, "a", "b", &HOLD, Occasion::Hold) };
    let count = |table: &Table, round| laid(table, &canister(table, round)).dice_count();
    assert_eq!((count(&field, Round::Canister), count(&field, Round::Plain)), (5, 3));
    let one = canister(&field, Round::Canister);
    let came = fired_as(field, 7, volley_dice("a", &[6; 5]), vec![one]);
    assert_eq!((is_out(&came, "a"), charges(&came, "a")), (true, Some(1)));
    let mut after = came.battle.table;
    // As if in the next turn, so that no earlier fire counts.
    let own = ix(&after, "a");
    after[own].marks.fires = 0;
    assert_eq!((count(&after, Round::Canister), count(&after, Round::Plain)), (4, 2));
}

/// The round that a battery of so many charges fires at two inches, as its owner wishes.
fn round_of(canister: u32, wish: Canister) -> Round {
    let table = table(open_ground(), [guns("a", 2).with(with_canister(canister)), grey("b", 16, 2_000)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let wishes = Wishes { canister: wish, ..Wishes::default() };
    let unit = ix(&table, "a");
    let looking =
        Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion: Occasion::Hold, dice: None };
    choose(&looking).expect("it has a target").round
}

#[test]
fn ammo_10_two_charges_are_two_shots_or_one_double() {
    assert_eq!(round_of(2, Canister::Double), Round::DoubleCanister);
    assert_eq!(round_of(1, Canister::Double), Round::Canister);
    assert_eq!([round_of(2, Canister::Single), round_of(1, Canister::Single)], [Round::Canister; 2]);
    assert_eq!([round_of(0, Canister::Double), round_of(0, Canister::Single)], [Round::Plain; 2]);
    for (round, dice, left) in [(Round::Canister, 5, 1), (Round::DoubleCanister, 6, 0)] {
        let field = table(open_ground(), [guns("a", 2).with(with_canister(2)), grey("b", 16, 2_000)]);
        let one = Shot { round, ..shot(&field, "a", "b", &HOLD, Occasion::Hold) };
        let came = fired_as(field, 7, volley_dice("a", &vec![1; dice]), vec![one]);
        assert_eq!(charges(&came, "a"), Some(left));
    }
}

#[test]
fn ammo_10_a_battery_without_charges_is_left_out_of_a_canister_shoot() {
    let row = |id: &str, n: i32, charges| guns(id, 2).at(30_000 + 1_500 * n, 30_000).with(with_canister(charges));
    let table = table(open_ground(), [row("g0", 0, 1), row("g1", 1, 2), row("g2", -1, 0), grey("b", 16, 2_000)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let wishes = Wishes::default();
    let one = |id: &str| {
        let unit = ix(&table, id);
        let occasion = Occasion::Hold;
        choose(&Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion, dice: None })
            .expect("it has a target")
    };
    let shots = vec![one("g0"), one("g1"), one("g2")];
    let wished: Vec<_> = ["g0", "g1", "g2"].map(|id| (ix(&table, id), Wishes::default())).into();
    let mut joined: Vec<(Round, Vec<String>)> = combine(&field, shots, &wished)
        .into_iter()
        .map(|shot| (shot.round, shot.firers.iter().map(|firer| table[firer.unit].id.to_string()).collect()))
        .collect();
    joined.sort();
    let names = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(joined, [(Round::Plain, names(&["g2"])), (Round::Canister, names(&["g0", "g1"]))]);
}

#[test]
fn sharp_11_sharpshooters_who_have_joined_add_one_to_the_roll_and_no_figure() {
    let (dice, drm, strength) = reckoned(vec![blue("a", 12), grey("b", 12, 3_000)], "a", "b");
    let with = blue("a", 12).with(|unit| unit.sharpshooters = Some("s".into()));
    assert_eq!(reckoned(vec![with, grey("b", 12, 3_000)], "a", "b"), (dice, drm + 1, strength));
}

#[test]
fn mor_16_the_fire_of_a_regiment_that_sharpshooters_have_joined_forces_no_hit_check() {
    let forces = |firer: Maker| {
        let table = table(open_ground(), [firer, grey("b", 12, 3_000)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).forces_checks(&field)
    };
    assert!(!forces(blue("a", 12).with(|unit| unit.sharpshooters = Some("s".into()))));
    let by_themselves = blue("a", 12).formation(Formation::SkirmishLine).with(|unit| {
        unit.arm = Arm::Sharpshooter;
        unit.weapon = "sharpshooter_rifle".to_owned();
        unit.stands.truncate(1);
    });
    assert!(forces(by_themselves), "MOR-12");
}
