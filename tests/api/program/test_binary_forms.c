// SPDX-License-Identifier: MIT
// Compiling, linking, libraries and binaries together: each case is linked from its parts
// as they were compiled, and again from parts that travelled as binaries; its result
// does, too.
#include <stdbool.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

enum { MAX_PARTS = 4 };

struct header {
    const char *name, *text;
};

// What a part is when it is linked.
enum form { OBJECT, LIBRARY };

struct part {
    const char *text;
    enum form form;
    struct header headers[4];
};

struct scene {
    const char *name;
    struct part parts[MAX_PARTS];
    int expected; // kernel "k" writes it; NOT_LINKED: the link fails
};

enum { NOT_LINKED = -1 };

static const struct scene scenes[] = {
    {"nested headers of one name, in two folders",
     {{.text = "#include \"a/part.h\"\n#include \"b/part.h\"\n"
               "kernel void k(global int *p) { *p = A * 10 + B; }\n",
       .headers =
           {{"a/part.h", "#include \"common.h\"\nenum { A = COMMON };\n#undef COMMON\n"},
            {"a/common.h", "#define COMMON 4\n"},
            {"b/part.h", "#include \"common.h\"\nenum { B = COMMON };\n#undef COMMON\n"},
            {"b/common.h", "#define COMMON 2\n"}}}},
     42},
    {"header of a header, by a path upward",
     {{.text = "#include \"a/part.h\"\nkernel void k(global int *p) { *p = VALUE; }\n",
       .headers = {{"a/part.h", "#include \"../b/part.h\"\n"},
                   {"b/part.h", "#define VALUE 5\n"}}}},
     5},
    {"function of another object",
     {{.text = "int f(int); kernel void k(global int *p) { *p = f(20); }\n"},
      {.text = "int f(int v) { return v + 1; }\n"}},
     21},
    {"function of a library",
     {{.text = "int f(int); kernel void k(global int *p) { *p = f(20); }\n"},
      {.text = "int f(int v) { return v + 2; }\n", .form = LIBRARY}},
     22},
    {"library of which nothing is used",
     {{.text = "kernel void k(global int *p) { *p = 3; }\n"},
      {.text = "int g(int); int f(int v) { return g(v); }\n", .form = LIBRARY}},
     3},
    {"library that needs a function of the program",
     {{.text = "int f(int); int g(int v) { return 2 * v; }\n"
               "kernel void k(global int *p) { *p = f(3); }\n"},
      {.text = "int g(int); int f(int v) { return g(v) + 1; }\n", .form = LIBRARY}},
     7},
    {"two libraries that need each other",
     {{.text = "int even(int); kernel void k(global int *p) { *p = even(0) + 10 * "
               "even(1); }\n"},
      {.text = "int odd(int); int even(int v) { return v == 0 ? 1 : odd(v - 1); }\n",
       .form = LIBRARY},
      {.text = "int odd(int v) { return v == 0 ? 2 : 3; }\n", .form = LIBRARY}},
     21},
    {"kernel of a library",
     {{.text = "int f(int v) { return v + 1; }\n"},
      {.text = "int f(int); kernel void k(global int *p) { *p = f(8); }\n",
       .form = LIBRARY}},
     9},
    {"kernel that calls a kernel of another object",
     {{.text = "kernel void inner(global int *p);\n"
               "kernel void k(global int *p) { inner(p); *p += 1; }\n"},
      {.text = "kernel void inner(global int *p) { *p = 30; }\n"}},
     31},
    {"extern kernel",
     {{.text = "extern kernel void inner(global int *p);\n"
               "kernel void k(global int *p) { inner(p); *p += 2; }\n"},
      {.text = "kernel void inner(global int *p) { *p = 30; }\n", .form = LIBRARY}},
     32},
    {"extern constant",
     {{.text = "extern constant int table[];\n"
               "kernel void k(global int *p) { *p = table[0] + table[1]; }\n"},
      {.text = "constant int table[] = {40, 1};\n"}},
     41},
    {"weak definition alone",
     {{.text = "int f(void); kernel void k(global int *p) { *p = f(); }\n"},
      {.text = "int __attribute__((weak)) f(void) { return 1; }\n"}},
     1},
    {"strong definition behind a weak one",
     {{.text = "int __attribute__((weak)) f(void) { return 1; }\n"
               "kernel void k(global int *p) { *p = f(); }\n"},
      {.text = "int f(void) { return 2; }\n"}},
     2},
    {"strong definition before a weak one",
     {{.text = "int f(void) { return 2; }\n"},
      {.text = "int __attribute__((weak)) f(void) { return 1; }\n"
               "kernel void k(global int *p) { *p = f(); }\n"}},
     2},
    {"weak definition in a library",
     {{.text = "int f(void) { return 6; }\nint g(void);\n"
               "kernel void k(global int *p) { *p = g(); }\n"},
      {.text = "int __attribute__((weak)) f(void) { return 1; }\n"
               "int g(void) { return f(); }\n",
       .form = LIBRARY}},
     6},
    {"weak declaration of what is there",
     {{.text = "int __attribute__((weak)) f(void);\n"
               "kernel void k(global int *p) { *p = f(); }\n"},
      {.text = "int f(void) { return 7; }\n"}},
     7},
    {"static functions of one name",
     {{.text = "static int f(void) { return 1; }\nint g(void);\n"
               "kernel void k(global int *p) { *p = f() * 10 + g(); }\n"},
      {.text = "static int f(void) { return 2; }\nint g(void) { return f(); }\n"}},
     12},
    {"constants of one name in two objects are one too many",
     {{.text = "constant int c = 1; kernel void k(global int *p) { *p = c; }\n"},
      {.text = "constant int c = 2; int g(void) { return c; }\n"}},
     NOT_LINKED},
    {"two strong definitions",
     {{.text = "int f(void) { return 1; }\nkernel void k(global int *p) { *p = f(); }\n"},
      {.text = "int f(void) { return 2; }\n"}},
     NOT_LINKED},
    {"two kernels of one name",
     {{.text = "kernel void k(global int *p) { *p = 1; }\n"},
      {.text = "kernel void k(global int *p) { *p = 2; }\n"}},
     NOT_LINKED},
    {"function that nobody defines",
     {{.text = "int f(void); kernel void k(global int *p) { *p = f(); }\n"}},
     NOT_LINKED},
    {"kernel that nobody defines",
     {{.text = "extern kernel void inner(global int *p);\n"
               "kernel void k(global int *p) { inner(p); }\n"}},
     NOT_LINKED},
};

