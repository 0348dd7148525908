//! The situation: who stands where, how strong, what threatens whom, what is to be won.
//!
//! Owns the bot's reading of a [`View`]. It decides nothing; roles and orders do.

use std::collections::BTreeSet;

use protocol::event::{Morale, OrderShown};
use protocol::ids::{BrigadeId, SeatId, Side, UnitId};
use protocol::orders::{Order, Work};
use protocol::place::Bearing;
use protocol::view::{BattleCard, PostureCard, Presence, UnitView, View};
use protocol::words::{Arm, Formation, Quality};

use crate::geometry::{Footprint, Outline, Vector, degrees_between};
use crate::ground::{Gait, Ground};
use crate::plan::Memory;

/// Ranges of a rifle musket in inches: what an enemy is thought to carry.
const MUSKET: [f64; 3] = [2.0, 4.0, 12.0];
/// Ranges of a common field gun in inches.
const FIELD_GUN: [f64; 3] = [3.0, 12.0, 30.0];
/// Strength of a sound regiment: the measure of all strengths here.
pub(crate) const REGIMENT: f64 = 12.0;

/// A unit on the table, of either side.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) id: UnitId,
    pub(crate) side: Side,
    pub(crate) brigade: Option<BrigadeId>,
    pub(crate) arm: Arm,
    pub(crate) quality: Quality,
    pub(crate) morale: Morale,
    pub(crate) formation: Formation,
    pub(crate) disorder: bool,
    pub(crate) prone: bool,
    pub(crate) anchor: Vector,
    pub(crate) facing: Bearing,
    pub(crate) footprint: Footprint,
    /// The middles of its stands.
    pub(crate) stands: Vec<Vector>,
    /// Figures left; of guns three for each section.
    pub(crate) figures: f64,
    /// Stands left; of guns sections.
    pub(crate) stands_left: f64,
    /// Its morale point before any modifier. MOR-41
    pub(crate) base_point: i32,
    /// The same with what its lost stands add. MOR-43
    pub(crate) morale_point: i32,
    /// Fighting worth: figures, bettered by quality, lessened by morale and empty pouches.
    pub(crate) strength: f64,
    /// Half or more of its stands are gone: it advances with an officer only.
    pub(crate) spent: bool,
    pub(crate) ammunition_out: bool,
    /// Close, normal and long range in inches.
    pub(crate) ranges: [f64; 3],
    /// Inches of open ground in a turn, in the present formation.
    pub(crate) rate: f64,
    pub(crate) horses: Option<u32>,
    pub(crate) canister: u32,
    /// Whether this player commands it.
    pub(crate) mine: bool,
    /// Whether the server says that it may go toward the enemy.
    pub(crate) may_advance: bool,
    /// Has to leave the fight: its brigade lost six of ten command points. LVL-05
    pub(crate) withdraws: bool,
    /// Turns running in which it has charged. ORD-13
    pub(crate) charges_before: u32,
    /// Fought hand to hand last turn. MEL-21
    pub(crate) only_forms: bool,
    /// Waits at its door and may march in this turn. SCN-11
    pub(crate) at_door: bool,
    /// Whether it stands where it stood a turn ago.
    pub(crate) stood: bool,
    pub(crate) shown: Option<OrderShown>,
    pub(crate) order: Option<Order>,
    /// Turns that its hasty works still need; nothing while it has none in hand. OBS-06
    pub(crate) work_left: Option<u32>,
}

