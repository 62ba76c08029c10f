// SPDX-License-Identifier: MIT
// The form of each instruction, and what has none.
#include <string.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/ir/vector/high_product.h"
#include "compiler/ir/vector/permutation.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/operation/divisor.h"
#include "compiler/workgroup/analysis/operation/table.h"
#include "compiler/workgroup/plan/atomic.h"
#include "compiler/workgroup/plan/permute.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MAX_REMAT_DEPTH = 10,
    WORD_BYTES = 4,  // the least that processors gather
    WIDE_BYTES = 16, // of a product whose high half is taken
    MAX_STORES = 64, // one by one
    MAX_BRANCHES = 1536,
    MAX_WINDOWS = 256, // each forks, and compilation takes the square of their number
    MAX_SPACED = 32,   // so do these, where LLVM has addresses for both ways
};

struct forming {
    struct tf_planning *m;
    const struct tf_plan *p;
    const struct tf_shapes *s;
    signed char *remat; // per value: 1: made again in every block, -1: not, 0: not known
};

// ---- what costs less to make again than to keep

static bool is_address_arithmetic(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAShr:
    case LLVMLShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

static bool can_remat(struct forming *f, const struct tf_value *v, unsigned depth);

static bool operands_can_remat(struct forming *f, const struct tf_value *v,
                               unsigned depth)
{
    for (unsigned i = 0; i < v->operand_count; i++) {
        if (!can_remat(f, tf_operand(f->s, v, i), depth + 1))
            return false;
    }
    return true;
}

static bool can_remat(struct forming *f, const struct tf_value *v, unsigned depth)
{
    signed char *known;

    if (!v || v->opcode == LLVMAlloca)
        return true;
    if (v->shape.kind != TF_SHAPE_AFFINE || depth > MAX_REMAT_DEPTH)
        return false;
    known = &f->remat[v - f->s->values];
    if (!*known) {
        const bool can = tf_value_id(v) >= 0 || (is_address_arithmetic(v->opcode) &&
                                                 operands_can_remat(f, v, depth));

        *known = can ? 1 : -1;
    }
    return *known > 0;
}

// ---- memory

// The variable that an address is made of in the block at hand, by indices; or NULL.
static LLVMValueRef variable_at_hand(const struct forming *f, LLVMValueRef pointer,
                                     unsigned block)
{
    while (!LLVMIsAAllocaInst(pointer)) {
        const struct tf_value *v = tf_shape_value(f->s, pointer);

        if ((!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsAAddrSpaceCastInst(pointer)) ||
            v->block != block)
            return NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

static bool is_own(const struct forming *f, const struct tf_access *a, unsigned block)
{
    return tf_private_of(&f->s->privates, a->pointer).unit_bytes &&
           variable_at_hand(f, a->pointer, block);
}

static enum tf_form gather(const struct forming *f, const struct tf_access *a,
                           unsigned block)
{
    const struct tf_access e = tf_access_in_words(a);
    // Also where loads one by one are faster, which under masks are three times the
    // code; those of whole gangs are taken apart later (codegen/memory/gathers.h).
    const bool has_instruction = f->p->target.masks_free;

    if (!is_own(f, a, block))
        return TF_FORM_GATHER;
    if (has_instruction && e.count == 1 && e.element_bytes < WORD_BYTES)
        return TF_FORM_OWN_WORDS;
    return has_instruction && e.element_bytes >= WORD_BYTES ? TF_FORM_OWN_GATHER
                                                            : TF_FORM_OWN_SINGLY;
}

// One by one also where there are scatters: what is read soon after comes out of the
// processor's queue of stores, which keeps no scatters.
static enum tf_form scatter(const struct forming *f, const struct tf_access *a,
                            unsigned block)
{
    const struct tf_access e = tf_access_in_words(a);

    return f->p->width * e.count <= MAX_STORES && is_own(f, a, block) ? TF_FORM_OWN_SINGLY
                                                                      : TF_FORM_SCATTER;
}

// Local memory, of which a worker has more than groups ask for, on either side. Where
// there are masks for loads they are cheap; a store under a mask never is.
static bool is_local_row(const struct forming *f, const struct tf_access *a)
{
    const bool has_mask = tf_target_masks(&f->p->target, a->element_bytes);

    return tf_access_is_local(a) &&
           f->p->width * tf_access_bytes(a) <= TF_LOCAL_MARGIN_BYTES &&
           (LLVMIsAStoreInst(a->instruction) || !has_mask);
}

// Processors without masks that cost nothing: all lanes of a private variable are loaded,
// and those that are not active stored again as they were. Nobody else has this memory.
static bool is_row(const struct forming *f, const struct tf_access *a)
{
    LLVMValueRef variable = a->pointer;

    if (f->p->target.masks_free)
        return false;
    if (is_local_row(f, a))
        return true;
    if (!tf_private_of(&f->s->privates, variable).unit_bytes)
        return false;
    while (LLVMIsAGetElementPtrInst(variable) || LLVMIsAAddrSpaceCastInst(variable))
        variable = LLVMGetOperand(variable, 0);
    return LLVMIsAAllocaInst(variable) != NULL;
}

static bool is_side_by_side(const struct tf_access *a, struct tf_shape shape)
{
    return (uint64_t)shape.stride == tf_access_bytes(a);
}

static enum tf_form form_of_all_lanes(const struct forming *f, const struct tf_access *a,
                                      struct tf_shape shape)
{
    return shape.unless   ? TF_FORM_EITHER_WAY
           : is_row(f, a) ? TF_FORM_ROW
                          : TF_FORM_SIDE_BY_SIDE;
}

static enum tf_form form_of_load(const struct forming *f, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(f->s->layout, v->instruction);
    const struct tf_shape shape = tf_shape_of(f->s, a.pointer);
    struct tf_window window;

    if (v->shape.kind != TF_SHAPE_VARYING)
        return TF_FORM_ONE;
    if (v->is_ordered || a.element_bytes == 0)
        return TF_FORM_LANE_LOOP;
    if (is_side_by_side(&a, shape))
        return form_of_all_lanes(f, &a, shape);
    if (tf_plan_table_operations(f->p, v))
        return TF_FORM_TABLE;
    if (tf_window_of(f->p, v, &window))
        return TF_FORM_WINDOW;
    return tf_plan_rises(f->p, v) ? TF_FORM_RISING : gather(f, &a, v->block);
}

static enum tf_form form_of_store(const struct forming *f, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(f->s->layout, v->instruction);
    const struct tf_shape shape = tf_shape_of(f->s, a.pointer);

    if (v->is_ordered)
        return TF_FORM_LANE_LOOP;
    if (shape.kind == TF_SHAPE_AFFINE && shape.stride == 0)
        return TF_FORM_LAST_LANE;
    if (a.element_bytes == 0)
        return TF_FORM_LANE_LOOP;
    if (is_side_by_side(&a, shape))
        return form_of_all_lanes(f, &a, shape);
    return tf_plan_rises(f->p, v) ? TF_FORM_RISING : scatter(f, &a, v->block);
}

// Where an index wraps, or a gang leaves the window.
static enum tf_form far_form(const struct forming *f, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(f->s->layout, v->instruction);

    return v->opcode == LLVMStore ? scatter(f, &a, v->block) : gather(f, &a, v->block);
}

// ---- calls

static bool has_uniform_operands(const struct forming *f, const struct tf_value *v)
{
    for (unsigned i = 0; i < v->operand_count; i++) {
        const struct tf_shape shape = tf_operand_shape(f->s, v, i);

        if (shape.kind != TF_SHAPE_AFFINE || shape.stride)
            return false;
    }
    return true;
}

static bool has_uniform_scalars(const struct forming *f, LLVMValueRef call,
                                const struct tf_elementwise *e)
{
    for (unsigned i = 0; e->scalar_mask >> i; i++) {
        if (e->scalar_mask >> i & 1 && !tf_is_uniform(f->s, LLVMGetOperand(call, i)))
            return false;
    }
    return true;
}

static bool is_named(LLVMValueRef call, const char *prefix)
{
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, prefix, strlen(prefix));
}

static bool moves_bytes(LLVMValueRef call)
{
    return is_named(call, "llvm.memcpy.") || is_named(call, "llvm.memmove.") ||
           is_named(call, "llvm.memset.");
}

static void check_sub_group(const struct forming *f, const struct tf_value *v)
{
    const LLVMValueRef call = v->instruction;
    const enum tf_root root = v->root;
    struct tf_plan *p = f->m->p;

    if ((root == TF_ROOT_SUB_GROUP_REDUCE || root == TF_ROOT_SUB_GROUP_CLUSTER ||
         root == TF_ROOT_SUB_GROUP_SCAN) &&
        !LLVMIsAConstantInt(LLVMGetOperand(call, 1)))
        tf_plan_refuse(p, "an unknown operation of a sub-group");
    if (root == TF_ROOT_SUB_GROUP_SCAN && !LLVMIsAConstantInt(LLVMGetOperand(call, 2)))
        tf_plan_refuse(p, "an unknown scan of a sub-group");
}

static enum tf_form form_of_call(const struct forming *f, const struct tf_value *v)
{
    const LLVMValueRef call = v->instruction;
    const struct tf_elementwise *e = v->elementwise;

    if (tf_is_fetch(call))
        return tf_plan_fetched_bytes(f->p, v) ? TF_FORM_FETCH : TF_FORM_NONE;
    if (v->is_marker)
        return tf_is_scope_marker(call) ? TF_FORM_SCOPE : TF_FORM_NONE;
    if (tf_value_id(v) >= 0 ||
        v->root == TF_ROOT_SUB_GROUP_BARRIER) // lanes are in step; fences stand beside it
        return TF_FORM_NONE;
    if (v->root == TF_ROOT_APART)
        return TF_FORM_APART;
    if (v->root == TF_ROOT_INSIDE)
        return TF_FORM_INSIDE;
    if (tf_root_is_sub_group(v->root)) {
        check_sub_group(f, v);
        return TF_FORM_SUB_GROUP;
    }
    if (tf_is_barrier(v))
        return TF_FORM_BARRIER;
    if (v->shape.kind != TF_SHAPE_VARYING)
        return TF_FORM_ONE;
    if (e)
        return has_uniform_scalars(f, call, e) ? TF_FORM_INTRINSIC : TF_FORM_UNROLLED;
    if (moves_bytes(call) && has_uniform_operands(f, v))
        return TF_FORM_ONE;
    return is_named(call, "llvm.vector.reduce.") ? TF_FORM_UNROLLED : TF_FORM_LANE_LOOP;
}

// ---- arithmetic

static bool is_known_type(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return true;
    case LLVMArrayTypeKind:
        return is_known_type(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            if (!is_known_type(LLVMStructGetTypeAtIndex(type, i)))
                return false;
        }
        return true;
    default:
        return tf_ir_is_scalar(type);
    }
}

static bool has_vector_form(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return true;
    default:
        return LLVMIsABinaryOperator(v->instruction) || LLVMIsACastInst(v->instruction);
    }
}

