// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/planning.h"

#include <stdarg.h>
#include <stdio.h>

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
