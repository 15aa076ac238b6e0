# `make help` lists the targets. Building and running need Go alone; some tests need a C compiler.

export CGO_ENABLED = 0

# Without a readable git repository (a tarball, another owner's checkout) the binary carries no revision.
buildvcs := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo auto || echo false)

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build lesson lesson-all measure measure-small test test-arm64 test-oracle conformance lint bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing: redis-server, from the system's package manager (its service is not started)
	@bash scripts/setup.sh

setup-tests: ## the same, a C compiler, which tests use to control the clock of a server, and Chromium, in which they try pages
	@bash scripts/setup.sh --for-tests

build: ## build ./locklab
	go build -buildvcs=$(buildvcs) -o locklab .

lesson: setup build ## the main job: simulate, replay on real Redis, compare, draw; results in out/lesson
	./locklab lesson -o out/lesson

lesson-all: setup build ## every built-in scenario in both worlds, as one page; results in out/all (less than five minutes)
	./locklab lesson --all -o out/all

measure: setup build ## predict a grid of lesson/d, measure it on real Redis, compare, draw; results in out/measure (minutes)
	bash scripts/measure.sh

measure-small: setup build ## the same with four cells, to see that it works (less than a minute)
	bash scripts/measure.sh --small

test: setup-tests ## run every test (at most 5 minutes on 2 cores)
	go test -vet=off -timeout=4m ./...

test-arm64: ## the simulator gives the same bytes on arm64, emulated by qemu-user (installed if it is missing)
	@bash scripts/setup.sh --for-arm64
	GOOS=linux GOARCH=arm64 go test -vet=off -timeout=8m $$([ "$$(uname -m)" = aarch64 ] || echo -exec=qemu-aarch64) -run='^TestGolden$$' ./internal/determinism

test-oracle: ## the simulator against a plain implementation of the lesson, 100,000 runs each (minutes)
	go test -vet=off -timeout=60m -v -run=Agree ./internal/oracle -agree-runs=100000

N ?= 5000000
conformance: setup-tests ## compare the store's model with every Redis here on N random commands (SEED=… repeats a run)
	go test ./sim/store -run Conformance -v -timeout 0 -args -n $(N) $(if $(SEED),-seed $(SEED))

lint: ## gofmt, go vet, staticcheck, and builds for the other systems
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; } >&2
	go vet ./...
	go tool staticcheck ./...
	GOOS=linux GOARCH=arm64 go build -buildvcs=false ./...
	GOOS=darwin GOARCH=arm64 go build -buildvcs=false ./...
	GOOS=windows GOARCH=amd64 go build -buildvcs=false ./...
	GOOS=darwin GOARCH=arm64 go vet ./...
	GOOS=windows GOARCH=amd64 go vet ./...

COUNT ?= 6
bench: ## print benchmarks for benchstat, each COUNT=6 times; the reference grid once, on one and on all cores (two minutes)
	@go test -run='^$$' -bench=. -skip=ReferenceGrid -benchmem -benchtime=0.3s -count=$(COUNT) ./internal/choice ./sim/... ./internal/study
	@go test -run='^$$' -bench=ReferenceGrid -benchtime=1x -cpu=1,$$(getconf _NPROCESSORS_ONLN) ./internal/study

clean: ## remove what build and lesson have made
	rm -rf locklab out
