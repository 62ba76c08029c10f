// SPDX-License-Identifier: MIT
// What a kernel knows of an image and of a sampler. Shared by core, which fills it, and
// the built-ins library (OpenCL C), whose functions read it.
//
// A descriptor lies by value in the argument block; in a kernel an image is its address.
// A pixel is up to four 32-bit words, little endian. Each channel of a color (r, g, b, a)
// says where its bits are and what they become, so that all formats go one way:
//     number = ((word >> shift & mask) ^ sign) + bias
// which for a channel that the format lacks is the constant that stands for it, and then
//     TF_IMAGE_INTEGER  that is the result
//     TF_IMAGE_NORM     max(-1, number * scale): within 1 ulp, and exact at both ends
//     TF_IMAGE_SRGB     by a table instead
//     TF_IMAGE_HALF     number is a half's bits
//     TF_IMAGE_FLOAT    a float's
// A write goes the same way back, into the channels whose write_mask is not 0. An
// unsigned normalized number may stay in its place in the word: then shift is 0, and
// scale makes up for that.
#ifndef TF_ABI_IMAGE_DESCRIPTOR_H
#define TF_ABI_IMAGE_DESCRIPTOR_H

#ifdef __OPENCL_C_VERSION__
typedef ulong tf_image_u64;
typedef long tf_image_i64;
typedef uint tf_image_u32;
typedef int tf_image_i32;
typedef global uchar *tf_image_address;
#else
#include <stdbool.h>
#include <stdint.h>
typedef uint64_t tf_image_u64;
typedef int64_t tf_image_i64;
typedef uint32_t tf_image_u32;
typedef int32_t tf_image_i32;
typedef uint64_t tf_image_address; // as the device has it
#endif

// What the bits of a channel are.
#define TF_IMAGE_INTEGER 0u
#define TF_IMAGE_NORM 1u
#define TF_IMAGE_SRGB 2u // r, g, b by the sRGB curve, a as TF_IMAGE_NORM; 8 bits
#define TF_IMAGE_HALF 3u
#define TF_IMAGE_FLOAT 4u

// Extents are 1 where the kind has none; array_size is 1 where it is no array. A pixel
// lies at data + x * pixel_bytes + y * row_pitch_bytes + (z or layer) *
// slice_pitch_bytes: layers of a 1D array are slices, too.
struct tf_image_desc {
    tf_image_address data; // the first pixel, of level 0
    tf_image_u64 row_pitch_bytes;
    tf_image_u64 slice_pitch_bytes;
    tf_image_u32 width, height, depth; // in pixels
    tf_image_u32 array_size;           // layers
    tf_image_u32 pixel_bytes;          // 1, 2, 4, 8, 16
    tf_image_u32 channel_order;        // as cl.h numbers them
    tf_image_u32 channel_type;
    tf_image_u32 mip_levels; // 1: no table of levels
    tf_image_u32 samples;    // 1

    // What follows is tf_image_desc_set_format()'s.
    tf_image_u32 kind;    // TF_IMAGE_INTEGER, ..
    tf_image_i32 int_low; // write_imagei saturates to int_low .. int_high,
    tf_image_i32 int_high;
    tf_image_u32 uint_high; // write_imageui to 0 .. uint_high
    float write_low;        // TF_IMAGE_NORM: the least number
    tf_image_u32 word[4];   // r, g, b, a: which word of the pixel
    tf_image_u32 shift[4];
    tf_image_u32 mask[4]; // 0: the format lacks it
    tf_image_u32 sign[4]; // the sign's bit, 0: unsigned
    tf_image_i32 bias[4];
    float scale[4];
    tf_image_u32 write_shift[4];
    tf_image_u32 write_mask[4]; // before the shift; 0: not written
    float write_scale[4];       // the number that 1.0 becomes, and the greatest
};

// From here on an image of the same format says the same, and variants of kernels take it
// for known.
#define TF_IMAGE_FIXED_FROM 40 // pixel_bytes

// Levels of mipmapped images: TF_IMAGE_LEVELS of these end where level 0 begins; level k
// is the k-th, whatever mip_levels is.
struct tf_image_level {
    tf_image_i64 offset_bytes; // from tf_image_desc.data
    tf_image_u64 row_pitch_bytes;
    tf_image_u64 slice_pitch_bytes;
    tf_image_u32 width, height, depth;
    tf_image_u32 unused[3];
};

#define TF_IMAGE_LEVELS 16u
#define TF_IMAGE_LEVELS_BYTES 768u // a multiple of 128

// A sampler: as Clang encodes literal ones (the CLK_ constants of lib/opencl-c-base.h).
// Those of mipmaps are 0 in literal ones.
#define TF_SAMPLER_NORMALIZED 0x1u
#define TF_SAMPLER_ADDRESS 0xeu // the mask
#define TF_SAMPLER_ADDRESS_NONE 0x0u
#define TF_SAMPLER_ADDRESS_CLAMP_TO_EDGE 0x2u
#define TF_SAMPLER_ADDRESS_CLAMP 0x4u
#define TF_SAMPLER_ADDRESS_REPEAT 0x6u
#define TF_SAMPLER_ADDRESS_MIRRORED_REPEAT 0x8u
#define TF_SAMPLER_FILTER 0x30u // the mask
#define TF_SAMPLER_FILTER_NEAREST 0x10u
#define TF_SAMPLER_FILTER_LINEAR 0x20u
#define TF_SAMPLER_MIP_LINEAR 0x40u // otherwise the nearest level
// Limits of the level of detail, in 2^-24, of 28 bits each: how much above 0, how much
// below the highest. A float from 1/2 to 16 is such a number.
#define TF_SAMPLER_LOD_MIN_SHIFT 8
#define TF_SAMPLER_LOD_MAX_SHIFT 36
#define TF_SAMPLER_LOD_UNIT 0x1p24f
#define TF_SAMPLER_LOD_HIGHEST 0xfffffffu

#ifndef __OPENCL_C_VERSION__
// Sets channel_order, channel_type, pixel_bytes and what follows `samples`. false, and no
// change, where order and type mean nothing together. Channels that only pad a pixel
// (CL_Rx) lie behind the others.
bool tf_image_desc_set_format(struct tf_image_desc *, uint32_t order, uint32_t type,
                              uint32_t pixel_bytes);

// The LOD limits of a sampler as the bits above; what cannot be said is clamped.
uint64_t tf_sampler_lod_bits(float lod_min, float lod_max);
#endif

#endif // TF_ABI_IMAGE_DESCRIPTOR_H
