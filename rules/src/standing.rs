//! How does this unit stand? Its morale point with every part, its command link by link, who helps it, what its commands have
//! lost; for a player who watches his line waver, and for the umpire.
//!
//! Owns the answer in words and numbers, and what of it may be told of an enemy. What a check must beat is asked of
//! [`crate::morale`], who commands of [`crate::command`], who helps of [`crate::leaders`], what is lost of [`crate::levels`]:
//! the code of the checks themselves. It throws no die and looks at no secret of the enemy ([`Known`] has none). Start at
//! [`standing`].

#[cfg(test)]
mod tests;

use protocol::event::{Morale, Note};
use protocol::ids::UnitId;
use protocol::orders::{Draft, Stage};
use protocol::standing::{CommandLink, CommandStanding, LeaderHelp, LevelPoints, LevelStanding, Standing};
use protocol::view::Presence;

use crate::battle::{Known, Leader, UnitIx};
use crate::catalogue::{CMD_06, LEAD_02, LEAD_07, LVL_08, MOR_32, MOR_57, MOR_58, MOR_64, RuleId};
use crate::command::{self, Link, Way};
use crate::explain::{Reckoning, called, named};
use crate::field::Field;
use crate::fire::listed;
use crate::leaders::{self, Help};
use crate::levels;
use crate::morale::{self, PointNow};
use crate::ruleset::Ruleset;

/// How a unit that the side knows of stands, while the window of `stage` is open; `draft` is what its player has said so far of
/// his leaders. Nothing for a unit that is not on the table, as far as the side knows.
pub fn standing(
    known: &Known,
    rules: &Ruleset,
    stage: Stage,
    unit: &UnitId,
    draft: Option<&Draft>,
) -> Option<Standing> {
    // HID-61 What helps a hidden unit is judged behind the pickets.
    let behind = known.table.unit(unit).filter(|unit| unit.presence == Presence::Hidden).map(|_| known.behind());
    let known = behind.as_ref().unwrap_or(known);
    let field = Field::before_dice(rules, &known.table);
    let ix = known.table.find(unit).filter(|ix| known.table[*ix].on_table())?;
    if known.table[ix].side == known.side {
        let asked = Asked { known, field: &field, ix, draft };
        Some(asked.own(stage))
    } else {
        Some(of_enemy(&field, ix))
    }
}

/// What everybody can see of an enemy: his quality, his state and his losses, and the level that his commands were told to
/// have come to. His own base point, his leaders' help and what else weighs on him are his affair.
fn of_enemy(field: &Field<'_>, ix: UnitIx) -> Standing {
    let unit = field.unit(ix);
    let charge = morale::InCharge::default();
    let point = morale::Modifiers::of(field, ix, 0, &charge).seen_from_outside();
    let sentence = format!(
        "{} is {}; by its quality, its state and its losses it must beat {}.",
        named(&unit.name),
        state_words(unit.morale),
        point.total()
    );
    let levels = command::superiors(field.table, unit).into_iter().map(|leader| level_of(field, leader, false));
    Standing {
        unit: unit.id.clone(),
        own: false,
        sentence,
        morale: unit.morale,
        point: point.shown(),
        passes: None,
        rally: None,
        rallies: None,
        command: None,
        leaders: Vec::new(),
        levels: levels.collect(),
        notes: Vec::new(),
    }
}

fn state_words(morale: Morale) -> &'static str {
    match morale {
        Morale::Good => "in good morale",
        Morale::Shaken => "shaken",
        Morale::Routed => "routed",
    }
}

/// The phase that the window of a stage opens. TURN-06
fn phase_of(stage: Stage) -> u8 {
    match stage {
        Stage::Orders => 2,
        Stage::Reactions => 4,
        Stage::Charges => 6,
        Stage::Movement => 7,
    }
}

/// A question about a unit of the own side.
struct Asked<'q> {
    known: &'q Known,
    field: &'q Field<'q>,
    ix: UnitIx,
    draft: Option<&'q Draft>,
}

