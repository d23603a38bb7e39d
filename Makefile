# All a fresh machine needs is make and Python 3.11 or newer with venv. `make` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PROTO_VENV := .venv-proto
PROTO_STAMP := $(PROTO_VENV)/.installed
LOWEST_VENV := .venv-lowest
LOWEST_STAMP := $(LOWEST_VENV)/.installed

PYTEST := $(BIN)/python -m pytest
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
BASELINE := proto/tapete-v1.binpb
BUF_IMAGE := $(PROTO_VENV)/bin/buf build --exclude-source-info
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18

# --- Environments ---------------------------------------------------------------------------------

define create_venv
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Tapete needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 1; }
$(PYTHON) -m venv $(1)
endef

$(STAMP): pyproject.toml
	$(call create_venv,$(VENV))
	$(BIN)/python $(PIP_INSTALL) --editable '.[server,dev]'
	@touch $@

$(PROTO_STAMP): proto/requirements.txt
	$(call create_venv,$(PROTO_VENV))
	$(PROTO_VENV)/bin/python $(PIP_INSTALL) --requirement proto/requirements.txt
	@touch $@

$(LOWEST_STAMP): pyproject.toml tools/lowest.txt
	$(call create_venv,$(LOWEST_VENV))
	$(LOWEST_VENV)/bin/python $(PIP_INSTALL) --constraint tools/lowest.txt --editable '.[server]' hypothesis pytest pytest-timeout
	@touch $@

.PHONY: venv
venv: $(STAMP) ## create .venv with everything for service and tests

# --- Use ------------------------------------------------------------------------------------------

.PHONY: serve
serve: $(STAMP) ## set up and start the service (ARGS="--help" lists its options)
	@exec $(BIN)/tapete serve $(ARGS)

.PHONY: bench
bench: $(STAMP) ## print the figures of benchmarks/README.md
	$(BIN)/python $(PIP_INSTALL) --editable '.[server,dev,bench]'
	$(BIN)/python -m benchmarks $(ARGS)

# --- Tests ----------------------------------------------------------------------------------------

.PHONY: test
test: $(STAMP) ## set up and run all tests but those marked slow or browser
	$(PYTEST) -m "not slow and not browser" $(ARGS)

.PHONY: test-quick
test-quick: $(STAMP) ## run the quick tests alone
	$(PYTEST) -q -x -m "not slow and not browser and not long and not node" $(ARGS)

.PHONY: soak
soak: $(STAMP) ## run the tests marked slow
	$(PYTEST) -m slow --timeout 3600 $(ARGS)

.PHONY: test-browser
test-browser: $(STAMP) ## run the tests marked browser
	$(PYTEST) -m browser $(ARGS) || [ $$? -eq 5 ] # 5: there is no such test yet

.PHONY: test-nojit
test-nojit: $(STAMP) ## run the tests of the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q -m "kernel and not slow" $(ARGS)

.PHONY: test-bounds
test-bounds: $(STAMP) ## run the tests of the kernels with bounds checks
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/numba-bounds $(PYTEST) -q -m "kernel and not slow" $(ARGS)

.PHONY: test-lowest
test-lowest: $(LOWEST_STAMP) ## run the tests of wire, server and clients on the oldest supported grpcio and protobuf
	$(LOWEST_VENV)/bin/python -m pytest -q -m "not slow and not browser and not long and not node" \
		$(wildcard tests/proto tests/server tests/clients) $(ARGS)

.PHONY: test-wheel
test-wheel: $(STAMP) ## build the wheel and use it in an empty environment outside the tree
	tools/test_wheel $(BIN)/python

# --- Checks ---------------------------------------------------------------------------------------

.PHONY: check
check: lint types imports test-quick ## the quick loop: linters, types, import contracts, quick tests

.PHONY: lint
lint: $(STAMP) ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: format
format: $(STAMP) ## let ruff mend and format what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: types
types: $(STAMP) ## mypy --strict everywhere, pyright on the public packages
	$(BIN)/mypy
	$(BIN)/pyright --project pyproject.toml

.PHONY: imports
imports: $(STAMP) ## hold the direction of imports
	$(BIN)/lint-imports --no-logo

# --- Proto ----------------------------------------------------------------------------------------

.PHONY: proto
proto: $(PROTO_STAMP) ## regenerate the committed stubs
	$(PROTO_VENV)/bin/python tools/generate_stubs.py

.PHONY: proto-check
proto-check: $(PROTO_STAMP) ## stubs up to date, buf lint and format, nothing broken since the baseline
	$(PROTO_VENV)/bin/python tools/generate_stubs.py --check
	$(PROTO_VENV)/bin/buf lint
	$(PROTO_VENV)/bin/buf format --diff --exit-code
	$(PROTO_VENV)/bin/buf breaking --against $(BASELINE)

.PHONY: proto-baseline
proto-baseline: $(PROTO_STAMP) ## accept the protos as the new baseline, at a release
	$(BUF_IMAGE) --output $(BASELINE)

# --- Cleaning -------------------------------------------------------------------------------------

.PHONY: clean
clean: ## remove caches and builds; the environments stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -path './.venv*' -prune -o -name __pycache__ -type d -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## remove the environments too
	rm -rf $(VENV) $(PROTO_VENV) $(LOWEST_VENV)