impl Body {
    fn read(unit: &UnitView, view: &View, seat: Option<&SeatId>, memory: &Memory) -> Option<Body> {
        let own = unit.own.as_ref();
        let on_table = unit.stance.as_ref().filter(|_| unit.presence == Presence::Table);
        let at_door = own.and_then(|own| own.at_door.as_ref());
        let stance = on_table.or(at_door)?;
        let anchor = Vector::from(stance.anchor);
        let guns = unit.arm == Arm::Artillery;
        let figures: u32 = unit.stands.iter().map(|stand| stand.figures).fold(0, u32::saturating_add);
        // A section's three dice are worth about half a small regiment's.
        let heads = unit.sections.filter(|_| guns).map_or(f64::from(figures), |sections| f64::from(sections) * 4.0);
        let quality = match unit.quality {
            Quality::Elite => 1.25,
            Quality::Veteran => 1.1,
            Quality::Green => 0.9,
            Quality::Militia => 0.7,
        };
        let morale = match unit.morale {
            Morale::Good => 1.0,
            Morale::Shaken => 0.45,
            Morale::Routed => 0.0,
        };
        let supply = if unit.ammunition_out { 0.5 } else { 1.0 };
        let stands_now = unit.sections.filter(|_| guns).unwrap_or(unit.stands.len() as u32);
        let with_men = unit.stands.iter().filter(|stand| 0 < stand.figures).count() as u32;
        let stands_with_men = unit.sections.filter(|_| guns).unwrap_or(with_men);
        let spent = unit.stands_at_start != 0 && stands_now.saturating_mul(2) <= unit.stands_at_start;
        let level = unit
            .brigade
            .as_ref()
            .and_then(|id| view.brigades.iter().find(|brigade| brigade.id == *id))
            .map_or(0, |brigade| brigade.level);
        let limited = |rule: &str| own.is_some_and(|own| own.limits.iter().any(|limit| limit.starts_with(rule)));
        // Half-strength is judged by the officers near: ORD-10.
        let barred = ["ORD-07", "SHK-07", "CMD-07", "LVL-04", "LVL-05"].into_iter().any(limited);
        let charges_before = match (limited("ORD-13: charged in two"), limited("ORD-13")) {
            (true, _) => 2,
            (_, true) => 1,
            _ => 0,
        };
        let base_point = own.map_or(2 + unit.quality as i32, |own| own.bmp);
        let lost = unit.stands_at_start.saturating_sub(stands_with_men) as i32;
        let ranges = own.map(|own| own.ranges.map(|range| f64::from(range) / 1000.0));
        Some(Body {
            id: unit.id.clone(),
            side: unit.side,
            brigade: unit.brigade.clone(),
            arm: unit.arm,
            quality: unit.quality,
            morale: unit.morale,
            formation: stance.formation,
            disorder: stance.disorder,
            prone: stance.prone,
            anchor,
            facing: stance.facing,
            footprint: Footprint::new(anchor, stance.facing, &stance.stands),
            stands: stance.stands.iter().map(middle_of).collect(),
            figures: unit.sections.filter(|_| guns).map_or(f64::from(figures), |sections| f64::from(sections) * 3.0),
            stands_left: f64::from(stands_with_men),
            base_point,
            morale_point: base_point + 3 * lost,
            strength: heads * quality * morale * supply,
            spent,
            ammunition_out: unit.ammunition_out,
            ranges: ranges.unwrap_or(if guns { FIELD_GUN } else { MUSKET }),
            rate: own.map_or(6.0, |own| f64::from(own.open_rate) / 1000.0),
            horses: unit.horses,
            canister: own.and_then(|own| own.canister).unwrap_or(0),
            mine: own.is_some_and(|own| seat.is_none_or(|seat| own.seat == *seat)),
            may_advance: unit.morale == Morale::Good && unit.in_command && level < 40 && !barred,
            withdraws: 60 <= level,
            charges_before,
            only_forms: limited("MEL-21"),
            at_door: on_table.is_none(),
            stood: memory.places.get(&unit.id).is_some_and(|place| place.distance(anchor) < 0.5),
            shown: unit.shown.clone(),
            order: own.and_then(|own| own.order.clone()),
            work_left: unit
                .work
                .as_ref()
                .filter(|work| work.work == Work::BuildHastyWorks && 0 < work.turns)
                .map(|work| work.left),
        })
    }

    /// The middle of its stands.
    pub(crate) fn middle(&self) -> Vector {
        self.footprint.middle()
    }

    /// Batteries, with or without their teams.
    pub(crate) fn is_guns(&self) -> bool {
        self.arm == Arm::Artillery
    }

    /// Cavalry on its horses: whoever does not stand as cavalry does on foot.
    pub(crate) fn is_mounted(&self) -> bool {
        self.arm == Arm::Cavalry && !matches!(self.formation, Formation::DismountedLine | Formation::SkirmishLine)
    }

    /// Troops that hold ground and make lines.
    pub(crate) fn makes_lines(&self) -> bool {
        matches!(self.arm, Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter)
    }

    /// Formed veterans join a change to a move; green troops need a turn for it. MV-07
    pub(crate) fn is_drilled(&self) -> bool {
        self.quality <= Quality::Veteran
    }

    /// How it goes in its present formation.
    pub(crate) fn gait(&self) -> Gait {
        match self.formation {
            Formation::Limbered => Gait::Limbered,
            Formation::Unlimbered => Gait::ByHand,
            Formation::MarchColumn => Gait::Column,
            Formation::SkirmishLine => Gait::Loose,
            _ => Gait::Line,
        }
    }

