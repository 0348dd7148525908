//! Phase 7, segment by segment: propose, refuse, commit, fire, settle. ALG-MOVE
//!
//! Owns the clock and all that two units do to each other while they move: who is refused a step (`refuse`), who passes
//! through whom (`passing`), who arrives (`arrivals`), who leaves (`exits`), who ends on top of whom (`ending`). Every segment is computed from the
//! state at the end of the one before, for both sides at once, so nothing depends on the order of units.

use std::cell::RefCell;
use std::collections::BTreeSet;

use protocol::event::{Fact, Morale};
use protocol::ids::Side;
use protocol::orders::{FormTask, IfHalted, MoveOrder, Order, PathAnswer, Stop};
use protocol::words::Formation;

use super::arrivals::{self, Door};
use super::body::{Body, Shape};
use super::compile;
use super::crossings;
use super::ending;
use super::exits;
use super::forming;
use super::leaders::{self, Rider};
use super::passing;
use super::program::{Kind, Program, SEGMENTS};
use super::refuse::{self, Restriction};
use super::tail::{self, Tail};
use super::track;
use super::uncover;
use super::unveiled;
use super::withdraw::Withdrawal;
use crate::battle::{Footing, Unit, UnitIx};
use crate::catalogue::{
    ARTY_43, DIS_01, FORM_35, HID_76, HID_77, MV_02, MV_09, MV_17, MV_27, MV_28, OBS_24, RuleId, SCN_11,
};
use crate::column;
use crate::crowd::Crowd;
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::fire::Holders;
use crate::hidden::{self, March};
use crate::instant::{Instant, Proposed, When};
use crate::los;
use crate::play::Play;
use crate::reform;
use crate::specials;
use crate::victory;

/// A unit with a program.
pub(super) struct Mover {
    pub(super) unit: UnitIx,
    pub(super) side: Side,
    pub(super) order: MoveOrder,
    pub(super) program: Program,
    /// As it stands now.
    pub(super) body: Body,
    /// Stands left.
    pub(super) stands: u32,
    /// The regiments of its brigade column, which go where it goes. TAC-28
    pub(super) tail: Tail,
    /// Points spent so far.
    pub(super) points: i64,
    pub(super) state: State,
    /// The segment at whose end it came on the table; 0 for all that stood there. SCN-11
    pub(super) entered: u8,
    /// Where it waits to come in.
    pub(super) door: Option<Door>,
    /// Where its losses have shifted it against its program. ORG-06
    shift: (i32, i32),
    /// Put in disorder on its way: it keeps its path and rate. MV-15
    pub(super) disordered: bool,
    /// The formation that it has lost on its way with the stand told off for it. TAC-14, TAC-21, TAC-22
    reduced_from: Option<Formation>,
    /// Its screen has fallen back on its way. TAC-20
    screen_back: bool,
    /// Deeds done, of those of its program.
    done: usize,
    /// Changes that were completed in this segment.
    completed: Vec<usize>,
    pub(super) stop: Stop,
    /// Enemies in sight when it set out, for `on_sight`.
    in_sight: BTreeSet<UnitIx>,
    fired_on_before: bool,
    pub(super) restriction: Option<Restriction>,
    horses: u32,
    /// How it stood at the ends of segments, where that changed.
    pub(super) track: Vec<(u8, Body)>,
}

/// Whether a mover still moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// At the door, off the table.
    Waiting,
    /// On its way.
    Going,
    /// Its program is done.
    Done,
    /// Stopped before its end, and why.
    Halted(RuleId, String),
}

impl Mover {
    pub(super) fn is_going(&self) -> bool {
        self.state == State::Going
    }

    /// The points that it may have spent by the end of a segment.
    fn points_by(&self, segment: u8) -> i64 {
        self.program.points_by(segment.saturating_sub(self.entered))
    }

    /// How its program has it stand after so many points, with what has befallen it on the way.
    pub(super) fn body_at(&self, points: i64) -> Body {
        let mut body = self.program.body_at(points);
        self.befall(&mut body);
        body
    }

    fn befall(&self, body: &mut Body) {
        let (dx, dy) = self.shift;
        if (dx, dy) != (0, 0) {
            let moved = |point: protocol::place::Point| protocol::place::Point::new(point.x + dx, point.y + dy);
            body.footing.anchor = moved(body.footing.anchor);
            body.footing.trail.iter_mut().for_each(|point| *point = moved(*point));
        }
        body.footing.disorder |= self.disordered;
        if self.reduced_from == Some(body.footing.formation) {
            (body.footing.formation, body.footing.gap) = (Formation::SingleLine, 0);
        }
        body.footing.screen_back |= self.screen_back && body.footing.formation == Formation::LineWithSkirmishers;
    }

