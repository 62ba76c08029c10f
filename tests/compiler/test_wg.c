// SPDX-License-Identifier: MIT
// The work-group form and code generation: every kernel runs in both forms, at every
// instruction level of this CPU, optimized and plain, with the same result.
#include <check.h>
#include <limits.h>
#include <string.h>

#include "abi/compiler.h"
#include "support/compiled_kernel.h"
#include "support/suite.h"

static struct test_program program;

static void build(const char *source)
{
    test_program_build(&program, source, "");
}

static void finish(void)
{
    test_program_finish(&program);
}

// Runs `body(kernel)` for the kernel in every variant.
#define FOR_EACH_VARIANT(kernel, name)                                                   \
    for (size_t variant_ = 0, count_ = test_variant_count();                             \
         variant_ < count_ &&                                                            \
         (test_kernel_generate(kernel, &program, name, &test_variants[variant_]), true); \
         test_kernel_finish(kernel), variant_++)

static void set_buffer(struct test_kernel *k, uint32_t index, const void *buffer)
{
    test_kernel_arg(k, index, sizeof(buffer), &buffer);
}

// ---- ids

static const char ids_source[] =
    "kernel void ids(global ulong *out) {\n"
    "  size_t n = 0, at = 0;\n"
    "  for (int d = 2; d >= 0; d--)\n"
    "    at = at * get_global_size(d) + get_global_id(d) - get_global_offset(d);\n"
    "  out += at * 24;\n"
    "  for (uint d = 0; d < 3; d++) {\n"
    "    out[n++] = get_global_id(d); out[n++] = get_local_id(d);\n"
    "    out[n++] = get_group_id(d); out[n++] = get_local_size(d);\n"
    "    out[n++] = get_global_size(d); out[n++] = get_num_groups(d);\n"
    "    out[n++] = get_global_offset(d);\n"
    "  }\n"
    "  out[n] = get_work_dim();\n"
    "}\n";

static void check_item_ids(const struct test_range *r, const uint64_t at[3],
                           const uint64_t *out)
{
    for (int d = 0; d < 3; d++, out += 7) {
        const uint64_t size = r->global[d] ? r->global[d] : 1;
        const uint64_t local = r->local[d] ? r->local[d] : 1;
        const uint64_t group = at[d] / local, left = size - group * local;

        ck_assert_uint_eq(out[0], at[d] + r->offset[d]);
        ck_assert_uint_eq(out[1], at[d] % local);
        ck_assert_uint_eq(out[2], group);
        ck_assert_uint_eq(out[3], left < local ? left : local);
        ck_assert_uint_eq(out[4], size);
        ck_assert_uint_eq(out[5], (size + local - 1) / local);
        ck_assert_uint_eq(out[6], r->offset[d]);
    }
    ck_assert_uint_eq(out[0], r->work_dim);
}

START_TEST(ids_are_right_in_ragged_ranges)
{
    static const struct test_range ranges[] = {
        {3, {5, 3, 4}, {2, 2, 3}, {10, 20, 30}, 0},
        {1, {17, 0, 0}, {4, 0, 0}, {(uint64_t)1 << 40, 0, 0}, 2},
        {2, {6, 5, 0}, {6, 2, 0}, {0, 7, 0}, 3},
        {3, {2, 3, 5}, {1, 1, 1}, {0, 0, 0}, 4},
        {3, {3, 3, 3}, {5, 5, 5}, {0, 0, 0}, 1},
    };
    struct test_kernel k;

    build(ids_source);
    FOR_EACH_VARIANT(&k, "ids")
    {
        for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
            const struct test_range *r = &ranges[i];
            uint64_t out[64 * 24] = {0}, at[3], n = 0;

            set_buffer(&k, 0, out);
            test_kernel_run(&k, r);
            for (at[2] = 0; at[2] < r->global[2] || at[2] == 0; at[2]++)
                for (at[1] = 0; at[1] < r->global[1] || at[1] == 0; at[1]++)
                    for (at[0] = 0; at[0] < r->global[0]; at[0]++)
                        check_item_ids(r, at, out + 24 * n++);
        }
    }
    finish();
}
END_TEST

