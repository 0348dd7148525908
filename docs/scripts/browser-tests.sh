#!/usr/bin/env bash
# A turn, the placing of units before it, the fog of sight, and those who watch, in a real browser against the real server. Needs Chromium; on Debian, as root, it is installed when missing.
set -euo pipefail
chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "picket: installing Chromium for the browser test"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
if [ ! -x "$chromium" ]; then
  echo "picket: no browser at $chromium, so the browser test did not run; install Chromium or set CHROMIUM" >&2
  [ -z "${PICKET_REQUIRE_BROWSER:-}" ] || exit 1
  exit 0
fi
cargo build --locked --quiet --package server
export CHROMIUM=$chromium
node web-client/e2e/play.mjs target/debug/picket
node web-client/e2e/deploy.mjs target/debug/picket
node web-client/e2e/fog.mjs target/debug/picket
node web-client/e2e/watch.mjs target/debug/picket
