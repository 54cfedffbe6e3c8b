# The everyday commands. Each installs what is missing first (Debian, as root or through sudo).
CMAKE_FLAGS ?=
PREFIX ?= /usr/local
JOBS := $(shell nproc 2>/dev/null || echo 2)
CTEST = ctest --test-dir build --output-on-failure --no-tests=error

.PHONY: build demo test test-python wheel test-long fuzz coverage lint bench install clean deps

deps:
	@scripts/install-deps build

build: deps
	@cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS) >build.log 2>&1 || { cat build.log; exit 1; }; rm -f build.log
	@cmake --build build

demo: build
	@scripts/demo build/tacit

test: build
	@$(CTEST) -LE long -j $(JOBS)
	@scripts/test-python || [ $$? = 77 ]

# The Python package, in an environment of its own; skipped where Python or the network is missing.
test-python: build
	@scripts/test-python || [ $$? = 77 ]

wheel: deps
	@mkdir -p build; scripts/test-python wheel

test-long: build
	@scripts/install-deps long
	@$(CTEST) -j $(JOBS)
	@scripts/test-long
	@scripts/test-python long || [ $$? = 77 ]
	@scripts/test-python asan || [ $$? = 77 ]

fuzz:
	@scripts/install-deps fuzz
	@scripts/fuzz

coverage:
	@scripts/install-deps coverage
	@scripts/coverage

lint: build
	@scripts/install-deps lint
	@scripts/lint

bench: build
	@scripts/install-deps bench
	@scripts/install-peers build/peers
	@PATH="$(CURDIR)/build/peers/bin:$$PATH" scripts/bench build

install: build
	@cmake --install build

clean:
	rm -rf build build-*
