//! What an order would do, from what its owner knows. MOVE-02
//!
//! Owns the answer to a player who draws a path. It compiles the very program that phase 7 would carry out; enemies and friends
//! are taken to stay where they are known to stand.

use protocol::event::{Note, Stance};
use protocol::ids::UnitId;
use protocol::message::{CostPiece, Preview, Refusal};
use protocol::orders::{FormTask, MoveOrder, Order, Stop, Work};
use protocol::place::Point;
use protocol::words::Formation;

use super::body::{Body, Shape};
use super::compile;
use super::program::{Program, SEGMENTS};
use super::rates;
use super::refuse;
use super::tail::Tail;
use super::withdraw;
use crate::battle::{Known, UnitIx};
use crate::catalogue::{CAV_05, DIS_02, MV_14, MV_29, RuleId, TAC_27, VIS_01};
use crate::charge::foresee::{self, Foreseen};
use crate::column::{self, forming};
use crate::field::Field;
use crate::geometry::Extent;
use crate::ground::TURN_POINTS;
use crate::ruleset::Ruleset;
use crate::works;

/// What an order would do for a unit. Changes nothing, and knows no more than `known`.
pub fn preview(known: &Known, rules: &Ruleset, unit: &UnitId, order: &Order) -> Preview {
    let nothing = Preview {
        unit: unit.clone(),
        refusals: Vec::new(),
        pieces: Vec::new(),
        spent: 0,
        path: Vec::new(),
        end: None,
        column: Vec::new(),
        stops: None,
        notes: Vec::new(),
    };
    let Some(ix) = known.table.find(unit) else { return nothing };
    let field = Field::before_dice(rules, &known.table);
    if let Order::Form { task: FormTask::BrigadeColumn { regiments } } = order {
        return of_column(&field, ix, regiments, nothing);
    }
    if let Order::Disengage { abandon_guns } = order {
        return withdrawal(&field, ix, *abandon_guns, nothing);
    }
    if matches!(order, Order::Charge { .. }) {
        return charge(&field, ix, order, nothing);
    }
    if let Order::Form { task: FormTask::Work { work, at } } = order {
        return of_work(&field, ix, *work, at, nothing);
    }
    let Some(order) = as_move(order) else {
        let stands = field.unit(ix).stands.len() as u32;
        let end = field.unit(ix).on_table().then(|| Body::of(field.unit(ix)).stance(stands));
        return Preview { end, ..nothing };
    };
    let program = compile::compile(&field, ix, &order);
    let walked = walked(&field, ix, &program);
    let refusals = refusals_of(&field, ix, &program).into_iter().map(|(rule, text)| refusal(&field, ix, rule, text));
    let (way, stops) = match walked.stopped {
        Some(why) => (walked.way, Some(why)),
        None => (program.way(), program.stops.as_ref().map(|(_, why)| why.clone())),
    };
    Preview {
        unit: unit.clone(),
        refusals: refusals.collect(),
        pieces: program.pieces.clone(),
        spent: u32::try_from(program.spent()).unwrap_or(u32::MAX),
        path: way,
        end: Some(walked.end.stance(field.unit(ix).stands.len() as u32)),
        column: behind(&field, ix, &walked.end),
        stops,
        notes: program.notes.iter().cloned().chain(walked.notes).collect(),
    }
}

/// TAC-28 The regiments behind a lead that ends so.
fn behind(field: &Field<'_>, lead: UnitIx, end: &Body) -> Vec<Stance> {
    Tail::of(field.table, lead).iter().map(|behind| behind.body(end).stance(behind.stands)).collect()
}

