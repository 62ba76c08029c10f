// SPDX-License-Identifier: MIT
// An application's handler of crashes (Python's faulthandler, breakpad, a JVM) is called
// where a kernel, a native kernel or a callback goes wrong, on whichever thread that is:
// with the address, and on a stack of its own where it asked for one. Each scene is a
// process of its own, which the handler ends.
#include "acceptance.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/limits.h"

#define ITEMS 1024
#define GROUP 64
#define FRAME_BYTES (64 << 10)
#define PAGE_BYTES 4096
#define HANDLED 42

// What the handler saw; shared with the parent.
struct seen {
    int number;
    bool on_own_stack, on_main_thread;
    char *address;
};

struct scene {
    const char *name;
    void (*play)(const struct scene *scene);
    int number; // of the signal
    bool here;  // on the host thread, which helps while the only worker is busy
};

static const char source[] = "kernel void wild(global int *out, ulong address)\n"
                             "{\n"
                             "    local int t[64];\n"
                             "    size_t i = get_global_id(0), l = get_local_id(0);\n"
                             "    t[l] = out[i];\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    ((global int *)address)[(t[63 - l] + l) % 64] = t[l];\n"
                             "}\n";

static struct seen *seen;
static char *wild_page;
static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

static void on_crash(int number, siginfo_t *info, void *unused)
{
    stack_t stack;

    (void)unused;
    seen->number = number;
    seen->address = info->si_addr;
    seen->on_own_stack = sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK;
    seen->on_main_thread = syscall(SYS_gettid) == getpid();
    _exit(HANDLED);
}

static void install_handlers(void)
{
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        EXPECT(sigaction(numbers[i], &action, NULL) == 0);
}

static atomic_bool is_busy;

static void CL_CALLBACK keep_busy(void *unused)
{
    (void)unused;
    atomic_store(&is_busy, true);
    for (;;)
        pause();
}

// On return the only worker does nothing else for ever (TREFOIL_THREADS=1).
static void occupy_worker(const struct acceptance_cl *cl)
{
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(cl->context, cl->device, NULL, &code);

    OK(code);
    OK(clEnqueueNativeKernel(queue, keep_busy, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFlush(queue));
    EXPECT(TEST_UNTIL(atomic_load(&is_busy)));
}

// A worker runs it: this thread waits without calls that would help.
static void wait_idly(const struct acceptance_cl *cl)
{
    OK(clFlush(cl->queue));
    EXPECT(TEST_UNTIL(false));
}

static void run_wild_kernel(const struct scene *scene)
{
    const struct acceptance_cl cl = acceptance_open();
    cl_kernel kernel = acceptance_kernel(acceptance_build(&cl, source), "wild");
    const cl_ulong address = (cl_ulong)(uintptr_t)wild_page;
    const size_t size = ITEMS, group = GROUP;
    const cl_int zero = 0;
    cl_int code;
    cl_mem out = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &code);

    OK(code);
    OK(clEnqueueFillBuffer(cl.queue, out, &zero, 4, 0, (size_t)ITEMS * 4, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 1, sizeof(address), &address));
    // Code is there then: a host thread that helps does not wait for it.
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    EXPECT(mprotect(wild_page, PAGE_BYTES, PROT_NONE) == 0);
    if (scene->here)
        occupy_worker(&cl);
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL));
    if (scene->here)
        OK(clFinish(cl.queue));
    else
        wait_idly(&cl);
}

static void CL_CALLBACK raise_it(void *number)
{
    if (*(int *)number == SIGABRT)
        abort(); // which opens the signal; raise() does not
    (void)raise(*(int *)number);
}

// Uninstrumented: the sanitizers count frames, and theirs would be full first.
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static int recur(
    int depth)
{
    volatile char frame[FRAME_BYTES];

    frame[depth % FRAME_BYTES] = (char)depth;
    return depth < 0 ? 0 : recur(depth + 1) + frame[depth % FRAME_BYTES];
}

static void CL_CALLBACK overflow(void *number)
{
    *(int *)number = recur(0);
}

static void run_native(const struct scene *scene, void(CL_CALLBACK *body)(void *))
{
    const struct acceptance_cl cl = acceptance_open();
    int number = scene->number;

    OK(clEnqueueNativeKernel(cl.queue, body, &number, sizeof(number), 0, NULL, NULL, 0,
                             NULL, NULL));
    OK(clFinish(cl.queue)); // native kernels are the workers' alone
}

static void raise_in_native_kernel(const struct scene *scene)
{
    run_native(scene, raise_it);
}

static void overflow_in_native_kernel(const struct scene *scene)
{
    run_native(scene, overflow);
}

static void CL_CALLBACK raise_in_build(cl_program unused, void *number)
{
    (void)unused;
    raise_it(number);
}

static void raise_in_callback(const struct scene *scene)
{
    const struct acceptance_cl cl = acceptance_open();
    int number = scene->number;
    const char *text = source;
    cl_int code;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &code);

    OK(code);
    OK(clBuildProgram(program, 1, &cl.device, "", raise_in_build, &number));
    wait_idly(&cl);
}

static const struct scene scenes[] = {
    {"a wild pointer, on a worker", run_wild_kernel, SIGSEGV, false},
    {"a wild pointer, on the host thread", run_wild_kernel, SIGSEGV, true},
    {"a stack that overflows", overflow_in_native_kernel, SIGSEGV, false},
    {"SIGSEGV", raise_in_native_kernel, SIGSEGV, false},
    {"SIGBUS", raise_in_native_kernel, SIGBUS, false},
    {"SIGFPE", raise_in_native_kernel, SIGFPE, false},
    {"SIGILL", raise_in_native_kernel, SIGILL, false},
    {"SIGTRAP", raise_in_native_kernel, SIGTRAP, false},
    {"SIGSYS", raise_in_native_kernel, SIGSYS, false},
    {"SIGABRT", raise_in_native_kernel, SIGABRT, false},
    {"SIGABRT in a callback", raise_in_callback, SIGABRT, false},
};

static void expect_handled(const struct scene *scene)
{
    int status = 0;
    pid_t child;

    memset(seen, 0, sizeof(*seen));
    child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        install_handlers();
        scene->play(scene);
        _exit(EXIT_FAILURE);
    }
    EXPECT(waitpid(child, &status, 0) == child);
    fprintf(stderr, "%s: status %#x, signal %d, at %p\n", scene->name, (unsigned)status,
            seen->number, (void *)seen->address);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == HANDLED);
    EXPECT(seen->number == scene->number);
    EXPECT(seen->on_main_thread == scene->here);
    EXPECT(scene->here || seen->on_own_stack);
    if (scene->play == run_wild_kernel)
        EXPECT(seen->address >= wild_page && seen->address < wild_page + PAGE_BYTES);
}

static void *map(int rights, int sharing)
{
    void *const page = mmap(NULL, PAGE_BYTES, rights, sharing | MAP_ANONYMOUS, -1, 0);

    EXPECT(page != MAP_FAILED);
    return page;
}

int main(void)
{
    seen = map(PROT_READ | PROT_WRITE, MAP_SHARED);
    wild_page = map(PROT_READ | PROT_WRITE, MAP_PRIVATE);
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
        expect_handled(&scenes[i]);
    return EXIT_SUCCESS;
}
