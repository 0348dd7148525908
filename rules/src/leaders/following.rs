//! Leaders who go along with the units beside them, and where a leader is put.
//!
//! Owns LEAD-12, ROUT-17 and the places of leaders. It never spends a leader's own movement: rides are
//! [`crate::movement`]'s.

use protocol::event::Fact;
use protocol::ids::LeaderId;
use protocol::orders::FollowOrStay;
use protocol::place::{Bearing, Point};

use crate::battle::{Leader, UnitIx};
use crate::catalogue::RuleId;
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry::{self, Frame};
use crate::play::Play;

/// LEAD-12, ROUT-17 A leader is with a unit within this distance, thousandths of an inch.
const WITH_THE_UNIT: i32 = 1_000;

/// LEAD-12 The leaders who will keep with a unit that falls back or retreats: those within an inch of it who were not told
/// to stay. Ask before the unit moves, then [`carry`] them.
pub fn keeping_with(play: &Play<'_>, unit: UnitIx) -> Vec<LeaderId> {
    beside(play, unit, |leader| {
        let said = play.leader_choice(leader.side, &leader.id, |draft| draft.if_unit_falls_back);
        said.unwrap_or(FollowOrStay::Follow) == FollowOrStay::Follow
    })
}

/// ROUT-17 The leaders who will run with a unit that routs: those within an inch of it who were told to follow, or who
/// have no other unrouted friend in their radius. Ask before the unit runs, then [`carry`] them.
pub fn running_with(play: &Play<'_>, unit: UnitIx) -> Vec<LeaderId> {
    let field = Field::new(play.rules, play.table(), play.dice);
    beside(play, unit, |leader| {
        let reach = super::radius(play.rules, play.table(), leader);
        let said = play.leader_choice(leader.side, &leader.id, |draft| draft.if_unit_routs);
        let mut others =
            play.table().units_of(leader.side).filter(|(other, friend)| *other != unit && friend.is_unrouted());
        let has_another = others.any(|(other, _)| field.leader_distance(leader, other).within(reach));
        said.unwrap_or(if has_another { FollowOrStay::Stay } else { FollowOrStay::Follow }) == FollowOrStay::Follow
    })
}

fn beside(play: &Play<'_>, unit: UnitIx, goes: impl Fn(&Leader) -> bool) -> Vec<LeaderId> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let side = field.unit(unit).side;
    let with_it = |leader: &&Leader| leader.side == side && field.leader_distance(leader, unit).within(WITH_THE_UNIT);
    let beside = field.table.leaders_on_table().filter(with_it).filter(|leader| goes(leader));
    beside.map(|leader| leader.id.clone()).collect()
}

/// LEAD-12 Leaders keep their place relative to a unit whose centre went from one point to another.
pub fn carry(play: &mut Play<'_>, leaders: &[LeaderId], from: Point, to: Point, rule: RuleId) {
    for id in leaders {
        let Some(leader) = play.table().leaders.get(id) else { continue };
        let at = Point::new(leader.at.x + to.x - from.x, leader.at.y + to.y - from.y);
        let text = format!("{} keeps with the unit beside him.", leader.name);
        move_leader(play, id, at, rule, text);
    }
}

/// Puts a leader elsewhere, whole on the table, and tells it.
pub fn move_leader(play: &mut Play<'_>, id: &LeaderId, to: Point, rule: RuleId, why: String) {
    let ground = play.table().ground().ground();
    let (width, height) = (ground.width, ground.height);
    let Some(leader) = play.table_mut().leaders.get_mut(id) else { return };
    let half = leader.stand_size() / 2;
    let from = leader.at;
    leader.at = Point::new(to.x.clamp(half, (width - half).max(half)), to.y.clamp(half, (height - half).max(half)));
    if leader.at != from {
        let fact = Fact::LeaderMoved { leader: id.clone(), path: vec![from, leader.at] };
        play.tell(rule, fact, sentence(why));
    }
}

/// LEAD-13, LEAD-16 The place of a leader's stand that touches the rear of a unit at its middle.
pub(crate) fn behind(field: &Field<'_>, unit: UnitIx, stand_size: i32) -> (Point, Bearing) {
    let rear = field.layout(unit).as_target.rear();
    let middle = geometry::mean(&[rear.left, rear.right]).expect("two points have a mean");
    (Frame::new(middle, rear.facing).at(stand_size / 2, 0), rear.facing.reversed())
}
