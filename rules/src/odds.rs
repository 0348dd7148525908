//! What would this volley do? Asked before it is fired, answered exactly, from what the asker's side knows.
//!
//! Owns the question and the answer in words and numbers. Whether and how a unit fires is asked of [`crate::fire`], what its
//! target's checks come to of [`crate::morale`]: the same code resolves the volley, so no rule stands here twice. It throws no
//! die, looks at no secret of the enemy ([`Known`] has none), and stops at the target: who else checks or suffers is named in a
//! note. Start at [`odds`].

use std::collections::BTreeMap;

use protocol::event::{Explanation, Morale, Note};
use protocol::ids::{SeatId, UnitId};
use protocol::message::{Chance as ChanceShown, Fate, Odds, OddsFate, OddsFire, OddsLoss, OddsTotal};
use protocol::orders::{Draft, Instructions, MoveOrder, Order, RangeBand, Stage};

use crate::battle::{Known, UnitIx};
use crate::catalogue::{
    ARTY_19, ARTY_34, FF_06, FIRE_02, FIRE_24, FIRE_25, FIRE_27, FORM_18, LEAD_02, LEAD_07, MFIRE_08, MOR_20, PEN_01,
    RuleId, VIS_02, VIS_14,
};
use crate::chance::Chance;
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::fire::{self, Candidates, NoFire, Occasion, Shot, Wishes};
use crate::morale;
use crate::orders;
use crate::ruleset::Ruleset;
use crate::sight::Reason;

/// A volley that is asked about.
#[derive(Clone, Debug)]
pub struct Question {
    /// Who would fire.
    pub firer: UnitId,
    /// At whom.
    pub target: UnitId,
    /// The order by which it would.
    pub order: Order,
    /// What its owner has said of its fire, the newest first. TURN-06
    pub said: Vec<Instructions>,
}

/// Why a question is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAsked {
    /// The asker's side has no such unit.
    NotOwn,
    /// It knows of no such enemy on the table.
    NoSuchEnemy,
}

impl Question {
    /// The question for a unit of `seat` while the window of `stage` is open: by the order that is sealed, else by that of the
    /// draft, else on HOLD (ORD-03); `fire` asks what another order would do.
    pub fn of(
        known: &Known,
        rules: &Ruleset,
        (seat, stage): (&SeatId, Stage),
        draft: Option<&Draft>,
        (firer, target): (&UnitId, &UnitId),
        fire: Option<OddsFire>,
    ) -> Question {
        let mut said = Vec::new();
        let mut order = None;
        if let Some(draft) = draft.and_then(|draft| only_of(known, draft, firer)) {
            let (legal, _) = orders::legal_part(known, rules, seat, stage, &draft);
            let drafted = orders::expand(known, rules, seat, stage, &legal).remove(firer).unwrap_or_default();
            order = drafted.order;
            said.push(drafted.instructions);
        }
        // Before the orders of a turn are sealed those of the last one are over.
        if let Some(sealed) = known.own.orders.get(firer).filter(|_| stage != Stage::Orders) {
            order = Some(sealed.order.clone());
            said.extend(
                sealed.said.iter().rev().filter(|(said_in, _)| **said_in < stage).map(|(_, said)| said.clone()),
            );
        }
        let unmarked = || known.table.unit(firer).map_or_else(orders::hold, orders::unmarked);
        let order = order.unwrap_or_else(unmarked);
        let order = match fire {
            Some(fire) if fire_of(occasion_of(&order)) != fire => order_for(fire),
            _ => order,
        };
        Question { firer: firer.clone(), target: target.clone(), order, said }
    }
}

/// What a draft says of one unit and of its brigade; none if it says nothing of either.
fn only_of(known: &Known, draft: &Draft, unit: &UnitId) -> Option<Draft> {
    let brigade = known.table.unit(unit)?.brigade.clone();
    let mut only = draft.clone();
    only.units.retain(|id, _| id == unit);
    only.brigades.retain(|id, _| Some(id) == brigade.as_ref());
    only.leaders.clear();
    only.deployment.clear();
    (!only.units.is_empty() || !only.brigades.is_empty()).then_some(only)
}

fn order_for(fire: OddsFire) -> Order {
    match fire {
        OddsFire::FirstFire => Order::FirstFire {},
        OddsFire::Hold => orders::hold(),
        OddsFire::Moving => Order::Move(MoveOrder::default()),
    }
}

