// SPDX-License-Identifier: MIT
// trefoil-run: runs .cl files, or SPIR-V modules of the same name, whose comments say
// which kernels to run on what and what must come out, on any OpenCL implementation.
// Links the ICD loader and nothing else of ours.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_names.h"
#include "trefoil-run-help.h"
#include "trefoil_run_exec.h"

#define MAX_EXTRA 64
#define EXIT_USAGE 2
#define EXIT_SKIPPED 77

struct options {
    const char *platform, *device; // part of the name, or an index
    const char *build_options;
    const char *modules;
    bool list, verbose;
    const char *extra[MAX_EXTRA];
    size_t n_extra;
};

// `wanted` is NULL, an index, or a part of the name.
static bool matches(const char *wanted, unsigned index, const char *name)
{
    char *stop;

    if (!wanted)
        return true;
    const unsigned long number = strtoul(wanted, &stop, 10);
    return !*stop && stop != wanted ? number == index : strcasestr(name, wanted) != NULL;
}

#define MAX_FOUND 32

// The first device that fits the options; prints all that fit for --list.
static bool find_device(const struct options *options, struct run_device *out)
{
    cl_platform_id platforms[MAX_FOUND];
    cl_device_id devices[MAX_FOUND];
    cl_uint n_platforms = 0, n_devices;
    char name[256];

    if (clGetPlatformIDs(MAX_FOUND, platforms, &n_platforms) != CL_SUCCESS)
        n_platforms = 0;
    for (cl_uint p = 0; p < n_platforms && p < MAX_FOUND; p++) {
        name[0] = '\0';
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof(name), name, NULL);
        if (!matches(options->platform, p, name))
            continue;
        if (options->list)
            printf("platform %u: %s\n", p, name);
        n_devices = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_FOUND, devices,
                           &n_devices) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < n_devices && d < MAX_FOUND; d++) {
            name[0] = '\0';
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof(name), name, NULL);
            if (!matches(options->device, d, name))
                continue;
            if (options->list)
                printf("  device %u: %s\n", d, name);
            if (!out->device) {
                out->platform = platforms[p];
                out->device = devices[d];
            }
        }
    }
    return out->device != NULL;
}

// What kernels enqueue on by themselves, where they can.
static bool make_device_queue(struct run_device *device, cl_int *code)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                            CL_QUEUE_ON_DEVICE |
                                            CL_QUEUE_ON_DEVICE_DEFAULT,
                                        0};
    cl_uint most = 0;

    clGetDeviceInfo(device->device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(most), &most,
                    NULL);
    if (most > 0)
        device->device_queue = clCreateCommandQueueWithProperties(
            device->context, device->device, list, code);
    return most == 0 || device->device_queue;
}

static bool open_device(const struct options *options, struct run_device *device)
{
    char text[ERROR_TEXT_BYTES];
    cl_int code;

    if (!find_device(options, device)) {
        fprintf(stderr, "trefoil-run: no such OpenCL platform or device (see --list)\n");
        return false;
    }
    device->verbose = options->verbose;
    device->options = options->build_options;
    device->modules = options->modules;
    device->context = clCreateContext(NULL, 1, &device->device, NULL, NULL, &code);
    if (device->context)
        device->queue = clCreateCommandQueueWithProperties(device->context,
                                                           device->device, NULL, &code);
    if (device->queue && make_device_queue(device, &code))
        return true;
    fprintf(stderr, "trefoil-run: cannot make a context and queue: %s\n",
            error_text_of(code, text));
    return false;
}

static void close_device(struct run_device *device)
{
    if (device->queue)
        clReleaseCommandQueue(device->queue);
    if (device->device_queue)
        clReleaseCommandQueue(device->device_queue);
    if (device->context)
        clReleaseContext(device->context);
}

static enum run_result run_file(const struct run_device *device,
                                const struct options *options, const char *path)
{
    size_t bytes;
    char *source = run_read_file(path, &bytes);
    struct run_script script;
    enum run_result result;

    if (!source) {
        printf("FAIL ");
        run_print_unread(path);
        return RUN_FAIL;
    }
    run_script_init(&script, source, options->extra, options->n_extra);
    result = run_script_execute(device, path, source, &script);
    if (result == RUN_PASS)
        printf("pass %s\n", path);
    fflush(stdout); // a crash in the next file must not take this line along
    run_script_finish(&script);
    free(source);
    return result;
}

// Returns true when the program is to go on, otherwise *status is its exit status.
static bool parse_options(int argc, char **argv, struct options *options, int *status)
{
    static const struct option names[] = {
        {"platform", required_argument, NULL, 'p'},
        {"device", required_argument, NULL, 'd'},
        {"list", no_argument, NULL, 'l'},
        {"options", required_argument, NULL, 'o'},
        {"modules", required_argument, NULL, 'm'},
        {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "vx:h", names, NULL)) != -1) {
        *status = EXIT_USAGE;
        if (option == 'p')
            options->platform = optarg;
        else if (option == 'd')
            options->device = optarg;
        else if (option == 'o')
            options->build_options = optarg;
        else if (option == 'm')
            options->modules = optarg;
        else if (option == 'l')
            options->list = true;
        else if (option == 'v')
            options->verbose = true;
        else if (option == 'x' && options->n_extra < MAX_EXTRA)
            options->extra[options->n_extra++] = optarg;
        else {
            *status = option == 'h' ? EXIT_SUCCESS : EXIT_USAGE;
            fputs(option == 'h' ? help_text : usage_text,
                  option == 'h' ? stdout : stderr);
            return false;
        }
    }
    if (options->list || optind < argc)
        return true;
    fputs(usage_text, stderr);
    *status = EXIT_USAGE;
    return false;
}

// What could not be written was not said: a full disk, a closed output.
static int after_output(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fputs("trefoil-run: the output could not be written\n", stderr);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct run_device device = {0};
    unsigned count[RUN_SKIP + 1] = {0};
    int status;

    if (!parse_options(argc, argv, &options, &status))
        return status == EXIT_SUCCESS ? after_output(status) : status;
    if (options.list)
        return find_device(&options, &device) ? after_output(EXIT_SUCCESS) : EXIT_USAGE;
    if (!open_device(&options, &device)) {
        close_device(&device);
        return EXIT_USAGE;
    }
    for (int n = optind; n < argc; n++)
        count[run_file(&device, &options, argv[n])]++;
    close_device(&device);
    if (argc - optind > 1)
        printf("%u passed, %u failed, %u skipped\n", count[RUN_PASS], count[RUN_FAIL],
               count[RUN_SKIP]);
    if (count[RUN_FAIL])
        return after_output(EXIT_FAILURE);
    return after_output(count[RUN_PASS] ? EXIT_SUCCESS : EXIT_SKIPPED);
}
