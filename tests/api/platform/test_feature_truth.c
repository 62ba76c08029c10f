// SPDX-License-Identifier: MIT
// The device tells the truth about extensions and features: lists, macros and versions
// say the same, what is listed works, and what is not listed is not to be seen anywhere.
// Every line of abi/language_features.def wants its proof in feature_probes.def.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl_trefoil.h>

#include "abi/language_features.h"
#include "support/api.h"
#include "support/suite.h"

// The table again: the library hides its own.
// (No macro for all: headers of the host have macros of these names.)
#define LANGUAGE(name, version) {#name, version, TF_FEATURE_KIND_LANGUAGE},
#define IMAGES_LANGUAGE(name, version) {#name, version, TF_FEATURE_KIND_LANGUAGE},
#define LATER_LANGUAGE(name, version) {#name, version, TF_FEATURE_KIND_LANGUAGE},
#define HOST(name, version) {#name, version, TF_FEATURE_KIND_HOST},
#define IMAGES_HOST(name, version) {#name, version, TF_FEATURE_KIND_HOST},
#define LATER_HOST(name, version) {#name, version, TF_FEATURE_KIND_HOST},
#define FEATURE(name) \
    {"__opencl_c_" #name, CL_MAKE_VERSION(3, 0, 0), TF_FEATURE_KIND_MACRO},
#define FEATURE_2_0 FEATURE
#define IMAGES_FEATURE FEATURE
#define IMAGES_FEATURE_2_0 FEATURE
#define LATER_FEATURE FEATURE
#define LATER_FEATURE_2_0 FEATURE
static const struct {
    const char *name;
    cl_version version;
    enum tf_feature_kind kind;
} rows[TF_FEATURE_COUNT] = {
#include "abi/language_features.def"
};

enum probe_kind {
    PROBE_BODY,
    PROBE_TEXT,
    PROBE_ENTRY,
    PROBE_QUERY,
    PROBE_PLATFORM,
    PROBE_QUEUE,
    PROBE_SPIRV,
    PROBE_CONTEXT,
    PROBE_BUFFER,
    PROBE_SCHEME,
};

struct probe {
    enum probe_kind kind;
    const char *name;
    const char *options, *text, *statements; // of programs; text: name of a function, too
    uint64_t number, value;                  // of queries and properties
};

static const struct probe probes[] = {
#define BODY(name, options, parameters, statements) \
    {PROBE_BODY, #name, options, parameters, statements, 0, 0},
#define TEXT(name, options, source) {PROBE_TEXT, #name, options, source, NULL, 0, 0},
#define ENTRY(name, function) {PROBE_ENTRY, #name, NULL, #function, NULL, 0, 0},
#define QUERY(name, param) {PROBE_QUERY, #name, NULL, NULL, NULL, param, 0},
#define PLATFORM(name, param) {PROBE_PLATFORM, #name, NULL, NULL, NULL, param, 0},
#define QUEUE(name, param, value) {PROBE_QUEUE, #name, NULL, NULL, NULL, param, value},
#define SPIRV(name, param, word) {PROBE_SPIRV, #name, NULL, word, NULL, param, 0},
#define CONTEXT(name, param, value) \
    {PROBE_CONTEXT, #name, NULL, NULL, NULL, param, value},
#define SCHEME(name, scheme) {PROBE_SCHEME, #name, NULL, NULL, NULL, scheme, 0},
#define BUFFER(name, flag) {PROBE_BUFFER, #name, NULL, NULL, NULL, flag, 0},
#include "feature_probes.def"
};

enum { PROBES = sizeof(probes) / sizeof(probes[0]) };

static const struct probe *probe_of(const char *name)
{
    for (int i = 0; i < PROBES; i++)
        if (!strcmp(probes[i].name, name))
            return &probes[i];
    return NULL;
}

// ---- What is listed ----

static bool in_words(const char *words, const char *name)
{
    const size_t bytes = strlen(name);

    for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
        if ((at == words || at[-1] == ' ') && (at[bytes] == ' ' || !at[bytes]))
            return true;
    return false;
}

static bool in_extensions(const char *name)
{
    char words[16384];

    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DEVICE_EXTENSIONS, sizeof(words), words, NULL),
        CL_SUCCESS);
    return in_words(words, name);
}

// The version with which the list has the name, or 0.
static cl_version in_names(cl_device_info list, const char *name)
{
    static cl_name_version names[512];
    size_t bytes = 0;
    cl_version version = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, list, sizeof(names), names, &bytes),
                     CL_SUCCESS);
    for (size_t i = 0; i < bytes / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, name) != 0)
            continue;
        ck_assert_msg(!version, "%s is there twice", name);
        version = names[i].version;
    }
    return version;
}

