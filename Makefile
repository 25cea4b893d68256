# make demo    compile and run a program on a real road network, and verify the answer
# make test    the tests, as CI runs them
# make check   style, types and tests
# make matrix  the long sweeps as well
# make bench   kernel times beside other libraries'; BENCH="--graphs NY --algorithms bfs" chooses (benchmarks/cpu.py --help)
VENV ?= .venv
PYTHON ?= python3
BENCH ?=
BIN := $(VENV)/bin

.PHONY: demo test lint check matrix bench clean

demo: $(VENV)/installed
	$(BIN)/irglc run programs/bfs.irgl --graph programs/data/rome99.gr.gz --src 1 --verify

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -q

lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/mypy --strict irgl

check: lint test

matrix: $(VENV)/installed-dev
	IRGL_MATRIX=1 $(BIN)/python -m pytest -q

bench: $(VENV)/installed-bench
	$(BIN)/python benchmarks/cpu.py $(BENCH)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e ".[io]"
	touch $@

$(VENV)/installed-dev: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e ".[dev,io]"
	touch $@

$(VENV)/installed-bench: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e ".[bench]"
	touch $@
