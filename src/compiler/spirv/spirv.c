// SPDX-License-Identifier: MIT
#include "compiler/spirv/spirv.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_lines.h"
#include "compiler/spirv/ops/spirv_table.h"
#include "compiler/spirv/read/spirv_reader.h"
#include "compiler/spirv/spirv_functions.h"

#define MAGIC 0x07230203u
enum { HEADER_WORDS = 5, MOST_BOUND = 0x3fffff + 1, MOST_DEPTH = 256 };

static void take_words(struct tf_spv *r)
{
    const size_t count = r->in->source_bytes / sizeof(uint32_t);

    tf_spv_need(r,
                count >= HEADER_WORDS && count < UINT32_MAX / sizeof(uint32_t) &&
                    r->in->source_bytes % sizeof(uint32_t) == 0,
                "%zu bytes are no module", r->in->source_bytes);
    uint32_t *const words = TF_SPV_NEW(r, uint32_t, count);
    memcpy(words, r->in->source, count * sizeof *words);
    if (words[0] == __builtin_bswap32(MAGIC))
        for (size_t i = 0; i < count; i++)
            words[i] = __builtin_bswap32(words[i]);
    tf_spv_need(r, words[0] == MAGIC, "0x%08x is not how a module starts", words[0]);
    r->words = words;
    r->word_count = (uint32_t)count;
    r->version = words[1];
    r->bound = words[3];
    tf_spv_need(r,
                (r->version & 0xff0000ff) == 0 && r->version >= 0x10000 &&
                    r->version <= 0x10600,
                "version 0x%08x is not one of 1.0 to 1.6", r->version);
    tf_spv_need(r, r->bound && r->bound <= MOST_BOUND, "bound %u is not between 1 and %u",
                r->bound, MOST_BOUND);
    tf_spv_need(r, words[4] == 0, "schema %u is not 0", words[4]);
}

// Looks at the length and the result of every instruction and at the frame of functions.
static void scan(struct tf_spv *r)
{
    uint32_t function = 0;

    for (uint32_t at = HEADER_WORDS; at < r->word_count; at += r->op.count) {
        const struct tf_spv_info *const info = tf_spv_step(r, at);
        const bool inside = function || r->op.opcode == TF_SPV_OP_Function;

        tf_spv_need(r,
                    inside ? info->place != TF_SPV_PLACE_MODULE
                           : info->place == TF_SPV_PLACE_MODULE ||
                                 info->place == TF_SPV_PLACE_BOTH,
                    "the instruction stands %s a function",
                    inside ? "inside of" : "outside of");
        tf_spv_need(r, !function || r->op.opcode != TF_SPV_OP_Function,
                    "a function in a function");
        if (!inside)
            r->last_global = at;
        if (r->op.opcode == TF_SPV_OP_Function)
            function = at;
        else if (r->op.opcode == TF_SPV_OP_FunctionEnd)
            function = 0;
        if (r->op.opcode == TF_SPV_OP_FunctionCall)
            tf_spv_id_at(r, 3)->called = true;
        // Of a function that is enqueued a kernel of its own is made.
        if (r->op.opcode == TF_SPV_OP_EnqueueKernel)
            tf_spv_id_at(r, 9)->called = true;
        if (info->form != TF_SPV_FORM_PLAIN) {
            struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

            tf_spv_need(r, !id->word, "id %u is the result of two instructions",
                        r->op.result);
            id->word = at;
        }
    }
    tf_spv_need(r, !function, "the last function does not end");
}

// Types and constants, with the words that name what they are made of; `last` 0: all up
// to the last one.
static const struct part {
    uint32_t opcode, first, last;
} parts[] = {
    {TF_SPV_OP_TypeBool, 2, 0},          {TF_SPV_OP_TypeInt, 2, 1},
    {TF_SPV_OP_TypeFloat, 2, 1},         {TF_SPV_OP_TypeVector, 2, 2},
    {TF_SPV_OP_TypeArray, 2, 3},         {TF_SPV_OP_TypeStruct, 2, 0},
    {TF_SPV_OP_TypePointer, 3, 3},       {TF_SPV_OP_ConstantTrue, 1, 1},
    {TF_SPV_OP_ConstantFalse, 1, 1},     {TF_SPV_OP_Constant, 1, 1},
    {TF_SPV_OP_ConstantComposite, 1, 0}, {TF_SPV_OP_ConstantNull, 1, 1},
    {TF_SPV_OP_SpecConstant, 1, 1},      {TF_SPV_OP_SpecConstantComposite, 1, 0},
    {TF_SPV_OP_SpecConstantOp, 1, 0},    {TF_SPV_OP_Variable, 1, 0},
};

static const struct part *part_of(uint32_t opcode)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].opcode == opcode)
            return &parts[i];
    return NULL;
}

