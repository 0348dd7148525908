//! One leg of a charge: from where its point stands to contact, a meeting, a halt or its end. ALG-CHARGE 6 to 9, CHG-28, CHG-52
//!
//! Owns who is the target of the leg, and the events along it by travel and rank. What each event is stands in its own file.

mod across;

use std::collections::BTreeMap;

use protocol::event::Fact;
use protocol::ids::FeatureId;
use protocol::orders::Order;

use self::across::Met;
use super::answer::{self, Reply};
use super::counter::{self, Comer};
use super::pace::first_travel_at;
use super::run::Run;
use super::sweep::Slide;
use super::threat::body;
use super::{Charges, bystanders, declare, meeting, objective, volley};
use crate::battle::UnitIx;
use crate::catalogue::{CHG_12, CHG_28, CHG_44, CHG_51, MOVE_05, RuleId};
use crate::competence;
use crate::dice::Purpose;
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::fire::{self, Shot};
use crate::ground::{PathCost, Step, Terrain};
use crate::leaders;
use crate::morale::consequence::fall_into_disorder;
use crate::play::Play;
use crate::rout;

/// CHG-52 The declared target stays the target if it would be touched within so much more travel, thousandths of an inch.
const JUST_BEHIND: i32 = 250;

/// How a leg ends.
#[derive(Debug)]
pub enum LegEnd {
    /// The target is gone: a new leg from here.
    Again,
    /// The charge strikes.
    Contact {
        /// Whom.
        enemy: UnitIx,
        /// Who was caught while forming. CF-03
        forming: bool,
    },
    /// Enemies come to meet it, the nearest first.
    Meets(Vec<Comer>),
    /// Fire has halted the point. CHG-45
    PointHalted,
    /// It is over, and how.
    Over(&'static str),
}

/// What happens at a travel; at equal travel in this order. ALG-CHARGE 8
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Ground or distance puts it in disorder.
    Disorder(RuleId),
    /// An obstacle lies across the way of a member. OBS-11
    Obstacle(Met),
    /// The point goes through a friend. CHG-49
    Pass(UnitIx),
    /// The volley of the target, and those who are not charged.
    Fire { volley: bool, others: Vec<UnitIx> },
    /// Enemies who may countercharge.
    Trigger(Vec<UnitIx>),
    /// A feature at which it may halt. CHG-12
    Feature,
    /// A routed enemy is reached. CHG-52
    Surrender(UnitIx),
}

/// The leg under way.
struct Leg {
    way: PathCost,
    /// Points spent before it.
    spent: i64,
    /// The travel so far, and that of each member.
    at: i32,
    gone: BTreeMap<UnitIx, i32>,
    /// How far each support can come.
    holds: BTreeMap<UnitIx, i32>,
    /// How far its distance leads.
    reach: i32,
    target: Option<UnitIx>,
    reply: Reply,
    /// Points lost at obstacles by each member. OBS-13
    lost: BTreeMap<UnitIx, i64>,
    /// Supports that have fallen out at an obstacle, and the travel at which they halt. OBS-13
    stragglers: BTreeMap<UnitIx, i32>,
    /// An obstacle has taken all that its point had left. OBS-14
    stopped: bool,
}

/// ALG-CHARGE 6 to 9 Plays one leg.
pub fn play(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run) -> LegEnd {
    let (way, reach, touched) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let way = run.way(&field);
        let reach = way.reach(run.left());
        (way, reach, first_touched(&field, run, reach))
    };
    if let Some(end) = own_charge(play, charges, run, touched) {
        return end;
    }
    let mut leg = Leg {
        way,
        spent: run.spent,
        at: 0,
        gone: BTreeMap::new(),
        holds: holds(play, run, reach),
        reach,
        target: touched,
        reply: Reply::default(),
        lost: BTreeMap::new(),
        stragglers: BTreeMap::new(),
        stopped: false,
    };
    if let Some(enemy) = touched {
        leg.reply = charged(play, run, &leg, enemy);
    }
    let end = leg.runs(play, charges, run);
    leg.bring_up_stragglers(play, run);
    end
}

