// SPDX-License-Identifier: MIT
#include "compiler/check/check_values.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

// Of each variable, the variable beside it; of each load, what says whether it has a
// value: not 0 where it has none.
struct entry {
    LLVMValueRef key, value;
};

struct values {
    struct tf_checks *c;
    struct entry *map;
    size_t room; // a power of two
    LLVMValueRef *all;
    size_t count;
};

static struct entry *place_of(const struct values *v, LLVMValueRef key)
{
    size_t at = (size_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20);

    while (v->map[at & (v->room - 1)].key && v->map[at & (v->room - 1)].key != key)
        at++;
    return &v->map[at & (v->room - 1)];
}

static void put(struct values *v, LLVMValueRef key, LLVMValueRef value)
{
    *place_of(v, key) = (struct entry){key, value};
}

static LLVMValueRef get(const struct values *v, LLVMValueRef key)
{
    return place_of(v, key)->value;
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

// A variable of one value, which is loaded and stored as a whole and nothing else.
static bool is_plain(LLVMValueRef variable)
{
    const LLVMTypeRef type = LLVMGetAllocatedType(variable);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const LLVMOpcode opcode = opcode_of(user);

        if (opcode == LLVMLoad && LLVMTypeOf(user) == type && !LLVMGetVolatile(user))
            continue;
        if (opcode == LLVMStore && LLVMGetOperand(user, 1) == variable &&
            LLVMTypeOf(LLVMGetOperand(user, 0)) == type && !LLVMGetVolatile(user))
            continue;
        if (opcode == LLVMCall && tf_ir_is_intrinsic(tf_ir_callee(user)))
            continue; // lifetime
        return false;
    }
    return true;
}

// ---- Beside the values ----

static LLVMValueRef either(struct values *v, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildOr(v->c->b, a, b, "");
}

static LLVMValueRef missing(struct values *v, LLVMValueRef value, unsigned *left);

static LLVMValueRef missing_operands(struct values *v, LLVMValueRef value, unsigned *left)
{
    LLVMValueRef all = NULL;

    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        all = either(v, all, missing(v, LLVMGetOperand(value, (unsigned)i), left));
    return all;
}

// Whether `value` has one, as a number computed at the builder's place; NULL: it has.
// Some operations have a result although an operand has none, or set a part of it (bit
// fields, components): their result counts as a value.
static LLVMValueRef missing(struct values *v, LLVMValueRef value, unsigned *left)
{
    if (!LLVMIsAInstruction(value) || *left == 0)
        return NULL;
    --*left;
    switch ((unsigned)opcode_of(value)) {
    case LLVMLoad:
        return get(v, value);
    case LLVMCall:
        return tf_ir_is_intrinsic(tf_ir_callee(value)) ? missing_operands(v, value, left)
                                                       : NULL;
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
        return missing_operands(v, value, left);
    default:
        return NULL;
    }
}

static LLVMValueRef missing_before(struct values *v, LLVMValueRef instruction,
                                   LLVMValueRef value)
{
    enum { MOST_VALUES = 64 };
    unsigned left = MOST_VALUES;

    LLVMPositionBuilderBefore(v->c->b, instruction);
    return missing(v, value, &left);
}

// ---- Where they come from ----

static void add_variable(struct values *v, LLVMValueRef variable)
{
    struct tf_checks *c = v->c;
    LLVMValueRef next = LLVMGetNextInstruction(variable), beside;

    LLVMPositionBuilderBefore(c->b, variable);
    beside = LLVMBuildAlloca(c->b, c->i64, "");
    while (LLVMIsAAllocaInst(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(c->b, next);
    LLVMBuildStore(c->b, tf_check_number(c, 1), beside);
    // The same from run to run.
    LLVMBuildStore(c->b, LLVMConstNull(LLVMGetAllocatedType(variable)), variable);
    put(v, variable, beside);
}

static void add_load(struct values *v, LLVMValueRef load)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef pointer = LLVMGetOperand(load, 0), beside = get(v, pointer);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    const struct tf_check_site site = {.op = TF_CHECK_INIT, .space = (uint8_t)space};

    // Behind the load: whether its address is valid has been looked at.
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(load));
    if (LLVMIsAAllocaInst(pointer) && beside)
        put(v, load, LLVMBuildLoad2(c->b, c->i64, beside, ""));
    else if (space == 1 || space == 3 || space == 4)
        put(v, load,
            tf_check_call(
                c, tf_check_add_site(c, load, &site),
                LLVMBuildPtrToInt(c->b, pointer, c->i64, ""),
                tf_check_number(c, LLVMStoreSizeOfType(c->layout, LLVMTypeOf(load))),
                tf_check_number(c, 0)));
}

// ---- Where they are looked at ----

