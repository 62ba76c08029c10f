// SPDX-License-Identifier: MIT
// Images for kernels that run without the OpenCL API: memory between pages without
// access, texels, descriptors and the bits of samplers.
#ifndef TF_TESTS_SUPPORT_IMAGE_TEXELS_H
#define TF_TESTS_SUPPORT_IMAGE_TEXELS_H

#include <stddef.h>
#include <stdint.h>

#include "abi/image_descriptor.h"
#include "support/image_reference.h"

// `pages` of memory, with a page without access before and behind them.
struct test_span {
    unsigned char *bytes;
    size_t count;
};
struct test_span test_span_open(size_t pages);

// 24 bits, the same in each run; the state may be set.
extern uint32_t test_random_state;
uint32_t test_draw(void);

// Numbers of the format's kind: any bits, but finite ones where they are floating-point.
void test_image_fill(const struct reference_image *image, size_t bytes);

// The descriptor of an image without mip levels.
struct tf_image_desc test_image_describe(const struct reference_image *image);

// `mip` may be NULL: the bits of a sampler without mip levels.
uint64_t test_sampler_bits(const struct reference_sampler *sampler,
                           const struct reference_mip *mip);

#endif // TF_TESTS_SUPPORT_IMAGE_TEXELS_H
