// SPDX-License-Identifier: MIT
// Builds: from what core asks for to calls of the compiler and back.
#include <string.h>

#include "abi/check_record.h"
#include "abi/version.h"
#include "base/alloc.h"
#include "base/str.h"
#include "cache/file_list.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"
#include "devices/cpu/loader/jit_dump.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_program_cache.h"
#include "trace/trace.h"

enum { REASON_BYTES = 300 };

// One build: what goes in, what it needs on the way, its log.
struct build {
    const struct tf_build_in *in;
    const struct tf_compiler *compiler;
    struct tf_compiler_device device;
    struct tf_compile_in compile;
    struct tf_compiler_header *headers;     // owned
    struct tf_compiler_constant *constants; // owned
    struct tf_compiler_bytes files;         // of the compilation; owned, the compiler's
    struct tf_str log;
};

static uint32_t version_number(cl_version version)
{
    return CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10;
}

static void describe_device(struct tf_compiler_device *out,
                            const struct tf_device_caps *caps)
{
    memset(out, 0, sizeof(*out));
    out->features = caps->features;
    out->opencl_c_max = version_number(caps->opencl_c_max);
    out->device_version = version_number(TF_OPENCL_VERSION);
    out->sub_group_size = caps->sub_group_size;
    out->max_group_size = (uint32_t)caps->max_group_size;
    out->max_local_bytes = caps->local_memory_bytes;
    out->max_variable_bytes = caps->max_variable_bytes;
}

static cl_int options_code(enum tf_build_kind kind)
{
    switch (kind) {
    case TF_BUILD_WHOLE:
        return CL_INVALID_BUILD_OPTIONS;
    case TF_BUILD_COMPILE:
        return CL_INVALID_COMPILER_OPTIONS;
    case TF_BUILD_LINK:
    case TF_BUILD_LIBRARY:
        break;
    }
    return CL_INVALID_LINKER_OPTIONS;
}

// The line of the log that says what is wrong first, without its end; "" of 0 bytes where
// none does.
static const char *first_error(const struct build *b, size_t *bytes)
{
    const char *const log = b->log.text ? b->log.text : "";
    const char *line = strstr(log, "error: ");

    *bytes = 0;
    if (!line)
        return "";
    while (line > log && line[-1] != '\n')
        line--;
    *bytes = strcspn(line, "\n");
    return line;
}

static cl_int fail_status(struct tf_err *err, const struct build *b,
                          enum tf_compiler_status status)
{
    size_t bytes;
    const char *const first = first_error(b, &bytes);

    switch (status) {
    case TF_COMPILER_OK:
        return CL_SUCCESS;
    case TF_COMPILER_BAD_OPTIONS:
        return tf_fail(err, options_code(b->in->kind), "%.*s; options '%.100s'",
                       (int)bytes, first, b->in->options);
    case TF_COMPILER_BAD_SOURCE:
        return tf_fail(err, tf_build_failure(b->in->kind), "see the build log: %.*s",
                       (int)bytes, first);
    case TF_COMPILER_NO_MEMORY:
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "compiler");
    case TF_COMPILER_NO_THREAD:
        return tf_fail(err, CL_OUT_OF_RESOURCES, "no thread to compile in");
    case TF_COMPILER_INTERNAL:
        break;
    }
    return tf_fail(err, tf_build_failure(b->in->kind),
                   "the compiler gave up, see the build log");
}

static cl_int set_headers(struct tf_err *err, struct build *b)
{
    const struct tf_build_in *in = b->in;

    if (in->header_count == 0)
        return CL_SUCCESS;
    b->headers = tf_zalloc(in->header_count * sizeof(*b->headers));
    if (!b->headers)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu headers", in->header_count);
    for (size_t i = 0; i < in->header_count; i++) {
        b->headers[i].name = in->headers[i].name;
        b->headers[i].text = in->headers[i].text;
        b->headers[i].text_bytes = in->headers[i].text_bytes;
    }
    return CL_SUCCESS;
}

static cl_int set_constants(struct tf_err *err, struct build *b)
{
    const struct tf_build_in *in = b->in;

    if (in->constant_count == 0)
        return CL_SUCCESS;
    b->constants = tf_zalloc(in->constant_count * sizeof(*b->constants));
    if (!b->constants)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu constants", in->constant_count);
    for (size_t i = 0; i < in->constant_count; i++) {
        b->constants[i].id = in->constants[i].id;
        b->constants[i].bytes = in->constants[i].bytes;
        b->constants[i].value = in->constants[i].value;
    }
    return CL_SUCCESS;
}

