//! Chapter CAV as it bears on movement: gaps, rates, mounting and dismounting, a rule each.

use std::sync::Arc;

use protocol::event::Morale;
use protocol::ids::Side::Union;
use protocol::orders::{FormTask, Instructions, MoveOrder, Order};
use protocol::words::{Flank, Formation, Quality};

use super::*;
use crate::battle::Theatre;
use crate::ground::{Way, WayKind};
use crate::movement::Body;
use crate::scenario::Scenario;
use crate::testing::battle;

const QUALITIES: [Quality; 4] = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia];

const MOUNTED: [Formation; 4] =
    [Formation::SingleLine, Formation::DoubleLine, Formation::SkirmishLine, Formation::MarchColumn];

/// Twelve veterans in the saddle, in line: stands of three figures, 1000 wide and 1333 deep.
fn rider() -> Maker {
    cavalry("u", Union).at(30_000, 10_000)
}

/// The same on foot: stands 750 wide and 625 deep.
fn trooper(formation: Formation) -> Maker {
    let on_foot = |unit: &mut Unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (750, 625);
    };
    rider().with(on_foot).formation(formation)
}

fn form(formation: Formation, gap: Option<u32>) -> FormTask {
    FormTask::Formation { formation, facing: None, pivot: None, gap }
}

fn mount(formation: Formation) -> FormTask {
    FormTask::Mount { formation }
}

fn dismount(formation: Formation) -> FormTask {
    FormTask::Dismount { formation }
}

fn forming(task: FormTask) -> MoveOrder {
    MoveOrder { form_first: Some(task), ..MoveOrder::default() }
}

fn rule_of_refusal(program: &Program) -> Option<&str> {
    program.refusals.first().map(|(rule, _)| rule.as_str())
}

/// The gap that a change leaves, or the rule that forbids it.
fn gap_of(unit: Maker, task: FormTask) -> Result<i32, String> {
    let program = alone(open_ground(), unit, &forming(task));
    match rule_of_refusal(&program) {
        Some(rule) => Err(rule.to_owned()),
        None => Ok(program.end().footing.gap),
    }
}

/// How far north a unit comes that is told to march forty inches north, alone on that ground.
fn reach(ground: Ground, unit: Maker) -> i32 {
    alone(ground, unit, &path(&[(30_000, 50_000)])).end().footing.anchor.y - 10_000
}

/// Its reach in open, broken, wooded and rough ground.
fn reaches(unit: &Maker) -> [i32; 4] {
    [Terrain::Open, Terrain::Broken, Terrain::Woods, Terrain::Rough]
        .map(|terrain| reach(ground_from(0, terrain), unit.clone()))
}

/// A road to the north, along which the unit stands.
fn road() -> Ground {
    let line = vec![p(30_000, 0), p(30_000, 60_000)];
    let way = Way { id: "road".into(), name: "road".to_owned(), kind: WayKind::Road, line, width: 1_000 };
    Ground { ways: vec![way], ..open_ground() }
}

// ---------------------------------------------------------------------------------------------- how horse stands

#[test]
fn cav_03_mounted_lines_and_skirmishers_choose_their_gap() {
    use Formation::{DoubleLine, SingleLine, SkirmishLine};
    // One stand is an inch wide: a line has up to one of it between stands, skirmishers one to three, silently two.
    let from_double = || rider().formation(DoubleLine);
    assert_eq!(gap_of(from_double(), form(SingleLine, None)), Ok(0));
    assert_eq!(gap_of(from_double(), form(SkirmishLine, None)), Ok(2_000));
    for (formation, gap) in [(SingleLine, 0), (SingleLine, 1_000), (SkirmishLine, 1_000), (SkirmishLine, 3_000)] {
        assert_eq!(gap_of(from_double(), form(formation, Some(gap))), Ok(gap as i32));
    }
    for (formation, gap) in [(SingleLine, 1_001), (SkirmishLine, 999), (SkirmishLine, 3_001)] {
        assert_eq!(gap_of(from_double(), form(formation, Some(gap))), Err("CAV-03".to_owned()));
    }
}

