// SPDX-License-Identifier: MIT
// Switching stacks as a function call: only what the calling convention lets a callee
// keep is saved. The floating-point control words are the same on all sides of a switch
// (cpu_exec.c sets them for the whole launch), and the signal mask stays the thread's.
#include "devices/cpu/arch/cpu_arch.h"

// What tf_arch_switch() leaves on a stack, lowest address first.
struct frame {
    uint64_t r15, r14, r13, r12, rbx, rbp;
    uint64_t rip;
    uint64_t end[2]; // 0: where a backtrace ends
};

__asm__(".text\n"
        ".p2align 4\n"
        ".globl tf_arch_switch\n"
        ".hidden tf_arch_switch\n"
        ".type tf_arch_switch, @function\n"
        "tf_arch_switch:\n"
        ".cfi_startproc\n"
        "\tpushq %rbp\n"
        "\tpushq %rbx\n"
        "\tpushq %r12\n"
        "\tpushq %r13\n"
        "\tpushq %r14\n"
        "\tpushq %r15\n"
        "\tmovq %rsp, (%rdi)\n"
        "\tmovq %rsi, %rsp\n"
        "\tpopq %r15\n"
        "\tpopq %r14\n"
        "\tpopq %r13\n"
        "\tpopq %r12\n"
        "\tpopq %rbx\n"
        "\tpopq %rbp\n"
        // No ret: the processor would look for its call on the stack that was left.
        "\tpopq %rcx\n"
        "\tjmpq *%rcx\n"
        ".cfi_endproc\n"
        ".size tf_arch_switch, . - tf_arch_switch\n"
        ".type tf_x86_start, @function\n"
        "tf_x86_start:\n" // r12: the argument, r13: the function
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "\tmovq %r12, %rdi\n"
        "\tcallq *%r13\n"
        "\tud2\n"
        ".cfi_endproc\n"
        ".size tf_x86_start, . - tf_x86_start\n");

void tf_x86_start(void);

void *tf_arch_new_context(void *low, size_t bytes, void (*enter)(void *arg), void *arg)
{
    const uint64_t high = ((uint64_t)(uintptr_t)low + bytes) & ~(uint64_t)15;
    // Once `rip` is taken off, the stack is aligned as it must be before a call.
    struct frame *frame = (struct frame *)(uintptr_t)(high - sizeof(*frame));

    *frame = (struct frame){
        .r12 = (uint64_t)(uintptr_t)arg,
        .r13 = (uint64_t)(uintptr_t)enter,
        .rip = (uint64_t)(uintptr_t)tf_x86_start,
    };
    return frame;
}
