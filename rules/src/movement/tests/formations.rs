//! Chapters FORM, MOVE and ORG as they bear on movement, a rule each, beside those of `costs` and `meeting`.

use protocol::event::Morale;
use protocol::ids::LeaderId;
use protocol::ids::Side::{Confederate, Union};
use protocol::orders::{FormTask, HoldFire, HoldTrigger, LeaderDraft, MoveOrder, Ride, Wheel};
use protocol::place::Bearing;
use protocol::words::{Flank, Formation, Quality};

use super::*;
use crate::battle::LeaderOrders;
use crate::ground::{Way, WayKind};
use crate::movement::{Body, ride_before_charges};
use crate::ruleset::{Branch, FormationRow, Inches};
use crate::testing::{battle, leader};

const QUALITIES: [Quality; 4] = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia];

const INFANTRY: [Formation; 6] = [
    Formation::SingleLine,
    Formation::ExtendedLine,
    Formation::DoubleLine,
    Formation::AttackColumn,
    Formation::SkirmishLine,
    Formation::MarchColumn,
];

fn line() -> Maker {
    infantry("u", Union).at(30_000, 10_000)
}

fn form(formation: Formation) -> FormTask {
    FormTask::Formation { formation, facing: None, pivot: None, gap: None }
}

fn forming(task: FormTask) -> MoveOrder {
    MoveOrder { form_first: Some(task), ..MoveOrder::default() }
}

fn rule_of_refusal(program: &Program) -> Option<&str> {
    program.refusals.first().map(|(rule, _)| rule.as_str())
}

// ---------------------------------------------------------------------------------------------- formations

#[test]
fn form_05_and_form_09_the_order_names_the_gap() {
    // Sixteen figures: stands 875 wide. An extended line has up to one width between them, a skirmish line one to two; at
    // one width the formation that was named settles which it is.
    let gap_of = |formation, gap: Option<u32>| {
        let task = FormTask::Formation { formation, facing: None, pivot: None, gap };
        let program = alone(open_ground(), line().formation(Formation::DoubleLine), &forming(task));
        let end = program.end().footing;
        match rule_of_refusal(&program) {
            Some(rule) => Err(rule.to_owned()),
            None => Ok((end.formation, end.gap)),
        }
    };
    use Formation::{ExtendedLine, SkirmishLine};
    assert_eq!(gap_of(ExtendedLine, None), Ok((ExtendedLine, 438)));
    assert_eq!(gap_of(SkirmishLine, None), Ok((SkirmishLine, 1_313)));
    for (formation, gap) in [(ExtendedLine, 1), (ExtendedLine, 875), (SkirmishLine, 875), (SkirmishLine, 1_750)] {
        assert_eq!(gap_of(formation, Some(gap)), Ok((formation, gap as i32)));
    }
    for (formation, gap, rule) in [
        (ExtendedLine, 0, "FORM-05"),
        (ExtendedLine, 876, "FORM-05"),
        (SkirmishLine, 874, "FORM-09"),
        (SkirmishLine, 1_751, "FORM-09"),
    ] {
        assert_eq!(gap_of(formation, Some(gap)), Err(rule.to_owned()));
    }
    // Changing only the gap is a change of formation.
    let task = FormTask::Formation { formation: ExtendedLine, facing: None, pivot: None, gap: Some(800) };
    assert_eq!(alone(open_ground(), line().formation(ExtendedLine), &forming(task)).spent(), TURN / 2);
}

#[test]
fn tac_11_the_reserve_stands_one_to_three_inches_behind_the_middle_of_the_line() {
    let formed = |unit: Maker, gap: Option<u32>| {
        let task = FormTask::Formation { formation: Formation::LineWithReserve, facing: None, pivot: None, gap };
        let program = alone(open_ground(), unit, &forming(task));
        match rule_of_refusal(&program) {
            Some(rule) => Err(rule.to_owned()),
            None => Ok(program.end()),
        }
    };
    // FORM-35: the stand to the right of the middle, 437.5 from the anchor, becomes the middle one of three. The line is 625
    // deep, and the gap lies behind its rear edge.
    for (asked, gap) in [(None, 1_000), (Some(1_000), 1_000), (Some(2_200), 2_200), (Some(3_000), 3_000)] {
        let end = formed(line(), asked).expect("it forms");
        assert_eq!((end.footing.anchor, end.footing.gap), (p(30_438, 10_000), gap));
        let reserve = end.layout(4).stands[3].rect.front_edge().middle();
        assert_eq!(reserve, p(30_438, 10_000 - 625 - gap));
    }
    for gap in [999, 3_001] {
        assert_eq!(formed(line(), Some(gap)), Err("TAC-11".to_owned()));
    }
    assert_eq!(formed(line().stands_left(3), None), Err("TAC-11".to_owned()));
    assert_eq!(formed(cavalry("u", Union).at(30_000, 10_000), None), Err("CAV-02".to_owned()));
}

