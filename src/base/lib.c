// SPDX-License-Identifier: MIT
#include "base/lib.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

// dlerror()'s text, or another reason where there is none.
static void explain(char *text, size_t text_bytes, const char *path)
{
    const char *reason = dlerror();

    snprintf(text, text_bytes, "%s", reason ? reason : path);
}

void *tf_lib_symbol(const char *path, const char *symbol, char *text, size_t text_bytes)
{
    void *lib, *address;
    fenv_t floats;

    // Constructors of the library may compute: not with the application's rounding mode
    // and traps, and without a trace in its flags.
    fegetenv(&floats);
    fesetenv(FE_DFL_ENV);
    lib = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    fesetenv(&floats);
    address = lib ? dlsym(lib, symbol) : NULL;

    if (!address)
        explain(text, text_bytes, path);
    return address;
}

int tf_lib_beside(const void *address, const char *name, char *path, size_t path_bytes)
{
    const char *slash;
    Dl_info info;
    int n;

    if (!dladdr(address, &info) || !info.dli_fname)
        return -1;
    slash = strrchr(info.dli_fname, '/');
    n = snprintf(path, path_bytes, "%.*s%s",
                 slash ? (int)(slash + 1 - info.dli_fname) : 0, info.dli_fname, name);
    return n < 0 || (size_t)n >= path_bytes ? -1 : 0;
}
