// SPDX-License-Identifier: MIT
// Kernels without the OpenCL API: source through the stages of libtrefoil-compiler.so,
// the object through the loader, and a small run-time with one thread per work-item where
// a kernel has a barrier. Failures end the test (Check).
#ifndef TF_TESTS_SUPPORT_COMPILED_KERNEL_H
#define TF_TESTS_SUPPORT_COMPILED_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "abi/kernel_info.h"
#include "devices/cpu/loader/elf_loader.h"
#include "support/compiled_source.h"

// A program that was built, and needs no more of the build than this.
struct test_program {
    struct tf_compiler_bytes bitcode;
    struct tf_kernel_info *kernels;
    size_t kernel_count;
};

void test_program_build(struct test_program *out, const char *source,
                        const char *options);
void test_program_finish(struct test_program *program);
const struct tf_kernel_info *test_program_kernel(const struct test_program *program,
                                                 const char *name);

// How to generate code. Levels that this CPU lacks are not among test_variants.
struct test_variant {
    enum tf_wg_form form;
    const char *cpu;
    uint32_t vector_bits;
    bool plain;
    bool quick;             // the quick tier
    uint32_t width;         // lanes of SIMT
    uint32_t pack_rows;     // rows of them that run as one
    const void *fixed_args; // struct tf_generate_in
    size_t fixed_arg_bytes;
    uint32_t local_size[3];
};
// Every form x level x optimization that runs here.
extern struct test_variant test_variants[16];
size_t test_variant_count(void);

struct test_code {
    struct tf_elf_image image;
    struct tf_scratch scratch;
};

struct test_kernel {
    const struct tf_kernel_info *info;
    struct test_code code, other; // as wanted; one by one, for launches that do not fit
    struct tf_fit fit;            // of `code`
    enum tf_wg_form form;
    uint64_t stack_bytes;
    struct tf_fibers fibers;
    char *block; // argument block, filled through test_kernel_arg
    uint64_t local_bytes;
    bool apart; // launches say that their buffers share nothing
};

void test_kernel_generate(struct test_kernel *out, const struct test_program *program,
                          const char *name, const struct test_variant *variant);
void test_kernel_finish(struct test_kernel *kernel);
// As clSetKernelArg, with a pointer to the address for buffers and NULL for local memory.
void test_kernel_arg(struct test_kernel *kernel, uint32_t index, size_t bytes,
                     const void *value);

struct test_range {
    uint32_t work_dim;
    uint64_t global[3], local[3], offset[3];
    uint64_t chunk; // groups in one call of the entry function; 0: all
};
// Runs all groups. Returns the number of times a work-item arrived at a barrier.
long test_kernel_run(struct test_kernel *kernel, const struct test_range *range);

#endif // TF_TESTS_SUPPORT_COMPILED_KERNEL_H
