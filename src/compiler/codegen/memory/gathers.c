// SPDX-License-Identifier: MIT
// Below AVX-512 LLVM takes gathers apart: it makes the vector of all addresses, longs,
// and extracts each. Three operations in four were that. But a load adds a base and an
// index by itself: here each lane's index is taken out before it is extended, multiplied
// and added, and one that comes from memory and is wanted for nothing else is loaded by
// itself. With AVX-512 gathers are one instruction, which takes longer than these loads
// (for 16 floats 35 cycles, by indices out of a vector 25, at known distances 17) on
// processors whose microcode keeps its data from being guessed (Intel, Gather Data
// Sampling, 2023).
#include "compiler/codegen/memory/gathers.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { MAX_LANES = 64, MAX_INDICES = 8, BITS_OF_BYTE = 8, MOST_APART = 2048 };

struct gathers {
    LLVMBuilderRef b;
    LLVMTypeRef i32;
    unsigned left;       // lanes of gathers that may still be taken apart
    LLVMValueRef at;     // the gather
    LLVMValueRef loaded; // whose lanes these are, loaded one by one
    LLVMValueRef lanes[MAX_LANES];
    LLVMValueRef kept; // a load that something else wants, too
};

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool is_all_ones(LLVMValueRef mask)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(mask));
    uint64_t lanes;

    return tf_ir_known_mask(mask, &lanes) && lanes == UINT64_MAX >> (MAX_LANES - count);
}

static bool is_extension(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value);
}

static bool is_whole_gather(LLVMValueRef value)
{
    return tf_ir_calls(value, "llvm.masked.gather.") &&
           LLVMGetVectorSize(LLVMTypeOf(value)) <= MAX_LANES &&
           is_all_ones(tf_ir_argument_from_end(value, 2));
}

// A vector of addresses that count from one base, or one each a lane.
static bool is_indexed(LLVMValueRef pointers)
{
    LLVMValueRef base;

    if (!LLVMIsAGetElementPtrInst(pointers))
        return false;
    base = LLVMGetOperand(pointers, 0);
    if (LLVMGetNumOperands(pointers) > MAX_INDICES)
        return false;
    return !is_vector(base) || tf_ir_splat_of(base) || is_indexed(base);
}

// Whether nothing but the addresses of such gathers is made of the value.
static bool is_index_only(LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (is_whole_gather(user)
                ? LLVMGetOperand(user, 0) != value
                : !(is_extension(user) || is_indexed(user)) || !is_index_only(user))
            return false;
    }
    return true;
}

// Of integers that lie in a vector as they lie in an array.
static bool has_whole_elements(LLVMTypeRef vector)
{
    const LLVMTypeRef element = LLVMGetElementType(vector);
    unsigned bits;

    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return false;
    bits = LLVMGetIntTypeWidth(element);
    return bits % BITS_OF_BYTE == 0 && (bits & (bits - 1)) == 0;
}

static bool is_plain_load(LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMIsALoadInst(value) && tf_ir_is_ordinary(value) &&
           LLVMGetVectorSize(type) <= MAX_LANES && has_whole_elements(type);
}

// A lane of a loaded index, all of which are loaded where it is; or NULL.
static LLVMValueRef loaded_lane(struct gathers *g, LLVMValueRef load, unsigned lane)
{
    const LLVMTypeRef type = LLVMTypeOf(load), element = LLVMGetElementType(type);

    if (g->loaded == load)
        return g->lanes[lane];
    if (g->kept == load || !is_index_only(load)) {
        g->kept = load;
        return NULL;
    }
    g->loaded = load;
    LLVMPositionBuilderBefore(g->b, load);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef offset = LLVMConstInt(g->i32, i, false);

        g->lanes[i] = LLVMBuildLoad2(
            g->b, element,
            LLVMBuildGEP2(g->b, element, LLVMGetOperand(load, 0), &offset, 1, ""), "");
        LLVMSetAlignment(g->lanes[i], 1);
    }
    LLVMPositionBuilderBefore(g->b, g->at);
    return g->lanes[lane];
}

static LLVMValueRef lane_of(struct gathers *g, LLVMValueRef value, unsigned lane);

static LLVMValueRef address_of(struct gathers *g, LLVMValueRef gep, unsigned lane)
{
    const unsigned count = (unsigned)LLVMGetNumOperands(gep);
    const LLVMValueRef base = lane_of(g, LLVMGetOperand(gep, 0), lane);
    LLVMValueRef indices[MAX_INDICES];

    for (unsigned i = 1; i < count; i++)
        indices[i - 1] = lane_of(g, LLVMGetOperand(gep, i), lane);
    return LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(gep), base, indices, count - 1,
                         "");
}

static LLVMValueRef lane_of(struct gathers *g, LLVMValueRef value, unsigned lane)
{
    LLVMValueRef one;

    if (!is_vector(value))
        return value;
    if (LLVMIsConstant(value) && LLVMGetAggregateElement(value, lane))
        return LLVMGetAggregateElement(value, lane);
    one = tf_ir_splat_of(value);
    if (one)
        return one;
    if (is_indexed(value))
        return address_of(g, value, lane);
    if (is_extension(value))
        return LLVMBuildCast(g->b, LLVMGetInstructionOpcode(value),
                             lane_of(g, LLVMGetOperand(value, 0), lane),
                             LLVMGetElementType(LLVMTypeOf(value)), "");
    one = is_plain_load(value) ? loaded_lane(g, value, lane) : NULL;
    if (one)
        return one;
    return LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, lane, false), "");
}

static LLVMValueRef take_apart(struct gathers *g, LLVMValueRef gather)
{
    const LLVMTypeRef type = LLVMTypeOf(gather);
    LLVMValueRef made = LLVMGetPoison(type);

    g->at = gather;
    LLVMPositionBuilderBefore(g->b, gather);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        const LLVMValueRef address = lane_of(g, LLVMGetOperand(gather, 0), i);
        const LLVMValueRef one =
            LLVMBuildLoad2(g->b, LLVMGetElementType(type), address, "");

        LLVMSetAlignment(one, 1);
        made =
            LLVMBuildInsertElement(g->b, made, one, LLVMConstInt(g->i32, i, false), "");
    }
    return made;
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct gathers *g = data;
    unsigned lanes;

    g->b = b;
    if (!is_whole_gather(instruction) || !is_indexed(LLVMGetOperand(instruction, 0)))
        return;
    lanes = LLVMGetVectorSize(LLVMTypeOf(instruction));
    if (lanes > g->left)
        return;
    g->left -= lanes;
    tf_ir_replace(instruction, take_apart(g, instruction));
}

void tf_gathers_settle(LLVMModuleRef module, bool has_instruction)
{
    struct gathers g = {.i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module)),
                        .left = has_instruction ? MOST_APART : UINT_MAX};

    tf_ir_settle_each(module, settle, &g);
}
