//! From an order to a program. ALG-MOVE 1
//!
//! Owns the price of every piece of a move and the order in which the pieces come: rise, about face, form or wheel; the legs
//! and the push; form or wheel, lie down. It never looks at who is in the way: that is settled in the clock, when it happens.

use protocol::event::Note;
use protocol::ids::FeatureId;
use protocol::message::CostPiece;
use protocol::orders::{FormTask, MoveOrder, PathAnswer, ProneChange, Wheel};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Flank, Formation};

use super::body::{self, Body};
use super::exits;
use super::forming::{self, Refused};
use super::marker::Manner;
use super::program::{Deed, Kind, Program, Walk};
use super::rates::{self, Gait};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{
    ARTY_39, ARTY_44, CAV_05, FORM_20, MOVE_01, MOVE_02, MOVE_03, MOVE_13, MV_03, MV_06, MV_09, MV_17, MV_18, MV_19,
    MV_20, MV_21, MV_22, MV_24, MV_25, OBS_10, OBS_18, OBS_23, OBS_24, OBS_25, OBS_29, RuleId, SCN_14, SCNS_07,
    SCNS_09, TAC_07, TAC_38, WORKS_10, WORKS_17,
};
use crate::field::Field;
use crate::geometry::{self, Frame, bearing_between, point_toward, segment_length};
use crate::ground::{
    Bend, CrossingPrices, GroundChanges, Halt, ObstacleKind, PathCost, PathLeg, Pricing, Rates, Step, TURN_POINTS,
    Terrain, WayKind, points_for,
};
use crate::places::edge_word;
use crate::ruleset::{Inches, WheelMeasure};
use crate::scenario::Edge;
use crate::specials;
use crate::works;

/// MV-31 The order with the newest path in the place of the old one. What else was ordered stays.
pub(crate) fn redrawn(order: &MoveOrder, from: Point, answer: Option<&PathAnswer>) -> MoveOrder {
    let mut order = order.clone();
    match answer {
        None | Some(PathAnswer::AsOrdered {}) => {}
        Some(PathAnswer::Waypoints { points, no_push }) => {
            order.path = points.clone();
            order.push &= !no_push;
        }
        Some(PathAnswer::NoPush {}) => order.push = false,
        Some(PathAnswer::Shorten { travel }) => order.path = cut(from, &order.path, *travel),
        Some(PathAnswer::Halt {}) => order.path = Vec::new(),
    }
    order
}

/// The first so many thousandths of an inch of a path.
fn cut(from: Point, path: &[Point], travel: u32) -> Vec<Point> {
    let mut left = i32::try_from(travel).unwrap_or(i32::MAX);
    let mut here = from;
    let mut kept = Vec::new();
    for &corner in path {
        let length = segment_length(here, corner);
        if left <= length {
            kept.push(point_toward(here, corner, left));
            return kept;
        }
        left -= length;
        here = corner;
        kept.push(corner);
    }
    kept
}

/// A FORM order is a move without a step. MV-09
pub(super) fn forming_only(task: &FormTask) -> MoveOrder {
    MoveOrder { form_first: Some(task.clone()), ..MoveOrder::default() }
}

/// The program of an order for a unit where it stands now.
pub(super) fn compile(field: &Field<'_>, ix: UnitIx, order: &MoveOrder) -> Program {
    compile_from(field, ix, Body::of(field.unit(ix)), 0, order)
}

/// The program of what is left of an order, for a unit that stands otherwise and has spent so many points.
pub(super) fn compile_from(field: &Field<'_>, ix: UnitIx, start: Body, spent: i64, order: &MoveOrder) -> Program {
    compile_as(field, ix, Manner::Open, start, spent, order)
}

/// The program of an order for a unit that goes in this manner.
pub(super) fn compile_as(
    field: &Field<'_>,
    ix: UnitIx,
    manner: Manner,
    mut start: Body,
    spent: i64,
    order: &MoveOrder,
) -> Program {
    // ENF-12 An end stand is bent back until the unit moves.
    if !order.path.is_empty() || order.wheel.is_some() {
        start.footing.refused = None;
    }
    let mut builder = Builder::new(field, ix, manner, start.clone(), spent, Gait::Plain);
    builder.build(order);
    if !builder.oblique {
        return builder.program;
    }
    // MV-17 One leg off the front disorders the whole move, which then has no change and no push left in it.
    start.footing.disorder = true;
    // OBS-23 Chevaux are swung in disorder as well.
    let swings = |task: &Option<FormTask>| task.clone().filter(|task| matches!(task, FormTask::Swing { .. }));
    let (form_first, form_last) = (swings(&order.form_first), swings(&order.form_last));
    let lost = form_first != order.form_first || form_last != order.form_last || order.push;
    let plain = MoveOrder { form_first, form_last, push: false, ..order.clone() };
    let mut builder = Builder::new(field, ix, manner, start, spent, Gait::Oblique);
    builder.note(MV_17, "A leg lies more than 45 degrees off its front: the whole move is made in disorder.");
    if lost {
        builder.note(MV_17, "In disorder it neither changes formation on the way nor pushes.");
    }
    builder.build(&plain);
    builder.program
}

