// SPDX-License-Identifier: MIT
// The loop is a function
//
//     void NAME.loop(i32 start, <the parameters of all functions>, ptr results)
//
// whose entry holds the stack of frames and the variables that need no place of their
// own in each. From its head a switch leads to the start of each function, and behind
// each call within the cycle. Number 0 is the end: the outermost call returns there.
#include "compiler/lower/recursion/frame_loop.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "abi/cpu_abi.h"
#include "compiler/front/build_log.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/job/arena.h"
#include "compiler/lower/recursion/activation.h"

enum {
    // Of the stack of a work-item: this, or so many of the largest frame, up to a bound;
    // but two at least.
    STACK_BYTES = 64 << 10,
    FRAMES = 64,
    MOST_STACK_BYTES = 1 << 20,
};

struct member {
    LLVMValueRef function;
    LLVMTypeRef type;
    struct tf_frame frame;
    LLVMValueRef *params; // variables of the loop's entry, in which callers leave them
    LLVMBasicBlockRef start;
    unsigned number;    // of its start
    int result;         // field of the results, -1: none
    unsigned first_arg; // of the loop's parameters
};

struct loop {
    LLVMModuleRef module;
    LLVMContextRef context;
    struct tf_arena arena;
    const struct tf_cycle *cycle;
    LLVMBuilderRef b;
    LLVMTypeRef i8, i32, i64, ptr;
    struct member *members;
    uint64_t stack_bytes, align_bytes;
    LLVMTypeRef *result_types, results_type;
    unsigned result_count, param_count;
    LLVMValueRef function, stack, top, next; // next: number of where to go on
    LLVMBasicBlockRef head, end, too_deep;
    LLVMValueRef choice;
    unsigned numbers;
};

// ---- Shapes ----

static uint64_t align_up(uint64_t bytes, uint64_t align)
{
    return (bytes + align - 1) / align * align;
}

static int result_of(struct loop *l, LLVMTypeRef type)
{
    unsigned i = 0;

    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return -1;
    while (i < l->result_count && l->result_types[i] != type)
        i++;
    if (i == l->result_count)
        l->result_types[l->result_count++] = type;
    return (int)i;
}

static void size_stack(struct loop *l)
{
    uint64_t largest = 0, wanted;

    for (unsigned i = 0; i < l->cycle->count; i++) {
        const struct tf_frame *const frame = &l->members[i].frame;

        l->align_bytes =
            frame->align_bytes > l->align_bytes ? frame->align_bytes : l->align_bytes;
    }
    for (unsigned i = 0; i < l->cycle->count; i++) {
        struct tf_frame *const frame = &l->members[i].frame;

        frame->bytes = align_up(frame->bytes, l->align_bytes);
        largest = frame->bytes > largest ? frame->bytes : largest;
    }
    wanted = FRAMES * largest;
    wanted = wanted > MOST_STACK_BYTES ? MOST_STACK_BYTES : wanted;
    wanted = wanted < STACK_BYTES ? STACK_BYTES : wanted;
    l->stack_bytes = wanted < 2 * largest ? 2 * largest : wanted;
}

static bool plan_members(struct loop *l, struct tf_str *log)
{
    char name[128];

    l->members = TF_ARENA_NEW(&l->arena, struct member, l->cycle->count);
    l->result_types = TF_ARENA_NEW(&l->arena, LLVMTypeRef, l->cycle->count);
    l->param_count = 1;
    for (unsigned i = 0; i < l->cycle->count; i++) {
        struct member *const m = &l->members[i];

        m->function = l->cycle->functions[i];
        m->type = LLVMGlobalGetValueType(m->function);
        m->result = result_of(l, LLVMGetReturnType(m->type));
        m->first_arg = l->param_count;
        m->number = ++l->numbers;
        l->param_count += LLVMCountParams(m->function);
        tf_frame_plan(m->function, l->cycle, &l->arena, &m->frame);
        if (!m->frame.too_large)
            continue;
        tf_build_log_error(log, NULL,
                           "function '%s' calls itself and needs too much memory",
                           tf_ir_source_name(tf_ir_name(m->function), name, sizeof name));
        return false;
    }
    l->param_count++;
    size_stack(l);
    l->results_type =
        LLVMStructTypeInContext(l->context, l->result_types, l->result_count, false);
    return true;
}