static cl_int compile(struct tf_err *err, struct build *b,
                      struct tf_compiler_bytes *bitcode)
{
    struct tf_compile_out out = {0};
    enum tf_compiler_status status = TF_COMPILER_INTERNAL;
    const uint64_t start_ns = tf_trace_start();

    if (set_headers(err, b) || set_constants(err, b))
        return err->code;
    b->compile.source = b->in->source;
    b->compile.source_bytes = b->in->source_bytes;
    b->compile.options = b->in->options;
    b->compile.headers = b->headers;
    b->compile.header_count = b->in->header_count;
    b->compile.is_il = b->in->is_il;
    b->compile.constants = b->constants;
    b->compile.constant_count = b->in->constant_count;
    b->compile.device = &b->device;
    if (tf_cpu_compiler_enter()) {
        status = b->compiler->compile(&b->compile, &out);
        tf_cpu_compiler_leave();
    }
    tf_trace_stage("compile", start_ns, status == TF_COMPILER_OK);
    if (out.log)
        tf_str_add(&b->log, out.log);
    b->compiler->release(out.log);
    *bitcode = out.bitcode;
    b->files = out.files;
    return fail_status(err, b, status);
}

static cl_int fill_program(struct tf_err *err, const struct build *b,
                           struct tf_devprog *prog,
                           const struct tf_compiler_bytes *bitcode,
                           const struct tf_compiler_bytes *kernels,
                           const struct tf_compiler_bytes *data)
{
    TF_REQUIRE(err,
               tf_cpu_program_set_bitcode(prog, bitcode->data, bitcode->bytes,
                                          b->compiler->build_id),
               CL_OUT_OF_HOST_MEMORY, "program of %zu bytes", bitcode->bytes);
    if (data && tf_cpu_program_set_data(err, prog, data->data, data->bytes))
        return err->code;
    return kernels ? tf_cpu_program_set_kernels(err, prog, kernels->data, kernels->bytes)
                   : CL_SUCCESS;
}

// A program of the compiler's bitcode and kernel table, which are copied.
static cl_int make_program(struct tf_err *err, const struct build *b, cl_uint type,
                           const struct tf_compiler_bytes *bitcode,
                           const struct tf_compiler_bytes *kernels,
                           const struct tf_compiler_bytes *data, struct tf_devprog **out)
{
    struct tf_devprog *prog = tf_cpu_program_new(type);
    struct tf_err own = {0};

    if (!prog)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program");
    if (!fill_program(&own, b, prog, bitcode, kernels, data)) {
        *out = prog;
        return CL_SUCCESS;
    }
    tf_cpu_program_unref(prog);
    // There is no binary that could be invalid: the compiler is at fault.
    return tf_fail(
        err, own.code == CL_INVALID_BINARY ? tf_build_failure(b->in->kind) : own.code,
        "%s", own.text);
}

static cl_int link(struct tf_err *err, struct build *b,
                   const struct tf_compiler_bytes *modules, size_t count,
                   struct tf_devprog **prog)
{
    const bool is_library = b->in->kind == TF_BUILD_LIBRARY;
    const struct tf_link_in in = {
        .modules = modules,
        .module_count = count,
        .options = b->in->options,
        .create_library = is_library,
        .source = b->in->kind == TF_BUILD_WHOLE ? &b->compile : NULL,
        .device = &b->device,
    };
    struct tf_link_out out = {0};
    enum tf_compiler_status status = TF_COMPILER_INTERNAL;
    const uint64_t start_ns = tf_trace_start();

    if (tf_cpu_compiler_enter()) {
        status = b->compiler->link(&in, &out);
        tf_cpu_compiler_leave();
    }
    tf_trace_stage("link", start_ns, status == TF_COMPILER_OK);
    if (out.log)
        tf_str_add(&b->log, out.log);
    if (!fail_status(err, b, status))
        make_program(err, b,
                     is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                : CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                     &out.bitcode, is_library ? NULL : &out.kernels,
                     is_library ? NULL : &out.data, prog);
    b->compiler->release(out.bitcode.data);
    b->compiler->release(out.kernels.data);
    b->compiler->release(out.data.data);
    b->compiler->release(out.log);
    return err->code;
}

