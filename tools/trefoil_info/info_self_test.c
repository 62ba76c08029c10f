// SPDX-License-Identifier: MIT
#include "info_self_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl.h>

#include "base/env.h"
#include "error_names.h"
#include "info_kernels.h"
#include "info_library.h"
#include "info_machine.h"
#include "info_output.h"

enum { MAX_LEVELS = 8, LINE_BYTES = 512, LIMIT_S = 60 };

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// ---- Here ----

struct rig {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem out;
};

static cl_int set_up(struct rig *rig, cl_device_id *device)
{
    cl_uint others;
    const cl_platform_id platform = find_platform(&others);
    const char *source = kernel_source;
    cl_int code = CL_DEVICE_NOT_FOUND;

    if (!platform)
        return code;
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL);
    if (!code)
        rig->context = clCreateContext(NULL, 1, device, NULL, NULL, &code);
    if (!code)
        rig->queue =
            clCreateCommandQueueWithProperties(rig->context, *device, NULL, &code);
    if (!code)
        rig->out = clCreateBuffer(rig->context, CL_MEM_READ_WRITE,
                                  KERNEL_ITEMS * sizeof(cl_uint), NULL, &code);
    if (!code)
        rig->program = clCreateProgramWithSource(rig->context, 1, &source, NULL, &code);
    return code;
}

static void tear_down(struct rig *rig)
{
    if (rig->program)
        clReleaseProgram(rig->program);
    if (rig->out)
        clReleaseMemObject(rig->out);
    if (rig->queue)
        clReleaseCommandQueue(rig->queue);
    if (rig->context)
        clReleaseContext(rig->context);
}

static cl_int launch(const struct rig *rig, cl_kernel kernel, cl_uint *got)
{
    const size_t global = KERNEL_ITEMS, local = KERNEL_GROUP,
                 bytes = KERNEL_ITEMS * sizeof(*got);
    const cl_uint zero = 0;
    cl_int code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &rig->out);

    if (!code)
        code = clEnqueueFillBuffer(rig->queue, rig->out, &zero, sizeof(zero), 0, bytes, 0,
                                   NULL, NULL);
    if (!code)
        code = clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &global, &local, 0,
                                      NULL, NULL);
    if (!code)
        code = clEnqueueReadBuffer(rig->queue, rig->out, CL_TRUE, 0, bytes, got, 0, NULL,
                                   NULL);
    return code;
}

static void print_failure(const char *what, cl_int code)
{
    char text[ERROR_TEXT_BYTES];

    printf("%s failed: %s\n", what, error_text_of(code, text));
}

// A line on standard output: name, "ok" or not, and why.
static bool run_one(const struct rig *rig, const struct known_kernel *known)
{
    cl_uint got[KERNEL_ITEMS];
    cl_int code;
    cl_kernel kernel = clCreateKernel(rig->program, known->name, &code);

    if (!code)
        code = launch(rig, kernel, got);
    if (kernel)
        clReleaseKernel(kernel);
    if (code) {
        print_failure(known->name, code);
        return false;
    }
    for (cl_uint i = 0; i < KERNEL_ITEMS; i++) {
        const cl_uint right = known->answer(i);

        if (got[i] != right) {
            printf("%s wrong: element %u is %u, not %u\n", known->name, i, got[i], right);
            return false;
        }
    }
    printf("%s ok\n", known->name);
    return true;
}

