// SPDX-License-Identifier: MIT
#include "devices/mock/mock.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "core/object/error.h"

static struct tf_mock *mock_of(struct tf_device *dev)
{
    return tf_container_of(dev, struct tf_mock, dev);
}

static void *worker(void *arg);

static void start_threads(struct tf_mock *mock)
{
    for (; mock->thread_count < mock->threads_wanted; mock->thread_count++)
        if (pthread_create(&mock->threads[mock->thread_count], NULL, worker, mock))
            break;
}

static cl_int mock_open(struct tf_err *err, struct tf_device *dev)
{
    struct tf_mock *mock = mock_of(dev);
    const int status = atomic_load(&mock->open_status);

    if (status)
        return tf_fail(err, status, "the mock device does not open");
    start_threads(mock);
    atomic_fetch_add(&mock->opened, 1);
    return CL_SUCCESS;
}

static void mock_close(struct tf_device *dev)
{
    atomic_fetch_add(&mock_of(dev)->closed, 1);
}

static void run_one(struct tf_command *cmd)
{
    if (cmd->kind == TF_CMD_KERNEL)
        tf_mock_run_kernel(&cmd->kernel);
    else
        tf_mock_run_copy(cmd);
}

static void run_batch(const struct tf_batch *batch)
{
    for (size_t i = 0; i < batch->command_count; i++)
        run_one(&batch->commands[i]);
}

static void run(struct tf_mock *mock, struct tf_command *cmd)
{
    const int status = atomic_exchange(&mock->next_status, 0);

    tf_command_started(cmd);
    if (status == 0) {
        if (cmd->kind == TF_CMD_NATIVE)
            cmd->native_fn(cmd->native_args);
        else if (cmd->kind == TF_CMD_BATCH)
            run_batch(cmd->replay.batch);
        else
            run_one(cmd);
    }
    atomic_fetch_add(&mock->finished, 1);
    tf_command_finished(cmd, status ? status : CL_COMPLETE);
}

static struct tf_command *next_run(struct tf_mock *mock)
{
    struct tf_command *run;

    tf_lock(&mock->lock);
    while ((!mock->head || mock->held) && !mock->stop)
        tf_cond_wait(&mock->work, &mock->lock);
    run = mock->head;
    if (run)
        mock->head = run->dev_next_run;
    if (!mock->head)
        mock->tail = NULL;
    tf_unlock(&mock->lock);
    return run;
}

static void run_all(struct tf_mock *mock, struct tf_command *cmd)
{
    while (cmd) {
        struct tf_command *next = cmd->dev_next; // a finished command is gone

        run(mock, cmd);
        cmd = next;
    }
}

static void *worker(void *arg)
{
    struct tf_mock *mock = arg;
    struct tf_command *list;

    while ((list = next_run(mock)))
        run_all(mock, list);
    return NULL;
}

static void mock_submit(struct tf_device *dev, struct tf_command *list)
{
    struct tf_mock *mock = mock_of(dev);
    int count = 1;

    if (!list) // nothing sleeps here
        return;
    for (const struct tf_command *cmd = list->dev_next; cmd; cmd = cmd->dev_next)
        count++;
    atomic_fetch_add(&mock->submitted, count);
    if (mock->whole) {
        mock_submit(&mock->whole->dev, list);
        return;
    }
    if (atomic_load(&mock->finish_inside_submit)) {
        run_all(mock, list);
        return;
    }
    tf_lock(&mock->lock);
    list->dev_next_run = NULL;
    if (mock->tail)
        mock->tail->dev_next_run = list;
    else
        mock->head = list;
    mock->tail = list;
    tf_cond_signal_all(&mock->work);
    tf_unlock(&mock->lock);
}

static uint64_t mock_now_ns(struct tf_device *dev)
{
    (void)dev;
    return tf_time_ns();
}

static void mock_help(struct tf_device *dev, struct tf_command *cmd)
{
    (void)cmd;
    atomic_fetch_add(&mock_of(dev)->helped, 1);
}

static cl_int mock_run_here(struct tf_device *dev, struct tf_command *cmd)
{
    struct tf_mock *mock = mock_of(dev);
    const int status = atomic_exchange(&mock->next_status, 0);

    atomic_fetch_add(&mock->ran_here, 1);
    if (!status)
        tf_mock_run_copy(cmd);
    return status ? status : CL_COMPLETE;
}

// The threads are the parent's: open() starts others.
static void mock_forked(struct tf_device *dev) TF_NO_TSA
{
    struct tf_mock *mock = mock_of(dev);

    tf_mutex_init(&mock->lock, TF_RANK_DEVICE);
    tf_cond_init(&mock->work);
    mock->head = mock->tail = NULL;
    mock->thread_count = 0;
    atomic_fetch_add(&mock->forked, 1);
}

