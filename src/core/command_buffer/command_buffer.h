// SPDX-License-Identifier: MIT
// Command buffers (cl_khr_command_buffer): commands that are recorded once and enqueued
// any number of times, each time as one command with one event.
//
// A recorded command is an event that is never published: it has the command as plain
// data and holds what that uses. Which commands may run at the same time is decided as
// they are recorded: each gets a depth, above those of all that it waits for. From that
// finalizing makes a plan (command_buffer_plan.h), which is what is replayed.
#ifndef TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_H
#define TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_H

#include <CL/cl_trefoil.h>

#include "abi/language_features.h"
#include "base/thread.h"
#include "core/command/enqueue.h"
#include "core/command/launch.h"
#include "core/object/object.h"
#include "core/object/props.h"

struct tf_plan;

// What is known of a recorded kernel beyond its command.
struct tf_recorded_kernel {
    cl_kernel given; // owned reference
    cl_kernel own;   // with arguments of its own; the user's handle of nobody; or NULL
    const struct tf_kernel_device *on; // of the command's device; borrowed from given
    struct tf_ndrange_desc desc;       // its arrays are the next three, or NULL
    size_t global_offset[3], global_size[3], local_size[3];
    cl_mutable_dispatch_fields_khr fields; // that may be updated
    bool lacks_args;                       // not all are set
    bool has_news; // plain values in own->block that the command's block does not have
};

struct tf_recorded {
    // What updates look at comes first.
    struct tf_recorded_kernel *kernel; // owned; NULL: another command
    cl_event ev;                       // owned
    struct tf_batch *batch;            // of the plan, where its command stands
    size_t place;                      // there
    unsigned char *block;              // its argument block there
    cl_uint queue_index;
    bool is_barrier;
    int64_t depth;                 // -1: a barrier with nothing before it
    cl_mutable_command_khr handle; // owned; NULL: nobody asked for it
    struct tf_props props;         // given for this command
};

struct _cl_mutable_command_khr {
    struct tf_object obj;
    cl_command_buffer_khr buffer; // borrowed: it owns the handle
    size_t index;                 // of its recorded commands
};

struct tf_recording_queue {
    cl_command_queue queue; // owned reference
    int64_t last_depth;     // of the last command on it; -1: none
};

struct _cl_command_buffer_khr {
    struct tf_object obj;
    cl_command_buffer_flags_khr flags;
    cl_mutable_dispatch_asserts_khr asserts;
    struct tf_props props;
    struct tf_mutex lock;
    struct tf_cond changed; // `updating` has ended
    cl_command_buffer_state_khr state TF_GUARDED_BY(&lock);
    bool updating TF_GUARDED_BY(&lock);
    size_t lacking TF_GUARDED_BY(&lock); // kernels that lack arguments
    // Grows under the lock; constant from the end of the recording on, but for what an
    // update changes in its commands.
    struct tf_recorded *recorded;
    size_t recorded_count, recorded_room;
    int64_t least_depth TF_GUARDED_BY(&lock);  // of later commands, for the last barrier
    int64_t top_depth TF_GUARDED_BY(&lock);    // of all commands; -1: none
    struct tf_plan *plan TF_GUARDED_BY(&lock); // owned; NULL: to be made
    cl_uint queue_count;
    struct tf_recording_queue queues[];
};

struct tf_command_buffer_desc {
    cl_uint queue_count;
    const cl_command_queue *queues;
    const cl_command_buffer_properties_khr *properties; // NULL, or checked
    size_t property_count;                              // with the terminating 0
};

// CL_OUT_OF_HOST_MEMORY.
cl_int tf_command_buffer_create(struct tf_err *err, cl_context ctx,
                                const struct tf_command_buffer_desc *desc,
                                cl_command_buffer_khr *out);

// A command that is being recorded: arguments are checked.
struct tf_record {
    struct tf_recorder recorder;
    cl_command_buffer_khr buffer;
    cl_uint queue_index;
    const cl_command_properties_khr *properties; // NULL, or checked
    size_t property_count;
    cl_uint wait_count;
    const cl_sync_point_khr *waits;
    cl_sync_point_khr *sync_point;  // may be NULL
    cl_mutable_command_khr *handle; // may be NULL
    bool is_barrier;
    struct tf_recorded_kernel *kernel; // given where the recording succeeds
};

// Has the commands that are enqueued with &record->recorder recorded in record->buffer.
// They fail with CL_INVALID_OPERATION where it is finalized meanwhile, and with
// CL_OUT_OF_HOST_MEMORY.
void tf_record_begin(struct tf_record *record);

