//! What a charged unit does as it stands: forming to face the charge, refusing an end stand, rising, turning guns, or getting ready
//! to come and meet it. CF-01 to CF-11, REV-12, CC-04, TAC-10, TAC-23, ARTY-27, CHG-55
//!
//! Owns the choice and the competence roll. Whether it fires, and when, is [`super::volley`]'s.

use protocol::event::{Fact, FlankClass};
use protocol::orders::{FormTask, IfCharged, Order};
use protocol::words::{Arm, Formation, Quality};

use super::run::Run;
use super::threat::{body, is_disengaging};
use super::{columns, contact, counter, volley};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_27, CAVC_15, CF_01, CF_02, CF_04, CF_05, CF_06, CF_09, REV_12, RuleId, TAC_10, TAC_23};
use crate::column;
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry;
use crate::ground::{PathCost, Terrain};
use crate::holding;
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight::{self, displacement};
use crate::play::Play;
use crate::reform;

/// What comes of a unit's answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// It may fire its volley. CHG-40
    pub volley: bool,
    /// It is caught while forming. CF-03, CF-06, TAC-10
    pub forming: bool,
    /// It will countercharge when its moment comes. CF-09, CC-04
    pub countercharges: bool,
}

const STANDS: Reply = Reply { volley: true, forming: false, countercharges: false };

/// What a unit under charge knows of it.
struct Threatened {
    unit: UnitIx,
    /// Points that the charge spends to contact, and in all.
    contact: i64,
    total: i64,
    /// The distance at which the charge began or came into view, thousandths of an inch. CF-07
    latest: i32,
    /// From where it will be struck. IDD-07
    aspect: FlankClass,
    /// The formation that it takes and the bearing it then faces are told by this ray.
    run: UnitIx,
}

/// ALG-CHARGE 6d What a unit does from the moment when it is charged.
pub fn reply(play: &mut Play<'_>, run: &Run, (way, spent): (&PathCost, i64), enemy: UnitIx) -> Reply {
    draw_in_screen(play, enemy);
    let unit = &play.table()[enemy];
    let marks = &unit.marks;
    if is_disengaging(unit) || !unit.is_unrouted() || marks.beaten || marks.in_melee {
        return Reply::default();
    }
    if unit.mounted {
        return mounted(play, enemy);
    }
    if unit.footing.prone {
        return rise(play, enemy);
    }
    let moved_already = marks.charged || marks.countercharged || marks.fell_back;
    let in_square = unit.footing.formation == Formation::Square && !unit.footing.disorder;
    if moved_already || in_square {
        return STANDS;
    }
    let threatened = threatened(play, run, way, spent, enemy);
    let spent_order = marks.order_spent;
    let holds = marks.conditional_hold;
    match play.order(enemy) {
        Order::FirstFire {} => STANDS,
        Order::Disengage { .. } => Reply::default(),
        Order::Charge { .. } if !holds => Reply::default(),
        Order::Form { task } if !holds && !spent_order => marked_form(play, run, &threatened, &task),
        Order::Move(_) if !holds && !spent_order => marching(play, run, way, spent, &threatened),
        Order::Hold { .. } | Order::Special { .. } => holding(play, run, way, spent, &threatened, !holds),
        Order::Charge { .. } | Order::Form { .. } | Order::Move(_) if holds => {
            holding(play, run, way, spent, &threatened, false)
        }
        Order::Charge { .. } | Order::Form { .. } | Order::Move(_) => STANDS,
    }
}

/// CAVC-15, CAVC-38 Horse that is charged fires no volley and never forms: caught in a change of formation it is in disorder and
/// counts as forming; else it stands as it is, unless it comes to meet the charge.
fn mounted(play: &mut Play<'_>, ix: UnitIx) -> Reply {
    let marks = &play.table()[ix].marks;
    let done = marks.conditional_hold || marks.order_spent || marks.changed_formation;
    let changes = match play.order(ix) {
        Order::Form { task } => !matches!(task, FormTask::Resupply {}),
        _ => false,
    };
    if done || !changes {
        return Reply::default();
    }
    let marks = &mut play.table_mut()[ix].marks;
    marks.changed_formation = true;
    marks.forming = false;
    marks.order_spent = true;
    fall_into_disorder(play, ix, CAVC_15);
    Reply { forming: true, ..Reply::default() }
}

