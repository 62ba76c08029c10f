// SPDX-License-Identifier: MIT
// Resident memory does not grow: of the 450 different programs built and released after
// the first 100, and of the next 450, one half needs no more than 1 MiB; 100,000 launches
// need 1 MiB more than 1,000 did.
#include "acceptance.h"

#include <limits.h>
#include <string.h>

#define BUILDS_LIMIT_KIB 1024
#define LAUNCHES_LIMIT_KIB 1024

// Launched too: a program that is released before its code was generated needs none, and
// whether the first hundred load the code generator must not be chance.
static void build_one(const struct acceptance_cl *cl, int n)
{
    const size_t size = 1;
    const cl_int zero = 0;
    char source[256], name[16];
    cl_program program;
    cl_kernel kernel;

    snprintf(name, sizeof(name), "k%d", n);
    snprintf(source, sizeof(source),
             "kernel void %s(int n, local int *p)\n"
             "{\n"
             "    for (int i = 0; i < n; i++)\n"
             "        p[get_global_id(0)] += i * %d;\n"
             "}\n",
             name, n);
    program = acceptance_build(cl, source);
    kernel = acceptance_kernel(program, name);
    OK(clSetKernelArg(kernel, 0, sizeof(zero), &zero));
    OK(clSetKernelArg(kernel, 1, 4, NULL));
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clFinish(cl->queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static void report(const char *what, long before_kib, long after_kib, long limit_kib)
{
    printf("%s: %ld KiB, then %ld KiB: %+ld KiB (limit %ld)\n", what, before_kib,
           after_kib, after_kib - before_kib, limit_kib);
    EXPECT(after_kib <= before_kib + limit_kib);
}

// The least of the last fifty builds up to the n-th: what the allocator keeps for the
// next build differs by more than a megabyte from one moment to the next.
static long least_resident_kib(const struct acceptance_cl *cl, int first, int n)
{
    long least_kib = LONG_MAX;

    for (int i = first; i <= n; i++) {
        build_one(cl, i);
        if (i > n - 50 && acceptance_resident_kib() < least_kib)
            least_kib = acceptance_resident_kib();
    }
    return least_kib;
}

static void builds(const struct acceptance_cl *cl)
{
    const long after_100_kib = least_resident_kib(cl, 1, 100);
    const long after_550_kib = least_resident_kib(cl, 101, 550);
    const long after_1000_kib = least_resident_kib(cl, 551, 1000);

    // A leak grows all the time; where more threads than before compile side by side, the
    // allocator takes a stretch of memory for each once.
    if (after_550_kib - after_100_kib < after_1000_kib - after_550_kib)
        report("550 builds", after_100_kib, after_550_kib, BUILDS_LIMIT_KIB);
    else
        report("1,000 builds", after_550_kib, after_1000_kib, BUILDS_LIMIT_KIB);
}

static void launches(const struct acceptance_cl *cl)
{
    cl_program program = acceptance_build(cl, "kernel void empty(void) {}");
    cl_kernel kernel = acceptance_kernel(program, "empty");
    const size_t size = 1;
    long after_1000_kib = 0;

    for (int n = 1; n <= 100000; n++) {
        OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &size, NULL, 0, NULL,
                                  NULL));
        OK(clFinish(cl->queue));
        if (n == 1000)
            after_1000_kib = acceptance_resident_kib();
    }
    report("100,000 launches", after_1000_kib, acceptance_resident_kib(),
           LAUNCHES_LIMIT_KIB);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    if (acceptance_sanitized()) {
        printf("sanitizers keep freed memory: nothing to measure\n");
        return EXIT_SKIPPED;
    }
    struct acceptance_cl cl = acceptance_open();
    if (argc > 1 && !strcmp(argv[1], "builds"))
        builds(&cl);
    else
        launches(&cl);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
