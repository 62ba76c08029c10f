// SPDX-License-Identifier: MIT
#include "devices/cpu/cpu_program.h"

#include <string.h>

#include "base/alloc.h"
#include "core/kernel_info.h"

struct tf_devprog *tf_cpu_program_new(cl_uint type)
{
    struct tf_devprog *prog = tf_zalloc(sizeof(*prog));

    if (!prog)
        return NULL;
    atomic_init(&prog->refs, 1);
    prog->type = type;
    tf_mutex_init(&prog->lock, TF_RANK_LEAF);
    tf_cond_init(&prog->changed);
    return prog;
}

void tf_cpu_program_unref(struct tf_devprog *prog)
{
    // Release: this owner's writes are done; acquire: the last one sees those of all.
    if (!prog || atomic_fetch_sub_explicit(&prog->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < prog->kernel_count; i++) {
        tf_elf_unload(&prog->kernels[i].image);
        tf_free(prog->kernels[i].object);
    }
    tf_free(prog->kernels);
    tf_free(prog->infos);
    tf_free(prog->packed);
    tf_free(prog->bitcode);
    tf_free(prog->build_id);
    tf_cond_finish(&prog->changed);
    tf_mutex_finish(&prog->lock);
    tf_free(prog);
}

bool tf_cpu_program_set_kernels(struct tf_devprog *prog, const void *packed, size_t bytes)
{
    prog->infos = tf_kernel_info_unpack(packed, bytes, &prog->kernel_count);
    if (!prog->infos) {
        prog->kernel_count = 0;
        return false;
    }
    prog->kernels = tf_zalloc(prog->kernel_count * sizeof(*prog->kernels));
    prog->packed = tf_memdup(packed, bytes);
    prog->packed_bytes = bytes;
    if (prog->kernels && prog->packed)
        return true;
    if (!prog->kernels)
        prog->kernel_count = 0;
    return false;
}
