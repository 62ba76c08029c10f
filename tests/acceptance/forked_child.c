// SPDX-License-Identifier: MIT
// After fork() the child gets an error or a result of every call, never a hang: with
// nothing used before, with the parent's objects, with objects of its own.
#include "acceptance.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"

#define CHILD_SECONDS 120

static const char source[] =
    "kernel void fill(global int *p) { p[get_global_id(0)] = 7; }";

struct objects {
    struct acceptance_cl cl;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
};

static struct objects make_objects(void)
{
    struct objects o = {.cl = acceptance_open()};
    cl_int code;

    o.program = acceptance_build(&o.cl, source);
    o.kernel = acceptance_kernel(o.program, "fill");
    o.buffer =
        clCreateBuffer(o.cl.context, CL_MEM_READ_WRITE, 64 * sizeof(cl_int), NULL, &code);
    OK(code);
    OK(clSetKernelArg(o.kernel, 0, sizeof(cl_mem), &o.buffer));
    return o;
}

static void release_objects(struct objects *o)
{
    OK(clReleaseMemObject(o->buffer));
    OK(clReleaseKernel(o->kernel));
    OK(clReleaseProgram(o->program));
    acceptance_close(&o->cl);
}

// Runs the kernel and reads; the first error, or CL_SUCCESS with right values.
static cl_int use_objects(const struct objects *o)
{
    const size_t size = 64;
    cl_int data[64] = {0};
    cl_int code = clEnqueueNDRangeKernel(o->cl.queue, o->kernel, 1, NULL, &size, NULL, 0,
                                         NULL, NULL);

    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(o->cl.queue, o->buffer, CL_TRUE, 0, sizeof(data), data,
                                   0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(o->cl.queue);
    for (int n = 0; n < 64 && code == CL_SUCCESS; n++)
        EXPECT(data[n] == 7);
    return code;
}

static void work_anew(void)
{
    struct objects own = make_objects();

    OK(use_objects(&own));
    release_objects(&own);
}

static void child_of_fresh_parent(const struct objects *parents)
{
    (void)parents;
    work_anew();
}

static void child_with_old_objects(const struct objects *parents)
{
    struct objects old = *parents;
    const cl_int code = use_objects(&old);

    printf("child: the parent's objects: %d\n", code);
    EXPECT(code <= 0); // an error, or CL_SUCCESS with the right values
    release_objects(&old);
}

static void child_with_new_context(const struct objects *parents)
{
    (void)parents;
    work_anew();
}

static void run_child(const char *what, void (*body)(const struct objects *),
                      const struct objects *parents)
{
    int status = 0;

    fflush(stdout);
    const pid_t pid = tf_fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        body(parents);
        fflush(stdout);
        // The way out must not hang either. The leak check counts what belonged to the
        // parent's threads, which the child has not: there the child leaves past it.
        if (acceptance_sanitized())
            _exit(EXIT_SUCCESS);
        exit(EXIT_SUCCESS);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    printf("%s: status %x\n", what, (unsigned)status);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    run_child("fork before the first use", child_of_fresh_parent, NULL);
    struct objects o = make_objects();
    OK(use_objects(&o));
    run_child("the parent's objects", child_with_old_objects, &o);
    run_child("a new context", child_with_new_context, &o);
    // With a kernel on its way in the parent.
    const size_t size = 64;
    for (int n = 0; n < 100; n++)
        OK(clEnqueueNDRangeKernel(o.cl.queue, o.kernel, 1, NULL, &size, NULL, 0, NULL,
                                  NULL));
    OK(clFlush(o.cl.queue));
    run_child("old objects, busy parent", child_with_old_objects, &o);
    run_child("new context, busy parent", child_with_new_context, &o);
    OK(use_objects(&o)); // the parent is as it was
    release_objects(&o);
    return EXIT_SUCCESS;
}
