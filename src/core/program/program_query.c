// SPDX-License-Identifier: MIT
#include "core/program/program_query.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "core/object/error.h"
#include "core/object/info.h"

// The first device's executable, a new reference. NULL and err set if there is none.
static struct tf_built *any_executable(struct tf_err *err, cl_program prog)
{
    for (cl_uint i = 0; i < prog->device_count; i++) {
        struct tf_built *built = tf_program_built(prog, i, true);

        if (built)
            return built;
    }
    tf_fail(err, CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built");
    return NULL;
}

static cl_int put_kernel_count(struct tf_err *err, const struct tf_info *info,
                               cl_program prog)
{
    struct tf_built *built = any_executable(err, prog);

    if (!built)
        return err->code;
    tf_info_scalar(err, info, size_t, built->kernel_count);
    tf_built_unref(built);
    return err->code;
}

static cl_int put_kernel_names(struct tf_err *err, const struct tf_info *info,
                               cl_program prog)
{
    struct tf_built *built = any_executable(err, prog);
    struct tf_str names = {0};
    char *text;

    if (!built)
        return err->code;
    for (size_t i = 0; i < built->kernel_count; i++) {
        if (i)
            tf_str_add(&names, ";");
        tf_str_add(&names, built->kernels[i].name);
    }
    text = tf_str_take(&names);
    if (text)
        tf_info_string(err, info, text);
    else
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "kernel names");
    tf_free(text);
    tf_built_unref(built);
    return err->code;
}

// Of program-scope variables.
static cl_int put_has_code(struct tf_err *err, const struct tf_info *info,
                           cl_program prog, bool constructors)
{
    struct tf_built *built = any_executable(err, prog);
    bool has;

    if (!built)
        return err->code;
    has = constructors ? built->has_constructors : built->has_destructors;
    tf_built_unref(built);
    return tf_info_scalar(err, info, cl_bool, has ? CL_TRUE : CL_FALSE);
}

// Of a device; `data` is NULL where it has none.
struct binary {
    const void *data;
    size_t bytes;
};

typedef void (*binary_fn)(cl_uint index, struct binary binary, void *data);

// SPIR is a binary, too, until something is made of it.
static struct binary binary_of(cl_program prog, const struct tf_built_binary *binary)
{
    if (binary)
        return (struct binary){binary->data, binary->bytes};
    if (prog->origin == TF_PROGRAM_SPIR)
        return (struct binary){prog->il, prog->il_bytes};
    return (struct binary){0};
}

static cl_int each_binary(struct tf_err *err, cl_program prog, binary_fn fn, void *data)
{
    for (cl_uint i = 0; i < prog->device_count; i++) {
        struct tf_built *built = tf_program_built(prog, i, false);
        const struct tf_built_binary *binary = NULL;

        if (built)
            binary = tf_built_get_binary(err, built);
        if (!err->code)
            fn(i, binary_of(prog, binary), data);
        tf_built_unref(built);
        if (err->code)
            return err->code;
    }
    return CL_SUCCESS;
}

static void note_size(cl_uint index, struct binary binary, void *data)
{
    ((size_t *)data)[index] = binary.bytes;
}

static cl_int put_binary_sizes(struct tf_err *err, const struct tf_info *info,
                               cl_program prog)
{
    size_t *sizes = tf_zalloc(prog->device_count * sizeof(*sizes));

    if (!sizes)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "binary sizes");
    if (!each_binary(err, prog, note_size, sizes))
        tf_info_value(err, info, sizes, prog->device_count * sizeof(*sizes));
    tf_free(sizes);
    return err->code;
}

static void copy_binary(cl_uint index, struct binary binary, void *data)
{
    unsigned char *to = ((unsigned char **)data)[index];

    if (binary.data && to)
        memcpy(to, binary.data, binary.bytes);
}

// The value is not the answer but a table of places for it.
static cl_int put_binaries(struct tf_err *err, const struct tf_info *info,
                           cl_program prog)
{
    const size_t bytes = prog->device_count * sizeof(unsigned char *);

    if (info->value && info->size < bytes)
        return tf_fail(err, CL_INVALID_VALUE, "%zu bytes for %u pointers", info->size,
                       prog->device_count);
    if (info->value && each_binary(err, prog, copy_binary, info->value))
        return err->code;
    if (info->size_ret)
        *info->size_ret = bytes;
    return CL_SUCCESS;
}

