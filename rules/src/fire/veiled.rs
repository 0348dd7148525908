//! Fire that strikes what pickets hide: blind fire at the unseen, and shot that passes its target. HID-56, HID-58, HID-60
//!
//! Owns who is struck, by true stands, and what he loses. Nothing of it is public: it is played under seal, and its checks are
//! owed to [`crate::hidden`]. It opens no works and brings down no building (HID-80).

use std::collections::BTreeMap;

use protocol::event::Fact;
use protocol::ids::{PicketNumber, Side};

use super::aim::{Asked, aim};
use super::apply::{fired_on, is_struck, suffer};
use super::lay::{Laid, lay};
use super::lines::is_target;
use super::officers::Officers;
use super::resolve::{Fire, Hit, SideDice, Throws, Why, resolve};
use super::shooter::Shooter;
use super::target::Candidates;
use super::unseen::Nothing;
use super::{Round, Shot, penetration, tell};
use crate::battle::{Table, UnitIx};
use crate::catalogue::{HID_58, HID_60};
use crate::dice::{Purpose, break_tie};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::geometry::Rect;
use crate::hidden;
use crate::play::Play;
use crate::sight::nearest_victims;

/// A fire that strikes a hidden unit, reckoned as if that one alone stood where it is hidden.
#[derive(Clone, Debug)]
pub(super) struct Veiled {
    number: PicketNumber,
    table: Table,
    laid: Laid,
}

/// A hidden unit near the point.
struct Near {
    number: PicketNumber,
    unit: UnitIx,
    table: Table,
    stands: Vec<Rect>,
}

/// HID-56 The hidden enemy unit with a stand nearest the point, within two inches of it, in the firer's zones and with a clear line;
/// level ones by dice that only its side has. Other hidden units neither mask nor screen it (HID-60).
pub(super) fn find(play: &Play<'_>, looking: &Candidates<'_, '_>, nothing: &Nothing) -> Option<Veiled> {
    let field = looking.field;
    let firer = &nothing.firer;
    let side = field.unit(firer.unit).side.enemy();
    let mut found: Vec<Near> = Vec::new();
    let own = play.battle.secrets.get(side).open();
    for (number, under) in &own.pickets {
        for unit in &under.units {
            let stands: Vec<Rect> = unit.layout().rects().copied().collect();
            if nearest_victims(nothing.named.point, &[&stands]).is_empty() {
                continue;
            }
            let mut table = field.table.clone();
            hidden::stand(&mut table, *number, unit);
            // HID-64 Works that nobody has seen cover their maker.
            table.build_hidden(own.works.get(number));
            let Some(ix) = table.find(&unit.id) else { continue };
            let there = Field::new(play.rules, &table, play.dice);
            let Ok(shooter) = Shooter::new(&there, firer.unit, &firer.stands) else { continue };
            let asked = Asked::of(firer, Round::Plain, looking.occasion);
            if is_target(&there, ix) && aim(&there, &shooter, ix, asked).is_ok() {
                drop(there);
                found.push(Near { number: *number, unit: ix, table, stands });
            }
        }
    }
    let stands: Vec<&[Rect]> = found.iter().map(|near| near.stands.as_slice()).collect();
    let level = nearest_victims(nothing.named.point, &stands);
    let Near { number, unit, table, .. } = found.swap_remove(first_by_dice(looking, &found, &level)?);
    let laid = {
        let there = Field::new(play.rules, &table, play.dice);
        let shot = Shot::new(firer.clone(), unit, looking.occasion);
        let shot = Shot { seen: nothing.seen, named: Some(nothing.named), ..shot };
        lay(&there, &shot, &Officers::Present).ok().filter(|laid| laid.shot.target == unit)?
    };
    Some(Veiled { number, table, laid })
}

