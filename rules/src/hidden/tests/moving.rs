//! Orders and marches of pickets, by rule.

mod brigades;
mod marching;
mod orders;
mod showing;

use protocol::event::Fact;
use protocol::ids::{PicketNumber, Side};
use protocol::orders::{Draft, Instructions, MoveOrder, Order, Stage, UnitDraft};
use protocol::place::Point;

use crate::battle::{Battle, known};
use crate::dice::{Dice, ScriptedDice};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, hide, infantry, seat};

const REAL: PicketNumber = PicketNumber(417);
const DUMMY: PicketNumber = PicketNumber(802);

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

fn path(points: &[(i32, i32)]) -> MoveOrder {
    MoveOrder { path: points.iter().map(|&(x, y)| p(x, y)).collect(), ..MoveOrder::default() }
}

/// A regiment of the Confederacy under 417 at 10, 10 and a dummy 802 at 20, 10; an open enemy far to the north.
fn field_of(hidden: Maker) -> Battle {
    let open = [infantry("blue", Side::Union).at(30_000, 55_000).facing(18_000)];
    // Woods between them: nobody looks over.
    let ground = super::wood(0, 32_000, 60_000, 50_000);
    let mut battle = crate::testing::battle(crate::testing::table(ground, open));
    hide(&mut battle, REAL, Some(hidden.at(10_000, 10_000)), (10_000, 10_000), Side::Confederate);
    hide(&mut battle, DUMMY, None, (20_000, 10_000), Side::Confederate);
    battle
}

/// The same, the pickets deep in heavy woods, into which nobody looks without a die or with one.
fn wooded_field_of(hidden: Maker) -> Battle {
    let mut battle = field_of(hidden);
    let ground = super::woods(&[(0, 0, 60_000, 17_000)], crate::ground::Wooded::Heavy);
    let scenario = crate::scenario::Scenario { ground, ..battle.table.scenario().clone() };
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    battle
}

fn regiment() -> Maker {
    infantry("hidden", Side::Confederate)
}

fn said(order: Order, instructions: Instructions) -> UnitDraft {
    UnitDraft { order: Some(order), instructions, ..UnitDraft::default() }
}

/// The refusals of one picket's draft: key, rule and words.
fn refused(battle: &Battle, stage: Stage, number: PicketNumber, said: UnitDraft) -> Vec<(String, String, String)> {
    let draft = Draft { pickets: [(number, said)].into(), ..Draft::default() };
    let known = known(battle, Side::Confederate);
    let refusals = crate::orders::check(&known, Ruleset::standard(), &seat(Side::Confederate), stage, &draft);
    refusals.into_iter().map(|refusal| (refusal.key, refusal.rule.to_string(), refusal.message)).collect()
}

/// The rules by which an order to a picket is refused.
fn rules_against(battle: &Battle, number: PicketNumber, order: Order) -> Vec<String> {
    let found = refused(battle, Stage::Orders, number, said(order, Instructions::default()));
    found.into_iter().map(|(_, rule, _)| rule).collect()
}

/// Plays one phase of a stage.
fn phase(stage: Stage, phase: u8, battle: Battle, dice: &dyn Dice, run: fn(&mut Play<'_>)) -> (Battle, Vec<Event>) {
    let mut play = Play::new(Ruleset::standard(), dice, battle, stage);
    play.phase = phase;
    run(&mut play);
    (play.battle, play.events)
}

fn moved(battle: Battle, dice: &ScriptedDice) -> (Battle, Vec<Event>) {
    phase(Stage::Movement, 7, battle, dice, crate::movement::play)
}

/// A picket's number, its line and its facing.
type Line = (u32, Vec<(i32, i32)>, u32);

/// The lines told by the one message of a phase.
fn lines(events: &[Event]) -> Vec<Line> {
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::PicketsMoved { lines } => Some(lines.clone()),
            _ => None,
        })
        .collect();
    assert!(told.len() <= 1, "all pickets are told in one message");
    let points = |line: &[Point]| line.iter().map(|point| (point.x, point.y)).collect();
    told.concat().iter().map(|line| (line.picket.0, points(&line.line), line.facing.hundredths())).collect()
}

fn at(battle: &Battle, number: PicketNumber) -> (i32, i32) {
    let at = battle.table.pickets[&number].at;
    (at.x, at.y)
}
