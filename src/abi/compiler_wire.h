// SPDX-License-Identifier: MIT
// The structs of abi/compiler.h as bytes, for a compiler in another process
// (doc/compiler.md). One function a struct goes over its fields in both directions, so
// that writing and reading cannot differ. Nothing that is read is trusted: every length
// is checked against what is there.
#ifndef TF_ABI_COMPILER_WIRE_H
#define TF_ABI_COMPILER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "base/str.h"

// Changes with every change of what follows, and of the structs that are sent: a helper
// of another build may lie beside the libraries.
#define TF_WIRE_VERSION (2000u + TF_COMPILER_ABI)

// Frames between the library and a helper (base/frame.h).
enum tf_wire_kind {
    TF_WIRE_HELLO = 1, // of the helper, when it is ready: struct tf_wire_hello
    TF_WIRE_COMPILE,   // struct tf_wire_job, struct tf_compile_in
    TF_WIRE_LINK,
    TF_WIRE_GENERATE,
    TF_WIRE_ANSWER, // a status, the result
    // The helper crashed in the job: a number, enum tf_wire_death or a signal's; text
    // follows to the end of the stream, not framed.
    TF_WIRE_DEATH,
    TF_WIRE_BYE, // the helper ends, for no job came; a job sent to it is not begun
    // Of the helper, before TF_WIRE_HELLO: from here on it is the compiler's library that
    // can end it.
    TF_WIRE_OPENING,
};

struct tf_wire_hello {
    uint32_t version, abi, cpu_abi;
    uint32_t process;   // of the helper
    const char *reason; // why there is no compiler, "" if there is one
    const char *llvm_version, *build_id;
};

// What a job runs under.
struct tf_wire_job {
    const char *folder; // current folder of the application, "" if it has none
    uint32_t seconds;   // of processor time
    uint32_t memory_mib;
};

struct tf_wire {
    struct tf_str out; // while writing
    const char *at;    // while reading: what is left
    size_t left_bytes;
    bool reads, failed;           // failed: out of memory, or bytes that nobody writes
    struct tf_wire_block *blocks; // of what was read; owned
};

// Reads from bytes that stay valid: strings and bytes of what is read point there.
void tf_wire_read(struct tf_wire *w, const void *data, size_t bytes);
void tf_wire_finish(struct tf_wire *w);

// Each writes the struct or fills it. What comes in to the compiler is borrowed from the
// wire; results (_out) are owned by the reader, tf_free, also where `failed` is set.
void tf_wire_hello(struct tf_wire *w, struct tf_wire_hello *hello);
void tf_wire_job(struct tf_wire *w, struct tf_wire_job *job);
void tf_wire_status(struct tf_wire *w, enum tf_compiler_status *status);
void tf_wire_compile_in(struct tf_wire *w, struct tf_compile_in *in);
void tf_wire_compile_out(struct tf_wire *w, struct tf_compile_out *out);
void tf_wire_link_in(struct tf_wire *w, struct tf_link_in *in);
void tf_wire_link_out(struct tf_wire *w, struct tf_link_out *out);
void tf_wire_generate_in(struct tf_wire *w, struct tf_generate_in *in);
void tf_wire_generate_out(struct tf_wire *w, struct tf_generate_out *out);

#endif // TF_ABI_COMPILER_WIRE_H
