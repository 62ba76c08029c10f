// SPDX-License-Identifier: MIT
// Programs and builds on the mock device.
#include <string.h>

#include "base/alloc.h"
#include "core/program/kernel.h"
#include "core/program/program_build.h"
#include "core/program/program_query.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static struct tf_err err;
static const struct tf_build_desc plain;

// The real builder of the mock, and a gate that a test may put before it.
static cl_int (*mock_build)(struct tf_err *, struct tf_device *,
                            const struct tf_build_in *, struct tf_build_out *);
static atomic_int gate_closed, builds_begun;
static char last_options[64], last_header[64];

static cl_int gated_build(struct tf_err *e, struct tf_device *dev,
                          const struct tf_build_in *in, struct tf_build_out *out)
{
    strncpy(last_options, in->options, sizeof(last_options) - 1);
    if (in->header_count)
        strncpy(last_header, in->headers[0].text, sizeof(last_header) - 1);
    atomic_fetch_add(&builds_begun, 1);
    ck_assert(tf_core_wait_int(&gate_closed, 0));
    return mock_build(e, dev, in, out);
}

static void begin(void)
{
    err = (struct tf_err){0};
    core = tf_core_begin(1);
    mock_build = core.mock->ops.program_build;
    core.mock->ops.program_build = gated_build;
    atomic_store(&gate_closed, 0);
    atomic_store(&builds_begun, 0);
}

static void end(void)
{
    tf_core_end(&core);
}

static cl_program make(const char *source)
{
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    cl_program prog = NULL;

    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &prog), CL_SUCCESS);
    return prog;
}

static void drop(cl_program prog)
{
    tf_core_release(prog, &tf_class_program);
}

static cl_int build(cl_program prog)
{
    struct tf_err own = {0};

    return tf_program_build(&own, prog, &plain);
}

static void get_build_info(cl_program prog, cl_program_build_info what, size_t size,
                           void *value)
{
    struct tf_err own = {0};

    ck_assert_int_eq(tf_program_get_build_info(&own, prog, 0, what, size, value, NULL),
                     CL_SUCCESS);
}

static cl_build_status status_of(cl_program prog)
{
    cl_build_status status = 100;

    get_build_info(prog, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status);
    return status;
}

static cl_uint type_of(cl_program prog)
{
    cl_program_binary_type type = 100;

    get_build_info(prog, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type);
    return type;
}

START_TEST(source_is_joined_from_strings)
{
    const char *strings[3] = {"kernel ab", "xc", " kernel d"};
    const size_t lengths[3] = {8, 1, 0};
    const struct tf_source_desc desc = {3, strings, lengths};
    cl_program prog = NULL;
    char text[64];

    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &prog), CL_SUCCESS);
    ck_assert_int_eq(
        tf_program_get_info(&err, prog, CL_PROGRAM_SOURCE, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(text, "kernel ax kernel d");
    drop(prog);
}
END_TEST

START_TEST(build_goes_from_none_to_success)
{
    cl_program prog = make("kernel a kernel b");
    char names[16];
    size_t count = 0;

    ck_assert_int_eq(status_of(prog), CL_BUILD_NONE);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_NONE);
    ck_assert_int_eq(build(prog), CL_SUCCESS);
    ck_assert_int_eq(status_of(prog), CL_BUILD_SUCCESS);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_NUM_KERNELS,
                                         sizeof(count), &count, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_KERNEL_NAMES,
                                         sizeof(names), names, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(names, "a;b");
    drop(prog);
}
END_TEST