fn threatened(play: &Play<'_>, run: &Run, way: &PathCost, spent: i64, enemy: UnitIx) -> Threatened {
    let field = Field::new(play.rules, play.table(), play.dice);
    let travel = contact::strikes_at(&field, run.point, run.bearing, enemy, way.length()).unwrap_or(0);
    Threatened {
        unit: enemy,
        contact: spent + way.points_at(travel),
        total: run.budget,
        latest: volley::latest(&field, run, enemy),
        aspect: aspect_after(&field, run, enemy, travel),
        run: run.point,
    }
}

/// IDD-07 From where a unit will be struck by a charger that comes on so far.
pub(super) fn aspect_after(field: &Field<'_>, run: &Run, enemy: UnitIx, travel: i32) -> FlankClass {
    let mut ghosts = field.table.clone();
    let by = displacement(run.bearing, travel);
    let footing = &mut ghosts[run.point].footing;
    footing.anchor = protocol::place::Point::new(footing.anchor.x + by.x, footing.anchor.y + by.y);
    fire::class_at_contact(&Field::before_dice(field.rules, &ghosts), run.point, enemy)
}

/// TAC-23 The screen falls back behind its regiment at once.
fn draw_in_screen(play: &mut Play<'_>, ix: UnitIx) {
    let unit = &mut play.table_mut()[ix];
    if !unit.footing.screen_is_out() {
        return;
    }
    unit.footing.screen_back = true;
    let text = format!("The skirmish screen of {} falls back behind it.", unit.name);
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(TAC_23, fact, sentence(text));
}

/// TAC-10 A prone unit rises, and counts as forming unless it is in disorder.
fn rise(play: &mut Play<'_>, ix: UnitIx) -> Reply {
    let unit = &mut play.table_mut()[ix];
    unit.footing.prone = false;
    unit.marks.risen = true;
    let forming = !unit.footing.disorder;
    column::follow(play.table_mut(), ix);
    let unit = &play.table()[ix];
    let text = format!("{} rises to meet the charge.", named(&unit.name));
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(TAC_10, fact, sentence(text));
    Reply { forming, ..STANDS }
}

/// CF-07 No time to form against a charge that began, or came into view, so near.
fn has_time(play: &Play<'_>, threatened: &Threatened) -> bool {
    play.rules.charge.no_reform_if_started_within.thousandths() <= threatened.latest
}

/// CF-01 to CF-04, CF-07 A unit marked FORM is caught in the act.
fn marked_form(play: &mut Play<'_>, run: &Run, threatened: &Threatened, task: &FormTask) -> Reply {
    let ix = threatened.unit;
    let formation = match task {
        FormTask::Formation { formation, .. } => *formation,
        FormTask::FrontToFlank { .. } => Formation::SingleLine,
        // OBS-07 A working party is a disordered unit with FORM: it tries to take up its ranks again.
        FormTask::Work { .. } => play.table()[ix].footing.formation,
        FormTask::Resupply {}
        | FormTask::JoinRegiment { .. }
        | FormTask::ManGuns { .. }
        | FormTask::Swing { .. }
        | FormTask::Deploy { .. }
        | FormTask::Face { .. } => return STANDS,
        FormTask::Limber { .. }
        | FormTask::Unlimber { .. }
        | FormTask::Mount { .. }
        | FormTask::Dismount { .. }
        | FormTask::Square {}
        | FormTask::BrigadeColumn { .. } => return Reply { forming: true, ..STANDS },
    };
    let caught = Reply { forming: true, ..STANDS };
    // TAC-34 A brigade column is left in phase 7: until then it stands.
    let leads = play.table()[ix].leads_column();
    if leads || play.table()[ix].marks.changed_formation || !has_time(play, threatened) {
        return caught;
    }
    if takes_half_a_move(play, ix) && threatened.total < 2 * threatened.contact {
        return if forms(play, run, ix, formation, CF_01) { STANDS } else { fails(play, ix, CF_04) };
    }
    if rolls(play, ix, CF_02) && forms(play, run, ix, formation, CF_02) { caught } else { fails(play, ix, CF_04) }
}

/// TAC-41 Foot that lost its order in trying to form square counts as forming against horse.
pub fn is_caught_squaring(play: &Play<'_>, charger: UnitIx, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    play.table()[charger].mounted && unit.marks.square_failed && unit.footing.disorder
}

/// CF-01 Formed veterans and elites outside woods and rough ground.
fn takes_half_a_move(play: &Play<'_>, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    let unit = field.unit(ix);
    unit.is_formed() && unit.drill() != Quality::Green && field.terrain(ix) < Terrain::Woods
}

