//! Every way by which anything of a game leaves the server, each with the reason why it tells nobody too much. A new way is not on the
//! list, and a test fails until somebody has looked at it.
//!
//! Mail, webhooks, chat, pictures behind links and files of a side do not exist. These tests are what keeps them from coming in
//! unnoticed: by a route, a kind of message, a command, or a library that can speak to others. LEAK-63, LEAK-73, LEAK-79, LEAK-81

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use protocol::ids::Side;
use protocol::message::rest::{Join, Joined};
use protocol::message::{ClientMessage, ServerMessage, VERSION};
use serde_json::Value;

use super::table::*;

/// Routes, and why each tells nobody too much.
const ROUTES: &[(&str, &str)] = &[
    ("/health", "nothing of a game"),
    ("/ready", "nothing of a game"),
    ("/scenarios", "files that all may read"),
    ("/games", "of a seat's own games where they stand; whoever makes a game has its invitations"),
    ("/games/{game}/ticket", "a chance number for the holder of a seat or of a watcher's place"),
    ("/games/{game}/eyes", "a chance number for the umpire alone, who may see whatever a viewer is sent"),
    ("/games/{game}/socket", "the conversation of one seat or watcher: the messages below"),
    ("/games/{game}/record", "of a game that is over, for who has a seat in it: then all is disclosed (HID-72)"),
    ("/join", "the seat's own token"),
    ("/watch", "the watcher's own token, for who has the link"),
    ("/rules/{id}", "the catalogue"),
];

/// Kinds of messages of the server, and where what they tell of a battle comes from.
const MESSAGES: &[(&str, &str)] = &[
    ("welcome", "`view::card`: what never changes, from the scenario; who sits where"),
    (
        "state",
        "`view::view` of the viewer; a seat's own draft and seal; what is sealed for the umpire; what is public of the game",
    ),
    ("events", "`view::events` and `view::view` of the viewer"),
    ("saved", "`orders::check` of the seat's `Known`"),
    ("sealed", "the seat's own envelope"),
    ("unsealed", "nothing but the command"),
    ("checked", "`orders::check` of the seat's `Known`"),
    ("previewed", "`movement::preview` or `orders::preview_picket` of the seat's `Known`"),
    ("odds", "`odds::odds` of the seat's `Known`; the umpire through its eyes is told the same, without its draft"),
    (
        "standing",
        "`standing::standing` of the seat's `Known`; the umpire through its eyes is told the same, without its draft",
    ),
    ("needs", "`needs::needs` of the seat's `Known`"),
    ("pong", "nothing"),
    ("error", "fixed words, and the refusals of the seat's own orders"),
];

/// What a client may say: none of it corrects a battle (LEAK-81), changes sides (LEAK-73) or asks for a file (LEAK-63).
const ASKED: &[&str] = &[
    "hello",
    "save_draft",
    "seal",
    "unseal",
    "check",
    "preview",
    "preview_picket",
    "odds",
    "standing",
    "needs",
    "replay",
    "ping",
];

/// Commands of the program. Who may run them holds the machine; none opens the games of a database.
const COMMANDS: &[&str] =
    &["Serve", "Run", "Bot", "Scenario", "Tables", "Adjudicate", "Odds", "Standing", "SecrecyCheck", "Verify"];

/// Libraries of the server. None of them sends mail, or calls another machine of its own accord (`bot` calls the server that it is
/// told, with a seat's token; `sqlx` the database).
const LIBRARIES: &[&str] = &[
    "protocol",
    "rules",
    "bot",
    "axum",
    "clap",
    "futures-util",
    "getrandom",
    "hyper",
    "hyper-util",
    "libsqlite3-sys",
    "resvg",
    "serde",
    "serde_json",
    "sha2",
    "sqlx",
    "tokio",
    "toml",
    "tracing",
    "tracing-subscriber",
    "uuid",
    "zstd",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate stands in the project").to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The source of the server, its unit tests left out.
fn sources() -> Vec<String> {
    let mut folders = vec![root().join("server/src")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the crate has its folders") {
            let path = entry.expect("a folder lists its files").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ends| ends == "rs") {
                let text = fs::read_to_string(path).expect("source is text");
                texts.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
            }
        }
    }
    texts
}

