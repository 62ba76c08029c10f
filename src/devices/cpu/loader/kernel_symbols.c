// SPDX-License-Identifier: MIT
// The table of outside functions that kernels may name.
#include <stdint.h>
#include <string.h>

#include "devices/cpu/loader/elf_loader.h"

// Only the addresses are wanted. Declared under names of our own, because a declaration
// of a compiler's built-in function must repeat its type.
#define TF_KERNEL_SYMBOL(name) extern void symbol_##name(void) __asm__(#name);
#include "abi/kernel_symbols.def"
#undef TF_KERNEL_SYMBOL

static const struct {
    const char *name;
    void (*address)(void);
} symbols[] = {
#define TF_KERNEL_SYMBOL(name) {#name, symbol_##name},
#include "abi/kernel_symbols.def"
#undef TF_KERNEL_SYMBOL
};

const void *tf_kernel_symbol(const char *name)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        if (!strcmp(symbols[i].name, name))
            return (const void *)(uintptr_t)symbols[i].address;
    }
    return NULL;
}