static void print_log(const struct rig *rig, cl_device_id device)
{
    char log[LINE_BYTES] = "";
    size_t bytes = 0;

    clGetProgramBuildInfo(rig->program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (bytes <= sizeof(log))
        clGetProgramBuildInfo(rig->program, device, CL_PROGRAM_BUILD_LOG, sizeof(log),
                              log, NULL);
    log[strcspn(log, "\n")] = '\0';
    printf("build failed: %s\n", *log ? log : "no log");
}

bool self_test_here(void)
{
    struct rig rig = {0};
    cl_device_id device = NULL;
    cl_int code = set_up(&rig, &device);
    bool is_fine = !code;

    if (code) {
        print_failure("set-up", code);
    } else if (clBuildProgram(rig.program, 1, &device, "", NULL, NULL)) {
        print_log(&rig, device);
        is_fine = false;
    } else {
        for (int i = 0; i < KERNEL_COUNT; i++)
            is_fine &= run_one(&rig, &known_kernels[i]);
    }
    tear_down(&rig);
    return fflush(stdout) == 0 && is_fine;
}

// ---- In processes of their own ----

struct variant {
    const char *isa;
    const char *form;
    const char *tier;     // NULL: as it comes
    const char *compiler; // NULL: as it comes
};

static void set_or_unset(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static _Noreturn void become(const char *program, const struct variant *variant, int out)
{
    dup2(out, STDOUT_FILENO);
    close(out);
    // What nobody takes was told once.
    for (int var = 0; var < TF_ENV_COUNT; var++)
        if (tf_env_unknown((enum tf_env)var))
            set_or_unset(tf_env_entry((enum tf_env)var)->name,
                         tf_env_text((enum tf_env)var));
    set_or_unset("TREFOIL_ISA", variant->isa);
    set_or_unset("TREFOIL_WG", variant->form);
    set_or_unset("TREFOIL_TIER", variant->tier);
    if (variant->compiler)
        setenv("TREFOIL_COMPILER", variant->compiler, 1);
    setenv("TREFOIL_CACHE", "off", 1); // what was built some day says little of today
    alarm(LIMIT_S);
    execl("/proc/self/exe", program, "--self-test=here", (char *)NULL);
    execlp(program, program, "--self-test=here", (char *)NULL);
    printf("cannot start %s: %s\n", program, strerror(errno));
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

struct outcome {
    unsigned ok;            // kernels
    char fault[LINE_BYTES]; // the first, "" if none
};

static void read_lines(FILE *lines, struct outcome *outcome)
{
    char line[LINE_BYTES];

    while (fgets(line, sizeof(line), lines)) {
        const size_t bytes = strcspn(line, "\n");

        line[bytes] = '\0';
        if (bytes > 3 && !strcmp(line + bytes - 3, " ok"))
            outcome->ok++;
        else if (!*outcome->fault)
            strcpy(outcome->fault, line);
    }
}

static bool run_variant(const char *program, const struct variant *variant,
                        struct outcome *outcome)
{
    int ends[2], status = 0;
    FILE *lines = NULL;
    pid_t child;

    memset(outcome, 0, sizeof(*outcome));
    strcpy(outcome->fault, "no process for it");
    if (pipe(ends))
        return false;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        close(ends[0]);
        become(program, variant, ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        lines = fdopen(ends[0], "r");
    if (!lines) {
        close(ends[0]);
        return false;
    }
    outcome->fault[0] = '\0';
    read_lines(lines, outcome);
    fclose(lines);
    if (waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status))
        snprintf(outcome->fault, sizeof(outcome->fault), "ended by signal %d",
                 WTERMSIG(status));
    else if (status && !*outcome->fault)
        snprintf(outcome->fault, sizeof(outcome->fault), "ended with status %d",
                 WEXITSTATUS(status));
    return !*outcome->fault && outcome->ok == KERNEL_COUNT;
}

static void print_variant(const struct variant *variant, const struct outcome *outcome,
                          bool is_fine, double ms)
{
    char name[128], text[2 * LINE_BYTES];

    snprintf(name, sizeof(name), "%s, %s%s%s%s", variant->isa, variant->form,
             variant->tier ? ", tier " : "", variant->tier ? variant->tier : "",
             variant->compiler ? ", compiled in a thread" : "");
    if (is_fine)
        snprintf(text, sizeof(text), "%u kernels right, %.0f ms", outcome->ok, ms);
    else
        snprintf(text, sizeof(text), "FAILED: %u of %d kernels right: %s", outcome->ok,
                 KERNEL_COUNT, *outcome->fault ? outcome->fault : "some did not run");
    out_text(name, text);
}

static bool try_variant(const char *program, const struct variant *variant,
                        unsigned *kernels)
{
    const double start_ms = now_ms();
    struct outcome outcome;
    const bool is_fine = run_variant(program, variant, &outcome);

    print_variant(variant, &outcome, is_fine, now_ms() - start_ms);
    *kernels += outcome.ok;
    return is_fine;
}

bool self_test_all(const char *program)
{
    static const char *const forms[] = {"auto", "loops", "simt", "gang_fibers", "fibers"};
    const char *levels[MAX_LEVELS];
    const size_t count = machine_levels(levels, MAX_LEVELS);
    unsigned kernels = 0;
    bool is_fine = count > 0;
    cl_uint others;

    tf_env_tell();
    out_section("self-test", "Self-test");
    for (size_t i = count; i-- > 0;)
        for (size_t k = 0; k < sizeof(forms) / sizeof(*forms); k++) {
            const struct variant variant = {levels[i], forms[k], NULL, NULL};

            is_fine &= try_variant(program, &variant, &kernels);
        }
    for (size_t i = 0; count > 0 && i < 2; i++) {
        const struct variant variant = {levels[count - 1], "auto", i ? "1" : "0",
                                        i ? "thread" : NULL};

        is_fine &= try_variant(program, &variant, &kernels);
    }
    if (!kernels && !find_platform(&others))
        explain_no_platform(others);
    out_number("kernels right", kernels, NULL);
    out_bool("passed", is_fine && kernels > 0);
    out_section_end();
    return is_fine && kernels > 0;
}
