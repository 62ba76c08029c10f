// SPDX-License-Identifier: MIT
// A request to valgrind is five instructions that together do nothing: four rotations by
// 128 bits in all and an exchange of a register with itself. Valgrind knows the sequence
// and puts its answer into %rdx. Nothing of valgrind is needed to build or to run this.
// @src Valgrind's manual, "The Client Request mechanism"; its documented order of words
#include "devices/cpu/arch/cpu_arch.h"

uint64_t tf_arch_ask_valgrind(enum tf_arch_valgrind request, const void *low, uint64_t n)
{
    // Read by valgrind only: volatile keeps the stores.
    volatile uint64_t words[6] = {request, (uint64_t)(uintptr_t)low, n};
    uint64_t answer = 0;

    __asm__ volatile("rolq $3, %%rdi\n\t"
                     "rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi\n\t"
                     "rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(words)
                     : "cc", "memory");
    return answer;
}
