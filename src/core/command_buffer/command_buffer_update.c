// SPDX-License-Identifier: MIT
// clUpdateMutableCommandsKHR: all configurations or none. First every new value goes into
// the commands' own kernels and ranges, with the old ones saved; then what the commands
// will hold is taken; what is left cannot fail. A plan that nobody replays is changed in
// place, otherwise it is given up to its replays and made anew.
#include <string.h>

#include "base/alloc.h"
#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_plan.h"
#include "core/memory/mem.h"
#include "core/memory/svm.h"
#include "core/object/error.h"

typedef const cl_mutable_dispatch_config_khr *config_ptr;

// The range of a command, before and after.
struct range_change {
    size_t global_offset[3], global_size[3], local_size[3];
    bool had_local;
    struct tf_ndrange now;
};

// The whole list of arguments of a command, taken anew.
struct retaken {
    struct tf_kernel_args args; // with references
    bool still_lacks;           // arguments, after this
};

// One configuration on its way.
struct step {
    config_ptr config;
    struct tf_recorded *recorded;
    unsigned char *saved;       // own->args and own->block before it; NULL: as they were
    struct range_change *range; // NULL: as it was
    struct retaken *retaken;    // owned; NULL: arguments are replaced one by one
    cl_uint refs_taken;         // then, of the changed arguments in their order
};

struct update {
    cl_command_buffer_khr buffer;
    struct tf_plan *plan; // changed in place; NULL: none is
    struct step *steps;
    cl_uint count;         // of steps that have begun
    unsigned char *memory; // of all steps
    size_t used_bytes;     // of it
    void **dropped;        // objects that the commands do not use any more
    size_t dropped_count;
    size_t completed; // kernels that lack no arguments any more
};

void tf_recorded_settle(struct tf_recorded *recorded)
{
    const cl_kernel own = recorded->kernel ? recorded->kernel->own : NULL;

    if (!own || !recorded->kernel->has_news)
        return;
    // All but local memory is there as it is in a launch's block.
    for (cl_uint i = 0; i < own->info->arg_count; i++) {
        const struct tf_kernel_arg_info *arg = &own->info->args[i];
        const uint32_t at = arg->block_offset_bytes;

        if (arg->kind == TF_ARG_VALUE || arg->kind == TF_ARG_BUFFER)
            memcpy((char *)recorded->ev->cmd.kernel.arg_block + at, own->block + at,
                   arg->size_bytes);
    }
    recorded->kernel->has_news = false;
}

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

