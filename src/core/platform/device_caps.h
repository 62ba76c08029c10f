// SPDX-License-Identifier: MIT
// What a device advertises: a pure function of the device's facts and the settings.
#ifndef TF_CORE_PLATFORM_DEVICE_CAPS_H
#define TF_CORE_PLATFORM_DEVICE_CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

struct tf_device_info;

struct tf_version_name {
    const char *name;
    cl_version version;
};

struct tf_device_caps {
    cl_version version;    // numeric version: CL_MAKE_VERSION(3, 0, 0)
    char version_text[80]; // "OpenCL 3.0 Trefoil 0.1 <isa>"
    cl_version opencl_c_version;
    const char *opencl_c_text;  // "OpenCL C 1.2 Trefoil 0.1"
    const char *driver_version; // "0.1.0"
    uint8_t driver_uuid[16];
    cl_uint vendor_id;
    const struct tf_version_name *opencl_c_versions; // CL_DEVICE_OPENCL_C_ALL_VERSIONS
    size_t opencl_c_version_count;
    const struct tf_version_name *opencl_c_features; // "__opencl_c_..."
    size_t opencl_c_feature_count;
    const struct tf_version_name *extensions; // all: API and language
    size_t extension_count;
    char extensions_text[4096];          // names joined by single spaces
    char language_extensions_text[2048]; // those that OpenCL C sees, joined
    char features_text[2048];            // feature names joined by single spaces
    bool images;
    bool pipes;                // __opencl_c_pipes
    cl_uint pipe_args;         // of a kernel, at most; 0 without pipes, like the others
    cl_uint pipe_packet_bytes; // at most
    cl_uint pipe_reservations; // active per work-item, work-group or sub-group
    bool fp64;
    bool fp16;
    size_t max_group_size;
    size_t max_item_sizes[3];
    size_t max_parameter_bytes;
    uint64_t max_alloc_bytes;
    uint64_t max_constant_bytes;
    uint64_t local_memory_bytes;
    uint32_t base_align_bits; // CL_DEVICE_MEM_BASE_ADDR_ALIGN
    uint32_t sub_group_size;
    size_t print_buffer_bytes;
    size_t max_variable_bytes; // one variable of program scope
    bool non_uniform_groups;   // the last group of a row may be smaller (OpenCL C 2.0 and
                               // up)
    cl_device_svm_capabilities svm;
    cl_bitfield usm; // cl_device_unified_shared_memory_capabilities_intel, of each kind
};

// Fills *out; strings and tables live as long as the process.
void tf_device_caps_init(struct tf_device_caps *out, const struct tf_device_info *info);

#endif // TF_CORE_PLATFORM_DEVICE_CAPS_H
