// SPDX-License-Identifier: MIT
// What an address was computed from: followed backwards through arithmetic, casts, the
// values that meet at a phi, and those that the calls of a kept function hand on, as far
// as all of them come from one object.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

enum { MAX_VALUES = 64, MAX_LOADS = 8 };

// The values on the way, each once.
struct walk {
    const struct tf_checks *c;
    LLVMValueRef values[MAX_VALUES];
    unsigned count;
    LLVMValueRef object; // that all seen so far come from
    bool failed;         // there are several, or too many values
    bool are_ours;       // there are several, all of them (struct tf_check_origin)
    bool forks;          // a phi or a select was passed: offsets are not one number
    bool is_known;       // the offset
    int64_t offset_bytes;
};

static void visit(struct walk *w, LLVMValueRef value)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (w->values[i] == value)
            return;
    }
    if (w->count == MAX_VALUES)
        w->failed = true;
    else
        w->values[w->count++] = value;
}

static bool is_ours(const struct tf_checks *c, LLVMValueRef object);

// One of several images is none of the program's objects all the same.
static void found(struct walk *w, LLVMValueRef object)
{
    if (LLVMIsUndef(object) && w->object)
        return;
    if (w->object && w->object != object && !LLVMIsUndef(w->object)) {
        w->are_ours = is_ours(w->c, w->object) && is_ours(w->c, object);
        w->failed = !w->are_ours;
    }
    w->object = object;
}

// What is handed on to a kept function.
static void visit_calls(struct walk *w, LLVMValueRef param)
{
    const LLVMValueRef function = LLVMGetParamParent(param);
    unsigned number = 0;

    while (LLVMGetParam(function, number) != param)
        number++;
    w->forks = true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && !w->failed;
         use = LLVMGetNextUse(use))
        visit(w, LLVMGetOperand(LLVMGetUser(use), number));
}

static bool is_handed_on(const struct tf_checks *c, LLVMValueRef value)
{
    return LLVMIsAArgument(value) && LLVMGetParamParent(value) != c->kernel &&
           value != c->at->item;
}

