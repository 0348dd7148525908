//! Reading one `[[special]]`.

use protocol::ids::{LeaderId, RuleRef};
use protocol::words::{Formation, Quality};
use serde::Deserialize;

use super::{CoverFacing, DisorderWord, FormationWord, GroundUse, OrderWord, RollFails, Special, SpecialKind};
use crate::scenario::entry::{Entry, Names, parse_word, shorten, variants};
use crate::scenario::fault::{nearest, quoted};
use crate::scenario::force::{GUNS, WEAPONS};
use crate::scenario::terms::condition::{Condition, condition};
use crate::scenario::terms::place::{PLACE_CURE, optional_place};
use crate::scenario::terms::turn;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SpecialWord {
    Modifier,
    Roll,
    OffTableBattery,
    Task,
    Terrain,
    Cover,
    MoveAllowance,
    Orders,
    Release,
    Ammunition,
    Leader,
    HiddenStart,
    RestrictedPlace,
    Start,
    AttachedCommand,
    ExitRight,
    Weapon,
    AsData,
    AsBook,
    Sight,
}

/// Reads one `[[special]]`.
pub(in crate::scenario) fn special(mut e: Entry<'_, '_>) -> Special {
    let word: SpecialWord = e.word("kind");
    let id = e.id("id");
    let kind = special_kind(&mut e, word);
    let takes_formations = matches!(word, SpecialWord::Roll | SpecialWord::Terrain | SpecialWord::MoveAllowance);
    let takes_arm = takes_formations;
    let special = Special {
        id,
        kind,
        side: e.opt_word("side"),
        who: e.names("who", Names::Who),
        arm: if takes_arm { e.opt_word("arm") } else { None },
        formation: if takes_formations { formations(&mut e) } else { Vec::new() },
        place: optional_place(&mut e),
        turns: e.opt_turns("turns"),
        optional: e.flag("optional", false),
        note: e.text_or_empty("note"),
    };
    let needs_place = matches!(
        word,
        SpecialWord::OffTableBattery | SpecialWord::Terrain | SpecialWord::Cover | SpecialWord::RestrictedPlace
    );
    if needs_place && special.place.is_none() {
        e.fault(e.at, "a place is missing", PLACE_CURE);
    }
    let needs_who = matches!(
        word,
        SpecialWord::Modifier
            | SpecialWord::Task
            | SpecialWord::Orders
            | SpecialWord::Release
            | SpecialWord::Ammunition
            | SpecialWord::Leader
            | SpecialWord::HiddenStart
            | SpecialWord::Start
            | SpecialWord::AttachedCommand
            | SpecialWord::ExitRight
            | SpecialWord::Weapon
    );
    if needs_who && special.who.is_empty() {
        e.fault(e.at, "`who` is missing", "name units, batteries or commanders: `who = [\"...\"]`");
    }
    if matches!(word, SpecialWord::OffTableBattery) && special.side.is_none() {
        e.fault(e.at, "`side` is missing", "say whose guns they are");
    }
    e.finish();
    special
}