/// FF-01, HOLDF-01, MFIRE-01 When a unit fires by that order. A request that no umpire granted is a HOLD. TC-12
fn occasion_of(order: &Order) -> Occasion {
    match order {
        Order::FirstFire {} => Occasion::FirstFire,
        Order::Hold { .. } | Order::Special { .. } => Occasion::Hold,
        Order::Disengage { .. } | Order::Charge { .. } | Order::Move(_) | Order::Form { .. } => Occasion::Moving,
    }
}

fn fire_of(occasion: Occasion) -> OddsFire {
    match occasion {
        Occasion::FirstFire => OddsFire::FirstFire,
        Occasion::Moving => OddsFire::Moving,
        Occasion::Hold | Occasion::Charge | Occasion::EndOfCharge | Occasion::Extra => OddsFire::Hold,
    }
}

/// The phase in which such a fire falls. TURN-02
fn phase_of(fire: OddsFire) -> u8 {
    match fire {
        OddsFire::FirstFire => 4,
        OddsFire::Hold => 7,
        OddsFire::Moving => 8,
    }
}

/// What a volley would do, as both units stand now. Changes nothing, and knows no more than `known`.
///
/// # Errors
/// When the firer is none of the side's units on the table, or the target no enemy there that it knows of.
pub fn odds(known: &Known, rules: &Ruleset, question: &Question) -> Result<Odds, NotAsked> {
    let field = Field::before_dice(rules, &known.table);
    let own = |ix: &UnitIx| field.unit(*ix).on_table() && field.unit(*ix).side == known.side;
    let enemy = |ix: &UnitIx| field.unit(*ix).on_table() && field.unit(*ix).side != known.side;
    let firer = known.table.find(&question.firer).filter(own).ok_or(NotAsked::NotOwn)?;
    let target = known.table.find(&question.target).filter(enemy).ok_or(NotAsked::NoSuchEnemy)?;
    let said: Vec<&Instructions> = question.said.iter().collect();
    let wishes = Wishes::among(&said);
    let occasion = occasion_of(&question.order);
    let looking =
        Candidates { field: &field, unit: firer, order: &question.order, wishes: &wishes, occasion, dice: None };
    let fire = fire_of(occasion);
    let asked = Asked { question, fire };
    Ok(match shot(&looking, target).and_then(|shot| fire::odds(&field, &shot)) {
        Ok(spread) => asked.answer(&looking, target, &spread),
        Err(reason) => asked.refusal(&field, firer, reason),
    })
}

/// The shot that the unit would fire at that enemy.
fn shot(looking: &Candidates<'_, '_>, target: UnitIx) -> Result<Shot, NoFire> {
    let Candidates { field, unit: firer, order, wishes, occasion, .. } = *looking;
    let unit = field.unit(firer);
    fire::may_fire(unit, order, occasion)?;
    if !wishes.lets_fire(order, false) {
        return Err(NoFire::new(FIRE_02, format!("`{}` holds its fire", unit.name)));
    }
    fire::column_may_fire(unit, wishes, false)?;
    if !fire::is_target(field, target) {
        return Err(NoFire::new(FIRE_24, "no enemy can be fired at"));
    }
    let shot = fire::shot_at_unit(looking, target)?;
    let sight = field.sight(firer, target);
    if !sight.seen && sight.die.is_none() {
        let rule = sight.reason.rule().parse().unwrap_or(VIS_14);
        let text = format!("`{}` does not see `{}`", unit.name, field.unit(target).name);
        return Err(NoFire::new(rule, text));
    }
    Ok(shot)
}

/// A question on its way to an answer.
struct Asked<'q> {
    question: &'q Question,
    fire: OddsFire,
}

