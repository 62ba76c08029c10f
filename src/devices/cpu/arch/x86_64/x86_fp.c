// SPDX-License-Identifier: MIT
// Floating-point control. The whole x87 environment is kept, not only its control word: a
// status flag raised by a kernel under an unmasked control word would trap in the host.
#include <assert.h>
#include <string.h>

#include "devices/cpu/cpu_arch.h"

struct fp_state {
    uint32_t mxcsr;
    uint8_t x87[28]; // FNSTENV, 32-bit protected mode layout
};
static_assert(sizeof(struct fp_state) <= sizeof(struct tf_fp_state),
              "state does not fit");

enum {
    MXCSR_DEFAULT = 0x1f80, // round to nearest, all masked, no flush-to-zero
    X87_DEFAULT = 0x037f,   // the same, 64-bit significand
};

void tf_arch_fp_save(struct tf_fp_state *out)
{
    struct fp_state state;

    __asm__ volatile("stmxcsr %0" : "=m"(state.mxcsr));
    // FNSTENV masks every exception as it goes: the environment is put back at once, so
    // that saving alone changes nothing.
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(state.x87));
    memcpy(out, &state, sizeof(state));
}

void tf_arch_fp_set_default(void)
{
    const uint32_t mxcsr = MXCSR_DEFAULT;
    const uint16_t x87 = X87_DEFAULT;

    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    // Pending exceptions would be taken by the first x87 instruction that waits.
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(x87));
}

void tf_arch_fp_restore(const struct tf_fp_state *saved)
{
    struct fp_state state;

    memcpy(&state, saved, sizeof(state));
    __asm__ volatile("fldenv %0" : : "m"(state.x87));
    __asm__ volatile("ldmxcsr %0" : : "m"(state.mxcsr));
}
