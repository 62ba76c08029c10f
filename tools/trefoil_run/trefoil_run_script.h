// SPDX-License-Identifier: MIT
// The directives of one .cl file as data: which programs to build, which kernels to run
// on which arguments, and what they must leave behind. doc/testing.md describes the
// language.
#ifndef TF_TOOLS_TREFOIL_RUN_SCRIPT_H
#define TF_TOOLS_TREFOIL_RUN_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "trefoil_run_expr.h"

#define RUN_NAME_BYTES 64
#define RUN_MAX_COMPONENTS 64
#define RUN_MAX_TEXTS 4

// One element of a buffer or one argument: a scalar, a vector or a struct, as components
// at their offsets. Components of a padding (the 4th of a vec3) are not listed.
struct run_layout {
    unsigned n_components;
    struct {
        enum run_scalar type;
        size_t offset_bytes;
    } component[RUN_MAX_COMPONENTS];
    size_t size_bytes, align_bytes;
};

// One expression for every component, or a list of them, perhaps repeated.
struct run_init {
    struct run_expr **items;
    size_t n_items; // 0: no values given
    bool is_list, repeats;
};

// As cl.h numbers them.
struct run_image {
    unsigned kind, order, type;
    size_t size[3]; // of the region that is all of it
};

struct run_sampler {
    unsigned address;
    bool linear, normalized;
};

struct run_arg {
    char name[RUN_NAME_BYTES];
    enum {
        RUN_ARG_VALUE,
        RUN_ARG_BUFFER,
        RUN_ARG_LOCAL,
        RUN_ARG_NULL,
        RUN_ARG_SAME,
        RUN_ARG_IMAGE, // with its pixels as the elements of a buffer
        RUN_ARG_SAMPLER,
        RUN_ARG_QUEUE, // the default one on the device
    } form;
    struct run_image image;
    struct run_sampler sampler;
    struct run_layout layout;
    size_t count; // elements; 1 for VALUE
    struct run_init init;
    size_t same; // SAME: index of the argument whose buffer this is, too
};

struct run_check {
    int line;
    char name[RUN_NAME_BYTES];
    enum { RUN_CHECK_EQUAL, RUN_CHECK_WHERE, RUN_CHECK_PRINT } kind;
    size_t first, last; // elements; last is SIZE_MAX for "to the end"
    double ulp, absolute;
    struct run_init init; // EQUAL: expected values; WHERE: the condition
};

// A line that must be printed `times` times.
struct run_output {
    char *text;
    size_t times;
};

struct run_launch {
    int line;
    char kernel[RUN_NAME_BYTES];
    unsigned dims;
    size_t global[3], local[3], offset[3];
    bool has_local, has_offset, completes;
    unsigned times;
    int error; // with which the launch must be refused; 0: it must run
    struct run_arg *args;
    size_t n_args;
    struct run_check *checks;
    size_t n_checks;
    struct run_output *outputs; // all lines that printf makes, in any order
    size_t n_outputs;           // 0: whatever it prints passes through
};

struct run_build {
    int line;
    char *options; // never NULL
    bool fails;
    int error; // that a failing build must return; 0: any
    char *texts[RUN_MAX_TEXTS];
    size_t n_texts; // that the log of a failing build must hold
    struct run_launch *launches;
    size_t n_launches;
};

struct run_need {
    enum {
        RUN_NEED_EXTENSION,
        RUN_NEED_C_VERSION,
        RUN_NEED_GROUP,
        RUN_NEED_LOCAL,
        RUN_NEED_PLATFORM
    } kind;
    char text[RUN_NAME_BYTES];
};

struct run_script {
    struct run_build *builds;
    size_t n_builds;
    struct run_need *needs;
    size_t n_needs;
    int line;                    // of a mistake
    char error[RUN_ERROR_BYTES]; // "" if there is none
};

// Reads the directives in source, then `extra` ones from the command line ("RUN: ...").
// On a mistake script->error says what and script->line where (0: on the command line).
// The script is to be finished in every case.
void run_script_init(struct run_script *script, const char *source,
                     const char *const *extra, size_t n_extra);
void run_script_finish(struct run_script *script);

#endif // TF_TOOLS_TREFOIL_RUN_SCRIPT_H
