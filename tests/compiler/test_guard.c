// SPDX-License-Identifier: MIT
// Work-items that a condition keeps from touching memory do not touch it, whatever form
// they take: buffers lie between pages that nobody may read or write, addresses that only
// inactive work-items have are wild, and a NULL pointer stays unread.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/compiled_kernel.h"
#include "support/suite.h"

enum { ITEMS = 75, PAGE_BYTES = 4096, WILD = 1 << 28 };

// Every kernel writes what the plain C below it computes: out[i] = in[i] * 2 where there
// is something for item i, 5 elsewhere.
static const char *const kernels[] = {
    // Rows that are longer than the data.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) out[i] = in[i] * 2;\n"
    "}\n",
    // The first item of each vector is not there: its address is before the data.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i > 0 && i <= n) out[i - 1] = in[i - 1] * 2;\n"
    "}\n",
    // Wild indices, read and written.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0), w = i % 3 ? i : i + 268435456;\n"
    "  if (i >= n) return;\n"
    "  if (i % 3) out[w] = in[at[i]] * 2;\n"
    "  else out[at[i] - 268435456] = in[w - 268435456] * 2;\n"
    "}\n",
    // One address for all, of nothing, that nobody reads.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  int sum = in[i];\n"
    "  if (at[i] < 0) sum += *none;\n"
    "  for (int k = 0; k < at[i] >> 30; k++) sum += none[k];\n"
    "  out[i] = sum * 2;\n"
    "}\n",
    // Elements of three and bytes, of which the last lies at the end.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0);\n"
    "  if (3 * i + 2 < n) {\n"
    "    int3 v = vload3(i, in);\n"
    "    vstore3(v + v, i, out);\n"
    "  } else if (i >= n / 3 * 3 && i < n) {\n"
    "    global const uchar *b = (global const uchar *)in + 4 * i;\n"
    "    out[i] = (b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24) * 2;\n"
    "  }\n"
    "}\n",
    // Every second element, then its neighbour: the last pair may be half there.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  int i = get_global_id(0);\n"
    "  if (2 * i < n) out[2 * i] = in[2 * i] * 2;\n"
    "  if (2 * i + 1 < n) out[2 * i + 1] = in[2 * i + 1] * 2;\n"
    "}\n",
    // Behind a barrier, in a loop whose rounds touch less and less.
    "kernel void k(global const int *in, global int *out, global const int *at, int n,\n"
    "              global const int *none) {\n"
    "  local int t[64];\n"
    "  int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);\n"
    "  t[l] = i < n ? in[i] : 0;\n"
    "  for (int s = 1; s < size; s *= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int other = i + s < n && l + s < size ? in[i + s] - t[l + s] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    t[l] += other;\n"
    "  }\n"
    "  if (i < n) out[i] = t[l] * 2;\n"
    "}\n",
};

static char *guarded(size_t bytes, bool at_start)
{
    const size_t room = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    char *at =
        mmap(NULL, room + 2 * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(at != MAP_FAILED);
    ck_assert_int_eq(mprotect(at + PAGE_BYTES, room, PROT_READ | PROT_WRITE), 0);
    return at + PAGE_BYTES + (at_start ? 0 : room - bytes);
}

static void release(char *at, size_t bytes)
{
    const size_t room = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    char *const page = (char *)((uintptr_t)at / PAGE_BYTES * PAGE_BYTES);

    ck_assert_int_eq(munmap(page - PAGE_BYTES, room + 2 * PAGE_BYTES), 0);
}

// `n` elements of in and out, at one end of their pages.
static void run(struct test_kernel *kernel, int n, bool at_start)
{
    const size_t bytes = (size_t)n * sizeof(int);
    int *in = (int *)(void *)guarded(bytes, at_start);
    int *out = (int *)(void *)guarded(bytes, at_start);
    int at[ITEMS];
    const void *none = NULL;
    const struct test_range range = {.work_dim = 1, .global = {ITEMS}, .local = {40}};

    for (int i = 0; i < n; i++)
        in[i] = 1000 + i;
    for (int i = 0; i < n; i++)
        out[i] = 5;
    for (int i = 0; i < ITEMS; i++)
        at[i] = i % 3 ? i : i + WILD;
    test_kernel_arg(kernel, 0, sizeof(in), &in);
    test_kernel_arg(kernel, 1, sizeof(out), &out);
    test_kernel_arg(kernel, 2, sizeof(void *), &(const void *){at});
    test_kernel_arg(kernel, 3, sizeof(n), &n);
    test_kernel_arg(kernel, 4, sizeof(none), &none);
    test_kernel_run(kernel, &range);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(out[i], 2 * (1000 + i));
    release((char *)in, bytes);
    release((char *)out, bytes);
}

static void run_all(const struct test_program *program, struct test_variant variant)
{
    struct test_kernel kernel;

    test_kernel_generate(&kernel, program, "k", &variant);
    for (int n = 41; n < ITEMS; n += 11) {
        run(&kernel, n, false);
        run(&kernel, n, true);
    }
    test_kernel_finish(&kernel);
}

START_TEST(what_a_condition_forbids_is_not_touched)
{
    struct test_program program;
    const size_t count = test_variant_count();

    test_program_build(&program, kernels[_i], "-cl-std=CL3.0");
    for (size_t v = 0; v < count; v++) {
        struct test_variant variant = test_variants[v];

        run_all(&program, variant);
        if (variant.form != TF_WG_LOOPS || variant.plain)
            continue;
        variant.form = TF_WG_SIMT;
        for (variant.width = 4; variant.width <= 32; variant.width *= 2)
            run_all(&program, variant);
    }
    test_program_finish(&program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guard");
    TCase *tests = tcase_create("guard");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, what_a_condition_forbids_is_not_touched, 0,
                        sizeof(kernels) / sizeof(kernels[0]));
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
