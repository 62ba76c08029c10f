// SPDX-License-Identifier: MIT
// Nothing that a kernel says is trusted: queues, events, ranges and sizes are checked,
// and what is wrong with them is the result of the call. Only the addresses of memory of
// the kernel's own are taken as they are.
#include "devices/cpu/family/cpu_enqueue.h"

#include <string.h>

#include "abi/enqueue_record.h"
#include "abi/long16.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/platform/device_caps.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/family/cpu_family_state.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/run/cpu_group_size.h"

// What enqueue_kernel() returns (OpenCL C 6.15.18.3).
enum {
    SUCCESS = 0,
    OUT_OF_RESOURCES = -5,
    INVALID_ARG_SIZE = -51,
    INVALID_EVENT_WAIT_LIST = -57,
    EVENT_ALLOCATION_FAILURE = -100,
    ENQUEUE_FAILURE = -101,
    INVALID_QUEUE = -102,
    INVALID_NDRANGE = -160,
    DEVICE_QUEUE_FULL = -161,
};

enum { NO_WAIT, WAIT_KERNEL, WAIT_WORK_GROUP }; // CLK_ENQUEUE_FLAGS_*

// One call of enqueue_kernel() or enqueue_marker().
struct request {
    const struct tf_enqueue_record *record;
    struct tf_exec *exec;
    struct tf_child *parent;
    const struct tf_kernel_info *info; // of the block; NULL: a marker
    struct tf_command_kernel kernel;   // but for the argument block
    struct tf_devqueue *queue;
};

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static const struct tf_kernel_info *info_of(const struct tf_child *child, uint32_t block)
{
    const struct tf_devprog *prog = tf_family_program(child->family);

    return block < prog->kernel_count - prog->host_kernel_count
               ? &prog->infos[prog->host_kernel_count + block]
               : NULL;
}

// ---- The range ----

static int check_local(const struct request *r)
{
    struct tf_device *dev = tf_family_device(r->parent->family);
    const size_t most = tf_cpu_group_size(dev, r->info, 0, NULL, NULL);
    const struct tf_command_kernel *k = &r->kernel;
    size_t items = 1;

    for (uint32_t d = 0; d < k->work_dim; d++) {
        if (k->local_size[d] == 0 || k->local_size[d] > dev->caps->max_item_sizes[d] ||
            tf_mul_overflow(items, k->local_size[d], &items) || items > most)
            return INVALID_NDRANGE;
        if (r->info->flags & TF_KERNEL_UNIFORM_GROUPS &&
            k->global_size[d] % k->local_size[d] != 0)
            return INVALID_NDRANGE;
    }
    return SUCCESS;
}

static int set_range(struct request *r)
{
    const struct tf_device_range *range = at(r->record->range);
    struct tf_command_kernel *k = &r->kernel;
    bool is_empty = false, is_one = true;

    if (range->work_dim < 1 || range->work_dim > 3)
        return INVALID_NDRANGE;
    k->work_dim = range->work_dim;
    for (uint32_t d = 0; d < 3; d++) {
        const bool is_used = d < k->work_dim;
        size_t end;

        k->global_offset[d] = is_used ? range->global_offset[d] : 0;
        k->global_size[d] = is_used ? range->global_size[d] : 1;
        k->local_size[d] = is_used ? range->local_size[d] : 1;
        is_empty |= k->global_size[d] == 0;
        is_one &= k->global_size[d] == 1;
        if (tf_add_overflow(k->global_offset[d], k->global_size[d], &end))
            return INVALID_NDRANGE;
    }
    if (range->local_size[0] > 0)
        return check_local(r);
    for (uint32_t d = 0; d < 3; d++)
        k->local_size[d] = 1;
    if (!is_empty && !is_one)
        tf_cpu_group_size(tf_family_device(r->parent->family), r->info, k->work_dim,
                          k->global_size, k->local_size);
    return SUCCESS;
}

// ---- Arguments ----

// Local memory of a group: static variables, then each argument at the next multiple of
// 128.
static int count_local(struct request *r)
{
    const struct tf_device *dev = tf_family_device(r->parent->family);
    const uint64_t *bytes = at(r->record->local_bytes);
    size_t end = r->info->local_bytes;

    if (r->record->local_count + 1 != r->info->arg_count)
        return INVALID_ARG_SIZE;
    for (uint32_t i = 0; i < r->record->local_count; i++) {
        if (bytes[i] == 0)
            return INVALID_ARG_SIZE;
        end = (end + TF_LONG16_BYTES - 1) / TF_LONG16_BYTES * TF_LONG16_BYTES;
        if (bytes[i] > dev->caps->local_memory_bytes ||
            (end += bytes[i]) > dev->caps->local_memory_bytes)
            return OUT_OF_RESOURCES;
    }
    r->kernel.local_bytes = end;
    return SUCCESS;
}

