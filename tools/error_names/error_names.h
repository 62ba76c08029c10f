// SPDX-License-Identifier: MIT
// Names of the error codes of OpenCL, for the programs that print or read them.
#ifndef TF_TOOLS_ERROR_NAMES_H
#define TF_TOOLS_ERROR_NAMES_H

// "CL_INVALID_VALUE" -> -30; 1 for an unknown name. And back: NULL for an unknown code.
int error_code_of(const char *name);
const char *error_name_of(int code);

#endif
