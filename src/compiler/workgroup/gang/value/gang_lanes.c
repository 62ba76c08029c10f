// SPDX-License-Identifier: MIT
// Instructions that have no form for vectors run lane after lane.
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/gang/value/gang_emit.h"

static unsigned member_count(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMCountStructElementTypes(type)
               : (unsigned)LLVMGetArrayLength2(type);
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned i)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
                                                       : LLVMGetElementType(type);
}

static LLVMValueRef element_index(struct gang *g, LLVMValueRef lane, unsigned size,
                                  unsigned i)
{
    return LLVMBuildAdd(g->b, LLVMBuildMul(g->b, lane, gang_int(g, size), ""),
                        gang_int(g, i), "");
}

LLVMValueRef gang_take(struct gang *g, LLVMValueRef all, LLVMTypeRef type,
                       LLVMValueRef lane)
{
    LLVMValueRef result;

    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        result = LLVMGetPoison(type);
        for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
            const LLVMValueRef at = element_index(g, lane, LLVMGetVectorSize(type), i);

            result = LLVMBuildInsertElement(g->b, result,
                                            LLVMBuildExtractElement(g->b, all, at, ""),
                                            gang_int(g, i), "");
        }
        return result;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        result = LLVMGetPoison(type);
        for (unsigned i = 0; i < member_count(type); i++) {
            const LLVMValueRef member = LLVMBuildExtractValue(g->b, all, i, "");

            result = LLVMBuildInsertValue(
                g->b, result, gang_take(g, member, member_type(type, i), lane), i, "");
        }
        return result;
    default:
        return LLVMBuildExtractElement(g->b, all, lane, "");
    }
}

static LLVMValueRef put(struct gang *g, LLVMValueRef all, LLVMValueRef one,
                        LLVMTypeRef type, LLVMValueRef lane)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
            const LLVMValueRef at = element_index(g, lane, LLVMGetVectorSize(type), i);

            all = LLVMBuildInsertElement(
                g->b, all, LLVMBuildExtractElement(g->b, one, gang_int(g, i), ""), at,
                "");
        }
        return all;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        for (unsigned i = 0; i < member_count(type); i++) {
            const LLVMValueRef member =
                put(g, LLVMBuildExtractValue(g->b, all, i, ""),
                    LLVMBuildExtractValue(g->b, one, i, ""), member_type(type, i), lane);

            all = LLVMBuildInsertValue(g->b, all, member, i, "");
        }
        return all;
    default:
        return LLVMBuildInsertElement(g->b, all, one, lane, "");
    }
}

// Operands for all lanes: scalars where the lanes share them or count up.
struct operands {
    unsigned count;
    LLVMValueRef *made;
};

static struct operands make_operands(struct gang *g, LLVMValueRef instruction)
{
    struct operands o = {.count = (unsigned)LLVMGetNumOperands(instruction)};

    o.made = TF_ARENA_NEW(&g->arena, LLVMValueRef, o.count);
    for (unsigned i = 0; i < o.count; i++) {
        const LLVMValueRef operand = LLVMGetOperand(instruction, i);

        if (tf_shape_of(g->shapes, operand).kind == TF_SHAPE_AFFINE)
            o.made[i] = gang_scalar(g, operand);
        else
            o.made[i] = gang_vector(g, operand);
    }
    return o;
}

static LLVMValueRef operand_of_lane(struct gang *g, LLVMValueRef operand,
                                    LLVMValueRef made, LLVMValueRef lane)
{
    const struct tf_shape shape = tf_shape_of(g->shapes, operand);
    const LLVMTypeRef type = LLVMTypeOf(operand);
    LLVMValueRef step;

    if (shape.kind != TF_SHAPE_AFFINE)
        return gang_take(g, made, type, lane);
    if (shape.stride == 0)
        return made;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        step = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, lane, g->i64, ""),
                            LLVMConstInt(g->i64, (uint64_t)shape.stride, true), "");
        return LLVMBuildGEP2(g->b, g->wg->i8, made, &step, 1, "");
    }
    step = LLVMGetIntTypeWidth(type) > 32   ? LLVMBuildZExt(g->b, lane, type, "")
           : LLVMGetIntTypeWidth(type) < 32 ? LLVMBuildTrunc(g->b, lane, type, "")
                                            : lane;
    step = LLVMBuildMul(g->b, step, LLVMConstInt(type, (uint64_t)shape.stride, true), "");
    return LLVMBuildAdd(g->b, made, step, "");
}

