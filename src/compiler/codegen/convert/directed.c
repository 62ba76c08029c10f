// SPDX-License-Identifier: MIT
// Reals rounded to shorter ones in a direction. Where the machine does not: the nearest
// number, and its neighbour where that lies on the wrong side. Bits are sign and
// magnitude, so that the neighbour has one more or one less of them; a zero lies on the
// wrong side only with the sign of the number that it was made from.
#include "compiler/codegen/convert/directed.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/job/arena.h"

enum {
    HALF_LANES = 8,    // of one conversion to half
    FLOAT_LANES = 8,   // of one conversion of doubles with 512 bits
    ALL_FLOATS = 0xff, // its mask
    NO_EXCEPTIONS = 8, // beside the direction
    HALF_BITS = 16,
    FLOAT_BITS = 32,
};

// As processors for x86 write them.
enum direction { NEAREST = 0, DOWN = 1, UP = 2, TO_ZERO = 3 };

struct rounding {
    struct tf_arena arena; // lists of elements: lanes of a program's vectors are many
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMValueRef x;
    LLVMTypeRef to; // the result's, a vector or not
    enum direction direction;
    struct tf_directed machine;
};

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return is_vector(type) ? LLVMGetElementType(type) : type;
}

static unsigned lanes_of(LLVMTypeRef type)
{
    return is_vector(type) ? LLVMGetVectorSize(type) : 1;
}

static LLVMTypeRef type_like(LLVMTypeRef like, LLVMTypeRef element)
{
    return is_vector(like) ? LLVMVectorType(element, LLVMGetVectorSize(like)) : element;
}

static LLVMValueRef splat(struct rounding *r, LLVMTypeRef type, uint64_t value)
{
    const LLVMValueRef element = LLVMConstInt(element_of(type), value, 0);
    const unsigned count = lanes_of(type);
    LLVMValueRef *elements;

    if (!is_vector(type))
        return element;
    elements = TF_ARENA_NEW(&r->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++)
        elements[i] = element;
    return LLVMConstVector(elements, count);
}

static LLVMValueRef call(const struct rounding *r, const char *name, LLVMTypeRef type,
                         LLVMValueRef *args, unsigned count)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    const unsigned types = type != NULL;
    const LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(r->module, id, &type, types);

    return LLVMBuildCall2(r->b, LLVMIntrinsicGetType(r->context, id, &type, types),
                          function, args, count, "");
}

// ---- by neighbours

static LLVMValueRef magnitude(const struct rounding *r, LLVMValueRef x)
{
    return call(r, "llvm.fabs", LLVMTypeOf(x), &x, 1);
}

static LLVMValueRef is_wrong(const struct rounding *r, LLVMValueRef back)
{
    switch ((int)r->direction) {
    case UP:
        return LLVMBuildFCmp(r->b, LLVMRealOLT, back, r->x, "");
    case DOWN:
        return LLVMBuildFCmp(r->b, LLVMRealOGT, back, r->x, "");
    default:
        return LLVMBuildFCmp(r->b, LLVMRealOGT, magnitude(r, back), magnitude(r, r->x),
                             "");
    }
}

static LLVMValueRef by_neighbour(struct rounding *r)
{
    const bool is_half = LLVMGetTypeKind(element_of(r->to)) == LLVMHalfTypeKind;
    const unsigned width = is_half ? HALF_BITS : FLOAT_BITS;
    const LLVMTypeRef ints = type_like(r->to, LLVMIntTypeInContext(r->context, width));
    const LLVMValueRef nearest = LLVMBuildFPTrunc(r->b, r->x, r->to, "");
    const LLVMValueRef back = LLVMBuildFPExt(r->b, nearest, LLVMTypeOf(r->x), "");
    const LLVMValueRef wrong = LLVMBuildSExt(r->b, is_wrong(r, back), ints, "");
    LLVMValueRef bits = LLVMBuildBitCast(r->b, nearest, ints, "");
    LLVMValueRef up = LLVMBuildAShr(r->b, bits, splat(r, ints, width - 1), "");

    up = LLVMBuildAnd(r->b, LLVMBuildOr(r->b, up, splat(r, ints, 1), ""), wrong, "");
    if (r->direction == TO_ZERO)
        bits = LLVMBuildAdd(r->b, bits, wrong, "");
    else if (r->direction == UP)
        bits = LLVMBuildAdd(r->b, bits, up, "");
    else
        bits = LLVMBuildSub(r->b, bits, up, "");
    return LLVMBuildBitCast(r->b, bits, r->to, "");
}

// ---- by instructions of the machine

// `count` elements of a vector from `first` on; what it does not have is anything.
static LLVMValueRef part(struct rounding *r, LLVMValueRef vector, unsigned first,
                         unsigned count)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef *from = TF_ARENA_NEW(&r->arena, LLVMValueRef, count);

    for (unsigned i = 0; i < count; i++)
        from[i] = first + i < size ? LLVMConstInt(i32, first + i, 0) : LLVMGetPoison(i32);
    return LLVMBuildShuffleVector(r->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(from, count), "");
}