fn special_kind(e: &mut Entry<'_, '_>, word: SpecialWord) -> SpecialKind {
    match word {
        SpecialWord::Modifier => SpecialKind::Modifier {
            on: e.word("on"),
            value: e.int("value", -10..=10),
            while_true: condition(e, "while"),
            until: condition(e, "until"),
        },
        SpecialWord::Roll => {
            let after = e.opt_int("after", 0..=100).map(i32::unsigned_abs);
            let nth = e.opt_int("nth", 1..=100).map(i32::unsigned_abs);
            if after.is_some() && nth.is_some() {
                e.fault(e.at, "both `after` and `nth`", "give one of them (SCNS-04)");
            }
            SpecialKind::Roll {
                on: e.word("on"),
                result: e.word("result"),
                after,
                nth,
                from_turn: e.opt_int("from_turn", 1..=200).map_or(1, i32::unsigned_abs),
                fails: roll_fails(e),
            }
        }
        SpecialWord::OffTableBattery => SpecialKind::OffTableBattery {
            sections: e.int("sections", 1..=6).unsigned_abs(),
            gun: listed(e, "gun", &GUNS),
            quality: e.word_or("quality", Quality::Veteran),
            dice: e.int("dice", 1..=20).unsigned_abs(),
            band: e.word("band"),
            class: e.word("class"),
            from: e.text_or_empty("from"),
        },
        SpecialWord::Task => SpecialKind::Task { action: e.id("action"), result: e.word("result") },
        SpecialWord::Terrain => {
            let (treated_as, wooded) = (e.opt_word("as"), e.opt_word("wooded"));
            if treated_as.is_none() && wooded.is_none() {
                e.fault(e.at, "neither `as` nor `wooded`", "say what the ground is treated as (SCNS-07)");
            }
            let uses: Vec<GroundUse> = e.words("use");
            if uses.is_empty() {
                let cure = format!("list some of {}", quoted(variants::<GroundUse>().iter().copied()));
                e.fault(e.place_of("use"), "`use` says nothing", cure);
            }
            SpecialKind::Terrain { treated_as, wooded, uses }
        }
        SpecialWord::Cover => SpecialKind::Cover {
            treated_as: e.word("as"),
            facing: e.word_or("facing", CoverFacing::Front),
            while_true: condition(e, "while"),
        },
        SpecialWord::MoveAllowance => SpecialKind::MoveAllowance {
            inches: e.decimal("inches", 0..=60_000),
            after_own_fire: e.opt_word::<AfterWord>("after").is_some(),
        },
        SpecialWord::Orders => {
            let only: Vec<OrderWord> = e.words("only");
            let default = vec![OrderWord::Hold, OrderWord::FirstFire, OrderWord::Disengage];
            let until = condition(e, "until");
            if until.is_none() && !e.has("until") {
                e.fault(e.at, "`until` is missing", "say when they are free, such as \"turn 3\" (SCNS-10)");
            }
            let only = if only.is_empty() { default } else { only };
            SpecialKind::Orders { only, until: until.unwrap_or(Condition::Umpire) }
        }
        SpecialWord::Release => SpecialKind::Release { turn: turn(e, "turn") },
        SpecialWord::Ammunition => {
            let fires = e.opt_int("fires", 0..=100).map(i32::unsigned_abs);
            let canister_only = e.flag("canister_only", false);
            if fires.is_none() && !canister_only {
                e.fault(e.at, "it limits nothing", "give `fires = n` or `canister_only = true` (SCNS-11)");
            }
            SpecialKind::Ammunition { fires, canister_only, resupply: e.flag("resupply", false) }
        }
        SpecialWord::Leader => SpecialKind::Leader {
            any_brigade: e.flag("any_brigade", false),
            casualty_within_2: e.opt_word::<CasualtyWord>("casualty_as").is_some(),
            arm: e.opt_word("arm"),
        },
        SpecialWord::HiddenStart => SpecialKind::HiddenStart { until: e.opt_word("until") },
        SpecialWord::RestrictedPlace => SpecialKind::RestrictedPlace {
            lip_stands: e.opt_int("lip_stands", 0..=4).map_or(0, i32::unsigned_abs),
            charged_full_flank: e.opt_word::<ChargedWord>("charged").is_some(),
        },
        SpecialWord::Start => SpecialKind::Start {
            formation: e.opt_word("formation"),
            screen_allowed: e.opt_word::<ScreenWord>("screen").is_some(),
            limbered: opt_flag(e, "limbered"),
            mounted: opt_flag(e, "mounted"),
            morale: e.opt_word("morale"),
            leave_turns: e.opt_int("leave_turns", 0..=20).map_or(0, i32::unsigned_abs),
        },
        SpecialWord::AttachedCommand => {
            SpecialKind::AttachedCommand { under: LeaderId::new(e.name("under", Names::Commander)) }
        }
        SpecialWord::ExitRight => {
            let when = condition(e, "when");
            if when.is_none() && !e.has("when") {
                e.fault(e.at, "`when` is missing", "say from when they may leave (SCNS-03)");
            }
            SpecialKind::ExitRight { when: when.unwrap_or(Condition::Umpire) }
        }
        SpecialWord::Weapon => SpecialKind::Weapon { weapon: listed(e, "weapon", &WEAPONS) },
        SpecialWord::AsData => SpecialKind::AsData { field: e.id("field") },
        SpecialWord::AsBook => SpecialKind::AsBook { rule: RuleRef::new(e.name("rule", Names::Rule)) },
        SpecialWord::Sight => SpecialKind::Sight { inches_per_pip: e.decimal("inches_per_pip", 125..=60_000) },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AfterWord {
    OwnFire,
}

#[derive(Deserialize)]
enum CasualtyWord {
    #[serde(rename = "within_2")]
    WithinTwo,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChargedWord {
    FullFlank,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ScreenWord {
    Allowed,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AgainstWord {
    Bmp,
}

fn roll_fails(e: &mut Entry<'_, '_>) -> RollFails {
    let faces: Vec<u32> = e.ints("fails", 1..=6).into_iter().map(i32::unsigned_abs).collect();
    let against = e.opt_word::<AgainstWord>("against");
    match (faces.is_empty(), against) {
        (false, None) => RollFails::Faces(faces),
        (true, Some(AgainstWord::Bmp)) => RollFails::Bmp,
        _ => {
            e.fault(e.at, "it takes one of `fails` and `against`", "`fails = [1, 2]` or `against = \"bmp\"` (SCNS-04)");
            RollFails::Bmp
        }
    }
}

fn opt_flag(e: &mut Entry<'_, '_>, key: &'static str) -> Option<bool> {
    e.has(key).then(|| e.flag(key, false))
}

fn listed(e: &mut Entry<'_, '_>, key: &'static str, known: &[&str]) -> String {
    let name = e.text(key);
    if !name.is_empty() && !known.contains(&name.as_str()) {
        let what = format!("`{key}` knows no `{}`", shorten(&name));
        e.fault(e.place_of(key), what, nearest(&name, known.iter().copied()));
    }
    name
}

/// A list of formations, `disorder` among them.
fn formations(e: &mut Entry<'_, '_>) -> Vec<FormationWord> {
    let texts = e.texts("formation");
    let at = e.place_of("formation");
    let known = || variants::<Formation>().iter().copied().chain(["disorder"]);
    let mut words = Vec::new();
    for text in texts {
        match (text.as_str(), parse_word(&text)) {
            ("disorder", _) => words.push(FormationWord::Disorder(DisorderWord::Disorder)),
            (_, Some(formation)) => words.push(FormationWord::In(formation)),
            _ => e.fault(at, format!("no formation is called `{}`", shorten(&text)), nearest(&text, known())),
        }
    }
    words
}
