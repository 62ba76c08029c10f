// SPDX-License-Identifier: MIT
// Kernels that stream: no loop, all memory side by side, and no more arithmetic than
// accesses. Memory is what they wait for, and wide registers make nothing of that faster.
// Of many streams a gang takes whole lines: the other half of a line, or the next, is not
// in the first cache any more, or not yet, when the next gang comes.
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/choose.h"

enum { MANY_STREAMS = 32, LINE_BYTES = 64 };

// Whether the access's bytes of all lanes lie side by side, alone or with those of its
// bundle.
static bool streams(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_SIDE_BY_SIDE:
    case TF_FORM_ROW:
    case TF_FORM_BUNDLE:
        return true;
    default:
        return false;
    }
}

static bool has_address_of_all(const struct tf_plan *p, const struct tf_value *v)
{
    return tf_is_uniform(p->shapes,
                         LLVMGetOperand(v->instruction, v->opcode == LLVMStore));
}

// Bundles lie in the lines of one stream.
unsigned tf_plan_lanes_of_lines(const struct tf_plan *p)
{
    unsigned streams = 0;
    uint64_t most_bytes = 1;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];
        const bool is_access = v->opcode == LLVMLoad || v->opcode == LLVMStore;

        if (!is_access || has_address_of_all(p, v) ||
            tf_plan_form(p, v) != TF_FORM_SIDE_BY_SIDE)
            continue;
        streams++;
        most_bytes = v->bytes > most_bytes ? v->bytes : most_bytes;
    }
    if (p->cfg->loop_count > 0 || streams < MANY_STREAMS)
        return 0;
    return most_bytes >= LINE_BYTES ? 1 : (unsigned)(LINE_BYTES / most_bytes);
}

bool tf_plan_streams(const struct tf_plan *p)
{
    unsigned accesses = 0, operations = 0, stores = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        switch ((int)v->opcode) {
        case LLVMLoad:
        case LLVMStore:
            stores += v->opcode == LLVMStore;
            if (has_address_of_all(p, v))
                break;
            if (!streams(p, v))
                return false;
            accesses++;
            break;
        case LLVMFDiv:
        case LLVMFRem:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
            return false;
        default:
            operations += v->shape.kind == TF_SHAPE_VARYING;
            break;
        }
    }
    return p->cfg->loop_count == 0 && stores > 0 && operations <= accesses;
}
