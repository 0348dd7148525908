//! Forming a brigade column at the end of phase 7. TAC-27, TAC-34, step 7.6 of the turn
//!
//! Owns which regiments may form one, where each would stand, and whether it can get there. All columns of the turn are judged
//! on one look at the table, before any of them stands.

use std::collections::BTreeSet;

use protocol::event::{Fact, Morale, Stance};
use protocol::ids::UnitId;
use protocol::orders::{FormTask, Order};
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::{footing_behind, leave};
use crate::battle::{Column, Footing, Rank, Table, Unit, UnitIx};
use crate::catalogue::{RuleId, TAC_07, TAC_27};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::formation::{self, Drawn};
use crate::geometry::{self, Frame, Rect};
use crate::los;
use crate::movement;
use crate::play::Play;

/// Why a column cannot be formed: rule, and words to be read after the name of the regiment that is told to.
pub(crate) type Reason = (RuleId, String);

/// A regiment's place in a column that is to be formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// The regiment.
    pub(crate) unit: UnitIx,
    /// How far its front will lie behind that of the lead.
    back: i32,
    /// How it will stand.
    footing: Footing,
}

impl Planned {
    fn body(&self, table: &Table) -> Unit {
        Unit { footing: self.footing.clone(), ..table[self.unit].clone() }
    }

    /// How it will look.
    pub(crate) fn stance(&self, table: &Table) -> Stance {
        self.body(table).stance()
    }

    fn stands(&self, table: &Table) -> Vec<Rect> {
        self.body(table).layout().rects().copied().collect()
    }
}

/// TAC-27 Why a regiment may not be told to form a column of that list, on what its own side knows.
pub(crate) fn why_not(field: &Field<'_>, ix: UnitIx, list: &[UnitId]) -> Option<Reason> {
    let own = field.unit(ix);
    let why = |text: String| Some((TAC_27, text));
    if list.len() < 2 {
        return why("cannot form a brigade column alone: name two regiments or more, from the head".to_owned());
    }
    if !list.contains(&own.id) {
        return why("is not in the list of that brigade column: name it there, or give it another order".to_owned());
    }
    if list.iter().collect::<BTreeSet<_>>().len() < list.len() {
        return why("cannot form that brigade column: it names a regiment twice".to_owned());
    }
    let mut regiments = Vec::new();
    for id in list {
        let known = field.table.find(id).filter(|other| field.unit(*other).side == own.side);
        let Some(other) = known.filter(|other| field.unit(*other).on_table()) else {
            return why(format!("cannot form a column with `{id}`: there is no such regiment on the table"));
        };
        let unit = field.unit(other);
        if own.brigade.is_none() || unit.brigade != own.brigade {
            let text = "is of another brigade; name regiments of one brigade";
            return why(format!("cannot form a column with `{}`, which {text}", unit.name));
        }
        if let Some((rule, state)) = unfit(unit) {
            let text = if other == ix {
                format!("cannot form a brigade column: it {state}")
            } else {
                format!("cannot form a column with `{}`, which {state}", unit.name)
            };
            return Some((rule, text));
        }
        regiments.push(other);
    }
    if let Some(apart) = not_linked(field, &regiments) {
        let most = field.rules.brigade_column.regiment_distance_to_form;
        let name = &field.unit(apart).name;
        return why(format!(
            "cannot form that brigade column: `{name}` stands more than {most} inches from the others; bring it nearer first"
        ));
    }
    let plan = plan(field.table, list);
    let own_place = plan.iter().find(|planned| planned.unit == ix)?;
    let (rule, text) = movement::why_not_there(field, ix, &own_place.body(field.table))?;
    Some((rule, text.to_owned()))
}

/// TAC-27 What keeps a regiment out of a column, in words that follow its name, and what would do.
fn unfit(unit: &Unit) -> Option<(RuleId, &'static str)> {
    if unit.arm != Arm::Infantry {
        Some((TAC_27, "is no infantry; name regiments of infantry"))
    } else if unit.morale != Morale::Good {
        Some((TAC_27, "is shaken or routed; let it rally first"))
    } else if unit.footing.disorder {
        Some((TAC_27, "is in disorder; let it reform first"))
    } else if unit.is_skirmishing() {
        Some((TAC_27, "is in skirmish line; let it form a line first"))
    } else if unit.footing.prone {
        Some((TAC_07, "lies prone; let it rise first"))
    } else {
        None
    }
}

