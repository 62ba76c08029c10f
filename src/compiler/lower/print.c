// SPDX-License-Identifier: MIT
#include "compiler/lower/print.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "abi/print_record.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/spaces.h"

struct lowering {
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i8, i64, root_type;
    LLVMValueRef root;
};

static uint64_t padded(uint64_t bytes)
{
    return (bytes + TF_PRINT_ALIGN_BYTES - 1) / TF_PRINT_ALIGN_BYTES *
           TF_PRINT_ALIGN_BYTES;
}

// What a record says of a value of the scalar type `type`; `element_bytes` 0: no such.
static struct tf_print_arg describe_scalar(const struct lowering *l, LLVMTypeRef type)
{
    struct tf_print_arg arg = {.kind = TF_PRINT_OTHER, .width = 1};
    uint64_t bits = 0;

    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        arg.kind = TF_PRINT_INTEGER;
        bits = LLVMGetIntTypeWidth(type);
        break;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        arg.kind = TF_PRINT_FLOAT;
        bits = LLVMSizeOfTypeInBits(l->layout, type);
        break;
    case LLVMPointerTypeKind:
        arg.kind = TF_PRINT_POINTER;
        arg.space = (uint8_t)LLVMGetPointerAddressSpace(type);
        bits = 64;
        break;
    default:
        break;
    }
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return (struct tf_print_arg){.kind = TF_PRINT_OTHER, .width = 1};
    arg.element_bytes = (uint8_t)(bits / 8);
    return arg;
}

// Strings lie in constant memory; the bytes that may be read there follow the address.
static bool has_extent(const struct tf_print_arg *arg)
{
    return arg->kind == TF_PRINT_POINTER && arg->space == TF_SPACE_CONSTANT;
}

static struct tf_print_arg describe(const struct lowering *l, LLVMValueRef call,
                                    unsigned index)
{
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, index));
    struct tf_print_arg arg;
    unsigned width = 1;

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        width = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    arg = describe_scalar(l, type);
    if (width > 16 || (width > 1 && arg.kind == TF_PRINT_POINTER) ||
        LLVMGetCallSiteEnumAttribute(call, index + 1, byval))
        arg = (struct tf_print_arg){.kind = TF_PRINT_OTHER};
    arg.width = (uint8_t)width;
    arg.value_bytes = (uint32_t)width * arg.element_bytes;
    if (has_extent(&arg))
        arg.value_bytes += sizeof(uint64_t);
    return arg;
}

static uint64_t record_bytes(const struct lowering *l, LLVMValueRef call)
{
    uint64_t bytes = sizeof(struct tf_print_record);

    for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++)
        bytes += sizeof(struct tf_print_arg) + padded(describe(l, call, i).value_bytes);
    return bytes;
}

static void store(const struct lowering *l, LLVMValueRef record, uint64_t offset_bytes,
                  LLVMValueRef value)
{
    const LLVMValueRef offset = LLVMConstInt(l->i64, offset_bytes, false);
    const LLVMValueRef at =
        LLVMBuildInBoundsGEP2(l->builder, l->i8, record, (LLVMValueRef *)&offset, 1, "");
    const LLVMValueRef inst = LLVMBuildStore(l->builder, value, at);

    LLVMSetAlignment(inst, TF_PRINT_ALIGN_BYTES);
}

// The bytes that may be read from `pointer` on, or UINT64_MAX: LLVM finds out once
// functions are inlined.
static LLVMValueRef extent(const struct lowering *l, LLVMValueRef pointer)
{
    static const char name[] = "llvm.objectsize";
    const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMTypeRef types[] = {l->i64, LLVMTypeOf(pointer)};
    const LLVMTypeRef i1 = LLVMInt1TypeInContext(l->context);
    const LLVMValueRef yes = LLVMConstInt(i1, 1, false), no = LLVMConstInt(i1, 0, false);
    const LLVMModuleRef module = LLVMGetGlobalParent(l->root);
    LLVMValueRef args[] = {pointer, no, yes,
                           no}; // -1 and not 0 for what is unknown or NULL

    return LLVMBuildCall2(l->builder, LLVMIntrinsicGetType(l->context, id, types, 2),
                          LLVMGetIntrinsicDeclaration(module, id, types, 2), args, 4, "");
}

// The structures are stored as 64-bit words, put together here: both sides are
// little-endian, and a whole word is one store.
static LLVMValueRef word(const struct lowering *l, const void *two_words_of_32)
{
    uint64_t value;

    memcpy(&value, two_words_of_32, sizeof value);
    return LLVMConstInt(l->i64, value, false);
}

