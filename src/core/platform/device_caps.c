// SPDX-License-Identifier: MIT
#include "core/platform/device_caps.h"

#define DEMAND(condition)      \
    do {                       \
        if (!(condition))      \
            return #condition; \
    } while (0)

// True if all bits of `wanted` are set.
static bool covers(cl_bitfield bits, cl_bitfield wanted)
{
    return (bits & wanted) == wanted;
}

static const char *limits_fault(const struct tf_device_caps *caps)
{
    DEMAND(caps->max_group_size >= 1);
    for (int d = 0; d < 3; d++)
        DEMAND(caps->max_item_sizes[d] >= 1);
    DEMAND(caps->max_parameter_bytes >= 1024);
    DEMAND(caps->max_alloc_bytes >= (uint64_t)32 << 20);
    DEMAND(caps->max_constant_bytes >= 64 << 10);
    DEMAND(caps->max_constant_args >= 8);
    DEMAND(caps->local_memory_bytes >= 32 << 10);
    DEMAND(caps->base_align_bits >= 1024); // long16
    DEMAND(caps->print_buffer_bytes >= 1 << 20);
    return NULL;
}

static const char *arithmetic_fault(const struct tf_device_caps *caps)
{
    const bool fp64 = tf_device_caps_has(caps, TF_FEATURE_fp64);
    const bool fp16 = tf_device_caps_has(caps, TF_FEATURE_cl_khr_fp16);

    DEMAND(covers(caps->single_config, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
    DEMAND(fp64 == tf_device_caps_has(caps, TF_FEATURE_cl_khr_fp64));
    DEMAND(fp64 == (caps->double_config != 0));
    DEMAND(!fp64 || covers(caps->double_config, CL_FP_FMA | CL_FP_ROUND_TO_NEAREST |
                                                    CL_FP_INF_NAN | CL_FP_ROUND_TO_ZERO |
                                                    CL_FP_ROUND_TO_INF | CL_FP_DENORM));
    DEMAND(fp16 == (caps->half_config != 0));
    DEMAND(!fp16 || caps->half_config & (CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_integer_dot_product) ==
           (caps->dot_products != 0));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_kernel_clock) ==
           (caps->kernel_clocks != 0));
    return NULL;
}

static const char *memory_model_fault(const struct tf_device_caps *caps)
{
    const bool acq_rel = caps->atomics & CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
    const bool seq_cst = caps->atomics & CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
    const bool in_device = caps->atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    const bool everywhere = caps->atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

    DEMAND(covers(caps->atomics,
                  CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP));
    DEMAND(covers(caps->fences, CL_DEVICE_ATOMIC_ORDER_RELAXED |
                                    CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP));
    DEMAND(acq_rel == tf_device_caps_has(caps, TF_FEATURE_atomic_order_acq_rel));
    DEMAND(seq_cst == tf_device_caps_has(caps, TF_FEATURE_atomic_order_seq_cst));
    DEMAND(in_device == tf_device_caps_has(caps, TF_FEATURE_atomic_scope_device));
    DEMAND(everywhere == tf_device_caps_has(caps, TF_FEATURE_atomic_scope_all_devices));
    DEMAND(!caps->svm || caps->svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    DEMAND(!(caps->svm & CL_DEVICE_SVM_ATOMICS) ||
           caps->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_intel_unified_shared_memory) ==
           (caps->usm != 0));
    return NULL;
}

