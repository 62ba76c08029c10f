// SPDX-License-Identifier: MIT
// Kernels that stream: no loop, all memory side by side, and no more arithmetic than
// accesses. Memory is what they wait for, and wide registers make nothing of that faster.
// Of many streams a gang takes whole lines: the other half of a line, or the next, is not
// in the first cache any more, or not yet, when the next gang comes.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/plan.h"

enum { MANY_STREAMS = 32, NEXT_BYTES = 16 };

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

static LLVMValueRef address_of(const struct tf_value *access)
{
    return LLVMGetOperand(access->instruction, access->opcode == LLVMStore);
}

static bool has_address_of_all(const struct tf_plan *p, const struct tf_value *v)
{
    return tf_is_uniform(p->shapes, address_of(v));
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
    return most_bytes >= TF_LINE_BYTES ? 1 : (unsigned)(TF_LINE_BYTES / most_bytes);
}

// Whether no other load of the block is of the same stream, as the neighbours in a row of
// a stencil are: all but the first find in the cache what they want.
static bool is_its_own_stream(const struct tf_plan *p, const struct tf_value *load)
{
    const struct tf_value *const end = tf_block_end(p->shapes, load->block);
    const struct tf_place place =
        tf_place_of(p->shapes->layout, LLVMGetOperand(load->instruction, 0));
    unsigned loads = 0;

    for (const struct tf_value *v = tf_block_first(p->shapes, load->block); v < end;
         v++) {
        struct tf_place other;

        if (v->opcode != LLVMLoad || v == load)
            continue;
        if (++loads >= MANY_STREAMS)
            return false;
        other = tf_place_of(p->shapes->layout, LLVMGetOperand(v->instruction, 0));
        if (tf_place_same_base(&place, &other))
            return false;
    }
    return true;
}

bool tf_plan_may_start_again(const struct tf_plan *p)
{
    const struct tf_shapes *usual = &p->of.facts->usual;

    for (unsigned i = 0; i < usual->value_count; i++) {
        const struct tf_value *v = &usual->values[i];

        if (v->assumed && (v->opcode == LLVMAnd || v->opcode == LLVMURem))
            return true;
    }
    return false;
}

// Whether gangs of all lanes run it, one after the other.
static bool serves_whole_gangs(const struct tf_plan *p)
{
    return !p->of.masked || p->serves_whole || tf_plan_may_start_again(p);
}

// The next gang begins where this one ends. In a loop of the program the next round goes
// elsewhere first.
bool tf_plan_fetches_next(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_cfg_block *block = &p->cfg->blocks[v->block];
    const enum tf_form form = tf_plan_form(p, v);

    return p->target.unseen_bytes > 0 && v->opcode == LLVMLoad &&
           (form == TF_FORM_SIDE_BY_SIDE || form == TF_FORM_EITHER_WAY) &&
           v->bytes * p->width == p->target.unseen_bytes && block->loop == TF_CFG_NONE &&
           p->shapes->region_of[v->block] == TF_CFG_NONE &&
           tf_access_is_of_buffer(v->instruction) && is_its_own_stream(p, v) &&
           serves_whole_gangs(p);
}

uint64_t tf_plan_fetched_bytes(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_shape shape =
        tf_shape_of(p->shapes, LLVMGetOperand(v->instruction, 0));

    if ((shape.kind != TF_SHAPE_AFFINE && !shape.unless) || shape.stride < 0 ||
        shape.stride > NEXT_BYTES)
        return 0;
    return (uint64_t)shape.stride * (p->width - 1) + 1;
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

bool tf_plan_is_of_a_stream(const struct tf_plan *p, const struct tf_value *v)
{
    const enum tf_form form = tf_plan_form(p, v);

    return (v->opcode == LLVMLoad || v->opcode == LLVMStore) &&
           (form == TF_FORM_SIDE_BY_SIDE || form == TF_FORM_EITHER_WAY ||
            form == TF_FORM_BUNDLE) &&
           p->cfg->blocks[v->block].loop == TF_CFG_NONE &&
           tf_access_is_of_buffer(v->instruction) && !has_address_of_all(p, v);
}

// ---- rows of lanes

// By how many bytes the counter of a loop, which all lanes share, moves the place from
// round to round; 0: it is none.
static int64_t step_of_term(const struct tf_plan *p, unsigned loop,
                            const struct tf_place_term *term)
{
    const LLVMBasicBlockRef head = p->cfg->blocks[p->cfg->loops[loop].head].block;
    const LLVMValueRef phi = term->index;

    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != head ||
        !tf_is_uniform(p->shapes, phi))
        return 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, i);

        if (LLVMIsABinaryOperator(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
            LLVMGetOperand(next, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            return term->factor * LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    }
    return 0;
}

static bool is_made_in(const struct tf_plan *p, unsigned loop, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(p->shapes, value);

    return v && tf_cfg_in_loop(p->cfg, loop, v->block);
}

// Whether each lane takes the next number of a row of its own in each round.
static bool walks_along_row(const struct tf_plan *p, const struct tf_value *load)
{
    const unsigned loop = p->cfg->blocks[load->block].loop;
    struct tf_place place;
    int64_t bytes = 0;

    if (load->opcode != LLVMLoad || loop == TF_CFG_NONE ||
        tf_plan_form(p, load) != TF_FORM_GATHER)
        return false;
    place = tf_place_of(p->shapes->layout, address_of(load));
    if (is_made_in(p, loop, place.root))
        return false;
    for (unsigned i = 0; i < place.count; i++) {
        const int64_t step = step_of_term(p, loop, &place.terms[i]);

        if (!step && is_made_in(p, loop, place.terms[i].index))
            return false;
        bytes += step;
    }
    return bytes && bytes <= NEXT_BYTES && bytes >= -NEXT_BYTES;
}

bool tf_plan_gathers_rows(const struct tf_plan *p)
{
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        if (walks_along_row(p, &p->shapes->values[i]))
            return true;
    }
    return false;
}
