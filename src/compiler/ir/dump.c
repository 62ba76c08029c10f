// SPDX-License-Identifier: MIT
#include "compiler/ir/dump.h"

#include <stdio.h>

#include <llvm-c/Core.h>

#include "base/env.h"

static const char *const stage_names[] = {"frontend", "link",  "cleanup", "gang", "wg",
                                          "asm",      "shape", "split",   "cfg",  "plan"};

bool tf_dump_on(enum tf_dump_stage stage)
{
    return tf_env_lists(TF_ENV_DUMP, stage_names[stage]);
}

bool tf_dump_any_on(void)
{
    return tf_env_text(TF_ENV_DUMP) != NULL;
}

void tf_dump(enum tf_dump_stage stage, LLVMModuleRef module)
{
    if (!tf_dump_on(stage))
        return;
    char *const text = LLVMPrintModuleToString(module);
    fprintf(stderr, "; ---- %s\n%s\n", stage_names[stage], text);
    LLVMDisposeMessage(text);
}