/// How far apart a way is looked at for the places of special rules, which are named to the player, thousandths of an inch.
const NOTE_STRIDE: i32 = 250;

/// Why a wheel and a change are refused where both open, or both close, a move. MV-18
const WHEEL_AND_CHANGE: &str =
    "cannot wheel and change formation at the same end of a move; put one first and the other last";

/// A piece that is no walking: what it is, what it costs, how the unit stands after it.
struct Act {
    label: String,
    rule: RuleId,
    points: i64,
    kind: Kind,
    after: Body,
}

struct Builder<'f, 'a> {
    field: &'f Field<'a>,
    ix: UnitIx,
    unit: &'a Unit,
    stands: u32,
    manner: Manner,
    gait: Gait,
    body: Body,
    spent: i64,
    /// A leg lies off the front. MV-17
    oblique: bool,
    /// The edge by which its path leaves the table, where it may. SCN-14
    exit: Option<Edge>,
    /// The obstacles as they are after what it swings first. OBS-23
    swung: Option<GroundChanges>,
    program: Program,
}

impl<'f, 'a> Builder<'f, 'a> {
    fn new(field: &'f Field<'a>, ix: UnitIx, manner: Manner, start: Body, spent: i64, gait: Gait) -> Self {
        let unit = field.unit(ix);
        let stands = unit.stands.len() as u32;
        let program = Program::idle(start.clone());
        let (oblique, exit, swung) = (false, None, None);
        Builder { field, ix, unit, stands, manner, gait, body: start, spent, oblique, exit, swung, program }
    }

    fn build(&mut self, order: &MoveOrder) {
        if order.prolonge {
            self.gait = Gait::Prolonge;
        } else if order.backing && !self.body.is_skirmishing() {
            self.gait = Gait::Backing;
        }
        self.open(order);
        let corners = self.corners(order);
        let bearings = bearings(&corners);
        if self.gait == Gait::Backing && !self.backs_away(&bearings) {
            return;
        }
        if self.gait == Gait::Plain && self.leaves_front(&bearings) {
            self.oblique = true;
            return;
        }
        if self.body.footing.prone && !bearings.is_empty() {
            self.refuse(TAC_07, "lies prone and must rise before it moves; let it rise in the same MOVE");
            return;
        }
        self.walk(order, corners, bearings);
        if self.program.leaves_by.is_none() {
            self.close(order);
        }
    }

    // ------------------------------------------------------------------ before the first leg

    fn open(&mut self, order: &MoveOrder) {
        if order.in_disorder && !self.body.footing.disorder {
            match self.loosen() {
                Ok(act) => self.perform(act),
                Err(refused) => self.refused(refused),
            }
        }
        if order.prone == Some(ProneChange::Rise) {
            match self.rise() {
                Ok(act) => self.perform(act),
                Err(refused) => self.refused(refused),
            }
        }
        if order.about_face {
            match self.about_face() {
                Ok(act) => self.perform(act),
                Err(refused) => self.refused(refused),
            }
        }
        let wheels_first = order.wheel.as_ref().is_some_and(|wheel| !wheel.last);
        if wheels_first && order.form_first.is_some() {
            self.refuse(MV_18, WHEEL_AND_CHANGE);
        }
        if let Some(task) = &order.form_first {
            match self.change(&self.body, task, false) {
                Ok(act) => {
                    if TURN_POINTS <= act.points && !order.path.is_empty() {
                        self.refuse(
                            MOVE_03,
                            "needs the whole turn to change formation and has none left to move; give FORM alone",
                        );
                    }
                    self.perform(act);
                }
                Err(refused) => self.refused(refused),
            }
        } else if let Some(wheel) = order.wheel.filter(|wheel| !wheel.last) {
            match self.wheel(&self.body, wheel) {
                Ok(act) => self.perform(act),
                Err(refused) => self.refused(refused),
            }
        }
    }

    /// TAC-07 Rising costs two inches, or the whole turn where so much cannot be moved.
    fn rise(&self) -> Result<Act, Refused> {
        if !self.body.footing.prone {
            return Err((TAC_07, "does not lie prone and has nothing to rise from".to_owned()));
        }
        let mut after = self.body.clone();
        after.footing.prone = false;
        Ok(self.act("rise", TAC_07, self.prone_points(&self.body), after))
    }

    /// TAC-07 Lying down costs as much as rising.
    fn lie_down(&self, body: &Body) -> Result<Act, Refused> {
        if !body::may_lie_down(self.unit, body) {
            return Err((TAC_07, "cannot lie down: only foot that is not in a column does".to_owned()));
        }
        let mut after = body.clone();
        after.footing.prone = true;
        Ok(self.act("lie down", TAC_07, self.prone_points(body), after))
    }

