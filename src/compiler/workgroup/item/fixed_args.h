// SPDX-License-Identifier: MIT
// What a launch's argument block says of images and samplers. Loads of it are the same
// wherever they stand; in a variant (doc/images.md) what the block says of formats and
// samplers is known.
#ifndef TF_COMPILER_WORKGROUP_ITEM_FIXED_ARGS_H
#define TF_COMPILER_WORKGROUP_ITEM_FIXED_ARGS_H

#include <llvm-c/Types.h>

struct tf_wg;

// Takes constant offsets off an address and adds them to *offset.
LLVMValueRef tf_fixed_base(LLVMValueRef address, uint64_t *offset);

// The constant that a variant has for a sampler argument, NULL: it is to be loaded.
LLVMValueRef tf_fixed_sampler(struct tf_wg *wg, unsigned index);

// Marks what the function loads of its images' descriptors as invariant; what a variant
// knows of it becomes constants. The function has its kernel inlined.
void tf_fixed_images(struct tf_wg *wg, LLVMValueRef function);
// The same in the kernel itself, before it is copied: what a variant has no use for is
// then not copied at all.
void tf_fixed_kernel(struct tf_wg *wg);

#endif // TF_COMPILER_WORKGROUP_ITEM_FIXED_ARGS_H
