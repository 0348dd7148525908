//! What would come of a charge for each answer to it: the volley at each of its distances, the check of who was hit, the dice
//! down. CHG-30 to CHG-44, CF-05, CF-06, CC-02 to CC-04, IDD-03
//!
//! Owns how the chances of the steps go together. Every step is asked of the code that plays it, on a table on which the units
//! stand as they would. Left out, and said so: fire of others at the charge, losses of its supports, and its own leaders' paths.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{FlankClass, ImpactResult, Morale};
use protocol::message::Fate;
use protocol::orders::Order;
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::super::clash::{self, Clash, Front};
use super::super::columns::body_of;
use super::super::meeting::friends_by;
use super::super::run::{OFF_THE_FRONT, is_fit, toward};
use super::super::threat::distance;
use super::super::volley;
use super::{Coming, targets};
use crate::battle::{Table, UnitIx};
use crate::chance::{Chance, FACES, sums, ways_of};
use crate::column;
use crate::competence;
use crate::explain::Reckoning;
use crate::field::Field;
use crate::fire::{self, Candidates, Occasion, Wishes};
use crate::geometry;
use crate::morale::flight::displacement;
use crate::morale::{self, InCharge, officer};
use crate::reform;

/// The phase in which charges are played.
const CHARGES: u8 = 6;

/// How a charge may end for the unit that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// It does not come so far.
    FallsShort,
    /// Fire halts it.
    Halted,
    /// It is beaten off where it strikes.
    BeatenOff,
    /// Melee.
    Melee,
    /// The unit is thrown back.
    ThrownBack,
}

/// What may come of a charge.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How likely each end is; they add up to one.
    pub ends: BTreeMap<End, Chance>,
    /// How likely the unit is thrown back and then stands so.
    pub fates: BTreeMap<Fate, Chance>,
    /// The likeliest contact: its chance, and what attacker and defender add to their dice.
    pub contact: Option<(Chance, Reckoning, Reckoning)>,
}

impl Outcome {
    /// How likely an end is.
    pub fn of(&self, end: End) -> Chance {
        self.ends.get(&end).copied().unwrap_or(Chance::NEVER)
    }

    fn add(&mut self, end: End, chance: Chance) {
        add(&mut self.ends, end, chance);
    }

    fn add_contact(&mut self, share: Chance, odds: &clash::Odds, unit: UnitIx) {
        for (result, chance) in &odds.results {
            let end = match result {
                ImpactResult::AttackerRecoils | ImpactResult::AttackerThrownBack => End::BeatenOff,
                ImpactResult::Melee => End::Melee,
                ImpactResult::DefenderThrownBack => End::ThrownBack,
            };
            self.add(end, share * *chance);
        }
        let thrown_back = share * odds.of(ImpactResult::DefenderThrownBack);
        for (fate, chance) in odds.thrown_back.get(&unit).into_iter().flatten() {
            add(&mut self.fates, *fate, thrown_back * *chance);
        }
        if self.contact.as_ref().is_none_or(|(likeliest, ..)| *likeliest < share) {
            self.contact = Some((share, odds.attacker.clone(), odds.defender.clone()));
        }
    }
}

fn add<K: Ord>(chances: &mut BTreeMap<K, Chance>, key: K, chance: Chance) {
    let known = chances.entry(key).or_insert(Chance::NEVER);
    *known = *known + chance;
}

/// A unit that is asked about, with what its owner has said of its fire.
#[derive(Clone, Copy)]
pub struct Asked<'q> {
    /// The look.
    pub field: &'q Field<'q>,
    /// The charge.
    pub coming: &'q Coming,
    /// The unit.
    pub unit: UnitIx,
    /// Its order.
    pub order: &'q Order,
    /// What was said of its fire.
    pub wishes: &'q Wishes,
}

/// How the unit stands to receive the charge.
struct Scene {
    table: Table,
    forming: bool,
}

