// SPDX-License-Identifier: MIT
// Code generation: what it refuses, and many at a time.
#include <pthread.h>
#include <string.h>

#include <check.h>

#include "abi/compiler.h"
#include "base/alloc.h"
#include "base/str.h"
#include "support/compiled_kernel.h"
#include "support/suite.h"

static enum tf_compiler_status generate(struct tf_compiler_bytes bitcode,
                                        const char *kernel, char *log, size_t log_bytes)
{
    const struct tf_generate_in in = {
        .bitcode = bitcode,
        .kernel = kernel,
        .triple = "x86_64-unknown-linux-gnu",
        .cpu = "x86-64",
        .features = "",
        .vector_bits = 128,
        .form = TF_WG_AUTO,
    };
    struct tf_generate_out out;
    const enum tf_compiler_status status = test_compiler()->generate(&in, &out);

    strncpy(log, out.log ? out.log : "", log_bytes - 1);
    log[log_bytes - 1] = '\0';
    ck_assert((status == TF_COMPILER_OK) == (out.object.data != NULL));
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    return status;
}

START_TEST(unknown_kernels_and_damaged_bitcode_are_errors)
{
    struct tf_compiler_bytes damaged;
    struct test_program program;
    char log[1000];

    test_program_build(&program,
                       "kernel void k(global int *o) { o[get_global_id(0)] = 1; }\n", "");
    ck_assert_int_eq(generate(program.bitcode, "k", log, sizeof(log)), TF_COMPILER_OK);
    ck_assert_int_ne(generate(program.bitcode, "no_such", log, sizeof(log)),
                     TF_COMPILER_OK);
    ck_assert_ptr_nonnull(strstr(log, "no_such"));
    damaged = program.bitcode;
    damaged.bytes /= 2;
    ck_assert_int_ne(generate(damaged, "k", log, sizeof(log)), TF_COMPILER_OK);
    ck_assert_str_ne(log, "");
    damaged.data = (void *)(uintptr_t) "not bitcode at all";
    damaged.bytes = 18;
    ck_assert_int_ne(generate(damaged, "k", log, sizeof(log)), TF_COMPILER_OK);
    ck_assert_str_ne(log, "");
    // What would do as text: programs never come so.
    damaged.data = (void *)(uintptr_t) "define spir_kernel void @k() { ret void }";
    damaged.bytes = strlen(damaged.data);
    ck_assert_int_ne(generate(damaged, "k", log, sizeof(log)), TF_COMPILER_OK);
    test_program_finish(&program);
}
END_TEST

// `labels` places, each reached from everywhere by a jump.
static char *tangled(unsigned labels)
{
    struct tf_str str = {0};

    tf_str_printf(&str, "kernel void k(global uint *o) { uint x = o[get_global_id(0)]; "
                        "int fuel = 200;\n");
    for (unsigned i = 0; i < labels; i++)
        tf_str_printf(&str,
                      "l%u: if (fuel-- < 0) goto end; x = x * 1664525 + %u;\n"
                      "if ((x >> 24) %% 3 == 1) goto l%u; if (x & 16) goto l%u;\n",
                      i, i, i * 7 % labels, i * 11 % labels);
    tf_str_printf(&str, "end: o[get_global_id(0)] = x; }\n");
    return tf_str_take(&str);
}

static struct tf_generate_in in_for_avx2(const char *kernel)
{
    return (struct tf_generate_in){.kernel = kernel,
                                   .triple = "x86_64-unknown-linux-gnu",
                                   .cpu = "x86-64-v3",
                                   .features = "",
                                   .vector_bits = 256,
                                   .form = TF_WG_AUTO};
}

static enum tf_wg_form form_of(unsigned labels)
{
    struct tf_generate_in in = in_for_avx2("k");
    struct test_program program;
    struct tf_generate_out out;
    char *source = tangled(labels);

    test_program_build(&program, source, "");
    tf_free(source);
    in.bitcode = program.bitcode;
    ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    test_program_finish(&program);
    return out.form;
}

// As lanes the second one took minutes and hundreds of MB.
START_TEST(lanes_are_not_made_of_a_tangle)
{
    ck_assert_int_eq(form_of(4), TF_WG_SIMT);
    ck_assert_int_eq(form_of(60), TF_WG_LOOPS);
}
END_TEST

