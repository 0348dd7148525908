//! What a volley would do: worked by hand, and against every way in which the real volley's dice can fall.

use std::cell::RefCell;
use std::collections::BTreeMap;

use protocol::event::{Fact, Morale};
use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::message::{Fate, Odds, OddsFire};
use protocol::orders::{Draft, Instructions, Order, RangeChoice, Stage, UnitDraft};
use protocol::words::Formation;

use super::{NotAsked, Question, odds};
use crate::battle::{Battle, Table, known};
use crate::chance::Chance;
use crate::dice::{Dice, Purpose};
use crate::field::Field;
use crate::fire::{self, Candidates, Occasion, Wishes};
use crate::morale;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, battery, infantry, open_ground, seat};

const HOLD: Order = Order::Hold { task: None };

/// A veteran regiment of the Union facing north, its opening volley used.
fn blue(figures: u32) -> Maker {
    infantry("a", Side::Union).figures(figures).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true)
}

/// A veteran Confederate regiment facing south, so many thousandths before it.
fn grey(figures: u32, north: i32) -> Maker {
    infantry("b", Side::Confederate).figures(figures).at(30_000, 30_000 + north).facing(18_000)
}

fn battle(units: impl IntoIterator<Item = Maker>) -> Battle {
    testing::battle(testing::table(open_ground(), units))
}

fn question(order: Order) -> Question {
    Question { firer: UnitId::new("a"), target: UnitId::new("b"), order, said: Vec::new() }
}

fn asked(battle: &Battle, order: Order) -> Odds {
    odds(&known(battle, Side::Union), Ruleset::standard(), &question(order)).expect("both units are there")
}

fn losses(odds: &Odds) -> Vec<(u32, u32, u32, &str)> {
    odds.losses.iter().map(|loss| (loss.figures, loss.stands, loss.horses, loss.chance.exact.as_str())).collect()
}

fn fates(odds: &Odds) -> Vec<(Fate, &str)> {
    odds.fates.iter().map(|fate| (fate.fate, fate.chance.exact.as_str())).collect()
}

#[test]
fn fire_14_two_dice_on_the_row_of_twelve() {
    let odds = asked(&battle([blue(12), grey(12, 5_000)]), HOLD);
    // On HOLD at long range two dice, no modifiers. Row 12: 7 and 8 are 1*, 9 and 10 kill one, 11 and 12 two. Of 36 ways 11
    // are 1*, of which half kill, 7 kill one and 3 two. None: 36 - 21 + 5.5 = 20.5, one: 5.5 + 7 = 12.5, two: 3.
    assert_eq!(odds.ways, 36);
    assert_eq!(odds.totals.iter().map(|total| total.ways).sum::<u32>(), odds.ways);
    assert_eq!(losses(&odds), [(0, 0, 0, "41/72"), (1, 0, 0, "25/72"), (2, 0, 0, "1/12")]);
    // With a loss, in 31 of 72, the first casualty is checked: a veteran must beat 3. A 3 shakes (2 of 36), a 2 routs (1 of 36).
    assert_eq!(fates(&odds), [(Fate::Good, "833/864"), (Fate::Shaken, "31/1296"), (Fate::Routed, "31/2592")]);
    assert_eq!(odds.check.as_ref().map(|sum| sum.total), Some(3));
    // 31/72 is 43.1 percent, 93/2592 is 3.6.
    assert_eq!(
        odds.explanation.sentence,
        "2 dice, no modifiers: most likely no loss; 43 % at least 1 figure; the target goes shaken or worse in 4 %."
    );
}

