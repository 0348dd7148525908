//! The one REST call that a client needs: a ticket for the socket.

use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use protocol::message::rest::Ticket;

use crate::client::address::Address;

/// Longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Largest answer read.
const LARGEST_ANSWER: usize = 64 * 1024;

/// Why there is no ticket.
#[derive(Debug)]
pub(crate) enum TicketError {
    /// The server said no for good: the token or the game is wrong.
    Refused(StatusCode),
    /// The server is not there, or not well: worth another try.
    Unavailable(String),
}

/// Asks for a one-time ticket.
pub(crate) async fn ticket(address: &Address) -> Result<String, TicketError> {
    let asked = tokio::time::timeout(TIMEOUT, ask(address)).await;
    asked.unwrap_or_else(|_| Err(TicketError::Unavailable("no answer in time".to_owned())))
}

async fn ask(address: &Address) -> Result<String, TicketError> {
    let unavailable = |error: &dyn std::fmt::Display| TicketError::Unavailable(error.to_string());
    let request = Request::builder()
        .method(Method::POST)
        .uri(address.ticket())
        .header("authorization", address.authorization())
        .header("content-type", "application/json")
        .body(Full::<Bytes>::default())
        .map_err(|error| unavailable(&error))?;
    let client = Client::builder(TokioExecutor::new()).build_http::<Full<Bytes>>();
    let answer = client.request(request).await.map_err(|error| unavailable(&error))?;
    let status = answer.status();
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::GONE) {
        return Err(TicketError::Refused(status));
    }
    if !status.is_success() {
        return Err(TicketError::Unavailable(format!("status {status}")));
    }
    let body = Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await;
    let bytes = body.map_err(|error| unavailable(&error))?.to_bytes();
    let ticket: Ticket = serde_json::from_slice(&bytes).map_err(|error| unavailable(&error))?;
    Ok(ticket.ticket)
}
