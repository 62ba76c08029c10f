// SPDX-License-Identifier: MIT
#include "core/memory/sampler.h"

#include <float.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "abi/image_descriptor.h"

#include "core/object/error.h"
#include "core/object/info.h"

static void sampler_destroy(struct tf_object *obj)
{
    (void)obj; // owns nothing beside its context
}

const struct tf_class tf_class_sampler = {
    .name = "sampler",
    .magic = 0x5a3b1e12u,
    .invalid = CL_INVALID_SAMPLER,
    .size_bytes = sizeof(struct _cl_sampler),
    .destroy = sampler_destroy,
    .slab = &tf_slab_sampler,
};

void tf_sampler_default_levels(struct tf_sampler_desc *desc)
{
    desc->mip_filter_mode = CL_FILTER_NEAREST;
    desc->lod_min = 0;
    desc->lod_max = FLT_MAX;
}

uint64_t tf_sampler_bits(const struct tf_sampler_desc *desc)
{
    static const uint32_t modes[] = {
        [0] = TF_SAMPLER_ADDRESS_NONE,
        [CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] = TF_SAMPLER_ADDRESS_CLAMP_TO_EDGE,
        [CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = TF_SAMPLER_ADDRESS_CLAMP,
        [CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = TF_SAMPLER_ADDRESS_REPEAT,
        [CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] =
            TF_SAMPLER_ADDRESS_MIRRORED_REPEAT,
    };

    return (desc->normalized_coords ? TF_SAMPLER_NORMALIZED : 0) |
           modes[desc->addressing_mode - CL_ADDRESS_NONE] |
           (desc->filter_mode == CL_FILTER_LINEAR ? TF_SAMPLER_FILTER_LINEAR
                                                  : TF_SAMPLER_FILTER_NEAREST) |
           (desc->mip_filter_mode == CL_FILTER_LINEAR ? TF_SAMPLER_MIP_LINEAR : 0) |
           tf_sampler_lod_bits(desc->lod_min, desc->lod_max);
}

static bool is_filter(cl_filter_mode mode)
{
    return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

cl_int tf_sampler_check(struct tf_err *err, const struct tf_sampler_desc *desc)
{
    TF_REQUIRE(err,
               desc->normalized_coords == CL_TRUE || desc->normalized_coords == CL_FALSE,
               CL_INVALID_VALUE, "normalized_coords is %u", desc->normalized_coords);
    TF_REQUIRE(err,
               desc->addressing_mode >= CL_ADDRESS_NONE &&
                   desc->addressing_mode <= CL_ADDRESS_MIRRORED_REPEAT,
               CL_INVALID_VALUE, "addressing mode 0x%x", desc->addressing_mode);
    TF_REQUIRE(err, is_filter(desc->filter_mode), CL_INVALID_VALUE, "filter mode 0x%x",
               desc->filter_mode);
    TF_REQUIRE(err, is_filter(desc->mip_filter_mode), CL_INVALID_VALUE,
               "filter mode 0x%x of mip levels", desc->mip_filter_mode);
    TF_REQUIRE(err, desc->lod_min <= desc->lod_max, CL_INVALID_VALUE,
               "levels of detail from %g to %g", (double)desc->lod_min,
               (double)desc->lod_max);
    // A repeating address needs to know where the image ends: normalized coordinates.
    TF_REQUIRE(err,
               desc->normalized_coords ||
                   (desc->addressing_mode != CL_ADDRESS_REPEAT &&
                    desc->addressing_mode != CL_ADDRESS_MIRRORED_REPEAT),
               CL_INVALID_VALUE, "repeat modes need normalized coordinates");
    return CL_SUCCESS;
}

static void put_property(struct tf_sampler_desc *desc, cl_sampler_properties name,
                         uint32_t value)
{
    switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
        desc->normalized_coords = value;
        break;
    case CL_SAMPLER_ADDRESSING_MODE:
        desc->addressing_mode = value;
        break;
    case CL_SAMPLER_FILTER_MODE:
        desc->filter_mode = value;
        break;
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        desc->mip_filter_mode = value;
        break;
    case CL_SAMPLER_LOD_MIN_KHR: // the bits of a float
        memcpy(&desc->lod_min, &value, sizeof(value));
        break;
    default:
        memcpy(&desc->lod_max, &value, sizeof(value));
        break;
    }
}

// Sets the field that `name` stands for; `seen` has a bit for each name met so far.
static cl_int set_property(struct tf_err *err, struct tf_sampler_desc *desc,
                           cl_sampler_properties name, cl_sampler_properties value,
                           unsigned *seen)
{
    unsigned bit;

    TF_REQUIRE(err,
               name >= CL_SAMPLER_NORMALIZED_COORDS && name <= CL_SAMPLER_LOD_MAX_KHR,
               CL_INVALID_VALUE, "sampler property 0x%llx", (unsigned long long)name);
    bit = 1u << (name - CL_SAMPLER_NORMALIZED_COORDS);
    TF_REQUIRE(err, !(*seen & bit), CL_INVALID_VALUE, "sampler property 0x%llx twice",
               (unsigned long long)name);
    TF_REQUIRE(err, value <= UINT32_MAX, CL_INVALID_VALUE,
               "sampler property value 0x%llx", (unsigned long long)value);
    *seen |= bit;
    put_property(desc, name, (uint32_t)value);
    return CL_SUCCESS;
}

cl_int tf_sampler_parse(struct tf_err *err, const cl_sampler_properties *list,
                        struct tf_sampler_desc *out)
{
    unsigned seen = 0;
    size_t n = 0;

    *out = (struct tf_sampler_desc){
        .normalized_coords = CL_TRUE,
        .addressing_mode = CL_ADDRESS_CLAMP,
        .filter_mode = CL_FILTER_NEAREST,
    };
    tf_sampler_default_levels(out);
    if (!list)
        return CL_SUCCESS;
    for (; list[n]; n += 2)
        if (set_property(err, out, list[n], list[n + 1], &seen))
            return err->code;
    out->property_count = n + 1;
    memcpy(out->properties, list, out->property_count * sizeof(*list));
    return CL_SUCCESS;
}

cl_int tf_sampler_create(struct tf_err *err, cl_context ctx,
                         const struct tf_sampler_desc *desc, cl_sampler *out)
{
    cl_sampler sampler = tf_object_new(&tf_class_sampler, ctx, 0);

    if (!sampler)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sampler");
    sampler->desc = *desc;
    *out = tf_give_user(sampler);
    return CL_SUCCESS;
}

cl_int tf_sampler_get_info(struct tf_err *err, cl_sampler sampler, cl_sampler_info param,
                           size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const struct tf_sampler_desc *d = &sampler->desc;

    switch (param) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(sampler));
    case CL_SAMPLER_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, sampler->obj.ctx);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return tf_info_scalar(err, &info, cl_bool, d->normalized_coords);
    case CL_SAMPLER_ADDRESSING_MODE:
        return tf_info_scalar(err, &info, cl_addressing_mode, d->addressing_mode);
    case CL_SAMPLER_FILTER_MODE:
        return tf_info_scalar(err, &info, cl_filter_mode, d->filter_mode);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        return tf_info_scalar(err, &info, cl_filter_mode, d->mip_filter_mode);
    case CL_SAMPLER_LOD_MIN_KHR:
        return tf_info_scalar(err, &info, cl_float, d->lod_min);
    case CL_SAMPLER_LOD_MAX_KHR:
        return tf_info_scalar(err, &info, cl_float, d->lod_max);
    case CL_SAMPLER_PROPERTIES:
        return tf_info_value(err, &info, d->properties,
                             d->property_count * sizeof(d->properties[0]));
    default:
        return tf_fail(err, CL_INVALID_VALUE, "sampler info 0x%x", param);
    }
}
