// SPDX-License-Identifier: MIT
// Objects of program scope with constructors and destructors (C++ for OpenCL): two
// kernels for one work-item, which the host starts by itself before the first launch of
// any kernel of the program and when the program goes.
#ifndef TF_COMPILER_LOWER_CONSTRUCTORS_H
#define TF_COMPILER_LOWER_CONSTRUCTORS_H

#include <llvm-c/Types.h>

// No program can write these names.
#define TF_CONSTRUCT_KERNEL "trefoil.construct"
#define TF_DESTROY_KERNEL "trefoil.destroy"

// Of a program that is linked whole. Constructors run by priority, then in the order of
// their modules and in these; destructors the other way round, where the constructor ran.
void tf_constructors_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_CONSTRUCTORS_H
