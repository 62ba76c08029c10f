// SPDX-License-Identifier: MIT
// Queues on the device: their objects, and the life of what kernels enqueue on them.
#include <fenv.h>
#include <pthread.h>

#include "api/program_rig.h"
#include "support/suite.h"

static const char text[] =
    "kernel void one(global int *p, int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "                       ndrange_1D(1), ^{ atomic_inc(&p[1]); }) == CLK_SUCCESS)\n"
    "      p[0]++;\n"
    "}\n"
    "kernel void now(global int *p, int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                       ndrange_1D(1), ^{ atomic_inc(&p[1]); }) == CLK_SUCCESS)\n"
    "      p[0]++;\n"
    "}\n"
    "kernel void on(global int *p, queue_t q) {\n"
    "  p[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[1] = 5; "
    "});\n"
    "}\n"
    "kernel void wait(global int *p, global ulong *shared) {\n"
    "  clk_event_t user = create_user_event();\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1,\n"
    "                 &user, NULL, ^{ p[0] = 7; });\n"
    "  *(global clk_event_t *)shared = user;\n"
    "}\n"
    "kernel void tenths(global float *p, int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
    "                   ^{ p[i] = p[i] * 0.1f; });\n"
    "}\n"
    "kernel void set(global ulong *shared) {\n"
    "  set_user_event_status(*(global clk_event_t *)shared, CL_COMPLETE);\n"
    "}\n";

static const cl_command_queue_properties here =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

static cl_int code;

static void setup(void)
{
    tf_api_begin();
    code = 1;
}

static cl_command_queue queue_of(cl_command_queue_properties flags, cl_uint bytes)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags,
                                        bytes ? CL_QUEUE_SIZE : 0, bytes, 0};

    return clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code);
}

