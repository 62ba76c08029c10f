// SPDX-License-Identifier: MIT
// Vectors of the program in passing: `(int2)(x, y) + (int2)(-1, 1)`, of which only the
// components are asked for afterwards, as by all that reads images. Memory does not see
// them. As one vector for all lanes they would be nothing that lanes know more of:
// components are addresses side by side, and the same for all.
#include "compiler/workgroup/prepare/passing.h"

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/job/arena.h"

enum {
    MOST_ELEMENTS = 16,
    SMALLEST_BITS = 32, // smaller ones are better off as parts of one register
    MOST_ARGS = 4,
};

struct vector {
    LLVMValueRef instruction;
    bool passes;
    LLVMValueRef components[MOST_ELEMENTS]; // NULL: not made yet
};

struct passing {
    LLVMBuilderRef b;
    struct tf_arena arena;
    struct vector *vectors; // in the order of the function
    unsigned count;
    struct tf_map numbers; // of the instructions in `vectors`
};

static unsigned element_count(LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}

static bool has_good_elements(LLVMValueRef i)
{
    const LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(i));

    switch ((int)LLVMGetTypeKind(element)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(element) >= SMALLEST_BITS || LLVMIsACmpInst(i);
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

// Of calls: those of intrinsics whose name has the type of the result alone.
static bool is_simple_call(LLVMValueRef i)
{
    const struct tf_elementwise *e = tf_elementwise_of(i);

    return e && e->type_count == 1 && e->types[0] == TF_ELEMENTWISE_RESULT &&
           LLVMGetNumArgOperands(i) <= MOST_ARGS;
}

static bool is_of_the_kind(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMInsertElement:
        return LLVMIsAConstantInt(LLVMGetOperand(i, 2));
    case LLVMShuffleVector:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return true;
    case LLVMCall:
        return is_simple_call(i);
    default:
        return LLVMIsABinaryOperator(i);
    }
}

static struct vector *vector_of(const struct passing *p, LLVMValueRef value)
{
    const unsigned number = tf_map_get(&p->numbers, value);

    return number == TF_MAP_NONE ? NULL : &p->vectors[number];
}

static bool passes(const struct passing *p, LLVMValueRef value)
{
    const struct vector *v = vector_of(p, value);

    return v && v->passes;
}

static unsigned operand_count(LLVMValueRef i)
{
    return LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i)
                              : (unsigned)LLVMGetNumOperands(i);
}

static bool comes_from_scalars(const struct passing *p, LLVMValueRef i)
{
    for (unsigned k = 0; k < operand_count(i); k++) {
        const LLVMValueRef from = LLVMGetOperand(i, k);

        if (element_count(from) && !passes(p, from) &&
            !(LLVMIsAConstant(from) && LLVMGetAggregateElement(from, 0)))
            return false;
    }
    return true;
}

static bool takes_component(LLVMValueRef user)
{
    const LLVMValueRef at =
        LLVMIsAExtractElementInst(user) ? LLVMGetOperand(user, 1) : NULL;

    return at && LLVMIsAConstantInt(at) &&
           LLVMConstIntGetZExtValue(at) < element_count(LLVMGetOperand(user, 0));
}

static unsigned taken_component(LLVMValueRef user)
{
    return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1));
}

static bool goes_to_scalars(const struct passing *p, LLVMValueRef i)
{
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        if (!takes_component(LLVMGetUser(u)) && !passes(p, LLVMGetUser(u)))
            return false;
    }
    return true;
}

// Whether one passes no longer that did.
static bool look_again(struct passing *p, unsigned number)
{
    struct vector *v = &p->vectors[number];
    const bool passed = v->passes;

    v->passes = passed && comes_from_scalars(p, v->instruction) &&
                goes_to_scalars(p, v->instruction);
    return passed && !v->passes;
}

// All of the kind, less those that others come from or go to. There and back: one turn
// does for a chain of any length.
static void find(struct passing *p, LLVMValueRef fn)
{
    unsigned most = 0;
    bool fewer = true;

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        most += element_count(i) > 0;
    }
    if (!most)
        return;
    p->vectors = TF_ARENA_NEW(&p->arena, struct vector, most);
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (element_count(i) > 0 && element_count(i) <= MOST_ELEMENTS &&
            has_good_elements(i) && is_of_the_kind(i)) {
            tf_map_put(&p->numbers, i, p->count);
            p->vectors[p->count].instruction = i;
            p->vectors[p->count++].passes = true;
        }
    }
    while (fewer) {
        fewer = false;
        for (unsigned v = 0; v < p->count; v++)
            fewer |= look_again(p, v);
        for (unsigned v = p->count; v-- > 0;)
            fewer |= look_again(p, v);
    }
}

// ---- as scalars

// NULL: not made yet.
static LLVMValueRef component(const struct passing *p, LLVMValueRef value, unsigned at)
{
    if (!element_count(value))
        return value;
    return LLVMIsAConstant(value) ? LLVMGetAggregateElement(value, at)
                                  : vector_of(p, value)->components[at];
}

