// SPDX-License-Identifier: MIT
// What the acceptance programs share: ordinary OpenCL programs that run through the
// system's ICD loader and say with their exit status whether something holds. No Check,
// no library of ours: they see Trefoil as an application does.
#ifndef TF_TESTS_ACCEPTANCE_H
#define TF_TESTS_ACCEPTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

#define EXIT_SKIPPED 77 // SKIP_RETURN_CODE of CTest

// Ends the process with a message and status 1 unless the condition holds.
#define EXPECT(condition) \
    ((condition) ? (void)0 : acceptance_fail(__FILE__, __LINE__, #condition))
// The same for a call that must return CL_SUCCESS.
#define OK(call) acceptance_ok(__FILE__, __LINE__, #call, (call))

_Noreturn void acceptance_fail(const char *file, int line, const char *what);
void acceptance_ok(const char *file, int line, const char *call, cl_int code);

struct acceptance_cl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; // in-order, with profiling
};

// The platform called Trefoil, its first device, a context and a queue.
struct acceptance_cl acceptance_open(void);
// Only platform and device.
struct acceptance_cl acceptance_find(void);
void acceptance_close(struct acceptance_cl *cl);
// Builds; prints the log and ends the process when that fails.
cl_program acceptance_build(const struct acceptance_cl *cl, const char *source);
cl_kernel acceptance_kernel(cl_program program, const char *name);

double acceptance_now_s(void);
void acceptance_sleep_s(double seconds);
// Resident memory of this process, after malloc gave back what it can.
long acceptance_resident_kib(void);
// True where memory figures mean nothing and time runs slower.
bool acceptance_sanitized(void);

#endif // TF_TESTS_ACCEPTANCE_H
