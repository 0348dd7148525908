//! One leg of a charge: from where its point stands to contact, a meeting, a halt or its end. ALG-CHARGE 6 to 9, CHG-28, CHG-52
//!
//! Owns who is the target of the leg, and the events along it by travel and rank. What each event is stands in its own file.

mod crossing;
mod incidents;
mod plan;

use std::collections::BTreeMap;

use protocol::event::Fact;

use self::incidents::{drop_halted, halts_at_feature, pass_through};
use self::plan::Event;
use super::answer::{self, Reply};
use super::columns::body_of;
use super::counter::{self, Comer};
use super::riders::{self, Answer};
use super::run::Run;
use super::sweep::Slide;
use super::threat::body;
use super::{Charges, bystanders, contact, declare, meeting, obstacle, riding, square, volley};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{CHG_28, CHG_51};
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::fire::{self, Shot};
use crate::ground::{AcrossKind, PathCost};
use crate::hidden;
use crate::leaders;
use crate::los;
use crate::morale::flight::{carried, displacement};
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
    /// The obstacle in crossing which the point has run out of distance. OBS-14
    stopped: Option<AcrossKind>,
    /// Supports that have fallen behind at an obstacle, and the travel at which they halt. OBS-13
    stragglers: BTreeMap<UnitIx, i32>,
    /// How many markers were on the table when it was last asked whom it touches. HID-54
    markers: usize,
}

/// ALG-CHARGE 6 to 9 Plays one leg.
pub fn play(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run) -> LegEnd {
    let (way, reach, touched) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let way = run.way(&field);
        let reach = way.reach(run.left());
        let touched = first_touched(&field, run, reach);
        (way, reach, touched)
    };
    if let Some(end) = own_charge(play, charges, run, touched) {
        return end;
    }
    // CAVC-22 Who is bound to come may be out of this charge's own reach, but not of that of a victor.
    let due = touched.or(run.target.filter(|_| !run.is_victor));
    let answer = due.map_or(Answer::Stands, |enemy| riders::answer(play, run, enemy));
    let target = if answer == Answer::Comes { due } else { touched };
    let mut leg = Leg {
        spent: run.spent,
        at: 0,
        gone: BTreeMap::new(),
        holds: holds(play, run, &way, reach),
        reach,
        target,
        reply: Reply::default(),
        stopped: None,
        stragglers: BTreeMap::new(),
        markers: play.table().pickets.len(),
        way,
    };
    if let Some(enemy) = target {
        leg.reply = charged(play, run, &leg, enemy);
        leg.reply.countercharges |= matches!(answer, Answer::Comes | Answer::Later);
    }
    let end = leg.runs(play, charges, run);
    leg.bring_up_stragglers(play, run);
    end
}

/// CHG-52 The first enemy that the stands of the point touch; the declared target if it stands just behind.
pub(super) fn first_touched(field: &Field<'_>, run: &Run, reach: i32) -> Option<UnitIx> {
    let side = field.unit(run.point).side;
    // TAC-32 A brigade column is one enemy, its lead.
    let is_one = |unit: &Unit| unit.is_unrouted() && !unit.follows_in_column();
    let near = contact::near_way(field, run.point, run.bearing, reach).into_iter();
    let near = near.map(|enemy| (enemy, field.unit(enemy))).filter(|(_, unit)| unit.side != side);
    let enemies = near.filter(|(enemy, unit)| is_one(unit) && fire::is_target(field, *enemy));
    let touch = |enemy: UnitIx| contact::strikes_at(field, run.point, run.bearing, enemy, reach);
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
    (covered || is_mutual)
        .then(|| LegEnd::Meets(vec![Comer { unit: enemy, kind: counter::Kind::Charge, joins: false }]))
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
    let reply = answer::reply(play, run, (&leg.way, leg.spent), enemy);
    Reply { forming: reply.forming || answer::is_caught_squaring(play, run.point, enemy), ..reply }
}

