//! Phase 3: orders are revealed, and sharpshooters join their regiments. REV-01 to REV-04, SHARP-11

use protocol::event::{Fact, Morale, OrderShown};
use protocol::ids::UnitId;
use protocol::orders::{FormTask, MoveOrder, Order};
use protocol::place::Bearing;
use protocol::words::Formation;

use crate::battle::{Table, UnitIx};
use crate::catalogue::{CHG_13, CHG_15, ORD_15, REV_02, RuleId};
use crate::charge::declare;
use crate::column;
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::hidden;
use crate::holding;
use crate::movement;
use crate::play::Play;
use crate::sharpshooters;
use crate::works;

/// Plays phase 3: what events have overtaken becomes a Conditional Hold, and all orders are opened together.
pub fn play(play: &mut Play<'_>) {
    hidden::give_up(play, hidden::Moment::WithOrders);
    hidden::step_out(play, hidden::Steps::WithOrders);
    sharpshooters::join(play);
    let revealed: Vec<(UnitIx, OrderShown, Option<RuleId>)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let units = field.table.units();
        units.map(|(ix, _)| with_reason(play, &field, ix)).collect()
    };
    for (ix, shown, overtaken) in &revealed {
        let unit = &mut play.table_mut()[*ix];
        unit.marks.shown = Some(shown.clone());
        unit.marks.conditional_hold |= overtaken.is_some();
    }
    show_roles(play);
    for (ix, _, overtaken) in revealed {
        let unit = &play.table()[ix];
        let (id, name) = (unit.id.clone(), unit.name.clone());
        if let Some(rule) = overtaken {
            let why = match rule {
                CHG_13 => "sees nobody to charge",
                _ => "was shaken before its order could be carried out",
            };
            let text = format!("{} {why}, and holds as it stands.", named(&name));
            play.tell(rule, Fact::ConditionalHold { unit: id, forced: true }, sentence(text));
        } else if let Some(shown) = unit.marks.shown.clone() {
            let text = format!("{} {}.", named(&name), in_words(play.table(), &shown));
            play.tell(REV_02, Fact::OrderRevealed { unit: id, shown }, sentence(text));
        }
    }
    hidden::reveal(play);
    works::take_up(play);
    hidden::work(play, works::take_up_of);
    holding::rejoin_screens(play);
}

/// What is shown of a unit's order, and the rule by which it has become a Conditional Hold.
fn with_reason(play: &Play<'_>, field: &Field<'_>, ix: UnitIx) -> (UnitIx, OrderShown, Option<RuleId>) {
    let own = play.order(ix);
    // TAC-28 A column is shown as its lead, but for those who leave it.
    let behind = field.unit(ix).follows_in_column() && !column::orders::leaves(&own);
    let of = if behind { column::lead_of(field.table, ix) } else { ix };
    let order = if behind { play.order(of) } else { own };
    if is_overtaken(field, of, &order) {
        return (ix, OrderShown::ConditionalHold {}, Some(ORD_15));
    }
    if let (Order::Charge { target, objective, .. }, true) = (&order, field.unit(ix).is_unrouted()) {
        let ties = Some((play.dice, play.phase));
        return match declare::declaration(field, of, target.as_ref(), objective.as_ref(), ties) {
            Some(shown) => (ix, shown, None),
            None => (ix, OrderShown::ConditionalHold {}, Some(CHG_13)),
        };
    }
    (ix, shown(field, of, &order), None)
}

/// CHG-15 Whom the charging units support. The units whose role is another than before.
pub(crate) fn show_roles(play: &mut Play<'_>) -> Vec<UnitIx> {
    let mut changed = Vec::new();
    for (ix, point) in declare::roles(play) {
        let point = point.map(|point| play.table()[point].id.clone());
        if let Some(OrderShown::Charge { support_of, .. }) = &mut play.table_mut()[ix].marks.shown
            && *support_of != point
        {
            *support_of = point;
            changed.push(ix);
        }
    }
    changed
}

/// CHG-15 When the reactions window has closed, the roles that were changed in it take effect.
pub(crate) fn change_roles(play: &mut Play<'_>) {
    for ix in show_roles(play) {
        let unit = &play.table()[ix];
        let Some(shown) = unit.marks.shown.clone() else { continue };
        let text = format!("{} now {}.", named(&unit.name), in_words(play.table(), &shown));
        play.tell(CHG_15, Fact::OrderRevealed { unit: unit.id.clone(), shown }, sentence(text));
    }
}