/// CHG-52 The first enemy that the stands of the point touch; the declared target if it stands just behind.
fn first_touched(field: &Field<'_>, run: &Run, reach: i32) -> Option<UnitIx> {
    let slide = run.slide(field);
    let side = field.unit(run.point).side;
    let enemies = field.enemies_of(side).filter(|(enemy, unit)| unit.is_unrouted() && fire::is_target(field, *enemy));
    let touch = |enemy: UnitIx| slide.first_touch(&body(field.layout(enemy)), reach);
    let touched: Vec<(i32, UnitIx)> = enemies.filter_map(|(enemy, _)| Some((touch(enemy)?, enemy))).collect();
    let (first, enemy) = *touched.iter().min_by_key(|(at, enemy)| (*at, field.center(*enemy)))?;
    let declared = touched.iter().find(|(at, enemy)| Some(*enemy) == run.target && *at <= first + JUST_BEHIND);
    Some(declared.map_or(enemy, |(_, enemy)| *enemy))
}

/// CHG-51, ALG-CHARGE 6a An enemy that is itself still to charge comes to meet the attacker, or is struck where it stands, or is
/// out of reach. None: the leg is run as against any other.
fn own_charge(
    play: &mut Play<'_>,
    charges: &mut Charges<'_>,
    run: &mut Run,
    touched: Option<UnitIx>,
) -> Option<LegEnd> {
    let enemy = touched.or(run.target)?;
    let unit = &play.table()[enemy];
    if !charges.is_pending(enemy) || !declare::is_to_charge(unit) || run.stuck.contains(&enemy) {
        return None;
    }
    let turns_its_back = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let bearing = super::run::toward(&field, enemy, run.point)?;
        !unit.mounted && counter::BEHIND < unit.footing.facing.angle_to(bearing)
    };
    if turns_its_back {
        if touched.is_some() {
            let text = format!("{} is struck before it can charge.", named(&unit.name));
            let id = unit.id.clone();
            play.table_mut()[enemy].marks.order_spent = true;
            play.tell(CHG_51, Fact::OrderVoid { unit: id }, sentence(text));
        }
        return None;
    }
    let is_mutual = charges.pending.iter().any(|group| group.point == enemy && group.target == Some(run.point));
    let covered = meeting::covers(play, charges, run, enemy);
    (covered || is_mutual).then(|| LegEnd::Meets(vec![Comer { unit: enemy, kind: counter::Kind::Charge }]))
}

/// CHG-28, ALG-CHARGE 6d The enemy is charged from this moment, and answers as it can.
fn charged(play: &mut Play<'_>, run: &mut Run, leg: &Leg, enemy: UnitIx) -> Reply {
    if run.beaten.contains(&enemy) {
        return Reply::default();
    }
    if !run.answered.insert(enemy) {
        let due = run.volley_due.is_some_and(|(firer, _)| firer == enemy);
        return Reply { volley: due, ..Reply::default() };
    }
    let by = play.table()[run.point].id.clone();
    let text = format!("{} is charged by {}.", named(&play.table()[enemy].name), called(&play.table()[run.point].name));
    let unit = &mut play.table_mut()[enemy];
    unit.marks.charged_by = Some(by.clone());
    let fact = Fact::Charged { unit: unit.id.clone(), by };
    play.tell(CHG_28, fact, sentence(text));
    answer::reply(play, run, (&leg.way, leg.spent), enemy)
}

