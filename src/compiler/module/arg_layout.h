// SPDX-License-Identifier: MIT
// Where a kernel's arguments lie in the argument block, and its static __local variables
// in local memory. The kernel table (which the run-time fills blocks from) and the
// work-group former (whose code reads them) both ask here, so that they cannot disagree.
//
// Both functions work on the spir64 module that link() makes, before it is retargeted:
// give them LLVMGetModuleDataLayout of it.
#ifndef TF_COMPILER_MODULE_ARG_LAYOUT_H
#define TF_COMPILER_MODULE_ARG_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include "abi/kernel_info.h"

// Alignment of each local memory argument and of the end of the static part: that of the
// largest OpenCL C type, because pointers do not tell what they point to.

// One argument in the block. Rule: arguments in order, each at the next multiple of its
// alignment.
//   value            ABI size and alignment of the type (<3 x T> takes 4 T); for a struct
//                    passed byval, those of the struct and the attribute
//   __global, __constant pointer    8 bytes
//   __local pointer                 8 bytes; align_bytes is TF_LONG16_BYTES
//   image                           its descriptor, struct tf_image_desc
//   sampler                         its bits, 8 bytes
//   other opaque types              8 bytes; kind is TF_ARG_QUEUE for all
struct tf_arg_slot {
    enum tf_arg_kind kind;
    uint32_t size_bytes;  // in the block
    uint32_t align_bytes; // as in struct tf_kernel_arg_info
    uint32_t block_offset_bytes;
};

// Fills slots[0 .. LLVMCountParams(kernel)) and returns the size of the block, a multiple
// of 8.
uint32_t tf_arg_layout(LLVMValueRef kernel, LLVMTargetDataRef layout,
                       struct tf_arg_slot *slots);

struct tf_local_slot {
    LLVMValueRef variable; // a global of address space 3
    uint64_t offset_bytes;
    uint64_t size_bytes;
    uint32_t align_bytes;
};

// The static __local variables that `kernel` names, by rising offset (that is, sorted by
// name). `*slots` is from tf_zalloc, given to the caller (tf_free); NULL if there are
// none. Returns the size of the static part, a multiple of TF_LONG16_BYTES, or
// UINT64_MAX when memory ran out. Everything that the kernel calls must have been
// inlined.
uint64_t tf_local_layout(LLVMValueRef kernel, LLVMTargetDataRef layout,
                         struct tf_local_slot **slots, size_t *count);

#endif // TF_COMPILER_MODULE_ARG_LAYOUT_H
