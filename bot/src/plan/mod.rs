//! The decision: from what a player sees to what he orders. Pure: no clock, no entropy, no I/O.
//!
//! Start at [`plan`]. The order of thought is that of a commander:
//! `situation` reads the view (who, where, how strong, what is threatened, what is worth points);
//! `roles` decides which troops work for which objective and lays their lines, `attack` those of an attack; `claims`
//! sends somebody onto ground that nobody keeps; `guns` looks for fields of fire;
//! `charge` weighs who goes in with the bayonet; `orders` turns a post into the order of this turn, with `march` for
//! the way, `fire` for targets and the moment of fire, `postures` for what is usual; `leaders` sends officers where they help most; `answers` speaks in the later windows;
//! `shelter` and `horse` know who lies down, digs, mounts or dismounts; `deploy` places all before turn 1;
//! `simpler` says what to give instead when the server refuses.
//!
//! It knows what its view says and nothing else.

mod answers;
mod attack;
mod chances;
mod charge;
mod claims;
mod deploy;
mod exchange;
mod fire;
mod guns;
mod horse;
mod leaders;
mod march;
mod orders;
mod pickets;
mod postures;
pub(crate) mod roles;
mod shelter;
mod simpler;
mod situation;

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::message::Refusal;
use protocol::orders::{Draft, FormTask, Order, Stage, UnitDraft};
use protocol::view::{BattleCard, View};
use protocol::words::Formation;

pub use charge::Charge;
pub use roles::{Post, Role};
pub use simpler::{simplify, simplify_end};

use crate::chance::Chance;
use crate::geometry::Vector;
use crate::ground::Ground;
use situation::Situation;

/// What the player carries from window to window: the map as he read it, and his own intentions.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The map, read once.
    pub ground: Ground,
    /// The posts of the last plan: a plan that changes its mind every turn marches and never fires.
    pub posts: BTreeMap<UnitId, Post>,
    /// Where every unit stood when the last plan was made.
    pub places: BTreeMap<UnitId, Vector>,
    /// Turns that each unit has worked with axe and spade.
    pub dug: BTreeMap<UnitId, u32>,
    /// Whom the server has refused works: where they stand there is nothing to build of. WORKS-04
    pub refuses_works: BTreeSet<UnitId>,
    /// The server has refused to let riders mount or dismount.
    pub refuses_mounting: bool,
    /// Own guns with enemies whom the server says they cannot fire at from where both stand.
    pub blind: BTreeSet<(UnitId, UnitId)>,
    /// Places at which guns turned out to see nobody.
    pub dead_ground: BTreeMap<UnitId, Vec<Vector>>,
}

impl Memory {
    /// At the start of a battle.
    pub fn new(card: &BattleCard) -> Self {
        Memory {
            ground: Ground::new(&card.map),
            posts: BTreeMap::new(),
            places: BTreeMap::new(),
            dug: BTreeMap::new(),
            refuses_works: BTreeSet::new(),
            refuses_mounting: false,
            blind: BTreeSet::new(),
            dead_ground: BTreeMap::new(),
        }
    }

    /// Takes note of what was built or broken since the map was printed.
    pub fn see(&mut self, view: &View) {
        self.ground.see_works(view);
    }

    /// Takes note of whom the server says that guns can fire at, asked by [`questions`]. A battery that can fire at none of
    /// those whom it seemed to see stands on dead ground.
    pub fn learn_sight(&mut self, view: &View, answers: &[(UnitId, UnitId, bool)]) {
        self.blind = answers.iter().filter(|(_, _, can)| !can).map(|(gun, at, _)| (gun.clone(), at.clone())).collect();
        let guns: BTreeSet<&UnitId> = answers.iter().map(|(gun, _, _)| gun).collect();
        for gun in guns {
            let in_vain = answers.iter().filter(|(asked, _, _)| asked == gun).all(|(_, _, can)| !can);
            let stance = view.units.iter().find(|unit| unit.id == *gun).and_then(|unit| unit.stance.as_ref());
            if let Some(stance) = stance.filter(|_| in_vain) {
                self.dead_ground.entry(gun.clone()).or_default().push(stance.anchor.into());
            }
        }
    }

    /// Learns from a refusal what this server does not play.
    pub fn learn(&mut self, draft: &Draft, refusals: &[Refusal]) {
        for refusal in refusals.iter().filter(|refusal| refusal.key == "order") {
            let told = draft.units.get(&UnitId::from(refusal.subject.as_str()));
            match told.and_then(|told| told.order.as_ref()) {
                Some(Order::Form { task: FormTask::Work { .. } }) => {
                    self.refuses_works.insert(UnitId::from(refusal.subject.as_str()));
                }
                Some(Order::Form { task: FormTask::Mount { .. } | FormTask::Dismount { .. } }) => {
                    self.refuses_mounting = true;
                }
                _ => {}
            }
        }
    }