cl_int tf_program_get_info(struct tf_err *err, cl_program prog, cl_program_info param,
                           size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(prog));
    case CL_PROGRAM_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, prog->obj.ctx);
    case CL_PROGRAM_NUM_DEVICES:
        return tf_info_scalar(err, &info, cl_uint, prog->device_count);
    case CL_PROGRAM_DEVICES:
        return tf_info_value(err, &info, prog->devices,
                             prog->device_count * sizeof(*prog->devices));
    case CL_PROGRAM_SOURCE:
        return prog->source
                   ? tf_info_value(err, &info, prog->source, prog->source_bytes + 1)
                   : tf_info_string(err, &info, "");
    case CL_PROGRAM_IL:
        return prog->origin == TF_PROGRAM_IL
                   ? tf_info_value(err, &info, prog->il, prog->il_bytes)
                   : tf_info_value(err, &info, NULL, 0);
    case CL_PROGRAM_BINARY_SIZES:
        return put_binary_sizes(err, &info, prog);
    case CL_PROGRAM_BINARIES:
        return put_binaries(err, &info, prog);
    case CL_PROGRAM_NUM_KERNELS:
        return put_kernel_count(err, &info, prog);
    case CL_PROGRAM_KERNEL_NAMES:
        return put_kernel_names(err, &info, prog);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return put_has_code(err, &info, prog,
                            param == CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "program info 0x%x", param);
    }
}

static cl_program_binary_type binary_type(cl_program prog,
                                          const struct tf_program_build *build)
{
    if (build->status == CL_BUILD_IN_PROGRESS)
        return CL_PROGRAM_BINARY_TYPE_NONE;
    if (build->built)
        return build->built->type;
    return prog->origin == TF_PROGRAM_SPIR ? CL_PROGRAM_BINARY_TYPE_INTERMEDIATE
                                           : CL_PROGRAM_BINARY_TYPE_NONE;
}

static cl_int put_build(struct tf_err *err, const struct tf_info *info, cl_program prog,
                        const struct tf_program_build *build, cl_program_build_info param)
{
    const bool busy = build->status == CL_BUILD_IN_PROGRESS;

    switch (param) {
    case CL_PROGRAM_BUILD_STATUS:
        return tf_info_scalar(err, info, cl_build_status, build->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return tf_info_string(err, info, build->options);
    case CL_PROGRAM_BUILD_LOG:
        return tf_info_string(err, info, build->log);
    case CL_PROGRAM_BINARY_TYPE:
        return tf_info_scalar(err, info, cl_program_binary_type,
                              binary_type(prog, build));
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return tf_info_scalar(err, info, size_t,
                              build->built && !busy ? build->built->variable_bytes : 0);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "program build info 0x%x", param);
    }
}

// What the device adds to the log of its build; NULL: nothing.
static char *added_to_log(cl_program prog, cl_uint index)
{
    struct tf_built *built = tf_program_built(prog, index, false);
    struct tf_program_info info = {0};

    if (built)
        built->dev->ops->program_info(built->prog, &info);
    tf_built_unref(built);
    return info.report;
}

// As many of the whole lines in `added` as there is room for: it may have grown since
// the caller asked how long the log is.
static void cut_to_fit(const struct tf_info *info, const char *log, char *added)
{
    const size_t bytes = log ? strlen(log) : 0;
    size_t kept = strlen(added);

    if (!info->value || info->size <= bytes)
        return;
    while (kept > 0 && (bytes + kept >= info->size || added[kept - 1] != '\n'))
        kept--;
    added[kept] = 0;
}

static cl_int put_long_log(struct tf_err *err, const struct tf_info *info,
                           const char *log, char *added)
{
    struct tf_str text = {0};
    char *all;

    cut_to_fit(info, log, added);
    tf_str_add(&text, log ? log : "");
    tf_str_add(&text, added);
    all = tf_str_take(&text);
    tf_info_string(err, info, all ? all : log);
    tf_free(all);
    return err->code;
}

cl_int tf_program_get_build_info(struct tf_err *err, cl_program prog, cl_uint index,
                                 cl_program_build_info param, size_t size, void *value,
                                 size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    char *added = param == CL_PROGRAM_BUILD_LOG ? added_to_log(prog, index) : NULL;

    tf_lock(&prog->lock);
    if (added)
        put_long_log(err, &info, prog->builds[index].log, added);
    else
        put_build(err, &info, prog, &prog->builds[index], param);
    tf_unlock(&prog->lock);
    tf_free(added);
    return err->code;
}
