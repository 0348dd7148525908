//! Two worlds side by side, and the first byte by which a viewer could tell them apart.

use std::fmt;
use std::sync::Arc;

use protocol::event::{Event as Shown, Fact};
use protocol::ids::Side;
use protocol::orders::{Draft, Stage};
use protocol::view::Viewer;

use super::chance::Chance;
use super::exchange::exchange;
use super::players::{random_draft, seat};
use super::questions::{ask, json};
use super::setting::begin;
use crate::battle::{Battle, Known, Theatre, known};
use crate::dice::{KeyedDice, SealedOrders, TurnSeed};
use crate::orders::legal_part;
use crate::ruleset::Ruleset;
use crate::stage::{Envelopes, Outcome, resolve};
use crate::view;

/// What was compared, where nothing leaked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Stages that both worlds played.
    pub stages: u32,
    /// Times that the hidden truth was exchanged.
    pub exchanges: u32,
    /// Views, events and answers compared.
    pub compared: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Times that the worlds became different in public, when a picket was opened: the battle went on from one of them.
    pub parted: u32,
}

/// A byte by which the viewer could tell one world from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The seed that shows it again.
    pub seed: u64,
    /// The side that could tell.
    pub viewer: Side,
    /// When.
    pub turn: u32,
    /// In which stage.
    pub stage: Stage,
    /// In what he was sent, such as `event 12` or `odds of a at b`.
    pub told_by: String,
    /// What stood there in one world, from a little before the difference.
    pub one: String,
    /// And in the other.
    pub other: String,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Leak { seed, viewer, turn, stage, told_by, one, other } = self;
        write!(
            f,
            "seed {seed}: {viewer} can tell two worlds apart in turn {turn}, {stage:?}, by {told_by}\n  one:   {one}\n  other: {other}"
        )
    }
}

impl std::error::Error for Leak {}

/// Plays one battle twice for so many turns, the second time with other things under the enemy's pickets, and compares all that
/// one side is sent until there is a difference that everybody may see; then the second begins again as the first stands. HID-14
pub fn two_worlds(theatre: &Arc<Theatre>, seed: u64, turns: u32) -> Result<Ran, Leak> {
    let mut chance = Chance::new(seed);
    let viewer = if chance.once_in(2) { Side::Union } else { Side::Confederate };
    let rules = theatre.scenario.edition.rules();
    let one = begin(theatre, rules, &mut chance);
    let other = one.clone();
    let mut worlds =
        Worlds { rules, label: "secrecy", seed, viewer, one, other, stage: Stage::Orders, chance, ran: Ran::default() };
    worlds.settle();
    worlds.run(turns, &Pickets)
}

/// What is hidden from the viewer in one of the two fogs.
pub(super) trait Hidden {
    /// Before the window of a stage the second world may become another that the viewer cannot tell from the first.
    fn exchange(&self, worlds: &mut Worlds<'_>);

    /// What a seat says besides, where this fog has more to say; legal or not.
    fn say_more(&self, _known: &Known, _draft: &mut Draft, _chance: &mut Chance) {}

    /// What is sealed in the second world, where the viewer cannot tell it from what is sealed in the first.
    fn sealed_otherwise(&self, _worlds: &mut Worlds<'_>, sealed: &Envelopes) -> Envelopes {
        sealed.clone()
    }

    /// Compares the events of a stage, up to the first that everybody may see to be different.
    fn compare_events(&self, worlds: &mut Worlds<'_>, one: &Outcome, other: &Outcome) -> Result<Course, Leak>;
}

/// One battle in two worlds, as one side sees it.
pub(super) struct Worlds<'a> {
    pub(super) rules: &'a Ruleset,
    /// By which its dice are told from those of other checks.
    pub(super) label: &'static str,
    pub(super) seed: u64,
    pub(super) viewer: Side,
    pub(super) one: Battle,
    pub(super) other: Battle,
    pub(super) stage: Stage,
    pub(super) chance: Chance,
    pub(super) ran: Ran,
}

/// The fog `tabletop`: what is under the enemy's pickets.
struct Pickets;

impl Hidden for Pickets {
    fn exchange(&self, worlds: &mut Worlds<'_>) {
        if worlds.stage == Stage::Orders || worlds.chance.once_in(3) {
            exchange(&mut worlds.other, worlds.viewer.enemy(), worlds.stage, &mut worlds.chance);
            worlds.ran.exchanges += 1;
        }
    }