static cl_command_queue default_queue(void)
{
    cl_command_queue q = queue_of(here | CL_QUEUE_ON_DEVICE_DEFAULT, 0);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

static cl_command_queue default_of(cl_command_queue q)
{
    cl_command_queue found = tf_api.q;

    ck_assert_int_eq(
        clGetCommandQueueInfo(q, CL_QUEUE_DEVICE_DEFAULT, sizeof(found), &found, NULL),
        CL_SUCCESS);
    return found;
}

static cl_kernel kernel_of(cl_program *prog, const char *name, cl_mem mem)
{
    cl_kernel kernel;

    *prog = make(text);
    ck_assert_int_eq(build(*prog, "-cl-std=CL3.0"), CL_SUCCESS);
    kernel = tf_api_kernel(*prog, name);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    return kernel;
}

static void run(cl_command_queue q, cl_kernel kernel)
{
    const size_t one = 1;

    ck_assert_int_eq(
        clEnqueueNDRangeKernel(q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
}

static void read_ints(cl_mem mem, cl_int *out, size_t count)
{
    ck_assert_int_eq(clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, 0,
                                         count * sizeof(cl_int), out, 0, NULL, NULL),
                     CL_SUCCESS);
}

START_TEST(queues_are_made)
{
    cl_command_queue q = queue_of(here | CL_QUEUE_PROFILING_ENABLE, 100000);
    cl_command_queue_properties flags = 0;
    cl_uint bytes = 0;

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(
        clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof(flags), &flags, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(flags, here | CL_QUEUE_PROFILING_ENABLE);
    ck_assert_int_eq(clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof(bytes), &bytes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, 100000);
    ck_assert_int_eq(clRetainCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_INVALID_COMMAND_QUEUE);
}
END_TEST

START_TEST(there_is_one_default)
{
    cl_command_queue first, other, again;
    cl_uint count = 0;

    ck_assert_ptr_null(default_of(tf_api.q));
    first = default_queue();
    ck_assert_ptr_eq(default_of(tf_api.q), first);
    again = default_queue();
    ck_assert_ptr_eq(again, first);
    ck_assert_int_eq(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof(count),
                                           &count, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    other = queue_of(here, 0);
    ck_assert_ptr_eq(default_of(other), first);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(tf_api.ctx, tf_api.device, other),
                     CL_SUCCESS);
    ck_assert_ptr_eq(default_of(first), other);
    ck_assert_int_eq(clReleaseCommandQueue(other), CL_SUCCESS);
    ck_assert_ptr_null(default_of(first));
    ck_assert_int_eq(clReleaseCommandQueue(first), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(first), CL_SUCCESS);
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
    cl_uint most = 0, bytes;
    const cl_queue_properties no_bytes[] = {CL_QUEUE_PROPERTIES, here, CL_QUEUE_SIZE, 0,
                                            0};

    clGetDeviceInfo(tf_api.device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof(most),
                    &most, NULL);
    ck_assert_ptr_null(queue_of(CL_QUEUE_ON_DEVICE, 0));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(
        queue_of(CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(queue_of(here, most + 1));
    ck_assert_int_eq(code, CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, no_bytes, &code));
    ck_assert_int_eq(code, CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_ptr_null(clCreateCommandQueue(tf_api.ctx, tf_api.device, here, &code));
    ck_assert_int_eq(code, CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(tf_api.ctx, tf_api.device, tf_api.q),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(tf_api.ctx, tf_api.device, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(
        clGetCommandQueueInfo(tf_api.q, CL_QUEUE_SIZE, sizeof(bytes), &bytes, NULL),
        CL_INVALID_COMMAND_QUEUE);
}
END_TEST

START_TEST(hints_are_for_queues_on_the_host)
{
    const cl_queue_properties names[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};

    for (int i = 0; i < 2; i++) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, here, names[i],
                                            CL_QUEUE_PRIORITY_MED_KHR, 0};
        const cl_queue_properties wrong[] = {names[i], 3, CL_QUEUE_PROPERTIES, here, 0};

        ck_assert_ptr_null(
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code));
        ck_assert_int_eq(code, CL_INVALID_QUEUE_PROPERTIES);
        ck_assert_ptr_null(
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, wrong, &code));
        ck_assert_int_eq(code, CL_INVALID_VALUE);
    }
}
END_TEST

START_TEST(there_are_so_many)
{
    cl_command_queue all[256];
    cl_uint most = 0, count = 0;

    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(most), &most,
                    NULL);
    ck_assert_uint_le(most, 255);
    while (count < 256 && (all[count] = queue_of(here, 0)))
        count++;
    ck_assert_uint_eq(count, most);
    ck_assert_int_eq(code, CL_OUT_OF_RESOURCES);
    while (count-- > 0)
        ck_assert_int_eq(clReleaseCommandQueue(all[count]), CL_SUCCESS);
}
END_TEST

START_TEST(commands_of_the_host_are_refused)
{
    cl_command_queue q = queue_of(here, 0);
    cl_mem mem = tf_api_buffer(0, 8, NULL);
    const cl_int zero = 0;
    cl_program prog;
    cl_kernel kernel = kernel_of(&prog, "one", mem);
    const size_t one = 1;

    ck_assert_int_eq(clFlush(q), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clFinish(q), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(
        clEnqueueFillBuffer(q, mem, &zero, sizeof(zero), 0, 8, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(q);
}
END_TEST

START_TEST(queues_are_arguments)
{
    cl_command_queue q = queue_of(here, 0);
    cl_int got[2] = {1, 1};
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(got), got);
    cl_program prog;
    cl_kernel kernel = kernel_of(&prog, "on", mem);
    const size_t one = 1;

    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(q), NULL), CL_INVALID_DEVICE_QUEUE);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, 4, &q), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(q), &tf_api.q),
                     CL_INVALID_DEVICE_QUEUE);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(mem), &mem),
                     CL_INVALID_DEVICE_QUEUE);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(q), &q), CL_SUCCESS);
    run(tf_api.q, kernel);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    read_ints(mem, got, 2);
    ck_assert_int_eq(got[0], 0);
    ck_assert_int_eq(got[1], 5);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
}
END_TEST

// Without room an enqueue fails, with it back it does not.
START_TEST(room_ends_and_comes_back)
{
    cl_command_queue q = queue_of(here | CL_QUEUE_ON_DEVICE_DEFAULT, 16 << 10);
    const cl_int zeros[2] = {0}, n = 1000;
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), (void *)zeros);
    cl_program prog;
    cl_kernel kernel = kernel_of(&prog, "one", mem);
    cl_int got[2], before = 0;

    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
    for (int round = 1; round <= 3; round++) {
        run(tf_api.q, kernel);
        read_ints(mem, got, 2);
        ck_assert_int_eq(got[0], got[1]);
        ck_assert_int_gt(got[0] - before, 8);
        ck_assert_int_lt(got[0] - before, 1000);
        before = got[0];
    }
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    // Nor is there any without a queue.
    run(tf_api.q, kernel);
    read_ints(mem, got, 2);
    ck_assert_int_eq(got[0], before);
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
}
END_TEST

