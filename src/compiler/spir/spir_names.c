// SPDX-License-Identifier: MIT
#include "compiler/spir/spir_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

// Today's name of an image says how it is accessed, too, and with words between bars.
static const struct {
    const char *then, *now;
} images[] = {
    {"ocl_image1d", "ocl_image1d"},
    {"ocl_image1darray", "ocl_image1d_array"},
    {"ocl_image1dbuffer", "ocl_image1d_buffer"},
    {"ocl_image2d", "ocl_image2d"},
    {"ocl_image2darray", "ocl_image2d_array"},
    {"ocl_image2ddepth", "ocl_image2d_depth"},
    {"ocl_image2darraydepth", "ocl_image2d_array_depth"},
    {"ocl_image3d", "ocl_image3d"},
};

static bool is(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && !memcmp(text, word, bytes);
}

static const char *image_now(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        if (is(name, bytes, images[i].then))
            return images[i].now;
    return NULL;
}

// A number and a name of that length; NULL where none stands. `*name` is the name.
static const char *pass_name(const char *at, const char **name, size_t *bytes)
{
    char *end;

    if (!isdigit((unsigned char)*at))
        return NULL;
    *bytes = strtoul(at, &end, 10);
    *name = end;
    return *bytes > 0 && *bytes <= strlen(end) ? end + *bytes : NULL;
}

// The parameters' part of a name; NULL: it is no such.
static const char *params_of(const char *symbol, const char **function, size_t *bytes)
{
    return strncmp(symbol, "_Z", 2) != 0 ? NULL : pass_name(symbol + 2, function, bytes);
}

// The vector's "Dv4_" or a type's that stood before, "S1_", which begin at `at`; 0:
// neither.
static size_t marked_bytes(const char *at)
{
    const char *const end = strchr(at, '_');

    return end && (!strncmp(at, "Dv", 2) || *at == 'S') ? (size_t)(end - at) + 1 : 0;
}

// Types that stood before are counted from "S_" and "S0_" on; images count today.
static void add_counted(struct tf_str *out, const char *at, size_t bytes, bool later)
{
    const bool first = bytes == 2, is_short = bytes <= 3 && at[1] != 'Z';

    if (*at != 'S' || !later || !is_short)
        tf_str_add_bytes(out, at, bytes);
    else
        tf_str_printf(out, "S%c_", first ? '0' : at[1] == '9' ? 'A' : at[1] + 1);
}

// "VU3AS1" became "U3AS1V": const, volatile and restrict stand behind the address space
// today. Returns how many characters were read.
static size_t add_qualifiers(struct tf_str *out, const char *at)
{
    const size_t words = strspn(at, "rVK");
    const bool space = !strncmp(at + words, "U3AS", 4) && at[words + 4];

    if (space)
        tf_str_add_bytes(out, at + words, 5);
    tf_str_add_bytes(out, at, words);
    return words + (space ? 5 : 0);
}

char *tf_spir_name_now(const char *symbol)
{
    struct tf_str out = {0};
    const char *function, *at;
    bool has_image = false;
    size_t bytes;

    at = params_of(symbol, &function, &bytes);
    if (!at)
        return tf_strdup(symbol);
    const bool writes = bytes > 6 && !memcmp(function, "write_", 6);
    tf_str_add_bytes(&out, symbol, (size_t)(at - symbol));
    while (*at) {
        const char *name, *const behind = pass_name(at, &name, &bytes);
        const char *const image = behind ? image_now(name, bytes) : NULL;
        size_t passed = behind ? (size_t)(behind - at) : marked_bytes(at);

        has_image |= image != NULL;
        if (image)
            tf_str_printf(&out, "%zu%s_%s", strlen(image) + 3, image,
                          writes ? "wo" : "ro");
        else if (passed)
            add_counted(&out, at, passed, has_image);
        else if ((passed = add_qualifiers(&out, at)) == 0)
            tf_str_add_bytes(&out, at, passed = 1);
        at += passed;
    }
    return tf_str_take(&out);
}

// Behind what stands in front of a type's name: of a pointer, a vector, an address space.
static const char *pass_prefixes(const char *at)
{
    const char *name;
    size_t bytes;

    for (;;) {
        if (*at && strchr("PKVr", *at)) {
            at++;
        } else if (!strncmp(at, "Dv", 2)) {
            at += 2 + strspn(at + 2, "0123456789");
            at += *at == '_';
        } else if (*at == 'U') {
            at = pass_name(at + 1, &name, &bytes);
            if (!at)
                return NULL;
        } else {
            return at;
        }
    }
}

static enum tf_spir_param param_of(const char *name, size_t bytes)
{
    return image_now(name, bytes)           ? TF_SPIR_IMAGE
           : is(name, bytes, "ocl_sampler") ? TF_SPIR_SAMPLER
           : is(name, bytes, "ocl_event")   ? TF_SPIR_EVENT
                                            : TF_SPIR_PLAIN;
}

size_t tf_spir_params(const char *symbol, enum tf_spir_param *params, size_t room)
{
    const char *name, *at;
    size_t bytes, count = 0;

    at = params_of(symbol, &name, &bytes);
    while (at && *at) {
        const char *const type = pass_prefixes(at);
        const char *behind = type ? pass_name(type, &name, &bytes) : NULL;
        enum tf_spir_param param = TF_SPIR_PLAIN;

        if (!type || !*type)
            return 0;
        if (behind && type == at) // by value
            param = param_of(name, bytes);
        else if (!behind && *type == 'S') // a type that stood before
            behind = strchr(type, '_') ? strchr(type, '_') + 1 : NULL;
        else if (!behind)
            behind = type + (*type == 'D' && type[1] ? 2 : 1);
        if (count < room)
            params[count] = param;
        count++;
        at = behind;
    }
    return at ? count : 0;
}
