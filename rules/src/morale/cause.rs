//! What causes a check, in words: the fire, the melee, the rout that was seen and how near. MOR-09, MOR-20
//!
//! Owns how a check is told, so that a cascade reads as a chain: each link names the one before it. It decides nothing.

use std::collections::BTreeSet;

use super::check::{Case, Kind, Seen, Sight};
use crate::battle::UnitIx;
use crate::catalogue::{CHG_46, MOR_10, MOR_12, MOR_17, MOR_18, MOR_20, RuleId, TAC_19};
use crate::explain::{away, called};
use crate::field::Field;
use crate::fire::listed;
use crate::settle::FiredOn;

/// How the cause of a check is told.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The rule that forces it.
    pub(super) rule: RuleId,
    /// Its name in the log.
    pub(super) because: &'static str,
    /// What it is taken for: `the rout of the 15th Alabama`.
    pub(super) taken_for: String,
    /// As a sentence goes on after `checks its morale`.
    pub(super) why: String,
}

impl Told {
    /// What is told of a kind of check.
    pub(super) fn of(field: &Field, kind: &Kind) -> Told {
        let (rule, because, taken_for) = match kind {
            Kind::FirstCasualty => (MOR_10, "first casualty", "its first casualty"),
            Kind::Hit(_) => (MOR_12, "hit by artillery or sharpshooters", "the hit it took"),
            Kind::Horse => (MOR_18, "horse lost", "the loss of a team"),
            Kind::StandLost => (MOR_17, "stand lost", "what it has lost"),
            Kind::ScreenFigureLost => (TAC_19, "figure of the screen lost", "a figure that it has lost"),
            Kind::PressOn => (CHG_46, "pressing on", "going on past its halted point"),
            Kind::Saw(seen) => return Told::of_sighting(field, seen),
        };
        Told { rule, because, taken_for: taken_for.to_owned(), why: format!("for {taken_for}") }
    }

    /// MOR-20 The happening, how near it was: a link of the chain that the one before it made.
    fn of_sighting(field: &Field, seen: &Seen) -> Told {
        let unit = |ix: &UnitIx| called(&field.unit(*ix).name);
        let (because, who, noun) = match &seen.what {
            Sight::Rout(ix) => ("saw a rout", unit(ix), "rout"),
            Sight::Loss(ix) => ("saw a unit lost", unit(ix), "loss"),
            Sight::Officer(id) => {
                let leader = field.table.leaders.get(id);
                ("saw an officer hit", leader.map_or_else(|| id.to_string(), |leader| leader.name.clone()), "fall")
            }
        };
        let why = format!("because {who} {} {}", seen.how, away(seen.distance));
        Told { rule: MOR_20, because, taken_for: format!("the {noun} of {who}"), why }
    }

    /// By whose fire it was caused, where a fire did.
    pub(super) fn by_fire(self, field: &Field, kind: &Kind, case: &Case) -> Told {
        let fires: Vec<&FiredOn> = match kind {
            Kind::Hit(fire) => case.fires.get(*fire).into_iter().collect(),
            Kind::FirstCasualty => case.fires.iter().filter(|fire| fire.first_casualty).collect(),
            Kind::Horse => case.fires.iter().filter(|fire| 0 < fire.horses).collect(),
            Kind::StandLost | Kind::ScreenFigureLost => case.fires.iter().filter(|fire| 0 < fire.figures).collect(),
            Kind::Saw(_) | Kind::PressOn => return self,
        };
        let firers: BTreeSet<UnitIx> = fires.iter().flat_map(|fire| fire.by.iter().copied()).collect();
        let names: Vec<String> = firers.iter().map(|ix| called(&field.unit(*ix).name)).collect();
        if names.is_empty() { self } else { self.at(&format!("by the fire of {}", listed(&names))) }
    }

    /// Where it comes from besides.
    pub(super) fn at(self, where_from: &str) -> Told {
        Told {
            taken_for: format!("{} {where_from}", self.taken_for),
            why: format!("{} {where_from}", self.why),
            ..self
        }
    }
}
