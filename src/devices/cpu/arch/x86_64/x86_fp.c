// SPDX-License-Identifier: MIT
// Floating-point control. The status words are kept as well as the control words: a flag
// that a kernel raises is no business of the application, and would trap there if it was
// raised under a control word that does not mask it. Nearly always nothing of the x87
// changes: reading both words is cheap, loading them is not.
#include <assert.h>
#include <string.h>

#include "devices/cpu/arch/cpu_arch.h"

struct fp_state {
    uint32_t mxcsr;
    uint16_t control, status; // of the x87
};
static_assert(sizeof(struct fp_state) <= sizeof(struct tf_fp_state),
              "state does not fit");

// FNSTENV, 32-bit protected mode layout.
struct x87_environment {
    uint16_t control, reserved0;
    uint16_t status, reserved1;
    uint32_t rest[5];
};

enum {
    MXCSR_DEFAULT = 0x1f80, // round to nearest, all masked, no flush-to-zero
    X87_DEFAULT = 0x037f,   // the same, 64-bit significand
};

static void read_state(struct fp_state *out)
{
    __asm__ volatile("stmxcsr %0" : "=m"(out->mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(out->control));
    __asm__ volatile("fnstsw %0" : "=m"(out->status));
}

void tf_arch_fp_save(struct tf_fp_state *out)
{
    struct fp_state state;

    read_state(&state);
    memcpy(out, &state, sizeof(state));
}

void tf_arch_fp_set_default(void)
{
    const uint32_t mxcsr = MXCSR_DEFAULT;
    const uint16_t control = X87_DEFAULT;
    struct fp_state now;

    read_state(&now);
    if (now.mxcsr != mxcsr)
        __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    // Pending exceptions would be taken by the first x87 instruction that waits.
    if (now.control != control)
        __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
}

void tf_arch_fp_restore(const struct tf_fp_state *saved)
{
    struct fp_state state, now;

    memcpy(&state, saved, sizeof(state));
    read_state(&now);
    if (now.control != state.control || now.status != state.status) {
        struct x87_environment environment;

        __asm__ volatile("fnstenv %0" : "=m"(environment));
        environment.control = state.control;
        environment.status = state.status;
        __asm__ volatile("fldenv %0" : : "m"(environment));
    }
    if (now.mxcsr != state.mxcsr)
        __asm__ volatile("ldmxcsr %0" : : "m"(state.mxcsr));
}
