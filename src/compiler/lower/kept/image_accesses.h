// SPDX-License-Identifier: MIT
// Accesses to images, as the program says them: the library brings every coordinate into
// the image, so that nothing is to be seen behind it. Checked kernels tell the run-time.
#ifndef TF_COMPILER_LOWER_KEPT_IMAGE_ACCESSES_H
#define TF_COMPILER_LOWER_KEPT_IMAGE_ACCESSES_H

#include <llvm-c/Types.h>

// Before the library is linked in: puts calls of TF_ROOT_CHECK_IMAGE before the reads and
// writes of images of programs whose kernels have their accesses checked.
void tf_image_accesses_keep(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_KEPT_IMAGE_ACCESSES_H
