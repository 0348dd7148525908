//! A charge under way: its ray, its distances, its members. CHG-08, CHG-09, CHG-18, CHG-23 to CHG-27
//!
//! Owns the numbers with which a charge sets out and what is left of them, and moves its members. What happens on the way
//! stands in [`super::leg`].

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Dice as DiceShown, Fact, Morale, Stance, TrackPoint};
use protocol::orders::Order;
use protocol::place::{Bearing, Point};
use protocol::words::Quality;

use super::columns::body_of;
use super::counter::Comer;
use super::pace::{Pace, inches};
use super::sweep::Slide;
use super::threat;
use super::{Charges, Group, START, cancel, columns, objective, riders, riding};
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{
    CAVC_18, CHG_08, CHG_09, CHG_18, CHG_23, CHG_25, CHG_26, CHG_27, MOVE_01, MOVE_05, MOVE_06, MOVE_07, ORD_13,
    RuleId, TAC_28,
};
use crate::column;
use crate::dice::Purpose;
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry;
use crate::ground::{Footing, PathCost, Terrain};
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight::displacement;
use crate::movement::SEGMENTS;
use crate::play::Play;
use crate::ruleset::Ruleset;

/// CHG-09 From this angle off its front a charge is made in disorder, hundredths of a degree.
pub(super) const OFF_THE_FRONT: u32 = 4_500;

/// A charge under way.
#[derive(Clone, Debug)]
pub struct Run {
    /// The point.
    pub point: UnitIx,
    /// The supports that are still with it.
    pub supports: Vec<UnitIx>,
    /// The regiments behind its point, if that leads a brigade column when it sets out: they go where it goes. TAC-35
    pub behind: Vec<UnitIx>,
    /// At whom it runs.
    pub target: Option<UnitIx>,
    /// The direction of its ray.
    pub bearing: Bearing,
    /// What it has to run with.
    pub pace: Pace,
    /// Its total distance in points.
    pub budget: i64,
    /// Points spent.
    pub spent: i64,
    /// The points at which it falls into disorder; none: nowhere. CHG-26
    pub disorder: Option<i64>,
    /// It counts as charging with elan. CHG-29
    pub elan: bool,
    /// It has won and runs on. CHG-53
    pub is_victor: bool,
    /// Enemies that have answered it, and do not do so again to its members. CHG-47
    pub answered: BTreeSet<UnitIx>,
    /// The volley that is still due although the point was halted before it: the firer, and its distance. CHG-47
    pub volley_due: Option<(UnitIx, i32)>,
    /// Members that have lost figures in it. CHG-45
    pub lost_figures: BTreeSet<UnitIx>,
    /// Supports that are set aside with those who came for them. CC-20
    pub set_aside: Vec<(UnitIx, Vec<Comer>)>,
    /// Members that have moved. ORD-14
    pub moved: BTreeSet<UnitIx>,
    /// Enemies that it has thrown back: those it catches up with it fights hand to hand. IDD-25
    pub beaten: BTreeSet<UnitIx>,
    /// Enemies who were to come and meet it and could not set out: they are not asked again.
    pub stuck: BTreeSet<UnitIx>,
    /// Horse that is ready to meet it, with the numbers with which it will set out. CC-10
    pub(super) ready: BTreeMap<UnitIx, Numbers>,
    /// Its point came from FORM, and counts as charged while forming at its first impact. CC-17
    pub forming: bool,
    /// It has turned away from a square, and keeps its facing. TAC-42
    pub turned_away: bool,
    /// All that were ever in it, but for those behind its point.
    pub all: BTreeSet<UnitIx>,
    /// Points that each member has lost in crossing obstacles and works. OBS-11, WORKS-11
    pub losses: BTreeMap<UnitIx, i64>,
    /// How each member was last shown.
    shown: BTreeMap<UnitIx, Stance>,
}

/// How a unit meets its numbers: its pace, bonus, and where it falls into disorder.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    pub(super) pace: Pace,
    pub(super) total: i32,
    /// Thousandths of the total after which it is in disorder. CHG-26
    pub(super) disorder: Option<i32>,
    pub(super) dice: Option<DiceShown>,
    pub(super) sum: Reckoning,
    pub(super) notes: Vec<(RuleId, String)>,
    /// It is in disorder before it moves, and by which rule.
    pub(super) in_disorder: Option<RuleId>,
}