// ---- arguments

static const char args_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "struct s { char c; int4 v; long x[3]; };\n"
    "kernel void args(char c, short3 s3, struct s s, float3 f3, local long *la, double "
    "d,\n"
    "                 uchar3 u3, global long *o, local char *lb, constant int *k, half "
    "h,\n"
    "                 long16 wide) {\n"
    "  if (get_global_id(0) != 0) { s.x[1] = 100; return; }\n"
    "  s.x[1] += 5; la[0] = 7; la[15] = 8; lb[0] = 9; lb[15] = 3;\n"
    "  int n = 0;\n"
    "  o[n++] = c; o[n++] = s3.x; o[n++] = s3.y; o[n++] = s3.z; o[n++] = s.c;\n"
    "  o[n++] = s.v.w; o[n++] = s.x[0]; o[n++] = s.x[1]; o[n++] = s.x[2];\n"
    "  o[n++] = f3.z * 10; o[n++] = la[0]; o[n++] = la[15]; o[n++] = d * 100;\n"
    "  o[n++] = u3.z; o[n++] = lb[0]; o[n++] = lb[15]; o[n++] = k[2];\n"
    "  o[n++] = (float)h * 8; o[n++] = wide.sf;\n"
    "}\n";

struct args_struct {
    _Alignas(16) char c;
    _Alignas(16) int v[4];
    int64_t x[3];
};

START_TEST(arguments_arrive)
{
    static const int64_t want[] = {-3, 1, -2,  3,   5, 44, 6,  12, -8, 35,
                                   7,  8, 225, 200, 9, 3,  33, 12, 15};
    const struct test_range range = {.work_dim = 1, .global = {3}, .local = {3}};
    const signed char c = -3;
    const int16_t s3[4] = {1, -2, 3};
    const struct args_struct s = {5, {1, 2, 3, 44}, {6, 7, -8}};
    const float f3[4] = {1, 2, 3.5F};
    const double d = 2.25;
    const unsigned char u3[4] = {1, 2, 200};
    const int k3[] = {1, 2, 33};
    const uint16_t half = 0x3e00; // 1.5
    const int64_t wide[16] = {[15] = 15};
    struct test_kernel k;

    build(args_source);
    FOR_EACH_VARIANT(&k, "args")
    {
        int64_t out[19] = {0};

        test_kernel_arg(&k, 0, sizeof(c), &c);
        test_kernel_arg(&k, 1, sizeof(s3), s3);
        test_kernel_arg(&k, 2, sizeof(s), &s);
        test_kernel_arg(&k, 3, sizeof(f3), f3);
        test_kernel_arg(&k, 4, 128, NULL);
        test_kernel_arg(&k, 5, sizeof(d), &d);
        test_kernel_arg(&k, 6, sizeof(u3), u3);
        set_buffer(&k, 7, out);
        test_kernel_arg(&k, 8, 16, NULL);
        set_buffer(&k, 9, k3);
        test_kernel_arg(&k, 10, sizeof(half), &half);
        test_kernel_arg(&k, 11, sizeof(wide), wide);
        test_kernel_run(&k, &range);
        for (size_t i = 0; i < 19; i++)
            ck_assert_int_eq(out[i], want[i]);
    }
    finish();
}
END_TEST

// ---- local memory and barriers

// How often the run-time hears of `count` work-items at barriers.
static long arrivals(const struct test_kernel *k, long count)
{
    return k->form == TF_WG_FIBERS ? count : 0;
}

static const char reverse_source[] =
    "kernel void reverse(global int *o, local int *t) {\n"
    "  local int s[64];\n"
    "  local char odd[3];\n"
    "  size_t l = get_local_id(0), n = get_local_size(0);\n"
    "  if (l == 0) odd[2] = 1;\n"
    "  s[l] = o[get_global_id(0)]; t[l] = l;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = s[n - 1 - l] * 1000 + t[n - 1 - l] + odd[2];\n"
    "}\n";

