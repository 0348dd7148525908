//! IMP, IDD-02, IDD-05 to IDD-10, CHG-20 to CHG-22: what each side brings to the dice down.
//!
//! Base morale points: elite 2, veteran 3, green 4. Elan is -1.

use protocol::event::{FlankClass, Morale, OrderShown};
use protocol::ids::Side;
use protocol::words::{Flank, Formation, Quality};

use super::*;
use crate::charge::clash::supports_of_defence;
use crate::dice::ScriptedDice;
use crate::leaders::{self, Help};
use crate::play::Play;
use crate::testing::{self, battery, battle, cavalry, commander_of, table};
use protocol::orders::{LeaderDraft, Stage};

const UNION: Side = Side::Union;
const CONFEDERATE: Side = Side::Confederate;

/// What `d` brings when `a` strikes it.
fn defends(maker: Maker) -> i32 {
    let table = table(open_ground(), [a(), maker]);
    points(&table, &charge(&table, &[], &[])).1
}

#[test]
fn imp_01_base_basic_formation_and_what_is_peculiar_to_charges() {
    let s = infantry("s", UNION).at(30_000, 28_000);
    let a = a().formation(Formation::DoubleLine).stands_left(3);
    let field = table(open_ground(), [a, d(), s]);
    let clash = charge(&field, &["s"], &[]);
    // Veteran 3, a stand lost +3, double line -1, support -1, elan -1; the other side its 3 alone.
    assert_eq!(points(&field, &clash), (3, 3));
    // No limit below: elite 2, double line -1, elan -1, and four supports.
    let supports = ["s1", "s2", "s3", "s4"];
    let behind = supports.iter().zip(0..).map(|(id, n)| infantry(id, UNION).at(20_000 + 5_000 * n, 28_000));
    let elite = super::a().quality(Quality::Elite).formation(Formation::DoubleLine);
    let field = table(open_ground(), [elite, d()].into_iter().chain(behind));
    assert_eq!(points(&field, &charge(&field, &supports, &[])).0, -4);
}

#[test]
fn imp_02_and_idd_02_the_basic_part_is_that_of_a_check_and_no_fire_counts() {
    let d = d().morale(Morale::Shaken).stands_left(2).with(|unit| {
        unit.brigade = Some("b".into());
        unit.marks.fired_on = true;
    });
    let mut table = table(line(ObstacleKind::Fence, 30_000, true, open_ground()), [a(), d]);
    commander_of(&mut table, CONFEDERATE, "b", crate::battle::Post::Brigade, (5_000, 5_000), None);
    table.brigades.values_mut().for_each(|brigade| {
        brigade.commander_lost = true;
        brigade.regiments_lost_before = 1;
    });
    // 3, shaken +2, two stands +6, commander lost +1, a regiment lost +1, fence -1.
    let clash = charge(&table, &[], &[]);
    assert_eq!(points(&table, &clash).1, 12);
    let parts = with_field(&table, |field| impact_morale(field, &clash, Role::Defender).shown());
    assert_eq!(parts.terms.iter().map(|term| term.value).sum::<i32>(), parts.total);
    assert!(parts.terms.iter().all(|term| !term.label.is_empty()));
}

#[test]
fn imp_03_one_entry_for_the_formation_and_disorder_in_its_place() {
    let cases = [
        (Formation::SingleLine, 3),
        (Formation::ExtendedLine, 4),
        (Formation::DoubleLine, 2),
        (Formation::AttackColumn, 1),
        (Formation::SkirmishLine, 9),
        (Formation::Square, 3),
    ];
    for (formation, point) in cases {
        assert_eq!(defends(d().formation(formation)), point, "{formation}");
        assert_eq!(defends(d().formation(formation).disordered()), 7, "{formation} in disorder");
    }
    // ENF-07: a march column that is struck along its spine is struck in the full flank. 3, column +3, flank +6.
    assert_eq!(defends(d().formation(Formation::MarchColumn)), 12);
    // Dismounted cavalry in line +3; in skirmish line and disorder it fights as infantry.
    let on_foot = |formation| cavalry("d", CONFEDERATE).at(30_000, 30_000).facing(18_000).formation(formation);
    let dismounted = |formation| on_foot(formation).with(|unit| unit.mounted = false);
    assert_eq!(defends(dismounted(Formation::DismountedLine)), 6);
    assert_eq!(defends(dismounted(Formation::SkirmishLine)), 9);
    assert_eq!(defends(dismounted(Formation::DismountedLine).disordered()), 7);
    // Mounted disorder has its own entry.
    assert_eq!(defends(on_foot(Formation::SingleLine).disordered()), 6);
}

