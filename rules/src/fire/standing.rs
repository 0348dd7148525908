//! What a unit's order and its turn so far leave of its dice. FIRE-06

use protocol::orders::Order;

use crate::battle::Unit;
use crate::catalogue::{FIRE_06, RuleId};
use crate::ruleset::Ruleset;

/// How a unit stands in the fire ledger. ALG-FIRES 1
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// On FIRST FIRE.
    FirstFire,
    /// On HOLD, and it has not stirred.
    Hold,
    /// On HOLD, but it pivoted, rose, or formed an emergency square.
    Stirred,
    /// On Conditional Hold.
    ConditionalHold,
    /// On Conditional Hold, and it formed, pivoted or rose. FIRE-06
    ConditionalHoldFormed,
    /// It moved, formed, charged or fell back.
    Moved,
}

impl Standing {
    /// ALG-FIRES 1 Where a unit with that order stands now.
    pub fn of(unit: &Unit, order: &Order) -> Standing {
        let marks = &unit.marks;
        if marks.fell_back || marks.countercharged {
            return Standing::Moved;
        }
        let turned = marks.pivoted || marks.risen || marks.formed_on_hold || marks.forming;
        if marks.conditional_hold {
            // REV-08: an attempt to form that failed uses up the change of formation, but has formed nobody.
            return if turned { Standing::ConditionalHoldFormed } else { Standing::ConditionalHold };
        }
        let stirred = turned || marks.changed_formation;
        match order {
            Order::FirstFire {} => Standing::FirstFire,
            Order::Hold { .. } if marks.moved => Standing::Moved,
            Order::Hold { .. } if stirred => Standing::Stirred,
            Order::Hold { .. } => Standing::Hold,
            Order::Disengage { .. } | Order::Charge { .. } | Order::Move(_) | Order::Form { .. } => Standing::Moved,
            // A request that no umpire granted is a HOLD. TC-12
            Order::Special { .. } => Standing::Hold,
        }
    }

    /// FIRE-06 The base dice, with the words for them.
    pub fn base(self, rules: &Ruleset) -> (RuleId, &'static str, i32) {
        let dice = &rules.dice;
        match self {
            Standing::FirstFire => (FIRE_06, "on FIRST FIRE", dice.first_fire),
            Standing::Hold => (FIRE_06, "on HOLD", dice.hold),
            Standing::Stirred => (FIRE_06, "on HOLD, but stirred", dice.moved),
            Standing::ConditionalHold => (FIRE_06, "holding", dice.hold),
            Standing::ConditionalHoldFormed => (FIRE_06, "formed", dice.moved),
            Standing::Moved => (FIRE_06, "moved or formed", dice.moved),
        }
    }

    /// On Conditional Hold. FIRE-08
    pub fn is_conditional(self) -> bool {
        matches!(self, Standing::ConditionalHold | Standing::ConditionalHoldFormed)
    }

    /// ADDF-01, ADDF-02 Whether it may fire again at new enemies.
    pub fn has_extra_fires(self) -> bool {
        matches!(self, Standing::FirstFire | Standing::Hold)
    }

    /// HOLDF-01 Whether it may choose its moment in phases 6 and 7.
    pub fn holds(self) -> bool {
        matches!(self, Standing::Hold | Standing::Stirred | Standing::ConditionalHold | Standing::ConditionalHoldFormed)
    }
}
