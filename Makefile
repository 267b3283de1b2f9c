# Every target works on a fresh clone, because `setup` installs missing packages. It prints nothing if none is missing.
SWIFT ?= swift
QUERY = SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking' ORDER BY Name LIMIT 5

# A build from nothing compiles whole modules (see Package.swift), and so do later builds until one is incremental.
export RESTSDK_WHOLE := $(shell [ -e .build/debug ] || { mkdir -p .build && touch .build/whole; }; [ ! -e .build/whole ] || echo 1)

PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: demo install dist dist-check build test test-one test-environments test-repeat template user-package queries queries-build apple stone bench bench-compare bench-short codegen nightly reliability api-breakage stone-build fuzz sanitize lint format docs pictures setup setup-tests setup-bench clean

demo: setup  ## Runs a query against the embedded org, over REST and OAuth.
	$(SWIFT) build --product soql
	$(SWIFT) run --skip-build soql --sample --format table "$(QUERY)"

install: setup  ## Installs soql, its completion scripts and its manual page in PREFIX (default: /usr/local), below DESTDIR.
	.ci/install "$$(SWIFT=$(SWIFT) .ci/dist program)" "$(DESTDIR)$(PREFIX)"

dist: setup  ## Creates an archive of soql that runs without Swift.
	SWIFT=$(SWIFT) .ci/dist

dist-check: dist  ## Tests the archive in a minimal Debian made by debootstrap (needs root).
	.ci/dist check

build: setup  ## Builds everything, including the tests, incrementally.
	rm -f .build/whole
	env -u RESTSDK_WHOLE $(SWIFT) build --build-tests

test:  ## Builds and runs every test, counts the skipped tests, and prints the time of each phase.
	SWIFT=$(SWIFT) .ci/test all

test-one: setup-tests  ## Builds and runs one bundle, or the tests in it that match a pattern: `make test-one SUITE=RestSDKTests.PagedEndpoint`.
	SWIFT=$(SWIFT) .ci/test one $(SUITE)

test-environments: setup-tests build  ## Runs every test in three unusual environments: without a locale, with decimal commas, and with every variable set.
	for kind in bare comma full; do ENVIRONMENT=$$kind SWIFT=$(SWIFT) .ci/test || exit 1; done

test-repeat: setup-tests build  ## Runs every test N times (10 by default), next to LOAD busy processes (none by default).
	SWIFT=$(SWIFT) LOAD=$(or $(LOAD),0) .ci/repeat $(or $(N),10)

template: setup  ## Creates a package from every template, tests it, runs it, and compares its output with the article.
	SWIFT=$(SWIFT) LIMIT=1800 .ci/environment .ci/template

user-package: setup  ## Compiles and tests a user's package with every block of Swift in README and articles, in three modes.
	SWIFT=$(SWIFT) LIMIT=1800 .ci/environment .ci/user-package

queries: setup  ## Builds a package with checked queries as a user does, runs it, and checks that errors are reported at their positions.
	SWIFT=$(SWIFT) LIMIT=1800 .ci/environment .ci/queries

queries-build: setup  ## Prints the time that 200 checked queries add to an incremental build.
	SWIFT=$(SWIFT) .ci/queries figures

apple: setup-apple  ## Compiles the package for macOS, iOS, tvOS and watchOS against stand-ins for Apple's frameworks: PLATFORMS="macos ios", ONLY=libraries.
	SWIFT=$(SWIFT) ONLY=$(ONLY) Tests/Apple/check $(PLATFORMS)

stone: setup-tests  ## Generates Swift from a whole spec, compiles it, and compares thousands of its values with Python's Stone.
	SWIFT=$(SWIFT) .ci/stone