static bool is_constant_index(LLVMValueRef index, LLVMValueRef vector)
{
    return LLVMIsAConstantInt(index) &&
           LLVMConstIntGetZExtValue(index) < LLVMGetVectorSize(LLVMTypeOf(vector));
}

// Within 16 bytes, so that a register holds some lanes' vectors as a whole.
static enum tf_form form_of_element(const struct forming *f, const struct tf_value *v,
                                    LLVMValueRef index)
{
    const unsigned most_bytes = f->p->target.permutes ? TF_PERMUTED_PIECE_BYTES : 0;
    struct tf_permutation p;

    if (tf_permutation_of(v->instruction, &p) && tf_permutation_bytes(&p) <= most_bytes)
        return TF_FORM_PERMUTATION;
    if (most_bytes && tf_is_within_permutations(v->instruction, most_bytes))
        return TF_FORM_NONE;
    return is_constant_index(index, LLVMGetOperand(v->instruction, 0)) ? TF_FORM_SHUFFLE
                                                                       : TF_FORM_UNROLLED;
}

static enum tf_form form_of_vector(const struct forming *f, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    struct tf_high_product product;

    switch ((int)v->opcode) {
    case LLVMExtractElement:
        return form_of_element(f, v, LLVMGetOperand(i, 1));
    case LLVMInsertElement:
        return form_of_element(f, v, LLVMGetOperand(i, 2));
    case LLVMShuffleVector:
        return TF_FORM_SHUFFLE;
    default:
        break;
    }
    if (tf_ir_is_division(v->opcode))
        return tf_divides_long(v)      ? TF_FORM_LONG_DIVISION
               : tf_divides_as_real(v) ? TF_FORM_REAL_DIVISION
                                       : TF_FORM_VECTOR;
    if (v->opcode == LLVMTrunc && tf_high_product_of(i, &product))
        return TF_FORM_HIGH_PRODUCT;
    if (v->bytes == WIDE_BYTES && !LLVMIsACastInst(i) && tf_is_within_high_products(i))
        return TF_FORM_NONE;
    if (!has_vector_form(v))
        tf_plan_refuse(f->m->p, "an instruction without a form for lanes");
    return TF_FORM_VECTOR;
}

