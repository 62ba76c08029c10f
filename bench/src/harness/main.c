// SPDX-License-Identifier: MIT
/* clbench: compares OpenCL implementations for CPUs with each other and with plain C. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/benchmark.h"
#include "harness/opencl.h"
#include "harness/report.h"
#include "harness/runner.h"
#include "harness/table.h"
#include "harness/target.h"

// ---- the list of benchmarks ----

static const struct benchmark *const families[] = {
    startup_benchmarks,
    build_benchmarks,
    queue_benchmarks,
    command_buffer_benchmarks,
    device_enqueue_benchmarks,
    memory_object_benchmarks,
    bandwidth_benchmarks,
    image_transfer_benchmarks,
    stream_kernels,
    math_kernels,
    simulation_kernels,
    program_kernels,
    matrix_kernels,
    stencil_kernels,
    image_kernels,
    image_pair_kernels,
    work_group_kernels,
    fft_kernels,
    integer_kernels,
    branch_kernels,
    arithmetic_kernels,
};

enum { FAMILIES = sizeof families / sizeof *families, MAX_BENCHMARKS = 256 };

/* Not in the list: tells the parent which platform and device a target is. */
static void identify(const struct options *options)
{
    cl_platform_id platform = opencl_find_platform(options->platform);
    cl_device_id device = opencl_find_device(platform, options->device);
    cl_uint units = 0;
    cl_ulong local_memory = 0;
    size_t group_size = 0;
    report_text("platform", "%s", opencl_platform_text(platform, CL_PLATFORM_NAME));
    report_text("platform_version", "%s",
                opencl_platform_text(platform, CL_PLATFORM_VERSION));
    report_text("device", "%s", opencl_device_text(device, CL_DEVICE_NAME));
    report_text("device_version", "%s", opencl_device_text(device, CL_DEVICE_VERSION));
    report_text("c_version", "%s",
                opencl_device_text(device, CL_DEVICE_OPENCL_C_VERSION));
    report_text("driver_version", "%s", opencl_device_text(device, CL_DRIVER_VERSION));
    CHECK(
        clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_memory,
                          &local_memory, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group_size,
                          &group_size, NULL));
    report_number("compute_units", units);
    report_number("local_memory_bytes", (double)local_memory);
    report_number("max_work_group_size", (double)group_size);
}

static const struct benchmark identification = {"identify", "", identify, ONE_PROCESS};

static const struct benchmark *find_benchmark(const char *name)
{
    if (strcmp(name, identification.name) == 0)
        return &identification;
    for (size_t f = 0; f < FAMILIES; f++)
        for (const struct benchmark *b = families[f]; b->name; b++)
            if (strcmp(name, b->name) == 0)
                return b;
    return NULL;
}

/* Does the name match one of the patterns, separated by commas? */
static bool matches(const char *patterns, const char *name)
{
    if (patterns == NULL)
        return true;
    char copy[1024], *rest = copy;
    snprintf(copy, sizeof copy, "%s", patterns);
    for (char *pattern; (pattern = strsep(&rest, ",")) != NULL;)
        if (fnmatch(pattern, name, 0) == 0)
            return true;
    return false;
}

static size_t select_benchmarks(const char *patterns, const struct benchmark **selected)
{
    size_t count = 0;
    for (size_t f = 0; f < FAMILIES; f++)
        for (const struct benchmark *b = families[f]; b->name; b++)
            if (matches(patterns, b->name) && count < MAX_BENCHMARKS)
                selected[count++] = b;
    return count;
}

static void print_list(void)
{
    for (size_t f = 0; f < FAMILIES; f++)
        for (const struct benchmark *b = families[f]; b->name; b++)
            printf("%-30s %s\n", b->name, b->summary);
}

// ---- command line ----

struct command_line {
    struct runner_settings settings;
    struct target targets[MAX_TARGETS];
    size_t target_count;
    const char *benchmarks; /* patterns */
    const char *output;     /* directory */
    const char *child;      /* the benchmark to run in this process */
};

