// SPDX-License-Identifier: MIT
// The functions that the tables of the other tests do not hold: results through pointers,
// geometry, relations, loads and stores, shuffles, async copies, atomics. Each kernel
// writes numbers that the test knows.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "session.h"
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

START_TEST(results_through_pointers)
{
    const double x[] = {-2.75, 3e-310, 10};
    double r[16];

    run("kernel void t(global double *x, global double *r) {\n"
        "  double whole, c; int e; local int le; float4 w4; int4 e4;\n"
        "  r[0] = fract(x[0], &whole); r[1] = whole;\n"
        "  r[2] = modf(x[0], &whole); r[3] = whole;\n"
        "  r[4] = frexp(x[0], &e); r[5] = e;\n"
        "  r[6] = frexp(x[1], &le) * 0x1p-1028; r[7] = le;\n"
        "  r[8] = sincos(x[2], &r[9]);\n"
        "  r[10] = remquo(x[2], 4.0, &e); r[11] = e;\n"
        "  float4 f = frexp((float4)(1.0f, -8.0f, 0.0f, 6.0f), &e4);\n"
        "  r[12] = f.w; r[13] = e4.w; r[14] = e4.y;\n"
        "  f = fract((float4)(-1e-10f), &w4); r[15] = f.x;\n}",
        x, 3, r, 16);
    EXPECT(r, 1e-15, 0.25, -3, -0.75, -2, -0.6875, 2,
           ldexp(frexp(3e-310, &(int){0}), -1028), -1028, sin(10), cos(10), 2, 2, 0.75, 3,
           4, (double)0x1.fffffep-1f);
}
END_TEST

START_TEST(sign_of_gamma)
{
    const double x[] = {-0.5, -1.5, -0.0, 2.5};
    double r[14];

    run("kernel void t(global double *x, global double *r) {\n"
        "  int s; local int ls; global int *gs = (global int *)(r + 13); int *p = &s;\n"
        "  int4 s4; local int2 ls2;\n"
        "  r[0] = lgamma_r(x[0], &s); r[1] = s; r[2] = lgamma_r(x[1], &ls); r[3] = ls;\n"
        "  r[4] = lgamma_r(x[2], gs); r[5] = *gs; r[6] = lgamma_r(x[3], p); r[7] = s;\n"
        "  float4 f = lgamma_r((float4)(-0.5f, -1e-30f, 1e-30f, -1.5f), &s4);\n"
        "  r[8] = f.x; r[9] = s4.x; r[10] = s4.y; r[11] = s4.z;\n"
        "  lgamma_r((double2)(x[1], x[0]), &ls2); r[12] = ls2.y; r[13] = s4.w;\n}",
        x, 4, r, 14);
    EXPECT(r, 1e-7, lgamma(-0.5), -1, lgamma(-1.5), 1, INFINITY, -1, lgamma(2.5), 1,
           lgamma(-0.5), -1, -1, 1, -1, 1);
}
END_TEST

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

