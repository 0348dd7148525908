//! The application: its state, and the router that all requests pass.
//!
//! Routes of the API are added in [`router`]; every answer passes the layers there, which bound time and size, set the
//! security headers and write the log.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tracing::{debug, info};

use crate::clock::{Clock, Entropy};
use crate::config::Config;
use crate::games::Games;
use crate::shutdown::Shutdown;
use crate::store::Store;

/// What every handler may use. Cheap to clone. No game lives here.
#[derive(Clone)]
pub struct App {
    /// What is kept.
    pub store: Store,
    /// What happens to games.
    pub games: Games,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub entropy: Arc<dyn Entropy>,
    /// The settings.
    pub config: Arc<Config>,
    /// Heard by sockets and workers, which end when it is requested.
    pub shutdown: Shutdown,
}

/// All routes, inside the layers that every answer passes.
pub fn router(app: App) -> Router {
    let routes = Router::new()
        .route("/health", get(health))
        .route("/ready", get(ready))
        .nest("/api", crate::api::routes())
        .fallback(crate::client::answer);
    layered(routes, &app).with_state(app)
}

/// Lays around `routes` what every answer passes. The last layer is the outermost.
pub fn layered<S: Clone + Send + Sync + 'static>(routes: Router<S>, app: &App) -> Router<S> {
    routes
        .layer(DefaultBodyLimit::max(app.config.limits.body_bytes))
        .layer(from_fn_with_state(app.clone(), bound_time))
        .layer(from_fn(set_security_headers))
        .layer(from_fn(write_log))
}

/// The process runs.
async fn health() -> &'static str {
    "ok\n"
}

/// The server can play: it accepts requests and its store answers.
async fn ready(State(app): State<App>) -> Response {
    if !app.shutdown.is_requested() && app.store.ready().await {
        return "ready\n".into_response();
    }
    (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response()
}

/// A request that takes too long, for example because its body drips in, is given up. Sockets are not bound by it:
/// they are answered at once, and live on.
async fn bound_time(State(app): State<App>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.config.limits.request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_late) => (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    }
}

/// Only our own code runs on our pages, nobody frames them, and no address with a token leaves them.
async fn set_security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    add_security_headers(response.headers_mut());
    response
}

/// `style-src-attr`: the client places things on the map by inline styles. A socket to our own address is `'self'`.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

fn add_security_headers(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    // What a player is shown is not for caches; files of the client say otherwise themselves.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// One line a request. The route and not the path is written: paths can hold invitations.
async fn write_log(request: Request, next: Next) -> Response {
    let began = tokio::time::Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("client", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    let (status, micros) = (response.status().as_u16(), began.elapsed().as_micros() as u64);
    match route.as_str() {
        "/health" | "/ready" | "client" => debug!(%method, route, status, micros, "http: answered"),
        _ => info!(%method, route, status, micros, "http: answered"),
    }
    response
}
