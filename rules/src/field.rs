//! The table read through the rules: layouts, distances, ground, sight. One code for the truth and for what a side knows.
//!
//! Owns [`Field`], a frozen look at one moment. The table keeps the layouts it has drawn, so it is cheap to ask twice, and to
//! look again. It never changes anything, and never knows a secret that its table does not hold.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use protocol::ids::{Side, UnitId};
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use crate::battle::{Leader, Table, Unit, UnitIx};
use crate::crowd::Crowd;
use crate::dice::{Dice, Purpose};
use crate::fire::Aims;
use crate::formation::Layout;
use crate::geometry::{self, Distance, Extent, Rect};
use crate::ground::{Footing, GroundNow, Terrain};
use crate::hidden;
use crate::house::FiringReveals;
use crate::los;
use crate::ruleset::{Branch, FormationEffect, FormationRow, GunKind, Rates, Ruleset};
use crate::sight::{self, Bulk, Looker, Pair, Sight, SightLine};
use crate::specials;

/// How far the first look goes when enemies are looked for from near to far, thousandths of an inch.
const FIRST_RING: i32 = 8_000;

/// A frozen look at one moment of a battle.
pub struct Field<'a> {
    /// The tables in force.
    pub rules: &'a Ruleset,
    /// The table as it stood at that moment.
    pub table: &'a Table,
    dice: Option<&'a dyn Dice>,
    asked: Rc<Asked>,
}

/// What was found out in a look, kept for those who ask again.
#[derive(Debug, Default)]
struct Asked {
    /// Which units an enemy has in sight.
    in_sight: RefCell<BTreeMap<UnitIx, bool>>,
    /// The nearest enemies that a unit sees.
    nearest_seen: RefCell<BTreeMap<UnitIx, Vec<UnitIx>>>,
    /// Everybody on the table by place.
    crowd: OnceCell<Crowd>,
    /// Who has been aimed at.
    aims: Rc<Aims>,
}

/// A moment that is kept, to be looked at again when the table has moved on.
#[derive(Clone, Debug)]
pub struct Kept {
    table: Table,
    asked: Rc<Asked>,
}

impl<'a> Field<'a> {
    /// A look during resolution, when the turn's visibility dice can be asked.
    pub fn new(rules: &'a Ruleset, table: &'a Table, dice: &'a dyn Dice) -> Self {
        Field { rules, table, dice: Some(dice), asked: Rc::default() }
    }

    /// A look while orders are written: no die of the turn is known yet, and only what needs no die is seen.
    pub fn before_dice(rules: &'a Ruleset, table: &'a Table) -> Self {
        Field { rules, table, dice: None, asked: Rc::default() }
    }

    /// A look during resolution that knows how was aimed in earlier ones.
    pub(crate) fn aiming(rules: &'a Ruleset, table: &'a Table, dice: &'a dyn Dice, aims: &Rc<Aims>) -> Self {
        let asked = Asked { aims: Rc::clone(aims), ..Asked::default() };
        Field { rules, table, dice: Some(dice), asked: Rc::new(asked) }
    }

    /// How was aimed before.
    pub(crate) fn aims(&self) -> &Aims {
        &self.asked.aims
    }

