// SPDX-License-Identifier: MIT
// What taking functions out of the built-ins library adds to the build of a small kernel:
// the library is not read as a whole.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include "support/compiled_source.h"
#include "support/suite.h"

enum { RUNS = 15 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double limit_ms = 50; // every allocation is watched
#else
// A quiet Cascade Lake takes up to 5.9, a busy one 10.
static const double limit_ms = 20;
#endif

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // the compiler has threads of its own
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// The least time of a link of `source`: what other processes take away does not count.
static double link_ms(const char *source)
{
    const struct tf_compiler *const compiler = test_compiler();
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = source,
                                     .source_bytes = strlen(source),
                                     .options = "-cl-std=CL3.0",
                                     .device = &device};
    struct tf_compile_out compiled;
    double least = 1e9;

    ck_assert_int_eq(compiler->compile(&in, &compiled), TF_COMPILER_OK);
    for (int i = 0; i < RUNS; i++) {
        const struct tf_link_in link = {.modules = &compiled.bitcode,
                                        .module_count = 1,
                                        .options = "",
                                        .device = &device};
        struct tf_link_out linked;
        const double start = cpu_ms();

        ck_assert_int_eq(compiler->link(&link, &linked), TF_COMPILER_OK);
        least = least < cpu_ms() - start ? least : cpu_ms() - start;
        compiler->release(linked.bitcode.data);
        compiler->release(linked.kernels.data);
        compiler->release(linked.data.data);
        compiler->release(linked.log);
    }
    compiler->release(compiled.bitcode.data);
    compiler->release(compiled.log);
    return least;
}

static const struct {
    const char *what, *source;
} uses[] = {
    {"get_global_id", "kernel void k(global int *p) { p[get_global_id(0)] = 1; }"},
    {"clamp", "kernel void k(global int *p) { p[1] = clamp(p[0], 1, 3); }"},
    {"vload3, vstore3", "kernel void k(global int *p) { vstore3(vload3(0, p), 1, p); }"},
    {"convert_uchar4_sat_rtz", "kernel void k(global float4 *p, global uchar4 *q)"
                               "{ q[0] = convert_uchar4_sat_rtz(p[0]); }"},
    {"vload_half4, vstore_half4",
     "kernel void k(global half *p) { vstore_half4(vload_half4(0, p), 1, p); }"},
    {"sqrt", "kernel void k(global float *p) { p[1] = sqrt(p[0]); }"},
    {"exp", "kernel void k(global float *p) { p[1] = exp(p[0]); }"},
    {"atomic_fetch_add_explicit",
     "kernel void k(global atomic_int *p) { atomic_fetch_add_explicit(p, 1,"
     " memory_order_relaxed, memory_scope_work_group); }"},
    {"barrier", "kernel void k(global int *p) { barrier(CLK_LOCAL_MEM_FENCE); p[0]++; }"},
};

START_TEST(one_function_costs_little)
{
    const double alone = link_ms("kernel void k(global int *p) { p[0] = 1; }");
    const double with = link_ms(uses[_i].source);

    printf("%-26s %6.2f ms, %5.2f ms without\n", uses[_i].what, with, alone);
    ck_assert_double_lt(with - alone, limit_ms);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("link_cost");
    TCase *tcase = tcase_create("link_cost");

    tcase_add_loop_test(tcase, one_function_costs_little, 0, sizeof uses / sizeof *uses);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
