// SPDX-License-Identifier: MIT
/* What it costs to send a command, to order commands by events, and to learn that one is
 * done. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "embedded_kernels.h"
#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

enum { BATCHES = 7, LONG_QUEUE = 10000, LONGEST_QUEUE = 200000 };

struct fixture {
    const struct options *options;
    struct opencl cl;
    cl_kernel empty, add_one;
    cl_mem counter;
};

static struct fixture open_fixture(const struct options *options)
{
    struct fixture f = {.options = options, .cl = opencl_open(options)};
    static const cl_uint zero;
    cl_program program = opencl_build(&f.cl, queue_cl, "");
    f.counter = opencl_buffer(&f.cl, sizeof zero, &zero);
    f.empty = KERNEL(program, "empty");
    f.add_one = KERNEL(program, "add_one", ARG(f.counter));
    return f;
}

/* `full` commands, or few on a simulator. */
static size_t command_count(const struct fixture *f, size_t full)
{
    return f->options->tiny ? 20 : full;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local,
                   cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count,
                                 wait_list, event));
}

static bool has_out_of_order_queues(const struct fixture *f)
{
    cl_command_queue_properties properties = 0;
    CHECK(clGetDeviceInfo(f->cl.device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties,
                          &properties, NULL));
    return properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

static cl_command_queue out_of_order_queue(const struct fixture *f)
{
    if (!has_out_of_order_queues(f))
        report_failure("unsupported", "no out-of-order queues");
    return opencl_create_queue(f->cl.context, f->cl.device,
                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static void check_counter(const struct fixture *f, size_t expected)
{
    cl_uint value = 0;
    CHECK(clEnqueueReadBuffer(f->cl.queue, f->counter, CL_TRUE, 0, sizeof value, &value,
                              0, NULL, NULL));
    if (value != expected)
        report_failure("wrong_result", "counted %u instead of %zu", value, expected);
}

// ---- round trips ----

static double time_round_trips(const struct fixture *f, cl_command_queue queue,
                               size_t global, size_t local)
{
    enum { MAX_SAMPLES = 2000 };
    static double samples[MAX_SAMPLES];
    size_t count = command_count(f, MAX_SAMPLES);
    for (int warm_up = 0; warm_up < 3; warm_up++) {
        launch(queue, f->empty, global, local, 0, NULL, NULL);
        CHECK(clFinish(queue));
    }
    for (size_t i = 0; i < count; i++) {
        double start = now_seconds();
        launch(queue, f->empty, global, local, 0, NULL, NULL);
        CHECK(clFinish(queue));
        samples[i] = 1e6 * (now_seconds() - start);
    }
    return median_of(samples, count);
}

static void round_trip(const struct options *options)
{
    struct fixture f = open_fixture(options);
    size_t groups = command_count(&f, 1024);
    report_number("one_item_us", time_round_trips(&f, f.cl.queue, 1, 1));
    report_number("one_group_of_64_us", time_round_trips(&f, f.cl.queue, 64, 64));
    report_number("1024_groups_of_64_us",
                  time_round_trips(&f, f.cl.queue, groups * 64, 64));
    report_number("1024_groups_of_1_us", time_round_trips(&f, f.cl.queue, groups, 1));
    cl_command_queue profiled =
        opencl_create_queue(f.cl.context, f.cl.device, CL_QUEUE_PROFILING_ENABLE);
    report_number("one_item_profiled_us", time_round_trips(&f, profiled, 1, 1));
    if (has_out_of_order_queues(&f))
        report_number("one_item_out_of_order_us",
                      time_round_trips(&f, out_of_order_queue(&f), 1, 1));
}

// ---- long queues ----

/* Median microseconds per command over some batches. */
static double per_command(const struct fixture *f, cl_command_queue queue, size_t count,
                          void (*enqueue)(const struct fixture *, cl_command_queue,
                                          size_t))
{
    double samples[BATCHES];
    enqueue(f, queue, count);
    CHECK(clFinish(queue));
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now_seconds();
        enqueue(f, queue, count);
        CHECK(clFinish(queue));
        samples[batch] = 1e6 * (now_seconds() - start) / (double)count;
    }
    return median_of(samples, BATCHES);
}

static void enqueue_in_order(const struct fixture *f, cl_command_queue queue,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        launch(queue, f->add_one, 64, 64, 0, NULL, NULL);
}

static void enqueue_with_events(const struct fixture *f, cl_command_queue queue,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cl_event event;
        launch(queue, f->add_one, 64, 64, 0, NULL, &event);
        CHECK(clReleaseEvent(event));
    }
}

static void enqueue_chain(const struct fixture *f, cl_command_queue queue, size_t count)
{
    cl_event before = NULL;
    for (size_t i = 0; i < count; i++) {
        cl_event event;
        launch(queue, f->add_one, 64, 64, before ? 1 : 0, before ? &before : NULL,
               &event);
        if (before)
            CHECK(clReleaseEvent(before));
        before = event;
    }
    CHECK(clReleaseEvent(before));
}

/* One kernel, `count` kernels that wait for it, and one that waits for those. */
static void enqueue_fan(const struct fixture *f, cl_command_queue queue, size_t count)
{
    cl_event root, *leaves = malloc(count * sizeof *leaves);
    if (leaves == NULL)
        report_failure("error", "out of memory");
    launch(queue, f->add_one, 64, 64, 0, NULL, &root);
    for (size_t i = 0; i < count; i++)
        launch(queue, f->empty, 64, 64, 1, &root, &leaves[i]);
    launch(queue, f->add_one, 64, 64, (cl_uint)count, leaves, NULL);
    CHECK(clReleaseEvent(root));
    for (size_t i = 0; i < count; i++)
        CHECK(clReleaseEvent(leaves[i]));
    free(leaves);
}

static void in_order(const struct options *options)
{
    struct fixture f = open_fixture(options);
    size_t count = command_count(&f, LONG_QUEUE);
    report_number("per_kernel_us", per_command(&f, f.cl.queue, count, enqueue_in_order));
    report_number("per_kernel_with_event_us",
                  per_command(&f, f.cl.queue, count, enqueue_with_events));
    check_counter(&f, 2 * (BATCHES + 1) * count);
}

/* Cost per command of `full` commands in an out-of-order queue, reported as `field`. */
static double report_per_command(const struct fixture *f, const char *field, size_t full,
                                 void (*enqueue)(const struct fixture *, cl_command_queue,
                                                 size_t))
{
    double us = per_command(f, out_of_order_queue(f), command_count(f, full), enqueue);
    report_number(field, us);
    return us;
}

static void chain(const struct options *options)
{
    struct fixture f = open_fixture(options);
    report_per_command(&f, "per_kernel_us", LONG_QUEUE, enqueue_chain);
    check_counter(&f, (BATCHES + 1) * command_count(&f, LONG_QUEUE));
}

/* How the cost per kernel grows from 10,000 to 200,000: 1 is linear. */
static void long_chain(const struct options *options)
{
    struct fixture f = open_fixture(options);
    double shorter = report_per_command(&f, "10000_us", LONG_QUEUE, enqueue_chain);
    double longer = report_per_command(&f, "200000_us", LONGEST_QUEUE, enqueue_chain);
    report_number("growth", longer / shorter);
    check_counter(&f, (BATCHES + 1) * (command_count(&f, LONG_QUEUE) +
                                       command_count(&f, LONGEST_QUEUE)));
}

static void fan_out(const struct options *options)
{
    struct fixture f = open_fixture(options);
    report_per_command(&f, "per_kernel_of_1000_us", LONG_QUEUE / 10, enqueue_fan);
    report_per_command(&f, "per_kernel_of_10000_us", LONG_QUEUE, enqueue_fan);
    check_counter(&f, 2 * 2 * (BATCHES + 1));
}

static void enqueue_markers(const struct fixture *f, cl_command_queue queue, size_t count)
{
    (void)f;
    for (size_t i = 0; i < count; i++)
        CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
}

static void enqueue_barriers(const struct fixture *f, cl_command_queue queue,
                             size_t count)
{
    (void)f;
    for (size_t i = 0; i < count; i++)
        CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
}

/* Barriers that nothing but barriers comes before cost less than these. */
static void enqueue_kernels_and_barriers(const struct fixture *f, cl_command_queue queue,
                                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        launch(queue, f->add_one, 64, 64, 0, NULL, NULL);
        CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    }
}

