// SPDX-License-Identifier: MIT
// Floating-point control state of x86-64: the SSE control register and the x87
// environment.
#ifndef TF_DEVICES_CPU_ARCH_X86_64_ARCH_FP_H
#define TF_DEVICES_CPU_ARCH_X86_64_ARCH_FP_H

#include <stdint.h>

struct tf_fp_state {
    uint32_t mxcsr;
    uint8_t x87[28]; // FNSTENV, 32-bit protected mode layout
};

#endif // TF_DEVICES_CPU_ARCH_X86_64_ARCH_FP_H