static const char usage[] =
    "usage: clbench [options]\n"
    "  --list                  print the benchmarks and end\n"
    "  --benchmarks PATTERNS   only these, as in 'queue/*,kernel/math_*'\n"
    "  --platform NAME         a part of the platform's name, or its index\n"
    "  --device NAME           a part of the device's name, or its index\n"
    "  --targets FILE          compare the implementations described in FILE\n"
    "  --only LABELS           only these of the targets: patterns\n"
    "  --output DIRECTORY      write DIRECTORY/<label>.json, instead of JSON on standard "
    "output\n"
    "  --runs N                timed runs (9)\n"
    "  --threads N             threads of the native baselines (one per processor)\n"
    "  --timeout SECONDS       for one process (120)\n"
    "  --tiny                  small sizes for simulators: checks results only\n";

enum long_option {
    OPTION_LIST = 256,
    OPTION_BENCHMARKS,
    OPTION_PLATFORM,
    OPTION_DEVICE,
    OPTION_TARGETS,
    OPTION_ONLY,
    OPTION_OUTPUT,
    OPTION_RUNS,
    OPTION_THREADS,
    OPTION_TIMEOUT,
    OPTION_TINY,
    OPTION_CHILD,
    OPTION_START_TIME,
};

static const struct option long_options[] = {
    {"list", no_argument, NULL, OPTION_LIST},
    {"benchmarks", required_argument, NULL, OPTION_BENCHMARKS},
    {"platform", required_argument, NULL, OPTION_PLATFORM},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"targets", required_argument, NULL, OPTION_TARGETS},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"runs", required_argument, NULL, OPTION_RUNS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"tiny", no_argument, NULL, OPTION_TINY},
    {"child", required_argument, NULL, OPTION_CHILD},
    {"start-time", required_argument, NULL, OPTION_START_TIME},
    {0},
};

static const char *text_or_null(const char *text)
{
    return text && *text ? text : NULL;
}

static void keep_targets(struct command_line *line, const char *patterns)
{
    size_t kept = 0;
    for (size_t t = 0; t < line->target_count; t++)
        if (matches(patterns, line->targets[t].label))
            line->targets[kept++] = line->targets[t];
    line->target_count = kept;
}

static void parse_command_line(struct command_line *line, int argc, char **argv)
{
    struct options *options = &line->settings.options;
    const char *only = NULL;
    options->runs = 9;
    options->threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    line->settings.timeout = 120.0;

    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        switch ((enum long_option)option) {
        case OPTION_LIST:
            print_list();
            exit(0);
        case OPTION_BENCHMARKS:
            line->benchmarks = optarg;
            break;
        case OPTION_PLATFORM:
            options->platform = text_or_null(optarg);
            break;
        case OPTION_DEVICE:
            options->device = text_or_null(optarg);
            break;
        case OPTION_TARGETS:
            line->target_count = targets_read(optarg, line->targets);
            break;
        case OPTION_ONLY:
            only = optarg;
            break;
        case OPTION_OUTPUT:
            line->output = optarg;
            break;
        case OPTION_RUNS:
            options->runs = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case OPTION_THREADS:
            options->threads = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case OPTION_TIMEOUT:
            line->settings.timeout = strtod(optarg, NULL);
            break;
        case OPTION_TINY:
            options->tiny = true;
            break;
        case OPTION_CHILD:
            line->child = optarg;
            break;
        case OPTION_START_TIME:
            options->start_time = strtod(optarg, NULL);
            break;
        default:
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (options->runs == 0)
        options->runs = 1;
    if (line->target_count == 0)
        line->targets[line->target_count++] = (struct target){
            .label = "opencl",
            .platform = (char *)options->platform,
            .device = (char *)options->device,
        };
    keep_targets(line, only);
}

// ---- JSON ----

static void write_host(FILE *file, const struct command_line *line)
{
    char date[32], processor[256] = "";
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    FILE *information = fopen("/proc/cpuinfo", "r");
    char text[256];
    while (information && fgets(text, sizeof text, information))
        if (sscanf(text, "model name : %255[^\n]", processor) == 1)
            break;
    if (information)
        fclose(information);
    fprintf(file, "{\"date\": \"%s\", \"processor\": ", date);
    json_write_string(file, processor);
    fprintf(file, ", \"processors\": %ld, \"native_threads\": %u, \"native_compiler\": ",
            sysconf(_SC_NPROCESSORS_ONLN), line->settings.options.threads);
    json_write_string(file, __VERSION__);
    fprintf(file, ", \"runs\": %u, \"tiny\": %s}", line->settings.options.runs,
            line->settings.options.tiny ? "true" : "false");
}

static void write_target_json(FILE *file, const struct command_line *line,
                              size_t target_index, const struct result *identity,
                              const struct result *results, size_t benchmark_count)
{
    const struct target *target = &line->targets[target_index];
    fprintf(file, "{\"clbench\": 1, \"label\": ");
    json_write_string(file, target->label);
    fprintf(file, ",\n \"environment\": [");
    for (size_t i = 0; i < target->variable_count; i++) {
        fputs(i ? ", " : "", file);
        json_write_string(file, target->variables[i]);
    }
    fprintf(file, "],\n \"host\": ");
    write_host(file, line);
    fprintf(file, ",\n \"identity\": ");
    result_write_json(identity, file);
    fprintf(file, ",\n \"results\": [");
    for (size_t b = 0; b < benchmark_count; b++) {
        fprintf(file, b ? ",\n  " : "\n  ");
        result_write_json(&results[b * line->target_count + target_index], file);
    }
    fprintf(file, "\n ]}\n");
}

static void write_json(const struct command_line *line, const struct result *identities,
                       const struct result *results, size_t benchmark_count)
{
    for (size_t t = 0; t < line->target_count; t++) {
        FILE *file = stdout;
        if (line->output) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s.json", line->output,
                     line->targets[t].label);
            file = fopen(path, "w");
            if (file == NULL) {
                perror(path);
                exit(1);
            }
        }
        write_target_json(file, line, t, &identities[t], results, benchmark_count);
        if (line->output)
            fclose(file);
    }
}