static void look(struct values *v, LLVMValueRef instruction, LLVMValueRef value,
                 enum tf_check_use use)
{
    const LLVMValueRef none = missing_before(v, instruction, value);
    const struct tf_check_site site = {.op = TF_CHECK_VALUE, .arg = use};

    if (none)
        tf_check_call(v->c, tf_check_add_site(v->c, instruction, &site), none,
                      tf_check_number(v->c, 0), tf_check_number(v->c, 0));
}

static void add_store(struct values *v, LLVMValueRef store)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef value = LLVMGetOperand(store, 0),
                       pointer = LLVMGetOperand(store, 1);
    const LLVMValueRef beside = LLVMIsAAllocaInst(pointer) ? get(v, pointer) : NULL;
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMValueRef none;

    if (beside) {
        none = missing_before(v, store, value);
        LLVMPositionBuilderBefore(c->b, store);
        LLVMBuildStore(c->b, none ? none : tf_check_number(c, 0), beside);
        return;
    }
    look(v, store, pointer, TF_CHECK_ADDRESS);
    if (space == 1 || space == 4)
        look(v, store, value, TF_CHECK_STORED);
}

static void add(struct values *v, LLVMValueRef i)
{
    switch ((unsigned)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (!LLVMIsAAllocaInst(LLVMGetOperand(i, 0)))
            look(v, i, LLVMGetOperand(i, 0), TF_CHECK_ADDRESS);
        add_load(v, i);
        break;
    case LLVMStore:
        add_store(v, i);
        break;
    case LLVMBr:
        if (LLVMIsConditional(i))
            look(v, i, LLVMGetCondition(i), TF_CHECK_DECISION);
        break;
    case LLVMSwitch:
        look(v, i, LLVMGetOperand(i, 0), TF_CHECK_DECISION);
        break;
    default:
        break;
    }
}

static bool take_down(struct values *v)
{
    size_t n = 0;

    TF_FOR_EACH_INSTRUCTION(i, v->c->kernel)
    {
        v->count++;
    }
    v->room = 64;
    while (v->room < 2 * v->count)
        v->room *= 2;
    v->map = tf_zalloc(v->room * sizeof(*v->map));
    v->all = tf_zalloc((v->count + 1) * sizeof(LLVMValueRef));
    if (!v->map || !v->all)
        return false;
    TF_FOR_EACH_INSTRUCTION(i, v->c->kernel)
    {
        v->all[n++] = i;
    }
    return true;
}

bool tf_check_values(struct tf_checks *c)
{
    struct values v = {.c = c};
    const bool ok = take_down(&v);

    for (size_t i = 0; ok && i < v.count; i++) {
        if (LLVMIsAAllocaInst(v.all[i]) && v.all[i] != c->item && is_plain(v.all[i]))
            add_variable(&v, v.all[i]);
    }
    for (size_t i = 0; ok && i < v.count; i++)
        add(&v, v.all[i]);
    tf_free(v.map);
    tf_free(v.all);
    return ok;
}

// ---- What is nothing ----

static bool is_zero(LLVMValueRef number, LLVMValueRef *path, unsigned depth)
{
    enum { MOST = 24 };

    if (LLVMIsAConstantInt(number))
        return LLVMConstIntGetZExtValue(number) == 0;
    for (unsigned i = 0; i < depth; i++) {
        if (path[i] == number)
            return true; // a circle adds nothing
    }
    if (depth == MOST)
        return false;
    path[depth] = number;
    if (opcode_of(number) == LLVMOr)
        return is_zero(LLVMGetOperand(number, 0), path, depth + 1) &&
               is_zero(LLVMGetOperand(number, 1), path, depth + 1);
    if (opcode_of(number) != LLVMPHI || LLVMCountIncoming(number) > MOST)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(number); i++) {
        if (!is_zero(LLVMGetIncomingValue(number, i), path, depth + 1))
            return false;
    }
    return true;
}

// A call whose answer nobody needs, or that asks nothing.
static bool is_idle(const struct tf_checks *c, LLVMValueRef call)
{
    enum { SITE = 1, ADDRESS = 2 };
    const uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(call, SITE));
    LLVMValueRef path[32];
    struct tf_check_site site;

    memcpy(&site, c->sites.data + number * sizeof(site), sizeof(site));
    return site.op == TF_CHECK_INIT ||
           (site.op == TF_CHECK_VALUE && is_zero(LLVMGetOperand(call, ADDRESS), path, 0));
}

void tf_check_values_settle(struct tf_checks *c)
{
    LLVMValueRef next;

    for (LLVMValueRef i = tf_ir_first(c->kernel); i; i = next) {
        next = tf_ir_next(i);
        if (tf_root_of(i) != TF_ROOT_CHECK || LLVMGetFirstUse(i))
            continue;
        if (!c->sites.failed && is_idle(c, i))
            LLVMInstructionEraseFromParent(i);
    }
}
