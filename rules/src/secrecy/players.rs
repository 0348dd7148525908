//! Players who order anything: what comes of it is legal or left out.
//!
//! Owns random drafts, for tests, benchmarks and the check of secrecy. A draft is made from what its side knows, as a player's is.

use protocol::ids::{PicketNumber, SeatId, Side};
use protocol::orders::{
    Countercharge, Draft, FormTask, IfCharged, Instructions, LeaderDraft, MoveOrder, OpenFire, Order, PressOn, Reveal,
    Ride, Stage, Stop, UnitDraft, UnseenFire, Work,
};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Flank, Formation};

use super::chance::Chance;
use crate::battle::{Known, Picket, Unit};

/// What a seat might say in the window of a stage, legal or not: an order for each of its open units and pickets, rides for its
/// leaders.
pub fn random_draft(known: &Known, seat: &SeatId, stage: Stage, chance: &mut Chance) -> Draft {
    let mut draft = Draft::default();
    if stage == Stage::Orders {
        for (_, unit) in known.table.units_of(known.side).filter(|(_, unit)| unit.seat == *seat) {
            let said = UnitDraft {
                order: Some(random_order(unit, chance)),
                instructions: random_answers(chance),
                ..UnitDraft::default()
            };
            draft.units.insert(unit.id.clone(), said);
        }
        for leader in known.table.leaders_on_table().filter(|leader| leader.side == known.side && leader.seat == *seat)
        {
            let at = Point::new(leader.at.x + chance.offset(4000), leader.at.y + chance.offset(4000));
            let ride = Some(Ride::Path { points: vec![at], before_charges: false });
            draft.leaders.insert(leader.id.clone(), LeaderDraft { ride, ..LeaderDraft::default() });
        }
    }
    for picket in known.table.pickets.values().filter(|picket| picket.side == known.side) {
        draft.pickets.insert(picket.number, random_picket(known, picket, stage, chance));
    }
    draft
}

/// What a picket might be told: the same words for real ones and dummies. HID-19
fn random_picket(known: &Known, picket: &Picket, stage: Stage, chance: &mut Chance) -> UnitDraft {
    let order = (stage == Stage::Orders).then(|| match chance.below(8) {
        0 => Order::FirstFire {},
        // HID-64 What is new stays hidden; what all see change would be an inference that the rules allow.
        2 if chance.once_in(2) => {
            let work = if chance.once_in(2) { Work::BuildAbatis } else { Work::BuildHastyWorks };
            Order::Form { task: FormTask::Work { work, at: Vec::new() } }
        }
        1 | 2 => Order::Hold { task: None },
        3 => Order::Form { task: FormTask::Face { facing: Bearing::wrapping(chance.offset(18_000)) } },
        4 => Order::Disengage { abandon_guns: false },
        _ => {
            let legs = 1 + chance.below(2);
            let point = |chance: &mut Chance| {
                Point::new(picket.at.x + chance.offset(5_000), picket.at.y + chance.offset(5_000))
            };
            Order::Move(MoveOrder { path: (0..legs).map(|_| point(chance)).collect(), ..MoveOrder::default() })
        }
    });
    let reveal = chance.once_in(10).then(|| match chance.below(5) {
        0 => Reveal::WithOrders {},
        1 => Reveal::WithReactions {},
        2 => Reveal::WithCharges {},
        3 => Reveal::EndOfTurn {},
        _ => Reveal::EnemyWithin { distance: chance.below(8_000) },
    });
    let open_fire = chance.once_in(4).then(|| match chance.below(3) {
        0 => OpenFire::AtClose {},
        1 => OpenFire::AtNormal {},
        _ => OpenFire::AtLong {},
    });
    let stop = chance.once_in(4).then(|| match chance.below(2) {
        0 => Stop::OnSight {},
        _ => Stop::Before { distance: chance.below(6_000) },
    });
    let disengage_travel = matches!(order, Some(Order::Disengage { .. })).then(|| chance.below(4_000));
    let unseen_fire = unseen_fire(known, chance);
    let instructions =
        Instructions { reveal, open_fire, stop, disengage_travel, unseen_fire, ..Instructions::default() };
    UnitDraft { order, instructions, ..UnitDraft::default() }
}

/// Now and then at some picket of the enemy.
fn unseen_fire(known: &Known, chance: &mut Chance) -> Option<UnseenFire> {
    let enemy: Vec<PicketNumber> =
        known.table.pickets.values().filter(|picket| picket.side != known.side).map(|picket| picket.number).collect();
    let number = *chance.one_of(&enemy).filter(|_| !enemy.is_empty())?;
    chance.once_in(3).then_some(UnseenFire::Picket { number })
}

/// What a unit does if it is charged, or sees a charge.
fn random_answers(chance: &mut Chance) -> Instructions {
    let if_charged = match chance.below(4) {
        0 => Some(IfCharged::Form),
        1 => Some(IfCharged::Countercharge),
        2 => Some(IfCharged::FormIfFlanked),
        _ => None,
    };
    let countercharge = chance.once_in(4).then_some(Countercharge::Always {});
    let press_on = chance.once_in(2).then_some(PressOn::Yes);
    Instructions { if_charged, countercharge, press_on, ..Instructions::default() }
}

const FORMATIONS: [Formation; 9] = [
    Formation::SingleLine,
    Formation::DoubleLine,
    Formation::SkirmishLine,
    Formation::MarchColumn,
    Formation::ExtendedLine,
    Formation::AttackColumn,
    Formation::LineWithReserve,
    Formation::LineWithSkirmishers,
    Formation::Square,
];

fn random_task(unit: &Unit, chance: &mut Chance) -> FormTask {
    match unit.arm {
        Arm::Artillery if unit.is_limbered() => FormTask::Unlimber { facing: None },
        Arm::Artillery => FormTask::Limber { facing: None },
        _ if chance.once_in(4) => FormTask::FrontToFlank { toward: Flank::Left },
        _ => FormTask::Formation {
            formation: FORMATIONS[chance.below(FORMATIONS.len() as u32) as usize],
            facing: chance.once_in(2).then(|| Bearing::wrapping(chance.offset(18_000))),
            pivot: None,
            gap: None,
        },
    }
}

fn random_order(unit: &Unit, chance: &mut Chance) -> Order {
    let anchor = unit.footing.anchor;
    match chance.below(13) {
        0 => Order::Hold { task: None },
        10 | 11 => Order::Charge { target: None, bearing: None, objective: None, support_of: None },
        12 => Order::Disengage { abandon_guns: chance.once_in(2) },
        1 | 2 => Order::FirstFire {},
        3 => Order::Form { task: random_task(unit, chance) },
        _ => {
            let reach = 1000 + chance.below(6000) as i32;
            let legs = 1 + chance.below(2);
            let path = (0..legs).map(|_| Point::new(anchor.x + chance.offset(reach), anchor.y + chance.offset(reach)));
            let path = path.collect();
            Order::Move(MoveOrder {
                path,
                form_first: chance.once_in(6).then(|| random_task(unit, chance)),
                form_last: chance.once_in(6).then(|| random_task(unit, chance)),
                push: chance.once_in(8),
                about_face: chance.once_in(8),
                backing: chance.once_in(6),
                ..MoveOrder::default()
            })
        }
    }
}

/// The two seats of a game with one a side.
pub(super) fn seat(side: Side) -> SeatId {
    crate::setup::Seating::one_each().otherwise.get(side).clone()
}
