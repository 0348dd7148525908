//! Charges: who charges whom, how the charge runs, and what happens where it strikes. CHG, CF, CC, IDD, MEL
//!
//! [`play`] plays the list of phase 6, one whole charge after the other (ALG-CHARGE). A charge reads like this: it is
//! [`declare`]d at the reveal, sets out ([`run`]), and runs in legs ([`leg`]); a leg ends in contact, with enemies who come to
//! meet it ([`counter`], [`meeting`]), with its point halted ([`press`]), or in nothing. What a charged unit does stands in [`answer`], when
//! it fires in [`volley`], what obstacles do in [`obstacle`], who else fires in [`bystanders`], where everybody ends in [`place`].
//! What horse does otherwise than foot stands in [`riding`] (ground and fences), [`riders`] (countercharges) and [`square`]; what a
//! brigade column does, in [`columns`].

pub mod answer;
pub mod bystanders;
pub mod clash;
pub mod columns;
pub mod contact;
pub mod counter;
pub mod declare;
pub mod foresee;
pub mod leg;
pub mod meeting;
pub mod objective;
pub mod obstacle;
pub mod pace;
pub mod place;
pub mod press;
pub mod prospect;
pub mod riders;
mod riding;
pub mod run;
mod square;
pub mod strike;
pub mod sweep;
#[cfg(test)]
mod tests;
pub mod threat;
pub mod volley;
mod waiting;

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Dice as DiceShown, Fact};

use self::clash::{Clash, Ending, Engaged};
use self::leg::LegEnd;
use self::run::Run;
use self::waiting::Waiting;
use crate::battle::UnitIx;
use crate::catalogue::{CHG_13, CHG_24, CHG_54, ORD_10, RuleId};
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::hidden;
use crate::leaders;
use crate::morale::{self, InCharge, Queued};
use crate::play::Play;
use crate::settle::Happening;

/// What settles a contact. It is given, so that a test of the way to it can say how it ends.
#[derive(Clone, Copy)]
pub struct Contact<'r> {
    /// Impact, its results and melee. ALG-CHARGE 11, 12
    pub strike: Settles<'r>,
    /// Melee at once, with a unit that is beaten already or still in contact. IDD-25
    pub catch: Settles<'r>,
}

/// One of the two ways to settle a contact.
pub type Settles<'r> = &'r dyn Fn(&mut Play<'_>, &Clash, &mut Engaged) -> Ending;

/// One charge on the list: a point with its supports. ALG-CHARGE 3
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The unit that strikes.
    pub point: UnitIx,
    /// Those that go in with it.
    pub supports: Vec<UnitIx>,
    /// At whom; none: at a feature of the ground.
    pub target: Option<UnitIx>,
}

/// The charges of the phase.
pub struct Charges<'r> {
    /// Those that are still to be played.
    pub pending: Vec<Group>,
    /// Bonuses that were thrown before the unit's own charge came up. CHG-28
    pub thrown: BTreeMap<UnitIx, (DiceShown, i32)>,
    /// Routs that the engaged will look at when their own charge is over. CHG-05
    pub queue: Vec<Queued>,
    contact: Contact<'r>,
    /// What was found of those that are still to be played.
    waiting: Waiting,
}

/// ALG-CHARGE 3, 4, 17, 18 Plays all charges of the phase, the nearest first, each to its end.
pub fn play(play: &mut Play<'_>) {
    play_with(play, Contact { strike: &clash::resolve_among, catch: &clash::catch });
}

/// As [`play`], with what settles a contact.
pub(crate) fn play_with(play: &mut Play<'_>, contact: Contact<'_>) {
    let pending = declare::list(play);
    let mut charges =
        Charges { pending, thrown: BTreeMap::new(), queue: Vec::new(), contact, waiting: Waiting::default() };
    while let Some(group) = charges.next(play) {
        if let Some(run) = run::start(play, &mut charges, &group) {
            charges.play_out(play, run);
        }
        charges.close_entry(play);
        // HID-38 However it has ended.
        hidden::look(play);
        leaders::mark_danger(play);
    }
    strike::still_touching(play, &mut charges);
}

