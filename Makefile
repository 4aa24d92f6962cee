# The commands of mtcalc. `make run` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

.PHONY: run test check admin compare screenshots bench soak clean

run: .venv/installed
	@PORT=$(PORT) $(BIN)/python manage.py serve

test: .venv/installed-dev
	$(BIN)/python -m pytest $(ARGS)

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(48))') \
		$(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

admin: .venv/installed
	@$(BIN)/python manage.py migrate --verbosity 0
	@# Without a terminal, name and password come from DJANGO_SUPERUSER_USERNAME, _EMAIL, _PASSWORD.
	@if [ -t 0 ]; then $(BIN)/python manage.py createsuperuser; \
	else $(BIN)/python manage.py createsuperuser --noinput; fi

# Runs the reference tools beside ours and notes their versions for the pages.
compare: .venv/installed-dev
	$(BIN)/python -m tests.comparison

# Every page in every state at three widths, light and dark; ARGS="ter-long gate" draws these alone.
screenshots: .venv/installed-dev
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

# Load and faults, on loopback: twenty minutes; less with SOAK_MINUTES=1 make soak. ARGS names some of it.
soak: .venv/installed-dev
	$(BIN)/python -m tests.soak $(ARGS)

# The reference tools beside ours, in times as fast; ARGS="bleu nist" runs these parts alone, and
# ARGS="ter --whole" TER on all segments, for which sacreBLEU takes half an hour.
bench: .venv/installed-dev
	$(BIN)/python -m tests.bench $(ARGS)

clean:
	rm -rf .venv staticfiles

.venv/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "mtcalc needs Python 3.11 or newer; '$(PYTHON)' is not. Say which to use: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what mtcalc needs into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt requirements-postgres.txt .venv/installed
	@echo "Installing the test tools into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
