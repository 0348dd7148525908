//! Orders of pickets: what may be said to a number, whatever is under it. HID-17 to HID-19, HID-22, HID-23, HID-27, HID-28, HID-81, HID-83
//!
//! Owns the legality of the list that dummies, regiments and brigades share. Where a rule treats them alike they are refused in
//! the same words; what only a real unit cannot do is refused by that unit's own rules, to its owner alone.

use std::collections::BTreeMap;

use protocol::event::PicketOrder;
use protocol::ids::{PicketNumber, SeatId};
use protocol::orders::{
    Draft, FormTask, Hides, Hiding, MoveOrder, Order, PathAnswer, PlanShape, Reveal, Stage, Stop, UnitDraft,
};
use protocol::place::Point;
use protocol::words::Arm;

use super::legality::{self, Reason};
use super::{Fault, bend, postures, unseen, windows};
use crate::battle::{Known, Picket, Under, Unit};
use crate::catalogue::{
    ARTY_01, ARTY_46, HID_08, HID_10, HID_17, HID_22, HID_23, HID_27, HID_48, HID_62, HID_81, MV_31, ORD_01, REV_11,
    RuleId,
};
use crate::field::Field;
use crate::geometry::{self, bearing_between};
use crate::ground::TURN_POINTS;
use crate::hidden::{self, Judged};
use crate::movement;
use crate::movement::marker::{self, Ends};
use crate::ruleset::Ruleset;

/// A picket whose orders are judged, with all that they are judged by.
pub(super) struct Asked<'k> {
    pub(super) known: &'k Known,
    pub(super) rules: &'k Ruleset,
    pub(super) number: PicketNumber,
    pub(super) under: &'k Under,
    pub(super) judged: Judged,
}

impl<'k> Asked<'k> {
    /// The side's own picket of that number.
    pub(super) fn of(known: &'k Known, rules: &'k Ruleset, number: PicketNumber) -> Option<Self> {
        let under = known.under(number)?;
        Some(Asked { known, rules, number, under, judged: hidden::judged(known, number)? })
    }

    pub(super) fn field(&self) -> Field<'_> {
        Field::before_dice(self.rules, &self.judged.table)
    }

    pub(super) fn at(&self) -> Point {
        self.known.table.pickets.get(&self.number).map_or_else(Point::default, |picket| picket.at)
    }

    /// The first unit under it, as its order sees it; none for a dummy.
    pub(super) fn lead(&self) -> Option<&'k Unit> {
        self.under.units.first()
    }
}

/// ORD-16, HID-17 Takes out of a draft what may not be said to a picket, and says what and why, to the owner alone. LEAK-21
pub(super) fn keep_legal(
    known: &Known,
    rules: &Ruleset,
    seat: &SeatId,
    stage: Stage,
    draft: &mut Draft,
    faults: &mut Vec<Fault>,
) {
    draft.pickets.retain(|number, said| {
        let own = known.under(*number).filter(|under| under.seat == *seat);
        let Some(asked) = own.and_then(|_| Asked::of(known, rules, *number)) else {
            let message = format!("refused (ORD-01): you command no picket {}", number.0);
            faults.push(fault_of(*number, "order", ORD_01, message));
            return false;
        };
        keep_legal_words(&asked, stage, said, faults);
        true
    });
}

fn fault_of(number: PicketNumber, key: &'static str, rule: RuleId, message: String) -> Fault {
    Fault { subject: number.0.to_string(), key, rule, message }
}