    /// Keeps what the next turn's plan wants to know; called when a plan of the orders window is sealed.
    pub fn remember(&mut self, view: &View, plan: &Plan) {
        self.posts = plan.posts.clone();
        for (unit, told) in &plan.draft.units {
            if matches!(told.order, Some(Order::Form { task: FormTask::Work { .. } })) {
                *self.dug.entry(unit.clone()).or_default() += 1;
            }
        }
        self.places = view
            .units
            .iter()
            .filter_map(|unit| Some((unit.id.clone(), Vector::from(unit.stance.as_ref()?.anchor))))
            .collect();
    }
}

/// A draft and the intentions behind it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What to seal.
    pub draft: Draft,
    /// Who is meant to stand where.
    pub posts: BTreeMap<UnitId, Post>,
    /// Whom it charges. They go in together or not at all.
    pub charges: Vec<Charge>,
    /// What each unit of a charge does if the server says that the charge would be another one.
    pub instead: BTreeMap<UnitId, UnitDraft>,
}

impl Plan {
    /// Gives up a charge: all who were to go in do what they would have done without it.
    pub fn give_up(&self, charge: &Charge, draft: &mut Draft) {
        for unit in std::iter::once(&charge.point).chain(&charge.supports) {
            match self.instead.get(unit) {
                Some(told) => draft.units.insert(unit.clone(), told.clone()),
                None => draft.units.remove(unit),
            };
        }
    }
}

/// What to say in the window that is open. Equal arguments give equal drafts.
pub fn plan(card: &BattleCard, view: &View, memory: &Memory, chance: &mut Chance) -> Draft {
    think(card, view, memory, chance).draft
}

/// Whom of its guns' likely targets a player asks the server about: whether they could be fired at as all stand now.
pub fn questions(card: &BattleCard, view: &View, memory: &Memory) -> Vec<(UnitId, UnitId)> {
    const EACH: usize = 3;
    if view.result.is_some() || view.turn == 0 || view.stage != Stage::Orders {
        return Vec::new();
    }
    let Some(situation) = Situation::read(card, view, memory) else { return Vec::new() };
    let in_action = situation.own.iter().filter(|body| {
        body.mine && body.is_guns() && body.formation == Formation::Unlimbered && body.morale != Morale::Routed
    });
    // Who stands outside the arc is refused for that alone: the trails can be turned.
    let asked = |body| {
        let before = fire::targets(&situation, body).into_iter().filter(|target| target.in_front);
        before.take(EACH).map(|target| target.enemy.id.clone()).collect::<Vec<_>>()
    };
    in_action.flat_map(|body| asked(body).into_iter().map(|enemy| (body.id.clone(), enemy))).collect()
}

/// What a player says who only holds: everybody stays and fires at what comes. New troops march in by themselves.
pub fn hold(card: &BattleCard, view: &View, memory: &Memory) -> Plan {
    let Some(situation) = Situation::read(card, view, memory) else { return Plan::default() };
    if view.result.is_some() || view.turn == 0 || view.stage != Stage::Orders {
        return Plan::default();
    }
    let told = orders::give(&situation, memory, &BTreeMap::new(), &[]);
    Plan { draft: Draft { units: told.units, ..Draft::default() }, ..Plan::default() }
}

/// As [`plan`], with the intentions that [`Memory::remember`] wants.
pub fn think(card: &BattleCard, view: &View, memory: &Memory, chance: &mut Chance) -> Plan {
    let Some(situation) = Situation::read(card, view, memory) else { return Plan::default() };
    if view.result.is_some() {
        return Plan::default();
    }
    // Before turn 1 nothing is ordered, and a unit of which nothing is said stands as printed. SCN-06
    if view.turn == 0 {
        let draft = view.deployment.as_ref().map(|zones| {
            let mut draft = deploy::place(&memory.ground, view, zones);
            pickets::hide(&memory.ground, zones, &mut draft);
            draft
        });
        return Plan { draft: draft.unwrap_or_default(), ..Plan::default() };
    }
    if view.stage != Stage::Orders {
        return Plan { draft: answers::answer(&situation), posts: memory.posts.clone(), ..Plan::default() };
    }
    let mut posts = roles::assign(&situation, memory, chance);
    posts.extend(guns::assign(&situation, memory, &posts));
    let boldness = chance.between(0.85, 1.2);
    let charges = charge::plan(&situation, &posts, boldness);
    let told = orders::give(&situation, memory, &posts, &charges);
    let mut draft = Draft { units: told.units, ..Draft::default() };
    draft.pickets = pickets::order(&situation);
    draft.leaders = leaders::send(&situation, &told.ends, &charges);
    Plan { draft, posts, charges, instead: told.instead }
}
