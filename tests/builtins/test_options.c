// SPDX-License-Identifier: MIT
// The build options for floating-point numbers change what OpenCL 5.8.3 lets them, within
// those bounds, and nothing else: the same kernel with and without each option.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <check.h>

#include "builtins/support/inputs.h"
#include "builtins/support/session.h"
#include "support/suite.h"

enum { POINTS = 4096 };

enum output {
    SUM,
    MAD,
    DIVIDE,
    SQRT,
    FMA,
    RINT,
    WHOLE,
    LESS,
    SIN,
    COS,
    EXP,
    LOG,
    OUTPUTS
};

static const char source[] =
    "kernel void t(global const float *x, global const float *y, global const float *z,\n"
    "              global float *r) {\n"
    "  size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  float a = x[i], b = y[i], c = z[i];\n"
    "  r[i] = a + b; r[n + i] = a * b + c; r[2 * n + i] = a / b;\n"
    "  r[3 * n + i] = sqrt(fabs(a)); r[4 * n + i] = fma(a, b, c); r[5 * n + i] = "
    "rint(a);\n"
    "  r[6 * n + i] = (float)((int)a * 3 + (int)b % 7); r[7 * n + i] = isless(a, b);\n"
    "  r[8 * n + i] = sin(a); r[9 * n + i] = cos(a); r[10 * n + i] = exp(b);\n"
    "  r[11 * n + i] = log(fabs(c)); }\n";

// What an option lets change, as a set of outputs.
static const struct option {
    const char *text;
    unsigned may_change;
} options[] = {
    {"-cl-denorms-are-zero", 0},
    {"-cl-fp32-correctly-rounded-divide-sqrt", 1u << DIVIDE | 1u << SQRT},
    {"-cl-mad-enable", 1u << MAD},
    {"-cl-no-signed-zeros", 0},
    {"-cl-finite-math-only", 0},
    {"-cl-unsafe-math-optimizations", 1u << MAD | 1u << DIVIDE | 1u << SQRT | 1u << SIN |
                                          1u << COS | 1u << EXP | 1u << LOG},
    {"-cl-fast-relaxed-math", 1u << MAD | 1u << DIVIDE | 1u << SQRT | 1u << SIN |
                                  1u << COS | 1u << EXP | 1u << LOG},
};
enum { OPTIONS = sizeof options / sizeof *options };

static struct session session;
static float x[POINTS], y[POINTS], z[POINTS];

// Ordinary numbers, none of them zero: sizes from 1/16 to 64.
static void make_numbers(void)
{
    float *const arrays[] = {x, y, z};

    for (size_t i = 0; i < 3 * (size_t)POINTS; i++) {
        const uint64_t bits = inputs_random(i, 3);
        const float size =
            ldexpf(1 + (float)(bits >> 40) * 0x1p-24f, (int)(bits & 7) - 4);

        arrays[i % 3][i / 3] = bits & 8 ? -size : size;
    }
}

static void run(const char *text, float *r)
{
    cl_program program = session_build_with(&session, source, text);
    cl_mem buffers[4];

    buffers[0] = session_buffer(&session, x, sizeof x);
    buffers[1] = session_buffer(&session, y, sizeof y);
    buffers[2] = session_buffer(&session, z, sizeof z);
    buffers[3] = session_buffer(&session, NULL, OUTPUTS * sizeof x);
    session_run(&session, program, "t", POINTS, buffers[0], buffers[1], buffers[2],
                buffers[3], NULL);
    session_read(&session, buffers[3], r, OUTPUTS * sizeof x);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
}

static double ulp(double value)
{
    return ldexp(1, ilogb(value) - 23);
}

// How far output `o` of number i may lie from the exact value, which *want becomes: the
// bounds of relaxed math (OpenCL C 7.4).
static double relaxed_bound(enum output o, int i, double *want)
{
    const double a = (double)x[i], b = (double)y[i], c = (double)z[i];

    *want = o == MAD      ? a * b + c
            : o == DIVIDE ? a / b
            : o == SQRT   ? sqrt(fabs(a))
            : o == SIN    ? sin(a)
            : o == COS    ? cos(a)
            : o == EXP    ? exp(b)
                          : log(fabs(c));
    if (o == MAD)
        return ulp(a * b) + ulp(fabs(a * b) + fabs(c));
    if (o == DIVIDE)
        return 2.5 * ulp(*want);
    if (o == SQRT)
        return 3 * ulp(*want);
    if (o == SIN || o == COS)
        return fabs(a) <= M_PI ? 0x1p-11 : 2;
    if (o == EXP)
        return (3 + floor(fabs(2 * b))) * ulp(*want);
    return fabs(c) >= 0.5 && fabs(c) <= 2 ? 0x1p-21 : 3 * ulp(*want);
}

static void check_output(const struct option *option, enum output o, const float *plain,
                         const float *changed)
{
    const bool may_change = option->may_change >> o & 1;

    for (int i = 0; i < POINTS; i++) {
        double want = (double)plain[i], bound = 0;

        if (may_change)
            bound = relaxed_bound(o, i, &want);
        if (!(fabs((double)changed[i] - want) <= bound))
            ck_abort_msg("%s: output %d of %a, %a, %a is %a, not %a", option->text,
                         (int)o, (double)x[i], (double)y[i], (double)z[i],
                         (double)changed[i], want);
    }
}

