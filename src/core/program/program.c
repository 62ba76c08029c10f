// SPDX-License-Identifier: MIT
#include "core/program/program.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "core/object/error.h"
#include "core/platform/context.h"
#include "core/program/il.h"
#include "core/program/program_binary.h"

static void program_destroy(struct tf_object *obj) TF_NO_TSA
{
    cl_program prog = (cl_program)obj;

    for (cl_uint i = 0; prog->builds && i < prog->device_count; i++) {
        tf_free(prog->builds[i].options);
        tf_free(prog->builds[i].log);
        tf_built_unref(prog->builds[i].built);
    }
    tf_free(prog->builds);
    tf_free(prog->source);
    tf_free(prog->il);
    tf_free(prog->constants);
    tf_mutex_finish(&prog->lock);
}

const struct tf_class tf_class_program = {
    .name = "program",
    .magic = 0x94d049bbu,
    .invalid = CL_INVALID_PROGRAM,
    .size_bytes = sizeof(struct _cl_program),
    .destroy = program_destroy,
    .slab = &tf_slab_program,
};

static struct tf_program_build *new_builds(cl_uint count)
{
    struct tf_program_build *builds = tf_zalloc(count * sizeof(*builds));

    for (cl_uint i = 0; builds && i < count; i++)
        builds[i].status = CL_BUILD_NONE;
    return builds;
}

cl_program tf_program_new(struct tf_err *err, cl_context ctx,
                          enum tf_program_origin origin, cl_uint device_count,
                          const cl_device_id *devices)
{
    struct tf_program_build *builds = new_builds(device_count);
    cl_program prog =
        tf_object_new(&tf_class_program, ctx, device_count * sizeof(*devices));

    if (!prog || !builds) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program object");
        goto fail;
    }
    tf_mutex_init(&prog->lock, TF_RANK_PROGRAM);
    prog->origin = origin;
    tf_lock(&prog->lock);
    prog->builds = builds;
    tf_unlock(&prog->lock);
    prog->device_count = device_count;
    memcpy(prog->devices, devices, device_count * sizeof(*devices));
    return prog;
fail:
    tf_free(builds);
    tf_unref(prog);
    return NULL;
}

cl_int tf_program_create_source(struct tf_err *err, cl_context ctx,
                                const struct tf_source_desc *desc, cl_program *out)
{
    cl_program prog =
        tf_program_new(err, ctx, TF_PROGRAM_SOURCE, ctx->device_count, ctx->devices);
    struct tf_str text = {0};

    if (!prog)
        return err->code;
    for (cl_uint i = 0; i < desc->count; i++) {
        if (desc->lengths && desc->lengths[i])
            tf_str_add_bytes(&text, desc->strings[i], desc->lengths[i]);
        else
            tf_str_add(&text, desc->strings[i]);
    }
    prog->source_bytes = text.bytes;
    prog->source = tf_str_take(&text);
    if (!prog->source) {
        tf_unref(prog);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program source");
    }
    *out = tf_give_user(prog);
    return CL_SUCCESS;
}

cl_int tf_program_create_il(struct tf_err *err, cl_context ctx, const void *il,
                            size_t bytes, cl_program *out)
{
    cl_program prog;

    if (tf_il_check(err, il, bytes))
        return err->code;
    prog = tf_program_new(err, ctx, TF_PROGRAM_IL, ctx->device_count, ctx->devices);
    if (!prog)
        return err->code;
    prog->il = tf_memdup(il, bytes);
    prog->il_bytes = bytes;
    if (!prog->il) {
        tf_unref(prog);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "SPIR-V module");
    }
    *out = tf_give_user(prog);
    return CL_SUCCESS;
}

bool tf_program_il_support(cl_uint device_count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < device_count; i++)
        if (tf_device_caps_has(devices[i]->caps, TF_FEATURE_cl_khr_il_program))
            return true;
    return false;
}

