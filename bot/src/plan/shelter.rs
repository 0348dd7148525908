//! Shelter: who lies down under the guns, and who digs while there is time.

use protocol::event::Morale;
use protocol::orders::{FormTask, MoveOrder, Order, ProneChange, Work};
use protocol::words::{Arm, Formation};

use crate::ground::Terrain;
use crate::plan::Memory;
use crate::plan::exchange;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation};

/// Nobody lies down with an enemy on foot or horse so near, inches: who lies cannot fire, and rises late. TAC-09
const RISES_AT: f64 = 13.0;
/// Nor does anybody dig. OBS-07
const DIGS_UNTIL: f64 = 14.0;

/// So many figures in a turn are worth lying down for.
const WORTH_LYING: f64 = 0.2;
/// What a figure of the enemy is worth beside one of one's own, for who has nothing to win by it.
const RETURNS_COUNT: f64 = 1.0;
/// Work in hand is broken off for an enemy so near, inches: it leaves the ranks in disorder. OBS-06
const DROPS_SPADES_AT: f64 = 7.0;

/// The order of a unit that stays where it is, if shelter is worth more than its arms.
pub(super) fn order(situation: &Situation<'_>, memory: &Memory, body: &Body, post: Option<&Post>) -> Option<Order> {
    if lies_well(situation, body, post) {
        return Some(match body.prone {
            true => Order::Hold { task: None },
            false => Order::Move(MoveOrder { prone: Some(ProneChange::LieDown), ..MoveOrder::default() }),
        });
    }
    digs(situation, memory, body, post).then(works)
}

/// Goes on with work in hand while the enemy leaves time for it: a turn of anything else, and it begins from nothing. WORKS-07
pub(super) fn goes_on_digging(situation: &Situation<'_>, body: &Body) -> Option<Order> {
    let left = body.work_left?;
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= DROPS_SPADES_AT);
    let in_time = !near || exchange::is_quiet(situation, body);
    (in_time && left < situation.turns_left && body.morale != Morale::Routed).then(works)
}

fn works() -> Order {
    Order::Form { task: FormTask::Work { work: Work::BuildHastyWorks, at: Vec::new() } }
}

/// Whether foot is better off on its belly: guns see it, and nobody else is near enough to be fired at or to charge. TAC-08
pub(super) fn lies_well(situation: &Situation<'_>, body: &Body, post: Option<&Post>) -> bool {
    let stays = post.is_none_or(|post| matches!(post.role, Role::Hold | Role::Support | Role::Claim));
    let foot = body.arm == Arm::Infantry || body.formation == Formation::DismountedLine;
    let able = foot
        && !body.disorder
        && !body.only_forms
        && !matches!(body.formation, Formation::MarchColumn | Formation::AttackColumn | Formation::Square);
    if !stays || !able {
        return false;
    }
    if post.is_some() && is_shot_at_in_vain(situation, body) {
        return true;
    }
    let on_foot_near = situation
        .threats()
        .filter(|enemy| !enemy.is_guns())
        .any(|enemy| body.footprint.distance(&enemy.footprint) <= RISES_AT);
    let under_guns = situation.threats().any(|enemy| {
        let range = body.footprint.distance(&enemy.footprint);
        enemy.is_guns()
            && enemy.formation == Formation::Unlimbered
            && body.ranges[1] < range
            && range <= enemy.ranges[1] + 4.0
            && enemy.covers(body.middle())
            && situation.sees(enemy, body)
    });
    body.morale == Morale::Good && under_guns && !on_foot_near
}

/// Whether shots cost a unit clearly more than its own are worth, lying down spares it that, and nobody comes. Most of such
/// fire is long musketry, of which hardly a shot tells on men who lie flat; they are still there when it comes to close
/// quarters. TAC-08
fn is_shot_at_in_vain(situation: &Situation<'_>, body: &Body) -> bool {
    let at = body.middle();
    let spared = exchange::exposure(situation, body, at, false) - exchange::exposure(situation, body, at, true);
    WORTH_LYING < spared
        && exchange::is_quiet(situation, body)
        && exchange::returned(situation, body) * RETURNS_COUNT < spared
}

/// Who holds ground without works, or waits behind who does, has wood or a fence at hand and the enemy still far, throws up
/// works. WORKS-04
fn digs(situation: &Situation<'_>, memory: &Memory, body: &Body, post: Option<&Post>) -> bool {
    let waits = |post: &Post| post.role == Role::Support && post.against.is_none() && !situation.must_attack;
    let holds =
        post.is_some_and(|post| (post.role == Role::Hold || waits(post)) && body.anchor.distance(post.at) <= 0.8);
    let ahead = body.anchor.plus(situation.threatened_from(body.anchor).times(4.0));
    let material =
        situation.ground.terrain(body.anchor) == Terrain::Woods || situation.ground.wall_within(body.anchor, 1.0);
    let turns = (2 * body.base_point).max(1) as u32;
    let begun = memory.dug.get(&body.id).copied().unwrap_or(0);
    let foot_near = |enemy: &&Body| !enemy.is_guns() && body.footprint.distance(&enemy.footprint) <= DIGS_UNTIL;
    let far = !situation.threats().any(|enemy| foot_near(&enemy));
    let on_foot_in_line = match body.formation {
        Formation::SingleLine | Formation::DoubleLine => body.arm == Arm::Infantry,
        formation => formation == Formation::DismountedLine,
    };
    holds
        && far
        && material
        && matches!(body.arm, Arm::Infantry | Arm::Cavalry)
        && body.morale != Morale::Routed
        && !body.prone
        && on_foot_in_line
        && !memory.refuses_works.contains(&body.id)
        && begun < turns
        && turns - begun < situation.turns_left
        && situation.ground.cover(body.anchor, ahead) < 3.0
}
