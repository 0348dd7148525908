//! A stage under way: the battle as it changes, the dice, the growing log, and the choices players left.
//!
//! Owns [`Play`], the one value that phases pass along. Steps read a snapshot of it and return findings; the methods
//! that change it are called at the end of a step. It never resolves a rule itself.

use protocol::event::{ChoiceSource, Explanation, Fact};
use protocol::ids::{LeaderId, Side};
use protocol::orders::{Instructions, LeaderDraft, Order, Stage};

use crate::battle::{Battle, Table, UnitIx};
use crate::catalogue::{RuleId, TURN_06};
use crate::dice::{Dice, Purpose};
use crate::hidden::{Owed, Seal, Sighted};
use crate::leaders;
use crate::los;
use crate::ruleset::Ruleset;

/// A fact that resolution produced, with those who may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The stage.
    pub stage: Stage,
    /// The phase, 1 to 9.
    pub phase: u8,
    /// The segment, where it matters. MV-02
    pub segment: Option<u8>,
    /// The rule that made it.
    pub rule: RuleId,
    /// What happened.
    pub fact: Fact,
    /// Why.
    pub explanation: Explanation,
    /// Who may know it.
    pub audience: Audience,
}

/// Who may know an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody.
    All,
    /// One side.
    Side(Side),
    /// Both sides, neither of whom knows that the other is told; so nobody else is. LOS-21
    Both,
    /// One side, which is told this in the place of a fact that the umpire has whole. LOS-10
    Instead(Side),
    /// The umpire alone. LOS-10
    Umpire,
}

/// A stage under way.
pub struct Play<'a> {
    /// The tables in force.
    pub rules: &'a Ruleset,
    /// The turn's dice.
    pub dice: &'a dyn Dice,
    /// The battle as it stands.
    pub battle: Battle,
    /// The stage that is played.
    pub stage: Stage,
    /// The phase that is played.
    pub phase: u8,
    /// The segment, within phases 5 and 7.
    pub segment: Option<u8>,
    /// What happened so far.
    pub events: Vec<Event>,
    /// HID-68 In a step under seal whose it is: dice and facts are its side's secret.
    pub(crate) seal: Option<Seal>,
    /// HID-59 What hidden units went through and have yet to check for.
    pub(crate) owed: Owed,
    /// Where all stood when markers were last looked for. HID-38
    pub(crate) sighted: Sighted,
    /// How all stood when it was last taken down how near enemies are. OFF-02
    pub(crate) danger: leaders::Watch<leaders::Stood>,
    /// Who was seen in this phase, and where. LOS-11
    pub(crate) vision: los::Vision,
}

impl<'a> Play<'a> {
    /// Begins a stage.
    pub fn new(rules: &'a Ruleset, dice: &'a dyn Dice, battle: Battle, stage: Stage) -> Self {
        let (events, seal, owed, sighted) = (Vec::new(), None, Owed::default(), Sighted::default());
        let (danger, vision) = (leaders::Watch::default(), los::Vision::default());
        Play { rules, dice, battle, stage, phase: 0, segment: None, events, seal, owed, sighted, danger, vision }
    }

    /// The open table.
    pub fn table(&self) -> &Table {
        &self.battle.table
    }

