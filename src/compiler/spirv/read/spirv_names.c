// SPDX-License-Identifier: MIT
#include "compiler/spirv/read/spirv_names.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "builtins/builtins_table.h"
#include "compiler/spirv/read/spirv_enums.h"

// Names that mean something to LLVM or to later stages.
static bool is_special(const char *name)
{
    return !strncmp(name, "llvm.", 5) || !strncmp(name, "__tf_", 5) ||
           !strncmp(name, "tf_", 3) || name[0] == '\1' ||
           !strncmp(name, TF_BUILTIN_HIDDEN, strlen(TF_BUILTIN_HIDDEN));
}

// Of its own, so that tables sorted by names have an order.
static const char *internal_name(struct tf_spv *r, uint32_t id)
{
    const char *const given = r->ids[id].name;

    if (given && !is_special(given) && tf_builtin_find(given) < 0)
        return given;
    return tf_spv_format(r, "spirv.%u", id);
}

struct tf_spv_symbol tf_spv_symbol(struct tf_spv *r, uint32_t id)
{
    const struct tf_spv_decoration *const linkage =
        tf_spv_decoration(r, id, TF_SPV_DECORATION_LINKAGE_ATTRIBUTES);
    struct tf_spv_symbol symbol = {.linkage = LLVMInternalLinkage};

    if (!linkage) {
        symbol.name = internal_name(r, id);
        return symbol;
    }
    const uint32_t type = linkage->words[linkage->count - 1];
    char *const name = TF_SPV_NEW(r, char, linkage->count * sizeof(uint32_t));
    for (uint32_t i = 0; i + sizeof(uint32_t) < linkage->count * sizeof(uint32_t); i++)
        name[i] = (char)(linkage->words[i / 4] >> i % 4 * 8);
    symbol.name = name;
    symbol.imported = type == TF_SPV_LINKAGE_IMPORT;
    symbol.linkage = type == TF_SPV_LINKAGE_LINK_ONCE_ODR ? LLVMLinkOnceODRLinkage
                                                          : LLVMExternalLinkage;
    tf_spv_need(r, type <= TF_SPV_LINKAGE_LINK_ONCE_ODR, "linkage type %u is unknown",
                type);
    tf_spv_need(r, *name && !is_special(name), "'%s' cannot be a linkage name", name);
    if (symbol.imported && tf_builtin_find(name) >= 0)
        symbol.name = tf_spv_format(r, "%s%s", TF_BUILTIN_HIDDEN, name);
    return symbol;
}
