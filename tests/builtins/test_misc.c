// SPDX-License-Identifier: MIT
// The functions that the other tests do not walk: geometry, loads and stores, async
// copies, atomics; and arguments at which some method once failed. Each kernel writes
// numbers that the test knows.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "builtins/support/session.h"
#include "support/suite.h"

static struct session session;

// Runs `source`'s kernel "t" with a buffer of `count` numbers x and one of doubles r.
static void run(const char *source, const double *x, size_t count, double *r,
                size_t results)
{
    cl_program program;
    cl_mem in, out;

    session_open(&session);
    program = session_build(&session, source);
    in = session_buffer(&session, x, count * sizeof *x);
    out = session_buffer(&session, NULL, results * sizeof *r);
    session_run(&session, program, "t", 1, in, out, NULL);
    session_read(&session, out, r, results * sizeof *r);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseProgram(program);
    session_close(&session);
}

static void expect(const double *got, const double *want, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(fabs(got[i] - want[i]) <= tolerance * fabs(want[i]) ||
                          (isnan(got[i]) && isnan(want[i])) || got[i] == want[i],
                      "number %zu is %.17g, not %.17g", i, got[i], want[i]);
}
#define EXPECT(got, tolerance, ...)                                  \
    do {                                                             \
        const double want_[] = {__VA_ARGS__};                        \
                                                                     \
        expect(got, want_, sizeof want_ / sizeof *want_, tolerance); \
    } while (0)

START_TEST(gamma_and_erfc_at_the_ends_of_the_range)
{
    // Subnormal though 1 / sin(pi x) is large; next to overflow; next to a pole.
    const double x[] = {-0x1.6dfffffffffffp+7, -170.7, 171.6, -1e-308, -1e-300, 26.9};
    double r[7];

    run("kernel void t(global double *x, global double *r) {\n"
        "  for (int i = 0; i < 5; i++) r[i] = tgamma(x[i]);\n"
        "  r[5] = erfc(x[5]); r[6] = erfc((float)10);\n}",
        x, 6, r, 7);
    EXPECT(r, 1e-3, tgamma(x[0]), tgamma(x[1]), tgamma(x[2]), -1e308, -1e300, erfc(26.9),
           (double)(float)erfc(10));
}
END_TEST

START_TEST(geometry)
{
    const double x[] = {3, 4, 12, 0x1p1000};
    double r[14];

    run("kernel void t(global double *x, global double *r) {\n"
        "  double3 a = (double3)(x[0], x[1], x[2]);\n"
        "  float3 f = convert_float3(a);\n"
        "  r[0] = length(a); r[1] = length(f); r[2] = dot(a, a.zyx);\n"
        "  r[3] = cross(a, a.zxy).y; r[4] = cross((float4)(f, 9), (float4)(f.zxy, "
        "9)).y;\n"
        "  r[5] = distance(f, f.yxz); r[6] = normalize(a).z;\n"
        "  r[7] = normalize(f * 1e30f).z; r[8] = length((double2)(3 * x[3], 4 * x[3])) / "
        "x[3];\n"
        "  r[9] = length((float2)(3e-30f, 4e-30f)); r[10] = normalize((float2)(0)).x;\n"
        "  r[11] = normalize((float2)(-INFINITY, 4.0f)).x; r[12] = fast_length(f);\n"
        "  r[13] = fast_normalize(f).x;\n}",
        x, 4, r, 14);
    EXPECT(r, 1e-6, 13, 13, 36 + 16 + 36, 12 * 12 - 3 * 4, 12 * 12 - 3 * 4, sqrt(2),
           12. / 13, 12. / 13, 5, 5e-30, 0, -1, 13, 3. / 13);
}
END_TEST

START_TEST(loads_and_stores)
{
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double r[17];

    run("kernel void t(global double *x, global double *r) {\n"
        "  int p[20]; local char l[16];\n"
        "  for (int i = 0; i < 20; i++) p[i] = i;\n"
        "  vstore3((int3)(70, 80, 90), 1, p); r[0] = p[2]; r[1] = p[3]; r[2] = p[5];"
        " r[3] = p[6];\n"
        "  r[4] = vload4(1, p + 1).x; r[5] = vload3(2, p).z; r[6] = vload2(1, x + 1).y;\n"
        "  vstore16((char16)(5), 0, l); vstore2((char2)(9), 3, l + 1); r[7] = l[7]; r[8] "
        "= l[9];\n"
        "  vstore8(vload8(0, x + 1), 0, r + 9);\n}",
        x, 9, r, 17);
    EXPECT(r, 0, 2, 70, 90, 6, 90, 8, 5, 9, 5, 2, 3, 4, 5, 6, 7, 8, 9);
}
END_TEST