// ---- all

static bool is_terminator(const struct forming *f, const struct tf_value *v)
{
    return v + 1 == tf_block_end(f->s, v->block);
}

static void check(const struct forming *f, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    const struct tf_cfg_block *b = &f->p->cfg->blocks[v->block];
    const bool is_end = is_terminator(f, v);

    if (v->opcode == LLVMAlloca &&
        (v->block != 0 || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
         LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) != 1))
        tf_plan_refuse(f->m->p, "private memory of a size known at run time only");
    if (v->opcode == LLVMVAArg || (is_end && b->succ_count && v->opcode != LLVMBr))
        tf_plan_refuse(f->m->p, "an unusual branch");
    if (v->shape.kind != TF_SHAPE_VARYING || is_end)
        return;
    for (unsigned k = 0;
         v->opcode == LLVMGetElementPtr && k < (unsigned)LLVMGetNumOperands(i); k++) {
        const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, k));

        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            tf_plan_refuse(f->m->p, "vectors of pointers");
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind &&
        !is_known_type(LLVMTypeOf(i)))
        tf_plan_refuse(f->m->p, "a value of an unusual type");
}

static enum tf_form form_of(struct forming *f, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMPHI:
        return TF_FORM_PHI;
    case LLVMAlloca: // made with the function
        return TF_FORM_NONE;
    case LLVMLoad:
        return form_of_load(f, v);
    case LLVMStore:
        return form_of_store(f, v);
    case LLVMCall:
        return form_of_call(f, v);
    case LLVMFence:
        return TF_FORM_ONE;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return tf_is_one_atomic(f->s, v) ? TF_FORM_ONE_ATOMIC : TF_FORM_LANE_LOOP;
    default:
        break;
    }
    if (is_terminator(f, v))
        return TF_FORM_NONE;
    if (v->shape.kind == TF_SHAPE_VARYING)
        return form_of_vector(f, v);
    return can_remat(f, v, 0) ? TF_FORM_FREE : TF_FORM_ONE;
}