    /// How it stood at the end of a segment.
    pub(super) fn body_by(&self, segment: u8) -> Body {
        self.body_at(self.points_by(segment).min(self.points))
    }

    pub(super) fn halt(&mut self, rule: RuleId, why: impl Into<String>) {
        if matches!(self.state, State::Going | State::Waiting) {
            self.state = State::Halted(rule, why.into());
        }
    }

    /// MV-15 Disorder on the way: what change is still to come is dropped.
    pub(super) fn disorder(&mut self) {
        self.disordered = true;
        self.body.footing.disorder = true;
        let deeds = &self.program.deeds;
        let pending = (self.done..deeds.len()).find(|&n| matches!(deeds[n].kind, Kind::Change { .. }));
        if let Some(pending) = pending {
            self.program.deeds.truncate(pending);
            self.program.leaves_by = None;
        }
    }

    /// Whether any inch of its push has been walked. MOVE-14
    pub(super) fn has_pushed(&self) -> bool {
        let is_push = |kind: &Kind| matches!(kind, Kind::Push { .. } | Kind::Schedule { pushes: true, .. });
        let pushes = self.program.deeds.iter().filter(|deed| is_push(&deed.kind));
        pushes.into_iter().any(|deed| deed.from < self.points)
    }

    /// HID-24 Whether it goes on as its picket would have.
    fn keeps_schedule(&self) -> bool {
        self.program.deeds.iter().any(|deed| matches!(deed.kind, Kind::Schedule { .. }))
    }

    fn has_change(&self) -> bool {
        self.program.deeds.iter().any(|deed| matches!(deed.kind, Kind::Change { .. }))
    }
}

/// The phase under way.
pub(super) struct Clock<'p, 'a> {
    pub(super) play: &'p mut Play<'a>,
    pub(super) movers: Vec<Mover>,
    riders: Vec<Rider>,
    pub(super) holders: Holders,
    /// The stands of every unit on the table, by its place in the list.
    pub(super) shapes: Vec<Option<Shape>>,
    /// What `shapes` was drawn from.
    drawn: Vec<Option<(Footing, u32)>>,
    /// Pairs of friends that have met in this phase, or stood on each other when it began. MV-14
    pub(super) met: BTreeSet<(UnitIx, UnitIx)>,
    /// How all stood when it was last looked who came near to leaders. OFF-02
    watch: leaders::Watch,
    /// The pickets on their way. HID-24
    pub(super) marches: Vec<March>,
}

/// Plays phase 7. MV-01, MV-02
pub(crate) fn play(play: &mut Play<'_>) {
    leaders::attach(play);
    crate::hidden::begin_marches(play);
    let movers = begin(play);
    let riders = leaders::riders(play, false);
    let marches = hidden::begin(play);
    let mut clock = Clock::new(play, movers, riders, marches);
    clock.enter(0);
    clock.play.segment = Some(0);
    clock.fire(When::Before, 0);
    for segment in 1..=SEGMENTS {
        clock.play.segment = Some(segment);
        clock.segment(segment);
    }
    clock.play.segment = Some(SEGMENTS + 1);
    ending::clear_overlaps(&mut clock);
    ending::push_rolls(&mut clock);
    hidden::push_rolls(clock.play, &clock.marches);
    clock.fire(When::After, SEGMENTS);
    clock.finish(MV_02);
}

/// DIS-01, ALG-MOVE 13 Plays the disengaging moves of phase 5 in the same segments, without any fire.
pub(crate) fn play_withdrawals(play: &mut Play<'_>, withdrawals: &[Withdrawal], marches: Vec<March>) {
    let movers = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let mover = |withdrawal: &Withdrawal| {
            let program = withdrawal.program(&field);
            Mover {
                restriction: None,
                ..of_program(&field, withdrawal.unit, MoveOrder::default(), program, Stop::Never {})
            }
        };
        withdrawals.iter().map(mover).collect()
    };
    let mut clock = Clock::new(play, movers, Vec::new(), marches);
    for segment in 1..=SEGMENTS {
        clock.play.segment = Some(segment);
        clock.segment_without_fire(segment);
    }
    clock.play.segment = Some(SEGMENTS + 1);
    ending::clear_overlaps(&mut clock);
    clock.finish(DIS_01);
}

/// MV-01 Everybody who has a program: MOVE and FORM orders that are still good, and those at the door.
fn begin(play: &mut Play<'_>) -> Vec<Mover> {
    column::orders::step_out(play);
    let units = play.table().units().filter(|(_, unit)| !unit.follows_in_column());
    let units: Vec<UnitIx> = units.map(|(ix, _)| ix).collect();
    let mut marches = Vec::new();
    for ix in units {
        if let Some(order) = entitled(play, ix) {
            marches.push((ix, order, stop(play, ix)));
        }
    }
    // All are compiled from one look, before any of them is marked.
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut movers: Vec<Mover> =
        marches.into_iter().map(|(ix, order, stop)| compiled(&field, ix, order, stop)).collect();
    for mover in &movers {
        mark(play, mover);
    }
    movers.extend(arrivals::at_the_door(play));
    movers
}

