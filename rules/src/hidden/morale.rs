//! The checks of hidden units, under seal. HID-59, MOR-63
//!
//! Owns what they check for, from which place, and that whoever fails is placed before he runs. The checks are those of
//! [`crate::morale`], and so is what follows. Start at [`check_under_seal`].

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Fact;
use protocol::ids::PicketNumber;

use super::change::{Changes, change};
use super::seal::{all_real_pickets, by_footprints, under_seal, units_under};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{HID_59, ROUT_19};
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::leaders::{self, Help};
use crate::morale::check::{Case, Checked, Sight, Verdict, examine};
use crate::morale::sighting::{self, Happened};
use crate::morale::{InCharge, consequence};
use crate::play::Play;
use crate::rout::{self, Loss};
use crate::settle::FiredOn;

/// HID-59 What hidden units went through in a step, and what they may have seen of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owed {
    /// Fires, their losses taken off already.
    pub(crate) hits: Vec<FiredOn>,
    /// What friends may have seen.
    pub(crate) happened: Vec<Happened>,
}

/// What the checks of a picket came to.
#[derive(Default)]
struct Worse {
    verdicts: Vec<Verdict>,
    wiped_out: Vec<UnitIx>,
}

/// HID-59, MOR-63 Takes the checks that hidden units owe. All pass unseen, or their pickets are replaced, and what they do then is done
/// in the open. What friends see of it, for their own checks.
pub(crate) fn check_under_seal(play: &mut Play<'_>, charge: &InCharge) -> Vec<Happened> {
    let owed = std::mem::take(&mut play.owed);
    if owed.hits.is_empty() && owed.happened.is_empty() {
        return Vec::new();
    }
    let mut changes = Changes::default();
    let mut worse = Worse::default();
    for number in all_real_pickets(&play.battle) {
        let units = units_under(&play.battle, number);
        let found = under_seal(play, number, |inner| check(inner, number, &units, &owed)).unwrap_or_default();
        if !found.verdicts.is_empty() || !found.wiped_out.is_empty() {
            changes.placed.insert(number);
        }
        worse.verdicts.extend(found.verdicts);
        worse.wiped_out.extend(found.wiped_out);
    }
    change(play, &changes, HID_59);
    let mut happened = Vec::new();
    for ix in &worse.wiped_out {
        rout::lose(play, *ix, ROUT_19, Loss::WipedOut, Vec::new());
    }
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let gone = worse.wiped_out.iter().filter_map(|ix| sighting::loss(&field, *ix));
    happened.extend(gone.map(|seen| Happened { how: Loss::WipedOut.seen(), ..seen }));
    if !worse.verdicts.is_empty() {
        happened.extend(consequence::apply(play, &field, charge, worse.verdicts));
    }
    happened
}

/// HID-59 The checks of the units under one picket, taken where the play is sealed.
fn check(inner: &mut Play<'_>, number: PicketNumber, units: &[UnitIx], owed: &Owed) -> Worse {
    let wiped_out: Vec<UnitIx> = units.iter().copied().filter(|ix| inner.table()[*ix].figures() == 0).collect();
    let charge = InCharge::default();
    let cases = cases(inner, number, units, owed);
    let batch: Vec<(UnitIx, Help)> = cases.keys().map(|ix| (*ix, charge.help(*ix, &inner.table()[*ix]))).collect();
    leaders::allot(inner, &batch);
    let table = footprints(inner, number);
    let field = Field::new(inner.rules, &table, inner.dice);
    let verdicts = cases.iter().map(|(ix, case)| examine(inner, &field, &charge, *ix, case));
    let (worse, steady): (Vec<Verdict>, Vec<Verdict>) = verdicts.partition(Verdict::got_worse);
    for verdict in &worse {
        tell(inner, &field, verdict);
    }
    consequence::apply(inner, &field, &charge, steady);
    for fire in owed.hits.iter().filter(|fire| fire.first_casualty && units.contains(&fire.unit)) {
        inner.table_mut()[fire.unit].first_casualty_taken = true;
    }
    let verdicts = worse.into_iter().map(|verdict| in_the_open(&field, verdict)).collect();
    Worse { verdicts, wiped_out }
}

/// MOR-63 The sealed table, its hidden units measured by their markers.
fn footprints(inner: &Play<'_>, number: PicketNumber) -> crate::battle::Table {
    match inner.table().pickets.get(&number) {
        Some(picket) => by_footprints(inner.rules, &inner.battle, picket.side),
        None => inner.table().clone(),
    }
}

/// MOR-63 What the units under one picket check for: what struck them, and what they see from its footprint.
fn cases(inner: &Play<'_>, number: PicketNumber, units: &[UnitIx], owed: &Owed) -> BTreeMap<UnitIx, Case> {
    let mut cases: BTreeMap<UnitIx, Case> = BTreeMap::new();
    let alive = |ix: &&UnitIx| 0 < inner.table()[**ix].figures();
    let alive: BTreeSet<UnitIx> = units.iter().filter(alive).copied().collect();
    for fire in owed.hits.iter().filter(|fire| alive.contains(&fire.unit)) {
        let case = cases.entry(fire.unit).or_default();
        if fire.at_screen { &mut case.screen } else { &mut case.fires }.push(fire.clone());
    }
    let table = footprints(inner, number);
    let field = Field::new(inner.rules, &table, inner.dice);
    for happening in &owed.happened {
        let minds = |unit: &Unit| !happening.skirmishers_only || unit.is_skirmishing();
        let is_own = |ix: UnitIx| matches!(happening.what, Sight::Rout(own) | Sight::Loss(own) if own == ix);
        for ix in alive.iter().copied().filter(|ix| field.unit(*ix).side == happening.side && !is_own(*ix)) {
            let distance = sighting::sees(&field, ix, happening).filter(|_| minds(field.unit(ix)));
            if let Some(distance) = distance {
                cases.entry(ix).or_default().see_from(happening, distance);
            }
        }
    }
    cases
}

/// HID-59 Tells the checks of a unit that is about to be revealed, to its own side.
fn tell(inner: &mut Play<'_>, field: &Field<'_>, verdict: &Verdict) {
    for checked in &verdict.checks {
        let fact = fact(field, verdict.unit, checked);
        inner.tell(checked.rule, fact, checked.explanation.clone());
    }
}

fn fact(field: &Field<'_>, ix: UnitIx, checked: &Checked) -> Fact {
    Fact::MoraleCheck {
        unit: field.unit(ix).id.clone(),
        because: checked.because.to_owned(),
        passed: checked.passed,
        before: checked.before,
        after: checked.after,
    }
}

/// HID-59 What everybody is told of a check that was failed under a picket: that it was failed, and nothing of its sum and dice.
fn in_the_open(field: &Field<'_>, verdict: Verdict) -> Verdict {
    let failed = verdict.checks.iter().rfind(|checked| !checked.passed);
    let bare = failed.map(|checked| {
        let text = format!("{} fails its check for {}.", named(&field.unit(verdict.unit).name), checked.taken_for);
        Checked { before: verdict.before, after: verdict.after, explanation: sentence(text), ..checked.clone() }
    });
    Verdict { checks: bare.into_iter().collect(), screen: None, ..verdict }
}