static cl_int check_config(struct tf_err *err, config_ptr config,
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

static size_t args_bytes(cl_kernel kernel)
{
    return kernel->info->arg_count * sizeof(*kernel->args);
}

static bool changes_args(config_ptr config)
{
    return config->num_args > 0 || config->num_svm_args > 0;
}

static bool changes_range(config_ptr config)
{
    return config->global_work_offset || config->global_work_size ||
           config->local_work_size;
}

static void *take_memory(struct update *update, size_t bytes)
{
    void *memory = update->memory + update->used_bytes;

    update->used_bytes +=
        (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    return memory;
}

// What the change of a pointer touches lies far apart, and is needed soon.
static void fetch(const struct update *update, const struct tf_recorded *recorded)
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

// What the steps will take, once for all of them.
static cl_int make_memory(struct tf_err *err, struct update *update, cl_uint count,
                          const config_ptr *configs)
{
    size_t bytes = 1;

    for (cl_uint i = 0; i < count; i++) {
        struct tf_recorded *recorded;

        if (find_command(err, update->buffer, configs[i]->command, &recorded))
            return err->code;
        fetch(update, recorded);
        if (changes_args(configs[i]) && recorded->kernel->own)
            bytes += args_bytes(recorded->kernel->own) +
                     recorded->kernel->own->info->arg_block_bytes + sizeof(uint64_t);
        if (changes_range(configs[i]))
            bytes += sizeof(struct range_change);
    }
    update->steps = tf_realloc(NULL, count * sizeof(*update->steps));
    update->memory = tf_realloc(NULL, bytes);
    if (!update->steps || !update->memory)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "update of %u commands", count);
    return CL_SUCCESS;
}

static void save_args(struct update *update, struct step *step)
{
    const cl_kernel own = step->recorded->kernel->own;
    const size_t block = own->info->arg_block_bytes, args = args_bytes(own);

    step->saved = take_memory(update, args + block);
    memcpy(step->saved, own->args, args);
    memcpy(step->saved + args, own->block, block);
}

static void restore_args(struct step *step)
{
    const cl_kernel own = step->recorded->kernel->own;
    const size_t args = args_bytes(own);

    memcpy(own->args, step->saved, args);
    memcpy(own->block, step->saved + args, own->info->arg_block_bytes);
}

static cl_int check_index(struct tf_err *err, cl_kernel own, cl_uint index)
{
    TF_REQUIRE(err, index < own->info->arg_count, CL_INVALID_ARG_INDEX,
               "argument %u of %u", index, own->info->arg_count);
    return CL_SUCCESS;
}

static cl_int set_svm(struct tf_err *err, cl_kernel own, cl_uint index,
                      const void *address)
{
    TF_REQUIRE(err, tf_svm_supported(own->obj.ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
               "no device of the context has SVM");
    if (check_index(err, own, index))
        return err->code;
    TF_REQUIRE(err, own->info->args[index].kind == TF_ARG_BUFFER, CL_INVALID_ARG_VALUE,
               "argument %u is no pointer to global or constant memory", index);
    tf_kernel_arg_set_address(own, index, (uintptr_t)address);
    return CL_SUCCESS;
}

static cl_int set_args(struct tf_err *err, struct update *update, struct step *step)
{
    const cl_kernel own = step->recorded->kernel->own;
    const config_ptr config = step->config;

    save_args(update, step);
    for (cl_uint i = 0; i < config->num_args && !err->code; i++) {
        const cl_mutable_dispatch_arg_khr *arg = &config->arg_list[i];

        if (!check_index(err, own, arg->arg_index))
            tf_kernel_arg_set(err, own, arg->arg_index, arg->arg_size, arg->arg_value);
    }
    for (cl_uint i = 0; i < config->num_svm_args && !err->code; i++)
        set_svm(err, own, config->arg_svm_list[i].arg_index,
                config->arg_svm_list[i].arg_value);
    return err->code;
}

// Whether all groups have the enqueued local size.
static bool is_uniform(const size_t *global, const size_t *local, cl_uint dims)
{
    for (cl_uint d = 0; d < dims; d++)
        if (global[d] % local[d] != 0)
            return false;
    return true;
}

static void save_range(struct update *update, struct step *step)
{
    const struct tf_recorded_kernel *kernel = step->recorded->kernel;
    struct range_change *range = take_memory(update, sizeof(*range));

    memcpy(range->global_offset, kernel->global_offset, sizeof(range->global_offset));
    memcpy(range->global_size, kernel->global_size, sizeof(range->global_size));
    memcpy(range->local_size, kernel->local_size, sizeof(range->local_size));
    range->had_local = kernel->desc.local_size;
    step->range = range;
}

static void restore_range(struct step *step)
{
    struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct range_change *range = step->range;

    memcpy(kernel->global_offset, range->global_offset, sizeof(range->global_offset));
    memcpy(kernel->global_size, range->global_size, sizeof(range->global_size));
    memcpy(kernel->local_size, range->local_size, sizeof(range->local_size));
    kernel->desc.local_size = range->had_local ? kernel->local_size : NULL;
}

static cl_int set_range(struct tf_err *err, struct update *update, struct step *step)
{
    struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct tf_command_kernel *before = &step->recorded->ev->cmd.kernel;
    const config_ptr config = step->config;
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

static cl_int begin_step(struct tf_err *err, struct update *update, config_ptr config)
{
    struct step *step = &update->steps[update->count];

    *step = (struct step){.config = config};
    if (find_command(err, update->buffer, config->command, &step->recorded) ||
        check_config(err, config, step->recorded->kernel))
        return err->code;
    update->count++; // from here on there is something to take back
    if (changes_args(config) && set_args(err, update, step))
        return err->code;
    return changes_range(config) ? set_range(err, update, step) : CL_SUCCESS;
}

// ---- What the commands will hold ----

// The i-th argument that a configuration changes.
static cl_uint changed_arg(config_ptr config, cl_uint i)
{
    return i < config->num_args ? config->arg_list[i].arg_index
                                : config->arg_svm_list[i - config->num_args].arg_index;
}

static cl_uint changed_count(const struct step *step)
{
    return step->saved ? step->config->num_args + step->config->num_svm_args : 0;
}

// Values and pointers are replaced one by one; for others the list is taken anew, as
// their places may depend on each other.
static bool must_retake(const struct step *step)
{
    const cl_kernel own = step->recorded->kernel->own;

    if (step->recorded->kernel->lacks_args)
        return true;
    for (cl_uint i = 0; i < changed_count(step); i++) {
        const uint32_t kind = own->info->args[changed_arg(step->config, i)].kind;

        if (kind != TF_ARG_VALUE && kind != TF_ARG_BUFFER)
            return true;
    }
    return false;
}

static cl_int retake(struct tf_err *err, struct step *step)
{
    const struct tf_recorded_kernel *kernel = step->recorded->kernel;
    const struct tf_kernel_info *info = tf_kernel_device_info(kernel->on);
    const size_t most = kernel->own->object_max;
    struct retaken *retaken = tf_zalloc(
        sizeof(*retaken) + most * (sizeof(*retaken->args.patches) + sizeof(void *)) +
        info->arg_block_bytes);

    step->retaken = retaken;
    if (!retaken)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "arguments of a command");
    retaken->args.objects = (void **)(retaken + 1);
    retaken->args.patches = (void *)(retaken->args.objects + most);
    retaken->args.block = (unsigned char *)(retaken->args.patches + most);
    tf_kernel_take_args(err, kernel->own, step->recorded->ev->home.device->dev, info,
                        &retaken->args);
    if (err->code == CL_INVALID_KERNEL_ARGS && kernel->lacks_args) {
        err->code = CL_SUCCESS; // the others may come later
        retaken->still_lacks = true;
    }
    return err->code;
}

static cl_int take_one(struct tf_err *err, const struct step *step, cl_uint index)
{
    const struct tf_kernel_arg *arg = &step->recorded->kernel->own->args[index];
    const struct tf_device *dev = step->recorded->ev->home.device->dev;

    TF_REQUIRE(err, !arg->mem || tf_mem_origin_suits(arg->mem->origin_bytes, dev),
               CL_MISALIGNED_SUB_BUFFER_OFFSET, "sub-buffer of argument %u", index);
    TF_REQUIRE(err, tf_kernel_arg_take(arg), CL_INVALID_KERNEL_ARGS,
               "argument %u is a released object", index);
    return CL_SUCCESS;
}

static cl_int take_step(struct tf_err *err, struct step *step)
{
    if (!step->saved)
        return CL_SUCCESS;
    if (must_retake(step))
        return retake(err, step);
    for (cl_uint i = 0; i < changed_count(step); i++, step->refs_taken++)
        if (take_one(err, step, changed_arg(step->config, i)))
            break;
    return err->code;
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
static cl_int take_room(struct tf_err *err, struct update *update, struct tf_plan *busy)
{
    size_t most = 0;

    for (cl_uint i = 0; i < update->count; i++) {
        const struct step *step = &update->steps[i];

        most += step->retaken ? step->recorded->ev->held_count : changed_count(step);
    }
    update->dropped = tf_realloc(NULL, (most + 1) * sizeof(void *));
    if (!update->dropped || (busy && !retire(update->buffer, busy)))
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "update of a command");
    return CL_SUCCESS;
}

// ---- Nothing can fail any more ----

static void mark(struct tf_batch *batch, size_t place, uint8_t change)
{
    const unsigned count =
        atomic_load_explicit(&batch->changed_count, memory_order_relaxed);

    if (batch->changes[place] == 0) {
        batch->changed[count] = (uint32_t)place;
        atomic_store_explicit(&batch->changed_count, count + 1, memory_order_release);
    }
    batch->changes[place] |= change;
}

// The command in the plan, or NULL where that is not changed.
static struct tf_command_kernel *in_plan(const struct update *update,
                                         const struct tf_recorded *recorded)
{
    return update->plan ? &recorded->batch->commands[recorded->place].kernel : NULL;
}

static size_t find_patch(const struct tf_command_kernel *kernel, uint32_t at)
{
    size_t i = 0;

    while (i < kernel->patch_count && kernel->patches[i].block_offset_bytes != at)
        i++;
    return i;
}

// Puts a patch in the place of that at its offset (patch->mem NULL: of none).
static void put_patch(struct tf_command_kernel *kernel, const struct tf_arg_patch *patch)
{
    struct tf_arg_patch *patches = (struct tf_arg_patch *)kernel->patches;
    const size_t i = find_patch(kernel, patch->block_offset_bytes);

    if (patch->mem) {
        patches[i] = *patch;
        kernel->patch_count += i == kernel->patch_count;
    } else if (i < kernel->patch_count) {
        patches[i] = patches[--kernel->patch_count];
    }
}

// The same for the objects, which stand in the patches' order.
static void put_object(struct update *update, struct tf_recorded *recorded, uint32_t at,
                       cl_mem mem)
{
    const struct tf_command_kernel *kernel = &recorded->ev->cmd.kernel;
    void **objects = tf_event_held(recorded->ev);
    const size_t i = find_patch(kernel, at);

    if (i < kernel->patch_count)
        update->dropped[update->dropped_count++] = objects[i];
    if (mem) {
        objects[i] = mem;
        recorded->ev->held_count += i == kernel->patch_count;
    } else if (i < kernel->patch_count) {
        objects[i] = objects[--recorded->ev->held_count];
    }
}

// A pointer: the patches and objects change their places.
static void put_pointer(struct update *update, struct tf_recorded *recorded,
                        const struct tf_kernel_arg_info *info, cl_mem mem)
{
    struct tf_command_kernel *planned = in_plan(update, recorded);
    struct tf_arg_patch patch = {.block_offset_bytes = info->block_offset_bytes};

    if (mem) {
        const struct tf_devrange range =
            tf_mem_range(mem, recorded->ev->home.device->dev, 0);

        patch.mem = range.mem;
        patch.delta_bytes = range.offset_bytes;
    }
    put_object(update, recorded, info->block_offset_bytes, mem);
    put_patch(&recorded->ev->cmd.kernel, &patch);
    if (!planned)
        return;
    put_patch(planned, &patch);
    if (mem)
        mark(recorded->batch, recorded->place, TF_CHANGED_ADDRESSES);
}

static void put_arg(struct update *update, struct tf_recorded *recorded, cl_uint index)
{
    const cl_kernel own = recorded->kernel->own;
    const struct tf_kernel_arg_info *info = &own->info->args[index];
    const uint32_t at = info->block_offset_bytes;

    recorded->kernel->has_news = true;
    if (update->plan)
        memcpy(recorded->block + at, own->block + at, info->size_bytes);
    if (info->kind == TF_ARG_BUFFER)
        put_pointer(update, recorded, info, own->args[index].mem);
}

static void copy_args(struct tf_command_kernel *to, const struct tf_kernel_args *args)
{
    memcpy(to->arg_block, args->block, to->arg_block_bytes);
    memcpy((struct tf_arg_patch *)to->patches, args->patches,
           args->count * sizeof(*args->patches));
    to->patch_count = args->count;
    to->local_bytes = args->local_bytes;
}

static void put_all_args(struct update *update, struct step *step)
{
    struct tf_recorded *recorded = step->recorded;
    struct tf_command_kernel *planned = in_plan(update, recorded);
    struct tf_kernel_args *args = &step->retaken->args;
    void **objects = tf_event_held(recorded->ev);

    for (unsigned i = 0; i < recorded->ev->held_count; i++)
        update->dropped[update->dropped_count++] = objects[i];
    memcpy(objects, args->objects, args->count * sizeof(*objects));
    recorded->ev->held_count = args->count;
    copy_args(&recorded->ev->cmd.kernel, args);
    if (planned) {
        copy_args(planned, args);
        mark(recorded->batch, recorded->place, TF_CHANGED_ADDRESSES | TF_CHANGED_RANGE);
    }
    args->count = 0; // the references are the command's
    update->completed += recorded->kernel->lacks_args;
    recorded->kernel->lacks_args = false;
}

static void copy_range(struct tf_command_kernel *to, const struct tf_ndrange *range)
{
    memcpy(to->global_offset, range->global_offset, sizeof(to->global_offset));
    memcpy(to->global_size, range->global_size, sizeof(to->global_size));
    memcpy(to->local_size, range->local_size, sizeof(to->local_size));
}

static void put_range(const struct update *update, const struct step *step)
{
    struct tf_command_kernel *planned = in_plan(update, step->recorded);

    copy_range(&step->recorded->ev->cmd.kernel, &step->range->now);
    if (!planned)
        return;
    copy_range(planned, &step->range->now);
    mark(step->recorded->batch, step->recorded->place, TF_CHANGED_RANGE);
}

static void put_step(struct update *update, struct step *step)
{
    if (step->retaken && !step->retaken->still_lacks)
        put_all_args(update, step);
    for (cl_uint i = 0; !step->retaken && i < changed_count(step); i++)
        put_arg(update, step->recorded, changed_arg(step->config, i));
    step->refs_taken = 0;
    if (step->range)
        put_range(update, step);
}

// ---- The whole ----

static void take_back(struct step *step)
{
    struct tf_recorded_kernel *kernel = step->recorded->kernel;

    for (cl_uint i = 0; i < step->refs_taken; i++)
        tf_unref(kernel->own->args[changed_arg(step->config, i)].mem);
    step->refs_taken = 0;
}

static void undo_step(struct step *step)
{
    if (step->saved)
        restore_args(step);
    if (step->range)
        restore_range(step);
}

static void free_retaken(struct retaken *retaken)
{
    while (retaken && retaken->args.count > 0)
        tf_unref(retaken->args.objects[--retaken->args.count]);
    tf_free(retaken);
}

static void end_steps(struct update *update, bool undo)
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

static void drop_objects(struct update *update)
{
    for (size_t i = 0; i < update->dropped_count; i++)
        tf_unref(update->dropped[i]);
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

static cl_int apply(struct tf_err *err, struct update *update, struct tf_plan *busy,
                    cl_uint count, const config_ptr *configs)
{
    if (make_memory(err, update, count, configs))
        return err->code;
    for (cl_uint i = 0; i < count && !err->code; i++)
        begin_step(err, update, configs[i]);
    for (cl_uint i = 0; i < count && !err->code; i++)
        take_step(err, &update->steps[i]);
    if (err->code || take_room(err, update, busy))
        return err->code;
    for (cl_uint i = 0; i < count; i++)
        put_step(update, &update->steps[i]);
    return CL_SUCCESS;
}

cl_int tf_command_buffer_update(struct tf_err *err, cl_command_buffer_khr buffer,
                                cl_uint count, const config_ptr *configs) TF_NO_TSA
{
    struct update update = {.buffer = buffer};
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
