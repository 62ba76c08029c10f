// SPDX-License-Identifier: MIT
#include "compiler/spirv/spirv_functions.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_lines.h"
#include "compiler/spirv/ops/spirv_table.h"
#include "compiler/spirv/read/spirv_enums.h"
#include "compiler/spirv/read/spirv_names.h"

// A switch with many cases and many phis behind it are a product.
enum { MOST_PHI_WORK = 1 << 23 };

static LLVMValueRef add_function(struct tf_spv *r, const struct tf_spv_type *type)
{
    const struct tf_spv_symbol symbol = tf_spv_symbol(r, r->op.result);
    LLVMValueRef function = NULL;

    if (symbol.linkage != LLVMInternalLinkage) {
        function = LLVMGetNamedFunction(r->module, symbol.name);
        tf_spv_need(r, !LLVMGetNamedGlobal(r->module, symbol.name),
                    "'%s' is a variable, too", symbol.name);
        tf_spv_need(r,
                    !function || (symbol.imported && LLVMIsDeclaration(function) &&
                                  LLVMGlobalGetValueType(function) == type->llvm),
                    "'%s' is there twice", symbol.name);
    }
    if (!function)
        function = LLVMAddFunction(r->module, symbol.name, type->llvm);
    LLVMSetLinkage(function, symbol.linkage);
    LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    tf_ir_add_attribute(function, "convergent");
    tf_ir_add_attribute(function, "nounwind");
    return function;
}

static void add_param_attributes(struct tf_spv *r, LLVMValueRef function, uint32_t index)
{
    static const char *const names[] = {
        [TF_SPV_PARAM_NO_ALIAS] = "noalias",
        [TF_SPV_PARAM_NO_WRITE] = "readonly",
        [TF_SPV_PARAM_NO_READ_WRITE] = "readnone",
    };
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_decoration *at = r->ids[r->op.result].decorations;

    for (; at && type->kind == TF_SPV_POINTER; at = at->next) {
        if (at->kind == TF_SPV_DECORATION_ALIGNMENT) {
            tf_ir_add_attribute_at(function, index + 1, "align", at->words[0]);
        } else if (at->kind == TF_SPV_DECORATION_RESTRICT) {
            tf_ir_add_attribute_at(function, index + 1, "noalias", 0);
        } else if (at->kind == TF_SPV_DECORATION_FUNC_PARAM_ATTR) {
            const uint32_t number = at->words[0];

            if (number == TF_SPV_PARAM_BY_VAL) {
                tf_spv_need(r,
                            type->storage == TF_SPV_STORAGE_FUNCTION && type->element &&
                                type->element->sized,
                            "what is passed by value is in Function memory");
                LLVMAddAttributeAtIndex(
                    function, index + 1,
                    LLVMCreateTypeAttribute(r->context,
                                            LLVMGetEnumAttributeKindForName("byval", 5),
                                            type->element->llvm));
            } else if (number < sizeof names / sizeof *names && names[number]) {
                tf_ir_add_attribute_at(function, index + 1, names[number], 0);
            }
        }
    }
}

static void take_parameter(struct tf_spv *r, const struct tf_spv_function *function,
                           uint32_t index)
{
    const struct tf_spv_type *const type = function->type;

    tf_spv_need(r, index < type->member_count, "the function has %u parameters",
                type->member_count);
    tf_spv_need(r, tf_spv_result_type(r) == type->members[index],
                "parameter %u has not the type that the function's type says", index);
    const LLVMValueRef param = LLVMGetParam(function->value, index);
    const char *const name = tf_spv_id(r, r->op.result)->name;
    if (name)
        LLVMSetValueName2(param, name, strlen(name));
    add_param_attributes(r, function->value, index);
    tf_spv_set_result(r, param);
}

