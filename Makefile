# SPDX-License-Identifier: MIT
# The newcomer's door: `make deps` installs what is missing, `make` builds what an application
# uses; `make demo` and `make test` do both themselves. Everything behind it is plain CMake;
# `cmake --preset release` works as well.
.DEFAULT_GOAL := all
.PHONY: all deps configure demo test test-apps install uninstall packages wheel bench asan tsan llvm19 format clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
VENDORS = $(CURDIR)/build/vendors

# The libraries, the tools and the examples, without the tests.
all: configure
	cmake --build build -j$(JOBS) --target product

deps:
	@tools/install-deps.sh

# One configuration a build folder: the preset's name decides (see CMakePresets.json).
configure:
	@[ -f build/build.ninja ] || cmake --preset release -DCMAKE_INSTALL_PREFIX="$(PREFIX)" || \
	    { echo "make deps installs what is missing" >&2; exit 1; }

demo:
	@tools/install-deps.sh --demo
	@$(MAKE) --no-print-directory configure
	cmake --build build -j$(JOBS) --target demo
	@echo "== clinfo, through the system's OpenCL loader"
	@OCL_ICD_VENDORS="$(VENDORS)" clinfo -l
	@OCL_ICD_VENDORS="$(VENDORS)" clinfo | grep -E '^  (Platform Version|Device (Name|Version|OpenCL C Version|Type)|Driver Version|Max compute units|Max work group size|Global memory size|Local memory size)  '
	@echo "== examples/mandelbrot"
	@OCL_ICD_VENDORS="$(VENDORS)" build/mandelbrot build/mandelbrot.png
	@echo "== examples/photo"
	@OCL_ICD_VENDORS="$(VENDORS)" build/photo build/mandelbrot.png build/photo.png
	@echo "== examples/quicksort"
	@OCL_ICD_VENDORS="$(VENDORS)" build/quicksort

# All but what is labelled long, which .ci/run adds.
test: deps
	cmake --preset release
	cmake --build build -j$(JOBS)
	ctest --preset release -j$(JOBS)

# Programs and libraries of others, as far as they are installed; APPS="hashcat gegl": only these.
test-apps: all
	tests/apps/run.py build $(APPS)

# The icd file names the library by its whole path, and goes where every loader looks:
# /etc/OpenCL/vendors, whatever the prefix. DESTDIR is for packages. Without symbols for debuggers:
# 88 MB, and 140 with them.
install: configure
	cmake -S . -B build -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	cmake --build build -j$(JOBS) --target installed
	DESTDIR="$(DESTDIR)" cmake --install build --strip

uninstall:
	DESTDIR="$(DESTDIR)" cmake -DBUILD=build -P cmake/uninstall.cmake

# build/packages: a .deb each of runtime, compiler and tools, and a .tar.zst of all. cpack writes over
# the records of what was installed, which `make uninstall` reads.
packages: configure
	cmake -S . -B build -DCMAKE_INSTALL_PREFIX=/usr
	cmake --build build -j$(JOBS) --target installed
	@rm -rf build/install/records && mkdir -p build/install/records
	@for f in build/install_manifest.txt build/install_folders.txt; do \
	    if [ -f $$f ]; then mv $$f build/install/records/; fi; done
	cpack --config build/CPackConfig.cmake; code=$$?; \
	    rm -f build/install_manifest.txt build/install_folders.txt; \
	    for f in build/install/records/*; do if [ -f $$f ]; then mv $$f build/; fi; done; exit $$code

# build/packages: a Python wheel, `pip install` of which gives PyOpenCL's wheels a driver.
wheel: configure
	cmake --build build -j$(JOBS) --target installed
	tools/make_wheel.py build

bench: all
	$(MAKE) -C bench BUILD=$(CURDIR)/build/bench
	OCL_ICD_VENDORS="$(VENDORS)" build/bench/clbench --platform Trefoil --benchmarks '$(or $(BENCHMARKS),*)' > build/bench/results.json

# The test suite with the C code under sanitizers, each in its own build folder.
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
