// SPDX-License-Identifier: MIT
// Enqueueing a command buffer. With commands for one device it is one command of the
// first queue. Other queues take part by a command before it, which it waits for, and one
// after it, which waits for it: so their orders hold for the command buffer, too. With
// several devices there is a command for each segment of the plan, and one that ends it
// all.
#include "base/alloc.h"
#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_plan.h"
#include "core/object/error.h"

// An execution that is being enqueued: all that can fail is done first.
struct execution {
    cl_command_buffer_khr buffer;
    const struct tf_command_buffer_run *run;
    struct tf_plan *plan;
    cl_event *first;    // per queue but the main one: before the commands
    cl_event *last;     // the same, behind them
    cl_event *segments; // of the plan, where there are several
    cl_event main;      // what the user sees
};

static cl_command_queue queue_of(const struct execution *execution, cl_uint i)
{
    return execution->run->queues ? execution->run->queues[i]
                                  : execution->buffer->queues[i].queue;
}

static bool is_repeated(const struct execution *execution, cl_uint i)
{
    for (cl_uint k = 0; k < i; k++)
        if (queue_of(execution, k) == queue_of(execution, i))
            return true;
    return false;
}

static void end_run(cl_event ev, cl_int status)
{
    (void)status;
    tf_plan_unref(ev->cleanup_data);
}

// A command of the buffer: it keeps that and the plan.
static cl_event new_command(struct tf_err *err, const struct execution *execution,
                            cl_command_queue queue, size_t deps)
{
    cl_event ev = NULL;

    if (deps <= CL_UINT_MAX)
        ev = tf_queue_new_command(err, queue, CL_COMMAND_COMMAND_BUFFER_KHR,
                                  (cl_uint)deps, 1);
    if (ev)
        tf_event_hold(ev, execution->buffer);
    return ev;
}

static void set_batch(cl_event ev, struct tf_plan *plan, struct tf_batch *batch)
{
    ev->cmd.kind = TF_CMD_BATCH;
    ev->cmd.replay = (struct tf_batch_replay){.batch = batch};
    ev->cleanup = end_run;
    ev->cleanup_data = tf_plan_ref(plan);
}

// The plan, with a reference for the caller, made now if an update has made it stale.
static struct tf_plan *take_plan(struct tf_err *err, cl_command_buffer_khr buffer)
{
    struct tf_plan *plan = NULL;

    tf_lock(&buffer->lock);
    tf_command_buffer_settle(buffer);
    if (buffer->state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR)
        tf_fail(err, CL_INVALID_OPERATION, "the command buffer is not executable");
    else if (!buffer->plan)
        buffer->plan = tf_plan_new(err, buffer);
    if (!err->code)
        plan = tf_plan_ref(buffer->plan);
    tf_unlock(&buffer->lock);
    return plan;
}

// ---- One queue, one device ----

static cl_int enqueue_simple(struct tf_err *err, const struct execution *execution)
{
    const struct tf_command_buffer_run *run = execution->run;
    struct tf_plan *plan = execution->plan;
    cl_event ev = new_command(err, execution, queue_of(execution, 0), run->dep_count);

    if (!ev)
        return err->code;
    if (plan->segment_count == 1)
        set_batch(ev, plan, &plan->segments[0].batch);
    tf_queue_enqueue(queue_of(execution, 0), ev, 0, run->dep_count, run->deps, run->out);
    return CL_SUCCESS;
}

// ---- Several ----

static void drop_events(cl_event *events, size_t count)
{
    for (size_t i = 0; events && i < count; i++)
        tf_unref(events[i]);
    tf_free(events);
}