#[test]
fn imp_03_and_arty_10_to_12_guns_have_eight_more_without_support() {
    let guns = || battery("d", CONFEDERATE).at(30_000, 30_000).facing(18_000);
    let beside = |id: &str, gap: i32| infantry(id, CONFEDERATE).at(30_500 + gap + 1_750, 30_000).facing(18_000);
    let with = |others: Vec<Maker>| {
        let table = table(open_ground(), [a(), guns()].into_iter().chain(others));
        points(&table, &charge(&table, &[], &[])).1
    };
    assert_eq!(with(vec![]), 11);
    assert_eq!(with(vec![beside("f", 2_000)]), 3);
    assert_eq!(with(vec![beside("f", 2_010)]), 11);
    assert_eq!(with(vec![beside("f", 500).morale(Morale::Shaken)]), 11);
    assert_eq!(with(vec![beside("f", 500).formation(Formation::SkirmishLine)]), 11);
    // Three batteries of one battalion, linked one by one, support themselves.
    let of_battalion = |id: &str, x: i32| {
        let gun = battery(id, CONFEDERATE).at(x, 30_000).facing(18_000);
        gun.with(|unit| unit.brigade = Some("b".into()))
    };
    let mut three =
        table(open_ground(), [a(), of_battalion("d", 30_000), of_battalion("e", 31_500), of_battalion("f", 33_000)]);
    commander_of(&mut three, CONFEDERATE, "b", crate::battle::Post::Brigade, (5_000, 5_000), None);
    three.brigades.values_mut().for_each(|brigade| brigade.guns = true);
    let clash = charge(&three, &[], &[]);
    assert_eq!(points(&three, &clash).1, 3);
    let third = ix(&three, "f");
    three[third].morale = Morale::Routed;
    assert_eq!(points(&three, &clash).1, 11);
}

#[test]
fn imp_04_who_countercharges_has_elan_too() {
    let table = table(open_ground(), [a(), d()]);
    assert_eq!(points(&table, &charge(&table, &[], &[])), (2, 3));
    assert_eq!(points(&table, &countercharge(&table, &[], &[])), (2, 2));
    // ORD-13: not in a second turn running.
    let mut tired = countercharge(&table, &[], &[]);
    tired.defender.elan = false;
    assert_eq!(points(&table, &tired), (2, 3));
}

#[test]
fn imp_05_and_idd_05_and_chg_20_supports_by_their_arm_and_whatever_their_order() {
    let foot = |id: &str, side| infantry(id, side).at(10_000, 10_000).disordered();
    let horse = |id: &str, side| cavalry(id, side).at(10_000, 20_000);
    let table = table(
        open_ground(),
        [a(), d(), foot("s", UNION), foot("t", UNION), foot("u", CONFEDERATE), horse("v", CONFEDERATE)],
    );
    // 21st NY with two infantry supports: -2. The defender has one of foot, -1, and one of horse, -2.
    assert_eq!(points(&table, &charge(&table, &["s", "t"], &["u", "v"])), (0, 0));
    // With one support against two the net edge is 1.
    let (attacker, defender) = points(&table, &charge(&table, &["s", "t"], &["u"]));
    assert_eq!((attacker, defender), (0, 2));
}

#[test]
fn imp_06_horse_does_not_support_a_charge_on_foot_and_dismounted_men_do() {
    let horse = |id: &str| cavalry(id, UNION).at(10_000, 10_000);
    let table = table(open_ground(), [a(), d(), horse("h"), horse("f").with(|unit| unit.mounted = false)]);
    assert_eq!(points(&table, &charge(&table, &["h"], &[])).0, 2);
    assert_eq!(points(&table, &charge(&table, &["f"], &[])).0, 1);
}

