//! The REST API: scenarios, games, seats, tickets, rule texts. Errors are JSON with a stable code.
//!
//! It holds no credentials of the browser's own accord: a seat's token travels in a header that only our page can set,
//! so another site's page can do nothing in a player's name.

use std::net::SocketAddr;

use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use protocol::message::rest::{
    CreateGame, Eyes, GameCard, GameCreated, Join, Joined, RuleText, ScenarioCard, Ticket, Watch, Watching,
};
use rules::catalogue::{RuleId, Status};

use crate::app::App;
use crate::games::Refused;
use crate::store::GameId;

/// All routes under `/api`.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/scenarios", get(scenarios))
        .route("/games", get(games).post(create))
        .route("/games/{game}/ticket", post(ticket))
        .route("/games/{game}/eyes", post(eyes))
        .route("/games/{game}/socket", get(crate::socket::open))
        .route("/join", post(join))
        .route("/watch", post(watch))
        .route("/rules/{id}", get(rule))
}

/// The scenarios that can be played.
async fn scenarios(State(app): State<App>) -> Result<Json<Vec<ScenarioCard>>, Refused> {
    app.games.scenarios().await.map(Json)
}

/// Makes a game. Whoever makes it gets the invitations and no other power.
async fn create(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    asked: Result<Json<CreateGame>, JsonRejection>,
) -> Result<(StatusCode, Json<GameCreated>), Refused> {
    let created = app.games.create(body(asked)?, peer.ip()).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Takes the seat of an invitation.
async fn join(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    asked: Result<Json<Join>, JsonRejection>,
) -> Result<Json<Joined>, Refused> {
    app.games.join(body(asked)?, peer.ip()).await.map(Json)
}

/// Takes the place of a watcher's link.
async fn watch(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    asked: Result<Json<Watch>, JsonRejection>,
) -> Result<Json<Watching>, Refused> {
    app.games.watch(body(asked)?, peer.ip()).await.map(Json)
}

/// A one-time ticket for the socket, through somebody else's eyes: for the umpire.
async fn eyes(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(game): Path<String>,
    headers: HeaderMap,
    asked: Result<Json<Eyes>, JsonRejection>,
) -> Result<Json<Ticket>, Refused> {
    let token = bearer(&headers)?;
    app.games.eyes(game_id(&game)?, token, body(asked)?, peer.ip()).await.map(Json)
}

/// A one-time ticket for the socket. The body is not looked at.
async fn ticket(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Ticket>, Refused> {
    let token = bearer(&headers)?;
    app.games.ticket(game_id(&game)?, token, peer.ip()).await.map(Json)
}

/// The games of the bearer.
async fn games(State(app): State<App>, headers: HeaderMap) -> Result<Json<Vec<GameCard>>, Refused> {
    app.games.games_of(bearer(&headers)?).await.map(Json)
}

/// A rule, in our words.
async fn rule(Path(id): Path<String>) -> Response {
    let found = id.parse::<RuleId>().ok().and_then(RuleId::rule);
    let Some(rule) = found else {
        return Refused::new("no_such_rule", format!("the catalogue has no rule `{}`", id.escape_debug()))
            .into_response();
    };
    let status = match rule.status {
        Status::Printed => "printed",
        Status::Ambiguous => "ambiguous",
        Status::Conflict => "conflict",
        Status::Missing => "missing",
    };
    let text = RuleText {
        id: rule.id.to_string(),
        title: rule.title.clone(),
        text: rule.text.clone(),
        ruling: rule.ruling.clone(),
        status: status.to_owned(),
    };
    Json(text).into_response()
}

/// The identifier of a game as it stands in an address.
pub(crate) fn game_id(text: &str) -> Result<GameId, Refused> {
    text.parse().map_err(|_| Refused::new("no_such_game", "there is no such game; look at the address again"))
}

fn bearer(headers: &HeaderMap) -> Result<&str, Refused> {
    let value = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = value.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
    token
        .filter(|token| !token.is_empty())
        .ok_or_else(|| Refused::new("unauthorized", "the seat's token is missing; send `authorization: Bearer ...`"))
}

fn body<T>(asked: Result<Json<T>, JsonRejection>) -> Result<T, Refused> {
    match asked {
        Ok(Json(asked)) => Ok(asked),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Refused::new("too_large", "the request is too large"))
        }
        Err(rejection) => Err(Refused::new("bad_message", rejection.body_text())),
    }
}