struct tf_spv_function *tf_spv_function_declare(struct tf_spv *r)
{
    struct tf_spv_function *const function = TF_SPV_NEW(r, struct tf_spv_function, 1);
    const struct tf_spv_type *const type = tf_spv_type_at(r, 4);
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);
    uint32_t params = 0;

    tf_spv_need(r, type->kind == TF_SPV_FUNCTION, "id %u is no type of functions",
                r->op.words[4]);
    tf_spv_need(r, type->element == tf_spv_result_type(r),
                "the result is not that of the function's type");
    function->id = r->op.result;
    function->start = r->op.offset;
    function->type = type;
    function->value = add_function(r, type);
    id->kind = TF_SPV_ID_FUNCTION;
    id->type = r->ids[r->op.words[4]].type;
    id->is.function = function;
    do {
        (void)tf_spv_step(r, r->op.offset + r->op.count);
        if (r->op.opcode == TF_SPV_OP_FunctionParameter)
            take_parameter(r, function, params++);
    } while (r->op.opcode != TF_SPV_OP_Label && r->op.opcode != TF_SPV_OP_FunctionEnd);
    tf_spv_need(r, params == type->member_count, "%u of %u parameters are there", params,
                type->member_count);
    return function;
}

static bool is_terminator(uint32_t opcode)
{
    return opcode == TF_SPV_OP_Branch || opcode == TF_SPV_OP_BranchConditional ||
           opcode == TF_SPV_OP_Switch || opcode == TF_SPV_OP_Return ||
           opcode == TF_SPV_OP_ReturnValue || opcode == TF_SPV_OP_Unreachable ||
           opcode == TF_SPV_OP_Kill;
}

static struct tf_spv_block *add_block(struct tf_spv *r, struct tf_spv_function *function)
{
    struct tf_spv_block *const block = TF_SPV_NEW(r, struct tf_spv_block, 1);
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    block->start = r->op.offset;
    block->function = function->id;
    id->kind = TF_SPV_ID_LABEL;
    id->is.block = block;
    return block;
}

// Finds the blocks; the number of them.
static uint32_t find_blocks(struct tf_spv *r, struct tf_spv_function *function,
                            struct tf_spv_block **first)
{
    struct tf_spv_block *block = NULL;
    uint32_t count = 0;

    (void)tf_spv_step(r, function->start);
    for (;;) {
        (void)tf_spv_step(r, r->op.offset + r->op.count);
        if (r->op.opcode == TF_SPV_OP_Label) {
            tf_spv_need(r, !block, "the block before it does not end");
            block = add_block(r, function);
            if (count++ == 0)
                *first = block;
        } else if (r->op.opcode == TF_SPV_OP_FunctionEnd) {
            tf_spv_need(r, !block, "the last block does not end");
            return count;
        } else if (r->op.opcode == TF_SPV_OP_FunctionParameter) {
            tf_spv_need(r, !count, "a parameter behind a block");
        } else if (is_terminator(r->op.opcode)) {
            tf_spv_need(r, block, "the end of no block");
            block->end = r->op.offset;
            block = NULL;
        } else {
            tf_spv_need(r,
                        block || r->op.opcode == TF_SPV_OP_Line ||
                            r->op.opcode == TF_SPV_OP_NoLine ||
                            r->op.opcode == TF_SPV_OP_Nop ||
                            r->op.opcode == TF_SPV_OP_ExtInst,
                        "the instruction is in no block");
        }
    }
}

// Words of a literal of OpSwitch, by the type of what decides. That may be defined
// further on in the module: its type is known all the same.
static uint32_t literal_words(struct tf_spv *r)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, 1);
    const struct tf_spv_info *const info =
        id->word ? tf_spv_info(r->words[id->word] & 0xffff) : NULL;

    tf_spv_need(r, info && info->form == TF_SPV_FORM_TYPED, "id %u is no value",
                r->op.words[1]);
    const struct tf_spv_id *const type = tf_spv_id(r, r->words[id->word + 1]);
    tf_spv_need(r, type->kind == TF_SPV_ID_TYPE && type->type->kind == TF_SPV_INT,
                "id %u is no integer", r->op.words[1]);
    return type->type->bits > 32 ? 2 : 1;
}

// Where the way number `i` out of a block leads; NULL: there is none.
static struct tf_spv_block *successor(struct tf_spv *r, const struct tf_spv_block *block,
                                      uint32_t i)
{
    uint32_t at;

    (void)tf_spv_step(r, block->end);
    if (r->op.opcode == TF_SPV_OP_Branch)
        return i == 0 ? tf_spv_block_at(r, 1) : NULL;
    if (r->op.opcode == TF_SPV_OP_BranchConditional)
        return i < 2 ? tf_spv_block_at(r, 2 + i) : NULL;
    if (r->op.opcode != TF_SPV_OP_Switch)
        return NULL;
    at = 2 + i * (literal_words(r) + 1);
    return at < r->op.count ? tf_spv_block_at(r, at) : NULL;
}

