// SPDX-License-Identifier: MIT
// A kernel's code is made once: whatever local size, global size or offset a launch has,
// nothing is compiled again and no launch waits for code that the kernel has had. Only
// the first launch with ids past 2^31 may wait for code of its own, which no later one
// does (doc/decisions/021). What the library says of it (TREFOIL_LOG=build) is counted.
#include "acceptance.h"

#include <string.h>
#include <unistd.h>

enum { ITEMS = 997, KERNELS = 2 }; // a prime
#define PAST_31_BITS (((size_t)1 << 31) + 5)

static const char source[] =
    "kernel void rows(global uint *out, uint n)\n"
    "{\n"
    "    size_t i = get_global_id(0) - get_global_offset(0);\n"
    "    if (i < n)\n"
    "        out[i] = (uint)(get_global_id(0) * 3);\n"
    "}\n"
    "kernel void turned(global uint *out, uint n)\n"
    "{\n"
    "    local uint part[200];\n"
    "    size_t i = get_global_id(0) - get_global_offset(0), l = get_local_id(0);\n"
    "    part[l] = (uint)(get_global_id(0) * 3);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < n)\n"
    "        out[i - l + get_local_size(0) - 1 - l] = part[get_local_size(0) - 1 - l];\n"
    "}\n";

static FILE *lines; // what the library writes to stderr
static int own_stderr;

static void show_lines(void)
{
    char line[2000];

    dup2(own_stderr, STDERR_FILENO);
    rewind(lines);
    while (fgets(line, sizeof(line), lines))
        fputs(line, stdout);
}

static void catch_lines(void)
{
    setenv("TREFOIL_LOG", "build", 1);
    lines = tmpfile();
    own_stderr = dup(STDERR_FILENO);
    EXPECT(lines && own_stderr >= 0);
    EXPECT(dup2(fileno(lines), STDERR_FILENO) >= 0);
    EXPECT(!atexit(show_lines));
}

static int count_lines(const char *with)
{
    char line[2000];
    int count = 0;

    rewind(lines);
    while (fgets(line, sizeof(line), lines))
        count += strstr(line, with) != NULL;
    return count;
}

static void run(const struct acceptance_cl *cl, cl_kernel kernel, cl_mem out,
                size_t global, size_t local, size_t offset)
{
    static cl_uint seen[ITEMS];

    memset(seen, 0, sizeof(seen));
    OK(clEnqueueWriteBuffer(cl->queue, out, CL_TRUE, 0, sizeof(seen), seen, 0, NULL,
                            NULL));
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, &offset, &global,
                              local ? &local : NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl->queue, out, CL_TRUE, 0, sizeof(seen), seen, 0, NULL,
                           NULL));
    for (size_t i = 0; i < ITEMS; i++)
        EXPECT(seen[i] == (cl_uint)((offset + i) * 3));
}

static void run_all(const struct acceptance_cl *cl, cl_program program, cl_mem out)
{
    static const size_t sizes[] = {64, 1, 7, 200, 0};
    static const char *const names[KERNELS] = {"rows", "turned"};
    const cl_uint n = ITEMS;

    for (int k = 0; k < KERNELS; k++) {
        cl_kernel kernel = acceptance_kernel(program, names[k]);

        OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
        OK(clSetKernelArg(kernel, 1, sizeof(n), &n));
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            if (k > 0 && sizes[s] == 0)
                continue; // might be more than the kernel has local memory for
            run(cl, kernel, out, ITEMS, sizes[s], 0);
            run(cl, kernel, out, ITEMS, sizes[s], 1000);
            run(cl, kernel, out, ITEMS, sizes[s], PAST_31_BITS);
        }
        if (k == 0)
            run(cl, kernel, out, PAST_31_BITS, 0, 0);
        OK(clReleaseKernel(kernel));
    }
}

int main(void)
{
    const char *text = source;
    struct acceptance_cl cl;
    cl_program program;
    cl_mem out;
    cl_int code;
    int others, quick, full;

    catch_lines();
    cl = acceptance_open();
    program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
    out = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_uint), NULL,
                         &code);
    OK(code);
    run_all(&cl, program, out);
    others = count_lines(": generated (one by one)");
    quick = count_lines(": generated (quick)");
    EXPECT(others <= KERNELS); // with lanes
    EXPECT(quick == 0 || quick == KERNELS);
    full = count_lines(": generated") - others - quick;
    EXPECT(quick ? full <= KERNELS : full == KERNELS);
    EXPECT(count_lines("first launch past 2^31 waits") <= (quick ? 0 : KERNELS));
    EXPECT(count_lines("first launch waits") <= KERNELS);
    EXPECT(count_lines("blocking compilation") == 0);
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return 0;
}
