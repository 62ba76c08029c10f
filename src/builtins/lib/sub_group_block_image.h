// SPDX-License-Identifier: MIT
// Blocks in images: rows of bytes, in which the work-items of a sub-group have elements
// side by side. Beyond the edges the element at the edge is read and nothing is written;
// of an element that the image ends in only the bytes inside are touched.
#ifndef TF_BUILTINS_LIB_SUB_GROUP_BLOCK_IMAGE_H
#define TF_BUILTINS_LIB_SUB_GROUP_BLOCK_IMAGE_H

// A row's bytes, and where in it the element of this work-item is.
struct tfl_block {
    tfl_bytes row;
    long at, bytes;
};

TF_HELPER struct tfl_block tfl_block_of(tfl_image i, int2 at, int y, long element_bytes)
{
    return (struct tfl_block){i->data + (long)y * (long)i->row_pitch_bytes,
                              at.x + (long)__tf_sub_group_lane() * element_bytes,
                              (long)i->width * (long)i->pixel_bytes};
}

#define TFL_BLOCK_OF_IMAGE(type)                                                         \
    typedef type tfl_loose_##type __attribute__((aligned(1)));                           \
    TF_HELPER type tfl_block_read_##type(tfl_image i, int2 at, int k)                    \
    {                                                                                    \
        const int y = tfl_between(at.y + k, 0, (int)i->height - 1);                      \
        struct tfl_block b = tfl_block_of(i, at, y, sizeof(type));                       \
        const long last = (b.bytes - 1) / (long)sizeof(type) * (long)sizeof(type);       \
        type x = 0;                                                                      \
                                                                                         \
        b.at = b.at < 0 ? 0 : b.at > last ? last : b.at;                                 \
        if (b.at + (long)sizeof(type) <= b.bytes)                                        \
            return *(const global tfl_loose_##type *)(b.row + b.at);                     \
        for (long n = 0; n < (long)sizeof(type) && b.at + n < b.bytes; n++)              \
            x |= (type)((type)b.row[b.at + n] << 8 * n);                                 \
        return x;                                                                        \
    }                                                                                    \
    TF_HELPER void tfl_block_write(tfl_image i, int2 at, int k, type x)                  \
    {                                                                                    \
        const struct tfl_block b = tfl_block_of(i, at, at.y + k, sizeof(type));          \
                                                                                         \
        if ((uint)(at.y + k) >= i->height || b.at < 0)                                   \
            return;                                                                      \
        if (b.at + (long)sizeof(type) <= b.bytes)                                        \
            *(global tfl_loose_##type *)(b.row + b.at) = x;                              \
        for (long n = 0; b.at + (long)sizeof(type) > b.bytes && b.at + n < b.bytes; n++) \
            b.row[b.at + n] = (uchar)(x >> 8 * n);                                       \
    }
TFL_BLOCK_OF_IMAGE(uchar)
TFL_BLOCK_OF_IMAGE(ushort)
TFL_BLOCK_OF_IMAGE(uint)
TFL_BLOCK_OF_IMAGE(ulong)

#endif // TF_BUILTINS_LIB_SUB_GROUP_BLOCK_IMAGE_H
