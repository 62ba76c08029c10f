// SPDX-License-Identifier: MIT
#include "info_library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/compiler.h"
#include "base/env.h"
#include "base/lib.h"
#include "cache/cache_folder.h"
#include "info_output.h"

enum { MAX_PLATFORMS = 64, PATH_BYTES = 4096 };

bool is_ours(cl_platform_id platform)
{
    const char *wanted = tf_env_text(TF_ENV_PLATFORM_NAME);
    char name[256] = "";

    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
    return !strcmp(name, wanted ? wanted : "Trefoil");
}

cl_platform_id find_platform(cl_uint *others)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint count = 0;

    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS)
        count = 0;
    *others = count;
    for (cl_uint i = 0; i < count && i < MAX_PLATFORMS; i++)
        if (is_ours(platforms[i]))
            return platforms[i];
    return NULL;
}

void explain_no_platform(cl_uint others)
{
    const char *vendors = getenv("OCL_ICD_VENDORS");

    fprintf(stderr,
            "The OpenCL loader shows %u platforms, and Trefoil is not among them.\n"
            "It reads %s: trefoil.icd must lie there, and name libtrefoil.so.\n",
            others, vendors ? vendors : "/etc/OpenCL/vendors");
}

static void print_compiler(const void *in_library)
{
    const char *path = tf_env_text(TF_ENV_COMPILER_LIBRARY);
    const struct tf_compiler *table = NULL;
    char beside[PATH_BYTES], text[512];
    tf_compiler_entry_fn entry;

    if (!path &&
        tf_lib_beside(in_library, "libtrefoil-compiler.so", beside, sizeof(beside)) == 0)
        path = beside;
    if (!path)
        return;
    out_text("compiler", path);
    entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(path, TF_COMPILER_ENTRY_NAME,
                                                           text, sizeof(text));
    table = entry ? entry() : NULL;
    if (!table)
        out_text("compiler fault", text);
    else if (table->abi != TF_COMPILER_ABI)
        out_text("compiler fault", "it is of another version than this program");
    else {
        out_text("LLVM", table->llvm_version);
        out_text("compiler build", table->build_id);
    }
}

static void print_helper(const void *in_library)
{
    char path[PATH_BYTES];

    if (tf_lib_beside(in_library, "trefoil-helper-whole", path, sizeof(path)) == 0 &&
        access(path, X_OK) == 0)
        out_text("helper with the compiler", path);
    if (tf_lib_beside(in_library, "trefoil-helper", path, sizeof(path)) != 0)
        return;
    out_text("helper", access(path, X_OK) == 0 ? path : "missing: threads compile");
}

static void print_cache(void)
{
    struct tf_cache cache;

    if (!tf_cache_of_environment(&cache)) {
        out_text("cache", "off");
        return;
    }
    out_text("cache", cache.folder);
    out_number("cache limit", cache.cap_bytes >> 20, "MiB");
}

void print_library(cl_platform_id platform)
{
    // Any function of the library itself; the loader's own would name the loader.
    void *function =
        clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR");
    Dl_info found;

    out_section("library", "Libraries");
    if (function && dladdr(function, &found) && found.dli_fname) {
        char *const path = realpath(found.dli_fname, NULL);

        out_text("library", path ? path : found.dli_fname);
        free(path);
        print_compiler(function);
        print_helper(function);
    }
    print_cache();
    out_section_end();
}
