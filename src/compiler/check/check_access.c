// SPDX-License-Identifier: MIT
// Accesses: the address goes to the run-time, and what comes back is used: the same, or
// that of memory where the access does no harm.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"

// One object of an instruction: an operand that is an address, and how much lies there.
struct touch {
    unsigned operand;
    enum tf_check_op op;
    uint64_t bytes;      // or
    LLVMValueRef length; // for ranges
    unsigned flags;
};

// Programs of OpenCL 1.x tell others by volatile variables and fences: as good as atomic.
static unsigned order_of(LLVMValueRef access)
{
    return tf_check_order(LLVMGetOrdering(access)) |
           (LLVMGetVolatile(access) ? TF_CHECK_ATOMIC : 0);
}

unsigned tf_check_order(LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingNotAtomic:
        return 0;
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
        break;
    case LLVMAtomicOrderingAcquire:
        return TF_CHECK_ATOMIC | TF_CHECK_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return TF_CHECK_ATOMIC | TF_CHECK_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
    case LLVMAtomicOrderingSequentiallyConsistent:
        return TF_CHECK_ATOMIC | TF_CHECK_ACQUIRE | TF_CHECK_RELEASE;
    }
    return TF_CHECK_ATOMIC;
}

static bool is_inside(const struct tf_check_origin *origin, uint64_t bytes)
{
    return origin->base == TF_CHECK_VARIABLE && origin->is_known &&
           origin->offset_bytes >= 0 &&
           (uint64_t)origin->offset_bytes <= origin->object_bytes &&
           bytes <= origin->object_bytes - (uint64_t)origin->offset_bytes;
}

// The name that the source has: of variables in functions, Clang puts "k." before it.
static uint32_t add_name(struct tf_checks *c, LLVMValueRef variable)
{
    const char *name = tf_ir_name(variable);
    const char *dot = strrchr(name, '.');

    if (dot && dot[1] && !LLVMIsAAllocaInst(variable))
        name = dot + 1;
    return LLVMIsAArgument(variable) ? 0 : tf_check_add_text(c, name, strlen(name));
}

static bool is_wanted(const struct tf_checks *c, const struct tf_check_origin *origin,
                      unsigned space, const struct touch *t)
{
    const bool is_private =
        space == 0 || (origin->variable && LLVMIsAAllocaInst(origin->variable));
    const bool shared = c->modes & (TF_CHECK_RACES | TF_CHECK_UNINITIALIZED);

    if (origin->is_ours)
        return false;
    if (is_private || space == 2 || !shared)
        return c->modes & TF_CHECK_MEMORY && (t->length || !is_inside(origin, t->bytes));
    return true;
}

// What a plain store leaves, as a number. NULL: it is none of those that fit.
static LLVMValueRef stored_value(struct tf_checks *c, LLVMValueRef instruction)
{
    const LLVMValueRef value =
        LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
    const LLVMTypeRef type = value ? LLVMTypeOf(value) : NULL;
    LLVMTypeRef number;

    if (!value || LLVMSizeOfTypeInBits(c->layout, type) > 64)
        return NULL;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(c->b, value, c->i64, "");
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind ||
        LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return NULL;
    number =
        LLVMIntTypeInContext(c->context, (unsigned)LLVMSizeOfTypeInBits(c->layout, type));
    return LLVMBuildZExtOrBitCast(c->b, LLVMBuildBitCast(c->b, value, number, ""), c->i64,
                                  "");
}