static LLVMValueRef run_lane(struct gang *g, LLVMValueRef instruction,
                             const struct operands *o, LLVMValueRef lane)
{
    LLVMValueRef *scalars = TF_ARENA_NEW(&g->arena, LLVMValueRef, o->count);
    LLVMValueRef clone;

    for (unsigned i = 0; i < o->count; i++)
        scalars[i] = operand_of_lane(g, LLVMGetOperand(instruction, i), o->made[i], lane);
    clone = LLVMInstructionClone(instruction);
    LLVMInsertIntoBuilder(g->b, clone);
    for (unsigned i = 0; i < o->count; i++)
        LLVMSetOperand(clone, i, scalars[i]);
    return clone;
}

static bool has_result(LLVMValueRef instruction)
{
    return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

void gang_unrolled(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    const struct operands o = make_operands(g, v->instruction);
    LLVMValueRef all = LLVMGetPoison(gang_type(g, type));

    for (unsigned i = 0; i < g->width; i++) {
        const LLVMValueRef lane = gang_int(g, i);

        all = put(g, all, run_lane(g, v->instruction, &o, lane), type, lane);
    }
    gang_define(g, v, NULL, all);
}

static LLVMBasicBlockRef add_block(struct gang *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->wg->context, g->to, name);
}

static void branch_if_active(struct gang *g, LLVMValueRef lane, LLVMBasicBlockRef run,
                             LLVMBasicBlockRef next)
{
    if (g->mask)
        LLVMBuildCondBr(g->b, LLVMBuildExtractElement(g->b, g->mask, lane, ""), run,
                        next);
    else
        LLVMBuildBr(g->b, run);
}

void gang_lane_loop(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    const LLVMTypeRef wide = has_result(v->instruction) ? gang_type(g, type) : NULL;
    const LLVMBasicBlockRef head = add_block(g, "lane"), run = add_block(g, "active");
    const LLVMBasicBlockRef next = add_block(g, "next"),
                            done = add_block(g, "lanes_done");
    const LLVMValueRef counter = gang_slot(g, g->i32, "lane");
    const LLVMValueRef results = wide ? gang_slot(g, wide, "lanes") : NULL;
    const struct operands o = make_operands(g, v->instruction);
    LLVMValueRef lane, one, end;

    LLVMBuildStore(g->b, gang_int(g, 0), counter);
    if (wide)
        LLVMBuildStore(g->b, LLVMGetPoison(wide), results);
    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    lane = LLVMBuildLoad2(g->b, g->i32, counter, "");
    branch_if_active(g, lane, run, next);
    LLVMPositionBuilderAtEnd(g->b, run);
    one = run_lane(g, v->instruction, &o, lane);
    if (wide)
        LLVMBuildStore(g->b,
                       put(g, LLVMBuildLoad2(g->b, wide, results, ""), one, type, lane),
                       results);
    LLVMBuildBr(g->b, next);
    LLVMPositionBuilderAtEnd(g->b, next);
    lane = LLVMBuildAdd(g->b, lane, gang_int(g, 1), "");
    LLVMBuildStore(g->b, lane, counter);
    end = LLVMBuildCondBr(g->b,
                          LLVMBuildICmp(g->b, LLVMIntEQ, lane, gang_int(g, g->width), ""),
                          done, head);
    // Scatters are loops where there are hundreds of them.
    if (LLVMIsAStoreInst(v->instruction) || LLVMIsALoadInst(v->instruction))
        tf_ir_mark_loop(end, TF_IR_NO_UNROLLING);
    LLVMPositionBuilderAtEnd(g->b, done);
    if (wide)
        gang_define(g, v, NULL, LLVMBuildLoad2(g->b, wide, results, ""));
}