/// ORD-15 Shaken in phase 2: a charge, and a march that advances, become Conditional Holds; other orders stand.
fn is_overtaken(field: &Field<'_>, ix: UnitIx, order: &Order) -> bool {
    field.unit(ix).morale == Morale::Shaken
        && match order {
            Order::Charge { .. } => true,
            Order::Move(_) => movement::advances(field, ix, order),
            _ => false,
        }
}

/// REV-02 What an opponent learns of an order.
pub(crate) fn shown(field: &Field<'_>, ix: UnitIx, order: &Order) -> OrderShown {
    if !field.unit(ix).is_unrouted() {
        return OrderShown::Routed {};
    }
    match order {
        Order::FirstFire {} => OrderShown::FirstFire {},
        // An order that waits for an umpire is a HOLD until he answers. TC-12
        Order::Hold { .. } | Order::Special { .. } => OrderShown::Hold {},
        Order::Disengage { .. } => OrderShown::Disengage {},
        // What a charge shows is found with its target.
        Order::Charge { .. } => OrderShown::Charge { target: None, support_of: None },
        Order::Move(march) => OrderShown::Move {
            bearing: movement::revealed_bearing(field, ix, march),
            formation: formation_taken(field, ix, march),
        },
        Order::Form { task } => OrderShown::Form { formation: formation_of(field, ix, task), work: work_of(task) },
    }
}

/// The last formation that a march takes.
fn formation_taken(field: &Field<'_>, ix: UnitIx, march: &MoveOrder) -> Option<Formation> {
    let last = march.form_last.as_ref().or(march.form_first.as_ref())?;
    formation_of(field, ix, last)
}

fn formation_of(field: &Field<'_>, ix: UnitIx, task: &FormTask) -> Option<Formation> {
    match task {
        FormTask::Formation { formation, .. } | FormTask::Mount { formation } | FormTask::Dismount { formation } => {
            Some(*formation)
        }
        FormTask::FrontToFlank { .. } if field.unit(ix).footing.formation == Formation::MarchColumn => {
            Some(Formation::SingleLine)
        }
        FormTask::FrontToFlank { .. } => Some(Formation::MarchColumn),
        FormTask::Limber { .. } => Some(Formation::Limbered),
        FormTask::Unlimber { .. } => Some(Formation::Unlimbered),
        FormTask::Square {} => Some(Formation::Square),
        FormTask::BrigadeColumn { .. } => Some(Formation::BrigadeColumn),
        FormTask::Resupply {}
        | FormTask::JoinRegiment { .. }
        | FormTask::ManGuns { .. }
        | FormTask::Work { .. }
        | FormTask::Swing { .. }
        | FormTask::Deploy { .. }
        | FormTask::Face { .. } => None,
    }
}

fn work_of(task: &FormTask) -> Option<String> {
    match task {
        FormTask::Resupply {} => Some("takes ammunition".to_owned()),
        FormTask::JoinRegiment { .. } => Some("joins a regiment".to_owned()),
        FormTask::ManGuns { .. } => Some("mans guns".to_owned()),
        FormTask::Swing { .. } => Some("swings chevaux-de-frise".to_owned()),
        FormTask::Work { work, .. } => Some(works::in_words(*work).to_owned()),
        _ => None,
    }
}

/// The nearest of the eight winds, as a player reads a bearing.
fn wind(bearing: Bearing) -> &'static str {
    const WINDS: [&str; 8] = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    WINDS[(bearing.hundredths() as usize + 2_250) / 4_500 % WINDS.len()]
}

fn in_words(table: &Table, shown: &OrderShown) -> String {
    let name = |id: &UnitId| table.unit(id).map_or_else(|| id.to_string(), |unit| called(&unit.name));
    let then =
        |formation: &Option<Formation>| formation.map_or_else(String::new, |formation| format!(", taking {formation}"));
    match shown {
        OrderShown::FirstFire {} => "is on First Fire".to_owned(),
        OrderShown::Hold {} => "holds".to_owned(),
        OrderShown::ConditionalHold {} => "is on Conditional Hold".to_owned(),
        OrderShown::Disengage {} => "disengages".to_owned(),
        OrderShown::Charge { target: Some(target), support_of: None } => format!("charges {}", name(target)),
        OrderShown::Charge { target: None, support_of: None } => "charges".to_owned(),
        OrderShown::Charge { support_of: Some(point), .. } => format!("charges in support of {}", name(point)),
        OrderShown::Move { bearing, formation } => {
            format!("moves to the {}{}", wind(*bearing), then(formation))
        }
        OrderShown::Form { formation, work: None } => format!("forms{}", then(formation)),
        OrderShown::Form { work: Some(work), .. } => work.clone(),
        OrderShown::Routed {} => "is routed and has no order".to_owned(),
    }
}
