// SPDX-License-Identifier: MIT
// One file of directives, executed: conditions, builds, launches.
#include "trefoil_run_exec.h"
#include "error_names.h"
#include "trefoil_run_image.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes after each buffer that no kernel may touch.
#define GUARD_BYTES 64
#define GUARD_VALUE 0xd7

struct execution {
    const struct run_device *device;
    const char *file;
    const char *source;
};

static enum run_result fail_at(const struct execution *e, int line, const char *what,
                               const char *detail)
{
    if (line)
        printf("FAIL %s:%d: %s: %s\n", e->file, line, what, detail);
    else
        printf("FAIL %s: %s: %s\n", e->file, what, detail);
    return RUN_FAIL;
}

static enum run_result fail_code(const struct execution *e, int line, const char *what,
                                 cl_int code)
{
    char text[ERROR_TEXT_BYTES];

    return fail_at(e, line, what, error_text_of(code, text));
}

char *run_read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 65536, got = 1;
    char *text = NULL;

    *bytes = 0;
    if (!file)
        return NULL;
    while (got) {
        if (!text || length == room) {
            room *= text ? 2 : 1;
            text = realloc(text, room + 1);
            if (!text)
                abort();
        }
        got = fread(text + length, 1, room - length, file);
        length += got;
        if (length > RUN_MOST_BYTES) // /dev/zero and its like have no end
            break;
    }
    if (length > RUN_MOST_BYTES || ferror(file)) {
        const int reason = length > RUN_MOST_BYTES ? EFBIG : errno;

        free(text);
        fclose(file);
        errno = reason;
        return NULL;
    }
    text[length] = '\0';
    fclose(file);
    *bytes = length;
    return text;
}

void run_print_unread(const char *path)
{
    if (errno == EFBIG)
        printf("%s: longer than %d MiB\n", path, RUN_MOST_BYTES >> 20);
    else
        printf("%s: %s\n", path, strerror(errno));
}

// ---- Conditions ----

