// SPDX-License-Identifier: MIT
#include "compiler/front/frontend_macros.h"

#include "base/alloc.h"
#include "base/str.h"

const char *tf_frontend_standard_lacks(const struct tf_compiler_device *device,
                                       uint32_t version, bool is_cxx)
{
    if (version > device->opencl_c_max)
        return "";
    if (is_cxx && !tf_feature_in(&device->features, TF_FEATURE_cl_ext_cxx_for_opencl))
        return "";
    return version == 200 ? tf_features_lacking_2_0(&device->features, !is_cxx) : NULL;
}

static bool offers(const struct tf_compiler_device *device, enum tf_feature f,
                   unsigned kinds)
{
    return tf_features[f].kind & kinds && tf_feature_in(&device->features, f);
}

static const unsigned seen_by_clang = TF_FEATURE_KIND_LANGUAGE | TF_FEATURE_KIND_MACRO;

static void add_standard(uint32_t version, uint32_t cxx, struct tf_args *args)
{
    // This Clang has no CL3.1: 3.0 with other version macros.
    const uint32_t clang_version = version > 300 ? 300 : version;

    if (cxx)
        tf_args_add(args, cxx == 100 ? "-cl-std=CLC++1.0" : "-cl-std=CLC++2021");
    else
        tf_args_printf(args, "-cl-std=CL%u.%u", clang_version / 100,
                       clang_version / 10 % 10);
}

void tf_frontend_macros_add(const struct tf_compiler_device *device, uint32_t version,
                            uint32_t cxx, struct tf_args *args)
{
    struct tf_str list = {0};
    char *text;

    add_standard(version, cxx, args);
    tf_str_add(&list, "-cl-ext=-all");
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (offers(device, f, seen_by_clang))
            tf_str_printf(&list, ",+%s", tf_features[f].name);
    // By a pragma of the program. Without a generic address space every pointer type of
    // the program has another one than the functions have, and Clang 22 crashes over
    // that.
    if (version >= 300)
        tf_str_add(&list, ",+__cl_clang_function_pointers");
    // Clang wants an extension and the feature of the same content to agree.
    if (tf_feature_in(&device->features, TF_FEATURE_cl_khr_fp64))
        tf_str_add(&list, ",+__opencl_c_fp64");
    if (tf_feature_in(&device->features, TF_FEATURE_cl_khr_3d_image_writes))
        tf_str_add(&list, ",+__opencl_c_3d_image_writes");
    text = tf_str_take(&list);
    if (text)
        tf_args_add(args, text);
    else
        args->failed = true;
    tf_free(text);

    // Clang 22 defines those macros that it knows, in OpenCL C 2.0, too, where Clang 19
    // does not, and asks for them before it declares a function; the same definition
    // twice is legal.
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (offers(device, f, version >= 200 ? seen_by_clang : TF_FEATURE_KIND_LANGUAGE))
            tf_args_printf(args, "-D%s=1", tf_features[f].name);
    if (version < 300) // Clang defines this one of its macros in every version
        tf_args_add(args, "-U__opencl_c_int64");
    // OpenCL C has no such storage (Blocks, Restrictions), and Clang 22 crashes where a
    // variable of the program has it.
    tf_args_add(args, "-U__block");
    tf_args_printf(args, "-D__OPENCL_VERSION__=%u", device->device_version);
    if (version > 300) {
        tf_args_add(args, "-U__OPENCL_C_VERSION__");
        tf_args_printf(args, "-D__OPENCL_C_VERSION__=%u", version);
    }
    if (device->opencl_c_max > 300) // like its elder sisters, whatever -cl-std says
        tf_args_add(args, "-DCL_VERSION_3_1=310");
    if (!tf_feature_in(&device->features, TF_FEATURE_images))
        tf_args_add(args,
                    "-U__IMAGE_SUPPORT__"); // a matter of course for the spir64 target
}