    /// A column goes where its head turns; a line has to keep its front. MV-17
    pub(crate) fn turns_freely(&self) -> bool {
        matches!(self.formation, Formation::MarchColumn | Formation::SkirmishLine | Formation::Limbered)
    }

    /// Whether a place lies in front: in the zone to 45 degrees off its corners. FIRE-22, FIRE-23
    pub(crate) fn covers(&self, place: Vector) -> bool {
        let ahead = Vector::along(self.facing);
        let offset = place.minus(self.anchor);
        let (forward, across) = (offset.dot(ahead), offset.dot(ahead.right()).abs());
        0.0 <= forward && across - self.footprint.width() / 2.0 <= forward
    }

    /// The nearest of some bodies and its distance.
    pub(crate) fn nearest<'b>(&self, others: impl Iterator<Item = &'b Body>) -> Option<(&'b Body, f64)> {
        others
            .map(|other| (other, self.footprint.distance(&other.footprint)))
            .min_by(|one, other| one.1.total_cmp(&other.1).then_with(|| one.0.id.cmp(&other.0.id)))
    }
}

/// The middle of a stand.
fn middle_of(stand: &protocol::place::Corners) -> Vector {
    Vector::from(stand[0]).toward(Vector::from(stand[2]), 0.5)
}

/// A place worth points.
#[derive(Clone, Debug)]
pub(crate) struct Objective {
    pub(crate) id: String,
    pub(crate) outline: Option<Outline>,
    pub(crate) middle: Vector,
    pub(crate) points: f64,
    /// Who was the last to have it alone.
    pub(crate) held_by: Option<Side>,
    /// Who may be said to have it: its holder, or else whoever is much the stronger near it.
    pub(crate) with: Option<Side>,
    /// Nobody has it, and enemies stand on it or near: it has to be fought for.
    pub(crate) contested: bool,
    /// Enemy strength around it, less with distance.
    pub(crate) menace: f64,
}

impl Objective {
    /// Distance of a place from its ground.
    pub(crate) fn distance(&self, place: Vector) -> f64 {
        self.outline.as_ref().map_or(self.middle.distance(place), |outline| outline.distance(place))
    }

    /// Distance of the nearest stand of a unit from its ground, by the middles of the stands.
    pub(crate) fn distance_to_body(&self, body: &Body) -> f64 {
        body.stands.iter().map(|stand| self.distance(*stand)).fold(self.distance(body.middle()), f64::min)
    }

    /// Half its length.
    pub(crate) fn reach(&self) -> f64 {
        self.outline.as_ref().map_or(0.0, Outline::reach)
    }
}

/// Everything a plan is made from.
#[derive(Debug)]
pub(crate) struct Situation<'a> {
    pub(crate) view: &'a View,
    pub(crate) ground: &'a Ground,
    pub(crate) side: Side,
    pub(crate) seat: Option<SeatId>,
    /// Own side on the table, other seats' units among them.
    pub(crate) own: Vec<Body>,
    /// Enemies as known, the routed among them.
    pub(crate) enemies: Vec<Body>,
    pub(crate) objectives: Vec<Objective>,
    /// Where the enemy is from here, as far as anybody can tell.
    pub(crate) front: Vector,
    pub(crate) turns_left: u32,
    /// The postures that the server offers. TURN-08
    pub(crate) postures: &'a [PostureCard],
    /// Whether points as they stand would lose the battle: then one has to attack.
    pub(crate) must_attack: bool,
    /// Own guns with enemies whom the server says they cannot fire at.
    blind: &'a BTreeSet<(UnitId, UnitId)>,
}