/// TAC-27 A regiment that no chain of neighbours, each near enough to the next, joins to the lead; none: all are joined.
fn not_linked(field: &Field<'_>, regiments: &[UnitIx]) -> Option<UnitIx> {
    let most = field.rules.brigade_column.regiment_distance_to_form.thousandths();
    let (lead, mut left) = regiments.split_first().map(|(lead, others)| (*lead, others.to_vec()))?;
    let mut joined = vec![lead];
    while let Some(place) = left.iter().position(|one| joined.iter().any(|to| field.distance(*one, *to).within(most))) {
        joined.push(left.remove(place));
    }
    left.first().copied()
}

/// TAC-34 Where the regiments of a list would stand: the lead in single line on the stand that keeps its place (FORM-35), the
/// others behind it. Those of the list that are not known are left out.
pub(crate) fn plan(table: &Table, list: &[UnitId]) -> Vec<Planned> {
    let units: Vec<UnitIx> = list.iter().filter_map(|id| table.find(id)).collect();
    let Some(lead) = units.first().map(|lead| &table[*lead]) else { return Vec::new() };
    let old = Drawn::of(lead);
    let stands = u32::try_from(lead.stands.len()).unwrap_or(u32::MAX);
    let new = Drawn::new(Formation::BrigadeColumn, stands, old.width, old.depth).at(old.anchor, old.facing);
    let anchor = formation::form_on(&old, &new, None, None).unwrap_or(old.anchor);
    let head = Footing { prone: false, disorder: false, ..lead.footing.clone() };
    let head = footing_behind(&Footing { anchor, ..head }, 0);
    let depths: Vec<i32> = units.iter().map(|ix| table[*ix].stand_depth).collect();
    let frames = formation::brigade_column(Frame::new(anchor, head.facing), lead.stand_width, &depths);
    let backs = depths.iter().scan(0, |back, depth| {
        let here = *back;
        *back += depth + lead.stand_width;
        Some(here)
    });
    let placed = units.iter().zip(frames).zip(backs);
    placed
        .map(|((unit, frame), back)| Planned {
            unit: *unit,
            back,
            footing: Footing { anchor: frame.anchor, ..head.clone() },
        })
        .collect()
}

/// Why a column is not formed.
#[derive(Clone)]
struct Failure {
    /// A whole sentence's part after "the column cannot be formed:".
    why: String,
    /// Who keeps whom of its regiments from its place, if an enemy does.
    barred: Option<(UnitIx, UnitIx)>,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure { why, barred: None }
    }
}

/// TAC-27 Why the regiments of a plan cannot stand there, in a whole sentence's part after "the column cannot be formed:".
/// `also` are the places of other columns that form at the same moment.
pub(crate) fn why_no_room(field: &Field<'_>, plan: &[Planned], also: &[Planned]) -> Option<String> {
    no_room(field, plan, also).map(|failure| failure.why)
}

fn no_room(field: &Field<'_>, plan: &[Planned], also: &[Planned]) -> Option<Failure> {
    let table = field.table;
    plan.iter().enumerate().find_map(|(place, planned)| {
        let name = &table[planned.unit].name;
        let stands = planned.stands(table);
        if !is_on_table(table, &stands) {
            return Some(format!("the place of `{name}` lies off the table").into());
        }
        if let Some(other) = in_the_way(field, plan, also, &stands) {
            let why = format!("`{}` stands in the place of `{name}`", table[other].name);
            let is_enemy = table[other].side != table[planned.unit].side;
            return Some(Failure { why, barred: is_enemy.then_some((planned.unit, other)) });
        }
        // The lead stays where it is.
        let ground_lets = movement::may_stand(field, &planned.body(table))
            && (place == 0 || movement::has_way(field, planned.unit, planned.footing.anchor));
        if !ground_lets {
            return Some(format!("`{name}` cannot come to its place over the ground between").into());
        }
        if movement::why_not_there(field, planned.unit, &planned.body(table)).is_some() {
            return Some(format!("`{name}` may not go nearer to the enemy").into());
        }
        let enemy = enemy_near(field, planned, &stands)?;
        let why = format!("`{}` keeps `{name}` from its place", table[enemy].name);
        Some(Failure { why, barred: Some((planned.unit, enemy)) })
    })
}