// ---- Small pieces ----

static LLVMValueRef number(LLVMTypeRef type, uint64_t n)
{
    return LLVMConstInt(type, n, false);
}

static LLVMValueRef bytes_behind(const struct loop *l, LLVMValueRef base,
                                 LLVMValueRef bytes)
{
    return LLVMBuildGEP2(l->b, l->i8, base, &bytes, 1, "");
}

// Of the running activation.
static LLVMValueRef frame(const struct loop *l)
{
    return bytes_behind(l, l->stack, LLVMBuildLoad2(l->b, l->i64, l->top, ""));
}

static LLVMValueRef result_place(const struct loop *l, const struct member *m)
{
    return LLVMBuildStructGEP2(l->b, l->results_type,
                               LLVMGetParam(l->function, l->param_count - 1),
                               (unsigned)m->result, "");
}

static LLVMBasicBlockRef add_block(const struct loop *l, const char *name)
{
    return LLVMAppendBasicBlockInContext(l->context, l->function, name);
}

static void go_on_at(const struct loop *l, LLVMValueRef where)
{
    LLVMBuildStore(l->b, where, l->next);
    LLVMBuildBr(l->b, l->head);
}

// ---- The frame of the loop ----

static void add_function(struct loop *l)
{
    LLVMTypeRef *const types = TF_ARENA_NEW(&l->arena, LLVMTypeRef, l->param_count);
    char name[256];

    types[0] = l->i32;
    for (unsigned i = 0; i < l->cycle->count; i++)
        LLVMGetParamTypes(l->members[i].type, types + l->members[i].first_arg);
    types[l->param_count - 1] = l->ptr;
    snprintf(name, sizeof name, "%s.loop", tf_ir_name(l->members[0].function));
    l->function = LLVMAddFunction(l->module, name,
                                  LLVMFunctionType(LLVMVoidTypeInContext(l->context),
                                                   types, l->param_count, false));
    LLVMSetLinkage(l->function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(l->function, LLVMSPIRFUNCCallConv);
    tf_ir_add_attribute(l->function, "convergent");
    tf_ir_add_attribute(l->function, "nounwind");
}

static void build_entry(struct loop *l)
{
    LLVMPositionBuilderAtEnd(l->b, add_block(l, "entry"));
    l->head = add_block(l, "head");
    l->end = add_block(l, "end");
    l->stack = LLVMBuildAlloca(l->b, LLVMArrayType2(l->i8, l->stack_bytes), "frames");
    LLVMSetAlignment(l->stack, (unsigned)l->align_bytes);
    l->top = LLVMBuildAlloca(l->b, l->i64, "top");
    l->next = LLVMBuildAlloca(l->b, l->i32, "next");
    for (unsigned i = 0; i < l->cycle->count; i++) {
        struct member *const m = &l->members[i];
        const unsigned count = LLVMCountParams(m->function);

        m->params = TF_ARENA_NEW(&l->arena, LLVMValueRef, count);
        for (unsigned k = 0; k < count; k++)
            m->params[k] =
                LLVMBuildAlloca(l->b, LLVMTypeOf(LLVMGetParam(m->function, k)), "");
    }
    for (unsigned i = 0; i < l->cycle->count; i++) {
        const struct member *const m = &l->members[i];

        for (unsigned k = 0; k < LLVMCountParams(m->function); k++)
            LLVMBuildStore(l->b, LLVMGetParam(l->function, m->first_arg + k),
                           m->params[k]);
    }
    LLVMBuildStore(l->b, number(l->i64, 0), l->top);
    LLVMBuildStore(l->b, number(l->i32, 0), l->stack);
    go_on_at(l, LLVMGetParam(l->function, 0));
    LLVMPositionBuilderAtEnd(l->b, l->head);
    l->choice = LLVMBuildSwitch(l->b, LLVMBuildLoad2(l->b, l->i32, l->next, ""), l->end,
                                l->cycle->count);
    LLVMPositionBuilderAtEnd(l->b, l->end);
    LLVMBuildRetVoid(l->b);
}

// The run-time does not come back.
static void build_too_deep(struct loop *l)
{
    LLVMTypeRef types[] = {l->ptr, l->i32};
    LLVMValueRef args[] = {LLVMConstNull(l->ptr), number(l->i32, TF_ASK_TOO_DEEP)};
    const LLVMTypeRef type = LLVMFunctionType(l->i64, types, 2, false);
    const char *const name = tf_root_name(TF_ROOT_ASK);
    LLVMValueRef ask = LLVMGetNamedFunction(l->module, name), call;

    if (!ask) {
        ask = LLVMAddFunction(l->module, name, type);
        LLVMSetFunctionCallConv(ask, LLVMSPIRFUNCCallConv);
    }
    l->too_deep = add_block(l, "too_deep");
    LLVMPositionBuilderAtEnd(l->b, l->too_deep);
    call = LLVMBuildCall2(l->b, type, ask, args, 2, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    LLVMBuildBr(l->b, l->end);
}

// ---- Bodies ----

static void move_body(struct loop *l, struct member *m)
{
    LLVMBasicBlockRef last = LLVMGetPreviousBasicBlock(l->end), next;

    m->start = LLVMGetEntryBasicBlock(m->function);
    for (LLVMBasicBlockRef block = m->start; block; block = next) {
        next = LLVMGetNextBasicBlock(block);
        LLVMMoveBasicBlockAfter(block, last); // the other one does not leave a function
        last = block;
    }
    LLVMAddCase(l->choice, number(l->i32, m->number), m->start);
}

// Each has one use: a freeze, or the copy of what a pointer names.
static void take_params(struct loop *l, struct member *m)
{
    for (unsigned i = 0; i < LLVMCountParams(m->function); i++) {
        const LLVMValueRef param = LLVMGetParam(m->function, i);
        const LLVMUseRef use = LLVMGetFirstUse(param);

        if (!use)
            continue;
        LLVMPositionBuilderBefore(l->b, LLVMGetUser(use));
        LLVMReplaceAllUsesWith(param,
                               LLVMBuildLoad2(l->b, LLVMTypeOf(param), m->params[i], ""));
    }
}

static void lower_return(struct loop *l, const struct member *m, LLVMValueRef ret)
{
    LLVMPositionBuilderBefore(l->b, ret);
    if (m->result >= 0)
        LLVMBuildStore(l->b, LLVMGetOperand(ret, 0), result_place(l, m));
    go_on_at(l, LLVMBuildLoad2(l->b, l->i32, frame(l), ""));
    LLVMInstructionEraseFromParent(ret);
}

// Back in `m`: the frame of what it has called is off the stack.
static LLVMBasicBlockRef build_resume(struct loop *l, const struct member *m,
                                      LLVMBasicBlockRef tail)
{
    const LLVMBasicBlockRef resume = add_block(l, "resume");

    LLVMPositionBuilderAtEnd(l->b, resume);
    LLVMBuildStore(l->b,
                   LLVMBuildSub(l->b, LLVMBuildLoad2(l->b, l->i64, l->top, ""),
                                number(l->i64, m->frame.bytes), ""),
                   l->top);
    LLVMBuildBr(l->b, tail);
    return resume;
}

static void push(struct loop *l, const struct member *m, const struct member *callee,
                 LLVMValueRef call)
{
    const LLVMBasicBlockRef push = add_block(l, "push");
    const LLVMValueRef top = LLVMBuildAdd(l->b, LLVMBuildLoad2(l->b, l->i64, l->top, ""),
                                          number(l->i64, m->frame.bytes), "");
    const LLVMValueRef fits = LLVMBuildICmp(
        l->b, LLVMIntULE, top, number(l->i64, l->stack_bytes - callee->frame.bytes), "");

    LLVMBuildCondBr(l->b, fits, push, l->too_deep);
    LLVMPositionBuilderAtEnd(l->b, push);
    for (unsigned i = 0; i < LLVMCountParams(callee->function); i++)
        LLVMBuildStore(l->b, LLVMGetOperand(call, i), callee->params[i]);
    LLVMBuildStore(l->b, number(l->i32, l->numbers), bytes_behind(l, l->stack, top));
    LLVMBuildStore(l->b, top, l->top);
    go_on_at(l, number(l->i32, callee->number));
}

// The types differ, which the language leaves undefined.
static void drop_call(LLVMValueRef call)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

// All that follows the call moves to the next block.
static void lower_call(struct loop *l, const struct member *m,
                       const struct member *callee, LLVMValueRef call)
{
    const LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    const LLVMBasicBlockRef tail = add_block(l, "behind");
    LLVMValueRef next;

    LLVMMoveBasicBlockAfter(tail, block);
    LLVMPositionBuilderAtEnd(l->b, tail);
    if (callee->result >= 0)
        LLVMReplaceAllUsesWith(
            call, LLVMBuildLoad2(l->b, LLVMTypeOf(call), result_place(l, callee), ""));
    for (LLVMValueRef i = LLVMGetNextInstruction(call); i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(l->b, i);
    }
    l->numbers++;
    LLVMAddCase(l->choice, number(l->i32, l->numbers), build_resume(l, m, tail));
    LLVMPositionBuilderAtEnd(l->b, block);
    push(l, m, callee, call);
    LLVMInstructionEraseFromParent(call);
}

static void lower_block(struct loop *l, const struct member *m, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const int at = tf_cycle_callee(l->cycle, i);
        const struct member *const callee = at < 0 ? NULL : &l->members[at];

        next = LLVMGetNextInstruction(i);
        if (LLVMIsAReturnInst(i)) {
            lower_return(l, m, i);
        } else if (callee && LLVMGetCalledFunctionType(i) != callee->type) {
            drop_call(i);
        } else if (callee) {
            lower_call(l, m, callee, i);
            break;
        }
    }
}

static void lower_body(struct loop *l, const struct member *m)
{
    // Its blocks stand before the end, which others are put behind.
    for (LLVMBasicBlockRef block = m->start; block != l->end;
         block = LLVMGetNextBasicBlock(block))
        lower_block(l, m, block);
}

// ---- Variables ----

static void erase_lifetimes(LLVMValueRef variable)
{
    LLVMUseRef next;

    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
        const LLVMValueRef user = LLVMGetUser(use);
        const char *const name = tf_ir_called_name(user);

        next = LLVMGetNextUse(use);
        if (name && !strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")))
            LLVMInstructionEraseFromParent(user);
    }
}

static void share_variable(struct loop *l, LLVMValueRef variable)
{
    erase_lifetimes(variable);
    LLVMInstructionRemoveFromParent(variable);
    LLVMPositionBuilderBefore(l->b, l->top);
    LLVMInsertIntoBuilder(l->b, variable);
}

// Where the running frame lies, at the start of a block.
struct frames {
    struct tf_map number; // of blocks that have asked
    LLVMValueRef *places;
    unsigned count;
};

static LLVMValueRef frame_in(struct loop *l, struct frames *frames,
                             LLVMBasicBlockRef block)
{
    const unsigned known = tf_map_get(&frames->number, block);

    if (known != TF_MAP_NONE)
        return frames->places[known];
    LLVMPositionBuilderBefore(l->b, LLVMGetFirstInstruction(block));
    tf_map_put(&frames->number, block, frames->count);
    return frames->places[frames->count++] = frame(l);
}

static void place_variable(struct loop *l, const struct tf_frame_variable *v,
                           struct frames *frames)
{
    const LLVMValueRef offset = number(l->i64, v->offset_bytes);
    LLVMUseRef use;

    erase_lifetimes(v->variable);
    while ((use = LLVMGetFirstUse(v->variable))) {
        const LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef place = frame_in(l, frames, LLVMGetInstructionParent(user));

        LLVMPositionBuilderBefore(l->b, user);
        place = bytes_behind(l, place, offset);
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == v->variable)
                LLVMSetOperand(user, (unsigned)k, place);
    }
    LLVMInstructionEraseFromParent(v->variable);
}