#[test]
fn tac_12_taking_and_leaving_a_reserve_is_an_ordinary_change() {
    let cost = |ground: Ground, unit: Maker, to: Formation| alone(ground, unit, &forming(form(to))).spent();
    use Formation::{LineWithReserve, SingleLine};
    for (from, to) in [(SingleLine, LineWithReserve), (LineWithReserve, SingleLine)] {
        let unit = || line().formation(from);
        assert_eq!(cost(open_ground(), unit(), to), TURN / 2, "veterans");
        assert_eq!(cost(open_ground(), unit().green(), to), TURN, "green troops");
        assert_eq!(cost(ground_from(0, Terrain::Woods), unit(), to), TURN, "in woods");
    }
    // The middle stand of three becomes the one to the right of the middle of four, 437.5 from the anchor.
    let end = alone(open_ground(), line().formation(LineWithReserve), &forming(form(SingleLine))).end();
    assert_eq!((end.footing.anchor, end.footing.gap), (p(29_562, 10_000), 0));
}

#[test]
fn tac_13_a_line_with_a_reserve_moves_as_a_line() {
    let unit = || line().formation(Formation::LineWithReserve);
    // Six inches in the open, three backward; the ground is that under the firing line, not under the reserve.
    let north = path(&[(30_000, 30_000)]);
    assert_eq!(end_of(&alone(open_ground(), unit(), &north)), (30_000, 16_000));
    assert_eq!(end_of(&alone(ground_to(9_000, Terrain::Woods), unit(), &north)), (30_000, 16_000));
    let back = MoveOrder { backing: true, ..path(&[(30_000, 2_000)]) };
    assert_eq!(end_of(&alone(open_ground(), unit(), &back)), (30_000, 7_000));
    // It cannot turn its back on its reserve: a line faces about, this one would have to form.
    let about = MoveOrder { about_face: true, ..MoveOrder::default() };
    assert_eq!(rule_of_refusal(&alone(open_ground(), unit(), &about)), Some("MV-21"));
}

#[test]
fn tac_14_a_line_that_loses_its_reserve_on_the_march_is_a_single_line() {
    // 17 on sixteen figures kills six as it comes within three inches; a stand lost: 3 and 3 are beaten by a 7.
    let enemy = testing::infantry("e", Confederate).at(30_000, 18_000).facing(18_000);
    let mover = line().formation(Formation::LineWithReserve).with(|unit| unit.first_casualty_taken = true);
    let mut field = battle(table(open_ground(), [mover, enemy.with(|unit| unit.opening_volley_used = true)]));
    let clause = vec![HoldTrigger::Within { distance: 4_000 }];
    let hold_fire = HoldFire { any_of: vec![clause], only_if_charged: false, wait_for: None };
    give(
        &mut field,
        "e",
        Order::Hold { task: None },
        Instructions { hold_fire: Some(hold_fire), ..Default::default() },
    );
    march(&mut field, "u", path(&[(30_000, 16_000)]));
    let dice = ScriptedDice::new().with(Purpose::FireVolley, &["e"], &[6, 6, 5]).with(
        Purpose::MoraleStandLost,
        &["u"],
        &[3, 4],
    );
    let (after, _) = played(field, dice);
    let u = unit(&after, "u");
    assert_eq!((u.stands.len(), u.footing.formation, u.footing.gap), (3, Formation::SingleLine, 0));
    assert_eq!(anchor(&after, "u"), (30_000, 16_000));
}

/// How a regiment stands that was ordered to send out skirmishers, with others on the table, and the rule that stopped it.
fn sent_out(gap: Option<u32>, others: Vec<Maker>) -> (Formation, i32, Option<String>) {
    let mut field = battle(table(open_ground(), std::iter::once(line()).chain(others)));
    let task = FormTask::Formation { formation: Formation::LineWithSkirmishers, facing: None, pivot: None, gap };
    give(&mut field, "u", Order::Form { task }, Instructions::default());
    let (after, events) = played(field, no_dice());
    let footing = &unit(&after, "u").footing;
    (footing.formation, footing.gap, halted(&events, "u"))
}