static bool is_extension(int f)
{
    return rows[f].kind & TF_FEATURE_KIND_EXTENSION;
}

static bool is_listed(int f)
{
    return is_extension(f) ? in_extensions(rows[f].name)
                           : in_names(CL_DEVICE_OPENCL_C_FEATURES, rows[f].name);
}

START_TEST(lists_agree)
{
    char platform[16384];

    ck_assert_int_eq(clGetPlatformInfo(tf_api.platform, CL_PLATFORM_EXTENSIONS,
                                       sizeof(platform), platform, NULL),
                     CL_SUCCESS);
    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        const char *const name = rows[f].name;

        if (!is_extension(f))
            continue;
        ck_assert_msg(in_names(CL_DEVICE_EXTENSIONS_WITH_VERSION, name) ==
                          (is_listed(f) ? rows[f].version : 0),
                      "%s: another version", name);
        ck_assert_msg(in_words(platform, name) == is_listed(f), "%s of the platform",
                      name);
    }
}
END_TEST

// ---- Macros ----

// Which of the names are macros with the value 1.
static void look_for_macros(const char *options, cl_int seen[TF_FEATURE_COUNT])
{
    static char source[64 << 10];
    size_t used =
        (size_t)snprintf(source, sizeof(source), "kernel void k(global int *o)\n{\n");
    cl_mem mem = tf_api_buffer(0, TF_FEATURE_COUNT * sizeof(cl_int), NULL);
    cl_program prog;
    cl_kernel kernel;

    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        used += (size_t)snprintf(source + used, sizeof(source) - used,
                                 "#ifdef %s\no[%d] = %s;\n#else\no[%d] = 0;\n#endif\n",
                                 rows[f].name, f, rows[f].name, f);
    snprintf(source + used, sizeof(source) - used, "}\n");
    prog = tf_api_program(source, options);
    kernel = tf_api_kernel(prog, "k");
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, TF_FEATURE_COUNT * sizeof(cl_int), seen);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
    clReleaseMemObject(mem);
}

START_TEST(macros_say_what_lists_say)
{
    static const struct {
        const char *options;
        bool has_features; // their macros are of OpenCL C 3.0
    } languages[] = {{"", false},
                     {"-cl-std=CL3.0", true},
                     {"-cl-std=CL3.1", true},
                     {"-cl-std=CLC++2021", true}};
    cl_int seen[TF_FEATURE_COUNT];

    look_for_macros(languages[_i].options, seen);
    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        const bool wanted = is_listed(f) && rows[f].kind != TF_FEATURE_KIND_HOST &&
                            (is_extension(f) || languages[_i].has_features);

        ck_assert_msg(seen[f] == wanted, "%s is %d with '%s'", rows[f].name, seen[f],
                      languages[_i].options);
    }
}
END_TEST

// ---- Proofs ----

static bool builds(const char *source, const char *options)
{
    static char log[4096];
    cl_int code;
    cl_program prog = clCreateProgramWithSource(tf_api.ctx, 1, &source, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    code = clBuildProgram(prog, 0, NULL, options, NULL, NULL);
    if (code != CL_SUCCESS &&
        clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                              NULL) == CL_SUCCESS)
        fprintf(stderr, "%s\n%s\n", source, log);
    clReleaseProgram(prog);
    return code == CL_SUCCESS;
}

static bool body_builds(const struct probe *p)
{
    char source[2048];

    snprintf(source, sizeof(source), "kernel void probe(%s) { %s }\n", p->text,
             p->statements);
    return builds(source, p->options);
}

static bool names_word(const struct probe *p)
{
    static const char *names[512];
    size_t bytes = 0;
    bool found = false;

    if (clGetDeviceInfo(tf_api.device, (cl_device_info)p->number, sizeof(names), names,
                        &bytes) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < bytes / sizeof(names[0]); i++)
        found |= !strcmp(names[i], p->text);
    return found;
}

static bool makes_queue(const struct probe *p)
{
    const cl_queue_properties list[] = {p->number, p->value, 0};
    cl_command_queue q =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, NULL);

    if (q)
        clReleaseCommandQueue(q);
    return q != NULL;
}

