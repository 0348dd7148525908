//! Marking by who has moved against the plain way, which asks about everybody. In tests every call compares the two.

use std::sync::Arc;

use protocol::event::Fact;
use protocol::ids::BySide;
use protocol::orders::Stage;

use super::*;
use crate::battle::{Battle, Table, Theatre, known};
use crate::dice::{KeyedDice, SealedOrders, TurnSeed};
use crate::orders::legal_part;
use crate::ruleset::Ruleset;
use crate::secrecy::{Chance, random_draft};
use crate::setup::{self, Seating};
use crate::stage::{Envelopes, resolve};

/// The nearest enemies of the turn, of each unit in the list and of each leader.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marks {
    units: Vec<Option<i32>>,
    leaders: BTreeMap<LeaderId, Option<i32>>,
}

/// What is marked on a table.
pub(super) fn marks(table: &Table) -> Marks {
    Marks {
        units: table.all_units().map(|(_, unit)| unit.marks.closest_enemy).collect(),
        leaders: table.leaders.values().map(|leader| (leader.id.clone(), leader.marks.closest_enemy)).collect(),
    }
}

/// OFF-02 What should be marked now: the least distance of all to all, as far as it matters, if it is less than before.
pub(super) fn plainly_marked(play: &Play<'_>) -> Marks {
    let field = Field::new(play.rules, play.table(), play.dice);
    let nearest = |side: Side, own: &[Rect]| {
        let dangerous = field
            .enemies_of(side)
            .filter(|(ix, _)| field.knows_of(side, *ix))
            .filter(|(ix, unit)| unit.is_unrouted() && !matches!(play.order(*ix), Order::Disengage { .. }));
        let distances =
            dangerous.filter_map(|(enemy, _)| geometry::between_stands(own.iter(), field.layout(enemy).rects()));
        distances.min().filter(|distance| distance.within(limit(play))).map(geometry::Distance::rounded)
    };
    let mut marks = marks(play.table());
    for (ix, unit) in field.table.units() {
        let known = &mut marks.units[ix.0 as usize];
        *known = known.iter().copied().chain(nearest(unit.side, &field.stands(ix))).min();
    }
    for leader in field.table.leaders_on_table() {
        let known = marks.leaders.entry(leader.id.clone()).or_default();
        *known = known.iter().copied().chain(nearest(leader.side, &[leader.stand()])).min();
    }
    marks
}

/// Turns that are played of each battle.
const TURNS: u32 = 3;

/// What random legal players seal for a stage.
fn sealed(battle: &Battle, stage: Stage, chance: &mut Chance) -> Envelopes {
    let of = |side: Side| {
        let (known, seat) = (known(battle, side), Seating::one_each().otherwise.get(side).clone());
        let draft = random_draft(&known, &seat, stage, chance);
        let (legal, _) = legal_part(&known, Ruleset::standard(), &seat, stage, &draft);
        (seat, legal)
    };
    Side::BOTH.map(of).into_iter().collect()
}

#[test]
fn off_02_marks_by_who_has_moved_are_those_of_all() {
    let mut charges = 0;
    for (seed, text) in (1_u8..).zip([
        include_str!("../../../../scenarios/little_round_top.toml"),
        include_str!("../../../../scenarios/mcphersons_ridge.toml"),
    ]) {
        let theatre = Theatre::new(Arc::new(crate::scenario::read(text).expect("the scenario is sound")));
        let (nothing, mut chance) = (BySide::default(), Chance::new(seed.into()));
        let mut battle = setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &BTreeSet::new(), &nothing);
        for stage in (0..TURNS).flat_map(|_| Stage::ALL) {
            let envelopes = sealed(&battle, stage, &mut chance);
            let key = TurnSeed([seed; 32]).turn_key("test", battle.table.turn, &[SealedOrders::ABSENT; 2]);
            let outcome = resolve(Ruleset::standard(), stage, battle, &envelopes, &KeyedDice::new(key));
            charges += outcome.events.iter().filter(|event| matches!(event.fact, Fact::ChargeEnded { .. })).count();
            battle = outcome.battle;
        }
    }
    assert!(5 < charges, "{charges} charges");
}
