// SPDX-License-Identifier: MIT
// clUpdateMutableCommandsKHR: all configurations or none. First every new value goes into
// the commands' own kernels and ranges, with the old ones saved; then what the commands
// will hold is taken; what is left cannot fail. A plan that nobody replays is changed in
// place, otherwise it is given up to its replays and made anew.
#include <string.h>

#include "base/alloc.h"
#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_plan.h"
#include "core/command_buffer/command_buffer_put.h"
#include "core/memory/mem.h"
#include "core/memory/svm.h"
#include "core/object/error.h"

// ---- New values ----

static cl_int find_command(struct tf_err *err, cl_command_buffer_khr buffer,
                           cl_mutable_command_khr handle, struct tf_recorded **out)
{
    TF_REQUIRE(
        err, tf_object_ok(handle, &tf_class_mutable_command) && handle->buffer == buffer,
        CL_INVALID_MUTABLE_COMMAND_KHR, "no command of the command buffer");
    *out = &buffer->recorded[handle->index];
    TF_REQUIRE(err, (*out)->kernel, CL_INVALID_MUTABLE_COMMAND_KHR, "not a kernel");
    return CL_SUCCESS;
}

static cl_int check_field(struct tf_err *err, const struct tf_recorded_kernel *kernel,
                          bool wanted, cl_mutable_dispatch_fields_khr field)
{
    TF_REQUIRE(err, !wanted || kernel->fields & field, CL_INVALID_OPERATION,
               "the command was recorded without the updatable field 0x%llx",
               (unsigned long long)field);
    return CL_SUCCESS;
}

static cl_int check_list(struct tf_err *err, const void *list, cl_uint count)
{
    TF_REQUIRE(err, (count == 0) == (list == NULL), CL_INVALID_VALUE,
               "a list of %u entries is %s", count, list ? "set" : "NULL");
    return CL_SUCCESS;
}

static cl_int check_config(struct tf_err *err, tf_config_ptr config,
                           const struct tf_recorded_kernel *kernel)
{
    TF_REQUIRE(err, config->work_dim == 0 || config->work_dim == kernel->desc.work_dim,
               CL_INVALID_OPERATION, "work_dim %u, recorded with %u", config->work_dim,
               kernel->desc.work_dim);
    if (check_field(err, kernel, config->global_work_offset,
                    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR) ||
        check_field(err, kernel, config->global_work_size,
                    CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR) ||
        check_field(err, kernel, config->local_work_size,
                    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR) ||
        check_field(err, kernel, config->num_args || config->num_svm_args,
                    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) ||
        check_field(err, kernel, config->num_exec_infos,
                    CL_MUTABLE_DISPATCH_EXEC_INFO_KHR) ||
        check_list(err, config->arg_list, config->num_args) ||
        check_list(err, config->arg_svm_list, config->num_svm_args))
        return err->code;
    return check_list(err, config->exec_info_list, config->num_exec_infos);
}

static cl_uint changed_count(tf_config_ptr config)
{
    return config->num_args + config->num_svm_args;
}

static bool changes_args(tf_config_ptr config)
{
    return changed_count(config) > 0;
}

static bool changes_range(tf_config_ptr config)
{
    return config->global_work_offset || config->global_work_size ||
           config->local_work_size;
}