// The literal as it is now, and where local memory lies; kernels that check themselves
// find its size in the upper half.
static void fill_block(const struct request *r, char *block)
{
    const struct tf_block_literal *literal = at(r->record->literal);
    const uint64_t *bytes = at(r->record->local_bytes);
    const uint32_t room = r->info->args[0].size_bytes;
    const uint32_t given =
        r->record->literal_bytes ? r->record->literal_bytes : literal->bytes;
    const uint32_t taken = given < room ? given : room;
    uint64_t end = r->info->local_bytes, word;

    memcpy(block, literal, taken);
    memset(block + taken, 0, r->info->arg_block_bytes - taken);
    for (uint32_t i = 0; i < r->record->local_count; i++) {
        end = (end + TF_LONG16_BYTES - 1) / TF_LONG16_BYTES * TF_LONG16_BYTES;
        word = end;
        if (r->info->flags & TF_KERNEL_CHECKED)
            word |= bytes[i] << TF_ARG_LOCAL_SIZE_SHIFT;
        memcpy(block + r->info->args[i + 1].block_offset_bytes, &word, sizeof(word));
        end += bytes[i];
    }
}

// ---- Events ----

static int check_waits(const struct request *r)
{
    const uint64_t *events = at(r->record->waits);

    if (r->record->wait_count > 0 && !events)
        return INVALID_EVENT_WAIT_LIST;
    for (uint32_t i = 0; i < r->record->wait_count; i++)
        if (!tf_device_event_is_valid(events[i]))
            return INVALID_EVENT_WAIT_LIST;
    return SUCCESS;
}

static void wait_for_events(const struct request *r, struct tf_child *child,
                            struct tf_device_waiter *waiters)
{
    const uint64_t *events = at(r->record->waits);

    for (uint32_t i = 0; i < r->record->wait_count; i++) {
        cl_int status;

        waiters[i].owner = child;
        if (tf_device_event_wait(events[i], &waiters[i], &status))
            continue;
        if (status < 0)
            atomic_store_explicit(&child->status,
                                  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                  memory_order_relaxed);
        atomic_fetch_sub_explicit(&child->blocked, 1, memory_order_relaxed);
    }
}

// ---- Enqueuing ----

static void wait_for_parent(const struct request *r, struct tf_child *child)
{
    _Atomic(struct tf_child *) *list = &r->parent->after_groups;

    if (r->record->flags == WAIT_WORK_GROUP && r->info) {
        child->next = r->exec->after_group;
        r->exec->after_group = child;
    } else if (r->record->flags == WAIT_KERNEL && r->info) {
        child->next = atomic_load_explicit(list, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(
            list, &child->next, child, memory_order_release, memory_order_relaxed))
            ;
    }
}

// Nothing can fail from here on.
static void publish(const struct request *r, struct tf_child *child,
                    struct tf_device_waiter *waiters)
{
    struct tf_child *parent = r->parent;
    const bool waits = r->info && r->record->flags != NO_WAIT;
    const unsigned events = r->record->wait_count;
    // While it is being enqueued events of elsewhere shall not let it begin. Its parent
    // does not end meanwhile.
    const unsigned held = events > 0 ? 1 : 0;

    child->family = parent->family;
    child->is_marker = !r->info;
    child->counts = parent->event || !parent->counts ? parent : parent->counts;
    tf_child_count(r->exec, child->counts);
    atomic_init(&child->pending, 1);
    atomic_init(&child->blocked, events + (waits ? 1 : 0) + held);
    if (r->record->result)
        memcpy(at(r->record->result), &child->event, sizeof(child->event));
    wait_for_events(r, child, waiters);
    wait_for_parent(r, child);
    if (held)
        tf_child_unblock(r->exec, child);
    else if (!waits)
        tf_child_ready(r->exec, child);
}

static void set_kernel(struct tf_child *child, const struct tf_command_kernel *k)
{
    child->kernel_index = k->kernel_index;
    child->work_dim = (uint8_t)k->work_dim;
    child->local_bytes = k->local_bytes;
    for (uint32_t d = 0; d < k->work_dim; d++) {
        struct tf_child_range *range = d == 0 ? &child->range : &child->more[d - 1];

        range->offset = k->global_offset[d];
        range->size = k->global_size[d];
        range->local_size = k->local_size[d];
    }
}

static int enqueue(struct request *r)
{
    const size_t block_bytes = r->info ? r->info->arg_block_bytes : 0;
    struct tf_device_waiter *waiters;
    struct tf_child *child;
    bool is_full;

    child = tf_child_new(r->exec, r->queue, block_bytes, r->record->wait_count, &waiters,
                         &is_full);
    if (!child)
        return is_full ? DEVICE_QUEUE_FULL : OUT_OF_RESOURCES;
    if (r->record->result) {
        child->event = tf_device_event_new(0);
        if (!child->event) {
            tf_child_free(r->exec, child);
            return EVENT_ALLOCATION_FAILURE;
        }
        child->times = (struct tf_device_times){0};
    }
    if (r->info) {
        set_kernel(child, &r->kernel);
        fill_block(r, tf_child_block(child));
    }
    if (r->parent->family->checks) // nobody else reads the number
        child->checks = tf_check_enqueued(r->parent->family->checks, r->exec->checks,
                                          r->parent->checks, r->record, child->event);
    publish(r, child, waiters);
    return SUCCESS;
}