static void place_variables(struct loop *l, const struct member *m)
{
    struct frames frames = {
        .number = {.arena = &l->arena},
        .places =
            TF_ARENA_NEW(&l->arena, LLVMValueRef, LLVMCountBasicBlocks(l->function)),
    };

    for (unsigned i = 0; i < m->frame.shared_count; i++)
        share_variable(l, m->frame.shared[i]);
    for (unsigned i = 0; i < m->frame.kept_count; i++)
        place_variable(l, &m->frame.kept[i], &frames);
}

// ---- Who calls from outside ----

static void copy_param_attributes(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const names[] = {"byval", "align"};

    for (unsigned i = 1; i <= LLVMCountParams(from); i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
                from, i, LLVMGetEnumAttributeKindForName(names[k], strlen(names[k])));

            if (attribute)
                LLVMAddAttributeAtIndex(to, i, attribute);
        }
    }
}

static void build_way_in(struct loop *l, const struct member *m, LLVMValueRef way_in)
{
    LLVMValueRef *const args = TF_ARENA_NEW(&l->arena, LLVMValueRef, l->param_count);
    LLVMValueRef results;

    LLVMPositionBuilderAtEnd(l->b,
                             LLVMAppendBasicBlockInContext(l->context, way_in, "entry"));
    LLVMSetCurrentDebugLocation2(l->b, NULL);
    results = LLVMBuildAlloca(l->b, l->results_type, "results");
    for (unsigned i = 0; i < l->param_count; i++)
        args[i] = LLVMGetPoison(LLVMTypeOf(LLVMGetParam(l->function, i)));
    args[0] = number(l->i32, m->number);
    for (unsigned i = 0; i < LLVMCountParams(way_in); i++)
        args[m->first_arg + i] = LLVMGetParam(way_in, i);
    args[l->param_count - 1] = results;
    LLVMSetInstructionCallConv(LLVMBuildCall2(l->b, LLVMGlobalGetValueType(l->function),
                                              l->function, args, l->param_count, ""),
                               LLVMSPIRFUNCCallConv);
    if (m->result < 0)
        LLVMBuildRetVoid(l->b);
    else
        LLVMBuildRet(l->b,
                     LLVMBuildLoad2(l->b, l->result_types[m->result],
                                    LLVMBuildStructGEP2(l->b, l->results_type, results,
                                                        (unsigned)m->result, ""),
                                    ""));
}