/// REV-12, CC-04, CF-05, CF-10 A marching unit goes to Conditional Hold and forms where it needs to, or comes to meet the charge.
fn marching(play: &mut Play<'_>, run: &Run, way: &PathCost, spent: i64, threatened: &Threatened) -> Reply {
    let ix = threatened.unit;
    let comes = counter::may_countercharge(play, run, ix);
    let in_disorder = counter::charger_disordered_at_trigger(play, run, way, spent, ix);
    let answer = play.decide(ix, "if_charged", IfCharged::Form, |said| {
        said.if_charged.filter(|answer| match answer {
            IfCharged::Form => true,
            IfCharged::Countercharge => comes,
            IfCharged::CounterchargeIfAttackerDisordered => comes && in_disorder,
            IfCharged::Stand | IfCharged::FormIfFlanked | IfCharged::FormIfDisordered => false,
        })
    });
    if answer != IfCharged::Form {
        return Reply { countercharges: true, ..Reply::default() };
    }
    goes_to_hold(play, ix, REV_12, true);
    if !needs_to_form(&play.table()[ix], threatened.aspect) {
        return STANDS;
    }
    to_face_it(play, run, threatened)
}

/// CC-04 A marching unit that was to come and meet the charge, and never had its moment, takes it as it stands, on Conditional
/// Hold.
pub fn is_caught(play: &mut Play<'_>, ix: UnitIx) {
    if matches!(play.order(ix), Order::Move(_)) && !play.table()[ix].mounted {
        goes_to_hold(play, ix, REV_12, true);
    }
}

/// CF-10 A marching unit must form in march column, skirmish line or disorder, or when it would be struck on flank or rear.
pub(crate) fn needs_to_form(unit: &Unit, aspect: FlankClass) -> bool {
    unit.footing.disorder
        || unit.is_skirmishing()
        || unit.footing.formation == Formation::MarchColumn
        || aspect != FlankClass::Front
}

/// CF-09, CF-11, ARTY-27 A unit on HOLD or Conditional Hold does what its owner says.
fn holding(
    play: &mut Play<'_>,
    run: &Run,
    way: &PathCost,
    spent: i64,
    threatened: &Threatened,
    on_hold: bool,
) -> Reply {
    let ix = threatened.unit;
    if play.table()[ix].arm == Arm::Artillery {
        pivot(play, threatened);
        return STANDS;
    }
    let comes = on_hold && counter::may_countercharge(play, run, ix);
    let in_disorder = comes && counter::charger_disordered_at_trigger(play, run, way, spent, ix);
    let may_form = !play.table()[ix].marks.changed_formation && has_time(play, threatened);
    let (flanked, disordered) = (threatened.aspect != FlankClass::Front, play.table()[ix].footing.disorder);
    let answer = play.decide(ix, "if_charged", IfCharged::Stand, |said| {
        said.if_charged.filter(|answer| match answer {
            IfCharged::Stand => true,
            IfCharged::Form => may_form,
            IfCharged::FormIfFlanked => may_form && flanked,
            IfCharged::FormIfDisordered => may_form && disordered,
            IfCharged::Countercharge => comes,
            IfCharged::CounterchargeIfAttackerDisordered => comes && in_disorder,
        })
    });
    match answer {
        IfCharged::Stand => {
            if on_hold || has_time(play, threatened) {
                holding::refuse_against_charge(play, ix);
            }
            STANDS
        }
        IfCharged::Form | IfCharged::FormIfFlanked | IfCharged::FormIfDisordered => {
            if on_hold {
                goes_to_hold(play, ix, CF_09, false);
            }
            to_face_it(play, run, threatened)
        }
        IfCharged::Countercharge | IfCharged::CounterchargeIfAttackerDisordered => {
            Reply { countercharges: true, ..Reply::default() }
        }
    }
}

/// CF-05, CF-06 The roll to form and face the charge.
fn to_face_it(play: &mut Play<'_>, run: &Run, threatened: &Threatened) -> Reply {
    let ix = threatened.unit;
    if play.table()[ix].marks.changed_formation || !has_time(play, threatened) {
        return STANDS;
    }
    let unit = play.table()[ix].clone();
    let dismounted = unit.arm == Arm::Cavalry && !unit.mounted;
    let default = if dismounted { Formation::DismountedLine } else { Formation::SingleLine };
    // CAV-24, MOR-65 Nobody mounts or dismounts to meet a charge: what the other state has counts as absent.
    let open_to_it = |to: &Formation| unit.arm != Arm::Cavalry || reform::may_take(&unit, *to);
    let formation = play.choice(ix, default, |said| said.form_if_charged.filter(open_to_it)).0;
    if rolls(play, ix, CF_05) && forms(play, run, ix, formation, CF_06) {
        play.table_mut()[ix].marks.formed_on_hold = true;
        return Reply { forming: true, ..STANDS };
    }
    fails(play, ix, CF_06)
}

