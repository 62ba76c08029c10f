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

// One element of `bytes` bytes, to and from these places past the offsets.
#define TFL_COPY_ELEMENT(to_space, from_space, to_at, from_at)                       \
    do {                                                                             \
        to_space char *to_byte = (to_space char *)to + (tooffset + (to_at)) * bytes; \
        const from_space char *from_byte =                                           \
            (const from_space char *)from + (fromoffset + (from_at)) * bytes;        \
                                                                                     \
        for (size_t k = 0; k < bytes; k++)                                           \
            to_byte[k] = from_byte[k];                                               \
    } while (0)

#endif // TF_BUILTINS_LIB_ASYNC_H