START_TEST(groups_exchange_through_local_memory)
{
    const struct test_range range = {.work_dim = 1, .global = {150}, .local = {64}};
    struct test_kernel k;

    build(reverse_source);
    FOR_EACH_VARIANT(&k, "reverse")
    {
        int o[150];

        ck_assert_uint_ge(k.info->local_bytes, 64 * 4 + 3);
        ck_assert_int_eq(k.form, test_variants[variant_].form);
        for (int i = 0; i < 150; i++)
            o[i] = i;
        set_buffer(&k, 0, o);
        test_kernel_arg(&k, 1, 256, NULL);
        ck_assert_int_eq(test_kernel_run(&k, &range), arrivals(&k, 150));
        for (int i = 0; i < 150; i++) {
            const int group = i / 64 * 64, size = 150 - group < 64 ? 150 - group : 64;
            const int other = size - 1 - (i - group);

            ck_assert_int_eq(o[i], (group + other) * 1000 + other + 1);
        }
    }
    finish();
}
END_TEST

static const char odd_barriers_source[] =
    "kernel void in_loop(global int *o) {\n"
    "  int l = get_local_id(0);\n"
    "  for (int i = 0; i < l + 1; i++) if (i == 0) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = l;\n"
    "}\n"
    "kernel void after_return(global int *o) {\n"
    "  local int s;\n"
    "  if (get_local_id(0) < 2) { s = 40; return; }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = s + get_local_id(0);\n"
    "}\n"
    "kernel void tree(global int *o) {\n"
    "  local int s[16];\n"
    "  int l = get_local_id(0);\n"
    "  s[l] = o[get_global_id(0)];\n"
    "  for (int n = 8; n > 0; n /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < n) s[l] += s[l + n];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = s[0];\n"
    "}\n";

START_TEST(barriers_work_in_loops_and_conditions)
{
    const struct test_range range = {.work_dim = 1, .global = {32}, .local = {16}};
    struct test_kernel k;

    build(odd_barriers_source);
    FOR_EACH_VARIANT(&k, "in_loop")
    {
        int o[32] = {0};

        set_buffer(&k, 0, o);
        ck_assert_int_eq(test_kernel_run(&k, &range), arrivals(&k, 32));
        for (int i = 0; i < 32; i++)
            ck_assert_int_eq(o[i], i % 16);
    }
    FOR_EACH_VARIANT(&k, "after_return")
    {
        int o[32] = {0};

        set_buffer(&k, 0, o);
        test_kernel_run(&k, &range);
        for (int i = 0; i < 32; i++)
            ck_assert_int_eq(o[i], i % 16 < 2 ? 0 : 40 + i % 16);
    }
    FOR_EACH_VARIANT(&k, "tree")
    {
        int o[32];

        for (int i = 0; i < 32; i++)
            o[i] = i;
        set_buffer(&k, 0, o);
        test_kernel_run(&k, &range);
        for (int i = 0; i < 32; i++)
            ck_assert_int_eq(o[i], i < 16 ? 120 : 376);
    }
    finish();
}
END_TEST

// What waits behind a barrier, per work-item: nothing that the group has in common, or
// that can be computed anew.
static const char waiting_source[] =
    "kernel void nothing(global int *o, int n) {\n"
    "  local int s[64]; int l = get_local_id(0), g = get_global_id(0) * 4 + n;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    s[l] = g + i; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l == i) o[g & 31] = s[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n"
    "kernel void one(global int *o, int n) {\n"
    "  local int s[64]; int l = get_local_id(0), sum = 0;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    s[l] = o[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    sum += s[l ^ i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  o[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void read_by_all(global int *o, int n) {\n"
    "  local int s[64]; int l = get_local_id(0), sum = 0;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    s[l] = o[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    sum += s[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  o[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void array(global int *o, int n) {\n"
    "  int p[100], l = get_local_id(0);\n"
    "  for (int i = 0; i < 100; i++) p[i] = o[i & 31] + n;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = p[o[l] & 63];\n"
    "}\n"
    "kernel void array_of_one_part(global int *o, int n) {\n"
    "  local int s[64]; int l = get_local_id(0);\n"
    "  s[l] = o[l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int p[100];\n"
    "  for (int i = 0; i < 100; i++) p[i] = s[i & 31] + n;\n"
    "  o[get_global_id(0)] = p[o[l] & 63];\n"
    "}\n"
    "kernel void elements(global int *o, int n) {\n"
    "  local int s[64]; int p[4], sum = 0, l = get_local_id(0);\n"
    "  for (int i = 0; i < 4; i++) { p[i] = o[4 * l + i]; sum += p[i]; }\n"
    "  s[l] = sum + n; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[get_global_id(0)] = s[l ^ 1] + p[2];\n"
    "}\n";

