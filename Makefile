# Every target works on a fresh clone: `setup` installs what is missing, and is silent when nothing is.
SWIFT ?= swift
QUERY = SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking' ORDER BY Name LIMIT 5

.PHONY: demo test template bench reliability fuzz sanitize lint format docs setup setup-tests clean

demo: setup  ## Runs a query against the embedded org, over REST and OAuth.
	$(SWIFT) build --product soql
	$(SWIFT) run --skip-build soql --format table "$(QUERY)"

# One test at a time: many of them wait on raw sockets or child processes, and would starve each other on two cores.
test: setup-tests template  ## Runs every test.
	$(SWIFT) test --no-parallel

template: setup  ## Builds the sample app and runs it against the embedded org.
	$(SWIFT) run --package-path Templates/DelegateApp DelegateApp

bench: setup  ## Prints the speed figures, each beside its peer.
	$(SWIFT) build -c release --product soql
	$(SWIFT) run -c release RestBenchmarks

reliability: setup-tests  ## Prints the trust figures: crashes, races and damage, counted.
	$(SWIFT) build -c release --product soql
	$(SWIFT) run -c release RestBenchmarks auth auth.key delivery answers http2 logins org org.queries hostile

fuzz: setup  ## Feeds every fuzzer with mutated input for SECONDS each (30 by default), under AddressSanitizer.
	SWIFT=$(SWIFT) .ci/fuzz $(or $(SECONDS),30)

sanitize: setup-tests  ## Runs the tests under ThreadSanitizer and AddressSanitizer; a report is a failure.
	SWIFT=$(SWIFT) .ci/sanitize/run

lint: setup  ## Fails on style, import, size and shell faults.
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Templates
	.ci/check-source
	.ci/surface
	if command -v shellcheck >/dev/null; then shellcheck $$(grep -rl '^#!.*bash' .ci); fi

format: setup  ## Rewrites the sources in the house style.
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Templates

docs: setup  ## Builds the documentation; a dead link is an error.
	.ci/docs

setup:
	@.ci/setup

setup-tests:
	@.ci/setup tests

clean:
	rm -rf .build Templates/*/.build
