// SPDX-License-Identifier: MIT
#include "devices/cpu/cpu.h"

#include <stdio.h>

#include "abi/kernel_info.h"
#include "base/time.h"
#include "core/object/error.h"
#include "devices/cpu/check/cpu_check.h"
#include "devices/cpu/cpu_device.h"
#include "devices/cpu/cpu_submit.h"
#include "devices/cpu/facts/cpu_caps.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/fiber/cpu_stack.h"
#include "devices/cpu/loader/jit_dump.h"
#include "devices/cpu/loader/jit_interface.h"
#include "devices/cpu/move/cpu_bytes.h"
#include "devices/cpu/move/cpu_copy_unit.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/program/cpu_blob.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/program/cpu_variant.h"
#include "devices/cpu/queue/cpu_device_event.h"
#include "devices/cpu/queue/cpu_device_queue.h"
#include "devices/cpu/queue/cpu_spare.h"
#include "devices/cpu/run/cpu_group_size.h"
#include "devices/cpu/run/cpu_statics.h"
#include "devices/cpu/tier/cpu_tier.h"

// Threads start with the first command, not with the first context: a program that only
// looks at devices and builds gets none. They stay for the next context.
static void cpu_close(struct tf_device *dev)
{
    (void)dev;
}

static cl_int program_build(struct tf_err *err, struct tf_device *dev,
                            const struct tf_build_in *in, struct tf_build_out *out)
{
    if (tf_cpu_program_build(err, dev, in, out))
        return err->code;
    tf_cpu_tier_settle(out->program);
    return CL_SUCCESS;
}

static cl_int program_load(struct tf_err *err, struct tf_device *dev, const void *blob,
                           size_t bytes, struct tf_devprog **out)
{
    (void)dev;
    if (tf_cpu_blob_load(err, blob, bytes, out))
        return err->code;
    tf_cpu_tier_settle(*out);
    return CL_SUCCESS;
}

static cl_int program_save(struct tf_err *err, struct tf_device *dev,
                           struct tf_devprog *prog, void **blob, size_t *bytes)
{
    (void)dev;
    return tf_cpu_blob_save(err, prog, blob, bytes);
}

static void program_free(struct tf_device *dev, struct tf_devprog *prog)
{
    (void)dev;
    if (prog) {
        atomic_store_explicit(&prog->released, true, memory_order_relaxed);
        tf_statics_destroy(prog);
    }
    tf_cpu_program_unref(prog);
}

static void program_info(struct tf_devprog *prog, struct tf_program_info *out)
{
    *out = (struct tf_program_info){.type = prog->type,
                                    .kernels = prog->infos,
                                    .kernel_count = prog->shown_count,
                                    .variable_bytes = prog->variable_bytes,
                                    .report = tf_cpu_variant_report(prog)};
    for (size_t i = prog->shown_count; i < prog->kernel_count; i++) {
        out->has_constructors |= (prog->infos[i].flags & TF_KERNEL_CONSTRUCTS) != 0;
        out->has_destructors |= (prog->infos[i].flags & TF_KERNEL_DESTROYS) != 0;
    }
}

static void kernel_expected(struct tf_device *dev, struct tf_devprog *prog,
                            uint32_t kernel_index)
{
    (void)dev;
    tf_cpu_tier_expect(prog, kernel_index);
}

static uint64_t now_ns(struct tf_device *dev)
{
    (void)dev;
    return tf_time_ns();
}

static void submit(struct tf_device *dev, struct tf_command *run)
{
    // The device may go with the last command: it is not asked again.
    tf_cpu_submit(tf_cpu_device_of(dev)->pool, run);
}

static void help(struct tf_device *dev, struct tf_command *cmd)
{
    tf_cpu_help(tf_cpu_device_of(dev)->pool, cmd);
}

static cl_int run_here(struct tf_device *dev, struct tf_command *cmd)
{
    return tf_copy_unit_run(tf_cpu_device_of(dev)->pool, cmd);
}

static void forked(struct tf_device *dev)
{
    (void)dev;
    tf_cpu_device_forked();
    tf_stack_forked();
    tf_cpu_kernel_forked();
    tf_cpu_compiler_forked();
    tf_device_events_forked();
    tf_spares_forked();
    tf_mem_list_forked();
    tf_check_forked();
    tf_jit_forked();
    tf_jit_dump_forked();
}

static const struct tf_device_ops ops = {
    .open = tf_cpu_device_open,
    .close = cpu_close,
    .mem_alloc = tf_cpu_mem_alloc,
    .mem_free = tf_cpu_mem_free,
    .mem_map = tf_cpu_mem_map,
    .mem_unmap = tf_cpu_mem_unmap,
    .program_build = program_build,
    .program_load = program_load,
    .program_save = program_save,
    .program_free = program_free,
    .program_info = program_info,
    .kernel_expected = kernel_expected,
    .group_size = tf_cpu_group_size,
    .device_queue_new = tf_cpu_device_queue_new,
    .device_queue_free = tf_cpu_device_queue_free,
    .submit = submit,
    .now_ns = now_ns,
    .help = help,
    .forked = forked,
    .run_here = run_here,
    .affinity = tf_cpu_device_affinity,
    .sub_device_new = tf_cpu_sub_device_new,
    .sub_device_free = tf_cpu_sub_device_free,
};

static struct tf_device_caps caps; // of sub-devices, too
static struct tf_cpu_device device = {
    .dev = {.ops = &ops, .info = &device.info, .caps = &caps}};

static void name_build(struct tf_device_info *info)
{
    char id[TF_BUILD_ID_BYTES] = "";

    if (tf_cpu_compiler_id(id))
        snprintf(info->build, sizeof(info->build), "%.*s", TF_BUILD_BYTES - 1, id);
}

static size_t probe(struct tf_device **out, size_t max)
{
    size_t level_count;

    if (max == 0)
        return 0;
    tf_cpu_info_init(&device.info);
    name_build(&device.info);
    tf_cpu_caps_init(&caps, &device.info, tf_cpu_compiler_found());
    tf_bytes_init(device.info.cache_bytes,
                  (unsigned)(tf_cpu_info_level() - tf_arch_levels(&level_count)));
    out[0] = &device.dev;
    return 1;
}

const struct tf_driver tf_cpu_driver = {.name = "cpu", .probe = probe};