static int check_kernel(struct request *r)
{
    struct tf_devprog *prog = tf_family_program(r->parent->family);
    int code;

    r->info = info_of(r->parent, r->record->block);
    if (!r->info || r->record->flags > WAIT_WORK_GROUP)
        return ENQUEUE_FAILURE;
    r->kernel.program = prog;
    r->kernel.kernel_index = (uint32_t)(prog->host_kernel_count + r->record->block);
    code = set_range(r);
    return code ? code : count_local(r);
}

// Only programs for debugging are told what was wrong.
static tf_u64 result(const struct tf_child *parent, int code)
{
    const struct tf_devprog *prog = tf_family_program(parent->family);

    return (tf_u64)(tf_i32)(code == SUCCESS || prog->infos[parent->kernel_index].flags &
                                                   TF_KERNEL_DEBUG_FORM
                                ? code
                                : ENQUEUE_FAILURE);
}

static tf_u64 take_request(struct tf_exec *exec, struct tf_child *parent,
                           const struct tf_enqueue_record *record)
{
    struct request r = {.record = record, .exec = exec, .parent = parent};
    int code = SUCCESS;

    if (record->op == TF_ENQUEUE_MARKER && !record->result)
        return SUCCESS; // it would be nobody's
    if (!tf_family_has_queue(parent->family, record->queue))
        return result(parent, INVALID_QUEUE);
    r.queue = at(record->queue);
    if (record->op == TF_ENQUEUE_KERNEL)
        code = check_kernel(&r);
    if (code == SUCCESS)
        code = check_waits(&r);
    if (code == SUCCESS)
        code = enqueue(&r);
    return result(parent, code);
}

// ---- Questions about a block ----

static tf_u64 ask_block(const struct tf_child *parent,
                        const struct tf_enqueue_record *record)
{
    struct tf_device *dev = tf_family_device(parent->family);
    struct request r = {.record = record,
                        .parent = (struct tf_child *)parent,
                        .info = info_of(parent, record->block)};
    size_t items;

    if (!r.info)
        return 0;
    switch (record->op) {
    case TF_ENQUEUE_GROUP_SIZE:
        return tf_cpu_group_size(dev, r.info, 0, NULL, NULL);
    case TF_ENQUEUE_GROUP_MULTIPLE:
        return dev->info->vector_bits / 32;
    case TF_ENQUEUE_SUB_GROUP_SIZE:
        return r.info->sub_group_size;
    default:
        break;
    }
    if (set_range(&r) || r.info->sub_group_size == 0)
        return 0;
    items = r.kernel.local_size[0] * r.kernel.local_size[1] * r.kernel.local_size[2];
    return (items + r.info->sub_group_size - 1) / r.info->sub_group_size;
}

// ---- The service ----

static tf_u64 ask_event(struct tf_exec *exec, const struct tf_child *parent,
                        const struct tf_enqueue_record *record)
{
    const cl_int status = (cl_int)record->flags;

    switch (record->op) {
    case TF_ENQUEUE_RETAIN:
        tf_device_event_retain(record->event);
        break;
    case TF_ENQUEUE_RELEASE:
        tf_device_event_release(record->event);
        break;
    case TF_ENQUEUE_SET_STATUS:
        tf_check_event_set(parent->family->checks, exec->checks, parent->checks,
                           record->event);
        tf_children_wake(exec, tf_device_event_set(record->event, status), status);
        break;
    case TF_ENQUEUE_IS_VALID:
        return tf_device_event_is_valid(record->event);
    case TF_ENQUEUE_CAPTURE:
        tf_device_event_capture(record->event, at(record->result));
        break;
    default:
        break;
    }
    return 0;
}

static tf_u64 new_event(const struct tf_exec *exec, const struct tf_child *parent,
                        const struct tf_enqueue_record *record)
{
    const uint64_t event = tf_device_event_new(parent->family->number);

    if (!event)
        return TF_NO_EVENT;
    tf_check_enqueued(parent->family->checks, exec->checks, parent->checks, record,
                      event);
    return event;
}

tf_u64 tf_enqueue_ask(const struct tf_launch *launch, struct tf_worker *worker,
                      const void *data, tf_u32 flags)
{
    const struct tf_enqueue_record *record = data;
    struct tf_child *parent = launch->host;
    (void)flags;
    if (!parent)
        return (tf_u64)(tf_i32)ENQUEUE_FAILURE;
    switch (record->op) {
    case TF_ENQUEUE_KERNEL:
    case TF_ENQUEUE_MARKER:
        return take_request(worker->host, parent, record);
    case TF_ENQUEUE_DEFAULT_QUEUE:
        return (tf_u64)(uintptr_t)tf_family_queue(parent->family);
    case TF_ENQUEUE_USER_EVENT:
        return new_event(worker->host, parent, record);
    case TF_ENQUEUE_GROUP_SIZE:
    case TF_ENQUEUE_GROUP_MULTIPLE:
    case TF_ENQUEUE_SUB_GROUP_COUNT:
    case TF_ENQUEUE_SUB_GROUP_SIZE:
        return ask_block(parent, record);
    default:
        return ask_event(worker->host, parent, record);
    }
}
