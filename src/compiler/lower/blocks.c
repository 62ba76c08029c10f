// SPDX-License-Identifier: MIT
#include "compiler/lower/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "abi/enqueue_record.h"
#include "abi/long16.h"
#include "compiler/front/build_log.h"
#include "compiler/ir/ir_util.h"

// Functions that only change their name.
static const struct {
    const char *clang, *library;
} names[] = {
    {"_Z17get_default_queuev", "__tf_b_default_queue"},
    {"_Z17create_user_eventv", "__tf_b_create_user_event"},
    {"_Z16__clk_null_eventv", "__tf_b_null_event"},
    {"__clk_null_event", "__tf_b_null_event"},
    {"_Z12retain_event12ocl_clkevent", "__tf_b_retain_event_ulong"},
    {"_Z13release_event12ocl_clkevent", "__tf_b_release_event_ulong"},
    {"_Z14is_valid_event12ocl_clkevent", "__tf_b_is_valid_event_ulong"},
    {"_Z21set_user_event_status12ocl_clkeventi",
     "__tf_b_set_user_event_status_ulong_int"},
    {"_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
     "__tf_b_capture_event_profiling_info_ulong_int_p1void"},
    {"_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
     "__tf_b_enqueue_marker_ulong_uint_p4void_p4void"},
    {"_Z10ndrange_1Dm", "__tf_b_ndrange_1D_p0void_ulong"},
    {"_Z10ndrange_1Dmm", "__tf_b_ndrange_1D_p0void_ulong_ulong"},
    {"_Z10ndrange_1Dmmm", "__tf_b_ndrange_1D_p0void_ulong_ulong_ulong"},
    {"_Z10ndrange_2DPKm", "__tf_b_ndrange_2D_p0void_p0ulong"},
    {"_Z10ndrange_2DPKmS0_", "__tf_b_ndrange_2D_p0void_p0ulong_p0ulong"},
    {"_Z10ndrange_2DPKmS0_S0_", "__tf_b_ndrange_2D_p0void_p0ulong_p0ulong_p0ulong"},
    {"_Z10ndrange_3DPKm", "__tf_b_ndrange_3D_p0void_p0ulong"},
    {"_Z10ndrange_3DPKmS0_", "__tf_b_ndrange_3D_p0void_p0ulong_p0ulong"},
    {"_Z10ndrange_3DPKmS0_S0_", "__tf_b_ndrange_3D_p0void_p0ulong_p0ulong_p0ulong"},
};
enum { NAME_COUNT = sizeof names / sizeof *names };

// Functions that name a block. Which operand is what; -1: it has none.
static const struct block_call {
    const char *clang, *library;
    int operands;
    int block;   // the literal comes behind it
    int waits;   // their number; the events and the place of the result come behind it
    int sizes;   // their number; they come behind it
    int literal; // its size and alignment, constants; -1: its head says it
} block_calls[] = {
    {"__enqueue_kernel_sized", NULL, 12, 6, 3, 8, 10},
    {"__enqueue_kernel_basic", NULL, 5, 3, -1, -1, -1},
    {"__enqueue_kernel_basic_events", NULL, 8, 6, 3, -1, -1},
    {"__enqueue_kernel_varargs", NULL, 7, 3, -1, 5, -1},
    {"__enqueue_kernel_events_varargs", NULL, 10, 6, 3, 8, -1},
    {"__get_kernel_work_group_size_impl", "__tf_b_block_group_size_uint", 2, 0, -1, -1,
     -1},
    {"__get_kernel_preferred_work_group_size_multiple_impl",
     "__tf_b_block_group_multiple_uint", 2, 0, -1, -1, -1},
    {"__get_kernel_sub_group_count_for_ndrange_impl",
     "__tf_b_block_sub_group_count_p0void_uint", 3, 1, -1, -1, -1},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl",
     "__tf_b_block_sub_group_size_p0void_uint", 3, 1, -1, -1, -1},
};
enum { BLOCK_CALL_COUNT = sizeof block_calls / sizeof *block_calls };

static const char enqueue[] =
    "__tf_b_enqueue_kernel_ulong_uint_p0void_uint_p4void_uint_uint_p0void_uint_p4void_"
    "p4void";
static const char attribute[] = "tf-block";

bool tf_blocks_is_call(const char *symbol)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        if (!strcmp(symbol, names[i].clang))
            return true;
    for (size_t i = 0; i < BLOCK_CALL_COUNT; i++)
        if (!strcmp(symbol, block_calls[i].clang))
            return true;
    return false;
}

