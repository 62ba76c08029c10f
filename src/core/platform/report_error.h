// SPDX-License-Identifier: MIT
// The end of an entry point: whoever wants to know of its error hears of it.
#ifndef TF_CORE_PLATFORM_REPORT_ERROR_H
#define TF_CORE_PLATFORM_REPORT_ERROR_H

#include <CL/cl.h>

struct tf_err;

// Logs the error (TREFOIL_LOG) and calls the context's pfn_notify, then drops what the
// call holds. No lock may be held. Returns err->code, also on success.
cl_int tf_report(struct tf_err *err, const char *entry_point);

#endif // TF_CORE_PLATFORM_REPORT_ERROR_H
