// SPDX-License-Identifier: MIT
// Stage 1 as a whole: the front end, and the look at what it made.
#ifndef TF_COMPILER_MODULE_COMPILE_H
#define TF_COMPILER_MODULE_COMPILE_H

#include "abi/compiler.h"
#include "base/str.h"
#include "cache/file_list.h"

// Compiles to bitcode (owned by the caller); `files` gets what was found on disk. The
// module has passed tf_validate_module, but may still call functions that nobody defines.
// Runs inside a job.
enum tf_compiler_status tf_compile_source(const struct tf_compile_in *in,
                                          struct tf_compiler_bytes *bitcode,
                                          struct tf_file_list *files, struct tf_str *log);

#endif // TF_COMPILER_MODULE_COMPILE_H
