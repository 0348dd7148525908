//! Command: which units are in command this turn, by which commander, and through which friends.
//!
//! Owns the weighted ground of CMD-01 and CMD-05, the chains of CMD-03 and the marks of CMD-06. It never forbids an order:
//! that is [`crate::orders`]'s, which reads the marks. Start at [`link`].

mod chains;
#[cfg(test)]
mod tests;

use protocol::event::{Explanation, Fact};
use protocol::ids::{BrigadeId, LeaderId};
use protocol::place::Point;
use protocol::view::Presence;
use protocol::words::Arm;

pub use chains::contiguous;
use chains::{Chains, chain_limit, chain_prices, nearest_stands};

use crate::battle::{Brigade, Leader, Table, Unit, UnitIx};
use crate::catalogue::{CMD_01, CMD_03, CMD_06, CMD_09, CMD_10, CMD_11, LVL_04, RuleId};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::fire::listed;
use crate::geometry::{self, EPS, Rect, Vector};
use crate::house::{HouseRules, MixedGround, OrphanedBrigade, SelfActivation};
use crate::levels;
use crate::play::Play;
use crate::ruleset::{ByGround, Ruleset};
use crate::specials;

/// Whether a unit is in command, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Needs no commander. CMD-09
    Free,
    /// Within the radius of this commander. CMD-01
    Direct(LeaderId),
    /// By a chain of friends, from the unit's neighbour to the one within the radius. CMD-03
    Chain(LeaderId, Vec<UnitIx>),
    /// Within no radius and on no chain.
    TooFar,
    /// Its brigade has no commander, and no superior has taken it over. CMD-10
    NoCommander,
    /// Its brigade, division or corps has lost too many points. LVL-04
    Spent,
}

impl Link {
    /// Whether the unit is in command.
    pub fn in_command(&self) -> bool {
        matches!(self, Link::Free | Link::Direct(_) | Link::Chain(..))
    }

    /// The rule that decided.
    pub fn rule(&self) -> RuleId {
        match self {
            Link::Free => CMD_09,
            Link::Direct(_) | Link::TooFar => CMD_01,
            Link::Chain(..) => CMD_03,
            Link::NoCommander => CMD_10,
            Link::Spent => LVL_04,
        }
    }

    /// As a player reads it.
    pub fn explained(&self, table: &Table, unit: &Unit) -> Explanation {
        let name = named(&unit.name);
        let man = |id: &LeaderId| table.leaders.get(id).map_or_else(|| id.to_string(), |leader| leader.name.clone());
        sentence(match self {
            Link::Free => format!("{name} needs no commander to be in command."),
            Link::Direct(leader) => format!("{name} is in command: it stands within the radius of {}.", man(leader)),
            Link::Chain(leader, chain) => {
                let friends: Vec<String> = chain.iter().map(|friend| called(&table[*friend].name)).collect();
                format!("{name} is in command of {} by a chain through {}.", man(leader), listed(&friends))
            }
            Link::TooFar => format!("{name} is out of command: too far from its commanders, and on no chain to them."),
            Link::NoCommander => format!("{name} is out of command: its brigade has no commander."),
            Link::Spent => format!("{name} counts as out of command: its formation has lost too many command points."),
        })
    }
}

/// The commanders above a unit, the nearest first, whoever is lost or away included. CMD-02
pub fn superiors<'t>(table: &'t Table, unit: &Unit) -> Vec<&'t Leader> {
    let first = match table.brigade_of(unit) {
        Some(brigade) => brigade.commander.as_ref().or(brigade.superior.as_ref()),
        None => table.scenario().force(unit.id.as_str()).map(|force| &force.under),
    };
    upward(table, first)
}

/// A commander and those above him, the nearest first.
fn upward<'t>(table: &'t Table, first: Option<&LeaderId>) -> Vec<&'t Leader> {
    let mut above = Vec::new();
    let mut next = first.and_then(|id| table.leaders.get(id));
    while let Some(leader) = next {
        above.push(leader);
        // Posts rise on the way up, so no ring closes; a count guards against a table that was made otherwise.
        next = leader.superior.as_ref().and_then(|id| table.leaders.get(id)).filter(|_| above.len() < 8);
    }
    above
}

/// OFF-14 A commander who stands on the table, wounded or not.
fn stands(leader: &Leader) -> bool {
    leader.presence == Presence::Table && leader.lost_in.is_none()
}

