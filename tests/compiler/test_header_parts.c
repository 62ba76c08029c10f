// SPDX-License-Identifier: MIT
// The front end leaves out what a program does not name of the base header
// (compiler/front/header_parts.c). No program can see that.
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/compiled_source.h"
#include "support/suite.h"

enum { LINE_BYTES = 300, NAME_BYTES = 64, MOST_NAMES = 400 };

static char compile_log[4000];

// Whether it compiles, and whether `mark` is a name in the module.
static bool compile(const char *source, const char *options, const char *mark)
{
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = source,
                                     .source_bytes = strlen(source),
                                     .options = options,
                                     .device = &device};
    struct tf_compile_out out;
    const bool ok = test_compiler()->compile(&in, &out) == TF_COMPILER_OK &&
                    memmem(out.bitcode.data, out.bitcode.bytes, mark, strlen(mark));

    snprintf(compile_log, sizeof(compile_log), "%s", out.log);
    test_compiler()->release(out.bitcode.data);
    test_compiler()->release(out.files.data);
    test_compiler()->release(out.log);
    return ok;
}

static void compiles(const char *source, const char *options)
{
    ck_assert_msg(compile(source, options, "k"), "%s\n%s", source, compile_log);
}

// The macros that the header defines, by its text.
static size_t read_names(char names[MOST_NAMES][NAME_BYTES])
{
    FILE *const file = fopen(TF_BASE_HEADER_PATH, "r");
    char line[LINE_BYTES];
    size_t count = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file))
        if (count < MOST_NAMES && strncmp(line, "#define _", 9) != 0 &&
            sscanf(line, "#define %60[A-Za-z0-9_]", names[count]) == 1)
            count++;
    fclose(file);
    return count;
}

static void add_question(char *source, size_t bytes, const char *name)
{
    const size_t at = strlen(source);

    snprintf(source + at, bytes - at,
             "#ifdef %s\nkernel void yes_%s_yes(void) {}\n#endif\n", name, name);
}

START_TEST(each_macro_is_there_where_it_is_asked_for_alone)
{
    static char names[MOST_NAMES][NAME_BYTES], all[MOST_NAMES * 3 * NAME_BYTES];
    const size_t count = read_names(names);
    size_t found = 0;

    ck_assert_uint_gt(count, 150);
    ck_assert_uint_lt(count, MOST_NAMES);
    for (size_t i = 0; i < count; i++)
        add_question(all, sizeof(all), names[i]);
    for (size_t i = 0; i < count; i++) {
        char mark[2 * NAME_BYTES], one[4 * NAME_BYTES] = "kernel void k(void) {}\n";

        snprintf(mark, sizeof(mark), "yes_%s_yes", names[i]);
        add_question(one, sizeof(one), names[i]);
        // Some are there in other versions only.
        if (i % 16 == 0 && !compile(all, "-cl-std=CL3.0", mark))
            continue;
        if (compile(one, "-cl-std=CL3.0", mark))
            found++;
        else
            ck_assert_msg(!compile(all, "-cl-std=CL3.0", mark), "%s", names[i]);
    }
    ck_assert_uint_gt(found, 120);
}
END_TEST

START_TEST(names_that_are_made_of_pieces_are_known)
{
    compiles("#define V(type, n) type##n\n"
             "kernel void k(global V(float, 4) *p) { p[0] = (V(float, 4))(M_\\\nPI_F); }",
             "");
    ck_assert(compile("#ifdef M_\\\nPI_F\nkernel void spliced(void) {}\n#endif\n", "",
                      "spliced"));
}
END_TEST

START_TEST(names_in_options_are_known)
{
    compiles("kernel void k(global T *p) { p[0] = V; }", "-DT=float4 -DV=MAXFLOAT");
    ck_assert(compile("#if W == 8\nkernel void width(void) {}\n#endif\n", "-DW=CHAR_BIT",
                      "width"));
}
END_TEST

START_TEST(functions_that_need_no_name_of_the_header_are_declared)
{
    compiles("kernel void k(global float *p) { vstore4(vload4(0, p) * 2, 1, p); }", "");
    compiles("kernel void k(global int *p) { barrier(1); mem_fence(2); }", "");
    compiles("kernel void k(global int *p) { atomic_add(p, 1); }", "");
    compiles("kernel void k(global int *p) { printf(\"%d\", p[0]); }", "");
    compiles("kernel void k(global double *p) { p[0] = p[1] * 0.1; }", "-cl-std=CL1.1");
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("header_parts");
    TCase *const parts = tcase_create("parts");

    tcase_set_timeout(parts, 300);
    tcase_add_test(parts, each_macro_is_there_where_it_is_asked_for_alone);
    tcase_add_test(parts, names_that_are_made_of_pieces_are_known);
    tcase_add_test(parts, names_in_options_are_known);
    tcase_add_test(parts, functions_that_need_no_name_of_the_header_are_declared);
    suite_add_tcase(suite, parts);
    return tf_run_suite(suite);
}
