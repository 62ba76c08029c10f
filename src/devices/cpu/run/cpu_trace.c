// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_trace.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/time.h"
#include "devices/cpu/program/cpu_program.h"
#include "trace/trace.h"

// The kernel's name, for good: looked for once.
static const char *name_of(struct tf_devprog *prog, size_t index)
{
    struct tf_cpu_kernel *kernel = tf_cpu_kernel_at(prog, index, TF_SLOT_FULL);
    const char *name = atomic_load_explicit(&kernel->trace_name, memory_order_acquire);

    if (!name) {
        name = tf_trace_name(prog->infos[index].name);
        atomic_store_explicit(&kernel->trace_name, name, memory_order_release);
    }
    return name;
}

void tf_cpu_trace_work(const struct tf_cpu_work *work)
{
    static const char *const codes[2][5] = {
        {"", "loops", "fibers", "lanes", "lanes on fibers"},
        {"", "quick loops", "quick fibers", "quick lanes", "quick lanes on fibers"}};
    const struct tf_cpu_code *code = &work->code->code;
    const bool is_quick =
        work->code == tf_cpu_kernel_at(work->program, work->kernel_index, TF_SLOT_QUICK);

    tf_trace_put(&(struct tf_trace_record){
        .kind = TF_TRACE_WORK,
        .name = name_of(work->program, work->kernel_index),
        .note = codes[is_quick][code->form],
        .id = work->cmd->trace_id,
        .launch = work->launch,
        .amount = work->groups,
        .number = code->scratch.width ? code->scratch.width : code->fibers.width,
        .start_ns = work->start_ns,
        .end_ns = work->end_ns,
    });
}

static const char *move_name(const struct tf_command *move)
{
    static const char *const names[] = {
        [TF_CMD_COPY] = "copy buffer",    [TF_CMD_FILL] = "fill buffer",
        [TF_CMD_COPY_RECT] = "copy rows", [TF_CMD_FILL_RECT] = "fill rows",
        [TF_CMD_SVM_COPY] = "svm copy",   [TF_CMD_SVM_FILL] = "svm fill",
    };
    const char *name =
        move->kind < sizeof(names) / sizeof(*names) ? names[move->kind] : NULL;

    return name ? name : "move";
}

void tf_cpu_trace_move(const struct tf_command *batch, const struct tf_command *move,
                       uint64_t start_ns)
{
    size_t box[3];

    tf_command_box(move, box);
    tf_trace_put(&(struct tf_trace_record){
        .kind = TF_TRACE_MOVE,
        .name = move_name(move),
        .note = move_name(move),
        .id = batch->trace_id,
        .amount = (uint64_t)box[0] * box[1] * box[2],
        .start_ns = start_ns,
        .end_ns = tf_time_ns(),
    });
}
