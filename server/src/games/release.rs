//! When the outcome of a stage comes out: in a game with hidden things, at an instant that its computation cannot shift. LEAK-14
//!
//! A computation is the longer the more there is under pickets. So such an outcome waits, uncommitted and unknown to anybody, for
//! one of a few instants after its window closed: a step, two, four, eight steps. They lie the farther apart the later they are, so that
//! what hides shifts a long computation past one of them as seldom as a short one.

use std::time::Duration;

use rules::scenario::{Fog, Scenario};

use crate::store::Millis;

/// The step where the operator sets none.
pub const STEP: Duration = Duration::from_millis(250);

/// Whether a battle has things that only one side knows, so that its outcomes wait.
pub(super) fn waits(scenario: &Scenario) -> bool {
    scenario.options.hidden_movement || scenario.options.fog == Fog::LineOfSight
}

/// How long an outcome that is ready now still waits: to the first of one, two, four, eight steps after the closing that is not past.
pub(super) fn wait(closed_at: Millis, now: Millis, step: Duration) -> Duration {
    let step = Millis::try_from(step.as_millis()).unwrap_or(Millis::MAX).max(1);
    let taken = now.saturating_sub(closed_at).max(0);
    let steps = u64::try_from(taken.saturating_add(step - 1) / step).unwrap_or(1).max(1);
    let steps = steps.checked_next_power_of_two().and_then(|steps| Millis::try_from(steps).ok()).unwrap_or(Millis::MAX);
    let left = steps.saturating_mul(step).saturating_sub(taken);
    Duration::from_millis(u64::try_from(left).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leak_14_outcomes_wait_in_both_ways_of_hiding() {
        let plays = |fog, hidden_movement| {
            let mut scenario = Scenario::default();
            scenario.options.fog = fog;
            scenario.options.hidden_movement = hidden_movement;
            waits(&scenario)
        };
        assert!(plays(Fog::LineOfSight, false) && plays(Fog::Tabletop, true));
        assert!(!plays(Fog::Tabletop, false));
    }

    #[test]
    fn leak_14_and_15_an_outcome_comes_out_after_one_two_four_or_more_steps_whatever_it_took() {
        // Ready after so many milliseconds, out after so many: 250 for all that is ready by then, then twice as much, and twice that.
        let waits = [(0, 250), (1, 250), (249, 250), (250, 250), (251, 500), (500, 500), (501, 1_000), (1_301, 2_000)];
        for (taken, out) in waits {
            let left = wait(10_000, 10_000 + taken, STEP);
            assert_eq!(taken + Millis::try_from(left.as_millis()).unwrap(), out, "ready after {taken}");
        }
        // A clock that was set back makes nobody wait for longer than a step.
        assert_eq!(wait(10_000, 9_000, STEP), STEP);
    }
}
