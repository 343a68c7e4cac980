# make run     the whole site at http://127.0.0.1:8000
# make test    the whole suite, against real servers
# make bench-live  how many moves a second the live tables take, beside two peers
# make bench-chaos  live tables while every part of their site is killed
# make bench-tournament  how long plans, pairings, corrections and rounds take, beside two peers
# make bench-history  how fast ten million stored actions are read
# make bench-ratings  how long ratings take to compute
# make lint    everything that is checked without running it
# PY names another Python (3.11 or newer): PY=python3.12 make run

PY ?= python3
VENV := .venv/bin
# For the check of the settings of a production alone.
A_KEY = $$(head -c 48 /dev/urandom | base64 | tr -d '\n')

.PHONY: run setup test lint messages format bench-live bench-chaos bench-tournament bench-history bench-ratings

run: setup
	@exec $(VENV)/python manage.py up

setup:
	@command -v $(PY) >/dev/null || { echo "tarneeb: $(PY) was not found; Python 3.11 or newer is needed" >&2; exit 1; }
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "tarneeb: Python 3.11 or newer is needed, $(PY) is older; name another one, as in PY=python3.12 make run" >&2; exit 1; }
	@$(PY) tools/install.py

# ARGS go to pytest: make test ARGS="tests/games -x"
# Without them: on all cores what can share the machine, then what drives processes, a browser, or measures.
test: setup
ifdef ARGS
	@$(VENV)/python -m pytest $(ARGS)
else
	@$(VENV)/python -m pytest -n logical --dist loadfile -m "not alone"; together=$$?; \
		$(VENV)/python -m pytest -m alone && exit $$together
endif

# ARGS go to the bench: make bench-live ARGS="--tables 200 --no-peers --json"
bench-live: setup
	@$(VENV)/python bench/live.py $(ARGS)

# ARGS go to the bench: make bench-chaos ARGS="--tables 40 --seconds 120 --json"
bench-chaos: setup
	@$(VENV)/python bench/chaos.py $(ARGS)

# ARGS go to the bench: make bench-tournament ARGS="--quick --json"
bench-tournament: setup
	@$(VENV)/python bench/tournament.py $(ARGS)

# ARGS go to the bench: make bench-history ARGS="--quick --json"
bench-history: setup
	@$(VENV)/python bench/history.py $(ARGS)

# ARGS go to the bench: make bench-ratings ARGS="--matches 10000"
bench-ratings: setup
	@$(VENV)/python -m bench.ratings $(ARGS)

lint: setup
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy .
	$(VENV)/lint-imports
	$(VENV)/python -W ignore manage.py makemigrations --check --dry-run
	DEBUG=0 HTTPS=1 ALLOWED_HOSTS=play.example.org SECRET_KEY=$(A_KEY) \
		$(VENV)/python manage.py check --deploy --fail-level WARNING
	$(VENV)/djlint templates --lint --quiet
	$(VENV)/python -m tarneeb_site.translations check

format: setup
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .

messages: setup
	$(VENV)/python -m tarneeb_site.translations update
	$(VENV)/python -m tarneeb_site.translations compile