/// A bonus that was thrown, with its inches in thousandths.
pub(super) type Bonus = (DiceShown, i32);

/// CHG-23, CHG-24, ORD-13, CAVC-18 Throws the bonus of a unit where it stands, with so many dice more or less than others have.
/// None: it has none.
pub(super) fn throw_bonus(
    play: &Play<'_>,
    ix: UnitIx,
    disordered: bool,
    purpose: Purpose,
    dice_more: i32,
) -> Option<Bonus> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let pace = Pace::of(&field, ix, disordered)?.with_dice_more(dice_more);
    (threat::has_bonus(field.unit(ix)) && 0 < pace.dice).then(|| pace.throw(play, purpose, ix))
}

/// CHG-23 to CHG-27, CC-10 The numbers of a unit that charges with a bonus or without; `disorder`: a rule by which it starts in
/// disorder. None: it cannot start.
pub(super) fn numbers(play: &Play<'_>, ix: UnitIx, disorder: Option<RuleId>, bonus: Option<Bonus>) -> Option<Numbers> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let unit = field.unit(ix);
    let pace = Pace::of(&field, ix, disorder.is_some())?;
    let in_rough = field.footing(ix) == Footing::Ground(Terrain::Rough);
    let in_disorder = disorder.or(unit.footing.disorder.then_some(CHG_09)).or(in_rough.then_some(MOVE_05));
    let mut sum = Reckoning::of("total distance");
    sum.add(MOVE_01, "normal move, thousandths of an inch", pace.rate);
    let (dice, bonus) = bonus.map_or((None, 0), |(dice, bonus)| (Some(dice), bonus));
    sum.add(CHG_23, "bonus", bonus);
    let total = sum.total();
    let mut notes = Vec::new();
    let (rule, at) = disorder_after(play.rules, unit.quality, &pace, dice.is_some().then_some(bonus));
    let at = if in_disorder.is_some() { Some(0) } else { at };
    match (in_disorder, at) {
        (Some(rule), _) => notes.push((rule, "it is in disorder from its start".to_owned())),
        (None, Some(at)) => notes.push((rule, format!("in disorder after {} of it", fire::inches(at)))),
        (None, None) => notes.push((rule, "without a bonus it keeps its order".to_owned())),
    }
    if pace.is_off_open_ground() {
        notes.push((
            CHG_25,
            "told in inches of the ground where it starts: easier ground costs less of them".to_owned(),
        ));
    }
    match (dice.is_some(), threat::has_bonus(unit)) {
        (true, _) => {}
        (false, true) => notes.push((CAVC_18, "no bonus: it joins in with a die less than others have".to_owned())),
        (false, false) => {
            notes.push((ORD_13, "no bonus: it charged last turn, or has had its bonus move".to_owned()));
        }
    }
    Some(Numbers { pace, total, disorder: at, dice, sum, notes, in_disorder })
}

/// CHG-26, CHG-27 After how much of it a charge of that quality falls into disorder, thousandths of an inch, and by which rule;
/// `bonus`: what its dice gave, none without dice.
pub(super) fn disorder_after(
    rules: &Ruleset,
    quality: Quality,
    pace: &Pace,
    bonus: Option<i32>,
) -> (RuleId, Option<i32>) {
    let of_bonus = &rules.charge.disorder_share_of_bonus;
    let of_whole = &rules.charge.disorder_share_of_charge;
    let total = pace.rate + bonus.unwrap_or(0);
    match (quality, bonus) {
        (Quality::Green, _) => (MOVE_07, Some(of_whole.green.of(inches(total)).thousandths())),
        (Quality::Militia, _) => (MOVE_07, Some(of_whole.militia.of(inches(total)).thousandths())),
        (_, None) => (CHG_27, None),
        (Quality::Elite, Some(bonus)) => (MOVE_06, Some(pace.rate + of_bonus.elite.of(inches(bonus)).thousandths())),
        (Quality::Veteran, Some(bonus)) => {
            (MOVE_06, Some(pace.rate + of_bonus.veteran.of(inches(bonus)).thousandths()))
        }
    }
}