fn keep_legal_words(asked: &Asked<'_>, stage: Stage, said: &mut UnitDraft, faults: &mut Vec<Fault>) {
    let number = asked.number;
    if let Some(order) = &said.order {
        let found = match stage {
            Stage::Orders => faults_of_order(asked, order, said.instructions.disengage_travel),
            Stage::Reactions | Stage::Charges | Stage::Movement => vec![windows::order_too_late()],
        };
        if !found.is_empty() {
            said.order = None;
        }
        let refused = |(rule, why): Reason| {
            fault_of(number, "order", rule, format!("refused ({rule}): picket {} {why}", number.0))
        };
        faults.extend(found.into_iter().map(refused));
    }
    if let (Some(name), Some(unit)) = (&said.posture, asked.lead())
        && let Err((rule, message)) = postures::check(unit, name)
    {
        said.posture = None;
        faults.push(fault_of(number, "posture", rule, message));
    }
    let keys = &mut said.instructions;
    let mut refused = windows::drop_illegal_keys_of(asked.lead(), stage, keys);
    if let Some((rule, why)) = unseen::why_not(&asked.known.table, asked.known.side, keys) {
        keys.unseen_fire = None;
        refused.push(("unseen_fire", rule, why));
    }
    if let Some(answer) = &keys.path
        && let Some((rule, why)) = reason_against_bend(asked, answer)
    {
        keys.path = None;
        refused.push(("path", rule, why));
    }
    if keys.stop.is_some_and(|stop| !matches!(stop, Stop::Never {} | Stop::OnSight {} | Stop::Before { .. })) {
        keys.stop = None;
        refused.push(("stop", HID_81, "is for open units: a picket stops on sight, or before a distance".to_owned()));
    }
    if keys.reveal == Some(Reveal::WithOrders {}) && stage != Stage::Orders {
        keys.reveal = None;
        refused.push(("reveal", HID_48, "names the reveal of orders, which is over".to_owned()));
    }
    if let Some(change) = &keys.ch_form
        && asked.under.units.iter().any(|unit| !movement::may_take_at_once(unit, change.formation))
    {
        let why = format!("names {}, which it cannot take on Conditional Hold", change.formation);
        keys.ch_form = None;
        refused.push(("ch_form", REV_11, why));
    }
    if let (Some(travel), Stage::Reactions) = (keys.disengage_travel, stage)
        && let Some((rule, why)) = why_not_leave(asked, Some(travel))
    {
        keys.disengage_travel = None;
        refused.push(("disengage_travel", rule, why));
    }
    faults.extend(refused.into_iter().map(|(key, rule, why)| {
        fault_of(number, key, rule, format!("refused ({rule}): `{key}` for picket {} {why}", number.0))
    }));
}

/// ORD-16, HID-17 Everything that forbids an order to a picket; empty when it is legal.
pub(super) fn faults_of_order(asked: &Asked<'_>, order: &Order, travel: Option<u32>) -> Vec<Reason> {
    if let Some(reason) = legality::without_an_umpire(order) {
        return vec![reason];
    }
    match order {
        Order::Charge { .. } => {
            let why = "is hidden and may not be told to charge: reveal it, and let it charge next turn";
            vec![(HID_17, why.to_owned())]
        }
        Order::FirstFire {} | Order::Hold { .. } => as_told(asked, order),
        Order::Disengage { .. } => {
            let mut faults = as_told(asked, order);
            faults.extend(why_not_leave(asked, travel));
            faults
        }
        Order::Form { task: FormTask::Deploy { plan } } => why_not_deploy(asked, plan).into_iter().collect(),
        Order::Move(_) | Order::Form { .. } => faults_of_march(asked, order),
        Order::Special { .. } => Vec::new(),
    }
}

/// What forbids a real unit an order by its own rules, its path apart; of a dummy nothing does.
fn as_told(asked: &Asked<'_>, order: &Order) -> Vec<Reason> {
    let field = asked.field();
    let units = asked.judged.units.iter();
    units.map(|ix| legality::faults_as_told(&field, *ix, order)).find(|faults| !faults.is_empty()).unwrap_or_default()
}

