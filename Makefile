# Two commands matter: `make serve` starts the house, `make test` tests it. Both set up what is missing in
# .venv from the hash locks in requirements/. Only git, make and python3 need to be there before.

PYTHON ?= python3
ARGS ?=
SECONDS ?= 120
BASE ?= main
# How many tests run at a time. Those of `make check` compute, one for each core. Slow ones wait more than they
# work, for browsers, clocks and disks: so there are half as many again.
WORKERS ?=
MANY = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) * 3 // 2)')

VENV := .venv
BIN := $(VENV)/bin
LOCKS := boot run build dev

# Some machines are told to keep no bytecode. Then every process that a test starts compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# A stamp is newer than what it was made from, so each step runs again only when its lock changes.
BOOT := $(VENV)/.boot
RUN := $(VENV)/.run
PROJECT := $(VENV)/.project
DEV := $(VENV)/.dev
PAGE := src/ludoteca/server/page/index.html
PAGE_CHECKED := $(VENV)/.page-checked
PAGE_SOURCES := $(shell find web src/ludoteca/games -name node_modules -prune -o \( -path '*web/*' -o -name '*.wasm' \) -type f -print)

PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
UV := $(BIN)/uv --quiet
# uv takes seconds where pip takes a minute; pip is there for machines that uv does not run on.
install = $(UV) pip install --python $(BIN)/python $(1) || $(PIP) install $(1)
PYTEST := $(BIN)/python -m pytest --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help serve site release test check lint format types lock bench guard fuzz mutate simulate simulate-proof soak clean programs fronts engine screenshots corpus ratings

help: ## Show this list.
	@echo "make <target> [ARGS=...]"
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | \
		while IFS="$$(printf '\t')" read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

# exec leaves no shell between make and the house: Ctrl-C and SIGTERM reach it, and make waits for its end.
serve: $(PROJECT) $(PAGE) site ## Start the house on 127.0.0.1; ARGS are passed on.
	@exec $(BIN)/ludoteca serve $(ARGS)

site: $(PROJECT) ## Build the documentation, which the house serves at /docs.
	@$(BIN)/python hatch_build.py --site

test: $(DEV) $(PAGE) site programs fronts ## Run every test; tells at the end which were skipped, and why.
	@$(BIN)/python tests/needs.py
	@$(PYTEST) -n $(or $(WORKERS),$(MANY)) -rs $(ARGS)

check: lint $(PAGE) ## Run the linters and all tests that are not slow.
	@$(PYTEST) -n $(or $(WORKERS),auto) -q -m "not slow" $(ARGS)