/// What stands between the quotes after each `opening`.
fn quoted_after(text: &str, opening: &str) -> Vec<String> {
    let rests = text.split(opening).skip(1);
    rests.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).map(str::to_owned).collect()
}

/// The kinds of a tagged message in the schema of the protocol, which is made from the types.
fn kinds(message: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&read("docs/protocol/schema.json")).expect("a schema is JSON");
    let variants = schema["$defs"][message]["oneOf"].as_array().expect("a message has kinds").clone();
    variants.iter().filter_map(|it| it["properties"]["type"]["const"].as_str().map(str::to_owned)).collect()
}

fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn leak_63_and_79_and_81_every_route_is_one_that_was_looked_at() {
    let sources = sources();
    let routes: BTreeSet<String> = sources.iter().flat_map(|text| quoted_after(text, ".route(")).collect();
    assert_eq!(routes, set(ROUTES.iter().map(|(route, _)| *route)), "look at what it tells whom, then list it");
    // Routes come in by no other door.
    let count = |word: &str| sources.iter().map(|text| text.matches(word).count()).sum::<usize>();
    let all = ROUTES.len();
    assert_eq!((count(".route("), count(".nest("), count(".fallback("), count(".merge(")), (all, 1, 1, 0));
    assert_eq!((count(".route_service("), count(".nest_service("), count(".fallback_service(")), (0, 0, 0));
}

#[test]
fn leak_63_and_73_and_79_and_81_every_kind_of_message_is_one_that_was_looked_at() {
    let looked_at = set(MESSAGES.iter().map(|(kind, _)| *kind));
    assert_eq!(kinds("ServerMessage"), looked_at, "look at where it comes from, then list it");
    assert_eq!(kinds("ClientMessage"), set(ASKED.iter().copied()), "look at what is answered, then list it");
    assert!(MESSAGES.iter().all(|(_, source)| !source.is_empty()) && ROUTES.iter().all(|(_, why)| !why.is_empty()));
}

/// The same by the compiler: a new kind has no arm here.
fn kind(message: &ServerMessage) -> &'static str {
    match message {
        ServerMessage::Welcome { .. } => "welcome",
        ServerMessage::State { .. } => "state",
        ServerMessage::Events { .. } => "events",
        ServerMessage::Saved { .. } => "saved",
        ServerMessage::Sealed { .. } => "sealed",
        ServerMessage::Unsealed { .. } => "unsealed",
        ServerMessage::Checked { .. } => "checked",
        ServerMessage::Previewed { .. } => "previewed",
        ServerMessage::Odds { .. } => "odds",
        ServerMessage::Standing { .. } => "standing",
        ServerMessage::Needs { .. } => "needs",
        ServerMessage::Pong {} => "pong",
        ServerMessage::Error(_) => "error",
    }
}

#[test]
fn leak_79_nothing_of_the_server_can_speak_to_another_machine() {
    let manifest: toml::Table = read("server/Cargo.toml").parse().expect("a manifest is TOML");
    let libraries = manifest["dependencies"].as_table().expect("a crate has libraries");
    let libraries: BTreeSet<String> = libraries.keys().cloned().collect();
    assert_eq!(libraries, set(LIBRARIES.iter().copied()), "look at whom it can speak to, then list it");
    // No socket is opened from here: those of players are accepted, that of the bot is its own.
    for call in ["TcpStream::connect", "UdpSocket", "connect_async", "process::Command", "lookup_host"] {
        assert!(sources().iter().all(|text| !text.contains(call)), "`{call}`: look at what is sent, and to whom");
    }
}

#[test]
fn leak_63_every_command_of_the_program_is_one_that_was_looked_at() {
    let cli = read("server/src/cli.rs");
    let commands = cli.split("pub enum Command {").nth(1).and_then(|rest| rest.split("\n}").next()).expect("commands");
    let names = commands.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.is_empty());
    let names: BTreeSet<String> = names.filter_map(|line| line.split('(').next()).map(str::to_owned).collect();
    assert_eq!(names, set(COMMANDS.iter().copied()), "look at what it prints and for whom, then list it");
}

