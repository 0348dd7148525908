//! A fire in words and numbers. Every number comes from the reckoning that rolled it.

use protocol::event::{Explanation, Fact, FlankClass};
use protocol::orders::RangeBand;

use super::lay::{Halving, Laid};
use super::resolve::{Fire, Why};
use super::{Firer, Round, Seen, Stands};
use crate::catalogue::{
    ARTY_32, COVER_10, ENF_01, FIRE_16, FIRE_17, FIRE_32, FORM_15, FORM_18, PEN_01, RuleId, TAC_18, TAC_26,
};
pub(crate) use crate::explain::called;
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::geometry::round_div;
use crate::ruleset::{CombatResult, Strength};

/// Those who are struck, or fire, of a unit: it, or its skirmish screen. TAC-18, TAC-26
pub(super) fn struck(name: &str, screen: bool) -> String {
    if screen { format!("the skirmish screen of {}", called(name)) } else { called(name) }
}

/// A length as players say it: tenths of an inch.
pub(crate) fn inches(thousandths: i32) -> String {
    let tenths = round_div(i64::from(thousandths), 100);
    match (tenths / 10, tenths % 10) {
        (1, 0) => "1 inch".to_owned(),
        (whole, 0) => format!("{whole} inches"),
        (whole, rest) => format!("{whole}.{rest} inches"),
    }
}

/// The words of a band: guns fire canister at close range, and shot there as at normal range.
pub(super) fn band_words(band: RangeBand) -> &'static str {
    match band {
        RangeBand::Close => "close range",
        RangeBand::Normal => "normal range",
        RangeBand::Long => "long range",
    }
}

/// The words of a class.
pub(super) fn flank_words(flank: FlankClass) -> &'static str {
    match flank {
        FlankClass::Front => "no flank",
        FlankClass::Partial => "partial flank",
        FlankClass::Full => "full flank",
        FlankClass::Rear => "rear",
    }
}

/// The result as the table prints it.
pub(super) fn result_words(fire: &Fire) -> String {
    fire.cell.map_or_else(|| "--".to_owned(), |cell| cell.result.to_string())
}

/// The fact of a fire.
pub(super) fn fact(field: &Field<'_>, fire: &Fire) -> Fact {
    let laid = &fire.laid;
    let id = |ix| field.unit(ix).id.clone();
    let (from, to) = laid.aims.first().map_or_else(Default::default, |aim| (aim.from, aim.to));
    Fact::Volley {
        firers: laid.shot.firers.iter().map(|firer| id(firer.unit)).collect(),
        target: Some(id(laid.shot.target)),
        from,
        to,
        range: u32::try_from(laid.range.rounded()).unwrap_or(0),
        band: laid.band,
        flank: laid.flank,
        figures: fire.net.min(figures_at_stake(field, fire)),
        result: result_words(fire),
        canister: laid.shot.round.charges(),
    }
}

/// The figures that a fire can take off its target at most: all of them, or its screen's. FIRE-34, TAC-22
fn figures_at_stake(field: &Field<'_>, fire: &Fire) -> u32 {
    let target = field.unit(fire.laid.shot.target);
    match target.stands.last() {
        Some(screen) if is_at_screen(fire) => screen.figures,
        _ => target.figures(),
    }
}

fn is_at_screen(fire: &Fire) -> bool {
    fire.hits.iter().any(|hit| hit.why == Why::Screen)
}

/// The explanation of a fire: sentence, dice and modifier sums, dice thrown, the cell, and what else had a say.
pub(super) fn explanation(field: &Field<'_>, fire: &Fire) -> Explanation {
    let laid = &fire.laid;
    let mut told = sentence(text(field, fire)).with_sum(&laid.dice).with_sum(&laid.modifiers);
    told = told.with_dice(fire.thrown.clone());
    for thrown in &fire.side_dice {
        told = told.with_dice(thrown.clone());
    }
    if let Some(cell) = fire.cell {
        let row = row_words(laid.strength, cell.row);
        let column = format!("{} (column {})", fire.roll, cell.column);
        told = told.with_table("crt", row, column, cell.result.to_string());
    }
    for (rule, note) in notes(field, fire) {
        told = told.with_note(rule, note);
    }
    told
}

