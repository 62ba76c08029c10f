// SPDX-License-Identifier: MIT
#include "core/program/program_build.h"

#include <CL/cl_trefoil.h>

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/object/error.h"
#include "core/platform/context.h"
#include "core/platform/report_error.h"

// One build under way: owns all that the device needs, so that it can outlive the call.
struct job {
    cl_program prog; // owned reference
    enum tf_build_kind kind;
    const char *entry_point;         // for reports
    char *options;                   // owned
    char *device_options;            // owned: with those of the context
    bool *selected;                  // owned; per device of prog: build for it
    struct tf_build_header *headers; // owned, names too; texts are header_programs'
    cl_program *header_programs;     // owned references
    cl_uint header_count;
    struct tf_built **inputs; // owned references: [device * input_count + n]; link only
    struct tf_devprog **objects; // owned; theirs
    cl_uint input_count;
    struct tf_spec_constant *constants; // owned; as they were when the build began
    size_t constant_count;
    tf_build_fn notify;
    void *notify_data;
};

static void job_free(struct job *job)
{
    const cl_uint device_count = job->prog->device_count;

    for (cl_uint i = 0; i < job->header_count; i++) {
        if (job->headers)
            tf_free((char *)(uintptr_t)job->headers[i].name);
        if (job->header_programs)
            tf_unref(job->header_programs[i]);
    }
    for (size_t i = 0; job->inputs && i < (size_t)device_count * job->input_count; i++)
        tf_built_unref(job->inputs[i]);
    tf_free(job->headers);
    tf_free(job->header_programs);
    tf_free(job->constants);
    tf_free(job->inputs);
    tf_free(job->objects);
    tf_free(job->selected);
    tf_free(job->options);
    tf_free(job->device_options);
    tf_unref(job->prog);
    tf_free(job);
}

// No list means all. A build for a device is one for its sub-devices, too: they run what
// it runs.
static bool is_selected(cl_device_id device, const struct tf_build_desc *desc)
{
    bool selected = desc->device_count == 0;

    for (cl_uint i = 0; i < desc->device_count; i++)
        selected |= tf_device_within(device, desc->devices[i]);
    return selected;
}

// The options with those that the context adds to each compilation, in new memory; NULL
// when there is none.
static char *device_options(cl_context ctx, enum tf_build_kind kind, const char *options)
{
    static const char zeroes[] = " -cl-trefoil-zero-private";
    const bool compiles = kind == TF_BUILD_WHOLE || kind == TF_BUILD_COMPILE;
    struct tf_str text = {0};

    if (!options)
        return NULL;
    if (!compiles || !(ctx->zeroes & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR))
        return tf_strdup(options);
    tf_str_printf(&text, "%s%s", options, zeroes);
    return tf_str_take(&text);
}

// A job on `prog` for those devices. NULL and err set when memory ran out.
static struct job *job_new(struct tf_err *err, cl_program prog, enum tf_build_kind kind,
                           const struct tf_build_desc *desc)
{
    struct job *job = tf_zalloc(sizeof(*job));

    if (!job) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "build");
        return NULL;
    }
    job->prog = tf_ref(prog);
    job->kind = kind;
    job->notify = desc->notify;
    job->notify_data = desc->notify_data;
    job->options = tf_strdup(desc->options ? desc->options : "");
    job->selected = tf_zalloc(prog->device_count * sizeof(*job->selected));
    job->device_options = device_options(prog->obj.ctx, kind, job->options);
    if (!job->options || !job->device_options || !job->selected) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "build");
        job_free(job);
        return NULL;
    }
    for (cl_uint i = 0; i < prog->device_count; i++)
        job->selected[i] = is_selected(prog->devices[i], desc);
    return job;
}

static cl_int add_headers(struct tf_err *err, struct job *job,
                          const struct tf_build_desc *desc)
{
    // A module includes nothing.
    const cl_uint count = job->prog->il ? 0 : desc->header_count;

    if (!count)
        return CL_SUCCESS;
    job->headers = tf_zalloc(count * sizeof(*job->headers));
    job->header_programs = tf_zalloc(count * sizeof(*job->header_programs));
    job->header_count = count;
    for (cl_uint i = 0; job->headers && job->header_programs && i < count; i++) {
        const cl_program prog = desc->headers[i];

        job->header_programs[i] = tf_ref(prog);
        job->headers[i].name = tf_strdup(desc->header_names[i]);
        job->headers[i].text = prog->source;
        job->headers[i].text_bytes = prog->source_bytes;
        if (!job->headers[i].name)
            return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "header %u", i);
    }
    if (!job->headers || !job->header_programs)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%u headers", count);
    return CL_SUCCESS;
}

