// SPDX-License-Identifier: MIT
// Collective functions of a work-group: every work-item puts its value into local memory,
// the first one combines them in the order of the linear local ids, all read the result.
#ifndef TF_BUILTINS_LIB_COLLECTIVE_H
#define TF_BUILTINS_LIB_COLLECTIVE_H

#define TFL_ADD(a, b) ((a) + (b))
#define TFL_MUL(a, b) ((a) * (b))
#define TFL_MIN(a, b) ((b) < (a) ? (b) : (a))
#define TFL_MAX(a, b) ((a) < (b) ? (b) : (a))
#define TFL_AND(a, b) ((a) & (b))
#define TFL_OR(a, b) ((a) | (b))
#define TFL_XOR(a, b) ((a) ^ (b))
#define TFL_LOGICAL_AND(a, b) ((a) && (b))
#define TFL_LOGICAL_OR(a, b) ((a) || (b))
#define TFL_LOGICAL_XOR(a, b) (!(a) != !(b))

#define TFL_BARRIER() tf_barrier(CLK_LOCAL_MEM_FENCE)

TF_HELPER size_t tfl_group_items(void)
{
    const __private struct tf_group *group = __tf_group();

    return group->local_size[0] * group->local_size[1] * group->local_size[2];
}

// The last barrier lets nobody write for the next call while somebody still reads.
#define TFL_REDUCE(type, x, op)                                           \
    ({                                                                    \
        __local type *slots = (__local type *)__tf_group_scratch();       \
        size_t id = tf_get_local_linear_id();                             \
        slots[id] = (x);                                                  \
        TFL_BARRIER();                                                    \
        if (id == 0) {                                                    \
            type all = slots[0];                                          \
            for (size_t i = 1, count = tfl_group_items(); i < count; i++) \
                all = op(all, slots[i]);                                  \
            slots[0] = all;                                               \
        }                                                                 \
        TFL_BARRIER();                                                    \
        type result = slots[0];                                           \
        TFL_BARRIER();                                                    \
        result;                                                           \
    })

// `inclusive` is a constant. The first item of an exclusive scan gets `identity`.
#define TFL_SCAN(type, x, op, identity, inclusive)                          \
    ({                                                                      \
        __local type *slots = (__local type *)__tf_group_scratch();         \
        size_t id = tf_get_local_linear_id();                               \
        slots[id] = (x);                                                    \
        TFL_BARRIER();                                                      \
        if (id == 0) {                                                      \
            type all = slots[0];                                            \
            if (!(inclusive))                                               \
                slots[0] = (identity);                                      \
            for (size_t i = 1, count = tfl_group_items(); i < count; i++) { \
                type before = all;                                          \
                all = op(all, slots[i]);                                    \
                slots[i] = (inclusive) ? all : before;                      \
            }                                                               \
        }                                                                   \
        TFL_BARRIER();                                                      \
        type result = slots[id];                                            \
        TFL_BARRIER();                                                      \
        result;                                                             \
    })

// The value of the one item for which `chosen` holds.
#define TFL_BROADCAST(type, x, chosen)                              \
    ({                                                              \
        __local type *slots = (__local type *)__tf_group_scratch(); \
        if (chosen)                                                 \
            slots[0] = (x);                                         \
        TFL_BARRIER();                                              \
        type result = slots[0];                                     \
        TFL_BARRIER();                                              \
        result;                                                     \
    })

// What each operation starts from.
#define TFL_IDENTITY_ADD(type) ((type)0)
#define TFL_IDENTITY_MUL(type) ((type)1)
#define TFL_IDENTITY_MIN(type) TFL_HIGHEST_##type
#define TFL_IDENTITY_MAX(type) TFL_LOWEST_##type
#define TFL_IDENTITY_AND(type) ((type)-1)
#define TFL_IDENTITY_OR(type) ((type)0)
#define TFL_IDENTITY_XOR(type) ((type)0)
#define TFL_IDENTITY_LOGICAL_AND(type) ((type)1)
#define TFL_IDENTITY_LOGICAL_OR(type) ((type)0)
#define TFL_IDENTITY_LOGICAL_XOR(type) ((type)0)
#define TFL_HIGHEST_int TF_MAX_int
#define TFL_HIGHEST_uint TF_MAX_uint
#define TFL_HIGHEST_long TF_MAX_long
#define TFL_HIGHEST_ulong TF_MAX_ulong
#define TFL_HIGHEST_half ((half)TF_INF)
#define TFL_HIGHEST_float TF_INF
#define TFL_HIGHEST_double ((double)TF_INF)
#define TFL_LOWEST_int TF_MIN_int
#define TFL_LOWEST_uint TF_MIN_uint
#define TFL_LOWEST_long TF_MIN_long
#define TFL_LOWEST_ulong TF_MIN_ulong
#define TFL_LOWEST_half ((half)-TF_INF)
#define TFL_LOWEST_float (-TF_INF)
#define TFL_LOWEST_double ((double)-TF_INF)

#endif // TF_BUILTINS_LIB_COLLECTIVE_H