/// MV-01 The order that a unit may still carry out, along its newest path. MV-31
pub(super) fn entitled(play: &mut Play<'_>, ix: UnitIx) -> Option<MoveOrder> {
    let unit = &play.table()[ix];
    let from = unit.footing.anchor;
    let order = super::preview::as_move(&play.order(ix))?;
    if !keeps_its_order(unit) {
        return None;
    }
    // SCNS-15 It forms for turns to come before it is out of the formation of the start.
    if matches!(play.order(ix), Order::Form { .. }) && specials::is_still_leaving(play.table(), unit) {
        return None;
    }
    let answer = play.decide(ix, "path", PathAnswer::AsOrdered {}, |said| said.path.clone());
    Some(compile::redrawn(&order, from, Some(&answer)))
}

/// MV-01 Whether nothing has happened in this turn that takes a unit's order away.
pub(crate) fn keeps_its_order(unit: &Unit) -> bool {
    let marks = &unit.marks;
    let compromised = !unit.is_unrouted()
        || marks.fell_back
        || marks.conditional_hold
        || marks.order_spent
        || marks.charged_by.is_some()
        || marks.countercharged
        || marks.in_melee
        || marks.beaten;
    !compromised
}

/// A unit that sets out by itself.
pub(super) fn mover(play: &mut Play<'_>, ix: UnitIx, order: MoveOrder) -> Mover {
    let stop = stop(play, ix);
    let mover = compiled(&Field::new(play.rules, play.table(), play.dice), ix, order, stop);
    mark(play, &mover);
    mover
}

/// MV-27 Where its owner tells a unit to stop.
pub(super) fn stop(play: &mut Play<'_>, ix: UnitIx) -> Stop {
    play.decide(ix, "stop", Stop::Never {}, |said| said.stop)
}

/// MOR-58 Who will change its formation is busy with it from the start.
pub(super) fn mark(play: &mut Play<'_>, mover: &Mover) {
    if mover.has_change() {
        play.table_mut()[mover.unit].marks.forming = true;
    }
}

fn compiled(field: &Field<'_>, ix: UnitIx, order: MoveOrder, stop: Stop) -> Mover {
    let program = compile::compile(field, ix, &order);
    of_program(field, ix, order, program, stop)
}

pub(super) fn of_program(field: &Field<'_>, ix: UnitIx, order: MoveOrder, program: Program, stop: Stop) -> Mover {
    let unit = field.unit(ix);
    let in_sight = match stop {
        Stop::OnSight {} => field.seen_enemies(ix).into_iter().collect(),
        _ => BTreeSet::new(),
    };
    let restriction = refuse::restriction(field, ix);
    let body = Body::of(unit);
    Mover {
        unit: ix,
        side: unit.side,
        order,
        program,
        body: body.clone(),
        stands: unit.stands.len() as u32,
        tail: Tail::of(field.table, ix),
        points: 0,
        state: State::Going,
        entered: 0,
        door: None,
        shift: (0, 0),
        disordered: false,
        reduced_from: None,
        screen_back: unit.footing.screen_back,
        done: 0,
        completed: Vec::new(),
        stop,
        in_sight,
        fired_on_before: unit.marks.fired_on,
        restriction,
        horses: unit.guns.as_ref().map_or(0, |guns| guns.horses),
        track: vec![(0, body)],
    }
}

impl<'p, 'a> Clock<'p, 'a> {
    /// The clock before its first segment.
    pub(super) fn new(play: &'p mut Play<'a>, movers: Vec<Mover>, riders: Vec<Rider>, marches: Vec<March>) -> Self {
        let count = play.table().all_units().count();
        let holders = Holders::of(play);
        let (shapes, drawn) = (vec![None; count], vec![None; count]);
        let (met, watch) = (BTreeSet::new(), leaders::Watch::default());
        let mut clock = Clock { play, movers, riders, holders, shapes, drawn, met, watch, marches };
        clock.redraw();
        clock.met = passing::overlapping(&clock.shapes, &clock.crowd(), clock.play.table());
        clock
    }
}