    fn prone_points(&self, body: &Body) -> i64 {
        let price = self.field.rules.cost.go_prone_or_rise.of(self.unit.quality);
        rates::points(price, self.rate_at(body)).unwrap_or(TURN_POINTS).min(TURN_POINTS)
    }

    /// MV-21 A line turns its back for an inch; the rear edge becomes the front.
    fn about_face(&self) -> Result<Act, Refused> {
        // A move that MV-17 disorders faced about while it was in order.
        let mut in_order = self.body.clone();
        in_order.footing.disorder &= self.gait != Gait::Oblique;
        if !in_order.is_plain_line() {
            return Err((MV_21, "cannot face about: only a line in order does".to_owned()));
        }
        let cost = self.field.rules.movement_limits.about_face_cost.thousandths();
        let rate = self.rate_at(&self.body).ok_or_else(|| self.nowhere())?;
        let ranks = if self.body.footing.formation == Formation::DoubleLine && 1 < self.stands { 2 } else { 1 };
        let frame = Frame::new(self.body.footing.anchor, self.body.footing.facing);
        let mut after = self.body.clone();
        // HID-03 A marker stays where it is.
        if self.manner.is_open() {
            after.footing.anchor = frame.at(-ranks * self.body.stand_depth, 0);
        }
        after.footing.facing = self.body.footing.facing.reversed();
        after.footing.refused = None;
        Ok(self.act("about face", MV_21, points_for(cost, rate), after))
    }

    // ------------------------------------------------------------------ changes and wheels

    fn change(&self, body: &Body, task: &FormTask, last: bool) -> Result<Act, Refused> {
        if let FormTask::Swing { elements } = task {
            return self.swing(body, elements);
        }
        let rules = self.field.rules;
        let toward = || toward_enemy(self.field, self.ix, body);
        let mut after = forming::after(self.field, self.unit, body, task, toward)?;
        // HID-03, HID-25 A marker stays where it is.
        if !self.manner.is_open() {
            after.footing.anchor = body.footing.anchor;
        }
        self.may_form(&after)?;
        let terrain = self.terrain_under(body);
        let cost = rates::change_cost(rules, self.unit, body, task, terrain, self.column_rate(body))?;
        if TURN_POINTS < cost.points {
            return Err((
                cost.rule,
                "needs more than one turn for this change, and such changes are not played yet".to_owned(),
            ));
        }
        let label = match task {
            FormTask::Limber { .. } => "limber".to_owned(),
            FormTask::Unlimber { .. } => "unlimber".to_owned(),
            FormTask::Mount { formation } => format!("mount into {formation}"),
            FormTask::Dismount { formation } => format!("dismount into {formation}"),
            _ => format!("form {}", after.footing.formation),
        };
        let kind = Kind::Change { task: task.clone(), after: after.clone(), last };
        Ok(Act { label, rule: cost.rule, points: cost.points, kind, after })
    }

    /// FORM-34 The hardest ground under its stands; under a marker that of its point alone. HID-22
    fn terrain_under(&self, body: &Body) -> Terrain {
        let bends = self.bends(body);
        let ground = self.field.ground().bent(&bends);
        if !self.manner.is_open() {
            return ground.terrain(body.footing.anchor);
        }
        let rects: Vec<_> = body.layout(self.stands).rects().copied().collect();
        ground.terrain_of(&rects)
    }

    /// CAV-05 Horse forms no line on ground that is closed to it.
    fn may_form(&self, after: &Body) -> Result<(), Refused> {
        if self.unit.arm == Arm::Cavalry && after.mounted && self.rate_at(after).is_none() {
            let formation = after.footing.formation;
            let why = format!("cannot form {formation} in rough ground; choose skirmish line or march column");
            return Err((CAV_05, why));
        }
        Ok(())
    }

    /// OBS-23 Half a move for each of the chevaux-de-frise beside which the unit then stands.
    fn swing(&self, body: &Body, elements: &[FeatureId]) -> Result<Act, Refused> {
        let layout = body.layout(self.stands);
        let stands: Vec<_> = layout.rects().copied().collect();
        let elements = works::swinging(self.field, self.unit, &stands, elements)?;
        let share = self.field.rules.obstacle.chevaux_de_frise.swing_cost_turn.map_or(0, |share| share.thousandths());
        let points = TURN_POINTS * i64::from(share) / 1_000 * i64::try_from(elements.len()).unwrap_or(1);
        let kind = Kind::Swing { elements, after: body.clone() };
        Ok(Act { label: "swing chevaux-de-frise".to_owned(), rule: OBS_23, points, kind, after: body.clone() })
    }

    /// OBS-24 It goes into disorder of its own will, at no cost.
    fn loosen(&self) -> Result<Act, Refused> {
        if self.unit.arm == Arm::Artillery {
            return Err((OBS_24, "cannot go into disorder: guns keep their order".to_owned()));
        }
        let mut after = self.body.clone();
        after.footing.disorder = true;
        Ok(self.act("go into disorder", OBS_24, 0, after))
    }

