// SPDX-License-Identifier: MIT
// The border to the ICD loaders: the dispatch table that every object begins with, the
// look-up of entry points by name, and loader-managed dispatch (cl_khr_icd 2.0).
#include "api/dispatch.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "api/api_common.h"
#include "core/platform/platform.h"

#define TF_ENTRY(state, failure, type, name, params) .name = name,
static struct tf_dispatch table = {
#include "api/entrypoints.def"
};

// No object is dispatched by these two, so that no loader calls them through the table;
// there an ICD 2 loader looks for the mark.
static void make_table(void)
{
    table.clGetPlatformIDs =
        (cl_int(CL_API_CALL *)(cl_uint, cl_platform_id *, cl_uint *))CL_ICD2_TAG_KHR;
    table.clUnloadCompiler = (cl_int(CL_API_CALL *)(void))CL_ICD2_TAG_KHR;
    tf_object_set_dispatch(&table);
}

cl_platform_id tf_api_platform(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_table);
    return tf_platform_get();
}

enum { OFFERED_absent = false, OFFERED_done = true };

static const struct {
    const char *name;
    void (*function)(void);
    bool offered;
} by_name[] = {
#define TF_ENTRY(state, failure, type, name, params) \
    {#name, (void (*)(void))name, OFFERED_##state},
#define TF_BY_NAME TF_ENTRY
#include "api/entrypoints.def"
};

void *tf_api_address(const char *name, int offered)
{
    for (size_t i = 0; name && i < sizeof(by_name) / sizeof(by_name[0]); i++)
        if (!strcmp(by_name[i].name, name))
            return by_name[i].offered || !offered ? (void *)by_name[i].function : NULL;
    return NULL;
}

// The loader fills its own table for our platform with this: stubs belong there too.
TF_EXPORT CL_API_ENTRY void *CL_API_CALL
clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *func_name)
{
    struct tf_err err = {0};

    if (!tf_object_ok(platform, &tf_class_platform))
        tf_fail(&err, CL_INVALID_PLATFORM, "not a platform");
    tf_report(&err, __func__);
    return err.code ? NULL : tf_api_address(func_name, false);
}

TF_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *dispatch_data)
{
    struct tf_err err = {0};

    if (!tf_object_ok(platform, &tf_class_platform))
        tf_fail(&err, CL_INVALID_PLATFORM, "not a platform");
    else
        tf_platform_set_disp_data(platform, dispatch_data);
    return tf_report(&err, __func__);
}
