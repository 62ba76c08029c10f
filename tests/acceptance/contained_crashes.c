// SPDX-License-Identifier: MIT
// Whatever ends the compiler badly is a failed build, or a failed launch, and the process
// goes on: signals, endless recursion, endless loops, all memory, an exit. The
// application's handlers of signals stay as they were and are never called; two hundred
// in a row leave nothing behind. The compiler library is one that does such things where
// a program asks for them (src/compiler/job/planted.h).
#include "acceptance.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"

#define IN_A_ROW 200
#define MARK "contained_crashes"

static const int signals[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT, SIGTRAP,
                              SIGXCPU, SIGPIPE, SIGCHLD, SIGALRM, SIGTERM, SIGUSR1};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static void install_handlers(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    for (int i = 0; i < SIGNALS; i++)
        EXPECT(sigaction(signals[i], &action, NULL) == 0);
}

static void expect_quiet(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action;

        EXPECT(sigaction(signals[i], NULL, &action) == 0);
        EXPECT(action.sa_handler == on_signal);
    }
    EXPECT(caught == 0);
    // No child that an application could meet.
    EXPECT(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static cl_program create(const struct acceptance_cl *cl, const char *kernel)
{
    char source[300];
    const char *text = source;
    cl_program program;
    cl_int code;

    snprintf(source, sizeof(source),
             "kernel void %s(global int *p) { p[get_global_id(0)] = 7; }", kernel);
    program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &code);
    OK(code);
    return program;
}

// Its log must have both texts.
static void expect_failed_build(const struct acceptance_cl *cl, const char *kernel,
                                const char *first, const char *second)
{
    cl_program program = create(cl, kernel);
    char log[5000] = "";

    EXPECT(clBuildProgram(program, 1, &cl->device, "", NULL, NULL) ==
           CL_BUILD_PROGRAM_FAILURE);
    OK(clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                             NULL));
    if (!strstr(log, first) || !strstr(log, second))
        fprintf(stderr, "%s: %s\n", kernel, log);
    EXPECT(strstr(log, first) && strstr(log, second));
    OK(clReleaseProgram(program));
}

// Runs it; what the launch became.
static cl_int launch(const struct acceptance_cl *cl, const char *name)
{
    cl_program program = create(cl, name);
    const size_t size = 4;
    cl_int status, code, data[4] = {0};

    OK(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
    cl_kernel kernel = acceptance_kernel(program, name);
    cl_mem buffer =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, sizeof(data), NULL, &code);
    cl_event event;
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
    (void)clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                      NULL));
    if (status == CL_COMPLETE) {
        OK(clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL,
                               NULL));
        EXPECT(data[3] == 7);
    }
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return status;
}

static const struct {
    const char *name, *said;
    bool is_slow; // seconds of the processor each: not in every stage
} ways[] = {
    {"null", "crashed (segmentation fault 11)", false},
    {"abort", "crashed (aborted 6)", false},
    {"trap", "crashed (illegal instruction 4)", false},
    {"divide", "crashed (arithmetic exception 8)", false},
    {"stack", "crashed (segmentation fault 11)", false},
    {"loop", "needed more than 1 s", true},
    {"memory", "ran out of memory (limit 700 MiB)", true},
    {"exit", "ended without a word", false},
    {"kill", "ended without a word", false},
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

// Sanitizers have handlers, stacks and address space of their own.
static bool holds_here(const char *way)
{
#ifdef __SANITIZE_THREAD__
    if (!strcmp(way, "loop")) // a loop that calls nothing gets no signal there
        return false;
#endif
    return !acceptance_sanitized() || !strcmp(way, "loop") || !strcmp(way, "exit") ||
           !strcmp(way, "kill");
}

static void every_way(const struct acceptance_cl *cl)
{
    char name[100];

    for (int i = 0; i < WAYS; i++) {
        if (!holds_here(ways[i].name))
            continue;
        snprintf(name, sizeof(name), "plant_compile_%s", ways[i].name);
        expect_failed_build(cl, name, ways[i].said, "in the front end");
        // Crashes in optimization: tried once more, with as little of it as can be.
        snprintf(name, sizeof(name), "plant_generate_%s", ways[i].name);
        EXPECT(launch(cl, name) == CL_COMPLETE);
        if (!ways[i].is_slow) {
            snprintf(name, sizeof(name), "plant_link_%s", ways[i].name);
            expect_failed_build(cl, name, ways[i].said, "while linking");
            snprintf(name, sizeof(name), "always_plant_generate_%s", ways[i].name);
            EXPECT(launch(cl, name) < 0);
        }
        EXPECT(launch(cl, "good") == CL_COMPLETE);
        expect_quiet();
    }
}

static void two_hundred_in_a_row(const struct acceptance_cl *cl)
{
    static const char *const kinds[] = {"null", "abort", "trap", "kill"};
    const int count = acceptance_sanitized() ? IN_A_ROW / 10 : IN_A_ROW;
    long kib = 0;
    int fds = 0;

    for (int i = 0; i < count; i++) {
        char name[100];

        snprintf(name, sizeof(name), "plant_%s_%s", i % 3 ? "compile" : "link",
                 kinds[i % 4]);
        expect_failed_build(cl, name, "error: ", "");
        if (i == count / 4) {
            kib = acceptance_resident_kib();
            fds = helpers_descriptors(getpid());
        }
    }
    EXPECT(helpers_descriptors(getpid()) <= fds + 1); // an idle helper more
    EXPECT(acceptance_sanitized() || acceptance_resident_kib() <= kib + 1024);
    EXPECT(helpers_wait_for_at_most(MARK, 2) <= 2);
    EXPECT(launch(cl, "good") == CL_COMPLETE);
    expect_quiet();
}

int main(void)
{
    struct acceptance_cl cl;

    if (access(getenv("TREFOIL_COMPILER_LIBRARY"), R_OK))
        return EXIT_SKIPPED; // no such library was built
    helpers_mark(MARK);
    install_handlers();
    cl = acceptance_open();
    every_way(&cl);
    two_hundred_in_a_row(&cl);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
