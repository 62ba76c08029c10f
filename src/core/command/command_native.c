// SPDX-License-Identifier: MIT
#include "core/command/command_native.h"

#include <string.h>

#include "base/alloc.h"
#include "core/memory/mem.h"
#include "core/object/error.h"

// One memory object of a native kernel.
struct native_mem {
    cl_mem mem; // owned reference
    struct tf_devmem *devmem;
    void *host;
};

struct native {
    struct tf_device *dev;
    cl_uint mem_count; // mapped so far
    struct native_mem *mems;
    void *args; // the function's own copy
};

static void free_native(struct native *native)
{
    if (!native)
        return;
    for (cl_uint i = 0; i < native->mem_count; i++) {
        const struct native_mem *mem = &native->mems[i];

        native->dev->ops->mem_unmap(native->dev, mem->devmem, mem->host);
        tf_unref(mem->mem);
    }
    tf_free(native->mems);
    tf_free(native->args);
    tf_free(native);
}

static void native_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    free_native(ev->cleanup_data);
}

// Puts the address of each object's bytes into the copied arguments.
static cl_int place_mems(struct tf_err *err, struct native *native,
                         const struct tf_native_desc *desc)
{
    for (cl_uint i = 0; i < desc->mem_count; i++) {
        struct native_mem *to = &native->mems[native->mem_count];
        const cl_mem mem = desc->mems[i];
        void *host = NULL;

        if (mem) {
            const struct tf_devrange at = tf_mem_range(mem, native->dev, 0);

            if (native->dev->ops->mem_map(err, native->dev, at.mem, at.offset_bytes,
                                          mem->size_bytes, CL_MAP_READ | CL_MAP_WRITE,
                                          &host))
                return err->code;
            *to = (struct native_mem){tf_ref(mem), at.mem, host};
            native->mem_count++;
        }
        memcpy((char *)native->args + desc->mem_offsets[i], &host, sizeof(host));
    }
    return CL_SUCCESS;
}

static struct native *new_native(struct tf_err *err, struct tf_device *dev,
                                 const struct tf_native_desc *desc)
{
    struct native *native = tf_zalloc(sizeof(*native));
    bool ok = native != NULL;

    if (ok) {
        *native = (struct native){.dev = dev};
        native->mems = tf_zalloc(desc->mem_count * sizeof(*native->mems));
        native->args = desc->args ? tf_memdup(desc->args, desc->args_bytes) : NULL;
        ok = native->mems && (native->args || !desc->args);
    }
    if (!ok)
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "native kernel");
    // Without arguments there is no place for objects either.
    if (ok && (!native->args || !place_mems(err, native, desc)))
        return native;
    free_native(native);
    return NULL;
}

cl_int tf_enqueue_native(struct tf_err *err, const struct tf_enqueue *at,
                         const struct tf_native_desc *desc)
{
    struct native *native = new_native(err, tf_enqueue_device(at), desc);
    cl_event ev;

    if (!native)
        return err->code;
    ev = tf_enqueue_new(err, at, CL_COMMAND_NATIVE_KERNEL, 0);
    if (!ev) {
        free_native(native);
        return err->code;
    }
    ev->cmd.kind = TF_CMD_NATIVE;
    ev->cmd.native_fn = desc->fn;
    ev->cmd.native_args = native->args;
    ev->cleanup = native_cleanup;
    ev->cleanup_data = native;
    return tf_enqueue_publish(err, at, ev);
}