static void *release_meanwhile(void *arg)
{
    cl_program prog = arg;
    const cl_int zeros[2] = {0}, n = 50;

    for (int i = 0; i < 20; i++) {
        cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), (void *)zeros);
        cl_kernel kernel = tf_api_kernel(prog, "one");
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                            here | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
        cl_int got[2] = {0}, result;
        cl_command_queue own =
            clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &result);
        cl_command_queue q =
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &result);

        ck_assert_int_eq(result, CL_SUCCESS);
        clSetKernelArg(kernel, 0, sizeof(mem), &mem);
        clSetKernelArg(kernel, 1, sizeof(n), &n);
        run(own, kernel);
        clReleaseCommandQueue(q);
        clEnqueueReadBuffer(own, mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL);
        ck_assert_int_eq(got[0], n);
        ck_assert_int_eq(got[1], n);
        clReleaseKernel(kernel);
        clReleaseMemObject(mem);
        clReleaseCommandQueue(own);
    }
    return NULL;
}

START_TEST(a_released_queue_serves_to_the_end)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    cl_program prog = make(text);

    ck_assert_int_eq(build(prog, "-cl-std=CL3.0"), CL_SUCCESS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, release_meanwhile, prog), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    drop(prog);
}
END_TEST

static void *make_defaults(void *arg)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        here | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_int result = CL_SUCCESS;

    (void)arg;
    for (int i = 0; i < 2000 && result == CL_SUCCESS; i++) {
        cl_command_queue q =
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &result);

        clReleaseCommandQueue(q);
    }
    ck_assert_int_eq(result, CL_SUCCESS);
    return NULL;
}

// Nobody gets the default queue of another thread before it is whole, or when it is gone.
START_TEST(default_queues_are_whole)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, make_defaults, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

// A command whose child waits for an event that another command ends sleeps meanwhile.
START_TEST(commands_wait_for_each_other)
{
    cl_command_queue q = default_queue();
    cl_command_queue second = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);
    const cl_int zero = 0;
    cl_int got = 0;

    for (int i = 0; i < 50; i++) {
        cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zero), (void *)&zero);
        cl_ulong nothing = 0, event = 0;
        cl_mem shared = tf_api_buffer(CL_MEM_COPY_HOST_PTR, 8, &nothing);
        cl_program prog;
        cl_kernel waits = kernel_of(&prog, "wait", mem),
                  sets = tf_api_kernel(prog, "set");

        clSetKernelArg(waits, 1, sizeof(shared), &shared);
        clSetKernelArg(sets, 0, sizeof(shared), &shared);
        run(tf_api.q, waits);
        while (event == 0)
            clEnqueueReadBuffer(second, shared, CL_TRUE, 0, 8, &event, 0, NULL, NULL);
        run(second, sets);
        read_ints(mem, &got, 1);
        ck_assert_int_eq(got, 7);
        clReleaseKernel(waits);
        clReleaseKernel(sets);
        drop(prog);
        clReleaseMemObject(mem);
        clReleaseMemObject(shared);
    }
    clReleaseCommandQueue(second);
    clReleaseCommandQueue(q);
}
END_TEST

// The host does not see the kernels of blocks; binaries have them.
START_TEST(binaries_have_blocks)
{
    cl_command_queue q = default_queue();
    const cl_int zeros[2] = {0}, n = 3;
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), (void *)zeros);
    cl_program prog = make(text), loaded;
    size_t count = 0, bytes = 0;
    unsigned char *blob;
    cl_kernel kernel;
    cl_int got[2];

    ck_assert_int_eq(build(prog, "-cl-std=CL3.0"), CL_SUCCESS);
    clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL);
    ck_assert_uint_eq(count, 6);
    clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL);
    blob = malloc(bytes);
    clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(blob), &blob, NULL);
    loaded = clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &bytes,
                                       (const unsigned char **)&blob, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    free(blob);
    ck_assert_int_eq(build(loaded, NULL), CL_SUCCESS);
    kernel = tf_api_kernel(loaded, "one");
    clSetKernelArg(kernel, 0, sizeof(mem), &mem);
    clSetKernelArg(kernel, 1, sizeof(n), &n);
    run(tf_api.q, kernel);
    read_ints(mem, got, 2);
    ck_assert_int_eq(got[1], 3);
    clReleaseKernel(kernel);
    drop(loaded);
    drop(prog);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(q);
}
END_TEST