    /// FORM-36 The rate of the march column on the ground under the anchor, or along the way on which a column stands.
    fn column_rate(&self, body: &Body) -> Option<i32> {
        let mut column = body.clone();
        column.footing.formation = Formation::MarchColumn;
        let rates = rates::rates(self.field.rules, self.unit, &column, Gait::Plain);
        let bends = self.bends(&column);
        let ground = self.field.ground().bent(&bends);
        if body.footing.formation == Formation::MarchColumn {
            return rates::rate_here(&ground, body, self.stands, &rates);
        }
        ground.allowance(body.footing.anchor).or_else(|| rates.on(ground.terrain(body.footing.anchor)))
    }

    /// MV-18, MV-19, MV-20 A wheel on an end stand, paid by the way of its moving end.
    fn wheel(&self, body: &Body, wheel: Wheel) -> Result<Act, Refused> {
        if body.is_column() || self.unit.arm == Arm::Artillery {
            return Err((
                MV_20,
                "cannot wheel: columns and guns turn by their head; draw the path round the bend".to_owned(),
            ));
        }
        if body.footing.prone {
            return Err((TAC_07, "lies prone and must rise before it wheels".to_owned()));
        }
        let clockwise = turn_between(body.footing.facing, wheel.facing);
        if 9_000 < clockwise.abs() {
            return Err((MV_18, "cannot wheel so far: a wheel turns by at most 90 degrees".to_owned()));
        }
        if clockwise != 0 && clockwise.signum() != wheel.pivot.sign() {
            return Err((
                MV_20,
                format!(
                    "cannot wheel that way on its {} stand, which turns it to the {}; choose the other end",
                    wheel.pivot, wheel.pivot
                ),
            ));
        }
        let (pivot, outer) = self.ends_of_wheel(body, wheel.pivot).ok_or_else(|| self.nowhere())?;
        let way = match self.field.rules.movement_limits.wheel_measure {
            WheelMeasure::Chord => segment_length(outer, geometry::rotated_about(outer, pivot, clockwise)),
            WheelMeasure::Arc => geometry::arc_length(segment_length(pivot, outer), clockwise),
        };
        let rate = self.rate_at(body).ok_or_else(|| self.nowhere())?;
        let cost = points_for(way, rate);
        let kind = Kind::Wheel { pivot, clockwise, cost };
        let deed = Deed { from: 0, to: cost, before: body.clone(), kind: kind.clone() };
        let after = deed.body_at(cost);
        Ok(Act { label: "wheel".to_owned(), rule: MV_19, points: cost, kind, after })
    }

    /// MV-19 The point about which a line wheels on that end, and the corner that goes farthest; of a hidden brigade at the ends
    /// of its whole frontage. HID-08
    fn ends_of_wheel(&self, body: &Body, pivot: Flank) -> Option<(Point, Point)> {
        if let Some((left, right)) = self.manner.span() {
            let frame = Frame::new(body.footing.anchor, body.footing.facing);
            let half = body.stand_width / 2;
            return Some(match pivot {
                Flank::Left => (frame.at(0, left + half), frame.at(0, right)),
                Flank::Right => (frame.at(0, right - half), frame.at(0, left)),
            });
        }
        let layout = body.layout(self.stands);
        let (left, right) = layout.front_rank().next().zip(layout.front_rank().last())?;
        Some(match pivot {
            Flank::Left => (left.rect.front_edge().middle(), right.rect.front_right()),
            Flank::Right => (right.rect.front_edge().middle(), left.rect.front_left()),
        })
    }

    // ------------------------------------------------------------------ the legs

    /// The corners of the way, from where the unit stands now, up to the edge of the table.
    fn corners(&mut self, order: &MoveOrder) -> Vec<Point> {
        let from = self.body.footing.anchor;
        let path = if order.prolonge { self.prolonge_path(order) } else { order.path.clone() };
        let ground = self.field.ground().ground();
        let mut corners = vec![from];
        for corner in path {
            let here = corners[corners.len() - 1];
            let inside = within_table(here, corner, ground.width, ground.height);
            if inside != here {
                corners.push(inside);
            }
            if inside != corner {
                self.exit = exits::exit_at(self.field.table, self.unit, inside).map(|stretch| stretch.edge);
                if self.exit.is_none() {
                    self.stop(MOVE_01, "the edge of the table");
                }
                break;
            }
        }
        corners
    }