#[test]
fn tac_16_the_screen_goes_two_to_six_inches_ahead_or_as_far_as_there_is_room() {
    use Formation::{LineWithSkirmishers, SingleLine};
    let refusal = |unit: Maker, gap: u32| {
        let formation = LineWithSkirmishers;
        let task = FormTask::Formation { formation, facing: None, pivot: None, gap: Some(gap) };
        rule_of_refusal(&alone(open_ground(), unit, &forming(task))).map(str::to_owned)
    };
    for gap in [2_000, 6_000] {
        assert_eq!(sent_out(Some(gap), vec![]), (LineWithSkirmishers, gap as i32, None));
        assert_eq!(refusal(line().stands_left(3), gap), Some("TAC-16".to_owned()));
    }
    assert_eq!((refusal(line(), 1_999), refusal(line(), 6_001)), (Some("TAC-16".into()), Some("TAC-16".into())));
    assert_eq!(sent_out(None, vec![]), (LineWithSkirmishers, 3_000, None));
    // Its front would be at 10 + 3 + 0.625. An enemy at 15.5: two inches off and an eighth at least, so 2.75 before the line.
    let enemy = |y: i32| infantry("e", Confederate).at(30_438, y).facing(18_000);
    assert_eq!(sent_out(None, vec![enemy(15_500)]), (LineWithSkirmishers, 2_750, None));
    assert_eq!(sent_out(None, vec![enemy(15_500).morale(Morale::Routed)]), (LineWithSkirmishers, 3_000, None));
    // At 14.5 not even the least gap will do: 10 + 2 + 0.625 is 1.875 away.
    assert_eq!(sent_out(None, vec![enemy(14_500)]), (SingleLine, 0, Some("FORM-35".to_owned())));
    // A friend from 13.275 to 13.9: eighths of an inch down to a front at 13.25.
    assert_eq!(sent_out(None, vec![infantry("f", Union).at(30_438, 13_900)]), (LineWithSkirmishers, 2_625, None));
    // The edge of the table.
    let mut field = battle(table(open_ground(), [infantry("u", Union).at(30_000, 57_000)]));
    give(&mut field, "u", Order::Form { task: form(LineWithSkirmishers) }, Instructions::default());
    assert_eq!(unit(&played(field, no_dice()).0, "u").footing.gap, 2_375);
}

#[test]
fn tac_16_the_screen_moves_with_its_regiment_at_the_regiment_s_rate() {
    let unit = || line().formation(Formation::LineWithSkirmishers);
    let program = alone(open_ground(), unit(), &path(&[(30_000, 30_000)]));
    let screen = |body: &Body| body.layout(4).screen().map(|rect| rect.center);
    assert_eq!((screen(&program.start), screen(&program.end())), (Some(p(30_000, 13_313)), Some(p(30_000, 19_313))));
    // The ground under the screen is not asked.
    let woods_ahead = alone(ground_from(12_000, Terrain::Woods), unit(), &path(&[(30_000, 11_500)]));
    assert_eq!(woods_ahead.spent(), TURN / 4);
}

#[test]
fn tac_16_a_screen_passes_through_friends_as_skirmishers_do() {
    // The friend lies from 13.775 to 14.4; the screen goes from 13 to 13.625 on to 14.5, and nobody rolls.
    let unit = line().formation(Formation::LineWithSkirmishers);
    let mut field = battle(table(open_ground(), [unit, infantry("f", Union).at(30_000, 14_400)]));
    march(&mut field, "u", path(&[(30_000, 11_500)]));
    assert_eq!(anchor(&played(field, no_dice()).0, "u"), (30_000, 11_500));
}

#[test]
fn tac_17_sending_out_and_drawing_in_is_an_ordinary_change() {
    use Formation::{LineWithSkirmishers, SingleLine};
    for (from, to) in [(SingleLine, LineWithSkirmishers), (LineWithSkirmishers, SingleLine)] {
        let cost = |ground: Ground, unit: Maker| alone(ground, unit, &forming(form(to))).spent();
        let unit = || line().formation(from);
        assert_eq!(cost(open_ground(), unit()), TURN / 2, "veterans");
        assert_eq!(cost(open_ground(), unit().green()), TURN, "green troops");
        assert_eq!(cost(ground_from(0, Terrain::Woods), unit()), TURN, "in woods");
    }
}