/// CHG-18 How far each support comes: to the rear of friends ahead, or to an enemy of its own.
fn holds(play: &Play<'_>, run: &Run, reach: i32) -> BTreeMap<UnitIx, i32> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let side = field.unit(run.point).side;
    let hold = |ix: UnitIx| {
        let slide = Slide::new(field.stands(ix), run.bearing);
        let enemies = field.enemies_of(side).filter(|(_, enemy)| enemy.is_unrouted());
        let touch = enemies.filter_map(|(enemy, _)| slide.first_touch(&body(field.layout(enemy)), reach)).min();
        let friends = field.table.units_of(side).filter(|(friend, _)| !run.members().contains(friend));
        let behind = friends.filter_map(|(friend, _)| slide.first_overlap(&field.stands(friend), reach));
        let behind = behind.filter(|at| 0 < *at).map(|at| at - 1).min();
        touch.into_iter().chain(behind).min().unwrap_or(i32::MAX)
    };
    run.supports.iter().map(|ix| (*ix, hold(*ix))).collect()
}

impl Leg {
    /// ALG-CHARGE 7, 8 The events by travel, at equal travel by rank.
    fn runs(&mut self, play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run) -> LegEnd {
        let mut contact = self.contact(play, run);
        let volley = self.target.and_then(|enemy| self.volley(play, run, enemy));
        for (travel, event) in self.events(play, charges, run, contact, volley) {
            if contact.unwrap_or(self.reach) < travel {
                break;
            }
            self.advance(play, run, travel);
            let end = match event {
                Event::Disorder(rule) => {
                    run.fall_into_disorder(play, rule);
                    None
                }
                Event::Obstacle(met) => {
                    self.meets(play, run, &met, contact);
                    contact = self.contact(play, run).filter(|_| !self.stopped);
                    None
                }
                Event::Pass(friend) => {
                    pass_through(play, run, friend);
                    None
                }
                Event::Fire { volley, others } => {
                    let end = self.fire(play, charges, run, volley, &others);
                    contact = self.contact(play, run).filter(|_| !self.stopped);
                    end
                }
                Event::Trigger(units) => counter::triggered(play, run, self.target, &units).map(LegEnd::Meets),
                Event::Feature => halts_at_feature(play, run).then_some(LegEnd::Over("halted at its objective")),
                Event::Surrender(enemy) => {
                    let happening = rout::surrender(play, enemy, false);
                    charges.settle(play, run, &[], vec![happening]);
                    None
                }
            };
            if let Some(end) = end {
                run.tell_way(play, None);
                leaders::mark_danger(play);
                return end;
            }
        }
        self.ends(play, run, contact)
    }

    /// The last stretch.
    fn ends(&mut self, play: &mut Play<'_>, run: &mut Run, contact: Option<i32>) -> LegEnd {
        self.advance(play, run, contact.unwrap_or(self.reach));
        run.tell_way(play, None);
        leaders::mark_danger(play);
        if let Some(enemy) = self.target.filter(|_| self.reply.countercharges && contact.is_some()) {
            answer::is_caught(play, enemy);
        }
        match (self.target, contact) {
            _ if self.stopped => LegEnd::Over("was stopped at an obstacle"),
            (Some(enemy), Some(_)) => LegEnd::Contact { enemy, forming: self.reply.forming },
            _ if run.is_victor => LegEnd::Over("ran out its distance"),
            _ if run.target.is_none() => LegEnd::Over("ran out its distance"),
            _ => LegEnd::Over("fell short"),
        }
    }

    /// The travel to contact with the target, if its distance leads so far.
    fn contact(&self, play: &Play<'_>, run: &Run) -> Option<i32> {
        let field = Field::new(play.rules, play.table(), play.dice);
        let target = self.target.filter(|target| field.unit(*target).on_table())?;
        let rest = self.reach - self.at;
        run.slide(&field).first_touch(&body(field.layout(target)), rest).map(|travel| self.at + travel)
    }

    /// CHG-30 to CHG-34 The travel at which the target's volley falls, if it fires one that is not lost.
    fn volley(&self, play: &mut Play<'_>, run: &mut Run, enemy: UnitIx) -> Option<i32> {
        if !self.reply.volley {
            return None;
        }
        let distance = match run.volley_due.take().filter(|(firer, _)| *firer == enemy) {
            Some((_, distance)) => distance,
            None => volley::distance(play, run, enemy, self.reply.forming)?,
        };
        run.volley_due = Some((enemy, distance));
        let field = Field::new(play.rules, play.table(), play.dice);
        let most = self.contact(play, run).unwrap_or(self.reach);
        Some(run.slide(&field).first_within(&body(field.layout(enemy)), distance, most).unwrap_or(most))
    }

