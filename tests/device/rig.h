// SPDX-License-Identifier: MIT
// What core is to a device, for tests of devices alone: the answers to started and
// finished, commands to be answered for, and a program with memory. Included by one
// source file of each test program.
#ifndef TF_TESTS_DEVICE_RIG_H
#define TF_TESTS_DEVICE_RIG_H

#include <check.h>
#include <pthread.h>
#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"
#include "core/platform/device_interface.h"
#include "support/fake_compiler.h"

struct rig_command {
    struct tf_command cmd;
    alignas(128) unsigned char block[128];
    struct tf_arg_patch patch;
    unsigned started, finished; // under rig.lock
    cl_int status;
    unsigned order; // of finishing, from 1
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned finished_count;
    struct tf_device *dev;
} rig = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

#define OPS (rig.dev->ops)

void tf_command_started(struct tf_command *cmd)
{
    struct rig_command *c = tf_container_of(cmd, struct rig_command, cmd);

    pthread_mutex_lock(&rig.lock);
    c->started++;
    pthread_mutex_unlock(&rig.lock);
}

void tf_command_finished(struct tf_command *cmd, cl_int status)
{
    struct rig_command *c = tf_container_of(cmd, struct rig_command, cmd);

    pthread_mutex_lock(&rig.lock);
    c->status = status;
    c->order = ++rig.finished_count;
    c->finished++;
    pthread_cond_broadcast(&rig.changed);
    pthread_mutex_unlock(&rig.lock);
}

// No command of these tests is for one thread.
void tf_command_kept(struct tf_command *cmd)
{
    ck_assert_ptr_null(cmd);
}

static inline void rig_use(struct tf_device *dev)
{
    struct tf_err err = {0};

    rig.dev = dev;
    ck_assert_int_eq(dev->ops->open(&err, dev), CL_SUCCESS);
}

static inline void rig_wait(struct rig_command *c)
{
    pthread_mutex_lock(&rig.lock);
    while (!c->finished)
        pthread_cond_wait(&rig.changed, &rig.lock);
    ck_assert_uint_eq(c->started, 1);
    ck_assert_uint_eq(c->finished, 1);
    pthread_mutex_unlock(&rig.lock);
}

static inline bool rig_is_finished(struct rig_command *c)
{
    bool finished;

    pthread_mutex_lock(&rig.lock);
    finished = c->finished > 0;
    pthread_mutex_unlock(&rig.lock);
    return finished;
}

static inline void rig_submit(struct rig_command *c)
{
    rig.dev->ops->submit(rig.dev, &c->cmd);
}

static inline cl_int rig_run(struct rig_command *c)
{
    rig_submit(c);
    rig_wait(c);
    return c->status;
}

static inline struct tf_devmem *rig_alloc(size_t bytes)
{
    const struct tf_mem_desc desc = {.size_bytes = bytes, .align_bytes = 128};
    struct tf_devmem *mem = NULL;
    struct tf_err err = {0};

    ck_assert_int_eq(rig.dev->ops->mem_alloc(&err, rig.dev, &desc, &mem), CL_SUCCESS);
    ck_assert_ptr_nonnull(mem);
    return mem;
}

static inline void *rig_address(struct tf_devmem *mem, size_t bytes)
{
    struct tf_err err = {0};
    void *host = NULL;

    ck_assert_int_eq(
        rig.dev->ops->mem_map(&err, rig.dev, mem, 0, bytes, CL_MAP_WRITE, &host),
        CL_SUCCESS);
    return host;
}

static inline void rig_free(struct tf_devmem *mem)
{
    rig.dev->ops->mem_free(rig.dev, mem);
}

// Memory of `count` numbers 0, and its address.
static inline struct tf_devmem *rig_zeros(size_t count, uint32_t **data)
{
    struct tf_devmem *mem = rig_alloc(count * 4);

    *data = rig_address(mem, count * 4);
    memset(*data, 0, count * 4);
    return mem;
}

