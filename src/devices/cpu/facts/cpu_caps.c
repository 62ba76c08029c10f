// SPDX-License-Identifier: MIT
// Nothing is listed that does not work, and nothing that works is left out.
#include "devices/cpu/facts/cpu_caps.h"

#include <CL/cl_trefoil.h>

#include "abi/launch_fit.h"
#include "base/env.h"
#include "base/log.h"

#define FP_FULL                                                                    \
    (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | \
     CL_FP_ROUND_TO_INF)

// The threads of the host and of the device share one memory.
#define ATOMICS_FULL                                                      \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |    \
     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | \
     CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)

#define FP_ATOMICS_FULL                                                                  \
    (CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |    \
     CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT | \
     CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)

// Each group of a concurrent launch has a thread.
enum { CONCURRENT_GROUPS_MAX = 64, LARGEST_TYPE_BITS = 1024 };

static void set_sub_groups(struct tf_device_caps *out)
{
    static const size_t sizes[] = {4, 8, 16, 32, 64};

    // The same on every processor: what kernels compute does not depend on it.
    out->sub_group_size = (uint32_t)tf_env_number(TF_ENV_SUB_GROUP_SIZE, 16);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        out->sub_group_sizes[out->sub_group_size_count++] = sizes[i];
}

static void set_device_queues(struct tf_device_caps *out)
{
    // Memory is taken as it is needed: a large queue costs nothing.
    out->device_queue_properties =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    out->device_queues = 64;
    out->device_queue_bytes = 1u << 30;
    out->device_queue_preferred_bytes = 64u << 20;
    out->device_events = 1u << 16;
}

static void set_memory(struct tf_device_caps *out, const struct tf_device_info *info)
{
    out->max_alloc_bytes = info->global_memory_bytes;
    out->max_constant_bytes = info->global_memory_bytes;
    out->max_constant_args = 64;
    out->local_memory_type = CL_GLOBAL;
    out->local_memory_bytes = info->local_memory_bytes;
    out->base_align_bits = LARGEST_TYPE_BITS;
    out->max_variable_bytes = (size_t)64 << 20;
    // Nothing of a pipe is limited but by the memory; a number has to be said.
    out->pipe_args = 128;
    out->pipe_packet_bytes = 1 << 16;
    out->pipe_reservations = 1 << 16;
    out->atomics = ATOMICS_FULL;
    out->fences = ATOMICS_FULL | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
    out->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
               CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    out->usm = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
               CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
}

static void set_images(struct tf_device_caps *out)
{
    tf_features_put_images(&out->features, true);
    // Nothing is limited but by the memory and 32 bits; modest numbers are tested sooner.
    out->images = (struct tf_image_limits){
        .plane_px = {16384, 16384},
        .volume_px = {2048, 2048, 2048},
        .buffer_px = 1 << 24,
        .layers = 2048,
        .read_args = 128,
        .write_args = 64,
        .read_write_args = 64,
        .samplers = 32,
        .pitch_align_px = 1,
        .base_align_px = 1,
    };
}

static void set_arithmetic(struct tf_device_caps *out, const struct tf_device_info *info)
{
    out->single_config =
        FP_FULL | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | (info->has_fma ? CL_FP_FMA : 0);
    out->double_config = out->half_config = FP_FULL | CL_FP_FMA;
    out->half_atomics = out->single_atomics = out->double_atomics = FP_ATOMICS_FULL;
    // OpenCL C has the functions for vectors and for packed words.
    out->dot_products = CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
    // Of the device, a work-group and a sub-group: one counter serves all.
    out->kernel_clocks = 1 << 0 | 1 << 1 | 1 << 2;
}

// As the user wishes, as long as what is left is a device.
static void hide_extensions(struct tf_device_caps *caps)
{
    for (int f = 0; f < TF_FEATURE_COUNT; f++) {
        if (!tf_device_caps_has(caps, f) ||
            !(tf_features[f].kind & TF_FEATURE_KIND_EXTENSION) ||
            !tf_env_lists(TF_ENV_HIDE_EXTENSIONS, tf_features[f].name))
            continue;
        tf_feature_put(&caps->features, f, false);
        if (!tf_device_caps_fault(caps))
            continue;
        tf_feature_put(&caps->features, f, true);
        tf_log(TF_LOG_ERROR, "%s cannot be hidden", tf_features[f].name);
    }
}

void tf_cpu_caps_init(struct tf_device_caps *out, const struct tf_device_info *info,
                      bool compiler)
{
    const size_t group_size =
        (size_t)tf_env_number(TF_ENV_MAX_WORK_GROUP_SIZE, TF_GROUP_ITEMS_MAX);

    *out = (struct tf_device_caps){
        .type = CL_DEVICE_TYPE_CPU,
        .features = tf_features_ours(),
        .opencl_c_max = CL_MAKE_VERSION(3, 1, 0),
        .compiler = compiler,
        .linker = compiler,
        .execution = CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL,
        .queue_properties =
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
        .max_group_size = group_size,
        .max_concurrent_groups = CONCURRENT_GROUPS_MAX,
        .max_item_sizes = {group_size, group_size, group_size},
        .max_parameter_bytes = 4096,
        .print_buffer_bytes = (size_t)1 << 20,
        .non_uniform_groups = true,
    };
    set_device_queues(out);
    set_sub_groups(out);
    set_memory(out, info);
    set_images(out);
    set_arithmetic(out, info);
    hide_extensions(out);
}