// Two sources with functions, and so blocks, of the same names.
START_TEST(parts_with_the_same_blocks_are_linked)
{
    static const char part[] =
        "static void go(global int *p) {\n"
        "  enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ p[N] = N + 1; });\n"
        "}\n"
        "kernel void NAME(global int *p) { go(p); }\n";
    cl_command_queue q = default_queue();
    cl_mem mem = tf_api_buffer(0, 8, NULL);
    cl_program parts[2] = {make(part), make(part)}, whole;
    cl_int got[2] = {0};

    ck_assert_int_eq(clCompileProgram(parts[0], 0, NULL, "-cl-std=CL3.0 -DN=0 -DNAME=a",
                                      0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clCompileProgram(parts[1], 0, NULL, "-cl-std=CL3.0 -DN=1 -DNAME=b",
                                      0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    whole = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = tf_api_kernel(whole, i ? "b" : "a");

        clSetKernelArg(kernel, 0, sizeof(mem), &mem);
        run(tf_api.q, kernel);
        clFinish(tf_api.q);
        clReleaseKernel(kernel);
    }
    read_ints(mem, got, 2);
    ck_assert_int_eq(got[0], 1);
    ck_assert_int_eq(got[1], 2);
    drop(whole);
    drop(parts[0]);
    drop(parts[1]);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(q);
}
END_TEST

// Whichever thread runs them, a host thread that rounds upward among them.
START_TEST(children_round_to_nearest_and_hosts_as_they_like)
{
    enum { COUNT = 500 };
    static float values[COUNT], got[COUNT];
    cl_command_queue q = default_queue();
    const cl_int count = COUNT;
    cl_program prog;
    cl_kernel kernel;
    cl_mem mem;

    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i + 1) / 3.0f;
    mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(values), values);
    kernel = kernel_of(&prog, "tenths", mem);
    tf_api_set_arg(kernel, 1, sizeof(count), &count);
    ck_assert_int_eq(fesetround(FE_UPWARD), 0);
    run(tf_api.q, kernel);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    ck_assert_int_eq(fesetround(FE_TONEAREST), 0);
    tf_api_read(mem, 0, sizeof(got), got);
    for (int i = 0; i < COUNT; i++) {
        volatile float expected = values[i] * 0.1f;

        ck_assert_float_eq(got[i], expected);
    }
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(q);
}
END_TEST

static void check_many(const char *name, cl_int n)
{
    const cl_int zeros[2] = {0};
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), (void *)zeros);
    cl_program prog;
    cl_kernel kernel = kernel_of(&prog, name, mem);
    cl_int got[2];

    tf_api_set_arg(kernel, 1, sizeof(n), &n);
    for (int round = 1; round <= 3; round++) {
        run(tf_api.q, kernel);
        read_ints(mem, got, 2);
        ck_assert_int_eq(got[0], round * n);
        ck_assert_int_eq(got[1], round * n);
    }
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
}

// A thread's stack of launches holds 32,768.
START_TEST(more_children_than_a_stack_holds_run)
{
    cl_command_queue q = queue_of(here | CL_QUEUE_ON_DEVICE_DEFAULT, 64 << 20);

    ck_assert_int_eq(code, CL_SUCCESS);
    check_many("now", 40000);
    check_many("one", 40000); // all of them at once, when it has ended
    clReleaseCommandQueue(q);
}
END_TEST

static void *finish(void *q)
{
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    return NULL;
}

// All of them help, and there are stacks for few.
START_TEST(many_threads_wait_for_children)
{
    enum { THREADS = 6, ROUNDS = 20, COUNT = 2000 };
    cl_command_queue q = queue_of(here | CL_QUEUE_ON_DEVICE_DEFAULT, 4 << 20);
    const cl_int zeros[2] = {0}, n = COUNT;
    cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zeros), (void *)zeros);
    cl_program prog;
    cl_kernel kernel = kernel_of(&prog, "now", mem);
    pthread_t threads[THREADS];
    cl_int got[2];

    tf_api_set_arg(kernel, 1, sizeof(n), &n);
    for (int round = 1; round <= ROUNDS; round++) {
        run(tf_api.q, kernel);
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, finish, tf_api.q), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        read_ints(mem, got, 2);
        ck_assert_int_eq(got[0], round * COUNT);
        ck_assert_int_eq(got[1], round * COUNT);
    }
    clReleaseKernel(kernel);
    drop(prog);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device queue");
    TCase *tcase = tcase_create("device queue");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, queues_are_made);
    tcase_add_test(tcase, there_is_one_default);
    tcase_add_test(tcase, what_is_wrong_is_refused);
    tcase_add_test(tcase, hints_are_for_queues_on_the_host);
    tcase_add_test(tcase, there_are_so_many);
    tcase_add_test(tcase, commands_of_the_host_are_refused);
    tcase_add_test(tcase, queues_are_arguments);
    tcase_add_test(tcase, room_ends_and_comes_back);
    tcase_add_test(tcase, a_released_queue_serves_to_the_end);
    tcase_add_test(tcase, default_queues_are_whole);
    tcase_add_test(tcase, commands_wait_for_each_other);
    tcase_add_test(tcase, binaries_have_blocks);
    tcase_add_test(tcase, parts_with_the_same_blocks_are_linked);
    tcase_add_test(tcase, children_round_to_nearest_and_hosts_as_they_like);
    tcase_add_test(tcase, more_children_than_a_stack_holds_run);
    tcase_add_test(tcase, many_threads_wait_for_children);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
