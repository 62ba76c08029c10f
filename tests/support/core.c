// SPDX-License-Identifier: MIT
#include "support/core.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "core/platform/device.h"
#include "support/limits.h"

bool tf_core_wait_int(atomic_int *value, int wanted)
{
    return TEST_UNTIL(atomic_load(value) == wanted);
}

struct tf_core tf_core_begin(unsigned threads)
{
    struct tf_core core = {.mock = tf_mock_create(threads)};
    struct tf_err err = {0};
    struct tf_context_desc desc = {.devices = &core.device, .device_count = 1};

    ck_assert_ptr_nonnull(core.mock);
    core.device = tf_device_register(&core.mock->dev, NULL);
    ck_assert_ptr_nonnull(core.device);
    ck_assert_int_eq(tf_context_create(&err, &desc, &core.ctx), CL_SUCCESS);
    return core;
}

void tf_core_end(struct tf_core *core)
{
    tf_core_release(core->ctx, &tf_class_context);
    // A worker may still hold the last reference of what it has just finished.
    ck_assert(
        TEST_UNTIL(atomic_load(&core->mock->closed) == atomic_load(&core->mock->opened)));
    ck_assert(TEST_UNTIL(tf_object_live() == 0));
    ck_assert_int_eq(atomic_load(&core->mock->live_memories), 0);
    ck_assert_int_eq(atomic_load(&core->mock->live_programs), 0);
    tf_mock_destroy(core->mock);
}

cl_command_queue tf_core_queue(const struct tf_core *core,
                               cl_command_queue_properties flags)
{
    const struct tf_queue_desc desc = {.device = core->device, .flags = flags};
    struct tf_err err = {0};
    cl_command_queue q = NULL;

    ck_assert_int_eq(tf_queue_create(&err, core->ctx, &desc, &q), CL_SUCCESS);
    return q;
}

cl_event tf_core_user_event(const struct tf_core *core)
{
    cl_event ev = tf_event_new(core->ctx, NULL, CL_COMMAND_USER, 0, 0);

    ck_assert_ptr_nonnull(ev);
    return tf_give_user(ev);
}

cl_event tf_core_enqueue(cl_command_queue q, void(CL_CALLBACK *fn)(void *), void *arg,
                         cl_uint dep_count, const cl_event *deps)
{
    struct tf_err err = {0};
    cl_event out = NULL, ev;

    ev = tf_queue_new_command(&err, q, fn ? CL_COMMAND_NATIVE_KERNEL : CL_COMMAND_MARKER,
                              dep_count, 0);
    ck_assert_ptr_nonnull(ev);
    if (fn) {
        ev->cmd.kind = TF_CMD_NATIVE;
        ev->cmd.native_fn = fn;
        ev->cmd.native_args = arg;
    }
    tf_queue_enqueue(q, ev, fn || dep_count ? 0 : TF_ENQUEUE_AFTER_ALL, dep_count, deps,
                     &out);
    return out;
}

void tf_core_release(void *handle, const struct tf_class *cls)
{
    struct tf_err err = {0};

    ck_assert_int_eq(tf_object_release(&err, handle, cls), CL_SUCCESS);
}