impl Asked<'_> {
    fn nothing(&self) -> Odds {
        Odds {
            firer: self.question.firer.clone(),
            target: self.question.target.clone(),
            fire: self.fire,
            refused: None,
            hit: None,
            explanation: Explanation::default(),
            check: None,
            ways: 0,
            totals: Vec::new(),
            losses: Vec::new(),
            fates: Vec::new(),
        }
    }

    fn refusal(&self, field: &Field<'_>, firer: UnitIx, reason: NoFire) -> Odds {
        let who = fire::capital(&fire::called(&field.unit(firer).name));
        let explanation = sentence(format!("{who} would not fire: {}.", reason.text));
        Odds { refused: Some(Note { rule: reason.rule.into(), text: reason.text }), explanation, ..self.nothing() }
    }

    fn answer(&self, looking: &Candidates<'_, '_>, target: UnitIx, spread: &fire::Odds) -> Odds {
        let field = looking.field;
        let came = Came::of(field, phase_of(self.fire), spread);
        let laid = &spread.laid;
        let mut told = sentence(came.sentence(field, spread)).with_sum(&laid.dice).with_sum(&laid.modifiers);
        let mut rows = spread.totals.iter().filter_map(|total| total.cell);
        if let (Some(least), Some(most)) = (rows.clone().next(), rows.next_back()) {
            let (row, column) = (fire::row_words(laid.strength, least.row), span(least.column, most.column));
            told = told.with_table("crt", row, column, span(least.result, most.result));
        }
        for (rule, note) in notes(looking, target, spread, &came) {
            told = told.with_note(rule, note);
        }
        let totals = spread.totals.iter().map(|total| OddsTotal {
            total: total.total,
            ways: u32::try_from(total.ways).unwrap_or(u32::MAX),
            result: total.cell.map_or_else(|| "--".to_owned(), |cell| cell.result.to_string()),
        });
        Odds {
            hit: Some(field.unit(laid.shot.target).id.clone()),
            explanation: told,
            check: came.check.as_ref().map(Reckoning::shown),
            ways: u32::try_from(spread.ways).unwrap_or(u32::MAX),
            totals: totals.collect(),
            losses: came.losses.iter().map(|(lost, chance)| loss_shown(*lost, *chance)).collect(),
            fates: came.fates.iter().map(|(fate, chance)| OddsFate { fate: *fate, chance: shown(*chance) }).collect(),
            ..self.nothing()
        }
    }
}

fn span<T: PartialEq + std::fmt::Display>(least: T, most: T) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Figures, stands, horses.
type Lost = (u32, u32, u32);

fn loss_shown((figures, stands, horses): Lost, chance: Chance) -> OddsLoss {
    OddsLoss { figures, stands, horses, chance: shown(chance) }
}

fn shown(chance: Chance) -> ChanceShown {
    ChanceShown { millionths: chance.parts(1_000_000), exact: chance.to_string() }
}

/// What may come of a volley for its target.
struct Came {
    losses: BTreeMap<Lost, Chance>,
    fates: BTreeMap<Fate, Chance>,
    /// What the first check must beat at the lightest loss that forces one.
    check: Option<Reckoning>,
}

impl Came {
    fn of(field: &Field<'_>, phase: u8, spread: &fire::Odds) -> Came {
        let mut came = Came { losses: BTreeMap::new(), fates: BTreeMap::new(), check: None };
        for state in spread.suffered(field) {
            let lost = (state.fire.figures, state.fire.stands, state.fire.horses);
            add(&mut came.losses, lost, state.chance);
            let after = Field::before_dice(field.rules, &state.after);
            let fates = morale::fates(&after, phase, &state.fire);
            came.check = came.check.or(fates.first);
            for (fate, chance) in fates.fates {
                add(&mut came.fates, fate, state.chance * chance);
            }
        }
        came
    }

    /// The chance that the target is in a worse state than it is now.
    fn worse_than(&self, fate: Fate) -> Chance {
        self.fates.iter().filter(|(other, _)| fate < **other).map(|(_, chance)| *chance).sum()
    }

    fn sentence(&self, field: &Field<'_>, spread: &fire::Odds) -> String {
        let laid = &spread.laid;
        let target = field.unit(laid.shot.target);
        let modifiers = match laid.modifiers.total() {
            0 => "no modifiers".to_owned(),
            sum => format!("{sum:+}"),
        };
        let word = if target.guns.is_some() { "hit" } else { "figure" };
        let hits = self.hits();
        // Of equally likely losses the lighter one is named.
        let likeliest = hits.iter().rev().max_by_key(|(_, chance)| **chance).map_or(0, |(hits, _)| *hits);
        let asked = likeliest.max(1);
        let at_least = percent(hits.range(asked..).map(|(_, chance)| *chance).sum());
        let losses = match likeliest {
            0 => format!("most likely no loss; {at_least} at least 1 {word}"),
            1 => format!("most likely 1 {word}; {at_least} at least 1"),
            many => format!("most likely {many} {word}s; {at_least} at least {many}"),
        };
        let worse = match target.morale {
            Morale::Good => "the target goes shaken or worse",
            Morale::Shaken => "the target, shaken, routs or is lost",
            Morale::Routed => "the target, routed, is lost",
        };
        let chance = percent(self.worse_than(morale::fate(target.morale)));
        format!("{}, {modifiers}: {losses}; {worse} in {chance}.", fire::dice_words(laid))
    }

