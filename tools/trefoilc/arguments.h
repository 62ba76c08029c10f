// SPDX-License-Identifier: MIT
// The command line of trefoilc.
#ifndef TF_TOOLS_TREFOILC_ARGUMENTS_H
#define TF_TOOLS_TREFOILC_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "base/str.h"

enum { MAX_INPUTS = 64 };

enum last_stage { AFTER_COMPILE, AFTER_LINK, AFTER_GENERATE, AFTER_ALL };

// What can be written.
struct emit {
    const char *name;
    const char *dump; // the stage of TREFOIL_DUMP that writes it, or NULL: we do
    enum last_stage last_stage;
};

struct arguments {
    const struct emit *emit;
    const char *inputs[MAX_INPUTS];
    int input_count;
    const char *output, *kernel, *cpu, *isa;
    enum tf_wg_form form;
    uint32_t width, pack_rows, local_size[3];
    bool quick, report, times, help;
    uint32_t budget_ms;  // 0: none
    struct emit printed; // of -p
    struct tf_str options, stages;
    struct tf_str link_options; // of several files
};

// False, after a message, where the command line makes no sense. arguments_finish() in
// both cases.
bool arguments_parse(struct arguments *args, int argc, char **argv);
void arguments_finish(struct arguments *args);

// Adds a word of build options, quoted: the compiler splits the text into the same words
// again.
void add_option(struct tf_str *options, const char *word);

#endif // TF_TOOLS_TREFOILC_ARGUMENTS_H