/// OFF-14 Only a division or corps commander links where he lies wounded.
fn links(leader: &Leader) -> bool {
    stands(leader) && (leader.brigade.is_none() || leader.wounded_until.is_none())
}

/// CMD-10, SCN-15 Whether a brigade has its own commander on the table, unhurt.
pub fn has_commander(table: &Table, brigade: &Brigade) -> bool {
    brigade.commander.as_ref().and_then(|id| table.leaders.get(id)).is_some_and(Leader::on_table)
}

/// The commanders who may link a unit now; an error says why none may. CMD-02, CMD-09, CMD-10
fn eligible<'t>(table: &'t Table, house: &HouseRules, unit: &Unit) -> Result<Vec<&'t Leader>, Link> {
    let guns = matches!(unit.arm, Arm::Artillery | Arm::GunCrew);
    let attached = specials::attached_to(table, unit);
    let (above, brigade) = match attached {
        Some(under) => attached_under(table, under),
        None => (superiors(table, unit), table.brigade_of(unit)),
    };
    let Some(brigade) = brigade else {
        // CMD-09: a battery directly under a division or corps, or under nobody; as much for whoever has nobody.
        let free = guns || above.is_empty();
        return if free { Err(Link::Free) } else { Ok(above.into_iter().filter(|leader| links(leader)).collect()) };
    };
    let orphaned = brigade.commander.is_some() && !has_commander(table, brigade);
    if !orphaned || guns || house.orphaned_brigade == OrphanedBrigade::Superior {
        return Ok(above.into_iter().filter(|leader| links(leader)).collect());
    }
    // OFF-11: during a wound of its commander nobody links the brigade.
    let wounded = above.first().is_some_and(|own| stands(own) && own.wounded_until.is_some());
    let took_over = |leader: &&Leader| leader.on_table() && leader.took_over.as_ref() == Some(&brigade.id);
    let heirs: Vec<&Leader> = above.into_iter().filter(took_over).collect();
    if wounded || heirs.is_empty() { Err(Link::NoCommander) } else { Ok(heirs) }
}

/// SCNS-16 The commanders above a unit that counts under another command, and that brigade if it is one.
fn attached_under<'t>(table: &'t Table, under: &LeaderId) -> (Vec<&'t Leader>, Option<&'t Brigade>) {
    let brigade = table.brigades.get(&BrigadeId::new(under.as_str()));
    let first = match brigade {
        Some(brigade) => brigade.commander.as_ref().or(brigade.superior.as_ref()),
        None => Some(under),
    };
    (upward(table, first), brigade)
}

/// CMD-01 to CMD-10, LVL-04 Whether a unit is in command where everybody stands now.
pub fn link(field: &Field<'_>, unit: UnitIx) -> Link {
    link_by(field, &mut Chains::new(field), unit)
}

/// The same for every unit on the table.
fn every_link(field: &Field<'_>) -> Vec<(UnitIx, Link)> {
    let mut chains = Chains::new(field);
    field.table.units().map(|(unit, _)| (unit, link_by(field, &mut chains, unit))).collect()
}

fn link_by(field: &Field<'_>, chains: &mut Chains<'_, '_>, unit: UnitIx) -> Link {
    let subject = field.unit(unit);
    if 40 <= levels::binding(field.table, subject) {
        return Link::Spent;
    }
    // SCNS-12
    if let Some(leader) = specials::any_brigade(field.table, subject).find(|leader| within_radius(field, leader, unit))
    {
        return Link::Direct(leader.id.clone());
    }
    let commanders = match eligible(field.table, &field.rules.house, subject) {
        Ok(commanders) => commanders,
        Err(link) => return link,
    };
    if let Some(leader) = commanders.iter().find(|leader| within_radius(field, leader, unit)) {
        return Link::Direct(leader.id.clone());
    }
    let found = commanders.iter().filter_map(|leader| Some((leader, chains.shortest(leader, unit)?)));
    match found.min_by_key(|(_, chain)| chain.len()) {
        Some((leader, chain)) => Link::Chain(leader.id.clone(), chain),
        None => Link::TooFar,
    }
}

/// CMD-01 Whether a unit stands within a commander's radius, over ground that is weighed.
pub fn within_radius(field: &Field<'_>, leader: &Leader, unit: UnitIx) -> bool {
    let prices = radius_prices(field, unit);
    let stand = field.leader_stand(leader);
    let weighing = weighing(field);
    field.layout(unit).rects().any(|rect| reaches(field, rect, &stand, &prices, i64::from(RADIUS), weighing))
}

