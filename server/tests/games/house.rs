//! SCN-20 House rules and a club's own chart: chosen with the game, shown on its card, kept with it for good.

use std::collections::BTreeMap;

use protocol::message::GamePhase;
use protocol::message::rest::{CreateGame, ScenarioCard};
use protocol::orders::Draft;
use rules::house::{Chart, Edition, HouseRules};
use rules::ruleset::Ruleset;

use super::table::*;

const CHART: &str = "format = 1\ntitle = \"The Thursday chart\"\n[crt.12]\n16 = \"4\"\n[dice]\nhold = 4\n";

fn choices() -> BTreeMap<String, String> {
    [("rally_two", "stays"), ("behind_friendlies", "minus_5")].map(|(id, word)| (id.to_owned(), word.to_owned())).into()
}

/// The hash of the tables by which such a game is played.
fn hash() -> String {
    let house = HouseRules::default().with(&choices()).expect("the sheet has them");
    let edition = Edition::new(house, Some(Chart::read(CHART).expect("a sound chart"))).expect("they make sense");
    edition.rules().hash.clone()
}

fn chosen(card: &protocol::view::BattleCard) -> Vec<(&str, &str)> {
    let differ = card.house_rules.iter().filter(|line| line.chosen != line.default);
    differ.map(|line| (line.id.as_str(), line.chosen.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_20_a_game_is_played_by_its_own_sheet_and_chart_and_goes_on_by_them_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let by_house = |asked: &mut CreateGame| {
        asked.house_rules = choices();
        asked.chart = Some(CHART.to_owned());
    };
    let (mut union, mut confederate) = server.game_for_two(by_house).await;
    let (other, _) = server.game_for_two(|_| ()).await;
    assert_eq!((other.card().ruleset, chosen(&other.card())), (Ruleset::standard().hash.clone(), Vec::new()));
    let card = union.card();
    assert_eq!(chosen(&card), [("behind_friendlies", "minus_5"), ("rally_two", "stays")]);
    let chart = card.chart.clone().expect("the game has a chart");
    assert_eq!((chart.title.as_str(), chart.differing), ("The Thursday chart", 2));
    let cells: Vec<(&str, &str, &str)> =
        chart.cells.iter().map(|cell| (cell.path.as_str(), cell.printed.as_str(), cell.played.as_str())).collect();
    assert_eq!(cells, [("crt.12.16", "3", "4"), ("dice.hold", "3", "4")]);
    assert_eq!((card.ruleset.clone(), card.clone()), (hash(), confederate.card()));
    for player in [&mut union, &mut confederate] {
        player.seal(orders_of(1), Draft::default()).await.expect("an empty envelope is legal");
    }
    union.state_at(orders_of(2), GamePhase::Window).await;

    let joined = union.joined().clone();
    let server = server.restart().await;
    let again = server.sit(&joined).await;
    assert_eq!(again.card(), card);
    assert_eq!(again.last_state().status.at, orders_of(2));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_20_what_the_sheet_does_not_have_makes_no_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let address = server.address();
    let made = |asked: CreateGame| async move {
        let answer = post::<serde_json::Value>(address, "/api/games", None, &asked).await;
        answer.map_err(|(status, error)| (status, error.code, error.message)).expect_err("it is refused")
    };
    let no_such = CreateGame { house_rules: [("no_such".to_owned(), "on".to_owned())].into(), ..create() };
    let why = "refused (SCN-20): the house-rules sheet has no `no_such`".to_owned();
    assert_eq!(made(no_such).await, (400, "bad_settings".to_owned(), why));
    let fallen = CreateGame { chart: Some("format = 1\n[crt.12]\n16 = \"2\"\n".to_owned()), ..create() };
    let (status, code, why) = made(fallen).await;
    assert_eq!((status, code.as_str()), (400, "bad_settings"));
    assert!(why.starts_with("refused (SCN-20): the chart: line 3, column 1: `crt.1"), "{why}");
    let cards: Vec<ScenarioCard> = get(address, "/api/scenarios", None).await.expect("there are scenarios");
    let card = cards.iter().find(|card| card.id == "little_round_top").expect("it is there");
    assert_eq!((card.house_rules.len(), &card.chart), (rules::house::SHEET.len(), &None));
    assert!(card.house_rules.iter().all(|line| line.chosen == line.default && 2 <= line.choices.len()));
    server.running.stop().await;
}
