// SPDX-License-Identifier: MIT
/* What it costs to replay a command buffer, beside enqueueing its commands one by one,
 * and to change arguments in it. The functions are those of cl_khr_command_buffer 0.9.5
 * and later, which not all headers have. */
#include <stdlib.h>
#include <string.h>

#include "embedded_kernels.h"
#include "harness/clock.h"
#include "harness/opencl.h"
#include "harness/report.h"

enum { KERNELS = 1000, CHANGED = 100, REPLAYS = 50, ITEMS = 64 };

typedef struct command_buffer *command_buffer;
typedef struct mutable_command *mutable_command;

struct argument {
    cl_uint index;
    size_t size;
    const void *value;
};

/* As cl_mutable_dispatch_config_khr. */
struct change {
    mutable_command command;
    cl_uint arg_count, svm_arg_count, exec_info_count, work_dim;
    const struct argument *args, *svm_args;
    const void *exec_infos;
    const size_t *global_offset, *global_size, *local_size;
};

static struct {
    command_buffer(CL_API_CALL *create)(cl_uint, const cl_command_queue *,
                                        const cl_ulong *, cl_int *);
    cl_int(CL_API_CALL *kernel)(command_buffer, cl_command_queue, const cl_ulong *,
                                cl_kernel, cl_uint, const size_t *, const size_t *,
                                const size_t *, cl_uint, const cl_uint *, cl_uint *,
                                mutable_command *);
    cl_int(CL_API_CALL *finalize)(command_buffer);
    cl_int(CL_API_CALL *enqueue)(cl_uint, cl_command_queue *, command_buffer, cl_uint,
                                 const cl_event *, cl_event *);
    cl_int(CL_API_CALL *update)(command_buffer, cl_uint, const cl_uint *, const void **);
} api;

static const cl_ulong mutable_properties[] = {0x1293 /* flags */, 1u << 1, 0};

/* The version of an extension, 0: the device does not have it. */
static cl_version version_of(cl_device_id device, const char *name)
{
    cl_name_version *list;
    cl_version version = 0;
    size_t bytes = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &bytes));
    list = malloc(bytes);
    CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, list, NULL));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        if (!strcmp(list[i].name, name))
            version = list[i].version;
    free(list);
    return version;
}

static void find(const struct opencl *cl, const char *name, void *function)
{
    void *address = clGetExtensionFunctionAddressForPlatform(cl->platform, name);
    if (!address)
        report_failure("unsupported", "no %s", name);
    memcpy(function, &address, sizeof address);
}

static void find_all(const struct opencl *cl)
{
    if (version_of(cl->device, "cl_khr_command_buffer") < CL_MAKE_VERSION(0, 9, 5) ||
        version_of(cl->device, "cl_khr_command_buffer_mutable_dispatch") <
            CL_MAKE_VERSION(0, 9, 3))
        report_failure("unsupported", "no command buffers of this revision");
    find(cl, "clCreateCommandBufferKHR", &api.create);
    find(cl, "clCommandNDRangeKernelKHR", &api.kernel);
    find(cl, "clFinalizeCommandBufferKHR", &api.finalize);
    find(cl, "clEnqueueCommandBufferKHR", &api.enqueue);
    find(cl, "clUpdateMutableCommandsKHR", &api.update);
}

struct fixture {
    const struct options *options;
    struct opencl cl;
    cl_kernel kernel;
    cl_mem memory, other;
    size_t count;
    command_buffer buffer;
    mutable_command commands[KERNELS];
};

static void record(struct fixture *f)
{
    const size_t items = ITEMS;
    cl_int code;
    f->buffer = api.create(1, &f->cl.queue, mutable_properties, &code);
    opencl_check(code, "clCreateCommandBufferKHR");
    for (size_t i = 0; i < f->count; i++)
        CHECK(api.kernel(f->buffer, NULL, NULL, f->kernel, 1, NULL, &items, &items, 0,
                         NULL, NULL, &f->commands[i]));
    CHECK(api.finalize(f->buffer));
}

static struct fixture *open_fixture(const struct options *options)
{
    static struct fixture f;
    cl_uint value = 1;
    f = (struct fixture){.options = options, .cl = opencl_open(options)};
    find_all(&f.cl);
    f.count = options->tiny ? 20 : KERNELS;
    f.memory = opencl_buffer(&f.cl, ITEMS * sizeof(cl_uint), NULL);
    f.other = opencl_buffer(&f.cl, ITEMS * sizeof(cl_uint), NULL);
    f.kernel = KERNEL(opencl_build(&f.cl, command_buffer_cl, ""), "add", ARG(f.memory),
                      ARG(value));
    record(&f);
    return &f;
}

static void enqueue_each(const struct fixture *f)
{
    const size_t items = ITEMS;
    for (size_t i = 0; i < f->count; i++)
        CHECK(clEnqueueNDRangeKernel(f->cl.queue, f->kernel, 1, NULL, &items, &items, 0,
                                     NULL, NULL));
    CHECK(clFinish(f->cl.queue));
}

static void replay(const struct fixture *f)
{
    CHECK(api.enqueue(0, NULL, f->buffer, 0, NULL, NULL));
    CHECK(clFinish(f->cl.queue));
}

static double median_ns(const struct fixture *f, void (*run)(const struct fixture *))
{
    double samples[REPLAYS];
    run(f);
    for (int i = 0; i < REPLAYS; i++) {
        double start = now_seconds();
        run(f);
        samples[i] = 1e9 * (now_seconds() - start) / (double)f->count;
    }
    return median_of(samples, REPLAYS);
}

static void replays(const struct options *options)
{
    struct fixture *f = open_fixture(options);
    double enqueued = median_ns(f, enqueue_each), replayed = median_ns(f, replay);
    report_number("enqueued_ns", enqueued);
    report_number("replayed_ns", replayed);
    report_number("gain", enqueued / replayed);
}

/* One argument of each of some commands. */
static double update_us(struct fixture *f, bool buffers)
{
    static struct change changes[CHANGED];
    static const void *list[CHANGED];
    static cl_uint types[CHANGED];
    size_t count = f->count < CHANGED ? f->count : CHANGED;
    double samples[REPLAYS];
    for (int i = 0; i < REPLAYS; i++) {
        cl_uint value = (cl_uint)i;
        cl_mem memory = i % 2 ? f->memory : f->other;
        struct argument argument = {buffers ? 0 : 1,
                                    buffers ? sizeof memory : sizeof value,
                                    buffers ? (void *)&memory : (void *)&value};
        for (size_t k = 0; k < count; k++) {
            changes[k] = (struct change){.command = f->commands[k * (f->count / count)],
                                         .arg_count = 1,
                                         .args = &argument};
            list[k] = &changes[k];
        }
        double start = now_seconds();
        CHECK(api.update(f->buffer, (cl_uint)count, types, list));
        samples[i] = 1e6 * (now_seconds() - start);
        replay(f);
    }
    return median_of(samples, REPLAYS);
}

static void updates(const struct options *options)
{
    struct fixture *f = open_fixture(options);
    report_number("100_values_us", update_us(f, false));
    report_number("100_buffers_us", update_us(f, true));
}

const struct benchmark command_buffer_benchmarks[] = {
    {"command_buffer/replay", "1000 kernels of 64 items, replayed and enqueued", replays,
     ONE_PROCESS},
    {"command_buffer/update", "one argument of 100 kernels, between replays", updates,
     ONE_PROCESS},
    {0},
};