    /// The turn's dice; none while orders are written.
    pub fn dice(&self) -> Option<&'a dyn Dice> {
        self.dice
    }

    /// Keeps this moment.
    pub fn kept(&self) -> Kept {
        Kept { table: self.table.clone(), asked: Rc::clone(&self.asked) }
    }

    /// The look that was kept.
    pub fn back_to<'b>(&self, kept: &'b Kept) -> Field<'b>
    where
        'a: 'b,
    {
        Field { rules: self.rules, table: &kept.table, dice: self.dice, asked: Rc::clone(&kept.asked) }
    }

    /// The unit.
    pub fn unit(&self, ix: UnitIx) -> &'a Unit {
        &self.table[ix]
    }

    /// The ground as the battle has left it.
    pub fn ground(&self) -> GroundNow<'a> {
        self.table.ground()
    }

    /// The stands of a unit in their places, with its front and rear lines. FORM-03
    pub fn layout(&self, ix: UnitIx) -> &'a Layout {
        self.table.layout(ix)
    }

    /// The box about a unit's stands.
    pub fn extent(&self, ix: UnitIx) -> Extent {
        self.table.extent(ix)
    }

    /// The units on the table whose boxes are within a distance of a box, thousandths of an inch, in the order of the list.
    pub fn near(&self, about: Extent, distance: i32) -> impl Iterator<Item = UnitIx> + use<'a> {
        let ground = self.ground().ground();
        let everybody = || self.table.units().map(|(ix, _)| (ix, self.extent(ix)));
        let crowd = self.asked.crowd.get_or_init(|| Crowd::of(everybody(), (ground.width, ground.height)));
        let table = self.table;
        crowd.near(about, distance).into_iter().filter(move |ix| table.extent(*ix).may_be_within(about, distance))
    }

    /// The enemies of a side of whom the same is true.
    pub fn enemies_near(&self, side: Side, about: Extent, distance: i32) -> impl Iterator<Item = UnitIx> + use<'a> {
        let table = self.table;
        self.near(about, distance).filter(move |ix| table[*ix].side != side)
    }

    /// A unit's stands as they stand in the way of others. VIS-13
    pub fn bulk(&self, ix: UnitIx) -> &'a [Bulk] {
        self.table.bulk(ix)
    }

    /// The rectangles of a unit's stands, in order.
    pub fn stands(&self, ix: UnitIx) -> Vec<Rect> {
        self.table.looker(ix).stands.to_vec()
    }

    /// The mean of the centres of a unit's stands; of one that has just lost its last stand, where its front was. SCALE-06
    pub fn center(&self, ix: UnitIx) -> Point {
        let centers: Vec<Point> = self.layout(ix).rects().map(|rect| rect.center).collect();
        geometry::mean(&centers).unwrap_or(self.unit(ix).footing.anchor)
    }

    /// The least distance of two units: of their stand rectangles. SCALE-07
    pub fn distance(&self, one: UnitIx, other: UnitIx) -> Distance {
        self.distance_of_stands(self.layout(one), self.layout(other))
    }

    /// SCALE-07 Whether two units are within a distance, thousandths of an inch. Far ones are told by their boxes, unmeasured.
    pub fn within(&self, one: UnitIx, other: UnitIx, limit: i32) -> bool {
        self.extent(one).may_be_within(self.extent(other), limit) && self.distance(one, other).within(limit)
    }

    /// SCALE-07 As [`Field::within`], 'closer than'.
    pub fn closer_than(&self, one: UnitIx, other: UnitIx, limit: i32) -> bool {
        self.extent(one).may_be_within(self.extent(other), limit) && self.distance(one, other).closer_than(limit)
    }

    fn distance_of_stands(&self, one: &Layout, other: &Layout) -> Distance {
        geometry::between_stands(one.rects(), other.rects()).expect("a unit on the table has a stand")
    }

    /// A leader's stand. ORG-11
    pub fn leader_stand(&self, leader: &Leader) -> Rect {
        leader.stand()
    }

    /// The least distance of a leader's stand from a unit. ORG-11
    pub fn leader_distance(&self, leader: &Leader, ix: UnitIx) -> Distance {
        let stand = self.leader_stand(leader);
        let stand = std::iter::once(&stand);
        geometry::between_stands(self.layout(ix).rects(), stand).expect("a unit on the table has a stand")
    }

    /// ORG-11 Whether a leader's stand is within a distance of a unit, thousandths of an inch.
    pub fn leader_within(&self, leader: &Leader, ix: UnitIx, limit: i32) -> bool {
        self.leader_may_be_within(leader, ix, limit) && self.leader_distance(leader, ix).within(limit)
    }

    /// As [`Field::leader_within`], by the boxes about them: a no is sure, and costs next to nothing.
    pub fn leader_may_be_within(&self, leader: &Leader, ix: UnitIx, limit: i32) -> bool {
        // His stand is square, so no corner is as far from its middle as it is wide.
        self.extent(ix).may_be_within(Extent::about(leader.at, leader.stand_size()), limit)
    }

    /// SCALE-08 The terrain a unit is in.
    pub fn terrain(&self, ix: UnitIx) -> Terrain {
        self.ground().terrain_of(&self.stands(ix))
    }

    /// MOR-60 The ground a unit stands on, where a road counts too: for bonus dice and falling back. SCNS-07 counts here, as in
    /// all that is movement.
    pub fn footing(&self, ix: UnitIx) -> Footing {
        let unit = self.unit(ix);
        let column = matches!(unit.footing.formation, Formation::MarchColumn | Formation::Limbered)
            .then_some((unit.footing.anchor, unit.footing.facing));
        let bends = specials::bends(self.table, unit, &unit.footing);
        self.ground().bent(&bends).footing(&self.stands(ix), column)
    }

    /// VIS-01 to VIS-15 Whether one unit sees another, with the reason. The pair's die is that of this turn; while orders
    /// are written there is none, and what needs one is not seen.
    pub fn sight(&self, looker: UnitIx, target: UnitIx) -> Sight {
        let limits = self.table.sight_limits();
        let pair = Pair { fired_upon: self.has_given_itself_away(looker, target), limits: &limits };
        let die = || self.visibility_die(looker, target);
        sight::sees(&self.ground(), &self.table.looker(looker), &self.table.looker(target), pair, die)
    }

    /// Whether one unit sees another, as [`Field::sight`] tells it, and may act on it: in the fog `line_of_sight` nobody acts on
    /// an enemy of whom his side does not know. LOS-19
    pub fn sees(&self, looker: UnitIx, target: UnitIx) -> bool {
        self.table.knows_of(self.unit(looker).side, target) && self.has_in_view(looker, target)
    }

    /// LOS-02 Whether one unit sees another as [`Field::sight`] tells it, whatever its side knows.
    pub(crate) fn has_in_view(&self, looker: UnitIx, target: UnitIx) -> bool {
        let limits = self.table.sight_limits();
        let pair = Pair { fired_upon: self.has_given_itself_away(looker, target), limits: &limits };
        let die = || self.visibility_die(looker, target);
        sight::is_seen(&self.ground(), &self.table.looker(looker), &self.table.looker(target), pair, die)
    }

    /// VIS-03 The best line from one unit to another that ground leaves open, seen or not.
    pub fn open_line(&self, looker: UnitIx, target: UnitIx) -> Option<SightLine> {
        let (looker, target) = (self.table.looker(looker), self.table.looker(target));
        sight::open_line(&self.ground(), &looker.centers, &target.centers)
    }

    /// VIS-08 Whether a unit has fired so that the looker sees it for that.
    fn has_given_itself_away(&self, looker: UnitIx, target: UnitIx) -> bool {
        let (looker, target) = (self.unit(looker), self.unit(target));
        let fired_at = &target.marks.fired_at;
        let blind = |struck: &Unit| struck.marks.fired_on_blind_by.contains(&target.id);
        match self.rules.house.firing_reveals {
            FiringReveals::Target => fired_at.contains(&looker.id) || blind(looker),
            FiringReveals::Side => {
                let table = self.table;
                let struck = || los::is_played(table) && table.units_of(looker.side).any(|(_, unit)| blind(unit));
                looker.side != target.side && (!fired_at.is_empty() || struck())
            }
        }
    }

    /// MOR-24 Whether a unit sees a friend, known by the `name` of a unit or leader, where these stands are or were.
    pub fn sees_place(&self, looker: UnitIx, name: &str, stands: &[Rect]) -> bool {
        let ground = self.ground();
        let limits = self.table.sight_limits();
        let pair = Pair { fired_upon: false, limits: &limits };
        // HID-37
        let friend = self.table.unit(&UnitId::new(name)).map(|unit| hidden::name_of(unit, self.table.turn));
        let die = || self.die_of_pair(&self.die_name(looker), friend.as_deref().unwrap_or(name));
        sight::is_seen(&ground, &self.table.looker(looker), &Looker::new(stands), pair, die)
    }

    /// LOS-02 Whether a leader who stands by himself sees a unit.
    pub fn leader_sees(&self, leader: &Leader, target: UnitIx) -> bool {
        let stand = [self.leader_stand(leader)];
        let limits = self.table.sight_limits();
        let pair = Pair { fired_upon: false, limits: &limits };
        let die = || self.die_of_pair(leader.id.as_str(), &self.die_name(target));
        sight::sees(&self.ground(), &Looker::new(&stand), &self.table.looker(target), pair, die).seen
    }

    /// LOS-19 Whether a unit counts for a side: its own, and in the fog `line_of_sight` the enemies whom it sees.
    pub fn knows_of(&self, side: Side, ix: UnitIx) -> bool {
        self.table.knows_of(side, ix)
    }

    /// VIS-02 The die of a pair of units, the same both ways, once a turn; 0, which reaches nothing, before the dice are known.
    fn visibility_die(&self, one: UnitIx, other: UnitIx) -> u8 {
        self.die_of_pair(&self.die_name(one), &self.die_name(other))
    }

    /// HID-37 The name of a unit in the keys of visibility dice.
    fn die_name(&self, ix: UnitIx) -> Cow<'a, str> {
        hidden::name_of(self.unit(ix), self.table.turn)
    }

    fn die_of_pair(&self, one: &str, other: &str) -> u8 {
        let (first, second) = if one <= other { (one, other) } else { (other, one) };
        self.dice.map_or(0, |dice| dice.die(0, Purpose::VisibilityPair, &[first, second], 1))
    }

    /// The enemies of a side on the table, routed ones included.
    pub fn enemies_of(&self, side: Side) -> impl Iterator<Item = (UnitIx, &'a Unit)> + use<'a> {
        self.table.units_of(side.enemy())
    }

    /// Whether any enemy on the table sees a unit. The nearest look first, and the answer is kept for this look.
    pub fn is_in_sight(&self, ix: UnitIx) -> bool {
        if let Some(known) = self.asked.in_sight.borrow().get(&ix) {
            return *known;
        }
        let seen = self.enemies_outward(self.unit(ix).side, self.extent(ix)).any(|enemy| self.sees(enemy, ix));
        self.asked.in_sight.borrow_mut().insert(ix, seen);
        seen
    }

    /// The enemies that a unit sees, unrouted ones only.
    pub fn seen_enemies(&self, ix: UnitIx) -> Vec<UnitIx> {
        let enemies = self.enemies_of(self.unit(ix).side);
        enemies.filter(|(enemy, unit)| unit.is_unrouted() && self.sees(ix, *enemy)).map(|(enemy, _)| enemy).collect()
    }

    /// Whether a unit sees any enemy that is not routed; the nearest are looked at first.
    pub fn sees_anybody(&self, ix: UnitIx) -> bool {
        match self.asked.nearest_seen.borrow().get(&ix) {
            Some(nearest) => !nearest.is_empty(),
            None => self.from_near_to_far(ix).any(|enemy| self.sees(ix, enemy)),
        }
    }

    /// The nearest of the enemies that a unit sees, several if they are equally near; unrouted ones only. The answer is kept
    /// for this look.
    pub fn nearest_seen(&self, ix: UnitIx) -> Vec<UnitIx> {
        if let Some(known) = self.asked.nearest_seen.borrow().get(&ix) {
            return known.clone();
        }
        let nearest = self.find_nearest_seen(ix);
        self.asked.nearest_seen.borrow_mut().insert(ix, nearest.clone());
        nearest
    }

    fn find_nearest_seen(&self, ix: UnitIx) -> Vec<UnitIx> {
        let mut nearest: Option<Distance> = None;
        let mut found = Vec::new();
        for enemy in self.from_near_to_far(ix) {
            if nearest.is_some_and(|nearest| nearest < self.extent(ix).least_distance(self.extent(enemy))) {
                break;
            }
            let distance = self.distance(ix, enemy);
            if nearest.is_some_and(|nearest| nearest < distance) || !self.sees(ix, enemy) {
                continue;
            }
            if nearest != Some(distance) {
                found.clear();
            }
            nearest = Some(distance);
            found.push(enemy);
        }
        found.sort_unstable();
        found
    }

    /// The least distance of a place from the unrouted enemies that a unit sees, of those that count. None: it sees none of them.
    pub fn nearest_of_seen(&self, ix: UnitIx, place: &[Rect], counts: impl Fn(UnitIx) -> bool) -> Option<Distance> {
        let mut least: Option<Distance> = None;
        if self.nearest_seen(ix).is_empty() {
            return least;
        }
        let about = Extent::of(place);
        let enemies = self.enemies_outward(self.unit(ix).side, about);
        for enemy in enemies.filter(|enemy| self.unit(*enemy).is_unrouted() && counts(*enemy)) {
            if least.is_some_and(|least| least <= about.least_distance(self.extent(enemy))) {
                break;
            }
            let distance = geometry::between_stands(place.iter(), self.layout(enemy).rects());
            if distance.is_some_and(|distance| least.is_none_or(|least| distance < least)) && self.sees(ix, enemy) {
                least = distance;
            }
        }
        least
    }

    /// The unrouted enemies of a unit by the distance of the boxes about them, below which theirs is not.
    pub fn from_near_to_far(&self, ix: UnitIx) -> impl Iterator<Item = UnitIx> {
        let enemies = self.enemies_outward(self.unit(ix).side, self.extent(ix));
        enemies.filter(|enemy| self.unit(*enemy).is_unrouted())
    }

    /// The enemies of a side by the distance of the boxes about them from a box. Whoever stops early has not looked at those
    /// who are far away.
    pub fn enemies_outward(&self, side: Side, about: Extent) -> impl Iterator<Item = UnitIx> {
        let ground = self.ground().ground();
        let whole_table = ground.width.saturating_add(ground.height);
        let next = move |reach: &i32| match *reach {
            i32::MAX => None,
            reach if whole_table <= reach => Some(i32::MAX),
            reach => Some(reach.saturating_mul(2)),
        };
        let rings = std::iter::successors(Some(FIRST_RING), next);
        let beyond = std::iter::once(None).chain(rings.clone().map(Some));
        rings.zip(beyond).flat_map(move |(reach, beyond)| {
            let least = |enemy: &UnitIx| self.extent(*enemy).least_distance(about);
            let is_in_ring = |least: Distance| {
                least <= Distance::of(reach) && beyond.is_none_or(|beyond| Distance::of(beyond) < least)
            };
            let near = self.enemies_near(side, about, reach).map(|enemy| (least(&enemy), enemy));
            let mut ring: Vec<(Distance, UnitIx)> = near.filter(|(least, _)| is_in_ring(*least)).collect();
            ring.sort_unstable();
            ring.into_iter().map(|(_, enemy)| enemy)
        })
    }

    /// The movement rates of a unit as it stands: of disorder or rout where it is in that state. MOVE-01
    pub fn rates(&self, ix: UnitIx) -> Option<&'a Rates> {
        let unit = self.unit(ix);
        self.rules.rates(unit.branch(self.rules), unit.row())
    }

    /// What its formation does to fire and impact.
    pub fn effect(&self, ix: UnitIx) -> Option<&'a FormationEffect> {
        let unit = self.unit(ix);
        let branch = if unit.arm == Arm::Artillery { Branch::Artillery } else { unit.branch(self.rules) };
        self.rules.effect(branch, unit.row())
    }
}

