//! The accept loop and what every answer passes, over real sockets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::WebSocketUpgrade;
use axum::extract::ws::WebSocket;
use axum::routing::{get, post};
use server::clock::{GivenClock, SeededEntropy};
use server::config::{Config, ConfigArgs, Limits};
use server::serve::Running;
use server::shutdown::{Stopper, channel};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HEALTH: &str = "GET /health HTTP/1.1\r\nhost: picket\r\nconnection: close\r\n\r\n";

fn limits() -> Limits {
    Limits { header_timeout: Duration::from_millis(400), request_timeout: Duration::from_secs(1), ..Limits::default() }
}

/// The whole server on a free port.
async fn start(folder: &tempfile::TempDir, limits: Limits) -> Running {
    let args = ConfigArgs {
        listen: Some(([127, 0, 0, 1], 0).into()),
        data: Some(folder.path().to_owned()),
        ..ConfigArgs::default()
    };
    let mut config = Config::load(&args).expect("the settings are good");
    config.limits = limits;
    let (clock, entropy) = (Arc::new(GivenClock::at(0)), Arc::new(SeededEntropy::new(1)));
    Running::start(config, clock, entropy).await.expect("the server starts")
}

/// The accept loop alone, with routes of the test's own.
async fn serve(router: Router, limits: Limits) -> (std::net::SocketAddr, Stopper, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it has an address");
    let (stopper, shutdown) = channel();
    (address, stopper, tokio::spawn(server::net::serve(listener, router, limits, shutdown)))
}

/// Sends a request and reads until the server closes.
async fn ask(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("the server accepts");
    stream.write_all(request.as_bytes()).await.expect("the request is sent");
    read_all(&mut stream).await
}

async fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset after the answer counts as its end.
    let _end = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await.expect("it closes");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_carry_the_security_headers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let running = start(&folder, limits()).await;
    for (path, code) in [("/health", "200"), ("/ready", "200"), ("/api/nothing", "404"), ("/gone.js", "404")] {
        let answer = ask(running.address, &HEALTH.replace("/health", path)).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {code}")), "{path}: {answer}");
        for header in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{path} lacks {header}: {answer}");
        }
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn i14_slow_and_silent_clients_are_let_go() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let running = start(&folder, limits()).await;
    let address = running.address;
    let began = Instant::now();
    let mut clients = Vec::new();
    for number in 0..100 {
        clients.push(tokio::spawn(async move {
            let mut stream = TcpStream::connect(address).await.expect("the server accepts");
            // Even numbers say nothing at all; odd ones a header that never ends.
            if number % 2 == 1 {
                stream.write_all(b"GET /health HTTP/1.1\r\n").await.expect("the first line is sent");
                for _ in 0..100 {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    if stream.write_all(b"x: y\r\n").await.is_err() {
                        break;
                    }
                }
            }
            read_all(&mut stream).await
        }));
    }
    assert!(ask(address, HEALTH).await.starts_with("HTTP/1.1 200"), "others are served meanwhile");
    for client in clients {
        let answer = client.await.expect("the client ends");
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert!(began.elapsed() < Duration::from_secs(8), "they were held for {:?}", began.elapsed());
    // A client that asked once and then says nothing is let go as well.
    let mut idle = TcpStream::connect(address).await.expect("the server accepts");
    idle.write_all(HEALTH.replace("close", "keep-alive").as_bytes()).await.expect("the request is sent");
    assert!(read_all(&mut idle).await.starts_with("HTTP/1.1 200"));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_too_many_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let running = start(&folder, Limits { connections: 2, header_timeout: Duration::from_secs(20), ..limits() }).await;
    let first = TcpStream::connect(running.address).await.expect("the server accepts");
    let _second = TcpStream::connect(running.address).await.expect("the server accepts");
    let mut third = TcpStream::connect(running.address).await.expect("the system accepts");
    assert!(read_all(&mut third).await.starts_with("HTTP/1.1 503"));
    drop(first);
    let patience = Instant::now() + Duration::from_secs(5);
    while !ask(running.address, HEALTH).await.starts_with("HTTP/1.1 200") {
        assert!(Instant::now() < patience, "the place was not given back");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_keeps_its_place_until_it_is_gone() {
    async fn wait(mut socket: WebSocket) {
        while socket.recv().await.is_some_and(|message| message.is_ok()) {}
    }
    let router = Router::new().route("/socket", get(async |upgrade: WebSocketUpgrade| upgrade.on_upgrade(wait)));
    let (address, stopper, serving) = serve(router, Limits { connections: 1, ..limits() }).await;
    let url = format!("ws://{address}/socket");
    let (socket, _) = tokio_tungstenite::connect_async(&url).await.expect("the socket opens");
    // Longer than any timeout of a request: a socket is bound by none of them.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let mut other = TcpStream::connect(address).await.expect("the system accepts");
    assert!(read_all(&mut other).await.starts_with("HTTP/1.1 503"));
    drop(socket);
    let patience = Instant::now() + Duration::from_secs(5);
    while tokio_tungstenite::connect_async(&url).await.is_err() {
        assert!(Instant::now() < patience, "the place was not given back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stopper.stop();
    serving.await.expect("the loop ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_too_large_is_refused_and_a_slow_one_given_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let running = start(&folder, Limits { body_bytes: 1000, ..limits() }).await;
    let echo = Router::new().route("/echo", post(async |body: String| body));
    // The same layers as every route of the server has.
    let router = server::app::layered(echo, &running.app);
    let (address, stopper, serving) = serve(router, limits()).await;
    let request = |length: usize, body: &str| {
        format!("POST /echo HTTP/1.1\r\nhost: p\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    };
    assert!(ask(address, &request(3, "abc")).await.ends_with("abc"));
    let large = "x".repeat(1001);
    assert!(ask(address, &request(1001, &large)).await.starts_with("HTTP/1.1 413"));
    assert!(ask(address, &request(900, "only so much")).await.starts_with("HTTP/1.1 408"));
    stopper.stop();
    serving.await.expect("the loop ends");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_does_not_wait_for_idle_clients() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let patient = Limits { header_timeout: Duration::from_secs(60), ..limits() };
    let running = start(&folder, patient).await;
    let address = running.address;
    let mut idle = TcpStream::connect(address).await.expect("the server accepts");
    idle.write_all(HEALTH.replace("close", "keep-alive").as_bytes()).await.expect("the request is sent");
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.expect("it is answered");
    let began = Instant::now();
    running.stop().await;
    assert!(began.elapsed() < Duration::from_secs(4), "it took {:?}", began.elapsed());
    assert!(TcpStream::connect(address).await.is_err(), "nothing listens any more");
}
