// SPDX-License-Identifier: MIT
// The libraries that the loader found, and where programs are kept.
#ifndef TREFOIL_INFO_LIBRARY_H
#define TREFOIL_INFO_LIBRARY_H

#include <stdbool.h>

#include <CL/cl.h>

// True for our platform, whatever TREFOIL_PLATFORM_NAME says.
bool is_ours(cl_platform_id platform);
// Our platform, or NULL; *others: how many platforms the loader shows.
cl_platform_id find_platform(cl_uint *others);
// Says on standard error why there is no platform of ours.
void explain_no_platform(cl_uint others);

// Opens the compiler library to ask its version.
void print_library(cl_platform_id platform);

#endif // TREFOIL_INFO_LIBRARY_H