    /// ARTY-44 Straight away from the nearest enemy in sight, else straight to the rear.
    fn prolonge_path(&mut self, order: &MoveOrder) -> Vec<Point> {
        let footing = &self.body.footing;
        let (anchor, formation) = (footing.anchor, footing.formation);
        let horses = self.unit.guns.as_ref().map_or(0, |guns| guns.horses);
        if formation != Formation::Unlimbered || horses == 0 {
            self.refuse(ARTY_44, "cannot go by prolonge: only unlimbered guns with a horse left do");
            return Vec::new();
        }
        let center = self.body.layout(self.stands).stands.first().map_or(anchor, |stand| stand.rect.center);
        let back = footing.facing.reversed();
        let away =
            nearest_enemy_stand(self.field, self.ix).and_then(|enemy| bearing_between(enemy, center)).unwrap_or(back);
        let mut asked = vec![anchor];
        asked.extend(&order.path);
        let farthest = rates::rates(self.field.rules, self.unit, &self.body, Gait::Prolonge);
        let all = [farthest.road, farthest.open, farthest.broken, farthest.woods, farthest.rough];
        let most = all.into_iter().flatten().max().unwrap_or(0);
        let length = if order.path.is_empty() { most } else { geometry::polyline_length(&asked).min(most) };
        vec![Frame::new(anchor, away).at(length, 0)]
    }

    /// MV-22 Whether it is a line and every leg leads straight back, within 45 degrees.
    fn backs_away(&mut self, bearings: &[Bearing]) -> bool {
        if !self.body.may_back_away() {
            self.refuse(MV_22, "cannot back away: only a line in order does, facing the enemy");
            return false;
        }
        let back = self.body.footing.facing.reversed();
        let limit = self.oblique_limit();
        if bearings.iter().any(|bearing| limit < bearing.angle_to(back)) {
            self.refuse(
                MV_22,
                "cannot back away along this path: every leg has to lead to its rear, within 45 degrees",
            );
            return false;
        }
        true
    }

    /// MV-17 Whether a leg carries it off its front by more than 45 degrees. Skirmishers, columns and guns are exempt, and
    /// what is in disorder has no order to lose.
    fn leaves_front(&self, bearings: &[Bearing]) -> bool {
        let body = &self.body;
        let exempt = body.footing.disorder
            || body.is_skirmishing()
            || body.is_column()
            || matches!(self.unit.arm, Arm::Artillery | Arm::Sharpshooter);
        let limit = self.oblique_limit();
        !exempt && bearings.iter().any(|bearing| limit < bearing.angle_to(body.footing.facing))
    }

    fn oblique_limit(&self) -> u32 {
        self.field.rules.movement_limits.oblique_limit_degrees.unsigned_abs() * 100
    }

    fn walk(&mut self, order: &MoveOrder, corners: Vec<Point>, bearings: Vec<Bearing>) {
        if bearings.is_empty() {
            self.leave();
            return;
        }
        let rates = self.rates(&self.body);
        if rates == (Rates { trails: rates.trails, ..Rates::default() }) {
            let rule = match () {
                _ if self.unit.guns.is_some() => ARTY_39,
                _ if self.body.is_square() => TAC_38,
                _ => MOVE_01,
            };
            self.stop(rule, "it cannot move at all as it stands");
            return;
        }
        // HID-22 Under a marker its line alone is paid.
        let front = if self.manner.is_open() { rates::front_offsets(&self.body, self.stands) } else { Vec::new() };
        let legs: Vec<PathLeg<'_>> = corners[1..].iter().map(|&to| PathLeg { to, front: &front }).collect();
        let prices = match self.manner.is_bounded() {
            true => rates::crossing_prices(self.field.rules, self.unit, &self.body),
            false => CrossingPrices::default(),
        };
        let left = self.left_of(TURN_POINTS);
        let bends = self.bends(&self.body);
        // OBS-23 What it has swung aside itself is open to it.
        let swung = self.swung.clone();
        let ground = self.field.ground();
        let ground = swung.as_ref().map_or(ground, |swung| ground.after(swung)).bent(&bends);
        let price = |budget| PathCost::new(&ground, corners[0], &legs, &rates, &prices, Pricing::Move, budget);
        let column = self.body.is_column();
        let length = (self.body.stand_depth).saturating_mul(self.stands as i32);
        let walk = |cost: PathCost| Walk { cost, corners: corners.clone(), bearings: bearings.clone(), column, length };
        // What closes the move is paid in advance, by the ground on which the way ends.
        let whole = walk(price(left));
        if self.exit.is_some() && whole.cost.halt().is_none() && whole.cost.length() <= whole.cost.reach(left) {
            // What should close the move would be done off the table.
            self.note_bends(&bends, &whole.cost, left);
            self.take_walk(order, whole, left, &corners);
            return;
        }
        let mut reserve = self.closing_points(order, &whole.body_at(&self.body, whole.cost.reach(left)));
        let mut walk_to = walk(price(left - reserve.min(left)));
        for _ in 0..2 {
            let travel = walk_to.cost.reach(left - reserve.min(left));
            let needed = self.closing_points(order, &walk_to.body_at(&self.body, travel));
            if needed <= reserve {
                break;
            }
            reserve = needed;
            walk_to = walk(price(left - reserve.min(left)));
        }
        if TURN_POINTS <= reserve && order.form_last.is_some() && 0 < whole.cost.reach(left) {
            self.refuse(MOVE_03, "the change of formation takes the whole turn and leaves nothing to move");
        }
        if left < reserve {
            let text = "What should close the move costs more than the turn has left and is not done.";
            self.undone(MV_09, text.to_owned());
            reserve = 0;
            walk_to = whole;
        }
        self.note_bends(&bends, &walk_to.cost, left - reserve);
        self.take_walk(order, walk_to, left - reserve, &corners);
    }