START_TEST(missing_processors_are_errors)
{
    struct test_program program;
    struct tf_generate_in in = {.kernel = "k",
                                .triple = "no-such-machine",
                                .cpu = "x86-64",
                                .features = "",
                                .vector_bits = 128};
    struct tf_generate_out out;

    test_program_build(&program, "kernel void k(global int *o) { *o = 1; }", "");
    in.bitcode = program.bitcode;
    ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_INTERNAL);
    ck_assert_ptr_nonnull(strstr(out.log, "no-such-machine"));
    ck_assert_ptr_null(out.object.data);
    test_compiler()->release(out.log);
    test_program_finish(&program);
}
END_TEST

// Objects must not depend on who else compiles, nor on when.
struct generator {
    struct tf_compiler_bytes bitcode, object;
    enum tf_compiler_status status;
};

static void *generate_once(void *arg)
{
    struct generator *g = arg;
    struct tf_generate_in in = in_for_avx2("sum");
    struct tf_generate_out out;

    in.bitcode = g->bitcode;
    g->status = test_compiler()->generate(&in, &out);
    g->object = out.object;
    test_compiler()->release(out.log);
    return NULL;
}

START_TEST(objects_are_the_same_from_many_threads)
{
    enum { THREADS = 6 };
    struct generator generators[THREADS];
    struct test_program program;
    pthread_t threads[THREADS];

    test_program_build(
        &program,
        "kernel void sum(global const float *a, global float *o, int n) {\n"
        "  float s = 0;\n"
        "  for (int i = 0; i < n; i++) s += a[i + get_global_id(0)];\n"
        "  o[get_global_id(0)] = s;\n"
        "}\n",
        "");
    for (int i = 0; i < THREADS; i++) {
        generators[i] = (struct generator){.bitcode = program.bitcode};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, generate_once, &generators[i]),
                         0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(generators[i].status, TF_COMPILER_OK);
        ck_assert_uint_eq(generators[i].object.bytes, generators[0].object.bytes);
        ck_assert_mem_eq(generators[i].object.data, generators[0].object.data,
                         generators[0].object.bytes);
    }
    for (int i = 0; i < THREADS; i++)
        test_compiler()->release(generators[i].object.data);
    test_program_finish(&program);
}
END_TEST

// Long enough for a budget of a millisecond to end in the middle.
static void build_long(struct test_program *program)
{
    struct tf_str source = {0};
    char *text;

    tf_str_add(&source, "kernel void k(global float *a, global int *b) {\n"
                        "  size_t i = get_global_id(0); float x = a[i]; int y = b[i];\n");
    for (int n = 0; n < 300; n++)
        tf_str_printf(&source, "  if (y & %d) x = x * %d + a[y & 63]; y += (int)x;\n",
                      1 << n % 20, n);
    tf_str_add(&source, "  a[i] = x; b[i] = y; }\n");
    text = tf_str_take(&source);
    test_program_build(program, text, "");
    tf_free(text);
}

START_TEST(optimization_ends_with_its_budget)
{
    struct tf_generate_in in = in_for_avx2("k");
    struct test_program program;
    struct tf_generate_out out;
    enum tf_compiler_status status;

    in.budget_ms = 1;
    build_long(&program);
    in.bitcode = program.bitcode;
    status = test_compiler()->generate(&in, &out);
    // Given up by our passes, or LLVM's are left out; either says so.
    ck_assert_ptr_nonnull(strstr(out.log, status == TF_COMPILER_OK
                                              ? "optimization was cut short"
                                              : "takes too long to optimize"));
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    in.budget_ms = 60000;
    ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
    ck_assert_str_eq(out.log, "");
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    test_program_finish(&program);
}
END_TEST

START_TEST(unrolling_has_a_bound)
{
    struct test_program program;
    char log[1000];

    test_program_build(&program,
                       "kernel void k(global float *a) { float s = 0;\n"
                       "#pragma unroll 1000000\n"
                       "  for (int i = 0; i < 1000000; i++) s += a[i] * i;\n"
                       "  a[0] = s; }\n",
                       "");
    // Without a bound 2 GB and half a minute.
    ck_assert_int_eq(generate(program.bitcode, "k", log, sizeof(log)), TF_COMPILER_OK);
    test_program_finish(&program);
}
END_TEST