    /// All events of the leg as it is planned when it starts.
    fn events(
        &self,
        play: &Play<'_>,
        charges: &Charges<'_>,
        run: &Run,
        contact: Option<i32>,
        volley: Option<i32>,
    ) -> Vec<(i32, Event)> {
        let field = Field::new(play.rules, play.table(), play.dice);
        let end = contact.unwrap_or(self.reach);
        let mut events = Vec::new();
        events.extend(self.disorder(&field, run));
        events.extend(self.obstacles(&field, run).into_iter().map(|(at, met)| (at, Event::Obstacle(met))));
        let slide = run.slide(&field);
        let side = field.unit(run.point).side;
        let friends = field.table.units_of(side).filter(|(friend, _)| !run.members().contains(friend));
        for (friend, _) in friends {
            let met = slide.first_overlap(&field.stands(friend), end).filter(|at| 0 < *at);
            events.extend(met.map(|at| (at, Event::Pass(friend))));
        }
        let mut fires: BTreeMap<i32, (bool, Vec<UnitIx>)> = BTreeMap::new();
        if let Some(at) = volley {
            fires.entry(at).or_default().0 = true;
        }
        for (at, unit) in bystanders::planned(play, charges, run, self.target, end) {
            fires.entry(at).or_default().1.push(unit);
        }
        events.extend(fires.into_iter().map(|(at, (volley, others))| (at, Event::Fire { volley, others })));
        let mut triggers: BTreeMap<i32, Vec<UnitIx>> = BTreeMap::new();
        for (at, unit) in counter::candidates(play, run, self.target, self.reply.countercharges, end) {
            triggers.entry(at).or_default().push(unit);
        }
        events.extend(triggers.into_iter().map(|(at, units)| (at, Event::Trigger(units))));
        events.extend(self.feature(play, &field, run).map(|at| (at, Event::Feature)));
        let routed = field.enemies_of(side).filter(|(_, enemy)| !enemy.is_unrouted());
        for (enemy, _) in routed {
            let reached = slide.first_touch(&field.stands(enemy), end);
            events.extend(reached.map(|at| (at, Event::Surrender(enemy))));
        }
        events.sort();
        events
    }

    /// CHG-26, MOVE-05 Where distance or rough ground puts the charge in disorder.
    fn disorder(&self, field: &Field<'_>, run: &Run) -> Option<(i32, Event)> {
        if field.unit(run.point).footing.disorder {
            return None;
        }
        let rule = if field.unit(run.point).drill() == protocol::words::Quality::Green {
            crate::catalogue::MOVE_07
        } else {
            crate::catalogue::MOVE_06
        };
        let by_distance = run.disorder.and_then(|at| first_travel_at(&self.way, at - self.spent)).map(|at| (at, rule));
        let rough = self.way.steps().iter().find_map(|step| match step {
            Step::Ground { from, terrain: Terrain::Rough, .. } => Some((*from, MOVE_05)),
            _ => None,
        });
        by_distance.into_iter().chain(rough).min_by_key(|(at, _)| *at).map(|(at, rule)| (at, Event::Disorder(rule)))
    }

    /// CHG-12 Where the point reaches the feature at which it may halt.
    fn feature(&self, play: &Play<'_>, field: &Field<'_>, run: &Run) -> Option<i32> {
        let feature = feature_of(play, run)?;
        let at =
            objective::reached_at(field, &feature, field.unit(run.point).footing.anchor, self.way.point(self.reach))?;
        (0 < at).then_some(at)
    }

