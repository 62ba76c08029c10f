// SPDX-License-Identifier: MIT
// Blocks are cut so that a barrier is the first instruction of its block: the way into
// such a block is the way to the barrier.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/split/split_parts.h"

bool tf_split_is_barrier(LLVMValueRef instruction)
{
    return tf_root_of(instruction) == TF_ROOT_BARRIER;
}

// ---- cutting

// All that lies before `at` moves to a new block in front, which takes over the ways into
// the old one: phis of later blocks name the old one, and need no change.
static void cut_before(struct tf_wg *wg, LLVMBasicBlockRef block, LLVMValueRef at)
{
    const LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(wg->context, block, "");
    const LLVMValueRef old = LLVMBasicBlockAsValue(block);
    LLVMUseRef use, next;

    for (use = LLVMGetFirstUse(old); use; use = next) {
        const LLVMValueRef end = LLVMGetUser(use);

        next = LLVMGetNextUse(use);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            if (LLVMGetSuccessor(end, i) == block) {
                LLVMSetSuccessor(end, i, front);
                next = LLVMGetFirstUse(old);
            }
        }
    }
    LLVMPositionBuilderAtEnd(wg->builder, front);
    while (LLVMGetFirstInstruction(block) != at) {
        const LLVMValueRef first = LLVMGetFirstInstruction(block);

        LLVMInstructionRemoveFromParent(first);
        LLVMInsertIntoBuilder(wg->builder, first);
    }
    LLVMBuildBr(wg->builder, block);
}

static bool has_several_ways(LLVMBasicBlockRef block)
{
    const LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));

    return use && LLVMGetNextUse(use);
}

// Where ways meet at a barrier, items meet before it.
static void cut_block(struct tf_wg *wg, LLVMBasicBlockRef block, bool is_start)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
        if (tf_split_is_barrier(i) && (is_start || i != LLVMGetFirstInstruction(block) ||
                                       has_several_ways(block))) {
            cut_before(wg, block, i);
            is_start = false;
        }
    }
}

static void cut_at_barriers(struct tf_split *s)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(s->in->function);
    bool is_start = true;

    for (; block; block = LLVMGetNextBasicBlock(block)) {
        cut_block(s->wg, block, is_start);
        is_start = false;
    }
}

// ---- blocks

// From each barrier block back against the edges.
static void mark_ways_to_barriers(struct tf_split *s)
{
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);
    unsigned depth = 0;

    for (unsigned i = 0; i < s->block_count; i++) {
        if (s->blocks[i].barrier)
            stack[depth++] = i;
        while (depth > 0) {
            const struct tf_split_block *b = &s->blocks[stack[--depth]];

            for (unsigned k = 0; k < b->pred_count; k++) {
                struct tf_split_block *pred = &s->blocks[b->preds[k]];

                if (!pred->leads_on) {
                    pred->leads_on = true;
                    stack[depth++] = b->preds[k];
                }
            }
        }
    }
}

static void number_blocks(struct tf_split *s)
{
    tf_graph_init(&s->graph, s->arena, s->in->function, false);
    s->block_count = s->graph.count;
    s->blocks = TF_ARENA_NEW(s->arena, struct tf_split_block, s->block_count);
    for (unsigned i = 0; i < s->block_count; i++) {
        const struct tf_graph_node *n = &s->graph.nodes[i];

        s->blocks[i] = (struct tf_split_block){
            .block = n->block,
            .preds = n->preds,
            .succs = n->succs,
            .pred_count = n->pred_count,
            .succ_count = n->succ_count,
            .entry = TF_SPLIT_NONE,
            .barrier = tf_split_is_barrier(LLVMGetFirstInstruction(n->block)),
        };
    }
}

unsigned tf_split_block_number(const struct tf_split *s, LLVMBasicBlockRef block)
{
    return tf_graph_number(&s->graph, block);
}

// ---- values

// One thread runs the whole group: a fence among its items orders nothing that program
// order does not.
static bool is_dropped(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);

    if (!name)
        return tf_llvm_is_group_fence(instruction);
    return strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")) == 0 ||
           tf_is_scope_marker(instruction) || tf_root_named(name) == TF_ROOT_BARRIER;
}

static void number_values(struct tf_split *s)
{
    unsigned count = 0;

    s->first_value = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);
    for (unsigned i = 0; i < s->block_count; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(s->blocks[i].block); v;
             v = LLVMGetNextInstruction(v))
            s->blocks[i].size++;
        s->first_value[i] = count;
        count += s->blocks[i].size;
    }
    s->first_value[s->block_count] = count;
    s->values = TF_ARENA_NEW(s->arena, struct tf_split_value, count);
    for (unsigned i = 0; i < s->block_count; i++) {
        for (LLVMValueRef v = LLVMGetFirstInstruction(s->blocks[i].block); v;
             v = LLVMGetNextInstruction(v)) {
            struct tf_split_value *value = &s->values[s->value_count];

            value->value = v;
            value->block = i;
            value->dropped = is_dropped(v);
            value->mapped_in = value->variable_in = TF_SPLIT_NONE;
            tf_map_put(&s->value_numbers, v, s->value_count++);
        }
    }
}

unsigned tf_split_value_number(const struct tf_split *s, LLVMValueRef value)
{
    return tf_map_get(&s->value_numbers, value);
}

void tf_split_graph(struct tf_split *s)
{
    s->invariant_kind = LLVMGetMDKindIDInContext(s->wg->context, "invariant.load",
                                                 (unsigned)strlen("invariant.load"));
    cut_at_barriers(s);
    s->value_numbers.arena = s->arena;
    number_blocks(s);
    mark_ways_to_barriers(s);
    number_values(s);
}

// ---- what instructions are

static bool has_memory_effects(LLVMValueRef call)
{
    const LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    const LLVMAttributeIndex on_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    const unsigned convergent =
        LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    LLVMAttributeRef effects;

    if (!callee || !tf_ir_is_intrinsic(callee) ||
        LLVMGetEnumAttributeAtIndex(callee, on_function, convergent))
        return true;
    effects = LLVMGetEnumAttributeAtIndex(callee, on_function, memory);
    return !effects || LLVMGetEnumAttributeValue(effects) != 0;
}

bool tf_split_is_pure(LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    switch ((int)opcode) {
    case LLVMCall:
        return !has_memory_effects(instruction);
    case LLVMFNeg:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return true;
    default:
        return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction);
    }
}

// Whether the pointer leads to struct tf_group, which is filled before the group runs.
static bool points_to_group(const struct tf_split *s, LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer == LLVMGetParam(s->in->function, TF_ITEM_GROUP);
}

bool tf_split_is_fixed_load(const struct tf_split *s, LLVMValueRef instruction)
{
    LLVMValueRef pointer;

    if (!LLVMIsALoadInst(instruction) || !tf_ir_is_ordinary(instruction))
        return false;
    pointer = LLVMGetOperand(instruction, 0);
    return LLVMGetMetadata(instruction, s->invariant_kind) ||
           points_to_group(s, pointer) ||
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_AS_CONSTANT;
}
