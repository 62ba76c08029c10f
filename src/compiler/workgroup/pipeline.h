// SPDX-License-Identifier: MIT
// The work-group form (stage 5): turns one kernel of a cleaned-up program into its entry
// function "tf_wg_<kernel>" (abi/cpu_abi.h). C over the LLVM-C API; one pass a
// file. This header is the border of the folder: nothing else of wg/ is included from
// outside.
#ifndef TF_COMPILER_WORKGROUP_PIPELINE_H
#define TF_COMPILER_WORKGROUP_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"

struct tf_wg_in {
    LLVMModuleRef module; // bitcode of link(), this kernel still a spir_kernel; changed
    const char *kernel;
    enum tf_wg_form form;
    unsigned vector_bits;   // of the machine, 0: 128
    const char *cpu;        // LLVM's name of the processor that runs, NULL: unknown
    unsigned width;         // lanes of SIMT; 0: as fits vector_bits
    unsigned pack_rows;     // of SIMT that run as one; 0: as pays
    const void *fixed_args; // struct tf_generate_in
    size_t fixed_arg_bytes;
    const uint32_t *local_size; // three numbers: struct tf_generate_in
    bool for_debugger;    // FIBERS: variables stay in memory, where debug information has
                          // them
    struct tf_str *lines; // takes what became of each line of the source, or NULL
};

// Where the time of one kernel went.
struct tf_wg_times {
    unsigned instructions; // of the kernel
    unsigned fixpoints;    // of shapes that were computed
    uint64_t own_ns, llvm_ns;
    struct {
        const char *name;
        uint64_t own_ns;
    } passes[24];
};

// What the entry function runs again and again, and so what LLVM has to make of it.
enum tf_wg_code {
    TF_WG_ITEMS,      // work-items, or the parts between barriers of one after the other
    TF_WG_GANGS,      // gangs from end to end
    TF_WG_GANG_LOOPS, // the same, with loops of the program in them
    TF_WG_PARTS,      // gangs, the parts between barriers in loops
    TF_WG_STEPS,      // the same, one gang and part after the other without loops
};

struct tf_wg_out {
    enum tf_wg_form form; // what was made
    enum tf_wg_code code;
    struct tf_scratch scratch;
    struct tf_fibers fibers;
    struct tf_fit fit;
    bool for_debugger; // as asked for; not where lanes took variables apart
    char text[200];    // why it failed
    char report[300];  // what was made, and why no lanes where there are none
    struct tf_wg_times times;
};

// On success the module holds the entry function as its only external definition. False:
// `out->text` says why, the module is of no further use.
bool tf_wg_run(const struct tf_wg_in *in, struct tf_wg_out *out);

#endif // TF_COMPILER_WORKGROUP_PIPELINE_H
