//! The vectors of the dice document, fairness, independence of order, and what a script reports.

use proptest::prelude::*;
use protocol::orders::Stage;
use serde_json::Value;

use super::*;

const DOCUMENT: &str = include_str!("../../../docs/dice.md");

/// The turn and the answers, as the document prints them.
fn vectors() -> (Value, Value) {
    let mut blocks = DOCUMENT.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut next = || serde_json::from_str(blocks.next().expect("the document has two blocks")).unwrap();
    (next(), next())
}

fn bytes(hex: &Value) -> [u8; 32] {
    let hex = hex.as_str().unwrap();
    let digits: Vec<u8> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    digits.try_into().unwrap()
}

fn dice_of(key: u8) -> KeyedDice {
    KeyedDice::new(TurnKey([key; 32]))
}

#[test]
fn the_document_s_vectors_come_out() {
    let (turn, answers) = vectors();
    let (game, number) = (turn["game"].as_str().unwrap(), turn["turn"].as_u64().unwrap() as u32);
    let seed = TurnSeed(bytes(&turn["seed"]));
    assert_eq!(seed.commitment(game, number), bytes(&answers["commitment"]));

    let seats: Vec<SealedOrders> = turn["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| SealedOrders { nonce: bytes(&seat[0]), envelope_hash: bytes(&seat[1]) })
        .collect();
    assert_eq!(seats[1], SealedOrders::ABSENT);
    let envelope = Envelope {
        salt: &[0x33; 32],
        game,
        turn: number,
        stage: Stage::Orders,
        seat: "vincent",
        nonce: &seats[0].nonce,
        content: br#"{"orders":[]}"#,
    };
    assert_eq!(envelope.hash(), bytes(&answers["envelope_of_first_seat"]));
    assert_eq!(envelope.hash(), seats[0].envelope_hash);

    let key = seed.turn_key(game, number, &seats);
    assert_eq!(key.0, bytes(&answers["turn_key"]));

    let dice = KeyedDice::new(key);
    let faces: Vec<u8> = turn["dice"]
        .as_array()
        .unwrap()
        .iter()
        .map(|die| {
            let purpose = Purpose::from_word(die[1].as_str().unwrap()).expect("a purpose of the catalogue");
            let parts: Vec<&str> = die[2].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
            dice.die(die[0].as_u64().unwrap() as u8, purpose, &parts, die[3].as_u64().unwrap() as u32)
        })
        .collect();
    assert_eq!(serde_json::json!(faces), answers["faces"]);
}

#[test]
fn the_key_depends_on_every_part() {
    let seed = TurnSeed([7; 32]);
    let sealed = SealedOrders { nonce: [1; 32], envelope_hash: [2; 32] };
    let key = seed.turn_key("game", 3, &[sealed]);
    assert_ne!(key, TurnSeed([8; 32]).turn_key("game", 3, &[sealed]));
    assert_ne!(key, seed.turn_key("gama", 3, &[sealed]));
    assert_ne!(key, seed.turn_key("game", 4, &[sealed]));
    assert_ne!(key, seed.turn_key("game", 3, &[SealedOrders { nonce: [9; 32], ..sealed }]));
    assert_ne!(key, seed.turn_key("game", 3, &[SealedOrders { envelope_hash: [9; 32], ..sealed }]));
    assert_ne!(key, seed.turn_key("game", 3, &[sealed, SealedOrders::ABSENT]));
}

#[test]
fn seeds_and_keys_do_not_print() {
    assert_eq!(format!("{:?} {:?}", TurnSeed([7; 32]), TurnKey([7; 32])), "TurnSeed(..) TurnKey(..)");
}

#[test]
fn scale_05_faces_are_even() {
    // 6000 dice of one key; chi square with 5 degrees of freedom passes 20.5 once in a thousand keys.
    let dice = dice_of(42);
    let mut count = [0_i64; 6];
    for n in 1..=6_000 {
        let face = dice.die(4, Purpose::FireVolley, &["20th_maine"], n);
        count[usize::from(face) - 1] += 1;
    }
    let thousand_times_chi_square: i64 = count.iter().map(|seen| (seen - 1_000).pow(2)).sum();
    assert!(thousand_times_chi_square < 20_500, "{count:?}");
}

#[test]
fn turn_05_ties_go_to_the_highest_die_and_level_ones_throw_again() {
    let dice = ScriptedDice::new()
        .with(Purpose::TieTarget, &["a"], &[4, 2])
        .with(Purpose::TieTarget, &["b"], &[4, 5])
        .with(Purpose::TieTarget, &["c"], &[6]);
    let broken = break_tie(&dice, 4, Purpose::TieTarget, &[vec!["a"], vec!["b"], vec!["c"]]);
    assert_eq!(broken.order, [2, 1, 0]);
    assert_eq!(
        broken.throws.iter().map(|shown| shown.faces.clone()).collect::<Vec<_>>(),
        [vec![4, 2], vec![4, 5], vec![6]]
    );
    dice.finish().expect("every die was used once");
}

#[test]
fn turn_05_a_single_candidate_throws_nothing() {
    let dice = ScriptedDice::new();
    let broken = break_tie(&dice, 4, Purpose::TieTarget, &[vec!["a"]]);
    assert_eq!((broken.order, broken.throws), (vec![0], vec![]));
    dice.finish().expect("nothing was asked");
}

#[test]
fn turn_05_endless_ties_end() {
    let broken = break_tie(&ScriptedDice::new(), 4, Purpose::TieMte, &[vec!["b"], vec!["a"]]);
    assert_eq!(broken.order, [1, 0]);
}

#[test]
fn a_script_tells_what_was_left_missing_or_asked_twice() {
    let dice = ScriptedDice::parse("# volleys\nfire.volley maine: 3 4\nphase 7 morale.hit maine: 6 1\nrally maine: 5")
        .unwrap();
    assert_eq!(throw(&dice, 4, Purpose::FireVolley, &["maine"], 1, 2).faces, [3, 4]);
    assert_eq!(dice.die(7, Purpose::MoraleHit, &["maine"], 1), 6);
    assert_eq!(dice.die(7, Purpose::MoraleHit, &["maine"], 1), 6);
    assert_eq!(dice.die(4, Purpose::MoraleHit, &["maine"], 2), 1, "missing in this phase");
    let faults = dice.finish().unwrap_err();
    assert_eq!(
        faults.0,
        [
            "missing: phase 4 morale.hit maine #2",
            "asked 2 times: phase 7 morale.hit maine #1",
            "left over: rally maine #1",
            "left over: phase 7 morale.hit maine #2",
        ]
    );
}

#[test]
fn a_script_may_be_asked_for_a_visibility_die_again() {
    let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["a", "b"], &[3]);
    assert_eq!(roll_sum(&dice, 0, Purpose::VisibilityPair, &["a", "b"], 1, 1), 3);
    assert_eq!(roll_sum(&dice, 0, Purpose::VisibilityPair, &["a", "b"], 1, 1), 3);
    dice.finish().expect("a fact may be looked up again");
}

