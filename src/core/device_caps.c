// SPDX-License-Identifier: MIT
// Nothing is listed that does not work, and nothing that works is left out.
#include "core/device_caps.h"

#include <string.h>

#include "base/env.h"
#include "base/str.h"
#include "core/device.h"
#include "core/platform.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct tf_version_name opencl_c_versions[] = {
    {"OpenCL C", CL_MAKE_VERSION(1, 0, 0)},
    {"OpenCL C", CL_MAKE_VERSION(1, 1, 0)},
    {"OpenCL C", CL_MAKE_VERSION(1, 2, 0)},
    {"OpenCL C", CL_MAKE_VERSION(3, 0, 0)},
};

static const struct tf_version_name opencl_c_features[] = {
    {"__opencl_c_fp64", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_int64", CL_MAKE_VERSION(3, 0, 0)},
};

static const struct {
    struct tf_version_name name;
    bool language; // seen by OpenCL C: a macro, and a name for the extension pragma
} extensions[] = {
    {{"cl_khr_byte_addressable_store", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_global_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_global_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_local_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_local_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_fp64", CL_MAKE_VERSION(1, 0, 0)}, true},
    {{"cl_khr_icd", CL_MAKE_VERSION(2, 0, 0)}, false},
    {{"cl_khr_create_command_queue", CL_MAKE_VERSION(1, 0, 0)}, false},
    {{"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0)}, false},
};

static struct tf_version_name extension_names[COUNT(extensions)];

// Text that lives as long as the process: devices are never destroyed.
static const char *joined(bool language_only)
{
    struct tf_str s = {0};
    const char *text;

    for (size_t i = 0; i < COUNT(extensions); i++)
        if (extensions[i].language || !language_only)
            tf_str_printf(&s, "%s%s", s.bytes ? " " : "", extensions[i].name.name);
    text = tf_str_take(&s);
    return text ? text : "";
}

static const char *joined_features(void)
{
    struct tf_str s = {0};
    const char *text;

    for (size_t i = 0; i < COUNT(opencl_c_features); i++)
        tf_str_printf(&s, "%s%s", i ? " " : "", opencl_c_features[i].name);
    text = tf_str_take(&s);
    return text ? text : "";
}

static void set_names(struct tf_device_caps *out, const struct tf_device_info *info)
{
    const char *version = tf_env_text(TF_ENV_DRIVER_VERSION);
    struct tf_str s = {0};
    const char *text;

    tf_str_printf(&s, "OpenCL 3.0 Trefoil %s %s", TF_VERSION_TEXT, info->isa);
    text = tf_str_take(&s);
    out->version = CL_MAKE_VERSION(3, 0, 0);
    out->version_text = text ? text : "OpenCL 3.0 Trefoil";
    out->opencl_c_text = "OpenCL C 1.2 Trefoil " TF_VERSION_TEXT;
    out->driver_version = version ? version : TF_VERSION_TEXT;
    out->vendor_id =
        (cl_uint)tf_env_number(TF_ENV_VENDOR_ID, 0, UINT32_MAX, info->vendor_id);
    out->opencl_c_versions = opencl_c_versions;
    out->opencl_c_version_count = COUNT(opencl_c_versions);
    out->opencl_c_features = opencl_c_features;
    out->opencl_c_feature_count = COUNT(opencl_c_features);
    for (size_t i = 0; i < COUNT(extensions); i++)
        extension_names[i] = extensions[i].name;
    out->extensions = extension_names;
    out->extension_count = COUNT(extensions);
    out->extensions_text = joined(false);
    out->language_extensions_text = joined(true);
    out->features_text = joined_features();
}

void tf_device_caps_init(struct tf_device_caps *out, const struct tf_device_info *info)
{
    enum { GROUP_SIZE_MAX = 4096, PARAMETER_BYTES = 4096, LARGEST_TYPE_BITS = 1024 };

    memset(out, 0, sizeof(*out));
    set_names(out, info);
    out->images = false;
    out->fp64 = true;
    out->fp16 = false;
    out->max_group_size = GROUP_SIZE_MAX;
    for (int i = 0; i < 3; i++)
        out->max_item_sizes[i] = GROUP_SIZE_MAX;
    out->max_parameter_bytes = PARAMETER_BYTES;
    out->max_alloc_bytes = info->global_memory_bytes;
    out->max_constant_bytes = info->global_memory_bytes;
    out->local_memory_bytes = info->local_memory_bytes;
    out->base_align_bits = LARGEST_TYPE_BITS;
    out->sub_group_size = 0;
    out->print_buffer_bytes = (size_t)1 << 20;
}