static void enqueue_kernels(const struct fixture *f, cl_command_queue queue, size_t count)
{
    for (size_t i = 0; i < count; i++)
        launch(queue, f->empty, 64, 64, 0, NULL, NULL);
}

static void markers(const struct options *options)
{
    struct fixture f = open_fixture(options);
    size_t count = command_count(&f, LONG_QUEUE);
    report_number("per_marker_us", per_command(&f, f.cl.queue, count, enqueue_markers));
    if (!has_out_of_order_queues(&f))
        return;
    /* Few, because the time per command may grow with the number of commands. */
    report_per_command(&f, "per_barrier_of_200_out_of_order_us", 200, enqueue_barriers);
    report_per_command(&f, "per_marker_of_1000_out_of_order_us", 1000, enqueue_markers);
}

static void barriers(const struct options *options)
{
    struct fixture f = open_fixture(options);
    double alone = report_per_command(&f, "per_kernel_us", 200, enqueue_kernels);
    double both = report_per_command(&f, "per_kernel_and_barrier_us", 200,
                                     enqueue_kernels_and_barriers);
    report_number("per_barrier_us", both - alone);
    check_counter(&f, (BATCHES + 1) * command_count(&f, 200));
}

// ---- arguments ----

static void set_arguments(const struct options *options)
{
    struct fixture f = open_fixture(options);
    size_t count = command_count(&f, LONG_QUEUE);
    cl_program program = opencl_build(&f.cl, queue_cl, "");
    cl_uint word = 3;
    cl_float number = 2.0f;
    cl_kernel kernel =
        KERNEL(program, "eight_arguments", ARG(f.counter), ARG(word), ARG(word),
               ARG(word), ARG(word), ARG(number), ARG(number), ARG(f.counter));
    double set[BATCHES], set_and_launch[BATCHES];

    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now_seconds();
        for (size_t i = 0; i < count; i++) {
            CHECK(clSetKernelArg(kernel, 0, sizeof f.counter, &f.counter));
            CHECK(clSetKernelArg(kernel, 1, sizeof word, &word));
        }
        set[batch] = 1e9 * (now_seconds() - start) / (double)(2 * count);
        start = now_seconds();
        for (size_t i = 0; i < count; i++) {
            CHECK(clSetKernelArg(kernel, 1, sizeof word, &word));
            launch(f.cl.queue, kernel, 64, 64, 0, NULL, NULL);
        }
        CHECK(clFinish(f.cl.queue));
        set_and_launch[batch] = 1e6 * (now_seconds() - start) / (double)count;
    }
    report_number("set_one_ns", median_of(set, BATCHES));
    report_number("set_one_and_launch_us", median_of(set_and_launch, BATCHES));
}

