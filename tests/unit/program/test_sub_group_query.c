// SPDX-License-Identifier: MIT
// clGetKernelSubGroupInfo on a device whose kernels have sub-groups of 16, but for two.
#include <CL/cl_trefoil.h>

#include "core/program/kernel_query.h"
#include "core/program/program_build.h"
#include "support/core_fixture.h"

enum { SIZE = 16, GROUP_MAX = 256 }; // the mock's largest work-group

static void both_kinds(struct tf_devprog *prog, struct tf_program_info *out)
{
    static const struct tf_kernel_info kernels[] = {
        {.name = "with", .attributes = "", .sub_group_size = SIZE},
        {.name = "without", .attributes = ""},
        {.name = "demands",
         .attributes = "",
         .sub_group_size = 4,
         .flags = TF_KERNEL_REQD_SUB_GROUP},
    };

    (void)prog;
    *out = (struct tf_program_info){
        .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .kernels = kernels, .kernel_count = 3};
}

static cl_kernel kernel;

static void make_kernel(const char *name)
{
    const char *text = "kernel with";
    const struct tf_source_desc source = {.count = 1, .strings = &text};
    const struct tf_build_desc all = {0};
    cl_program prog = NULL;

    core.mock->ops.program_info = both_kinds;
    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &source, &prog), 0);
    ck_assert_int_eq(tf_program_build(&err, prog, &all), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, name, &kernel), CL_SUCCESS);
    tf_core_release(prog, &tf_class_program);
}

static cl_int ask(cl_kernel_sub_group_info param, const size_t *input, size_t words,
                  size_t *out, size_t room)
{
    const struct tf_sub_group_query query = {param, words * sizeof(size_t), input};

    return tf_kernel_get_sub_group_info(&(struct tf_err){0},
                                        tf_kernel_on(kernel, core.device), &query,
                                        room * sizeof(size_t), out, NULL);
}

static size_t answer(cl_kernel_sub_group_info param, const size_t *input, size_t words)
{
    size_t out = 77;

    ck_assert_int_eq(ask(param, input, words, &out, 1), CL_SUCCESS);
    return out;
}

START_TEST(work_items_are_counted_across_rows)
{
    const size_t row[] = {20, 4}, small[] = {2, 2}, column[] = {1, 64, 1};

    make_kernel("with");
    ck_assert_uint_eq(answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, row, 2), 5);
    ck_assert_uint_eq(answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, row, 1), 2);
    ck_assert_uint_eq(answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, small, 2), 1);
    ck_assert_uint_eq(answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, column, 3), 4);
    ck_assert_uint_eq(answer(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, row, 2), SIZE);
    ck_assert_uint_eq(answer(CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0), GROUP_MAX / SIZE);
    ck_assert_uint_eq(answer(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0), 0);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(demanded_size)
{
    make_kernel("with");
    ck_assert_uint_eq(answer(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0), 0);
    tf_core_release(kernel, &tf_class_kernel);
    make_kernel("demands");
    ck_assert_uint_eq(answer(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0), 4);
    ck_assert_uint_eq(answer(CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0), GROUP_MAX / 4);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(local_sizes_are_found)
{
    const size_t most = GROUP_MAX / SIZE, more = most + 1, none = 0, huge = SIZE_MAX;
    const cl_kernel_sub_group_info param = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
    size_t out[3] = {9, 9, 9};

    make_kernel("with");
    ck_assert_int_eq(ask(param, &most, 1, out, 3), CL_SUCCESS);
    ck_assert_uint_eq(out[0], GROUP_MAX);
    ck_assert_uint_eq(out[1], 1);
    ck_assert_uint_eq(out[2], 1);
    out[1] = 9;
    ck_assert_int_eq(ask(param, &most, 1, out, 1), CL_SUCCESS);
    ck_assert_uint_eq(out[1], 9); // no room was offered
    for (int i = 0; i < 3; i++) {
        const size_t *bad[] = {&more, &none, &huge};

        ck_assert_int_eq(ask(param, bad[i], 1, out, 3), CL_SUCCESS);
        ck_assert(out[0] == 0 && out[1] == 0 && out[2] == 0);
    }
    ck_assert_int_eq(ask(param, &most, 1, out, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(ask(param, &most, 1, out, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(ask(param, NULL, 1, out, 3), CL_INVALID_VALUE);
    ck_assert_int_eq(ask(param, &most, 2, out, 3), CL_INVALID_VALUE);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(bad_local_sizes)
{
    static const cl_kernel_sub_group_info params[] = {
        CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE};
    const size_t good[4] = {4, 4, 4, 4}, zero[] = {4, 0}, wraps[] = {SIZE_MAX, 2};
    size_t out;

    make_kernel("with");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ask(params[i], good, 3, &out, 1), CL_SUCCESS);
        ck_assert_int_eq(ask(params[i], good, 4, &out, 1), CL_INVALID_VALUE);
        ck_assert_int_eq(ask(params[i], good, 0, &out, 1), CL_INVALID_VALUE);
        ck_assert_int_eq(ask(params[i], NULL, 1, &out, 1), CL_INVALID_VALUE);
        ck_assert_int_eq(ask(params[i], zero, 2, &out, 1), CL_INVALID_VALUE);
        ck_assert_int_eq(ask(params[i], wraps, 2, &out, 1), CL_INVALID_VALUE);
        ck_assert_int_eq(ask(params[i], good, 2, &out, 0), CL_INVALID_VALUE);
    }
    ck_assert_int_eq(ask(0x7777, good, 1, &out, 1), CL_INVALID_VALUE);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(kernels_without_sub_groups)
{
    const size_t local = 4;
    size_t out = 77;

    make_kernel("without");
    ck_assert_int_eq(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, &local, 1, &out, 1),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(ask(CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0, &out, 1),
                     CL_INVALID_OPERATION);
    ck_assert_uint_eq(out, 77);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub_group_query");
    TCase *all = tcase_create("sub_group_query");

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, work_items_are_counted_across_rows);
    tcase_add_test(all, demanded_size);
    tcase_add_test(all, local_sizes_are_found);
    tcase_add_test(all, bad_local_sizes);
    tcase_add_test(all, kernels_without_sub_groups);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