static const char *images_fault(const struct tf_device_caps *caps)
{
    const struct tf_image_limits *most = &caps->images;
    const bool images = tf_device_caps_has(caps, TF_FEATURE_images);
    const bool read_write = tf_device_caps_has(caps, TF_FEATURE_read_write_images);

    DEMAND(images || !read_write);
    DEMAND(images || !tf_device_caps_has(caps, TF_FEATURE_3d_image_writes));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_3d_image_writes) ==
           tf_device_caps_has(caps, TF_FEATURE_cl_khr_3d_image_writes));
    DEMAND(images == (most->read_args > 0));
    DEMAND(!images || (most->plane_px[0] >= 16384 && most->plane_px[1] >= 16384));
    DEMAND(!images || (most->volume_px[0] >= 2048 && most->volume_px[1] >= 2048 &&
                       most->volume_px[2] >= 2048));
    DEMAND(!images || (most->buffer_px >= 65536 && most->layers >= 2048));
    DEMAND(!images || (most->read_args >= 128 && most->write_args >= 64));
    DEMAND(!images || most->samplers >= 16);
    DEMAND(!read_write || most->read_write_args >= 64);
    return NULL;
}

// What OpenCL 3.1 made part of every device (section 1.5 "Required OpenCL Extensions").
static const char *core_3_1_fault(const struct tf_device_caps *caps)
{
    DEMAND(caps->opencl_c_max >= CL_MAKE_VERSION(3, 1, 0));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_int64));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_subgroups));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_il_program));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_spirv_queries));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_device_uuid));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_extended_bit_ops));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_integer_dot_product));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_integer_dot_product_input_4x8bit_packed));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_subgroup_extended_types));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_subgroup_rotate));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_subgroup_shuffle));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_subgroup_shuffle_relative));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_cl_khr_suggested_local_work_size));
    return NULL;
}

static const char *options_fault(const struct tf_device_caps *caps)
{
    const bool sub_groups = tf_device_caps_has(caps, TF_FEATURE_subgroups);

    DEMAND(sub_groups == (caps->sub_group_size > 0));
    DEMAND(sub_groups == (caps->sub_group_size_count > 0));
    DEMAND(caps->sub_group_size_count <= TF_SUB_GROUP_SIZES_MAX);
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_pipes)
               ? caps->pipe_args >= 16 && caps->pipe_packet_bytes >= 1024 &&
                     caps->pipe_reservations >= 1
               : !caps->pipe_args && !caps->pipe_packet_bytes &&
                     !caps->pipe_reservations);
    DEMAND(!tf_device_caps_has(caps, TF_FEATURE_program_scope_global_variables) ||
           caps->max_variable_bytes >= 64 << 10);
    return NULL;
}

static const char *device_queues_fault(const struct tf_device_caps *caps)
{
    if (!tf_device_caps_has(caps, TF_FEATURE_device_enqueue)) {
        DEMAND(!caps->device_queues && !caps->device_queue_properties);
        return NULL;
    }
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_generic_address_space));
    DEMAND(tf_device_caps_has(caps, TF_FEATURE_program_scope_global_variables));
    DEMAND(covers(caps->device_queue_properties,
                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));
    DEMAND(caps->device_queues >= 1);
    DEMAND(caps->device_queue_preferred_bytes >= 16 << 10);
    DEMAND(caps->device_queue_bytes >= 256 << 10);
    DEMAND(caps->device_queue_bytes >= caps->device_queue_preferred_bytes);
    DEMAND(caps->device_events >= 1024);
    return NULL;
}

const char *tf_device_caps_fault(const struct tf_device_caps *caps)
{
    const char *fault;

    DEMAND(caps->type && !(caps->type & (caps->type - 1)) &&
           caps->type != CL_DEVICE_TYPE_DEFAULT);
    DEMAND(caps->linker || !caps->compiler);
    DEMAND(caps->execution & CL_EXEC_KERNEL);
    DEMAND(caps->queue_properties & CL_QUEUE_PROFILING_ENABLE);
    fault = core_3_1_fault(caps);
    if (!fault)
        fault = limits_fault(caps);
    if (!fault)
        fault = arithmetic_fault(caps);
    if (!fault)
        fault = memory_model_fault(caps);
    if (!fault)
        fault = images_fault(caps);
    if (!fault)
        fault = device_queues_fault(caps);
    return fault ? fault : options_fault(caps);
}
