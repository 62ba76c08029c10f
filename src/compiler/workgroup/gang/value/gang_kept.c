// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/value/gang_kept.h"

#include <string.h>

void tf_gang_kept_finish(struct tf_gang_kept *kept)
{
    tf_arena_finish(&kept->arena);
}

void gang_kept_start(struct tf_gang_kept *kept, unsigned width)
{
    if (kept->width == width)
        return;
    tf_gang_kept_finish(kept);
    memset(kept, 0, sizeof(*kept));
    kept->width = width;
    kept->splats.arena = &kept->arena;
    kept->ints = TF_ARENA_NEW(&kept->arena, LLVMValueRef, GANG_KEPT_INTS);
}