START_TEST(what_waits_behind_barriers_is_little)
{
    static const struct {
        const char *kernel;
        uint64_t item_bytes;
    } cases[] = {{"nothing", 0},           {"one", 4},
                 {"read_by_all", 0},       {"array", 448},
                 {"array_of_one_part", 0}, {"elements", 4}};
    static const struct test_variant loops = {
        .form = TF_WG_LOOPS, .cpu = "x86-64", .vector_bits = 128};

    build(waiting_source);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct test_kernel k;

        test_kernel_generate(&k, &program, cases[i].kernel, &loops);
        ck_assert_int_eq(k.form, TF_WG_LOOPS);
        ck_assert_uint_eq(k.code.scratch.width, 1);
        ck_assert_msg(k.code.scratch.gang_bytes == cases[i].item_bytes, "%s: %llu",
                      cases[i].kernel, (unsigned long long)k.code.scratch.gang_bytes);
        test_kernel_finish(&k);
    }
    finish();
}
END_TEST

// Constant expressions over __local variables: in selects, phis, arrays and differences.
static const char local_addresses_source[] =
    "kernel void addresses(global long *o, int c) {\n"
    "  local int a[8]; local int b[16]; local struct { int x; int y[5]; } q;\n"
    "  local int *p = c ? a + 3 : &q.y[2];\n"
    "  *p = 5; a[1] = 1; b[2] = 2; q.y[1] = 7;\n"
    "  local int *r[2] = {&b[2], &q.y[1]};\n"
    "  switch (c) { case 4: case 5: case 9: p = &b[2]; break; default: break; }\n"
    "  o[0] = *p + *r[c & 1];\n"
    "  o[1] = (uintptr_t)a % 4 + (uintptr_t)(b + 3) % 4 + (uintptr_t)&q.y[3] % 4;\n"
    "}\n"
    "void inner(global int *o, int v) { o[get_global_id(0)] += v; }\n"
    "kernel void callee(global int *o, int v) {\n"
    "  local int t[4];\n"
    "  t[get_local_id(0) & 3] = v; inner(o, t[get_local_id(0) & 3]);\n"
    "}\n"
    "kernel void caller(global int *o) { callee(o, 3); callee(o, 4); }\n";

START_TEST(local_variables_have_addresses)
{
    static const int cases[][2] = {{0, 5 + 2}, {1, 5 + 7}, {4, 2 + 2}, {9, 2 + 7}};
    const struct test_range one = {.work_dim = 1};
    const struct test_range four = {.work_dim = 1, .global = {4}, .local = {4}};
    struct test_kernel k;

    build(local_addresses_source);
    FOR_EACH_VARIANT(&k, "addresses")
    {
        for (size_t i = 0; i < 4; i++) {
            int64_t o[2] = {-1, -1};

            set_buffer(&k, 0, o);
            test_kernel_arg(&k, 1, sizeof(int), &cases[i][0]);
            test_kernel_run(&k, &one);
            ck_assert_int_eq(o[0], cases[i][1]);
            ck_assert_int_eq(o[1], 0);
        }
    }
    FOR_EACH_VARIANT(&k, "caller")
    {
        int o[4] = {1, 2, 3, 4};

        set_buffer(&k, 0, o);
        test_kernel_run(&k, &four);
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(o[i], i + 8);
    }
    finish();
}
END_TEST