impl Clock<'_, '_> {
    /// ALG-MOVE 5 to 10
    pub(super) fn segment(&mut self, segment: u8) {
        unveiled::take_in(self, segment.saturating_sub(1));
        self.complete_changes(segment);
        let mut proposals = self.propose(segment);
        uncover::touch(self, &proposals);
        refuse::refuse(self, &mut proposals);
        let before = crossings::anchors(self);
        self.commit(segment, proposals);
        hidden::step(self.play, &mut self.marches, segment);
        hidden::pass(self.play, &mut self.marches);
        crossings::roll(self, &before);
        victory::note_reached(self.play);
        exits::leave(self);
        self.enter(segment);
        leaders::ride(self.play, &mut self.riders, segment);
        passing::pass(self);
        if super::fires::surrenders(self) {
            self.follow_up();
        }
        uncover::look(self);
        self.fire(When::Segment(segment), segment);
        crate::crews::spike(self.play, segment);
        crate::wagons::overrun(self.play);
        self.stop_by_instruction();
        self.watch_leaders();
    }

    /// ALG-MOVE 13
    fn segment_without_fire(&mut self, segment: u8) {
        unveiled::take_in(self, segment.saturating_sub(1));
        let mut proposals = self.propose(segment);
        uncover::touch(self, &proposals);
        refuse::refuse(self, &mut proposals);
        let before = crossings::anchors(self);
        self.commit(segment, proposals);
        hidden::step(self.play, &mut self.marches, segment);
        hidden::pass(self.play, &mut self.marches);
        crossings::roll(self, &before);
        victory::note_reached(self.play);
        passing::pass(self);
        if super::fires::surrenders(self) {
            self.follow_up();
        }
        uncover::look(self);
        self.watch_leaders();
    }

    /// OFF-02 How near the enemy has come to each leader and unit.
    fn watch_leaders(&mut self) {
        if los::is_instant(self.play) {
            let crowd = self.crowd();
            leaders::watch(self.play, &self.shapes, &crowd, &mut self.watch);
        }
    }

    /// MV-07, FORM-35 Changes whose last point falls in this segment take the place that is free now.
    fn complete_changes(&mut self, segment: u8) {
        for n in 0..self.movers.len() {
            self.movers[n].completed.clear();
            while let Some(deed) = self.due_deed(n, segment) {
                let mover = &self.movers[n];
                if let Kind::Change { task, last, .. } = mover.program.deeds[deed].kind.clone() {
                    let from = mover.program.deeds[deed].before.clone();
                    match self.room_for(n, from, &task) {
                        Some(placed) => self.complete(n, deed, placed, last),
                        None => {
                            let mover = &mut self.movers[n];
                            mover.halt(FORM_35, "there was no room to form");
                            break;
                        }
                    }
                }
                if let Kind::Swing { elements, .. } = self.movers[n].program.deeds[deed].kind.clone() {
                    crate::works::swing(self.play, self.movers[n].unit, &elements);
                }
                self.movers[n].done = deed + 1;
            }
        }
    }

    /// The next deed of a mover that is done by the end of the segment.
    fn due_deed(&self, n: usize, segment: u8) -> Option<usize> {
        let mover = &self.movers[n];
        let deed = mover.program.deeds.get(mover.done)?;
        (mover.is_going() && deed.to <= mover.points_by(segment)).then_some(mover.done)
    }

    /// Where a change brings the unit, as others stand now. None: nowhere. Enemies who are in its way are met before anything
    /// is told. LOS-02
    fn room_for(&mut self, n: usize, from: Body, task: &FormTask) -> Option<Body> {
        let met = RefCell::default();
        let placed = self.placed(n, from, task, &met);
        let ix = self.movers[n].unit;
        reform::meet(self.play, ix, met.into_inner());
        placed
    }

    /// As [`Clock::room_for`], and meets nobody. `met` takes up the enemies who alone keep it from a
    /// place that it tries. LOS-02
    fn placed(&self, n: usize, mut from: Body, task: &FormTask, met: &RefCell<BTreeSet<UnitIx>>) -> Option<Body> {
        let mover = &self.movers[n];
        mover.befall(&mut from);
        let table = self.play.table();
        let field = Field::new(self.play.rules, table, self.play.dice);
        let unit = &table[mover.unit];
        let toward = || compile::toward_enemy(&field, mover.unit, &from);
        let after = forming::after(&field, unit, &from, task, toward).ok()?;
        let others = table.units().map(|(ix, _)| ix).filter(move |ix| *ix != mover.unit);
        let others = others.filter_map(|ix| Some((ix, self.shapes[ix.0 as usize].as_ref()?)));
        let kept_off = |by: &[UnitIx]| {
            if by.iter().all(|ix| table[*ix].side != mover.side) {
                met.borrow_mut().extend(by);
            }
        };
        if !after.footing.screen_is_out() {
            return forming::clear_place(&after, mover.stands, others, kept_off);
        }
        // TAC-16 The line takes its place first, then the screen its own before it.
        let mut line = after;
        line.footing.screen_back = true;
        let mut line = forming::clear_place(&line, mover.stands, others.clone(), kept_off)?;
        line.footing.screen_back = false;
        let least = self.play.rules.movement_limits.skirmisher_min_distance_to_enemy.thousandths();
        let (width, height) = (table.ground().ground().width, table.ground().ground().height);
        let on_table = |screen: &Shape| {
            let mut corners = screen.rects.iter().flat_map(|rect| rect.corners);
            corners.all(|corner| (0..=width).contains(&corner.x) && (0..=height).contains(&corner.y))
        };
        let is_free = |screen: &Shape| {
            if !on_table(screen) || self.known_enemies(mover.side).any(|enemy| screen.within(enemy, least)) {
                return false;
            }
            let by = others.clone().filter(|(_, other)| screen.overlaps(other));
            let by: Vec<UnitIx> = by.map(|(ix, _)| ix).collect();
            kept_off(&by);
            by.is_empty()
        };
        forming::with_screen(self.play.rules, &line, mover.stands, is_free)
    }