#[test]
fn tac_20_and_21_a_screen_that_fails_on_the_march_does_not_stop_its_regiment() {
    // The front of the screen comes within four inches of the enemy at 10.375. 13 on sixteen figures kills three, halved one;
    // the screen must beat 3 and 3.
    let marched = |check: [u8; 2]| {
        let enemy = testing::infantry("e", Confederate).at(30_000, 18_000).facing(18_000);
        let mover = line().formation(Formation::LineWithSkirmishers).with(|unit| unit.first_casualty_taken = true);
        let mut field = battle(table(open_ground(), [mover, enemy.with(|unit| unit.opening_volley_used = true)]));
        let clause = vec![HoldTrigger::Within { distance: 4_000 }];
        let hold_fire = Some(HoldFire { any_of: vec![clause], only_if_charged: false, wait_for: None });
        let wish = Instructions { hold_fire, ..Instructions::default() };
        give(&mut field, "e", Order::Hold { task: None }, wish);
        march(&mut field, "u", path(&[(30_000, 12_000)]));
        let dice = ScriptedDice::new().with(Purpose::FireVolley, &["e"], &[4, 4, 5]).with(
            Purpose::MoraleStandLost,
            &["u"],
            &check,
        );
        let (after, _) = played(field, dice);
        assert_eq!(anchor(&after, "u"), (30_000, 12_000));
        let unit = unit(&after, "u");
        (unit.footing.formation, unit.footing.screen_back, unit.layout().stands.len(), unit.stands.len())
    };
    assert_eq!(marched([3, 4]), (Formation::LineWithSkirmishers, false, 4, 4), "it passes");
    assert_eq!(marched([3, 3]), (Formation::LineWithSkirmishers, true, 3, 4), "it is shaken");
    assert_eq!(marched([1, 1]), (Formation::SingleLine, false, 3, 3), "it routs");
}

#[test]
fn tac_20_disorder_draws_the_screen_in() {
    let out = line().formation(Formation::LineWithSkirmishers);
    assert_eq!(Body::of(&out.clone().unit()).layout(4).stands.len(), 4);
    let disordered = Body::of(&out.disordered().unit()).layout(4);
    assert_eq!((disordered.stands.len(), disordered.screen()), (3, None));
}

#[test]
fn tac_37_square_takes_a_whole_turn_in_and_out() {
    use Formation::{DoubleLine, SingleLine, Square};
    for quality in QUALITIES {
        let unit = |formation| line().quality(quality).formation(formation);
        let into = alone(open_ground(), unit(SingleLine), &forming(FormTask::Square {}));
        assert_eq!((into.spent(), into.end().footing.formation), (TURN, Square), "{quality}");
        let out = alone(open_ground(), unit(Square), &forming(form(DoubleLine)));
        assert_eq!((out.spent(), out.end().footing.formation), (TURN, DoubleLine), "{quality}");
    }
    // About the centre of the hull, 312.5 behind the front of the line and 1062.5 behind that of the square.
    let end = alone(open_ground(), line(), &forming(FormTask::Square {})).end().footing;
    assert!(end.anchor.x == 30_000 && (end.anchor.y - 10_750).abs() <= 1, "{:?}", end.anchor);
    // With another facing; and never before a march.
    let task = FormTask::Formation { formation: Square, facing: Some(Bearing::EAST), pivot: None, gap: None };
    assert_eq!(alone(open_ground(), line(), &forming(task)).end().footing.facing, Bearing::EAST);
    let marches = MoveOrder { form_first: Some(FormTask::Square {}), ..path(&[(30_000, 30_000)]) };
    assert_eq!(rule_of_refusal(&alone(open_ground(), line(), &marches)), Some("MOVE-03"));
}

#[test]
fn tac_38_a_square_does_not_move() {
    let square = || line().formation(Formation::Square);
    let program = alone(open_ground(), square(), &path(&[(30_000, 30_000)]));
    assert_eq!((end_of(&program), program.stops.map(|(rule, _)| rule.as_str())), ((30_000, 10_000), Some("TAC-38")));
    // In disorder it is no square any more: four inches.
    let broken = alone(open_ground(), square().disordered(), &path(&[(30_000, 30_000)]));
    let rate = Ruleset::standard().rates(Branch::Infantry, FormationRow::Disorder).expect("a row").all()[1];
    assert_eq!(Some(Inches(end_of(&broken).1 - 10_000)), rate);
}