static void *take_memory(struct tf_update *update, size_t bytes)
{
    void *memory = update->memory + update->used_bytes;

    update->used_bytes +=
        (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    return memory;
}

// What the change of a pointer touches lies far apart, and is needed soon.
static void fetch(const struct tf_update *update, const struct tf_recorded *recorded)
{
    const struct tf_command_kernel *kernel = &recorded->ev->cmd.kernel;

    __builtin_prefetch(&kernel->patches, 1);
    __builtin_prefetch(&recorded->ev->held_count, 1);
    __builtin_prefetch(tf_event_extra(recorded->ev), 1);
    if (!update->plan)
        return;
    __builtin_prefetch(recorded->block, 1);
    __builtin_prefetch(&recorded->batch->commands[recorded->place].kernel.patches, 1);
}

// The commands of all configurations. Their parts lie far apart: loop by loop the
// processor fetches those of many at a time.
static cl_int find_commands(struct tf_err *err, struct tf_update *update, cl_uint count,
                            const tf_config_ptr *configs)
{
    for (cl_uint i = 0; i < count; i++)
        __builtin_prefetch(configs[i]->command);
    for (cl_uint i = 0; i < count; i++) {
        update->steps[i] = (struct tf_update_step){.config = configs[i]};
        const cl_int code = find_command(err, update->buffer, configs[i]->command,
                                         &update->steps[i].recorded);

        if (code)
            return code;
        __builtin_prefetch(update->steps[i].recorded->kernel->own);
    }
    for (cl_uint i = 0; i < count; i++)
        fetch(update, update->steps[i].recorded);
    return CL_SUCCESS;
}

// What the steps will take, once for all of them.
static cl_int make_memory(struct tf_err *err, struct tf_update *update, cl_uint count,
                          const tf_config_ptr *configs)
{
    size_t bytes = 1;
    cl_int code;

    update->steps = tf_realloc(NULL, count * sizeof(*update->steps));
    if (!update->steps)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "update of %u commands", count);
    code = find_commands(err, update, count, configs);
    if (code)
        return code;
    for (cl_uint i = 0; i < count; i++) {
        const struct tf_recorded_kernel *kernel = update->steps[i].recorded->kernel;

        if (changes_args(configs[i]) && kernel->own)
            bytes += sizeof(uint64_t) + kernel->own->info->arg_block_bytes +
                     changed_count(configs[i]) *
                         (sizeof(struct tf_kernel_arg) + sizeof(cl_mem));
        if (changes_range(configs[i]))
            bytes += sizeof(struct tf_range_change);
    }
    update->memory = tf_realloc(NULL, bytes);
    if (!update->memory)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "update of %u commands", count);
    return CL_SUCCESS;
}

static void save_args(struct tf_update *update, struct tf_update_step *step)
{
    const cl_kernel own = step->recorded->kernel->own;

    step->saved = take_memory(update, changed_count(step->config) * sizeof(*step->saved));
    step->saved_block = take_memory(update, own->info->arg_block_bytes);
    tf_copy_few(step->saved_block, own->block, own->info->arg_block_bytes);
}

// The last one first: an argument may be among them twice.
static void restore_args(struct tf_update_step *step)
{
    const cl_kernel own = step->recorded->kernel->own;

    while (step->saved_count-- > 0)
        own->args[tf_changed_arg(step->config, step->saved_count)] =
            step->saved[step->saved_count];
    memcpy(own->block, step->saved_block, own->info->arg_block_bytes);
}

// Before an argument is changed.
static cl_int save_arg(struct tf_err *err, struct tf_update_step *step, cl_uint index)
{
    const cl_kernel own = step->recorded->kernel->own;

    TF_REQUIRE(err, index < own->info->arg_count, CL_INVALID_ARG_INDEX,
               "argument %u of %u", index, own->info->arg_count);
    step->saved[step->saved_count++] = own->args[index];
    return CL_SUCCESS;
}

// Takes the references that are owed. Before any step gives one back.
static void pay(struct tf_update *update)
{
    if (update->owed > 0)
        tf_ref_times(update->held, update->owed);
    update->owed = 0;
}

// `mem`, NULL for none, is what a step holds now.
static void note_held(struct tf_update *update, struct tf_update_step *step, cl_mem mem)
{
    step->taken[step->taken_count++] = mem;
    if (!mem)
        return;
    if (mem == update->held) {
        update->owed++;
        return;
    }
    pay(update);
    update->held = mem;
}

