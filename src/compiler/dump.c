// SPDX-License-Identifier: MIT
#include "compiler/dump.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/env.h"

static const char *const stage_names[] = {"frontend", "link", "cleanup", "wg", "asm"};

bool tf_dump_on(enum tf_dump_stage stage)
{
    const char *at = tf_env_text(TF_ENV_DUMP);

    while (at && *at) {
        const size_t bytes = strcspn(at, ",");

        if (bytes == strlen(stage_names[stage]) &&
            !strncmp(at, stage_names[stage], bytes))
            return true;
        at += bytes + (at[bytes] == ',');
    }
    return false;
}

void tf_dump(enum tf_dump_stage stage, LLVMModuleRef module)
{
    if (!tf_dump_on(stage))
        return;
    char *const text = LLVMPrintModuleToString(module);
    fprintf(stderr, "; ---- %s\n%s\n", stage_names[stage], text);
    LLVMDisposeMessage(text);
}
