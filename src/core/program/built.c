// SPDX-License-Identifier: MIT
#include "core/program/built.h"

#include <string.h>

#include "base/alloc.h"
#include "base/range.h"
#include "core/object/error.h"
#include "core/program/program_binary.h"

// The enqueue copies argument blocks by this table: it must hold whoever made the binary.
static cl_int check_kernel(struct tf_err *err, const struct tf_kernel_info *kernel)
{
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        const struct tf_kernel_arg_info *arg = &kernel->args[i];
        const size_t bytes = tf_arg_block_bytes(arg->kind, arg->size_bytes);

        TF_REQUIRE(err,
                   tf_range_ok(arg->block_offset_bytes, bytes, kernel->arg_block_bytes),
                   CL_INVALID_BINARY, "kernel %s: argument %u lies outside of its block",
                   kernel->name, i);
    }
    return CL_SUCCESS;
}

struct tf_built *tf_built_new(struct tf_err *err, struct tf_device *dev,
                              struct tf_devprog *prog)
{
    struct tf_built *built = tf_zalloc(sizeof(*built));
    struct tf_program_info info;

    if (!built) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program");
        dev->ops->program_free(dev, prog);
        return NULL;
    }
    atomic_init(&built->refs, 1);
    atomic_init(&built->binary, NULL);
    built->dev = dev;
    built->prog = prog;
    dev->ops->program_info(prog, &info);
    tf_free(info.report); // nothing has run
    built->type = info.type;
    built->variable_bytes = info.variable_bytes;
    built->has_constructors = info.has_constructors;
    built->has_destructors = info.has_destructors;
    built->kernels = info.kernels;
    built->kernel_count = info.kernel_count;
    for (size_t i = 0; i < built->kernel_count; i++) {
        if (check_kernel(err, &built->kernels[i])) {
            tf_built_unref(built);
            return NULL;
        }
    }
    return built;
}

struct tf_built *tf_built_ref(struct tf_built *built)
{
    // Relaxed: the caller has a reference, or the lock of who has.
    if (built)
        atomic_fetch_add_explicit(&built->refs, 1, memory_order_relaxed);
    return built;
}

void tf_built_unref(struct tf_built *built)
{
    // Release: our use comes before the destruction. Acquire: it sees that of others.
    if (!built || atomic_fetch_sub_explicit(&built->refs, 1, memory_order_acq_rel) != 1)
        return;
    tf_free(atomic_load(&built->binary));
    built->dev->ops->program_free(built->dev, built->prog);
    tf_free(built);
}

static struct tf_built_binary *make_binary(struct tf_err *err, struct tf_built *built)
{
    struct tf_program_binary content = {.type = built->type};
    struct tf_built_binary *binary;
    void *blob = NULL, *data;
    size_t bytes = 0;

    if (built->dev->ops->program_save(err, built->dev, built->prog, &blob,
                                      &content.blob_bytes))
        return NULL;
    content.blob = blob;
    data = tf_program_binary_write(&content, &bytes);
    tf_free(blob);
    binary = data ? tf_zalloc(sizeof(*binary) + bytes) : NULL;
    if (binary) {
        binary->bytes = bytes;
        memcpy(binary->data, data, bytes);
    } else {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "program binary");
    }
    tf_free(data);
    return binary;
}

const struct tf_built_binary *tf_built_get_binary(struct tf_err *err,
                                                  struct tf_built *built)
{
    struct tf_built_binary *binary = atomic_load(&built->binary), *seen = NULL;

    if (binary)
        return binary;
    // Kept once made: the size that one query tells must be that of the next, because
    // CL_PROGRAM_BINARIES writes to memory whose size it is not told.
    binary = make_binary(err, built);
    if (!binary)
        return NULL;
    if (atomic_compare_exchange_strong(&built->binary, &seen, binary))
        return binary;
    tf_free(binary); // another thread was faster
    return seen;
}

size_t tf_built_find(const struct tf_built *built, const char *kernel_name)
{
    size_t i = 0;

    while (i < built->kernel_count && strcmp(built->kernels[i].name, kernel_name) != 0)
        i++;
    return i;
}
