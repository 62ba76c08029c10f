// SPDX-License-Identifier: MIT
// Collective functions of a work-group: values, or what each sub-group makes of those of
// its work-items, meet in local memory, where the first sub-group combines them. The size
// of a sub-group is fixed, so reals are added in a fixed order.
#ifndef TF_BUILTINS_LIB_COLLECTIVE_H
#define TF_BUILTINS_LIB_COLLECTIVE_H

#define TFL_ADD(a, b) ((a) + (b))
#define TFL_MUL(a, b) ((a) * (b))
#define TFL_MIN(a, b) ((b) < (a) ? (b) : (a))
#define TFL_MAX(a, b) ((a) < (b) ? (b) : (a))
#define TFL_AND(a, b) ((a) & (b))
#define TFL_OR(a, b) ((a) | (b))
#define TFL_XOR(a, b) ((a) ^ (b))

#define TFL_BARRIER() tf_barrier(CLK_LOCAL_MEM_FENCE)

// One for each sub-group; one for each work-item.
#define TFL_SLOTS(type) ((__local type *)__tf_group_scratch(0))
#define TFL_ITEM_SLOTS(type) ((__local type *)__tf_group_scratch(sizeof(type)))

// The first sub-group, which is a whole one unless it is alone, puts in the place of each
// sub-group's value what those before it make together, and into `sum` what all make.
#define TFL_COMBINE(type, slots, sum, op)                                  \
    do {                                                                   \
        uint width = __tf_sub_group_width(), lane = __tf_sub_group_lane(); \
        uint count = tfl_sub_groups(tfl_items(__tf_group()->local_size));  \
        sum = TFL_IDENTITY_##op(type);                                     \
        for (uint at = 0; at < count; at += width) {                       \
            type one = TFL_IDENTITY_##op(type);                            \
            if (at + lane < count)                                         \
                one = (slots)[at + lane];                                  \
            type before = TFL_SG_EXCLUSIVE(type, one, op);                 \
            if (at + lane < count)                                         \
                (slots)[at + lane] = TFL_##op(sum, before);                \
            sum = TFL_##op(sum, TFL_SG_REDUCE(type, one, op));             \
        }                                                                  \
    } while (0)

// What all make together, in the first sub-group: each of its work-items combines the
// values that stand whole sub-groups apart from its own, and all of it what these make.
// So a gang of lanes is folded once a group. Indices have a sign, which tells that they
// do not wrap.
#define TFL_COMBINE_ALL(type, slots, op)                            \
    ({                                                              \
        const int width = (int)__tf_sub_group_width();              \
        const int items = (int)tfl_items(__tf_group()->local_size); \
        const int lane = (int)__tf_sub_group_lane();                \
        int at = width;                                             \
        type sum = (slots)[lane];                                   \
        for (; at + width <= items; at += width)                    \
            sum = TFL_##op(sum, (slots)[at + lane]);                \
        if (at < items) {                                           \
            if (at + lane < items)                                  \
                sum = TFL_##op(sum, (slots)[at + lane]);            \
        }                                                           \
        TFL_SG_REDUCE(type, sum, op);                               \
    })

// The last barrier lets nobody write for the next call while somebody still reads.
#define TFL_REDUCE(type, x, op)                                         \
    ({                                                                  \
        __local type *slots = TFL_ITEM_SLOTS(type);                     \
        const int number = (int)__tf_sub_group_id();                    \
        const int lane = (int)__tf_sub_group_lane();                    \
        slots[number * (int)__tf_sub_group_width() + lane] = (type)(x); \
        TFL_BARRIER();                                                  \
        if (number == 0) {                                              \
            type all = TFL_COMBINE_ALL(type, slots, op);                \
            if (lane == 0)                                              \
                slots[0] = all;                                         \
        }                                                               \
        TFL_BARRIER();                                                  \
        type result = slots[0];                                         \
        TFL_BARRIER();                                                  \
        result;                                                         \
    })

// `inclusive` is a constant. The last work-item of a sub-group has what all of it make.
#define TFL_SCAN(type, x, op, inclusive)                                    \
    ({                                                                      \
        __local type *slots = TFL_SLOTS(type);                              \
        type value = (x), upto = TFL_SG_INCLUSIVE(type, value, op), sum;    \
        type mine = (inclusive) ? upto : TFL_SG_EXCLUSIVE(type, value, op); \
        const uint number = __tf_sub_group_id();                            \
        if (__tf_sub_group_lane() == tfl_sub_group_items() - 1)             \
            slots[number] = upto;                                           \
        TFL_BARRIER();                                                      \
        if (number == 0)                                                    \
            TFL_COMBINE(type, slots, sum, op);                              \
        TFL_BARRIER();                                                      \
        type before = slots[number];                                        \
        TFL_BARRIER();                                                      \
        TFL_##op(before, mine);                                             \
    })

// The value of the one item for which `chosen` holds.
#define TFL_BROADCAST(type, x, chosen)         \
    ({                                         \
        __local type *slots = TFL_SLOTS(type); \
        if (chosen)                            \
            slots[0] = (x);                    \
        TFL_BARRIER();                         \
        type result = slots[0];                \
        TFL_BARRIER();                         \
        result;                                \
    })

// What each operation starts from.
#define TFL_IDENTITY_ADD(type) ((type)0)
#define TFL_IDENTITY_MUL(type) ((type)1)
#define TFL_IDENTITY_MIN(type) TFL_HIGHEST_##type
#define TFL_IDENTITY_MAX(type) TFL_LOWEST_##type
#define TFL_IDENTITY_AND(type) ((type)-1)
#define TFL_IDENTITY_OR(type) ((type)0)
#define TFL_IDENTITY_XOR(type) ((type)0)
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
