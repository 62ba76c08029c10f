// SPDX-License-Identifier: MIT
// Resident memory does not grow: 1,000 different programs built and released need no more
// than 2 MiB over what 100 needed, 100,000 launches 1 MiB more than 1,000 did.
#include "acceptance.h"

#include <string.h>

#define BUILDS_LIMIT_KIB 2048
#define LAUNCHES_LIMIT_KIB 1024

static void build_one(const struct acceptance_cl *cl, int n)
{
    char source[256];

    snprintf(source, sizeof(source),
             "kernel void k%d(global int *p, int n)\n"
             "{\n"
             "    for (int i = 0; i < n; i++)\n"
             "        p[get_global_id(0)] += i * %d;\n"
             "}\n",
             n, n);
    OK(clReleaseProgram(acceptance_build(cl, source)));
}

static void report(const char *what, long before_kib, long after_kib, long limit_kib)
{
    printf("%s: %ld KiB, then %ld KiB: %+ld KiB (limit %ld)\n", what, before_kib,
           after_kib, after_kib - before_kib, limit_kib);
    EXPECT(after_kib <= before_kib + limit_kib);
}

static void builds(const struct acceptance_cl *cl)
{
    long after_100_kib = 0;

    for (int n = 1; n <= 1000; n++) {
        build_one(cl, n);
        if (n == 100)
            after_100_kib = acceptance_resident_kib();
    }
    report("1,000 builds", after_100_kib, acceptance_resident_kib(), BUILDS_LIMIT_KIB);
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