static char *device_text(cl_device_id device, cl_device_info param)
{
    size_t bytes = 0;
    char *text;

    clGetDeviceInfo(device, param, 0, NULL, &bytes);
    if (!(text = calloc(1, bytes + 1)))
        abort();
    if (clGetDeviceInfo(device, param, bytes, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

static bool has_extension(cl_device_id device, const char *name)
{
    char *list = device_text(device, CL_DEVICE_EXTENSIONS), *state = NULL;
    bool found = false;

    for (char *word = strtok_r(list, " ", &state); word;
         word = strtok_r(NULL, " ", &state))
        found = found || !strcmp(word, name);
    free(list);
    return found;
}

// Is among the versions that the device lists; before OpenCL 3.0, which has no list:
// "OpenCL C 1.2 ..." >= "1.1".
static bool has_c_version(cl_device_id device, const char *wanted)
{
    const cl_device_info what = CL_DEVICE_OPENCL_C_ALL_VERSIONS;
    cl_name_version versions[32];
    char *text = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
    const char *version = text + strcspn(text, "0123456789");
    bool good = strtod(version, NULL) >= strtod(wanted, NULL);
    size_t bytes = 0;

    free(text);
    if (clGetDeviceInfo(device, what, sizeof(versions), versions, &bytes) != CL_SUCCESS)
        return good;
    good = false;
    for (size_t i = 0; i < bytes / sizeof(versions[0]) && !good; i++) {
        char name[32];

        snprintf(name, sizeof(name), "%u.%u", CL_VERSION_MAJOR(versions[i].version),
                 CL_VERSION_MINOR(versions[i].version));
        good = !strcmp(name, wanted);
    }
    return good;
}

static bool need_holds(const struct run_device *d, const struct run_need *need)
{
    size_t group = 0;
    cl_ulong local_bytes = 0;
    char name[256] = "";

    switch (need->kind) {
    case RUN_NEED_EXTENSION:
        return has_extension(d->device, need->text);
    case RUN_NEED_C_VERSION:
        return has_c_version(d->device, need->text);
    case RUN_NEED_GROUP:
        clGetDeviceInfo(d->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group), &group,
                        NULL);
        return group >= strtoull(need->text, NULL, 10);
    case RUN_NEED_LOCAL:
        clGetDeviceInfo(d->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local_bytes),
                        &local_bytes, NULL);
        return local_bytes >= strtoull(need->text, NULL, 10);
    case RUN_NEED_PLATFORM:
        clGetPlatformInfo(d->platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
        return strcasestr(name, need->text) != NULL;
    }
    return false;
}

// ---- Launches ----

struct launch {
    const struct execution *e;
    const struct run_launch *r;
    struct run_data *data; // one per argument
    cl_mem *buffers;
    cl_kernel kernel;
    bool refused; // as error= says: there is nothing more to do
};

static size_t arg_bytes(const struct run_arg *arg)
{
    return arg->count * arg->layout.size_bytes;
}

// A call on the way to the enqueued kernel failed: that is what error= asks for, or a
// failure.
static enum run_result launch_error(struct launch *l, const char *what, cl_int code)
{
    char where[2 * RUN_NAME_BYTES];

    if (l->r->error && code == l->r->error) {
        l->refused = true;
        return RUN_PASS;
    }
    snprintf(where, sizeof(where), "%s: %s", l->r->kernel, what);
    return fail_code(l->e, l->r->line, where, code);
}

// Behind a buffer, to see who writes there; where kernels are checked, they tell it
// themselves, of the byte behind the end already.
static size_t guard_bytes(void)
{
    return getenv("TREFOIL_CHECK") ? 0 : GUARD_BYTES;
}

static cl_int make_buffer(struct launch *l, size_t index)
{
    const struct run_device *d = l->e->device;
    struct run_data *data = &l->data[index];
    const size_t bytes = arg_bytes(data->arg);
    cl_int code;

    if (!(data->after = malloc(bytes + guard_bytes())))
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(data->after, data->before, bytes);
    memset(data->after + bytes, GUARD_VALUE, guard_bytes());
    l->buffers[index] =
        clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       bytes + guard_bytes(), data->after, &code);
    return code;
}

static cl_int make_image(struct launch *l, size_t index)
{
    struct run_data *data = &l->data[index];
    const size_t bytes = arg_bytes(data->arg);
    cl_int code;

    if (!(data->after = malloc(bytes)))
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(data->after, data->before, bytes);
    l->buffers[index] = run_image_create(l->e->device->context, &data->arg->image,
                                         data->after, bytes, &code);
    return code;
}

static cl_int set_sampler(struct launch *l, size_t index)
{
    cl_int code;
    const cl_sampler sampler =
        run_sampler_create(l->e->device->context, &l->data[index].arg->sampler, &code);

    if (!sampler)
        return code;
    code = clSetKernelArg(l->kernel, (cl_uint)index, sizeof(sampler), &sampler);
    clReleaseSampler(sampler); // its settings are in the kernel
    return code;
}

static cl_int set_arg(struct launch *l, size_t index)
{
    const struct run_arg *arg = l->data[index].arg;
    const cl_uint n = (cl_uint)index;
    cl_int code;

    switch (arg->form) {
    case RUN_ARG_VALUE:
        return clSetKernelArg(l->kernel, n, arg_bytes(arg), l->data[index].before);
    case RUN_ARG_LOCAL:
        return clSetKernelArg(l->kernel, n, arg_bytes(arg), NULL);
    case RUN_ARG_NULL:
        return clSetKernelArg(l->kernel, n, sizeof(cl_mem), NULL);
    case RUN_ARG_SAME:
        return clSetKernelArg(l->kernel, n, sizeof(cl_mem), &l->buffers[arg->same]);
    case RUN_ARG_SAMPLER:
        return set_sampler(l, index);
    case RUN_ARG_QUEUE:
        return clSetKernelArg(l->kernel, n, sizeof(cl_command_queue),
                              &l->e->device->device_queue);
    case RUN_ARG_IMAGE:
    case RUN_ARG_BUFFER:
        code = arg->form == RUN_ARG_IMAGE ? make_image(l, index) : make_buffer(l, index);
        return code == CL_SUCCESS
                   ? clSetKernelArg(l->kernel, n, sizeof(cl_mem), &l->buffers[index])
                   : code;
    }
    return CL_INVALID_ARG_INDEX;
}

static enum run_result set_args(struct launch *l)
{
    char error[RUN_ERROR_BYTES];

    for (size_t n = 0; n < l->r->n_args; n++) {
        struct run_data *data = &l->data[n];
        data->arg = &l->r->args[n];
        if (data->arg->form == RUN_ARG_VALUE || data->arg->form == RUN_ARG_BUFFER ||
            data->arg->form == RUN_ARG_IMAGE) {
            if (!(data->before = malloc(arg_bytes(data->arg))))
                return launch_error(l, data->arg->name, CL_OUT_OF_HOST_MEMORY);
            if (!run_data_init(l->data, n, error))
                return fail_at(l->e, l->r->line, data->arg->name, error);
        }
        const cl_int code = set_arg(l, n);
        if (code != CL_SUCCESS) // also error=: then nothing of the launch is left to try
            return launch_error(l, data->arg->name, code);
    }
    return RUN_PASS;
}

// How a command ended: CL_SUCCESS, or what went wrong after it was enqueued (its code
// could not be made, its memory not be had), which clFinish does not tell.
static cl_int end_status(cl_event event)
{
    cl_int status = CL_COMPLETE;
    const cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                       sizeof(status), &status, NULL);

    return code == CL_SUCCESS && status < 0 ? status : code;
}

