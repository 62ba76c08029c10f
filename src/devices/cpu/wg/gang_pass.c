// SPDX-License-Identifier: MIT
// Pass "gang": makes the lanes of a kernel that is to have them.
#include <stdio.h>

#include <llvm-c/Core.h>

#include "devices/cpu/wg/gang.h"
#include "devices/cpu/wg/wg.h"

bool tf_wg_lanes(struct tf_wg *wg)
{
    if (!wg->wide)
        return true;
    snprintf(wg->refusal, sizeof(wg->refusal), "lanes are not made");
    LLVMDeleteFunction(wg->wide);
    wg->wide = NULL;
    return true;
}