impl Charges<'_> {
    /// ALG-CHARGE 4 The next charge of those that are still good, its target looked at once more. CHG-02, CHG-13
    fn next(&mut self, play: &mut Play<'_>) -> Option<Group> {
        self.drop_void(play);
        self.waiting.look_about(play);
        let mut cancelled = Vec::new();
        for group in &mut self.pending {
            match self.waiting.target(play, group) {
                Some(target) => group.target = target,
                None => cancelled.push(group.clone()),
            }
        }
        for group in cancelled {
            self.pending.retain(|other| other.point != group.point);
            for ix in std::iter::once(group.point).chain(group.supports) {
                cancel(play, ix, CHG_13, "has nobody left to charge");
            }
        }
        let field = Field::new(play.rules, play.table(), play.dice);
        let n = declare::next(play, &self.pending, |group| self.waiting.distance(&field, group))?;
        Some(self.pending.remove(n))
    }

    /// ALG-CHARGE 4, CHG-45 Charges whose point is out go on under one of their supports, or not at all; supports that are out
    /// stay behind.
    fn drop_void(&mut self, play: &mut Play<'_>) {
        let mut kept = Vec::new();
        for mut group in std::mem::take(&mut self.pending) {
            group.supports.retain(|ix| declare::is_to_charge(&play.table()[*ix]));
            let without_officer = declare::is_to_charge(&play.table()[group.point]) && lacks_officer(play, group.point);
            if without_officer {
                cancel(play, group.point, ORD_10, "is at half strength and has no officer to go with it");
            }
            if declare::is_to_charge(&play.table()[group.point]) {
                kept.push(group);
            } else {
                kept.extend(declare::regroup(play, &group.supports, group.target));
            }
        }
        self.pending = kept;
    }

    /// ALG-CHARGE 5 to 16 One charge with all that comes of it.
    fn play_out(&mut self, play: &mut Play<'_>, mut run: Run) -> Run {
        let mut turned = Vec::new();
        let end = loop {
            hidden::look(play);
            match leg::play(play, self, &mut run) {
                LegEnd::Again => {}
                LegEnd::Contact { enemy, forming } => match strike::standing(play, self, &mut run, enemy, forming) {
                    Ending::Broken => run.is_victor = true,
                    Ending::Recoiled => break "was thrown back",
                    Ending::Fought | Ending::Repelled => break "fought hand to hand",
                },
                LegEnd::Meets(others) => match meeting::meet_all(play, self, &mut run, others) {
                    meeting::Met::Won => run.is_victor = true,
                    meeting::Met::Nobody => {}
                    meeting::Met::Turned(other) => {
                        place::finish(play, &run, "was thrown back");
                        turned.push(std::mem::replace(&mut run, *other));
                        run.is_victor = true;
                    }
                    meeting::Met::Over(how) => break how,
                },
                LegEnd::PointHalted => {
                    press::press_on(play, self, &mut run);
                    break "was halted by fire";
                }
                LegEnd::Over(how) => break how,
            }
            let fit = play.table()[run.point].on_table() && run::is_fit(&play.table()[run.point]);
            if !fit {
                break "came to an end";
            }
        };
        // ALG-CHARGE 15: those of a charge that was thrown back are due too.
        for before in &mut turned {
            meeting::meet_set_aside(play, self, before);
        }
        meeting::meet_set_aside(play, self, &mut run);
        place::finish(play, &run, end);
        run
    }

    /// What the checks of phase 6 know of charges: who looks away, who has elan, who faces whom. CHG-05, MOR-51
    pub fn in_charge(&self, charging: &[UnitIx], targets: &[UnitIx], opponents: &[(UnitIx, UnitIx)]) -> InCharge {
        let pending = self
            .pending
            .iter()
            .flat_map(|group| std::iter::once(group.point).chain(group.supports.iter().copied()).chain(group.target));
        let mut engaged: BTreeSet<UnitIx> = pending.collect();
        engaged.extend(charging.iter().chain(targets));
        let opponent = opponents.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]).collect();
        InCharge { engaged, charging: charging.iter().copied().collect(), opponent, ..InCharge::default() }
    }

    /// ALG-CHARGE 11, 12 Settles a contact; what the engaged put off is kept for the end of their charges.
    fn settle_contact(&mut self, play: &mut Play<'_>, clash: &Clash, caught: bool) -> Ending {
        let members: Vec<UnitIx> = clash.attacker.units().chain(clash.defender.units()).collect();
        let mut engaged = Engaged { units: self.in_charge(&[], &members, &[]).engaged, ..Engaged::default() };
        let settles = if caught { self.contact.catch } else { self.contact.strike };
        let ending = settles(play, clash, &mut engaged);
        self.queue.extend(engaged.put_off);
        ending
    }

    /// MOR-39 Settles what a step of a charge did.
    pub fn settle(&mut self, play: &mut Play<'_>, run: &Run, targets: &[UnitIx], happenings: Vec<Happening>) {
        let charge = self.in_charge(&run.members(), targets, &[]);
        let queued = morale::settle_in_charge(play, happenings, &charge);
        self.queue.extend(queued);
    }

    /// CHG-21, CHG-22 The targets of the charges that are still to come.
    pub fn targets(&self) -> BTreeSet<UnitIx> {
        self.pending.iter().filter_map(|group| group.target).collect()
    }

    /// Whether a unit is still to charge, as point or as support.
    pub fn is_pending(&self, ix: UnitIx) -> bool {
        self.pending.iter().any(|group| group.point == ix || group.supports.contains(&ix))
    }

    /// ALG-CHARGE 17, CHG-05 The routs that were put off are looked at by those with no charge left.
    fn close_entry(&mut self, play: &mut Play<'_>) {
        let charge = self.in_charge(&[], &[], &[]);
        let (due, later): (Vec<Queued>, Vec<Queued>) =
            std::mem::take(&mut self.queue).into_iter().partition(|queued| !charge.engaged.contains(&queued.viewer));
        self.queue = later;
        if !due.is_empty() {
            let queued = morale::look_back(play, &due, &charge);
            self.queue.extend(queued);
        }
    }
}

/// ORD-10 A unit at half strength whose officer is gone does not start.
fn lacks_officer(play: &Play<'_>, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    field.unit(ix).is_half_strength() && morale::officer::present(&field, ix).is_none()
}

/// CHG-13, CHG-24, ORD-10 A charge that does not start: the unit is on Conditional Hold.
pub(crate) fn cancel(play: &mut Play<'_>, ix: UnitIx, rule: RuleId, why: &str) {
    let unit = &mut play.table_mut()[ix];
    unit.marks.conditional_hold = true;
    unit.marks.order_spent = true;
    let text = format!("{} {why}, and holds as it stands.", named(&unit.name));
    let fact = Fact::ConditionalHold { unit: unit.id.clone(), forced: true };
    play.tell(rule, fact, sentence(text));
}

/// The rule that a charge's end is told with.
pub(crate) const END: RuleId = CHG_54;

/// The rule that bars a start.
pub(crate) const START: RuleId = CHG_24;