// The kernel that a call names, or NULL.
static LLVMValueRef kernel_of(LLVMValueRef call, const struct block_call *form)
{
    LLVMValueRef value;

    if ((int)LLVMGetNumArgOperands(call) != form->operands)
        return NULL;
    value = LLVMGetOperand(call, (unsigned)form->block);
    if (LLVMIsAConstantExpr(value))
        value = LLVMGetOperand(value, 0);
    return LLVMIsAFunction(value) && tf_ir_is_kernel(value) &&
                   !LLVMIsDeclaration(value) && LLVMCountParams(value) > 0
               ? value
               : NULL;
}

static bool is_marked(LLVMValueRef kernel)
{
    return LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, attribute,
                                         sizeof attribute - 1) != NULL;
}

void tf_blocks_mark(LLVMModuleRef module)
{
    for (size_t i = 0; i < BLOCK_CALL_COUNT; i++) {
        const LLVMValueRef function = LLVMGetNamedFunction(module, block_calls[i].clang);
        LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;

        for (; use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef call = LLVMGetUser(use);
            const LLVMValueRef kernel =
                tf_ir_callee(call) == function ? kernel_of(call, &block_calls[i]) : NULL;

            if (!kernel || is_marked(kernel))
                continue;
            LLVMSetLinkage(kernel, LLVMInternalLinkage);
            LLVMAddTargetDependentFunctionAttr(kernel, attribute, "");
        }
    }
}

int tf_blocks_number(LLVMValueRef kernel)
{
    const LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(
        kernel, LLVMAttributeFunctionIndex, attribute, sizeof attribute - 1);
    char digits[16] = {0};
    unsigned bytes;

    if (!mark)
        return -1;
    const char *const text = LLVMGetStringAttributeValue(mark, &bytes);
    memcpy(digits, text, bytes < sizeof digits ? bytes : sizeof digits - 1);
    return atoi(digits);
}

// ---- Kernels ----

struct lowering {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i32, i64, ptr, generic;
    struct tf_str *log;
    unsigned count; // of blocks so far
    bool failed;
};

struct literal {
    uint64_t bytes;
    uint32_t align_bytes;
};

static bool is_literal(const struct lowering *l, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind &&
           LLVMCountStructElementTypes(type) >= 3 &&
           LLVMStructGetTypeAtIndex(type, 0) == l->i32 &&
           LLVMStructGetTypeAtIndex(type, 1) == l->i32 &&
           LLVMStructGetTypeAtIndex(type, 2) == l->generic;
}

// Where the function of a block reads what it has captured it says what the literal looks
// like; one that reads nothing needs no more than the head.
static struct literal literal_of(const struct lowering *l, LLVMValueRef function)
{
    struct literal found = {sizeof(struct tf_block_literal), 8};

    TF_FOR_EACH_INSTRUCTION(inst, function)
    {
        LLVMTypeRef type;
        uint64_t bytes;

        if (!LLVMIsAGetElementPtrInst(inst) ||
            LLVMTypeOf(LLVMGetOperand(inst, 0)) != l->generic)
            continue;
        type = LLVMGetGEPSourceElementType(inst);
        if (!is_literal(l, type))
            continue;
        bytes = LLVMABISizeOfType(l->layout, type);
        found.bytes = bytes > found.bytes ? bytes : found.bytes;
        for (unsigned i = 3; i < LLVMCountStructElementTypes(type); i++) {
            const unsigned align =
                LLVMABIAlignmentOfType(l->layout, LLVMStructGetTypeAtIndex(type, i));

            found.align_bytes = align > found.align_bytes ? align : found.align_bytes;
        }
    }
    return found;
}

static LLVMValueRef called_by(LLVMValueRef kernel)
{
    TF_FOR_EACH_INSTRUCTION(inst, kernel)
    {
        if (tf_ir_callee(inst) && !tf_ir_is_intrinsic(tf_ir_callee(inst)))
            return tf_ir_callee(inst);
    }
    return NULL;
}

static void set_literal(const struct lowering *l, LLVMValueRef kernel,
                        const struct literal *literal)
{
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    const LLVMTypeRef bytes =
        LLVMArrayType2(LLVMInt8TypeInContext(l->context), literal->bytes);

    LLVMAddAttributeAtIndex(kernel, 1, LLVMCreateTypeAttribute(l->context, byval, bytes));
    tf_ir_add_attribute_at(kernel, 1, "align", literal->align_bytes);
}

enum { MAX_PARAMS = 255 };

