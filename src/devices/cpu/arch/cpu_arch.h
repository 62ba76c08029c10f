// SPDX-License-Identifier: MIT
// Everything of the CPU device that depends on the processor family. Implemented once per
// family in arch/<family>/; nothing else of the device knows an instruction or a
// register.
#ifndef TF_DEVICES_CPU_ARCH_CPU_ARCH_H
#define TF_DEVICES_CPU_ARCH_CPU_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Facts ----
struct tf_arch_facts {
    char brand[64];         // "" when the processor does not say; trimmed
    char vendor[32];        // "" when the processor does not say
    uint32_t signature;     // family, model and stepping, 0 when unknown
    uint32_t clock_mhz;     // 0 when unknown
    uint32_t line_bytes;    // cache line, 0 when unknown
    uint64_t l2_bytes;      // 0 when unknown
    uint64_t largest_bytes; // largest cache, 0 when unknown
    unsigned level;         // highest level that processor and system offer
};

void tf_arch_probe(struct tf_arch_facts *out);

// A level of instructions that code is made for, and how LLVM calls it.
struct tf_arch_level {
    const char *name; // TREFOIL_ISA
    const char *triple;
    const char *llvm_cpu;
    const char *llvm_features;
    uint32_t vector_bits;
    bool has_fma;
};

// All levels of the family, lowest first; each includes the ones before it.
const struct tf_arch_level *tf_arch_levels(size_t *count);

// ---- Floating-point control ----
// A kernel runs with rounding to nearest, every exception masked and denormals kept, on
// whatever thread; the thread's own control state is saved before and restored after.
struct tf_fp_state {
    uint64_t words[8]; // the family's own
};
void tf_arch_fp_save(struct tf_fp_state *out);
void tf_arch_fp_set_default(void);
void tf_arch_fp_restore(const struct tf_fp_state *saved);

// ---- Stacks ----
// A context is a stack with what its last switch left there; its address changes at every
// switch. Families that have this define TF_ARCH_HAS_SWITCH.
#if defined(__x86_64__)
#define TF_ARCH_HAS_SWITCH 1
#else
#define TF_ARCH_HAS_SWITCH 0
#endif
// Leaves the running context, whose address is stored at *from, and continues `to`.
void tf_arch_switch(void **from, void *to);
// A context that calls enter(arg), which never returns, on the stack at `low`.
void *tf_arch_new_context(void *low, size_t bytes, void (*enter)(void *arg), void *arg);

// ---- Under valgrind ----
// What valgrind is asked; the numbers are its own.
enum tf_arch_valgrind {
    TF_VALGRIND_RUNS = 0x1001,       // whether it does
    TF_VALGRIND_ADD_STACK = 0x1501,  // `low` to the address `n`: its number
    TF_VALGRIND_DROP_STACK = 0x1502, // `low` is the number
    // `n` bytes from `low` on may be written to, and hold nothing yet.
    TF_VALGRIND_FORGET = (int)((unsigned)'M' << 24 | (unsigned)'C' << 16 | 1),
};
// Its answer; 0 where the process does not run under valgrind, or the family has no such
// request.
uint64_t tf_arch_ask_valgrind(enum tf_arch_valgrind request, const void *low, uint64_t n);

// ---- Moving bytes ----
enum {
    TF_ARCH_STREAM_BYTES = 64, // grain of streaming copies
};
// Copies `bytes` (a multiple of the grain) to `dst` (aligned to it), which does not
// overlap `src`, without leaving `dst` in the caches. `level` as in tf_arch_levels(), at
// most what the processor has. Where the family has no such stores, a plain copy.
void tf_arch_stream_copy(unsigned level, void *dst, const void *src, size_t bytes);
// Repeats the TF_LONG16_BYTES at `block` over `bytes` (a multiple) at `dst` (aligned
// to 64); with `stream`, past the caches.
void tf_arch_fill(unsigned level, void *dst, const void *block, size_t bytes,
                  bool stream);
// Orders streamed bytes before everything the thread writes later.
void tf_arch_stream_end(void);

// ---- Relocatable objects ----
extern const uint16_t tf_arch_elf_machine; // e_machine of the family's objects

enum { TF_ARCH_STUB_BYTES = 16 };
// Writes code at `stub` that jumps to `target`, however far it is.
void tf_arch_write_stub(uint8_t *stub, uint64_t target);

struct tf_arch_reloc {
    uint32_t type;
    uint8_t *place;    // the field, at its final address
    size_t room_bytes; // from `place` to the end of its section
    uint64_t symbol;   // address of the symbol
    int64_t addend;
    uint64_t slot; // address of 8 bytes that hold `symbol`
    uint64_t stub; // address of code that jumps to `symbol`
};

// Applies one relocation. NULL, or the reason why it cannot be applied.
const char *tf_arch_relocate(const struct tf_arch_reloc *reloc);

#endif // TF_DEVICES_CPU_ARCH_CPU_ARCH_H
