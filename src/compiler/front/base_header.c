// SPDX-License-Identifier: MIT
#include "compiler/front/base_header.h"

#define TAKE_IN(name, path)                                   \
    __asm__(".pushsection .rodata." name ",\"a\",@progbits\n" \
            ".globl " name "\n"                               \
            ".hidden " name "\n"                              \
            ".globl " name "_end\n"                           \
            ".hidden " name "_end\n" name ":\n"               \
            ".incbin \"" path "\"\n" name "_end:\n"           \
            ".byte 0\n"                                       \
            ".popsection\n")

TAKE_IN("tf_base_header", TF_BASE_HEADER_PATH);
TAKE_IN("tf_more_header", TF_MORE_HEADER_PATH);
