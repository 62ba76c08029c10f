// SPDX-License-Identifier: MIT
// Code for groups of one size, as launches come to have it (doc/runtime.md, "Code").
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/log_lines.h"
#include "support/api.h"
#include "support/limits.h"
#include "support/suite.h"

enum {
    GROUPS = 64,
    MOST = 128,
    ITEMS = GROUPS * MOST,
    ROUNDS = 300,
    LONG_ROUNDS = 100000
};

// Each work-item gets the sum of its group: what it starts with is i & 15.
static const char source[] =
    "kernel void sums(global uint *out, local uint *s, uint rounds)\n"
    "{\n"
    "    uint l = get_local_id(0), m = get_local_size(0), sum = 0;\n"
    "    for (uint r = 0; r < rounds; r++) {\n"
    "        s[l] = get_global_id(0) & 15;\n"
    "        for (uint d = 1; d < m; d *= 2) {\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            if (l % (2 * d) == 0 && l + d < m)\n"
    "                s[l] += s[l + d];\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        sum = s[0];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n";

__attribute__((constructor(101))) static void set_environment(void)
{
    setenv("TREFOIL_TIER", "auto", 1);
    setenv("TREFOIL_VARIANTS", "auto", 1);
    setenv("TREFOIL_CACHE", "off", 1);
}

struct sums {
    cl_kernel kernel;
    cl_mem out;
};

static void begin(void)
{
    log_lines_begin();
    tf_api_begin();
}

static struct sums make_sums(cl_program prog)
{
    struct sums s = {tf_api_kernel(prog, "sums"),
                     tf_api_buffer(0, ITEMS * sizeof(cl_uint), NULL)};

    tf_api_set_arg(s.kernel, 0, sizeof(s.out), &s.out);
    return s;
}

static void drop_sums(struct sums *s)
{
    clReleaseKernel(s->kernel);
    clReleaseMemObject(s->out);
}

// The same with its program.
static struct sums begin_sums(const char *options)
{
    cl_program prog = tf_api_program(source, options);
    const struct sums s = make_sums(prog);

    clReleaseProgram(prog); // the kernel keeps it
    return s;
}

// A launch of `items` in groups of `local`, and what it leaves.
static void launch(const struct sums *s, size_t items, size_t local, cl_uint rounds)
{
    static cl_uint out[ITEMS];

    tf_api_set_arg(s->kernel, 1, local * sizeof(cl_uint), NULL);
    tf_api_set_arg(s->kernel, 2, sizeof(rounds), &rounds);
    ck_assert_int_eq(clEnqueueNDRangeKernel(tf_api.q, s->kernel, 1, NULL, &items, &local,
                                            0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(tf_api.q, s->out, CL_TRUE, 0,
                                         items * sizeof(*out), out, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t first = 0; first < items; first += local) {
        const size_t end = first + local < items ? first + local : items;
        cl_uint sum = 0;

        for (size_t i = first; i < end; i++)
            sum += i & 15;
        for (size_t i = first; i < end; i++)
            ck_assert_uint_eq(out[i], sum);
    }
}

// Launches groups of `local` until the log has `count` lines with `text`.
static void launch_until(const struct sums *s, size_t local, const char *text, int count)
{
    const time_t end = time(NULL) + TEST_LIMIT_S;

    while (log_lines_count(text) < count) {
        launch(s, GROUPS * local, local, ROUNDS);
        ck_assert_msg(time(NULL) < end, "not seen: %s", text);
    }
}

// Code may run before the line that says that it is there.
static void check_made(const struct sums *s, size_t local, int count)
{
    launch_until(s, local, "generated (variant)", count);
    ck_assert_int_eq(log_lines_count("generated (variant)"), count);
}

static void check_queries(cl_kernel kernel)
{
    size_t size[3] = {1, 1, 1};

    ck_assert_int_eq(clGetKernelWorkGroupInfo(kernel, tf_api.device,
                                              CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                              sizeof(size), size, NULL),
                     CL_SUCCESS);
    for (int d = 0; d < 3; d++)
        ck_assert_uint_eq(size[d], 0);
    ck_assert_int_eq(clGetKernelWorkGroupInfo(kernel, tf_api.device,
                                              CL_KERNEL_WORK_GROUP_SIZE, sizeof(size[0]),
                                              size, NULL),
                     CL_SUCCESS);
    ck_assert_uint_ge(size[0], MOST);
}

static const char runs_64[] = "sums: runs the variant for work-groups of 64 x 1 x 1";
static const char runs_37[] = "sums: runs the variant for work-groups of 37 x 1 x 1";
static const char runs[] = "sums: runs the variant for work-groups of";

START_TEST(each_size_comes_to_its_code)
{
    static const size_t sizes[] = {64, 128, 64, 37};
    struct sums s = begin_sums("");
    char text[100];

    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof(text), "%s %zu x 1 x 1", runs, sizes[i]);
        launch_until(&s, sizes[i], text, 1);
    }
    ck_assert_int_eq(log_lines_count(runs), 3);
    // Nothing asked for code of all sizes, and nobody waited.
    ck_assert_int_eq(log_lines_count("sums: generated in"), 0);
    ck_assert_int_eq(log_lines_count("blocking compilation"), 0);
    check_queries(s.kernel);
    drop_sums(&s);
}
END_TEST