// ---- Doing ----

static cl_program travel(cl_program prog)
{
    const cl_uint type = type_of(prog);
    cl_int status = 1, code = 1;
    cl_program again;

    take_binary(prog);
    drop(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), type);
    free(binary);
    return again;
}

static cl_program link_with(const char *options, cl_uint n, const cl_program *inputs,
                            cl_int *code)
{
    return clLinkProgram(tf_api.ctx, 0, NULL, options, n, inputs, NULL, NULL, code);
}

static cl_program make_part(const struct part *part, bool travels)
{
    cl_program prog = make(part->text), headers[4], library;
    const char *names[4];
    cl_uint count = 0;
    cl_int code = 1;

    for (; count < 4 && part->headers[count].name; count++) {
        headers[count] = make(part->headers[count].text);
        names[count] = part->headers[count].name;
    }
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, count, count ? headers : NULL,
                                      count ? names : NULL, NULL, NULL),
                     CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++)
        drop(headers[i]);
    if (travels)
        prog = travel(prog);
    if (part->form == OBJECT)
        return prog;
    library = link_with("-create-library", 1, &prog, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    drop(prog);
    return travels ? travel(library) : library;
}

static int value_of(cl_program prog)
{
    cl_kernel kernel = tf_api_kernel(prog, "k");
    cl_mem mem = tf_api_buffer(0, 4, NULL);
    cl_int value = 0;

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 4, &value);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    return value;
}