// ---- events ----

static void user_event(const struct options *options)
{
    struct fixture f = open_fixture(options);
    enum { MAX_SAMPLES = 1000 };
    static double samples[MAX_SAMPLES];
    size_t count = command_count(&f, MAX_SAMPLES);

    for (size_t i = 0; i < count; i++) {
        cl_int error;
        cl_event gate = clCreateUserEvent(f.cl.context, &error), done;
        opencl_check(error, "clCreateUserEvent");
        launch(f.cl.queue, f.add_one, 64, 64, 1, &gate, &done);
        CHECK(clFlush(f.cl.queue));
        double start = now_seconds();
        CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK(clWaitForEvents(1, &done));
        samples[i] = 1e6 * (now_seconds() - start);
        CHECK(clReleaseEvent(gate));
        CHECK(clReleaseEvent(done));
    }
    report_number("release_to_complete_us", median_of(samples, count));
    check_counter(&f, count);
}

static _Atomic double callback_time;

static void CL_CALLBACK note_time(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
    atomic_store(&callback_time, now_seconds());
}

static void callback(const struct options *options)
{
    struct fixture f = open_fixture(options);
    enum { MAX_SAMPLES = 1000 };
    static double samples[MAX_SAMPLES];
    size_t count = command_count(&f, MAX_SAMPLES);

    for (size_t i = 0; i < count; i++) {
        cl_event event;
        atomic_store(&callback_time, 0.0);
        double start = now_seconds();
        launch(f.cl.queue, f.empty, 64, 64, 0, NULL, &event);
        CHECK(clSetEventCallback(event, CL_COMPLETE, note_time, NULL));
        CHECK(clFlush(f.cl.queue));
        while (atomic_load(&callback_time) == 0.0)
            if (now_seconds() - start > 5.0)
                report_failure("error", "no callback within five seconds");
        samples[i] = 1e6 * (atomic_load(&callback_time) - start);
        CHECK(clReleaseEvent(event));
    }
    report_number("launch_to_callback_us", median_of(samples, count));
}

