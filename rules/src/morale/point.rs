//! The modified morale point: every modifier of a check with its rule. MOR-41 to MOR-62, RALLY-10 to RALLY-14
//!
//! Owns which modifiers are in force; numbers come from the tables. A unit passes by throwing more than the sum.

use protocol::event::{FlankClass, Morale, OrderShown};
use protocol::place::Point;
use protocol::words::Arm;

use super::{InCharge, officer, reference, shelter};
use crate::battle::{Leader, Unit, UnitIx};
use crate::catalogue::{
    DIS_17, LEAD_02, LEAD_14, MOR_12, MOR_41, MOR_46, MOR_47, MOR_48, MOR_50, MOR_51, MOR_52, MOR_55, MOR_56, MOR_57,
    MOR_58, MOR_62, RALLY_13, RALLY_14, RuleId, TAC_19,
};
use crate::explain::Reckoning;
use crate::field::Field;
use crate::geometry::{Frame, Rect};
use crate::ground::ObstacleKind;
use crate::house::{ArtilleryFiredOn, FleeingMorale, RearOfDisorder, WoodsAndCover};
use crate::ruleset::Ruleset;
use crate::scenario::{CoverKind, GroundUse, ModifierOn};
use crate::settle::FiredOn;
use crate::{leaders, specials};

/// RALLY-14 Works are looked for so far along the enemy bearing when no enemy is seen, thousandths of an inch.
const WORKS_AHEAD: i32 = 36_000;

/// MOR-41 A unit's base morale point: its own, or that of its quality.
pub fn base_point(rules: &Ruleset, unit: &Unit) -> i32 {
    unit.bmp.unwrap_or_else(|| rules.bmp.at(unit.quality))
}

/// MOR-18, MOR-47 The losses that count against a unit's morale: whole stands; figures of a sharpshooter stand, sections of
/// a battery or of its crew.
pub fn losses(unit: &Unit) -> u32 {
    match unit.counts_by_figure() {
        // A screen that is gone counts from next turn. TAC-21, TAC-22
        false => unit.stands_lost().saturating_sub(u32::from(unit.marks.screen_lost)),
        true => unit.figures_at_start.saturating_sub(unit.figures()),
    }
}

/// What of a unit goes on from check to check of a batch; all else is the snapshot's. MOR-34
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Its morale. MOR-46
    pub morale: Morale,
    /// Stands (sections, sharpshooters) lost. MOR-31
    pub lost: u32,
}

impl State {
    /// The state in which the snapshot has the unit.
    pub fn of(unit: &Unit) -> State {
        State { morale: unit.morale, lost: losses(unit) }
    }
}

/// What causes a check.
#[derive(Clone, Copy, Debug)]
pub enum Cause<'a> {
    /// A fire. MOR-44
    Fire(&'a FiredOn),
    /// A melee with this enemy. MOR-45
    Melee(UnitIx),
    /// Anything else.
    Other,
}

/// The modifiers of one unit in one batch, read from its snapshot.
pub struct Modifiers<'a> {
    field: &'a Field<'a>,
    unit: UnitIx,
    /// The batteries that check as one with it; by itself only the unit. MOR-64
    members: Vec<UnitIx>,
    phase: u8,
    charge: &'a InCharge,
    officer: Option<&'a Leader>,
    /// Whether it has elan, where that has been judged already. CHG-29
    elan: Option<bool>,
    screen: bool,
}

impl<'a> Modifiers<'a> {
    /// Of that unit in that phase.
    pub fn of(field: &'a Field<'a>, unit: UnitIx, phase: u8, charge: &'a InCharge) -> Self {
        Modifiers {
            field,
            unit,
            members: vec![unit],
            phase,
            charge,
            officer: officer::present_in_charge(field, unit, charge),
            elan: None,
            screen: false,
        }
    }

    /// CHG-29 With the elan that its charge has, or has not.
    pub fn with_elan(self, elan: bool) -> Self {
        Modifiers { elan: Some(elan), ..self }
    }

    /// TAC-19 Those of its skirmish screen, a small regiment in which a figure counts as a stand.
    pub fn of_screen(self) -> Self {
        Modifiers { screen: true, ..self }
    }

