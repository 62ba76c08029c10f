// SPDX-License-Identifier: MIT
#include "compiler/module/builtin_names.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "base/str.h"
#include "builtins/builtins_table.h"
#include "compiler/ir/ir_util.h"

static void rename_to(LLVMValueRef function, const char *prefix, const char *name,
                      const char *suffix)
{
    struct tf_str text = {0};

    tf_str_printf(&text, "%s%s%s", prefix, name, suffix);
    char *const whole = tf_str_take(&text);
    if (whole)
        LLVMSetValueName2(function, whole, strlen(whole));
    tf_free(whole);
}

void tf_builtin_names_hide(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (LLVMIsDeclaration(f) && tf_builtin_find(tf_ir_name(f)) >= 0)
            rename_to(f, TF_BUILTIN_HIDDEN, tf_ir_name(f), "");
    }
}

void tf_builtin_names_show(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        const char *const hidden = tf_ir_name(f);

        if (strncmp(hidden, TF_BUILTIN_HIDDEN, strlen(TF_BUILTIN_HIDDEN)) != 0)
            continue;
        const char *const name = hidden + strlen(TF_BUILTIN_HIDDEN);
        const LLVMValueRef own = LLVMGetNamedFunction(module, name);
        if (own)
            rename_to(own, "", name, ".own");
        rename_to(f, "", name, "");
    }
}