fn text(field: &Field<'_>, fire: &Fire) -> String {
    let laid = &fire.laid;
    let firer = |firer: &Firer| struck(&field.unit(firer.unit).name, firer.stands == Stands::Screen);
    let firers: Vec<String> = laid.shot.firers.iter().map(firer).collect();
    let who = capital(&listed(&firers));
    let fires = if firers.len() == 1 { "fires" } else { "fire" };
    let what = match (laid.shot.round, laid.shot.seen) {
        (Round::Canister, _) => " canister",
        (Round::DoubleCanister, _) => " double canister",
        (Round::Plain, Seen::Area) => " by area fire",
        (Round::Plain, Seen::Blind) => " blind",
        (Round::Plain, Seen::Plainly) => "",
    };
    let target = struck(&field.unit(laid.shot.target).name, is_at_screen(fire));
    let range = inches(laid.range.rounded());
    let flank = match laid.flank {
        FlankClass::Front => String::new(),
        FlankClass::Rear => ", into its rear".to_owned(),
        other => format!(", {}", flank_words(other)),
    };
    let dice = dice_words(laid);
    let modifiers = match laid.modifiers.total() {
        0 => "without modifiers".to_owned(),
        sum => format!("with modifiers of {sum:+}"),
    };
    let band = band_words(laid.band);
    let outcome = outcome(field, fire);
    format!("{who} {fires}{what} at {target} at {range}, {band}{flank}: {dice}, {} {modifiers}: {outcome}.", fire.roll)
}

/// `1 die`, `3 dice`.
pub(crate) fn dice_words(laid: &Laid) -> String {
    match laid.dice_count() {
        1 => "1 die".to_owned(),
        count => format!("{count} dice"),
    }
}

/// Who fires, and the row of the table that they read.
pub(crate) fn row_words(strength: Strength, row: i32) -> String {
    match strength {
        Strength::Figures(count) => format!("{count} figures (row {row})"),
        Strength::Sections(count) => format!("{count} sections (row {row})"),
    }
}

fn outcome(field: &Field<'_>, fire: &Fire) -> String {
    let guns = field.unit(fire.laid.shot.target).guns.is_some();
    let result = fire.cell.map(|cell| cell.result);
    match (fire.net, result) {
        (0, Some(CombatResult::MoraleCheck)) if fire.laid.forces_checks(field) => {
            "nobody is hit, but morale is tried".into()
        }
        (0, _) => "no loss".into(),
        (1, _) if guns => "1 hit".into(),
        (lost, _) if guns => format!("{lost} hits"),
        (1, _) => "1 figure lost".into(),
        (lost, _) => format!("{lost} figures lost"),
    }
}

fn notes(field: &Field<'_>, fire: &Fire) -> Vec<(RuleId, String)> {
    let laid = &fire.laid;
    let mut notes = Vec::new();
    if laid.flank != FlankClass::Front {
        notes.push((ENF_01, flank_words(laid.flank).to_owned()));
    }
    match fire.cell.map(|cell| cell.result) {
        Some(CombatResult::Star) => notes.push((FIRE_17, "1*: a die of 4 to 6 confirms it".to_owned())),
        Some(CombatResult::MoraleCheck) if laid.forces_checks(field) => {
            notes.push((FIRE_16, "MC: the target checks its morale".to_owned()));
        }
        Some(CombatResult::MoraleCheck) => notes.push((FIRE_16, "MC of muskets has no effect".to_owned())),
        _ => {}
    }
    if is_at_screen(fire) {
        notes.push((TAC_18, "its skirmish screen takes the fire".to_owned()));
    }
    if laid.shot.firers.iter().any(|firer| firer.stands == Stands::Screen) {
        notes.push((TAC_26, "the screen fires in place of the regiment, as skirmishers".to_owned()));
    }
    match laid.halving {
        Halving::None => {}
        Halving::Down => notes.push((FORM_15, "losses of skirmishers are halved, rounded down".to_owned())),
        Halving::ByDie => {
            notes.push((FIRE_32, "losses of those who flee are halved, a die for the fraction".to_owned()))
        }
    }
    if laid.cover.behind && laid.cover.obstacle.is_none_or(|covers| covers.drm == 0) {
        notes.push((COVER_10, "cover without a modifier against this fire".to_owned()));
    }
    let listed_names = |units: &[crate::battle::UnitIx]| {
        listed(&units.iter().map(|unit| called(&field.unit(*unit).name)).collect::<Vec<_>>())
    };
    // One remark for each: in the fog a side does not read those on units that it does not see. LOS-12
    for sharer in &laid.sharers {
        let name = called(&field.unit(*sharer).name);
        notes.push((FORM_18, format!("close behind the skirmishers: {name}")));
    }
    for (battery, friends) in &laid.over {
        let name = called(&field.unit(*battery).name);
        notes.push((ARTY_32, format!("{name} fires over {}", listed_names(friends))));
    }
    for hit in fire.hits.iter().filter(|hit| hit.why == Why::Behind) {
        let name = called(&field.unit(hit.unit).name);
        notes.push((PEN_01, format!("the fire reaches {name} behind the target")));
    }
    notes
}

/// `one`, `one and two`, `one, two and three`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// With a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
