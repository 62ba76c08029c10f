// SPDX-License-Identifier: MIT
// The steps in which a plan is made; how one is refused, and ends.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/workgroup/plan/planning.h"

bool tf_plan_init(struct tf_plan *p, const struct tf_plan_of *of)
{
    const struct tf_facts *f = of->facts;
    struct tf_planning m = {.p = p};

    memset(p, 0, sizeof(*p));
    p->of = *of;
    p->target = *of->target;
    p->of.target = NULL; // the plan has its own
    p->width = of->width;
    p->cfg = &f->cfg;
    if (f->unfit[0]) {
        tf_plan_refuse(p, "%s", f->unfit);
        return false;
    }
    if (f->shapes.most_lanes && of->width > f->shapes.most_lanes) {
        tf_plan_refuse(p, "more lanes than the facts hold for");
        return false;
    }
    p->shapes = of->masked ? &f->shapes : &f->usual;
    m.values = TF_ARENA_NEW(&p->arena, struct tf_plan_value, p->shapes->value_count);
    m.blocks = TF_ARENA_NEW(&p->arena, struct tf_plan_block, p->cfg->block_count);
    p->values = m.values;
    p->blocks = m.blocks;
    if (!of->linear && !tf_plan_has_room_for_privates(p)) {
        tf_plan_refuse(p, "its private variables are too large");
        return false;
    }
    tf_plan_bundles(&m);
    tf_plan_forms(&m);
    if (p->unfit[0])
        return false;
    tf_plan_strips(&m);
    tf_plan_bound_branches(&m);
    tf_plan_exact(&m);
    tf_plan_flow(&m);
    tf_plan_twins(&m);
    tf_plan_costs(&m);
    return true;
}

void tf_plan_refuse(struct tf_plan *p, const char *fmt, ...)
{
    va_list args;

    if (p->unfit[0])
        return;
    va_start(args, fmt);
    vsnprintf(p->unfit, sizeof(p->unfit), fmt, args);
    va_end(args);
}

void tf_plan_finish(struct tf_plan *p)
{
    tf_arena_finish(&p->arena);
}