// The kernel of a block as a launch has it: the literal by value, then local memory.
static LLVMValueRef remake_kernel(const struct lowering *l, LLVMValueRef old,
                                  LLVMValueRef function, const struct literal *told)
{
    const struct literal literal = told->bytes > 0 ? *told : literal_of(l, function);
    const unsigned count = LLVMCountParams(old);
    LLVMTypeRef types[MAX_PARAMS];
    LLVMValueRef args[MAX_PARAMS], kernel, call;

    LLVMGetParamTypes(LLVMGlobalGetValueType(old), types);
    types[0] = l->ptr;
    kernel = LLVMAddFunction(
        l->module, "",
        LLVMFunctionType(LLVMVoidTypeInContext(l->context), types, count, false));
    LLVMSetFunctionCallConv(kernel, LLVMGetFunctionCallConv(old));
    tf_ir_add_attribute(kernel, "nounwind");
    set_literal(l, kernel, &literal);
    LLVMPositionBuilderAtEnd(l->builder,
                             LLVMAppendBasicBlockInContext(l->context, kernel, "entry"));
    LLVMGetParams(kernel, args);
    args[0] = LLVMBuildAddrSpaceCast(l->builder, args[0], l->generic, "");
    call = LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(function), function, args,
                          count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    LLVMBuildRetVoid(l->builder);
    return kernel;
}

// Of a kernel in its new form.
static uint64_t literal_bytes(const struct lowering *l, LLVMValueRef kernel)
{
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    const LLVMAttributeRef type = LLVMGetEnumAttributeAtIndex(kernel, 1, byval);

    return type ? LLVMABISizeOfType(l->layout, LLVMGetTypeAttributeValue(type)) : 0;
}

// The number of the kernel's block: its new form is made where it is named first.
static int number_of(struct lowering *l, LLVMValueRef old, const struct literal *told)
{
    const LLVMValueRef function = called_by(old);
    char number[16], name[256];
    LLVMValueRef kernel;

    if (LLVMGetFirstParam(old) && LLVMTypeOf(LLVMGetFirstParam(old)) == l->ptr)
        return literal_bytes(l, old) >= told->bytes ? tf_blocks_number(old) : -1;
    if (!function || LLVMCountParams(old) > MAX_PARAMS ||
        LLVMCountParams(function) != LLVMCountParams(old))
        return -1;
    kernel = remake_kernel(l, old, function, told);
    snprintf(number, sizeof number, "%u", l->count);
    LLVMAddTargetDependentFunctionAttr(kernel, attribute, number);
    snprintf(name, sizeof name, "%s", tf_ir_name(old));
    // Other calls name the old one; they find the new by it.
    LLVMReplaceAllUsesWith(old, kernel);
    LLVMDeleteFunction(old);
    LLVMSetValueName2(kernel, name, strlen(name));
    return (int)l->count++;
}

// ---- Calls ----

