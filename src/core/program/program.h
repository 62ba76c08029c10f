// SPDX-License-Identifier: MIT
// Program objects: source, SPIR-V module or binary, and per device the state, options and
// log of the last build and what it made.
//
// What a build makes is a tf_built, counted on its own: kernels and commands in flight
// keep the code they use, whatever happens to the program meanwhile.
//
// Lock: program (rank TF_RANK_PROGRAM). It is never held while something is compiled; a
// build sets CL_BUILD_IN_PROGRESS, and everybody else keeps off that device's entry.
#ifndef TF_CORE_PROGRAM_PROGRAM_H
#define TF_CORE_PROGRAM_PROGRAM_H

#include "base/thread.h"
#include "core/object/object.h"
#include "core/platform/device.h"
#include "core/platform/device_interface.h"
#include "core/program/built.h"

enum tf_program_origin {
    TF_PROGRAM_SOURCE,
    TF_PROGRAM_IL,
    TF_PROGRAM_SPIR, // of cl_khr_spir: bitcode, given as a binary
    TF_PROGRAM_BINARY,
    TF_PROGRAM_LINKED, // made by clLinkProgram
};

// The program on one device.
struct tf_program_build {
    cl_build_status status;
    char *options;          // owned; NULL means ""
    char *log;              // owned; NULL means ""
    struct tf_built *built; // owned; NULL if there is none
};

struct _cl_program {
    struct tf_object obj;
    enum tf_program_origin origin;
    char *source; // owned, terminated by 0; all strings concatenated. NULL unless from
                  // source
    size_t source_bytes;
    void *il; // owned; as it was given. NULL unless from SPIR-V or SPIR
    size_t il_bytes;
    struct tf_mutex lock;
    // Owned; the values that the application has set, each id once.
    struct tf_spec_constant *constants TF_GUARDED_BY(&lock);
    size_t constant_count TF_GUARDED_BY(&lock);
    unsigned kernels_attached TF_GUARDED_BY(&lock);
    struct tf_program_build *builds TF_GUARDED_BY(&lock); // one per device
    cl_uint device_count;
    cl_device_id devices[]; // borrowed from the context
};

// A program for these devices with nothing in it, owned by the caller. NULL and err set
// when memory ran out.
cl_program tf_program_new(struct tf_err *err, cl_context ctx,
                          enum tf_program_origin origin, cl_uint device_count,
                          const cl_device_id *devices) TF_NODISCARD;

struct tf_source_desc {
    cl_uint count; // > 0
    const char **strings;
    const size_t *lengths; // NULL, or per string its bytes; 0: terminated by 0
};

cl_int tf_program_create_source(struct tf_err *err, cl_context ctx,
                                const struct tf_source_desc *desc, cl_program *out);

// CL_INVALID_VALUE if the bytes are no SPIR-V module.
cl_int tf_program_create_il(struct tf_err *err, cl_context ctx, const void *il,
                            size_t bytes, cl_program *out);
// Whether a device of the list reads an intermediate language.
bool tf_program_il_support(cl_uint device_count, const cl_device_id *devices);

// Sets a specialization constant for the builds to come, of a program from an
// intermediate language. CL_INVALID_SPEC_ID, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_program_set_constant(struct tf_err *err, cl_program prog, cl_uint spec_id,
                               size_t bytes, const void *value) TF_EXCLUDES(&prog->lock);

struct tf_binary_desc {
    cl_uint device_count; // > 0
    const cl_device_id *devices;
    const size_t *lengths;
    const unsigned char **binaries;
    cl_int *status; // NULL, or per device what became of its binary
};

// CL_INVALID_BINARY if one of the binaries cannot be used. SPIR of all devices must be
// the same.
cl_int tf_program_create_binary(struct tf_err *err, cl_context ctx,
                                const struct tf_binary_desc *desc, cl_program *out);

// Index of `device` among the program's devices, or device_count.
cl_uint tf_program_device_index(cl_program prog, cl_device_id device);

// A new reference to what was built for device `index`; NULL if there is nothing. With
// `executable`, only the result of a successful build that kernels can be made from.
struct tf_built *tf_program_built(cl_program prog, cl_uint index, bool executable)
    TF_EXCLUDES(&prog->lock);

// Reserves the right to make one kernel: while kernels are attached the program cannot be
// built again. Stores references to the executables in builts[0..device_count), NULL
// where a device has none. CL_INVALID_PROGRAM_EXECUTABLE if no device has one.
cl_int tf_program_attach(struct tf_err *err, cl_program prog, struct tf_built **builts)
    TF_EXCLUDES(&prog->lock);
void tf_program_detach(cl_program prog) TF_EXCLUDES(&prog->lock);

#endif // TF_CORE_PROGRAM_PROGRAM_H
