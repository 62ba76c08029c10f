// SPDX-License-Identifier: MIT
// Nothing is listed that does not work, and nothing that works is left out.
#include "core/platform/device_caps.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "base/env.h"
#include "base/hash.h"
#include "core/platform/device_interface.h"
#include "core/platform/version.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct tf_version_name opencl_c_versions[] = {
    {"OpenCL C", CL_MAKE_VERSION(1, 0, 0)},
    {"OpenCL C", CL_MAKE_VERSION(1, 1, 0)},
    {"OpenCL C", CL_MAKE_VERSION(1, 2, 0)},
    {"OpenCL C", CL_MAKE_VERSION(3, 0, 0)},
};

static const struct tf_version_name opencl_c_features[] = {
    {"__opencl_c_atomic_order_acq_rel", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_atomic_order_seq_cst", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_atomic_scope_all_devices", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_atomic_scope_device", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_global_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_global_atomic_load_store", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_global_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_local_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_local_atomic_load_store", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp16_local_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp32_global_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp32_global_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp32_local_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp32_local_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp64_global_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp64_global_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp64_local_atomic_add", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_ext_fp64_local_atomic_min_max", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_fp64", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_generic_address_space", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_int64", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_device", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_sub_group", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_work_group", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_pipes", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_program_scope_global_variables", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_subgroups", CL_MAKE_VERSION(3, 0, 0)},
    {"__opencl_c_work_group_collective_functions", CL_MAKE_VERSION(3, 0, 0)},
};

// First those that OpenCL C sees: a macro each, and a name for the extension pragma.
static const struct tf_version_name extensions[] = {
    {"cl_khr_byte_addressable_store", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_global_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_global_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_local_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_local_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_int64_base_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_int64_extended_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_float_atomics", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_async_work_group_copy_fence", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_extended_async_copies", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_extended_bit_ops", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)},
    {"cl_khr_work_group_uniform_arithmetic", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_ballot", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_clustered_reduce", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_extended_types", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_non_uniform_arithmetic", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_non_uniform_vote", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_rotate", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_shuffle", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_subgroup_shuffle_relative", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_intel_required_subgroup_size", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_kernel_clock", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_fp16", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_fp64", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_icd", CL_MAKE_VERSION(2, 0, 0)},
    {"cl_khr_create_command_queue", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_extended_versioning", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_priority_hints", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_throttle_hints", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2)},
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 1, 0)},
};

static const char first_host_extension[] = "cl_khr_icd";

// Appends `name` to a list of names with single spaces between them. The tables above are
// all that is ever listed: a list that does not fit is a mistake made here.
static void add_name(char *list, size_t room, const char *name)
{
    const size_t used = strlen(list);
    const int n = snprintf(list + used, room - used, "%s%s", used ? " " : "", name);

    assert(n > 0 && (size_t)n < room - used);
    (void)n;
}

static void set_lists(struct tf_device_caps *out)
{
    bool language = true;

    for (size_t i = 0; i < COUNT(extensions); i++) {
        const char *name = extensions[i].name;

        add_name(out->extensions_text, sizeof(out->extensions_text), name);
        if (strcmp(name, first_host_extension) == 0)
            language = false;
        if (language)
            add_name(out->language_extensions_text, sizeof(out->language_extensions_text),
                     name);
    }
    for (size_t i = 0; i < COUNT(opencl_c_features); i++)
        add_name(out->features_text, sizeof(out->features_text),
                 opencl_c_features[i].name);
    out->extensions = extensions;
    out->extension_count = COUNT(extensions);
    out->opencl_c_features = opencl_c_features;
    out->opencl_c_feature_count = COUNT(opencl_c_features);
    out->opencl_c_versions = opencl_c_versions;
    out->opencl_c_version_count = COUNT(opencl_c_versions);
}

static void set_names(struct tf_device_caps *out, const struct tf_device_info *info)
{
    const char *version = tf_env_text(TF_ENV_DRIVER_VERSION);

    out->version = TF_OPENCL_VERSION;
    snprintf(out->version_text, sizeof(out->version_text), "%s %s", TF_OPENCL_TEXT,
             info->isa);
    out->opencl_c_version = CL_MAKE_VERSION(1, 2, 0);
    out->opencl_c_text = "OpenCL C 1.2 Trefoil " TF_VERSION_TEXT;
    out->driver_version = version ? version : TF_VERSION_TEXT;
    out->vendor_id =
        (cl_uint)tf_env_number(TF_ENV_VENDOR_ID, 0, UINT32_MAX, info->vendor_id);
}

// The same for all devices and machines, another for every version.
static void set_driver_uuid(uint8_t out[16])
{
    static const char text[] = "Trefoil " TF_VERSION_TEXT;
    const struct tf_hash hash = tf_hash_bytes(text, sizeof(text), 0);

    _Static_assert(sizeof(hash) == 16, "size of a UUID");
    memcpy(out, &hash, sizeof(hash));
    out[6] = (uint8_t)((out[6] & 0x0f) | 0x80); // RFC 9562: a scheme of the maker's own
    out[8] = (uint8_t)((out[8] & 0x3f) | 0x80);
}

static bool has_feature(const struct tf_device_caps *caps, const char *name)
{
    for (size_t i = 0; i < caps->opencl_c_feature_count; i++)
        if (!strcmp(caps->opencl_c_features[i].name, name))
            return true;
    return false;
}

// Nothing of a pipe is limited by the device but the memory; a number has to be said.
static void set_pipes(struct tf_device_caps *out)
{
    enum { ARGS = 128, PACKET_BYTES = 1 << 16, RESERVATIONS = 1 << 16 };

    out->pipes = has_feature(out, "__opencl_c_pipes");
    if (!out->pipes)
        return;
    out->pipe_args = ARGS;
    out->pipe_packet_bytes = PACKET_BYTES;
    out->pipe_reservations = RESERVATIONS;
}

void tf_device_caps_init(struct tf_device_caps *out, const struct tf_device_info *info)
{
    enum { GROUP_SIZE_MAX = 4096, PARAMETER_BYTES = 4096, LARGEST_TYPE_BITS = 1024 };
    // The same on every processor: what kernels compute does not depend on it.
    enum { SUB_GROUP_SIZE = 16 };

    memset(out, 0, sizeof(*out));
    set_names(out, info);
    set_driver_uuid(out->driver_uuid);
    set_lists(out);
    out->images = false;
    set_pipes(out);
    out->fp64 = true;
    out->fp16 = true;
    out->max_group_size = GROUP_SIZE_MAX;
    for (int i = 0; i < 3; i++)
        out->max_item_sizes[i] = GROUP_SIZE_MAX;
    out->max_parameter_bytes = PARAMETER_BYTES;
    out->max_alloc_bytes = info->global_memory_bytes;
    out->max_constant_bytes = info->global_memory_bytes;
    out->local_memory_bytes = info->local_memory_bytes;
    out->base_align_bits = LARGEST_TYPE_BITS;
    out->sub_group_size = SUB_GROUP_SIZE;
    out->print_buffer_bytes = (size_t)1 << 20;
    out->max_variable_bytes = (size_t)64 << 20;
    out->non_uniform_groups = true;
    out->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
               CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    out->usm = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
}
