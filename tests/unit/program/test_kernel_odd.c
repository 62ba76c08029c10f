// SPDX-License-Identifier: MIT
// Kernels that no compiler of ours makes: with arguments of a kind that cannot be set
// yet, and without names of arguments.
#include <string.h>

#include "core/program/kernel.h"
#include "core/program/kernel_query.h"
#include "core/program/program_build.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static cl_program prog;
static cl_kernel kernel;
static struct tf_kernel_arg_info args[TF_MOCK_ARGS];
static struct tf_kernel_info odd = {.name = "odd",
                                    .attributes = "",
                                    .args = args,
                                    .arg_count = TF_MOCK_ARGS,
                                    .arg_block_bytes = TF_MOCK_BLOCK_BYTES};

static void odd_kernels(struct tf_devprog *devprog, struct tf_program_info *out)
{
    (void)devprog;
    *out = (struct tf_program_info){
        .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .kernels = &odd, .kernel_count = 1};
}

static void begin(void)
{
    const char *source = "kernel odd";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    struct tf_err err = {0};

    core = tf_core_begin(1);
    core.mock->ops.program_info = odd_kernels;
    memcpy(args, tf_mock_args, sizeof(args));
    tf_program_create_source(&err, core.ctx, &desc, &prog);
    tf_program_build(&err, prog, &(struct tf_build_desc){0});
    tf_kernel_create(&err, prog, "odd", &kernel);
    ck_assert_int_eq(err.code, CL_SUCCESS);
}

static void end(void)
{
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_end(&core);
}

static cl_int info_code(cl_uint index, cl_kernel_arg_info what)
{
    struct tf_err err = {0};
    char text[32];

    return tf_kernel_get_arg_info(&err, kernel, index, what, sizeof(text), text, NULL);
}

START_TEST(argument_without_names_has_no_information)
{
    args[1].name = args[1].type_name = "";
    ck_assert_int_eq(info_code(0, CL_KERNEL_ARG_NAME), CL_SUCCESS);
    ck_assert_int_eq(info_code(1, CL_KERNEL_ARG_NAME), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(info_code(1, CL_KERNEL_ARG_TYPE_NAME),
                     CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(info_code(1, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
                     CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}
END_TEST

START_TEST(objects_that_cannot_exist_are_no_arguments)
{
    const uint64_t value = 0;
    struct tf_err err = {0};

    args[0].kind = TF_ARG_QUEUE;
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 0, sizeof(value), &value),
                     CL_INVALID_DEVICE_QUEUE);
    ck_assert(!tf_kernel_arg_take(&kernel->args[0]));
    args[0].kind = TF_ARG_BUFFER;
}
END_TEST

START_TEST(local_memory_beyond_64_bits_is_noticed)
{
    uint64_t bytes = 0;
    struct tf_err err = {0};

    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 2, SIZE_MAX, NULL), CL_SUCCESS);
    odd.local_bytes = 1000;
    ck_assert(!tf_kernel_local_bytes(kernel, kernel->info, &bytes));
    odd.local_bytes = UINT64_MAX;
    ck_assert(!tf_kernel_local_bytes(kernel, kernel->info, &bytes));
    odd.local_bytes = 0;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel_odd");
    TCase *all = tcase_create("kernel_odd");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, argument_without_names_has_no_information);
    tcase_add_test(all, objects_that_cannot_exist_are_no_arguments);
    tcase_add_test(all, local_memory_beyond_64_bits_is_noticed);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