static LLVMValueRef shuffled(const struct passing *p, LLVMValueRef i, unsigned at)
{
    const int from = LLVMGetMaskValue(i, at);
    const unsigned first = element_count(LLVMGetOperand(i, 0));

    if (from == LLVMGetUndefMaskElem())
        return LLVMGetPoison(LLVMGetElementType(LLVMTypeOf(i)));
    return (unsigned)from < first
               ? component(p, LLVMGetOperand(i, 0), (unsigned)from)
               : component(p, LLVMGetOperand(i, 1), (unsigned)from - first);
}

// A component that is put into another vector will be gone.
static LLVMValueRef inserted(const struct passing *p, LLVMValueRef i, unsigned at)
{
    const LLVMValueRef scalar = LLVMGetOperand(i, 1);

    if (LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)) != at)
        return component(p, LLVMGetOperand(i, 0), at);
    if (!takes_component(scalar) || !passes(p, LLVMGetOperand(scalar, 0)))
        return scalar;
    return component(p, LLVMGetOperand(scalar, 0), taken_component(scalar));
}

static LLVMValueRef called(const struct passing *p, LLVMValueRef call, LLVMValueRef *args)
{
    const LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(call));
    const unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(call));
    LLVMTypeRef types[] = {type};
    const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(
        LLVMGetGlobalParent(tf_ir_function_of(call)), id, types, 1);

    return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(fn), fn, args,
                          LLVMGetNumArgOperands(call), "");
}

static LLVMValueRef computed(const struct passing *p, LLVMValueRef i, LLVMValueRef *of)
{
    const LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(i));
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

    switch ((int)opcode) {
    case LLVMICmp:
        return LLVMBuildICmp(p->b, LLVMGetICmpPredicate(i), of[0], of[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(p->b, LLVMGetFCmpPredicate(i), of[0], of[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(p->b, of[0], of[1], of[2], "");
    case LLVMFNeg:
        return LLVMBuildFNeg(p->b, of[0], "");
    case LLVMCall:
        return called(p, i, of);
    default:
        break;
    }
    return LLVMIsABinaryOperator(i) ? LLVMBuildBinOp(p->b, opcode, of[0], of[1], "")
                                    : LLVMBuildCast(p->b, opcode, of[0], type, "");
}

static void keep_flags(LLVMValueRef made, LLVMValueRef i)
{
    if (!LLVMIsAInstruction(made)) // a constant
        return;
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(made, LLVMGetNSW(i));
        LLVMSetNUW(made, LLVMGetNUW(i));
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(made, LLVMGetExact(i));
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(made, LLVMGetIsDisjoint(i));
        break;
    case LLVMZExt:
        LLVMSetNNeg(made, LLVMGetNNeg(i));
        break;
    default:
        if (LLVMCanValueUseFastMathFlags(made) && LLVMCanValueUseFastMathFlags(i))
            LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(i));
        break;
    }
}

// NULL: of something that is not made yet.
static LLVMValueRef make(const struct passing *p, LLVMValueRef i, unsigned at)
{
    LLVMValueRef of[MOST_ARGS] = {0}, made;

    if (LLVMIsAInsertElementInst(i))
        return inserted(p, i, at);
    if (LLVMIsAShuffleVectorInst(i))
        return shuffled(p, i, at);
    for (unsigned k = 0; k < operand_count(i); k++) {
        of[k] = component(p, LLVMGetOperand(i, k), at);
        if (!of[k])
            return NULL;
    }
    made = computed(p, i, of);
    keep_flags(made, i);
    return made;
}

// Returns how many components were made.
static unsigned make_components(struct passing *p, struct vector *v)
{
    unsigned made = 0;

    LLVMPositionBuilderBefore(p->b, v->instruction);
    for (unsigned at = 0; at < element_count(v->instruction); at++) {
        if (v->components[at])
            continue;
        v->components[at] = make(p, v->instruction, at);
        made += v->components[at] != NULL;
    }
    return made;
}

// Blocks need not stand in an order in which all is made before it is used. False: some
// could not be made, which needs themselves, as code may that nobody comes by.
static bool make_all(struct passing *p)
{
    unsigned missing = 0, made;

    for (unsigned v = 0; v < p->count; v++)
        missing += p->vectors[v].passes ? element_count(p->vectors[v].instruction) : 0;
    do {
        made = 0;
        for (unsigned v = 0; v < p->count; v++) {
            if (p->vectors[v].passes)
                made += make_components(p, &p->vectors[v]);
        }
        missing -= made;
    } while (missing && made);
    return !missing;
}

static void take_place(const struct vector *v)
{
    LLVMUseRef next;

    for (LLVMUseRef u = LLVMGetFirstUse(v->instruction); u; u = next) {
        const LLVMValueRef user = LLVMGetUser(u);

        next = LLVMGetNextUse(u);
        if (takes_component(user))
            tf_ir_replace(user, v->components[taken_component(user)]);
    }
}

bool tf_prepare_passing(LLVMValueRef fn)
{
    struct passing p = {0};
    bool any = false;

    p.numbers.arena = &p.arena;
    find(&p, fn);
    for (unsigned v = 0; v < p.count; v++)
        any |= p.vectors[v].passes;
    if (any) {
        p.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(fn)));
        any = make_all(&p);
        LLVMDisposeBuilder(p.b);
    }
    for (unsigned v = 0; any && v < p.count; v++) {
        if (p.vectors[v].passes)
            take_place(&p.vectors[v]);
    }
    tf_arena_finish(&p.arena);
    return any;
}
