// SPDX-License-Identifier: MIT
// The block of program-scope variables is made of bytes that nobody trusts.
#include <stdint.h>
#include <string.h>

#include <CL/cl.h>
#include <check.h>

#include "abi/kernel_info.h"
#include "abi/program_data.h"
#include "base/alloc.h"
#include "core/object/error.h"
#include "devices/cpu/program/cpu_program.h"
#include "support/suite.h"

struct packed {
    struct tf_program_data head;
    uint64_t image[2];
    struct tf_program_pointer pointers[2];
};

static const struct packed good = {
    .head = {.block_bytes = 40,
             .align_bytes = 64,
             .image_bytes = 16,
             .pointer_count = 2,
             .variable_bytes = 33},
    .image = {1, 2},
    .pointers = {{8, 0}, {32, 39}},
};

static cl_int set(struct tf_devprog *prog, const void *packed, size_t bytes)
{
    struct tf_err err = {0};

    return tf_cpu_program_set_data(&err, prog, packed, bytes);
}

static bool takes(const struct packed *packed, size_t bytes)
{
    struct tf_devprog *prog = tf_cpu_program_new(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    const cl_int code = set(prog, packed, bytes);

    tf_cpu_program_unref(prog);
    ck_assert(code == CL_SUCCESS || code == CL_INVALID_BINARY);
    return code == CL_SUCCESS;
}

START_TEST(blocks_hold_image_zeros_and_pointers)
{
    struct tf_devprog *prog = tf_cpu_program_new(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    uint64_t words[5];

    ck_assert_int_eq(set(prog, &good, sizeof(good)), CL_SUCCESS);
    memcpy(words, prog->data, sizeof(words));
    ck_assert_uint_eq((uintptr_t)prog->data % 64, 0);
    ck_assert_uint_eq(words[0], 1);
    ck_assert_uint_eq(words[1], (uintptr_t)prog->data);
    ck_assert_uint_eq(words[2], 0);
    ck_assert_uint_eq(words[3], 0);
    ck_assert_uint_eq(words[4], (uintptr_t)prog->data + 39);
    ck_assert_uint_eq(prog->variable_bytes, 33);
    tf_cpu_program_unref(prog);
}
END_TEST

START_TEST(no_bytes_are_no_variables)
{
    struct tf_devprog *prog = tf_cpu_program_new(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);

    ck_assert_int_eq(set(prog, NULL, 0), CL_SUCCESS);
    ck_assert_ptr_null(prog->data);
    tf_cpu_program_unref(prog);
}
END_TEST

START_TEST(damaged_blocks_are_refused)
{
    struct packed bad;

    ck_assert(takes(&good, sizeof(good)));
    for (size_t bytes = 1; bytes < sizeof(good); bytes++)
        ck_assert(!takes(&good, bytes));
#define REFUSED(field, value) \
    bad = good;               \
    bad.field = value;        \
    ck_assert_msg(!takes(&bad, sizeof(bad)), "%s = %s", #field, #value)
    REFUSED(head.align_bytes, 0);
    REFUSED(head.align_bytes, 48);
    REFUSED(head.align_bytes, (uint64_t)1 << 40);
    REFUSED(head.image_bytes, 41);
    REFUSED(head.image_bytes, UINT64_MAX);
    REFUSED(head.block_bytes, UINT64_MAX);
    REFUSED(head.block_bytes, TF_PROGRAM_DATA_MAX_BYTES + 1);
    REFUSED(head.block_bytes, 15);
    REFUSED(head.pointer_count, 1);
    REFUSED(head.pointer_count, 3);
    REFUSED(head.pointer_count, UINT64_MAX / 16 + 3);
    REFUSED(pointers[0].offset_bytes, 33);
    REFUSED(pointers[1].offset_bytes, UINT64_MAX - 3);
#undef REFUSED
}
END_TEST

// Kernels of ours stand last and take no arguments.
START_TEST(kernels_that_construct_stand_where_the_compiler_puts_them)
{
    struct tf_kernel_arg_info arg = {.name = "", .type_name = "int", .size_bytes = 4};
    struct tf_kernel_info infos[] = {
        {.name = "a", .attributes = ""},
        {.name = "b", .attributes = "", .flags = TF_KERNEL_CONSTRUCTS},
        {.name = "c", .attributes = "", .flags = TF_KERNEL_DESTROYS}};

    for (int fault = 0; fault < 3; fault++) {
        struct tf_devprog *prog = tf_cpu_program_new(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        struct tf_err err = {0};
        size_t bytes;
        void *packed;

        infos[2].flags = fault == 1 ? 0 : TF_KERNEL_DESTROYS;
        infos[1].arg_count = fault == 2;
        infos[1].args = fault == 2 ? &arg : NULL;
        packed = tf_kernel_info_pack(infos, 3, &bytes);
        ck_assert_ptr_nonnull(packed);
        ck_assert_int_eq(tf_cpu_program_set_kernels(&err, prog, packed, bytes),
                         fault ? CL_INVALID_BINARY : CL_SUCCESS);
        if (!fault)
            ck_assert_uint_eq(prog->shown_count, 1);
        tf_free(packed);
        tf_cpu_program_unref(prog);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_program_data");
    TCase *tcase = tcase_create("blocks");

    tcase_add_test(tcase, blocks_hold_image_zeros_and_pointers);
    tcase_add_test(tcase, no_bytes_are_no_variables);
    tcase_add_test(tcase, damaged_blocks_are_refused);
    tcase_add_test(tcase, kernels_that_construct_stand_where_the_compiler_puts_them);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
