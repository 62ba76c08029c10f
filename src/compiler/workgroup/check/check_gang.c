// SPDX-License-Identifier: MIT
#include "compiler/workgroup/check/check_gang.h"

#include "base/env.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/check/check_parts.h"
#include "compiler/workgroup/kernel/wg.h"

bool tf_check_gang(LLVMValueRef function, unsigned width, struct tf_str *faults)
{
    struct tf_check c = {
        .function = function,
        .width = width,
        .few = LLVMCountParams(function) > TF_ITEM_PARAMS,
        .faults = faults,
    };

    tf_check_parts(&c);
    tf_check_masks(&c);
    tf_check_actions(&c);
    tf_check_scopes(&c);
    tf_check_slots(&c);
    tf_arena_finish(&c.arena);
    return c.fault_count == 0;
}

bool tf_check_is_on(void)
{
#ifdef TF_DEBUG
    return true;
#else
    return tf_env_number(TF_ENV_CHECK_LANES, 0) != 0;
#endif
}
