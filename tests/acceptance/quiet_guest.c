// SPDX-License-Identifier: MIT
// What belongs to the application stays as it is: signal handlers, locale, floating-point
// settings, working folder; and signals go to the application's threads, not to ours.
#include "acceptance.h"

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define ITEMS 1024
#define TRAPS (FE_INEXACT | FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW)

static const char source[] = "kernel void half_of(global float *p)\n"
                             "{\n"
                             "    p[get_global_id(0)] = sqrt(p[get_global_id(0)]) / 3;\n"
                             "}\n";

struct state {
    struct sigaction actions[NSIG];
    sigset_t mask;
    char locale[256], folder[4096];
};

static void take(struct state *state)
{
    memset(state, 0, sizeof(*state));
    for (int number = 1; number < NSIG; number++)
        sigaction(number, NULL, &state->actions[number]); // fails for a few: stays 0
    sigprocmask(SIG_BLOCK, NULL, &state->mask);
    snprintf(state->locale, sizeof(state->locale), "%s", setlocale(LC_ALL, NULL));
    EXPECT(getcwd(state->folder, sizeof(state->folder)) != NULL);
}

static void is_unchanged(const struct state *before)
{
    struct state now;

    take(&now);
    for (int number = 1; number < NSIG; number++)
        if (now.actions[number].sa_handler != before->actions[number].sa_handler ||
            now.actions[number].sa_flags != before->actions[number].sa_flags) {
            fprintf(stderr, "signal %d has another action\n", number);
            exit(EXIT_FAILURE);
        }
    for (int number = 1; number < NSIG; number++)
        EXPECT(sigismember(&now.mask, number) == sigismember(&before->mask, number));
    EXPECT(!strcmp(now.locale, before->locale));
    EXPECT(!strcmp(now.folder, before->folder));
}

// Builds, a build that fails, launches, a read, callbacks.
static void use_everything(struct acceptance_cl *cl)
{
    const char *wrong = "kernel void f(global int *p) { p = undeclared; }";
    static cl_float data[ITEMS];
    const size_t items = ITEMS;
    cl_int code;
    cl_program bad = clCreateProgramWithSource(cl->context, 1, &wrong, NULL, &code);
    cl_program program = acceptance_build(cl, source);
    cl_kernel kernel = acceptance_kernel(program, "half_of");
    cl_mem buffer =
        clCreateBuffer(cl->context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &code);

    OK(code);
    EXPECT(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    for (int i = 0; i < 100; i++)
        OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                  NULL));
    OK(clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL,
                           NULL));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(bad));
}

static volatile sig_atomic_t handled;

static void note_signal(int number)
{
    (void)number;
    handled = 1;
}

// A signal for the process that the application's only thread blocks must wait: no
// thread of ours may take it.
static void check_signals_wait(void)
{
    const struct sigaction action = {.sa_handler = note_signal};
    sigset_t one, pending;
    int number = 0;

    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigaddset(&one, SIGCHLD);
    sigaddset(&one, SIGALRM);
    EXPECT(!sigaction(SIGUSR1, &action, NULL) && !sigaction(SIGALRM, &action, NULL));
    EXPECT(!sigprocmask(SIG_BLOCK, &one, NULL));
    for (int n = 0; n < 50; n++) {
        const int sent = n % 2 ? SIGUSR1 : SIGALRM;

        EXPECT(!kill(getpid(), sent));
        EXPECT(!sigpending(&pending) && sigismember(&pending, sent));
        EXPECT(!sigwait(&one, &number) && number == sent);
    }
    EXPECT(!handled);
}

int main(void)
{
    struct state before;

    setlocale(LC_ALL, "C");
    signal(SIGPIPE, SIG_IGN);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_DOWNWARD);
    feenableexcept(TRAPS); // now every inexact result ends the process
    take(&before);
    struct acceptance_cl cl = acceptance_open();
    use_everything(&cl);
    EXPECT(fegetround() == FE_DOWNWARD);
    EXPECT(fegetexcept() == TRAPS);
    EXPECT(!fetestexcept(FE_ALL_EXCEPT));
    is_unchanged(&before);
    fesetenv(FE_DFL_ENV);
    check_signals_wait();
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
