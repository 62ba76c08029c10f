// SPDX-License-Identifier: MIT
// Runs the directives of one file on an OpenCL device and compares what they expect.
#ifndef TF_TOOLS_TREFOIL_RUN_EXEC_H
#define TF_TOOLS_TREFOIL_RUN_EXEC_H

#include <CL/cl.h>

#include "trefoil_run_script.h"

struct run_device {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;        // in-order
    cl_command_queue device_queue; // the default one on the device; NULL: it has none
    bool verbose;
    const char *options; // added to those of every build; NULL: none
    const char *modules; // folder of SPIR-V modules to build instead; NULL: none
};

enum run_result { RUN_PASS, RUN_FAIL, RUN_SKIP };

// Builds, runs and checks everything in script. Prints one line for a failure or a skip,
// and what PRINT asks for; a pass is the caller's to report.
enum run_result run_script_execute(const struct run_device *device, const char *file,
                                   const char *source, const struct run_script *script);

enum { RUN_MOST_BYTES = 64 << 20 }; // of a file

// The file's bytes and a 0, to be freed; NULL: it cannot be read, errno says why, EFBIG
// that it is longer than RUN_MOST_BYTES.
char *run_read_file(const char *path, size_t *bytes);
// Prints that, behind the file's name.
void run_print_unread(const char *path);

// ---- Comparison, trefoil_run_check.c ----

// The bytes of one argument before and after a launch.
struct run_data {
    const struct run_arg *arg;
    unsigned char *before, *after; // owned; NULL for arguments without content
    const unsigned char
        *same_after; // contents after the run (this or the shared buffer's)
};

// Fills data[index].before from the argument's initial values, which may name the
// arguments before it. False with *error filled on a mistake in the directive.
bool run_data_init(struct run_data *data, size_t index, char *error);

// Compares one expectation. False with *message filled (RUN_ERROR_BYTES): the first
// element that differs, or what is wrong with the directive.
bool run_check_data(const struct run_check *check, const struct run_data *data,
                    size_t n_data, char *message);
void run_print_data(const struct run_check *check, const struct run_data *data,
                    size_t n_data);

// ---- What printf prints, trefoil_run_output.c ----

// Sends the process's standard output to a temporary file.
struct run_capture {
    int file, saved;
};
bool run_capture_start(struct run_capture *capture);
// Gives standard output back. The text (to be freed) is what the file holds: what still
// lies in a buffer of this process is not in it. NULL: it could not be read.
char *run_capture_stop(struct run_capture *capture);

// Compares the lines of `text`, in any order, with those of the launch. False with
// *message filled (RUN_ERROR_BYTES): a line that is missing or too much.
bool run_check_output(const struct run_launch *r, const char *text, char *message);

#endif // TF_TOOLS_TREFOIL_RUN_EXEC_H