static cl_int set_svm(struct tf_err *err, cl_kernel own, cl_uint index,
                      const void *address)
{
    TF_REQUIRE(err, tf_svm_supported(own->obj.ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
               "no device of the context has SVM");
    TF_REQUIRE(err, own->info->args[index].kind == TF_ARG_BUFFER, CL_INVALID_ARG_VALUE,
               "argument %u is no pointer to global or constant memory", index);
    tf_kernel_arg_set_address(own, index, (uintptr_t)address);
    return CL_SUCCESS;
}

// What tf_kernel_arg_set_held() has left a reference on, or NULL.
static cl_mem held_by(cl_kernel own, cl_uint index)
{
    return own->info->args[index].kind == TF_ARG_BUFFER ? own->args[index].mem : NULL;
}

static cl_int set_args(struct tf_err *err, struct tf_update *update,
                       struct tf_update_step *step)
{
    const cl_kernel own = step->recorded->kernel->own;
    const tf_config_ptr config = step->config;

    save_args(update, step);
    step->taken = take_memory(update, changed_count(config) * sizeof(cl_mem));
    for (cl_uint i = 0; i < config->num_args; i++) {
        const cl_mutable_dispatch_arg_khr *arg = &config->arg_list[i];

        if (save_arg(err, step, arg->arg_index) ||
            tf_kernel_arg_set_held(err, own, arg->arg_index, arg->arg_size,
                                   arg->arg_value, update->held))
            return err->code;
        note_held(update, step, held_by(own, arg->arg_index));
    }
    for (cl_uint i = 0; i < config->num_svm_args; i++) {
        if (save_arg(err, step, config->arg_svm_list[i].arg_index) ||
            set_svm(err, own, config->arg_svm_list[i].arg_index,
                    config->arg_svm_list[i].arg_value))
            return err->code;
        note_held(update, step, NULL);
    }
    return CL_SUCCESS;
}

// Whether all groups have the enqueued local size.
static bool is_uniform(const size_t *global, const size_t *local, cl_uint dims)
{
    for (cl_uint d = 0; d < dims; d++)
        if (global[d] % local[d] != 0)
            return false;
    return true;
}

static void save_range(struct tf_update *update, struct tf_update_step *step)
{
    const struct tf_recorded_kernel *kernel = step->recorded->kernel;
    struct tf_range_change *range = take_memory(update, sizeof(*range));

    memcpy(range->global_offset, kernel->global_offset, sizeof(range->global_offset));
    memcpy(range->global_size, kernel->global_size, sizeof(range->global_size));
    memcpy(range->local_size, kernel->local_size, sizeof(range->local_size));
    range->had_local = kernel->desc.local_size;
    step->range = range;
}

static void restore_range(struct tf_update_step *step)
{
    struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct tf_range_change *range = step->range;

    memcpy(kernel->global_offset, range->global_offset, sizeof(range->global_offset));
    memcpy(kernel->global_size, range->global_size, sizeof(range->global_size));
    memcpy(kernel->local_size, range->local_size, sizeof(range->local_size));
    kernel->desc.local_size = range->had_local ? kernel->local_size : NULL;
}

static cl_int set_range(struct tf_err *err, struct tf_update *update,
                        struct tf_update_step *step)
{
    struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct tf_command_kernel *before = &step->recorded->ev->cmd.kernel;
    const tf_config_ptr config = step->config;
    const cl_uint dims = kernel->desc.work_dim;

    save_range(update, step);
    if (config->global_work_offset)
        memcpy(kernel->global_offset, config->global_work_offset, dims * sizeof(size_t));
    if (config->global_work_size)
        memcpy(kernel->global_size, config->global_work_size, dims * sizeof(size_t));
    if (config->local_work_size) {
        memcpy(kernel->local_size, config->local_work_size, dims * sizeof(size_t));
        kernel->desc.local_size = kernel->local_size;
    }
    if (tf_ndrange_resolve(err, step->recorded->ev->home.device->dev,
                           tf_kernel_device_info(kernel->on), &kernel->desc,
                           &step->range->now))
        return err->code;
    TF_REQUIRE(err,
               !step->range->had_local ||
                   is_uniform(before->global_size, before->local_size, dims) ==
                       is_uniform(kernel->global_size, kernel->local_size, dims),
               CL_INVALID_OPERATION, "work-groups become uniform, or cease to be");
    return CL_SUCCESS;
}

static cl_int begin_step(struct tf_err *err, struct tf_update *update,
                         tf_config_ptr config)
{
    struct tf_update_step *step = &update->steps[update->count];

    if (check_config(err, config, step->recorded->kernel))
        return err->code;
    update->count++; // from here on there is something to take back
    if (changes_args(config) && set_args(err, update, step))
        return err->code;
    return changes_range(config) ? set_range(err, update, step) : CL_SUCCESS;
}

// ---- What the commands will hold ----

// What the kernel has to do with queues on the device.
static unsigned queues_of(const struct tf_recorded_kernel *kernel)
{
    return tf_launch_queues(kernel->own, tf_kernel_device_info(kernel->on));
}

// Values and pointers are replaced one by one; for others the list is taken anew, as
// their places may depend on each other.
static bool must_retake(const struct tf_update_step *step)
{
    const cl_kernel own = step->recorded->kernel->own;

    if (step->recorded->kernel->lacks_args || queues_of(step->recorded->kernel) > 0)
        return true;
    for (cl_uint i = 0; i < step->taken_count; i++) {
        const uint32_t kind = own->info->args[tf_changed_arg(step->config, i)].kind;

        if (kind != TF_ARG_VALUE && kind != TF_ARG_BUFFER)
            return true;
    }
    return false;
}

static cl_int retake(struct tf_err *err, struct tf_update_step *step)
{
    const struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct tf_kernel_info *info = tf_kernel_device_info(kernel->on);
    const size_t most = kernel->own->object_max, queues = queues_of(kernel);
    struct tf_device *dev = step->recorded->ev->home.device->dev;
    struct tf_retaken *retaken = tf_zalloc(
        sizeof(*retaken) + most * (sizeof(*retaken->args.patches) + sizeof(void *)) +
        queues * sizeof(void *) + info->arg_block_bytes);

    step->retaken = retaken;
    if (!retaken)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "arguments of a command");
    retaken->args.objects = (void **)(retaken + 1);
    retaken->queues = retaken->args.objects + most;
    retaken->args.patches = (void *)(retaken->queues + queues);
    retaken->args.block = (unsigned char *)(retaken->args.patches + most);
    if (!tf_kernel_take_args(err, kernel->own, dev, info, &retaken->args) && queues > 0)
        tf_launch_take_queues(err, step->recorded->ev->home.device, kernel->own, info,
                              retaken->args.block, retaken->queues, &retaken->queue_count,
                              &retaken->default_queue);
    if (err->code == CL_INVALID_KERNEL_ARGS && kernel->lacks_args) {
        err->code = CL_SUCCESS; // the others may come later
        retaken->still_lacks = true;
    }
    return err->code;
}