static bool makes_context(const struct probe *p)
{
    const cl_context_properties list[] = {(cl_context_properties)p->number,
                                          (cl_context_properties)p->value, 0};
    cl_context ctx = clCreateContext(list, 1, &tf_api.device, NULL, NULL, NULL);

    if (ctx)
        clReleaseContext(ctx);
    return ctx != NULL;
}

static bool makes_buffer(const struct probe *p)
{
    char bytes[64] = {0};
    cl_mem mem = clCreateBuffer(tf_api.ctx, p->number | CL_MEM_COPY_HOST_PTR,
                                sizeof(bytes), bytes, NULL);

    if (mem)
        clReleaseMemObject(mem);
    return mem != NULL;
}

static bool has_scheme(const struct probe *p)
{
    cl_device_partition_property schemes[16];
    size_t bytes = 0;
    bool found = false;

    if (clGetDeviceInfo(tf_api.device, CL_DEVICE_PARTITION_PROPERTIES, sizeof(schemes),
                        schemes, &bytes) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < bytes / sizeof(schemes[0]); i++)
        found |= schemes[i] == (cl_device_partition_property)p->number;
    return found || bytes == sizeof(schemes[0]); // a device of one unit has no parts
}

static bool is_proved(const struct probe *p)
{
    char value[16384];

    switch (p->kind) {
    case PROBE_BODY:
        return body_builds(p);
    case PROBE_TEXT:
        return builds(p->text, p->options);
    case PROBE_ENTRY:
        return clGetExtensionFunctionAddressForPlatform(tf_api.platform, p->text) != NULL;
    case PROBE_QUERY:
        return clGetDeviceInfo(tf_api.device, (cl_device_info)p->number, sizeof(value),
                               value, NULL) == CL_SUCCESS;
    case PROBE_PLATFORM:
        return clGetPlatformInfo(tf_api.platform, (cl_platform_info)p->number,
                                 sizeof(value), value, NULL) == CL_SUCCESS;
    case PROBE_QUEUE:
        return makes_queue(p);
    case PROBE_SPIRV:
        return names_word(p);
    case PROBE_CONTEXT:
        return makes_context(p);
    case PROBE_BUFFER:
        return makes_buffer(p);
    case PROBE_SCHEME:
        return has_scheme(p);
    }
    return false;
}

START_TEST(what_is_listed_works)
{
    int missing = 0;

    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        const struct probe *const p = probe_of(rows[f].name);

        if (!p || (is_listed(f) && !is_proved(p))) {
            fprintf(stderr, "%s: %s\n", rows[f].name,
                    p ? "listed, but does not work" : "no line in feature_probes.def");
            missing++;
        }
    }
    ck_assert_int_eq(missing, 0);
}
END_TEST

// Entry points of an extension that is not listed are not found by name either.
START_TEST(what_is_not_listed_is_not_found)
{
    for (int i = 0; i < PROBES; i++)
        if (probes[i].kind == PROBE_ENTRY && !in_extensions(probes[i].name))
            ck_assert_msg(!clGetExtensionFunctionAddressForPlatform(tf_api.platform,
                                                                    probes[i].text),
                          "%s is there without %s", probes[i].text, probes[i].name);
}
END_TEST

// Nothing is listed that the table does not have.
START_TEST(lists_have_no_other_names)
{
    static const cl_device_info lists[] = {CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                           CL_DEVICE_OPENCL_C_FEATURES};
    static cl_name_version names[512];

    for (int l = 0; l < 2; l++) {
        size_t bytes = 0;

        ck_assert_int_eq(
            clGetDeviceInfo(tf_api.device, lists[l], sizeof(names), names, &bytes),
            CL_SUCCESS);
        for (size_t i = 0; i < bytes / sizeof(names[0]); i++) {
            bool known = false;

            for (int f = 0; f < TF_FEATURE_COUNT; f++)
                known |= !strcmp(rows[f].name, names[i].name);
            ck_assert_msg(known, "%s", names[i].name);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("feature_truth");
    TCase *tcase = tcase_create("feature_truth");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, lists_agree);
    tcase_add_loop_test(tcase, macros_say_what_lists_say, 0, 4);
    tcase_add_test(tcase, what_is_listed_works);
    tcase_add_test(tcase, what_is_not_listed_is_not_found);
    tcase_add_test(tcase, lists_have_no_other_names);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