fn is_on_table(table: &Table, stands: &[Rect]) -> bool {
    let ground = table.ground().ground();
    let inside = |point: &Point| (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y);
    stands.iter().flat_map(|stand| stand.corners).all(|corner| inside(&corner))
}

/// Who stands where a regiment is to stand, or will stand there at the same moment.
fn in_the_way(field: &Field<'_>, plan: &[Planned], also: &[Planned], stands: &[Rect]) -> Option<UnitIx> {
    let overlap = |others: &[Rect]| {
        stands.iter().any(|own| others.iter().any(|other| geometry::overlaps_beyond_eps(own, &other.corners)))
    };
    let strangers = field.table.units().filter(|(ix, _)| plan.iter().all(|planned| planned.unit != *ix));
    let mut strangers = strangers.map(|(ix, _)| ix);
    strangers.find(|ix| overlap(&field.stands(*ix))).or_else(|| {
        let will = also.iter().find(|planned| overlap(&planned.stands(field.table)));
        will.map(|planned| planned.unit)
    })
}

/// MV-26 An unrouted enemy within an inch of a regiment's place, or on the straight way to it.
fn enemy_near(field: &Field<'_>, planned: &Planned, stands: &[Rect]) -> Option<UnitIx> {
    let limit = field.rules.movement_limits.move_stops_before_enemy.thousandths();
    let (from, to) = (field.unit(planned.unit).footing.anchor, planned.footing.anchor);
    let mut enemies = field.enemies_of(field.unit(planned.unit).side).filter(|(_, enemy)| enemy.is_unrouted());
    let stayed = from == to;
    let bars = |enemy: UnitIx| {
        let theirs = field.stands(enemy);
        let near = |own: &Rect| {
            theirs.iter().any(|other| geometry::between_polygons(&own.corners, &other.corners).closer_than(limit))
        };
        stands.iter().any(near) || theirs.iter().any(|other| geometry::segment_meets_polygon(from, to, &other.corners))
    };
    enemies.find(|(enemy, _)| !stayed && bars(*enemy)).map(|(enemy, _)| enemy)
}

/// A column that was ordered.
struct Ordered {
    list: Vec<UnitId>,
    /// Where its regiments will stand, or why they cannot.
    plan: Result<Vec<Planned>, Failure>,
}

/// Step 7.6 Forms all columns that were ordered, or tells their own side why not.
pub(crate) fn form_columns(play: &mut Play<'_>) {
    let lists: BTreeSet<Vec<UnitId>> = play.table().units().filter_map(|(ix, _)| list_of(&play.order(ix))).collect();
    let planned = lists.into_iter().map(|list| {
        let plan = why_not_now(play, &list).map_or_else(|| Ok(plan(play.table(), &list)), |why| Err(why.into()));
        Ordered { list, plan }
    });
    let ordered = with_room(play, planned.collect());
    // LOS-02 Who bars is seen before it is told.
    let barred: Vec<(UnitIx, UnitIx)> =
        ordered.iter().filter_map(|column| column.plan.as_ref().err().and_then(|failure| failure.barred)).collect();
    los::meet(play, &barred);
    for Ordered { list, plan } in ordered {
        match plan {
            Ok(plan) => stand_up(play, &plan),
            Err(failure) => fail(play, &list, &failure.why),
        }
    }
}

/// TAC-27 Judges all columns on one look, each among the places of the others: who are in each other's way fail alike.
fn with_room(play: &Play<'_>, ordered: Vec<Ordered>) -> Vec<Ordered> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let judge = |column: &Ordered| {
        let others = ordered.iter().filter(|other| other.list != column.list);
        let also: Vec<Planned> = others.filter_map(|other| other.plan.clone().ok()).flatten().collect();
        let has_room = |plan: Vec<Planned>| no_room(&field, &plan, &also).map_or(Ok(plan), Err);
        Ordered { list: column.list.clone(), plan: column.plan.clone().and_then(has_room) }
    };
    ordered.iter().map(judge).collect()
}

