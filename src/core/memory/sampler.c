// SPDX-License-Identifier: MIT
#include "core/memory/sampler.h"

#include <string.h>

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

cl_int tf_sampler_check(struct tf_err *err, const struct tf_sampler_desc *desc)
{
    TF_REQUIRE(err,
               desc->normalized_coords == CL_TRUE || desc->normalized_coords == CL_FALSE,
               CL_INVALID_VALUE, "normalized_coords is %u", desc->normalized_coords);
    TF_REQUIRE(err,
               desc->addressing_mode >= CL_ADDRESS_NONE &&
                   desc->addressing_mode <= CL_ADDRESS_MIRRORED_REPEAT,
               CL_INVALID_VALUE, "addressing mode 0x%x", desc->addressing_mode);
    TF_REQUIRE(err,
               desc->filter_mode == CL_FILTER_NEAREST ||
                   desc->filter_mode == CL_FILTER_LINEAR,
               CL_INVALID_VALUE, "filter mode 0x%x", desc->filter_mode);
    // A repeating address needs to know where the image ends: normalized coordinates.
    TF_REQUIRE(err,
               desc->normalized_coords ||
                   (desc->addressing_mode != CL_ADDRESS_REPEAT &&
                    desc->addressing_mode != CL_ADDRESS_MIRRORED_REPEAT),
               CL_INVALID_VALUE, "repeat modes need normalized coordinates");
    return CL_SUCCESS;
}

// Sets the field that `name` stands for; `seen` has a bit for each name met so far.
static cl_int set_property(struct tf_err *err, struct tf_sampler_desc *desc,
                           cl_sampler_properties name, cl_sampler_properties value,
                           unsigned *seen)
{
    unsigned bit;

    TF_REQUIRE(err,
               name >= CL_SAMPLER_NORMALIZED_COORDS && name <= CL_SAMPLER_FILTER_MODE,
               CL_INVALID_VALUE, "sampler property 0x%llx", (unsigned long long)name);
    bit = 1u << (name - CL_SAMPLER_NORMALIZED_COORDS);
    TF_REQUIRE(err, !(*seen & bit), CL_INVALID_VALUE, "sampler property 0x%llx twice",
               (unsigned long long)name);
    TF_REQUIRE(err, value <= UINT32_MAX, CL_INVALID_VALUE,
               "sampler property value 0x%llx", (unsigned long long)value);
    *seen |= bit;
    if (name == CL_SAMPLER_NORMALIZED_COORDS)
        desc->normalized_coords = (cl_bool)value;
    else if (name == CL_SAMPLER_ADDRESSING_MODE)
        desc->addressing_mode = (cl_addressing_mode)value;
    else
        desc->filter_mode = (cl_filter_mode)value;
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
    case CL_SAMPLER_PROPERTIES:
        return tf_info_value(err, &info, d->properties,
                             d->property_count * sizeof(d->properties[0]));
    default:
        return tf_fail(err, CL_INVALID_VALUE, "sampler info 0x%x", param);
    }
}
