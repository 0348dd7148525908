//! Chapter QRC as it bears on movement: what the quick reference chart says of changing formation.

use protocol::ids::Side::Union;
use protocol::orders::{FormTask, MoveOrder};
use protocol::words::{Formation, Quality};

use super::*;

fn spent(unit: Maker, task: FormTask) -> i64 {
    let order = MoveOrder { form_first: Some(task), ..MoveOrder::default() };
    alone(open_ground(), unit, &order).spent()
}

fn form(formation: Formation) -> FormTask {
    FormTask::Formation { formation, facing: None, pivot: None, gap: None }
}

#[test]
fn qrc_08_forming_takes_half_a_move_and_the_whole_of_green_skirmishing_and_disordered_units() {
    let line = || infantry("u", Union).at(30_000, 10_000);
    let to_double = |unit: Maker| spent(unit, form(Formation::DoubleLine));
    assert_eq!([to_double(line()), to_double(line().quality(Quality::Elite))], [TURN / 2; 2]);
    let slow = [line().green(), line().formation(Formation::SkirmishLine), line().disordered()];
    assert_eq!(slow.map(to_double), [TURN; 3]);
}

#[test]
fn qrc_18_gaps_between_stands_and_the_limbering_of_veterans() {
    // Stands of four figures are 0.875 inches wide.
    let gaps = |formation, asked: u32| {
        let task = FormTask::Formation { formation, facing: None, pivot: None, gap: Some(asked) };
        let order = MoveOrder { form_first: Some(task), ..MoveOrder::default() };
        let program =
            alone(open_ground(), infantry("u", Union).at(30_000, 10_000).formation(Formation::DoubleLine), &order);
        program.refusals.is_empty().then(|| program.end().footing.gap)
    };
    assert_eq!(gaps(Formation::SingleLine, 500), Some(0), "all stands touch");
    assert_eq!((gaps(Formation::ExtendedLine, 875), gaps(Formation::ExtendedLine, 876)), (Some(875), None));
    let skirmishers = [874, 875, 1_750, 1_751].map(|gap| gaps(Formation::SkirmishLine, gap));
    assert_eq!(skirmishers, [None, Some(875), Some(1_750), None]);
    let guns = || battery("u", Union).at(30_000, 10_000);
    assert_eq!(spent(guns(), FormTask::Limber { facing: None }), TURN / 2);
    assert_eq!(spent(guns().formation(Formation::Limbered), FormTask::Unlimber { facing: None }), TURN / 4);
}
