// SPDX-License-Identifier: MIT
// What the language of trefoil-run cannot say: sub-buffers, buffers that kernels must not
// write, that nobody has written, shared memory, mip levels, command buffers; and that
// the application hears of it.
//     told_faults log | fail    with TREFOIL_CHECK=all, TREFOIL_CHECK_ACTION the same
#include "acceptance.h"

#include <pthread.h>
#include <string.h>

#include <CL/cl_ext.h>

#define ITEMS 16

static const char source[] = "kernel void add(global int *out, global const int *in)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    out[i] = in[i] + 1;\n"
                             "}\n"
                             "kernel void same(global int *out)\n"
                             "{\n"
                             "    out[get_global_id(0)] = 1;\n"
                             "}\n"
                             "kernel void parts(global int4 *out)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    out[i].x = 7;\n"
                             "    out[i].yzw = (int3)(1);\n"
                             "    out[i].s12 = out[i].xy;\n"
                             "}\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static char told[20000];

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes,
                               void *data)
{
    (void)info;
    (void)bytes;
    (void)data;
    pthread_mutex_lock(&lock);
    EXPECT(strlen(told) + strlen(text) < sizeof(told));
    strcat(told, text);
    pthread_cond_broadcast(&came);
    pthread_mutex_unlock(&lock);
}

// CTest ends a program that waits for ever.
static void wait_for(const char *text)
{
    pthread_mutex_lock(&lock);
    while (!strstr(told, text))
        pthread_cond_wait(&came, &lock);
    told[0] = '\0';
    pthread_mutex_unlock(&lock);
}

static void open_context(struct acceptance_cl *cl)
{
    cl_int code;

    *cl = acceptance_find();
    cl->context = clCreateContext(NULL, 1, &cl->device, notify, NULL, &code);
    OK(code);
    cl->queue = clCreateCommandQueueWithProperties(cl->context, cl->device, NULL, &code);
    OK(code);
}

static cl_mem new_buffer(const struct acceptance_cl *cl, cl_mem_flags flags, int *values)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(cl->context, flags, ITEMS * sizeof(int), values, &code);

    OK(code);
    return mem;
}

// Runs the kernel with `items`; the status that its event ends with.
static cl_int run(const struct acceptance_cl *cl, cl_kernel kernel, size_t items)
{
    cl_event event;
    cl_int status;

    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                      NULL));
    OK(clReleaseEvent(event));
    return status;
}

static cl_int run_add(const struct acceptance_cl *cl, cl_kernel add, cl_mem out,
                      cl_mem in, size_t items)
{
    OK(clSetKernelArg(add, 0, sizeof(cl_mem), &out));
    OK(clSetKernelArg(add, 1, sizeof(cl_mem), &in));
    return run(cl, add, items);
}

static void sub_buffers(const struct acceptance_cl *cl, cl_kernel add, cl_int status)
{
    const cl_buffer_region region = {0, 8 * sizeof(int)};
    int values[ITEMS] = {0};
    cl_mem in = new_buffer(cl, CL_MEM_COPY_HOST_PTR, values);
    cl_mem out = new_buffer(cl, CL_MEM_COPY_HOST_PTR, values), part;
    cl_int code;

    part = clCreateSubBuffer(out, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    EXPECT(run_add(cl, add, part, in, 9) == status);
    wait_for("0 bytes past the end of the buffer of argument 0 'out' of 32 bytes");
    OK(clEnqueueReadBuffer(cl->queue, out, CL_TRUE, 0, sizeof(values), values, 0, NULL,
                           NULL));
    EXPECT(values[7] == 1 && values[8] == 0); // what lies behind is not touched
    EXPECT(run_add(cl, add, part, in, 8) == CL_COMPLETE);
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(in));
}

static void read_only(const struct acceptance_cl *cl, cl_kernel same, cl_int status)
{
    int values[ITEMS] = {0};
    cl_mem out = new_buffer(cl, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, values);

    OK(clSetKernelArg(same, 0, sizeof(cl_mem), &out));
    EXPECT(run(cl, same, ITEMS) == status);
    wait_for("forbidden write of 4 bytes");
    EXPECT(values[0] == 0);
    OK(clReleaseMemObject(out));
}

