// SPDX-License-Identifier: MIT
// What the cache on disk holds of programs (doc/cache.md): programs as builds make them
// (cpu_program_cache.h) and code of kernels (cpu_code_cache.h). Here is what both share.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_CACHE_H
#define TF_DEVICES_CPU_PROGRAM_CPU_CACHE_H

#include "cache/cache_folder.h"
#include "cache/digest.h"

// NULL: off.
const struct tf_cache *tf_cpu_cache(void);
// Begins a key: `what` it is of, and the build of the compiler that made it.
void tf_cpu_cache_start_key(struct tf_digester *d, const char *what,
                            const char *compiler_id);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_CACHE_H
