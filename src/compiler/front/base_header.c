// SPDX-License-Identifier: MIT
#include "compiler/front/base_header.h"

__asm__(".pushsection .rodata.tf_base_header,\"a\",@progbits\n"
        ".globl tf_base_header\n"
        ".hidden tf_base_header\n"
        ".globl tf_base_header_end\n"
        ".hidden tf_base_header_end\n"
        "tf_base_header:\n"
        ".incbin \"" TF_BASE_HEADER_PATH "\"\n"
        "tf_base_header_end:\n"
        ".byte 0\n"
        ".popsection\n");
