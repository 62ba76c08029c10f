// SPDX-License-Identifier: MIT
// The loop of the async copies: element i = linear local id, + group size, ...
#ifndef TF_BUILTINS_LIB_ASYNC_H
#define TF_BUILTINS_LIB_ASYNC_H

#define TFL_COPY(i, count, assignment)                                          \
    do {                                                                        \
        const __private struct tf_group *group = __tf_group();                  \
        size_t step =                                                           \
            group->local_size[0] * group->local_size[1] * group->local_size[2]; \
                                                                                \
        for (size_t i = tf_get_local_linear_id(); i < (count); i += step)       \
            assignment;                                                         \
    } while (0)

// One element of `bytes` bytes, to and from these places past the offsets. The size is a
// constant in most programs.
#define TFL_COPY_AS(type, to_space, from_space)                                    \
    do {                                                                           \
        typedef type unaligned __attribute__((aligned(1)));                        \
                                                                                   \
        *(to_space unaligned *)to_byte = *(const from_space unaligned *)from_byte; \
    } while (0)

#define TFL_COPY_ELEMENT(to_space, from_space, to_at, from_at)                       \
    do {                                                                             \
        to_space char *to_byte = (to_space char *)to + (tooffset + (to_at)) * bytes; \
        const from_space char *from_byte =                                           \
            (const from_space char *)from + (fromoffset + (from_at)) * bytes;        \
                                                                                     \
        if (bytes == 1)                                                              \
            *to_byte = *from_byte;                                                   \
        else if (bytes == 2)                                                         \
            TFL_COPY_AS(ushort, to_space, from_space);                               \
        else if (bytes == 4)                                                         \
            TFL_COPY_AS(uint, to_space, from_space);                                 \
        else if (bytes == 8)                                                         \
            TFL_COPY_AS(ulong, to_space, from_space);                                \
        else                                                                         \
            for (size_t k = 0; k < bytes; k++)                                       \
                to_byte[k] = from_byte[k];                                           \
    } while (0)

// Elements of planes of lines. Each work-item finds its first one and its step by
// division and goes on by carrying.
#define TFL_COPY_PLANES(to_space, from_space, planes)                                \
    do {                                                                             \
        const __private struct tf_group *group = __tf_group();                       \
        size_t step =                                                                \
            group->local_size[0] * group->local_size[1] * group->local_size[2];      \
        size_t i = tf_get_local_linear_id();                                         \
                                                                                     \
        if (line == 0 || lines == 0)                                                 \
            break;                                                                   \
        size_t x = i % line, y = i / line % lines, z = i / line / lines;             \
        size_t dx = step % line, dy = step / line % lines, dz = step / line / lines; \
                                                                                     \
        while (z < (planes)) {                                                       \
            TFL_COPY_ELEMENT(to_space, from_space, z *toplane + y * toline + x,      \
                             z * fromplane + y * fromline + x);                      \
            x += dx;                                                                 \
            size_t carry = x >= line;                                                \
            x -= carry ? line : 0;                                                   \
            y += dy + carry;                                                         \
            carry = y >= lines;                                                      \
            y -= carry ? lines : 0;                                                  \
            z += dz + carry;                                                         \
        }                                                                            \
    } while (0)

#endif // TF_BUILTINS_LIB_ASYNC_H