// Private memory on the stack and, where it is alive at a barrier, beside it; each item's
// own.
static const char spaces_source[] =
    "int space(int *p) {\n"
    "  return to_local(p) ? 3 : to_global(p) ? 1 : to_private(p) ? 0 : 4;\n"
    "}\n"
    "kernel void kept(global int *o) {\n"
    "  local int s[4]; int l = get_local_id(0), p[4] = {0}, q[4] = {0};\n"
    "  int *a = l & 1 ? &p[l] : (int *)&o[l];\n"
    "  int *b = l & 1 ? (int *)&s[l] : &q[l];\n"
    "  *a = *b = 0;\n"
    "  int before = space(a) + 8 * space(b);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[l] = before + 64 * space(a) + 512 * space(b) + *a + *b;\n"
    "}\n"
    "kernel void on_the_stack(global int *o) {\n"
    "  int l = get_local_id(0), p[4] = {0};\n"
    "  int *a = l & 1 ? &p[l] : (int *)&o[l];\n"
    "  *a = 7; o[l] = space(a) + *a;\n"
    "}\n";

static void check_spaces(const char *kernel, int odd, int even)
{
    static int o[4]; // not on the stack, which is private memory
    const struct test_range four = {.work_dim = 1, .global = {4}, .local = {4}};
    struct test_kernel k;

    FOR_EACH_VARIANT(&k, kernel)
    {
        set_buffer(&k, 0, o);
        test_kernel_run(&k, &four);
        for (int l = 0; l < 4; l++)
            ck_assert_int_eq(o[l], l & 1 ? odd : even);
    }
}

START_TEST(generic_pointers_know_their_space)
{
    test_program_build(&program, spaces_source, "-cl-std=CL3.0");
    check_spaces("kept", 8 * 3 + 512 * 3, 1 + 64);
    check_spaces("on_the_stack", 7, 8);
    finish();
}
END_TEST

// ---- what must not end the process

static const char division_source[] =
    "kernel void ints(global const int *a, global const int *b, global int *o) {\n"
    "  size_t i = get_global_id(0);\n"
    "  o[4 * i] = a[i] / b[i]; o[4 * i + 1] = a[i] % b[i];\n"
    "  o[4 * i + 2] = (uint)a[i] / (uint)b[i]; o[4 * i + 3] = (uint)a[i] % (uint)b[i];\n"
    "}\n"
    "kernel void longs(global const long *a, global const long *b, global long *o) {\n"
    "  size_t i = get_global_id(0);\n"
    "  o[4 * i] = a[i] / b[i]; o[4 * i + 1] = a[i] % b[i];\n"
    "  o[4 * i + 2] = (ulong)a[i] / (ulong)b[i]; o[4 * i + 3] = (ulong)a[i] % "
    "(ulong)b[i];\n"
    "}\n"
    "kernel void vectors(global const int4 *a, global const int4 *b, global int4 *o) {\n"
    "  char4 c = convert_char4(a[0]) / convert_char4(b[0]);\n"
    "  o[0] = a[0] / b[0]; o[1] = a[0] % b[0]; o[2] = convert_int4(c);\n"
    "}\n";

static const int64_t numbers[] = {0,  1,       -1,      2,         -2,       7,
                                  -7, INT_MIN, INT_MAX, LLONG_MIN, LLONG_MAX};
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]), PAIRS = NUMBERS * NUMBERS };

static void check_quotients(int64_t a, int64_t b, int64_t min, const int64_t got[4],
                            bool wide)
{
    if (b == 0 || (b == -1 && a == min))
        return; // undefined value: that we are here is the test
    ck_assert_int_eq(got[0], a / b);
    ck_assert_int_eq(got[1], a % b);
    ck_assert_uint_eq((uint64_t)got[2],
                      wide ? (uint64_t)a / (uint64_t)b : (uint32_t)a / (uint32_t)b);
    ck_assert_uint_eq((uint64_t)got[3],
                      wide ? (uint64_t)a % (uint64_t)b : (uint32_t)a % (uint32_t)b);
}

