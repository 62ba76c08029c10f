// SPDX-License-Identifier: MIT
// Clang as a library, and the few things that LLVM offers in C++ only. The one C++ folder
// of the tree; this header is its border. No exception crosses it. Call these functions
// on a compile thread (compile_job.h): a failure inside LLVM leaves the job.
#ifndef TF_COMPILER_CLANG_CLANG_FRONTEND_H
#define TF_COMPILER_CLANG_CLANG_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Metadata of kernels: the text of their attributes as the source has it.
#define TF_CLANG_ATTRIBUTES_METADATA "tf.attributes"
// The same: the lanes that intel_vec_len_hint names, where they are not 0.
#define TF_CLANG_LANES_METADATA "tf.lanes"
// The same, of those that have pipes: for each argument the bytes of a packet, or 0.
#define TF_CLANG_PACKETS_METADATA "tf.packets"

// A file that exists in memory only. `path` is absolute; all is borrowed for the call.
struct tf_clang_file {
    const char *path;
    const char *text;
    size_t text_bytes;
};

// What a path on disk was found to be. UNKNOWN: something that cannot be told by one
// word.
enum tf_clang_found {
    TF_CLANG_ABSENT,
    TF_CLANG_FOLDER,
    TF_CLANG_THERE,
    TF_CLANG_READ,
    TF_CLANG_UNKNOWN,
};

struct tf_clang_in {
    const char *const
        *args; // of "clang -cc1", without program name; the last is the input
    size_t arg_count;
    const struct tf_clang_file *files;
    size_t file_count;
    // Receives diagnostics, in pieces.
    void (*write)(void *user, const char *text, size_t bytes);
    // Hears of each path on disk that was looked for; `text` is what was READ of it,
    // `bytes` its length or the size of a file that is THERE, `file` a number of its own
    // for each file, whatever its names, from 1 on in the order they are told. Where the
    // program asks for the time of day, `path` is "" and UNKNOWN. NULL is allowed.
    void (*found)(void *user, const char *path, enum tf_clang_found found,
                  const char *text, uint64_t bytes, uint64_t file);
    void *user;
};

// Compiles OpenCL C to a module in `context`. Returns NULL when the source is at fault;
// the reasons went to in->write. The module is owned by the caller.
LLVMModuleRef tf_clang_compile(LLVMContextRef context, const struct tf_clang_in *in);

// Sends memory failures of LLVM and of the C++ library to `fail`, which must not return.
void tf_clang_on_no_memory(void (*fail)(void));

// Name of the scope of an atomic instruction: "" for the whole system, "workgroup", ...
// Written to `name`, cut to `bytes`.
void tf_clang_sync_scope(LLVMValueRef atomic, char *name, size_t bytes);

// Takes the flag `contract` from an instruction that may have it: LLVMSetFastMathFlags()
// only adds some.
void tf_clang_forbid_contraction(LLVMValueRef instruction);

// Gives accesses through pointers of the space `generic_space` the space that the pointer
// comes from, where a function shows it. Volatile accesses keep the generic space, but
// their pointer is then a cast.
void tf_clang_infer_spaces(LLVMModuleRef module, unsigned generic_space);

// In a process of our own: LLVM's passes leave word of themselves, and after a crash they
// are written to standard error, a line each. LLVM installs handlers of signals.
void tf_clang_watch_passes(void);
void tf_clang_print_passes(void);

// "22.1.8": the version of the Clang and LLVM inside. Static.
const char *tf_clang_version(void);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_CLANG_CLANG_FRONTEND_H