START_TEST(quick_code_is_made_of_the_same_kernel)
{
    struct tf_generate_in in = in_for_avx2("k");
    struct test_program program;
    struct tf_generate_out out;

    in.form = TF_WG_LOOPS;
    in.quick = true;
    build_long(&program);
    in.bitcode = program.bitcode;
    ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
    ck_assert_int_eq(out.form, TF_WG_LOOPS);
    ck_assert_str_eq(out.log, "");
    ck_assert_uint_eq(out.scratch.width, 0);
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    test_program_finish(&program);
}
END_TEST

// The code generator is kept: it must forget one kernel before the next.
static void check_again(struct tf_generate_in in)
{
    const char *const order[] = {"a", "b", "c", "b", "a"};
    struct tf_generate_out out[5];

    for (int i = 0; i < 5; i++) {
        in.kernel = order[i];
        ck_assert_int_eq(test_compiler()->generate(&in, &out[i]), TF_COMPILER_OK);
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(out[i].object.bytes, out[4 - i].object.bytes);
        ck_assert(
            !memcmp(out[i].object.data, out[4 - i].object.data, out[i].object.bytes));
        ck_assert_uint_eq(out[i].stack_bytes, out[4 - i].stack_bytes);
    }
    for (int i = 0; i < 5; i++) {
        test_compiler()->release(out[i].object.data);
        test_compiler()->release(out[i].log);
    }
}

START_TEST(objects_do_not_depend_on_what_came_before)
{
    struct tf_generate_in in = in_for_avx2(NULL);
    struct test_program program;

    test_program_build(
        &program,
        "constant float t[] = {1, 2, 3, 5, 8};\n"
        "kernel void a(global float *p, int n) { size_t i = get_global_id(0);\n"
        "  for (int k = 0; k < n; k++) p[i] = p[i] * 2.5f + t[k % 5]; }\n"
        "kernel void b(global float *p) { local float l[64]; float big[99];\n"
        "  size_t i = get_local_id(0); l[i] = p[i]; barrier(1); big[i] = l[63 - i];\n"
        "  p[i] = big[(int)p[0]]; }\n"
        "kernel void c(global int *p) { printf(\"%d\\n\", p[0]); }\n",
        "");
    in.bitcode = program.bitcode;
    check_again(in);
    in.quick = true;
    in.form = TF_WG_LOOPS;
    check_again(in);
    test_program_finish(&program);
}
END_TEST

// A row of neighbours, whose index is summed up from both ends.
START_TEST(indices_in_parts_lie_side_by_side)
{
    struct tf_generate_in in = in_for_avx2("k");
    struct tf_generate_out out = {0};
    struct test_program program;

    in.report = true;
    test_program_build(
        &program,
        "kernel void k(global float *out, global const float *in, int w, int h) {\n"
        "  int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
        "  for (int dy = -2; dy <= 2; dy++) {\n"
        "    if (y + dy < 0 || y + dy >= h) continue;\n"
        "    for (int dx = -2; dx <= 2; dx++) {\n"
        "      int nx = x + dx; sum += in[(y + dy) * w + nx]; } }\n"
        "  out[y * w + x] = sum; }\n",
        "");
    in.bitcode = program.bitcode;
    ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
    ck_assert_ptr_nonnull(out.log);
    ck_assert_msg(strstr(out.log, "simt") && !strstr(out.log, "unless"), "%s", out.log);
    test_compiler()->release(out.object.data);
    test_compiler()->release(out.log);
    test_program_finish(&program);
}
END_TEST

// What runs at once of rows that reach through groups, so that the run-time hands out
// whole multiples of it.
START_TEST(code_says_what_it_runs_at_once)
{
    struct tf_generate_in in = in_for_avx2(NULL);
    const char *const names[] = {"rows", "groups"};
    struct tf_generate_out out;
    struct test_program program;

    in.form = TF_WG_SIMT;
    in.width = 8;
    test_program_build(
        &program,
        "kernel void rows(global float *c, global const float *b, int n) {\n"
        "  int x = get_global_id(0), y = get_global_id(1); float s = 0;\n"
        "  for (int k = 0; k < n; k++) s += c[y * n + k] * b[k * n + x];\n"
        "  c[y * n + x] = s; }\n"
        "kernel void groups(global float *c) { c[get_global_id(0)] += get_local_id(0); }",
        "");
    in.bitcode = program.bitcode;
    for (unsigned i = 0; i < 4; i++) {
        in.kernel = names[i / 2];
        in.pack_rows = i % 2 ? 4 : 1;
        memset(&out, 0, sizeof(out));
        ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
        ck_assert_uint_eq(out.fit.through_groups, i < 2);
        ck_assert_uint_eq(out.fit.columns, 8);
        ck_assert_uint_eq(out.fit.rows, i == 1 ? 4 : 1);
        test_compiler()->release(out.object.data);
        test_compiler()->release(out.log);
    }
    test_program_finish(&program);
}
END_TEST

