// SPDX-License-Identifier: MIT
// C++ for OpenCL: objects of program scope whose constructors and destructors run on the
// device. Clang leaves a list of constructor functions and calls of atexit(); here both
// get forms that modules can be linked in and that no program can write itself.
// lower/constructors.c makes kernels of them.
#ifndef TF_COMPILER_FRONT_PROGRAM_STATICS_H
#define TF_COMPILER_FRONT_PROGRAM_STATICS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// The list: an array of { i32 priority, ptr function, ptr }.
#define TF_STATICS_LIST "llvm.global_ctors"
// Called with a destructor function when its object is there; not defined.
#define TF_STATICS_AT_EXIT "trefoil.atexit"

// Of a module that Clang made of C++. False: it is no valid module, for a reason that is
// not known here.
bool tf_program_statics_tidy(LLVMModuleRef module);

// Whether a list of constructors is one of Clang's for objects, not of the program's
// making (attribute constructor).
bool tf_program_statics_ok(LLVMValueRef list);

#endif // TF_COMPILER_FRONT_PROGRAM_STATICS_H
