// SPDX-License-Identifier: MIT
// Threads that are cancelled while they build, launch and wait leave nothing behind: no
// descriptors, no locks, no kernel that nobody makes. They end behind the call that they
// are in.
#include "acceptance.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 40, MOST_DESCRIPTORS = 1024, MOST_US = 30000, LIMIT_S = 200 };

static struct acceptance_cl cl;
static atomic_int sources;
static char folder[] = "/tmp/trefoil-cancel-XXXXXX";

static int descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < MOST_DESCRIPTORS; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void run(cl_kernel kernel, int wanted)
{
    const size_t size = 1;
    cl_int code, value = 0;
    const cl_mem mem = clCreateBuffer(cl.context, 0, sizeof(value), NULL, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL,
                           NULL));
    EXPECT(value == wanted);
    OK(clReleaseMemObject(mem));
}

static void build_and_run(void)
{
    const int number = atomic_fetch_add(&sources, 1) + 1;
    char source[200];
    cl_program program;
    cl_kernel kernel;

    snprintf(source, sizeof(source), "kernel void k(global int *p) { p[0] = %d; }",
             number);
    program = acceptance_build(&cl, source);
    kernel = acceptance_kernel(program, "k");
    run(kernel, number);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static void *build_for_ever(void *arg)
{
    (void)arg;
    for (;;) {
        build_and_run();
        pthread_testcancel();
    }
    return NULL;
}

// A kernel that others launch, too, and whose code is not made yet.
static void *run_kernel(void *kernel)
{
    for (;;) {
        run(kernel, 7);
        pthread_testcancel();
    }
    return NULL;
}

static void cancel_after(void *(*body)(void *), void *arg, int us)
{
    pthread_t thread;
    void *end;

    EXPECT(pthread_create(&thread, NULL, body, arg) == 0);
    usleep((useconds_t)us);
    EXPECT(pthread_cancel(thread) == 0);
    EXPECT(pthread_join(thread, &end) == 0 && end == PTHREAD_CANCELED);
}

static int remove_one(const char *path, const struct stat *facts, int type,
                      struct FTW *walk)
{
    (void)facts;
    (void)type;
    (void)walk;
    return remove(path);
}

int main(void)
{
    int before;

    EXPECT(mkdtemp(folder) && !setenv("TREFOIL_CACHE", folder, 1));
    alarm(LIMIT_S);
    cl = acceptance_open();
    build_and_run();
    before = descriptors();
    for (int i = 0; i < THREADS; i++)
        cancel_after(build_for_ever, NULL, 500 + i * (MOST_US / THREADS));
    for (int i = 0; i < THREADS; i++) {
        char source[200];
        cl_program program;
        cl_kernel kernel;

        snprintf(
            source, sizeof(source),
            "kernel void k(global int *p) { p[0] = 7 + %d * (int)get_global_id(1); }", i);
        program = acceptance_build(&cl, source);
        kernel = acceptance_kernel(program, "k");
        cancel_after(run_kernel, kernel, i * 200);
        run(kernel, 7);
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
    EXPECT(descriptors() <= before + 1); // a second helper may have been started
    build_and_run();
    acceptance_close(&cl);
    EXPECT(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0);
    return EXIT_SUCCESS;
}