/// VIS-12 Of those level the one that the dice choose.
fn first_by_dice(looking: &Candidates<'_, '_>, found: &[Near], level: &[usize]) -> Option<usize> {
    let (Some((dice, phase)), [_, _, ..]) = (looking.dice, level) else { return level.first().copied() };
    let own = looking.field.unit(looking.unit).id.as_str();
    let labels: Vec<String> = level
        .iter()
        .map(|place| hidden::label(found[*place].number, found[*place].table[found[*place].unit].id.as_str()))
        .collect();
    let keys: Vec<Vec<&str>> = labels.iter().map(|label| vec![own, label.as_str()]).collect();
    break_tie(dice, phase, Purpose::TieBlind, &keys).order.first().map(|place| level[*place])
}

/// HID-58 What a hidden unit suffers by blind or area fire: told to its own side alone, and owed its checks.
pub(super) fn strike(play: &mut Play<'_>, veiled: &Veiled) {
    let Veiled { number, table, laid } = veiled;
    let struck = hidden::under_seal(play, *number, |inner| {
        let field = Field::new(inner.rules, table, inner.dice);
        let fire = resolve(&field, laid.clone(), &mut Throws::new(inner));
        inner.tell(HID_58, tell::fact(&field, &fire), tell::explanation(&field, &fire));
        // Whoever else stands there openly loses nothing: its loss would tell of the victim.
        let hit = fire.hits.first()?.clone();
        let lost = suffer(inner, field.unit(laid.shot.lead()).id.as_str(), &hit);
        Some((fired_on(&field, laid, is_struck(fire.cell), &hit, lost), fire))
    });
    let Some(Some((fired_on, fire))) = struck else { return };
    play.owed.hits.push(fired_on);
    strike_behind(play, table, &fire);
}

/// HID-60 The hidden units whose true stands lie behind the target lose their half under seal. The die of the depth has been thrown
/// whoever stands there.
pub(super) fn strike_behind(play: &mut Play<'_>, look: &Table, fire: &Fire) {
    if fire.net == 0 || fire.reach <= 0 {
        return;
    }
    let (table, hidden) = with_all_hidden(play, look);
    if hidden.is_empty() {
        return;
    }
    let struck = {
        let field = Field::new(play.rules, &table, play.dice);
        penetration::behind(&field, &fire.laid, fire.reach)
    };
    for (unit, flank) in struck {
        let Some(number) = hidden.get(&unit) else { continue };
        let owed = hidden::under_seal(play, *number, |inner| {
            let field = Field::new(inner.rules, &table, inner.dice);
            let (lead, id) = (field.unit(fire.laid.shot.lead()).id.as_str(), field.unit(unit).id.clone());
            let (loss, shown) = {
                let mut throws = Throws::new(inner);
                let mut side = SideDice { throws: &mut throws, shown: Vec::new(), rules: inner.rules };
                (side.half(fire.net, Purpose::PenFraction, &[lead, id.as_str()]), side.shown)
            };
            let text = format!("Fire that passes its target reaches {}.", tell::called(&field.unit(unit).name));
            let told = shown.into_iter().fold(sentence(text), Explain::with_dice);
            inner.tell(HID_60, Fact::Special { unit: Some(id) }, told);
            let hit = Hit { unit, loss, flank, why: Why::Behind };
            let lost = suffer(inner, lead, &hit);
            let felt = 0 < lost.figures + lost.horses;
            felt.then(|| fired_on(&field, &fire.laid, is_struck(fire.cell), &hit, lost))
        });
        play.owed.hits.extend(owed.flatten());
    }
}

/// A look with all that is hidden in its place, and which picket hides whom.
fn with_all_hidden(play: &Play<'_>, look: &Table) -> (Table, BTreeMap<UnitIx, PicketNumber>) {
    let (mut table, mut hidden) = (look.clone(), BTreeMap::new());
    for side in Side::BOTH {
        for (number, under) in &play.battle.secrets.get(side).open().pickets {
            for unit in &under.units {
                let Some(ix) = table.find(&unit.id).filter(|ix| !table[*ix].on_table()) else { continue };
                hidden::stand(&mut table, *number, unit);
                hidden.insert(ix, *number);
            }
        }
    }
    (table, hidden)
}
