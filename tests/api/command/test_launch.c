// SPDX-License-Identifier: MIT
// The index space of a launch: offsets, work-groups of unequal size, the choice of a
// local size, empty and very large ranges (OpenCL 3.1 §5.8).
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "kernel void shape(global ushort8 *out, global ulong *ids)\n"
    "{ size_t x = get_global_id(0) - get_global_offset(0);\n"
    "  size_t y = get_global_id(1) - get_global_offset(1);\n"
    "  size_t z = get_global_id(2) - get_global_offset(2);\n"
    "  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
    "  ids[i] = get_global_id(0) | get_global_id(1) << 20 | get_global_id(2) << 40;\n"
    "  out[i] = (ushort8)(get_local_size(0), get_local_size(1), get_local_size(2),\n"
    "                     get_group_id(0), get_group_id(1), get_group_id(2),\n"
    "                     get_num_groups(0) * get_num_groups(1) * get_num_groups(2),\n"
    "                     (get_local_id(2) * 64 + get_local_id(1)) * 64\n"
    "                         + get_local_id(0)); }\n"
    "kernel void census(global int *out, local int *seen)\n"
    "{ size_t n = get_local_size(0) * get_local_size(1), i = get_local_id(1) *\n"
    "      get_local_size(0) + get_local_id(0);\n"
    "  seen[i] = 1;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int sum = 0;\n"
    "  for (size_t k = 0; k < n; k++) sum += seen[k];\n"
    "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void sized(global int *out)\n"
    "{ out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =\n"
    "      get_local_size(0) * 10 + get_local_size(1); }\n"
    "kernel void far(global ulong *out)\n"
    "{ if (get_group_id(0) + 1 == get_num_groups(0) && get_local_id(0) == 0) {\n"
    "      out[0] = get_global_id(0); out[1] = get_global_size(0);\n"
    "      out[2] = get_num_groups(0); out[3] = get_global_offset(0); } }\n"
    "kernel void chosen(global ulong *out, local int *scratch)\n"
    "{ scratch[0] = 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_group_id(0) + get_group_id(1) + get_group_id(2) == 0)\n"
    "      for (int d = 0; d < 3; d++) out[d] = get_local_size(d); }\n";

// Programs whose groups may differ in size, and those whose may not.
static const char *const ragged_options = "-cl-std=CL3.0";
static const char *const uniform_options[] = {
    "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size", NULL};

enum { ITEMS_MAX = 1 << 16 };

static cl_program prog; // of ragged_options
static cl_mem mem, ids;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, ragged_options);
    mem = tf_api_buffer(0, ITEMS_MAX * sizeof(cl_ushort8), NULL);
    ids = tf_api_buffer(0, ITEMS_MAX * sizeof(cl_ulong), NULL);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(ids), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static cl_kernel kernel_on_mem(cl_program of, const char *name)
{
    cl_kernel kernel = tf_api_kernel(of, name);

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    return kernel;
}

static cl_int launch(cl_kernel kernel, cl_uint dims, const size_t *offset,
                     const size_t *global, const size_t *local)
{
    return clEnqueueNDRangeKernel(tf_api.q, kernel, dims, offset, global, local, 0, NULL,
                                  NULL);
}

// ---- Groups of unequal size ----

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// What work-item (x, y, z) of the range must have seen.
static void check_item(const cl_ushort *seen, const size_t at[3], const size_t global[3],
                       const size_t local[3])
{
    size_t groups = 1, local_id = 0;

    for (int d = 2; d >= 0; d--) {
        const size_t group = at[d] / local[d];

        ck_assert_uint_eq(seen[d], least(local[d], global[d] - group * local[d]));
        ck_assert_uint_eq(seen[3 + d], group);
        groups *= (global[d] + local[d] - 1) / local[d];
        local_id = local_id * 64 + at[d] % local[d];
    }
    ck_assert_uint_eq(seen[6], groups);
    ck_assert_uint_eq(seen[7], local_id);
}

