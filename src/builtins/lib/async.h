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

#endif // TF_BUILTINS_LIB_ASYNC_H
