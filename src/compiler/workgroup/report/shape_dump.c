// SPDX-License-Identifier: MIT
// TREFOIL_DUMP=shape: the item function as the gang pass reads it, with what lanes know
// of each value, and the loops and regions of each block.
#include <stdio.h>

#include "compiler/ir/dump.h"
#include "compiler/workgroup/report/report.h"

static void write_shape(const struct tf_value *v)
{
    switch (v->shape.kind) {
    case TF_SHAPE_TOP:
        break;
    case TF_SHAPE_AFFINE:
        if (v->shape.stride)
            fprintf(stderr, " ; affine %lld", (long long)v->shape.stride);
        else
            fputs(" ; uniform", stderr);
        break;
    case TF_SHAPE_VARYING:
        fputs(" ; varying", stderr);
        if (v->shape.unless)
            fprintf(stderr, ", affine %lld unless an index wraps",
                    (long long)v->shape.stride);
        break;
    }
}

static void write_block_head(const struct tf_facts *f, unsigned block)
{
    const struct tf_cfg_block *b = &f->cfg.blocks[block];
    const unsigned region = f->usual.region_of[block];

    fprintf(stderr, "; block %u, dominated by %u", block, b->idom);
    if (b->loop != TF_CFG_NONE)
        fprintf(stderr, ", in the %s loop of block %u",
                f->usual.divergent[b->loop] ? "divergent" : "uniform",
                f->cfg.loops[b->loop].head);
    if (region != TF_CFG_NONE) {
        const unsigned exit = f->usual.regions[region].exit;

        fprintf(stderr, ", in divergent region %u", region);
        if (exit < f->cfg.block_count)
            fprintf(stderr, " up to block %u", exit);
        if (f->usual.regions[region].has_barrier)
            fputs(" with a barrier", stderr);
    }
    fputs("\n", stderr);
}

static void write_layout(const struct tf_facts *f, LLVMValueRef variable)
{
    const unsigned unit_bytes = tf_private_of(&f->usual.privates, variable).unit_bytes;

    if (unit_bytes)
        fprintf(stderr, ", by units of %u bytes", unit_bytes);
    else
        fputs(", lane after lane", stderr);
}

static void write_instruction(const struct tf_facts *f, LLVMValueRef i)
{
    const struct tf_value *v = tf_shape_value(&f->usual, i);
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    char *const text = LLVMPrintValueToString(i);

    fputs(text, stderr);
    LLVMDisposeMessage(text);
    if (v && kind != LLVMVoidTypeKind)
        write_shape(v);
    if (v && v->opcode == LLVMAlloca)
        write_layout(f, i);
    fputs("\n", stderr);
}

static void write_block(const struct tf_facts *f, unsigned block)
{
    const struct tf_cfg_block *b = &f->cfg.blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(&f->cfg, block);
    char *const name = LLVMPrintValueToString(LLVMBasicBlockAsValue(b->block));
    int label = 0; // the text up to the first line's end

    while (name[label] == '\n')
        label++;
    write_block_head(f, block);
    for (int k = label; name[k] && name[k] != '\n'; k++)
        fputc(name[k], stderr);
    fputs("\n", stderr);
    LLVMDisposeMessage(name);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->block); i;
         i = LLVMGetNextInstruction(i))
        write_instruction(f, i);
    if (condition && !tf_is_uniform(&f->usual, condition))
        fputs("  ; lanes part here\n", stderr);
}

void tf_report_shapes(const struct tf_facts *f, const char *kernel_name)
{
    if (!tf_dump_on(TF_DUMP_SHAPE))
        return;
    fprintf(stderr, "; ---- shape: kernel %s, %u lanes\n", kernel_name, f->of.lanes);
    for (unsigned at = 0; at < f->cfg.block_count; at++)
        write_block(f, f->cfg.order[at]);
}
