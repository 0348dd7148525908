//! When the outcome of a stage comes out: in a game with hidden things, at an instant that its computation cannot shift. LEAK-14
//!
//! A computation is the longer the more there is under pickets. So such an outcome waits, uncommitted and unknown to anybody, for
//! the next multiple of a fixed step after its window closed.

use std::time::Duration;

use rules::scenario::{Fog, Scenario};

use crate::store::Millis;

/// The step where the operator sets none.
pub const STEP: Duration = Duration::from_millis(250);

/// Whether a battle has things that only one side knows, so that its outcomes wait.
pub(super) fn waits(scenario: &Scenario) -> bool {
    scenario.options.hidden_movement || scenario.options.fog == Fog::LineOfSight
}

/// How long an outcome that is ready now still waits: to the first multiple of the step after the closing that is not past.
pub(super) fn wait(closed_at: Millis, now: Millis, step: Duration) -> Duration {
    let step = Millis::try_from(step.as_millis()).unwrap_or(Millis::MAX).max(1);
    let taken = now.saturating_sub(closed_at).max(0);
    let steps = (taken.saturating_add(step - 1) / step).max(1);
    let left = steps.saturating_mul(step).saturating_sub(taken);
    Duration::from_millis(u64::try_from(left).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leak_14_and_15_an_outcome_comes_out_at_a_multiple_of_the_step_whatever_it_took() {
        // Ready after so many milliseconds, out after so many: 250 for all that is ready by then, then the next multiple.
        for (taken, out) in [(0, 250), (1, 250), (249, 250), (250, 250), (251, 500), (500, 500), (1_301, 1_500)] {
            let left = wait(10_000, 10_000 + taken, STEP);
            assert_eq!(taken + Millis::try_from(left.as_millis()).unwrap(), out, "ready after {taken}");
        }
        // A clock that was set back makes nobody wait for longer than a step.
        assert_eq!(wait(10_000, 9_000, STEP), STEP);
    }
}