START_TEST(division_never_traps)
{
    const struct test_range range = {.work_dim = 1, .global = {PAIRS}, .local = {PAIRS}};
    int64_t la[PAIRS], lb[PAIRS];
    int a[PAIRS], b[PAIRS];
    struct test_kernel k;

    for (int i = 0; i < PAIRS; i++) {
        la[i] = numbers[i / NUMBERS];
        lb[i] = numbers[i % NUMBERS];
        a[i] = (int)la[i];
        b[i] = (int)lb[i];
    }
    build(division_source);
    FOR_EACH_VARIANT(&k, "ints")
    {
        int o[4 * PAIRS] = {0};

        set_buffer(&k, 0, a);
        set_buffer(&k, 1, b);
        set_buffer(&k, 2, o);
        test_kernel_run(&k, &range);
        for (int i = 0; i < PAIRS; i++) {
            const int *p = o + 4 * i;
            const int64_t got[] = {p[0], p[1], (uint32_t)p[2], (uint32_t)p[3]};

            check_quotients(a[i], b[i], INT_MIN, got, false);
        }
    }
    FOR_EACH_VARIANT(&k, "longs")
    {
        int64_t o[4 * PAIRS] = {0};

        set_buffer(&k, 0, la);
        set_buffer(&k, 1, lb);
        set_buffer(&k, 2, o);
        test_kernel_run(&k, &range);
        for (int i = 0; i < PAIRS; i++)
            check_quotients(la[i], lb[i], LLONG_MIN, o + 4 * i, true);
    }
    finish();
}
END_TEST

START_TEST(vector_division_never_traps)
{
    static _Alignas(16) const int a[4] = {INT_MIN, 9, -9, 5}, b[4] = {-1, 0, 2, -1};
    const struct test_range one = {.work_dim = 1};
    struct test_kernel k;

    build(division_source);
    FOR_EACH_VARIANT(&k, "vectors")
    {
        _Alignas(16) int o[12] = {0};

        set_buffer(&k, 0, a);
        set_buffer(&k, 1, b);
        set_buffer(&k, 2, o);
        test_kernel_run(&k, &one);
        ck_assert_int_eq(o[2], -4);
        ck_assert_int_eq(o[3], -5);
        ck_assert_int_eq(o[6], -1);
        ck_assert_int_eq(o[7], 0);
        ck_assert_int_eq(o[10], -4);
    }
    finish();
}
END_TEST

START_TEST(unreachable_code_ends_the_item)
{
    const struct test_range range = {.work_dim = 1, .global = {4}, .local = {2}};
    struct test_kernel k;

    build("kernel void end(global int *o) {\n"
          "  size_t i = get_global_id(0);\n"
          "  if (o[i] == 3) __builtin_unreachable();\n"
          "  o[i] = 77;\n"
          "}\n");
    FOR_EACH_VARIANT(&k, "end")
    {
        int o[4] = {1, 2, 3, 4};

        set_buffer(&k, 0, o);
        test_kernel_run(&k, &range);
        ck_assert_int_eq(o[0], 77);
        ck_assert_int_eq(o[3], 77);
    }
    finish();
}
END_TEST

// ---- memory

START_TEST(items_may_overlap_in_memory)
{
    const struct test_range range = {.work_dim = 1, .global = {64}, .local = {64}};
    struct test_kernel k;

    build("kernel void shift(global int *a) {\n"
          "  size_t i = get_global_id(0);\n"
          "  int next = a[i + 1];\n"
          "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
          "  a[i] = next;\n"
          "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
          "  if (i == 0) a[64] = a[0] + a[63];\n"
          "}\n");
    FOR_EACH_VARIANT(&k, "shift")
    {
        int a[65];

        for (int i = 0; i < 65; i++)
            a[i] = i * i;
        set_buffer(&k, 0, a);
        ck_assert_int_eq(test_kernel_run(&k, &range), arrivals(&k, 128));
        for (int i = 0; i < 64; i++)
            ck_assert_int_eq(a[i], (i + 1) * (i + 1));
        ck_assert_int_eq(a[64], 1 + 64 * 64);
    }
    finish();
}
END_TEST

