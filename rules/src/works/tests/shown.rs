//! What players are shown of work and obstacles. OBS-06, OBS-07, OBS-09

use protocol::view::Viewer;

use super::*;
use crate::movement;
use crate::view;

fn seen_by(battle: &Battle, side: Side) -> protocol::view::View {
    view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Side { side })
}

fn work_of(view: &protocol::view::View) -> Option<protocol::view::WorkView> {
    view.units.iter().find(|unit| unit.id == "a".into()).and_then(|unit| unit.work.clone())
}

#[test]
fn obs_06_all_see_how_far_the_work_is_and_its_own_side_where_it_will_be() {
    let order = work(Work::BuildAbatis, &[(30_000, 30_400)]);
    let enemy = infantry("z", Side::Confederate).at(30_000, 50_000);
    let battle = turns(battle(woods(), vec![a(), enemy]), 2, &start(4), &order);
    let own = work_of(&seen_by(&battle, Side::Union)).expect("it is at work");
    assert_eq!((own.work, own.turns, own.left), (Work::BuildAbatis, 2, 4));
    assert_eq!(own.line, [Point::new(28_250, 30_400), Point::new(31_750, 30_400)]);
    let theirs = work_of(&seen_by(&battle, Side::Confederate)).expect("they see it work");
    assert_eq!((theirs.turns, theirs.left, theirs.line), (2, 4, Vec::new()));
}

#[test]
fn obs_07_where_an_abatis_is_to_lie_cannot_be_told_by_the_enemy() {
    let shown = |place: (i32, i32)| {
        let enemy = infantry("z", Side::Confederate).at(30_000, 50_000);
        let after = turns(battle(woods(), vec![a(), enemy]), 1, &start(4), &work(Work::BuildAbatis, &[place]));
        serde_json::to_string(&seen_by(&after, Side::Confederate)).expect("a view is written")
    };
    assert_eq!(shown((30_000, 30_200)), shown((30_000, 30_900)));
}

#[test]
fn obs_09_what_is_built_and_what_is_left_is_seen_by_all() {
    let map = Ground {
        obstacles: vec![obstacle("o", ObstacleKind::Abatis, (20_000, 30_500), (40_000, 30_500))],
        ..open_ground()
    };
    let fresh = battle(map, vec![a()]);
    assert!(seen_by(&fresh, Side::Confederate).obstacles.is_empty());
    let after = turns(fresh, 2, &ScriptedDice::new(), &work(Work::Destroy, &[]));
    let view = seen_by(&after, Side::Confederate);
    assert_eq!(view.destroyed, ["o".into()]);
    let left: Vec<_> = view.obstacles.iter().flat_map(|obstacle| obstacle.lines.clone()).collect();
    let ends = |from, to| vec![Point::new(from, 30_500), Point::new(to, 30_500)];
    assert_eq!(left, [ends(20_000, 28_250), ends(31_750, 40_000)]);
}

#[test]
fn obs_07_the_owner_reads_beforehand_what_will_be_done_and_when() {
    let mut after = turns(battle(woods(), vec![a()]), 2, &start(4), &work(Work::BuildAbatis, &[]));
    after.table.turn = 3;
    let preview = |battle: &Battle, order: &Order| {
        let preview = movement::preview(&known(battle, Side::Union), Ruleset::standard(), &"a".into(), order);
        (preview.refusals.len(), preview.notes.into_iter().map(|note| note.text).collect::<Vec<_>>())
    };
    // Two of six turns are done; it is turn 3: 3, 4, 5 and 6 are to come.
    let (refusals, notes) = preview(&after, &work(Work::BuildAbatis, &[]));
    assert_eq!(refusals, 0);
    assert_eq!(notes[0], "2 turns done, 4 turns to come: at the end of turn 6 there are 3.5 inches of abatis.");
    let (_, fresh) = preview(&battle(woods(), vec![a()]), &work(Work::BuildAbatis, &[]));
    assert_eq!(fresh[0], "It begins when one die is above 3; else the turn is spent in disorder for nothing.");
    assert_eq!(fresh[1], "6 turns to come: at the end of turn 6 there are 3.5 inches of abatis.");
    assert_eq!(preview(&battle(open_ground(), vec![a()]), &work(Work::BuildAbatis, &[])).0, 1);
    let limits = orders::limits(&after.table, unit(&after, "a"));
    assert!(
        limits.iter().any(|limit| limit == "OBS-06: at work, 2 turns done, 4 to come; another order breaks it off"),
        "{limits:?}"
    );
}