    /// Where all stand now.
    pub(super) fn crowd(&self) -> Crowd {
        crowd_of(self.shapes.iter().map(Option::as_ref), self.size_of_table())
    }

    /// Width and height of the table, thousandths of an inch.
    pub(super) fn size_of_table(&self) -> (i32, i32) {
        let ground = self.play.table().ground().ground();
        (ground.width, ground.height)
    }

    /// The stands of the enemies of a side that are not routed, and that count for it. LOS-19
    fn known_enemies(&self, side: Side) -> impl Iterator<Item = &Shape> {
        let table = self.play.table();
        let enemies = table.units_of(side.enemy()).filter(|(_, enemy)| enemy.is_unrouted());
        let enemies = enemies.filter(move |(ix, _)| table.knows_of(side, *ix));
        enemies.filter_map(|(ix, _)| self.shapes[ix.0 as usize].as_ref())
    }

    fn complete(&mut self, n: usize, deed: usize, placed: Body, last: bool) {
        let (rules, dice) = (self.play.rules, self.play.dice);
        let mover = &mut self.movers[n];
        mover.completed.push(deed);
        let Kind::Change { after, .. } = &mut mover.program.deeds[deed].kind else { return };
        if *after == placed {
            return;
        }
        // Another place than planned: what follows is reckoned anew from there.
        *after = placed.clone();
        mover.shift = (0, 0);
        let spent = mover.program.deeds[deed].to;
        mover.program.deeds.truncate(deed + 1);
        if !last {
            let rest =
                MoveOrder { form_first: None, about_face: false, prone: mover.order.prone, ..mover.order.clone() };
            let field = Field::new(rules, &self.play.battle.table, dice);
            let rest = compile::compile_from(&field, mover.unit, placed, spent, &rest);
            mover.program.deeds.extend(rest.deeds);
            mover.program.leaves_by = rest.leaves_by;
        }
    }

    /// ALG-MOVE 5 Where everybody would stand at the end of the segment; None for those who stay as they are.
    fn propose(&self, segment: u8) -> Vec<Option<Body>> {
        let proposed = |mover: &Mover| {
            let body = mover.body_at(mover.points_by(segment));
            (mover.is_going() && body != mover.body).then_some(body)
        };
        self.movers.iter().map(proposed).collect()
    }

    /// ALG-MOVE 8 All proposals at once.
    fn commit(&mut self, segment: u8, proposals: Vec<Option<Body>>) {
        for (n, proposal) in proposals.into_iter().enumerate() {
            if !self.movers[n].is_going() {
                continue;
            }
            let points = self.movers[n].points_by(segment).min(self.movers[n].program.spent());
            self.movers[n].points = points;
            if let Some(body) = proposal {
                self.step(n, segment, body);
            }
            self.tell_changes(n);
            let mover = &mut self.movers[n];
            if mover.program.spent() <= points {
                mover.state = State::Done;
            }
        }
    }

    /// Moves one unit, and the leaders with it.
    fn step(&mut self, n: usize, segment: u8, body: Body) {
        let mover = &mut self.movers[n];
        let ix = mover.unit;
        let before = self.shapes[ix.0 as usize].as_ref().map(Shape::center);
        let shape =
            carried_or_drawn(self.shapes[ix.0 as usize].as_ref(), &mover.body, &body, mover.stands, &mover.tail);
        let after = shape.center();
        let disordered = body.footing.disorder && !mover.body.footing.disorder;
        let formed = mover.keeps_schedule() && body.footing.formation != mover.body.footing.formation;
        let rises = mover.body.footing.prone && !body.footing.prone;
        let only_formed = !mover.completed.is_empty();
        let loosens = mover.order.in_disorder;
        mover.body = body.clone();
        mover.track.push((segment, body.clone()));
        let stands = mover.stands;
        self.drawn[ix.0 as usize] = Some((body.footing.clone(), stands + mover.tail.stands()));
        self.shapes[ix.0 as usize] = Some(shape);
        let unit = &mut self.play.table_mut()[ix];
        body.put(unit);
        unit.marks.moved |= !only_formed;
        unit.marks.risen |= rises;
        let (id, name) = (unit.id.clone(), unit.name.clone());
        if disordered {
            let (rule, text) = match loosens {
                true => (OBS_24, format!("{name} goes on in disorder.")),
                false => (MV_17, format!("{name} moves more than 45 degrees off its front and is in disorder.")),
            };
            self.play.tell(rule, Fact::Disorder { unit: id, disorder: true }, sentence(text));
            column::disorder_with_lead(self.play, ix);
        }
        if formed {
            self.tell_formed(n);
        }
        if let Some(before) = before {
            leaders::carry(self.play, ix, (after.x - before.x, after.y - before.y));
        }
        tail::drag(self.play, ix, !only_formed, rises);
    }