    /// Figures, or sections and horses together, with their chances.
    fn hits(&self) -> BTreeMap<u32, Chance> {
        let mut hits = BTreeMap::new();
        for ((figures, _, horses), chance) in &self.losses {
            add(&mut hits, figures + horses, *chance);
        }
        hits
    }
}

fn add<K: Ord>(chances: &mut BTreeMap<K, Chance>, key: K, chance: Chance) {
    let known = chances.entry(key).or_insert(Chance::NEVER);
    *known = *known + chance;
}

/// A chance in whole percent; 0 and 100 only where nothing else can be.
fn percent(chance: Chance) -> String {
    match chance.parts(100) {
        0 if chance.is_possible() => "under 1 %".to_owned(),
        100 if chance != Chance::CERTAIN => "over 99 %".to_owned(),
        whole => format!("{whole} %"),
    }
}

/// What has a say besides, and where the reckoning stops.
fn notes(looking: &Candidates<'_, '_>, target: UnitIx, spread: &fire::Odds, came: &Came) -> Vec<(RuleId, String)> {
    let Candidates { field, unit: firer, wishes, occasion, .. } = *looking;
    let laid = &spread.laid;
    let name = |ix: UnitIx| fire::called(&field.unit(ix).name);
    let names = |units: &[UnitIx]| fire::listed(&units.iter().map(|ix| name(*ix)).collect::<Vec<_>>());
    let mut notes = Vec::new();
    if matches!(field.sight(firer, target).reason, Reason::Die | Reason::Limit) {
        notes.push((VIS_02, "whether it is seen is thrown for; this is so if it is".to_owned()));
    }
    if let Ok(chosen) = fire::choose(looking)
        && chosen.target != target
    {
        notes.push((FIRE_25, format!("as all stand now it would fire at {}", name(chosen.target))));
    }
    if let Some(rule) = withheld_by(wishes, occasion, laid.band) {
        notes.push((rule, "by its instructions it does not fire at this range".to_owned()));
    }
    let helped = laid.modifiers.terms().iter().any(|(rule, ..)| matches!(*rule, FIRE_27 | ARTY_19));
    let steadied = came.check.iter().flat_map(Reckoning::terms).any(|(rule, ..)| *rule == LEAD_02);
    if helped || steadied {
        notes.push((LEAD_07, "an officer is taken to help here; he may be asked for elsewhere first".to_owned()));
    }
    if !laid.sharers.is_empty() {
        notes.push((FORM_18, format!("{}, close behind, would lose as much; not reckoned", names(&laid.sharers))));
    }
    for (_, friends) in &laid.over {
        notes.push((ARTY_34, format!("it fires over {}, at their risk; not reckoned", names(friends))));
    }
    let behind = spread.threatened(field);
    if !behind.is_empty() {
        notes.push((PEN_01, format!("{}, behind the target, may suffer too; not reckoned", names(&behind))));
    }
    if came.worse_than(Fate::Shaken).is_possible() {
        notes.push((MOR_20, "friends who see a rout or a loss check in turn; not reckoned".to_owned()));
    }
    notes
}

/// FF-06, MFIRE-08 The rule by which the owner has the unit keep its fire at that range.
fn withheld_by(wishes: &Wishes, occasion: Occasion, band: RangeBand) -> Option<RuleId> {
    let (rule, accepted) = match occasion {
        Occasion::FirstFire => (FF_06, Some(wishes.first_fire)),
        Occasion::Moving => (MFIRE_08, fire::range_of(wishes.moving_fire)),
        Occasion::Hold | Occasion::Charge | Occasion::EndOfCharge | Occasion::Extra => return None,
    };
    (!accepted.is_some_and(|choice| Wishes::accepts(choice, band))).then_some(rule)
}

#[cfg(test)]
mod tests;
