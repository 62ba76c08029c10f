// SPDX-License-Identifier: MIT
// Clang makes opaque types of images, samplers, pipes and reservations. Right behind it
//     an image becomes the address of its descriptor, `ptr addrspace(2)`
//         (abi/image_descriptor.h),
//     a sampler a number of bit fields, `i64`, that of a literal one a constant,
//     a pipe the address of its memory, `ptr addrspace(1)`,
//     a reservation a number, `i64`.
#ifndef TF_COMPILER_FRONT_OPAQUE_TYPES_H
#define TF_COMPILER_FRONT_OPAQUE_TYPES_H

#include <llvm-c/Types.h>

// `module` (given) with plain types in place of opaque ones: itself if it has none. NULL
// when that went wrong; the context's handler has logged why.
LLVMModuleRef tf_opaque_types_plain(LLVMContextRef context, LLVMModuleRef module);

#endif // TF_COMPILER_FRONT_OPAQUE_TYPES_H