/// TAC-27 Where the regiments would stand, and what keeps them from it now.
fn of_column(field: &Field<'_>, ix: UnitIx, regiments: &[UnitId], nothing: Preview) -> Preview {
    let cost = field.rules.cost.form_brigade_column.of(field.unit(ix).quality);
    let points = rates::points(cost, None).unwrap_or(TURN_POINTS);
    let points = u32::try_from(points).unwrap_or(u32::MAX);
    let piece =
        CostPiece { label: format!("form {}", Formation::BrigadeColumn), length: 0, points, rule: TAC_27.into() };
    if let Some((rule, text)) = forming::why_not(field, ix, regiments) {
        return Preview { refusals: vec![refusal(field, ix, rule, text)], ..nothing };
    }
    let plan = forming::plan(field.table, regiments);
    let no_room = forming::why_no_room(field, &plan, &[]);
    let (own, others): (Vec<_>, Vec<_>) = plan.iter().partition(|planned| planned.unit == ix);
    Preview {
        pieces: vec![piece],
        spent: points,
        end: own.first().map(|planned| planned.stance(field.table)),
        column: others.iter().map(|planned| planned.stance(field.table)).collect(),
        notes: no_room
            .into_iter()
            .map(|why| note(TAC_27, format!("As all stand now the column cannot be formed: {why}.")))
            .collect(),
        ..nothing
    }
}

/// OBS-07 What the work will be, and when.
fn of_work(field: &Field<'_>, ix: UnitIx, work: Work, at: &[Point], nothing: Preview) -> Preview {
    let unit = field.unit(ix);
    let end = unit.on_table().then(|| {
        let mut body = Body::of(unit);
        body.footing.disorder = true;
        body.stance(unit.stands.len() as u32)
    });
    match works::foreseen(field, ix, work, at) {
        Ok(notes) => {
            Preview { end, notes: notes.into_iter().map(|(rule, text)| note(rule, text)).collect(), ..nothing }
        }
        Err((rule, text)) => Preview { end, refusals: vec![refusal(field, ix, rule, text)], ..nothing },
    }
}

/// CHG-06, CHG-23 The charge that would come of an order.
fn charge(field: &Field<'_>, ix: UnitIx, order: &Order, nothing: Preview) -> Preview {
    let unit = field.unit(ix);
    let end = unit.on_table().then(|| Body::of(unit).stance(unit.stands.len() as u32));
    if end.is_none() {
        return nothing;
    }
    match foresee::foresee(field, ix, order) {
        Some(Foreseen { path, stops, notes }) => {
            let mut body = Body::of(unit);
            let to = path.last().copied().unwrap_or(body.footing.anchor);
            let (dx, dy) = (to.x - body.footing.anchor.x, to.y - body.footing.anchor.y);
            body.footing.anchor = to;
            body.footing.refused = None;
            body.footing.trail.iter_mut().for_each(|point| (point.x, point.y) = (point.x + dx, point.y + dy));
            let end = Some(body.stance(unit.stands.len() as u32));
            Preview { path, stops, notes, end, column: behind(field, ix, &body), ..nothing }
        }
        None => Preview { end, notes: vec![foresee::nobody()], ..nothing },
    }
}

/// DIS-02 to DIS-06 The part of a disengaging move that is sure: without its bonus, and leaning as it does unless told.
fn withdrawal(field: &Field<'_>, ix: UnitIx, abandon_guns: bool, nothing: Preview) -> Preview {
    let unit = field.unit(ix);
    let end = unit.on_table().then(|| Body::of(unit).stance(unit.stands.len() as u32));
    let body = withdraw::leaver(field, ix, abandon_guns);
    let Some(pace) = withdraw::pace(field, ix, &body).filter(|_| unit.on_table()) else {
        return Preview { end, ..nothing };
    };
    let leg = withdraw::plan(field, ix, &body, (pace, pace.rate), None, None);
    let program = leg.program(field);
    let mut notes = leg.notes();
    if withdraw::has_bonus(unit, &body) {
        let (dice, factor) = (pace.dice, pace.factor);
        let text = match dice {
            1 => format!("One die times {factor} gives further inches that it must go."),
            several => format!("{several} dice give further inches that it must go."),
        };
        notes.push(note(DIS_02, text));
    }
    Preview {
        pieces: program.pieces.clone(),
        spent: u32::try_from(program.spent()).unwrap_or(u32::MAX),
        path: program.way(),
        end: Some(program.end().stance(leg.body.stands.len() as u32)),
        column: behind(field, ix, &program.end()),
        stops: leg.stopped_by.map(str::to_owned),
        notes,
        ..nothing
    }
}