impl Asked<'_> {
    /// CF-09 It stands, fires its volley, and takes the charge as it is.
    pub fn stands(&self) -> Outcome {
        let mut outcome = self.so_far();
        let mut table = self.charged();
        let unit = &mut table[self.unit];
        // TAC-10
        let forming = unit.footing.prone && !unit.footing.disorder;
        unit.marks.risen |= unit.footing.prone;
        unit.footing.prone = false;
        self.is_struck(&Scene { table, forming }, Chance::CERTAIN, &mut outcome);
        outcome
    }

    /// CF-05, CF-06 It goes to Conditional Hold and tries to form and to face the charge.
    pub fn forms(&self, formation: Formation) -> Outcome {
        let mut outcome = self.so_far();
        let passes = self.passes_competence();
        let mut failed = self.charged();
        failed[self.unit].marks.conditional_hold = true;
        failed[self.unit].marks.changed_formation = true;
        let field = Field::before_dice(self.field.rules, &failed);
        let footing = reform::facing(&field, self.unit, formation, self.coming.bearing().reversed());
        let mut formed = failed.clone();
        failed[self.unit].footing.disorder = true;
        let passes = footing.as_ref().map_or(Chance::NEVER, |_| passes);
        if let Some(footing) = footing {
            let unit = &mut formed[self.unit];
            unit.footing = footing;
            unit.last_formed = formation;
            unit.marks.formed_on_hold = true;
            self.is_struck(&Scene { table: formed, forming: true }, passes, &mut outcome);
        }
        self.is_struck(&Scene { table: failed, forming: false }, passes.otherwise(), &mut outcome);
        outcome
    }

    /// REV-12, CF-10 A marching unit that need not form goes to Conditional Hold as it stands.
    pub fn holds_as_it_stands(&self) -> Outcome {
        let mut outcome = self.so_far();
        let mut table = self.charged();
        table[self.unit].marks.conditional_hold = true;
        self.is_struck(&Scene { table, forming: false }, Chance::CERTAIN, &mut outcome);
        outcome
    }

    /// CC-02 to CC-04, CC-09 It goes to meet the charge, which has come so far by then.
    pub fn meets(&self, travel: i32) -> Outcome {
        let mut outcome = Outcome::default();
        let in_order = self.keeps_order();
        let mut falls_short = Chance::NEVER;
        for bonus in &self.coming.bonuses {
            if bonus.reach < travel {
                falls_short = falls_short + bonus.chance;
                continue;
            }
            let disordered = self.coming.is_disordered(bonus, travel);
            for (own_disorder, chance) in [(false, in_order), (true, in_order.otherwise())] {
                if !chance.is_possible() {
                    continue;
                }
                let (table, clash) = self.meeting(travel, disordered, own_disorder);
                let field = Field::before_dice(self.field.rules, &table);
                outcome.add_contact(bonus.chance * chance, &clash::odds(&field, &clash), self.unit);
            }
        }
        outcome.add(End::FallsShort, falls_short);
        outcome
    }

    /// The chance that it falls short, which no answer changes.
    fn so_far(&self) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.add(End::FallsShort, self.coming.reaches.otherwise());
        outcome
    }

    /// The table on which it is charged.
    fn charged(&self) -> Table {
        let mut table = self.field.table.clone();
        table[self.unit].marks.charged_by = Some(self.field.unit(self.coming.point).id.clone());
        table
    }

    /// TC-01 How likely it passes a competence roll.
    pub fn passes_competence(&self) -> Chance {
        let field = self.field;
        let number = competence::number_to_beat(field, self.unit, officer::for_competence(field, self.unit)).total();
        let passing = sums(1).into_iter().filter(|(face, _)| number < *face).map(|(_, ways)| ways).sum();
        Chance::new(passing, FACES)
    }

    /// CC-02 to CC-04 How likely it keeps its order as it sets out against the charge.
    pub fn keeps_order(&self) -> Chance {
        let unit = self.field.unit(self.unit);
        let bearing = toward(self.field, self.unit, self.coming.point);
        let off = bearing.is_none_or(|bearing| OFF_THE_FRONT <= unit.footing.facing.angle_to(bearing));
        let marches = matches!(self.order, Order::Move(_));
        if marches || off || unit.footing.disorder { Chance::NEVER } else { self.passes_competence() }
    }

    /// ALG-CHARGE 6 to 11 The charge comes on against a unit that stands so.
    fn is_struck(&self, scene: &Scene, share: Chance, outcome: &mut Outcome) {
        let Some(contact) = self.contact_with(scene).filter(|_| share.is_possible()) else { return };
        for (approach, chance) in self.approaches(scene, contact) {
            let chance = chance * share;
            match approach.volley {
                None => self.strikes(&scene.table, scene.forming, (0, contact), approach.disordered, chance, outcome),
                Some((at, disordered)) => {
                    let mut table = scene.table.clone();
                    self.advance(&mut table, 0, at, disordered);
                    for (after, chance) in self.volley(&table, chance, outcome) {
                        self.strikes(&after, scene.forming, (at, contact), approach.disordered, chance, outcome);
                    }
                }
            }
        }
    }

    /// The travel to contact with the unit as it then stands.
    fn contact_with(&self, scene: &Scene) -> Option<i32> {
        let field = Field::before_dice(self.field.rules, &scene.table);
        let before = self.coming.contact?;
        let most = before.saturating_add(self.coming.gap);
        Some(
            self.coming
                .slide(&field, self.coming.point)
                .first_touch(&body_of(&field, self.unit), most)
                .unwrap_or(before),
        )
    }

    /// The ways in which the charge comes on: where the volley falls, and whether it is in disorder there and at contact.
    fn approaches(&self, scene: &Scene, contact: i32) -> BTreeMap<Approach, Chance> {
        let Coming { bonuses, .. } = self.coming;
        let nominal = self.coming.contact.unwrap_or(contact);
        let volleys = self.volley_travels(scene, contact);
        let mut approaches = BTreeMap::new();
        for bonus in bonuses.iter().filter(|bonus| nominal <= bonus.reach) {
            for (at, chance) in &volleys {
                let volley = at.map(|at| (at, self.coming.is_disordered(bonus, at)));
                let approach = Approach { volley, disordered: self.coming.is_disordered(bonus, contact) };
                add(&mut approaches, approach, bonus.chance * *chance);
            }
        }
        approaches
    }

    /// CHG-30 to CHG-34 The travels at which the volley may fall; none: there is none, or it is lost.
    fn volley_travels(&self, scene: &Scene, contact: i32) -> BTreeMap<Option<i32>, Chance> {
        let field = Field::before_dice(self.field.rules, &scene.table);
        let (point, rules) = (self.coming.point, field.rules);
        let looking = self.looking(&field);
        if fire::has_volley(&looking, point).is_err() {
            return [(None, Chance::CERTAIN)].into();
        }
        let count = u32::try_from(rules.defensive_volley.dice).unwrap_or(1);
        let modifiers = volley::modifiers(&field, point, self.unit, scene.forming).total();
        let per_pip = rules.defensive_volley.inches_per_pip.at(field.unit(self.unit).quality).thousandths();
        let latest = volley::latest(&field, &self.coming.run, self.unit);
        let slide = self.coming.slide(&field, point);
        let mut travels = BTreeMap::new();
        for (pips, ways) in sums(count) {
            let distance = ((pips + modifiers) * per_pip).max(0);
            let falls = || slide.first_within(&body_of(&field, self.unit), distance, contact).unwrap_or(contact);
            let travel = (distance <= latest).then(falls);
            add(&mut travels, travel, Chance::new(ways, ways_of(count)));
        }
        travels
    }

    fn looking<'f>(&'f self, field: &'f Field<'f>) -> Candidates<'f, 'f> {
        Candidates {
            field,
            unit: self.unit,
            order: self.order,
            wishes: self.wishes,
            occasion: Occasion::Charge,
            dice: None,
        }
    }

    /// CHG-35, CHG-43 The volley where the charge stands; what of it goes on, and with which losses.
    fn volley(&self, table: &Table, share: Chance, outcome: &mut Outcome) -> Vec<(Table, Chance)> {
        let field = Field::before_dice(self.field.rules, table);
        let Coming { point, supports, .. } = self.coming;
        let shot = fire::foreseen_volley(&self.looking(&field), *point, supports);
        let Ok(spread) = shot.and_then(|shot| fire::odds(&field, &shot)) else { return vec![(table.clone(), share)] };
        let members = self.coming.run.members();
        let engaged = members.iter().copied().chain([self.unit]).chain(targets(&field)).collect();
        let charge = InCharge { engaged, charging: members.into_iter().collect(), ..InCharge::default() };
        let mut left = Vec::new();
        for mut state in spread.suffered(&field) {
            let after = Field::before_dice(self.field.rules, &state.after);
            let fates = morale::fates_in_charge(&after, CHARGES, &charge, &state.fire);
            let good = fates.fates.get(&Fate::Good).copied().unwrap_or(Chance::NEVER);
            let chance = share * state.chance;
            outcome.add(End::Halted, chance * good.otherwise());
            state.after[self.unit].marks.fires += 1;
            left.push((state.after, chance * good));
        }
        left.retain(|(_, chance)| chance.is_possible());
        left
    }

    /// ALG-CHARGE 11 Contact.
    fn strikes(
        &self,
        table: &Table,
        forming: bool,
        (from, to): (i32, i32),
        disordered: bool,
        share: Chance,
        outcome: &mut Outcome,
    ) {
        let mut table = table.clone();
        self.advance(&mut table, from, to, disordered);
        let field = Field::before_dice(self.field.rules, &table);
        let unit = field.unit(self.unit);
        // IDD-01, ARTY-07 They surrender on contact.
        if unit.morale == Morale::Routed || (unit.arm == Arm::Artillery && unit.is_limbered()) {
            outcome.add(End::ThrownBack, share);
            return add(&mut outcome.fates, Fate::PickedUp, share);
        }
        let defender = Front {
            unit: self.unit,
            supports: clash::supports_of_defence(&field, self.unit, &self.others()),
            charging: false,
            elan: false,
            forming,
        };
        let aspect = clash::aspect(&field, self.coming.point, self.unit);
        let clash = Clash { attacker: self.attacker(&field), defender, ray: self.ray(), aspect };
        outcome.add_contact(share, &clash::odds(&field, &clash), self.unit);
    }

    /// CHG-22 The targets of the charges that come after this one.
    fn others(&self) -> BTreeSet<UnitIx> {
        let mut others = targets(self.field);
        others.remove(&self.unit);
        others
    }

    fn attacker(&self, field: &Field<'_>) -> Front {
        let Coming { point, supports, run, .. } = self.coming;
        let supports = supports.iter().copied().filter(|ix| is_fit(field.unit(*ix))).collect();
        Front { unit: *point, supports, charging: true, elan: run.elan, forming: false }
    }

    fn ray(&self) -> geometry::Vector {
        geometry::forward(self.coming.bearing())
    }

    /// CHG-18 All members come on, and are in disorder or not.
    fn advance(&self, table: &mut Table, from: i32, to: i32, disordered: bool) {
        let bearing = self.coming.bearing();
        let (before, after) = (displacement(bearing, from), displacement(bearing, to.max(from)));
        for member in self.coming.run.members() {
            shift(table, member, Point::new(after.x - before.x, after.y - before.y));
            table[member].footing.disorder |= disordered;
            column::follow(table, member);
        }
    }

    /// CC-08, CC-09 Both as they meet halfway, and their clash.
    fn meeting(&self, travel: i32, disordered: bool, own_disorder: bool) -> (Table, Clash) {
        let mut table = self.field.table.clone();
        self.advance(&mut table, 0, travel, disordered);
        let (gap, bearing, friends) = {
            let field = Field::before_dice(self.field.rules, &table);
            let gap = distance(&field, self.coming.point, self.unit).rounded();
            let bearing = toward(&field, self.coming.point, self.unit).unwrap_or(self.coming.bearing());
            (gap, bearing, friends_by(&field, self.unit, &targets(&field)))
        };
        let theirs = displacement(bearing, gap / 2);
        for member in self.coming.run.members() {
            shift(&mut table, member, theirs);
        }
        let own = displacement(bearing.reversed(), gap - gap / 2);
        for ix in friends.iter().copied().chain([self.unit]) {
            shift(&mut table, ix, own);
            table[ix].footing.disorder |= own_disorder;
        }
        table[self.unit].marks.countercharged = true;
        let field = Field::before_dice(self.field.rules, &table);
        let elan = field.unit(self.unit).carried.charge_turns == 0;
        let defender = Front { unit: self.unit, supports: friends, charging: true, elan, forming: false };
        let attacker = self.attacker(&field);
        let clash = Clash { attacker, defender, ray: geometry::forward(bearing), aspect: FlankClass::Front };
        (table, clash)
    }
}

/// A way in which the charge comes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Approach {
    /// The travel at which the volley falls, and whether the charge is in disorder there.
    volley: Option<(i32, bool)>,
    /// It is in disorder at contact.
    disordered: bool,
}

/// Moves a unit without turning it, and the leaders with it. MOVE-17
fn shift(table: &mut Table, ix: UnitIx, by: Point) {
    let moved = |point: Point| Point::new(point.x + by.x, point.y + by.y);
    let footing = &mut table[ix].footing;
    footing.anchor = moved(footing.anchor);
    footing.trail.iter_mut().for_each(|point| *point = moved(*point));
    column::follow(table, ix);
    let id = table[ix].id.clone();
    for leader in table.leaders.those_mut(|leader| leader.attached.as_ref() == Some(&id)) {
        leader.at = moved(leader.at);
    }
}