    /// The tables in force.
    pub(super) fn rules(&self) -> &'a Ruleset {
        self.field.rules
    }

    /// Whose they are.
    pub fn unit(&self) -> UnitIx {
        self.unit
    }

    /// TAC-19 Whether they are those of its skirmish screen.
    pub fn are_of_screen(&self) -> bool {
        self.screen
    }

    /// The stands of a unit that may stand in cover: those of the body, or of its screen. TAC-19
    fn stands_of(&self, unit: UnitIx) -> Vec<Rect> {
        let layout = self.field.layout(unit);
        match layout.screen().filter(|_| self.screen) {
            Some(screen) => vec![*screen],
            None => layout.body().copied().collect(),
        }
    }

    /// Who checks with them, as the subject of a sentence.
    pub fn who(&self) -> String {
        let name = &self.field.unit(self.unit).name;
        if self.screen { format!("The skirmish screen of {name}") } else { name.clone() }
    }

    /// MOR-64 Of a gun battalion that checks as one, for what befell one of its batteries. `helped` is the battery with whom the
    /// officer is who helps them all.
    pub(super) fn of_battalion(&self, members: &[UnitIx], helped: UnitIx) -> Self {
        let officer = officer::present(self.field, helped);
        Modifiers { members: members.to_vec(), officer, ..*self }
    }

    /// LEAD-01 The officer present.
    pub fn officer(&self) -> Option<&'a Leader> {
        self.officer
    }

    /// MOR-43 The modified morale point of a forced check.
    pub fn forced(&self, state: State, cause: Cause<'_>) -> Reckoning {
        let mut point = self.basic(state);
        self.add_cover(&mut point, cause);
        let facing_it = match cause {
            Cause::Fire(fire) => fire.by.clone(),
            Cause::Melee(enemy) => vec![enemy],
            Cause::Other => Vec::new(),
        };
        self.add_shelter(&mut point, &facing_it);
        match cause {
            Cause::Fire(fire) => self.add_fire(&mut point, state, fire),
            Cause::Melee(_) => {
                let caught = self.charge.caught == Some(self.unit);
                let rear = self.field.rules.morale_if_hit.rear.charge.unwrap_or_default();
                point.add_if(caught, DIS_17, "caught from behind", rear);
            }
            Cause::Other => {}
        }
        point
    }

    /// IMP-02, MOR-53 The part of its Impact Morale that is reckoned as for a check, against the unit that it meets.
    pub fn impact(&self, enemy: UnitIx) -> Reckoning {
        let name = crate::explain::called(&self.field.unit(self.unit).name);
        let mut point = Reckoning::of(format!("Impact Morale of {name}"));
        self.add_basic(&mut point, State::of(self.field.unit(self.unit)));
        self.add_cover(&mut point, Cause::Melee(enemy));
        self.add_shelter(&mut point, &[enemy]);
        point
    }

    /// MOR-12 The modified morale point of a hit check: one more for each figure lost to that fire.
    pub fn hit(&self, state: State, fire: &FiredOn) -> Reckoning {
        let mut point = self.forced(state, Cause::Fire(fire));
        let per_figure = self.field.rules.morale_check.per_figure_lost_to_artillery;
        point.add(
            MOR_12,
            counted(fire.figures, "figure lost to this fire", "figures lost to this fire"),
            many(fire.figures, per_figure),
        );
        point
    }

    /// RALLY-10 What a rally must beat: basic modifiers only, and cover as RALLY-13 and RALLY-14 see it.
    pub fn rally(&self) -> Reckoning {
        let mut point = self.basic(State::of(self.field.unit(self.unit)));
        self.add_rally_cover(&mut point);
        for (rule, label, value) in specials::modifiers(self.field, self.unit, ModifierOn::Rally) {
            point.add(rule, label, value);
        }
        self.add_shelter(&mut point, &[]);
        point
    }

    /// MOR-40 What the direction of a fire and the order of the unit add: by this the worst of several fires is told.
    pub fn fire_modifiers(&self, state: State, fire: &FiredOn) -> i32 {
        let mut alone = Reckoning::of("fire");
        self.add_flank_and_disorder(&mut alone, state, fire);
        alone.total()
    }

    fn basic(&self, state: State) -> Reckoning {
        let mut point = Reckoning::of("modified morale point");
        self.add_basic(&mut point, state);
        point
    }

    fn add_basic(&self, point: &mut Reckoning, state: State) {
        let Modifiers { field, .. } = self;
        let unit = field.unit(self.unit);
        let modifier = &field.rules.morale_modifier;
        let quality = if 1 < self.members.len() {
            "base morale point of most of the battalion".to_owned()
        } else if unit.bmp.is_some() {
            "base morale point".to_owned()
        } else {
            format!("{}, base morale point", unit.quality)
        };
        point.add(MOR_41, quality, self.base_of_most());
        self.add_state_and_losses(point, state);
        if let Some(brigade) = field.table.brigade_of(unit) {
            let commander_lost = brigade.commander_lost && !brigade.guns;
            point.add_if(commander_lost, MOR_48, "brigade commander lost", modifier.brigade_commander_lost);
            let regiments = brigade.regiments_lost_before;
            let label = counted(regiments, "regiment of the brigade lost", "regiments of the brigade lost");
            point.add(MOR_50, label, many(regiments, modifier.per_regiment_lost_of_brigade));
        }
        if let Some(officer) = self.officer {
            let benefit = field.rules.leader_level.at(leaders::level(field.table, officer)).morale;
            point.add(LEAD_02, format!("officer present: {}", officer.name), benefit);
            let leads = officer.marks.led_charge && self.has_elan();
            point.add_if(leads, LEAD_14, format!("{} leads the charge", officer.name), modifier.leading_the_charge);
        }
        point.add_if(self.has_elan(), MOR_51, "charging", modifier.charging);
        let added = field.rules.house.woods_and_cover == WoodsAndCover::Added;
        if added && self.half_are(|member| self.is_in_woods(member)) && !self.is_on_its_way() {
            point.add(MOR_52, "in woods", modifier.in_woods);
        }
        for (rule, label, value) in specials::morale_point(field, self.unit) {
            point.add(rule, label, value);
        }
    }

    /// MOR-46, MOR-47 What everybody can see of a unit.
    fn add_state_and_losses(&self, point: &mut Reckoning, state: State) {
        let Modifiers { field, .. } = self;
        let unit = field.unit(self.unit);
        let modifier = &field.rules.morale_modifier;
        match state.morale {
            Morale::Good => {}
            Morale::Shaken => point.add(MOR_46, "shaken", modifier.shaken),
            Morale::Routed => point.add(MOR_46, "routed", modifier.routed),
        }
        let figure = field.rules.skirmish_screen.morale_per_figure_lost;
        let (one, several, each) = match unit.arm {
            _ if self.screen => ("figure of the screen lost", "figures of the screen lost", figure),
            Arm::Artillery if 1 < self.members.len() => {
                let each = modifier.per_section_lost_by_battalion;
                ("section lost by the battalion", "sections lost by the battalion", each)
            }
            Arm::Artillery | Arm::GunCrew => ("section lost", "sections lost", modifier.per_section_lost),
            Arm::Sharpshooter => ("sharpshooter lost", "sharpshooters lost", modifier.per_stand_lost),
            Arm::Infantry | Arm::Cavalry => ("stand lost", "stands lost", modifier.per_stand_lost),
        };
        let rule = if self.screen { TAC_19 } else { MOR_47 };
        point.add(rule, counted(state.lost, one, several), many(state.lost, each));
    }

    /// What an enemy may reckon of a unit's morale point: its quality, its state, what it has lost.
    pub fn seen_from_outside(&self) -> Reckoning {
        let unit = self.field.unit(self.unit);
        let mut point = Reckoning::of("what can be seen of its morale point");
        point.add(MOR_41, format!("{}, base morale point", unit.quality), self.field.rules.bmp.at(unit.quality));
        self.add_state_and_losses(&mut point, State::of(unit));
        point
    }

    /// MOR-54 Whether a unit stands in woods.
    fn is_in_woods(&self, unit: UnitIx) -> bool {
        let treated = specials::treated(self.field.table, self.field.unit(unit), GroundUse::Morale);
        self.field.ground().bent(&treated).in_woods(&self.stands_of(unit))
    }

    /// MOR-41, MOR-64 The base morale point that most of those who check together have; of equals the higher.
    fn base_of_most(&self) -> i32 {
        let bases: Vec<i32> =
            self.members.iter().map(|ix| base_point(self.field.rules, self.field.unit(*ix))).collect();
        let count = |base: i32| bases.iter().filter(|other| **other == base).count();
        bases.iter().copied().max_by_key(|base| (count(*base), *base)).unwrap_or_default()
    }

    /// MOR-64 Whether at least half of those who check together are so.
    fn half_are(&self, so: impl Fn(UnitIx) -> bool) -> bool {
        self.members.len() <= 2 * self.members.iter().filter(|member| so(**member)).count()
    }

    /// MOR-51 The elan of a charge: from the declaration on, not in a second turn running, nor of a unit that goes shaken.
    fn has_elan(&self) -> bool {
        let unit = self.field.unit(self.unit);
        let declared = (3..=6).contains(&self.phase)
            && matches!(unit.marks.shown, Some(OrderShown::Charge { .. }))
            && !unit.marks.order_spent;
        let charges = (declared || self.is_on_its_way()) && unit.carried.charge_turns == 0;
        self.elan.unwrap_or(charges) && unit.morale == Morale::Good
    }

    /// MOR-52 A unit whose charge or countercharge has begun has left its cover.
    fn is_on_its_way(&self) -> bool {
        self.charge.charging.contains(&self.unit)
    }

    fn add_shelter(&self, point: &mut Reckoning, facing_it: &[UnitIx]) {
        let sheltered = self.half_are(|member| shelter::behind_friendlies(self.field, member, facing_it));
        point.add_if(sheltered, MOR_55, "behind friendlies", self.field.rules.morale_modifier.behind_friendlies);
    }

    /// MOR-52, MOR-53 The best of cover and works, against whoever causes the check.
    fn add_cover(&self, point: &mut Reckoning, cause: Cause<'_>) {
        if self.is_on_its_way() {
            return;
        }
        let from = || match cause {
            Cause::Fire(fire) => Some(fire.from),
            Cause::Melee(enemy) => Some(self.field.center(enemy)),
            Cause::Other => self.reference_point(),
        };
        // MOR-64 The best that at least half have; of one unit its best.
        let mut best: Vec<_> = self.members.iter().map(|member| best_of(self.cover_against(*member, &from))).collect();
        best.sort_by_key(|cover| cover.as_ref().map_or(0, |(_, _, value)| *value));
        let half = self.members.len().div_ceil(2);
        if let Some(Some((rule, label, value))) = best.into_iter().nth(half.saturating_sub(1)) {
            point.add(rule, label, value);
        }
    }

    fn reference_point(&self) -> Option<Point> {
        let opponent = self.charge.opponent.get(&self.unit).copied();
        let reference = reference::reference(self.field, self.unit, &[], opponent);
        reference.enemy.map(|enemy| self.field.center(enemy))
    }

    /// MOR-53 What covers a unit against a point; with no enemy known, whatever it is beside. From where is asked only where
    /// there is anything to stand behind.
    fn cover_against(&self, unit: UnitIx, from: &dyn Fn() -> Option<Point>) -> Vec<(RuleId, String, i32)> {
        let ground = self.field.ground();
        let stands = self.stands_of(unit);
        let beside = ground.beside(&stands);
        // Cover is claimed only of what one is beside.
        let mut covers: Vec<(RuleId, String, i32)> = match (!beside.is_empty()).then(from) {
            Some(Some(from)) => {
                let claims = ground.claims(from, &stands).into_iter();
                claims.filter_map(|claim| self.cover_of(claim.obstacle.kind, claim.right_side)).collect()
            }
            Some(None) | None => beside.into_iter().filter_map(|obstacle| self.cover_of(obstacle.kind, true)).collect(),
        };
        for cover in specials::cover(self.field, unit, from) {
            let label = format!("special rule `{}`", cover.term);
            covers.push((specials::COVER_RULE, label, self.worth_of(cover.treated_as)));
        }
        // MOR-52: by one reading woods are one cover among the others, of which the best counts.
        if self.field.rules.house.woods_and_cover == WoodsAndCover::Best && self.is_in_woods(unit) {
            covers.push((MOR_52, "in woods".to_owned(), self.field.rules.morale_modifier.in_woods));
        }
        if let Some(building) = ground.building_of(&stands) {
            covers.push((MOR_52, format!("in {}", building.name), self.field.rules.morale_modifier.behind_cover));
        }
        covers
    }

    /// SCNS-08 Special cover counts in morale like the thing that it is likened to.
    fn worth_of(&self, kind: CoverKind) -> i32 {
        let Field { rules, .. } = self.field;
        match kind {
            CoverKind::WoodFence | CoverKind::StoneWall | CoverKind::WoodBuilding | CoverKind::StoneBuilding => {
                rules.morale_modifier.behind_cover
            }
            CoverKind::Woods => rules.morale_modifier.in_woods,
            CoverKind::Hasty => rules.works.hasty.morale,
            CoverKind::Medium => rules.works.medium.morale,
            CoverKind::Heavy => rules.works.heavy.morale,
        }
    }

    fn cover_of(&self, kind: ObstacleKind, right_side: bool) -> Option<(RuleId, String, i32)> {
        let Field { rules, .. } = self.field;
        let cover = rules.morale_modifier.behind_cover;
        let (label, value) = match (kind, right_side) {
            (ObstacleKind::Fence, _) => ("behind a fence", cover),
            (ObstacleKind::StoneWall, _) => ("behind a stone wall", cover),
            (ObstacleKind::Bank, _) => ("behind a bank", cover),
            (ObstacleKind::HastyWorks, true) => ("in hasty works", rules.works.hasty.morale),
            (ObstacleKind::MediumWorks, true) => ("in medium works", rules.works.medium.morale),
            (ObstacleKind::HeavyWorks, true) => ("in heavy works", rules.works.heavy.morale),
            (ObstacleKind::HastyWorks | ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks, false) => {
                ("on the wrong side of works", cover)
            }
            (ObstacleKind::Abatis | ObstacleKind::Fraise | ObstacleKind::ChevauxDeFrise, _) => return None,
        };
        Some((MOR_52, label.to_owned(), value))
    }

    /// RALLY-13, RALLY-14 Out of sight counts as cover; medium and heavy works count at any distance.
    fn add_rally_cover(&self, point: &mut Reckoning) {
        let Modifiers { field, unit, .. } = *self;
        let mut covers = self.cover_against(unit, &|| self.reference_point());
        let works = &field.rules.works;
        for (kind, value) in
            [(ObstacleKind::MediumWorks, works.medium.morale), (ObstacleKind::HeavyWorks, works.heavy.morale)]
        {
            if self.has_works_before_it(kind) {
                covers.push((RALLY_14, "works before it".to_owned(), value));
            }
        }
        if !field.unit(unit).marks.fired_on && !field.sees_anybody(unit) {
            covers.push((RALLY_13, "out of the enemy's sight".to_owned(), field.rules.morale_modifier.behind_cover));
        }
        if let Some((rule, label, value)) = best_of(covers) {
            point.add(rule, label, value);
        }
    }

    /// RALLY-14 Whether works of one kind lie between a unit and every enemy that it sees near it; if it sees nobody, before it.
    fn has_works_before_it(&self, kind: ObstacleKind) -> bool {
        let Modifiers { field, unit, .. } = *self;
        let (ground, own) = (field.ground(), field.center(unit));
        if !ground.has_any(kind) {
            return false;
        }
        let crossed = |end: Point| ground.crossings(own, end).iter().any(|crossing| crossing.obstacle.kind == kind);
        let (side, limit) = (field.unit(unit).side, field.rules.rally.no_enemy_within.thousandths());
        let near = field.enemies_near(side, field.extent(unit), limit);
        let near = near.filter(|enemy| field.unit(*enemy).is_unrouted() && field.within(unit, *enemy, limit));
        // One who is seen without works between settles it, so who has none between is asked for first.
        let (behind, open): (Vec<UnitIx>, Vec<UnitIx>) = near.partition(|enemy| crossed(field.center(*enemy)));
        let is_seen = |enemy: &UnitIx| field.sees(unit, *enemy);
        if open.iter().any(is_seen) {
            return false;
        }
        if behind.iter().any(is_seen) {
            return true;
        }
        let ahead = Frame::new(own, reference::enemy_bearing(field.table, side)).at(WORKS_AHEAD, 0);
        !field.sees_anybody(unit) && crossed(ahead)
    }

    /// MOR-56 to MOR-58, MOR-62 What a fire adds by its direction and by the state in which it finds the unit.
    fn add_fire(&self, point: &mut Reckoning, state: State, fire: &FiredOn) {
        self.add_flank_and_disorder(point, state, fire);
        if self.is_spared(state) && self.field.rules.house.fleeing_morale == FleeingMorale::All {
            return;
        }
        let unit = self.field.unit(self.unit);
        let if_hit = &self.field.rules.morale_if_hit;
        point.add_if(unit.is_forming(), MOR_58, "hit while forming", if_hit.while_forming.fire);
        point.add_if(unit.marks.conditional_hold, MOR_58, "on Conditional Hold", if_hit.on_conditional_hold.fire);
    }

    fn add_flank_and_disorder(&self, point: &mut Reckoning, state: State, fire: &FiredOn) {
        let house = &self.field.rules.house;
        let spared = self.is_spared(state);
        if spared && house.fleeing_morale == FleeingMorale::All {
            return;
        }
        let if_hit = &self.field.rules.morale_if_hit;
        let disorder = self.field.unit(self.unit).footing.disorder;
        // MOR-57: by one reading the rear counts in place of the disorder.
        let replaced = house.rear_of_disorder == RearOfDisorder::Instead && fire.flank == FlankClass::Rear && !spared;
        let disorder_counts = disorder && !replaced;
        point.add_if(disorder_counts, MOR_57, "hit in disorder", if_hit.in_disorder.fire);
        let (label, value) = match (fire.flank, disorder) {
            _ if spared => ("", 0),
            (FlankClass::Rear, _) => ("hit in the rear", if_hit.rear.fire),
            (FlankClass::Full, false) => ("hit on the full flank", if_hit.full_flank.fire),
            (FlankClass::Partial, false) => ("hit on a partial flank", if_hit.partial_flank.fire),
            (FlankClass::Front, _) | (FlankClass::Full | FlankClass::Partial, true) => ("", 0),
        };
        point.add_if(value != 0, MOR_56, label, value);
        // MOR-62
        let option = self.field.table.house().artillery_fired_on_plus_one == ArtilleryFiredOn::On;
        if option && self.is_of_guns(fire) {
            let listed = i32::from(disorder_counts) + i32::from(value != 0);
            point.add(MOR_62, "artillery, by the scenario's option", listed * if_hit.option_artillery.fire);
        }
    }

    /// MOR-61 Disengaging and routed units have no fire modifiers.
    fn is_spared(&self, state: State) -> bool {
        let marks = &self.field.unit(self.unit).marks;
        let disengages = matches!(marks.shown, Some(OrderShown::Disengage {})) && !marks.order_spent;
        state.morale == Morale::Routed || disengages
    }

    fn is_of_guns(&self, fire: &FiredOn) -> bool {
        // Guns beyond the edge are no unit. SCNS-05
        fire.by.is_empty() || fire.by.iter().any(|firer| self.field.unit(*firer).arm == Arm::Artillery)
    }
}

/// The first of the best: the list begins with what is nearest to the words of the rule.
fn best_of(covers: Vec<(RuleId, String, i32)>) -> Option<(RuleId, String, i32)> {
    covers.into_iter().rev().min_by_key(|(_, _, value)| *value)
}

fn many(count: u32, each: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(each)
}

fn counted(count: u32, one: &str, several: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {several}") }
}
