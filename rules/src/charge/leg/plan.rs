//! The events of a leg as it is planned when it starts. ALG-CHARGE 8

use std::collections::{BTreeMap, BTreeSet};

use super::super::pace::first_travel_at;
use super::super::run::Run;
use super::super::{Charges, bystanders, counter, objective, riding, square};
use super::incidents::feature_of;
use super::{Leg, crossing};
use crate::battle::UnitIx;
use crate::catalogue::{MOVE_05, RuleId};
use crate::column;
use crate::field::Field;
use crate::geometry::Rect;
use crate::ground::{Across, Step, Terrain};
use crate::hidden;
use crate::play::Play;

/// What happens at a travel; at equal travel in this order. ALG-CHARGE 8
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// Ground or distance puts it in disorder.
    Disorder(RuleId),
    /// A member, by its place in the order of crossing, meets an obstacle: the point first. OBS-11, OBS-13, WORKS-11
    Obstacle { place: usize, member: UnitIx, met: Across },
    /// Ground or a fence may put horse in disorder. CAVC-24, CAVC-25
    Going(riding::Met),
    /// The point goes through a friend. CHG-49
    Pass(UnitIx),
    /// The volley of the target, and those who are not charged.
    Fire { volley: bool, others: Vec<UnitIx> },
    /// Horse comes on to a square. TAC-42
    Square(UnitIx),
    /// Enemies who may countercharge.
    Trigger(Vec<UnitIx>),
    /// A feature at which it may halt. CHG-12
    Feature,
    /// A routed enemy is reached. CHG-52
    Surrender(UnitIx),
    /// Markers are looked for, and touch is tested on the way to the next look. HID-38, HID-54
    Look,
}

impl Leg {
    /// All events of the leg as it is planned when it starts.
    pub(super) fn events(
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
        events.extend(crossing::planned(play, &field, run, end));
        let met = riding::on_the_way(field.table, run.point, play.rules, &self.way, end);
        events.extend(met.into_iter().map(|(at, met)| (at, Event::Going(met))));
        let slide = run.slide(&field);
        let side = field.unit(run.point).side;
        // TAC-28 A column that is passed through is met once, as its lead.
        let others: Vec<UnitIx> = field.near(slide.extent(end), 0).collect();
        let friends = others.iter().filter(|other| field.unit(**other).side == side);
        let friends: BTreeSet<UnitIx> = friends.map(|friend| column::lead_of(field.table, *friend)).collect();
        let members = run.everybody();
        let is_other = |friend: &UnitIx| !members.contains(friend) && !field.unit(*friend).follows_in_column();
        for friend in friends.into_iter().filter(is_other) {
            let regiments = column::members(field.table, friend).into_iter();
            let stands: Vec<Rect> = regiments.flat_map(|regiment| field.stands(regiment)).collect();
            let met = slide.first_overlap(&stands, end).filter(|at| 0 < *at);
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
        let horse = field.unit(run.point).mounted && contact.is_some();
        let square = self.target.filter(|enemy| horse && square::is_square(field.unit(*enemy)));
        events.extend(square.map(|enemy| (volley.unwrap_or(0), Event::Square(enemy))));
        let mut triggers: BTreeMap<i32, Vec<UnitIx>> = BTreeMap::new();
        for (at, unit) in counter::candidates(play, run, self.target, self.reply.countercharges, end) {
            triggers.entry(at).or_default().push(unit);
        }
        events.extend(triggers.into_iter().map(|(at, units)| (at, Event::Trigger(units))));
        events.extend(self.feature(play, &field, run).map(|at| (at, Event::Feature)));
        let is_routed = |other: &UnitIx| field.unit(*other).side != side && !field.unit(*other).is_unrouted();
        for enemy in others.into_iter().filter(is_routed) {
            let reached = slide.first_touch(&field.stands(enemy), end);
            events.extend(reached.map(|at| (at, Event::Surrender(enemy))));
        }
        // A battle without enemy markers has nothing to look for.
        if field.table.pickets.values().any(|picket| picket.side != side) {
            events.extend((0..end).step_by(hidden::EACH as usize).map(|at| (at, Event::Look)));
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
        let on_foot = !field.unit(run.point).mounted;
        let rough = self.way.steps().iter().find_map(|step| match step {
            Step::Ground { from, terrain: Terrain::Rough, .. } if on_foot => Some((*from, MOVE_05)),
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
}