static cl_int build_source(struct tf_err *err, struct build *b, struct tf_devprog **prog)
{
    struct tf_compiler_bytes bitcode = {0};

    if (!compile(err, b, &bitcode)) {
        if (b->in->kind == TF_BUILD_WHOLE)
            link(err, b, &bitcode, 1, prog);
        else
            make_program(err, b, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, &bitcode, NULL,
                         NULL, prog);
    }
    b->compiler->release(bitcode.data);
    return err->code;
}

static cl_int link_objects(struct tf_err *err, struct build *b, struct tf_devprog **prog)
{
    const size_t count = b->in->object_count;
    struct tf_compiler_bytes *modules = tf_zalloc(count * sizeof(*modules));

    if (!modules)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu objects", count);
    for (size_t i = 0; i < count; i++) {
        modules[i].data = b->in->objects[i]->bitcode;
        modules[i].bytes = b->in->objects[i]->bitcode_bytes;
    }
    link(err, b, modules, count, prog);
    tf_free(modules);
    return err->code;
}

static bool is_link(enum tf_build_kind kind)
{
    return kind == TF_BUILD_LINK || kind == TF_BUILD_LIBRARY;
}

// By the compiler, and kept for the next time.
static cl_int build_anew(struct tf_err *err, struct build *b,
                         const struct tf_cpu_build_key *key, struct tf_devprog **prog)
{
    char reason[REASON_BYTES];
    struct tf_file_list none = {0};
    struct tf_compiler_bytes files = {0};

    b->compiler = tf_cpu_compiler(reason, sizeof(reason));
    if (!b->compiler) {
        tf_str_printf(&b->log, "the kernel compiler is not available: %s\n", reason);
        return tf_fail(err,
                       is_link(b->in->kind) ? CL_LINKER_NOT_AVAILABLE
                                            : CL_COMPILER_NOT_AVAILABLE,
                       "%.200s", reason);
    }
    if (is_link(b->in->kind)) {
        link_objects(err, b, prog);
        files.data = tf_file_list_take(&none, &files.bytes); // it looks for none
    } else {
        build_source(err, b, prog);
    }
    if (*prog)
        tf_cpu_program_cache_keep(key, *prog, files.data ? &files : &b->files, &b->log);
    tf_free(files.data);
    b->compiler->release(b->files.data);
    return err->code;
}

// What TREFOIL_CHECK and TREFOIL_PERF ask for are options like any other from here on.
// NULL: nothing is to be added, or memory ran out.
static char *options_of_environment(const struct tf_build_in *in)
{
    static const char *const names[] = {"memory", "races", "uninitialized", "divergence"};
    const unsigned modes = tf_mem_list_checks();
    struct tf_str options = {0};

    if (is_link(in->kind) || (!modes && !tf_jit_dump_on()))
        return NULL;
    tf_str_add(&options, in->options);
    if (tf_jit_dump_on())
        tf_str_add(&options, " -gline-tables-only");
    if (modes)
        tf_str_add(&options, " " TF_CHECK_OPTION);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (modes >> i & 1)
            tf_str_printf(&options, "%s,", names[i]);
    }
    return tf_str_take(&options);
}

cl_int tf_cpu_program_build(struct tf_err *err, struct tf_device *dev,
                            const struct tf_build_in *asked, struct tf_build_out *out)
{
    char *const options = options_of_environment(asked);
    struct tf_build_in with_options = *asked;
    const struct tf_build_in *const in = options ? &with_options : asked;
    struct tf_cpu_build_key key;
    struct build b = {.in = in};

    with_options.options = options;
    memset(out, 0, sizeof(*out));
    describe_device(&b.device, dev->caps);
    key = tf_cpu_program_cache_key(in, &b.device);
    out->program = tf_cpu_program_cache_find(&key, &b.log);
    if (!out->program)
        build_anew(err, &b, &key, &out->program);
    if (out->program && tf_str_has_word(in->options, "-cl-trefoil-report"))
        tf_cpu_kernel_report(out->program, &b.log);
    tf_free(b.headers);
    tf_free(b.constants);
    tf_free(options);
    out->log = tf_str_take(&b.log);
    return err->code;
}