static void unwritten(const struct acceptance_cl *cl, cl_kernel add, cl_int status)
{
    const int one = 1;
    cl_mem in = new_buffer(cl, 0, NULL), out = new_buffer(cl, 0, NULL);

    OK(clEnqueueFillBuffer(cl->queue, in, &one, sizeof(one), 0, 4 * sizeof(one), 0, NULL,
                           NULL));
    EXPECT(run_add(cl, add, out, in, 4) == CL_COMPLETE);
    EXPECT(run_add(cl, add, out, in, 5) == status);
    wait_for("a value that was never written is stored");
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(in));
}

// Clang loads and stores the whole vector.
static void parts_of_vectors(const struct acceptance_cl *cl, cl_program program)
{
    cl_kernel parts = acceptance_kernel(program, "parts");
    cl_mem out = new_buffer(cl, 0, NULL);

    OK(clSetKernelArg(parts, 0, sizeof(cl_mem), &out));
    EXPECT(run(cl, parts, ITEMS / 4) == CL_COMPLETE);
    pthread_mutex_lock(&lock);
    EXPECT(!*told);
    pthread_mutex_unlock(&lock);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(parts));
}

static void shared_memory(const struct acceptance_cl *cl, cl_kernel same, cl_int status)
{
    int *values = clSVMAlloc(cl->context, CL_MEM_READ_WRITE, ITEMS * sizeof(int), 0);

    EXPECT(values);
    OK(clSetKernelArgSVMPointer(same, 0, values + 4));
    EXPECT(run(cl, same, ITEMS - 4) == CL_COMPLETE);
    EXPECT(run(cl, same, ITEMS - 3) == status);
    wait_for("0 bytes past the end of the memory of argument 0 'out' of 64 bytes");
    clSVMFree(cl->context, values);
}

static const char levels_source[] =
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "kernel void levels(write_only image2d_t image, int x, int level)\n"
    "{\n"
    "    write_imagef(image, (int2)(x, 0), level, (float4)(1));\n"
    "}\n"
    "kernel void one_more(write_only image2d_t image, int x, int level)\n"
    "{\n"
    "    write_imagef(image, (int2)(x, 0), level, (float4)(1));\n"
    "}\n";

// One pixel of a level, of 8 x 4, 4 x 2 and 2 x 1 pixels.
static void write_level(const struct acceptance_cl *cl, cl_kernel levels, int x,
                        int level, cl_int status)
{
    OK(clSetKernelArg(levels, 1, sizeof(x), &x));
    OK(clSetKernelArg(levels, 2, sizeof(level), &level));
    EXPECT(run(cl, levels, 1) == status);
}

static void mip_levels(const struct acceptance_cl *cl, cl_int status)
{
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 8,
                                .image_height = 4,
                                .num_mip_levels = 3};
    cl_program program = acceptance_build(cl, levels_source);
    cl_kernel levels = acceptance_kernel(program, "levels"),
              one_more = acceptance_kernel(program, "one_more");
    cl_int code;
    cl_mem image = clCreateImage(cl->context, 0, &format, &desc, NULL, &code);

    OK(code);
    OK(clSetKernelArg(levels, 0, sizeof(cl_mem), &image));
    OK(clSetKernelArg(one_more, 0, sizeof(cl_mem), &image));
    write_level(cl, levels, 7, 0, CL_COMPLETE);
    write_level(cl, levels, 1, 2, CL_COMPLETE);
    EXPECT(told[0] == '\0');
    write_level(cl, levels, 4, 1, status);
    wait_for("at (4, 0), level 1, of the image of argument 0 'image', which has 4 x 2 "
             "pixels");
    write_level(cl, one_more, 0, 3, status);
    wait_for(
        "at (0, 0), level 3, of the image of argument 0 'image', which has 3 levels");
    OK(clReleaseMemObject(image));
    OK(clReleaseKernel(one_more));
    OK(clReleaseKernel(levels));
    OK(clReleaseProgram(program));
}

// ---- Command buffers ----

static const char recorded_source[] = "\n\n\n\n\n"
                                      "kernel void in_order(global int *out)\n"
                                      "{\n"
                                      "    local int tile[8];\n"
                                      "    int i = get_local_id(0);\n"
                                      "    tile[i] = get_global_id(0);\n"
                                      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                      "    out[get_global_id(0)] = tile[7 - i];\n"
                                      "}\n"
                                      "kernel void races(global int *out)\n"
                                      "{\n"
                                      "    out[0] = get_global_id(0);\n"
                                      "}\n"
                                      "kernel void races_in_local(global int *out)\n"
                                      "{\n"
                                      "    local int tile[8];\n"
                                      "    int i = get_local_id(0);\n"
                                      "    tile[i] = i;\n"
                                      "    out[get_global_id(0)] = tile[7 - i];\n"
                                      "}\n"
                                      "kernel void beyond(global int *out)\n"
                                      "{\n"
                                      "    out[get_global_id(0) + 16] = 1;\n"
                                      "}\n"
                                      "kernel void marks(global int *out)\n"
                                      "{\n"
                                      "    out[get_global_id(0)] = 77;\n"
                                      "}\n";

