// SPDX-License-Identifier: MIT
#include "compiler/front/frontend_macros.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

// True if `list` (words separated by one space) holds `word`.
static bool has_word(const char *list, const char *word)
{
    const size_t bytes = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += bytes)
        if ((at == list || at[-1] == ' ') && (at[bytes] == ' ' || !at[bytes]))
            return true;
    return false;
}

// Calls `take` for each word of `list`.
static void for_each_word(const char *list, void (*take)(void *, const char *, int),
                          void *arg)
{
    while (*list) {
        const size_t bytes = strcspn(list, " ");

        if (bytes)
            take(arg, list, (int)bytes);
        list += bytes + (list[bytes] == ' ');
    }
}

const char *tf_frontend_standard_lacks(const struct tf_compiler_device *device,
                                       uint32_t version)
{
    // OpenCL C 2.0 makes all of these obligatory, 3.0 leaves each to the device.
    static const char *const of_2_0[] = {
        "__opencl_c_generic_address_space",
        "__opencl_c_program_scope_global_variables",
        "__opencl_c_atomic_order_seq_cst",
        "__opencl_c_atomic_scope_device",
        "__opencl_c_atomic_scope_all_devices",
        "__opencl_c_device_enqueue",
        "__opencl_c_pipes",
        "__opencl_c_work_group_collective_functions",
    };

    if (version > device->opencl_c_max)
        return "";
    for (size_t i = 0; version == 200 && i < sizeof of_2_0 / sizeof *of_2_0; i++)
        if (!has_word(device->features, of_2_0[i]))
            return of_2_0[i];
    return NULL;
}

static void enable(void *arg, const char *word, int bytes)
{
    tf_str_printf(arg, ",+%.*s", bytes, word);
}

// Clang defines the macros of the extensions that it knows; the same definition twice is
// legal.
static void define(void *arg, const char *word, int bytes)
{
    tf_args_printf(arg, "-D%.*s=1", bytes, word);
}

void tf_frontend_macros_add(const struct tf_compiler_device *device, uint32_t version,
                            struct tf_args *args)
{
    // This Clang has no CL3.1: 3.0 with other version macros.
    const uint32_t clang_version = version > 300 ? 300 : version;
    struct tf_str list = {0};
    char *text;

    tf_args_printf(args, "-cl-std=CL%u.%u", clang_version / 100, clang_version / 10 % 10);
    tf_str_add(&list, "-cl-ext=-all");
    for_each_word(device->extensions, enable, &list);
    for_each_word(device->features, enable, &list);
    // By a pragma of the program. Without a generic address space every pointer type of
    // the program has another one than the functions have, and Clang 22 crashes over
    // that.
    if (version >= 300)
        tf_str_add(&list, ",+__cl_clang_function_pointers");
    // Clang wants an extension and the feature of the same content to agree.
    if (has_word(device->extensions, "cl_khr_fp64"))
        tf_str_add(&list, ",+__opencl_c_fp64");
    if (has_word(device->extensions, "cl_khr_3d_image_writes"))
        tf_str_add(&list, ",+__opencl_c_3d_image_writes");
    text = tf_str_take(&list);
    if (text)
        tf_args_add(args, text);
    else
        args->failed = true;
    tf_free(text);

    for_each_word(device->extensions, define, args);
    if (version >= 300)
        for_each_word(device->features, define, args);
    tf_args_printf(args, "-D__OPENCL_VERSION__=%u", device->device_version);
    if (version > 300) {
        tf_args_add(args, "-U__OPENCL_C_VERSION__");
        tf_args_printf(args, "-D__OPENCL_C_VERSION__=%u", version);
    }
    if (device->opencl_c_max > 300) // like its elder sisters, whatever -cl-std says
        tf_args_add(args, "-DCL_VERSION_3_1=310");
    if (!device->images)
        tf_args_add(args,
                    "-U__IMAGE_SUPPORT__"); // a matter of course for the spir64 target
}
