// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

#include "base/str.h"
#include "compiler/workgroup/check/check_gang.h"
#include "compiler/workgroup/gang/gang.h"

void ir_open(struct ir *ir, const char *text)
{
    struct tf_str all = {0};
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    LLVMBool failed;

    memset(ir, 0, sizeof(*ir));
    ir->target = tf_target_of(NULL, 256);
    tf_str_add(&all, IR_HEAD);
    tf_str_add(&all, text);
    ir->context = LLVMContextCreate();
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(all.text, all.bytes, "text");
    failed = LLVMParseIRInContext(ir->context, buffer, &ir->module, &message);
    ck_assert_msg(!failed, "%s", message);
    tf_str_finish(&all);
    ir->fn = LLVMGetNamedFunction(ir->module, "k");
    ck_assert_ptr_nonnull(ir->fn);
    failed = LLVMVerifyFunction(ir->fn, LLVMPrintMessageAction);
    ck_assert(!failed);
}

unsigned ir_count(const struct ir *ir, const char *what)
{
    char *text = LLVMPrintModuleToString(ir->module);
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        count++;
    LLVMDisposeMessage(text);
    return count;
}

void ir_close(struct ir *ir)
{
    tf_plan_finish(&ir->plan);
    tf_facts_finish(&ir->facts);
    tf_arena_finish(&ir->arena);
    LLVMDisposeModule(ir->module);
    LLVMContextDispose(ir->context);
}

static bool has_name(LLVMValueRef value, const char *name)
{
    size_t bytes;
    const char *text = LLVMGetValueName2(value, &bytes);

    return bytes == strlen(name) && !memcmp(text, name, bytes);
}

LLVMValueRef ir_value(const struct ir *ir, const char *name)
{
    for (unsigned p = 0; p < LLVMCountParams(ir->fn); p++) {
        if (has_name(LLVMGetParam(ir->fn, p), name))
            return LLVMGetParam(ir->fn, p);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ir->fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (has_name(i, name))
                return i;
        }
    }
    ck_abort_msg("no value %s", name);
    return NULL;
}

unsigned ir_block(const struct ir *ir, const char *name)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ir->fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (has_name(LLVMBasicBlockAsValue(b), name))
            return tf_cfg_number(&ir->cfg, b);
    }
    ck_abort_msg("no block %s", name);
    return TF_CFG_NONE;
}

bool ir_cfg(struct ir *ir)
{
    return tf_cfg_init(&ir->cfg, &ir->arena, ir->fn);
}

void ir_shapes(struct ir *ir)
{
    ck_assert(ir_cfg(ir));
    tf_shapes_init(&ir->shapes, &ir->arena, &ir->cfg, ir->fn, false);
}

struct tf_shape ir_shape(const struct ir *ir, const char *name)
{
    return tf_shape_of(&ir->shapes, ir_value(ir, name));
}

void ir_expect_affine(const struct ir *ir, const char *name, int64_t stride)
{
    const struct tf_shape shape = ir_shape(ir, name);

    ck_assert_msg(shape.kind == TF_SHAPE_AFFINE, "%s varies", name);
    ck_assert_msg(shape.stride == stride, "%s has stride %lld, not %lld", name,
                  (long long)shape.stride, (long long)stride);
}

void ir_expect_varying(const struct ir *ir, const char *name)
{
    ck_assert_msg(ir_shape(ir, name).kind == TF_SHAPE_VARYING, "%s does not vary", name);
}

bool ir_facts(struct ir *ir, unsigned lanes)
{
    const struct tf_facts_of of = {.fn = ir->fn, .lanes = lanes, .usual = true};

    tf_facts_finish(&ir->facts);
    return tf_facts_init(&ir->facts, &of);
}

bool ir_plan(struct ir *ir, unsigned width, bool masked)
{
    const struct tf_plan_of of = {
        .facts = &ir->facts, .target = &ir->target, .width = width, .masked = masked};

    tf_plan_finish(&ir->plan);
    ir_facts(ir, width);
    return tf_plan_init(&ir->plan, &of);
}

enum tf_form ir_form(const struct ir *ir, const char *name)
{
    const struct tf_value *v = tf_shape_value(ir->plan.shapes, ir_value(ir, name));

    return tf_plan_form(&ir->plan, v);
}

struct tf_wg ir_wg(struct ir *ir, unsigned width)
{
    ir->wishes = (struct tf_wishes){.target = ir->target, .width = width};
    ir->item = (struct tf_item){.wide = ir->fn};
    ir->lanes = (struct tf_lanes){.width = width};
    return (struct tf_wg){.context = ir->context,
                          .module = ir->module,
                          .kernel_name = "k",
                          .wishes = &ir->wishes,
                          .item = &ir->item,
                          .lanes = &ir->lanes};
}

char *ir_emit(struct ir *ir)
{
    struct tf_wg wg = ir_wg(ir, ir->plan.width);
    struct tf_str faults = {0};
    struct tf_gang_kept kept = {0};
    LLVMValueRef made;
    char *text;

    wg.checks = true;
    tf_wg_init(&wg);
    made = tf_gang_emit(&wg, &ir->plan, &kept);
    tf_gang_kept_finish(&kept);
    LLVMVerifyFunction(made, LLVMAbortProcessAction);
    ck_assert_msg(tf_check_gang(made, ir->plan.width, &faults), "%s", faults.text);
    tf_str_finish(&faults);
    text = LLVMPrintValueToString(made);
    LLVMDisposeBuilder(wg.builder);
    return text;
}

bool ir_run(struct ir *ir, const char *text, bool (*pass)(LLVMValueRef fn))
{
    bool changed;

    ir_open(ir, text);
    changed = pass(ir->fn);
    ck_assert(!LLVMVerifyFunction(ir->fn, LLVMPrintMessageAction));
    return changed;
}
