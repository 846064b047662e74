# What people type. `make help` lists it; README.md's first screen has the two that matter.

# HOST counts on the command line only: some shells and conda export a HOST that means something else.
ifneq ($(origin HOST),command line)
HOST := 127.0.0.1
endif
PORT ?= 8000
PYTEST ?=
EXAMPLES ?= 50

VENV := .venv/bin
# The first Python that is new enough and can make a venv; PYTHON=/path/to/python overrides.
ifneq ($(origin PYTHON),command line)
PYTHON := $(shell for p in .venv/bin/python python3.13 python3.12 python3.11 python3 python; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& { command -v "$$p"; break; }; done)
endif

# `check` looks at the settings that production has; no service answers at these addresses, and none is asked.
PRODUCTION := MEMORYHUB_HOME=/nonexistent DEBUG=0 BEHIND_TLS=1 ALLOWED_HOSTS=memory.example.org \
	SECRET_KEY=check-only-0aZ19xWv82uTs73rQp64oNm55lKj46iHg37fEd28cBa19zY0xW \
	FIELD_ENCRYPTION_KEY=check-only-1aZ19xWv82uTs73rQp64oNm55lKj46 FINGERPRINT_KEY=check-only-2aZ19xWv82uTs73rQp64oNm55lKj46 \
	AUDIT_KEY=check-only-3aZ19xWv82uTs73rQp64oNm55lKj46 \
	RECEIPT_KEY=check-only-4bY28yXw93vUt84sRq75pOn66mLk57 \
	DATABASE_URL=postgresql://app:none@127.0.0.1:1/none DATABASE_OWNER_URL=postgresql://owner:none@127.0.0.1:1/none \
	REDIS_URL=redis://127.0.0.1:1/0

.DEFAULT_GOAL := help
.PHONY: help up down reset credentials doctor setup setup-dev chromium test api-walk check static format lock python

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: setup ## Start everything: make up [PORT=8000] [HOST=127.0.0.1]; Ctrl-C stops it
	@exec $(VENV)/python manage.py up --host "$(HOST)" --port "$(PORT)"

down: ## Stop a running `make up` from another terminal
	@if [ -x $(VENV)/python ]; then exec $(VENV)/python manage.py down; else echo "Nothing is installed here."; fi

reset: ## Delete all data of this installation (asks first; RESET=yes does not)
	@if [ -x $(VENV)/python ]; then exec $(VENV)/python manage.py reset $(if $(filter yes,$(RESET)),--yes); \
	else echo "Nothing is installed here."; fi

credentials: setup ## Show who can sign in to the demo
	@exec $(VENV)/python manage.py credentials

doctor: setup ## Check this machine and installation
	@exec $(VENV)/python manage.py doctor

setup: python ## Create .venv and install what running needs
	@"$(PYTHON)" memoryhub/embedded/install.py base

setup-dev: python ## The same for tests and checks
	@"$(PYTHON)" memoryhub/embedded/install.py dev

python:
	@if [ -z "$(PYTHON)" ]; then \
	  echo "No usable Python found: install Python 3.11, 3.12 or 3.13 with its venv module (Debian: apt install python3-venv)," \
	       "or name one: make PYTHON=/path/to/python3.13" >&2; exit 1; fi
	@"$(PYTHON)" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "$(PYTHON) is older than Python 3.11, or lacks its venv module (Debian: apt install python3-venv):" \
	       "name another, make PYTHON=/path/to/python3.13" >&2; exit 1; }

chromium:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing chromium and Chinese fonts for the browser tests ..."; \
	  log=$$(mktemp); { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	    chromium fonts-noto-cjk; } >"$$log" 2>&1 </dev/null || { tail -5 "$$log" >&2; \
	    echo "apt-get could not install chromium: install it by hand, then run make test again." >&2; exit 1; }; rm -f "$$log"; \
	else echo "The browser tests need chromium: install it (Debian: apt install chromium fonts-noto-cjk), then run make test again." >&2; \
	  exit 1; fi

test: setup-dev chromium ## Run the whole test suite (starts what it needs itself); PYTEST="-k name" for a part
	@$(VENV)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(PYTEST)

api-walk: setup-dev ## Let schemathesis try the REST API for long: make api-walk [EXAMPLES=50]
	SCHEMATHESIS_EXAMPLES=$(EXAMPLES) SCHEMATHESIS_PHASES=examples,coverage,fuzzing,stateful $(VENV)/python -m pytest -s tests/api/test_schemathesis.py

check: static test ## Format, lint, types, import contracts, templates, deploy settings, missing migrations, then tests

static: setup-dev
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(PRODUCTION) $(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/djlint templates --check --lint --quiet
	$(PRODUCTION) $(VENV)/python manage.py check --deploy --fail-level WARNING
	$(PRODUCTION) $(VENV)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

format: setup-dev ## Put code and templates into the project's format
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .
	@# It settles after a few passes.
	for pass in 1 2 3 4; do $(VENV)/djlint templates --reformat --quiet >/dev/null || true; done

lock: setup-dev ## Pin the newest allowed versions anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --no-annotate --upgrade --quiet --output-file requirements/base.lock requirements/base.in
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --no-annotate --upgrade --quiet --output-file requirements/dev.lock requirements/dev.in
