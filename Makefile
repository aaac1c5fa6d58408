# Everything is built into .bin, which is not committed; nothing outside this folder is changed,
# except that as root `make test` installs Postgres where there is none.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help

BIN := $(CURDIR)/.bin
export PATH := $(BIN):$(PATH)

# The binary is static, and everything else is compiled in the same way: every other set of flags
# would compile all dependencies once more, which takes minutes. (For the same reason the paths are
# trimmed only in the Dockerfile.)
export CGO_ENABLED := 0

# The one place for the Temporal CLI's version is the development server's configuration.
TEMPORAL_PACKAGE := $(shell sed -n 's/^cliPackage: *//p' deploy/devserver.yaml)
TEMPORAL_VERSION := $(shell sed -n 's/^cliVersion: *//p' deploy/devserver.yaml)
GOLANGCI_VERSION := v2.15.0
WORKFLOWCHECK_VERSION := v0.6.0
INSPECTOR_VERSION := 2.12.0

# How many packages are tested at once. Each may have a Temporal server and a Postgres of its own,
# and its tests run in parallel anyway.
PACKAGES_AT_ONCE ?= 2
TEST_TIMEOUT ?= 15m
TEST_FLAGS ?=
FUZZ_TIME ?= 30s

.PHONY: help
help: ## Say what there is to make.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the static binary, .bin/tutti.
	@go build -o $(BIN)/tutti ./cmd/tutti

.PHONY: demo
demo: build tools ## Start tutti, run a chain of three specialists, show the run, stop.
	@deploy/demo.sh

.PHONY: test
test: tools postgres inspector workflowcheck ## Test everything against a real Temporal and a real Postgres.
	@go vet ./...
	@$(BIN)/workflowcheck -config .workflowcheck.yml ./workflows/...
	go test -p $(PACKAGES_AT_ONCE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) ./...

# CERTIFY_FLAGS: -quick for what CI runs, -only C2a,H1 for some.
CERTIFY_FLAGS ?=

.PHONY: certify
certify: tools postgres inspector ## Do every scenario of docs/certificate.md and print what it showed.
	@go build -o $(BIN)/certify ./cmd/certify
	@$(BIN)/certify -report $(BIN)/certificate.json $(CERTIFY_FLAGS)

.PHONY: test-race
test-race: tools postgres inspector ## The same under the race detector, which needs a C compiler.
	CGO_ENABLED=1 go test -race -p $(PACKAGES_AT_ONCE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) ./...

.PHONY: lint
lint: golangci-lint ## Check style and likely mistakes.
	@$(BIN)/golangci-lint run ./...

.PHONY: fuzz
fuzz: ## Run each fuzz test for FUZZ_TIME (30s).
	@go list -f '{{if .TestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}{{"\n"}}{{if .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./... \
	| sort -u | while read -r package folder; do \
		[ -n "$$package" ] || continue; \
		{ grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$$folder"/*_test.go || true; } | sed 's/^func //' \
		| while read -r name; do \
			echo "$$package $$name"; \
			go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZ_TIME) "$$package" < /dev/null; \
		done; \
	done

.PHONY: bench
bench: tools postgres ## Measure tutti beside a bare Temporal workflow; the table and a plot go to .bin/bench.
	@mkdir -p $(BIN)/bench
	TUTTI_BENCH_OUT=$(BIN)/bench go test -run '^$$' -bench BesideBare -benchtime 1x -timeout 60m ./internal/bench

.PHONY: clean
clean: ## Remove what was built, but keep the tools.
	@rm -rf $(BIN)/tutti $(BIN)/certify $(BIN)/certificate.json $(BIN)/demo

.PHONY: tools
tools: ## Have the Temporal CLI: the one on the PATH, else one built into .bin (minutes, once).
	@if [ -e $(BIN)/temporal ] || ! command -v temporal > /dev/null; then $(call install,temporal,$(TEMPORAL_PACKAGE),$(TEMPORAL_VERSION)); fi

.PHONY: golangci-lint
golangci-lint:
	@$(call install,golangci-lint,github.com/golangci/golangci-lint/v2/cmd/golangci-lint,$(GOLANGCI_VERSION))

.PHONY: workflowcheck
workflowcheck:
	@$(call install,workflowcheck,go.temporal.io/sdk/contrib/tools/workflowcheck,$(WORKFLOWCHECK_VERSION))

# A client of the Model Context Protocol that is not ours, for the tests of `tutti mcp`.
.PHONY: inspector
inspector:
	@if ! grep -qs '"version": "$(INSPECTOR_VERSION)"' $(BIN)/npm/node_modules/@modelcontextprotocol/inspector/package.json; then \
		command -v npm > /dev/null || { echo "the tests of tutti mcp need npm; run: sudo apt-get install -y npm" >&2; exit 1; }; \
		echo "installing MCP Inspector $(INSPECTOR_VERSION) into .bin/npm" >&2; \
		mkdir -p $(BIN)/npm && npm install --prefix $(BIN)/npm --no-audit --no-fund --silent @modelcontextprotocol/inspector@$(INSPECTOR_VERSION); \
	fi

# install builds a tool into .bin, unless it is there in this version.
# $(1) is its name, $(2) its package, $(3) its version.
define install
if [ "$$(go version -m $(BIN)/$(1) 2> /dev/null | awk '$$1 == "mod" { print $$3 }')" != "$(3)" ]; then \
	echo "building $(1) $(3) into .bin; this is done once" >&2; \
	env -u CGO_ENABLED GOBIN=$(BIN) GOFLAGS= go install $(2)@$(3); \
fi
endef

.PHONY: postgres
postgres:
	@if [ -n "$${TUTTI_TEST_DATABASE_URL:-}" ] || command -v postgres > /dev/null \
		|| compgen -G '/usr/lib/postgresql/*/bin/postgres' > /dev/null; then \
		exit 0; \
	fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "installing postgresql for the tests" >&2; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql > /dev/null; \
	else \
		echo "the tests need Postgres; run: sudo apt-get install -y postgresql (or set TUTTI_TEST_DATABASE_URL)" >&2; \
		exit 1; \
	fi
