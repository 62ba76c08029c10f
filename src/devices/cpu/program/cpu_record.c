// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_record.h"

#include <string.h>

static const uint64_t max_stack_bytes = (uint64_t)1 << 40;

struct tf_cpu_record tf_cpu_record_of(const struct tf_cpu_code *code)
{
    struct tf_cpu_record record;

    memset(&record, 0, sizeof(record)); // between the fields, too: it is written
    if (!code)
        return record;
    record.object_bytes = code->object_bytes;
    record.stack_bytes = code->stack_bytes;
    record.form = code->form;
    record.scratch_fixed_bytes = code->scratch.fixed_bytes;
    record.scratch_gang_bytes = code->scratch.gang_bytes;
    record.scratch_width = code->scratch.width;
    record.fiber_row_width = code->fibers.row_width;
    record.fiber_width = code->fibers.width;
    record.fit = code->fit;
    return record;
}

bool tf_cpu_record_read(const struct tf_cpu_record *record, struct tf_cpu_code *code)
{
    if ((record->form != TF_WG_LOOPS && record->form != TF_WG_FIBERS &&
         record->form != TF_WG_SIMT) ||
        record->stack_bytes > max_stack_bytes || record->scratch_width > UINT16_MAX ||
        record->fiber_row_width > UINT16_MAX || record->fiber_width > UINT16_MAX)
        return false;
    memset(code, 0, sizeof(*code));
    code->object_bytes = record->object_bytes;
    code->stack_bytes = record->stack_bytes;
    code->form = (enum tf_wg_form)record->form;
    code->scratch.fixed_bytes = record->scratch_fixed_bytes;
    code->scratch.gang_bytes = record->scratch_gang_bytes;
    code->scratch.width = (uint32_t)record->scratch_width;
    code->fibers.row_width = record->fiber_row_width;
    code->fibers.width = record->fiber_width;
    code->fit = record->fit;
    return true;
}
