// SPDX-License-Identifier: MIT
#define TF_TEST_NO_NAMES
#include "support/entry_points.h"

#include <stdio.h>
#include <stdlib.h>

struct tf_test_cl tf_test_cl;

static void *address_of(cl_platform_id platform, const char *name)
{
    void *address = clIcdGetFunctionAddressForPlatformKHR(platform, name);

    if (!address) {
        fprintf(stderr, "libtrefoil.so does not know %s\n", name);
        abort();
    }
    return address;
}

__attribute__((constructor)) static void load(void)
{
    cl_platform_id platform = NULL;

    if (clIcdGetPlatformIDsKHR(1, &platform, NULL))
        abort();
#define TF_ENTRY(state, failure, type, name, params) \
    *(void **)&tf_test_cl.name = address_of(platform, #name);
#define TF_BY_NAME TF_ENTRY
#include "api/entrypoints.def"
}
