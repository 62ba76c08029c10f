// SPDX-License-Identifier: MIT
// The one interface of libtrefoil-compiler.so. The library exports one symbol,
// tf_compiler_entry, which returns a table of functions. Bytes and plain structs pass,
// never LLVM types. Every pointer found in a result is owned by the caller and freed
// through release() of the same table, because the two libraries may use different
// allocators. All functions may be called from any thread at the same time, with any
// stack size: each works on a thread of its own with a large stack and waits for it.
//
// Stages (doc/compiler.md): compile = 1 (front end); link = 3 (built-ins), 4 (clean-up)
// and the kernel table; generate = 5 (work-group form) and 6 (code generation) of one
// kernel.
#ifndef TF_ABI_COMPILER_H
#define TF_ABI_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/language_features.h"
#include "abi/launch_fit.h"

#define TF_COMPILER_ABI 19
#define TF_COMPILER_ENTRY_NAME "tf_compiler_entry"

enum tf_compiler_status {
    TF_COMPILER_OK,
    TF_COMPILER_BAD_OPTIONS, // CL_INVALID_{BUILD,COMPILER,LINKER}_OPTIONS
    TF_COMPILER_BAD_SOURCE,  // the program: CL_{BUILD,COMPILE,LINK}_PROGRAM_FAILURE
    TF_COMPILER_NO_MEMORY,   // CL_OUT_OF_HOST_MEMORY
    TF_COMPILER_NO_THREAD,   // CL_OUT_OF_RESOURCES; the log has the reason
    TF_COMPILER_INTERNAL,    // LLVM gave up; the log says on what
};

// A header that a program includes by `name` (clCompileProgram's embedded headers).
struct tf_compiler_header {
    const char *name;
    const char *text;
    size_t text_bytes;
};

// What the device offers to OpenCL C.
struct tf_compiler_device {
    struct tf_feature_set features;
    uint32_t opencl_c_max;   // highest -cl-std: 120, 200, 300, 310
    uint32_t device_version; // CL_DEVICE_VERSION as __OPENCL_VERSION__: 300, 310
    uint32_t sub_group_size; // default
    uint32_t max_group_size; // reqd_work_group_size above this is an error
    uint64_t max_local_bytes;
    uint64_t max_variable_bytes; // one program-scope variable
};

// The value of a specialization constant of a SPIR-V module.
struct tf_compiler_constant {
    uint32_t id;    // SpecId
    uint32_t bytes; // 1 (also of bool: 0 or 1), 2, 4, 8
    const void *value;
};

struct tf_compile_in {
    const char *source; // not terminated by 0; or a SPIR-V module of any alignment
    size_t source_bytes;
    bool is_il; // it is a module, its words in either order of bytes
    const struct tf_compiler_constant *constants; // values that the module's are to have
    size_t constant_count;
    const char *options; // as the application gave them; never NULL
    const struct tf_compiler_header *headers;
    size_t header_count;
    const struct tf_compiler_device *device;
};

struct tf_compiler_bytes {
    void *data;
    size_t bytes;
};

struct tf_compile_out {
    struct tf_compiler_bytes bitcode; // LLVM bitcode for spir64, built-ins unresolved
    // What was found on disk (cache/file_list.h); no data: the result depends on more.
    struct tf_compiler_bytes files;
    char *log; // diagnostics, "" if none; never NULL
};

struct tf_link_in {
    const struct tf_compiler_bytes *modules; // bitcode of compile(), libraries of link()
    size_t module_count;
    const char *options; // link options; of clBuildProgram: the same as for compile()
    bool create_library; // keep everything; no kernel table, no built-ins resolved
    // For messages that need a source line: what compile() made modules[0] of, or NULL.
    const struct tf_compile_in *source;
    const struct tf_compiler_device *device;
};

struct tf_link_out {
    struct tf_compiler_bytes bitcode; // spir64, complete, cleaned up, device-independent
    struct tf_compiler_bytes kernels; // packed kernel table (abi/kernel_info.h)
    struct tf_compiler_bytes data;    // of program scope (program_data.h); empty: none
    char *log;
};

