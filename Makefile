# make run and make test set everything up on a fresh machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# Two processes, each file in one of them for its fixtures' sake, in the order of the list: a long file comes early.
PARALLEL := -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: run test test-slow fuzz check bench instructions reports clean

run: $(READY)
	$(BIN)/analyzer run dingo-baseline

test: $(READY)
	$(BIN)/python tests/warm.py
	$(BIN)/python -m pytest $(PARALLEL)
	bash tests/modes.sh $(BIN)/python

test-slow: $(READY)
	$(BIN)/python -m pytest -m slow
	ANALYZER_FUZZ=20 $(BIN)/python -m pytest tests/fuzz
	$(BIN)/python tests/bench/instructions.py

fuzz: $(READY)
	ANALYZER_FUZZ=400 $(BIN)/python -m pytest tests/fuzz

check: $(READY)
	$(BIN)/ruff check analyzer tests
	$(BIN)/ruff format --check analyzer tests
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python tests/bench/speed.py

# Instructions of the kernels against those on record; RECORD=1 keeps those of now.
instructions: $(READY)
	$(BIN)/python tests/bench/instructions.py $(if $(RECORD),record)

reports: $(READY)
	bash reports/make.sh $(BIN)/analyzer

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find reports -mindepth 1 -maxdepth 1 -type d ! -name published -exec rm -rf {} +