static const char sums_source[] =
    "kernel void sums(global uint *o, global const uint *v, int n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) o[i] = o[i] * 3 + v[i + 100 * (k & 1)];\n"
    "}\n"
    "kernel void sums_of_rows(global int *o, global const int *v, global const int *w,\n"
    "                         int n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  o[i] = 0;\n"
    "  for (int k = 0; k < n; k++) {\n"
    "    if (v[k] == 77) break;\n"
    "    o[i] += v[i * n + k] * w[k];\n"
    "  }\n"
    "}\n";

// As one work-item after the other does it.
static void sum_up(int *o, const int *v, int items, int n)
{
    for (int i = 0; i < items; i++)
        for (int k = 0; k < n; k++)
            o[i] = (int)((unsigned)o[i] * 3u + (unsigned)v[i + 100 * (k & 1)]);
}

// What is read is what is summed, and something else: whatever launches say, it is right.
START_TEST(sums_in_memory_may_be_what_is_read)
{
    enum { ITEMS = 100, ROUNDS = 7 };
    static const struct test_range range = {1, {ITEMS, 0, 0}, {ITEMS, 0, 0}, {0}, 0};
    int n = ROUNDS;
    struct test_kernel k;

    build(sums_source);
    FOR_EACH_VARIANT(&k, "sums")
    {
        int o[2 * ITEMS], v[2 * ITEMS], wanted[2 * ITEMS];

        for (int i = 0; i < 2 * ITEMS; i++)
            o[i] = wanted[i] = v[i] = i * 5 - 3;
        test_kernel_arg(&k, 2, sizeof(n), &n);
        set_buffer(&k, 0, o);
        set_buffer(&k, 1, o);
        sum_up(wanted, wanted, ITEMS, ROUNDS);
        test_kernel_run(&k, &range);
        ck_assert_mem_eq(o, wanted, sizeof(o));
        set_buffer(&k, 1, v);
        sum_up(wanted, v, ITEMS, ROUNDS);
        test_kernel_run(&k, &range);
        ck_assert_mem_eq(o, wanted, sizeof(o));
        sum_up(wanted, v, ITEMS, ROUNDS);
        k.apart = true;
        test_kernel_run(&k, &range);
        ck_assert_mem_eq(o, wanted, sizeof(o));
    }
    finish();
}
END_TEST

START_TEST(sums_in_memory_of_loops_that_end_early)
{
    enum { ITEMS = 45, COLUMNS = 9 };
    static const struct test_range range = {1, {ITEMS, 0, 0}, {16, 0, 0}, {0}, 0};
    int n = COLUMNS, w[COLUMNS], v[ITEMS * COLUMNS];
    struct test_kernel k;

    for (int i = 0; i < COLUMNS; i++)
        w[i] = 3 - i;
    build(sums_source);
    FOR_EACH_VARIANT(&k, "sums_of_rows")
    {
        for (int run = 0; run < 4; run++) {
            int o[ITEMS], rounds = 0;

            for (int i = 0; i < ITEMS * COLUMNS; i++)
                v[i] = i * 7 % 50;
            if (run & 2)
                v[5] = 77;
            while (rounds < n && v[rounds] != 77)
                rounds++;
            k.apart = run & 1;
            memset(o, 0xa5, sizeof(o));
            set_buffer(&k, 0, o);
            set_buffer(&k, 1, v);
            set_buffer(&k, 2, w);
            test_kernel_arg(&k, 3, sizeof(n), &n);
            test_kernel_run(&k, &range);
            for (int i = 0; i < ITEMS; i++) {
                int sum = 0;

                for (int c = 0; c < rounds; c++)
                    sum += v[i * n + c] * w[c];
                ck_assert_int_eq(o[i], sum);
            }
        }
    }
    finish();
}
END_TEST

