// SPDX-License-Identifier: MIT
// Every environment variable of Trefoil, in one table (base/env.c) with its help text.
// Values are read once, at the first use of any, and kept for the life of the process.
// What the table does not know counts as unset.
#ifndef TF_BASE_ENV_H
#define TF_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>

enum tf_env {
    TF_ENV_LOG,        // TREFOIL_LOG
    TF_ENV_TRACE,      // TREFOIL_TRACE: file of a trace; %p: number of the process
    TF_ENV_PERF,       // TREFOIL_PERF: 1 or jitdump: names of code for perf
    TF_ENV_ISA,        // TREFOIL_ISA: sse2, sse4.2, avx2, avx512: cap on instructions
    TF_ENV_THREADS,    // TREFOIL_THREADS: worker threads, 1..; cap 1024
    TF_ENV_PIN,        // TREFOIL_PIN: 1: each worker stays on one CPU
    TF_ENV_WG,         // TREFOIL_WG: auto, loops, fibers, simt, gang_fibers
    TF_ENV_TIER,       // TREFOIL_TIER: 0, 1, auto, mix
    TF_ENV_VARIANTS,   // TREFOIL_VARIANTS: 0, auto, all
    TF_ENV_WIDTH,      // TREFOIL_WIDTH: lanes of simt: 2, 4, 8, 16, 32 or 64
    TF_ENV_PACK,       // TREFOIL_PACK: rows of lanes that run as one: 1, 2 or 4
    TF_ENV_STREAM,     // TREFOIL_STREAM: MiB of a launch whose stores go past the caches
    TF_ENV_CACHE,      // TREFOIL_CACHE: folder of the cache on disk, or off or 0
    TF_ENV_CACHE_SIZE, // TREFOIL_CACHE_SIZE: MiB that it may have
    TF_ENV_BINARY_ISA, // TREFOIL_BINARY_ISA: levels of whole program binaries
    TF_ENV_COMPILER_LIBRARY, // TREFOIL_COMPILER_LIBRARY: path of libtrefoil-compiler.so
    TF_ENV_COMPILER,         // TREFOIL_COMPILER: process, thread
    TF_ENV_COMPILE_SECONDS,  // TREFOIL_COMPILE_SECONDS: limit of a job in a process
    TF_ENV_COMPILE_MEMORY,   // TREFOIL_COMPILE_MEMORY: the same, MiB
    TF_ENV_DUMP,             // TREFOIL_DUMP: stages whose IR is written to stderr
    TF_ENV_CHECK,            // TREFOIL_CHECK: faults of kernels to be looked for
    TF_ENV_CHECK_ACTION,     // TREFOIL_CHECK_ACTION: log, fail, abort
    TF_ENV_CHECK_FILE,       // TREFOIL_CHECK_FILE: takes them as lines of JSON
    TF_ENV_CALLS,            // TREFOIL_CALLS: auto, keep
    TF_ENV_CHECK_LANES,      // TREFOIL_CHECK_LANES: 1: the compiler checks its own work
    TF_ENV_PLATFORM_NAME,    // TREFOIL_PLATFORM_NAME
    TF_ENV_VENDOR_ID,        // TREFOIL_VENDOR_ID
    TF_ENV_DRIVER_VERSION,   // TREFOIL_DRIVER_VERSION
    TF_ENV_HIDE_EXTENSIONS,  // TREFOIL_HIDE_EXTENSIONS: names
    TF_ENV_SUB_GROUP_SIZE,   // TREFOIL_SUB_GROUP_SIZE: 4, 8, 16, 32 or 64
    TF_ENV_MAX_WORK_GROUP_SIZE, // TREFOIL_MAX_WORK_GROUP_SIZE: 1 to 4096
    TF_ENV_COUNT,
};

// The value, or NULL when unset, empty or none of those that the switch takes. Of a list,
// the words that it takes. Borrowed for the life of the process.
const char *tf_env_text(enum tf_env var);
// The value of a switch that takes numbers, or `otherwise` where tf_env_text() is NULL.
long tf_env_number(enum tf_env var, long otherwise);

// True if `word` is one of the comma-separated words of the value, or "all" is.
bool tf_env_lists(enum tf_env var, const char *word);

// The text of a variable that is not, or not all, taken; NULL if there is none. Borrowed
// likewise.
const char *tf_env_unknown(enum tf_env var);
// Says on standard error, once, of each such variable what it takes. For the driver and
// for programs that use none: libraries and helper processes leave it to them.
void tf_env_tell(void);

struct tf_env_entry {
    const char *name;
    const char *help;  // one line: values and default
    const char *words; // all that it takes, comma-separated, or NULL: any text
    bool is_list;      // several of them, comma-separated; "none": the same as unset
    long min, max;     // max > 0, without words: a number, decimal or 0x..
};
const struct tf_env_entry *tf_env_entry(enum tf_env var);

#endif // TF_BASE_ENV_H
