//! The regiments of a brigade column behind the lead, as its move drags them along. TAC-28, TAC-34
//!
//! Owns their places for any place of the lead. The lead alone has a program; the column is one [`Shape`] for whoever comes
//! near it.

use protocol::event::Fact;
use protocol::place::Point;

use super::body::{Body, Shape};
use super::clock::Mover;
use super::{leaders, track};
use crate::battle::{Table, UnitIx};
use crate::catalogue::TAC_28;
use crate::column::{follow, followers, footing_behind};
use crate::explain::sentence;
use crate::formation::Drawn;
use crate::geometry::Rect;
use crate::play::Play;

/// The regiments behind a unit that leads a column; nobody behind any other.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Vec<Behind>);

/// A regiment behind the lead.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    pub(super) unit: UnitIx,
    pub(super) stands: u32,
    back: i32,
    width: i32,
    depth: i32,
}

impl Behind {
    /// How it stands when the lead stands so.
    pub(super) fn body(&self, lead: &Body) -> Body {
        Body {
            footing: footing_behind(&lead.footing, self.back),
            mounted: false,
            stand_width: self.width,
            stand_depth: self.depth,
        }
    }
}

impl Tail {
    /// Of a unit as its table has it.
    pub(super) fn of(table: &Table, ix: UnitIx) -> Tail {
        let back = |of: UnitIx| {
            let ranks = table[ix].column.iter().flat_map(|column| &column.ranks);
            ranks.into_iter().find(|rank| rank.unit == table[of].id).map_or(0, |rank| rank.back)
        };
        let behind = |unit: UnitIx| Behind {
            unit,
            stands: u32::try_from(table[unit].stands.len()).unwrap_or(u32::MAX),
            back: back(unit),
            width: table[unit].stand_width,
            depth: table[unit].stand_depth,
        };
        Tail(followers(table, ix).into_iter().map(behind).collect())
    }

    /// The regiments, from the head.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Behind> {
        self.0.iter()
    }

    /// Their stands.
    pub(super) fn stands(&self) -> u32 {
        self.0.iter().map(|behind| behind.stands).sum()
    }

    /// The lead with so many stands and all behind it, as one.
    pub(super) fn shape(&self, lead: &Body, stands: u32) -> Shape {
        if self.0.is_empty() {
            return Shape::of(lead, stands);
        }
        let mut rects: Vec<Rect> = lead.layout(stands).rects().copied().collect();
        for behind in &self.0 {
            let body = behind.body(lead);
            let drawn = Drawn::standing(&body.footing, behind.stands, body.stand_width, body.stand_depth);
            rects.extend(drawn.layout().rects());
        }
        Shape::around(rects)
    }
}

/// TAC-28, TAC-34 The regiments behind a lead that has taken a step go where it puts them, with the leaders attached to them.
pub(super) fn drag(play: &mut Play<'_>, lead: UnitIx, moved: bool, rises: bool) {
    let behind = followers(play.table(), lead);
    let anchors = |table: &Table| -> Vec<Point> { behind.iter().map(|ix| table[*ix].footing.anchor).collect() };
    let before = anchors(play.table());
    follow(play.table_mut(), lead);
    let after = anchors(play.table());
    for ((ix, before), after) in behind.iter().zip(before).zip(after) {
        let marks = &mut play.table_mut()[*ix].marks;
        marks.moved |= moved;
        marks.risen |= rises;
        leaders::carry(play, *ix, (after.x - before.x, after.y - before.y));
    }
}

/// TAC-28 Tells the ways of the regiments behind a lead that has moved.
pub(super) fn tell(play: &mut Play<'_>, mover: &Mover, lead: &str) {
    for behind in mover.tail.iter() {
        let unit = &play.table()[behind.unit];
        let (id, name) = (unit.id.clone(), unit.name.clone());
        let own: Vec<(u8, Body)> = mover.track.iter().map(|(segment, body)| (*segment, behind.body(body))).collect();
        let track = track::compressed(&own, behind.stands);
        let text = format!("{name} marches in the column of {lead}.");
        play.tell(TAC_28, Fact::Moved { unit: id, track, halted: None }, sentence(text));
    }
}