/// Ground of one kind south of a line.
fn ground_to(y: i32, terrain: Terrain) -> Ground {
    let mut ground = ground_from(0, terrain);
    ground.areas[0].outline = vec![p(0, 0), p(60_000, 0), p(60_000, y), p(0, y)];
    ground
}

/// Where skirmishers end who would march ten inches north, with somebody else on the table.
fn skirmish_past(ground: Ground, other: Maker, dice: ScriptedDice) -> (i32, i32) {
    let mut field = battle(table(ground, [line().formation(Formation::SkirmishLine), other]));
    march(&mut field, "u", path(&[(30_000, 20_000)]));
    anchor(&played(field, dice).0, "u")
}

#[test]
fn form_10_only_unrouted_enemies_in_sight_keep_skirmishers_two_inches_off() {
    let enemy = |x: i32, y: i32| infantry("e", Confederate).at(x, y).facing(18_000);
    // Their line is 4 x 875 + 3 x 1313 = 7439 wide; whoever stands at x = 36 inches begins half an inch to its right.
    assert_eq!(skirmish_past(open_ground(), enemy(36_000, 15_000).morale(Morale::Routed), no_dice()), (30_000, 20_000));
    // In light woods, four inches a turn: the line ahead is seen as many inches off as the die shows. Seen, it stops them
    // outside 2.000 inches (30 steps would end there), unseen outside 1.000 like anybody (60 steps).
    for (face, end) in [(6, 10_966), (1, 11_966)] {
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["e", "u"], &[face]);
        assert_eq!(skirmish_past(ground_from(0, Terrain::Woods), enemy(30_000, 13_000), dice), (30_000, end));
    }
    // Already closer, they may draw away.
    let mut field = battle(table(open_ground(), [line().formation(Formation::SkirmishLine), enemy(30_000, 11_500)]));
    march(&mut field, "u", path(&[(30_000, 5_000)]));
    assert_eq!(anchor(&played(field, no_dice()).0, "u"), (30_000, 5_000));
}

#[test]
fn form_12_skirmishers_need_the_whole_turn_whoever_they_are_and_take_any_formation() {
    for quality in QUALITIES {
        for formation in INFANTRY.into_iter().filter(|formation| *formation != Formation::SkirmishLine) {
            let skirmishers = line().formation(Formation::SkirmishLine).quality(quality);
            let program = alone(open_ground(), skirmishers, &forming(form(formation)));
            assert_eq!((program.spent(), program.end().footing.formation), (TURN, formation), "{quality}");
        }
    }
    // So nothing is left to move with, before or after.
    let first = MoveOrder { form_first: Some(form(Formation::SingleLine)), ..path(&[(30_000, 30_000)]) };
    let last = MoveOrder { form_last: Some(form(Formation::SingleLine)), ..path(&[(30_000, 30_000)]) };
    for order in [first, last] {
        let program = alone(open_ground(), line().formation(Formation::SkirmishLine), &order);
        assert_eq!(rule_of_refusal(&program), Some("MOVE-03"));
    }
}

#[test]
fn form_26_a_disordered_unit_moves_as_it_lies() {
    for formation in INFANTRY {
        let unit = line().formation(formation).disordered();
        let program = alone(open_ground(), unit, &path(&[(33_000, 12_000)]));
        let (start, end) = (program.start.layout(4).corners(), program.end().layout(4).corners());
        let carried: Vec<_> =
            start.iter().map(|stand| stand.map(|corner| p(corner.x + 3_000, corner.y + 2_000))).collect();
        assert_eq!((end, program.end().footing.disorder), (carried, true), "{formation}");
    }
}

#[test]
fn form_26_batteries_have_no_disorder() {
    // A team that fails its roll for the push keeps its order. Sixteen inches and three.
    let mut field =
        battle(table(open_ground(), [battery("u", Union).at(30_000, 10_000).formation(Formation::Limbered)]));
    march(&mut field, "u", MoveOrder { push: true, ..path(&[(30_000, 40_000)]) });
    let (after, _) = played(field, ScriptedDice::new().with(Purpose::Push, &["u"], &[1]));
    assert_eq!((anchor(&after, "u"), unit(&after, "u").footing.disorder), ((30_000, 29_000), false));
    // Nor has one that moves off its front.
    let aside = alone(open_ground(), battery("u", Union).at(30_000, 10_000), &path(&[(40_000, 10_000)]));
    assert!(!aside.end().footing.disorder);
}

