// SPDX-License-Identifier: MIT
// Names of the error codes of OpenCL, for the programs that print or read them.
#ifndef TF_TOOLS_ERROR_NAMES_H
#define TF_TOOLS_ERROR_NAMES_H

enum { ERROR_TEXT_BYTES = 64 };

// "CL_INVALID_VALUE" -> -30; 1 for an unknown name.
int error_code_of(const char *name);
// And back; "error 5" for an unknown code. Returns `text`.
const char *error_text_of(int code, char text[ERROR_TEXT_BYTES]);

#endif
