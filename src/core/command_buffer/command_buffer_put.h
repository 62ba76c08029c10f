// SPDX-License-Identifier: MIT
// An update of a command buffer on its way: what command_buffer_update.c prepares and
// command_buffer_put.c does.
#ifndef TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PUT_H
#define TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PUT_H

#include <string.h>

#include "core/command_buffer/command_buffer.h"

typedef const cl_mutable_dispatch_config_khr *tf_config_ptr;

// The range of a command, before and after.
struct tf_range_change {
    size_t global_offset[3], global_size[3], local_size[3];
    bool had_local;
    struct tf_ndrange now;
};

// The whole list of arguments of a command, taken anew.
struct tf_retaken {
    struct tf_kernel_args args; // with references
    void **queues;              // on the device, the same
    unsigned queue_count;
    struct tf_devqueue *default_queue;
    bool still_lacks; // arguments, after this
};

// One configuration on its way.
struct tf_update_step {
    tf_config_ptr config;
    struct tf_recorded *recorded;
    // Before it, NULL: as they were: the arguments that it changes, `saved_count` of them
    // so far, and own->block.
    struct tf_kernel_arg *saved;
    unsigned char *saved_block;
    cl_uint saved_count;
    struct tf_range_change *range; // NULL: as it was
    struct tf_retaken *retaken;    // owned; NULL: arguments are replaced one by one
    cl_mem *taken;                 // references on what the changed arguments are now
    cl_uint taken_count; // of the changed arguments in their order; NULL: no buffer
};

struct tf_update {
    cl_command_buffer_khr buffer;
    struct tf_plan *plan; // changed in place; NULL: none is
    struct tf_update_step *steps;
    cl_uint count;         // of steps that have begun
    cl_mem held;           // by a step: the last one that was taken; NULL: none
    unsigned owed;         // references on it that steps have and nobody has taken yet
    unsigned char *memory; // of all steps
    size_t used_bytes;     // of it
    void **dropped;        // objects that the commands do not use any more
    size_t dropped_count;
    size_t completed; // kernels that lack no arguments any more
};

// As memcpy(), which is called for sizes that are not known: most are of these.
static inline void tf_copy_few(void *to, const void *from, size_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 16)
        memcpy(to, from, 16);
    else if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, bytes);
}

// The i-th argument that a configuration changes.
static inline cl_uint tf_changed_arg(tf_config_ptr config, cl_uint i)
{
    return i < config->num_args ? config->arg_list[i].arg_index
                                : config->arg_svm_list[i - config->num_args].arg_index;
}

// Does what the step has prepared. Cannot fail.
void tf_update_put(struct tf_update *update, struct tf_update_step *step);

#endif // TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PUT_H
