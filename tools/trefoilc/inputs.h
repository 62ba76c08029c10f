// SPDX-License-Identifier: MIT
// Files that trefoilc takes, by what is in them, and messages about them.
#ifndef TF_TOOLS_TREFOILC_INPUTS_H
#define TF_TOOLS_TREFOILC_INPUTS_H

#include <stdbool.h>
#include <stdio.h>

#include "abi/compiler.h"
#include "base/str.h"

enum input_kind { INPUT_SOURCE, INPUT_SPIRV, INPUT_BITCODE, INPUT_IR_TEXT };

struct input {
    const char *path;
    enum input_kind kind;
    struct tf_str content; // owned
    struct tf_str options; // the program's and the file's own folder
    struct tf_compile_in compile;
    struct tf_compiler_bytes bitcode; // of the compiler's table
};

// False, after a message, when it cannot be read. "-" is standard input.
bool input_read(struct input *input, const char *path);
// The build options for it: headers are found beside the file.
bool input_set_options(struct input *input, const char *options);
void input_finish(struct input *input, const struct tf_compiler *compiler);

// Where messages go: standard error, or what it was before messages_apart().
FILE *messages(void);
// From now on standard error is for the texts of stages alone, which the compiler writes
// there: to standard output.
bool messages_apart(void);

// Writes a log to messages(). The compiler knows the program as kernel.cl; `path` is
// its name here.
void print_log(const char *log, const char *path);

#endif // TF_TOOLS_TREFOILC_INPUTS_H
