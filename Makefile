# make run     install what is needed and open the demo agent; without a terminal, print its report
# make test    run the tests
# make check   format, lint, types, import contracts, docs
# make bench   how fast it is, as ratios
# make clean   remove the virtual environment and all caches

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input

.PHONY: run test check bench clean
.DEFAULT_GOAL := run

run: $(INSTALLED)
	@$(BIN)/inspector demo

test: $(INSTALLED_DEV)
	@$(BIN)/python -m pytest

check: $(INSTALLED_DEV)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest tests/docs

bench: $(INSTALLED_DEV)
	@$(BIN)/python -m bench

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): $(BIN)/python pyproject.toml
	@echo "installing the inspector into $(VENV)"
	@$(PIP) -e .
	@touch $@

$(INSTALLED_DEV): $(BIN)/python pyproject.toml
	@echo "installing the inspector and what its tests need into $(VENV)"
	@$(PIP) -e ".[dev]"
	@touch $(INSTALLED) $@

# The first python on the machine that runs, is new enough, and can make a virtual environment.
$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  echo "making $(VENV) with $$("$$python" --version)"; \
	  "$$python" -m venv $(VENV) && exit 0; \
	  rm -rf $(VENV); \
	  echo "$$python can't make a virtual environment: its venv module is missing (on Debian: apt install python3-venv)" >&2; \
	  exit 1; \
	done; \
	echo "Python 3.11 or newer is needed, and none was found; name one with: make run PYTHON=/path/to/python" >&2; \
	exit 1