START_TEST(code_says_whether_groups_may_wait_for_those_before)
{
    struct tf_generate_in in = in_for_avx2(NULL);
    const char *const names[] = {"flags",   "all",    "plain", "copied",
                                 "structs", "ticket", "sums",  "none"};
    static const enum tf_wg_form forms[] = {TF_WG_AUTO, TF_WG_LOOPS, TF_WG_FIBERS};
    struct tf_generate_out out;
    struct test_program program;

    test_program_build(
        &program,
        "kernel void flags(global volatile int *done) {\n"
        "  size_t g = get_group_id(0);\n"
        "  if (g) while (!done[g - 1]);\n"
        "  done[g] = 1; }\n"
        "kernel void all(global volatile int *done, local int *seen) {\n"
        "  size_t g = get_group_id(0), l = get_local_id(0);\n"
        "  do {\n"
        "    if (l == 0) *seen = g == 0 || done[g - 1];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    int s = *seen;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (s) break;\n"
        "  } while (1);\n"
        "  done[g] = 1; }\n"
        "kernel void plain(global int *done) {\n"
        "  size_t g = get_group_id(0);\n"
        "  do barrier(CLK_GLOBAL_MEM_FENCE); while (g && !done[g - 1]);\n"
        "  done[g] = 1; }\n"
        "kernel void copied(global volatile int *done, global int *seen) {\n"
        "  size_t g = get_group_id(0);\n"
        "  do seen[g] = g == 0 || done[g - 1]; while (!seen[g]);\n"
        "  done[g] = 1; }\n"
        "struct S { int p[16]; };\n"
        "kernel void structs(global volatile struct S *s) {\n"
        "  size_t g = get_group_id(0);\n"
        "  for (; g;) {\n"
        "    struct S t = s[(g - 1) / 16];\n"
        "    if (t.p[(g - 1) & 15]) break; }\n"
        "  ((global volatile int *)s)[g] = 1; }\n"
        "kernel void ticket(global volatile int *next, global int *out) {\n"
        "  for (int i = 0; i < 9; i++) out[atomic_inc(next)] = i; }\n"
        "kernel void sums(global int *a, local int *t) {\n"
        "  size_t l = get_local_id(0); t[l] = a[get_global_id(0)];\n"
        "  for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (l < n) t[l] += t[l + n]; }\n"
        "  if (l == 0) a[get_group_id(0)] = t[0]; }\n"
        "kernel void none(global int *a, int n) {\n"
        "  for (int i = 0; i < n; i++) a[get_global_id(0)] += i; }\n",
        "");
    in.bitcode = program.bitcode;
    for (unsigned i = 0; i < 24; i++) {
        in.kernel = names[i / 3];
        in.form = forms[i % 3];
        memset(&out, 0, sizeof(out));
        ck_assert_int_eq(test_compiler()->generate(&in, &out), TF_COMPILER_OK);
        ck_assert_msg(out.fit.in_order == (i < 15), "%s as %u", in.kernel, i % 3);
        test_compiler()->release(out.object.data);
        test_compiler()->release(out.log);
    }
    test_program_finish(&program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("codegen");
    TCase *tests = tcase_create("codegen");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, unknown_kernels_and_damaged_bitcode_are_errors);
    tcase_add_test(tests, lanes_are_not_made_of_a_tangle);
    tcase_add_test(tests, missing_processors_are_errors);
    tcase_add_test(tests, objects_are_the_same_from_many_threads);
    tcase_add_test(tests, objects_do_not_depend_on_what_came_before);
    tcase_add_test(tests, indices_in_parts_lie_side_by_side);
    tcase_add_test(tests, code_says_what_it_runs_at_once);
    tcase_add_test(tests, code_says_whether_groups_may_wait_for_those_before);
    tcase_add_test(tests, optimization_ends_with_its_budget);
    tcase_add_test(tests, unrolling_has_a_bound);
    tcase_add_test(tests, quick_code_is_made_of_the_same_kernel);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
