//! Whole battles of Little Round Top, played by random legal players: what must hold of every battle.

#[expect(unreachable_pub, reason = "shared with the tests of the server")]
mod inventor;
#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use inventor::Inventor;
use protocol::ids::Side;
use protocol::orders::{Order, PathAnswer, Stage, Stop};
use protocol::view::Viewer;
use random_play::{Chance, Table, play_to_the_end};
use rules::archive;
use rules::battle::known;
use rules::charge::threat::{Ties, Why, most_threatening, threats};
use rules::field::Field;
use rules::orders::legal_part;
use rules::ruleset::Ruleset;
use rules::sight::sight_line;
use rules::stage::Outcome;
use rules::view::{events, view};

#[test]
fn a_battle_ends_after_its_last_turn() {
    for seed in 0..2 {
        let table = Table::little_round_top();
        let end = play_to_the_end(&table, seed, |_, _| {});
        assert!(end.table.ended.is_some(), "seed {seed}");
        assert!(end.table.turn <= 10, "seed {seed} stands at turn {}", end.table.turn);
    }
}

#[test]
fn los_01_a_battle_in_the_fog_is_played_to_its_end_and_is_open_then() {
    let mut table = Table::little_round_top();
    table.theatre = rules::secrecy::in_fog(&table.theatre);
    let shown = |battle: &rules::battle::Battle, side| {
        let view = view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Side { side });
        view.units.iter().filter(|unit| unit.side != side && unit.stance.is_some()).count()
    };
    let mut least = usize::MAX;
    let end = play_to_the_end(&table, 1, |battle, _| least = least.min(shown(battle, Side::Union)));
    assert!(end.table.ended.is_some());
    let all = end.table.units_of(Side::Confederate).count();
    assert_eq!(shown(&end, Side::Union), all, "the whole table is open at the end");
    assert!(least < 10, "at some time most of the enemy was out of sight, and not {least} of ten");
}

#[test]
fn the_same_inputs_give_the_same_battle() {
    let table = Table::little_round_top();
    let one = chronicle(&table, 7);
    assert!(one == chronicle(&table, 7), "two runs of seed 7 differ");
    assert!(one != chronicle(&table, 8), "seeds 7 and 8 give one battle");
}

/// All that the store would keep of a battle, byte for byte: the battle and the log of every stage.
fn chronicle(table: &Table, seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let mut battle = table.start();
    let mut kept = Vec::new();
    for stage in Stage::ALL.into_iter().cycle().take(40) {
        let envelopes = table.random_envelopes(&battle, stage, &mut chance);
        let outcome = table.resolve(stage, battle, &envelopes, seed);
        battle = outcome.battle;
        kept.extend_from_slice(archive::store(&battle).as_bytes());
        kept.extend_from_slice(archive::store_events(&outcome.events).as_bytes());
        if battle.table.ended.is_some() {
            break;
        }
    }
    kept
}

#[test]
fn a_battle_survives_the_store_at_every_stage() {
    let table = Table::little_round_top();
    play_to_the_end(&table, 3, |battle, _| {
        let bytes = archive::store(battle);
        let back = archive::restore(&bytes, table.theatre.clone()).expect("what was stored can be read");
        assert!(back == *battle, "turn {} came back changed", battle.table.turn);
    });
}

/// What the table keeps of its units and of lines of sight is what would be found anew, at every stage of a battle.
#[test]
fn what_the_table_keeps_is_what_would_be_found_anew() {
    let table = Table::little_round_top();
    play_to_the_end(&table, 5, |battle, _| {
        let units: Vec<_> = battle.table.units().collect();
        let fresh = table.theatre.map.now(&battle.table.changes);
        for (ix, unit) in &units {
            assert_eq!(*battle.table.layout(*ix), unit.layout(), "{} in turn {}", unit.id, battle.table.turn);
            for (other, _) in units.iter().step_by(5) {
                let ends = [*ix, *other].map(|ix| battle.table.layout(ix).stands[0].rect.center);
                let kept = sight_line(&battle.table.ground(), ends[0], ends[1]);
                assert_eq!(kept, sight_line(&fresh, ends[0], ends[1]), "turn {}", battle.table.turn);
            }
        }
    });
}

/// Promise 1, REV-02: two worlds that differ in what the enemy sealed and the reveal does not show. The bytes that the
/// Union is sent, view and log, stay equal: paths beyond the first leg, pushes and standing instructions are secret.
#[test]
fn sealed_is_sealed_beyond_what_the_reveal_shows() {
    let table = Table::little_round_top();
    let union = Viewer::Seat { side: Side::Union, seat: table.seat(Side::Union) };
    let enemy = table.seat(Side::Confederate);
    let mut differing = 0;
    for seed in 0..12 {
        let start = table.start();
        let mut envelopes = table.random_envelopes(&start, Stage::Orders, &mut Chance::new(seed));
        let plain = table.resolve(Stage::Orders, start.clone(), &envelopes, seed);
        let mut changed = envelopes[&enemy].clone();
        for said in changed.units.values_mut() {
            said.instructions.rally = Some(false);
            said.instructions.fire = Some(false);
            if let Some(Order::Move(march)) = &mut said.order {
                march.path.truncate(1);
                march.push = false;
            }
        }
        differing += usize::from(changed != envelopes[&enemy]);
        envelopes.insert(enemy.clone(), changed);
        let other = table.resolve(Stage::Orders, start, &envelopes, seed);
        assert_eq!(shown(&plain, &union), shown(&other, &union), "seed {seed}");
        let theirs = Viewer::Seat { side: Side::Confederate, seat: enemy.clone() };
        assert_ne!(shown(&plain, &theirs), shown(&other, &theirs), "seed {seed}: the two worlds are one");
    }
    assert_eq!(differing, 12);
}

