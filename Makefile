# What people type here. "make" alone builds the program; "make ci" is everything that must pass.

FUZZTIME ?= 30s

.PHONY: build test short long bench lint fuzz house same ci

build: ## the program, as ./plenum
	go build ./cmd/plenum

test: ## all tests but the long ones
	go test ./...

short: ## those that take seconds
	go test -short ./...

long: ## all tests, hours of them
	PLENUM_LONG=1 go test -timeout 6h ./...

bench: ## every benchmark once; BENCH=Hops those that match
	go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem ./...

lint: ## format, vet, staticcheck, module file
	test -z "$$(go tool gofumpt -l . | tee /dev/stderr)"
	go vet ./...
	go tool staticcheck ./...
	go mod tidy -diff

fuzz: ## every fuzz target for FUZZTIME
	bash .ci/fuzz $(FUZZTIME)

house: ## imports, comments and line widths; prints sizes
	go run ./internal/cmd/house

same: ## outputs of all commands against those of the commit OLD
	go run ./internal/cmd/sameoutput $(or $(OLD),main)

ci: ## the whole check
	bash .ci/run