// The place for the value of a constant: the one it has, or a new one. NULL when memory
// ran out.
static struct tf_spec_constant *place_of(cl_program prog, cl_uint spec_id)
    TF_REQUIRES(&prog->lock)
{
    struct tf_spec_constant *grown;
    size_t i = 0;

    while (i < prog->constant_count && prog->constants[i].id != spec_id)
        i++;
    if (i < prog->constant_count)
        return &prog->constants[i];
    grown = tf_realloc(prog->constants, (i + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    prog->constants = grown;
    prog->constant_count = i + 1;
    return &grown[i];
}

cl_int tf_program_set_constant(struct tf_err *err, cl_program prog, cl_uint spec_id,
                               size_t bytes, const void *value)
{
    struct tf_spec_constant constant = {.id = spec_id, .bytes = (uint32_t)bytes};
    struct tf_spec_constant *place;
    struct tf_il_constant found = {0};

    TF_REQUIRE(err, tf_il_find_constant(prog->il, prog->il_bytes, spec_id, &found),
               CL_INVALID_SPEC_ID, "no specialization constant %u", spec_id);
    TF_REQUIRE(err, bytes == found.bytes, CL_INVALID_VALUE,
               "specialization constant %u has %u bytes, not %zu", spec_id, found.bytes,
               bytes);
    memcpy(constant.value, value, bytes);
    if (found.is_bool)
        constant.value[0] = constant.value[0] != 0;
    tf_lock(&prog->lock);
    place = place_of(prog, spec_id);
    if (place)
        *place = constant;
    tf_unlock(&prog->lock);
    return place ? CL_SUCCESS
                 : tf_fail(err, CL_OUT_OF_HOST_MEMORY, "specialization constant");
}

// Loads one binary. NULL and err set when it cannot be used.
static struct tf_built *load_binary(struct tf_err *err, struct tf_device *dev,
                                    const void *data, size_t bytes)
{
    struct tf_program_binary content;
    struct tf_devprog *devprog = NULL;
    struct tf_built *built;
    void *blob;

    if (tf_program_binary_read(err, data, bytes, &content))
        return NULL;
    // The application's buffer may have any alignment, a device wants a good one.
    blob = tf_memdup(content.blob, content.blob_bytes);
    if (!blob) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program binary");
        return NULL;
    }
    dev->ops->program_load(err, dev, blob, content.blob_bytes, &devprog);
    tf_free(blob);
    built = devprog ? tf_built_new(err, dev, devprog) : NULL;
    if (built && built->type != content.type) {
        tf_fail(err, CL_INVALID_BINARY, "program binary holds another type than it says");
        tf_built_unref(built);
        return NULL;
    }
    return built;
}

// Whether the first binary is SPIR for a device that reads such.
static bool is_spir(const struct tf_binary_desc *desc)
{
    return tf_device_caps_has(desc->devices[0]->caps, TF_FEATURE_cl_khr_spir) &&
           tf_il_is_bitcode(desc->binaries[0], desc->lengths[0]);
}

// A module is one program, whatever the number of devices.
static cl_int create_spir(struct tf_err *err, cl_context ctx,
                          const struct tf_binary_desc *desc, cl_program *out)
{
    const size_t bytes = desc->lengths[0];
    cl_program prog;

    for (cl_uint i = 1; i < desc->device_count; i++) {
        if (desc->lengths[i] == bytes &&
            !memcmp(desc->binaries[i], desc->binaries[0], bytes))
            continue;
        if (desc->status)
            desc->status[i] = CL_INVALID_BINARY;
        tf_fail(err, CL_INVALID_BINARY, "binary %u is not the SPIR of binary 0", i);
    }
    prog = err->code ? NULL
                     : tf_program_new(err, ctx, TF_PROGRAM_SPIR, desc->device_count,
                                      desc->devices);
    if (!prog)
        return err->code;
    prog->il = tf_memdup(desc->binaries[0], bytes);
    prog->il_bytes = bytes;
    if (!prog->il) {
        tf_unref(prog);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "SPIR module");
    }
    *out = tf_give_user(prog);
    return CL_SUCCESS;
}

cl_int tf_program_create_binary(struct tf_err *err, cl_context ctx,
                                const struct tf_binary_desc *desc, cl_program *out)
{
    cl_program prog;

    if (is_spir(desc))
        return create_spir(err, ctx, desc, out);
    prog = tf_program_new(err, ctx, TF_PROGRAM_BINARY, desc->device_count, desc->devices);
    if (!prog)
        return err->code;
    for (cl_uint i = 0; i < desc->device_count; i++) {
        struct tf_err one = {
            0}; // each device has its own answer; the first error is ours
        struct tf_built *built = load_binary(&one, desc->devices[i]->root->dev,
                                             desc->binaries[i], desc->lengths[i]);

        if (one.code)
            tf_fail(err, one.code, "binary %u: %s", i, one.text);
        if (desc->status)
            desc->status[i] = one.code;
        tf_lock(&prog->lock);
        prog->builds[i].built = built;
        tf_unlock(&prog->lock);
    }
    if (err->code) {
        tf_unref(prog);
        return err->code;
    }
    *out = tf_give_user(prog);
    return CL_SUCCESS;
}

cl_uint tf_program_device_index(cl_program prog, cl_device_id device)
{
    cl_uint i = 0;

    while (i < prog->device_count && prog->devices[i] != device)
        i++;
    return i;
}

static bool is_executable(const struct tf_program_build *build)
{
    return build->status == CL_BUILD_SUCCESS && build->built &&
           build->built->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

struct tf_built *tf_program_built(cl_program prog, cl_uint index, bool executable)
{
    const struct tf_program_build *build;
    struct tf_built *built = NULL;

    tf_lock(&prog->lock);
    build = &prog->builds[index];
    if (build->status != CL_BUILD_IN_PROGRESS && (!executable || is_executable(build)))
        built = tf_built_ref(build->built);
    tf_unlock(&prog->lock);
    return built;
}

cl_int tf_program_attach(struct tf_err *err, cl_program prog, struct tf_built **builts)
{
    bool any = false;

    tf_lock(&prog->lock);
    for (cl_uint i = 0; i < prog->device_count; i++) {
        const struct tf_program_build *build = &prog->builds[i];

        builts[i] = is_executable(build) ? tf_built_ref(build->built) : NULL;
        any |= builts[i] != NULL;
    }
    if (any)
        prog->kernels_attached++;
    tf_unlock(&prog->lock);
    if (!any)
        return tf_fail(err, CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built");
    return CL_SUCCESS;
}

void tf_program_detach(cl_program prog)
{
    tf_lock(&prog->lock);
    prog->kernels_attached--;
    tf_unlock(&prog->lock);
}
