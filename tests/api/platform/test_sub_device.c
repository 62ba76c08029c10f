// SPDX-License-Identifier: MIT
// Sub-devices of the platform's device through the entry points: every kind of object on
// them. The device has four compute units here, whatever the machine has.
#include "support/api.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

enum { UNITS = 4, ITEMS = 1000 };

typedef cl_device_partition_property property;

static const property pairs[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
static const property singles[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};

static const char source[] =
    "kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }";

static cl_device_id parts[UNITS];
static _Thread_local cl_int code;

// Before the entry points are looked up, which finds the devices
// (support/entry_points.c).
__attribute__((constructor(101))) static void set_units(void)
{
    setenv("TREFOIL_THREADS", "4", 1);
}

static cl_uint partition(cl_device_id device, const property *list)
{
    cl_uint count = 0;

    ck_assert_int_eq(clCreateSubDevices(device, list, UNITS, parts, &count), CL_SUCCESS);
    return count;
}

static void release_parts(cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        ck_assert_int_eq(clReleaseDevice(parts[i]), CL_SUCCESS);
}

static cl_uint number_of(cl_device_id device, cl_device_info what)
{
    cl_uint value = 0;

    ck_assert_int_eq(clGetDeviceInfo(device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

START_TEST(counts_of_parts)
{
    cl_uint count = 0;
    cl_device_id parent;

    ck_assert_uint_eq(number_of(tf_api.device, CL_DEVICE_MAX_COMPUTE_UNITS), UNITS);
    ck_assert_uint_eq(number_of(tf_api.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
                      UNITS);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, pairs, 0, NULL, &count),
                     CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, pairs, 2, parts, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(number_of(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS), 2);
        clGetDeviceInfo(parts[i], CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent, NULL);
        ck_assert_ptr_eq(parent, tf_api.device);
    }
    release_parts(2);
}
END_TEST

START_TEST(parts_are_counted)
{
    partition(tf_api.device, pairs);
    ck_assert_uint_eq(number_of(parts[0], CL_DEVICE_REFERENCE_COUNT), 1);
    ck_assert_int_eq(clRetainDevice(parts[0]), CL_SUCCESS);
    ck_assert_uint_eq(number_of(parts[0], CL_DEVICE_REFERENCE_COUNT), 2);
    ck_assert_int_eq(clReleaseDevice(parts[0]), CL_SUCCESS);
    release_parts(2);
    ck_assert_int_eq(clReleaseDevice(parts[0]), CL_INVALID_DEVICE);
    ck_assert_int_eq(clRetainDevice(parts[0]), CL_INVALID_DEVICE);
    ck_assert_int_eq(clGetDeviceInfo(parts[0], CL_DEVICE_NAME, 0, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_ptr_null(clCreateContext(NULL, 1, parts, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
}
END_TEST

START_TEST(bad_arguments)
{
    cl_uint count = 77;

    ck_assert_rejects(CL_INVALID_DEVICE, clCreateSubDevices(bad, pairs, 2, parts, &count),
                      tf_api.ctx);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, NULL, 2, parts, &count),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, pairs, 1, parts, &count),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, pairs, 0, parts, &count),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, pairs, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_uint_eq(count, 77);
}
END_TEST

// cl_intel_device_partition_by_names: compute units by their numbers.
START_TEST(part_of_named_units)
{
    static const property end = CL_PARTITION_BY_NAMES_LIST_END_INTEL;
    const property two[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, 3, 1, end, 0};
    const property unknown[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, UNITS, end, 0};
    const property negative[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, -2, end, 0};
    const property twice[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, 1, 1, end, 0};
    const property none[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, end, 0};
    const property all[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, 0, 1, 2, 3, end, 0};
    property type[8];
    size_t bytes;

    ck_assert_uint_eq(partition(tf_api.device, two), 1);
    ck_assert_uint_eq(number_of(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS), 2);
    ck_assert_int_eq(
        clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, sizeof(type), type, &bytes),
        CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(two));
    ck_assert_mem_eq(type, two, sizeof(two));
    release_parts(1);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, unknown, 1, parts, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, negative, 1, parts, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, twice, 1, parts, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, none, 1, parts, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCreateSubDevices(tf_api.device, all, 1, parts, NULL),
                     CL_DEVICE_PARTITION_FAILED);
}
END_TEST

// A device that is not in the context, though a part or the whole of it is.
START_TEST(contexts_have_only_what_they_were_given)
{
    const char *text = source;
    cl_context ctx;
    cl_program program;

    partition(tf_api.device, pairs);
    ck_assert_ptr_null(clCreateCommandQueue(tf_api.ctx, parts[0], 0, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ctx = clCreateContext(NULL, 1, parts, NULL, NULL, &code);
    ck_assert_ptr_null(clCreateCommandQueue(ctx, parts[1], 0, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(ctx, tf_api.device, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(ctx, tf_api.device, NULL),
                     CL_INVALID_DEVICE);
    program = clCreateProgramWithSource(ctx, 1, &text, NULL, &code);
    ck_assert_int_eq(clBuildProgram(program, 1, &parts[1], NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(clBuildProgram(program, 1, &tf_api.device, NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(
        clGetProgramBuildInfo(program, parts[1], CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL),
        CL_INVALID_DEVICE);
    ck_assert_int_eq(clReleaseProgram(program), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    release_parts(2);
}
END_TEST

static void is_answered(cl_device_id device)
{
    static const cl_device_info queries[] = {
#define SCALAR(name, type, expression) name,
#define STRING(name, text) name,
#define BYTES(name, pointer, bytes) name,
#define CALL(name, call) name,
#define LISTED(extension, name, pointer, bytes)
#define LISTED_CALL(extension, name, call)
#define LISTED_SCALAR(extension, name, type, expression)
#include "core/platform/device_info.def"
    };
    char value[16384];

    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        ck_assert_int_eq(clGetDeviceInfo(device, queries[i], sizeof(value), value, NULL),
                         CL_SUCCESS);
}

// What may be asked for is what the queries say, down to parts of one unit.
START_TEST(queries_of_parts)
{
    property schemes[4] = {-1, -1, -1, -1};
    size_t bytes;

    partition(tf_api.device, pairs);
    is_answered(parts[0]);
    ck_assert_int_eq(clGetDeviceInfo(parts[1], CL_DEVICE_PARTITION_TYPE, sizeof(schemes),
                                     schemes, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(pairs));
    ck_assert_mem_eq(schemes, pairs, sizeof(pairs));
    ck_assert_int_eq(clReleaseDevice(parts[1]), CL_SUCCESS);
    cl_device_id pair = parts[0];
    partition(pair, singles);
    ck_assert_int_eq(clReleaseDevice(pair), CL_SUCCESS);
    ck_assert_uint_eq(number_of(parts[1], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 0);
    ck_assert_int_eq(clGetDeviceInfo(parts[1], CL_DEVICE_PARTITION_PROPERTIES,
                                     sizeof(schemes), schemes, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(schemes[0]));
    ck_assert_int_eq(schemes[0], 0);
    ck_assert_int_eq(clCreateSubDevices(parts[1], singles, UNITS, parts, NULL),
                     CL_DEVICE_PARTITION_FAILED);
    release_parts(2);
}
END_TEST

struct work {
    cl_context ctx;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
};

static struct work make_work(const cl_device_id *devices, cl_uint count)
{
    struct work w = {.ctx = clCreateContext(NULL, count, devices, NULL, NULL, &code)};
    const char *text = source;
    const cl_int zero[ITEMS] = {0};

    ck_assert_int_eq(code, CL_SUCCESS);
    w.program = clCreateProgramWithSource(w.ctx, 1, &text, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(w.program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    w.kernel = tf_api_kernel(w.program, "add");
    w.mem = clCreateBuffer(w.ctx, CL_MEM_COPY_HOST_PTR, sizeof(zero),
                           (void *)(uintptr_t)zero, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    tf_api_set_arg(w.kernel, 0, sizeof(w.mem), &w.mem);
    return w;
}

static void end_work(struct work *w)
{
    ck_assert_int_eq(clReleaseMemObject(w->mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(w->kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(w->program), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(w->ctx), CL_SUCCESS);
}

// Adds `value` to every item on `device` and waits.
static void add_on(struct work *w, cl_device_id device, cl_int value)
{
    const size_t items = ITEMS;
    cl_command_queue q = clCreateCommandQueue(w->ctx, device, 0, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    tf_api_set_arg(w->kernel, 1, sizeof(value), &value);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(q, w->kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}

static void has_sum(struct work *w, cl_device_id device, cl_int wanted)
{
    cl_command_queue q = clCreateCommandQueue(w->ctx, device, 0, &code);
    cl_int got[ITEMS];

    ck_assert_int_eq(
        clEnqueueReadBuffer(q, w->mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], wanted);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}

START_TEST(contexts_and_programs_have_exactly_their_devices)
{
    cl_device_id got[UNITS + 1];
    cl_uint count = 0;
    struct work w;

    ck_assert_uint_eq(partition(tf_api.device, singles), UNITS);
    w = make_work(parts, UNITS);
    ck_assert_int_eq(
        clGetContextInfo(w.ctx, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, NULL), 0);
    ck_assert_uint_eq(count, UNITS);
    ck_assert_int_eq(
        clGetProgramInfo(w.program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL),
        0);
    ck_assert_uint_eq(count, UNITS);
    clGetProgramInfo(w.program, CL_PROGRAM_DEVICES, sizeof(got), got, NULL);
    ck_assert_mem_eq(got, parts, sizeof(parts));
    for (int i = 0; i < UNITS; i++)
        add_on(&w, parts[i], 1 << i);
    has_sum(&w, parts[0], (1 << UNITS) - 1);
    end_work(&w);
    release_parts(UNITS);
}
END_TEST

START_TEST(whole_and_parts_share_a_context)
{
    cl_device_id devices[3];
    cl_build_status status;
    struct work w;

    partition(tf_api.device, pairs);
    memcpy(devices, parts, 2 * sizeof(devices[0]));
    devices[2] = tf_api.device;
    w = make_work(devices, 3);
    // Built for the whole: its parts run it.
    ck_assert_int_eq(clReleaseKernel(w.kernel), CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(w.program, 1, &tf_api.device, "-DFRESH", NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(clGetProgramBuildInfo(w.program, devices[i],
                                               CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                               &status, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(status, CL_BUILD_SUCCESS);
    }
    w.kernel = tf_api_kernel(w.program, "add");
    tf_api_set_arg(w.kernel, 0, sizeof(w.mem), &w.mem);
    for (int i = 0; i < 3; i++)
        add_on(&w, devices[i], 10);
    has_sum(&w, devices[2], 30);
    end_work(&w);
    release_parts(2);
}
END_TEST

START_TEST(binaries_move_between_whole_and_parts)
{
    const cl_device_id whole = tf_api.device;
    struct work w;
    unsigned char *binary;
    const unsigned char *both[2];
    size_t bytes[2];
    cl_program program;

    partition(tf_api.device, pairs);
    w = make_work(&whole, 1);
    clGetProgramInfo(w.program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes[0]), bytes, NULL);
    binary = malloc(bytes[0]);
    ck_assert_int_eq(
        clGetProgramInfo(w.program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
        CL_SUCCESS);
    end_work(&w);
    w = make_work(parts, 2);
    bytes[1] = bytes[0];
    both[0] = both[1] = binary;
    program = clCreateProgramWithBinary(w.ctx, 2, parts, bytes, both, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(w.kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(w.program), CL_SUCCESS);
    w.program = program;
    w.kernel = tf_api_kernel(program, "add");
    tf_api_set_arg(w.kernel, 0, sizeof(w.mem), &w.mem);
    add_on(&w, parts[1], 3);
    has_sum(&w, parts[0], 3);
    end_work(&w);
    free(binary);
    release_parts(2);
}
END_TEST

static void CL_CALLBACK note_cpus(void *args)
{
    cpu_set_t *set = *(cpu_set_t **)args;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(*set), set), 0);
}

// The CPUs on which commands of `device` may run, but for threads that wait for it.
static void cpus_of(cl_device_id device, cpu_set_t *set)
{
    cl_context ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue q = clCreateCommandQueue(ctx, device, 0, &code);
    cl_int status = CL_QUEUED;
    cl_event ev;

    ck_assert_int_eq(clEnqueueNativeKernel(q, note_cpus, &set, sizeof(set), 0, NULL, NULL,
                                           0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clFlush(q), CL_SUCCESS);
    while (status != CL_COMPLETE) {
        ck_assert_int_eq(clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                        sizeof(status), &status, NULL),
                         CL_SUCCESS);
        usleep(100);
    }
    clReleaseEvent(ev);
    clReleaseCommandQueue(q);
    clReleaseContext(ctx);
}

// A part of one unit works on one CPU, the first and the last on different ones where
// there are.
START_TEST(parts_stay_on_their_cpus)
{
    cpu_set_t all, first, second;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
    partition(tf_api.device, singles);
    cpus_of(parts[0], &first);
    cpus_of(parts[UNITS - 1], &second);
    ck_assert_int_eq(CPU_COUNT(&first), 1);
    ck_assert_int_eq(CPU_COUNT(&second), 1);
    if (CPU_COUNT(&all) > 1)
        ck_assert(!CPU_EQUAL(&first, &second));
    release_parts(UNITS);
}
END_TEST

// Objects keep their sub-devices: the application may let go of them at once, with work
// on its way.
START_TEST(parts_are_released_while_they_work)
{
    for (int round = 0; round < 20; round++) {
        const size_t items = ITEMS;
        const cl_int one = 1;
        cl_command_queue q;
        struct work w;

        partition(tf_api.device, pairs);
        w = make_work(parts, 2);
        tf_api_set_arg(w.kernel, 1, sizeof(one), &one);
        q = clCreateCommandQueue(w.ctx, parts[1], 0, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        for (int i = 0; i < 20; i++)
            ck_assert_int_eq(
                clEnqueueNDRangeKernel(q, w.kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
                CL_SUCCESS);
        ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
        end_work(&w);
        release_parts(2);
    }
}
END_TEST

static void *use_a_part(void *arg)
{
    const size_t part = (size_t)arg;
    struct work w = make_work(&parts[part], 1);

    for (int i = 0; i < 20; i++)
        add_on(&w, parts[part], 1);
    has_sum(&w, parts[part], 20);
    end_work(&w);
    return NULL;
}

START_TEST(contexts_on_several_parts_work_at_once)
{
    pthread_t threads[UNITS];

    partition(tf_api.device, singles);
    for (size_t i = 0; i < UNITS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_a_part, (void *)i), 0);
    for (int i = 0; i < UNITS; i++)
        pthread_join(threads[i], NULL);
    release_parts(UNITS);
}
END_TEST

// The parent's parts are errors, new ones work.
static int in_child(const struct work *w)
{
    cl_device_id old[2] = {parts[0], parts[1]}, fresh[2];
    struct work own;

    if (clGetDeviceInfo(old[0], CL_DEVICE_NAME, 0, NULL, NULL) != CL_OUT_OF_RESOURCES)
        return 1;
    if (clCreateContext(NULL, 1, old, NULL, NULL, &code) || code != CL_OUT_OF_RESOURCES)
        return 2;
    if (clRetainDevice(old[0]) != CL_OUT_OF_RESOURCES)
        return 3;
    if (clCreateSubDevices(old[0], singles, 2, fresh, NULL) != CL_OUT_OF_RESOURCES)
        return 4;
    if (clReleaseContext(w->ctx) || clReleaseDevice(old[0]) || clReleaseDevice(old[0]))
        return 5; // counts nothing
    if (clCreateSubDevices(tf_api.device, pairs, 2, fresh, NULL))
        return 6;
    own = make_work(fresh, 2);
    add_on(&own, fresh[1], 4);
    has_sum(&own, fresh[0], 4);
    end_work(&own);
    return clReleaseDevice(fresh[0]) || clReleaseDevice(fresh[1]) ? 7 : 0;
}

START_TEST(forked_child_makes_its_own_parts)
{
    struct work w;
    pid_t child;
    int status = -1;

    partition(tf_api.device, pairs);
    w = make_work(parts, 2);
    add_on(&w, parts[0], 1);
    child = tf_fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); // Check's handler would end the parent, too
        alarm(TEST_LIMIT_S);
        _exit(in_child(&w));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    add_on(&w, parts[1], 1);
    has_sum(&w, parts[0], 2);
    end_work(&w);
    release_parts(2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub_device");
    TCase *tcase = tcase_create("sub_device");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, counts_of_parts);
    tcase_add_test(tcase, parts_are_counted);
    tcase_add_test(tcase, bad_arguments);
    tcase_add_test(tcase, part_of_named_units);
    tcase_add_test(tcase, contexts_have_only_what_they_were_given);
    tcase_add_test(tcase, queries_of_parts);
    tcase_add_test(tcase, contexts_and_programs_have_exactly_their_devices);
    tcase_add_test(tcase, whole_and_parts_share_a_context);
    tcase_add_test(tcase, binaries_move_between_whole_and_parts);
    tcase_add_test(tcase, parts_stay_on_their_cpus);
    tcase_add_test(tcase, parts_are_released_while_they_work);
    tcase_add_test(tcase, contexts_on_several_parts_work_at_once);
    tcase_add_test(tcase, forked_child_makes_its_own_parts);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