// Smaller groups at the edge, and short launches, go with what serves them, too.
START_TEST(other_launches_are_right_beside_it)
{
    struct sums s = begin_sums("-cl-std=CL3.0");

    launch_until(&s, 64, runs_64, 1);
    for (size_t items = 1; items < 700; items += 61)
        launch(&s, items, 64, 2);
    for (size_t local = 1; local <= MOST; local += 11)
        launch(&s, 3 * local, local, 2);
    launch_until(&s, 64, runs_64, 1);
    ck_assert_int_eq(log_lines_count("blocking compilation"), 0);
    drop_sums(&s);
}
END_TEST

// Few sizes get code of their own.
START_TEST(many_sizes_share_code)
{
    static const size_t sizes[] = {16, 32, 48, 64};
    struct sums s = begin_sums("");

    for (int i = 0; i < 4; i++)
        launch_until(&s, sizes[i], runs, i + 1);
    ck_assert_int_eq(log_lines_count("sums: generated in"), 0);
    launch_until(&s, 80, "sums: generated in", 1);
    for (size_t local = 5; local <= MOST; local += 5)
        launch(&s, GROUPS * local, local, 20);
    ck_assert_int_eq(log_lines_count(runs), 4);
    check_made(&s, 64, 4);
    drop_sums(&s);
}
END_TEST

// Sizes that are launched once take no other's place.
START_TEST(cold_sizes_leave_room)
{
    struct sums s = begin_sums("");

    // Few groups: on a busy machine many may run for as long as hot code has.
    for (size_t local = 8; local <= 64; local += 8)
        launch(&s, 2 * local, local, 1);
    launch_until(&s, 80, "sums: runs the variant for work-groups of 80 x 1 x 1", 1);
    check_made(&s, 80, 1);
    drop_sums(&s);
}
END_TEST

// A first launch of few groups that may take long waits for code that serves launches of
// other sizes, too.
START_TEST(first_wait_is_for_all_sizes)
{
    struct sums s = begin_sums("");

    launch(&s, 64, 64, LONG_ROUNDS);
    ck_assert_int_eq(log_lines_count("sums: its first launch waits for code"), 1);
    launch_until(&s, 64, "sums: generated in", 1);
    launch(&s, 128, 128, LONG_ROUNDS);
    ck_assert_int_eq(log_lines_count("waits"), 1);
    drop_sums(&s);
}
END_TEST

// Code for one size is there, and a launch of few groups of another may take long: code
// for all is made at once.
START_TEST(long_launch_of_another_size_gets_code_for_all)
{
    struct sums s = begin_sums("");

    launch_until(&s, 64, runs_64, 1);
    ck_assert_int_eq(log_lines_count("sums: generated in"), 0);
    launch(&s, 37, 37, LONG_ROUNDS);
    launch_until(&s, 37, "sums: generated in", 1);
    drop_sums(&s);
}
END_TEST

// A binary has it, and the process that loads it makes nothing.
START_TEST(binaries_keep_it)
{
    cl_program prog = tf_api_program(source, "-cl-std=CL3.0"), loaded;
    struct sums s = make_sums(prog);
    unsigned char *binary;
    size_t bytes;
    cl_int code;
    int made;

    launch_until(&s, 64, runs_64, 1);
    launch_until(&s, 37, runs_37, 1);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL),
        CL_SUCCESS);
    binary = malloc(bytes);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
        CL_SUCCESS);
    drop_sums(&s);
    clReleaseProgram(prog);

    loaded = clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &bytes,
                                       (const unsigned char **)&binary, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    free(binary);
    ck_assert_int_eq(
        clBuildProgram(loaded, 1, &tf_api.device, "-cl-std=CL3.0", NULL, NULL),
        CL_SUCCESS);
    made = log_lines_count("generated");
    s = make_sums(loaded);
    launch(&s, GROUPS * 64, 64, 2);
    launch(&s, GROUPS * 37, 37, 2);
    launch(&s, 100, 64, 2);
    launch(&s, GROUPS * 96, 96, 2);
    ck_assert_int_eq(log_lines_count(runs_64), 2);
    ck_assert_int_eq(log_lines_count(runs_37), 2);
    ck_assert_int_eq(log_lines_count("generated"), made);
    drop_sums(&s);
    clReleaseProgram(loaded);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("one_group_size");
    TCase *tests = tcase_create("sizes");

    tcase_add_checked_fixture(tests, begin, tf_api_end);
    tcase_add_test(tests, each_size_comes_to_its_code);
    tcase_add_test(tests, other_launches_are_right_beside_it);
    tcase_add_test(tests, many_sizes_share_code);
    tcase_add_test(tests, cold_sizes_leave_room);
    tcase_add_test(tests, first_wait_is_for_all_sizes);
    tcase_add_test(tests, long_launch_of_another_size_gets_code_for_all);
    tcase_add_test(tests, binaries_keep_it);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