/// HID-22, HID-23, HID-27, HID-28 What forbids a march or a change of formation.
fn faults_of_march(asked: &Asked<'_>, order: &Order) -> Vec<Reason> {
    if let Some(reason) = turns_guns(asked, order) {
        return vec![reason];
    }
    let Some(march) = hidden::march_of(order, asked.lead()) else { return as_told(asked, order) };
    let order = match order {
        Order::Form { task } => Order::Form { task: march.form_first.clone().unwrap_or_else(|| task.clone()) },
        _ => Order::Move(march.clone()),
    };
    let mut faults = as_told(asked, &order);
    if faults.is_empty() {
        faults = faults_of_line(asked, &march);
    }
    faults
}

/// HID-22, HID-23, HID-27 What forbids a march as it is drawn: the friends in its way, then its price.
fn faults_of_line(asked: &Asked<'_>, march: &MoveOrder) -> Vec<Reason> {
    let field = asked.field();
    let units = &asked.judged.units;
    let mut faults = Vec::new();
    for ix in units {
        let program = marker::priced(&field, *ix, march, asked.judged.span);
        faults.extend(marker::faults(&field, *ix, &program));
        let short = marker::shortfall(&program).map(|(_, why)| too_long(HID_22, &why));
        faults.extend(short);
        if !faults.is_empty() {
            return faults;
        }
    }
    if units.is_empty() {
        faults.extend(why_no_dummy(asked, march));
    }
    let line = line_of(asked, &field, march);
    faults.extend(friends_in_the_way(asked, &line));
    faults
}

/// HID-22, HID-23 A line is never cut: what cannot be gone whole is refused. LEAK-27
fn too_long(rule: RuleId, why: &str) -> Reason {
    (rule, format!("cannot do this within the turn ({why}), and nothing of it is ever cut: order less"))
}

/// HID-23 What a dummy may not: push, and outpace skirmishers.
fn why_no_dummy(asked: &Asked<'_>, march: &MoveOrder) -> Option<Reason> {
    if march.push {
        return Some((HID_23, "has nothing under it that could push".to_owned()));
    }
    let table = &asked.known.table;
    let (line, ends) = marker::line_on_table(table, asked.known.side, asked.at(), &march.path);
    let cost = hidden::dummy_cost(asked.rules, table, &line);
    if cost.halt().is_some() {
        return Some(too_long(HID_23, "ground or an obstacle that skirmishers do not cross"));
    }
    if TURN_POINTS < cost.total() {
        return Some(too_long(HID_23, "the turn's movement is used up"));
    }
    (ends == Ends::AtTheEdge).then(|| too_long(HID_23, "the edge of the table"))
}

/// The marker's line under an order.
fn line_of(asked: &Asked<'_>, field: &Field<'_>, march: &MoveOrder) -> Vec<Point> {
    let plan = hidden::plan(field, &asked.judged, asked.under, asked.number, march);
    plan.map_or_else(Vec::new, |plan| plan.line)
}

/// HID-27 A line over the stands of an open friend, other than skirmishers, as all stand now; one on whom it stands it may leave.
fn friends_in_the_way(asked: &Asked<'_>, line: &[Point]) -> Option<Reason> {
    let table = &asked.known.table;
    let friends = table.units_of(asked.known.side).filter(|(_, friend)| !friend.is_skirmishing());
    let mut met = friends.filter(|(ix, _)| {
        let mut stands = table.layout(*ix).rects();
        let begins_on = |corners: &[Point]| line.first().is_some_and(|start| geometry::contains(corners, *start));
        stands.any(|stand| {
            let crosses = line.windows(2).any(|leg| geometry::segment_meets_polygon(leg[0], leg[1], &stand.corners));
            crosses && !begins_on(&stand.corners)
        })
    });
    let (_, friend) = met.next()?;
    Some((HID_27, format!("may not go over `{}`: lead its line round, or reveal it", friend.name)))
}