fn goes_to_hold(play: &mut Play<'_>, ix: UnitIx, rule: RuleId, forced: bool) {
    // TAC-28 A column holds as its lead does.
    for behind in column::followers(play.table(), ix) {
        play.table_mut()[behind].marks.conditional_hold = true;
    }
    let unit = &mut play.table_mut()[ix];
    unit.marks.conditional_hold = true;
    let text = match forced {
        true => format!("{} is charged, gives up its march and holds as it stands.", named(&unit.name)),
        false => format!("{} gives up its hold to form and face the charge.", named(&unit.name)),
    };
    let fact = Fact::ConditionalHold { unit: unit.id.clone(), forced };
    play.tell(rule, fact, sentence(text));
}

fn rolls(play: &mut Play<'_>, ix: UnitIx, rule: RuleId) -> bool {
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(ix).id.to_string();
        competence::roll(play, &field, ix, Purpose::CfForm, &[&key], "forming to face the charge")
    };
    let passed = finding.passed;
    Finding { rule, ..finding }.tell(play);
    passed
}

/// CF-10 It forms about its centre and faces back along the ray. False: there is no room.
fn forms(play: &mut Play<'_>, run: &Run, ix: UnitIx, formation: Formation, rule: RuleId) -> bool {
    if play.table()[ix].leads_column() {
        return column_faces(play, run, ix, rule);
    }
    let (footing, met) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        reform::facing_and_meeting(&field, ix, (formation, run.bearing.reversed()))
    };
    reform::meet(play, ix, met);
    let unit = &mut play.table_mut()[ix];
    unit.marks.changed_formation = true;
    unit.marks.forming = false;
    let Some(footing) = footing else { return false };
    unit.footing = footing;
    unit.last_formed = formation;
    let text = format!("{} is in {formation} and faces the charge.", named(&unit.name));
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(rule, fact, sentence(text));
    true
}

/// CF-10, TAC-31 A brigade column faces the charge as it stands, as one. False: there is no room.
fn column_faces(play: &mut Play<'_>, run: &Run, lead: UnitIx, rule: RuleId) -> bool {
    play.table_mut()[lead].marks.changed_formation = true;
    let Some(mut turned) = columns::turned(play.table(), lead, run.bearing.reversed()) else { return false };
    turned.footing.disorder = false;
    play.table_mut()[lead] = turned;
    columns::bring_up(play, lead);
    for ix in column::members(play.table(), lead) {
        let unit = &play.table()[ix];
        let text = format!("{} faces the charge in its column.", named(&unit.name));
        let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
        play.tell(rule, fact, sentence(text));
    }
    true
}

/// CF-04, CF-06 It has failed, and is in disorder.
fn fails(play: &mut Play<'_>, ix: UnitIx, rule: RuleId) -> Reply {
    play.table_mut()[ix].marks.changed_formation = true;
    fall_into_disorder(play, ix, rule);
    STANDS
}

/// ARTY-27 Guns on HOLD that have not fired turn on who charges from outside their arc.
fn pivot(play: &mut Play<'_>, threatened: &Threatened) {
    let ix = threatened.unit;
    let wished = play.choice(ix, protocol::orders::Pivot::IfCharged {}, |said| said.pivot.clone()).0;
    if wished != (protocol::orders::Pivot::IfCharged {}) || !holding::may_pivot(play, ix) {
        return;
    }
    let turned = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let front = field.layout(ix).as_firer.front;
        let stands = body(field.layout(threatened.run));
        if stands.iter().any(|stand| front.in_sector(stand.center)) {
            return;
        }
        let center = field.center(ix);
        let nearest = stands.iter().map(|stand| stand.center).min_by_key(|at| geometry::between_points(center, *at));
        let bearing = nearest.and_then(|nearest| geometry::bearing_between(center, nearest));
        bearing.map(|bearing| flight::turned(field.unit(ix), bearing))
    };
    let Some(mut turned) = turned else { return };
    let met = reform::barred_by(play.table(), ix, &turned, |_| false);
    reform::meet(play, ix, met);
    if !reform::fits(play.table(), ix, &turned) {
        return;
    }
    turned.marks.pivoted = true;
    turned.carried.aim = None;
    let text = format!("{} pivots its guns on the charge.", named(&turned.name));
    let fact = Fact::Formed { unit: turned.id.clone(), after: turned.stance() };
    play.table_mut()[ix] = turned;
    play.tell(ARTY_27, fact, sentence(text));
}