    /// SCNS-01 Names the special rules by which the ground on the way counts otherwise.
    fn note_bends(&mut self, bends: &[Bend<'_>], cost: &PathCost, budget: i64) {
        let travel = cost.reach(budget);
        let met = |bend: &&Bend<'_>| {
            (0..=travel / NOTE_STRIDE).any(|n| (bend.holds)(cost.point((n * NOTE_STRIDE).min(travel))))
        };
        for bend in bends.iter().filter(met) {
            let (rule, what) = match bend.allowance {
                Some(inches) => (SCNS_09, format!("it moves at most {} inches a turn there", Inches(inches))),
                None => (
                    SCNS_07,
                    format!("the ground counts as {} for it there", bend.terrain.map_or("it is", terrain_word)),
                ),
            };
            self.note(rule, format!("Special rule `{}`: {what}.", bend.term));
        }
    }

    fn take_walk(&mut self, order: &MoveOrder, walk: Walk, budget: i64, corners: &[Point]) {
        let travel = walk.cost.reach(budget);
        let base = self.body.clone();
        self.show_steps(&walk.cost, travel);
        let points = walk.cost.points_at(travel);
        let end = walk.body_at(&base, travel);
        if 0 < travel {
            let kind = Kind::Walk(walk.clone());
            self.program.deeds.push(Deed { from: self.spent, to: self.spent + points, before: base.clone(), kind });
            self.spent += points;
            self.body = end;
        }
        let length = walk.cost.length();
        let mut reached = travel;
        if order.push && travel < length {
            reached = self.push(&walk, &base, travel);
        } else if order.push {
            self.note(MV_24, "The push is not needed.");
        }
        if reached == length {
            match walk.cost.halt() {
                Some(Halt::Forbidden(terrain)) => {
                    if self.unit.arm == Arm::Cavalry && base.mounted {
                        let formation = base.footing.formation;
                        let why = format!("may not enter {} ground in {formation}", terrain_word(*terrain));
                        self.refuse(CAV_05, format!("{why}; end the path before it, or change formation first"));
                    }
                    self.stop(
                        MV_03,
                        format!("{} ground, which it may not enter in this formation", terrain_word(*terrain)),
                    );
                }
                Some(Halt::Barred(id)) => {
                    let kind = self.field.ground().obstacle(id).map(|obstacle| obstacle.kind);
                    let rule = if kind.is_some_and(ObstacleKind::is_works) { WORKS_17 } else { OBS_29 };
                    self.stop(rule, format!("`{id}`, which it cannot cross in this formation"));
                }
                None => self.leave(),
            }
        } else if reached < geometry::polyline_length(corners) {
            self.stop(MOVE_02, "the turn's movement is used up");
        }
    }

    /// SCN-14 At the end of a path that leads over an exit the unit is off the table.
    fn leave(&mut self) {
        let Some(edge) = self.exit else { return };
        self.program.leaves_by = Some(edge);
        self.note(SCN_14, format!("It leaves the table by the {} edge and does not come back.", edge_word(edge)));
    }

    /// MV-24, MOVE-13 Extra inches by the ground where the normal move ends, walked inch for inch.
    fn push(&mut self, walk: &Walk, base: &Body, travel: i32) -> i32 {
        if !self.body_may_push(base) {
            self.refuse(MV_25, "cannot push: only formed units in good morale do");
            return travel;
        }
        let Some((terrain, way, rate)) = ground_at(&walk.cost, travel) else { return travel };
        let inches = &self.field.rules.bonus_movement.push_inches;
        let extra = match way {
            Some(WayKind::Road) => inches.road,
            Some(WayKind::Trail) | None => inches.at(terrain),
        };
        let to = (travel + extra.thousandths()).min(walk.cost.length());
        if to <= travel {
            return travel;
        }
        let points = points_for(to - travel, rate);
        self.piece("push", to - travel, points, MOVE_13);
        let kind = Kind::Push { walk: walk.clone(), from: travel, to };
        self.program.deeds.push(Deed { from: self.spent, to: self.spent + points, before: base.clone(), kind });
        self.program.total += points;
        self.spent += points;
        self.body = walk.body_at(base, to);
        self.note(MV_24, "A push needs a competence roll at the end of the move, or the unit is in disorder.");
        to
    }

