// SPDX-License-Identifier: MIT
#include "compiler/front/more_functions.h"

#include <string.h>

// What all of their names contain.
static const char *const parts[] = {"intel_sub_group_", "named_barrier", "bfloat16",
                                    "device_barrier"};

static bool names_one(const char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (bytes && memmem(text, bytes, parts[i], strlen(parts[i])))
            return true;
    return false;
}

bool tf_more_functions_named(const struct tf_compile_in *in)
{
    for (size_t i = 0; i < in->header_count; i++)
        if (names_one(in->headers[i].text, in->headers[i].text_bytes))
            return true;
    return names_one(in->source, in->source_bytes);
}

bool tf_more_functions_missed(const char *log)
{
    return names_one(log, strlen(log));
}