/// `d` faces north; `a` comes from so many degrees clockwise of its front, and touches it.
fn struck_from(degrees: i32, d: Maker) -> (FlankClass, i32) {
    let d = d.at(30_000, 30_000).facing(0);
    // The body of d reaches from x = 28.25 to 31.75 and from y = 29.375 to 30.
    let at = match degrees {
        0 => (30_000, 30_000),
        90 => (31_750, 29_687),
        180 => (30_000, 29_375),
        other => panic!("no place for {other}"),
    };
    let a = infantry("a", UNION).at(at.0, at.1).facing((degrees + 180) * 100);
    let table = table(open_ground(), [a, d]);
    let clash = charge(&table, &[], &[]);
    (clash.aspect, points(&table, &clash).1)
}

#[test]
fn imp_07_and_idd_07_flank_and_rear() {
    assert_eq!(struck_from(0, d()), (FlankClass::Front, 3));
    // From due east half of the charging line lies behind the front line: two stands of four.
    assert_eq!(struck_from(90, d()), (FlankClass::Full, 9));
    assert_eq!(struck_from(180, d()), (FlankClass::Rear, 12));
    // FR is at (31.75, 30), and the 45 degree line runs north-east from it. A line that faces south-west with its middle on it
    // has two of its four stands behind it, and none wholly behind the front line.
    assert_eq!(struck_aslant(1_000, 1_000), (FlankClass::Partial, 6));
    // A little to the north-west only one stand is left behind it.
    assert_eq!(struck_aslant(900, 1_100), (FlankClass::Front, 3));
}

/// The class and sum against a line that faces south-west, its middle so far east and north of the right front corner.
fn struck_aslant(east: i32, north: i32) -> (FlankClass, i32) {
    let slanting = infantry("a", UNION).at(31_750 + east, 30_000 + north).facing(22_500);
    let table = table(open_ground(), [slanting, d().facing(0)]);
    let clash = charge(&table, &[], &[]);
    (clash.aspect, points(&table, &clash).1)
}

#[test]
fn imp_07_a_refused_stand_and_a_unit_that_charges() {
    let refused = d().with(|unit| unit.footing.refused = Some(Flank::Right));
    assert_eq!(struck_from(90, refused), (FlankClass::Partial, 6), "ENF-12: full becomes partial");
    let square = d().formation(Formation::Square);
    assert_eq!(struck_from(180, square).0, FlankClass::Front);
    // Who charges pays nothing, whatever it is told.
    let table = table(open_ground(), [a(), d()]);
    let clash = Clash { aspect: FlankClass::Full, ..countercharge(&table, &[], &[]) };
    assert_eq!(points(&table, &clash).1, 2);
}

#[test]
fn imp_08_and_idd_08_and_form_30_and_31_disorder_in_place_of_the_flank_but_the_rear_counts() {
    assert_eq!(struck_from(90, d().disordered()), (FlankClass::Front, 7));
    assert_eq!(struck_from(180, d().disordered()), (FlankClass::Rear, 16));
    let horse = cavalry("d", CONFEDERATE).disordered();
    let table = table(open_ground(), [a(), horse.at(30_000, 30_000).facing(18_000)]);
    let clash = Clash { aspect: FlankClass::Full, ..charge(&table, &[], &[]) };
    assert_eq!(points(&table, &clash).1, 6, "cavalry +3, and no flank");
}

#[test]
fn imp_08_and_form_31_of_the_charger_only_the_front_rank_is_asked() {
    // A column of attack from the south: its fourth stand is 4.5 inches behind the head, and all are in the narrow rear.
    let behind = |x: i32| {
        let a = infantry("a", UNION).at(x, 29_375).formation(Formation::AttackColumn);
        let table = table(open_ground(), [a, d().facing(0).disordered()]);
        charge(&table, &[], &[]).aspect
    };
    assert_eq!(behind(30_000), FlankClass::Rear);
    // RR is at (31.75, 29.375). The centre of the head lies 0.312 behind the rear line, so it may be as far outside.
    assert_eq!(behind(31_750 + 300), FlankClass::Rear);
    assert_eq!(behind(31_750 + 330), FlankClass::Front);
}

