//! Why a request is refused: a stable code for the client's author, words for the player. No cause of the operator's
//! (a database's text, a secret) ever stands in it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use protocol::message::{ErrorMessage, Refusal};

use crate::store::StoreError;

/// A refused request. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A stable code.
    pub code: &'static str,
    /// For the player, in lower case, without a full stop.
    pub message: String,
    /// With `illegal_orders`: each order that was refused.
    pub refusals: Vec<Refusal>,
}

impl Refused {
    /// A refusal in words.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Refused { code, message: message.into(), refusals: Vec::new() }
    }

    /// As the wire has it, in answer to the command or request `about`.
    pub fn about(self, about: Option<String>) -> ErrorMessage {
        let Refused { code, message, refusals } = self;
        ErrorMessage { code: code.to_owned(), message, about, refusals }
    }

    fn status(&self) -> StatusCode {
        match self.code {
            "unauthorized" => StatusCode::UNAUTHORIZED,
            "forbidden" | "foreign_origin" | "umpire_only" => StatusCode::FORBIDDEN,
            "no_such_game" | "no_such_scenario" | "no_such_rule" | "no_such_invitation" => StatusCode::NOT_FOUND,
            "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "too_many" => StatusCode::TOO_MANY_REQUESTS,
            "overloaded" | "unavailable" => StatusCode::SERVICE_UNAVAILABLE,
            "bad_message" | "bad_settings" | "bad_name" => StatusCode::BAD_REQUEST,
            _ => StatusCode::CONFLICT,
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            // The one word of the store that the protocol calls otherwise.
            StoreError::Sealed => "already_sealed",
            other => other.code(),
        };
        Refused::new(code, error.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status(), Json(self.about(None))).into_response()
    }
}
