#!/usr/bin/env bash
# All tests of all crates. cargo-nextest runs them side by side where it is installed, else cargo's own runner does.
set -euo pipefail
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --locked --no-fail-fast
  cargo test --workspace --locked --doc --quiet
else
  cargo test --workspace --locked --no-fail-fast
fi