// Waits for all commands. The first error there was, with its cause in *what.
static cl_int wait_for(cl_command_queue queue, const cl_event *events, unsigned count,
                       const char **what)
{
    cl_int code = clFinish(queue);

    *what = "finish";
    for (unsigned n = 0; n < count && code == CL_SUCCESS; n++) {
        *what = "run";
        code = end_status(events[n]);
    }
    return code;
}

// Enqueues and waits.
static enum run_result enqueue_kernel(struct launch *l)
{
    const struct run_launch *r = l->r;
    cl_command_queue queue = l->e->device->queue;
    cl_event *events = calloc(r->times, sizeof(cl_event));
    const char *what = "enqueue";
    cl_int code = CL_SUCCESS;
    unsigned count = 0;

    if (!events)
        abort();
    while (count < r->times && code == CL_SUCCESS) {
        code = clEnqueueNDRangeKernel(
            queue, l->kernel, r->dims, r->has_offset ? r->offset : NULL, r->global,
            r->has_local ? r->local : NULL, 0, NULL, &events[count]);
        count += code == CL_SUCCESS;
    }
    if (code == CL_SUCCESS)
        code = wait_for(queue, events, count, &what);
    while (count > 0)
        clReleaseEvent(events[--count]);
    free(events);
    if (code != CL_SUCCESS)
        return launch_error(l, what, code);
    return r->error ? fail_at(l->e, r->line, r->kernel, "ran, but must be refused")
                    : RUN_PASS;
}

static enum run_result run_kernel(struct launch *l)
{
    char message[RUN_ERROR_BYTES];
    struct run_capture capture;
    enum run_result result;
    char *text;

    if (!l->r->n_outputs)
        return enqueue_kernel(l);
    if (!run_capture_start(&capture))
        return fail_at(l->e, l->r->line, l->r->kernel, "cannot redirect the output");
    result = enqueue_kernel(l);
    text = run_capture_stop(&capture);
    if (result == RUN_PASS && !(text && run_check_output(l->r, text, message)))
        result = fail_at(l->e, l->r->line, l->r->kernel,
                         text ? message : "cannot read the output");
    free(text);
    return result;
}

static enum run_result read_back(struct launch *l)
{
    for (size_t n = 0; n < l->r->n_args; n++) {
        struct run_data *data = &l->data[n];
        if (data->arg->form == RUN_ARG_SAME)
            data->same_after = l->data[data->arg->same].after;
        if (!l->buffers[n])
            continue;
        const size_t bytes = arg_bytes(data->arg);
        const bool image = data->arg->form == RUN_ARG_IMAGE;
        const cl_int code =
            image
                ? run_image_read(l->e->device->queue, l->buffers[n], &data->arg->image,
                                 data->after)
                : clEnqueueReadBuffer(l->e->device->queue, l->buffers[n], CL_TRUE, 0,
                                      bytes + guard_bytes(), data->after, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return launch_error(l, "reading back", code);
        data->same_after = data->after;
        for (size_t g = 0; !image && g < guard_bytes(); g++)
            if (data->after[bytes + g] != GUARD_VALUE)
                return fail_at(l->e, l->r->line, l->r->kernel,
                               "wrote past the end of a buffer");
    }
    return RUN_PASS;
}

static enum run_result check_results(struct launch *l)
{
    char message[RUN_ERROR_BYTES];

