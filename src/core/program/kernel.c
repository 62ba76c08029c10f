// SPDX-License-Identifier: MIT
#include "core/program/kernel.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"

static void kernel_destroy(struct tf_object *obj)
{
    cl_kernel kernel = (cl_kernel)obj;

    for (cl_uint i = 0; kernel->devices && i < kernel->program->device_count; i++)
        tf_built_unref(kernel->devices[i].built);
    tf_free(kernel->devices);
    tf_free(kernel->args);
    tf_free(kernel->block);
    if (kernel->program)
        tf_program_detach(kernel->program);
    TF_CLEAR(kernel->program);
}

const struct tf_class tf_class_kernel = {
    .name = "kernel",
    .magic = 0xbf58476du,
    .invalid = CL_INVALID_KERNEL,
    .size_bytes = sizeof(struct _cl_kernel),
    .destroy = kernel_destroy,
    .slab = &tf_slab_kernel,
};

static bool same_argument(const struct tf_kernel_arg_info *a,
                          const struct tf_kernel_arg_info *b)
{
    return a->kind == b->kind && a->size_bytes == b->size_bytes &&
           a->block_offset_bytes == b->block_offset_bytes &&
           a->address_qualifier == b->address_qualifier &&
           a->access_qualifier == b->access_qualifier &&
           strcmp(a->type_name, b->type_name) == 0;
}

static bool same_definition(const struct tf_kernel_info *a,
                            const struct tf_kernel_info *b)
{
    if (a->arg_count != b->arg_count || a->arg_block_bytes != b->arg_block_bytes)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (!same_argument(&a->args[i], &b->args[i]))
            return false;
    return true;
}

// As many of their names as there is room for.
static void list_names(const struct tf_built *built, char *text, size_t bytes)
{
    size_t used = 0;

    snprintf(text, bytes, "none at all");
    for (size_t i = 0; i < built->kernel_count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? ", " : "",
                                 built->kernels[i].name);
}

// Finds the kernel on each device and sets kernel->info. kernel->devices have their
// builts.
static cl_int find_on_devices(struct tf_err *err, cl_kernel kernel, const char *name)
{
    for (cl_uint i = 0; i < kernel->program->device_count; i++) {
        struct tf_kernel_device *on = &kernel->devices[i];
        char names[120];
        size_t index;

        if (!on->built)
            continue;
        index = tf_built_find(on->built, name);
        if (index == on->built->kernel_count) {
            list_names(on->built, names, sizeof(names));
            return tf_fail(err, CL_INVALID_KERNEL_NAME,
                           "no kernel \"%.60s\" on device %u, but %s", name, i, names);
        }
        on->index = (uint32_t)index;
        if (!kernel->info)
            kernel->info = tf_kernel_device_info(on);
        else if (!same_definition(kernel->info, tf_kernel_device_info(on)))
            return tf_fail(err, CL_INVALID_KERNEL_DEFINITION,
                           "kernel \"%s\" differs between devices", name);
    }
    return CL_SUCCESS;
}

static cl_int allocate_args(struct tf_err *err, cl_kernel kernel)
{
    kernel->args = tf_zalloc(kernel->info->arg_count * sizeof(*kernel->args));
    kernel->block = tf_zalloc(kernel->info->arg_block_bytes);
    if (!kernel->args || !kernel->block)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "kernel arguments");
    for (uint32_t i = 0; i < kernel->info->arg_count; i++) {
        kernel->queue_max += kernel->info->args[i].kind == TF_ARG_QUEUE;
        kernel->object_max += kernel->info->args[i].kind == TF_ARG_BUFFER ||
                              kernel->info->args[i].kind == TF_ARG_PIPE ||
                              kernel->info->args[i].kind == TF_ARG_IMAGE;
    }
    return CL_SUCCESS;
}

// A kernel object that is attached to its program and has its executables, no more. NULL
// and err set on failure.
static cl_kernel new_kernel(struct tf_err *err, cl_program prog)
{
    const cl_uint count = prog->device_count;
    struct tf_kernel_device *devices = tf_zalloc(count * sizeof(*devices));
    struct tf_built **builts = tf_zalloc(count * sizeof(struct tf_built *));
    cl_kernel kernel = tf_object_new(&tf_class_kernel, prog->obj.ctx, 0);

    if (!kernel || !devices || !builts) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "kernel object");
        goto fail;
    }
    if (tf_program_attach(err, prog, builts))
        goto fail;
    for (cl_uint i = 0; i < count; i++)
        devices[i].built = builts[i];
    tf_free(builts);
    kernel->devices = devices;
    kernel->program = tf_ref(prog);
    return kernel;
