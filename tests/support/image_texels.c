// SPDX-License-Identifier: MIT
#include "support/image_texels.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <check.h>

#include "core/memory/image_format.h"

uint32_t test_random_state = 1;

struct test_span test_span_open(size_t pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct test_span span = {.count = pages * page};
    char *const all =
        mmap(NULL, span.count + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(all, MAP_FAILED);
    span.bytes = (unsigned char *)all + page;
    ck_assert_int_eq(mprotect(span.bytes, span.count, PROT_READ | PROT_WRITE), 0);
    return span;
}

uint32_t test_draw(void)
{
    test_random_state = test_random_state * 1664525 + 1013904223;
    return test_random_state >> 8;
}

void test_image_fill(const struct reference_image *image, size_t bytes)
{
    const cl_channel_type type = image->format.image_channel_data_type;

    for (size_t i = 0; i < bytes; i++)
        image->pixels[i] = (unsigned char)test_draw();
    for (size_t i = 0; type == CL_HALF_FLOAT && i + 2 <= bytes; i += 2)
        image->pixels[i + 1] &= 0xbb; // exponents below 31
    for (size_t i = 0; type == CL_FLOAT && i + 4 <= bytes; i += 4) {
        const float x = ((float)test_draw() - 0x1p23f) * 0x1p-20f;

        memcpy(image->pixels + i, &x, sizeof x);
    }
}

struct tf_image_desc test_image_describe(const struct reference_image *image)
{
    struct tf_image_desc desc = {
        .data = (uint64_t)(uintptr_t)image->pixels,
        .row_pitch_bytes = image->row_pitch_bytes,
        .slice_pitch_bytes = image->slice_pitch_bytes,
        .width = (uint32_t)image->size[0],
        .height = (uint32_t)image->size[1],
        .depth = (uint32_t)image->size[2],
        .array_size = image->layers ? (uint32_t)image->layers : 1,
        .mip_levels = 1,
        .samples = 1,
    };

    ck_assert(tf_image_desc_set_format(&desc, image->format.image_channel_order,
                                       image->format.image_channel_data_type,
                                       (uint32_t)tf_image_format_bytes(&image->format)));
    return desc;
}

uint64_t test_sampler_bits(const struct reference_sampler *s,
                           const struct reference_mip *mip)
{
    const uint32_t address =
        s->address == CL_ADDRESS_CLAMP             ? TF_SAMPLER_ADDRESS_CLAMP
        : s->address == CL_ADDRESS_CLAMP_TO_EDGE   ? TF_SAMPLER_ADDRESS_CLAMP_TO_EDGE
        : s->address == CL_ADDRESS_REPEAT          ? TF_SAMPLER_ADDRESS_REPEAT
        : s->address == CL_ADDRESS_MIRRORED_REPEAT ? TF_SAMPLER_ADDRESS_MIRRORED_REPEAT
                                                   : TF_SAMPLER_ADDRESS_NONE;

    return address | (s->normalized ? TF_SAMPLER_NORMALIZED : 0) |
           (s->linear ? TF_SAMPLER_FILTER_LINEAR : TF_SAMPLER_FILTER_NEAREST) |
           (mip && mip->linear ? TF_SAMPLER_MIP_LINEAR : 0) |
           (mip ? tf_sampler_lod_bits(mip->lod_min, mip->lod_max) : 0);
}