    fn body_may_push(&self, body: &Body) -> bool {
        let in_order = !body.footing.disorder && !body.is_skirmishing() && self.unit.arm != Arm::Sharpshooter;
        in_order && self.unit.morale == protocol::event::Morale::Good && self.gait == Gait::Plain
    }

    // ------------------------------------------------------------------ after the last leg

    fn close(&mut self, order: &MoveOrder) {
        let budget = self.spent + self.left_of(self.program.total);
        for act in self.closings(order, &self.body.clone()) {
            match act {
                Ok(act) if self.spent + act.points <= budget => self.perform(act),
                Ok(act) => {
                    self.undone(act.rule, too_dear(&act.label));
                }
                Err(refused) => self.refused(refused),
            }
        }
    }

    fn closings(&self, order: &MoveOrder, body: &Body) -> Vec<Result<Act, Refused>> {
        let mut body = body.clone();
        let mut acts = Vec::new();
        if let Some(task) = &order.form_last {
            let change = self.change(&body, task, true);
            if let Ok(act) = &change {
                body = act.after.clone();
            }
            acts.push(change);
        }
        if let Some(wheel) = order.wheel.filter(|wheel| wheel.last) {
            if order.form_last.is_some() {
                acts.push(Err((MV_18, WHEEL_AND_CHANGE.to_owned())));
            } else {
                let wheel = self.wheel(&body, wheel);
                if let Ok(act) = &wheel {
                    body = act.after.clone();
                }
                acts.push(wheel);
            }
        }
        if order.prone == Some(ProneChange::LieDown) {
            acts.push(self.lie_down(&body));
        }
        acts
    }

    fn closing_points(&self, order: &MoveOrder, body: &Body) -> i64 {
        self.closings(order, body).iter().flatten().map(|act| act.points).sum()
    }

    // ------------------------------------------------------------------ small things

    fn act(&self, label: &str, rule: RuleId, points: i64, after: Body) -> Act {
        Act { label: label.to_owned(), rule, points, kind: Kind::Act { after: after.clone() }, after }
    }

    /// Puts an act into the program; of a wheel only as much as the turn has left.
    fn perform(&mut self, act: Act) {
        let left = self.left_of(self.program.total);
        let points = act.points.min(left);
        if points < act.points {
            let wheels = matches!(act.kind, Kind::Wheel { .. });
            self.program.undone.get_or_insert((act.rule, too_dear(&act.label)));
            if !wheels {
                self.note(act.rule, too_dear(&act.label));
                return;
            }
        }
        self.piece(act.label, 0, points, act.rule);
        if let Kind::Swing { elements, .. } = &act.kind {
            let mut swung = self.field.table.changes.clone();
            elements.iter().for_each(|(element, open)| swung.swing(element, *open));
            self.swung = Some(swung);
        }
        let deed = Deed { from: self.spent, to: self.spent + points, before: self.body.clone(), kind: act.kind };
        self.body = deed.body_at(deed.to);
        self.spent = deed.to;
        self.program.deeds.push(deed);
    }

    /// What the turn has left; of a line that was affordable when it was submitted nothing is cut. HID-22
    fn left_of(&self, total: i64) -> i64 {
        if self.manner.is_bounded() { (total - self.spent).max(0) } else { i64::MAX / 4 }
    }

    /// What the turn cannot pay is left out.
    fn undone(&mut self, rule: RuleId, text: String) {
        self.program.undone.get_or_insert((rule, text.clone()));
        self.note(rule, text);
    }

    fn rates(&self, body: &Body) -> Rates {
        if !self.manner.is_bounded() {
            return super::marker::any_ground();
        }
        rates::rates(self.field.rules, self.unit, body, self.gait)
    }

    fn rate_at(&self, body: &Body) -> Option<i32> {
        let plain = if self.gait == Gait::Backing { Gait::Plain } else { self.gait };
        let rates = rates::rates(self.field.rules, self.unit, body, plain);
        let bends = self.bends(body);
        let ground = self.field.ground().bent(&bends);
        match self.manner.is_open() {
            true => rates::rate_here(&ground, body, self.stands, &rates),
            false => rates::rate_of_point(&ground, body, &rates),
        }
    }