static cl_int make_events(struct tf_err *err, struct execution *execution)
{
    const cl_uint queues = execution->buffer->queue_count;
    const size_t segments = execution->plan->segment_count;
    const size_t deps = (size_t)execution->run->dep_count + queues + segments;

    execution->first = tf_zalloc(queues * sizeof(cl_event));
    execution->last = tf_zalloc(queues * sizeof(cl_event));
    execution->segments = tf_zalloc(segments * sizeof(cl_event));
    if (!execution->first || !execution->last || !execution->segments)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command buffer on %u queues", queues);
    for (cl_uint i = 1; i < queues && !err->code; i++) {
        if (is_repeated(execution, i))
            continue;
        execution->first[i] = new_command(err, execution, queue_of(execution, i), 0);
        execution->last[i] = new_command(err, execution, queue_of(execution, i), 1);
    }
    for (size_t i = 0; i < segments && !err->code; i++) {
        const struct tf_segment *segment = &execution->plan->segments[i];

        execution->segments[i] =
            new_command(err, execution, queue_of(execution, segment->queue_index), deps);
    }
    if (!err->code)
        execution->main = new_command(err, execution, queue_of(execution, 0), deps);
    return err->code;
}

// Publishes `ev` and leaves the caller a reference.
static void publish(cl_command_queue queue, cl_event ev, cl_uint dep_count,
                    const cl_event *deps, cl_event *out)
{
    tf_ref(ev);
    tf_queue_enqueue(queue, ev, 0, dep_count, deps, out);
}

// What the first commands wait for: the user's list and the other queues. Their edges are
// made here, as the lists are two.
static void wait_for_start(const struct execution *execution, cl_event ev)
{
    const struct tf_command_buffer_run *run = execution->run;

    for (cl_uint i = 0; i < run->dep_count; i++)
        tf_event_depend(ev, run->deps[i], true);
    for (cl_uint i = 1; i < execution->buffer->queue_count; i++)
        if (execution->first[i])
            tf_event_depend(ev, execution->first[i], true);
}

static void wait_for_phase(const struct execution *execution, cl_event ev, size_t phase)
{
    const struct tf_plan *plan = execution->plan;

    for (size_t i = 0; i < plan->segment_count; i++)
        if (plan->segments[i].phase == phase)
            tf_event_depend(ev, execution->segments[i], true);
}

static void publish_segments(const struct execution *execution)
{
    struct tf_plan *plan = execution->plan;

    for (size_t i = 0; i < plan->segment_count; i++) {
        struct tf_segment *segment = &plan->segments[i];
        cl_event ev = execution->segments[i];

        set_batch(ev, plan, &segment->batch);
        if (segment->phase == 0)
            wait_for_start(execution, ev);
        else
            wait_for_phase(execution, ev, segment->phase - 1);
        publish(queue_of(execution, segment->queue_index), ev, 0, NULL, NULL);
    }
}

static void publish_all(const struct execution *execution)
{
    const cl_uint queues = execution->buffer->queue_count;
    struct tf_plan *plan = execution->plan;
    cl_event main = execution->main;

    for (cl_uint i = 1; i < queues; i++)
        if (execution->first[i])
            publish(queue_of(execution, i), execution->first[i], 0, NULL, NULL);
    if (plan->segment_count > 1) {
        publish_segments(execution);
        wait_for_phase(execution, main, plan->segments[plan->segment_count - 1].phase);
    } else {
        if (plan->segment_count == 1)
            set_batch(main, plan, &plan->segments[0].batch);
        wait_for_start(execution, main);
    }
    main->spans_queues = true;
    publish(queue_of(execution, 0), main, 0, NULL, execution->run->out);
    for (cl_uint i = 1; i < queues; i++)
        if (execution->last[i])
            publish(queue_of(execution, i), execution->last[i], 1, &main, NULL);
}

static cl_int enqueue_several(struct tf_err *err, struct execution *execution)
{
    if (!make_events(err, execution) && execution->main)
        publish_all(execution);
    drop_events(execution->first, execution->buffer->queue_count);
    drop_events(execution->last, execution->buffer->queue_count);
    drop_events(execution->segments, execution->plan->segment_count);
    tf_unref(execution->main);
    return err->code;
}

cl_int tf_command_buffer_enqueue(struct tf_err *err, cl_command_buffer_khr buffer,
                                 const struct tf_command_buffer_run *run)
{
    struct execution execution = {.buffer = buffer, .run = run};

    execution.plan = take_plan(err, buffer);
    if (!execution.plan)
        return err->code;
    if (buffer->queue_count == 1)
        enqueue_simple(err, &execution);
    else
        enqueue_several(err, &execution);
    tf_plan_unref(execution.plan);
    return err->code;
}