START_TEST(option_changes_what_it_may)
{
    static float plain[OUTPUTS * POINTS], changed[OUTPUTS * POINTS];

    make_numbers();
    session_open(&session);
    run("", plain);
    run(options[_i].text, changed);
    for (int o = 0; o < OUTPUTS; o++)
        check_output(&options[_i], (enum output)o, plain + o * POINTS,
                     changed + o * POINTS);
    session_close(&session);
}
END_TEST

START_TEST(divide_and_sqrt_are_rounded_correctly_when_asked)
{
    static float r[OUTPUTS * POINTS];

    make_numbers();
    session_open(&session);
    run("-cl-fp32-correctly-rounded-divide-sqrt", r);
    for (int i = 0; i < POINTS; i++) {
        if (r[DIVIDE * POINTS + i] != x[i] / y[i])
            ck_abort_msg("%a / %a", (double)x[i], (double)y[i]);
        if (r[SQRT * POINTS + i] != sqrtf(fabsf(x[i])))
            ck_abort_msg("sqrt(%a)", (double)x[i]);
    }
    session_close(&session);
}
END_TEST

// Flushed or kept, with every option; kept without one, for the device says it has them.
START_TEST(subnormals_are_kept_or_zero)
{
    static const char text[] = "kernel void t(global const float *x, global float *r) {\n"
                               "  r[0] = x[0] * x[1]; r[1] = x[2] * 0.5f; r[2] = "
                               "fabs(x[0]); r[3] = x[3] - x[2]; }\n";
    const float in[] = {0x1p-130f, 3, 0x1p-126f, 0x1.8p-126f};
    const float want[] = {0x1.8p-129f, 0x1p-127f, 0x1p-130f, 0x1p-127f};
    const bool zero = _i == 1;
    float r[4];
    cl_program program;
    cl_mem from, to;

    session_open(&session);
    program = session_build_with(&session, text, zero ? "-cl-denorms-are-zero" : "");
    from = session_buffer(&session, in, sizeof in);
    to = session_buffer(&session, NULL, sizeof r);
    session_run(&session, program, "t", 1, from, to, NULL);
    session_read(&session, to, r, sizeof r);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(r[i] == want[i] || (zero && r[i] == 0), "result %d is %a", i,
                      (double)r[i]);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseProgram(program);
    session_close(&session);
}
END_TEST

// NaN, infinities and the sign of zero stay what they are without the options that give
// them up.
START_TEST(special_numbers_survive_other_options)
{
    static const char text[] =
        "kernel void t(global const float *x, global int *r) {\n"
        "  r[0] = isnan(x[0]); r[1] = isinf(x[1]); r[2] = signbit(x[2] * x[3]);\n"
        "  r[3] = x[0] == x[0]; r[4] = isinf(x[3] / x[2]); r[5] = signbit(-(x[2] + "
        "x[2])); }\n";
    static const char *const harmless[] = {"", "-cl-mad-enable", "-cl-denorms-are-zero",
                                           "-cl-fp32-correctly-rounded-divide-sqrt"};
    const float in[] = {NAN, INFINITY, 0, -1};
    const int want[] = {1, 1, 1, 0, 1, 1};
    int r[6];
    cl_program program;
    cl_mem from, to;

    session_open(&session);
    program = session_build_with(&session, text, harmless[_i]);
    from = session_buffer(&session, in, sizeof in);
    to = session_buffer(&session, NULL, sizeof r);
    session_run(&session, program, "t", 1, from, to, NULL);
    session_read(&session, to, r, sizeof r);
    for (int i = 0; i < 6; i++)
        ck_assert_msg(r[i] == want[i], "%s: result %d is %d", harmless[_i], i, r[i]);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseProgram(program);
    session_close(&session);
}
END_TEST

START_TEST(macro_tells_relaxed_math)
{
    static const char text[] = "kernel void t(global int *r) {\n"
                               "#ifdef __FAST_RELAXED_MATH__\n  r[0] = 1;\n"
                               "#else\n  r[0] = 0;\n#endif\n}\n";
    int r = -1;
    cl_program program;
    cl_mem to;

    session_open(&session);
    program = session_build_with(&session, text, _i < OPTIONS ? options[_i].text : "");
    to = session_buffer(&session, NULL, sizeof r);
    session_run(&session, program, "t", 1, to, NULL);
    session_read(&session, to, &r, sizeof r);
    ck_assert_int_eq(r,
                     _i < OPTIONS && !strcmp(options[_i].text, "-cl-fast-relaxed-math"));
    clReleaseMemObject(to);
    clReleaseProgram(program);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: options");
    TCase *cases = tcase_create("options");

    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, option_changes_what_it_may, 0, OPTIONS);
    tcase_add_test(cases, divide_and_sqrt_are_rounded_correctly_when_asked);
    tcase_add_loop_test(cases, subnormals_are_kept_or_zero, 0, 2);
    tcase_add_loop_test(cases, special_numbers_survive_other_options, 0, 4);
    tcase_add_loop_test(cases, macro_tells_relaxed_math, 0, OPTIONS + 1);
    suite_add_tcase(suite, cases);
    return tf_run_suite(suite);
}
