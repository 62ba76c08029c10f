// SPDX-License-Identifier: MIT
// Build, compile and link options as the application writes them (OpenCL 3.0
// section 5.8.6), checked one by one and turned into arguments of "clang -cc1". Nothing
// reaches Clang that is not in the table of frontend_options.c.
#ifndef TF_COMPILER_FRONT_FRONTEND_OPTIONS_H
#define TF_COMPILER_FRONT_FRONTEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "base/str.h"
#include "compiler/front/compiler_args.h"

// Where options stand decides which are legal.
enum tf_options_use {
    TF_OPTIONS_COMPILE = 1, // clBuildProgram, clCompileProgram
    TF_OPTIONS_LINK = 2,    // clLinkProgram
    TF_OPTIONS_COMPILE_IL,  // as COMPILE, of a module: its language has no version to
                            // offer
};

struct tf_frontend_options {
    struct tf_args args;      // -D, -I, -cl-*, ... for Clang, in their order
    uint32_t opencl_c;        // language version: 100, 110, 120, 200, 300, 310
    uint32_t cxx;             // C++ for OpenCL on top of it: 100, 202100; 0: OpenCL C
    bool uniform_groups;      // -cl-uniform-work-group-size
    bool debug_form;          // -g or -cl-opt-disable: keep the natural shape
    bool debug_info;          // -g
    bool lines;               // -g or -gline-tables-only: objects name source lines
    bool create_library;      // -create-library
    bool warnings_are_errors; // -Werror
    bool zero_private;        // -cl-trefoil-zero-private: variables begin as zeros
    bool report;              // -cl-trefoil-report: keep what tells lines
    unsigned checks;          // enum tf_check_mode: -cl-trefoil-check=
    unsigned fast_math;       // LLVMFastMathFlags that the math options stand for
};

// Parses `text`. On TF_COMPILER_BAD_OPTIONS the log names the option. In every case `out`
// is to be given to tf_frontend_options_finish.
enum tf_compiler_status tf_frontend_options_parse(const char *text,
                                                  enum tf_options_use use,
                                                  const struct tf_compiler_device *device,
                                                  struct tf_frontend_options *out,
                                                  struct tf_str *log);
void tf_frontend_options_finish(struct tf_frontend_options *options);

#endif // TF_COMPILER_FRONT_FRONTEND_OPTIONS_H