/// CHG-18, OBS-13 How far each support comes: to the rear of friends ahead, to an enemy of its own, or as far as what it lost at
/// obstacles lets it.
fn holds(play: &Play<'_>, run: &Run, way: &PathCost, reach: i32) -> BTreeMap<UnitIx, i32> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let side = field.unit(run.point).side;
    let members = run.everybody();
    let hold = |ix: UnitIx| {
        let slide = Slide::new(field.stands(ix), run.bearing);
        let (friends, enemies): (Vec<UnitIx>, Vec<UnitIx>) =
            field.near(slide.extent(reach), 0).partition(|other| field.unit(*other).side == side);
        let enemies = enemies.into_iter().filter(|enemy| field.unit(*enemy).is_unrouted());
        let touch = enemies.filter_map(|enemy| slide.first_touch(&body(field.layout(enemy)), reach)).min();
        let friends = friends.into_iter().filter(|friend| !members.contains(friend));
        let behind = friends.filter_map(|friend| slide.first_overlap(&field.stands(friend), reach));
        let behind = behind.filter(|at| 0 < *at).map(|at| at - 1).min();
        let own = run.losses.contains_key(&ix).then(|| way.reach(run.left_to(ix)));
        touch.into_iter().chain(behind).chain(own).min().unwrap_or(i32::MAX)
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
                Event::Obstacle { member, met, .. } => {
                    contact = self.crosses(play, run, member, &met, contact);
                    None
                }
                Event::Going(met) => {
                    if let Some(rule) = riding::loses_order_at(play, run.point, met) {
                        run.fall_into_disorder(play, rule);
                    }
                    None
                }
                Event::Pass(friend) => {
                    pass_through(play, run, friend);
                    None
                }
                Event::Fire { volley, others } => {
                    let shots = self.shots(play, run, volley, &others);
                    // Where nobody fires nothing is told, nor measured anew: a break in its way, or a thousandth of an inch, would
                    // tell of somebody unseen who might have fired. LOS-10
                    if shots.is_empty() {
                        continue;
                    }
                    let end = self.fire(play, charges, run, shots);
                    contact = self.contact(play, run);
                    end
                }
                Event::Square(square) => {
                    if let Some(distance) = square::approach(play, run.point, square) {
                        self.turns_away(play, run, square, distance);
                        contact = None;
                    }
                    None
                }
                Event::Trigger(units) => counter::triggered(play, run, self.target, &units).map(LegEnd::Meets),
                Event::Feature => halts_at_feature(play, run).then_some(LegEnd::Over("halted at its objective")),
                Event::Look if self.comes_upon(play, run, contact.unwrap_or(self.reach)) => Some(LegEnd::Again),
                Event::Look => {
                    // HID-52 Who opens fire from hiding fires here, in the open.
                    let opened = hidden::open_fire(play, |trial, ix| bystanders::hidden_shot(trial, run, ix));
                    let shots = self.shots(play, run, false, &opened);
                    if shots.is_empty() {
                        continue;
                    }
                    let end = self.fire(play, charges, run, shots);
                    contact = self.contact(play, run);
                    end
                }
                Event::Surrender(enemy) => {
                    // LOS-02 Who is taken is seen before it is told.
                    los::meet(play, &[(run.point, enemy)]);
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

    /// HID-38, HID-39, HID-54 Looks for markers here and touches on the way to the next look, `end` at most. Whether one who was
    /// placed now stands in its way, before the target: it becomes the target.
    fn comes_upon(&mut self, play: &mut Play<'_>, run: &Run, end: i32) -> bool {
        hidden::look(play);
        let step = |ix: UnitIx| {
            let from = self.gone.get(&ix).copied().unwrap_or(0);
            let to = (self.at + hidden::EACH).min(end).min(self.holds.get(&ix).copied().unwrap_or(i32::MAX));
            (ix, carried(play.table().looker(ix).stands, displacement(run.bearing, (to - from).max(0))))
        };
        let steps: Vec<hidden::Step> = run.members().into_iter().map(step).collect();
        hidden::look_ahead(play, &steps);
        let markers = play.table().pickets.len();
        if std::mem::replace(&mut self.markers, markers) == markers {
            return false;
        }
        let field = Field::new(play.rules, play.table(), play.dice);
        let first = first_touched(&field, run, run.way(&field).reach(run.left()));
        let turn = field.table.turn;
        first
            .filter(|first| Some(*first) != self.target)
            .is_some_and(|first| field.unit(first).picket.is_some_and(|(_, revealed)| revealed == turn))
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
            _ if run.turned_away => LegEnd::Over("turned away from the square"),
            _ if self.stopped.is_some() => LegEnd::Over(self.stopped.map_or("", obstacle::stopped_at)),
            (Some(enemy), Some(_)) => LegEnd::Contact { enemy, forming: self.reply.forming },
            _ if run.is_victor => LegEnd::Over("ran out its distance"),
            _ if run.target.is_none() => LegEnd::Over("ran out its distance"),
            _ => LegEnd::Over("fell short"),
        }
    }

    /// The travel to contact with the target, if its distance leads so far. One that was stopped at an obstacle makes none.
    fn contact(&self, play: &Play<'_>, run: &Run) -> Option<i32> {
        if self.stopped.is_some() {
            return None;
        }
        let field = Field::new(play.rules, play.table(), play.dice);
        let target = self.target.filter(|target| field.unit(*target).on_table())?;
        let rest = self.reach - self.at;
        contact::strikes_at(&field, run.point, run.bearing, target, rest).map(|travel| self.at + travel)
    }

    /// TAC-42 It will halt at a distance from the square, or is nearer already and halts here.
    fn turns_away(&mut self, play: &Play<'_>, run: &mut Run, square: UnitIx, distance: i32) {
        let field = Field::new(play.rules, play.table(), play.dice);
        let rest = self.reach - self.at;
        let halt = run.slide(&field).first_within(&body_of(&field, square), distance, rest);
        self.reach = self.at + halt.unwrap_or(rest);
        run.turned_away = true;
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
        Some(run.slide(&field).first_within(&body_of(&field, enemy), distance, most).unwrap_or(most))
    }

    /// Moves all members on.
    fn advance(&mut self, play: &mut Play<'_>, run: &mut Run, travel: i32) {
        for ix in run.members() {
            let from = self.gone.get(&ix).copied().unwrap_or(0);
            let to = travel.min(self.holds.get(&ix).copied().unwrap_or(i32::MAX));
            run.carry(play, ix, from, to);
            self.gone.insert(ix, to.max(from));
        }
        self.advance_stragglers(play, run, travel);
        self.at = self.at.max(travel);
        run.spent = self.spent + self.way.points_at(self.at);
    }

    /// CHG-41, CHG-42, CHG-50 The fires of one travel: the volley of its target, if it falls here, and those of others.
    fn shots(&self, play: &mut Play<'_>, run: &mut Run, volley: bool, others: &[UnitIx]) -> Vec<Shot> {
        let mut shots: Vec<Shot> = Vec::new();
        if let Some(enemy) = self.target.filter(|_| volley) {
            run.volley_due = None;
            shots.extend(volley::shot(play, run, enemy));
        }
        shots.extend(others.iter().filter_map(|unit| bystanders::shot(play, run, *unit)));
        shots
    }

    /// CHG-41, CHG-42, CHG-50 All fires of one travel on one state, settled before anybody goes on.
    fn fire(&self, play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, shots: Vec<Shot>) -> Option<LegEnd> {
        run.tell_way(play, None);
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