    /// SCNS-07, SCNS-09 What special rules make of the ground for the unit in this state.
    fn bends(&self, body: &Body) -> Vec<Bend<'a>> {
        specials::bends(self.field.table, self.unit, &body.footing)
    }

    fn nowhere(&self) -> Refused {
        (MV_03, "cannot move at all where it stands".to_owned())
    }

    fn show_steps(&mut self, cost: &PathCost, travel: i32) {
        for step in cost.steps() {
            match step {
                Step::Ground { from, to, terrain, way, rate, allowed } if *from < travel => {
                    let length = (*to).min(travel) - from;
                    let (label, rule) = match way {
                        _ if *allowed => ("by special rule", SCNS_09),
                        Some(WayKind::Road) => ("road", MOVE_01),
                        Some(WayKind::Trail) => ("trail", FORM_20),
                        None => (terrain_word(*terrain), MOVE_02),
                    };
                    self.piece(label, length, points_for(length, *rate), rule);
                }
                Step::Crossing { at, kind, points, .. } if *at < travel && 0 < *points => {
                    self.piece(kind.name(), 0, *points, rule_of_crossing(*kind));
                }
                _ => {}
            }
        }
    }

    fn piece(&mut self, label: impl Into<String>, length: i32, points: i64, rule: RuleId) {
        self.program.pieces.push(CostPiece {
            label: label.into(),
            length: length.unsigned_abs(),
            points: u32::try_from(points).unwrap_or(u32::MAX),
            rule: rule.into(),
        });
    }

    fn note(&mut self, rule: RuleId, text: impl Into<String>) {
        self.program.notes.push(Note { rule: rule.into(), text: text.into() });
    }

    fn stop(&mut self, rule: RuleId, text: impl Into<String>) {
        self.program.stops = Some((rule, text.into()));
    }

    fn refuse(&mut self, rule: RuleId, text: impl Into<String>) {
        self.program.refusals.push((rule, text.into()));
    }

    fn refused(&mut self, (rule, text): Refused) {
        self.refuse(rule, text);
    }
}

/// ARTY-06 From the battery's centre to the nearest stand of the nearest enemy that it sees.
pub(super) fn toward_enemy(field: &Field<'_>, ix: UnitIx, body: &Body) -> Option<Bearing> {
    let own = body.layout(field.unit(ix).stands.len() as u32).stands.first()?.rect;
    bearing_between(own.center, nearest_enemy_stand(field, ix)?)
}

/// The centre of the nearest stand of the nearest enemy that the unit sees.
fn nearest_enemy_stand(field: &Field<'_>, ix: UnitIx) -> Option<Point> {
    let seen = field.nearest_seen(ix);
    let nearest = seen.into_iter().min_by_key(|enemy| field.distance(ix, *enemy))?;
    let own = field.stands(ix);
    let to_own = |center: Point| own.iter().map(|rect| geometry::between_points(rect.center, center)).min();
    let centers = field.stands(nearest).into_iter().map(|rect| rect.center);
    centers.min_by_key(|center| to_own(*center))
}

/// What is said of an act that the turn cannot pay.
fn too_dear(label: &str) -> String {
    format!("To {label} costs more than the turn has left, and is not done.")
}

/// The bearing of every leg.
pub(super) fn bearings(corners: &[Point]) -> Vec<Bearing> {
    corners.windows(2).filter_map(|leg| bearing_between(leg[0], leg[1])).collect()
}

/// The turn from one bearing to another, hundredths of a degree, clockwise when positive, the shorter way.
fn turn_between(from: Bearing, to: Bearing) -> i32 {
    let clockwise = (to.hundredths() as i32 - from.hundredths() as i32).rem_euclid(36_000);
    if clockwise <= 18_000 { clockwise } else { clockwise - 36_000 }
}

/// The part of a leg that lies on the table: its end, or the last point before the edge.
pub(super) fn within_table(from: Point, to: Point, width: i32, height: i32) -> Point {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    // The share of the leg up to the nearest edge that it leaves by, as a fraction.
    let mut share: (i64, i64) = (1, 1);
    let mut meet = |room: i64, way: i64| {
        if room < way && room.max(0) * share.1 < share.0 * way {
            share = (room.max(0), way);
        }
    };
    if 0 < dx {
        meet(i64::from(width) - i64::from(from.x), dx);
    } else {
        meet(i64::from(from.x), -dx);
    }
    if 0 < dy {
        meet(i64::from(height) - i64::from(from.y), dy);
    } else {
        meet(i64::from(from.y), -dy);
    }
    if share == (1, 1) {
        return to;
    }
    Point::new(from.x + (dx * share.0 / share.1) as i32, from.y + (dy * share.0 / share.1) as i32)
}

/// The ground on which a path lies at a travel, and the rate paid there.
fn ground_at(cost: &PathCost, travel: i32) -> Option<(Terrain, Option<WayKind>, i32)> {
    let mut here = None;
    for step in cost.steps() {
        if let Step::Ground { from, terrain, way, rate, .. } = step {
            if here.is_some() && travel <= *from {
                break;
            }
            here = Some((*terrain, *way, *rate));
        }
    }
    here
}

pub(super) const fn terrain_word(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Open => "open",
        Terrain::Broken => "broken",
        Terrain::Woods => "woods",
        Terrain::Rough => "rough",
    }
}

/// The rule that says what crossing one costs.
const fn rule_of_crossing(kind: ObstacleKind) -> RuleId {
    match kind {
        ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => MV_06,
        ObstacleKind::HastyWorks => WORKS_10,
        ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks => WORKS_17,
        ObstacleKind::Abatis => OBS_10,
        ObstacleKind::Fraise => OBS_18,
        ObstacleKind::ChevauxDeFrise => OBS_25,
    }
}