    /// Moves all members on.
    fn advance(&mut self, play: &mut Play<'_>, run: &mut Run, travel: i32) {
        for ix in run.members() {
            let from = self.gone.get(&ix).copied().unwrap_or(0);
            let to = travel.min(self.holds.get(&ix).copied().unwrap_or(i32::MAX));
            run.carry(play, ix, from, to);
            self.gone.insert(ix, to.max(from));
        }
        for (ix, stop) in self.stragglers.clone() {
            let from = self.gone.get(&ix).copied().unwrap_or(0);
            run.carry(play, ix, from, travel.min(stop));
            self.gone.insert(ix, travel.min(stop).max(from));
        }
        self.at = self.at.max(travel);
        run.spent = self.spent + self.way.points_at(self.at);
    }

    /// CHG-41, CHG-42, CHG-50 All fires of one travel on one state, settled before anybody goes on.
    fn fire(
        &self,
        play: &mut Play<'_>,
        charges: &mut Charges<'_>,
        run: &mut Run,
        volley: bool,
        others: &[UnitIx],
    ) -> Option<LegEnd> {
        run.tell_way(play, None);
        let mut shots: Vec<Shot> = Vec::new();
        if let Some(enemy) = self.target.filter(|_| volley) {
            run.volley_due = None;
            shots.extend(volley::shot(play, run, enemy));
        }
        shots.extend(others.iter().filter_map(|unit| bystanders::shot(play, run, *unit)));
        if shots.is_empty() {
            return None;
        }
        let figures = |play: &Play<'_>| -> BTreeMap<UnitIx, u32> {
            run.members().into_iter().map(|ix| (ix, play.table()[ix].figures())).collect()
        };
        let before = figures(play);
        let happenings = fire::shoot(play, shots);
        let targets: Vec<UnitIx> = self.target.into_iter().collect();
        charges.settle(play, run, &targets, happenings);
        let lost = before.into_iter().filter(|(ix, figures)| play.table()[*ix].figures() < *figures).map(|(ix, _)| ix);
        run.lost_figures.extend(lost);
        drop_halted(play, run);
        run.show(play);
        if !super::run::is_fit(&play.table()[run.point]) {
            return Some(LegEnd::PointHalted);
        }
        let stands = |enemy: UnitIx| play.table()[enemy].on_table() && play.table()[enemy].is_unrouted();
        self.target.filter(|enemy| !stands(*enemy)).map(|_| LegEnd::Again)
    }
}

/// CHG-44 Supports that are halted leave the charge in disorder.
fn drop_halted(play: &mut Play<'_>, run: &mut Run) {
    for ix in run.supports.clone() {
        if super::run::is_fit(&play.table()[ix]) {
            continue;
        }
        run.leaves(ix);
        play.table_mut()[ix].marks.order_spent = true;
        fall_into_disorder(play, ix, CHG_44);
    }
}

/// CHG-49 The rolls of the point and of a friend in its way.
fn pass_through(play: &mut Play<'_>, run: &Run, friend: UnitIx) {
    let findings = {
        let field = Field::new(play.rules, play.table(), play.dice);
        competence::pass_through(play, &field, run.point, friend)
    };
    for finding in findings {
        let (unit, passed, rule) = (finding.unit, finding.passed, finding.rule);
        finding.tell(play);
        if !passed {
            fall_into_disorder(play, unit, rule);
        }
    }
}

/// CHG-12 The feature at which a charge may halt: its own objective, or one that its owner named, for one that runs on.
fn feature_of(play: &Play<'_>, run: &Run) -> Option<FeatureId> {
    let named = play.choice(run.point, None, |said| said.halt_at.clone().map(Some)).0;
    match (play.order(run.point), run.target) {
        (Order::Charge { objective, .. }, None) => named.or(objective),
        _ => named.filter(|_| run.is_victor),
    }
}

/// CHG-12 One competence roll to halt there.
fn halts_at_feature(play: &mut Play<'_>, run: &Run) -> bool {
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(run.point).id.to_string();
        competence::roll(play, &field, run.point, Purpose::ChargeHalt, &[&key], "halting its charge")
    };
    let passed = finding.passed;
    competence::Finding { rule: CHG_12, ..finding }.tell(play);
    passed
}