START_TEST(halves)
{
    const double x[] = {1.0009765625 + 0x1p-12, -0x1p-25, 65519, 65520,
                        0x1.0020000000001p0};
    double r[16];

    run("kernel void t(global double *x, global double *r) {\n"
        "  ushort m[8]; private half *h = (private half *)m;\n"
        "  vstore_half(x[0], 0, h); r[0] = vload_half(0, h);\n"
        "  vstore_half_rtp(x[0], 0, h); r[1] = vload_half(0, h);\n"
        "  vstore_half_rtz((float)x[1], 0, h); r[2] = vload_half(0, h);\n"
        "  vstore_half_rtn((float)x[1], 0, h); r[3] = vload_half(0, h);\n"
        "  vstore_half(x[2], 0, h); r[4] = vload_half(0, h);\n"
        "  vstore_half(x[3], 0, h); r[5] = vload_half(0, h);\n"
        "  vstore_half_rtz(x[3], 0, h); r[6] = vload_half(0, h);\n"
        "  vstorea_half3((float3)(1, 2, 3), 1, h); r[7] = m[4]; r[8] = vloada_half3(1, "
        "h).z;\n"
        "  vstore_half3((float3)(1, 2, 3), 1, h); r[9] = m[3]; r[10] = vload_half3(1, "
        "h).y;\n"
        "  vstore_half(x[4], 0, h); r[11] = vload_half(0, h);\n}",
        x, 5, r, 12);
    EXPECT(r, 0, 1.0009765625, 1.0009765625 + 0x1p-10, -0.0, -0x1p-24, 65504, INFINITY,
           65504, 0x3c00, 3, 0x3c00, 2, 0x1.004p0);
}
END_TEST

START_TEST(atomics)
{
    const double x[] = {0};
    double r[14];

    run("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "kernel void t(global double *x, global double *r) {\n"
        "  local int l; local uint u; local float f; l = 5; u = 7; f = 1.5f;\n"
        "  r[0] = atomic_add(&l, 3); r[1] = atomic_sub(&l, 10); r[2] = atomic_min(&l, "
        "-7);\n"
        "  r[3] = atomic_max(&u, 0xffffffffu); r[4] = atomic_inc(&u); r[5] = u;\n"
        "  r[6] = atomic_xchg(&f, 2.5f); r[7] = f; r[8] = atomic_cmpxchg(&l, -7, 1);\n"
        "  r[9] = atomic_cmpxchg(&l, -7, 2); r[10] = atomic_or(&l, 6); r[11] = "
        "atomic_xor(&l, 1);\n"
        "  r[12] = atom_and(&l, 4); r[13] = atomic_dec(&l);\n}",
        x, 1, r, 14);
    EXPECT(r, 0, 5, 8, -2, 7, 4294967295.0, 0, 1.5, 2.5, -7, 1, 1, 7, 6, 4);
}
END_TEST

START_TEST(async_copies)
{
    static const char source[] =
        "kernel void t(global int *x, global int *r) {\n"
        "  local int l[64]; size_t g = get_group_id(0);\n"
        "  event_t e = async_work_group_copy(l, x + 64 * g, 64, 0);\n"
        "  wait_group_events(1, &e);\n"
        "  l[get_local_id(0)] += 100 * get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  e = async_work_group_strided_copy(r + g, l, 64, 4, 0);\n"
        "  wait_group_events(1, &e); }\n";
    const size_t items = 64, local = 16;
    cl_program program;
    cl_kernel kernel;
    cl_mem in, out;
    int x[256], r[256];

    session_open(&session);
    program = session_build(&session, source);
    for (int i = 0; i < 256; i++)
        x[i] = i;
    in = session_buffer(&session, x, sizeof x);
    out = session_buffer(&session, NULL, sizeof r);
    kernel = clCreateKernel(program, "t", NULL);
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof out, &out);
    ck_assert_int_eq(clEnqueueNDRangeKernel(session.queue, kernel, 1, NULL, &items,
                                            &local, 0, NULL, NULL),
                     CL_SUCCESS);
    session_read(&session, out, r, sizeof r);
    for (int group = 0; group < 4; group++)
        for (int i = 0; i < 64; i++)
            ck_assert_int_eq(r[4 * i + group], 64 * group + i + (i < 16 ? 100 * i : 0));
    clReleaseKernel(kernel);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseProgram(program);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: misc");
    TCase *misc = tcase_create("misc");

    tcase_set_timeout(misc, 120);
    tcase_add_test(misc, gamma_and_erfc_at_the_ends_of_the_range);
    tcase_add_test(misc, geometry);
    tcase_add_test(misc, loads_and_stores);
    tcase_add_test(misc, halves);
    tcase_add_test(misc, atomics);
    tcase_add_test(misc, async_copies);
    suite_add_tcase(suite, misc);
    return tf_run_suite(suite);
}