// How work-items become code (TREFOIL_WG). LOOPS: fibers where barriers cannot
// be made loops. SIMT: lanes of vectors; the others where a kernel cannot be widened.
// AUTO: lanes where they pay. GANG_FIBERS: as SIMT, but with barriers one fiber a gang,
// for tests of what AUTO does where barriers cannot be made loops.
enum tf_wg_form { TF_WG_AUTO, TF_WG_LOOPS, TF_WG_FIBERS, TF_WG_SIMT, TF_WG_GANG_FIBERS };

struct tf_generate_in {
    struct tf_compiler_bytes bitcode; // of link()
    bool is_text;                     // it is IR as text (trefoilc)
    const char *kernel;
    const char *triple;   // of the machine that runs: "x86_64-unknown-linux-gnu"
    const char *cpu;      // a level, not a model: "x86-64", "x86-64-v3", ...
    const char *features; // LLVM feature string, "" for none
    const char *tune;     // LLVM's name of the model, "" for any, NULL: this machine's
    uint32_t vector_bits; // preferred vector width: 128, 256, 512
    enum tf_wg_form form; // wanted; what cannot be made falls back to FIBERS
    bool plain;           // second attempt after a failure: least optimization
    bool quick; // soon rather than fast: a tenth of the time, see doc/compiler.md
    // Of the processor's time, for all but emitting. Past it generate() fails, which
    // leaves code that is quick or plain. 0: no limit.
    uint32_t budget_ms;
    bool has_fma;       // the processor has fused multiplication and addition
    uint32_t width;     // lanes of SIMT: a power of two, 2..64; 0: as fits the machine
    bool report;        // add to the log how the kernel was widened, or why not
    bool times;         // add to the log what each step took
    uint32_t pack_rows; // rows of SIMT that run as one: 1, 2, 4; 0: as pays
    // A variant: an argument block of which samplers, and of images all from
    // TF_IMAGE_FIXED_FROM on, will be the same in every launch. NULL: any launch.
    const void *fixed_args;
    size_t fixed_arg_bytes;
    // Another: the size of all groups of every launch, none of which is a smaller one at
    // the edge. 0 each: any.
    uint32_t local_size[3];
};

// Memory of struct tf_worker.scratch that a group needs: fixed_bytes + gangs *
// gang_bytes, gangs = ceil(local_size[0] / width) * local_size[1] * local_size[2]. Width
// 0: none.
struct tf_scratch {
    uint64_t fixed_bytes, gang_bytes;
    uint32_t width;
};

// Work-items that one fiber runs, 0: there are no fibers. A small launch has a fiber for
// `row_width` work-items of each row of a group where that is not 0; any other one for
// `width` of the whole group.
struct tf_fibers {
    uint32_t row_width, width;
};

struct tf_generate_out {
    struct tf_compiler_bytes object; // relocatable ELF with the symbol "tf_wg_<kernel>"
    uint64_t stack_bytes;            // bound on the stack one work-item (fiber) needs
    enum tf_wg_form form;            // LOOPS, FIBERS or SIMT: what was made
    char *log;
    struct tf_scratch scratch;
    struct tf_fibers fibers;
    struct tf_fit fit; // not all zero: generate LOOPS for other launches
};

struct tf_compiler {
    uint32_t abi;             // TF_COMPILER_ABI
    uint32_t cpu_abi;         // TF_CPU_ABI_VERSION
    const char *llvm_version; // "22.1.8"
    const char *build_id;     // changes with every build of the library: cache keys
    enum tf_compiler_status (*compile)(const struct tf_compile_in *,
                                       struct tf_compile_out *);
    enum tf_compiler_status (*link)(const struct tf_link_in *, struct tf_link_out *);
    enum tf_compiler_status (*generate)(const struct tf_generate_in *,
                                        struct tf_generate_out *);
    void (*release)(void *); // NULL is allowed
    // What compile() made as a SPIR-V module, in `bitcode` of the result. For trefoilc.
    enum tf_compiler_status (*to_spirv)(const struct tf_compiler_bytes *bitcode,
                                        struct tf_compile_out *);
    // For a process that does nothing but compile: signals that end it call `died` on the
    // job's thread; text of what was going on follows on standard error, then the end.
    void (*own_process)(void (*died)(int signal));
    // Whether generate() takes it for that target: LLVM's name of a processor. For
    // trefoilc.
    bool (*knows_processor)(const char *triple, const char *cpu);
};

typedef const struct tf_compiler *(*tf_compiler_entry_fn)(void);

#endif // TF_ABI_COMPILER_H