START_TEST(large_private_arrays_are_accounted)
{
    const struct test_range range = {.work_dim = 1, .global = {9}, .local = {4}};
    struct test_kernel k;

    build("kernel void big(global int *o, int n) {\n"
          "  int p[5000], s = 0;\n"
          "  for (int i = 0; i < 5000; i++) p[i] = i * n;\n"
          "  for (int i = 0; i < 50; i++) s += p[(i * n + get_global_id(0)) % 5000];\n"
          "  o[get_global_id(0)] = s;\n"
          "}\n");
    FOR_EACH_VARIANT(&k, "big")
    {
        const int n = 3;
        int o[9] = {0};

        ck_assert_uint_ge(k.stack_bytes, 5000 * sizeof(int));
        ck_assert_uint_le(k.stack_bytes, 128 * 1024);
        set_buffer(&k, 0, o);
        test_kernel_arg(&k, 1, sizeof(n), &n);
        test_kernel_run(&k, &range);
        for (int i = 0; i < 9; i++) {
            int want = 0;

            for (int j = 0; j < 50; j++)
                want += (j * n + i) % 5000 * n;
            ck_assert_int_eq(o[i], want);
        }
    }
    finish();
}
END_TEST

START_TEST(constant_tables_of_pointers_are_relocated)
{
    static const int table[] = {3, 1, 4, 1};
    const struct test_range range = {.work_dim = 1, .global = {8}, .local = {4}};
    struct test_kernel k;

    build("constant int table[4] = {3, 1, 4, 1};\n"
          "constant int *constant rows[3] = {table, table + 1, table + 2};\n"
          "kernel void look(global int *o, int s) {\n"
          "  size_t i = get_global_id(0);\n"
          "  o[i] = table[i & 3] * 10 + rows[(i + s) % 3][s];\n"
          "}\n");
    FOR_EACH_VARIANT(&k, "look")
    {
        for (int s = 0; s < 2; s++) {
            int o[8] = {0};

            set_buffer(&k, 0, o);
            test_kernel_arg(&k, 1, sizeof(s), &s);
            test_kernel_run(&k, &range);
            for (int i = 0; i < 8; i++)
                ck_assert_int_eq(o[i], table[i & 3] * 10 + table[(i + s) % 3 + s]);
        }
    }
    finish();
}
END_TEST

// ---- names

START_TEST(names_of_kernels_do_not_clash_with_ours)
{
    const struct test_range one = {.work_dim = 1};
    static const char *const names[] = {"x", "tf_wg_x", "tf_item", "memcpy_",
                                        "tf_wg_tf_item"};
    struct test_kernel k;

    build("kernel void x(global int *o) { *o = 0; }\n"
          "kernel void tf_wg_x(global int *o) { *o = 1; }\n"
          "kernel void tf_item(global int *o) { *o = 2; }\n"
          "kernel void memcpy_(global int *o) { *o = 3; }\n"
          "kernel void tf_wg_tf_item(global int *o) { *o = 4; }\n");
    for (int i = 0; i < 5; i++) {
        FOR_EACH_VARIANT(&k, names[i])
        {
            int o = -1;

            set_buffer(&k, 0, &o);
            test_kernel_run(&k, &one);
            ck_assert_int_eq(o, i);
        }
    }
    finish();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wg");
    TCase *tests = tcase_create("wg");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, ids_are_right_in_ragged_ranges);
    tcase_add_test(tests, arguments_arrive);
    tcase_add_test(tests, groups_exchange_through_local_memory);
    tcase_add_test(tests, barriers_work_in_loops_and_conditions);
    tcase_add_test(tests, what_waits_behind_barriers_is_little);
    tcase_add_test(tests, local_variables_have_addresses);
    tcase_add_test(tests, generic_pointers_know_their_space);
    tcase_add_test(tests, division_never_traps);
    tcase_add_test(tests, vector_division_never_traps);
    tcase_add_test(tests, unreachable_code_ends_the_item);
    tcase_add_test(tests, items_may_overlap_in_memory);
    tcase_add_test(tests, sums_in_memory_may_be_what_is_read);
    tcase_add_test(tests, sums_in_memory_of_loops_that_end_early);
    tcase_add_test(tests, large_private_arrays_are_accounted);
    tcase_add_test(tests, constant_tables_of_pointers_are_relocated);
    tcase_add_test(tests, names_of_kernels_do_not_clash_with_ours);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
