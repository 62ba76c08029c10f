// SPDX-License-Identifier: MIT
// Source through the first stages of libtrefoil-compiler.so, failures allowed: for tests
// of what a build says. (support/compiled_kernel.h is for kernels that run.)
#ifndef TF_TESTS_SUPPORT_COMPILED_SOURCE_H
#define TF_TESTS_SUPPORT_COMPILED_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"

// The table of the compiler library in the build folder.
const struct tf_compiler *test_compiler(void);

// The device of these tests; a test may change its copy of it.
struct tf_compiler_device test_device(void);

struct test_build {
    enum tf_compiler_status status; // of the stage that ended the build
    struct tf_compile_out compiled;
    struct tf_link_out linked; // all 0 when the compilation failed
    const char *log;           // of the stage that ended the build
    struct tf_kernel_info *kernels;
    size_t kernel_count;
};

// True if the compiler library uses LLVM as a shared library (TREFOIL_LLVM_LINK=shared):
// its memory and its static destructors are then not under our control (doc/compiler.md).
bool test_llvm_is_shared(void);

// Compiles and links. NULL device: test_device().
void test_build(struct test_build *out, const char *source, const char *options,
                const struct tf_compiler_device *device);
void test_build_finish(struct test_build *build);

// Builds, compares the status, and demands that each of the NULL-terminated list of
// texts is in the log of a stage.
void test_build_expect(const char *source, const char *options,
                       enum tf_compiler_status status, const char *const texts[]);

#endif // TF_TESTS_SUPPORT_COMPILED_SOURCE_H