    fn compare_events(&self, worlds: &mut Worlds<'_>, one: &Outcome, other: &Outcome) -> Result<Course, Leak> {
        let mut course = Course::Alike;
        for viewer in worlds.viewers() {
            let [one, other] = [one, other].map(|outcome| view::events(&outcome.events, &viewer));
            for n in 0..one.len().max(other.len()) {
                let pair = (one.get(n), other.get(n));
                if pair.0 != pair.1 && may_differ(&one[n.min(one.len())..], &other[n.min(other.len())..]) {
                    course = Course::Parted;
                    break;
                }
                worlds.compare(&format!("event {}", n + 1), json(&pair.0), json(&pair.1))?;
                if worlds.opens_what_differs(pair.0) {
                    course = Course::Parted;
                    break;
                }
            }
        }
        Ok(course)
    }
}

impl Worlds<'_> {
    /// So many turns, or to the end of the battle.
    pub(super) fn run(mut self, turns: u32, hidden: &impl Hidden) -> Result<Ran, Leak> {
        for _ in 0..turns {
            for stage in Stage::ALL {
                self.stage = stage;
                self.play(hidden)?;
                if self.one.table.ended.is_some() {
                    return Ok(self.ran);
                }
            }
        }
        Ok(self.ran)
    }

    /// A turn in which nobody is told anything: what can be seen from where it begins is opened, and the rest is hidden from then on.
    fn settle(&mut self) {
        for stage in Stage::ALL {
            self.stage = stage;
            self.one = self.resolve(self.one.clone(), &Envelopes::new()).battle;
        }
        self.other = self.one.clone();
    }

    /// A window and its stage in both worlds.
    fn play(&mut self, hidden: &impl Hidden) -> Result<(), Leak> {
        hidden.exchange(self);
        self.compare_views()?;
        self.compare_answers()?;
        let envelopes = self.envelopes(hidden);
        let otherwise = hidden.sealed_otherwise(self, &envelopes);
        let one = self.resolve(self.one.clone(), &envelopes);
        let other = self.resolve(self.other.clone(), &otherwise);
        self.ran.stages += 1;
        if hidden.compare_events(self, &one, &other)? == Course::Parted {
            self.ran.parted += 1;
            self.other = one.battle.clone();
            self.one = one.battle;
            return Ok(());
        }
        (self.one, self.other) = (one.battle, other.battle);
        self.compare_views()
    }

    /// Everybody who may know no more than the viewer's side.
    pub(super) fn viewers(&self) -> [Viewer; 3] {
        let side = self.viewer;
        [Viewer::Seat { side, seat: seat(side) }, Viewer::Side { side }, Viewer::Public {}]
    }

    fn compare_views(&mut self) -> Result<(), Leak> {
        for viewer in self.viewers() {
            let view_of = |battle: &Battle| json(&view::view(self.rules, battle, self.stage, &viewer));
            let (one, other) = (view_of(&self.one), view_of(&self.other));
            self.compare("the view", one, other)?;
        }
        let (one, other) = (known(&self.one, self.viewer), known(&self.other, self.viewer));
        if one != other {
            return self.leak("what is known", format!("{one:?}"), format!("{other:?}"));
        }
        Ok(())
    }

    fn compare_answers(&mut self) -> Result<(), Leak> {
        let (side, asked) = (self.viewer, u64::from(self.chance.below(u32::MAX)));
        let answers = |battle: &Battle| {
            let known = known(battle, side);
            ask(&known, self.rules, &seat(side), self.stage, &mut Chance::new(asked))
        };
        let (one, other) = (answers(&self.one), answers(&self.other));
        if one.len() != other.len() {
            return self.leak("the number of answers", one.len().to_string(), other.len().to_string());
        }
        for (one, other) in one.into_iter().zip(other) {
            self.compare(
                &one.asked,
                format!("{} {}", one.asked, one.bytes),
                format!("{} {}", other.asked, other.bytes),
            )?;
        }
        Ok(())
    }

