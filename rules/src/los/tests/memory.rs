//! What is remembered. LOS-07, LOS-08, LOS-17, LOS-18

use protocol::place::Bearing;
use protocol::view::{Confidence, GhostView};

use super::*;
use crate::battle::Score;
use crate::ground::Stretch;
use crate::testing::ix;

fn ghosts(battle: &Battle, side: Side) -> Vec<GhostView> {
    crate::view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Side { side }).ghosts
}

fn move_to(play: &mut Play<'_>, unit: &str, x: i32, y: i32) {
    let unit = ix(play.table(), unit);
    play.table_mut()[unit].footing.anchor = Point::new(x, y);
}

/// Red was seen before the wood and has gone into it, ten inches aside.
fn gone_into_the_wood<'d>(dice: &'d All, then: (i32, i32)) -> Play<'d> {
    let units = [blue(), infantry("red", CONFEDERATE).at(then.0, then.1).facing(18_000)];
    let mut play = play_of(fog(wood(), units), dice);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    assert!(ghosts(&play.battle, UNION).is_empty(), "who is seen has no ghost");
    move_to(&mut play, "red", 40_000, 44_000);
    super::super::look(&mut play);
    play
}

#[test]
fn los_07_who_is_lost_from_sight_leaves_a_ghost_where_he_was() {
    let dice = All(6);
    let mut play = gone_into_the_wood(&dice, (30_000, 31_900));
    let [ghost] = &ghosts(&play.battle, UNION)[..] else { panic!("one ghost is left") };
    assert_eq!((ghost.unit.as_str(), ghost.stance.anchor), ("red", Point::new(30_000, 31_900)));
    assert_eq!(ghost.stance.facing, Bearing::wrapping(18_000));
    assert_eq!((ghost.left.iter().sum::<u32>(), ghost.turn, ghost.stage), (16, 1, Stage::Reactions));
    // It is a memory of its own side, and no unit. Red remembers blue, whom it has lost from sight too.
    let theirs = ghosts(&play.battle, CONFEDERATE);
    assert!(matches!(&theirs[..], [ghost] if ghost.unit.as_str() == "blue"), "{theirs:?}");
    assert_eq!(presence(&of_side(&play.battle, UNION), "red"), Presence::Hidden);
    // What becomes of red out of sight does not touch it.
    let before = view_bytes(&play.battle, &Viewer::Side { side: UNION });
    let unit = ix(play.table(), "red");
    play.table_mut()[unit].stands.pop();
    assert_eq!(view_bytes(&play.battle, &Viewer::Side { side: UNION }), before);
    // Seen again, it has no ghost.
    move_to(&mut play, "red", 30_000, 20_000);
    super::super::look(&mut play);
    assert!(ghosts(&play.battle, UNION).is_empty());
}

#[test]
fn los_08_a_memory_is_fresh_doubtful_and_old() {
    // Last seen in turn 3: the example of the rule.
    let now = |turn| super::super::confidence(3, turn);
    assert_eq!([3, 4, 5, 6].map(now), [Confidence::Fresh, Confidence::Doubtful, Confidence::Old, Confidence::Old]);
}

#[test]
fn los_08_a_ghost_goes_when_its_place_is_seen_to_be_empty() {
    let dice = All(6);
    // Before the wood: blue, two inches off, looks at the place at the next whole test, and nobody is there.
    let mut play = gone_into_the_wood(&dice, (30_000, 31_900));
    super::super::end_phase(&mut play);
    assert!(ghosts(&play.battle, UNION).is_empty());
    // Two inches deep in the wood: seen while it stood there by one in the wood, who has gone; blue outside sees the edge alone.
    let scout = infantry("scout", UNION).at(26_000, 34_000).facing(9_000);
    let units = [blue(), scout, infantry("red", CONFEDERATE).at(30_000, 34_000).facing(18_000)];
    let mut play = play_of(fog(wood(), units), &dice);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    move_to(&mut play, "scout", 12_000, 5_000);
    move_to(&mut play, "red", 40_000, 44_000);
    super::super::end_phase(&mut play);
    assert_eq!(ghosts(&play.battle, UNION).len(), 1);
}

/// A battle with a fence in the wood, less than an inch from red, and one before it.
fn fenced() -> Battle {
    use crate::ground::{Obstacle, ObstacleKind};
    let mut ground = wood();
    for (id, y) in [("deep", 43_000), ("near", 25_000)] {
        ground.obstacles.push(Obstacle {
            id: FeatureId::new(id),
            kind: ObstacleKind::Fence,
            line: vec![Point::new(28_000, y), Point::new(32_000, y)],
        });
    }
    fog(ground, [blue(), red()])
}

#[test]
fn los_17_changes_of_the_map_are_learnt_by_sight() {
    let dice = All(6);
    let mut play = play_of(fenced(), &dice);
    for id in ["deep", "near"] {
        play.table_mut().changes.open_gap(&FeatureId::new(id), Stretch { from: 0, to: 2_000 });
    }
    super::super::end_phase(&mut play);
    let known = |battle: &Battle, side| -> Vec<String> {
        of_side(battle, side).table.changes.gaps.keys().map(ToString::to_string).collect()
    };
    assert_eq!(known(&play.battle, UNION), ["near"]);
    assert_eq!(known(&play.battle, CONFEDERATE), ["deep"]);
    let shown = view_bytes(&play.battle, &Viewer::Side { side: UNION });
    assert!(shown.contains("\"near\"") && !shown.contains("\"deep\""), "{shown}");
    // What was learnt stays as it was when it was seen.
    play.table_mut().changes.open_gap(&FeatureId::new("deep"), Stretch { from: 3_000, to: 4_000 });
    super::super::end_phase(&mut play);
    assert_eq!(known(&play.battle, UNION), ["near"]);
}

#[test]
fn los_18_each_side_is_shown_a_score_of_its_own() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    // The truth has points that nobody is shown.
    play.table_mut().score.union = Score { by_term: [("secret".to_owned(), 7)].into() };
    let own = play.battle.secrets.get_mut(UNION).open_mut();
    own.memory.as_mut().expect("it was begun").score.union = Score { by_term: [("seen".to_owned(), 2)].into() };
    let score = |battle: &Battle, viewer: Viewer| {
        crate::view::view(Ruleset::standard(), battle, Stage::Orders, &viewer).score.union
    };
    assert_eq!(score(&play.battle, Viewer::Side { side: UNION }), 2);
    assert_eq!(score(&play.battle, Viewer::Side { side: CONFEDERATE }), 0);
    assert_eq!(score(&play.battle, Viewer::Public {}), 0);
    assert_eq!(score(&play.battle, Viewer::Umpire {}), 7);
    // When it is over all is open.
    play.table_mut().ended = Some(crate::battle::Ended { winner: None, lines: Vec::new() });
    assert_eq!(score(&play.battle, Viewer::Public {}), 7);
    assert_eq!(presence(&of_side(&play.battle, UNION), "red"), Presence::Table);
}