#[test]
fn cav_03_where_the_stands_of_horse_are() {
    let front = |body: &Body| {
        let edges = body.layout(4).as_target.front;
        (edges.left.x, edges.right.x)
    };
    // Four stands and three gaps of half an inch: 5.5 inches. The stand right of the middle keeps its place, half an inch
    // from the anchor before and three quarters after, so the anchor comes to lie a quarter of an inch to the left.
    let open_order = alone(open_ground(), rider(), &forming(form(Formation::SingleLine, Some(500)))).end();
    assert_eq!((open_order.footing.anchor, front(&open_order)), (p(29_750, 10_000), (27_000, 32_500)));
    // It marches no slower for it.
    let spread = rider().with(|unit| unit.footing.gap = 1_000);
    assert_eq!(reach(open_ground(), spread), 10_000);
    // Two touching ranks of two; a column one behind another.
    let stands = |formation| {
        let layout = Body::of(&rider().formation(formation).unit()).layout(4);
        layout.rects().map(|stand| (stand.center.x - 30_000, 10_000 - stand.center.y)).collect::<Vec<_>>()
    };
    let double = stands(Formation::DoubleLine);
    assert_eq!(double.iter().map(|(x, _)| *x).collect::<Vec<_>>(), [-500, 500, -500, 500]);
    assert!(double.iter().zip([667, 667, 2_000, 2_000]).all(|((_, y), deep)| (y - deep).abs() <= 1), "{double:?}");
    let column = stands(Formation::MarchColumn);
    assert!(column.iter().zip([667, 2_000, 3_333, 4_666]).all(|((x, y), deep)| *x == 0 && (y - deep).abs() <= 1));
}

#[test]
fn cav_06_on_foot_there_are_two_formations_and_disorder() {
    use Formation::{AttackColumn, DismountedLine, DoubleLine, ExtendedLine, MarchColumn, SingleLine, SkirmishLine};
    let line = || trooper(DismountedLine);
    assert!(gap_of(line(), form(SkirmishLine, None)).is_ok());
    assert!(gap_of(trooper(SkirmishLine), form(DismountedLine, None)).is_ok());
    for formation in [SingleLine, DoubleLine, ExtendedLine, MarchColumn, AttackColumn] {
        assert_eq!(gap_of(line(), form(formation, None)), Err("CAV-06".to_owned()), "{formation}");
    }
    // Nor does it march off to a flank, which would make it a column.
    let flank = FormTask::FrontToFlank { toward: Flank::Right };
    assert_eq!(gap_of(line(), flank), Err("FORM-37".to_owned()));
}

#[test]
fn cav_07_a_dismounted_line_has_up_to_one_width_between_stands() {
    let formed = |gap| gap_of(trooper(Formation::SkirmishLine), form(Formation::DismountedLine, gap));
    assert_eq!([formed(None), formed(Some(0)), formed(Some(750))], [Ok(0), Ok(0), Ok(750)]);
    assert_eq!(formed(Some(751)), Err("CAV-07".to_owned()));
    // Four stands and three gaps, all of three quarters of an inch: 5.25 inches from end to end.
    let task = form(Formation::DismountedLine, Some(750));
    let edges = alone(open_ground(), trooper(Formation::SkirmishLine), &forming(task)).end().layout(4).as_target.front;
    assert_eq!(edges.right.x - edges.left.x, 5_250);
}

#[test]
fn cav_08_dismounted_skirmishers_stand_and_march_as_those_of_infantry() {
    let formed = |gap| gap_of(trooper(Formation::DismountedLine), form(Formation::SkirmishLine, gap));
    assert_eq!([formed(None), formed(Some(750)), formed(Some(1_500))], [Ok(1_125), Ok(750), Ok(1_500)]);
    assert!(formed(Some(749)).is_err() && formed(Some(1_501)).is_err());
    assert_eq!(reaches(&trooper(Formation::SkirmishLine)), [10_000, 7_000, 4_000, 3_000]);
    assert_eq!(
        reaches(&trooper(Formation::SkirmishLine)),
        reaches(&infantry("u", Union).at(30_000, 10_000).formation(Formation::SkirmishLine))
    );
}

// ---------------------------------------------------------------------------------------------- how far it goes

#[test]
fn cav_04_the_rates_in_the_saddle() {
    let of = |formation| reaches(&rider().formation(formation));
    assert_eq!(of(Formation::SkirmishLine), [20_000, 12_000, 4_000, 2_000]);
    assert_eq!(of(Formation::MarchColumn), [16_000, 12_000, 4_000, 1_000]);
    assert_eq!(of(Formation::SingleLine)[..3], [10_000, 6_000, 2_000]);
    assert_eq!(of(Formation::DoubleLine)[..3], [12_000, 8_000, 2_000]);
    // Disorder is faster than a line in the open.
    assert_eq!(reaches(&rider().disordered()), [12_000, 8_000, 3_000, 1_000]);
    assert_eq!(reach(road(), rider().formation(Formation::MarchColumn)), 24_000);
    assert_eq!(reach(road(), rider().disordered()), 16_000);
}