#[test]
fn mor_17_each_stand_lost_is_a_check_of_its_own() {
    // Stands of one figure, the first casualty taken long ago. Loss as above: 41, 25 and 6 of 72.
    let odds = asked(&battle([blue(12), grey(4, 5_000).with(|unit| unit.first_casualty_taken = true)]), HOLD);
    assert_eq!(losses(&odds), [(0, 0, 0, "41/72"), (1, 1, 0, "25/72"), (2, 2, 0, "1/12")]);
    // One stand: must beat 3 + 3 = 6: 21 pass, 14 are shaken, 1 routs, of 36.
    // Two: the second must beat 9; shaken 11; routed 13. Good then passes in 6, is shaken in 29, routs in 1; shaken rallies by
    // a 12 or routs in 35; routed rallies by a 12 or is picked up in 35. Of 36 x 36:
    //   good 21 x 6 + 14 + 1 = 141, shaken 21 x 29 = 609, routed 21 + 14 x 35 = 511, picked up 35.
    // Of 72 x 1296 = 93312:
    //   good 41 x 1296 + 25 x 21 x 36 + 6 x 141 = 72882, shaken 25 x 14 x 36 + 6 x 609 = 16254,
    //   routed 25 x 36 + 6 x 511 = 3966, picked up 6 x 35 = 210.
    let worked = [72_882, 16_254, 3_966, 210].map(|ways| Chance::new(ways, 93_312).to_string());
    let found: Vec<String> = odds.fates.iter().map(|fate| fate.chance.exact.clone()).collect();
    assert_eq!(found, worked);
    assert_eq!(odds.fates.last().map(|fate| fate.fate), Some(Fate::PickedUp));
}

#[test]
fn fire_19_the_order_decides_dice_and_bonus() {
    let battle = battle([blue(12), grey(12, 3_000)]);
    let dice = |order: Order| {
        let odds = asked(&battle, order);
        (odds.fire, odds.explanation.sums.iter().map(|sum| sum.total).collect::<Vec<_>>())
    };
    // At 3 inches, normal range: FIRST FIRE has three dice and +1, HOLD three, after a move two.
    assert_eq!(dice(Order::FirstFire {}), (OddsFire::FirstFire, vec![3, 1]));
    assert_eq!(dice(HOLD), (OddsFire::Hold, vec![3, 0]));
    assert_eq!(dice(Order::Move(Default::default())), (OddsFire::Moving, vec![2, 0]));
}

#[test]
fn fire_02_a_volley_that_is_not_fired_is_refused_in_the_words_of_the_volley() {
    let rule = |units: [Maker; 2], order: Order| {
        let odds = asked(&battle(units), order);
        assert!(odds.losses.is_empty() && odds.fates.is_empty() && odds.totals.is_empty());
        let refused = odds.refused.expect("it does not fire");
        (refused.rule.as_str().to_owned(), refused.text)
    };
    let says = |(rule, text): (&str, &str)| (rule.to_owned(), text.to_owned());
    assert_eq!(rule([blue(12), grey(12, 30_000)], HOLD), says(("FIRE-11", "`b` is out of range of `a`")));
    assert_eq!(rule([blue(12), grey(12, -6_000)], HOLD), says(("FIRE-23", "`b` is outside the fire zones of `a`")));
    assert_eq!(rule([blue(12).prone(), grey(12, 3_000)], HOLD), says(("TAC-09", "`a` is prone")));
    let column = blue(12).formation(Formation::AttackColumn);
    assert_eq!(rule([column, grey(12, 3_000)], HOLD), says(("FORM-08", "`a` keeps its order and does not fire")));
}

#[test]
fn fire_25_the_enemy_that_it_would_fire_at_is_named() {
    let near = infantry("c", Side::Confederate).at(30_000, 32_000).facing(18_000).figures(8);
    let odds = asked(&battle([blue(20), grey(12, 5_000).at(33_500, 34_000), near]), HOLD);
    assert!(odds.explanation.notes.iter().any(|note| note.rule.as_str() == "FIRE-25" && note.text.ends_with("at c")));
}

#[test]
fn only_own_units_and_enemies_on_the_table_are_answered_for() {
    let battle = battle([blue(12), grey(12, 3_000)]);
    let ask = |firer: &str, target: &str| {
        let question = Question { firer: UnitId::new(firer), target: UnitId::new(target), ..question(HOLD) };
        odds(&known(&battle, Side::Union), Ruleset::standard(), &question).map(|_| ())
    };
    assert_eq!(ask("a", "b"), Ok(()));
    assert_eq!(ask("b", "a"), Err(NotAsked::NotOwn));
    assert_eq!(ask("a", "a"), Err(NotAsked::NoSuchEnemy));
    assert_eq!(ask("a", "nobody"), Err(NotAsked::NoSuchEnemy));
}