    for (size_t n = 0; n < l->r->n_checks; n++) {
        const struct run_check *check = &l->r->checks[n];
        if (check->kind == RUN_CHECK_PRINT)
            run_print_data(check, l->data, l->r->n_args);
        else if (!run_check_data(check, l->data, l->r->n_args, message))
            return fail_at(l->e, check->line, l->r->kernel, message);
    }
    return RUN_PASS;
}

static void launch_finish(struct launch *l)
{
    for (size_t n = 0; n < l->r->n_args; n++) {
        if (l->buffers[n])
            clReleaseMemObject(l->buffers[n]);
        free(l->data[n].before);
        free(l->data[n].after);
    }
    if (l->kernel)
        clReleaseKernel(l->kernel);
    free(l->buffers);
    free(l->data);
}

static enum run_result execute_launch(const struct execution *e, cl_program program,
                                      const struct run_launch *r)
{
    struct launch l = {.e = e, .r = r};
    enum run_result result;
    cl_int code;

    l.data = calloc(r->n_args + 1, sizeof(*l.data));
    l.buffers = calloc(r->n_args + 1, sizeof(cl_mem));
    if (!l.data || !l.buffers)
        abort();
    l.kernel = clCreateKernel(program, r->kernel, &code);
    result = l.kernel ? set_args(&l) : launch_error(&l, "clCreateKernel", code);
    if (result == RUN_PASS && !l.refused)
        result = run_kernel(&l);
    if (result == RUN_PASS && !l.refused)
        result = read_back(&l);
    if (result == RUN_PASS && !l.refused)
        result = check_results(&l);
    launch_finish(&l);
    return result;
}

// ---- Builds ----

static char *build_log(const struct run_device *d, cl_program program)
{
    size_t bytes = 0;
    char *log;

    clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (!(log = calloc(1, bytes + 1)))
        abort();
    clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return log;
}

static char *all_options(const struct run_device *d, const struct run_build *b)
{
    char *options = NULL;

    if (asprintf(&options, "%s %s", b->options, d->options ? d->options : "") < 0)
        abort();
    return options;
}

static enum run_result check_failed_build(const struct execution *e,
                                          const struct run_build *b, cl_int code,
                                          const char *log)
{
    if (code == CL_SUCCESS)
        return fail_at(e, b->line, "build", "succeeded, but must fail");
    if (b->error && code != b->error)
        return fail_code(e, b->line, "build must fail with another code than", code);
    for (size_t n = 0; n < b->n_texts; n++)
        if (!strstr(log, b->texts[n])) {
            printf("%s\n", log);
            return fail_at(e, b->line, "build log does not hold", b->texts[n]);
        }
    return RUN_PASS;
}

// The module of a file: in the folder of modules, with its name.
static cl_program module_program(const struct execution *e, cl_int *code)
{
    const char *slash = strrchr(e->file, '/');
    const char *name = slash ? slash + 1 : e->file;
    char *path = NULL, *module;
    cl_program program;
    size_t bytes;

    if (asprintf(&path, "%s/%.*s.spv", e->device->modules, (int)strcspn(name, "."),
                 name) < 0)
        abort();
    module = run_read_file(path, &bytes);
    if (!module)
        run_print_unread(path);
    program = clCreateProgramWithIL(e->device->context, module, bytes, code);
    free(module);
    free(path);
    return program;
}

static enum run_result execute_build(const struct execution *e, const struct run_build *b)
{
    const struct run_device *d = e->device;
    enum run_result result = RUN_PASS;
    cl_int code;
    cl_program program =
        d->modules ? module_program(e, &code)
                   : clCreateProgramWithSource(d->context, 1, (const char **)&e->source,
                                               NULL, &code);

    if (!program && b->fails && code == b->error)
        return RUN_PASS;
    if (!program)
        return fail_code(e, b->line, "making the program", code);
    char *options = all_options(d, b);
    code = clBuildProgram(program, 1, &d->device, options, NULL, NULL);
    free(options);
    char *log = build_log(d, program);
    if (d->verbose && log[0])
        printf("build log of %s:\n%s\n", e->file, log);
    if (b->fails) {
        result = check_failed_build(e, b, code, log);
    } else if (code != CL_SUCCESS) {
        printf("%s\n", log);
        result = fail_code(e, b->line, "build", code);
    }
    for (size_t n = 0; n < b->n_launches && result == RUN_PASS; n++)
        result = execute_launch(e, program, &b->launches[n]);
    free(log);
    clReleaseProgram(program);
    return result;
}

enum run_result run_script_execute(const struct run_device *device, const char *file,
                                   const char *source, const struct run_script *script)
{
    static const char *const kinds[] = {"extension", "OpenCL C", "work-groups of",
                                        "local memory of", "platform"};
    const struct execution e = {.device = device, .file = file, .source = source};

    if (script->error[0])
        return fail_at(&e, script->line, "directive", script->error);
    for (size_t n = 0; n < script->n_needs; n++)
        if (!need_holds(device, &script->needs[n])) {
            printf("skip %s: needs %s %s\n", file, kinds[script->needs[n].kind],
                   script->needs[n].text);
            return RUN_SKIP;
        }
    for (size_t n = 0; n < script->n_builds; n++)
        if (execute_build(&e, &script->builds[n]) != RUN_PASS)
            return RUN_FAIL;
    return RUN_PASS;
}