// A barrier: it waits for its sync points, or without any for all commands before it, and
// all later ones wait for it.
cl_int tf_record_barrier(struct tf_err *err, const struct tf_enqueue *at);

// A kernel with the arguments that it has now. `launch` is given, `fields` may be updated
// in a mutable command buffer.
cl_int tf_record_kernel(struct tf_err *err, const struct tf_enqueue *at,
                        struct tf_record *record, cl_kernel kernel,
                        const struct tf_ndrange_desc *desc, struct tf_launch *launch,
                        cl_mutable_dispatch_fields_khr fields);
void tf_recorded_kernel_free(struct tf_recorded_kernel *kernel); // NULL is allowed

// Brings the command's block up to date with plain values that only the plan has.
void tf_recorded_settle(struct tf_recorded *recorded);

// Appends a copy of `from` for the queue with that index of `to`, which is new.
// Errors of tf_ndrange_resolve(), CL_INVALID_PROGRAM_EXECUTABLE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_recorded_copy(struct tf_err *err, cl_command_buffer_khr to, cl_uint queue_index,
                        const struct tf_recorded *from);

// Waits for the end of an update.
void tf_command_buffer_settle(cl_command_buffer_khr buffer) TF_REQUIRES(&buffer->lock);
// Between the two the commands are the caller's: nobody else reads or changes them, but
// for replays, which have the plan.
void tf_command_buffer_begin_update(cl_command_buffer_khr buffer)
    TF_EXCLUDES(&buffer->lock);
void tf_command_buffer_end_update(cl_command_buffer_khr buffer)
    TF_EXCLUDES(&buffer->lock);

// CL_COMMAND_BUFFER_STATE_KHR.
cl_command_buffer_state_khr tf_command_buffer_state(cl_command_buffer_khr buffer)
    TF_EXCLUDES(&buffer->lock);
// Whether its device has the extension.
bool tf_command_buffer_offers(cl_command_buffer_khr buffer, enum tf_feature extension);
// Whether that is a sync point of a command that has been recorded.
bool tf_command_buffer_has_point(cl_command_buffer_khr buffer, cl_sync_point_khr point)
    TF_EXCLUDES(&buffer->lock);

// clFinalizeCommandBufferKHR: CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY.
cl_int tf_command_buffer_finalize(struct tf_err *err, cl_command_buffer_khr buffer)
    TF_EXCLUDES(&buffer->lock);

// clGetCommandBufferInfoKHR and clGetMutableCommandInfoKHR (command_buffer_query.c).
cl_int tf_command_buffer_get_info(struct tf_err *err, cl_command_buffer_khr buffer,
                                  cl_command_buffer_info_khr param, size_t size,
                                  void *value, size_t *size_ret)
    TF_EXCLUDES(&buffer->lock);
cl_int tf_mutable_command_get_info(struct tf_err *err, cl_mutable_command_khr command,
                                   cl_mutable_command_info_khr param, size_t size,
                                   void *value, size_t *size_ret);

// ---- Running: command_buffer_run.c ----

struct tf_command_buffer_run {
    const cl_command_queue *queues; // as many as the buffer has; NULL: its own
    cl_uint dep_count;
    const cl_event *deps;
    cl_event *out; // may be NULL
};

// CL_INVALID_OPERATION where arguments lack, CL_OUT_OF_HOST_MEMORY.
cl_int tf_command_buffer_enqueue(struct tf_err *err, cl_command_buffer_khr buffer,
                                 const struct tf_command_buffer_run *run)
    TF_EXCLUDES(&buffer->lock);

// ---- Updating: command_buffer_update.c ----

// All of the configurations, or none: errors of clUpdateMutableCommandsKHR for each.
cl_int tf_command_buffer_update(struct tf_err *err, cl_command_buffer_khr buffer,
                                cl_uint count,
                                const cl_mutable_dispatch_config_khr *const *configs)
    TF_EXCLUDES(&buffer->lock);

// ---- Remapping: command_buffer_remap.c ----

struct tf_remap {
    bool automatic;
    cl_uint queue_count;
    const cl_command_queue *queues;
    cl_uint handle_count;
    const cl_mutable_command_khr *handles; // of the buffer
    cl_mutable_command_khr *handles_ret;
};

cl_int tf_command_buffer_remap(struct tf_err *err, cl_command_buffer_khr buffer,
                               const struct tf_remap *remap, cl_command_buffer_khr *out)
    TF_EXCLUDES(&buffer->lock);

#endif // TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_H