#[test]
fn nothing_that_the_enemy_hides_changes_the_answer() {
    let plain = battle([blue(12), grey(12, 3_000)]);
    let mut hiding = plain.clone();
    let told = Instructions { fire: Some(false), ..Instructions::default() };
    testing::give(&mut hiding, "b", Order::Disengage { abandon_guns: false }, told);
    // Between the two, where it would stop the fire and could be fired at.
    let hidden = infantry("c", Side::Confederate).at(30_000, 31_500).facing(18_000);
    testing::hide(&mut hiding, PicketNumber(1), Some(hidden.clone()), (30_000, 31_500), Side::Confederate);
    assert_eq!(asked(&plain, HOLD), asked(&hiding, HOLD));
    let mut open = plain.clone();
    open.table.insert(hidden.unit());
    assert_ne!(asked(&plain, HOLD), asked(&open, HOLD), "it matters once it stands openly");
}

#[test]
fn ord_03_the_order_is_the_sealed_one_then_that_of_the_draft_then_hold() {
    let mut battle = battle([blue(12), grey(12, 3_000)]);
    let of = |battle: &Battle, stage: Stage, draft: Option<&Draft>, fire: Option<OddsFire>| {
        let (firer, target) = (UnitId::new("a"), UnitId::new("b"));
        let seat = seat(Side::Union);
        Question::of(&known(battle, Side::Union), Ruleset::standard(), (&seat, stage), draft, (&firer, &target), fire)
    };
    assert_eq!(of(&battle, Stage::Orders, None, None).order, HOLD);
    let said = Instructions { first_fire: Some(RangeChoice::OnlyClose), ..Instructions::default() };
    let unit = UnitDraft { order: Some(Order::FirstFire {}), instructions: said, ..UnitDraft::default() };
    let draft = Draft { units: [(UnitId::new("a"), unit)].into(), ..Draft::default() };
    let drafted = of(&battle, Stage::Orders, Some(&draft), None);
    assert_eq!(drafted.order, Order::FirstFire {});
    // At 3 inches, normal range, its instructions keep the fire.
    let answer = odds(&known(&battle, Side::Union), Ruleset::standard(), &drafted).expect("both are there");
    assert!(answer.explanation.notes.iter().any(|note| note.rule.as_str() == "FF-06"));
    assert_eq!(of(&battle, Stage::Orders, Some(&draft), Some(OddsFire::Hold)).order, HOLD);

    let standing = Instructions { fire: Some(true), ..Instructions::default() };
    testing::give(&mut battle, "a", Order::Move(Default::default()), standing.clone());
    assert_eq!(of(&battle, Stage::Orders, None, None).order, HOLD, "those of the last turn are over");
    let sealed = of(&battle, Stage::Reactions, None, None);
    assert_eq!((sealed.order, sealed.said), (Order::Move(Default::default()), vec![standing]));
}

/// Dice that fall as one way says; those of purposes that are not walked show 1.
struct Walked<'w> {
    purposes: &'w [Purpose],
    begun: &'w [usize],
    /// What was asked for, in order: the throw, and which of its falls it took.
    asked: RefCell<Vec<(String, Vec<Fall>, usize)>>,
}

/// One way in which a throw can fall: its faces, and how many of its ways that stands for.
#[derive(Clone, Copy)]
struct Fall {
    faces: (u8, u8),
    ways: u64,
}

/// The ways of a throw. The dice of a volley are walked face by face; a die that is only yes or no by one face each (FIRE-17,
/// FIRE-33: 4 to 6 kill; ARTY-36: 1 to 4 kill a horse); the two dice of a check by their sum.
fn falls(purpose: Purpose) -> Vec<Fall> {
    let one = |face: u8, ways: u64| Fall { faces: (face, face), ways };
    match purpose {
        Purpose::FireVolley => (1..=6).map(|face| one(face, 1)).collect(),
        Purpose::FireConfirm | Purpose::FireFraction => vec![one(3, 3), one(4, 3)],
        Purpose::ArtyHorse => vec![one(4, 4), one(5, 2)],
        _ => {
            let pair = |sum: u8| if sum <= 7 { (1, sum - 1) } else { (6, sum - 6) };
            (2..=12).map(|sum| Fall { faces: pair(sum), ways: u64::from(6 - sum.abs_diff(7)) }).collect()
        }
    }
}

impl Dice for Walked<'_> {
    fn die(&self, _: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        if !self.purposes.contains(&purpose) {
            return 1;
        }
        let throw = if CHECKS.contains(&purpose) { n.div_ceil(2) } else { n };
        let name = format!("{} {key:?} {throw}", purpose.as_str());
        let mut asked = self.asked.borrow_mut();
        let place = asked.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
            let fall = self.begun.get(asked.len()).copied().unwrap_or(0);
            asked.push((name, falls(purpose), fall));
            asked.len() - 1
        });
        let (_, falls, fall) = &asked[place];
        let (first, second) = falls[*fall].faces;
        if n % 2 == 1 { first } else { second }
    }
}

