// SPDX-License-Identifier: MIT
// Intel's sub-groups: pairs of values, and where the elements of blocks lie.
#ifndef TF_BUILTINS_LIB_SUB_GROUP_BLOCK_H
#define TF_BUILTINS_LIB_SUB_GROUP_BLOCK_H

// Of twice as many values as a sub-group has work-items, the one with the number `from`.
// The root takes numbers modulo the work-items.
#define TFL_SG_SHUFFLE_PAIR(type, first, second, from)                              \
    tfl_pick(TFL_SG_SHUFFLE(type, first, from), TFL_SG_SHUFFLE(type, second, from), \
             (from) < __tf_sub_group_width())

#define TFL_PICK(type)                                                 \
    TF_HELPER type tfl_pick(type first, type second, bool takes_first) \
    {                                                                  \
        return takes_first ? first : second;                           \
    }
TFL_PICK(char)
TFL_PICK(uchar)
TFL_PICK(short)
TFL_PICK(ushort)
TFL_PICK(int)
TFL_PICK(uint)
TFL_PICK(long)
TFL_PICK(ulong)
TFL_PICK(half)
TFL_PICK(float)
TFL_PICK(double)

// Element `i` of this work-item.
TF_HELPER ulong tfl_block_at(uint i)
{
    return (ulong)(i * __tf_sub_group_width() + __tf_sub_group_lane());
}

#endif // TF_BUILTINS_LIB_SUB_GROUP_BLOCK_H