#[test]
fn a_script_that_cannot_be_read_says_where() {
    let faults =
        ScriptedDice::parse("fire.voley maine: 3\nrally maine 4\nrally maine: 7\nphase x rally maine: 1").unwrap_err();
    assert_eq!(
        faults.0,
        [
            "unknown purpose `fire.voley` in `fire.voley maine: 3`",
            "no colon in `rally maine 4`",
            "`7` is no face of a die in `rally maine: 7`",
            "no number after `phase` in `phase x rally maine: 1`",
        ]
    );
}

#[test]
fn every_purpose_is_found_by_its_word() {
    for purpose in Purpose::ALL {
        assert_eq!(Purpose::from_word(purpose.as_str()), Some(purpose));
    }
    assert_eq!(Purpose::ScenarioArrival.shown(), Shown::SecretUntilArrival);
    assert_eq!(Purpose::SetupNumber.shown(), Shown::SecretUntilTheEnd);
}

proptest! {
    #[test]
    fn turn_05_no_die_depends_on_the_others(seed in any::<u8>(), mut asked in prop::collection::vec((1..10_u8, 0..63_usize, 1..4_u32), 1..20)) {
        let dice = dice_of(seed);
        let face = |&(phase, purpose, n): &(u8, usize, u32)| dice.die(phase, Purpose::ALL[purpose], &["a", "b"], n);
        let mut forward: Vec<_> = asked.iter().map(|die| (*die, face(die))).collect();
        asked.reverse();
        let mut backward: Vec<_> = asked.iter().map(|die| (*die, face(die))).collect();
        forward.sort();
        backward.sort();
        prop_assert!(forward.iter().all(|(_, face)| (1..=6).contains(face)));
        prop_assert_eq!(forward, backward);
    }

    #[test]
    fn turn_05_the_order_of_candidates_does_not_matter(seed in any::<u8>(), names in prop::collection::btree_set("[a-f]{1,3}", 1..6)) {
        let dice = dice_of(seed);
        let forward: Vec<Vec<&str>> = names.iter().map(|name| vec![name.as_str()]).collect();
        let backward: Vec<Vec<&str>> = forward.iter().rev().cloned().collect();
        let winner = |candidates: &[Vec<&str>]| {
            let order = break_tie(&dice, 4, Purpose::TieTarget, candidates).order;
            order.into_iter().map(|index| candidates[index].join(" ")).collect::<Vec<_>>()
        };
        prop_assert_eq!(winner(&forward), winner(&backward));
    }
}

/// The salt and the hash were worked out apart from this code, as the document says.
#[test]
fn hid_72_the_document_s_picket_comes_out() {
    let (_, answers) = vectors();
    let number = protocol::ids::PicketNumber(417);
    let salt = KeyedDice::new(TurnKey(bytes(&answers["turn_key"]))).salt(number);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(&salt), "4f6487bd7197ae1e4b06881118620ecc");
    let contents = r#"{"hides":{"type":"dummy"},"leaders":[]}"#;
    let line = "picket 417 of the Union side is a dummy";
    let sealed = SealedPicket { salt: &salt, number, side: protocol::ids::Side::Union, contents, line };
    assert_eq!(hex(&sealed.hash()), "f00c2fa65f7437db528dc2e46b4bb768b2804d2f3b181382b7606fa0a2cc994d");
    assert!(DOCUMENT.contains(&hex(&salt)) && DOCUMENT.contains(&hex(&sealed.hash())));
}

/// LEAK-62 Another seed, another salt and other numbers: nothing of either follows from what is public.
#[test]
fn leak_62_salts_follow_from_the_secret_key_alone() {
    let number = protocol::ids::PicketNumber(417);
    let salts: std::collections::BTreeSet<[u8; 16]> = (0..50).map(|key| dice_of(key).salt(number)).collect();
    assert_eq!(salts.len(), 50);
}
