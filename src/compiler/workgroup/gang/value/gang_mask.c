// SPDX-License-Identifier: MIT
// Masks: which lanes are active.
#include <string.h>

#include "compiler/workgroup/gang/value/gang_emit.h"

static bool is_that(const struct gang_intrinsic_of *one, const char *name,
                    const LLVMTypeRef *types, unsigned type_count)
{
    if (one->type_count != type_count)
        return false;
    for (unsigned i = 0; i < type_count; i++) {
        if (one->types[i] != types[i])
            return false;
    }
    return strcmp(one->name, name) == 0;
}

// LLVM composes the name, types and all, and looks for that, each time: the last ones
// are kept.
static LLVMValueRef declare(struct gang *g, const char *name, LLVMTypeRef *types,
                            unsigned type_count)
{
    struct gang_intrinsic_of *one;
    LLVMValueRef fn;

    for (unsigned i = 0; i < GANG_KEPT_INTRINSICS; i++) {
        one = &g->kept->intrinsics[i];
        if (one->function && is_that(one, name, types, type_count))
            return one->function;
    }
    fn = LLVMGetIntrinsicDeclaration(
        g->wg->module, LLVMLookupIntrinsicID(name, strlen(name)), types, type_count);
    one = &g->kept->intrinsics[g->kept->intrinsic_count++ % GANG_KEPT_INTRINSICS];
    if (strlen(name) >= sizeof(one->name) || type_count > GANG_KEPT_TYPES)
        return fn;
    strcpy(one->name, name);
    if (type_count > 0) // else there is no array, which memcpy() wants
        memcpy(one->types, types, type_count * sizeof(LLVMTypeRef));
    one->type_count = type_count;
    one->function = fn;
    return fn;
}

LLVMValueRef gang_intrinsic(struct gang *g, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *args, unsigned arg_count)
{
    const LLVMValueRef fn = declare(g, name, types, type_count);

    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, arg_count, "");
}

LLVMValueRef gang_any(struct gang *g, LLVMValueRef mask)
{
    return gang_intrinsic(g, "llvm.vector.reduce.or", &g->mask_type, 1, &mask, 1);
}

LLVMValueRef gang_all_lanes(struct gang *g)
{
    return LLVMConstAllOnes(g->mask_type);
}

LLVMValueRef gang_mask(struct gang *g)
{
    return g->mask ? g->mask : gang_all_lanes(g);
}

LLVMValueRef gang_widen_mask(struct gang *g, LLVMValueRef mask, LLVMTypeRef type)
{
    unsigned size;
    int *from;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return mask;
    size = LLVMGetVectorSize(type);
    from = TF_ARENA_NEW(&g->arena, int, size * g->width);
    for (unsigned i = 0; i < size * g->width; i++)
        from[i] = (int)(i / size);
    return gang_permute(g, mask, NULL, from, size * g->width);
}

LLVMValueRef gang_blend(struct gang *g, LLVMValueRef mask, LLVMValueRef yes,
                        LLVMValueRef no, LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMValueRef result;
    unsigned count;

    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind)
        return LLVMBuildSelect(g->b, gang_widen_mask(g, mask, type), yes, no, "");
    count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                       : (unsigned)LLVMGetArrayLength2(type);
    result = LLVMGetPoison(gang_type(g, type));
    for (unsigned i = 0; i < count; i++) {
        const LLVMTypeRef member = kind == LLVMStructTypeKind
                                       ? LLVMStructGetTypeAtIndex(type, i)
                                       : LLVMGetElementType(type);
        const LLVMValueRef blended =
            gang_blend(g, mask, LLVMBuildExtractValue(g->b, yes, i, ""),
                       LLVMBuildExtractValue(g->b, no, i, ""), member);

        result = LLVMBuildInsertValue(g->b, result, blended, i, "");
    }
    return result;
}

static LLVMValueRef lane_count(struct gang *g)
{
    return LLVMBuildTrunc(g->b, LLVMGetParam(g->to, TF_ITEM_PARAMS), g->i32, "");
}

LLVMValueRef gang_entry_mask(struct gang *g)
{
    if (!g->plan->of.masked)
        return NULL;
    return LLVMBuildICmp(g->b, LLVMIntULT, gang_ramp(g, g->i32, 1),
                         gang_splat(g, lane_count(g)), "");
}

LLVMValueRef gang_is_whole(struct gang *g)
{
    return LLVMBuildICmp(g->b, LLVMIntEQ, lane_count(g), gang_int(g, g->width), "");
}

LLVMValueRef gang_last_lane(struct gang *g)
{
    const LLVMTypeRef bits_type = LLVMIntTypeInContext(g->wg->context, g->width);
    LLVMValueRef args[2], zeros;

    if (!g->mask)
        return gang_int(g, g->width - 1);
    if (g->shapes->region_of[g->block] == TF_CFG_NONE)
        return LLVMBuildSub(g->b, lane_count(g), gang_int(g, 1), "");
    // Lane 0, where none is: LLVM may ask before it is known that there is one, and takes
    // the answer for one of a lane.
    args[0] = LLVMBuildOr(g->b, LLVMBuildBitCast(g->b, g->mask, bits_type, ""),
                          LLVMConstInt(bits_type, 1, false), "");
    args[1] = LLVMConstInt(g->i1, 0, false);
    zeros = gang_intrinsic(g, "llvm.ctlz", (LLVMTypeRef[]){bits_type}, 1, args, 2);
    zeros = LLVMBuildZExtOrBitCast(g->b, zeros, g->width < 32 ? g->i32 : bits_type, "");
    if (g->width > 32)
        zeros = LLVMBuildTrunc(g->b, zeros, g->i32, "");
    return LLVMBuildSub(g->b, gang_int(g, g->width - 1), zeros, "");
}
