// SPDX-License-Identifier: MIT
// A program may define a function of a built-in's name and types. Its own calls reach
// that one, as with any name of an outer scope; the calls in the other objects that it is
// linked with still mean the built-in, although all bear the same symbol.
#ifndef TF_COMPILER_MODULE_BUILTIN_NAMES_H
#define TF_COMPILER_MODULE_BUILTIN_NAMES_H

#include <llvm-c/Types.h>

// Before an object is linked with others: gives the built-ins that it calls names that no
// other object can define. Libraries keep these names.
void tf_builtin_names_hide(LLVMModuleRef module);

// After linking: gives them their names back, and other names to what the program has
// defined under those.
void tf_builtin_names_show(LLVMModuleRef module);

#endif // TF_COMPILER_MODULE_BUILTIN_NAMES_H