/// The list of an order to form a column.
pub(crate) fn list_of(order: &Order) -> Option<Vec<UnitId>> {
    match order {
        Order::Form { task: FormTask::BrigadeColumn { regiments } } => Some(regiments.clone()),
        _ => None,
    }
}

/// TAC-27 Why the regiments of a list cannot form now: all must have the same order, and be fit to carry it out.
fn why_not_now(play: &Play<'_>, list: &[UnitId]) -> Option<String> {
    list.iter().find_map(|id| {
        let Some(ix) = play.table().find(id) else { return Some(format!("there is no `{id}`")) };
        let unit = &play.table()[ix];
        let ordered = list_of(&play.order(ix)).is_some_and(|own| own == list);
        if !unit.on_table() {
            Some(format!("`{}` is gone", unit.name))
        } else if let Some((_, state)) = unfit(unit) {
            Some(format!("`{}` {}", unit.name, state.split(';').next().unwrap_or(state)))
        } else if !ordered {
            Some(format!("`{}` had another order", unit.name))
        } else if !movement::keeps_its_order(unit) {
            Some(format!("`{}` could not carry out its order", unit.name))
        } else {
            None
        }
    })
}

/// TAC-27, TAC-34 The regiments take their places, the leaders attached to them with them.
fn stand_up(play: &mut Play<'_>, plan: &[Planned]) {
    let Some(lead) = plan.first().map(|planned| play.table()[planned.unit].name.clone()) else { return };
    let before: Vec<Point> = plan.iter().map(|planned| play.table()[planned.unit].footing.anchor).collect();
    place_all(play.table_mut(), plan);
    for (place, (planned, before)) in plan.iter().zip(before).enumerate() {
        let unit = &mut play.table_mut()[planned.unit];
        unit.marks.changed_formation = true;
        unit.marks.forming = false;
        unit.marks.order_spent = true;
        let after = unit.footing.anchor;
        let text = match place {
            0 => format!("{} leads a brigade column of {} regiments.", unit.name, plan.len()),
            _ => format!("{} stands in the brigade column behind {lead}.", unit.name),
        };
        let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
        movement::carry_leaders(play, planned.unit, (after.x - before.x, after.y - before.y));
        play.tell(TAC_27, fact, sentence(text));
    }
}

/// TAC-34 Puts the regiments of a plan in their places, as one column.
pub(crate) fn place_all(table: &mut Table, plan: &[Planned]) {
    for planned in plan {
        leave(table, planned.unit);
    }
    let ranks = plan.iter().map(|planned| Rank { unit: table[planned.unit].id.clone(), back: planned.back });
    let formed_of = u32::try_from(plan.len()).unwrap_or(u32::MAX);
    let column = Column { ranks: ranks.collect(), formed_of, stands_lost: 0, stands_answered: 0 };
    for planned in plan {
        let unit = &mut table[planned.unit];
        unit.footing = planned.footing.clone();
        unit.column = Some(column.clone());
        unit.last_formed = Formation::SingleLine;
    }
}

/// TAC-27 Nobody forms; their own side is told why, the enemy sees that they stand as they stood.
fn fail(play: &mut Play<'_>, list: &[UnitId], why: &str) {
    for id in list {
        let Some(ix) = play.table().find(id).filter(|ix| list_of(&play.order(*ix)).is_some_and(|own| own == list))
        else {
            continue;
        };
        let unit = &mut play.table_mut()[ix];
        unit.marks.order_spent = true;
        let (side, fact) = (unit.side, Fact::OrderVoid { unit: unit.id.clone() });
        let text = format!("{} forms no brigade column: {why}.", unit.name);
        let told = sentence(text).with_note(TAC_27, "all regiments of the list form, or none");
        play.tell_side(side, TAC_27, fact, told);
    }
}