/// The move in an order, if it is one.
pub(super) fn as_move(order: &Order) -> Option<MoveOrder> {
    match order {
        Order::Move(order) => Some(order.clone()),
        // What is done standing is no move. AMMO-05, ARTY-48, OBS-06, TAC-27
        Order::Form { task } if is_done_standing(task) => None,
        Order::Form { task } => Some(compile::forming_only(task)),
        Order::FirstFire {}
        | Order::Hold { .. }
        | Order::Disengage { .. }
        | Order::Charge { .. }
        | Order::Special { .. } => None,
    }
}

/// A task of FORM that changes no formation: it is a FORM by itself, and no part of a march.
pub fn is_done_standing(task: &FormTask) -> bool {
    matches!(
        task,
        FormTask::BrigadeColumn { .. }
            | FormTask::Resupply {}
            | FormTask::JoinRegiment { .. }
            | FormTask::ManGuns { .. }
            | FormTask::Work { .. }
            | FormTask::Deploy { .. }
            | FormTask::Face { .. }
    )
}

/// What forbids a move or a change as it is written: rule, and reason in words to be read after the unit's name. ORD-16
pub fn refusals(field: &Field<'_>, ix: UnitIx, order: &Order) -> Vec<(RuleId, String)> {
    let Some(order) = as_move(order) else { return Vec::new() };
    refusals_of(field, ix, &compile::compile(field, ix, &order))
}

/// Whether an order can be carried out as it is written, whoever stands in the way and whatever limits the unit's advance.
/// Horse that comes to ground which is closed to it goes up to it, though it may not be told so. CAV-05, MV-03
pub fn is_feasible(field: &Field<'_>, ix: UnitIx, order: &Order) -> bool {
    let forbids = |(rule, _): &(RuleId, String)| *rule != CAV_05;
    as_move(order).is_none_or(|order| !compile::compile(field, ix, &order).refusals.iter().any(forbids))
}

pub(super) fn refusals_of(field: &Field<'_>, ix: UnitIx, program: &Program) -> Vec<(RuleId, String)> {
    let mut refusals = program.refusals.clone();
    if let Some(rule) = refuse::restricted_by(field, ix)
        && program_advances(field, ix, program)
    {
        refusals.push((rule, refuse::why_not_nearer(rule).to_owned()));
    }
    refusals
}

fn refusal(field: &Field<'_>, ix: UnitIx, rule: RuleId, text: String) -> Refusal {
    let unit = field.unit(ix);
    let message = format!("refused ({rule}): `{}` {text}", unit.name);
    Refusal { subject: unit.id.to_string(), key: "order".to_owned(), rule: rule.into(), message }
}

/// ORD-09 Whether an order would bring the unit nearer to an enemy that its side sees than it is now. One function for
/// shaken units, units out of command, and those at half strength.
pub fn advances(field: &Field<'_>, ix: UnitIx, order: &Order) -> bool {
    as_move(order).is_some_and(|order| program_advances(field, ix, &compile::compile(field, ix, &order)))
}

fn program_advances(field: &Field<'_>, ix: UnitIx, program: &Program) -> bool {
    let stands = field.unit(ix).stands.len() as u32;
    let bodies = (1..=SEGMENTS).map(|segment| program.body_at(program.points_by(segment)));
    let mut elsewhere = bodies.filter(|body| body.footing.anchor != program.start.footing.anchor).peekable();
    if elsewhere.peek().is_none() {
        return false;
    }
    let (limit, tail) = (refuse::Limit::now(field, ix), Tail::of(field.table, ix));
    elsewhere.any(|body| limit.bars(field, &tail.shape(&body, stands)))
}