#[test]
fn imp_09_and_idd_06_forming_and_conditional_hold_add_up() {
    let waiting = |maker: Maker, forming: bool, held: bool| {
        let table = table(open_ground(), [a(), maker.with(|unit| unit.marks.conditional_hold = held)]);
        let mut clash = charge(&table, &[], &[]);
        clash.defender.forming = forming;
        points(&table, &clash).1
    };
    assert_eq!(waiting(d(), true, false), 5);
    assert_eq!(waiting(d(), false, true), 5);
    assert_eq!(waiting(d(), true, true), 7);
    // CF-06: one that failed to form is disordered and on Conditional Hold.
    assert_eq!(waiting(d().disordered(), false, true), 9);
    // CF-07: 14th AL, disordered and caught forming: +4 and +2.
    assert_eq!(waiting(d().disordered(), true, false), 9);
}

#[test]
fn imp_10_and_lead_15_the_officer_with_the_front_unit_alone() {
    let s = infantry("s", UNION).at(30_000, 25_000);
    let mut table = table(open_ground(), [a(), d(), s]);
    put(&mut table, officer("with_s", UNION, (30_000, 24_000), 3, &["s"]));
    assert_eq!(points(&table, &charge(&table, &["s"], &[])).0, 1, "3, elan -1, support -1");
    put(&mut table, officer("with_a", UNION, (30_000, 28_600), 2, &["a"]));
    assert_eq!(points(&table, &charge(&table, &["s"], &[])).0, -1);
    // LEAD-11: he must have begun the turn with a unit that charges; a unit that is charged takes him as he comes.
    put(&mut table, officer("with_a", UNION, (30_000, 28_600), 2, &[]));
    assert_eq!(points(&table, &charge(&table, &["s"], &[])).0, 1);
    put(&mut table, officer("with_d", CONFEDERATE, (30_000, 31_400), 2, &[]));
    assert_eq!(points(&table, &charge(&table, &[], &[])).1, 1);
}

/// `a` and `b` charge side by side, with a leader of level 2 between them who began with both.
fn two_charges() -> crate::battle::Battle {
    let ordered = |maker: Maker| {
        maker.with(|unit| unit.marks.shown = Some(OrderShown::Charge { target: None, support_of: None }))
    };
    let b = infantry("b", UNION).at(34_000, 30_000);
    let mut table = table(open_ground(), [ordered(a()), ordered(b), d()]);
    put(&mut table, officer("l", UNION, (32_000, 29_000), 2, &["a", "b"]));
    battle(table)
}

fn helps(battle: crate::battle::Battle, batches: &[(&str, Help)]) -> Vec<bool> {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 6;
    let mut helped = Vec::new();
    for (unit, help) in batches {
        let unit = ix(play.table(), unit);
        helped.push(leaders::allot(&mut play, &[(unit, *help)]).helper(unit).is_some());
    }
    helped
}

#[test]
fn imp_11_and_cavc_32_a_leader_goes_in_with_one_charge() {
    assert_eq!(helps(two_charges(), &[("a", Help::Charge), ("b", Help::Charge)]), [true, false]);
    assert_eq!(helps(two_charges(), &[("a", Help::Charge), ("b", Help::Countercharge)]), [true, false]);
    // Units that receive a charge where they stand are not limited by it.
    assert_eq!(helps(two_charges(), &[("a", Help::Charge), ("b", Help::Morale)]), [true, true]);
    // His own unit comes first, and before that his owner's word.
    let mut attached = two_charges();
    attached.table.leaders.values_mut().for_each(|leader| leader.attached = Some("b".into()));
    assert_eq!(helps(attached.clone(), &[("a", Help::Charge), ("b", Help::Charge)]), [false, true]);
    let draft = LeaderDraft { go_in_with: Some("a".into()), ..LeaderDraft::default() };
    let orders = crate::battle::LeaderOrders { said: [(Stage::Orders, draft)].into() };
    attached.secrets.get_mut(UNION).open_mut().leaders.insert("l".into(), orders);
    assert_eq!(helps(attached, &[("b", Help::Charge), ("a", Help::Charge)]), [false, true]);
}