/// Plays `run` with every way in which the dice of these purposes can fall, and adds up how likely each result is.
fn walked<K: Ord>(purposes: &[Purpose], run: impl Fn(&dyn Dice) -> K) -> BTreeMap<K, Chance> {
    let mut found = BTreeMap::new();
    let mut begun: Vec<usize> = Vec::new();
    loop {
        let dice = Walked { purposes, begun: &begun, asked: RefCell::default() };
        let result = run(&dice);
        let mut way = dice.asked.into_inner();
        let share = way.iter().fold(Chance::CERTAIN, |share, (_, falls, fall)| {
            share * Chance::new(falls[*fall].ways, falls.iter().map(|fall| fall.ways).sum())
        });
        let known = found.entry(result).or_insert(Chance::NEVER);
        *known = *known + share;
        while way.last().is_some_and(|(_, falls, fall)| fall + 1 == falls.len()) {
            way.pop();
        }
        begun = way.into_iter().map(|(_, _, fall)| fall).collect();
        let Some(last) = begun.last_mut() else { return found };
        *last += 1;
    }
}

/// The real volley of `a` at `b` on HOLD, in phase 7, with what it leaves to be settled.
fn volley<'p>(battle: &Battle, dice: &'p dyn Dice) -> (Play<'p>, Vec<crate::settle::Happening>) {
    let mut play = Play::new(Ruleset::standard(), dice, battle.clone(), Stage::Movement);
    play.phase = 7;
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, dice);
    let wishes = Wishes::default();
    let unit = testing::ix(&before, "a");
    let looking =
        Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion: Occasion::Hold, dice: None };
    let shot = fire::choose(&looking).expect("it fires");
    let happenings = fire::shoot(&mut play, vec![shot]);
    (play, happenings)
}

/// Figures, stands and horses that the real volley cost `b`.
fn lost(before: &Table, play: &Play<'_>) -> (u32, u32, u32) {
    let (was, is) = (&before[testing::ix(before, "b")], &play.table()[testing::ix(play.table(), "b")]);
    let horses = |unit: &crate::battle::Unit| unit.guns.as_ref().map_or(0, |guns| guns.horses);
    let stands = play.events.iter().find_map(|event| match &event.fact {
        Fact::Losses { stands, .. } if was.guns.is_none() => Some(*stands),
        _ => None,
    });
    let figures = was.figures() - is.figures();
    (figures, stands.unwrap_or(if was.guns.is_some() { figures } else { 0 }), horses(was) - horses(is))
}

/// What became of `b` by its own checks.
fn fate(play: &Play<'_>) -> Fate {
    let unit = &play.table()[testing::ix(play.table(), "b")];
    if unit.figures() == 0 {
        return Fate::Destroyed;
    }
    let mut checks = play.events.iter().filter_map(|event| match &event.fact {
        Fact::MoraleCheck { unit, passed, before, after, .. } if unit.as_str() == "b" => {
            Some((*passed, *before, *after))
        }
        _ => None,
    });
    match checks.next_back() {
        None => morale::fate(unit.morale),
        Some((false, Morale::Routed, _)) => Fate::PickedUp,
        Some((_, _, after)) => morale::fate(after),
    }
}

const VOLLEY: [Purpose; 4] = [Purpose::FireVolley, Purpose::FireConfirm, Purpose::FireFraction, Purpose::ArtyHorse];
const CHECKS: [Purpose; 4] =
    [Purpose::MoraleFirstCasualty, Purpose::MoraleHit, Purpose::MoraleHorse, Purpose::MoraleStandLost];

/// Every way of the real volley against the odds: the losses.
fn losses_are_those_of_every_volley(units: impl IntoIterator<Item = Maker>) -> Odds {
    let battle = battle(units);
    let odds = asked(&battle, HOLD);
    let played = walked(&VOLLEY, |dice| lost(&battle.table, &volley(&battle, dice).0));
    let played: Vec<(u32, u32, u32, String)> = played
        .into_iter()
        .map(|((figures, stands, horses), chance)| (figures, stands, horses, chance.to_string()))
        .collect();
    let reckoned: Vec<(u32, u32, u32, String)> = losses(&odds)
        .into_iter()
        .map(|(figures, stands, horses, chance)| (figures, stands, horses, chance.to_owned()))
        .collect();
    assert_eq!(reckoned, played);
    odds
}

