// SPDX-License-Identifier: MIT
// A process may end at any moment of its commands, from main or from a callback: its exit
// status is what it said and it does not hang. The program runs itself as a child many
// times.
#include "acceptance.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 100
#define CHILD_SECONDS 120
#define ITEMS 4096
#define STATUS_OF_CALLBACK 3

static const char source[] = "kernel void work(global int *p, int n)\n"
                             "{\n"
                             "    int x = p[get_global_id(0)];\n"
                             "    for (int i = 0; i < n; i++)\n"
                             "        x = x * 1664525 + p[(x ^ i) & 1023];\n"
                             "    p[get_global_id(0)] = x;\n"
                             "}\n";

static void CL_CALLBACK leave(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    exit(STATUS_OF_CALLBACK);
}

// Two thousand short kernels in order, then one that takes seconds.
static void enqueue_work(const struct acceptance_cl *cl, cl_command_queue queue,
                         cl_kernel kernel, bool leaves)
{
    const size_t items = ITEMS;
    cl_int n = 10;

    (void)cl;
    OK(clSetKernelArg(kernel, 1, sizeof(n), &n));
    for (int i = 0; i < 2000; i++) {
        cl_event event;

        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
        if (leaves && i == 1000)
            OK(clSetEventCallback(event, CL_COMPLETE, leave, NULL));
        OK(clReleaseEvent(event));
    }
    n = 1000000;
    OK(clSetKernelArg(kernel, 1, sizeof(n), &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFlush(queue));
}

// On the whole device, or on a part of it where there are two.
static struct acceptance_cl open_some(bool part)
{
    const cl_device_partition_property singles[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    struct acceptance_cl cl = acceptance_open();
    cl_device_id parts[64];
    cl_uint count = 0;
    cl_int code;

    if (!part || clCreateSubDevices(cl.device, singles, 64, parts, &count) || count < 2)
        return cl;
    acceptance_close(&cl);
    cl.device = parts[1];
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &code);
    OK(code);
    cl.queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &code);
    OK(code);
    return cl;
}

static int child(long delay_us, bool part, bool leaves)
{
    static cl_int zero[ITEMS];
    const struct acceptance_cl cl = open_some(part);
    cl_kernel kernel = acceptance_kernel(acceptance_build(&cl, source), "work");
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof(zero), zero, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    enqueue_work(&cl, cl.queue, kernel, leaves);
    if (leaves)
        pause();
    usleep((useconds_t)delay_us);
    return EXIT_SUCCESS; // while the commands run
}

static void run_child(int n, long delay_us)
{
    const bool part = n % 2, leaves = n % 4 >= 2;
    char delay[32];
    int status = 0;
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS); // a hang ends by a signal, which is not an exit status
        snprintf(delay, sizeof(delay), "%ld", delay_us);
        execl("/proc/self/exe", "/proc/self/exe", delay, part ? "part" : "whole",
              leaves ? "callback" : "main", (char *)NULL);
        _exit(127);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == (leaves ? STATUS_OF_CALLBACK : 0))
        return;
    fprintf(stderr, "child %d after %ld us: status %x\n", n, delay_us, (unsigned)status);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return child(strtol(argv[1], NULL, 10), !strcmp(argv[2], "part"),
                     !strcmp(argv[3], "callback"));
    const int children = acceptance_sanitized() ? CHILDREN / 10 : CHILDREN;
    unsigned seed = 4711;
    for (int n = 0; n < children; n++) {
        seed = seed * 1103515245 + 12345;
        run_child(n, (long)(seed >> 8) % 20000);
    }
    printf("%d exits, all with the right status\n", children);
    return EXIT_SUCCESS;
}