static LLVMValueRef library(const struct lowering *l, const char *name,
                            LLVMValueRef *args, unsigned count)
{
    LLVMValueRef function = LLVMGetNamedFunction(l->module, name), call;
    LLVMTypeRef types[16];

    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    const LLVMTypeRef type = LLVMFunctionType(l->i32, types, count, false);
    if (!function) {
        function = LLVMAddFunction(l->module, name, type);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    call = LLVMBuildCall2(l->builder, type, function, args, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return call;
}

static LLVMValueRef operand_or(LLVMValueRef call, int index, LLVMTypeRef otherwise)
{
    return index >= 0 ? LLVMGetOperand(call, (unsigned)index) : LLVMConstNull(otherwise);
}

static LLVMValueRef lower_enqueue(const struct lowering *l, LLVMValueRef call,
                                  const struct block_call *form, LLVMValueRef number)
{
    const int waits = form->waits, sizes = form->sizes;
    LLVMValueRef args[] = {
        LLVMGetOperand(call, 0),
        LLVMGetOperand(call, 1),
        LLVMGetOperand(call, 2),
        number,
        LLVMGetOperand(call, (unsigned)form->block + 1),
        operand_or(call, form->literal, l->i32),
        operand_or(call, sizes, l->i32),
        operand_or(call, sizes < 0 ? -1 : sizes + 1, l->ptr),
        operand_or(call, waits, l->i32),
        operand_or(call, waits < 0 ? -1 : waits + 1, l->generic),
        operand_or(call, waits < 0 ? -1 : waits + 2, l->generic),
    };

    return library(l, enqueue, args, sizeof args / sizeof *args);
}

static uint32_t power_of_two(uint64_t bytes)
{
    uint32_t power = 8;

    while (power < bytes)
        power *= 2;
    return power;
}

// What a call says of the literal; 0 bytes: nothing.
static struct literal told_by(LLVMValueRef call, const struct block_call *form)
{
    struct literal told = {0, 8};

    if (form->literal < 0 || (int)LLVMGetNumArgOperands(call) != form->operands)
        return told;
    const LLVMValueRef bytes = LLVMGetOperand(call, (unsigned)form->literal);
    const LLVMValueRef align = LLVMGetOperand(call, (unsigned)form->literal + 1);

    if (LLVMIsAConstantInt(bytes))
        told.bytes = LLVMConstIntGetZExtValue(bytes);
    if (told.bytes == 0)
        told.bytes = sizeof(struct tf_block_literal);
    if (LLVMIsAConstantInt(align) && LLVMConstIntGetZExtValue(align) <= TF_LONG16_BYTES)
        told.align_bytes = power_of_two(LLVMConstIntGetZExtValue(align));
    return told;
}

static void lower_call(struct lowering *l, LLVMValueRef call,
                       const struct block_call *form)
{
    const LLVMValueRef kernel = kernel_of(call, form);
    const struct literal told = told_by(call, form);
    const int number = kernel ? number_of(l, kernel, &told) : -1;
    LLVMValueRef args[2], made;

    if (number < 0 || LLVMTypeOf(call) != l->i32) {
        tf_build_log_error(l->log, call, "a block that is enqueued must be known here");
        l->failed = true;
        LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
        LLVMInstructionEraseFromParent(call);
        return;
    }
    const LLVMValueRef block = LLVMConstInt(l->i32, (unsigned)number, false);
    LLVMPositionBuilderBefore(l->builder, call);
    if (!form->library) {
        made = lower_enqueue(l, call, form, block);
    } else {
        args[0] = form->block > 0 ? LLVMGetOperand(call, 0) : block;
        args[1] = block;
        made = library(l, form->library, args, (unsigned)form->operands - 1);
    }
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
}

static void rename_functions(LLVMModuleRef module)
{
    for (size_t i = 0; i < NAME_COUNT; i++) {
        const LLVMValueRef function = LLVMGetNamedFunction(module, names[i].clang);
        LLVMValueRef same;

        if (!function || !LLVMIsDeclaration(function))
            continue;
        same = LLVMGetNamedFunction(module, names[i].library);
        if (same)
            LLVMReplaceAllUsesWith(function, same);
        else
            LLVMSetValueName2(function, names[i].library, strlen(names[i].library));
    }
}

// Kernels of blocks that are enqueued nowhere any more.
static void drop_kernels(LLVMModuleRef module)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!tf_ir_is_kernel(f) || LLVMIsDeclaration(f) || !is_marked(f) ||
            LLVMTypeOf(LLVMGetFirstParam(f)) ==
                LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0))
            continue;
        LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
    }
}

// Literals name the functions of their blocks. Nobody calls by that: Clang knows each
// block that is called.
static void forget_functions(const struct lowering *l)
{
    TF_FOR_EACH_FUNCTION(f, l->module)
    {
        if (!strstr(tf_ir_name(f), "_block_invoke"))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef user = LLVMGetUser(use);

            if (LLVMIsAConstantExpr(user) && LLVMTypeOf(user) == l->generic)
                LLVMReplaceAllUsesWith(user, LLVMConstNull(l->generic));
        }
    }
}

enum tf_compiler_status tf_blocks_lower(LLVMModuleRef module, struct tf_str *log)
{
    struct lowering l = {.module = module,
                         .context = LLVMGetModuleContext(module),
                         .layout = LLVMGetModuleDataLayout(module),
                         .log = log};

    rename_functions(module);
    l.i32 = LLVMInt32TypeInContext(l.context);
    l.i64 = LLVMInt64TypeInContext(l.context);
    l.ptr = LLVMPointerTypeInContext(l.context, 0);
    l.generic = LLVMPointerTypeInContext(l.context, 4);
    l.builder = LLVMCreateBuilderInContext(l.context);
    for (size_t i = 0; i < BLOCK_CALL_COUNT; i++) {
        const LLVMValueRef function = LLVMGetNamedFunction(module, block_calls[i].clang);
        LLVMUseRef use;

        while (function && (use = LLVMGetFirstUse(function)) &&
               tf_ir_callee(LLVMGetUser(use)) == function)
            lower_call(&l, LLVMGetUser(use), &block_calls[i]);
    }
    LLVMDisposeBuilder(l.builder);
    drop_kernels(module);
    forget_functions(&l);
    return l.failed ? TF_COMPILER_BAD_SOURCE : TF_COMPILER_OK;
}