impl<'a> Situation<'a> {
    /// Reads a view; nothing for viewers without a side.
    pub(crate) fn read(card: &'a BattleCard, view: &'a View, memory: &'a Memory) -> Option<Situation<'a>> {
        let side = view.viewer.side()?;
        let seat = match &view.viewer {
            protocol::view::Viewer::Seat { seat, .. } => Some(seat.clone()),
            _ => None,
        };
        let read = |of: Side| -> Vec<Body> {
            let units = view.units.iter().filter(|unit| unit.side == of);
            units.filter_map(|unit| Body::read(unit, view, seat.as_ref(), memory)).collect()
        };
        let mut situation = Situation {
            view,
            ground: &memory.ground,
            side,
            seat: seat.clone(),
            own: read(side),
            enemies: read(side.enemy()),
            objectives: Vec::new(),
            front: Vector::new(0.0, 1.0),
            turns_left: (card.turns + 1).saturating_sub(view.turn),
            postures: &card.postures,
            must_attack: false,
            blind: &memory.blind,
        };
        situation.objectives = view.objectives.iter().filter_map(|place| situation.objective(place)).collect();
        situation.front = situation.front_of();
        situation.must_attack = situation.is_losing(card);
        Some(situation)
    }

    fn objective(&self, place: &protocol::view::ObjectiveView) -> Option<Objective> {
        let outline = self.ground.place(place.place.as_str())?.outline.clone();
        let middle = outline.middle();
        let around = |bodies: &[Body]| -> f64 {
            let near = |body: &Body| fades(outline.distance(body.middle()), 4.0);
            bodies.iter().map(|body| body.strength * near(body)).sum()
        };
        let (own, enemy) = (around(&self.own), around(&self.enemies));
        let stronger = if enemy * 2.0 < own {
            Some(self.side)
        } else if own * 2.0 < enemy {
            Some(self.side.enemy())
        } else {
            None
        };
        let menace = self.menace(middle);
        let with = place.held_by.or(stronger);
        Some(Objective {
            id: place.place.to_string(),
            outline: Some(outline),
            middle,
            points: f64::from(place.points.clamp(0, 1000)),
            held_by: place.held_by,
            contested: with.is_none() && REGIMENT / 2.0 < enemy && own * 0.8 < enemy,
            with,
            menace,
        })
    }

    /// Enemies that can still do harm.
    pub(crate) fn threats(&self) -> impl Iterator<Item = &Body> {
        self.enemies.iter().filter(|enemy| enemy.morale != Morale::Routed)
    }

    /// Enemy strength that may come to bear on a place, less with distance.
    pub(crate) fn menace(&self, place: Vector) -> f64 {
        self.threats().map(|enemy| enemy.strength * fades(enemy.middle().distance(place), 12.0)).sum()
    }

    /// From where a place is threatened most, as a unit vector; toward the enemy at large when nobody is near.
    pub(crate) fn threatened_from(&self, place: Vector) -> Vector {
        let mut pull = Vector::default();
        for enemy in self.threats() {
            let offset = enemy.middle().minus(place);
            let distance = offset.length().max(1.0);
            // Twice as near weighs four times as much: the next enemy is the one that kills.
            pull = pull.plus(offset.unit().times(enemy.strength / (distance * distance)));
        }
        if pull.length() < 1e-6 { self.front } else { pull.unit() }
    }

    /// The nearest threat to a unit and its distance in inches.
    pub(crate) fn nearest_threat(&self, body: &Body) -> Option<(&Body, f64)> {
        body.nearest(self.threats())
    }

    /// Least distance of a place from any threat.
    pub(crate) fn distance_to_threats(&self, place: Vector) -> f64 {
        let spot = Footprint { corners: [place; 4] };
        self.threats().map(|enemy| spot.distance(&enemy.footprint)).fold(f64::INFINITY, f64::min)
    }

    /// Whether a unit can fire at another from where both stand, as far as its owner knows.
    pub(crate) fn has_a_shot(&self, firer: &Body, target: &Body) -> bool {
        !self.is_blind(firer, target)
            && self.ground.sees(firer.middle(), target.middle())
            && !self.is_masked(firer, target)
    }

    /// Whether the server has said that one cannot fire at the other.
    pub(crate) fn is_blind(&self, firer: &Body, target: &Body) -> bool {
        self.is_blind_to(firer, &target.id)
    }

    /// The same by the target's name.
    pub(crate) fn is_blind_to(&self, firer: &Body, target: &UnitId) -> bool {
        self.blind.contains(&(firer.id.clone(), target.clone()))
    }

    /// Officers whose presence counts near a unit. LEAD-01
    pub(crate) fn has_officer(&self, body: &Body) -> bool {
        1 <= self.officer_of(self.side, body)
    }

    /// Whether a unit would likely see another as both stand: from its middle or an end of its front to any part of him.
    pub(crate) fn sees(&self, one: &Body, other: &Body) -> bool {
        let eyes = [one.middle(), one.footprint.corners[0], one.footprint.corners[1]];
        let parts = [other.middle(), other.footprint.corners[0], other.footprint.corners[1]];
        eyes.into_iter().any(|eye| parts.into_iter().any(|part| self.ground.sees(eye, part)))
    }

    /// Whether third units stand in the way of every shot of one unit at another. Guns on higher ground fire over those who
    /// are nearer to them than to the target. VIS-13, ARTY-31, ARTY-32
    pub(crate) fn is_masked(&self, firer: &Body, target: &Body) -> bool {
        let aims = [Some(target.middle()), target.stands.first().copied(), target.stands.last().copied()];
        let from: Vec<Vector> = if firer.stands.is_empty() { vec![firer.middle()] } else { firer.stands.clone() };
        let passed_over = |other: &Body| {
            firer.is_guns()
                && self.ground.feet(other.middle()) < self.ground.feet(firer.middle())
                && firer.footprint.distance(&other.footprint) < other.footprint.distance(&target.footprint)
        };
        let third: Vec<&Body> = self
            .own
            .iter()
            .chain(&self.enemies)
            .filter(|other| other.id != firer.id && other.id != target.id && !other.at_door)
            .filter(|other| {
                !(other.formation == Formation::SkirmishLine && (firer.is_guns() || other.side != self.side))
            })
            .filter(|other| !passed_over(other))
            .collect();
        let clear = |eye: Vector, aim: Vector| !third.iter().any(|other| other.footprint.is_crossed_by(eye, aim));
        !from.iter().any(|eye| aims.iter().flatten().any(|aim| clear(*eye, *aim)))
    }

    /// What the best officer near an enemy takes off his morale point, as far as he is seen. LEAD-01
    pub(crate) fn enemy_officer(&self, enemy: &Body) -> i32 {
        self.officer_of(self.side.enemy(), enemy)
    }

    /// The level of the best officer in whose benefit radius a unit stands; 0 without one.
    fn officer_of(&self, side: Side, body: &Body) -> i32 {
        let near = self.view.leaders.iter().filter(|leader| {
            let radius = f64::from(leader.benefit_radius) / 1000.0;
            leader.side == side
                && leader.wounded_until.is_none()
                && leader.at.is_some_and(|at| {
                    let spot = Footprint { corners: [Vector::from(at); 4] };
                    spot.distance(&body.footprint) <= radius
                })
        });
        near.map(|leader| i32::from(leader.level)).max().unwrap_or(0)
    }

    /// Whether a unit may be told to go nearer to the enemy. ORD-08 to ORD-11
    pub(crate) fn may_advance(&self, body: &Body) -> bool {
        body.may_advance && (!body.spent || self.has_officer(body))
    }

    fn front_of(&self) -> Vector {
        let centre = |bodies: &mut dyn Iterator<Item = &Body>| {
            let (sum, count) =
                bodies.fold((Vector::default(), 0.0), |(sum, count), body| (sum.plus(body.middle()), count + 1.0));
            (0.0 < count).then(|| sum.times(1.0 / count))
        };
        let middle = Vector::new(self.ground.width / 2.0, self.ground.height / 2.0);
        let here = centre(&mut self.own.iter()).unwrap_or(middle);
        let theirs = centre(&mut self.threats()).or_else(|| {
            let held = self.objectives.iter().find(|place| place.with == Some(self.side.enemy()));
            held.map(|place| place.middle)
        });
        theirs.unwrap_or(middle).minus(here).unit()
    }

    /// Counts the points as they would fall today. A tie is a loss but for the side that the victory words favour.
    fn is_losing(&self, card: &BattleCard) -> bool {
        let mut margin =
            f64::from(*self.view.score.get(self.side)) - f64::from(*self.view.score.get(self.side.enemy()));
        for place in &self.objectives {
            match place.with {
                Some(side) if side == self.side => margin += place.points,
                Some(_) => margin -= place.points,
                None => {}
            }
        }
        let wins_ties = card.victory.iter().any(|words| {
            let words = words.to_lowercase();
            let speaks_of_ties = ["equal", "tie ", "ties", "draw"].iter().any(|word| words.contains(word));
            speaks_of_ties && words.contains(&self.side.to_string().to_lowercase())
        });
        margin < 0.0 || (margin == 0.0 && !wins_ties)
    }
}

/// Weight of something so many inches away: one near, a half at `half`, little beyond.
pub(crate) fn fades(distance: f64, half: f64) -> f64 {
    let part = distance.max(0.0) / half;
    1.0 / (1.0 + part * part)
}

/// Whether a march toward a bearing keeps the front: within 45 degrees of it.
pub(crate) fn keeps_front(facing: Bearing, leg: Bearing) -> bool {
    degrees_between(facing, leg) <= 44.0
}
