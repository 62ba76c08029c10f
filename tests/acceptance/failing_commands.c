// SPDX-License-Identifier: MIT
// Loaded in front of the ICD loader, it tells a program that every command has failed.
#include <CL/cl.h>

#include <string.h>

CL_API_ENTRY cl_int CL_API_CALL __attribute__((visibility("default")))
clGetEventInfo(cl_event event, cl_event_info name, size_t bytes, void *value,
               size_t *bytes_ret)
{
    const cl_int status = CL_OUT_OF_RESOURCES;

    (void)event;
    if (name != CL_EVENT_COMMAND_EXECUTION_STATUS || bytes != sizeof(status))
        return CL_INVALID_VALUE;
    memcpy(value, &status, sizeof(status));
    if (bytes_ret)
        *bytes_ret = sizeof(status);
    return CL_SUCCESS;
}