static cl_int take_step(struct tf_err *err, struct tf_update_step *step)
{
    const struct tf_device *dev;

    if (!step->recorded || !step->saved)
        return CL_SUCCESS;
    dev = step->recorded->ev->home.device->dev;
    if (must_retake(step))
        return retake(err, step);
    for (cl_uint i = 0; i < step->taken_count; i++)
        TF_REQUIRE(err,
                   !step->taken[i] ||
                       tf_mem_origin_suits(step->taken[i]->origin_bytes, dev),
                   CL_MISALIGNED_SUB_BUFFER_OFFSET, "sub-buffer of argument %u",
                   tf_changed_arg(step->config, i));
    return CL_SUCCESS;
}

// From here on the plan, which is run and given up, keeps the objects of its kernels by
// itself: later updates do not know it any more.
static bool retire(cl_command_buffer_khr buffer, struct tf_plan *busy)
{
    size_t count = 0;

    for (size_t i = 0; i < buffer->recorded_count; i++)
        count += buffer->recorded[i].ev->held_count;
    busy->retired = tf_zalloc(count * sizeof(void *));
    if (!busy->retired)
        return false;
    for (size_t i = 0; i < buffer->recorded_count; i++) {
        const cl_event ev = buffer->recorded[i].ev;

        for (unsigned k = 0; k < ev->held_count; k++)
            busy->retired[busy->retired_count++] = tf_ref(tf_event_held(ev)[k]);
    }
    return true;
}

// Room for all objects that may be dropped. The last that can fail.
static cl_int take_room(struct tf_err *err, struct tf_update *update,
                        struct tf_plan *busy)
{
    size_t most = 0;

