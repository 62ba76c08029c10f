// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/components.h"

#include "compiler/ir/elementwise.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/workgroup/gang/gang_access.h"

enum {
    SMALLEST_BYTES = 4, // of components: smaller ones have no strided accesses
    INSERT = 2,         // operations for each register: spreading and blending
};

// Operations on registers, weighted by the depth of loops.
struct shuffles {
    uint64_t whole, apart; // as one vector, and component by component
    bool possible;
};

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

// Registers times the steps of a transposition.
static uint64_t transposition(const struct gang *g, LLVMTypeRef type)
{
    unsigned steps = 0;

    while ((1u << steps) < LLVMGetVectorSize(type))
        steps++;
    return gang_registers(g, type) * steps;
}

static void count_access(const struct gang *g, const struct tf_value *v, uint64_t weight,
                         struct shuffles *s)
{
    const struct gang_access a = gang_access_of(g, v->instruction);
    const struct tf_shape shape = tf_shape_of(&g->shapes, a.pointer);
    const bool strided = shape.kind == TF_SHAPE_AFFINE &&
                         shape.stride >= (int64_t)(a.count * a.element_bytes);

    if (!is_vector(a.type) || tf_is_uniform(&g->shapes, a.pointer))
        return;
    if (a.element_bytes < SMALLEST_BYTES || !strided || gang_is_ordered(v->instruction))
        s->possible = false;
    s->apart += weight * transposition(g, a.type);
}

static void count_call(const struct gang *g, const struct tf_value *v, struct shuffles *s)
{
    bool has_vector = is_vector(LLVMTypeOf(v->instruction));

    for (int i = 0; i < LLVMGetNumOperands(v->instruction) - 1; i++)
        has_vector |= is_vector(LLVMTypeOf(LLVMGetOperand(v->instruction, (unsigned)i)));
    if (has_vector && !tf_is_elementwise(v->instruction))
        s->possible = false;
    (void)g;
}

static void count(const struct gang *g, const struct tf_value *v, uint64_t weight,
                  struct shuffles *s)
{
    const LLVMValueRef i = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(i);

    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        count_access(g, v, weight, s);
        return;
    case LLVMCall:
        count_call(g, v, s);
        return;
    default:
        break;
    }
    if (v->shape.kind != TF_SHAPE_VARYING)
        return;
    switch ((int)v->opcode) {
    case LLVMExtractElement:
        s->whole += weight * gang_registers(g, LLVMTypeOf(LLVMGetOperand(i, 0)));
        s->possible &= LLVMIsConstant(LLVMGetOperand(i, 1));
        break;
    case LLVMInsertElement:
        s->whole += weight * INSERT * gang_registers(g, type);
        s->possible &= LLVMIsConstant(LLVMGetOperand(i, 2));
        break;
    case LLVMShuffleVector:
        s->whole += weight * gang_registers(g, type);
        break;
    case LLVMBitCast:
        s->possible &= is_vector(type) == is_vector(LLVMTypeOf(LLVMGetOperand(i, 0)));
        break;
    default:
        break;
    }
}

bool gang_mixes_components(struct gang *g)
{
    struct shuffles s = {.possible = !gang_has_wide_values(g)};

    for (unsigned i = 0; i < g->shapes.value_count && s.possible; i++) {
        const struct tf_value *v = &g->shapes.values[i];

        count(g, v, gang_weight(g, v->block), &s);
    }
    return s.possible && s.whole > s.apart;
}

static bool has_vectors(LLVMValueRef fn)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (is_vector(LLVMTypeOf(i)))
                return true;
        }
    }
    return false;
}

bool tf_wg_components(struct tf_wg *wg)
{
    struct gang g = {.from = wg->wide};
    bool mixes;

    if (!TF_LLVM_SCALARIZES_MEMORY || !has_vectors(wg->wide))
        return true;
    mixes = gang_open(&g, wg, wg->width, false) && gang_mixes_components(&g);
    if (mixes)
        wg->item_cost = gang_items_cost(&g);
    gang_close(&g);
    wg->refusal[0] = '\0'; // what is refused here is refused again
    return !mixes ||
           tf_wg_run_on(wg, wg->wide, "scalarizer<load-store>,early-cse,adce,lcssa");
}