#[test]
fn form_27_and_form_33_a_disordered_unit_takes_the_whole_turn_and_then_any_formation() {
    for quality in QUALITIES {
        for formation in INFANTRY {
            let unit = line().quality(quality).disordered();
            let program = alone(open_ground(), unit, &forming(form(formation)));
            let end = program.end().footing;
            assert_eq!((program.spent(), end.formation, end.disorder), (TURN, formation, false), "{quality}");
            // It stays in disorder until the last of its points is spent.
            assert!(program.body_at(TURN - 1).footing.disorder);
        }
    }
    // Green units take the whole turn for any change, and may take any formation.
    for formation in INFANTRY.into_iter().filter(|formation| *formation != Formation::SingleLine) {
        let program = alone(open_ground(), line().green(), &forming(form(formation)));
        assert_eq!((program.spent(), program.end().footing.formation), (TURN, formation));
    }
}

#[test]
fn form_34_in_woods_and_rough_every_change_takes_the_whole_turn() {
    for terrain in [Terrain::Woods, Terrain::Rough] {
        for quality in QUALITIES {
            let unit = line().quality(quality);
            assert_eq!(alone(ground_from(0, terrain), unit, &forming(form(Formation::DoubleLine))).spent(), TURN);
        }
        let rider = cavalry("u", Union).at(30_000, 10_000);
        let off = FormTask::Dismount { formation: Formation::DismountedLine };
        assert_eq!(alone(ground_from(0, terrain), rider.clone(), &forming(off)).spent(), TURN);
        let foot = rider.formation(Formation::DismountedLine).with(|unit| unit.mounted = false);
        let on = FormTask::Mount { formation: Formation::MarchColumn };
        assert_eq!(alone(ground_from(0, terrain), foot, &forming(on)).spent(), TURN);
    }
    // Broken ground slows nobody; half of the stands must be in the woods, and the change is judged where it begins.
    assert_eq!(alone(ground_from(0, Terrain::Broken), line(), &forming(form(Formation::DoubleLine))).spent(), TURN / 2);
    let mut ground = ground_from(0, Terrain::Woods);
    ground.areas[0].outline = vec![p(0, 0), p(29_000, 0), p(29_000, 60_000), p(0, 60_000)];
    assert_eq!(alone(ground.clone(), line(), &forming(form(Formation::DoubleLine))).spent(), TURN / 2);
    ground.areas[0].outline = vec![p(0, 0), p(30_000, 0), p(30_000, 60_000), p(0, 60_000)];
    assert_eq!(alone(ground, line(), &forming(form(Formation::DoubleLine))).spent(), TURN);
}

#[test]
fn form_36_the_inches_are_of_the_columns_rate_where_it_turns() {
    // Broken ground: a column has 8 inches, so 2 of them are a quarter of a turn, and 4 half of one.
    let column = || line().formation(Formation::MarchColumn);
    let flank = forming(FormTask::FrontToFlank { toward: Flank::Right });
    for (maker, tenths) in [(column(), 2), (column().green(), 4), (line(), 2), (line().green(), 4)] {
        assert_eq!(alone(ground_from(0, Terrain::Broken), maker.clone(), &flank).spent(), TURN * tenths / 8);
        assert_eq!(alone(open_ground(), maker, &flank).spent(), TURN * tenths / 10);
    }
    // A line that marches off first has six inches of a column's ten left for the rest: 10 - 2 = 8.
    let order = MoveOrder { path: vec![p(60_000, 9_688)], ..flank };
    let program = alone(open_ground(), line(), &order);
    // Sixteen figures: the right end stand's front edge comes to lie half of its depth east of its centre at 31312.
    assert!((end_of(&program).0 - (31_625 + 8_000)).abs() <= 1, "{:?}", end_of(&program));
}

#[test]
fn org_13_dismounting_leaves_no_horse_holders_on_the_table() {
    let mut field = battle(table(open_ground(), [cavalry("u", Union).at(30_000, 10_000)]));
    let task = FormTask::Dismount { formation: Formation::DismountedLine };
    give(&mut field, "u", Order::Form { task }, Instructions::default());
    let (after, _) = played(field, no_dice());
    let foot = unit(&after, "u");
    assert_eq!((after.table.all_units().count(), foot.mounted, foot.figures(), foot.stands.len()), (1, false, 12, 4));
    assert!(after.table.abandoned.is_empty());
}