lint: $(DEV) ## Check format, style, types and layers, of the page too.
	@$(BIN)/ruff format --check --quiet . || { echo "Not formatted: run make format."; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python web/records.py --check
	@$(MAKE) --no-print-directory --silent $(PAGE_CHECKED)

format: $(DEV) ## Format the code and repair what can be repaired.
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

types: $(PROJECT) ## Write the page's types again, from the records in Python.
	@$(BIN)/python web/records.py

engine: $(DEV) ## Compile the searcher of Santorini again, from its C.
	@$(MAKE) --no-print-directory -C src/ludoteca/games/santorini/engine PYTHON=$(abspath $(BIN))/python

ratings: $(DEV) ## Let all levels of all games play each other, and put the table into docs/bots.md; ARGS="--matches 20".
	@exec $(BIN)/python -m training.ratings --write $(ARGS)

bench: $(PROJECT) ## Run the benchmarks; ARGS are passed on.
	@exec $(BIN)/ludoteca bench $(ARGS)

# Figures of one machine vary by a third from one hour to the next, so none are kept: the other commit is measured
# here and now.
guard: $(PROJECT) ## Compare the cost of moves with that of another commit (BASE=main); fails when one is a tenth slower.
	@set -e; folder=$$(mktemp -d); trap 'git worktree remove --force $$folder/base; rm -rf $$folder' EXIT; \
	git worktree add -q --detach $$folder/base $(BASE); \
	$(BIN)/ludoteca bench --beside $$folder/base/src $(ARGS)

fuzz: $(DEV) $(PAGE) ## Abuse a house for two minutes (SECONDS=...); ARGS="--seed N" repeats a run.
	@exec $(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

release: $(DEV) ## Build wheel, source archive, bill of materials and checksums into dist/, and try them.
	@$(BIN)/python requirements/release.py
	@RELEASING=1 $(BIN)/python -m pytest -q -rs tests/test_release.py

corpus: $(DEV) ## Write the journal of this version for later ones to play; ARGS name its folder.
	@$(BIN)/python -m tests.journal.corpus.write $(ARGS)

mutate: $(DEV) ## Change the code in small ways and see whether tests notice; ARGS="--seed N hall".
	@exec $(BIN)/python -m tests.mutate $(ARGS)

simulate: $(DEV) ## Simulate evenings with all that can go wrong; ARGS="--evenings 10000 --game all".
	@exec $(BIN)/python -m tests.simulation $(ARGS)

simulate-proof: $(DEV) ## Plant bugs, and see how many evenings it takes to find each; ARGS="--only D1".
	@exec $(BIN)/python -m tests.simulation.proof $(ARGS)

soak: $(DEV) $(PAGE) ## Trials that take long: memory, faults, deaths, machines; ARGS="--minutes 60 --only churn".
	@exec $(BIN)/python -m tests.soak $(ARGS)

screenshots: $(DEV) $(PAGE) ## Take the pictures in docs/screenshots again; ARGS name games.
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

# Requirement files name packages, versions and hashes, and nothing about where they were found.
lock: $(RUN) ## Write the hash locks again; ARGS=--upgrade takes the newest versions.
	@for name in $(LOCKS); do \
		$(UV) pip compile --universal --python-version 3.11 --generate-hashes $(ARGS) \
			--custom-compile-command "make lock" requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done
	@$(call install,--require-hashes -r requirements/run.txt)
	@$(BIN)/python requirements/bom.py --licences

clean: ## Remove caches and build products, but not .venv.
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -prune -exec rm -rf {} +

# Some tests need a browser, a terminal or Java, which no Python package brings.
programs: $(DEV)
	@for name in chromium firefox tmux openssl perl javac; do \
		if $(BIN)/python tests/needs.py $$name >/dev/null; then continue; fi; \
		case "$$name" in javac) name=default-jdk-headless;; firefox) name=firefox-esr;; esac; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing $$name with apt-get ..."; \
			{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
				apt-get -qq install --yes --no-install-recommends $$name; } >/dev/null 2>&1 \
				|| echo "apt-get could not install $$name."; \
		fi; \
	done

# Reverse proxies are unpacked and not installed: an installed one would open its ports by itself.
FRONTS := $(VENV)/debian
fronts: $(DEV)
	@if ! { $(BIN)/python tests/needs.py nginx && $(BIN)/python tests/needs.py caddy; } >/dev/null \
		&& command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then \
		echo "Unpacking nginx and Caddy ..."; \
		[ "$$(id -u)" != 0 ] || apt-get -qq update >/dev/null 2>&1; \
		mkdir -p $(FRONTS) && cd $(FRONTS) \
			&& apt-get -qq download nginx libnginx-mod-stream caddy >/dev/null 2>&1 \
			&& for file in *.deb; do dpkg-deb -x "$$file" . && rm "$$file"; done \
			|| echo "apt-get could not fetch nginx and Caddy."; \
	fi

$(BOOT): requirements/boot.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludoteca needs Python 3.11 or newer.")'
	@echo "Setting up $(VENV) ..."
	@[ -x $(BIN)/python ] && $(BIN)/python -m pip --version >/dev/null 2>&1 \
		|| $(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& apt-get -qq update >/dev/null 2>&1 && apt-get -qq install --yes python3-venv >/dev/null 2>&1 \
			&& $(PYTHON) -m venv --clear $(VENV); } \
		|| { echo "$(PYTHON) cannot make environments: install its venv module (python3-venv)."; exit 1; }
	@$(PIP) install --require-hashes -r requirements/boot.txt || echo "No uv here: pip will do, more slowly."
	@touch $@

$(RUN): $(BOOT) requirements/run.txt requirements/build.txt
	@echo "Installing what the house needs ..."
	@$(call install,--require-hashes -r requirements/run.txt -r requirements/build.txt)
	@touch $@

$(PROJECT): $(RUN) pyproject.toml
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

# The hook looks at the dates again; without Node it says so, and the house is served without a page.
$(PAGE): $(PAGE_SOURCES) hatch_build.py | $(RUN)
	@echo "Building the page ..."
	@$(BIN)/python hatch_build.py

# svelte-check takes seconds, so it looks only at a page that has changed since it was last content.
$(PAGE_CHECKED): $(PAGE_SOURCES) hatch_build.py | $(RUN)
	@echo "Checking the page ..."
	@$(BIN)/python hatch_build.py --check
	@touch $@

$(DEV): $(PROJECT) requirements/dev.txt
	@echo "Installing what the tests need ..."
	@$(call install,--require-hashes -r requirements/dev.txt)
	@touch $@