struct walk {
    struct tf_spv_block *block;
    uint32_t next;
};

// The blocks that can be reached, each behind those that dominate it.
static uint32_t order_blocks(struct tf_spv *r, struct tf_spv_block *first, uint32_t count,
                             struct tf_spv_block **order)
{
    struct walk *const path = TF_SPV_NEW(r, struct walk, count);
    uint32_t depth = 1, left = count;

    first->seen = true;
    path[0].block = first;
    while (depth) {
        struct walk *const top = &path[depth - 1];
        struct tf_spv_block *const next = successor(r, top->block, top->next++);

        if (!next) {
            order[--left] = top->block;
            depth--;
        } else if (!next->seen) {
            next->seen = true;
            path[depth++] = (struct walk){.block = next};
        }
    }
    return left;
}

static void define_block(struct tf_spv *r, struct tf_spv_block *block)
{
    block->entered = true;
    r->function->block = block;
    LLVMPositionBuilderAtEnd(r->builder, block->first);
    tf_spv_lines_of_block(r);
    (void)tf_spv_step(r, block->start);
    while (r->op.offset != block->end) {
        const struct tf_spv_info *const info = tf_spv_step(r, r->op.offset + r->op.count);

        block->last = LLVMGetInsertBlock(r->builder);
        tf_spv_run(r, info);
    }
}

static void finish_phi(struct tf_spv *r, struct tf_spv_phi *phi)
{
    const LLVMTypeRef type = LLVMTypeOf(phi->value);
    uint32_t edges = 0;

    r->op = phi->op;
    tf_spv_need(r, r->op.count % 2 == 1, "values and blocks are not pairs");
    for (uint32_t i = 3; i < r->op.count; i += 2) {
        struct tf_spv_block *const from = tf_spv_block_at(r, i + 1);

        if (!from->first)
            continue;
        LLVMValueRef value = tf_spv_value_of(r, i, type);
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(from->last);
        const unsigned ways = LLVMGetNumSuccessors(end);
        const uint32_t before = edges;
        r->phi_work += ways;
        tf_spv_need(r, r->phi_work <= MOST_PHI_WORK, "too many ways lead to phis");
        for (unsigned k = 0; k < ways; k++)
            if (LLVMGetSuccessor(end, k) == phi->block->first) {
                LLVMAddIncoming(phi->value, &value, &from->last, 1);
                edges++;
            }
        tf_spv_need(r, edges > before, "block %u does not lead here", r->op.words[i + 1]);
    }
    tf_spv_need(r, edges == phi->block->edges,
                "values for %u ways, but %u lead to the block", edges, phi->block->edges);
}

void tf_spv_function_define(struct tf_spv *r, struct tf_spv_function *function)
{
    struct tf_spv_block *first = NULL;
    const uint32_t count = find_blocks(r, function, &first);
    struct tf_spv_block **const order = TF_SPV_NEW(r, struct tf_spv_block *, count);
    const bool imported = tf_spv_symbol(r, function->id).imported;

    (void)tf_spv_step(r, function->start);
    tf_spv_need(r, imported == !count,
                imported ? "an imported function has a body"
                         : "the function has no body");
    if (imported)
        return;
    tf_spv_lines_of_function(r, function);
    r->function = function;
    const uint32_t start = order_blocks(r, first, count, order);
    for (uint32_t i = start; i < count; i++)
        order[i]->first = order[i]->last =
            LLVMAppendBasicBlockInContext(r->context, function->value, "");
    function->entry = first->first;
    for (uint32_t i = start; i < count; i++)
        define_block(r, order[i]);
    for (struct tf_spv_phi *phi = function->phis; phi; phi = phi->next)
        finish_phi(r, phi);
    r->function = NULL;
    r->lines.function = NULL;
    tf_spv_lines_of_block(r); // none, for what follows
}