START_TEST(exponents_and_neighbours)
{
    const double x[] = {0, -INFINITY, NAN, 3e-310, 8.5, 1};
    double r[12];

    run("kernel void t(global double *x, global double *r) {\n"
        "  r[0] = ilogb(x[0]); r[1] = ilogb(x[1]); r[2] = ilogb(x[2]); r[3] = "
        "ilogb(x[3]);\n"
        "  r[4] = ilogb(x[4]); r[5] = nextafter(x[5], 2.0); r[6] = nextafter(x[5], "
        "0.0);\n"
        "  r[7] = nextafter(x[0], -1.0); r[8] = nextafter(-1.0f, -2.0f);\n"
        "  r[9] = isnan(nan(5u)); r[10] = nextafter(x[1], 0.0);\n"
        "  r[11] = ilogb((float2)(0.5f, 0x1p-140f)).y;\n}",
        x, 6, r, 12);
    EXPECT(r, 0, INT32_MIN, INT32_MAX, INT32_MAX, -1029, 3, 1 + 0x1p-52, 1 - 0x1p-53,
           -0x1p-1074, -1 - 0x1p-23, 1, -0x1.fffffffffffffp1023, -140);
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

START_TEST(common_functions)
{
    const double x[] = {-3, 0.25, NAN};
    double r[14];

    run("kernel void t(global double *x, global double *r) {\n"
        "  float4 v = (float4)(x[0], x[1], 0, 2);\n"
        "  r[0] = clamp(v, -1.0f, 1.0f).x; r[1] = clamp(x[1], 0.5, 1.0);\n"
        "  r[2] = mix(v, v + 4, 0.5f).y; r[3] = step(0.0f, v).x; r[4] = step(v, v).z;\n"
        "  r[5] = smoothstep(0.0f, 1.0f, v).y; r[6] = sign(v).x; r[7] = sign(x[2]);\n"
        "  r[8] = max(v, 1.0f).w; r[9] = min(v, v.wzyx).x; r[10] = degrees(x[1]);\n"
        "  r[11] = fmin(v, NAN).x; r[12] = max((uchar4)(1, 2, 3, 200), (uchar)7).x;\n"
        "  r[13] = clamp((short2)(-9, 9), (short)-1, (short)1).y;\n}",
        x, 3, r, 14);
    EXPECT(r, 1e-15, -1, 0.5, 2.25, 0, 1, 0.15625, -1, 0, 2, -3, 0.25 * 180 / M_PI, -3, 7,
           1);
}
END_TEST

START_TEST(relations)
{
    const double x[] = {NAN, 1, INFINITY, 1e-310};
    double r[20];

    run("kernel void t(global double *x, global double *r) {\n"
        "  double4 v = (double4)(x[0], x[1], x[2], x[3]); float2 f = "
        "convert_float2(v.xy);\n"
        "  r[0] = isequal(x[1], 1.0); r[1] = isequal(v, v).y; r[2] = isequal(f, f).x;\n"
        "  r[3] = isnotequal(x[0], x[0]); r[4] = islessgreater(v, 0.5).x;\n"
        "  r[5] = isfinite(v).z; r[6] = isinf(v).z; r[7] = isnormal(v).w; r[8] = "
        "isnan(v).x;\n"
        "  r[9] = isordered(f, f).y; r[10] = isunordered(f, f).x; r[11] = "
        "signbit(-f).y;\n"
        "  r[12] = any((int2)(1, 2)); r[13] = any((char3)(0, -1, 0));\n"
        "  r[14] = all((long2)(-1, 1)); r[15] = all((short16)(-5));\n"
        "  r[16] = select(1.0f, 2.0f, 1); r[17] = select((int2)(1, 2), (int2)(3, 4),"
        " (uint2)(1, 0x80000000)).x;\n"
        "  r[18] = select((int2)(1, 2), (int2)(3, 4), (uint2)(1, 0x80000000)).y;\n"
        "  r[19] = bitselect(1.0f, -2.0f, as_float(0x80000000));\n}",
        x, 4, r, 20);
    EXPECT(r, 0, 1, -1, 0, 1, 0, 0, -1, 0, -1, -1, -1, -1, 0, 1, 0, 1, 2, 1, 4, -1);
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

START_TEST(shuffles)
{
    const double x[] = {0};
    double r[8];

    run("kernel void t(global double *x, global double *r) {\n"
        "  int4 a = (int4)(10, 11, 12, 13); float2 f = (float2)(5, 6);\n"
        "  uint4 m = (uint4)(3, 6, 1, 0x80000000u) + (uint)x[0];\n"
        "  int4 s = shuffle(a, m); r[0] = s.x; r[1] = s.y; r[2] = s.w;\n"
        "  r[3] = shuffle(f, (uint8)(1)).s7; int4 t = shuffle2(a, a + 10, m);\n"
        "  r[4] = t.x; r[5] = t.y; r[6] = t.z; r[7] = t.w;\n}",
        x, 1, r, 8);
    EXPECT(r, 0, 13, 12, 10, 6, 13, 22, 11, 10);
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
    tcase_add_test(misc, results_through_pointers);
    tcase_add_test(misc, sign_of_gamma);
    tcase_add_test(misc, gamma_and_erfc_at_the_ends_of_the_range);
    tcase_add_test(misc, exponents_and_neighbours);
    tcase_add_test(misc, geometry);
    tcase_add_test(misc, common_functions);
    tcase_add_test(misc, relations);
    tcase_add_test(misc, loads_and_stores);
    tcase_add_test(misc, halves);
    tcase_add_test(misc, shuffles);
    tcase_add_test(misc, atomics);
    tcase_add_test(misc, async_copies);
    suite_add_tcase(suite, misc);
    return tf_run_suite(suite);
}