/// CMD-01 The whole radius is 36 inches of cost, so an inch of open ground costs foot 3 of them, of woods 6.
fn radius_prices(field: &Field<'_>, unit: UnitIx) -> ByGround<i64> {
    let command = &field.rules.command;
    let cavalry = field.unit(unit).arm == Arm::Cavalry;
    let radius = if cavalry { &command.radius_cavalry } else { &command.radius_infantry };
    let price = |inches: i32| i64::from(RADIUS) * 1_000 / i64::from(inches.max(1));
    ByGround {
        open: price(radius.open.0),
        broken: price(radius.broken.0),
        woods: price(radius.woods.0),
        rough: price(radius.rough.0),
    }
}

/// The way of a link of command, weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// From where it is measured, at the unit.
    pub from: Point,
    /// To where.
    pub to: Point,
    /// Its length, thousandths of an inch.
    pub distance: i32,
    /// What it weighs, as so many thousandths of an inch of open ground.
    pub weighed: i64,
    /// How far it may lead over open ground, thousandths of an inch.
    pub radius: i64,
    /// It is not too far.
    pub reaches: bool,
}

/// CMD-01 The way from a unit to a commander that weighs least.
pub fn way_to_commander(field: &Field<'_>, leader: &Leader, unit: UnitIx) -> Option<Way> {
    let prices = radius_prices(field, unit);
    let stand = field.leader_stand(leader);
    let weighing = weighing(field);
    let ways = field.layout(unit).rects().map(|rect| way(field, rect, &stand, &prices, i64::from(RADIUS), weighing));
    ways.min_by_key(|way| (!way.reaches, way.weighed, way.from))
}

/// CMD-05 The way between the nearest stands of two friends.
pub fn way_to_friend(field: &Field<'_>, one: UnitIx, other: UnitIx) -> Option<Way> {
    let (a, b) = nearest_stands(field, one, other)?;
    Some(way(field, a, b, &chain_prices(field), chain_limit(field, one, other), Weighing::EachPiece))
}

/// CMD-02, CMD-09, CMD-10 The commanders who may link a unit now; none while its brigade has none, or where it needs none.
pub fn commanders<'t>(field: &Field<'t>, unit: &Unit) -> Vec<&'t Leader> {
    eligible(field.table, &field.rules.house, unit).unwrap_or_default()
}

/// CMD-01 What the whole command radius costs, thousandths.
const RADIUS: i32 = 36_000;

/// Whether the shortest segment between two rectangles costs at most `limit`, thousandths, at prices in thousandths an inch.
fn reaches(
    field: &Field<'_>,
    one: &Rect,
    other: &Rect,
    prices: &ByGround<i64>,
    limit: i64,
    weighing: Weighing,
) -> bool {
    let reach = reach_at(prices, limit);
    if !may_reach(one, other, reach) {
        return false;
    }
    let Some((from, to)) = geometry::shortest_segment(&one.corners, &other.corners) else { return true };
    if reach < i64::from(geometry::segment_length(from, to)) {
        return false;
    }
    weighed(field, from, to, prices, weighing).is_within(limit)
}

/// As [`reaches`], with the way itself. Rectangles that touch are no way apart.
fn way(field: &Field<'_>, one: &Rect, other: &Rect, prices: &ByGround<i64>, limit: i64, weighing: Weighing) -> Way {
    let radius = limit * 1_000 / prices.open.max(1);
    let Some((from, to)) = geometry::shortest_segment(&one.corners, &other.corners) else {
        return Way { from: one.center, to: other.center, distance: 0, weighed: 0, radius, reaches: true };
    };
    let weight = weighed(field, from, to, prices, weighing);
    let distance = geometry::segment_length(from, to);
    Way { from, to, distance, weighed: weight.cost / prices.open.max(1), radius, reaches: weight.is_within(limit) }
}

/// What the ground of a way counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weighing {
    /// Each piece as it is.
    EachPiece,
    /// All of it as its dearest piece.
    Dearest,
}

/// CMD-01 How the way to a commander is weighed by the house rules.
fn weighing(field: &Field<'_>) -> Weighing {
    if field.rules.house.mixed_ground == MixedGround::Weighed { Weighing::EachPiece } else { Weighing::Dearest }
}

/// What a segment costs, in millionths of an inch, and the dearest ground on it.
struct Weight {
    cost: i64,
    dearest: i64,
}

impl Weight {
    /// The tolerance of SCALE-07 is that of the dearest ground on the way.
    fn is_within(&self, limit: i64) -> bool {
        self.cost <= limit * 1_000 + i64::from(EPS) * self.dearest
    }
}