/// ALG-CHARGE 5 A charge sets out: its ray, its angle, its bonus, its disorder point. None: it does not start.
pub fn start(play: &mut Play<'_>, charges: &mut Charges<'_>, group: &Group) -> Option<Run> {
    let point = group.point;
    let bearing = ray(play, point, group.target)?;
    let facing = play.table()[point].footing.facing;
    let off = (OFF_THE_FRONT <= facing.angle_to(bearing)).then_some(CHG_09);
    let thrown = charges.thrown.remove(&point);
    let bonus = thrown.or_else(|| throw_bonus(play, point, off.is_some(), Purpose::ChargeBonus, 0));
    let disorder = match off {
        Some(rule) => Some(rule),
        None => {
            let impact = impact_at(play, charges, group);
            riding::disorder_from_the_start(play, point, bearing, bonus.as_ref().map_or(0, |(_, bonus)| *bonus), impact)
        }
    };
    let Some(numbers) = numbers(play, point, disorder, bonus) else {
        for ix in std::iter::once(point).chain(group.supports.iter().copied()) {
            cancel(play, ix, START, "cannot charge from where it stands");
        }
        return None;
    };
    let mut supports = group.supports.clone();
    nearest_first(play, point, &mut supports);
    let run = Run::new(play.table(), point, supports, group.target, bearing, &numbers);
    tell_start(play, &run, &numbers);
    for ix in run.everybody() {
        play.table_mut()[ix].marks.bonus_taken |= numbers.dice.is_some();
    }
    if let Some(rule) = numbers.in_disorder {
        run.members().into_iter().for_each(|ix| fall_into_disorder(play, ix, rule));
    }
    Some(run)
}

/// CAVC-24 How far it is to where a charge will strike, as it is planned: half-way to a target that comes to meet it, else to the
/// target where it stands.
fn impact_at(play: &Play<'_>, charges: &Charges<'_>, group: &Group) -> i32 {
    let Some(target) = group.target else { return i32::MAX };
    let field = Field::new(play.rules, play.table(), play.dice);
    let gap = threat::distance(&field, group.point, target).rounded();
    let members: Vec<UnitIx> = std::iter::once(group.point).chain(group.supports.iter().copied()).collect();
    let comes = riders::must_come(play, &members, target) && field.sees(target, group.point);
    if comes || charges.is_pending(target) { gap / 2 } else { gap }
}

/// CHG-08 The bearing of a charge: along the shortest segment to its target, or as its owner says if the target is then the
/// first enemy touched; at a feature of the ground, to its nearest point.
fn ray(play: &Play<'_>, point: UnitIx, target: Option<UnitIx>) -> Option<Bearing> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let order = play.order(point);
    let Some(target) = target else {
        let Order::Charge { objective: Some(feature), .. } = order else { return None };
        return geometry::bearing_between(
            field.unit(point).footing.anchor,
            objective::nearest(&field, point, &feature)?,
        );
    };
    let ordered = match order {
        Order::Charge { bearing, .. } => bearing,
        _ => None,
    };
    let said = play.choice(point, None, |said| said.charge_bearing.map(Some)).0.or(ordered);
    let strikes_first = |bearing: &Bearing| {
        let slide = Slide::new(body_of(&field, point), *bearing);
        let most = threat::distance(&field, point, target).rounded() * 2;
        let touched = |enemy: UnitIx, most: i32| slide.first_touch(&body_of(&field, enemy), most);
        let target = column::lead_of(field.table, target);
        let others = field
            .enemies_of(field.unit(point).side)
            .filter(|(enemy, _)| field.knows_of(field.unit(point).side, *enemy))
            .filter(|(enemy, unit)| column::lead_of(field.table, *enemy) != target && unit.is_unrouted());
        touched(target, most).is_some_and(|at| others.into_iter().all(|(enemy, _)| touched(enemy, at).is_none()))
    };
    said.filter(strikes_first).or_else(|| toward(&field, point, target))
}

/// The bearing of the shortest segment; of two that touch, from middle to middle.
pub(super) fn toward(field: &Field<'_>, from: UnitIx, to: UnitIx) -> Option<Bearing> {
    match threat::shortest(field, from, to) {
        Some((own, theirs)) => geometry::bearing_between(own, theirs),
        None => geometry::bearing_between(field.center(from), field.center(to)),
    }
}

/// The supports of a unit, the nearest first; level ones by their place.
pub(super) fn nearest_first(play: &Play<'_>, point: UnitIx, units: &mut [UnitIx]) {
    let field = Field::new(play.rules, play.table(), play.dice);
    units.sort_by_cached_key(|ix| (threat::distance(&field, point, *ix), field.center(*ix)));
}