#[test]
fn lead_14_who_was_told_to_leads_the_charge_that_he_goes_in_with() {
    let led = |option: &str, lead: Option<bool>, help: Help| {
        let mut battle = two_charges();
        battle.table = testing::played_by(battle.table, &[("lead_charge", option)]);
        let said = LeaderDraft { lead, ..LeaderDraft::default() };
        let orders = crate::battle::LeaderOrders { said: [(Stage::Orders, said)].into() };
        battle.secrets.get_mut(UNION).open_mut().leaders.insert("l".into(), orders);
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
        play.phase = 6;
        let a = ix(play.table(), "a");
        leaders::allot(&mut play, &[(a, help)]);
        play.table().leaders[&"l".into()].marks.led_charge
    };
    assert!(led("on", Some(true), Help::Charge));
    assert!(!led("on", None, Help::Charge), "by default he only goes along");
    assert!(!led("on", Some(false), Help::Charge));
    assert!(!led("on", Some(true), Help::Morale), "he is in no charge");
    assert!(!led("off", Some(true), Help::Charge), "the option is off");
}

#[test]
fn imp_11_a_support_is_in_the_charge_of_its_point() {
    let mut together = two_charges();
    let b = ix(&together.table, "b");
    together.table[b].marks.shown = Some(OrderShown::Charge { target: None, support_of: Some("a".into()) });
    assert_eq!(helps(together, &[("a", Help::Charge), ("b", Help::Charge)]), [true, true]);
}

/// A mounted battalion `a` or `d` of that base morale point.
fn horse(id: &str, side: Side, bmp: i32, formation: Formation) -> Maker {
    let maker = cavalry(id, side).at(30_000, 30_000).formation(formation).with(|unit| unit.bmp = Some(bmp));
    if side == UNION { maker } else { maker.facing(18_000) }
}

#[test]
fn imp_12_the_worked_sums() {
    // (a) and (b): 2, double line -2, support -2, elan -1 = -3 against 2, double line -2, elan -1 = -1.
    let support = cavalry("s", UNION).at(10_000, 10_000);
    let double = Formation::DoubleLine;
    let field =
        table(open_ground(), [horse("a", UNION, 2, double), horse("d", CONFEDERATE, 2, double), support.clone()]);
    assert_eq!(points(&field, &countercharge(&field, &["s"], &[])), (-3, -1));
    // (c) and (d): 3, stand lost +3, single line -1, support -2, officer -1, elan -1 = 1 against 3, fence -1, extended +1 = 3.
    let charger = horse("a", UNION, 3, Formation::SingleLine).stands_left(3);
    let ground = line(ObstacleKind::Fence, 30_000, true, open_ground());
    let mut field = table(ground, [charger, d().formation(Formation::ExtendedLine), support]);
    put(&mut field, officer("l", UNION, (30_000, 28_000), 1, &["a"]));
    assert_eq!(points(&field, &charge(&field, &["s"], &[])), (1, 3));
}

#[test]
fn imp_13_two_printed_sums_leave_out_what_the_tables_add() {
    // 2, elan -1, single line -1, officer of level 2 -2 = -2; and 4, elan -1, single line -1 = 2.
    let single = Formation::SingleLine;
    let mut field = table(open_ground(), [horse("a", UNION, 2, single), horse("d", CONFEDERATE, 4, single)]);
    put(&mut field, officer("l", UNION, (30_000, 28_000), 2, &["a"]));
    assert_eq!(points(&field, &countercharge(&field, &[], &[])), (-2, 2));
}

#[test]
fn idd_09_a_friend_that_stands_forward_screens() {
    // Struck by a column 5.125 deep, whose centre is 2.56 behind its head at y = 30: the friend's line lies wholly before the
    // front of `d`, half an inch beside the column, and its centre short of the column's.
    let column = a().formation(Formation::AttackColumn);
    let friend = infantry("f", CONFEDERATE).at(30_438 + 500 + 1_750, 29_000).facing(18_000);
    let field = table(open_ground(), [column.clone(), d(), friend]);
    assert_eq!(points(&field, &charge(&field, &[], &[])).1, -1);
    // A neighbour in the same line does not.
    let beside = infantry("f", CONFEDERATE).at(33_500, 30_000).facing(18_000);
    let field = table(open_ground(), [column, d(), beside]);
    assert_eq!(points(&field, &charge(&field, &[], &[])).1, 3);
}