static inline struct tf_devprog *rig_build(const char *source)
{
    const struct tf_build_in in = {.kind = TF_BUILD_WHOLE,
                                   .source = source,
                                   .source_bytes = strlen(source),
                                   .options = ""};
    struct tf_build_out out = {0};
    struct tf_err err = {0};

    ck_assert_msg(rig.dev->ops->program_build(&err, rig.dev, &in, &out) == CL_SUCCESS,
                  "%s %s", err.text, out.log);
    ck_assert_ptr_nonnull(out.program);
    tf_free(out.log);
    return out.program;
}

// Makes *c a launch of a kernel with the arguments of struct fake_args in one dimension.
static inline void rig_kernel(struct rig_command *c, struct tf_devprog *prog,
                              unsigned index, struct tf_devmem *data, uint32_t value,
                              size_t global, size_t local)
{
    memset(c, 0, sizeof(*c));
    memcpy(c->block + 8, &value, sizeof(value));
    c->patch.mem = data;
    c->cmd.kind = TF_CMD_KERNEL;
    c->cmd.kernel.program = prog;
    c->cmd.kernel.kernel_index = index;
    c->cmd.kernel.work_dim = 1;
    c->cmd.kernel.arg_block = c->block;
    c->cmd.kernel.arg_block_bytes = 24;
    c->cmd.kernel.patches = &c->patch;
    c->cmd.kernel.patch_count = 1;
    for (int i = 0; i < 3; i++)
        c->cmd.kernel.global_size[i] = c->cmd.kernel.local_size[i] = 1;
    c->cmd.kernel.global_size[0] = global;
    c->cmd.kernel.local_size[0] = local;
}

// ---- A program, and memory for its kernels ----

struct scene {
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    uint32_t *data; // what is in it
};

// The program is given.
static inline struct scene scene_of(struct tf_devprog *prog, size_t count)
{
    struct scene s = {.prog = prog};

    s.mem = rig_zeros(count, &s.data);
    return s;
}

static inline struct scene scene_begin(const char *source, size_t count)
{
    return scene_of(rig_build(source), count);
}

static inline void scene_end(const struct scene *s)
{
    rig_free(s->mem);
    OPS->program_free(rig.dev, s->prog);
}

// As rig_kernel(): the argument is the scene's memory.
static inline void scene_kernel(const struct scene *s, struct rig_command *c,
                                unsigned index, uint32_t value, size_t global,
                                size_t local)
{
    rig_kernel(c, s->prog, index, s->mem, value, global, local);
}

// Runs such a launch; its status.
static inline cl_int scene_run(const struct scene *s, unsigned index, uint32_t value,
                               size_t global, size_t local)
{
    struct rig_command c;

    scene_kernel(s, &c, index, value, global, local);
    return rig_run(&c);
}

// ---- Kernels ----

// Entry function of the kernel that the mock device has: data[i] += value.
static inline void rig_add_group(const struct tf_launch *launch,
                                 const struct tf_group *group, void *arg)
{
    const struct fake_args *args = launch->args;

    (void)arg;
    for (uint64_t z = 0; z < group->local_size[2]; z++) {
        for (uint64_t y = 0; y < group->local_size[1]; y++) {
            for (uint64_t x = 0; x < group->local_size[0]; x++) {
                const uint64_t at[3] = {
                    group->global_base[0] - launch->global_offset[0] + x,
                    group->global_base[1] - launch->global_offset[1] + y,
                    group->global_base[2] - launch->global_offset[2] + z};

                args->data[(at[2] * launch->global_size[1] + at[1]) *
                               launch->global_size[0] +
                           at[0]] += args->value;
            }
        }
    }
}

static inline void rig_add(const struct tf_launch *launch, struct tf_worker *worker,
                           const tf_u64 first[3], tf_u64 count)
{
    (void)worker;
    fake_for_each_group(launch, first, count, rig_add_group, NULL);
}

#endif // TF_TESTS_DEVICE_RIG_H