fail:
    tf_unref(kernel);
    tf_free(builts);
    tf_free(devices);
    return NULL;
}

// A kernel that nobody else knows yet; NULL on failure.
static cl_kernel make(struct tf_err *err, cl_program prog, const char *name)
{
    cl_kernel kernel = new_kernel(err, prog);

    if (!kernel)
        return NULL;
    if (find_on_devices(err, kernel, name) || allocate_args(err, kernel)) {
        tf_unref(kernel);
        return NULL;
    }
    return kernel;
}

static cl_int create(struct tf_err *err, cl_program prog, const char *name,
                     cl_kernel *out)
{
    cl_kernel kernel = make(err, prog, name);

    if (!kernel)
        return err->code;
    *out = tf_give_user(kernel);
    return CL_SUCCESS;
}

cl_int tf_kernel_create(struct tf_err *err, cl_program prog, const char *name,
                        cl_kernel *out)
{
    if (create(err, prog, name, out))
        return err->code;
    for (cl_uint i = 0; i < prog->device_count; i++) {
        const struct tf_kernel_device *on = &(*out)->devices[i];

        if (on->built && on->built->dev->ops->kernel_expected)
            on->built->dev->ops->kernel_expected(on->built->dev, on->built->prog,
                                                 on->index);
    }
    return CL_SUCCESS;
}

// True if every device with an executable has that kernel, and the same one: others are
// left out of clCreateKernelsInProgram (OpenCL 3.1 §5.9.1). `scratch` has the
// executables.
static bool is_on_all_devices(cl_kernel scratch, const char *name)
{
    struct tf_err err = {0};

    scratch->info = NULL;
    return find_on_devices(&err, scratch, name) == CL_SUCCESS;
}

static cl_uint count_kernels(cl_kernel scratch, const struct tf_built *names)
{
    cl_uint count = 0;

    for (size_t i = 0; i < names->kernel_count; i++)
        count += is_on_all_devices(scratch, names->kernels[i].name);
    return count;
}

// All or none.
static cl_int create_each(struct tf_err *err, cl_kernel scratch,
                          const struct tf_built *names, cl_kernel *out)
{
    cl_uint made = 0;

    for (size_t i = 0; i < names->kernel_count; i++) {
        const char *name = names->kernels[i].name;

        if (!is_on_all_devices(scratch, name))
            continue;
        if (create(err, scratch->program, name, &out[made]))
            break;
        made++;
    }
    while (err->code && made-- > 0) {
        tf_object_release(&(struct tf_err){0}, out[made], &tf_class_kernel);
        out[made] = NULL;
    }
    return err->code;
}

cl_int tf_kernel_create_all(struct tf_err *err, cl_program prog, cl_uint room,
                            cl_kernel *out, cl_uint *count)
{
    cl_kernel scratch = new_kernel(err, prog); // keeps the program as it is meanwhile
    const struct tf_built *names = NULL;

    if (!scratch)
        return err->code;
    for (cl_uint i = 0; !names; i++)
        names = scratch->devices[i].built;
    *count = count_kernels(scratch, names);
    if (out && room < *count)
        tf_fail(err, CL_INVALID_VALUE, "room for %u of %u kernels", room, *count);
    else if (out)
        create_each(err, scratch, names, out);
    tf_unref(scratch);
    return err->code;
}

cl_int tf_kernel_clone(struct tf_err *err, cl_kernel kernel, cl_kernel *out)
{
    // A kernel is attached, so the program still has what the kernel was made from.
    cl_kernel copy = make(err, kernel->program, kernel->info->name);

    if (!copy)
        return err->code;
    memcpy(copy->args, kernel->args, kernel->info->arg_count * sizeof(*kernel->args));
    memcpy(copy->block, kernel->block, kernel->info->arg_block_bytes);
    copy->is_concurrent = kernel->is_concurrent;
    *out = tf_give_user(copy);
    return CL_SUCCESS;
}

const struct tf_kernel_device *tf_kernel_on(cl_kernel kernel, cl_device_id device)
{
    const cl_uint i = tf_program_device_index(kernel->program, device);

    if (i == kernel->program->device_count || !kernel->devices[i].built)
        return NULL;
    return &kernel->devices[i];
}