#[test]
fn cav_05_mounted_lines_have_no_road_and_no_rough() {
    for (formation, open) in [(Formation::SingleLine, 10_000), (Formation::DoubleLine, 12_000)] {
        assert_eq!(reach(road(), rider().formation(formation)), open, "the road is no help to {formation}");
        // Rough from five inches on: it may not be told to go in, and halts at the edge if play brings it there.
        let program =
            alone(ground_from(15_000, Terrain::Rough), rider().formation(formation), &path(&[(30_000, 18_000)]));
        assert_eq!(rule_of_refusal(&program), Some("CAV-05"));
        assert_eq!(program.stops.as_ref().map(|(rule, _)| rule.as_str()), Some("MV-03"));
        assert_eq!(end_of(&program), (30_000, 15_000));
        // Up to the edge it may go.
        let before =
            alone(ground_from(15_000, Terrain::Rough), rider().formation(formation), &path(&[(30_000, 14_990)]));
        assert_eq!(rule_of_refusal(&before), None);
        // Nor may it be formed there, or mounted into.
        let skirmishers = rider().formation(Formation::SkirmishLine);
        for (unit, task) in
            [(skirmishers, form(formation, None)), (trooper(Formation::DismountedLine), mount(formation))]
        {
            let program = alone(ground_from(0, Terrain::Rough), unit, &forming(task));
            assert_eq!(rule_of_refusal(&program), Some("CAV-05"));
        }
    }
    for unit in
        [rider().formation(Formation::SkirmishLine), rider().formation(Formation::MarchColumn), rider().disordered()]
    {
        let program = alone(ground_from(15_000, Terrain::Rough), unit, &path(&[(30_000, 15_500)]));
        assert_eq!((rule_of_refusal(&program), end_of(&program)), (None, (30_000, 15_500)));
    }
}

#[test]
fn cav_09_a_dismounted_line_moves_as_an_extended_line() {
    let line = trooper(Formation::DismountedLine);
    assert_eq!(reaches(&line), [8_000, 6_000, 3_000, 1_000]);
    assert_eq!(reaches(&line), reaches(&infantry("u", Union).at(30_000, 10_000).formation(Formation::ExtendedLine)));
    assert_eq!(reach(road(), line), 8_000, "it pays the ground beneath");
}

#[test]
fn cav_12_a_trooper_on_foot_crosses_a_fence_as_infantry_does() {
    // One inch for foot, two for horse.
    assert_eq!(reach(with_fence(open_ground(), 12_000), trooper(Formation::DismountedLine)), 7_000);
    assert_eq!(reach(with_fence(open_ground(), 12_000), rider()), 8_000);
}

// ---------------------------------------------------------------------------------------------- mounting and dismounting

#[test]
fn cav_13_a_unit_is_in_the_saddle_or_on_foot() {
    let again = |unit, task| rule_of_refusal(&alone(open_ground(), unit, &forming(task))).map(str::to_owned);
    assert_eq!(again(rider(), mount(Formation::DoubleLine)).as_deref(), Some("CAV-13"));
    assert_eq!(again(trooper(Formation::DismountedLine), dismount(Formation::SkirmishLine)).as_deref(), Some("CAV-13"));
    // Until the last of its points is spent it stands with the one set, then with the other.
    let program = alone(open_ground(), rider(), &forming(dismount(Formation::DismountedLine)));
    let state = |body: Body| (body.mounted, body.stand_width, body.stand_depth);
    assert_eq!(state(program.body_at(TURN / 4 - 1)), (true, 1_000, 1_333));
    assert_eq!(state(program.body_at(TURN / 4)), (false, 750, 625));
}

#[test]
fn cav_14_losses_and_states_stay_with_the_unit_and_so_do_place_and_facing() {
    let worn = |unit: &mut Unit| {
        unit.stands[1].figures = 1;
        unit.stands.truncate(3);
        unit.opening_volley_used = true;
        unit.first_casualty_taken = true;
        unit.ammunition_out_since = Some(0);
    };
    let mut field = battle(table(open_ground(), [rider().with(worn).morale(Morale::Shaken).facing(9_000)]));
    give(&mut field, "u", Order::Form { task: dismount(Formation::DismountedLine) }, Instructions::default());
    let (foot, _) = played(field, no_dice());
    let (before, after) = (rider().with(worn).unit(), unit(&foot, "u"));
    assert_eq!(after.stands, before.stands);
    assert_eq!((after.morale, after.opening_volley_used, after.first_casualty_taken), (Morale::Shaken, true, true));
    assert_eq!((after.ammunition_out_since, after.figures_at_start), (Some(0), 12));
    assert_eq!((anchor(&foot, "u"), after.footing.facing.hundredths()), ((30_000, 10_000), 9_000));
    assert_eq!((after.stand_width, after.stand_depth), (750, 625));
}

