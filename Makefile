# Everything a person does with Picket, in plain targets. `make help` lists them.
SHELL := bash
.DEFAULT_GOAL := help
NODE_NEEDED := 20.19

.PHONY: help tools client build run test check fmt lint bench secrecy gen rust-tests client-tests browser-tests

help: ## what the targets do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

tools: ## say clearly which toolchain is missing
	@docs/scripts/tools.sh $(NODE_NEEDED)

web-client/node_modules: web-client/package-lock.json
	@echo "picket: installing the client's packages"
	@cd web-client && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Built anew only when something of it has changed: the server takes it in, and would be compiled again each time.
CLIENT_SOURCES := $(shell find web-client -type f -not -path '*/node_modules/*' -not -path '*/dist/*')

web-client/dist/index.html: $(CLIENT_SOURCES) | web-client/node_modules
	@echo "picket: building the browser client"
	@cd web-client && npm run --silent build

client: tools web-client/dist/index.html ## build the browser client

build: client ## build the client, then the server with the client inside
	@echo "picket: building the server (a first build takes some minutes)"
	@cargo build --release --locked --package server

run: build ## play Little Round Top against a bot: prints the address to open
	@exec target/release/picket run

gen: ## write the generated files: rule ids, TypeScript types, JSON Schema, rulings, tables, pictures
	@cargo run --quiet --package tests --bin gen

fmt: ## format all Rust and the client
	@cargo fmt --all
	@cd web-client && npm run --silent format

lint: web-client/node_modules
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --locked -- -D warnings
	@cd web-client && npm run --silent lint && npm run --silent check

check: tools lint ## format check, lints, types

rust-tests:
	@docs/scripts/rust-tests.sh

client-tests: web-client/node_modules
	@cd web-client && npm test --silent

browser-tests: client
	@docs/scripts/browser-tests.sh

test: tools lint client-tests client rust-tests browser-tests ## everything: lints, all tests, a real browser, Postgres
	@echo "picket: make test is green"

secrecy: ## play N battles in two worlds each, and compare every byte (N=2000, FROM=0; FOG=1 in the fog of sight)
	@cargo run --quiet --release --locked --package server -- secrecy-check --battles $(or $(N),2000) --from $(or $(FROM),0) $(if $(FOG),--line-of-sight)

bench: ## benchmarks, as a table
	@docs/scripts/bench.sh