impl Asked<'_> {
    fn own(&self, stage: Stage) -> Standing {
        let Asked { field, ix, .. } = *self;
        let unit = field.unit(ix);
        let now = morale::point_now(field, phase_of(stage), ix);
        let passes = morale::chance_to_pass(field.rules, now.morale, now.point.total());
        let rally = morale::rally_now(field, ix);
        let rallies = rally.as_ref().map(|rally| morale::chance_to_pass(field.rules, unit.morale, rally.total()));
        let sentence = format!(
            "{} is {}: in a check it must beat {}, and holds in {}.",
            named(&unit.name),
            state_words(unit.morale),
            now.point.total(),
            passes.percent()
        );
        let command = self.command();
        let leaders = self.leaders();
        let above = command::superiors(field.table, unit).into_iter();
        let levels: Vec<LevelStanding> = above.map(|leader| level_of(field, leader, true)).collect();
        let notes = self.notes(&now, &command, &leaders, &levels);
        Standing {
            unit: unit.id.clone(),
            own: true,
            sentence,
            morale: unit.morale,
            point: now.point.shown(),
            passes: Some(passes.shown()),
            rally: rally.as_ref().map(Reckoning::shown),
            rallies: rallies.map(|chance| chance.shown()),
            command: Some(command),
            leaders,
            levels,
            notes: notes.into_iter().map(|(rule, text)| Note { rule: rule.into(), text }).collect(),
        }
    }

    /// CMD-01 to CMD-10 The links that make the unit be in command, or the one that is too long.
    fn command(&self) -> CommandStanding {
        let Asked { field, ix, .. } = *self;
        let unit = field.unit(ix);
        let link = command::link(field, ix);
        let (leader, links) = match &link {
            Link::Direct(leader) => (Some(leader.clone()), self.to_leader(ix, leader)),
            Link::Chain(leader, chain) => (Some(leader.clone()), self.along(leader, chain)),
            Link::TooFar => self.nearest_to_reaching(),
            Link::Free | Link::NoCommander | Link::Spent => (None, Vec::new()),
        };
        CommandStanding {
            in_command: unit.marks.in_command,
            now: link.in_command(),
            rule: link.rule().into(),
            sentence: link.explained(field.table, unit).sentence,
            leader,
            links,
        }
    }

    /// CMD-03 From friend to friend, then to the commander.
    fn along(&self, leader: &protocol::ids::LeaderId, chain: &[UnitIx]) -> Vec<CommandLink> {
        let mut links = Vec::new();
        let mut outer = self.ix;
        for friend in chain {
            let way = command::way_to_friend(self.field, outer, *friend);
            links.extend(way.map(|way| self.link(outer, Some(*friend), way)));
            outer = *friend;
        }
        links.extend(self.to_leader(outer, leader));
        links
    }

    fn to_leader(&self, unit: UnitIx, leader: &protocol::ids::LeaderId) -> Vec<CommandLink> {
        let leader = self.field.table.leaders.get(leader);
        let way = leader.and_then(|leader| command::way_to_commander(self.field, leader, unit));
        way.map(|way| self.link(unit, None, way)).into_iter().collect()
    }

    /// CMD-01 Of the commanders who could link it the one who is least too far off.
    fn nearest_to_reaching(&self) -> (Option<protocol::ids::LeaderId>, Vec<CommandLink>) {
        let commanders = command::commanders(self.field, self.field.unit(self.ix)).into_iter();
        let ways =
            commanders.filter_map(|leader| Some((leader, command::way_to_commander(self.field, leader, self.ix)?)));
        match ways.min_by_key(|(_, way)| way.weighed) {
            Some((leader, way)) => (Some(leader.id.clone()), vec![self.link(self.ix, None, way)]),
            None => (None, Vec::new()),
        }
    }

    fn link(&self, unit: UnitIx, friend: Option<UnitIx>, way: Way) -> CommandLink {
        let Way { from, to, distance, weighed, radius, reaches } = way;
        let id = |ix: UnitIx| self.field.unit(ix).id.clone();
        CommandLink {
            unit: id(unit),
            friend: friend.map(id),
            from,
            to,
            distance: distance.unsigned_abs(),
            weighed: u32::try_from(weighed).unwrap_or(u32::MAX),
            radius: u32::try_from(radius).unwrap_or(u32::MAX),
            reaches,
        }
    }

    /// LEAD-01 to LEAD-10 The leaders who could help the unit in a check now, the best first.
    fn leaders(&self) -> Vec<LeaderHelp> {
        let Asked { field, ix, .. } = *self;
        let able = field.table.leaders_on_table().filter(|leader| leaders::can_help(field, leader, ix, Help::Morale));
        let mut able: Vec<&Leader> = able.collect();
        able.sort_by_key(|leader| {
            (u8::MAX - leaders::level(field.table, leader), field.leader_distance(leader, ix), &leader.id)
        });
        able.into_iter().map(|leader| self.help_of(leader)).collect()
    }

    fn help_of(&self, leader: &Leader) -> LeaderHelp {
        let Asked { field, ix, .. } = *self;
        let own = field.table.units_of(leader.side).map(|(unit, _)| unit);
        let asking = own.filter(|unit| leaders::can_help(field, leader, *unit, Help::Morale)).collect();
        let groups = leaders::by_preference(field, leader, &self.wishes(leader), asking);
        let places = leaders::places(field, leader);
        // LEAD-07 Of level ones it is sure of a place only if there is one for each of them.
        let mut before = 0;
        let mut helps = false;
        for group in &groups {
            helps |= group.contains(&ix) && before + group.len() <= places;
            before += group.len();
        }
        let level = leaders::level(field.table, leader);
        LeaderHelp {
            leader: leader.id.clone(),
            name: leader.name.clone(),
            level,
            distance: field.leader_distance(leader, ix).rounded().unsigned_abs(),
            radius: leaders::radius(field.rules, field.table, leader).unsigned_abs(),
            places: u32::try_from(places).unwrap_or(u32::MAX),
            order: groups.into_iter().flatten().map(|unit| field.unit(unit).id.clone()).collect(),
            helps,
            morale: field.rules.leader_level.at(level).morale,
        }
    }

    /// LEAD-07 Whom his owner wants helped first: by the draft, else by what was sealed last.
    fn wishes(&self, leader: &Leader) -> Vec<UnitId> {
        let drafted = self.draft.and_then(|draft| draft.leaders.get(&leader.id)?.help.clone());
        let sealed = || {
            let said = &self.known.own.leaders.get(&leader.id)?.said;
            said.values().rev().find_map(|said| said.help.clone())
        };
        drafted.or_else(sealed).unwrap_or_default()
    }

    /// What else weighs, and what will.
    fn notes(
        &self,
        now: &PointNow,
        command: &CommandStanding,
        leaders: &[LeaderHelp],
        levels: &[LevelStanding],
    ) -> Vec<(RuleId, String)> {
        let Asked { field, ix, .. } = *self;
        let (unit, if_hit) = (field.unit(ix), &field.rules.morale_if_hit);
        let mut notes = Vec::new();
        if !now.together_with.is_empty() {
            let others: Vec<String> = now.together_with.iter().map(|other| called(&field.unit(*other).name)).collect();
            notes.push((MOR_64, format!("it checks as one with {}", listed(&others))));
        }
        let counted = now.point.terms().iter().any(|(rule, ..)| *rule == LEAD_02);
        let sure = leaders.iter().any(|leader| leader.helps);
        if counted && !sure {
            notes.push((LEAD_07, "an officer is taken to help it; he may be asked for elsewhere first".to_owned()));
        }
        if unit.footing.disorder {
            let value = if_hit.in_disorder.fire;
            notes.push((MOR_57, format!("in disorder: {value:+} in a check that fire causes")));
        }
        if unit.is_forming() {
            let value = if_hit.while_forming.fire;
            notes.push((MOR_58, format!("forming: {value:+} in a check that fire causes")));
        }
        if unit.marks.conditional_hold {
            let value = if_hit.on_conditional_hold.fire;
            notes.push((MOR_58, format!("on Conditional Hold: {value:+} in a check that fire causes")));
        }
        let lost_now = field.table.brigade_of(unit).map_or(0, |brigade| brigade.regiments_lost_now);
        if 0 < lost_now {
            let value = field.rules.morale_modifier.per_regiment_lost_of_brigade.saturating_mul(lost_now as i32);
            notes.push((MOR_32, format!("lost by its brigade this turn: {value:+} from the next turn on")));
        }
        match (command.in_command, command.now) {
            (true, false) => {
                notes.push((CMD_06, "in command for this turn; where all stand now it would be out of it".to_owned()))
            }
            (false, true) => {
                notes.push((CMD_06, "out of command for this turn; where all stand now it would be in it".to_owned()))
            }
            _ => {}
        }
        for level in levels {
            let reached = level.points.map_or(0, reached);
            if level.level < reached {
                notes.push((
                    LVL_08,
                    format!("{} has come to {reached} percent, which binds from next turn", level.name),
                ));
            }
        }
        notes
    }
}

/// LVL-03 The level that so many points lost come to.
fn reached(points: LevelPoints) -> u8 {
    match points.lost {
        _ if points.total == 0 => 0,
        lost if points.limit_60 <= lost => 60,
        lost if points.limit_40 <= lost => 40,
        _ => 0,
    }
}

/// LVL-01 to LVL-08 What a formation has lost; of an enemy's what its level was told to be.
fn level_of(field: &Field<'_>, leader: &Leader, own: bool) -> LevelStanding {
    let rules = field.rules;
    let points = levels::points(rules, field.table, &leader.id);
    let limits = &rules.command_points;
    LevelStanding {
        leader: leader.id.clone(),
        name: levels::name_of(field.table, leader),
        level: field.table.losses.get(&leader.id).map_or(0, |losses| losses.level),
        points: own.then(|| LevelPoints {
            total: points.total,
            lost: points.lost,
            limit_40: points.limit(limits.cannot_advance_percent),
            limit_60: points.limit(limits.must_withdraw_percent),
        }),
    }
}