#[test]
fn cav_15_nobody_holds_horses_where_they_would_stand() {
    // A friend marches through the ground behind the dismounted line, on which its horses would wait: nobody rolls.
    let foot = cavalry("h", Union).at(30_000, 14_000).facing(0).with(|unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (750, 625);
    });
    let friend = infantry("u", Union).at(26_000, 11_000).facing(9_000);
    let mut field = battle(table(open_ground(), [foot.formation(Formation::DismountedLine), friend]));
    march(&mut field, "u", path(&[(32_000, 11_000)]));
    let (after, _) = played(field, no_dice());
    assert_eq!((anchor(&after, "u"), after.table.all_units().count()), ((32_000, 11_000), 2));
}

/// What mounting and dismounting cost a unit of that quality on that ground.
fn prices(terrain: Terrain, quality: Quality) -> (i64, i64) {
    let cost = |unit: Maker, task| alone(ground_from(0, terrain), unit.quality(quality), &forming(task)).spent();
    let foot = trooper(Formation::DismountedLine);
    (cost(foot, mount(Formation::MarchColumn)), cost(rider(), dismount(Formation::DismountedLine)))
}

#[test]
fn mv_11_and_cav_17_and_18_half_a_turn_to_mount_and_a_quarter_to_dismount_green_twice_that() {
    for terrain in [Terrain::Open, Terrain::Broken] {
        let all = QUALITIES.map(|quality| prices(terrain, quality));
        let (trained, green) = ((TURN / 2, TURN / 4), (TURN, TURN / 2));
        assert_eq!(all, [trained, trained, green, green], "{terrain:?}");
    }
    let rule_of = |unit, task| alone(open_ground(), unit, &forming(task)).pieces[0].rule.to_string();
    assert_eq!(rule_of(trooper(Formation::DismountedLine), mount(Formation::SingleLine)), "CAV-17");
    assert_eq!(rule_of(rider(), dismount(Formation::DismountedLine)), "CAV-18");
}

#[test]
fn cav_19_in_woods_and_rough_either_takes_the_turn() {
    for terrain in [Terrain::Woods, Terrain::Rough] {
        assert_eq!(QUALITIES.map(|quality| prices(terrain, quality)), [(TURN, TURN); 4], "{terrain:?}");
    }
    // Two of four stands decide, in the set that stands before. The second stand from the left has its centre at 29.625 on
    // foot and at 29.5 in the saddle: of woods that end at 29.56 the one is out and the other in.
    let mut ground = ground_from(0, Terrain::Woods);
    ground.areas[0].outline = vec![p(0, 0), p(29_560, 0), p(29_560, 60_000), p(0, 60_000)];
    let cost = |unit: Maker, task| alone(ground.clone(), unit, &forming(task)).spent();
    assert_eq!(cost(trooper(Formation::DismountedLine), mount(Formation::SingleLine)), TURN / 2);
    assert_eq!(cost(rider(), dismount(Formation::DismountedLine)), TURN);
}

#[test]
fn cav_20_disorder_takes_the_turn_and_skirmishers_keep_their_intervals() {
    use Formation::{DismountedLine, DoubleLine, SingleLine, SkirmishLine};
    let program = |unit: Maker, task| alone(open_ground(), unit, &forming(task));
    // In disorder: the whole turn, into whatever it names, in order.
    let reforms = program(rider().disordered(), dismount(SkirmishLine));
    let end = reforms.end().footing;
    assert_eq!((reforms.spent(), end.formation, end.disorder), (TURN, SkirmishLine, false));
    assert_eq!(program(trooper(DismountedLine).disordered(), mount(DoubleLine)).spent(), TURN);
    // From skirmish line to skirmish line at the plain price, to all else the turn.
    assert_eq!(program(rider().formation(SkirmishLine), dismount(SkirmishLine)).spent(), TURN / 4);
    assert_eq!(program(trooper(SkirmishLine), mount(SkirmishLine)).spent(), TURN / 2);
    assert_eq!(program(rider().formation(SkirmishLine), dismount(DismountedLine)).spent(), TURN);
    assert_eq!(program(trooper(SkirmishLine), mount(SingleLine)).spent(), TURN);
}