// ---- both kinds of process ----

static int run_as_child(const struct command_line *line)
{
    const struct benchmark *benchmark = find_benchmark(line->child);
    if (benchmark == NULL) {
        fprintf(stderr, "clbench: no benchmark '%s'\n", line->child);
        return 2;
    }
    fcntl(REPORT_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
    benchmark->run(&line->settings.options);
    return 0;
}

static int run_as_parent(const struct command_line *line)
{
    const struct benchmark *selected[MAX_BENCHMARKS];
    size_t benchmark_count = select_benchmarks(line->benchmarks, selected);
    struct result *identities = calloc(line->target_count, sizeof *identities);
    struct result *results =
        calloc(benchmark_count * line->target_count, sizeof *results);
    FILE *table = line->output ? stdout : stderr;
    if (identities == NULL || results == NULL)
        abort();
    if (line->output && mkdir(line->output, 0777) && errno != EEXIST) {
        perror(line->output);
        return 1;
    }

    for (size_t t = 0; t < line->target_count; t++) {
        run_benchmark(&identification, &line->targets[t], &line->settings,
                      &identities[t]);
        const struct field *device = result_find(&identities[t], "device");
        const struct field *version = result_find(&identities[t], "device_version");
        fprintf(table, "%s: %s, %s\n", line->targets[t].label,
                device ? device->text : result_status(&identities[t]),
                version ? version->text : "");
    }
    for (size_t b = 0; b < benchmark_count; b++) {
        /* Targets take turns, so that they meet the same conditions. */
        for (size_t t = 0; t < line->target_count; t++) {
            struct result *result = &results[b * line->target_count + t];
            run_benchmark(selected[b], &line->targets[t], &line->settings, result);
            table_print_line(table, &line->targets[t], result);
        }
        if (line->output)
            write_json(line, identities, results, b + 1);
    }
    table_print_summary(table, line->targets, line->target_count, results,
                        benchmark_count);
    if (!line->output)
        write_json(line, identities, results, benchmark_count);
    return 0;
}

int main(int argc, char **argv)
{
    static struct command_line line;
    parse_command_line(&line, argc, argv);
    return line.child ? run_as_child(&line) : run_as_parent(&line);
}
