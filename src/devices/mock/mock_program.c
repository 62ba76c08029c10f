// SPDX-License-Identifier: MIT
// Programs of the mock device. A saved program is its kind and its source behind a mark.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "core/object/error.h"
#include "devices/mock/mock_parts.h"

enum { KERNELS_MAX = 16, NAME_BYTES = 32, GROUP_SIZE = 256 };

struct tf_devprog {
    cl_uint type;
    char *source;
    size_t kernel_count;
    struct tf_kernel_info kernels[KERNELS_MAX];
    char names[KERNELS_MAX][NAME_BYTES];
    struct tf_kernel_arg_info args[TF_MOCK_ARGS];
};

static const char mark[] = "MOCK";

const struct tf_kernel_arg_info tf_mock_args[TF_MOCK_ARGS] = {
    {.kind = TF_ARG_BUFFER,
     .size_bytes = 8,
     .align_bytes = 8,
     .address_qualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL,
     .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
     .name = "data",
     .type_name = "uint*"},
    {.kind = TF_ARG_VALUE,
     .size_bytes = 4,
     .align_bytes = 4,
     .block_offset_bytes = 8,
     .address_qualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE,
     .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
     .name = "value",
     .type_name = "uint"},
    {.kind = TF_ARG_LOCAL,
     .align_bytes = 4,
     .block_offset_bytes = 16,
     .address_qualifier = CL_KERNEL_ARG_ADDRESS_LOCAL,
     .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
     .name = "scratch",
     .type_name = "uint*"},
};

static void add_kernel(struct tf_devprog *prog, const char *name, size_t length)
{
    const size_t i = prog->kernel_count;

    if (i == KERNELS_MAX || length == 0 || length >= NAME_BYTES)
        return;
    memcpy(prog->names[i], name, length);
    prog->kernels[i] = (struct tf_kernel_info){.name = prog->names[i],
                                               .attributes = "",
                                               .args = prog->args,
                                               .arg_count = TF_MOCK_ARGS,
                                               .arg_block_bytes = TF_MOCK_BLOCK_BYTES};
    prog->kernel_count++;
}

static void find_kernels(struct tf_devprog *prog)
{
    const char *name_chars = "abcdefghijklmnopqrstuvwxyz_0123456789";
    const char *p = prog->source;

    while ((p = strstr(p, "kernel "))) {
        p += strlen("kernel ");
        add_kernel(prog, p, strspn(p, name_chars));
    }
}

static struct tf_devprog *new_program(struct tf_mock *mock, cl_uint type,
                                      const char *source, size_t bytes)
{
    struct tf_devprog *prog = tf_zalloc(sizeof(*prog));
    struct tf_str s = {0};

    if (!prog)
        return NULL;
    tf_str_add_bytes(&s, source, bytes);
    prog->source = tf_str_take(&s);
    if (!prog->source) {
        tf_free(prog);
        return NULL;
    }
    prog->type = type;
    memcpy(prog->args, tf_mock_args, sizeof(tf_mock_args));
    if (type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        find_kernels(prog);
    atomic_fetch_add(&mock->live_programs, 1);
    return prog;
}

static cl_uint type_of(enum tf_build_kind kind)
{
    switch (kind) {
    case TF_BUILD_COMPILE:
        return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case TF_BUILD_LIBRARY:
        return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    case TF_BUILD_WHOLE:
    case TF_BUILD_LINK:
        break;
    }
    return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

static cl_int program_build(struct tf_err *err, struct tf_device *dev,
                            const struct tf_build_in *in, struct tf_build_out *out)
{
    struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);
    struct tf_str source = {0};
    char *text;

    atomic_fetch_add(&mock->builds, 1);
    if (in->source)
        tf_str_add_bytes(&source, in->source, in->source_bytes);
    for (size_t i = 0; i < in->object_count; i++)
        tf_str_add(&source, in->objects[i]->source);
    text = tf_str_take(&source);
    if (text && strstr(text, "error")) {
        tf_free(text);
        out->log = tf_strdup("1:1: error: the source says so\n");
        return tf_fail(err, tf_build_failure(in->kind), "mock build");
    }
    out->log = tf_strdup("");
    out->program = text ? new_program(mock, type_of(in->kind), text, strlen(text)) : NULL;
    tf_free(text);
    return out->program ? CL_SUCCESS
                        : tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mock program");
}

static cl_int program_load(struct tf_err *err, struct tf_device *dev, const void *blob,
                           size_t bytes, struct tf_devprog **out)
{
    struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);
    const size_t head = sizeof(mark) + sizeof(cl_uint);
    cl_uint type;

    if (bytes < head || memcmp(blob, mark, sizeof(mark)) != 0)
        return tf_fail(err, CL_INVALID_BINARY, "not a mock program");
    memcpy(&type, (const char *)blob + sizeof(mark), sizeof(type));
    *out = new_program(mock, type, (const char *)blob + head, bytes - head);
    return *out ? CL_SUCCESS : tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mock program");
}

static cl_int program_save(struct tf_err *err, struct tf_device *dev,
                           struct tf_devprog *prog, void **blob, size_t *bytes)
{
    struct tf_str s = {0};

    (void)dev;
    tf_str_add_bytes(&s, mark, sizeof(mark));
    tf_str_add_bytes(&s, &prog->type, sizeof(prog->type));
    tf_str_add(&s, prog->source);
    *bytes = s.bytes;
    *blob = tf_str_take(&s);
    return *blob ? CL_SUCCESS : tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mock blob");
}

static void program_free(struct tf_device *dev, struct tf_devprog *prog)
{
    struct tf_mock *mock = tf_container_of(dev, struct tf_mock, dev);

    tf_free(prog->source);
    tf_free(prog);
    atomic_fetch_sub(&mock->live_programs, 1);
}

static void program_info(struct tf_devprog *prog, struct tf_program_info *out)
{
    *out = (struct tf_program_info){
        .type = prog->type, .kernels = prog->kernels, .kernel_count = prog->kernel_count};
}

// The largest power of two up to 64 that divides the first size; 1 elsewhere.
static size_t group_size(struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t local[3])
{
    (void)dev, (void)kernel, (void)work_dim;
    if (!local)
        return GROUP_SIZE;
    local[0] = local[1] = local[2] = 1;
    while (local[0] < 64 && global_size[0] % (local[0] * 2) == 0 && global_size[0])
        local[0] *= 2;
    return GROUP_SIZE;
}

void tf_mock_run_kernel(const struct tf_command_kernel *kernel)
{
    unsigned char *block = kernel->arg_block;
    uint32_t *data, value;
    size_t items = 1;

    for (size_t i = 0; i < kernel->patch_count; i++) {
        const struct tf_arg_patch *patch = &kernel->patches[i];
        const uint64_t address =
            (uint64_t)(uintptr_t)tf_mock_address(patch->mem) + patch->delta_bytes;

        memcpy(block + patch->block_offset_bytes, &address, sizeof(address));
    }
    memcpy(&data, block, sizeof(data));
    memcpy(&value, block + 8, sizeof(value));
    for (cl_uint d = 0; d < kernel->work_dim; d++)
        items *= kernel->global_size[d];
    for (size_t i = 0; i < items; i++)
        data[i] += value;
}

void tf_mock_program_ops(struct tf_device_ops *ops)
{
    ops->program_build = program_build;
    ops->program_load = program_load;
    ops->program_save = program_save;
    ops->program_free = program_free;
    ops->program_info = program_info;
    ops->group_size = group_size;
}