/// HID-62 What is wrong with the length of a disengagement: it is named with the order, and is no longer than the picket could
/// go in disorder. LEAK-91
fn why_not_leave(asked: &Asked<'_>, travel: Option<u32>) -> Option<Reason> {
    let Some(travel) = travel else {
        return Some((HID_62, "must be told how far it disengages: name `disengage_travel`".to_owned()));
    };
    let unlimbered = |unit: &Unit| unit.arm == Arm::Artillery && !unit.is_limbered();
    if asked.under.units.iter().any(unlimbered) {
        return Some((ARTY_46, "would leave its guns in the open: reveal it, or let it limber first".to_owned()));
    }
    let away = hidden::away(&asked.known.table, asked.number, travel)?;
    // The end of the line is rounded to the thousandth.
    let length = geometry::polyline_length(&away.line);
    let short = |cost: &crate::ground::PathCost| cost.reach(TURN_POINTS) + geometry::EPS < length;
    let too_far = match asked.under.units.is_empty() {
        true => short(&hidden::dummy_cost(asked.rules, &asked.known.table, &away.line)),
        false => {
            let field = asked.field();
            asked.judged.units.iter().any(|ix| short(&marker::in_disorder(&field, *ix, &away.line)))
        }
    };
    too_far.then(|| too_long(HID_62, "it is farther than it goes in a turn"))
}

/// HID-10 A new deployment names the regiments of the brigade, each once. A dummy is told it to no effect. HID-19
fn why_not_deploy(asked: &Asked<'_>, plan: &protocol::orders::Plan) -> Option<Reason> {
    const WIDEST_GAP: u32 = 1_000;
    if WIDEST_GAP < plan.gap {
        return Some((HID_10, "has gaps of at most one inch between its regiments".to_owned()));
    }
    if let PlanShape::TwoLines { first } = plan.shape
        && !(1..plan.order.len()).contains(&(first as usize))
    {
        return Some((HID_10, "has regiments in both lines, or takes another shape".to_owned()));
    }
    let lead = asked.lead()?;
    if !matches!(asked.under.hides, Hides::Brigade { .. }) {
        return Some((HID_10, "holds no brigade that could be deployed".to_owned()));
    }
    let mut named = plan.order.clone();
    named.sort();
    let mut held: Vec<_> = asked.under.units.iter().map(|unit| unit.id.clone()).collect();
    held.sort();
    if named != held {
        return Some((HID_10, "must name every regiment of its brigade, each once".to_owned()));
    }
    let marches = lead.footing.formation == protocol::words::Formation::MarchColumn;
    (marches && plan.shape != PlanShape::InDepth {})
        .then(|| (HID_08, "is in march column, and lies in depth".to_owned()))
}

/// HID-19 Guns turn by limbering, unlimbering or moving.
fn turns_guns(asked: &Asked<'_>, order: &Order) -> Option<Reason> {
    let turns = |task: &FormTask| matches!(task, FormTask::Face { .. });
    let told = match order {
        Order::Form { task } => turns(task),
        Order::Move(march) => [&march.form_first, &march.form_last].into_iter().flatten().any(turns),
        _ => false,
    };
    let guns = asked.lead().is_some_and(|unit| unit.arm == Arm::Artillery);
    (told && guns).then(|| (ARTY_01, "is a battery: it turns as it limbers, unlimbers or moves".to_owned()))
}

