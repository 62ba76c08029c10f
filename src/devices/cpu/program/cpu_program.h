// SPDX-License-Identifier: MIT
// Programs on the CPU device: device-independent bitcode, the kernel table, and per
// kernel the native code, made in the background or at the first launch.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_H
#define TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cpu_abi.h"
#include "base/str.h"
#include "base/thread.h"
#include "cache/digest.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/loader/elf_loader.h"
#include "devices/cpu/program/cpu_generate.h"

enum tf_code_state {
    TF_CODE_NONE,
    TF_CODE_BUSY, // a thread generates it
    TF_CODE_READY,
    TF_CODE_FAILED,
};

// Objects of program scope (run/cpu_statics.c).
enum tf_statics_state {
    TF_STATICS_NONE,    // the program has none that need code
    TF_STATICS_WAITING, // for the first launch
    TF_STATICS_BUSY,    // a thread constructs them
    TF_STATICS_READY,
    TF_STATICS_FAILED,
};

// What a variant knows (cpu_variant.h).
struct tf_variant_key {
    uint32_t local_size[3]; // of all groups; 0: it is one for images
    uint32_t arg_bytes;
    char args[]; // a block with nothing in it but what is known of images and samplers
};

// Native code of one kernel for the level of this process. Code and image are written
// before it becomes READY and constant from then on.
struct tf_cpu_kernel {
    atomic_int state; // enum tf_code_state; stored with release under the program's lock
    _Atomic uint32_t item_time; // of FULL: a work-item's in the last launch (cpu_pace.h)
    struct tf_elf_image image;
    struct tf_cpu_code code;
    atomic_bool asked;      // for it, in the background
    atomic_bool looked_for; // of FULL, of a variant: in the cache on disk
    atomic_bool launched;   // of FULL: a launch has had code of the kernel; of a variant
    // Of QUICK: how long threads have run it; of a variant by size: have run other code
    // for its launches. Whether a thread that does so makes better code.
    _Atomic uint64_t ran_ns;
    atomic_bool improved;
    // Of FULL, constant (tf_cpu_tier_settle): which tiers launches get, as cpu_tier.c
    // counts them; whether launches get variants. And these: enum tf_variant_kind.
    unsigned char policy;
    bool varies;
    unsigned char variant_kind;
    // Of FULL: TF_VARIANT_SLOTS of them (owned), NULL until one is wanted.
    _Atomic(struct tf_cpu_kernel *) variants;
    _Atomic(struct tf_variant_key *) key; // of a variant (owned)
    char *report; // of a variant: what became of its work-items, or NULL (owned)
    _Atomic(const char *) trace_name; // of FULL: the kernel's, once a trace has asked
};

struct tf_devprog {
    atomic_uint refs;     // core's, and the background generator's
    atomic_bool released; // by core: what was asked for in the background has no use
    cl_uint type;         // CL_PROGRAM_BINARY_TYPE_*
    char *build_id;       // of the compiler that made the bitcode
    void *bitcode;
    size_t bitcode_bytes;
    struct tf_digest bitcode_digest; // for the cache
    void *packed;                    // kernel table as the compiler packed it
    size_t packed_bytes;
    void *packed_data; // program-scope variables as the compiler packed them, or NULL
    size_t packed_data_bytes;
    void *data;              // their block; NULL: there are none
    uint64_t variable_bytes; // CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
    // Code for other levels of instructions, as program binaries have it (cpu_blob.c).
    char *other_sections;
    size_t other_section_bytes;
    uint32_t other_section_count;
    struct tf_kernel_info *infos;
    struct tf_cpu_kernel *kernels; // TF_SLOT_VARIANT for each, all of one slot in a row
    size_t kernel_count;
    size_t host_kernel_count; // those that are no blocks: they come first
    atomic_bool blocks_ready; // there is code of all blocks
    size_t shown_count;       // those of the application; ours come after them
    bool reports;             // -cl-trefoil-report; constant since the build
    atomic_int statics;       // enum tf_statics_state; changes under the lock

    struct tf_mutex lock;
    struct tf_cond changed; // a kernel's state moved on, or that of the statics
};

// A program without content, refs 1, or NULL.
struct tf_devprog *tf_cpu_program_new(cl_uint type) TF_NODISCARD;
// NULL is allowed; half-built programs too.
void tf_cpu_program_unref(struct tf_devprog *prog);

// Sets the bitcode and the build of the compiler that made it (both copied); false when
// memory ran out.
bool tf_cpu_program_set_bitcode(struct tf_devprog *prog, const void *bitcode,
                                size_t bytes, const char *build_id) TF_NODISCARD;

// Sets the kernel table from its packed form (copied). CL_INVALID_BINARY when it is
// damaged, CL_OUT_OF_HOST_MEMORY.
cl_int tf_cpu_program_set_kernels(struct tf_err *err, struct tf_devprog *prog,
                                  const void *packed, size_t bytes);

// Makes the block of program-scope variables from its packed form (copied; 0 bytes: there
// are none). CL_INVALID_BINARY when it is damaged, CL_OUT_OF_HOST_MEMORY.
cl_int tf_cpu_program_set_data(struct tf_err *err, struct tf_devprog *prog,
                               const void *packed, size_t bytes);

// Where a piece of the kernel's code stands or will stand; NULL: a variant that no slot
// was given to.
static inline struct tf_cpu_kernel *tf_cpu_kernel_at(const struct tf_devprog *prog,
                                                     size_t index, enum tf_cpu_slot slot)
{
    struct tf_cpu_kernel *variants;

    if (slot < TF_SLOT_VARIANT)
        return &prog->kernels[slot * prog->kernel_count + index];
    variants = atomic_load_explicit(
        &prog->kernels[TF_SLOT_FULL * prog->kernel_count + index].variants,
        memory_order_acquire);
    return variants ? variants + (slot - TF_SLOT_VARIANT) : NULL;
}

// A piece of the kernel's code if it is there, without waiting.
const struct tf_cpu_kernel *tf_cpu_kernel_peek(const struct tf_devprog *prog,
                                               size_t index, enum tf_cpu_slot slot);
// Waits for it, generating it if nobody has begun. NULL when that failed. May take long;
// no lock may be held.
const struct tf_cpu_kernel *tf_cpu_kernel_wait(struct tf_devprog *prog, size_t index,
                                               enum tf_cpu_slot slot);
// Has it generated in the background, unless it is there or on its way.
void tf_cpu_kernel_ask(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot);

// Takes a piece from the cache on disk, if it is there and nobody has begun to make it.
// Whether it is ready then; waits for nothing but the disk.
bool tf_cpu_kernel_find(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot);

// Takes over code that was generated before (the object is given where that succeeds).
// False with a reason in `text` when it cannot be loaded.
bool tf_cpu_kernel_adopt(struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot,
                         const struct tf_cpu_code *code, char *text,
                         size_t text_bytes) TF_NODISCARD;

// Generates the optimized code of all kernels that have none, now, and adds to `report`
// what became of their work-items, line by line. From now on variants tell of themselves
// (tf_cpu_variant_report). Before the first launch only.
void tf_cpu_kernel_report(struct tf_devprog *prog, struct tf_str *report);
// In a forked child.
void tf_cpu_kernel_forked(void);

// Slot program_build (cpu_build.c).
cl_int tf_cpu_program_build(struct tf_err *err, struct tf_device *dev,
                            const struct tf_build_in *in, struct tf_build_out *out);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_H
