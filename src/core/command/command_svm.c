// SPDX-License-Identifier: MIT
#include "core/command/command_svm.h"

#include <string.h>

#include "base/alloc.h"
#include "core/memory/svm.h"
#include "core/object/error.h"

cl_int tf_enqueue_svm_copy(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, const struct tf_svm_copy *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 0);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_SVM_COPY : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.host = what->dst;
    ev->cmd.host_src = what->src;
    return tf_enqueue_publish(err, at, ev);
}

bool tf_svm_copy_overlaps(const struct tf_svm_copy *what)
{
    const uintptr_t src = (uintptr_t)what->src, dst = (uintptr_t)what->dst;

    return src < dst ? dst - src < what->size_bytes : src - dst < what->size_bytes;
}

cl_int tf_enqueue_svm_fill(struct tf_err *err, const struct tf_enqueue *at,
                           cl_command_type type, const struct tf_svm_fill *what)
{
    cl_event ev = tf_enqueue_new(err, at, type, 0);

    if (!ev)
        return err->code;
    ev->cmd.kind = what->size_bytes ? TF_CMD_SVM_FILL : TF_CMD_NONE;
    ev->cmd.size_bytes = what->size_bytes;
    ev->cmd.host = what->dst;
    memcpy(ev->cmd.pattern, what->pattern, what->pattern_bytes);
    ev->cmd.pattern_bytes = what->pattern_bytes;
    return tf_enqueue_publish(err, at, ev);
}

cl_int tf_enqueue_svm_order(struct tf_err *err, const struct tf_enqueue *at,
                            cl_command_type type)
{
    cl_event ev = tf_enqueue_new(err, at, type, 0);

    return ev ? tf_enqueue_publish(err, at, ev) : err->code;
}

// What the command of clEnqueueSVMFree owns until it has ended.
struct release {
    cl_command_queue queue; // borrowed: the event owns it
    tf_svm_free_fn fn;
    void *data;
    cl_uint count;
    void *pointers[];
};

static void CL_CALLBACK run_release(void *arg)
{
    struct release *release = arg;

    if (release->fn) {
        release->fn(release->queue, release->count,
                    release->count ? release->pointers : NULL, release->data);
        return;
    }
    for (cl_uint i = 0; i < release->count; i++) {
        struct tf_err err = {0}; // the call that could have heard of it has returned

        tf_svm_free(&err, ((struct tf_object *)release->queue)->ctx, TF_SVM_BUFFER,
                    release->pointers[i]);
    }
}

static void release_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    tf_free(ev->cleanup_data);
}

cl_int tf_enqueue_svm_free(struct tf_err *err, const struct tf_enqueue *at,
                           const struct tf_svm_release *what)
{
    const size_t pointer_bytes = what->count * sizeof(void *);
    struct release *release = tf_zalloc(sizeof(*release) + pointer_bytes);
    cl_event ev;

    if (!release)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "list of %u pointers", what->count);
    ev = tf_enqueue_new(err, at, CL_COMMAND_SVM_FREE, 0);
    if (!ev) {
        tf_free(release);
        return err->code;
    }
    release->queue = at->queue;
    release->fn = what->fn;
    release->data = what->data;
    release->count = what->count;
    if (what->count)
        memcpy(release->pointers, what->pointers, pointer_bytes);
    ev->cmd.kind = TF_CMD_NATIVE;
    ev->cmd.native_fn = run_release;
    ev->cmd.native_args = release;
    ev->cleanup = release_cleanup;
    ev->cleanup_data = release;
    return tf_enqueue_publish(err, at, ev);
}