static void lower_call(const struct lowering *l, LLVMValueRef call, LLVMValueRef record)
{
    const unsigned count = LLVMGetNumArgOperands(call);
    const LLVMValueRef format = LLVMGetOperand(call, 0);
    const struct tf_print_record head = {.arg_count = count - 1,
                                         .bytes = (uint32_t)record_bytes(l, call)};
    uint64_t at = sizeof head;

    LLVMPositionBuilderBefore(l->builder, call);
    store(l, record, offsetof(struct tf_print_record, format), format);
    store(l, record, offsetof(struct tf_print_record, format_bytes), extent(l, format));
    store(l, record, offsetof(struct tf_print_record, arg_count),
          word(l, &head.arg_count));
    for (unsigned i = 1; i < count; i++) {
        const struct tf_print_arg arg = describe(l, call, i);

        store(l, record, at, word(l, &arg));
        at += sizeof arg;
        if (arg.value_bytes)
            store(l, record, at, LLVMGetOperand(call, i));
        if (has_extent(&arg))
            store(l, record, at + sizeof(uint64_t), extent(l, LLVMGetOperand(call, i)));
        at += padded(arg.value_bytes);
    }
    LLVMValueRef args[] = {record, LLVMConstInt(l->i64, head.bytes, false)};
    const LLVMValueRef lowered =
        LLVMBuildCall2(l->builder, l->root_type, l->root, args, 2, "");
    LLVMSetInstructionCallConv(lowered, LLVMSPIRFUNCCallConv);
    LLVMReplaceAllUsesWith(call, lowered);
    LLVMInstructionEraseFromParent(call);
}

static bool is_print(LLVMValueRef inst, LLVMValueRef function)
{
    return tf_ir_callee(inst) == function && LLVMGetNumArgOperands(inst) > 0 &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, 0))) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(inst)) == 32;
}

// The place for the records of `caller`: as large as the largest needs.
static LLVMValueRef add_place(const struct lowering *l, LLVMValueRef caller,
                              LLVMValueRef function)
{
    uint64_t bytes = 0;

    TF_FOR_EACH_INSTRUCTION(inst, caller)
    {
        const uint64_t each = is_print(inst, function) ? record_bytes(l, inst) : 0;

        bytes = each > bytes ? each : bytes;
    }
    if (!bytes)
        return NULL;
    LLVMPositionBuilderBefore(l->builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(caller)));
    const LLVMValueRef place = LLVMBuildAlloca(
        l->builder, LLVMArrayType2(l->i64, bytes / TF_PRINT_ALIGN_BYTES), "print");
    LLVMSetAlignment(place, TF_PRINT_ALIGN_BYTES);
    return place;
}

static void lower_function(const struct lowering *l, LLVMValueRef caller,
                           LLVMValueRef function)
{
    const LLVMValueRef record = add_place(l, caller, function);
    LLVMValueRef next;

    if (!record)
        return;
    for (LLVMValueRef inst = tf_ir_first(caller); inst; inst = next) {
        next = tf_ir_next(inst);
        if (is_print(inst, function))
            lower_call(l, inst, record);
    }
}

void tf_print_lower(LLVMModuleRef module)
{
    const LLVMValueRef function = LLVMGetNamedFunction(module, TF_PRINT_FUNCTION);
    struct lowering l = {.context = LLVMGetModuleContext(module),
                         .layout = LLVMGetModuleDataLayout(module)};

    if (!function || !LLVMIsDeclaration(function) || !LLVMGetFirstUse(function))
        return;
    l.builder = LLVMCreateBuilderInContext(l.context);
    l.i8 = LLVMInt8TypeInContext(l.context);
    l.i64 = LLVMInt64TypeInContext(l.context);
    LLVMTypeRef params[] = {LLVMPointerTypeInContext(l.context, 0), l.i64};
    l.root_type = LLVMFunctionType(LLVMInt32TypeInContext(l.context), params, 2, false);
    l.root = LLVMAddFunction(module, tf_root_name(TF_ROOT_PRINT), l.root_type);
    LLVMSetFunctionCallConv(l.root, LLVMSPIRFUNCCallConv);
    tf_ir_add_attribute(l.root, "nounwind");
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f))
            lower_function(&l, f, function);
    }
    LLVMDisposeBuilder(l.builder);
}