/// A program walked among units that stand still.
struct Walked {
    end: Body,
    way: Vec<protocol::place::Point>,
    stopped: Option<String>,
    notes: Vec<Note>,
}

fn walked(field: &Field<'_>, ix: UnitIx, program: &Program) -> Walked {
    let unit = field.unit(ix);
    let stands = unit.stands.len() as u32;
    let tail = Tail::of(field.table, ix);
    let bodies = (1..=SEGMENTS).map(|segment| program.body_at(program.points_by(segment)));
    let mut bodies: Vec<Body> = std::iter::once(program.start.clone()).chain(bodies).collect();
    bodies.dedup();
    let drawn = |body: Body| (tail.shape(&body, stands), body);
    let steps: Vec<(Shape, Body)> = bodies.into_iter().map(drawn).collect();
    let way = steps.iter().map(|(shape, _)| shape.extent()).reduce(Extent::with).unwrap_or(field.extent(ix));
    let shape_of = |other: UnitIx| Shape::around(field.stands(other));
    let widest = refuse::widest(field.rules, Stop::BeforeClose {});
    let enemies = field.enemies_near(unit.side, way, widest).map(|enemy| (enemy, field.unit(enemy)));
    let enemies = enemies.filter(|(_, enemy)| refuse::keeps_from(enemy));
    let enemies: Vec<_> = enemies.map(|(enemy_ix, enemy)| (enemy_ix, enemy, shape_of(enemy_ix))).collect();
    let friends = field.near(way, 0).map(|friend| (friend, field.unit(friend)));
    let friends =
        friends.filter(|(friend, other)| other.side == unit.side && !column::are_one(field.table, *friend, ix));
    let friends: Vec<_> = friends.map(|(friend, other)| (other, shape_of(friend))).collect();
    let mut walked = Walked {
        end: program.start.clone(),
        way: vec![program.start.footing.anchor],
        stopped: None,
        notes: Vec::new(),
    };
    let mut steps = steps.into_iter();
    let mut now = steps.next().map_or_else(|| tail.shape(&program.start, stands), |(shape, _)| shape);
    let mut passed: Vec<&str> = Vec::new();
    for (next, body) in steps {
        let mut near = enemies.iter().filter(|(_, _, shape)| next.may_reach(shape, widest));
        let in_the_way = near.find_map(|(enemy_ix, enemy, shape)| {
            let keeps = refuse::keeps(field.rules, unit, Stop::Never {}, enemy);
            let keep = keeps.into_iter().find(|keep| {
                refuse::comes_too_near(&now, &next, shape, shape, keep.limit)
                    && (!keep.seen_only || field.sees(ix, *enemy_ix))
            });
            keep.map(|keep| format!("`{}` is in its way ({})", enemy.name, keep.rule))
        });
        if in_the_way.is_some() {
            walked.stopped = in_the_way;
            break;
        }
        for (friend, shape) in &friends {
            if next.overlaps(shape) && !now.overlaps(shape) && !passed.contains(&friend.name.as_str()) {
                passed.push(&friend.name);
                let rolls = !friend.is_skirmishing() && !unit.is_skirmishing();
                let text = format!("It passes through {}.", friend.name);
                if rolls {
                    walked.notes.push(note(MV_14, text));
                }
            }
        }
        if let Some(last) = walked.way.last()
            && *last != body.footing.anchor
        {
            walked.way.push(body.footing.anchor);
        }
        (walked.end, now) = (body, next);
    }
    for (friend, shape) in &friends {
        if now.overlaps(shape) {
            walked.notes.push(note(MV_29, format!("It would end on {} and stops short of it.", friend.name)));
        }
    }
    for (_, enemy, shape) in &enemies {
        let close = refuse::close_range(field.rules, enemy);
        if now.within(shape, close) {
            walked.notes.push(note(VIS_01, format!("It ends in close range of {}.", enemy.name)));
        }
    }
    walked
}

fn note(rule: RuleId, text: String) -> Note {
    Note { rule: rule.into(), text }
}