/* Two queues in turn, each kernel waiting for the one before in the other queue. */
static void ping_pong(const struct options *options)
{
    struct fixture f = open_fixture(options);
    cl_command_queue queues[2] = {f.cl.queue,
                                  opencl_create_queue(f.cl.context, f.cl.device, 0)};
    size_t count = command_count(&f, 2000);
    double samples[BATCHES];

    for (int batch = 0; batch < BATCHES; batch++) {
        cl_event before = NULL;
        double start = now_seconds();
        for (size_t i = 0; i < count; i++) {
            cl_event event;
            launch(queues[i % 2], f.add_one, 64, 64, before ? 1 : 0,
                   before ? &before : NULL, &event);
            CHECK(clFlush(queues[i % 2]));
            if (before)
                CHECK(clReleaseEvent(before));
            before = event;
        }
        CHECK(clWaitForEvents(1, &before));
        samples[batch] = 1e6 * (now_seconds() - start) / (double)count;
        CHECK(clReleaseEvent(before));
    }
    report_number("per_hop_us", median_of(samples, BATCHES));
    check_counter(&f, BATCHES * count);
}

// ---- two host threads ----

struct host_thread {
    const struct fixture *fixture;
    cl_command_queue queue;
    size_t count;
};

static void *host_thread_main(void *data)
{
    struct host_thread *thread = data;
    for (size_t i = 0; i < thread->count; i++)
        launch(thread->queue, thread->fixture->empty, 64, 64, 0, NULL, NULL);
    CHECK(clFinish(thread->queue));
    return NULL;
}

/* Microseconds per kernel when that many threads enqueue to a queue each. */
static double time_host_threads(struct host_thread *threads, int thread_count)
{
    pthread_t handles[2];
    double start = now_seconds();
    for (int i = 0; i < thread_count; i++)
        pthread_create(&handles[i], NULL, host_thread_main, &threads[i]);
    for (int i = 0; i < thread_count; i++)
        pthread_join(handles[i], NULL);
    return 1e6 * (now_seconds() - start) / (double)(threads->count * thread_count);
}

/* One and two threads in turns, so that both meet the same load. */
static void two_host_threads(const struct options *options)
{
    struct fixture f = open_fixture(options);
    size_t count = command_count(&f, LONG_QUEUE / 2);
    struct host_thread threads[2];
    double one[BATCHES], two[BATCHES], scaling[BATCHES];
    for (int i = 0; i < 2; i++)
        threads[i] = (struct host_thread){
            &f, opencl_create_queue(f.cl.context, f.cl.device, 0), count};

    time_host_threads(threads, 2);
    for (int batch = 0; batch < BATCHES; batch++) {
        one[batch] = time_host_threads(threads, 1);
        two[batch] = time_host_threads(threads, 2);
        scaling[batch] = one[batch] / two[batch];
    }
    report_number("one_thread_per_kernel_us", median_of(one, BATCHES));
    report_number("per_kernel_us", median_of(two, BATCHES));
    report_number("scaling", median_of(scaling, BATCHES));
}

const struct benchmark queue_benchmarks[] = {
    {"queue/round_trip", "an empty kernel and clFinish", round_trip, ONE_PROCESS},
    {"queue/in_order", "10000 kernels, one clFinish", in_order, ONE_PROCESS},
    {"queue/chain", "10000 kernels, out-of-order queue, each waits for the last", chain,
     ONE_PROCESS},
    {"queue/long_chain", "the same with 200000 kernels", long_chain, ONE_PROCESS},
    {"queue/fan_out", "1000 and 10000 kernels wait for one, and one for them", fan_out,
     ONE_PROCESS},
    {"queue/markers", "10000 markers; 200 barriers, out-of-order queue", markers,
     ONE_PROCESS},
    {"queue/barriers", "200 kernels, out-of-order queue, a barrier after each", barriers,
     ONE_PROCESS},
    {"queue/set_arguments", "clSetKernelArg alone and with a launch", set_arguments,
     ONE_PROCESS},
    {"queue/user_event", "clSetUserEventStatus to the end of a waiting kernel",
     user_event, ONE_PROCESS},
    {"queue/callback", "launch to the event's callback", callback, ONE_PROCESS},
    {"queue/ping_pong", "two queues, each kernel waits for the other queue's", ping_pong,
     ONE_PROCESS},
    {"queue/two_host_threads", "5000 kernels from each of two threads", two_host_threads,
     ONE_PROCESS},
    {0},
};
