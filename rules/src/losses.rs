//! Losses: figures come off stands in their order, stands leave the formation.
//!
//! Owns ORG-03 to ORG-06 and what is told of a loss. It never decides how many are lost ([`crate::fire`], melee), nor what
//! follows ([`crate::morale`]). Start at [`take`].

use protocol::event::Fact;
use protocol::words::Formation;

use crate::battle::Unit;
use crate::view::stance;

/// What a unit lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossTaken {
    /// Figures (sections of a battery) lost; never more than it had. FIRE-34
    pub figures: u32,
    /// Stands that lost their last figure.
    pub stands: u32,
    /// It was the unit's first loss of the battle. MOR-10
    pub first_casualty: bool,
    /// Nobody is left. FIRE-34
    pub wiped_out: bool,
}

/// ORG-05 Takes figures off a unit, one stand at a time in its order of loss, and lays it out again without the stands lost.
///
/// ORG-06 holds by itself: anchor and facing stay, and the layout of the stands that are left is the new formation.
pub fn take(unit: &mut Unit, figures: u32) -> LossTaken {
    let mut taken = LossTaken::default();
    while taken.figures < figures {
        let Some(place) = next_to_suffer(unit) else { break };
        let stand = &mut unit.stands[place];
        let lost = stand.figures.min(figures - taken.figures);
        stand.figures -= lost;
        taken.figures += lost;
        if stand.figures == 0 {
            unit.stands.remove(place);
            taken.stands += 1;
            after_a_stand(unit);
        }
    }
    taken.first_casualty = 0 < taken.figures && !unit.first_casualty_taken;
    unit.first_casualty_taken |= 0 < taken.figures;
    taken.wiped_out = unit.stands.is_empty();
    taken
}

/// TAC-18, TAC-22 Takes figures off the screen of a line with skirmishers; what exceeds its figures is ignored.
pub fn take_from_screen(unit: &mut Unit, figures: u32) -> LossTaken {
    let Some(screen) = unit.stands.last_mut().filter(|_| unit.footing.screen_is_out()) else {
        return LossTaken::default();
    };
    let lost = figures.min(screen.figures);
    screen.figures -= lost;
    let wiped_out = screen.figures == 0;
    if wiped_out {
        without_screen(unit);
    }
    let first_casualty = 0 < lost && !unit.first_casualty_taken;
    unit.first_casualty_taken |= 0 < lost;
    LossTaken { figures: lost, stands: u32::from(wiped_out), first_casualty, wiped_out: false }
}

/// TAC-21 The screen runs and is gone, with all that was left of it.
pub fn screen_runs(unit: &mut Unit) -> LossTaken {
    match unit.stands.last() {
        Some(screen) if unit.footing.formation == Formation::LineWithSkirmishers => {
            let figures = screen.figures;
            without_screen(unit);
            LossTaken { figures, stands: 1, ..LossTaken::default() }
        }
        _ => LossTaken::default(),
    }
}

/// TAC-21, TAC-22 The stand of the screen is lost, which counts against the regiment's morale from next turn.
fn without_screen(unit: &mut Unit) {
    unit.stands.pop();
    into_single_line(unit);
    unit.marks.screen_lost = true;
}

fn into_single_line(unit: &mut Unit) {
    unit.footing.formation = Formation::SingleLine;
    unit.footing.gap = 0;
    unit.footing.screen_back = false;
}

/// The stand that suffers: the reserve first (TAC-14), the screen last (TAC-18), else by the order of loss (ORG-03).
fn next_to_suffer(unit: &Unit) -> Option<usize> {
    let last = unit.stands.len().checked_sub(1)?;
    if unit.footing.formation == Formation::LineWithReserve && unit.stands.len() == 4 {
        return Some(last);
    }
    // A stand already begun is finished, whatever was regrouped since.
    let begun = |place: &usize| unit.stands[*place].figures < unit.stands[*place].full;
    let spares_last = unit.footing.formation == Formation::LineWithSkirmishers && 0 < last;
    let places = if spares_last { 0..last } else { 0..last + 1 };
    places.min_by_key(|place| (!begun(place), unit.stands[*place].loss_rank, *place))
}

/// ORG-06, TAC-14 A refused stand is straightened in a line of two, a reserve that is gone leaves a single line, and so does a
/// body of which nothing but the screen is left.
fn after_a_stand(unit: &mut Unit) {
    if unit.stands.len() < 3 {
        unit.footing.refused = None;
    }
    let alone = match unit.footing.formation {
        Formation::LineWithReserve => unit.stands.len() < 4,
        Formation::LineWithSkirmishers => unit.stands.len() < 2,
        _ => false,
    };
    if alone {
        into_single_line(unit);
    }
}

/// The fact that tells a loss.
pub fn fact(unit: &Unit, taken: LossTaken, horses: u32) -> Fact {
    Fact::Losses {
        unit: unit.id.clone(),
        figures: taken.figures,
        stands: taken.stands,
        horses,
        after: stance(unit),
        left: unit.stands.iter().map(|stand| stand.figures).collect(),
    }
}
