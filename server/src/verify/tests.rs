//! A record made by hand, and what is said of it when somebody has changed it.

use std::fs;

use protocol::event;
use protocol::message::StageAt;

use super::*;

const GAME: &str = "3f0c7b52-6f3e-4d0e-9c5b-2a7f3f1d9a10";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Two turns, in each of which one seat has sealed and a volley of two dice was fired.
fn record() -> Disclosure {
    let mut record = Disclosure {
        game: GAME.to_owned(),
        seats: vec!["confederate".into(), "union".into()],
        seeds: Vec::new(),
        envelopes: Vec::new(),
        throws: Vec::new(),
    };
    for turn in [1, 2] {
        let seed = TurnSeed([7; 32]);
        let commitment = hex(&seed.commitment(GAME, turn));
        record.seeds.push(DisclosedSeed { line: 1, turn, seed: hex(&seed.0), commitment });
        let (salt, nonce, content) = ([3; 32], [1; 32], r#"{"units":{}}"#);
        let at = StageAt { line: 1, turn, stage: Stage::Orders };
        let sealed = Envelope {
            salt: &salt,
            game: GAME,
            turn,
            stage: Stage::Orders,
            seat: "union",
            nonce: &nonce,
            content: content.as_bytes(),
        };
        let hash = sealed.hash();
        record.envelopes.push(DisclosedEnvelope {
            at,
            seat: "union".into(),
            hash: hex(&hash),
            salt: hex(&salt),
            nonce: hex(&nonce),
            content: content.to_owned(),
        });
        let seats = [SealedOrders::ABSENT, SealedOrders { nonce, envelope_hash: hash }];
        let dice = KeyedDice::new(seed.turn_key(GAME, turn, &seats));
        let faces = [1, 2].map(|n| dice.die(4, Purpose::FireVolley, &["20th_maine"], n)).to_vec();
        let key = vec!["20th_maine".to_owned()];
        let dice = event::Dice { purpose: "fire.volley".to_owned(), key, faces, needed: None };
        record.throws.push(DisclosedThrow { line: 1, turn, phase: 4, side: None, dice });
    }
    record
}

/// What is said of a record that was changed.
fn changed(change: impl FnOnce(&mut Disclosure)) -> Vec<String> {
    let mut record = record();
    change(&mut record);
    verify(&record).faults
}

/// What is said of a file, and how the program ends.
fn of_file(content: &[u8]) -> Result<(String, Verdict), String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("record.json");
    fs::write(&path, content).expect("it can be written");
    examine(&path).map_err(|complaint| complaint.replace(&path.display().to_string(), "FILE"))
}

fn json(record: &Disclosure) -> Vec<u8> {
    serde_json::to_vec(record).expect("a record is JSON")
}

#[test]
fn hid_72_a_good_record_agrees_and_the_report_says_what_it_can_not_show() {
    let (report, verdict) = of_file(&json(&record())).expect("it is a record");
    assert_eq!(verdict, Verdict::Agrees);
    for words in ["2 of 2 commitments", "2 of 2 envelopes", "4 of 4 dice", "All of the record agrees", "left out"] {
        assert!(report.contains(words), "{words}: {report}");
    }
}

#[test]
fn hid_72_changed_orders_are_named_by_turn_window_and_seat() {
    let faults = changed(|record| record.envelopes[1].content = r#"{"units":{"a":{}}}"#.to_owned());
    assert_eq!(faults, ["line 1, turn 2, orders, seat union: the hash is not that of the envelope"]);
}

#[test]
fn hid_72_a_changed_die_is_named_with_what_it_should_be() {
    let honest = record().throws[0].dice.faces.clone();
    let faults = changed(|record| record.throws[0].dice.faces[0] = honest[0] % 6 + 1);
    let mut sorted = [honest.clone(), vec![honest[0] % 6 + 1, honest[1]]];
    sorted.iter_mut().for_each(|faces| faces.sort_unstable());
    let [given, shown] = sorted;
    let wanted = format!(
        r#"line 1, turn 1, phase 4: fire.volley ["20th_maine"] shows {shown:?}, and seed and seals give {given:?}"#
    );
    assert_eq!(faults, [wanted]);
}

/// The seed is another, so its commitment and all dice of the turn are.
#[test]
fn hid_72_a_changed_seed_breaks_its_commitment_and_its_dice() {
    let faults = changed(|record| record.seeds[0].seed = "00".repeat(32));
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].starts_with("line 1, turn 1: the commitment"), "{faults:?}");
    assert!(faults[1].starts_with("line 1, turn 1, phase 4: fire.volley"), "{faults:?}");
}