/// LEAK-72 A bot decides from what a socket told it: of the project's crates it has the words on the wire and nothing else.
#[test]
fn leak_72_a_bot_has_nothing_but_the_protocol() {
    let manifest: toml::Table = read("bot/Cargo.toml").parse().expect("a manifest is TOML");
    for section in ["dependencies", "build-dependencies"] {
        let Some(libraries) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
        for crate_of_ours in ["rules", "server", "gallery", "tests"] {
            assert!(!libraries.contains_key(crate_of_ours), "the bot has `{crate_of_ours}` in its {section}");
        }
    }
    let workspace: toml::Table = read("Cargo.toml").parse().expect("a manifest is TOML");
    let shared = workspace["workspace"]["dependencies"].as_table().expect("libraries are shared");
    let own = shared.iter().filter(|(_, value)| value.get("path").is_some()).map(|(name, _)| name.clone());
    let bot = manifest["dependencies"].as_table().expect("a crate has libraries");
    let own: Vec<String> = own.filter(|name| bot.contains_key(name)).collect();
    assert_eq!(own, ["protocol"], "the bot has more of the project than a player");
}

/// LEAK-73 One token, one seat of a game; the ticket of a seat opens that seat's socket, once, and no other game's.
#[tokio::test(flavor = "multi_thread")]
async fn leak_73_whoever_has_a_seat_gets_no_other_by_asking() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let created: protocol::message::rest::GameCreated =
        post(server.address(), "/api/games", None, &create()).await.expect("a game is made");
    let union = server.join(&created, Side::Union, "Ann").await;
    let confederate = server.join(&created, Side::Confederate, "Bob").await;
    assert_ne!(union.token, confederate.token, "two seats, two tokens");
    // An invitation is good for one person.
    for invitation in &created.invitations {
        let invitation = invitation.link.strip_prefix("/join/").expect("a link to join").to_owned();
        let asked = Join { invitation, name: "Eve".to_owned(), held: Vec::new() };
        let again: Result<Joined, _> = post(server.address(), "/api/join", Some(&union.token), &asked).await;
        assert_eq!(again.map_err(|(_, error)| error.code).map(|joined| joined.seat), Err("invitation_used".to_owned()));
    }
    // Whatever a socket says of itself, it is the seat of its ticket.
    let other: protocol::message::rest::GameCreated =
        post(server.address(), "/api/games", None, &create()).await.expect("a game is made");
    let ticket = server.ticket(&union).await;
    let hello = ClientMessage::Hello { version: VERSION, ticket, have: None };
    let socket = open(server.address(), &other.game, None).await.expect("anybody may knock");
    let mut stranger = Player::new(socket, union.clone());
    stranger.say(&hello).await;
    assert_eq!(stranger.error().await.code, "bad_ticket", "a ticket is for its own game");
    let socket = open(server.address(), &union.game, None).await.expect("anybody may knock");
    let mut late = Player::new(socket, union.clone());
    late.say(&hello).await;
    let heard = late.hear().await;
    assert!(["error", "welcome"].contains(&kind(&heard)), "{heard:?}");
    let said = serde_json::to_string(&heard).expect("a message is JSON");
    assert!(!said.contains(r#""viewer":{"type":"seat","side":"confederate""#), "{said}");
    let mut ann = server.sit(&union).await;
    ann.say_text(r#"{"type":"hello","version":1,"ticket":"","side":"confederate"}"#).await;
    assert_eq!(ann.error().await.code, "bad_message");
    let seats: BTreeSet<String> = ann.heard.iter().filter_map(|text| viewer_of(text)).collect();
    assert_eq!(seats.into_iter().collect::<Vec<_>>(), [r#"{"seat":"union","side":"union","type":"seat"}"#]);
    server.running.stop().await;
}

/// For whom a welcome or a state was made.
fn viewer_of(text: &str) -> Option<String> {
    let message: Value = serde_json::from_str(text).ok()?;
    let viewer = message.get("viewer").or_else(|| message.get("view")?.get("viewer"))?;
    Some(viewer.to_string())
}
