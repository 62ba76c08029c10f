// SPDX-License-Identifier: MIT
// TREFOIL_DUMP=shape: the item function as the gang pass reads it, with what lanes know
// of each value, and the loops and regions of each block.
#include <stdio.h>

#include "compiler/ir/dump.h"
#include "compiler/workgroup/gang/gang_emit.h"

static void write_shape(const struct tf_value *v)
{
    switch (v->shape.kind) {
    case TF_SHAPE_TOP:
        break;
    case TF_SHAPE_AFFINE:
        if (v->shape.stride)
            fprintf(stderr, " ; affine %lld", (long long)v->shape.stride);
        else
            fprintf(stderr, " ; uniform%s", v->group_uniform ? " in the group" : "");
        break;
    case TF_SHAPE_VARYING:
        fputs(" ; varying", stderr);
        if (v->shape.unless)
            fprintf(stderr, ", affine %lld unless an index wraps",
                    (long long)v->shape.stride);
        break;
    }
}

static void write_block_head(const struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg.blocks[block];
    const unsigned region = g->shapes.region_of[block];

    fprintf(stderr, "; block %u, dominated by %u", block, b->idom);
    if (b->loop != TF_CFG_NONE)
        fprintf(stderr, ", in the %s loop of block %u",
                g->shapes.divergent[b->loop] ? "divergent" : "uniform",
                g->cfg.loops[b->loop].head);
    if (region != TF_CFG_NONE) {
        const unsigned exit = g->shapes.regions[region].exit;

        fprintf(stderr, ", in region %u", region);
        if (exit < g->cfg.block_count)
            fprintf(stderr, " up to block %u", exit);
        if (g->shapes.regions[region].has_barrier)
            fputs(" with a barrier", stderr);
    }
    fputs("\n", stderr);
}

static void write_layout(const struct gang *g, LLVMValueRef variable)
{
    const unsigned unit_bytes = tf_private_of(&g->shapes.privates, variable).unit_bytes;

    if (unit_bytes)
        fprintf(stderr, ", by units of %u bytes", unit_bytes);
    else
        fputs(", lane after lane", stderr);
}

static void write_instruction(const struct gang *g, LLVMValueRef i)
{
    const struct tf_value *v = tf_shape_value(&g->shapes, i);
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    char *const text = LLVMPrintValueToString(i);

    fputs(text, stderr);
    LLVMDisposeMessage(text);
    if (v && kind != LLVMVoidTypeKind)
        write_shape(v);
    if (v && v->opcode == LLVMAlloca)
        write_layout(g, i);
    fputs("\n", stderr);
}

static void write_block(const struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg.blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(&g->cfg, block);
    char *const name = LLVMPrintValueToString(LLVMBasicBlockAsValue(b->block));
    int label = 0; // the text up to the first line's end

    while (name[label] == '\n')
        label++;
    write_block_head(g, block);
    for (int k = label; name[k] && name[k] != '\n'; k++)
        fputc(name[k], stderr);
    fputs("\n", stderr);
    LLVMDisposeMessage(name);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->block); i;
         i = LLVMGetNextInstruction(i))
        write_instruction(g, i);
    if (condition && !tf_is_uniform(&g->shapes, condition))
        fputs("  ; lanes part here\n", stderr);
}

void gang_dump_shapes(const struct gang *g)
{
    if (g->masked || !tf_dump_on(TF_DUMP_SHAPE))
        return;
    fprintf(stderr, "; ---- shape: kernel %s, %u lanes\n", g->wg->kernel_name, g->width);
    for (unsigned at = 0; at < g->cfg.block_count; at++)
        write_block(g, g->cfg.order[at]);
}