    /// HID-50 A change that was begun under a picket is told when it is done, as any other.
    fn tell_formed(&mut self, n: usize) {
        let mover = &self.movers[n];
        let (stance, formation) = (mover.body.stance(mover.stands), mover.body.footing.formation);
        let unit = &mut self.play.battle.table[mover.unit];
        unit.marks.changed_formation = true;
        unit.marks.forming = false;
        let text = format!("{} is now in {formation}.", unit.name);
        let fact = Fact::Formed { unit: unit.id.clone(), after: stance };
        self.play.tell(MV_09, fact, sentence(text));
    }

    /// MV-09 A change is told when its last point is spent.
    fn tell_changes(&mut self, n: usize) {
        let completed = std::mem::take(&mut self.movers[n].completed);
        for deed in completed {
            let mover = &self.movers[n];
            let Kind::Change { task, after, .. } = &mover.program.deeds[deed].kind else { continue };
            let limbers = matches!(task, protocol::orders::FormTask::Limber { .. });
            let (stance, formation) = (after.stance(mover.stands), after.footing.formation);
            let then = horse_words(task);
            // CAV-22, MOR-58 Who has another change before him is forming until that is finished.
            let pending = mover.program.deeds[mover.done..].iter().any(|deed| matches!(deed.kind, Kind::Change { .. }));
            let unit = &mut self.play.battle.table[mover.unit];
            unit.marks.changed_formation = true;
            unit.marks.forming = pending;
            unit.marks.guns_silent |= limbers;
            if formation != Formation::SkirmishLine && unit.guns.is_none() {
                unit.last_formed = formation;
            }
            let text = match unit.guns {
                Some(_) => format!("{} is now {formation}.", unit.name),
                None => format!("{} {then} in {formation}.", unit.name),
            };
            let fact = Fact::Formed { unit: unit.id.clone(), after: stance };
            self.play.tell(MV_09, fact, sentence(text));
        }
    }

    /// ALG-MOVE 3, 7, 10, 12 Holders fire, and what follows is settled.
    fn fire(&mut self, when: When, segment: u8) {
        if super::fires::turn(self.play, when) {
            self.redraw();
        }
        let next = if when == When::After { Vec::new() } else { self.next(segment + 1) };
        if super::fires::at(self.play, &self.holders, Instant { when, next: &next }) {
            self.follow_up();
        }
    }

    /// ALG-MOVE 7 The proposals of the next segment, which commit nothing.
    fn next(&self, segment: u8) -> Vec<Proposed> {
        let proposals = self.propose(segment.min(SEGMENTS));
        let named = self.movers.iter().zip(proposals).filter_map(|(mover, body)| Some((mover, body?)));
        let with_tail = named.flat_map(|(mover, body)| {
            let behind = mover.tail.iter().map(|behind| (behind.unit, behind.body(&body).footing));
            let mut all: Vec<(UnitIx, Footing)> = behind.collect();
            all.push((mover.unit, body.footing));
            all
        });
        with_tail.map(|(unit, footing)| Proposed { unit, footing }).collect()
    }