// Whether a word of these is an id, and no opcode, index or storage class, which could
// be the id of something that is made of this one.
static bool is_id(const uint32_t *words, uint32_t at)
{
    const uint32_t opcode = words[0] & 0xffff;

    if (opcode == TF_SPV_OP_Variable)
        return at != 3;
    if (opcode != TF_SPV_OP_SpecConstantOp || at < 3)
        return true;
    if (words[3] == TF_SPV_OP_CompositeExtract)
        return at == 4;
    if (words[3] == TF_SPV_OP_CompositeInsert || words[3] == TF_SPV_OP_VectorShuffle)
        return at == 4 || at == 5;
    return at > 3;
}

static void read_one(struct tf_spv *r, uint32_t at, unsigned depth);

// They stand behind what they are made of, but for some of llvm-spirv's.
static void read_parts(struct tf_spv *r, uint32_t at, const struct part *part,
                       unsigned depth)
{
    const uint32_t *const words = r->words + at;
    const uint32_t end = part->last ? part->last + 1 : words[0] >> 16;

    for (uint32_t i = part->first; i < end; i++) {
        struct tf_spv_id *const id =
            is_id(words, i) && words[i] < r->bound ? &r->ids[words[i]] : NULL;

        if (id && id->kind == TF_SPV_ID_NONE && id->word && id->word != at &&
            !id->is_early && id->word <= r->last_global &&
            part_of(r->words[id->word] & 0xffff)) {
            id->is_early = true;
            read_one(r, id->word, depth + 1);
        }
    }
}

static void read_one(struct tf_spv *r, uint32_t at, unsigned depth)
{
    const struct part *const part = part_of(r->words[at] & 0xffff);

    if (part) {
        tf_spv_need(r, depth < MOST_DEPTH,
                    "constants are made of one another too deeply");
        read_parts(r, at, part, depth);
    }
    tf_spv_run(r, tf_spv_step(r, at));
}

// Its functions.
static const struct tf_spv_function *read_module(struct tf_spv *r)
{
    struct tf_spv_function *functions = NULL, **end = &functions;

    for (uint32_t at = HEADER_WORDS; at < r->word_count;
         at = r->op.offset + r->op.count) {
        (void)tf_spv_step(r, at);
        if (r->op.opcode == TF_SPV_OP_Function) {
            struct tf_spv_function *const function = tf_spv_function_declare(r);

            while (r->op.opcode != TF_SPV_OP_FunctionEnd)
                (void)tf_spv_step(r, r->op.offset + r->op.count);
            function->end = r->op.offset;
            *end = function;
            end = &function->next;
        } else if (!r->op.result || !r->ids[r->op.result].is_early) {
            read_one(r, at, 0);
            (void)tf_spv_step(r, at);
        }
    }
    tf_spv_need(r, r->has_memory_model, "the module has no memory model");
    tf_spv_entry_points(r);
    for (struct tf_spv_function *f = functions; f; f = f->next)
        tf_spv_function_define(r, f);
    return functions;
}

// What only a whole function shows: that each value comes before its uses on every way.
static void verify(struct tf_spv *r, const struct tf_spv_function *functions)
{
    const struct tf_spv_function *f = functions;
    char *message = NULL;

    if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &message)) {
        while (f && !LLVMVerifyFunction(f->value, LLVMReturnStatusAction))
            f = f->next;
        tf_str_printf(r->log, "error: SPIR-V word %u: Op%s: %s",
                      f ? f->start : r->word_count, f ? "Function" : "FunctionEnd",
                      message);
        r->status = TF_COMPILER_BAD_SOURCE;
    }
    LLVMDisposeMessage(message);
}

static void read_all(struct tf_spv *r, bool lines)
{
    const struct tf_spv_function *functions;

    // tf_spv_fail has set the status when it comes back here.
    if (setjmp(r->leave))
        return;
    take_words(r);
    r->ids = tf_zalloc(r->bound * sizeof *r->ids);
    if (!r->ids)
        tf_spv_out_of_memory(r);
    r->module = LLVMModuleCreateWithNameInContext("kernel.spv", r->context);
    LLVMSetTarget(r->module, TF_SPIR64_TRIPLE);
    LLVMSetDataLayout(r->module, TF_SPIR64_LAYOUT);
    r->layout = LLVMGetModuleDataLayout(r->module);
    r->builder = LLVMCreateBuilderInContext(r->context);
    scan(r);
    tf_spv_lines_begin(r, lines);
    functions = read_module(r);
    tf_spv_lines_end(r);
    verify(r, functions);
}

LLVMModuleRef tf_spirv_module(LLVMContextRef context, const struct tf_compile_in *in,
                              bool lines, enum tf_compiler_status *status,
                              struct tf_str *log)
{
    struct tf_spv r = {
        .context = context, .in = in, .log = log, .status = TF_COMPILER_OK};

    read_all(&r, lines);
    tf_spv_lines_drop(&r);
    if (r.builder)
        LLVMDisposeBuilder(r.builder);
    if (r.module && r.status != TF_COMPILER_OK) {
        LLVMDisposeModule(r.module);
        r.module = NULL;
    }
    tf_free(r.ids);
    tf_arena_finish(&r.arena);
    *status = r.status;
    return r.module;
}
