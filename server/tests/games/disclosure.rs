//! What is told when a game is over, and that a player can check it. HID-72

use std::process::Command;

use protocol::message::GamePhase;
use protocol::message::rest::Disclosure;
use protocol::orders::Stage;
use server::store::GameId;
use server::verify::verify;

use super::fairness::play_turn;
use super::table::*;

#[tokio::test(flavor = "multi_thread")]
async fn hid_72_seeds_envelopes_and_secret_dice_are_told_when_the_game_is_over_and_every_die_can_be_recomputed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(Stage::ALL.to_vec())).await;
    let (id, token) = (union.joined.game.clone(), union.joined.token.clone());
    let address = server.address();
    let path = format!("/api/games/{id}/record");
    let ask = |token: Option<String>| {
        let path = path.clone();
        async move {
            get::<Disclosure>(address, &path, token.as_deref()).await.map_err(|(status, error)| (status, error.code))
        }
    };
    let committed = union.state_at(orders_of(1), GamePhase::Window).await.status.commitment;
    let receipts = play_turn(&mut union, &mut confederate, 1, true).await;
    let refused = |answer: Result<Disclosure, (u16, String)>| answer.map(|_| ()).expect_err("nothing is told");
    assert_eq!(refused(ask(Some(token.clone())).await), (409, "not_over".to_owned()));
    let game: GameId = id.parse().expect("an identifier");
    server.running.app.store.end_game(game, "{}".to_owned(), NOON).await.expect("it can be ended");
    assert_eq!(refused(ask(Some("another".to_owned())).await), (403, "forbidden".to_owned()));
    assert_eq!(refused(ask(None).await), (401, "unauthorized".to_owned()));

    let record = ask(Some(token)).await.expect("the game is over");
    // What was shown while it was played is what is told now.
    let seed = record.seeds.iter().find(|seed| seed.turn == 1).expect("turn 1 has a seed");
    assert_eq!(seed.commitment, committed);
    for receipt in &receipts {
        let told = record.envelopes.iter().find(|told| told.at == receipt.at && told.seat == receipt.seat);
        let told = told.expect("every envelope is told");
        assert_eq!((&told.hash, &told.salt, &told.nonce), (&receipt.hash, &receipt.salt, &receipt.nonce));
    }
    let verified = verify(&record);
    assert_eq!(verified.faults, Vec::<String>::new());
    // Two turns were committed to, two seats have sealed four windows.
    assert_eq!((verified.commitments, verified.envelopes), (2, 8));
    assert!(10 < verified.dice, "only {} dice were recomputed", verified.dice);

    // The same by the program, as a player runs it on the file that he was given: its exit code says what came of it.
    let file = folder.path().join("record.json");
    let program = |content: &[u8]| {
        std::fs::write(&file, content).expect("the file can be written");
        let done = Command::new(env!("CARGO_BIN_EXE_picket")).arg("verify").arg(&file).output().expect("it runs");
        let said = |stream: &[u8]| String::from_utf8_lossy(stream).into_owned();
        (done.status.code(), said(&done.stdout), said(&done.stderr))
    };
    let text = serde_json::to_vec(&record).expect("a record is JSON");
    let (code, said, complaint) = program(&text);
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{said}");
    assert!(said.contains("2 of 2 commitments") && said.contains("8 of 8 envelopes"), "{said}");
    let mut changed = record.clone();
    changed.envelopes[0].content.push(' ');
    let (code, said, complaint) = program(&serde_json::to_vec(&changed).expect("a record is JSON"));
    assert_eq!((code, complaint.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("One thing of the record does not agree"), "{said}");
    let (code, said, complaint) = program(&text[..text.len() / 2]);
    assert_eq!((code, said.as_str()), (Some(2), ""), "{complaint}");
    assert!(complaint.contains("ends in the middle of the record"), "{complaint}");

    // Whoever changes any of it afterwards is found out.
    let faults = |change: &dyn Fn(&mut Disclosure)| {
        let mut record = record.clone();
        change(&mut record);
        verify(&record).faults.len()
    };
    assert_eq!(faults(&|record| record.throws[0].dice.faces[0] = record.throws[0].dice.faces[0] % 6 + 1), 1);
    assert_eq!(faults(&|record| record.envelopes[0].content.push(' ')), 1);
    assert_eq!(faults(&|record| record.seeds[1].seed = "00".repeat(32)), 1);
    // Another nonce is another hash, and other dice in all of its turn.
    assert!(2 < faults(&|record| record.envelopes[0].nonce = "00".repeat(32)));
    server.running.stop().await;
}