// Launches and looks at every item.
static void check_shape(cl_uint dims, const size_t offset[3],
                        const size_t given_global[3], const size_t given_local[3])
{
    static cl_ushort8 seen[ITEMS_MAX];
    static cl_ulong seen_ids[ITEMS_MAX];
    cl_kernel shape = kernel_on_mem(prog, "shape");
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, at[3], i = 0;

    memcpy(global, given_global, dims * sizeof(size_t));
    memcpy(local, given_local, dims * sizeof(size_t));
    tf_api_set_arg(shape, 1, sizeof(ids), &ids);
    ck_assert_int_eq(launch(shape, dims, offset, global, local), CL_SUCCESS);
    tf_api_read(mem, 0, global[0] * global[1] * global[2] * sizeof(*seen), seen);
    tf_api_read(ids, 0, global[0] * global[1] * global[2] * sizeof(*seen_ids), seen_ids);
    for (at[2] = 0; at[2] < global[2]; at[2]++)
        for (at[1] = 0; at[1] < global[1]; at[1]++)
            for (at[0] = 0; at[0] < global[0]; at[0]++, i++) {
                cl_ulong id = 0;

                for (int d = 2; d >= 0; d--)
                    id = id << 20 |
                         (at[d] + (offset && (cl_uint)d < dims ? offset[d] : 0));
                ck_assert_uint_eq(seen_ids[i], id);
                check_item(seen[i].s, at, global, local);
            }
    ck_assert_int_eq(clReleaseKernel(shape), CL_SUCCESS);
}

START_TEST(device_takes_groups_of_unequal_size)
{
    cl_bool yes = CL_FALSE;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device,
                                     CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                                     sizeof(yes), &yes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(yes, CL_TRUE);
}
END_TEST

START_TEST(last_groups_are_smaller)
{
    static const size_t offset[3] = {5, 1000, 77};
    static const size_t global[][3] = {{1, 1, 1},  {7, 1, 1},   {37, 5, 3},
                                       {64, 9, 7}, {33, 32, 5}, {13, 17, 19}};
    static const size_t local[][3] = {{4, 1, 1},  {16, 1, 1},  {8, 2, 2},
                                      {10, 3, 4}, {32, 32, 1}, {1, 5, 7}};

    for (cl_uint dims = 1; dims <= 3; dims++)
        for (int g = 0; g < 6; g++)
            for (int l = 0; l < 6; l++) {
                check_shape(dims, NULL, global[g], local[l]);
                check_shape(dims, offset, global[g], local[l]);
            }
}
END_TEST

START_TEST(barriers_meet_in_smaller_groups)
{
    const size_t global[2] = {37, 11}, local[2] = {8, 4};
    cl_kernel census = kernel_on_mem(prog, "census");
    cl_int seen[11][37];

    tf_api_set_arg(census, 1, 32 * sizeof(cl_int), NULL);
    ck_assert_int_eq(launch(census, 2, NULL, global, local), CL_SUCCESS);
    tf_api_read(mem, 0, sizeof(seen), seen);
    for (size_t y = 0; y < 11; y++)
        for (size_t x = 0; x < 37; x++)
            ck_assert_int_eq(seen[y][x], (x < 32 ? 8 : 5) * (y < 8 ? 4 : 3));
    ck_assert_int_eq(clReleaseKernel(census), CL_SUCCESS);
}
END_TEST