#[test]
fn hid_72_what_was_cut_out_of_a_record_is_missed() {
    let seed = changed(|record| drop(record.seeds.remove(1)));
    assert!(seed.contains(&"line 1, turn 2: there is no seed".to_owned()), "{seed:?}");
    let envelope = changed(|record| drop(record.envelopes.remove(0)));
    assert!(
        envelope[0].starts_with("line 1, turn 1, phase 4: fire.volley"),
        "other seals are other dice: {envelope:?}"
    );
    let gap = changed(|record| record.seeds[1].turn = 4);
    assert!(gap.contains(&"line 1: the seeds between turn 1 and turn 4 are missing".to_owned()), "{gap:?}");
    let seat = changed(|record| drop(record.seats.pop()));
    assert!(seat.contains(&"line 1, turn 1, orders, seat union: the game has no such seat".to_owned()), "{seat:?}");
    let all = changed(|record| {
        record.seeds.clear();
        record.envelopes.clear();
        record.throws.clear();
    });
    assert_eq!(all, ["there is no seed in it, so nothing can be recomputed"]);
}

#[test]
fn hid_72_what_stands_twice_in_a_record_is_named() {
    let seeds = changed(|record| record.seeds.push(record.seeds[0].clone()));
    assert_eq!(seeds, ["line 1, turn 1: there are two seeds"]);
    let envelopes = changed(|record| record.envelopes.push(record.envelopes[0].clone()));
    assert_eq!(envelopes, ["line 1, turn 1, orders, seat union: there are two envelopes"]);
}

/// A sign is no digit: one number has one spelling, but for the case of its letters.
#[test]
fn hid_72_a_number_that_is_none_is_no_seed() {
    assert_eq!(bytes(&"0f".repeat(32)), Some([15; 32]));
    assert_eq!(bytes(&"+f".repeat(32)), None);
    assert_eq!(bytes(&"é".repeat(32)), None);
    assert_eq!(bytes("0f"), None);
}

#[test]
fn hid_72_a_file_that_is_no_record_is_told_by_what_it_is() {
    let whole = json(&record());
    let said = |content: &[u8]| of_file(content).expect_err("it is no record");
    assert_eq!(said(&whole[..whole.len() / 2]), "FILE ends in the middle of the record; download it again");
    assert_eq!(said(b" \n"), "FILE is empty; download the record again");
    assert!(said(b"<html>").starts_with("FILE is no record of a game, and no JSON at all: "), "{}", said(b"<html>"));
    assert!(said(&[0xff, 0xfe]).starts_with("FILE is no record of a game, and no JSON at all: "));
    assert!(said(b"{}").starts_with("FILE is JSON, and no record of a game: missing field"), "{}", said(b"{}"));
    let refusal = br#"{"code":"not_over","message":"told when the game is over","about":null,"refusals":[]}"#;
    let words = "FILE holds no record, but what the server said instead of it: told when the game is over (not_over)";
    assert_eq!(said(refusal), words);
    let marked = [b"\xef\xbb\xbf".as_slice(), &whole].concat();
    assert_eq!(of_file(&marked).map(|(_, verdict)| verdict), Ok(Verdict::Agrees), "an editor's mark is no fault");
    let missing = examine(Path::new("no such file")).expect_err("there is none");
    assert!(missing.starts_with("no such file cannot be read: "), "{missing}");
}

/// A file without end is read as far as a record may go.
#[cfg(unix)]
#[test]
fn hid_72_a_huge_file_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("huge");
    let file = fs::File::create(&path).expect("it can be made");
    // It takes no room on the disk.
    file.set_len(1 << 40).expect("it can be long");
    let said = examine(&path).expect_err("it is no record");
    assert!(said.ends_with("has more than 256 million bytes; no record of a game is so large"), "{said}");
}

#[test]
fn hid_72_a_report_is_short_and_writes_nothing_to_the_terminal_but_letters() {
    let mut long = record();
    long.game = "\u{1b}[2Jgame".to_owned();
    for turn in 0..100 {
        let mut throw = long.throws[0].clone();
        throw.turn = 1;
        throw.dice.purpose = format!("\u{1b}[31m{turn}");
        throw.dice.key = vec!["\u{7}".to_owned()];
        long.throws.push(throw);
    }
    let (report, verdict) = of_file(&json(&long)).expect("it is a record");
    assert_eq!(verdict, Verdict::Differs);
    assert!(report.lines().count() < 60, "{}", report.lines().count());
    assert!(report.contains(" more\n") && report.contains("do not agree"));
    assert!(report.chars().all(|letter| letter == '\n' || !letter.is_control()), "{report:?}");
}
