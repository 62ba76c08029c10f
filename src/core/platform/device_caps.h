// SPDX-License-Identifier: MIT
// What a device can do and offers: filled by its driver, constant afterwards. Core checks
// it at registration, derives the answers of the queries from it and adds nothing.
#ifndef TF_CORE_PLATFORM_DEVICE_CAPS_H
#define TF_CORE_PLATFORM_DEVICE_CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_trefoil.h>

#include "abi/language_features.h"

enum { TF_SUB_GROUP_SIZES_MAX = 8 };

// Extents and counts, at most; zeros without images.
struct tf_image_limits {
    size_t plane_px[2];  // width and height of 2D images, arrays and 1D images
    size_t volume_px[3]; // of 3D images
    size_t buffer_px;    // width of 1D image buffers
    size_t layers;       // of arrays
    cl_uint read_args, write_args, read_write_args; // of a kernel
    cl_uint samplers;                               // arguments of a kernel
    // Images that lie in buffers: multiples of so many pixels, powers of two.
    cl_uint pitch_align_px, base_align_px;
};

struct tf_device_caps {
    cl_device_type type;
    // Extensions and features. Images, pipes, half and double are there if theirs are.
    struct tf_feature_set features;
    cl_version opencl_c_max; // newest version of OpenCL C
    bool compiler;           // builds from source
    bool linker;
    cl_device_exec_capabilities execution;
    cl_command_queue_properties queue_properties; // of queues on the host
    // Queues on the device; all 0: there are none.
    cl_command_queue_properties device_queue_properties;
    cl_uint device_queues;                // of a context and a device, at most
    cl_uint device_queue_bytes;           // of one, at most
    cl_uint device_queue_preferred_bytes; // of one that does not say
    cl_uint device_events;                // alive, at most

    // Limits
    size_t max_group_size;
    size_t max_concurrent_groups; // cl_intel_concurrent_dispatch; 0: none
    size_t max_item_sizes[3];
    size_t max_parameter_bytes;
    uint64_t max_alloc_bytes;
    uint64_t max_constant_bytes;
    cl_uint max_constant_args;
    cl_device_local_mem_type local_memory_type;
    uint64_t local_memory_bytes;
    uint32_t base_align_bits; // CL_DEVICE_MEM_BASE_ADDR_ALIGN
    size_t print_buffer_bytes;
    size_t max_variable_bytes; // one variable of program scope
    bool non_uniform_groups; // the last group of a row may be smaller (OpenCL C 2.0, up)
    uint32_t sub_group_size; // of kernels that demand none; 0: no sub-groups
    size_t sub_group_sizes[TF_SUB_GROUP_SIZES_MAX]; // what kernels may demand, ascending
    size_t sub_group_size_count;
    struct tf_image_limits images;
    cl_uint pipe_args;         // of a kernel, at most; 0 without pipes, like the others
    cl_uint pipe_packet_bytes; // at most
    cl_uint pipe_reservations; // active per work-item, work-group or sub-group

    // Arithmetic; 0: there is none
    cl_device_fp_config half_config, single_config, double_config;
    // cl_device_fp_atomic_capabilities_ext, which not all headers have yet
    cl_bitfield half_atomics, single_atomics, double_atomics;
    cl_device_integer_dot_product_capabilities_khr dot_products;
    cl_bitfield kernel_clocks; // cl_khr_kernel_clock: scopes

    // Memory model
    cl_device_atomic_capabilities atomics, fences;
    cl_device_svm_capabilities svm;
    cl_bitfield usm; // cl_device_unified_shared_memory_capabilities_intel, of each kind
};

static inline bool tf_device_caps_has(const struct tf_device_caps *caps,
                                      enum tf_feature feature)
{
    return tf_feature_in(&caps->features, feature);
}

// The first demand of OpenCL (3.1 §4.2, full profile) that the capabilities do not meet,
// or contradiction in them; NULL if there is none.
const char *tf_device_caps_fault(const struct tf_device_caps *caps);

#endif // TF_CORE_PLATFORM_DEVICE_CAPS_H
