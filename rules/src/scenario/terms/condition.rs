//! Conditions and triggers in words. SCNS-03
//!
//! Owns the closed list and the reading of it. Whether one holds is told by [`crate::specials`].

use protocol::ids::{FeatureId, Side};
use serde::{Deserialize, Serialize};

use crate::scenario::entry::{Entry, Names, parse_word, shorten};

/// A condition or trigger. SCNS-03
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// `turn n`
    Turn(u32),
    /// `after_turn n`
    AfterTurn(u32),
    /// `passed_check`: it has passed a morale check.
    PassedCheck,
    /// `fires n`: it has fired so often this game.
    Fires(u32),
    /// `held_turns n`: it has neither moved nor fought hand to hand for so many whole turns.
    HeldTurns(u32),
    /// `in_place <feature>`: it is there.
    InPlace(FeatureId),
    /// `mounted`
    Mounted,
    /// `dismounted`
    Dismounted,
    /// `hidden`
    Hidden,
    /// `charged`: it has been charged.
    Charged,
    /// `fired_on`: it has been fired on.
    FiredOn,
    /// `enemy_within inches`: an open enemy that it sees is so near, thousandths of an inch.
    EnemyWithin(i32),
    /// `side_in_place <side> <feature>`: an open unrouted unit of the side is there.
    SideInPlace(Side, FeatureId),
    /// `lost n`: so many open units of its side are lost.
    Lost(u32),
    /// `friend_passed`: open friendly infantry stands nearer to the enemy edge.
    FriendPassed,
    /// `umpire`: the umpire says so.
    Umpire,
}

/// SCNS-03 A condition in words, such as "held_turns 1".
pub(super) fn condition(e: &mut Entry<'_, '_>, key: &'static str) -> Option<Condition> {
    let text = e.opt_text(key)?;
    let at = e.place_of(key);
    let mut parts = text.split_whitespace();
    let word = parts.next().unwrap_or_default();
    let arguments: Vec<&str> = parts.collect();
    let number = |most: u32| match arguments.as_slice() {
        [n] => n.parse::<u32>().ok().filter(|n| (1..=most).contains(n)),
        _ => None,
    };
    let feature = |name: &str| {
        e.shared.refer(Names::Feature, name, at);
        FeatureId::new(name)
    };
    let read = match (word, arguments.as_slice()) {
        ("turn", [_]) => number(200).map(Condition::Turn),
        ("after_turn", [_]) => number(200).map(Condition::AfterTurn),
        ("fires", [_]) => number(100).map(Condition::Fires),
        ("held_turns", [_]) => number(100).map(Condition::HeldTurns),
        ("lost", [_]) => number(100).map(Condition::Lost),
        ("enemy_within", [_]) => number(200).map(|inches| Condition::EnemyWithin(inches as i32 * 1000)),
        ("in_place", [name]) => Some(Condition::InPlace(feature(name))),
        ("side_in_place", [side, name]) => parse_word(side).map(|side| Condition::SideInPlace(side, feature(name))),
        ("passed_check", []) => Some(Condition::PassedCheck),
        ("mounted", []) => Some(Condition::Mounted),
        ("dismounted", []) => Some(Condition::Dismounted),
        ("hidden", []) => Some(Condition::Hidden),
        ("charged", []) => Some(Condition::Charged),
        ("fired_on", []) => Some(Condition::FiredOn),
        ("friend_passed", []) => Some(Condition::FriendPassed),
        ("umpire", []) => Some(Condition::Umpire),
        _ => None,
    };
    if read.is_none() {
        let what = format!("`{key}` is no condition: `{}`", shorten(&text));
        e.fault(at, what, "known: turn n, after_turn n, passed_check, fires n, held_turns n, in_place <feature>, mounted, dismounted, hidden, charged, fired_on, enemy_within inches, side_in_place <side> <feature>, lost n, friend_passed, umpire (SCNS-03)");
    }
    read
}