#[test]
fn org_14_dismounted_stands_have_the_sizes_of_infantry() {
    let task = FormTask::Dismount { formation: Formation::DismountedLine };
    let program = alone(open_ground(), cavalry("u", Union).at(30_000, 10_000), &forming(task));
    let size = |body: crate::movement::Body| (body.stand_width, body.stand_depth);
    assert_eq!((size(program.start.clone()), size(program.end())), ((1_000, 1_333), (750, 625)));
}

#[test]
fn org_11_a_leader_stands_in_nobodys_way() {
    for side in [Union, Confederate] {
        let mut table = table(open_ground(), [line()]);
        table.leaders.insert("l".into(), leader("l", side, 30_000, 13_000));
        let mut battle = battle(table);
        march(&mut battle, "u", path(&[(30_000, 16_000)]));
        assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 16_000));
    }
}

// ---------------------------------------------------------------------------------------------- moves

#[test]
fn move_03_veterans_and_elites_combine_a_move_with_a_change() {
    for quality in [Quality::Veteran, Quality::Elite] {
        for at_the_end in [false, true] {
            let task = Some(form(Formation::DoubleLine));
            let order = match at_the_end {
                true => MoveOrder { form_last: task, ..path(&[(30_000, 30_000)]) },
                false => MoveOrder { form_first: task, ..path(&[(30_000, 30_000)]) },
            };
            let program = alone(open_ground(), line().quality(quality), &order);
            // Half a turn: 3.5 inches of a double line's 7 after it, 3 of a single line's 6 before it.
            let travel = if at_the_end { 3_000 } else { 3_500 };
            assert_eq!((program.refusals.len(), program.end().footing.anchor.y), (0, 10_000 + travel), "{quality}");
        }
    }
    for quality in [Quality::Green, Quality::Militia] {
        let order = MoveOrder { form_last: Some(form(Formation::DoubleLine)), ..path(&[(30_000, 30_000)]) };
        assert_eq!(rule_of_refusal(&alone(open_ground(), line().quality(quality), &order)), Some("MOVE-03"));
    }
}

#[test]
fn move_04_a_wheel_opens_or_closes_a_move() {
    // A quarter on the right end stand costs 4.332 inches (MV-19); 1.668 are left for the march.
    let wheel = |last| Some(Wheel { pivot: Flank::Right, facing: Bearing::EAST, last });
    let opens = alone(open_ground(), line(), &MoveOrder { wheel: wheel(false), ..path(&[(60_000, 11_312)]) });
    assert_eq!(opens.body_at(4_332 * 840).footing.facing, Bearing::EAST);
    // The pivot is the middle of the end stand's front, 1.3125 inches to the right; afterwards the anchor lies as far north.
    let end = end_of(&opens);
    assert!((end.0 - (31_312 + 1_668)).abs() <= 2 && (end.1 - 11_312).abs() <= 2, "{end:?}");
    let closes = alone(open_ground(), line(), &MoveOrder { wheel: wheel(true), ..path(&[(30_000, 11_000)]) });
    let marched = closes.body_at(840_000);
    assert_eq!((marched.footing.anchor, marched.footing.facing), (p(30_000, 11_000), Bearing::NORTH));
    assert_eq!((closes.end().footing.facing, closes.spent()), (Bearing::EAST, (1_000 + 4_332) * 840));
    // Not at the end at which the formation is changed.
    let both = MoveOrder { wheel: wheel(false), form_first: Some(form(Formation::DoubleLine)), ..MoveOrder::default() };
    assert_eq!(rule_of_refusal(&alone(open_ground(), line(), &both)), Some("MV-18"));
}

#[test]
fn move_14_an_officer_adds_one_whatever_his_level_and_the_inches_are_made_in_either_case() {
    for (face, level, disorder) in [(3, None, true), (3, Some(1), false), (3, Some(3), false), (2, Some(3), true)] {
        let mut table = table(open_ground(), [line()]);
        if let Some(level) = level {
            let mut officer = leader("l", Union, 30_000, 9_000);
            (officer.level, officer.attached) = (level, Some("u".into()));
            table.leaders.insert("l".into(), officer);
        }
        let mut battle = battle(table);
        march(&mut battle, "u", MoveOrder { push: true, ..path(&[(30_000, 19_000)]) });
        let (after, _) = played(battle, ScriptedDice::new().with(Purpose::Push, &["u"], &[face]));
        assert_eq!(
            (anchor(&after, "u"), unit(&after, "u").footing.disorder),
            ((30_000, 19_000), disorder),
            "{face} {level:?}"
        );
    }
}