    /// The open table, to change it at the end of a step.
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.battle.table
    }

    /// Records a fact for everybody.
    pub fn tell(&mut self, rule: RuleId, fact: Fact, explanation: Explanation) {
        self.record(rule, fact, explanation, Audience::All);
    }

    /// Records a fact for one side alone.
    pub fn tell_side(&mut self, side: Side, rule: RuleId, fact: Fact, explanation: Explanation) {
        self.record(rule, fact, explanation, Audience::Side(side));
    }

    fn record(&mut self, rule: RuleId, fact: Fact, explanation: Explanation, audience: Audience) {
        if self.table().sights.is_some() {
            return los::tell(self, rule, fact, explanation, audience);
        }
        let Some((explanation, audience)) = self.sealed(explanation, audience) else { return };
        self.enter(rule, fact, explanation, audience);
    }

    /// Enters an event as it is.
    pub(crate) fn enter(&mut self, rule: RuleId, fact: Fact, explanation: Explanation, audience: Audience) {
        let Play { stage, phase, segment, .. } = *self;
        self.events.push(Event { stage, phase, segment, rule, fact, explanation, audience });
    }

    /// HID-68 Of a step under seal nobody but its side is told, and dice go by their labels. None: it is not its side's.
    fn sealed(&self, mut explanation: Explanation, audience: Audience) -> Option<(Explanation, Audience)> {
        let Some((seal, side)) = self.seal.as_ref().and_then(|seal| Some((seal, seal.side()?))) else {
            return Some((explanation, audience));
        };
        if audience == Audience::Side(side.enemy()) {
            return None;
        }
        for dice in &mut explanation.dice {
            let Some(purpose) = Purpose::from_word(&dice.purpose) else { continue };
            let key: Vec<&str> = dice.key.iter().map(String::as_str).collect();
            dice.key = seal.key(purpose, &key).0;
        }
        Some((explanation, Audience::Side(side)))
    }

    /// MOR-37 How many dice of a purpose and key were thrown in this phase, as the log tells.
    ///
    /// HID-68, LEAK-13 Of a public key only what was thrown in public counts, so no secret roll moves the next one.
    pub fn thrown(&self, purpose: Purpose, key: &[&str]) -> u32 {
        let (key, secret) = match &self.seal {
            Some(seal) => seal.key(purpose, key),
            None => (key.iter().map(|part| (*part).to_owned()).collect(), false),
        };
        // LOS-20 In the fog every throw counts, whoever is told of it, and each once.
        let fog = self.table().sights.is_some();
        let counted = |audience: Audience| match audience {
            Audience::All => true,
            Audience::Side(_) => secret || fog,
            Audience::Both | Audience::Umpire => true,
            Audience::Instead(_) => false,
        };
        let counts = |event: &&Event| event.phase == self.phase && counted(event.audience);
        let of_phase = self.events.iter().filter(counts);
        let throws = of_phase.flat_map(|event| &event.explanation.dice);
        let same = throws.filter(|dice| dice.purpose == purpose.as_str() && dice.key == key);
        same.map(|dice| dice.faces.len() as u32).sum()
    }

    /// The order in force for a unit; HOLD where nothing was sealed, after a melee FORM. ORD-03, MEL-21
    pub fn order(&self, unit: UnitIx) -> Order {
        let unit = &self.table()[unit];
        let orders = self.battle.secrets.get(unit.side).open().orders_of(&unit.id);
        orders.map_or_else(|| crate::orders::unmarked(unit), |orders| orders.order.clone())
    }

    /// TURN-06 The newest answer given in a window that has opened, else the standing instruction, else the default.
    /// `key` picks one instruction; an answer for which it gives none counts as absent, and the next older one is tried.
    pub fn choice<T>(&self, unit: UnitIx, default: T, key: impl Fn(&Instructions) -> Option<T>) -> (T, ChoiceSource) {
        for (stage, instructions) in self.said(unit) {
            if let Some(value) = key(instructions) {
                let source = if stage == Stage::Orders { ChoiceSource::Standing } else { ChoiceSource::Answer };
                return (value, source);
            }
        }
        (default, ChoiceSource::Default)
    }

    /// What was said of a unit in the windows that have opened, the newest first. TURN-06
    pub fn said(&self, unit: UnitIx) -> impl Iterator<Item = (Stage, &Instructions)> {
        let unit = &self.table()[unit];
        let said = self.battle.secrets.get(unit.side).open().orders_of(&unit.id).map(|orders| &orders.said);
        let opened = said.into_iter().flatten().rev().filter(|(stage, _)| **stage <= self.stage);
        opened.map(|(stage, instructions)| (*stage, instructions))
    }

    /// As [`Play::choice`], and tells the unit's side which of the three it was.
    pub fn decide<T>(&mut self, unit: UnitIx, name: &str, default: T, key: impl Fn(&Instructions) -> Option<T>) -> T {
        let (value, source) = self.choice(unit, default, key);
        self.tell_choice(unit, name, source);
        value
    }

    /// TURN-06 Tells the unit's side which of the three a choice was; nothing of a default.
    pub fn tell_choice(&mut self, unit: UnitIx, name: &str, source: ChoiceSource) {
        let text = match source {
            ChoiceSource::Answer => format!("`{name}` was answered after the reveal."),
            ChoiceSource::Standing => format!("`{name}` stood in the orders."),
            ChoiceSource::Default => return,
        };
        let (side, id) = (self.table()[unit].side, self.table()[unit].id.clone());
        let fact = Fact::Choice { unit: id, key: name.to_owned(), source };
        self.tell_side(side, TURN_06, fact, crate::explain::sentence(text));
    }

    /// TURN-06 for leaders.
    pub fn leader_choice<T>(
        &self,
        side: Side,
        leader: &LeaderId,
        key: impl Fn(&LeaderDraft) -> Option<T>,
    ) -> Option<T> {
        let said = self.battle.secrets.get(side).open().leaders.get(leader).map(|orders| &orders.said);
        said.into_iter().flatten().rev().filter(|(stage, _)| **stage <= self.stage).find_map(|(_, draft)| key(draft))
    }
}
