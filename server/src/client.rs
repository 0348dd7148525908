//! The browser client as the binary carries it: files, their types, their caching.
//!
//! Pages of the client (`/`, `/g/...`) are all the one page that starts it; a path with an extension is a file or nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};

use crate::store::Hash;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/client_files.rs"));
}

/// A year, and never asked again: the name changes with the content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Kept, but asked each time.
const ASK_EACH_TIME: HeaderValue = HeaderValue::from_static("no-cache");

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Picket</title>\
    <h1>Picket runs, but its browser client was not built</h1>\
    <p>Run <code>make build</code> in the project's folder, and start the server again.</p></html>\n";

struct File {
    bytes: &'static [u8],
    content_type: HeaderValue,
    etag: HeaderValue,
    caching: HeaderValue,
}

static FILES: LazyLock<HashMap<&'static str, File>> =
    LazyLock::new(|| embedded::FILES.iter().map(|(name, bytes)| (*name, file(name, bytes))).collect());

fn file(name: &str, bytes: &'static [u8]) -> File {
    let etag = format!("\"{}\"", &Hash::of(bytes).hex()[..32]);
    File {
        bytes,
        content_type: content_type(name),
        etag: HeaderValue::try_from(etag).expect("hexadecimal digits in quotes are a header's text"),
        caching: if name.starts_with("assets/") { FOR_EVER } else { ASK_EACH_TIME },
    }
}

/// Answers whatever no route has answered.
pub async fn answer(request: Request<Body>) -> Response<Body> {
    respond(&FILES, request.method(), request.uri().path(), request.headers())
}

fn respond(files: &HashMap<&'static str, File>, method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
    if path == "/api" || path.starts_with("/api/") {
        return plain(StatusCode::NOT_FOUND, "there is no such address in the api\n");
    }
    if method != Method::GET && method != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered here\n");
    }
    let name = path.trim_start_matches('/');
    let last = name.rsplit('/').next().unwrap_or_default();
    let is_page = !last.contains('.');
    let found = if is_page { files.get("index.html") } else { files.get(name) };
    match found {
        Some(file) => send(file, headers),
        None if is_page => {
            let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT);
            response.headers_mut().insert(CONTENT_TYPE, content_type("index.html"));
            response
        }
        None => plain(StatusCode::NOT_FOUND, "there is no such file\n"),
    }
}

fn send(file: &File, headers: &HeaderMap) -> Response<Body> {
    let known = headers
        .get(IF_NONE_MATCH)
        .and_then(|tags| tags.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == file.etag));
    let mut response = match known {
        true => status(StatusCode::NOT_MODIFIED, Body::empty()),
        false => status(StatusCode::OK, Body::from(file.bytes)),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, file.content_type.clone());
    headers.insert(ETAG, file.etag.clone());
    headers.insert(CACHE_CONTROL, file.caching.clone());
    response
}

fn plain(code: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = status(code, Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

fn status(code: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response
}

fn content_type(name: &str) -> HeaderValue {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    HeaderValue::from_static(match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built() -> HashMap<&'static str, File> {
        [("index.html", b"page".as_slice()), ("assets/app-1a2b.js", b"code"), ("icon.svg", b"icon")]
            .into_iter()
            .map(|(name, bytes)| (name, file(name, bytes)))
            .collect()
    }

    fn get(files: &HashMap<&'static str, File>, path: &str) -> Response<Body> {
        respond(files, &Method::GET, path, &HeaderMap::new())
    }

    #[test]
    fn pages_of_the_client_are_its_one_page() {
        for path in ["/", "/g/0d5f", "/g/0d5f/log", "/join/abc"] {
            let response = get(&built(), path);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
            assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        }
    }

    #[test]
    fn hashed_assets_are_kept_for_ever_and_others_asked_for() {
        let asset = get(&built(), "/assets/app-1a2b.js");
        assert_eq!(asset.headers()[CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert_eq!(asset.headers()[CACHE_CONTROL], FOR_EVER);
        let icon = get(&built(), "/icon.svg");
        assert_eq!(icon.headers()[CACHE_CONTROL], ASK_EACH_TIME);
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, icon.headers()[ETAG].clone());
        let again = respond(&built(), &Method::GET, "/icon.svg", &headers);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn what_is_not_there_is_said_to_be_missing() {
        for path in ["/assets/gone.js", "/../Cargo.toml", "/api/nothing", "/api"] {
            assert_eq!(get(&built(), path).status(), StatusCode::NOT_FOUND, "{path}");
        }
        let post = respond(&built(), &Method::POST, "/", &HeaderMap::new());
        assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[test]
    fn without_a_built_client_the_page_says_so() {
        let response = get(&HashMap::new(), "/");
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    }
}
