//! Where things are: every URL that the bot uses, in one place.

use crate::client::ClientError;

/// A seat of a game on a server.
#[derive(Clone)]
pub struct Address {
    /// Host and port, such as `127.0.0.1:8080`, with a path before the API where there is one.
    host: String,
    game: String,
    token: String,
}

impl Address {
    /// From a server's address such as `http://127.0.0.1:8080`, a game and a seat's token.
    pub fn new(base: &str, game: &str, token: &str) -> Result<Self, ClientError> {
        let base = base.trim_end_matches('/');
        let host = match base.split_once("://") {
            Some(("http", host)) => host,
            None => base,
            // The bot runs beside its server: encryption is the proxy's work.
            Some((scheme, _)) => {
                return Err(ClientError::Address(format!(
                    "`{base}` has the scheme `{scheme}`; the bot speaks http only"
                )));
            }
        };
        if host.is_empty() || game.is_empty() {
            return Err(ClientError::Address("a server's address and a game are needed".to_owned()));
        }
        let safe = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        if !safe(game) {
            return Err(ClientError::Address(format!("`{game}` is not a game's identifier")));
        }
        Ok(Address { host: host.to_owned(), game: game.to_owned(), token: token.to_owned() })
    }

    /// Where a one-time ticket for the socket is asked for, by POST with the seat's token.
    pub fn ticket(&self) -> String {
        format!("http://{}/api/games/{}/ticket", self.host, self.game)
    }

    /// The socket.
    pub fn socket(&self) -> String {
        format!("ws://{}/api/games/{}/socket", self.host, self.game)
    }

    /// The value of the `authorization` header.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// The game's identifier.
    pub fn game(&self) -> &str {
        &self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_made_from_the_base() {
        let address = Address::new("http://127.0.0.1:8080/", "g1", "secret").unwrap();
        assert_eq!(address.ticket(), "http://127.0.0.1:8080/api/games/g1/ticket");
        assert_eq!(address.socket(), "ws://127.0.0.1:8080/api/games/g1/socket");
        assert!(Address::new("https://example.org", "g1", "secret").is_err());
        assert!(Address::new("http://example.org", "g1/../other", "secret").is_err());
    }
}
