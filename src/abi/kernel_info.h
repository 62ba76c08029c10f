// SPDX-License-Identifier: MIT
// The kernel table: what the host must know of each kernel of a built program. Pure data,
// no OpenCL objects: the compiler writes it, core and the devices read it. It crosses
// library borders and rests in program binaries in packed form (tf_kernel_info_pack),
// which is read back without trust.
#ifndef TF_ABI_KERNEL_INFO_H
#define TF_ABI_KERNEL_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

enum tf_arg_kind {
    TF_ARG_VALUE,   // scalar, vector or struct by value
    TF_ARG_BUFFER,  // pointer to __global or __constant memory
    TF_ARG_LOCAL,   // pointer to __local memory; clSetKernelArg gives a size
    TF_ARG_IMAGE,   // image
    TF_ARG_SAMPLER, // sampler
    TF_ARG_PIPE,    // pipe; in the block as a buffer
    TF_ARG_QUEUE,   // command queue on the device
};

// One kernel argument. The argument block that the entry function reads is packed: each
// argument lies at block_offset_bytes, which is a multiple of align_bytes.
//   TF_ARG_VALUE   the value, size_bytes long
//   TF_ARG_BUFFER  the address, 8 bytes, little endian
//   TF_ARG_LOCAL   the offset of the argument's bytes in the group's local memory, 8
//                  bytes; with TF_KERNEL_CHECKED their number in the upper half
//   TF_ARG_IMAGE   a struct tf_image_desc; its address lies as a buffer's
//   TF_ARG_SAMPLER the bits of abi/image_descriptor.h, 8 bytes
//   TF_ARG_QUEUE   the address that the device has given its queue, 8 bytes
struct tf_kernel_arg_info {
    enum tf_arg_kind kind;
    uint32_t size_bytes;  // arg_size that clSetKernelArg demands; 0 for TF_ARG_LOCAL
    uint32_t align_bytes; // of the value in the block; of the memory for TF_ARG_LOCAL
    uint32_t block_offset_bytes; //
    uint32_t address_qualifier;  // CL_KERNEL_ARG_ADDRESS_*
    uint32_t access_qualifier;   // CL_KERNEL_ARG_ACCESS_*
    uint64_t type_qualifier;     // CL_KERNEL_ARG_TYPE_* bits
    const char *name;            // "" if the program was built without argument names
    const char *type_name;       // as the specification prints it: "float4*"
    uint32_t image_kind;         // of TF_ARG_IMAGE: tf_kernel_image_kind() of its type
    uint32_t packet_bytes;       // of TF_ARG_PIPE; 0: the program does not say
};

#define TF_IMAGE_KIND_DEPTH 0x10000u

enum { TF_ARG_LOCAL_SIZE_SHIFT = 32 };

// What images a type takes, by its last word ("read_only image2d_depth_t"): a
// CL_MEM_OBJECT_*, and TF_IMAGE_KIND_DEPTH where they are depth images. 0: no type of
// images.
uint32_t tf_kernel_image_kind(const char *type_name);

// Bytes of an argument in the block.
uint64_t tf_arg_block_bytes(enum tf_arg_kind kind, uint32_t size_bytes);

enum tf_kernel_flags {
    TF_KERNEL_HAS_BARRIER = 1u << 0,    // some path reaches a work-group barrier
    TF_KERNEL_HAS_LOCAL = 1u << 1,      // static or argument local memory
    TF_KERNEL_GROUP_ATOMICS = 1u << 2,  // work-group-scope atomics or fences
    TF_KERNEL_DEBUG_FORM = 1u << 3,     // -g or -cl-opt-disable: natural shape
    TF_KERNEL_UNIFORM_GROUPS = 1u << 4, // -cl-uniform-work-group-size or OpenCL C < 2.0
    TF_KERNEL_REQD_SUB_GROUP = 1u << 5, // the source demands its sub_group_size
    // The program lets the compiler change what arithmetic gives (-cl-fast-relaxed-math
    // ..; what -cl-mad-enable allows is settled before): code of two makings may
    // disagree.
    TF_KERNEL_LOOSE_VALUES = 1u << 6,
    TF_KERNEL_MAY_RUN_LONG =
        1u << 7, // a work-item: its loops have many rounds, or nobody knows
    // Made of a block of the program (compiler/lower/blocks.h): enqueued by kernels,
    // never by the host. Such stand behind all others.
    TF_KERNEL_BLOCK = 1u << 8,
    TF_KERNEL_ENQUEUES = 1u << 9, // calls a function of enqueuing on the device
    // One of these calls may say CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP.
    TF_KERNEL_WAITS_GROUP = 1u << 10,
    // Not the application's, without arguments, behind those in the table: for one
    // work-item before any other kernel of the program runs, and after all have.
    TF_KERNEL_CONSTRUCTS = 1u << 11,
    TF_KERNEL_DESTROYS = 1u << 12,
    TF_KERNEL_CHECKED = 1u << 13, // calls tf_checked_services.check: doc/checking.md
};

enum { TF_KERNEL_LOOP_ARGS = 2 };

struct tf_kernel_info {
    const char *name;
    const char *attributes; // CL_KERNEL_ATTRIBUTES text, "" if none
    struct tf_kernel_arg_info *args;
    uint32_t arg_count;
    uint32_t arg_block_bytes;
    uint32_t flags;              // enum tf_kernel_flags
    uint32_t sub_group_size;     // fixed for every form and width of the kernel
    uint32_t reqd_local_size[3]; // all 0: none
    uint32_t hint_local_size[3]; // all 0: none
    uint64_t local_bytes;        // static __local variables; argument memory comes after
    uint64_t private_bytes;      // of one work-item, after clean-up
    // That code is generated for, with loops unrolled as the source asks for; and how
    // many a work-item runs: guesses (module/rounds.h) that nothing but time depends on.
    uint32_t instructions;
    uint32_t item_instructions;
    // With TF_KERNEL_MAY_RUN_LONG: 1 + the numbers of the arguments, integers, that limit
    // all loops whose rounds the compiler does not know; 0 and 0: something else does.
    uint32_t loop_args[TF_KERNEL_LOOP_ARGS];
};

// Packs infos[0..count) into one block from tf_zalloc (owned by the caller, tf_free);
// NULL when memory ran out.
void *tf_kernel_info_pack(const struct tf_kernel_info *infos, size_t count,
                          size_t *bytes_out) TF_NODISCARD;

// Reads a packed table. Everything lies in one block from tf_zalloc, freed with tf_free.
// Returns NULL (and *count_out 0) when the bytes are damaged (*is_damaged) or memory ran
// out: each count, offset, string and enum is checked against `bytes`.
struct tf_kernel_info *tf_kernel_info_unpack(const void *packed, size_t bytes,
                                             size_t *count_out,
                                             bool *is_damaged) TF_NODISCARD;

#endif // TF_ABI_KERNEL_INFO_H
