// SPDX-License-Identifier: MIT
// The steps of the splitter in their order.
#include "compiler/workgroup/split/split.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/workgroup/split/split_parts.h"

enum { PADDED_ITEMS = 63 };

static void run(struct tf_split *s)
{
    tf_split_graph(s);
    tf_split_uniform(s);
    tf_split_entries(s);
    if (s->refused)
        return;
    tf_split_live(s);
    tf_split_privates(s);
    if (s->refused)
        return;
    tf_split_lay_out(s);
    tf_split_find_trims(s);
    tf_split_find_steps(s);
    tf_split_emit(s);
}

LLVMValueRef tf_wg_split(struct tf_wg *wg, const struct tf_split_in *in,
                         struct tf_split_memory *memory)
{
    struct tf_arena arena = {0};
    struct tf_split s = {
        .wg = wg,
        .in = in,
        .arena = &arena,
        .layout = LLVMGetModuleDataLayout(wg->module),
    };

    run(&s);
    if (s.refused && s.group_function) {
        LLVMDeleteFunction(s.group_function);
        s.group_function = NULL;
    }
    memory->gang_bytes = s.large_bytes + s.small_bytes;
    if (in->rows)
        memory->gang_bytes = (memory->gang_bytes + in->rows - 1) / in->rows;
    memory->is_straight = s.is_straight;
    memory->fixed_bytes = s.small_bytes * PADDED_ITEMS;
    tf_arena_finish(&arena);
    return s.group_function;
}