    /// MV-28 After fire and its checks: who failed stops, who was shifted by losses goes on beside its line.
    fn follow_up(&mut self) {
        self.redraw();
        for n in 0..self.movers.len() {
            let ix = self.movers[n].unit;
            let (rules, dice) = (self.play.rules, self.play.dice);
            let unit = self.play.battle.table[ix].clone();
            let mover = &mut self.movers[n];
            if mover.state == State::Waiting {
                continue;
            }
            mover.stands = unit.stands.len() as u32;
            mover.tail = Tail::of(&self.play.battle.table, ix);
            if !unit.on_table() || !unit.is_unrouted() || unit.marks.fell_back {
                mover.halt(MV_28, "it failed a morale check");
                continue;
            }
            let (was, is) = (mover.body.footing.anchor, unit.footing.anchor);
            mover.shift = (mover.shift.0 + is.x - was.x, mover.shift.1 + is.y - was.y);
            if unit.footing.disorder && !mover.body.footing.disorder {
                mover.disorder();
            }
            let told_off = [Formation::LineWithReserve, Formation::LineWithSkirmishers];
            let was = mover.body.footing.formation;
            if told_off.contains(&was) && unit.footing.formation == Formation::SingleLine {
                mover.reduced_from = Some(was);
            }
            mover.screen_back |= unit.footing.screen_back;
            mover.body = Body::of(&unit);
            if unit.morale == Morale::Shaken && mover.restriction.is_none() {
                // SHK-09 An officer holds it: it goes on where that is no advance.
                let field = Field::new(rules, &self.play.battle.table, dice);
                mover.restriction = refuse::restriction(&field, ix);
            }
            self.team_hit(n, &unit);
        }
    }

    /// ARTY-43 A limbered battery that loses a horse on the march stops for the turn.
    fn team_hit(&mut self, n: usize, unit: &Unit) {
        let horses = unit.guns.as_ref().map_or(0, |guns| guns.horses);
        let mover = &mut self.movers[n];
        let hit = horses < mover.horses && unit.is_limbered() && mover.is_going();
        mover.horses = horses;
        if !hit {
            return;
        }
        mover.halt(ARTY_43, "a horse was hit, and the team has to be cleared");
        let ix = mover.unit;
        self.play.table_mut()[ix].marks.guns_silent = true;
        let choice = self.play.decide(ix, "if_halted", IfHalted::Stay {}, |said| said.if_halted);
        let IfHalted::Unlimber { bearing } = choice else { return };
        let task = protocol::orders::FormTask::Unlimber { facing: bearing };
        let body = self.movers[n].body.clone();
        if let Some(placed) = self.room_for(n, body, &task) {
            let segment = self.play.segment.unwrap_or(0).min(SEGMENTS);
            let stance = placed.stance(self.movers[n].stands);
            self.step(n, segment, placed);
            let unit = &mut self.play.battle.table[ix];
            unit.marks.changed_formation = true;
            let text = format!("{} unlimbers where its team was hit.", unit.name);
            let fact = Fact::Formed { unit: unit.id.clone(), after: stance };
            self.play.tell(ARTY_43, fact, sentence(text));
        }
    }

    /// MV-27 Standing stops that look back on the segment: sight, fire, distance.
    fn stop_by_instruction(&mut self) {
        for n in 0..self.movers.len() {
            let mover = &self.movers[n];
            if !mover.is_going() {
                continue;
            }
            let unit = &self.play.table()[mover.unit];
            let why = match mover.stop {
                Stop::OnSight {} => {
                    let field = Field::new(self.play.rules, self.play.table(), self.play.dice);
                    let mut unseen = field.enemies_of(mover.side).filter(|(ix, _)| !mover.in_sight.contains(ix));
                    let new = unseen.find(|(ix, enemy)| enemy.is_unrouted() && field.sees(mover.unit, *ix));
                    new.map(|(_, enemy)| format!("`{}` came into sight", enemy.name))
                }
                Stop::IfFiredOn {} if unit.marks.fired_on && !mover.fired_on_before => {
                    Some("it was fired on".to_owned())
                }
                Stop::After { travel } if travel <= track::travelled(&mover.track).unsigned_abs() => {
                    Some("it was told to go no farther".to_owned())
                }
                Stop::IfFiredOn {}
                | Stop::After { .. }
                | Stop::BeforeClose {}
                | Stop::Before { .. }
                | Stop::Never {} => None,
            };
            if let Some(why) = why {
                self.movers[n].halt(MV_27, why);
            }
        }
    }

    /// SCN-11 Who waits at the door comes in where the place is free of friends.
    fn enter(&mut self, segment: u8) {
        for n in 0..self.movers.len() {
            if self.movers[n].state != State::Waiting {
                continue;
            }
            arrivals::see_who_bars(self, n);
            let Some(body) = arrivals::place(self, n) else { continue };
            let mover = &mut self.movers[n];
            mover.state = State::Going;
            mover.entered = segment;
            mover.body = body.clone();
            mover.track = vec![(segment, body.clone())];
            let (ix, stands) = (mover.unit, mover.stands);
            let unit = &mut self.play.battle.table[ix];
            body.put(unit);
            unit.presence = protocol::view::Presence::Table;
            unit.marks.moved = true;
            // SCN-15, CMD-06: at the door it needed no command, and that holds for the whole turn.
            unit.marks.in_command = true;
            let fact = Fact::Arrived { unit: unit.id.clone(), after: body.stance(stands) };
            let text = format!("{} comes on the table.", unit.name);
            self.play.tell(SCN_11, fact, sentence(text));
            self.redraw();
            arrivals::compile(self, n);
            leaders::arrive(self.play, ix);
        }
    }

