# SPDX-License-Identifier: MIT
# The newcomer's door: each target installs what is missing, configures, builds. Everything
# behind it is plain CMake; `cmake --preset release` works as well.
.DEFAULT_GOAL := all
.PHONY: all deps configure demo test install bench asan tsan llvm19 format clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
VENDORS = $(CURDIR)/build/vendors

all: configure
	cmake --build build -j$(JOBS)

deps:
	@tools/install-deps.sh

# One configuration a build folder: the preset's name decides (see CMakePresets.json).
configure: deps
	@[ -f build/build.ninja ] || cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)

demo: all
	@echo "== clinfo, through the system's OpenCL loader"
	@OCL_ICD_VENDORS=$(VENDORS) clinfo -l
	@OCL_ICD_VENDORS=$(VENDORS) clinfo | grep -E '^  (Platform Version|Device (Name|Version|OpenCL C Version|Type)|Driver Version|Max compute units|Max work group size|Global memory size|Local memory size)  '
	@echo "== examples/mandelbrot"
	@OCL_ICD_VENDORS=$(VENDORS) build/mandelbrot build/mandelbrot.png

test: all
	cd build && ctest --output-on-failure -j$(JOBS)

# The icd file names the library by its whole path, and goes where every loader looks:
# /etc/OpenCL/vendors, whatever the prefix. DESTDIR is for packages.
install: all
	cmake -S . -B build -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	DESTDIR=$(DESTDIR) cmake --install build

bench: all
	$(MAKE) -C bench BUILD=$(CURDIR)/build/bench
	OCL_ICD_VENDORS=$(VENDORS) build/bench/clbench --platform Trefoil --benchmarks '$(or $(BENCHMARKS),*)' > build/bench/results.json

# The whole test suite with the C code under sanitizers, each in its own build folder.
llvm19: export TREFOIL_LLVM_VERSION = 19
asan tsan llvm19: deps
	cmake --preset $@
	cmake --build --preset $@ -j$(JOBS)
	ctest --preset $@ -j$(JOBS)

# All C and C++, with clang-format 14; the test `format` says what is not.
format:
	@tools/format.sh

clean:
	rm -rf build build-*