#[test]
fn move_15_who_does_not_push() {
    let push = MoveOrder { push: true, ..path(&[(30_000, 30_000)]) };
    // Skirmishers have ten inches, the others six.
    for (maker, end) in [
        (line().formation(Formation::SkirmishLine), 20_000),
        (line().disordered(), 16_000),
        (line().morale(Morale::Shaken), 16_000),
    ] {
        let program = alone(open_ground(), maker, &push);
        assert_eq!((end_of(&program), rule_of_refusal(&program)), ((30_000, end), Some("MV-25")));
    }
    // A routed unit takes no order at all.
    let mut battle = battle(table(open_ground(), [line().morale(Morale::Routed)]));
    march(&mut battle, "u", push);
    assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 10_000));
}

#[test]
fn move_16_officers_ride_as_disordered_cavalry() {
    let road = Way {
        id: "road".into(),
        name: "road".to_owned(),
        kind: WayKind::Road,
        line: vec![p(10_000, 0), p(10_000, 60_000)],
        width: 1_000,
    };
    let grounds = [
        (Ground { ways: vec![road], ..open_ground() }, 16_000),
        (open_ground(), 12_000),
        (ground_from(0, Terrain::Broken), 8_000),
        (ground_from(0, Terrain::Woods), 3_000),
        (ground_from(0, Terrain::Rough), 1_000),
    ];
    for (ground, inches) in grounds {
        let after = ridden(ground, &[(Stage::Orders, ride(40_000, false))]);
        assert_eq!(after, p(10_000, 10_000 + inches));
    }
    // On foot they have the rates of skirmishers.
    let rules = Ruleset::standard();
    let foot = rules.rates(Branch::OfficerFoot, FormationRow::Any).expect("a row").all();
    assert_eq!(foot, [None, Some(10_000), Some(7_000), Some(4_000), Some(3_000)].map(|rate| rate.map(Inches)));
    let skirmishers = rules.rates(Branch::Infantry, FormationRow::SkirmishLine).expect("a row").all();
    assert_eq!(foot, skirmishers);
}

fn ride(y: i32, before_charges: bool) -> LeaderDraft {
    LeaderDraft { ride: Some(Ride::Path { points: vec![p(10_000, y)], before_charges }), ..LeaderDraft::default() }
}

/// Where a leader who starts at (10, 10) is after phases 6 and 7.
fn ridden(ground: Ground, said: &[(Stage, LeaderDraft)]) -> Point {
    let mut table = table(ground, []);
    table.leaders.insert("l".into(), leader("l", Union, 10_000, 10_000));
    let mut field = battle(table);
    let said = LeaderOrders { said: said.iter().cloned().collect() };
    field.secrets.get_mut(Union).open_mut().leaders.insert("l".into(), said);
    let dice = no_dice();
    let mut charges = Play::new(Ruleset::standard(), &dice, field, Stage::Charges);
    charges.phase = 6;
    ride_before_charges(&mut charges);
    let (after, _) = played(charges.battle, no_dice());
    after.table.leaders[&LeaderId::new("l")].at
}

#[test]
fn move_17_one_allowance_covers_phases_6_and_7() {
    // Eight of twelve inches before the charges leave four.
    let twice = [(Stage::Charges, ride(18_000, true)), (Stage::Movement, ride(40_000, false))];
    assert_eq!(ridden(open_ground(), &twice), p(10_000, 22_000));
    let early = [(Stage::Charges, ride(18_000, true))];
    assert_eq!(ridden(open_ground(), &early), p(10_000, 18_000));
    // Told nothing, a leader attached to nobody stands still.
    assert_eq!(ridden(open_ground(), &[]), p(10_000, 10_000));
}

/// A formation that draws fewer stands than the unit has is a body like any other when it goes back.
#[test]
fn dis_03_a_unit_in_any_formation_may_be_looked_at_disengaging() {
    let formations = Formation::ALL.into_iter().filter(|formation| *formation != Formation::BrigadeColumn);
    for formation in formations {
        let own = infantry("a", Side::Union).at(30_000, 30_000).formation(formation);
        let enemy = infantry("b", Side::Confederate).at(30_000, 38_000).facing(18_000);
        let battle = testing::battle(testing::table(testing::open_ground(), [own, enemy]));
        let known = crate::battle::known(&battle, Side::Union);
        let order = Order::Disengage { abandon_guns: false };
        let shown = crate::movement::preview(&known, Ruleset::standard(), &UnitId::new("a"), &order);
        assert!(shown.end.is_some(), "{formation}");
    }
}
