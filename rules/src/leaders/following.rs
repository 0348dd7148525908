//! Where a leader is put when he has to be elsewhere.
//!
//! It never spends a leader's own movement: rides are [`crate::movement`]'s. Who goes along with a unit that falls back or
//! runs (LEAD-12, ROUT-17) is told where the wave is moved: [`crate::morale`].

use protocol::event::Fact;
use protocol::ids::LeaderId;
use protocol::place::{Bearing, Point};

use crate::battle::UnitIx;
use crate::catalogue::RuleId;
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry::{self, Frame};
use crate::play::Play;

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