static cl_int add_constants(struct tf_err *err, struct job *job, cl_program prog)
    TF_EXCLUDES(&prog->lock)
{
    size_t count;

    tf_lock(&prog->lock);
    count = prog->constant_count;
    if (count > 0)
        job->constants = tf_memdup(prog->constants, count * sizeof(*job->constants));
    tf_unlock(&prog->lock);
    job->constant_count = count;
    if (count > 0 && !job->constants)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu constants", count);
    return CL_SUCCESS;
}

static cl_int check_idle(struct tf_err *err, const struct job *job, cl_program prog)
    TF_REQUIRES(&prog->lock)
{
    for (cl_uint i = 0; i < prog->device_count; i++)
        TF_REQUIRE(err,
                   !job->selected[i] || prog->builds[i].status != CL_BUILD_IN_PROGRESS,
                   CL_INVALID_OPERATION, "another build of the program is under way");
    TF_REQUIRE(err, prog->kernels_attached == 0, CL_INVALID_OPERATION,
               "%u kernels are attached to the program", prog->kernels_attached);
    return CL_SUCCESS;
}

static bool is_executable_binary(const struct tf_program_build *build)
{
    return build->built && build->built->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

// clBuildProgram on a binary has nothing to do but to find an executable.
static cl_int check_binaries(struct tf_err *err, const struct job *job, cl_program prog)
    TF_REQUIRES(&prog->lock)
{
    if (prog->origin != TF_PROGRAM_BINARY)
        return CL_SUCCESS;
    for (cl_uint i = 0; i < prog->device_count; i++)
        TF_REQUIRE(err, !job->selected[i] || is_executable_binary(&prog->builds[i]),
                   CL_INVALID_BINARY,
                   "the binary of device %u is a compiled object or a library", i);
    return CL_SUCCESS;
}

static void free_builds(struct tf_program_build *builds, cl_uint count)
{
    for (cl_uint i = 0; builds && i < count; i++) {
        tf_free(builds[i].options);
        tf_free(builds[i].log);
        tf_built_unref(builds[i].built);
    }
    tf_free(builds);
}

// Entries of a build that has begun, one per device. NULL and err set when memory ran
// out.
static struct tf_program_build *new_builds(struct tf_err *err, const struct job *job)
{
    const cl_uint count = job->prog->device_count;
    struct tf_program_build *builds = tf_zalloc(count * sizeof(*builds));
    bool ok = builds != NULL;

    for (cl_uint i = 0; ok && i < count; i++) {
        builds[i].status = CL_BUILD_IN_PROGRESS;
        builds[i].options = tf_strdup(job->options);
        ok = builds[i].options != NULL;
    }
    if (ok)
        return builds;
    tf_fail(err, CL_OUT_OF_HOST_MEMORY, "build for %u devices", count);
    free_builds(builds, count);
    return NULL;
}

static void swap_builds(struct tf_program_build *a, struct tf_program_build *b)
{
    const struct tf_program_build kept = *a;

    *a = *b;
    *b = kept;
}

// Moves the selected devices to CL_BUILD_IN_PROGRESS, or fails with nothing changed. From
// then on nobody else touches their entries.
static cl_int begin(struct tf_err *err, const struct job *job)
{
    const cl_program prog = job->prog;
    struct tf_program_build *builds = new_builds(err, job);

    if (!builds)
        return err->code;
    tf_lock(&prog->lock);
    if (!check_idle(err, job, prog) && !check_binaries(err, job, prog)) {
        for (cl_uint i = 0; i < prog->device_count; i++) {
            if (!job->selected[i])
                continue;
            swap_builds(&prog->builds[i], &builds[i]);
            if (prog->origin == TF_PROGRAM_BINARY) { // the loaded binary stays
                prog->builds[i].built = builds[i].built;
                builds[i].built = NULL;
            }
        }
    }
    tf_unlock(&prog->lock);
    free_builds(builds, prog->device_count); // what was there before
    return err->code;
}

// Ends the build of one device. `built` and `log` are given.
static void publish(cl_program prog, cl_uint index, struct tf_built *built, char *log)
{
    struct tf_program_build *build;

    tf_lock(&prog->lock);
    build = &prog->builds[index];
    build->built = built;
    build->log = log;
    build->status = built ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    tf_unlock(&prog->lock);
}

// A loaded binary becomes the executable as it is.
static void publish_binary(cl_program prog, cl_uint index)
{
    tf_lock(&prog->lock);
    prog->builds[index].status = CL_BUILD_SUCCESS;
    tf_unlock(&prog->lock);
}

static struct tf_devprog **objects_of(const struct job *job, cl_uint index)
{
    return job->objects ? &job->objects[(size_t)index * job->input_count] : NULL;
}

// True if a build for one of the two devices serves the other: parts of one device that
// get the same.
static bool same_build(const struct job *job, cl_uint a, cl_uint b)
{
    return job->selected[a] && job->selected[b] &&
           job->prog->devices[a]->root == job->prog->devices[b]->root &&
           (!job->objects || !memcmp(objects_of(job, a), objects_of(job, b),
                                     job->input_count * sizeof(*job->objects)));
}

static bool is_built(const struct job *job, cl_uint index)
{
    cl_uint first = 0;

    while (!same_build(job, first, index))
        first++;
    return first < index;
}

// Builds for one device and all that share the result.
static void build_device(struct tf_err *err, const struct job *job, cl_uint index)
{
    struct tf_device *dev = job->prog->devices[index]->root->dev;
    const struct tf_build_in in = {
        .kind = job->kind,
        .source = job->prog->il ? job->prog->il : job->prog->source,
        .source_bytes = job->prog->il ? job->prog->il_bytes : job->prog->source_bytes,
        .is_il = job->prog->il != NULL,
        .constants = job->constants,
        .constant_count = job->constant_count,
        .options = job->device_options,
        .headers = job->headers,
        .header_count = job->header_count,
        .objects = objects_of(job, index),
        .object_count = job->input_count,
    };
    struct tf_err one = {0}; // each device has its own answer; the first error is ours
    struct tf_build_out out = {0};
    struct tf_built *built = NULL;

    dev->ops->program_build(&one, dev, &in, &out);
    if (out.program)
        built = tf_built_new(&one, dev, out.program);
    if (!built)
        tf_fail(&one, tf_build_failure(job->kind), "the device made no program");
    if (tf_log_on(TF_LOG_BUILD))
        tf_log(TF_LOG_BUILD, "%s: device %u: %s\n%s", job->entry_point, index,
               built ? "built" : one.text, out.log ? out.log : "");
    for (cl_uint i = index + 1; i < job->prog->device_count; i++)
        if (same_build(job, index, i))
            publish(job->prog, i, tf_built_ref(built),
                    out.log ? tf_strdup(out.log) : NULL);
    if (!built)
        tf_fail(err, one.code, "%s", one.text);
    publish(job->prog, index, built, out.log);
}

static void run(struct tf_err *err, const struct job *job)
{
    const cl_program prog = job->prog;

    for (cl_uint i = 0; i < prog->device_count; i++) {
        if (!job->selected[i])
            continue;
        if (prog->origin == TF_PROGRAM_BINARY)
            publish_binary(prog, i);
        else if (!is_built(job, i))
            build_device(err, job, i);
    }
}

// The asynchronous form: nobody is left to take the error, so it is reported here.
static void *run_and_notify(void *arg)
{
    struct job *job = arg;
    struct tf_err err = {.ctx = job->prog->obj.ctx};

    run(&err, job);
    tf_report(&err, job->entry_point);
    tf_assert_no_locks();
    job->notify(job->prog, job->notify_data);
    job_free(job);
    return NULL;
}

// Runs a job (given) that has begun.
static cl_int start(struct tf_err *err, struct job *job)
{
    if (!job->notify) {
        run(err, job);
        job_free(job);
    } else if (!tf_thread_start("trefoil-build", 0, run_and_notify, job)) {
        run_and_notify(job); // no thread to be had: the caller waits
    }
    return err->code;
}

static cl_int build(struct tf_err *err, cl_program prog, enum tf_build_kind kind,
                    const char *entry_point, const struct tf_build_desc *desc)
{
    TF_UNCANCELLED;
    struct job *job = job_new(err, prog, kind, desc);

    if (!job)
        return err->code;
    job->entry_point = entry_point;
    if (add_headers(err, job, desc) || add_constants(err, job, prog) || begin(err, job)) {
        job_free(job);
        return err->code;
    }
    return start(err, job);
}

cl_int tf_program_build(struct tf_err *err, cl_program prog,
                        const struct tf_build_desc *desc)
{
    return build(err, prog, TF_BUILD_WHOLE, "clBuildProgram", desc);
}

cl_int tf_program_compile(struct tf_err *err, cl_program prog,
                          const struct tf_build_desc *desc)
{
    return build(err, prog, TF_BUILD_COMPILE, "clCompileProgram", desc);
}

static bool is_linkable(const struct tf_built *built)
{
    return built && (built->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                     built->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

// Takes from each input what it has for device `index` of the job's program, and selects
// the device if all have something.
static cl_int take_inputs(struct tf_err *err, struct job *job, cl_uint index,
                          const cl_program *inputs)
{
    const size_t first = (size_t)index * job->input_count;
    cl_uint found = 0;

    for (cl_uint n = 0; n < job->input_count; n++) {
        const cl_uint at = tf_program_device_index(inputs[n], job->prog->devices[index]);
        struct tf_built *built =
            at < inputs[n]->device_count ? tf_program_built(inputs[n], at, false) : NULL;

        if (!is_linkable(built)) {
            tf_built_unref(built);
            continue;
        }
        job->inputs[first + n] = built;
        job->objects[first + n] = built->prog;
        found++;
    }
    if (found > 0 && found < job->input_count)
        return tf_fail(err, CL_INVALID_OPERATION,
                       "only %u of %u programs are compiled for device %u", found,
                       job->input_count, index);
    job->selected[index] = found > 0;
    return CL_SUCCESS;
}

static cl_int add_inputs(struct tf_err *err, struct job *job,
                         const struct tf_link_desc *desc)
{
    const size_t total = (size_t)job->prog->device_count * desc->input_count;
    bool any = false;

    job->inputs = tf_zalloc(total * sizeof(struct tf_built *));
    job->objects = tf_zalloc(total * sizeof(struct tf_devprog *));
    if (!job->inputs || !job->objects)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "link of %u programs",
                       desc->input_count);
    job->input_count = desc->input_count;
    for (cl_uint i = 0; i < job->prog->device_count; i++) {
        if (take_inputs(err, job, i, desc->inputs))
            return err->code;
        any |= job->selected[i];
    }
    if (!any)
        return tf_fail(err, CL_INVALID_OPERATION, "none of the programs is compiled");
    return CL_SUCCESS;
}

cl_int tf_program_link(struct tf_err *err, cl_context ctx,
                       const struct tf_link_desc *desc, cl_program *out)
{
    const struct tf_build_desc on_all = {.options = desc->options,
                                         .notify = desc->notify,
                                         .notify_data = desc->notify_data};
    TF_UNCANCELLED;
    const bool library =
        desc->options && tf_str_has_word(desc->options, "-create-library");
    struct job *job = NULL;
    cl_program prog =
        tf_program_new(err, ctx, TF_PROGRAM_LINKED, desc->device_count, desc->devices);

    if (!prog)
        return err->code;
    job = job_new(err, prog, library ? TF_BUILD_LIBRARY : TF_BUILD_LINK, &on_all);
    if (!job)
        goto fail;
    job->entry_point = "clLinkProgram";
    if (add_inputs(err, job, desc) || begin(err, job)) {
        job_free(job);
        goto fail;
    }
    // The user's handle before the start: the callback may already release it.
    *out = tf_give_user(tf_ref(prog));
    if (start(err, job) == CL_SUCCESS || err->code == CL_LINK_PROGRAM_FAILURE) {
        tf_unref(prog);
        return err->code;
    }
    tf_object_release(&(struct tf_err){0}, *out, &tf_class_program);
    *out = NULL;
fail:
    tf_unref(prog);
    return err->code;
}
