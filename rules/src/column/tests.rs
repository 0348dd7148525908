//! Tests of brigade columns, a rule each. A regiment of sixteen figures has stands 0.875 by 0.625 inches: its line is 3.5 inches
//! long, and in a column the next front lies 0.625 + 0.875 = 1.5 inches behind.

mod battle;
mod charge;
mod forming;
mod play;

use protocol::ids::{BrigadeId, Side, UnitId};
use protocol::orders::{FormTask, Order};

use crate::battle::{Battle, Table, Unit};
use crate::testing::{self, Maker, infantry, ix, open_ground};

/// A regiment of the brigade at a place, facing north.
pub(super) fn regiment(id: &str, x: i32, y: i32) -> Maker {
    infantry(id, Side::Union).at(x, y).with(|unit| {
        unit.brigade = Some(BrigadeId::new("cruft"));
        unit.opening_volley_used = true;
        unit.first_casualty_taken = true;
    })
}

/// An enemy regiment facing south.
pub(super) fn enemy(id: &str, x: i32, y: i32) -> Maker {
    let used = |unit: &mut Unit| unit.opening_volley_used = true;
    infantry(id, Side::Confederate).at(x, y).facing(18_000).with(used)
}

/// A column of regiments with its head at (30, 30), and others on the table.
pub(super) fn column(regiments: &[&str], others: Vec<Maker>) -> Table {
    let all = regiments.iter().zip(0..).map(|(id, n)| regiment(id, 10_000 + 5_000 * n, 10_000));
    let mut table = testing::table(open_ground(), all.chain(others));
    let head = ix(&table, regiments[0]);
    table[head].footing.anchor = protocol::place::Point::new(30_000, 30_000);
    testing::in_column(&mut table, regiments);
    table
}

pub(super) fn form(regiments: &[&str]) -> Order {
    let regiments = regiments.iter().map(|id| UnitId::new(*id)).collect();
    Order::Form { task: FormTask::BrigadeColumn { regiments } }
}

pub(super) fn anchor(table: &Table, id: &str) -> (i32, i32) {
    let anchor = table[ix(table, id)].footing.anchor;
    (anchor.x, anchor.y)
}

/// The regiments of a unit's column, from the head.
pub(super) fn list(table: &Table, id: &str) -> Vec<String> {
    let column = table[ix(table, id)].column.as_ref();
    column.map_or_else(Vec::new, |column| column.ranks.iter().map(|rank| rank.unit.to_string()).collect())
}

pub(super) fn give(battle: &mut Battle, unit: &str, order: Order) {
    testing::give(battle, unit, order, protocol::orders::Instructions::default());
}