    /// Drafts that are legal in both worlds, so that the same is ordered in both.
    fn envelopes(&mut self, hidden: &impl Hidden) -> Envelopes {
        let sealed = Side::BOTH.map(|side| {
            let seat = seat(side);
            let (one, other) = (known(&self.one, side), known(&self.other, side));
            let mut draft = random_draft(&one, &seat, self.stage, &mut self.chance);
            hidden.say_more(&one, &mut draft, &mut self.chance);
            loop {
                let legal = |known, draft: &Draft| legal_part(known, self.rules, &seat, self.stage, draft).0;
                let kept = legal(&one, &legal(&other, &draft));
                if kept == draft {
                    return (seat, draft);
                }
                draft = kept;
            }
        });
        sealed.into_iter().collect()
    }

    fn resolve(&self, battle: Battle, envelopes: &Envelopes) -> Outcome {
        let dice = dice(self.label, self.seed, &battle);
        resolve(self.rules, self.stage, battle, envelopes, &dice)
    }

    /// Whether a picket is opened that hid other things in one world than in the other, though the fact of it reads alike:
    /// it does not tell all that is seen from then on, such as the ammunition of a unit.
    fn opens_what_differs(&self, event: Option<&Shown>) -> bool {
        let Some(Fact::PicketsChanged { placed, gone, confirmed: _ }) = event.map(|event| &event.fact) else {
            return false;
        };
        let under =
            |battle: &Battle, number| battle.secrets.get(self.viewer.enemy()).open().pickets.get(&number).cloned();
        let numbers = placed.iter().map(|placed| placed.picket).chain(gone.iter().map(|gone| gone.picket));
        numbers.into_iter().any(|number| under(&self.one, number) != under(&self.other, number))
    }

    pub(super) fn compare(&mut self, told_by: &str, one: String, other: String) -> Result<(), Leak> {
        self.ran.compared += 1;
        self.ran.bytes += one.len() as u64;
        if one == other { Ok(()) } else { self.leak(told_by, one, other) }
    }

    pub(super) fn leak<T>(&self, told_by: &str, one: String, other: String) -> Result<T, Leak> {
        let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        let from = same.saturating_sub(200);
        let part = |text: String| text.chars().skip(from).take(600).collect();
        let (turn, told_by) = (self.one.table.turn, told_by.to_owned());
        let (seed, viewer, stage) = (self.seed, self.viewer, self.stage);
        Err(Leak { seed, viewer, turn, stage, told_by, one: part(one), other: part(other) })
    }
}

/// The dice of a stage: a seed gives the same battle again.
pub(super) fn dice(label: &str, seed: u64, battle: &Battle) -> KeyedDice {
    let mut secret = [0u8; 32];
    secret[..8].copy_from_slice(&seed.to_be_bytes());
    let sealed = [SealedOrders::ABSENT, SealedOrders::ABSENT];
    KeyedDice::new(TurnSeed(secret).turn_key(label, battle.table.turn, &sealed))
}

/// Whether both worlds are still alike in the eyes of the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Alike,
    Parted,
}

/// Whether everybody may see that the next events of two worlds are not the same.
fn may_differ(one: &[Shown], other: &[Shown]) -> bool {
    only_faces_otherwise((one.first(), other.first())) || opened(one) != opened(other)
}

/// What may differ between two worlds in the eyes of all: pickets are opened, and it turns out what they were. Dice of sight
/// before it are those of units that it has placed (HID-46).
fn opened(events: &[Shown]) -> Option<&Fact> {
    let facts = events.iter().map(|event| &event.fact);
    facts
        .into_iter()
        .find(|fact| !matches!(fact, Fact::SightingRolled { .. }))
        .filter(|fact| matches!(fact, Fact::PicketsChanged { .. }))
}

/// HID-29, LEAK-31 Which way a marker faces when it has moved is its owner's play: a line keeps its front, a column follows its
/// head, a dummy does as it likes. Whatever else is told of the move has to be the same.
fn only_faces_otherwise(pair: (Option<&Shown>, Option<&Shown>)) -> bool {
    let lines = |event: Option<&Shown>| match event.map(|event| &event.fact) {
        Some(Fact::PicketsMoved { lines }) => {
            Some(lines.iter().map(|line| (line.picket, line.line.clone())).collect::<Vec<_>>())
        }
        _ => None,
    };
    lines(pair.0).is_some_and(|one| lines(pair.1) == Some(one))
}