    /// Draws every unit that is not as it was drawn.
    pub(super) fn redraw(&mut self) {
        for n in 0..self.drawn.len() {
            self.redraw_unit(UnitIx(n as u16));
        }
    }

    /// Draws one unit, if it is not as it was drawn.
    pub(super) fn redraw_unit(&mut self, ix: UnitIx) {
        let (n, unit) = (ix.0 as usize, &self.play.battle.table[ix]);
        // TAC-28 A column is one body, drawn with its lead.
        if !unit.on_table() || unit.stands.is_empty() || unit.follows_in_column() {
            (self.shapes[n], self.drawn[n]) = (None, None);
            return;
        }
        let (own, tail) = (unit.stands.len() as u32, Tail::of(&self.play.battle.table, ix));
        let all = own + tail.stands();
        let fresh = matches!(&self.drawn[n], Some((footing, stands)) if *footing == unit.footing && *stands == all);
        if !fresh {
            self.shapes[n] = Some(tail.shape(&Body::of(unit), own));
            self.drawn[n] = Some((unit.footing.clone(), all));
        }
    }

    /// ALG-MOVE 11 Tells the ways, and closes the orders; that of a unit that disengages lasts all turn. DIS-08
    fn finish(mut self, rule_of_all: RuleId) {
        self.play.segment = None;
        for mover in std::mem::take(&mut self.movers) {
            if mover.state == State::Waiting {
                continue;
            }
            let unit = &mut self.play.battle.table[mover.unit];
            unit.marks.forming = false;
            unit.marks.order_spent |= rule_of_all != DIS_01;
            let (id, name) = (unit.id.clone(), unit.name.clone());
            for behind in mover.tail.iter() {
                let marks = &mut self.play.battle.table[behind.unit].marks;
                marks.forming = false;
                marks.order_spent |= rule_of_all != DIS_01;
            }
            let halted = match &mover.state {
                State::Halted(rule, why) => Some((*rule, why.clone())),
                State::Done if mover.program.stops.is_some() => mover.program.stops.clone(),
                State::Done | State::Going | State::Waiting => None,
            };
            if mover.track.len() < 2 && halted.is_none() {
                continue;
            }
            let track = track::compressed(&mover.track, mover.stands);
            let text = match &halted {
                Some((_, why)) => format!("{name} stops: {why}."),
                None => format!("{name} has done what it was ordered."),
            };
            let mut explanation = sentence(text);
            explanation.notes = mover.program.notes.clone();
            if let Some((rule, why)) = &halted {
                explanation = explanation.with_note(*rule, why.clone());
            }
            let rule = halted.as_ref().map_or(rule_of_all, |(rule, _)| *rule);
            let fact = Fact::Moved { unit: id, track, halted: halted.map(|(_, why)| why) };
            self.play.tell(rule, fact, explanation);
            tail::tell(self.play, &mover, &name);
        }
        leaders::tell(self.play, &self.riders);
        let rule = if rule_of_all == DIS_01 { HID_76 } else { HID_77 };
        hidden::finish(self.play, std::mem::take(&mut self.marches), rule);
    }
}

/// What a unit has come to by a change of formation, to be read before that formation.
fn horse_words(task: &FormTask) -> &'static str {
    match task {
        FormTask::Mount { .. } => "has mounted and is now",
        FormTask::Dismount { .. } => "has dismounted and is now",
        _ => "is now",
    }
}

/// Shapes by their place in the list of units.
pub(super) fn crowd_of<'s>(shapes: impl Iterator<Item = Option<&'s Shape>>, size_of_table: (i32, i32)) -> Crowd {
    let standing = shapes.enumerate().filter_map(|(n, shape)| Some((UnitIx(n as u16), shape?.extent())));
    Crowd::of(standing, size_of_table)
}

/// The shape of a unit in its next place: carried along where it neither turns nor changes.
pub(super) fn carried_or_drawn(shape: Option<&Shape>, before: &Body, after: &Body, stands: u32, tail: &Tail) -> Shape {
    let same = |body: &Body| {
        let Footing { facing, formation, gap, refused, .. } = body.footing;
        (facing, formation, gap, refused, body.footing.screen_is_out(), body.stand_width, body.stand_depth)
    };
    let straight = before.footing.trail.is_empty() && after.footing.trail.is_empty();
    match shape {
        Some(shape)
            if straight && same(before) == same(after) && shape.rects.len() == (stands + tail.stands()) as usize =>
        {
            let (from, to) = (before.footing.anchor, after.footing.anchor);
            shape.carried((to.x - from.x, to.y - from.y))
        }
        _ => tail.shape(after, stands),
    }
}
