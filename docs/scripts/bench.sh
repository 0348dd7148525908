#!/usr/bin/env bash
# Benchmarks of the engine and of the server, as criterion prints them. Figures of record: docs/performance.md.
set -euo pipefail
cargo bench --locked --package rules --bench turn -- --noplot "$@"
cargo bench --locked --package rules --bench growth
cargo bench --locked --package server --bench seal_to_view -- --noplot "$@"
