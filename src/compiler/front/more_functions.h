// SPDX-License-Identifier: MIT
// Functions of seldom used extensions: hundreds of declarations, which only programs pay
// for that name one. The front end's own table has the others.
#ifndef TF_COMPILER_FRONT_MORE_FUNCTIONS_H
#define TF_COMPILER_FRONT_MORE_FUNCTIONS_H

#include <stdbool.h>

#include "abi/compiler.h"

// Defined: opencl-c-base.h declares them.
#define TF_MORE_FUNCTIONS_MACRO "__TF_MORE_FUNCTIONS"

// Whether the source, or a header that the application gives along, names one.
bool tf_more_functions_named(const struct tf_compile_in *in);
// The same of the messages of a compilation without their declarations.
bool tf_more_functions_missed(const char *log);

#endif // TF_COMPILER_FRONT_MORE_FUNCTIONS_H