#define FUNCTION(cl, name) \
    ((name##_fn)clGetExtensionFunctionAddressForPlatform((cl)->platform, #name))

// Records the kernels on one buffer, and replays that three times; the last status, and
// what the buffer begins with.
static cl_int replay(const struct acceptance_cl *cl, cl_program program,
                     const char *const *names, int count, cl_int *first)
{
    const size_t items = ITEMS, group = 8;
    cl_command_queue queue = cl->queue;
    cl_mem out = new_buffer(cl, 0, NULL);
    cl_command_buffer_khr buffer;
    cl_int code, status = 1;

    buffer = FUNCTION(cl, clCreateCommandBufferKHR)(1, &queue, NULL, &code);
    OK(code);
    for (int i = 0; i < count; i++) {
        cl_kernel kernel = acceptance_kernel(program, names[i]);

        OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
        OK(FUNCTION(cl, clCommandNDRangeKernelKHR)(buffer, NULL, NULL, kernel, 1, NULL,
                                                   &items, &group, 0, NULL, NULL, NULL));
        OK(clReleaseKernel(kernel));
    }
    OK(FUNCTION(cl, clFinalizeCommandBufferKHR)(buffer));
    for (int i = 0; i < 3; i++) {
        cl_event event;

        OK(FUNCTION(cl, clEnqueueCommandBufferKHR)(0, NULL, buffer, 0, NULL, &event));
        clWaitForEvents(1, &event);
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                          &status, NULL));
        OK(clReleaseEvent(event));
    }
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(*first), first, 0, NULL, NULL));
    OK(FUNCTION(cl, clReleaseCommandBufferKHR)(buffer));
    OK(clReleaseMemObject(out));
    return status;
}

static void command_buffers(const struct acceptance_cl *cl, cl_int status)
{
    static const char *const names[] = {"in_order", "races", "in_order",
                                        "races_in_local"};
    static const char *const after[] = {"in_order", "beyond", "marks"};
    cl_program program = acceptance_build(cl, recorded_source);
    cl_int first;

    EXPECT(replay(cl, program, names, 1, &first) == CL_COMPLETE);
    EXPECT(replay(cl, program, (const char *const[]){"in_order", "in_order"}, 2,
                  &first) == CL_COMPLETE);
    EXPECT(told[0] == '\0');
    EXPECT(replay(cl, program, names + 1, 2, &first) == status);
    wait_for(
        "kernel races, kernel.cl:16:12: write of 4 bytes of global memory races with "
        "a write");
    EXPECT(replay(cl, program, names + 2, 2, &first) == status);
    wait_for("kernel races_in_local, kernel.cl:22:13: write of 4 bytes of local memory "
             "races with a read");
    // What comes after a kernel that has failed does not run.
    EXPECT(replay(cl, program, after, 3, &first) == status);
    wait_for("kernel beyond, kernel.cl:27:32: invalid write of 4 bytes of global memory");
    EXPECT(first == (status == CL_COMPLETE ? 77 : 7));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    const bool fails = argc > 1 && !strcmp(argv[1], "fail");
    const cl_int status = fails ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
    struct acceptance_cl cl;
    cl_program program;
    cl_kernel add, same;

    open_context(&cl);
    program = acceptance_build(&cl, source);
    add = acceptance_kernel(program, "add");
    same = acceptance_kernel(program, "same");
    sub_buffers(&cl, add, status);
    read_only(&cl, same, status);
    unwritten(&cl, add, status);
    parts_of_vectors(&cl, program);
    // Told once for each place and kind: another program, or none of this would come.
    OK(clReleaseKernel(same));
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    program = acceptance_build(&cl, "\n\nkernel void same(global int *out)\n"
                                    "{\n"
                                    "    out[get_global_id(0)] = 1;\n"
                                    "}\n");
    same = acceptance_kernel(program, "same");
    shared_memory(&cl, same, status);
    mip_levels(&cl, status);
    OK(clReleaseKernel(same));
    OK(clReleaseProgram(program));
    command_buffers(&cl, status);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