// A function of its own: positions of lines belong to the function that they were made
// for, whose body is elsewhere now.
static void replace_function(struct loop *l, const struct member *m)
{
    const LLVMValueRef old = m->function;

    if (LLVMGetFirstUse(old)) {
        char name[256];
        const LLVMValueRef way_in = LLVMAddFunction(l->module, "", m->type);

        snprintf(name, sizeof name, "%s", tf_ir_name(old));
        LLVMSetLinkage(way_in, LLVMInternalLinkage);
        LLVMSetFunctionCallConv(way_in, LLVMGetFunctionCallConv(old));
        tf_ir_add_attribute(way_in, "convergent");
        tf_ir_add_attribute(way_in, "nounwind");
        copy_param_attributes(old, way_in);
        build_way_in(l, m, way_in);
        LLVMReplaceAllUsesWith(old, way_in);
        LLVMSetValueName2(old, "", 0);
        LLVMSetValueName2(way_in, name, strlen(name));
    }
    LLVMDeleteFunction(old);
}

static void build(struct loop *l)
{
    const unsigned count = l->cycle->count;

    add_function(l);
    build_entry(l);
    build_too_deep(l);
    for (unsigned i = 0; i < count; i++) {
        struct member *const m = &l->members[i];

        move_body(l, m);
        take_params(l, m);
        lower_body(l, m);
    }
    for (unsigned i = 0; i < count; i++)
        place_variables(l, &l->members[i]);
    for (unsigned i = 0; i < count; i++)
        replace_function(l, &l->members[i]);
}

bool tf_recursion_loop(LLVMModuleRef module, const struct tf_cycle *cycle,
                       struct tf_str *log)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct loop l = {
        .module = module,
        .context = context,
        .cycle = cycle,
        .b = LLVMCreateBuilderInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .ptr = LLVMPointerTypeInContext(context, 0),
    };
    const bool ok = plan_members(&l, log);

    if (ok)
        build(&l);
    LLVMDisposeBuilder(l.b);
    tf_arena_finish(&l.arena);
    return ok;
}
