// SPDX-License-Identifier: MIT
// Helper processes where the application is an odd parent for them or lives in an odd
// place: what init is to others, a process namespace of its own children, a folder that
// was replaced by another one of its name, no processes and no threads to be had.
#include "acceptance.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"

#define MARK "odd_places"
#define CHILD_SECONDS 120
#define NOBODY 65534

static char folder[] = "/tmp/trefoil-places-XXXXXX";

static void build_one(const struct acceptance_cl *cl, int number)
{
    char source[200];

    snprintf(source, sizeof(source), "kernel void k(global int *p) { p[0] = %d; }",
             number);
    OK(clReleaseProgram(acceptance_build(cl, source)));
}

static cl_program compile(const struct acceptance_cl *cl, const char *source)
{
    cl_int code;
    const cl_program program =
        clCreateProgramWithSource(cl->context, 1, &source, NULL, &code);

    OK(code);
    OK(clCompileProgram(program, 1, &cl->device, "", 0, NULL, NULL, NULL, NULL));
    return program;
}

// What kernel k of a built program, which is released, writes.
static int value_of(const struct acceptance_cl *cl, cl_program program)
{
    const cl_kernel kernel = acceptance_kernel(program, "k");
    const size_t size = 1;
    cl_int code, value = 0;
    const cl_mem mem = clCreateBuffer(cl->context, 0, sizeof(value), NULL, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL,
                           NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return value;
}

// The bodies of child processes. EXIT_SKIPPED where this user may not do what is needed.

// A helper that is stopped is replaced, and not waited for, although it has become a
// child of the application.
static int stopped_helper_is_replaced(void)
{
    struct acceptance_cl cl;
    double start_s;
    pid_t found[8];

    EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    cl = acceptance_open();
    build_one(&cl, 1);
    EXPECT(helpers_of(MARK, found, 8) == 1);
    EXPECT(kill(found[0], SIGSTOP) == 0);
    // Its rights are not those of the application any more: another one takes its place.
    if (setgroups(0, NULL) || setegid(NOBODY))
        return EXIT_SKIPPED;
    start_s = acceptance_now_s();
    build_one(&cl, 2);
    EXPECT(acceptance_now_s() - start_s < CHILD_SECONDS / 2);
    EXPECT(kill(found[0], 0) == -1); // reaped
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

// The first child is the init of the new namespace: that is not ours to start.
static int children_of_another_namespace_are_left_alone(void)
{
    struct acceptance_cl cl = acceptance_open();
    int status = 0;
    pid_t child;

    if (unshare(CLONE_NEWPID))
        return EXIT_SKIPPED;
    build_one(&cl, 1);
    child = fork();
    EXPECT(child >= 0);
    if (child == 0)
        _exit(getpid() == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

// The first process of a container.
static int init_compiles(void)
{
    int status = 0;
    pid_t child;

    if (unshare(CLONE_NEWPID))
        return EXIT_SKIPPED;
    child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        struct acceptance_cl cl = acceptance_open();

        alarm(CHILD_SECONDS);
        build_one(&cl, 1);
        build_one(&cl, 2);
        acceptance_close(&cl);
        _exit(EXIT_SUCCESS);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    return EXIT_SUCCESS;
}

static void write_header(int value)
{
    FILE *file;

    EXPECT(mkdir("current", 0700) == 0 && chdir("current") == 0);
    file = fopen("h.h", "w");
    EXPECT(file && fprintf(file, "#define VALUE %d\n", value) > 0 && !fclose(file));
}

static int replaced_folder_is_noticed(void)
{
    static const char source[] =
        "#include \"h.h\"\nkernel void k(global int *p) { p[0] = VALUE; }";
    struct acceptance_cl cl = acceptance_open();
    cl_program compiled, linked;
    cl_int code;

    EXPECT(mkdtemp(folder) && !chdir(folder));
    write_header(1);
    compiled = compile(&cl, source);
    EXPECT(chdir(folder) == 0 && rename("current", "old") == 0);
    write_header(2);
    OK(clReleaseProgram(compiled));
    compiled = compile(&cl, source); // by the helper's next job
    linked =
        clLinkProgram(cl.context, 1, &cl.device, "", 1, &compiled, NULL, NULL, &code);
    OK(code);
    EXPECT(value_of(&cl, linked) == 2);
    OK(clReleaseProgram(compiled));
    EXPECT(!unlink("h.h") && !chdir(folder) && !rmdir("current"));
    EXPECT(!unlink("old/h.h") && !rmdir("old") && !chdir("/") && !rmdir(folder));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

// Limits of processes do not hold for root. False where we may not, or where others
// cannot reach the library: it may lie in a folder that is only its owner's.
static bool become_nobody(void)
{
    const char *const vendors = getenv("OCL_ICD_VENDORS");

    return !setgid(NOBODY) && !setuid(NOBODY) && !(vendors && access(vendors, R_OK));
}

// A limit of processes counts threads, too.
static void forbid_threads(void)
{
    struct rlimit limit, none = {1, 1};

    EXPECT(getrlimit(RLIMIT_NPROC, &limit) == 0);
    none.rlim_max = limit.rlim_max;
    EXPECT(setrlimit(RLIMIT_NPROC, &none) == 0);
}

// The calling thread compiles.
static int forbidden_threads_are_not_needed(void)
{
    struct acceptance_cl cl;

    if (!become_nobody())
        return EXIT_SKIPPED;
    cl = acceptance_open();
    // Starts the threads that run kernels.
    EXPECT(value_of(&cl, acceptance_build(
                             &cl, "kernel void k(global int *p) { p[0] = 3; }")) == 3);
    forbid_threads();
    EXPECT(value_of(&cl, acceptance_build(
                             &cl, "kernel void k(global int *p) { p[0] = 7; }")) == 7);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

// It runs kernels, too, where there never was another.
static int one_thread_is_enough(void)
{
    struct acceptance_cl cl;

    if (!become_nobody())
        return EXIT_SKIPPED;
    forbid_threads();
    cl = acceptance_open();
    for (int i = 0; i < 3; i++)
        EXPECT(value_of(&cl, acceptance_build(
                                 &cl, "kernel void k(global int *p) { p[0] = 7; }")) ==
               7);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

// Where an application that closed its first three descriptors writes is nobody's.
static int first_descriptors_stay_free(void)
{
    const int out = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    struct acceptance_cl cl;
    bool free_still = true;

    EXPECT(out >= 0);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    cl = acceptance_open();
    build_one(&cl, 3);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        free_still = free_still && fcntl(fd, F_GETFD) < 0;
    EXPECT(dup2(out, STDERR_FILENO) == STDERR_FILENO);
    EXPECT(free_still);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

static unsigned long long address_space_bytes(void)
{
    unsigned long long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");

    EXPECT(file && fscanf(file, "%llu", &pages) == 1 && !fclose(file));
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

// No address space for a stack to compile on: that is said.
static int missing_stack_is_named(void)
{
    const char *source = "kernel void k(global int *p) { p[0] = 1; }";
    struct rlimit limit, low;
    struct acceptance_cl cl;
    cl_program program;
    char text[1000] = "";
    cl_int code;

    if (acceptance_sanitized())
        return EXIT_SKIPPED;
    EXPECT(!setenv("TREFOIL_COMPILER", "thread", 1));
    cl = acceptance_open();
    build_one(&cl, 2);
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    low = limit;
    low.rlim_cur = address_space_bytes() + (100 << 20);
    EXPECT(setrlimit(RLIMIT_AS, &low) == 0);
    program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &code);
    OK(code);
    EXPECT(clBuildProgram(program, 1, &cl.device, "", NULL, NULL) == CL_OUT_OF_RESOURCES);
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof(text), text,
                             NULL));
    EXPECT(strstr(text, "no thread to compile in: ") != NULL);
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
    OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}

static void run_child(const char *what, int (*body)(void))
{
    int status = 0;
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        helpers_mark(MARK);
        exit(body());
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    printf("%s: status %x\n", what, (unsigned)status);
    EXPECT(WIFEXITED(status) &&
           (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == EXIT_SKIPPED));
    EXPECT(helpers_wait_for(MARK, 0) == 0);
}

int main(void)
{
    run_child("replaced folder", replaced_folder_is_noticed);
    run_child("stopped helper", stopped_helper_is_replaced);
    run_child("namespace of children", children_of_another_namespace_are_left_alone);
    run_child("first process", init_compiles);
    run_child("no threads", forbidden_threads_are_not_needed);
    run_child("one thread", one_thread_is_enough);
    run_child("first descriptors", first_descriptors_stay_free);
    run_child("no stack", missing_stack_is_named);
    return EXIT_SUCCESS;
}
