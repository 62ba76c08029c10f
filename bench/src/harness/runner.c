// SPDX-License-Identifier: MIT
#include "harness/runner.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/clock.h"

// ---- kernel caches ----

/* Where the implementations known to us are told to keep compiled kernels. */
static const char *const cache_variables[] = {
    "XDG_CACHE_HOME",
    "POCL_CACHE_DIR",
    "MESA_SHADER_CACHE_DIR",
    "MESA_GLSL_CACHE_DIR",
};

static void make_cache(char *path, size_t size)
{
    const char *parent = getenv("TMPDIR");
    snprintf(path, size, "%s/clbench-cache-XXXXXX", parent ? parent : "/tmp");
    if (mkdtemp(path) == NULL) {
        perror(path);
        exit(1);
    }
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static void remove_cache(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// ---- the child's side of fork() ----

/* "NAME=value", with {cache} replaced by the path of the cache. */
static void set_variable(const char *assignment, const char *cache)
{
    static const char cache_word[] = "{cache}";
    char name[256], value[4096];
    const char *equals = strchr(assignment, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    const char *found = strstr(equals + 1, cache_word);
    if (found)
        snprintf(value, sizeof value, "%.*s%s%s", (int)(found - equals - 1), equals + 1,
                 cache, found + sizeof cache_word - 1);
    else
        snprintf(value, sizeof value, "%s", equals + 1);
    setenv(name, value, 1);
}

static void set_environment(const struct target *target, const char *cache)
{
    for (size_t i = 0; i < sizeof cache_variables / sizeof *cache_variables; i++)
        setenv(cache_variables[i], cache, 1);
    for (size_t i = 0; i < target->variable_count; i++)
        set_variable(target->variables[i], cache);
}

static _Noreturn void execute(const struct benchmark *benchmark,
                              const struct target *target, const struct options *options,
                              double start_time)
{
    char runs[16], threads[16], start[32];
    snprintf(runs, sizeof runs, "%u", options->runs);
    snprintf(threads, sizeof threads, "%u", options->threads);
    snprintf(start, sizeof start, "%.9f", start_time);
    char *arguments[] = {
        "clbench",
        "--child",
        (char *)benchmark->name,
        "--runs",
        runs,
        "--threads",
        threads,
        "--start-time",
        start,
        "--platform",
        target->platform ? target->platform : "",
        "--device",
        target->device ? target->device : "",
        options->tiny ? "--tiny" : NULL,
        NULL,
    };
    execv("/proc/self/exe", arguments);
    _exit(127);
}

// ---- the parent's side ----

struct child {
    pid_t process;
    int reports; /* the descriptor with the lines of report.h */
    FILE *output;
    double deadline;
};

static struct child start_child(const struct benchmark *benchmark,
                                const struct target *target,
                                const struct runner_settings *settings, const char *cache)
{
    int reports[2];
    struct child child = {.output = tmpfile()};
    if (child.output == NULL || pipe2(reports, O_CLOEXEC) != 0) {
        perror("clbench");
        exit(1);
    }
    fflush(NULL);
    double start_time = now_seconds();
    child.process = fork();
    if (child.process < 0) {
        perror("fork");
        exit(1);
    }
    if (child.process == 0) {
        setpgid(0, 0);
        dup2(fileno(child.output), STDOUT_FILENO);
        dup2(fileno(child.output), STDERR_FILENO);
        if (reports[1] == REPORT_DESCRIPTOR)
            fcntl(REPORT_DESCRIPTOR, F_SETFD, 0);
        else
            dup2(reports[1], REPORT_DESCRIPTOR);
        set_environment(target, cache);
        execute(benchmark, target, &settings->options, start_time);
    }
    close(reports[1]);
    child.reports = reports[0];
    child.deadline = start_time + settings->timeout;
    return child;
}

/* Adds the child's reports to the result until it closes the pipe; false when it is too
 * late. */
static bool collect_reports(const struct child *child, struct result *result)
{
    char buffer[4096];
    size_t used = 0;
    for (;;) {
        double left = child->deadline - now_seconds();
        struct pollfd poll_reports = {.fd = child->reports, .events = POLLIN};
        if (left <= 0.0)
            return false;
        if (poll(&poll_reports, 1, (int)(1e3 * left) + 1) <= 0)
            continue;
        ssize_t count = read(child->reports, buffer + used, sizeof buffer - 1 - used);
        if (count <= 0)
            return true;
        used += (size_t)count;
        buffer[used] = '\0';
        char *line = buffer, *end;
        while ((end = strchr(line, '\n')) != NULL) {
            *end = '\0';
            result_add_line(result, line);
            line = end + 1;
        }
        used -= (size_t)(line - buffer);
        memmove(buffer, line, used);
    }
}

/* The end of what the child printed says more about a failure than its exit status. */
static void add_last_output(FILE *output, struct result *result)
{
    char text[401];
    fseek(output, 0, SEEK_END);
    long size = ftell(output);
    fseek(output, size > 400 ? size - 400 : 0, SEEK_SET);
    size_t count = fread(text, 1, sizeof text - 1, output);
    text[count] = '\0';
    if (count)
        result_set_text(result, "output", text);
}

static void wait_for_child(const struct child *child, bool in_time, struct result *result)
{
    int status = 0;
    struct rusage usage = {0};
    bool exited = false;
    while (in_time && !exited && now_seconds() < child->deadline) {
        exited = wait4(child->process, &status, WNOHANG, &usage) == child->process;
        if (!exited)
            usleep(200);
    }
    if (!exited) {
        kill(-child->process, SIGKILL);
        wait4(child->process, &status, 0, &usage);
        /* All figures may be there, and only the process's end hang. */
        result_set_text(result, "status", in_time ? "hangs_at_exit" : "timeout");
    } else if (WIFSIGNALED(status)) {
        result_set_text(result, "status", "crash");
        result_set_text(result, "reason", strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0 && result_is_ok(result)) {
        result_set_text(result, "status", "error");
        result_set_number(result, "exit_status", WEXITSTATUS(status));
    }
    result_set_number(result, "peak_memory_MiB", (double)usage.ru_maxrss / 1024.0);
}

static void run_process(const struct benchmark *benchmark, const struct target *target,
                        const struct runner_settings *settings, const char *cache,
                        struct result *result)
{
    double start = now_seconds();
    struct child child = start_child(benchmark, target, settings, cache);
    bool in_time = collect_reports(&child, result);
    wait_for_child(&child, in_time, result);
    result_set_number(result, "process_ms", 1e3 * (now_seconds() - start));
    if (!result_is_ok(result))
        add_last_output(child.output, result);
    fclose(child.output);
    close(child.reports);
}

// ---- several processes for one result ----

enum { MAX_PROCESSES = 15 };

/* Numbers become their medians; the last process with a problem gives the texts. */
static void combine(const struct result *runs, size_t count, struct result *result)
{
    *result = runs[0];
    for (size_t run = 1; run < count; run++)
        if (!result_is_ok(&runs[run]))
            *result = runs[run];
    for (size_t i = 0; i < result->field_count; i++) {
        struct field *field = &result->fields[i];
        double values[MAX_PROCESSES];
        size_t found = 0;
        for (size_t run = 0; run < count; run++) {
            const struct field *same = result_find(&runs[run], field->name);
            if (same && same->is_number)
                values[found++] = same->number;
        }
        if (field->is_number)
            field->number = median_of(values, found);
    }
}

static void run_processes(const struct benchmark *benchmark, const struct target *target,
                          const struct runner_settings *settings, struct result *result)
{
    static struct result runs[MAX_PROCESSES];
    bool keep_cache = benchmark->plan == NEW_PROCESS_EACH_RUN_WITH_FILLED_CACHE;
    size_t count =
        settings->options.runs < MAX_PROCESSES ? settings->options.runs : MAX_PROCESSES;
    char cache[512];
    make_cache(cache, sizeof cache);
    if (keep_cache) {
        struct result ignored = {.benchmark = benchmark->name};
        run_process(benchmark, target, settings, cache, &ignored);
    }
    for (size_t run = 0; run < count; run++) {
        runs[run] = (struct result){.benchmark = benchmark->name};
        if (!keep_cache) {
            remove_cache(cache);
            make_cache(cache, sizeof cache);
        }
        run_process(benchmark, target, settings, cache, &runs[run]);
    }
    remove_cache(cache);
    combine(runs, count, result);
}

static double load_average(void)
{
    double loads[1] = {0};
    getloadavg(loads, 1);
    return loads[0];
}

void run_benchmark(const struct benchmark *benchmark, const struct target *target,
                   const struct runner_settings *settings, struct result *result)
{
    *result = (struct result){.benchmark = benchmark->name};
    if (benchmark->plan == ONE_PROCESS) {
        char cache[512];
        make_cache(cache, sizeof cache);
        run_process(benchmark, target, settings, cache, result);
        remove_cache(cache);
    } else {
        run_processes(benchmark, target, settings, result);
    }
    result_set_number(result, "load_average", load_average());
}