bench: setup-bench  ## Runs the benchmarks of AREAS (all) and prints each next to its baseline, as the median of RUNS (1). JSON=FILE also writes a file. A run of all areas also writes docs/figures and the README's table.
	program="$$(SWIFT=$(SWIFT) .ci/dist program)" && \
	SOQL_PROGRAM="$(CURDIR)/$$program" PATH="$(CURDIR)/.build/python/bin:$$PATH" $(SWIFT) run -c release RestBenchmarks \
		--runs $(or $(RUNS),1) --json "$(or $(JSON),.build/bench.json)" $(AREAS)
	$(if $(AREAS),,.build/release/RestBenchmarks draw "$(or $(JSON),.build/bench.json)" docs/figures README.md)

bench-compare:  ## Prints the changes between two benchmark files: `make bench-compare A.json B.json`, or A=FILE B=FILE.
	$(SWIFT) run -c release RestBenchmarks compare "$(A)" "$(B)"

ifeq (bench-compare,$(firstword $(MAKECMDGOALS)))
A ?= $(word 2,$(MAKECMDGOALS))
B ?= $(word 3,$(MAKECMDGOALS))
endif

bench-short: setup-bench build  ## Runs each benchmark once with little data, to show that it runs.
	PATH="$(CURDIR)/.build/python/bin:$$PATH" .build/debug/RestBenchmarks --short

reliability: setup-tests  ## Prints the reliability metrics: counts of crashes, races and damaged data.
	$(SWIFT) build -c release --product soql
	$(SWIFT) run -c release RestBenchmarks auth auth.key delivery outcomes responses http2 logins org.queries hostile grammar json.differential dropbox.kills dropbox.faults bulk.kills events.kills events.faults sync.converges sync.kills session.keys files.full

codegen: setup-tests build  ## Compiles the Swift that the generators write for SEEDS (200) random schemas with queries, and as many specs.
	CODEGEN_SEEDS=$(or $(SEEDS),200) LIMIT=7200 SWIFT=$(SWIFT) .ci/test CompiledSourcesTests

nightly: bench-short stone codegen apple test-environments  ## Runs what a change does not wait for: short benchmarks, a whole spec, random sources, unusual environments and strings, and all fuzzers.
	SWIFT=$(SWIFT) TEXT_SEEDS=50 .ci/test RestBaseTests
	SWIFT=$(SWIFT) .ci/fuzz $(or $(SECONDS),30)

stone-build: setup  ## Prints the build time and the size of generated code (takes many minutes).
	SWIFT=$(SWIFT) .ci/stone-build

fuzz: setup  ## Runs every fuzzer with mutated input for SECONDS each (30 by default), under AddressSanitizer.
	SWIFT=$(SWIFT) .ci/fuzz $(or $(SECONDS),30)

sanitize: setup-tests  ## Runs the tests under ThreadSanitizer and AddressSanitizer. Any report is a failure.
	SWIFT=$(SWIFT) .ci/sanitize/run

lint: setup  ## Checks style, imports, sizes and shell scripts.
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Plugins Sources Tests Templates
	.ci/check-source
	.ci/surface
	if command -v shellcheck >/dev/null; then shellcheck -S warning $$(grep -rl '^#!.*bash' .ci); fi

format: setup  ## Formats the sources in the house style.
	$(SWIFT) format --in-place --recursive --parallel Package.swift Plugins Sources Tests Templates

api-breakage: setup  ## Prints the differences between the public interface and that of BASE (origin/main by default).
	SWIFT=$(SWIFT) .ci/api-breakage $(or $(BASE),origin/main)

docs: setup  ## Builds the documentation. A dead link is an error.
	.ci/docs

pictures: setup-tests  ## Draws the pictures of README and docs: a session of soql as SVG, and the console in Chromium, for light and dark pages.
	SWIFT=$(SWIFT) .ci/pictures

setup:
	@.ci/setup

setup-tests:
	@.ci/setup tests

setup-bench:
	@.ci/setup bench

setup-apple:
	@.ci/setup apple

clean:
	rm -rf .build Templates/*/.build