fn weighed(field: &Field<'_>, from: Point, to: Point, prices: &ByGround<i64>, weighing: Weighing) -> Weight {
    let pieces = field.ground().pieces(from, to);
    let dearest = pieces.iter().map(|piece| prices.at(piece.terrain)).max().unwrap_or(0);
    let price = |terrain| if weighing == Weighing::EachPiece { prices.at(terrain) } else { dearest };
    let cost = pieces.iter().map(|piece| i64::from(piece.length()) * price(piece.terrain)).sum();
    Weight { cost, dearest }
}

/// How far so much cost reaches at most: over the cheapest ground, with the tolerance of SCALE-07. Thousandths of an inch.
fn reach_at(prices: &ByGround<i64>, limit: i64) -> i64 {
    let cheapest = prices.open.min(prices.broken).min(prices.woods).min(prices.rough).max(1);
    limit * 1_000 / cheapest + i64::from(EPS)
}

/// Whether two rectangles may be so near, by the circles about them: false is certain, true is not.
fn may_reach(one: &Rect, other: &Rect, reach: i64) -> bool {
    let reach = reach + i64::from(one.circle()) + i64::from(other.circle());
    Vector::between(one.center, other.center).length_squared() <= reach * reach
}

/// CMD-06 The marks of turn 1 on a table that has just been set up: without a word and without a die. The opening of the
/// turn ([`crate::stage::open`]) tells them, and rolls where the scenario has units act for themselves.
pub(crate) fn begin_battle(rules: &Ruleset, table: &mut Table) {
    let marks: Vec<(UnitIx, bool)> = {
        let field = Field::before_dice(rules, table);
        every_link(&field).into_iter().map(|(unit, link)| (unit, link.in_command())).collect()
    };
    for (unit, in_command) in marks {
        table[unit].marks.in_command = in_command;
    }
}

/// CMD-06 Marks every unit in or out of command for the turn, by the table as it stands, and tells who is out, and who is
/// back in.
pub fn mark(play: &mut Play<'_>) {
    let links = every_link(&Field::new(play.rules, play.table(), play.dice));
    mark_as(play, links);
}

/// CMD-06 Marks units by their links, and tells what changes.
pub(crate) fn mark_as(play: &mut Play<'_>, links: Vec<(UnitIx, Link)>) {
    for (unit, link) in links {
        let explanation = link.explained(play.table(), &play.table()[unit]);
        let (activated, explanation) = match link {
            // CMD-11: not by the 40 percent limit, nor where it changes nothing.
            Link::TooFar | Link::NoCommander => self_activation(play, unit, explanation),
            _ => (false, explanation),
        };
        let in_command = link.in_command() || activated;
        let rule = if activated { CMD_11 } else { link.rule() };
        let before = std::mem::replace(&mut play.table_mut()[unit].marks.in_command, in_command);
        let first_turn = play.table().turn == 1;
        if !in_command || activated || (!before && !first_turn) {
            let fact = Fact::Command { unit: play.table()[unit].id.clone(), in_command };
            let explanation = explanation.with_note(CMD_06, "It holds for the whole turn.");
            play.tell(rule, fact, explanation);
        }
    }
}

/// CMD-11 With the option on, a unit that sees an enemy near may act for itself, by a competence roll without an officer.
fn self_activation(play: &Play<'_>, unit: UnitIx, explanation: Explanation) -> (bool, Explanation) {
    let near = play.rules.command.self_activation_enemy_within.0;
    let field = Field::new(play.rules, play.table(), play.dice);
    let subject = field.unit(unit);
    let mut threats = field.enemies_of(subject.side).filter(|(enemy, _)| field.within(unit, *enemy, near));
    let eligible = play.table().house().self_activation == SelfActivation::On
        && subject.is_unrouted()
        && threats.any(|(enemy, _)| field.sees(unit, enemy));
    if !eligible {
        return (false, explanation);
    }
    let bmp = subject.base_morale_point(play.rules);
    let mut die = throw(play.dice, play.phase, Purpose::CommandSelf, &[subject.id.as_str()], 1, 1);
    die.needed = Some(format!("above {bmp}"));
    let passed = bmp < i32::from(die.faces[0]);
    let text = match passed {
        true => format!("{} acts for itself: the enemy is near.", subject.name),
        false => format!("{} is out of command, and does not act for itself.", subject.name),
    };
    (passed, sentence(text).with_dice(die))
}
