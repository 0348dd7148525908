#!/usr/bin/env bash
# Says clearly what is missing, and what would do, before a build fails half way.
set -u
node_needed=$1
missing=0
say() { printf 'picket: %s\n' "$1" >&2; missing=1; }

command -v cargo >/dev/null || say "Rust is missing. Install it with rustup (https://rustup.rs); the version in rust-toolchain.toml is then taken by itself."
command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null ||
  say "a C compiler is missing (SQLite is built from source). On Debian: apt-get install build-essential."
if command -v node >/dev/null; then
  have=$(node --version | tr -d v)
  if [ "$(printf '%s\n%s\n' "$node_needed" "$have" | sort -V | head -n 1)" != "$node_needed" ]; then
    say "Node.js $have is too old; the client needs $node_needed or newer (https://nodejs.org)."
  fi
  command -v npm >/dev/null || say "npm is missing, although Node.js is here; it comes with Node.js from https://nodejs.org."
else
  say "Node.js is missing; the client needs $node_needed or newer (https://nodejs.org)."
fi
exit "$missing"
