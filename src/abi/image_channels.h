// SPDX-License-Identifier: MIT
// The one table of image formats: which channels a pixel of each order has, what the bits
// of each type are, and which orders go with which types. What the host writes
// (core/memory/image_format) and what kernels are told (image_descriptor) comes from it.
#ifndef TF_ABI_IMAGE_CHANNELS_H
#define TF_ABI_IMAGE_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

enum { TF_IMAGE_ORDERS = CL_ABGR - CL_R + 1 };
enum { TF_IMAGE_TYPES = CL_UNORM_INT_101010_2 - CL_SNORM_INT8 + 1 };

enum tf_image_number {
    TF_NUMBER_SNORM,
    TF_NUMBER_UNORM,
    TF_NUMBER_SIGNED,
    TF_NUMBER_UNSIGNED,
    TF_NUMBER_HALF,
    TF_NUMBER_FLOAT,
};

struct tf_image_order {
    const char *name;
    // Of the pixel, in their order in memory, as components of a color: r g b a; i is all
    // of them, l is r, g and b, and x means nothing.
    const char *channels;
    uint32_t types; // that it goes with: bit i is that of CL_SNORM_INT8 + i
    bool is_srgb;
};

struct tf_image_type {
    const char *name;
    unsigned char
        bytes; // of a channel, or of the whole pixel where channels share a word
    unsigned char number; // enum tf_image_number
    unsigned char
        packed_bits[4]; // of the channels in such a word, from its top; or zeros
};

// NULL: there is none of that number, or nothing that we know of.
const struct tf_image_order *tf_image_order_of(uint32_t order);
const struct tf_image_type *tf_image_type_of(uint32_t type);

// Whether the specification lets the two go together.
bool tf_image_order_has(uint32_t order, uint32_t type);

// Which channel of the pixel component `c` (0 to 3) is, by its place in memory; -1: the
// order lacks it.
int tf_image_channel_of(const struct tf_image_order *order, int c);

#endif // TF_ABI_IMAGE_CHANNELS_H