#[test]
fn idd_10_cover_counts_for_the_defender_only_and_across_it() {
    let both = |ground| {
        let table = table(ground, [a(), d()]);
        points(&table, &charge(&table, &[], &[]))
    };
    assert_eq!(both(line(ObstacleKind::StoneWall, 30_000, true, open_ground())), (2, 2));
    assert_eq!(both(line(ObstacleKind::HastyWorks, 30_000, true, open_ground())), (2, 1));
    assert_eq!(both(belt(Terrain::Woods, 20_000, 40_000)), (2, 2));
    // A wall behind the defender, which faces it, does not cover it from what comes in its rear.
    let ground = line(ObstacleKind::StoneWall, 30_800, false, open_ground());
    assert_eq!(both(ground), (2, 3));
    // A countercharger has left its wall.
    let field = table(line(ObstacleKind::StoneWall, 30_000, true, open_ground()), [a(), d()]);
    assert_eq!(points(&field, &countercharge(&field, &[], &[])), (2, 2));
}

#[test]
fn chg_17_and_21_and_22_who_supports_in_defence() {
    let near = |id: &str, gap: i32| infantry(id, CONFEDERATE).at(30_000 + 3_500 + gap, 30_000).facing(18_000);
    let supports = |maker: Maker, targets: &[&str]| {
        let table = table(open_ground(), [a(), d(), maker]);
        let targets = targets.iter().map(|id| ix(&table, id)).collect();
        !with_field(&table, |field| supports_of_defence(field, ix(&table, "d"), &targets)).is_empty()
    };
    assert!(supports(near("s", 2_000), &["d"]));
    assert!(!supports(near("s", 2_010), &["d"]));
    assert!(supports(near("s", 500).disordered(), &[]), "disorder does not matter");
    assert!(!supports(near("s", 500).morale(Morale::Shaken), &[]));
    assert!(!supports(near("s", 500).formation(Formation::SkirmishLine), &[]));
    assert!(!supports(near("s", 500), &["s"]), "itself the target of a charge");
    assert!(!supports(near("s", 500).with(|unit| unit.marks.charged_by = Some("x".into())), &[]));
    assert!(!supports(near("s", 500).with(|unit| unit.marks.beaten = true), &[]), "IDD-22");
    let ordered = |shown| near("s", 500).with(|unit| unit.marks.shown = Some(shown));
    assert!(!supports(ordered(OrderShown::Disengage {}), &[]));
    assert!(!supports(ordered(OrderShown::Charge { target: None, support_of: None }), &[]));
    assert!(supports(ordered(OrderShown::Hold {}), &[]));
    assert!(!supports(battery("s", CONFEDERATE).at(32_000, 30_000).facing(18_000), &[]), "guns give none");
}

#[test]
fn chg_21_the_nearest_support_comes_first() {
    let near = |id: &str, x: i32| infantry(id, CONFEDERATE).at(x, 30_000).facing(18_000);
    let table = table(open_ground(), [a(), d(), near("far", 34_500), near("near", 26_000)]);
    let found = with_field(&table, |field| supports_of_defence(field, ix(&table, "d"), &nobody()));
    assert_eq!(found, [ix(&table, "near"), ix(&table, "far")]);
}

#[test]
fn dis_16_a_disengaging_unit_is_struck_in_the_rear_on_whatever_side() {
    let fleeing = d().disordered().with(|unit| unit.marks.shown = Some(OrderShown::Disengage {}));
    let table = table(open_ground(), [a(), fleeing]);
    let clash = charge(&table, &[], &[]);
    // Veteran 3, rear +9, disorder +4.
    assert_eq!((clash.aspect, points(&table, &clash).1), (FlankClass::Rear, 16));
}