/// Every way of the real volley and of the checks that follow against the odds: the fates.
fn fates_are_those_of_every_volley(units: impl IntoIterator<Item = Maker>) -> Odds {
    let battle = battle(units);
    let odds = asked(&battle, HOLD);
    let purposes: Vec<Purpose> = VOLLEY.into_iter().chain(CHECKS).collect();
    let played = walked(&purposes, |dice| {
        let (mut play, happenings) = volley(&battle, dice);
        morale::settle(&mut play, happenings);
        fate(&play)
    });
    let played: Vec<(Fate, String)> = played.into_iter().map(|(fate, chance)| (fate, chance.to_string())).collect();
    let reckoned: Vec<(Fate, String)> =
        fates(&odds).into_iter().map(|(fate, chance)| (fate, chance.to_owned())).collect();
    assert_eq!(reckoned, played);
    odds
}

#[test]
fn the_losses_are_those_of_every_way_of_the_dice() {
    // Two dice, three dice, and what halves: skirmishers, and those who flee.
    losses_are_those_of_every_volley([blue(12), grey(12, 5_000)]);
    losses_are_those_of_every_volley([blue(32), grey(8, 3_000)]);
    losses_are_those_of_every_volley([blue(32), grey(12, 3_000).formation(Formation::SkirmishLine)]);
    losses_are_those_of_every_volley([blue(32), grey(12, 3_000).morale(Morale::Routed)]);
}

#[test]
fn arty_36_horses_and_sections_are_told_apart_in_every_way() {
    let guns = battery("b", Side::Confederate).at(30_000, 35_000).facing(18_000);
    let odds = losses_are_those_of_every_volley([blue(32), guns]);
    assert!(odds.losses.iter().any(|loss| 0 < loss.horses && 0 < loss.figures), "{:?}", odds.losses);
}

#[test]
fn sharp_09_what_a_sharpshooter_may_still_kill_is_in_the_odds() {
    let sharp = |kills: u32| {
        infantry("a", Side::Union).at(30_000, 30_000).figures(4).formation(Formation::SkirmishLine).with(|unit| {
            unit.arm = protocol::words::Arm::Sharpshooter;
            unit.weapon = "sharpshooter_rifle".to_owned();
            unit.stands = vec![crate::battle::Stand { figures: 2, full: 2, loss_rank: 0 }];
            (unit.stands_at_start, unit.figures_at_start) = (1, 2);
            unit.marks.kills = kills;
        })
    };
    for kills in [0, 1, 2] {
        let target = grey(12, 3_000).with(|unit| unit.quality = protocol::words::Quality::Green);
        let odds = losses_are_those_of_every_volley([sharp(kills), target]);
        assert!(odds.losses.iter().all(|loss| loss.figures + kills <= 2), "{:?}", odds.losses);
    }
}

#[test]
fn the_fates_are_those_of_every_way_of_the_dice() {
    // The first casualty; then stands of one figure, so that several checks follow each other.
    fates_are_those_of_every_volley([blue(12), grey(12, 5_000)]);
    let odds = fates_are_those_of_every_volley([
        blue(12),
        grey(4, 5_000).with(|unit| unit.first_casualty_taken = true).morale(Morale::Shaken),
    ]);
    assert!(odds.fates.iter().any(|fate| fate.fate == Fate::PickedUp));
}

#[test]
fn mor_12_hits_of_guns_are_checked_in_every_way() {
    // Two dice of two sections, on HOLD and shaken: 9 is MC, 10 and 11 are 1*, 12 kills one.
    let guns = battery("a", Side::Union).at(30_000, 30_000).morale(Morale::Shaken);
    let guns = guns.with(|unit| unit.opening_volley_used = true);
    let target = grey(12, 10_000);
    let odds = fates_are_those_of_every_volley([guns, target]);
    // MC alone is 4 ways of 36, 1* five, of which half kill, 12 one.
    assert_eq!(losses(&odds), [(0, 0, 0, "65/72"), (1, 0, 0, "7/72")]);
    assert!(odds.fates.iter().any(|fate| fate.fate == Fate::Shaken), "a check is due: {odds:?}");
}
