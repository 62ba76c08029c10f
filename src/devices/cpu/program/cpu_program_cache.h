// SPDX-License-Identifier: MIT
// Programs in the cache on disk: what a build makes before code generation, under all
// that goes into it and with a list of the files that it found. Nothing here opens the
// compiler.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_CACHE_H
#define TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_CACHE_H

#include <stdbool.h>

#include "abi/compiler.h"
#include "base/str.h"
#include "cache/digest.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/loader/elf_build_id.h"

struct tf_devprog;

struct tf_cpu_build_key {
    bool is_usable; // false: this build is neither looked for nor kept
    char compiler_id[TF_BUILD_ID_BYTES];
    struct tf_digest digest;
};

struct tf_cpu_build_key tf_cpu_program_cache_key(const struct tf_build_in *in,
                                                 const struct tf_compiler_device *device);
// The program of an equal build, with nothing generated yet, and that build's log; or
// NULL.
struct tf_devprog *tf_cpu_program_cache_find(const struct tf_cpu_build_key *key,
                                             struct tf_str *log);
// `files`: of tf_compile_out; without data the program is not kept.
void tf_cpu_program_cache_keep(const struct tf_cpu_build_key *key,
                               struct tf_devprog *prog,
                               const struct tf_compiler_bytes *files,
                               const struct tf_str *log);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_PROGRAM_CACHE_H
