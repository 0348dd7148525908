//! What needs a player after the reveal? The list of his units that a charge will strike, that may go and meet one, whose flank
//! is open, whose shot will not come; each with what he may still say, and what would come of it.
//!
//! Owns who is listed, in what order, and the words. Charges are foreseen by [`crate::charge::prospect`], flanks are judged by
//! the code of ENF, triggers by that of FIRE-35. It throws no die and looks at no secret of the enemy ([`Known`] has none).
//! Start at [`needs`].

mod charged;
mod flank;
mod riders;
mod shot;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use protocol::event::ChoiceSource;
use protocol::ids::SeatId;
use protocol::needs::{ChargeOdds, Need, NeedAnswer, NeedKind, Needs};
use protocol::orders::{Instructions, Order, Stage};
use protocol::place::Bearing;

use crate::battle::{Known, Unit, UnitIx};
use crate::charge::prospect::{self, Coming};
use crate::field::Field;
use crate::fire::Wishes;
use crate::geometry;
use crate::orders;
use crate::ruleset::Ruleset;

/// What needs a seat while the window of `stage` is open. With the orders nothing is shown yet, and nothing needs an answer.
pub fn needs(known: &Known, rules: &Ruleset, seat: &SeatId, stage: Stage) -> Needs {
    let field = Field::before_dice(rules, &known.table);
    let mine: Vec<UnitIx> =
        field.table.units_of(known.side).filter(|(_, unit)| unit.seat == *seat).map(|(ix, _)| ix).collect();
    let count = |units: usize| u32::try_from(units).unwrap_or(u32::MAX);
    if stage == Stage::Orders {
        return Needs { needs: Vec::new(), rest: count(mine.len()) };
    }
    // TURN-06 In the movement window the charges are over.
    let coming = if stage == Stage::Movement { Vec::new() } else { prospect::coming(&field, known.side) };
    let looking = Looking { known, field: &field, stage, coming: &coming };
    let mut found: Vec<(UnitIx, Need)> = Vec::new();
    for ix in mine.iter().copied().filter(|ix| field.unit(*ix).is_unrouted()) {
        found.extend(looking.needs_of(ix).into_iter().map(|need| (ix, need)));
    }
    let rest = mine.iter().filter(|ix| found.iter().all(|(other, _)| other != *ix)).count();
    found.sort_by_cached_key(|(ix, need)| (rank(need), Reverse(danger(need)), *ix));
    Needs { needs: found.into_iter().map(|(_, need)| need).collect(), rest: count(rest) }
}

/// What presses more comes first: what is charged, what may meet a charge, open flanks, shots.
fn rank(need: &Need) -> u8 {
    match &need.what {
        NeedKind::Charged { reaches, .. } if 0 < reaches.millionths => 0,
        NeedKind::MayCountercharge { .. } => 1,
        NeedKind::FlankExposed { .. } => 2,
        NeedKind::ShotMissed { .. } => 3,
        NeedKind::Charged { .. } => 4,
    }
}

/// How likely the unit is thrown back if nothing more is said, in millionths.
fn danger(need: &Need) -> u32 {
    let in_force = need.answers.iter().find(|answer| answer.in_force);
    in_force.and_then(|answer| answer.odds.as_ref()).map_or(0, |odds| odds.thrown_back.millionths)
}

/// The look of a side at an open window.
struct Looking<'l> {
    known: &'l Known,
    field: &'l Field<'l>,
    stage: Stage,
    coming: &'l [Coming],
}

impl Looking<'_> {
    fn needs_of(&self, ix: UnitIx) -> Vec<Need> {
        let charged = charged::charged(self, ix);
        if !charged.is_empty() {
            return charged;
        }
        let others = [charged::may_countercharge(self, ix), flank::exposed(self, ix), shot::missed(self, ix)];
        others.into_iter().flatten().collect()
    }

    /// The order in force for an own unit. ORD-03
    fn order(&self, ix: UnitIx) -> Order {
        let unit = self.field.unit(ix);
        self.known.own.orders.get(&unit.id).map_or_else(|| orders::unmarked(unit), |sealed| sealed.order.clone())
    }

    /// What was said of it in the windows that have closed, the newest first. TURN-06
    fn said(&self, ix: UnitIx) -> Vec<&Instructions> {
        let sealed = self.known.own.orders.get(&self.field.unit(ix).id);
        let said = sealed.into_iter().flat_map(|sealed| sealed.said.iter().rev());
        said.filter(|(said_in, _)| **said_in < self.stage).map(|(_, said)| said).collect()
    }

    /// Marks the answer in force, and where it comes from: `value` is what instructions say of the key in question, `chosen` what
    /// holds of it. TURN-06
    fn in_force<T: PartialEq>(
        &self,
        ix: UnitIx,
        mut answers: Vec<NeedAnswer>,
        value: impl Fn(&Instructions) -> Option<T>,
        chosen: &T,
    ) -> Vec<NeedAnswer> {
        let sealed = self.known.own.orders.get(&self.field.unit(ix).id);
        let mut said = sealed.into_iter().flat_map(|sealed| sealed.said.iter().rev());
        let source = match said.find(|(said_in, said)| **said_in < self.stage && value(said).is_some()) {
            None => ChoiceSource::Default,
            Some((Stage::Orders, _)) => ChoiceSource::Standing,
            Some(_) => ChoiceSource::Answer,
        };
        if let Some(answer) = answers.iter_mut().find(|answer| value(&answer.instructions).as_ref() == Some(chosen)) {
            answer.in_force = true;
            answer.source = Some(source);
        }
        answers
    }

    fn wishes(&self, ix: UnitIx) -> Wishes {
        Wishes::among(&self.said(ix))
    }

    /// From the middle of one unit to that of another.
    fn bearing(&self, from: UnitIx, to: UnitIx) -> Bearing {
        geometry::bearing_between(self.field.center(from), self.field.center(to)).unwrap_or_default()
    }

    fn name(&self, ix: UnitIx) -> String {
        crate::explain::called(&self.field.unit(ix).name)
    }
}

/// A thing that may be told to a unit.
fn answer(label: &str, instructions: Instructions, rule: crate::catalogue::RuleId) -> NeedAnswer {
    NeedAnswer {
        label: label.to_owned(),
        instructions,
        in_force: false,
        source: None,
        rule: rule.into(),
        odds: None,
        notes: Vec::new(),
    }
}

fn with_odds(mut answer: NeedAnswer, odds: ChargeOdds) -> NeedAnswer {
    answer.odds = Some(odds);
    answer
}

/// Goes to Conditional Hold or has gone there. REV-05
fn is_conditional(unit: &Unit) -> bool {
    unit.marks.conditional_hold
}

/// A bearing as a wind.
fn wind(bearing: Bearing) -> &'static str {
    const WINDS: [&str; 8] = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    let eighth = (bearing.hundredths() + 2_250) / 4_500 % 8;
    WINDS.get(usize::try_from(eighth).unwrap_or(0)).copied().unwrap_or("north")
}