static LLVMValueRef join(struct rounding *r, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const unsigned count = 2 * LLVMGetVectorSize(LLVMTypeOf(a));
    LLVMValueRef *from = TF_ARENA_NEW(&r->arena, LLVMValueRef, count);

    for (unsigned i = 0; i < count; i++)
        from[i] = LLVMConstInt(i32, i, 0);
    return LLVMBuildShuffleVector(r->b, a, b, LLVMConstVector(from, count), "");
}

static LLVMValueRef eight_halves(struct rounding *r, LLVMValueRef floats)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    LLVMValueRef args[] = {floats, LLVMConstInt(i32, r->direction, 0)};

    return LLVMBuildBitCast(r->b, call(r, "llvm.x86.vcvtps2ph.256", NULL, args, 2),
                            LLVMVectorType(LLVMHalfTypeInContext(r->context), HALF_LANES),
                            "");
}

static LLVMValueRef eight_floats(struct rounding *r, LLVMValueRef doubles)
{
    const LLVMTypeRef floats =
        LLVMVectorType(LLVMFloatTypeInContext(r->context), FLOAT_LANES);
    LLVMValueRef args[] = {doubles, LLVMConstNull(floats),
                           LLVMConstInt(LLVMInt8TypeInContext(r->context), ALL_FLOATS, 0),
                           LLVMConstInt(LLVMInt32TypeInContext(r->context),
                                        r->direction | NO_EXCEPTIONS, 0)};

    return call(r, "llvm.x86.avx512.mask.cvtpd2ps.512", NULL, args, 4);
}

// Eight at a time, of a number of eights that is a power of two; what is too much of it
// is made of nothing.
static LLVMValueRef by_eights(struct rounding *r,
                              LLVMValueRef (*eight)(struct rounding *, LLVMValueRef))
{
    const unsigned count = lanes_of(r->to);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    LLVMValueRef x = r->x, *parts;
    unsigned eights = 1;

    if (!is_vector(r->to))
        x = LLVMBuildInsertElement(
            r->b, LLVMGetPoison(LLVMVectorType(LLVMTypeOf(x), HALF_LANES)), x,
            LLVMConstInt(i32, 0, 0), "");
    while (eights * HALF_LANES < count)
        eights *= 2;
    parts = TF_ARENA_NEW(&r->arena, LLVMValueRef, eights);
    for (unsigned i = 0; i < eights; i++)
        parts[i] = eight(r, part(r, x, i * HALF_LANES, HALF_LANES));
    for (; eights > 1; eights /= 2) {
        for (unsigned i = 0; i < eights / 2; i++)
            parts[i] = join(r, parts[2 * i], parts[2 * i + 1]);
    }
    return is_vector(r->to)
               ? part(r, parts[0], 0, count)
               : LLVMBuildExtractElement(r->b, parts[0], LLVMConstInt(i32, 0, 0), "");
}

// ---- which

static enum direction direction_of(LLVMValueRef rounding)
{
    unsigned length;
    const char *const name = LLVMGetMDString(LLVMGetOperand(rounding, 1), &length);

    if (!strncmp(name, "round.towardzero", length))
        return TO_ZERO;
    if (!strncmp(name, "round.upward", length))
        return UP;
    return strncmp(name, "round.downward", length) ? NEAREST : DOWN;
}

static bool is_rounding(LLVMValueRef instruction)
{
    static const char name[] = "llvm.fptrunc.round";
    LLVMValueRef callee;

    if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
        return false;
    callee = LLVMGetCalledValue(instruction);
    return LLVMIsAFunction(callee) && tf_ir_is_intrinsic(callee) &&
           LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, strlen(name));
}

// Lanes of doubles that are 512 bits: the function has such vectors from now on.
static void allow_512(LLVMValueRef function, LLVMContextRef context)
{
    static const char key[] = "min-legal-vector-width", value[] = "512";

    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, key, strlen(key), value, strlen(value)));
}

static LLVMValueRef build(struct rounding *r, LLVMValueRef function)
{
    const LLVMTypeKind from = LLVMGetTypeKind(element_of(LLVMTypeOf(r->x)));
    const LLVMTypeKind to = LLVMGetTypeKind(element_of(r->to));

    if (r->direction == NEAREST)
        return LLVMBuildFPTrunc(r->b, r->x, r->to, "");
    if (r->machine.float_to_half && from == LLVMFloatTypeKind && to == LLVMHalfTypeKind)
        return by_eights(r, eight_halves);
    if (r->machine.double_to_float && from == LLVMDoubleTypeKind &&
        to == LLVMFloatTypeKind && lanes_of(r->to) >= FLOAT_LANES) {
        allow_512(function, r->context);
        return by_eights(r, eight_floats);
    }
    return by_neighbour(r);
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct rounding *r = data;

    if (!is_rounding(instruction))
        return;
    LLVMPositionBuilderBefore(b, instruction);
    r->b = b;
    r->x = LLVMGetOperand(instruction, 0);
    r->to = LLVMTypeOf(instruction);
    r->direction = direction_of(instruction);
    tf_ir_replace(instruction, build(r, tf_ir_function_of(instruction)));
}

void tf_directed_settle(LLVMModuleRef module, struct tf_directed machine)
{
    struct rounding r = {
        .module = module, .context = LLVMGetModuleContext(module), .machine = machine};

    tf_ir_settle_each(module, settle, &r);
    tf_arena_finish(&r.arena);
}