static void check(struct tf_checks *c, LLVMValueRef instruction, const struct touch *t)
{
    const LLVMValueRef pointer = LLVMGetOperand(instruction, t->operand);
    const LLVMTypeRef type = LLVMTypeOf(pointer);
    const struct tf_check_origin origin = tf_check_origin(c, pointer);
    const unsigned space = LLVMGetPointerAddressSpace(type);
    struct tf_check_site site = {.op = (uint8_t)t->op,
                                 .space = (uint8_t)space,
                                 .base = (uint8_t)origin.base,
                                 .flags = (uint8_t)t->flags,
                                 .arg = origin.arg,
                                 .object_bytes = origin.object_bytes};
    LLVMValueRef answer, base = tf_check_number(c, 0), bytes, value;

    if (!is_wanted(c, &origin, space, t))
        return;
    LLVMPositionBuilderBefore(c->b, instruction);
    if (origin.base == TF_CHECK_CAPTURED)
        base = LLVMBuildPtrToInt(c->b, origin.variable, c->i64, "");
    if (origin.base == TF_CHECK_VARIABLE) {
        site.variable = add_name(c, origin.variable);
        site.space = (uint8_t)LLVMGetPointerAddressSpace(LLVMTypeOf(origin.variable));
        base = LLVMBuildPtrToInt(c->b, origin.variable, c->i64, "");
    }
    bytes = t->length ? LLVMBuildZExtOrBitCast(c->b, t->length, c->i64, "")
                      : tf_check_number(c, t->bytes);
    value = c->modes & TF_CHECK_RACES ? stored_value(c, instruction) : NULL;
    if (value)
        site.flags |= TF_CHECK_HAS_VALUE;
    answer = tf_check_call_with(c, tf_check_add_site(c, instruction, &site),
                                LLVMBuildPtrToInt(c->b, pointer, c->i64, ""), bytes, base,
                                value ? value : tf_check_number(c, 0));
    if (!t->length) {
        LLVMSetOperand(instruction, t->operand,
                       LLVMBuildIntToPtr(c->b, answer, type, ""));
        return;
    }
    answer = LLVMBuildICmp(c->b, LLVMIntNE, answer, tf_check_number(c, 0), "");
    LLVMSetOperand(instruction, 2,
                   LLVMBuildSelect(c->b, answer, LLVMGetOperand(instruction, 2),
                                   LLVMConstNull(LLVMTypeOf(t->length)), ""));
}

static uint64_t bytes_of(const struct tf_checks *c, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(c->layout, type);
}

static bool is_intrinsic(LLVMValueRef call, const char *prefix)
{
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, prefix, strlen(prefix));
}

static void check_call(struct tf_checks *c, LLVMValueRef call)
{
    const bool copies =
        is_intrinsic(call, "llvm.memcpy.") || is_intrinsic(call, "llvm.memmove.");
    struct touch to = {.op = TF_CHECK_WRITE, .flags = TF_CHECK_RANGE}, from;

    if (!copies && !is_intrinsic(call, "llvm.memset."))
        return;
    to.length = LLVMGetOperand(call, 2);
    check(c, call, &to);
    if (!copies)
        return;
    from = (struct touch){.operand = 1,
                          .op = TF_CHECK_READ,
                          .flags = TF_CHECK_RANGE,
                          .length = LLVMGetOperand(call, 2)};
    check(c, call, &from);
}

void tf_check_access(struct tf_checks *c, LLVMValueRef i)
{
    struct touch t = {0};

    switch ((unsigned)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        t.op = TF_CHECK_READ;
        t.bytes = bytes_of(c, LLVMTypeOf(i));
        t.flags = order_of(i);
        break;
    case LLVMStore:
        t.op = TF_CHECK_WRITE;
        t.operand = 1;
        t.bytes = bytes_of(c, LLVMTypeOf(LLVMGetOperand(i, 0)));
        t.flags = order_of(i);
        break;
    case LLVMAtomicRMW:
        t.op = TF_CHECK_UPDATE;
        t.bytes = bytes_of(c, LLVMTypeOf(i));
        t.flags = tf_check_order(LLVMGetOrdering(i));
        break;
    case LLVMAtomicCmpXchg:
        t.op = TF_CHECK_UPDATE;
        t.bytes = bytes_of(c, LLVMTypeOf(LLVMGetOperand(i, 1)));
        t.flags = tf_check_order(LLVMGetCmpXchgSuccessOrdering(i));
        break;
    case LLVMCall:
        check_call(c, i);
        return;
    default:
        return;
    }
    check(c, i, &t);
}
