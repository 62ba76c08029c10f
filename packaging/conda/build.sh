#!/bin/bash
# SPDX-License-Identifier: MIT
# What conda-build runs: into $PREFIX, with conda-forge's LLVM and Clang, whose programs have no version in their names.
set -euo pipefail

cmake -S "$SRC_DIR" -B build -G Ninja \
    -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DTREFOIL_ICD_DIR="$PREFIX/etc/OpenCL/vendors" \
    -DTREFOIL_LLVM_VERSION=22 \
    -DTF_LLVM_CONFIG_22="$PREFIX/bin/llvm-config" \
    -DTREFOIL_TESTS=OFF \
    -DTREFOIL_WHOLE_HELPER=OFF # needs a static C library
cmake --build build -j "${CPU_COUNT:-2}"
cmake --install build --strip