static void play(const struct scene *scene, bool travels)
{
    cl_program parts[MAX_PARTS], whole;
    cl_uint count = 0;
    cl_int code = 1;

    for (; count < MAX_PARTS && scene->parts[count].text; count++)
        parts[count] = make_part(&scene->parts[count], travels);
    whole = link_with(NULL, count, parts, &code);
    if (scene->expected == NOT_LINKED) {
        ck_assert_msg(code == CL_LINK_PROGRAM_FAILURE, "%s: %d", scene->name, code);
        ck_assert_msg(strlen(log_of(whole)) > 0, "%s: no log", scene->name);
    } else {
        ck_assert_msg(code == CL_SUCCESS, "%s: %d: %s", scene->name, code,
                      whole ? log_of(whole) : "");
        if (travels) {
            whole = travel(whole);
            ck_assert_int_eq(build(whole, NULL), CL_SUCCESS);
        }
        code = value_of(whole);
        ck_assert_msg(code == scene->expected, "%s: got %d, expected %d", scene->name,
                      code, scene->expected);
    }
    drop(whole);
    for (cl_uint i = 0; i < count; i++)
        drop(parts[i]);
}

START_TEST(scene_plays)
{
    play(&scenes[_i], false);
}
END_TEST

START_TEST(scene_plays_with_binaries)
{
    play(&scenes[_i], true);
}
END_TEST

// ---- Options of links ----

static const struct {
    const char *options;
    cl_int code;
} links[] = {
    {"", CL_SUCCESS},
    {"-create-library", CL_SUCCESS},
    {"-create-library -enable-link-options", CL_SUCCESS},
    {"-enable-link-options -create-library", CL_SUCCESS},
    {"-create-library -enable-link-options -cl-fast-relaxed-math", CL_SUCCESS},
    {"-cl-denorms-are-zero -cl-no-signed-zeros -cl-unsafe-math-optimizations "
     "-cl-finite-math-only -cl-fast-relaxed-math -cl-no-subgroup-ifp",
     CL_SUCCESS},
    {"-enable-link-options", CL_INVALID_LINKER_OPTIONS},
    {"-create-libraries", CL_INVALID_LINKER_OPTIONS},
    {"-D X=1", CL_INVALID_LINKER_OPTIONS},
    {"-cl-std=CL3.0", CL_INVALID_LINKER_OPTIONS},
    {"-cl-mad-enable", CL_INVALID_LINKER_OPTIONS},
};

START_TEST(link_options_are_checked)
{
    cl_program part = make("kernel void k(global int *p) { *p = 1; }\n"), whole;
    cl_int code = 1;

    ck_assert_int_eq(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    part = travel(part);
    whole = link_with(links[_i].options, 1, &part, &code);
    ck_assert_msg(code == links[_i].code, "'%s': %d", links[_i].options, code);
    if (whole)
        drop(whole);
    drop(part);
}
END_TEST

START_TEST(library_is_no_executable)
{
    const struct part part = {
        "kernel void k(global int *p) { *p = 1; }\n", LIBRARY, {{0}}};
    cl_program library = make_part(&part, true);
    cl_int code = 1;

    ck_assert_uint_eq(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    ck_assert_ptr_null(clCreateKernel(library, "k", &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM_EXECUTABLE);
    drop(library);
}
END_TEST

START_TEST(executable_is_no_input_of_a_link)
{
    const struct part part = {
        "kernel void k(global int *p) { *p = 1; }\n", OBJECT, {{0}}};
    cl_program object = make_part(&part, false), whole;
    cl_int code = 1;

    whole = link_with(NULL, 1, &object, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    whole = travel(whole);
    ck_assert_ptr_null(link_with(NULL, 1, &whole, &code));
    ck_assert_int_ne(code, CL_SUCCESS);
    drop(whole);
    drop(object);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("binary_forms");
    TCase *parts = tcase_create("scenes"), *options = tcase_create("options");
    const int scene_count = (int)(sizeof(scenes) / sizeof(*scenes));

    tcase_add_checked_fixture(parts, tf_api_begin, tf_api_end);
    tcase_add_loop_test(parts, scene_plays, 0, scene_count);
    tcase_add_loop_test(parts, scene_plays_with_binaries, 0, scene_count);
    suite_add_tcase(suite, parts);
    tcase_add_checked_fixture(options, tf_api_begin, tf_api_end);
    tcase_add_loop_test(options, link_options_are_checked, 0,
                        (int)(sizeof(links) / sizeof(*links)));
    tcase_add_test(options, library_is_no_executable);
    tcase_add_test(options, executable_is_no_input_of_a_link);
    suite_add_tcase(suite, options);
    return tf_run_suite(suite);
}