/// CHG-17 Fit to go in, or to go on: in good morale and not in skirmish line.
pub fn is_fit(unit: &Unit) -> bool {
    unit.on_table() && unit.morale == Morale::Good && !unit.is_skirmishing()
}

impl Run {
    pub(super) fn new(
        table: &Table,
        point: UnitIx,
        supports: Vec<UnitIx>,
        target: Option<UnitIx>,
        bearing: Bearing,
        numbers: &Numbers,
    ) -> Run {
        let all: BTreeSet<UnitIx> = std::iter::once(point).chain(supports.iter().copied()).collect();
        let stance = |ix: &UnitIx| (*ix, table[*ix].stance());
        let behind = column::followers(table, point);
        Run {
            point,
            supports,
            target,
            bearing,
            pace: numbers.pace,
            budget: numbers.pace.points(numbers.total),
            spent: 0,
            disorder: numbers.disorder.map(|at| numbers.pace.points(at)),
            elan: table[point].carried.charge_turns == 0,
            is_victor: false,
            answered: BTreeSet::new(),
            volley_due: None,
            lost_figures: BTreeSet::new(),
            set_aside: Vec::new(),
            moved: BTreeSet::new(),
            beaten: BTreeSet::new(),
            stuck: BTreeSet::new(),
            ready: BTreeMap::new(),
            forming: false,
            turned_away: false,
            shown: all.iter().chain(&behind).map(stance).collect(),
            behind,
            all,
            losses: BTreeMap::new(),
        }
    }

    /// CHG-46 One of its supports that goes on by itself with what is left, in disorder.
    pub(super) fn alone(&self, play: &Play<'_>, ix: UnitIx) -> Run {
        let stance = play.table()[ix].stance();
        Run {
            point: ix,
            supports: Vec::new(),
            behind: Vec::new(),
            disorder: Some(0),
            set_aside: Vec::new(),
            ready: BTreeMap::new(),
            lost_figures: BTreeSet::new(),
            moved: self.moved.iter().copied().filter(|moved| *moved == ix).collect(),
            all: BTreeSet::from([ix]),
            shown: BTreeMap::from([(ix, stance)]),
            elan: play.table()[ix].carried.charge_turns == 0,
            ..self.clone()
        }
    }

    /// The point and its supports.
    pub fn members(&self) -> Vec<UnitIx> {
        std::iter::once(self.point).chain(self.supports.iter().copied()).collect()
    }

    /// The point, its supports, and the regiments of its column. TAC-35
    pub fn everybody(&self) -> Vec<UnitIx> {
        self.members().into_iter().chain(self.behind.iter().copied()).collect()
    }

    /// Points left to its point.
    pub fn left(&self) -> i64 {
        self.left_to(self.point)
    }

    /// OBS-13 Points left to a member: the total is that of the charge, what it lost at obstacles its own.
    pub fn left_to(&self, ix: UnitIx) -> i64 {
        (self.budget - self.spent - self.losses.get(&ix).copied().unwrap_or(0)).max(0)
    }

    /// CHG-25 The rest of its way, from where its point stands.
    pub fn way(&self, field: &Field<'_>) -> PathCost {
        self.pace.way(field, field.unit(self.point), self.bearing, self.left())
    }

    /// The stands of its point, of a column all, to be slid along its ray.
    pub fn slide(&self, field: &Field<'_>) -> Slide {
        Slide::new(body_of(field, self.point), self.bearing)
    }

    /// CHG-26 Whether it is in disorder when so many points are spent.
    pub fn is_disordered_at(&self, spent: i64) -> bool {
        self.disorder.is_some_and(|at| at <= spent)
    }

    /// CHG-18, CHG-44 A support leaves the charge where it is.
    pub fn leaves(&mut self, ix: UnitIx) {
        self.supports.retain(|support| *support != ix);
    }

    /// CHG-26, CHG-18 Puts all members in disorder.
    pub(super) fn fall_into_disorder(&self, play: &mut Play<'_>, rule: RuleId) {
        for ix in self.members() {
            fall_into_disorder(play, ix, if ix == self.point { rule } else { CHG_18 });
        }
    }

