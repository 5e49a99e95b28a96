# What a developer of Hairpin calls; 'make help' lists it. One virtual environment, .venv, serves every target.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
ARGS ?=
# Multiplies every time budget, and the limits of single tests. They are for an idle machine with two cores, to end what hangs.
SLOWNESS ?= 2
export SLOWNESS
# what is compiled once serves every process: there are hundreds, and pytest rewrites every test module
unexport PYTHONDONTWRITEBYTECODE
CODE := src tests tools benchmarks
# whole runs have targets of their own; by folder, so that no target imports the tests of others
SLOW := tests/e2e tests/quality tests/packaging
PYTEST := $(BIN)/python -m pytest -q
PARALLEL := --numprocesses logical --maxprocesses 8 --dist worksteal
# their own tests must cover these two; to measure the others as well would double the time
COVERED := tests/domain tests/graph
COVERAGE := --cov=hairpin.domain --cov=hairpin.graph --cov-report=json:.coverage.json

# Each stamp says what the environment holds and is renewed when the project's dependencies change.
RUNTIME := $(VENV)/.hairpin-runtime
DEV := $(VENV)/.hairpin-dev

, := ,
budget = set -euo pipefail; . tools/budget.sh; budget $$(($(1) * $(SLOWNESS))) "$(2)";
install = PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	-c constraints.txt --editable '.$(1)'

.PHONY: help demo check test e2e chaos packaging llm bench bench-smoke constraints clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

demo: $(RUNTIME) ## find planted faults in a small assistant, offline (ARGS='--out DIR')
	@$(BIN)/hairpin demo $(ARGS)

# lint without a cache: how imports are sorted depends on which files exist, which it does not notice
check: $(DEV) ## format, lint, types, licences, unit tests with their coverage floor
	@$(call budget,300,make check) \
	step "format" $(BIN)/ruff format --check --output-format concise $(CODE); \
	step "lint" $(BIN)/ruff check --no-cache --output-format concise $(CODE); \
	step "types" $(BIN)/mypy; \
	step "licences" $(BIN)/python tools/check_licences.py; \
	step "unit tests of domain and graph" $(PYTEST) $(PARALLEL) $(COVERAGE) -m "not llm" $(COVERED) $(ARGS); \
	step "their coverage" $(BIN)/python tools/check_coverage.py .coverage.json domain graph; \
	step "other unit tests" $(PYTEST) $(PARALLEL) -m "not llm" $(addprefix --ignore=,$(COVERED) $(SLOW)) tests $(ARGS)

test: check e2e chaos bench-smoke $(if $(HAIRPIN_GGUF),llm) packaging ## everything: check, whole runs, planted faults, the wheel

e2e: $(DEV) ## whole runs, and planted faults that must be found
	@$(call budget,420,make e2e) \
	step "whole runs and planted faults" $(PYTEST) $(PARALLEL) -m "not (llm or chaos)" tests/e2e tests/quality $(ARGS)

chaos: $(DEV) ## campaigns that are killed again and again: CHAOS_KILLS=30 make chaos
	@$(call budget,240,make chaos) \
	step "campaigns under kills" $(PYTEST) $(PARALLEL) -m chaos tests/e2e $(ARGS)

packaging: $(DEV) ## build the wheel, install it elsewhere, run the demo from it
	@$(call budget,180,make packaging) \
	step "packaging" $(PYTEST) tests/packaging $(ARGS)

llm: $(DEV) ## tests against a real model: HAIRPIN_GGUF=/path/to/model.gguf make llm
	@[ -n "$(HAIRPIN_GGUF)" ] || { echo "set HAIRPIN_GGUF to a GGUF file" >&2; exit 2; }
	@$(PYTEST) -m llm --timeout=1800 $(ARGS)

bench: $(DEV) ## print every benchmark
	@for script in benchmarks/*.py; do $(BIN)/python -m "benchmarks.$$(basename "$$script" .py)"; done

bench-smoke: $(DEV)
	@$(call budget,60,the benchmarks) \
	step "benchmarks, briefly" $(BIN)/python benchmarks/cli_startup.py --runs 1

constraints: $(DEV) ## pin what is installed now into constraints.txt
	@$(BIN)/python tools/pin_constraints.py

clean: ## remove what the targets made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

$(RUNTIME): pyproject.toml constraints.txt
	@tools/venv.sh $(VENV) $(PYTHON)
	@$(call budget,180,the installation) \
	step "installing hairpin" env $(call install,)
	@touch $@

$(DEV): pyproject.toml constraints.txt
	@tools/venv.sh $(VENV) $(PYTHON)
	@$(call budget,180,the installation) \
	step "installing hairpin with its development tools" env $(call install,[all$(,)dev])
	@touch $(RUNTIME) $@
