# The commands of this project. `make play` and `make test` set up all they need in .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
RUN := $(VENV)/bin/python

# The tests start hundreds of programs. Each would compile all modules again if Python might not keep what it compiles.
unexport PYTHONDONTWRITEBYTECODE
# numpy multiplies small matrices: a second thread would cost more than it saves.
export OPENBLAS_NUM_THREADS := 1

.PHONY: play play-postgresql setup setup-postgresql test quick lint spell format types check static long hooks run art bench peers tag strength reliability mutation month game playthroughs goldens gallery pictures lock audit clean

play: $(VENV)/.local  ## Play in the browser: no account, no network
	$(RUN) bot.py --local $(ARGS)

play-postgresql: $(VENV)/.dev  ## The same on a PostgreSQL server of its own, which is gone at the end
	$(RUN) bot.py --local --postgresql $(ARGS)

PYTEST = $(RUN) -m pytest -n auto --dist worksteal

test: $(VENV)/.dev  ## All tests but the long runs of the harnesses
	$(PYTEST) $(ARGS)

quick: $(VENV)/.dev  ## ruff, mypy, and the tests nearest to what differs from HEAD or ARGS=REVISION, within a minute
	$(RUN) -m tests.quick $(ARGS)

setup: $(VENV)/.production  ## Install what the bot needs into .venv

setup-postgresql: $(VENV)/.postgresql  ## The same, and what DATABASE_URL needs

# make itself ends with 2 for any failure and says the bot's code in its last line: "Error 78". A program that reads the
# code starts `.venv/bin/python bot.py`, as the service does. No shell stands between, so signals reach the bot.
run: $(VENV)/.production  ## The bot on Discord, with the settings of .env
	$(RUN) bot.py

lint: $(VENV)/.dev
	$(RUN) -m ruff check .

spell: $(VENV)/.dev
	$(VENV)/bin/codespell

hooks: $(VENV)/.dev  ## Check each commit before it is made: .pre-commit-config.yaml
	$(VENV)/bin/pre-commit install

format: $(VENV)/.dev
	$(RUN) -m ruff format .

types: $(VENV)/.dev
	$(RUN) -m mypy

check: $(VENV)/.dev $(VENV)/.art  ## What `make test` leaves out: format, lint, spelling, strict types, and the long runs
	@$(MAKE) --no-print-directory --jobs 2 static long

static: $(VENV)/.dev
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(VENV)/bin/codespell
	$(RUN) -m mypy

long: $(VENV)/.art
	$(PYTEST) -m long $(ARGS)

art: $(VENV)/.art  ## Paint the sprites of data/art again, ARGS="siege_of_sunfall/guard_1" or all; look at them
	$(RUN) -m rendering.studio $(ARGS)

bench: $(VENV)/.bench  ## Speed beside peers at their best, as ratios from one run: ARGS="playouts storage"
	$(RUN) -m tests.benchmarks $(ARGS)

peers: $(VENV)/.bench  ## Our search beside OpenSpiel's own at its games: ARGS="oh_hell --deals 100 --playouts 160"
	$(RUN) -m tests.strength.peers $(ARGS)

strength: $(VENV)/.dev  ## Measure how strong the computers are, into docs/strength.md: hours; ARGS="--levels beginner --matches 40"
	$(RUN) -m tests.strength.report $(ARGS)

reliability: $(VENV)/.dev  ## kill -9, power cuts, a failing disk, leaks, fuzzing: ARGS="kills --trials 10000"
	$(RUN) -m tests.reliability $(ARGS)

mutation: $(VENV)/.mutation  ## Which faults put into the program the tests find: ARGS="cogs/match --sample 20"
	$(RUN) -m tests.mutation $(ARGS)

month: $(VENV)/.dev  ## A month of matches in virtual time: ARGS="--matches 100 --days 30 --seed 1"
	$(RUN) -m tests.month $(ARGS)

game: $(VENV)/.art  ## Write a new game that passes all tests: NAME=nim; ARGS="--like high_card" for hidden hands
	$(RUN) -m tests.skeleton $(NAME) $(ARGS)

playthroughs: $(VENV)/.dev  ## Write tests/playthroughs again; read the difference before you commit it
	$(RUN) -m tests.playthroughs $(ARGS)

goldens: $(VENV)/.art  ## Draw tests/goldens and docs/*.png again; look at them before you commit: ARGS="--palettes nim"
	$(RUN) -m tests.goldens $(ARGS)

gallery: $(VENV)/.dev  ## Every picture on one page: desktop, phones, colour-blind eyes, grey: ARGS="sea_change"
	$(RUN) -m tests.goldens.gallery $(ARGS)

pictures: $(VENV)/.dev  ## Make docs/*.png, docs/*.webp and docs/replay.html again; look at them before you commit them
	$(RUN) -m tests.goldens.readme
	$(RUN) -m tests.goldens.replays
	$(RUN) -m tests.local.pictures

lock:  ## Resolve the dependencies again and pin them with hashes
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	$(PYTHON) .ci/lock $(VENV)/lock/bin/uv

# Each file includes others: whichever changes, all is installed again.
PINS := $(wildcard requirements/*.txt)
$(VENV)/.production: requirements/base.txt $(PINS)
$(VENV)/.postgresql: requirements/postgresql.txt $(PINS)
$(VENV)/.local: requirements/local.txt $(PINS)
$(VENV)/.dev: requirements/dev.txt $(PINS)
$(VENV)/.art: requirements/art.txt $(PINS)
$(VENV)/.bench: requirements/bench.txt $(PINS)
$(VENV)/.mutation: requirements/mutation.txt $(PINS)
$(VENV)/.production $(VENV)/.postgresql $(VENV)/.local $(VENV)/.dev $(VENV)/.art $(VENV)/.bench $(VENV)/.mutation:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; '$(PYTHON)' is not. Try: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.maxsize < 2**32)' || \
		{ echo "A 64-bit Python is needed; '$(PYTHON)' has 32 bits, as on older Raspberry Pi OS. Its libraries come for 64-bit systems only."; exit 1; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	@echo "Installing what $< names into $(VENV) …"
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r $<
	@touch $@

tag:  ## Tag the version of pyproject.toml, with its part of CHANGELOG.md: docs/releasing.md
	@.ci/tag

# The lock of PostgreSQL is the one that the image installs. All that `make setup` installs is in it.
audit:  ## Ask PyPI whether a vulnerability is known of what the bot needs; for this it goes to the network
	test -x $(VENV)/audit/bin/python || $(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/audit.txt
	$(VENV)/audit/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements/postgresql.txt $(ARGS)

clean:
	rm -rf $(VENV)