// A scatter or gather without an instruction for it is a branch and an access for each
// lane.
static bool is_a_branch_a_lane(const struct tf_planning *m, const struct tf_value *v)
{
    const struct tf_target *t = &m->p->target;
    const struct tf_plan_value *value = &m->values[v - m->p->shapes->values];
    const enum tf_form form = value->form == TF_FORM_WINDOW ? value->far : value->form;
    struct tf_access a;

    if (form != TF_FORM_GATHER && form != TF_FORM_SCATTER)
        return false;
    a = tf_access_of(m->p->shapes->layout, v->instruction);
    return !(form == TF_FORM_GATHER ? t->gathers : t->scatters) ||
           tf_access_in_words(&a).element_bytes < WORD_BYTES;
}

static void bound_windows(struct tf_planning *m)
{
    unsigned windows = 0;

    for (unsigned i = 0; i < m->p->shapes->value_count; i++) {
        struct tf_plan_value *value = &m->values[i];

        if ((value->form == TF_FORM_WINDOW || value->form == TF_FORM_RISING) &&
            ++windows > MAX_WINDOWS)
            value->form = value->far;
    }
}

// Where more than a few accesses ask whether an argument is 1, none does: forks and the
// gathers of the others would take longer still.
static void bound_spaced(struct tf_planning *m)
{
    const struct tf_shapes *s = m->p->shapes;
    unsigned spaced = 0;

    for (unsigned i = 0; i < s->value_count; i++)
        spaced += tf_plan_spacing_of(m->p, &s->values[i]) != NULL;
    for (unsigned i = 0; spaced > MAX_SPACED && i < s->value_count; i++) {
        if (tf_plan_spacing_of(m->p, &s->values[i]))
            m->values[i].form = m->values[i].far;
    }
}

void tf_plan_forms(struct tf_planning *m)
{
    const struct tf_shapes *s = m->p->shapes;
    struct forming f = {.m = m, .p = m->p, .s = s};

    f.remat = TF_ARENA_NEW(&m->p->arena, signed char, s->value_count);
    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];
        struct tf_plan_value *value = &m->values[i];

        check(&f, v);
        value->form = value->bundle ? TF_FORM_BUNDLE : form_of(&f, v);
        if (value->form == TF_FORM_EITHER_WAY || value->form == TF_FORM_WINDOW ||
            value->form == TF_FORM_RISING)
            value->far = far_form(&f, v);
    }
    bound_windows(m);
    bound_spaced(m);
}

// LLVM's registers take a minute for thousands of them: a loop each does, then.
void tf_plan_bound_branches(struct tf_planning *m)
{
    const struct tf_shapes *s = m->p->shapes;
    unsigned branches = 0;

    for (unsigned i = 0; i < s->value_count; i++)
        branches += is_a_branch_a_lane(m, &s->values[i]) ? m->p->width : 0;
    for (unsigned i = 0; branches > MAX_BRANCHES && i < s->value_count; i++) {
        if (is_a_branch_a_lane(m, &s->values[i]))
            m->values[i].form = TF_FORM_LANE_LOOP;
    }
}
