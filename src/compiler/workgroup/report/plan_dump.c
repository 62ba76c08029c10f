// SPDX-License-Identifier: MIT
// TREFOIL_DUMP=cfg and plan: the control flow of the function that lanes are made of, and
// what the plan makes of each instruction.
#include <stdio.h>

#include "compiler/ir/dump.h"
#include "compiler/workgroup/report/report.h"

static void write_number(const char *name, unsigned number, unsigned none)
{
    if (number != none)
        fprintf(stderr, ", %s %u", name, number);
}

void tf_report_cfg(const struct tf_facts *f, const char *kernel_name)
{
    const struct tf_cfg *cfg = &f->cfg;

    if (!tf_dump_on(TF_DUMP_CFG))
        return;
    fprintf(stderr, "; ---- cfg: kernel %s, %u blocks, %u loops\n", kernel_name,
            cfg->block_count, cfg->loop_count);
    for (unsigned at = 0; at < cfg->block_count; at++) {
        const unsigned number = cfg->order[at];
        const struct tf_cfg_block *b = &cfg->blocks[number];

        fprintf(stderr, "; block %u: to", number);
        for (unsigned k = 0; k < b->succ_count; k++)
            fprintf(stderr, " %u", b->succs[k]);
        write_number("dominated by", b->idom, number);
        write_number("ends before", b->ipdom, cfg->block_count);
        if (b->loop != TF_CFG_NONE)
            fprintf(stderr, ", in the loop of block %u, depth %u",
                    cfg->loops[b->loop].head, cfg->loops[b->loop].depth);
        fprintf(stderr, "%s%s\n", f->acts[number] ? ", acts" : "",
                f->late[number] ? ", late" : "");
    }
}

// ---- plans

static const char *const forms[] = {
    [TF_FORM_NONE] = "none",
    [TF_FORM_SCOPE] = "scope",
    [TF_FORM_FREE] = "free",
    [TF_FORM_ONE] = "one",
    [TF_FORM_PHI] = "phi",
    [TF_FORM_VECTOR] = "vector",
    [TF_FORM_INTRINSIC] = "intrinsic",
    [TF_FORM_SHUFFLE] = "shuffle",
    [TF_FORM_UNROLLED] = "unrolled",
    [TF_FORM_LANE_LOOP] = "lane loop",
    [TF_FORM_REAL_DIVISION] = "real division",
    [TF_FORM_LONG_DIVISION] = "long division",
    [TF_FORM_HIGH_PRODUCT] = "high product",
    [TF_FORM_PERMUTATION] = "permutation",
    [TF_FORM_ONE_ATOMIC] = "one atomic",
    [TF_FORM_SUB_GROUP] = "sub-group",
    [TF_FORM_BARRIER] = "barrier",
    [TF_FORM_APART] = "apart",
    [TF_FORM_FETCH] = "fetch",
    [TF_FORM_INSIDE] = "inside",
    [TF_FORM_LAST_LANE] = "last lane",
    [TF_FORM_SIDE_BY_SIDE] = "side by side",
    [TF_FORM_ROW] = "row",
    [TF_FORM_EITHER_WAY] = "side by side, or",
    [TF_FORM_BUNDLE] = "bundle",
    [TF_FORM_STRIP] = "strip",
    [TF_FORM_TABLE] = "table",
    [TF_FORM_WINDOW] = "window, or",
    [TF_FORM_RISING] = "rising, or",
    [TF_FORM_GATHER] = "gather",
    [TF_FORM_SCATTER] = "scatter",
    [TF_FORM_OWN_GATHER] = "own gather",
    [TF_FORM_OWN_WORDS] = "own words",
    [TF_FORM_OWN_SINGLY] = "own, singly",
};

static void write_value(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_plan_value *value = &p->values[v - p->shapes->values];
    char *const text = LLVMPrintValueToString(v->instruction);

    fprintf(stderr, "%s ; %s", text, forms[value->form]);
    if (value->form == TF_FORM_EITHER_WAY || value->form == TF_FORM_WINDOW ||
        value->form == TF_FORM_RISING)
        fprintf(stderr, " %s", forms[value->far]);
    fprintf(stderr, "%s\n", v->assumed ? ", taken for granted" : "");
    LLVMDisposeMessage(text);
}

static void write_block(const struct tf_plan *p, unsigned block)
{
    const struct tf_plan_block *b = &p->blocks[block];

    fprintf(stderr, "; block %u", block);
    write_number("in divergent region", p->shapes->region_of[block], TF_CFG_NONE);
    write_number("lanes of", b->like, TF_CFG_NONE);
    fprintf(stderr, "%s%s%s\n", b->guarded ? ", guarded" : "",
            b->loops_back ? ", loops back together" : "", b->twin ? ", with a twin" : "");
}

void tf_report_forms(const struct tf_plan *p, const char *kernel_name)
{
    char numbers[200];
    unsigned block = TF_CFG_NONE;

    if (!tf_dump_on(TF_DUMP_PLAN))
        return;
    tf_report_plan(p, numbers, sizeof(numbers));
    fprintf(stderr, "; ---- plan: kernel %s%s%s, %u bits, costs of %s; %s\n", kernel_name,
            p->of.masked ? ", masked" : "",
            p->of.facts->of.turned ? ", along dimension 1" : "", p->target.vector_bits,
            p->target.family, numbers);
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->block != block)
            write_block(p, v->block);
        block = v->block;
        write_value(p, v);
    }
}