/// HID-83, MV-31 Why a picket's path may not be redrawn so; none when it may.
fn reason_against_bend(asked: &Asked<'_>, answer: &PathAnswer) -> Option<Reason> {
    let picket = asked.known.table.pickets.get(&asked.number)?;
    let ordered = asked.known.own.picket_orders.get(&asked.number).map(|orders| &orders.order);
    let Some(Order::Move(march)) = ordered else {
        return Some((MV_31, "can only be given to a picket on MOVE".to_owned()));
    };
    if picket.shown == Some(PicketOrder::ConditionalHold {}) {
        return Some((MV_31, "comes too late: its march is over for this turn".to_owned()));
    }
    let PathAnswer::Waypoints { points, .. } = answer else { return None };
    let Some(first) = points.first() else {
        return Some((MV_31, "names no point; say halt to stand still".to_owned()));
    };
    if let (Some(PicketOrder::Move { bearing }), Some(leg)) = (picket.shown, bearing_between(picket.at, *first))
        && bend::MOST_BEND < bearing.angle_to(leg)
    {
        return Some((MV_31, "bends more than 45 degrees off the direction that was revealed".to_owned()));
    }
    let bent = movement::redrawn(march, picket.at, Some(answer));
    let fault = faults_of_march(asked, &Order::Move(bent)).into_iter().next();
    fault.map(|(rule, why)| (rule, format!("cannot be followed: the picket {why}")))
}

/// What a sealed draft comes to for the seat's pickets: each with its order and keys, postures expanded. HID-19
pub fn expand(known: &Known, seat: &SeatId, stage: Stage, draft: &Draft) -> BTreeMap<PicketNumber, UnitDraft> {
    let own = known.own.pickets.iter().filter(|(_, under)| under.seat == *seat);
    let expanded = own.map(|(number, under)| {
        let said = draft.pickets.get(number).cloned().unwrap_or_default();
        let instructions = match under.units.first() {
            Some(unit) => postures::expand(unit, said.order.as_ref(), stage, Some(&said), None),
            None => said.instructions.clone(),
        };
        (*number, UnitDraft { instructions, ..said })
    });
    expanded.collect()
}

/// The seat's pickets for which a draft says nothing: they will hold. ORD-03, LEAK-19
pub fn pickets_without_order(known: &Known, seat: &SeatId, draft: &Draft) -> Vec<PicketNumber> {
    if known.table.is_deploying() {
        return Vec::new();
    }
    let said = |number: &PicketNumber| draft.pickets.get(number).is_some_and(|said| said.order.is_some());
    let own = known.own.pickets.iter().filter(|(_, under)| under.seat == *seat);
    own.map(|(number, _)| *number).filter(|number| !said(number)).collect()
}

/// HID-67, HID-22, HID-23 Why a picket that comes in at its point may not go its line there; none when it may.
pub(crate) fn why_not_enter(
    known: &Known,
    rules: &Ruleset,
    (seat, hiding): (&SeatId, &Hiding),
    units: &[Unit],
) -> Option<Reason> {
    // A number that no picket has: it has none yet.
    let number = PicketNumber(0);
    let Hiding { at, facing, hides, leaders: _, path } = hiding.clone();
    let (side, confirmed, shown) = (known.side, None, None);
    let marker =
        Picket { number, side, at, facing, confirmed, shown, travelled: Vec::new(), commitment: String::new() };
    let under = Under { seat: seat.clone(), hides, units: units.to_vec(), leaders: Vec::new(), salt: [0; 16] };
    let mut there = known.clone();
    there.table.pickets.insert(number, marker);
    there.own.pickets.insert(number, under);
    let asked = Asked::of(&there, rules, number)?;
    let march = Order::Move(MoveOrder { path, ..MoveOrder::default() });
    faults_of_order(&asked, &march, None).into_iter().next()
}

/// What limits a picket this turn, for its own player: in words, with rules.
pub fn picket_limits(known: &Known, rules: &Ruleset, number: PicketNumber) -> Vec<String> {
    let Some(asked) = Asked::of(known, rules, number) else { return Vec::new() };
    let mut limits = vec!["HID-17: hidden, may not charge".to_owned()];
    if asked.under.is_dummy() {
        limits.push("HID-23: a dummy, moves at most as a skirmish line and does not push".to_owned());
    }
    for ix in &asked.judged.units {
        for limit in legality::limits(&asked.judged.table, &asked.judged.table[*ix]) {
            if !limits.contains(&limit) {
                limits.push(limit);
            }
        }
    }
    limits
}