static const struct tf_device_info mock_info = {
    .name = "Mock device",
    .vendor = "Trefoil",
    .isa = "mock",
    .vendor_id = 0x7f,
    .compute_units = TF_MOCK_UNITS,
    .clock_mhz = 1000,
    .cache_line_bytes = 64,
    .cache_bytes = 1 << 20,
    .global_memory_bytes = 1 << 30,
    .local_memory_bytes = 1 << 16,
    .vector_bits = 128,
};

static const struct tf_device_caps mock_caps = {
    .type = CL_DEVICE_TYPE_CUSTOM,
    .opencl_c_max = CL_MAKE_VERSION(3, 1, 0),
    .compiler = true,
    .linker = true,
    .execution = CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL,
    .queue_properties =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
    .max_group_size = 4096,
    .max_item_sizes = {4096, 4096, 4096},
    .max_parameter_bytes = 4096,
    .max_alloc_bytes = 1 << 30,
    .max_constant_bytes = 1 << 30,
    .max_constant_args = 8,
    .local_memory_type = CL_LOCAL,
    .local_memory_bytes = 1 << 16,
    .base_align_bits = 1024,
    .print_buffer_bytes = 1 << 20,
    .max_variable_bytes = 1 << 20,
    .non_uniform_groups = true,
    .sub_group_size = 4,
    .sub_group_sizes = {4},
    .sub_group_size_count = 1,
    .device_queue_properties =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
    .device_queues = 1,
    .device_queue_bytes = 256 << 10,
    .device_queue_preferred_bytes = 16 << 10,
    .device_events = 1024,
    .pipe_args = 16,
    .pipe_packet_bytes = 1024,
    .pipe_reservations = 1,
    .half_config = CL_FP_ROUND_TO_NEAREST,
    .single_config = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN,
    .double_config = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                     CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM,
    .dot_products = 1,
    .kernel_clocks = 1,
    .atomics = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
               CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
               CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
    .fences = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
              CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP,
    .svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
           CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS,
    .usm = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL,
};

void tf_mock_give_images(struct tf_mock *mock)
{
    tf_features_put_images(&mock->caps.features, true);
    mock->caps.images = (struct tf_image_limits){.plane_px = {16384, 16384},
                                                 .volume_px = {2048, 2048, 2048},
                                                 .buffer_px = 65536,
                                                 .layers = 2048,
                                                 .read_args = 128,
                                                 .write_args = 64,
                                                 .read_write_args = 64,
                                                 .samplers = 16,
                                                 .pitch_align_px = 4,
                                                 .base_align_px = 4};
}

struct tf_devqueue {
    size_t size_bytes;
};

static cl_int mock_device_queue_new(struct tf_err *err, struct tf_device *dev,
                                    size_t size_bytes, bool profiles,
                                    struct tf_devqueue **out)
{
    struct tf_devqueue *queue = tf_zalloc(sizeof(*queue));

    (void)dev;
    (void)profiles;
    if (!queue)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "queue on the device");
    queue->size_bytes = size_bytes;
    *out = queue;
    return CL_SUCCESS;
}

static void mock_device_queue_free(struct tf_device *dev, struct tf_devqueue *queue)
{
    (void)dev;
    tf_free(queue);
}

struct tf_mock *tf_mock_create(unsigned threads)
{
    struct tf_mock *mock = tf_zalloc(sizeof(*mock));

    if (!mock)
        return NULL;
    mock->info = mock_info;
    mock->caps = mock_caps;
    mock->caps.features = tf_features_ours();
    for (uint32_t i = 0; i < TF_MOCK_UNITS; i++)
        mock->units[i] = i;
    mock->ops = (struct tf_device_ops){
        .open = mock_open,
        .close = mock_close,
        .device_queue_new = mock_device_queue_new,
        .device_queue_free = mock_device_queue_free,
        .submit = mock_submit,
        .now_ns = mock_now_ns,
        .help = mock_help,
        .forked = mock_forked,
    };
    tf_mock_memory_ops(&mock->ops);
    tf_mock_program_ops(&mock->ops);
    tf_mock_part_ops(&mock->ops);
    mock->dev.ops = &mock->ops;
    mock->dev.info = &mock->info;
    mock->dev.caps = &mock->caps;
    tf_mutex_init(&mock->lock, TF_RANK_DEVICE);
    tf_cond_init(&mock->work);
    mock->threads_wanted = threads;
    start_threads(mock);
    return mock;
}

void tf_mock_hold(struct tf_mock *mock, bool held)
{
    tf_lock(&mock->lock);
    mock->held = held;
    tf_cond_signal_all(&mock->work);
    tf_unlock(&mock->lock);
}

void tf_mock_destroy(struct tf_mock *mock)
{
    tf_lock(&mock->lock);
    mock->stop = true;
    tf_cond_signal_all(&mock->work);
    tf_unlock(&mock->lock);
    for (unsigned i = 0; i < mock->thread_count; i++)
        pthread_join(mock->threads[i], NULL);
    tf_cond_finish(&mock->work);
    tf_mutex_finish(&mock->lock);
    tf_free(mock);
}

void tf_mock_enable_run_here(struct tf_mock *mock)
{
    mock->ops.run_here = mock_run_here;
}