/// HID-70, HID-71 The same for all that is never revealed by itself: standing instructions of every kind, postures and the
/// words to leaders. Before anything of it takes effect, no byte tells of it.
#[test]
fn hid_70_standing_instructions_postures_and_words_to_leaders_stay_secret() {
    let table = Table::little_round_top();
    let start = table.start();
    let union = Viewer::Seat { side: Side::Union, seat: table.seat(Side::Union) };
    let enemy = table.seat(Side::Confederate);
    let theirs = Viewer::Seat { side: Side::Confederate, seat: enemy.clone() };
    let units = start.table.units().map(|(_, unit)| unit.id.to_string()).collect();
    let mut said = 0;
    for seed in 0..8 {
        let mut inventor = Inventor::new(seed, vec![("UnitId", Vec::clone(&units))], 40_000);
        let mut envelopes = table.random_envelopes(&start, Stage::Orders, &mut Chance::new(seed));
        let plain = table.resolve(Stage::Orders, start.clone(), &envelopes, seed);
        let mut changed = envelopes[&enemy].clone();
        changed.leaders.clear();
        for unit in changed.units.values_mut() {
            unit.instructions = serde_json::from_value(inventor.invent("Instructions")).unwrap_or_default();
            unit.posture =
                ["stubborn", "assault", "guns_hold_to_canister"].get(inventor.below(4)).map(|it| (*it).to_owned());
        }
        let (legal, _) =
            legal_part(&known(&start, Side::Confederate), Ruleset::standard(), &enemy, Stage::Orders, &changed);
        said += legal.units.values().filter(|unit| unit.instructions != Default::default()).count();
        envelopes.insert(enemy.clone(), legal);
        let other = table.resolve(Stage::Orders, start.clone(), &envelopes, seed);
        assert_eq!(shown(&plain, &union), shown(&other, &union), "seed {seed}");
        assert_ne!(shown(&plain, &theirs), shown(&other, &theirs), "seed {seed}: the two worlds are one");
    }
    assert!(20 < said, "only {said} units were told anything");
}

/// HID-70 Who says what would be so anyway plays the same battle, and it is told to his own side alone that he said it.
#[test]
fn hid_70_by_which_words_a_unit_acted_is_told_to_its_own_side_alone() {
    let table = Table::little_round_top();
    let union = Viewer::Seat { side: Side::Union, seat: table.seat(Side::Union) };
    let enemy = table.seat(Side::Confederate);
    let theirs = Viewer::Seat { side: Side::Confederate, seat: enemy.clone() };
    let (mut chance, seed) = (Chance::new(5), 5);
    let (mut silent, mut told) = (table.start(), table.start());
    let mut differing = 0;
    for stage in Stage::ALL.into_iter().cycle().take(8) {
        let envelopes = table.random_envelopes(&silent, stage, &mut chance);
        let mut saying = envelopes.clone();
        let draft = saying.entry(enemy.clone()).or_default();
        for (_, unit) in silent.table.units_of(Side::Confederate) {
            let instructions = &mut draft.units.entry(unit.id.clone()).or_default().instructions;
            match stage {
                Stage::Orders => instructions.stop = Some(Stop::Never {}),
                Stage::Movement => instructions.path = Some(PathAnswer::AsOrdered {}),
                Stage::Reactions | Stage::Charges => {}
            }
        }
        let one = table.resolve(stage, silent, &envelopes, seed);
        let other = table.resolve(stage, told, &saying, seed);
        assert_eq!(shown(&one, &union), shown(&other, &union), "{stage:?}");
        differing += usize::from(shown(&one, &theirs) != shown(&other, &theirs));
        (silent, told) = (one.battle, other.battle);
    }
    assert!(2 <= differing, "the two worlds are one");
}

/// All that a viewer is sent after a stage: the view and the log.
fn shown(outcome: &Outcome, viewer: &Viewer) -> String {
    let shown = view(Ruleset::standard(), &outcome.battle, Stage::Reactions, viewer);
    serde_json::to_string(&(shown, events(&outcome.events, viewer))).expect("plain data")
}

/// What is found by looking outward, and stopping early, is what is found by looking at everybody.
#[test]
fn looking_outward_finds_what_looking_at_all_finds() {
    let table = Table::little_round_top();
    play_to_the_end(&table, 1, |battle, stage| {
        if stage != Stage::Orders {
            return;
        }
        let dice = table.dice(battle.table.turn, 1);
        let field = Field::new(Ruleset::standard(), &battle.table, &dice);
        for (ix, unit) in battle.table.units() {
            let own = field.extent(ix);
            let outward: Vec<_> = field.enemies_outward(unit.side, own).collect();
            let mut all: Vec<_> = field.enemies_of(unit.side).map(|(enemy, _)| enemy).collect();
            all.sort_by_key(|enemy| (field.extent(*enemy).least_distance(own), *enemy));
            assert_eq!(outward, all, "{}", unit.name);
            for why in [Why::Charge { reach: None }, Why::Charge { reach: Some(9_000) }, Why::Disengage] {
                let ties: Ties<'_> = Some((&dice, 6));
                let first = threats(&field, ix, why, ties).first().map(|threat| threat.enemy);
                assert_eq!(most_threatening(&field, ix, why, ties), first, "{} {why:?}", unit.name);
            }
        }
    });
}