// Adds the offset of a GEP of numbers.
static void add_offset(struct walk *w, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    const unsigned count = (unsigned)LLVMGetNumOperands(gep);

    for (unsigned i = 1; i < count && w->is_known; i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        int64_t n;

        if (!LLVMIsAConstantInt(index)) {
            w->is_known = false;
            return;
        }
        n = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            w->offset_bytes +=
                (int64_t)LLVMOffsetOfElement(w->c->layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        w->offset_bytes += n * (int64_t)LLVMABISizeOfType(w->c->layout, type);
    }
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

static void step(struct walk *w, LLVMValueRef value)
{
    switch ((unsigned)opcode_of(value)) {
    case LLVMGetElementPtr:
        add_offset(w, value);
        visit(w, LLVMGetOperand(value, 0));
        break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        visit(w, LLVMGetOperand(value, 0));
        break;
    case LLVMSelect:
        w->forks = true;
        visit(w, LLVMGetOperand(value, 1));
        visit(w, LLVMGetOperand(value, 2));
        break;
    case LLVMPHI:
        w->forks = true;
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            visit(w, LLVMGetIncomingValue(value, i));
        break;
    default:
        if (is_handed_on(w->c, value))
            visit_calls(w, value);
        else
            found(w, value);
        break;
    }
}

static struct tf_check_origin of_variable(LLVMValueRef variable, uint64_t bytes)
{
    return (struct tf_check_origin){
        .base = TF_CHECK_VARIABLE, .variable = variable, .object_bytes = bytes};
}

static struct tf_check_origin of_argument(const struct tf_checks *c, LLVMValueRef value)
{
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    struct tf_check_origin origin = {.base = TF_CHECK_ARG};
    LLVMAttributeRef attribute;

    while (LLVMGetParam(c->kernel, origin.arg) != value)
        origin.arg++;
    switch (c->args[origin.arg].kind) {
    case TF_ARG_BUFFER:
    case TF_ARG_LOCAL:
        return origin;
    case TF_ARG_VALUE:
        attribute = LLVMGetEnumAttributeAtIndex(c->kernel, origin.arg + 1, byval);
        if (!attribute)
            return (struct tf_check_origin){.base = TF_CHECK_ANY};
        return of_variable(
            value, LLVMABISizeOfType(c->layout, LLVMGetTypeAttributeValue(attribute)));
    case TF_ARG_IMAGE:
    case TF_ARG_SAMPLER:
    case TF_ARG_PIPE:
    case TF_ARG_QUEUE:
        break;
    }
    origin.is_ours = true;
    return origin;
}

static bool is_our_root(LLVMValueRef call)
{
    const enum tf_root root = tf_root_of(call);

    return root == TF_ROOT_LAUNCH || root == TF_ROOT_WORKER || root == TF_ROOT_GROUP;
}

static bool is_ours(const struct tf_checks *c, LLVMValueRef object)
{
    return LLVMIsAArgument(object) ? of_argument(c, object).is_ours : is_our_root(object);
}

// Behind so many loads: of lists that go round there is no end.
static struct tf_check_origin origin_of(const struct tf_checks *c, LLVMValueRef pointer,
                                        unsigned loads);

// Addresses that the library finds in what the run-time gives it.
static bool is_from_root(const struct tf_checks *c, LLVMValueRef number, unsigned loads)
{
    for (int i = 0; i < 8 && LLVMIsAInstruction(number); i++) {
        const LLVMOpcode opcode = LLVMGetInstructionOpcode(number);

        if (opcode == LLVMLoad)
            return origin_of(c, LLVMGetOperand(number, 0), loads + 1).is_ours;
        if (opcode != LLVMAdd && opcode != LLVMIntToPtr && opcode != LLVMPtrToInt &&
            opcode != LLVMGetElementPtr)
            return false;
        number = LLVMGetOperand(number, 0);
    }
    return false;
}

// An address that the run-time has been asked for, as it was before.
static LLVMValueRef before_check(LLVMValueRef pointer)
{
    enum { ADDRESS = 2 };
    const LLVMValueRef call =
        opcode_of(pointer) == LLVMIntToPtr ? LLVMGetOperand(pointer, 0) : NULL;
    LLVMValueRef address;

    if (!call || tf_root_of(call) != TF_ROOT_CHECK)
        return pointer;
    address = LLVMGetOperand(call, ADDRESS);
    return opcode_of(address) == LLVMPtrToInt ? LLVMGetOperand(address, 0) : pointer;
}

// A pointer that lies in an argument by value: as blocks have those that they capture.
static bool is_captured(const struct tf_checks *c, LLVMValueRef object, unsigned loads)
{
    struct tf_check_origin from;

    if (!LLVMIsALoadInst(object) ||
        LLVMGetTypeKind(LLVMTypeOf(object)) != LLVMPointerTypeKind)
        return false;
    from = origin_of(c, before_check(LLVMGetOperand(object, 0)), loads + 1);
    return from.base == TF_CHECK_VARIABLE && LLVMIsAArgument(from.variable);
}

static struct tf_check_origin of_object(const struct tf_checks *c, LLVMValueRef object,
                                        unsigned loads)
{
    if (object == c->at->item)
        return (struct tf_check_origin){.is_ours = true};
    if (LLVMIsAArgument(object))
        return of_argument(c, object);
    if (LLVMIsAAllocaInst(object) && LLVMIsAConstantInt(LLVMGetOperand(object, 0)))
        return of_variable(object,
                           LLVMABISizeOfType(c->layout, LLVMGetAllocatedType(object)) *
                               LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0)));
    if (LLVMIsAGlobalVariable(object))
        return of_variable(object,
                           LLVMABISizeOfType(c->layout, LLVMGlobalGetValueType(object)));
    if (is_captured(c, object, loads))
        return (struct tf_check_origin){.base = TF_CHECK_CAPTURED, .variable = object};
    return (struct tf_check_origin){.is_ours = is_our_root(object) ||
                                               is_from_root(c, object, loads)};
}

static struct tf_check_origin origin_of(const struct tf_checks *c, LLVMValueRef pointer,
                                        unsigned loads)
{
    struct walk w = {.c = c, .is_known = true};
    struct tf_check_origin origin;

    visit(&w, pointer);
    for (unsigned i = 0; i < w.count && !w.failed; i++)
        step(&w, w.values[i]);
    if (w.failed || !w.object || loads > MAX_LOADS)
        return (struct tf_check_origin){.base = TF_CHECK_ANY};
    if (w.are_ours)
        return (struct tf_check_origin){.is_ours = true};
    origin = of_object(c, w.object, loads);
    origin.is_known = w.is_known && !w.forks;
    origin.offset_bytes = w.offset_bytes;
    return origin;
}

// A variable of another function has no name in this one.
static bool is_elsewhere(const struct tf_checks *c, LLVMValueRef object)
{
    if (LLVMIsAArgument(object))
        return LLVMGetParamParent(object) != c->at->function;
    return LLVMIsAInstruction(object) && tf_ir_function_of(object) != c->at->function;
}

struct tf_check_origin tf_check_origin(const struct tf_checks *c, LLVMValueRef pointer)
{
    const struct tf_check_origin origin = origin_of(c, pointer, 0);

    if (origin.variable && is_elsewhere(c, origin.variable))
        return (struct tf_check_origin){.base = TF_CHECK_ANY};
    return origin;
}