    for (cl_uint i = 0; i < update->count; i++) {
        const struct tf_update_step *step = &update->steps[i];

        // Of two steps for one command the second drops what the first one took.
        most += step->retaken ? step->recorded->ev->held_count +
                                    step->retaken->args.count + step->retaken->queue_count
                              : step->taken_count;
    }
    update->dropped = tf_realloc(NULL, (most + 1) * sizeof(void *));
    if (!update->dropped || (busy && !retire(update->buffer, busy)))
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "update of a command");
    return CL_SUCCESS;
}

// ---- The whole ----

static void take_back(struct tf_update_step *step)
{
    while (step->taken_count > 0)
        tf_unref(step->taken[--step->taken_count]);
}

static void undo_step(struct tf_update_step *step)
{
    if (step->saved)
        restore_args(step);
    if (step->range)
        restore_range(step);
}

static void free_retaken(struct tf_retaken *retaken)
{
    while (retaken && retaken->args.count > 0)
        tf_unref(retaken->args.objects[--retaken->args.count]);
    while (retaken && retaken->queue_count > 0)
        tf_unref(retaken->queues[--retaken->queue_count]);
    tf_free(retaken);
}

static void end_steps(struct tf_update *update, bool undo)
{
    for (cl_uint i = 0; i < update->count; i++)
        take_back(&update->steps[i]);
    for (cl_uint i = update->count; undo && i-- > 0;)
        undo_step(&update->steps[i]);
    for (cl_uint i = 0; i < update->count; i++)
        free_retaken(update->steps[i].retaken);
    tf_free(update->steps);
    tf_free(update->memory);
}

// Many commands often had the same one: at once.
static void drop_objects(struct tf_update *update)
{
    size_t i = 0, from;

    while (i < update->dropped_count) {
        for (from = i++;
             i < update->dropped_count && update->dropped[i] == update->dropped[from];)
            i++;
        tf_unref_times(update->dropped[from], (unsigned)(i - from));
    }
    tf_free(update->dropped);
}

static void settle(cl_command_buffer_khr buffer, size_t completed, bool is_stale)
    TF_EXCLUDES(&buffer->lock)
{
    struct tf_err err = {0}; // of a plan that is made too early to fail
    struct tf_plan *stale = NULL;

    tf_lock(&buffer->lock);
    buffer->lacking -= completed;
    if (is_stale) {
        stale = buffer->plan;
        buffer->plan = NULL;
    }
    if (buffer->lacking == 0) {
        buffer->state = CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
        if (!buffer->plan)
            buffer->plan = tf_plan_new(&err, buffer);
    }
    tf_unlock(&buffer->lock);
    tf_plan_unref(stale);
}

static cl_int apply(struct tf_err *err, struct tf_update *update, struct tf_plan *busy,
                    cl_uint count, const tf_config_ptr *configs)
{
    if (make_memory(err, update, count, configs) || !update->steps || !update->memory)
        return err->code;
    for (cl_uint i = 0; i < count && !err->code; i++)
        begin_step(err, update, configs[i]);
    pay(update);
    for (cl_uint i = 0; i < count && !err->code; i++)
        take_step(err, &update->steps[i]);
    if (err->code || take_room(err, update, busy))
        return err->code;
    for (cl_uint i = 0; i < count; i++)
        tf_update_put(update, &update->steps[i]);
    return CL_SUCCESS;
}

cl_int tf_command_buffer_update(struct tf_err *err, cl_command_buffer_khr buffer,
                                cl_uint count, const tf_config_ptr *configs) TF_NO_TSA
{
    struct tf_update update = {.buffer = buffer};
    struct tf_plan *busy;

    tf_command_buffer_begin_update(buffer);
    update.plan = buffer->plan && tf_plan_is_idle(buffer->plan) ? buffer->plan : NULL;
    busy = update.plan ? NULL : buffer->plan;
    apply(err, &update, busy, count, configs);
    drop_objects(&update);
    end_steps(&update, err->code != CL_SUCCESS);
    if (!err->code)
        settle(buffer, update.completed, busy != NULL);
    tf_command_buffer_end_update(buffer);
    return err->code;
}
