// SPDX-License-Identifier: MIT
#include "trefoil_run_image.h"

#include <stdio.h>
#include <string.h>

struct name {
    const char *name;
    unsigned value;
};

static const struct name kinds[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D},
    {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
    {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER},
    {"2d", CL_MEM_OBJECT_IMAGE2D},
    {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {"3d", CL_MEM_OBJECT_IMAGE3D},
    {0},
};
#define ORDER(name)      \
    {                    \
#name, CL_##name \
    }
static const struct name orders[] = {
    ORDER(R),         ORDER(A),         ORDER(RG),    ORDER(RA),   ORDER(RGB),
    ORDER(RGBA),      ORDER(BGRA),      ORDER(ARGB),  ORDER(ABGR), ORDER(sRGBA),
    ORDER(INTENSITY), ORDER(LUMINANCE), ORDER(DEPTH), {0}};
static const struct name types[] = {ORDER(SNORM_INT8),
                                    ORDER(SNORM_INT16),
                                    ORDER(UNORM_INT8),
                                    ORDER(UNORM_INT16),
                                    ORDER(UNORM_SHORT_565),
                                    ORDER(UNORM_SHORT_555),
                                    ORDER(UNORM_INT_101010),
                                    ORDER(SIGNED_INT8),
                                    ORDER(SIGNED_INT16),
                                    ORDER(SIGNED_INT32),
                                    ORDER(UNSIGNED_INT8),
                                    ORDER(UNSIGNED_INT16),
                                    ORDER(UNSIGNED_INT32),
                                    ORDER(HALF_FLOAT),
                                    ORDER(FLOAT),
                                    {0}};
static const struct name addresses[] = {{"none", CL_ADDRESS_NONE},
                                        {"edge", CL_ADDRESS_CLAMP_TO_EDGE},
                                        {"clamp", CL_ADDRESS_CLAMP},
                                        {"repeat", CL_ADDRESS_REPEAT},
                                        {"mirrored", CL_ADDRESS_MIRRORED_REPEAT},
                                        {0}};

static bool take_name(struct cursor *c, const struct name *names, unsigned *value)
{
    char word[RUN_NAME_BYTES];

    if (!cursor_word(c, word))
        return false;
    for (; names->name; names++)
        if (!strcmp(names->name, word)) {
            *value = names->value;
            return true;
        }
    return cursor_fail(c, "%s is no kind, order, type or address mode", word);
}

bool run_image_parse(struct cursor *c, struct run_image *image)
{
    char size[RUN_NAME_BYTES];
    int numbers;

    if (!take_name(c, kinds, &image->kind) || !take_name(c, orders, &image->order) ||
        !take_name(c, types, &image->type) || !cursor_word(c, size))
        return false;
    image->size[0] = image->size[1] = image->size[2] = 1;
    numbers =
        sscanf(size, "%zux%zux%zu", &image->size[0], &image->size[1], &image->size[2]);
    return numbers > 0 || cursor_fail(c, "%s is no size of an image", size);
}

bool run_sampler_parse(struct cursor *c, struct run_sampler *sampler)
{
    if (!take_name(c, addresses, &sampler->address))
        return false;
    sampler->linear = cursor_accept_word(c, "linear");
    sampler->normalized = cursor_accept_word(c, "normalized");
    return cursor_at_end(c) || cursor_fail(c, "text after the sampler");
}

cl_mem run_image_create(cl_context context, const struct run_image *image, void *content,
                        size_t bytes, cl_int *code)
{
    const cl_image_format format = {image->order, image->type};
    const bool is_buffer = image->kind == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_image_desc desc = {.image_type = image->kind,
                          .image_width = image->size[0],
                          .image_height = image->size[1],
                          .image_depth = image->size[2],
                          .image_array_size = image->kind == CL_MEM_OBJECT_IMAGE1D_ARRAY
                                                  ? image->size[1]
                                                  : image->size[2]};
    cl_mem buffer = NULL, made;

    if (is_buffer) {
        buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, content, code);
        if (!buffer)
            return NULL;
        desc.mem_object = buffer;
    }
    made = clCreateImage(context, is_buffer ? 0 : CL_MEM_COPY_HOST_PTR, &format, &desc,
                         is_buffer ? NULL : content, code);
    if (buffer)
        clReleaseMemObject(buffer); // the image holds it
    return made;
}

cl_int run_image_read(cl_command_queue queue, cl_mem mem, const struct run_image *image,
                      void *content)
{
    const size_t origin[3] = {0};

    return clEnqueueReadImage(queue, mem, CL_TRUE, origin, image->size, 0, 0, content, 0,
                              NULL, NULL);
}

cl_sampler run_sampler_create(cl_context context, const struct run_sampler *sampler,
                              cl_int *code)
{
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                sampler->normalized,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                sampler->address,
                                                CL_SAMPLER_FILTER_MODE,
                                                sampler->linear ? CL_FILTER_LINEAR
                                                                : CL_FILTER_NEAREST,
                                                0};

    return clCreateSamplerWithProperties(context, properties, code);
}
