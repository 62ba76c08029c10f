// SPDX-License-Identifier: MIT
// The list of all entry points: the dispatch table that every object begins with, and the
// look-up by name.
#include "api/dispatch.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/thread.h"
#include "core/command/fork.h"
#include "core/object/object.h"
#include "core/platform/platform.h"

#define TF_ENTRY(state, failure, type, name, params) .name = name,
static struct tf_dispatch table = {
#include "api/entrypoints.def"
};

// No object is dispatched by these two, so that no loader calls them through the table;
// there an ICD 2 loader looks for the mark.
static void begin(void)
{
    table.clGetPlatformIDs =
        (cl_int(CL_API_CALL *)(cl_uint, cl_platform_id *, cl_uint *))CL_ICD2_TAG_KHR;
    table.clUnloadCompiler = (cl_int(CL_API_CALL *)(void))CL_ICD2_TAG_KHR;
    tf_object_set_dispatch(&table);
    tf_fork_watch();
}

cl_platform_id tf_api_platform(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    TF_UNCANCELLED; // devices are looked for in files

    pthread_once(&once, begin);
    tf_main_thread_note();
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