START_TEST(required_size_may_leave_smaller_groups)
{
    const size_t global[2] = {19, 5}, wrong[2] = {4, 2};
    cl_kernel sized = kernel_on_mem(prog, "sized");
    cl_int seen[5][19];

    ck_assert_int_eq(launch(sized, 2, NULL, global, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, sizeof(seen), seen);
    for (size_t y = 0; y < 5; y++)
        for (size_t x = 0; x < 19; x++)
            ck_assert_int_eq(seen[y][x], (x < 16 ? 80 : 30) + (y < 4 ? 2 : 1));
    ck_assert_int_eq(launch(sized, 2, NULL, global, wrong), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(clReleaseKernel(sized), CL_SUCCESS);
}
END_TEST

START_TEST(uniform_programs_keep_the_error)
{
    const size_t global[3] = {12, 9, 10}, local[3] = {4, 3, 5};

    for (size_t i = 0; i < sizeof(uniform_options) / sizeof(*uniform_options); i++) {
        cl_program uniform = tf_api_program(source, uniform_options[i]);
        cl_kernel shape = kernel_on_mem(uniform, "shape");

        tf_api_set_arg(shape, 1, sizeof(ids), &ids);
        ck_assert_int_eq(launch(shape, 3, NULL, global, local), CL_SUCCESS);
        for (int d = 0; d < 3; d++) {
            size_t odd[3] = {12, 9, 10};

            odd[d]++;
            ck_assert_int_eq(launch(shape, 3, NULL, odd, local),
                             CL_INVALID_WORK_GROUP_SIZE);
        }
        ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
        ck_assert_int_eq(clReleaseKernel(shape), CL_SUCCESS);
        ck_assert_int_eq(clReleaseProgram(uniform), CL_SUCCESS);
    }
}
END_TEST

// ---- The choice of a local size ----

// The size that a launch got is what the query says; returns it.
static void check_choice(cl_kernel chosen, cl_uint dims, const size_t *offset,
                         const size_t *global, size_t out[3])
{
    cl_ulong seen[3] = {0};

    out[0] = out[1] = out[2] = 1;
    ck_assert_int_eq(
        clGetKernelSuggestedLocalWorkSize(tf_api.q, chosen, dims, offset, global, out),
        CL_SUCCESS);
    ck_assert_int_eq(launch(chosen, dims, offset, global, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, sizeof(seen), seen);
    for (int d = 0; d < 3; d++)
        ck_assert_uint_eq(seen[d], least(out[d], (cl_uint)d < dims ? global[d] : 1));
}

static const size_t ranges[][3] = {
    {1, 1, 1},    {2, 1, 1},     {1009, 1, 1}, {4099, 3, 1}, {64, 64, 1},
    {127, 63, 1}, {100, 100, 5}, {13, 17, 19}, {1, 1, 1021}, {1, 2053, 1},
};

START_TEST(chosen_size_is_the_suggested_one)
{
    static const size_t offset[3] = {3, 1000, 7};
    cl_kernel chosen = kernel_on_mem(prog, "chosen");
    size_t plain[3], moved[3];

    tf_api_set_arg(chosen, 1, 4096, NULL);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        for (cl_uint dims = 1; dims <= 3; dims++) {
            check_choice(chosen, dims, NULL, ranges[i], plain);
            check_choice(chosen, dims, offset, ranges[i], moved);
            ck_assert_mem_eq(plain, moved, sizeof(plain));
        }
    ck_assert_int_eq(clReleaseKernel(chosen), CL_SUCCESS);
}
END_TEST

START_TEST(chosen_size_divides_for_uniform_programs)
{
    cl_program uniform = tf_api_program(source, NULL);
    cl_kernel chosen = kernel_on_mem(uniform, "chosen");
    size_t size[3];

    tf_api_set_arg(chosen, 1, 4, NULL);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
        check_choice(chosen, 3, NULL, ranges[i], size);
        for (int d = 0; d < 3; d++)
            ck_assert_uint_eq(ranges[i][d] % size[d], 0);
    }
    ck_assert_int_eq(clReleaseKernel(chosen), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(uniform), CL_SUCCESS);
}
END_TEST

// Single work-items as groups would make a prime many times as slow.
START_TEST(primes_do_not_get_groups_of_one)
{
    const size_t prime = 1000003;
    cl_kernel far = kernel_on_mem(prog, "far");
    size_t size = 0;

    ck_assert_int_eq(
        clGetKernelSuggestedLocalWorkSize(tf_api.q, far, 1, NULL, &prime, &size),
        CL_SUCCESS);
    ck_assert_uint_gt(size, 15);
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

START_TEST(largest_group_of_a_kernel_runs)
{
    cl_kernel census = kernel_on_mem(prog, "census");
    size_t most = 0, more;
    cl_int seen = 0;

    ck_assert_int_eq(clGetKernelWorkGroupInfo(census, tf_api.device,
                                              CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
                                              &most, NULL),
                     CL_SUCCESS);
    more = most + 1;
    tf_api_set_arg(census, 1, most * sizeof(cl_int), NULL);
    ck_assert_int_eq(launch(census, 1, NULL, &most, &most), CL_SUCCESS);
    tf_api_read(mem, (most - 1) * sizeof(seen), sizeof(seen), &seen);
    ck_assert_int_eq((size_t)seen == most, 1);
    ck_assert_int_ne(launch(census, 1, NULL, &more, &more), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(census), CL_SUCCESS);
}
END_TEST

// ---- The ends of the range ----

START_TEST(ranges_and_offsets_pass_32_bits)
{
    const size_t sizes[] = {4096, ((size_t)1 << 31) + 4096, ((size_t)1 << 32) + 4096};
    const size_t offsets[] = {0, (size_t)1 << 40, SIZE_MAX - ((size_t)1 << 33)};
    const size_t local = 4096;
    cl_kernel far = kernel_on_mem(prog, "far");

    for (int s = 0; s < 3; s++)
        for (int o = 0; o < 3; o++) {
            cl_ulong seen[4] = {0};

            ck_assert_int_eq(launch(far, 1, &offsets[o], &sizes[s], &local), CL_SUCCESS);
            tf_api_read(mem, 0, sizeof(seen), seen);
            ck_assert_uint_eq(seen[0], offsets[o] + sizes[s] - local);
            ck_assert_uint_eq(seen[1], sizes[s]);
            ck_assert_uint_eq(seen[2], sizes[s] / local);
            ck_assert_uint_eq(seen[3], offsets[o]);
        }
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

START_TEST(sums_and_products_do_not_wrap)
{
    const size_t one[3] = {1, 1, 1}, huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    const size_t two = 2;
    cl_kernel far = kernel_on_mem(prog, "far");

    for (cl_uint dims = 1; dims <= 3; dims++) {
        size_t offset[3] = {0};

        offset[dims - 1] = SIZE_MAX;
        ck_assert_int_eq(launch(far, dims, offset, one, NULL), CL_INVALID_GLOBAL_OFFSET);
    }
    ck_assert_int_eq(launch(far, 1, huge, &two, &two), CL_INVALID_GLOBAL_OFFSET);
    ck_assert_int_eq(launch(far, 3, NULL, huge, one), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(launch(far, 3, NULL, huge, huge), CL_INVALID_WORK_ITEM_SIZE);
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

START_TEST(zero_local_size_is_refused_in_each_dimension)
{
    const size_t global[3] = {4, 4, 4}, empty[3] = {0, 4, 4};
    cl_kernel far = kernel_on_mem(prog, "far");

    for (cl_uint d = 0; d < 3; d++) {
        size_t local[3] = {1, 1, 1};

        local[d] = 0;
        ck_assert_int_eq(launch(far, d + 1, NULL, global, local),
                         CL_INVALID_WORK_GROUP_SIZE);
        ck_assert_int_eq(launch(far, d + 1, NULL, empty, local),
                         CL_INVALID_WORK_GROUP_SIZE);
    }
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

// Nothing runs, but the command has its place.
START_TEST(empty_range_completes_after_its_dependencies)
{
    const size_t local[3] = {2, 2, 1};
    cl_kernel far = kernel_on_mem(prog, "far");

    for (cl_uint dims = 1; dims <= 3; dims++) {
        size_t global[3] = {4, 4, 4};
        cl_event user = tf_api_user_event(), ev = NULL;

        global[dims - 1] = 0;
        ck_assert_int_eq(clEnqueueNDRangeKernel(tf_api.q, far, dims, NULL, global, local,
                                                1, &user, &ev),
                         CL_SUCCESS);
        ck_assert_int_eq(tf_api_event_status(ev), CL_QUEUED);
        ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
        ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
        ck_assert_uint_eq(tf_api_event_type(ev), CL_COMMAND_NDRANGE_KERNEL);
        ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
        ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    }
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

START_TEST(missing_global_size_is_an_empty_range)
{
    const size_t offset = 5, local = 3;
    cl_kernel far = kernel_on_mem(prog, "far");

    ck_assert_int_eq(launch(far, 1, &offset, NULL, &local), CL_SUCCESS);
    ck_assert_int_eq(launch(far, 1, NULL, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(far), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launch");
    TCase *tc = tcase_create("launch");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, device_takes_groups_of_unequal_size);
    tcase_add_test(tc, last_groups_are_smaller);
    tcase_add_test(tc, barriers_meet_in_smaller_groups);
    tcase_add_test(tc, required_size_may_leave_smaller_groups);
    tcase_add_test(tc, uniform_programs_keep_the_error);
    tcase_add_test(tc, chosen_size_is_the_suggested_one);
    tcase_add_test(tc, chosen_size_divides_for_uniform_programs);
    tcase_add_test(tc, primes_do_not_get_groups_of_one);
    tcase_add_test(tc, largest_group_of_a_kernel_runs);
    tcase_add_test(tc, ranges_and_offsets_pass_32_bits);
    tcase_add_test(tc, sums_and_products_do_not_wrap);
    tcase_add_test(tc, zero_local_size_is_refused_in_each_dimension);
    tcase_add_test(tc, empty_range_completes_after_its_dependencies);
    tcase_add_test(tc, missing_global_size_is_an_empty_range);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