impl Unit {
    /// The group of rows in the tables that the unit uses as it is now: mounted or not, by class of guns.
    pub fn branch(&self, rules: &Ruleset) -> Branch {
        match self.arm {
            Arm::Infantry => Branch::Infantry,
            Arm::Cavalry if self.mounted => Branch::CavalryMounted,
            Arm::Cavalry => Branch::CavalryDismounted,
            Arm::Artillery => gun_branch(rules, &self.weapon),
            Arm::Sharpshooter => Branch::Sharpshooter,
            Arm::GunCrew => Branch::ArtilleryCrew,
        }
    }

    /// The row within its branch: its formation, or disorder or rout in its place. FORM-26
    pub fn row(&self) -> FormationRow {
        if !self.is_unrouted() {
            FormationRow::Routed
        } else if self.footing.disorder {
            FormationRow::Disorder
        } else {
            FormationRow::from(self.footing.formation)
        }
    }
}

/// The movement rows of a gun: by its class, and heavy or not. A gun that the tables do not know moves as field guns do;
/// scenarios that name one are refused when they are read.
fn gun_branch(rules: &Ruleset, weapon: &str) -> Branch {
    match rules.gun.get(weapon).map(|gun| (gun.class, gun.heavy)) {
        Some((GunKind::Siege, _)) => Branch::ArtillerySiege,
        Some((GunKind::Fortress, _)) => Branch::ArtilleryFortress,
        Some((GunKind::Field, true)) => Branch::ArtilleryHeavy,
        Some((GunKind::Field, false)) | None => Branch::Artillery,
    }
}
