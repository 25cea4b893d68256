# make demo    compile and run a program on a real road network, and verify the answer
# make test    each behaviour once, and every sixth of those that take long: 10 minutes of two cores
# make test-all  as CI runs them: the same behaviours over more programs, plans and seeds
# make check   style, types and all tests
# make matrix  the long sweeps as well; SHARD=3/20 runs the third twentieth of the sweeps, and nothing else
# make mutants   plants 40 faults one by one, and says which test notices; MUTANTS="NAME --all" chooses
# make races   what runs on the CPU once more under ThreadSanitizer; RACES="sweeps/test_cpu_plans.py -k bfs" chooses
# make docs    builds the documentation as a site with search into site/; open site/index.html
# make bench   kernel times beside other libraries'; BENCH="--graphs NY --algorithms bfs" chooses (benchmarks/cpu.py --help)
# make gpu     answers, optimizations and costs on a GPU, in under 9 minutes; GPU="--parts costs" chooses (docs/gpu.md)
# make gpu-pack   gathers into gpu-pack/ what a machine with a GPU and no package registry needs for `make gpu`
VENV ?= .venv
PYTHON ?= python3
SHARD ?= 1
RACES ?=
MUTANTS ?=
BENCH ?=
GPU ?=
PACKED := $(wildcard gpu-pack/wheels)
BIN := $(VENV)/bin
# A test that hangs fails, after a quarter of an hour, and the others go on.
SHARED_OUT := --dist loadfile --no-loadscope-reorder --timeout 900

.PHONY: demo test test-all lint check matrix mutants races bench gpu gpu-pack docs clean

demo: $(VENV)/installed
	$(BIN)/irglc run programs/bfs.irgl --graph programs/data/rome99.gr.gz --src 1 --verify

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -q -n 3 $(SHARED_OUT) --quick

test-all: $(VENV)/installed-dev
	$(BIN)/python -m pytest -q -n 3 $(SHARED_OUT)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/mypy --strict irgl

check: lint test-all

matrix: $(VENV)/installed-dev
	IRGL_MATRIX=$(SHARD) $(BIN)/python -m pytest -q $(if $(filter 1,$(SHARD)),,-n 2)

mutants: $(VENV)/installed-dev
	$(BIN)/python tests/mutants/run.py $(MUTANTS)

races: $(VENV)/installed-dev
	cd tests && $(abspath $(BIN))/python -m support.races $(RACES)

bench: $(VENV)/installed-bench
	$(BIN)/python benchmarks/cpu.py $(BENCH)

gpu: $(if $(PACKED),,$(VENV)/installed)
	$(if $(PACKED),$(PYTHON),$(BIN)/python) benchmarks/gpu.py $(GPU)

gpu-pack: $(VENV)/installed
	$(BIN)/python benchmarks/gpu_pack.py

docs: $(VENV)/installed-docs
	$(BIN)/python -m mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

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

$(VENV)/installed-docs: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e ".[docs]"
	touch $@
