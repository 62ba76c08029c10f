// SPDX-License-Identifier: MIT
// Control flow and calls. Blocks come in an order in which those that dominate one stand
// before it (spirv_functions.c), so a way to a block that is entered already leads back.
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

// The values come when all of the function is read: they may be defined behind here.
void tf_spv_op_phi(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef before = LLVMGetLastInstruction(LLVMGetInsertBlock(r->builder));
    struct tf_spv_phi *const phi = TF_SPV_NEW(r, struct tf_spv_phi, 1);

    tf_spv_need(r, type->sized, "the type has no values");
    tf_spv_need(r, !before || LLVMIsAPHINode(before), "an instruction stands before it");
    phi->op = r->op;
    phi->block = r->function->block;
    phi->value = LLVMBuildPhi(r->builder, type->llvm, "");
    phi->next = r->function->phis;
    r->function->phis = phi;
    tf_spv_set_result(r, phi->value);
}

static LLVMMetadataRef hint(struct tf_spv *r, const char *name, const uint32_t *number)
{
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(r->context, name, strlen(name))};

    if (number)
        parts[1] = LLVMValueAsMetadata(
            LLVMConstInt(LLVMInt32TypeInContext(r->context), *number, false));
    return LLVMMDNodeInContext2(r->context, parts, number ? 2 : 1);
}

void tf_spv_op_loop_merge(struct tf_spv *r)
{
    const uint32_t control = tf_spv_word(r, 3);
    LLVMMetadataRef parts[4] = {NULL};
    size_t count = 1;

    (void)tf_spv_block_at(r, 1);
    (void)tf_spv_block_at(r, 2);
    if (control & TF_SPV_LOOP_UNROLL)
        parts[count++] = hint(r, "llvm.loop.unroll.enable", NULL);
    if (control & TF_SPV_LOOP_DONT_UNROLL)
        parts[count++] = hint(r, TF_IR_NO_UNROLLING, NULL);
    if (count == 1)
        return;
    // The node names itself, so that no two loops share one.
    const LLVMMetadataRef self = LLVMTemporaryMDNode(r->context, NULL, 0);
    parts[0] = self;
    r->function->block->loop = LLVMMDNodeInContext2(r->context, parts, count);
    LLVMMetadataReplaceAllUsesWith(self, r->function->block->loop);
}

static LLVMBasicBlockRef way_to(struct tf_spv_block *block)
{
    block->edges++;
    return block->first;
}

static void mark_loop(struct tf_spv *r, LLVMValueRef branch,
                      const struct tf_spv_block *target)
{
    if (target->entered && target->loop)
        LLVMSetMetadata(branch, tf_ir_loop_kind(r->context),
                        LLVMMetadataAsValue(r->context, target->loop));
}

void tf_spv_op_branch(struct tf_spv *r)
{
    struct tf_spv_block *const target = tf_spv_block_at(r, 1);

    mark_loop(r, LLVMBuildBr(r->builder, way_to(target)), target);
}

void tf_spv_op_branch_conditional(struct tf_spv *r)
{
    const LLVMValueRef condition =
        tf_spv_value_of(r, 1, LLVMInt1TypeInContext(r->context));
    struct tf_spv_block *const yes = tf_spv_block_at(r, 2), *const no =
                                                                tf_spv_block_at(r, 3);
    const LLVMValueRef branch =
        LLVMBuildCondBr(r->builder, condition, way_to(yes), way_to(no));

    mark_loop(r, branch, yes);
    mark_loop(r, branch, no);
    if (r->op.count == 6) {
        LLVMMetadataRef weights[3] = {
            LLVMMDStringInContext2(r->context, "branch_weights", 14)};

        for (uint32_t i = 0; i < 2; i++)
            weights[i + 1] = LLVMValueAsMetadata(LLVMConstInt(
                LLVMInt32TypeInContext(r->context), tf_spv_word(r, 4 + i), false));
        LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(r->context, "prof", 4),
                        LLVMMetadataAsValue(
                            r->context, LLVMMDNodeInContext2(r->context, weights, 3)));
    }
}

void tf_spv_op_switch(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 1);
    const LLVMValueRef value = tf_spv_value_at(r, 1);

    tf_spv_need(r, type->kind == TF_SPV_INT, "it decides by an integer");
    const uint32_t words = type->bits > 32 ? 2 : 1;
    const uint64_t mask =
        type->bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << type->bits) - 1;
    tf_spv_need(r, (r->op.count - 3) % (words + 1) == 0, "the last case is not whole");
    const LLVMValueRef branch =
        LLVMBuildSwitch(r->builder, value, way_to(tf_spv_block_at(r, 2)),
                        (r->op.count - 3) / (words + 1));
    for (uint32_t at = 3; at < r->op.count; at += words + 1) {
        const uint64_t number = tf_spv_word(r, at) |
                                (words == 2 ? (uint64_t)tf_spv_word(r, at + 1) << 32 : 0);

        LLVMAddCase(branch, LLVMConstInt(type->llvm, number & mask, false),
                    way_to(tf_spv_block_at(r, at + words)));
    }
}

void tf_spv_op_return(struct tf_spv *r)
{
    const struct tf_spv_type *const type = r->function->type->element;

    if (r->op.opcode == TF_SPV_OP_ReturnValue) {
        LLVMBuildRet(r->builder, tf_spv_value_of(r, 1, type->llvm));
    } else {
        tf_spv_need(r, type->kind == TF_SPV_VOID, "the function returns a value");
        LLVMBuildRetVoid(r->builder);
    }
}

void tf_spv_op_unreachable(struct tf_spv *r)
{
    LLVMBuildUnreachable(r->builder);
}

void tf_spv_op_call(struct tf_spv *r)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, 3);
    const uint32_t count = r->op.count - 4;
    LLVMValueRef *const args = TF_SPV_NEW(r, LLVMValueRef, count);

    tf_spv_need(r, id->kind == TF_SPV_ID_FUNCTION, "id %u is no function",
                r->op.words[3]);
    const struct tf_spv_function *const callee = id->is.function;
    tf_spv_need(r, callee->type->element == tf_spv_result_type(r),
                "the function returns another type");
    tf_spv_need(r, count == callee->type->member_count, "%u arguments for %u parameters",
                count, callee->type->member_count);
    for (uint32_t i = 0; i < count; i++)
        args[i] = tf_spv_value_of(r, 4 + i, callee->type->members[i]->llvm);
    const LLVMValueRef call =
        LLVMBuildCall2(r->builder, callee->type->llvm, callee->value, args, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(callee->value));
    for (uint32_t i = 0; i < count; i++) {
        const LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(
            callee->value, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));

        if (byval)
            LLVMAddCallSiteAttribute(call, i + 1, byval);
    }
    tf_spv_set_result(r, call);
}