#[test]
fn cav_21_into_any_formation_at_the_one_price() {
    for formation in MOUNTED {
        let program = alone(open_ground(), trooper(Formation::DismountedLine), &forming(mount(formation)));
        assert_eq!((program.spent(), program.end().footing.formation), (TURN / 2, formation));
    }
    for formation in [Formation::DismountedLine, Formation::SkirmishLine] {
        let program = alone(open_ground(), rider(), &forming(dismount(formation)));
        assert_eq!((program.spent(), program.end().footing.formation), (TURN / 4, formation));
    }
}

#[test]
fn cav_22_mount_ride_and_dismount_in_one_turn() {
    let ride = |unit: Maker, formation| {
        let order = MoveOrder {
            form_first: Some(mount(formation)),
            form_last: Some(dismount(Formation::DismountedLine)),
            ..path(&[(30_000, 40_000)])
        };
        alone(open_ground(), unit, &order)
    };
    // A quarter of ten inches, and of twelve.
    for (formation, inches) in [(Formation::SingleLine, 2_500), (Formation::DoubleLine, 3_000)] {
        let program = ride(trooper(Formation::DismountedLine), formation);
        assert_eq!(
            (end_of(&program), program.spent(), program.end().mounted),
            ((30_000, 10_000 + inches), TURN, false)
        );
    }
    // Green horse that mounts has done its turn.
    assert_eq!(
        rule_of_refusal(&ride(trooper(Formation::DismountedLine).green(), Formation::SingleLine)),
        Some("MOVE-03")
    );
    // The fraction is taken off either part: three quarters of a mounted move before dismounting, of one on foot after.
    let last = MoveOrder { form_last: Some(dismount(Formation::DismountedLine)), ..path(&[(30_000, 40_000)]) };
    assert_eq!(end_of(&alone(open_ground(), rider(), &last)), (30_000, 17_500));
    let first = MoveOrder { form_first: Some(dismount(Formation::DismountedLine)), ..path(&[(30_000, 40_000)]) };
    assert_eq!(end_of(&alone(open_ground(), rider(), &first)), (30_000, 16_000));
}

#[test]
fn cav_22_it_is_played_as_it_was_foreseen() {
    let mut field = battle(table(open_ground(), [trooper(Formation::DismountedLine)]));
    let order = MoveOrder {
        form_first: Some(mount(Formation::DoubleLine)),
        form_last: Some(dismount(Formation::SkirmishLine)),
        ..path(&[(30_000, 40_000)])
    };
    march(&mut field, "u", order);
    let (after, events) = played(field, no_dice());
    let told: Vec<&str> = events.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(anchor(&after, "u"), (30_000, 13_000));
    let end = unit(&after, "u");
    assert_eq!((end.mounted, end.footing.formation, end.marks.forming), (false, Formation::SkirmishLine, false));
    assert!(told[0].ends_with("has mounted and is now in double line."), "{told:?}");
    assert!(told[1].ends_with("has dismounted and is now in skirmish line."), "{told:?}");
}

#[test]
fn cav_23_form_alone_mounts_and_dismounts() {
    for (unit_before, task, mounted) in [
        (rider(), dismount(Formation::SkirmishLine), false),
        (trooper(Formation::DismountedLine), mount(Formation::MarchColumn), true),
    ] {
        let mut field = battle(table(open_ground(), [unit_before]));
        give(&mut field, "u", Order::Form { task }, Instructions::default());
        let (after, _) = played(field, no_dice());
        assert_eq!((unit(&after, "u").mounted, unit(&after, "u").marks.changed_formation), (mounted, true));
    }
}

#[test]
fn cav_14_stands_that_a_scenario_narrows_are_narrow_in_both_sets() {
    let scenario = Scenario { ground: open_ground(), frontage_factor: 500, ..Scenario::default() };
    let unit = rider().with(|unit| unit.stand_width = 500).unit();
    let narrow = Table::new(Theatre::new(Arc::new(scenario)), vec![unit]);
    // Half of three quarters of an inch; as deep as ever.
    let end = compiled(&narrow, "u", &forming(dismount(Formation::DismountedLine))).end();
    assert_eq!((end.stand_width, end.stand_depth), (375, 625));
}