    /// Moves one member along the ray, from one travel to another.
    pub(super) fn carry(&mut self, play: &mut Play<'_>, ix: UnitIx, from: i32, to: i32) {
        if to <= from {
            return;
        }
        let (before, after) = (displacement(self.bearing, from), displacement(self.bearing, to));
        let by = (after.x - before.x, after.y - before.y);
        shift(play, ix, by);
        self.moved.insert(ix);
        self.all.insert(ix);
    }

    /// CHG-08 Tells how far its members have come since they were last shown.
    pub(super) fn tell_way(&mut self, play: &mut Play<'_>, halted: Option<&str>) {
        for ix in self.members() {
            self.tell_way_of(play, ix, halted.filter(|_| ix == self.point));
        }
        for ix in self.behind.clone() {
            self.tell_way_of(play, ix, None);
        }
    }

    /// CHG-08 Tells how far a unit that runs in it has come since it was last shown, and why it halts there.
    pub(super) fn tell_way_of(&mut self, play: &mut Play<'_>, ix: UnitIx, halted: Option<&str>) {
        let unit = &play.table()[ix];
        if !unit.on_table() {
            return;
        }
        let now = unit.stance();
        let before = self.shown.insert(ix, now.clone());
        let Some(before) = before.filter(|before| before.anchor != now.anchor) else { return };
        let gone = geometry::segment_length(before.anchor, now.anchor);
        let (id, name) = (unit.id.clone(), named(&unit.name));
        let track = vec![TrackPoint { segment: 0, stance: before }, TrackPoint { segment: SEGMENTS, stance: now }];
        let halted = halted.map(str::to_owned);
        let (rule, text) = match self.behind.contains(&ix) {
            true => (TAC_28, format!("{name} goes with the head of its column.")),
            false => (CHG_08, format!("{name} charges {}.", fire::inches(gone))),
        };
        play.tell(rule, Fact::Moved { unit: id, track, halted }, sentence(text));
    }

    /// It is shown as it stands now: others have moved it.
    pub(super) fn show(&mut self, play: &Play<'_>) {
        for ix in self.all.iter().copied().chain(self.behind.iter().copied()).collect::<Vec<_>>() {
            self.shown.insert(ix, play.table()[ix].stance());
        }
    }
}

/// Moves a unit without turning it, the leaders and the regiments of its column with it.
pub(super) fn shift(play: &mut Play<'_>, ix: UnitIx, by: (i32, i32)) {
    let moved = |point: Point| Point::new(point.x + by.0, point.y + by.1);
    let footing = &mut play.table_mut()[ix].footing;
    footing.anchor = moved(footing.anchor);
    footing.trail.iter_mut().for_each(|point| *point = moved(*point));
    // ENF-12 An end stand is bent back until the unit moves.
    footing.refused = None;
    crate::movement::carry_leaders(play, ix, by);
    columns::bring_up(play, ix);
}

fn tell_start(play: &mut Play<'_>, run: &Run, numbers: &Numbers) {
    let table = play.table();
    let at = run.target.map_or_else(|| "its objective".to_owned(), |target| called(&table[target].name));
    let with = match run.supports.len() {
        0 => String::new(),
        _ => {
            let names: Vec<String> = run.supports.iter().map(|ix| called(&table[*ix].name)).collect();
            format!(", with {} in support", names.join(" and "))
        }
    };
    let unit = &table[run.point];
    let column = match run.behind.len() {
        0 => String::new(),
        behind => format!(" at the head of a column of {} regiments", behind + 1),
    };
    let text =
        format!("{} charges {at}{column}{with}: {} in all.", named(&unit.name), numbers.pace.told(numbers.total));
    let mut told = sentence(text).with_sum(&numbers.sum);
    if let Some(dice) = &numbers.dice {
        told = told.with_dice(dice.clone());
    }
    for (rule, text) in &numbers.notes {
        told = told.with_note(*rule, text.clone());
    }
    let fact = Fact::ChargeBegan {
        unit: unit.id.clone(),
        supports: run.supports.iter().map(|ix| table[*ix].id.clone()).collect(),
        target: run.target.map(|target| table[target].id.clone()),
        bearing: run.bearing,
        total: numbers.total.unsigned_abs(),
        disorder_at: numbers.disorder.map(i32::unsigned_abs),
    };
    let rule = if numbers.disorder.is_some() { CHG_26 } else { CHG_23 };
    play.tell(rule, fact, told);
}