START_TEST(failed_build_has_a_log_and_no_program)
{
    cl_program prog = make("error");
    char log[64];

    ck_assert_int_eq(build(prog), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_NONE);
    ck_assert_int_eq(tf_program_get_build_info(&err, prog, 0, CL_PROGRAM_BUILD_LOG,
                                               sizeof(log), log, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_nonnull(strstr(log, "error"));
    drop(prog);
}
END_TEST

START_TEST(attached_kernel_forbids_a_build)
{
    cl_program prog = make("kernel a");
    cl_kernel kernel = NULL;

    ck_assert_int_eq(build(prog), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "a", &kernel), CL_SUCCESS);
    ck_assert_int_eq(build(prog), CL_INVALID_OPERATION);
    ck_assert_int_eq(status_of(prog), CL_BUILD_SUCCESS);
    tf_core_release(kernel, &tf_class_kernel);
    ck_assert_int_eq(build(prog), CL_SUCCESS);
    drop(prog);
}
END_TEST

static atomic_int notified;
static cl_build_status notified_status;

static void CL_CALLBACK on_built(cl_program prog, void *data)
{
    notified_status = status_of(prog);
    *(cl_program *)data = prog;
    atomic_fetch_add(&notified, 1);
}

START_TEST(notified_build_runs_on_its_own)
{
    cl_program prog = make("kernel a"), told = NULL;
    const struct tf_build_desc desc = {
        .options = "-x", .notify = on_built, .notify_data = &told};
    cl_kernel kernel = NULL;
    struct tf_err own = {0};
    char options[8];

    atomic_store(&notified, 0);
    atomic_store(&gate_closed, 1);
    ck_assert_int_eq(tf_program_build(&err, prog, &desc), CL_SUCCESS);
    ck_assert(tf_core_wait_int(&builds_begun, 1));
    ck_assert_int_eq(status_of(prog), CL_BUILD_IN_PROGRESS);
    ck_assert_int_eq(build(prog), CL_INVALID_OPERATION);
    ck_assert_int_eq(tf_kernel_create(&own, prog, "a", &kernel),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(tf_program_get_build_info(&err, prog, 0, CL_PROGRAM_BUILD_OPTIONS,
                                               sizeof(options), options, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(options, "-x");
    drop(prog); // the build keeps it
    atomic_store(&gate_closed, 0);
    ck_assert(tf_core_wait_int(&notified, 1));
    ck_assert_ptr_eq(told, prog);
    ck_assert_int_eq(notified_status, CL_BUILD_SUCCESS);
}
END_TEST

START_TEST(notified_build_that_fails_says_so)
{
    cl_program prog = make("error"), told = NULL;
    const struct tf_build_desc desc = {.notify = on_built, .notify_data = &told};

    atomic_store(&notified, 0);
    ck_assert_int_eq(tf_program_build(&err, prog, &desc), CL_SUCCESS);
    ck_assert(tf_core_wait_int(&notified, 1));
    ck_assert_int_eq(notified_status, CL_BUILD_ERROR);
    drop(prog);
}
END_TEST

// ---- Binaries ----

static struct tf_built_binary *binary_of(cl_program prog)
{
    size_t bytes = 0;
    struct tf_built_binary *binary;
    unsigned char *place;

    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_BINARY_SIZES,
                                         sizeof(bytes), &bytes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_gt(bytes, 0);
    binary = tf_zalloc(sizeof(*binary) + bytes);
    binary->bytes = bytes;
    place = binary->data;
    ck_assert_int_eq(
        tf_program_get_info(&err, prog, CL_PROGRAM_BINARIES, sizeof(place), &place, NULL),
        CL_SUCCESS);
    return binary;
}

static cl_int load(const struct tf_built_binary *binary, cl_int *status, cl_program *out)
{
    const unsigned char *data = binary->data;
    const struct tf_binary_desc desc = {.device_count = 1,
                                        .devices = &core.device,
                                        .lengths = &binary->bytes,
                                        .binaries = &data,
                                        .status = status};
    struct tf_err own = {0};

    return tf_program_create_binary(&own, core.ctx, &desc, out);
}

START_TEST(binary_comes_back_as_a_program)
{
    cl_program prog = make("kernel a"), again = NULL;
    struct tf_built_binary *binary;
    cl_kernel kernel = NULL;
    cl_int status = 1;

    ck_assert_int_eq(build(prog), CL_SUCCESS);
    binary = binary_of(prog);
    drop(prog);
    ck_assert_int_eq(load(binary, &status, &again), CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_int_eq(status_of(again), CL_BUILD_NONE);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(tf_kernel_create(&(struct tf_err){0}, again, "a", &kernel),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    atomic_store(&builds_begun, 0);
    ck_assert_int_eq(build(again), CL_SUCCESS);
    ck_assert_int_eq(build(again), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&builds_begun), 0); // nothing was compiled
    ck_assert_int_eq(tf_kernel_create(&err, again, "a", &kernel), CL_SUCCESS);
    tf_core_release(kernel, &tf_class_kernel);
    drop(again);
    tf_free(binary);
}
END_TEST

START_TEST(damaged_binary_is_refused)
{
    cl_program prog = make("kernel a"), again = NULL;
    struct tf_built_binary *binary;
    cl_int status = 1;

    ck_assert_int_eq(build(prog), CL_SUCCESS);
    binary = binary_of(prog);
    binary->data[binary->bytes - 1] ^= 1;
    ck_assert_int_eq(load(binary, &status, &again), CL_INVALID_BINARY);
    ck_assert_int_eq(status, CL_INVALID_BINARY);
    ck_assert_ptr_null(again);
    tf_free(binary);
    drop(prog);
}
END_TEST

START_TEST(binary_of_a_compiled_object_does_not_build)
{
    cl_program prog = make("kernel a"), again = NULL;
    struct tf_built_binary *binary;

    ck_assert_int_eq(tf_program_compile(&err, prog, &plain), CL_SUCCESS);
    binary = binary_of(prog);
    ck_assert_int_eq(load(binary, NULL, &again), CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(build(again), CL_INVALID_BINARY);
    drop(again);
    drop(prog);
    tf_free(binary);
}
END_TEST

// ---- Separate compilation ----

START_TEST(compiled_objects_link)
{
    cl_program header = make("the header"),
               inputs[2] = {make("kernel a "), make("kernel b")};
    cl_program linked = NULL;
    const char *name = "h.h";
    const struct tf_build_desc compile = {
        .header_count = 1, .headers = &header, .header_names = &name};
    const struct tf_link_desc link = {.options = "-y",
                                      .device_count = 1,
                                      .devices = &core.device,
                                      .input_count = 2,
                                      .inputs = inputs};
    size_t count = 0;

    ck_assert_int_eq(tf_program_compile(&err, inputs[0], &compile), CL_SUCCESS);
    ck_assert_str_eq(last_header, "the header");
    ck_assert_int_eq(tf_program_link(&(struct tf_err){0}, core.ctx, &link, &linked),
                     CL_INVALID_OPERATION); // the second one is not compiled
    ck_assert_ptr_null(linked);
    ck_assert_int_eq(tf_program_compile(&err, inputs[1], &plain), CL_SUCCESS);
    ck_assert_uint_eq(type_of(inputs[1]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(tf_program_link(&err, core.ctx, &link, &linked), CL_SUCCESS);
    ck_assert_uint_eq(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_str_eq(last_options, "-y");
    ck_assert_int_eq(tf_program_get_info(&err, linked, CL_PROGRAM_NUM_KERNELS,
                                         sizeof(count), &count, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    drop(linked);
    drop(inputs[0]);
    drop(inputs[1]);
    drop(header);
}
END_TEST

START_TEST(library_option_makes_a_library)
{
    cl_program prog = make("kernel a"), library = NULL, linked = NULL;
    struct tf_link_desc link = {.options = "-q -create-library",
                                .device_count = 1,
                                .devices = &core.device,
                                .input_count = 1,
                                .inputs = &prog};

    ck_assert_int_eq(tf_program_link(&(struct tf_err){0}, core.ctx, &link, &linked),
                     CL_INVALID_OPERATION); // nothing is compiled
    ck_assert_int_eq(tf_program_compile(&err, prog, &plain), CL_SUCCESS);
    ck_assert_int_eq(tf_program_link(&err, core.ctx, &link, &library), CL_SUCCESS);
    ck_assert_uint_eq(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    link.options = "\t\"-create-library\"\n";
    ck_assert_int_eq(tf_program_link(&err, core.ctx, &link, &linked), CL_SUCCESS);
    ck_assert_uint_eq(type_of(linked), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    drop(linked);
    link.inputs = &library;
    link.options = "-create-library-not";
    ck_assert_int_eq(tf_program_link(&err, core.ctx, &link, &linked), CL_SUCCESS);
    ck_assert_uint_eq(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    drop(linked);
    drop(library);
    drop(prog);
}
END_TEST

static cl_int refuse_options(struct tf_err *e, struct tf_device *dev,
                             const struct tf_build_in *in, struct tf_build_out *out)
{
    (void)dev, (void)in;
    out->log = tf_strdup("no such option\n");
    return tf_fail(e, CL_INVALID_LINKER_OPTIONS, "options");
}

static cl_int fail_link(struct tf_err *e, struct tf_device *dev,
                        const struct tf_build_in *in, struct tf_build_out *out)
{
    (void)dev, (void)in;
    out->log = tf_strdup("missing: f\n");
    return tf_fail(e, CL_LINK_PROGRAM_FAILURE, "link");
}

START_TEST(failed_link_hands_out_a_program_with_a_log)
{
    cl_program prog = make("kernel a"), linked = NULL;
    const struct tf_link_desc link = {
        .device_count = 1, .devices = &core.device, .input_count = 1, .inputs = &prog};
    struct tf_err own = {0};
    char log[32];

    ck_assert_int_eq(tf_program_compile(&err, prog, &plain), CL_SUCCESS);
    core.mock->ops.program_build = fail_link;
    ck_assert_int_eq(tf_program_link(&own, core.ctx, &link, &linked),
                     CL_LINK_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(linked);
    ck_assert_int_eq(status_of(linked), CL_BUILD_ERROR);
    ck_assert_int_eq(tf_program_get_build_info(&err, linked, 0, CL_PROGRAM_BUILD_LOG,
                                               sizeof(log), log, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(log, "missing: f\n");
    drop(linked);

    linked = NULL;
    core.mock->ops.program_build = refuse_options;
    ck_assert_int_eq(tf_program_link(&(struct tf_err){0}, core.ctx, &link, &linked),
                     CL_INVALID_LINKER_OPTIONS);
    ck_assert_ptr_null(linked);
    drop(prog);
}
END_TEST

START_TEST(kernels_of_a_program_are_all_made)
{
    cl_program prog = make("kernel a kernel b kernel c");
    cl_kernel kernels[3] = {NULL, NULL, NULL};
    cl_uint count = 0;

    ck_assert_int_eq(tf_kernel_create_all(&(struct tf_err){0}, prog, 3, kernels, &count),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(build(prog), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create_all(&err, prog, 0, NULL, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(tf_kernel_create_all(&(struct tf_err){0}, prog, 2, kernels, &count),
                     CL_INVALID_VALUE);
    ck_assert_ptr_null(kernels[0]);
    ck_assert_int_eq(tf_kernel_create_all(&err, prog, 3, kernels, &count), CL_SUCCESS);
    ck_assert_str_eq(kernels[2]->info->name, "c");
    for (int i = 0; i < 3; i++)
        tf_core_release(kernels[i], &tf_class_kernel);
    drop(prog);
}
END_TEST

// An argument outside of its block, as a forged binary might have it.
static void forged_kernels(struct tf_devprog *devprog, struct tf_program_info *out)
{
    static struct tf_kernel_arg_info arg = {
        .kind = TF_ARG_VALUE, .size_bytes = 8, .block_offset_bytes = 12};
    static const struct tf_kernel_info forged = {
        .name = "a", .args = &arg, .arg_count = 1, .arg_block_bytes = 16};

    (void)devprog;
    *out = (struct tf_program_info){
        .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .kernels = &forged, .kernel_count = 1};
}

START_TEST(argument_outside_of_its_block_is_refused)
{
    cl_program prog = make("kernel a");

    core.mock->ops.program_info = forged_kernels;
    ck_assert_int_eq(build(prog), CL_INVALID_BINARY);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    drop(prog);
}
END_TEST

// Everything a program does, with the n-th allocation failing.
static cl_int scenario(void)
{
    const char *source = "kernel a";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    const char *name = "h";
    struct tf_err own = {0};
    cl_program prog = NULL, linked = NULL;
    size_t bytes;

    if (!tf_program_create_source(&own, core.ctx, &desc, &prog) &&
        !tf_program_build(&own, prog, &plain) &&
        !tf_program_get_info(&own, prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes,
                             NULL) &&
        !tf_program_compile(&own, prog,
                            &(struct tf_build_desc){.header_count = 1,
                                                    .headers = &prog,
                                                    .header_names = &name}))
        tf_program_link(&own, core.ctx,
                        &(struct tf_link_desc){.device_count = 1,
                                               .devices = &core.device,
                                               .input_count = 1,
                                               .inputs = &prog},
                        &linked);
    if (linked)
        drop(linked);
    if (prog)
        drop(prog);
    return own.code;
}

START_TEST(running_out_of_memory_is_an_error_code)
{
    int failures = 0;
    cl_int code;

    // Past the last one: a lost log is no failure, so success does not mean the end.
    for (long n = 0; n < 100; n++) {
        tf_alloc_fail_at(n);
        code = scenario();
        tf_alloc_fail_at(-1);
        ck_assert_msg(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY, "n %ld: %d", n,
                      code);
        failures += code != CL_SUCCESS;
    }
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_gt(failures, 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *all = tcase_create("program");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, source_is_joined_from_strings);
    tcase_add_test(all, build_goes_from_none_to_success);
    tcase_add_test(all, failed_build_has_a_log_and_no_program);
    tcase_add_test(all, attached_kernel_forbids_a_build);
    tcase_add_test(all, notified_build_runs_on_its_own);
    tcase_add_test(all, notified_build_that_fails_says_so);
    tcase_add_test(all, binary_comes_back_as_a_program);
    tcase_add_test(all, damaged_binary_is_refused);
    tcase_add_test(all, binary_of_a_compiled_object_does_not_build);
    tcase_add_test(all, compiled_objects_link);
    tcase_add_test(all, library_option_makes_a_library);
    tcase_add_test(all, failed_link_hands_out_a_program_with_a_log);
    tcase_add_test(all, kernels_of_a_program_are_all_made);
    tcase_add_test(all, argument_outside_of_its_block_is_refused);
    tcase_add_test(all, running_out_of_memory_is_an_error_code);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
