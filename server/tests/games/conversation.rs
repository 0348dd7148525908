//! The conversation printed in docs/protocol.md, held with the real server.

use serde_json::Value;

use super::table::*;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// Lines of the example: `>` is said by the client, `<` is what the server answers.
fn example() -> Vec<(bool, Value)> {
    let block = DOCUMENT.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let lines = block.lines().filter(|line| line.starts_with(['<', '>']));
    lines
        .map(|line| {
            let value = serde_json::from_str(&line[1..]).unwrap_or_else(|fault| panic!("{line}: {fault}"));
            (line.starts_with('>'), value)
        })
        .collect()
}

/// Whether `found` is what the document shows: `"…"` stands for anything, and keys that it leaves out may be there.
fn matches(shown: &Value, found: &Value) -> bool {
    match (shown, found) {
        (Value::String(text), _) if text == "…" => true,
        (Value::Object(shown), Value::Object(found)) => {
            shown.iter().all(|(key, value)| found.get(key).is_some_and(|found| matches(value, found)))
        }
        (Value::Array(shown), Value::Array(found)) => {
            shown.len() == found.len() && shown.iter().zip(found).all(|(shown, found)| matches(shown, found))
        }
        (shown, found) => shown == found,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_conversation_can_be_held() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, mut confederate) = server.game_for_two(|_| {}).await;
    let joined = union.joined.clone();
    union.close().await;
    confederate.seal(FIRST, protocol::orders::Draft::default()).await.expect("he may seal");
    let ticket = server.ticket(&joined).await;
    let socket = open(server.address(), &joined.game, None).await.expect("the socket opens");
    let mut player = Player::new(socket, joined);
    let example = example();
    assert!(10 < example.len());
    for (said_by_client, value) in example {
        if said_by_client {
            player.say_text(&value.to_string().replace("TICKET", &ticket)).await;
            continue;
        }
        let mut found = Value::Null;
        // A state may come at any time.
        while found.is_null() || (found["type"] == "state" && value["type"] != "state") {
            player.hear().await;
            found = serde_json::from_str(player.heard.last().expect("it was heard")).expect("JSON");
        }
        assert!(matches(&value, &found), "documented: {value}\nheard: {found:.2000}");
    }
    server.running.stop().await;
}
