// SPDX-License-Identifier: MIT
// Sub-groups. Their roots, which the work-group former lowers for all lanes at once
// (compiler/workgroup/group/sub_group.h), and what is made of them. Work-items that do
// not come here with the others are never counted: every function is right in divergent
// control flow.
#ifndef TF_BUILTINS_LIB_SUB_GROUP_H
#define TF_BUILTINS_LIB_SUB_GROUP_H

// Work-items of a whole sub-group: a constant of the kernel.
uint TF_CONST __tf_sub_group_width(void);
// Of this sub-group in its group, and of this work-item in its sub-group.
uint TF_CONST TF_CONVERGENT __tf_sub_group_id(void);
uint TF_CONST TF_CONVERGENT __tf_sub_group_lane(void);
// Orders memory accesses of the sub-group's work-items; no fence.
void TF_CONVERGENT __tf_sub_group_barrier(void);
// A struct __tf_named_barrier for this call alone.
__local void *TF_CONVERGENT __tf_named_barrier(void);
// Bit i: work-item i is here, and its `predicate` is not 0.
ulong TF_CONST TF_CONVERGENT __tf_sub_group_ballot(int predicate);

// By type. `op` is a constant of enum tf_sub_group_combine.
//   broadcast  the value of one work-item; all that are here name the same one
//   shuffle    the value of the work-item `from`; only the low bits of `from` count
//   reduce     of all that are here
//   cluster    of those in the same cluster of `size`, a power of two
//   scan       of those with lower numbers, and oneself unless `exclusive`
#define TFL_ROOTS(type)                                                             \
    type TF_CONST TF_CONVERGENT __tf_sub_group_broadcast_##type(type x, uint from); \
    type TF_CONST TF_CONVERGENT __tf_sub_group_shuffle_##type(type x, uint from);   \
    type TF_CONST TF_CONVERGENT __tf_sub_group_reduce_##type(type x, uint op);      \
    type TF_CONST TF_CONVERGENT __tf_sub_group_cluster_##type(type x, uint op,      \
                                                              uint size);           \
    type TF_CONST TF_CONVERGENT __tf_sub_group_scan_##type(type x, uint op,         \
                                                           uint exclusive);
TFL_ROOTS(char)
TFL_ROOTS(short)
TFL_ROOTS(int)
TFL_ROOTS(long)
TFL_ROOTS(half)
TFL_ROOTS(float)
TFL_ROOTS(double)

// The type whose root serves a scalar type, and what it adds to the number of an
// operation.
#define TFL_ROOT_char char
#define TFL_ROOT_uchar char
#define TFL_ROOT_short short
#define TFL_ROOT_ushort short
#define TFL_ROOT_int int
#define TFL_ROOT_uint int
#define TFL_ROOT_long long
#define TFL_ROOT_ulong long
#define TFL_ROOT_half half
#define TFL_ROOT_float float
#define TFL_ROOT_double double
#define TFL_SIGN_char 0
#define TFL_SIGN_uchar TF_SUB_GROUP_UNSIGNED
#define TFL_SIGN_short 0
#define TFL_SIGN_ushort TF_SUB_GROUP_UNSIGNED
#define TFL_SIGN_int 0
#define TFL_SIGN_uint TF_SUB_GROUP_UNSIGNED
#define TFL_SIGN_long 0
#define TFL_SIGN_ulong TF_SUB_GROUP_UNSIGNED
#define TFL_SIGN_half 0
#define TFL_SIGN_float 0
#define TFL_SIGN_double 0

#define TFL_JOIN2(a, b) a##b
#define TFL_JOIN(a, b) TFL_JOIN2(a, b)
#define TFL_CALL(root, type, x, ...)                                 \
    TF_AS(type, TFL_JOIN(__tf_sub_group_##root##_, TFL_ROOT_##type)( \
                    TF_AS(TFL_ROOT_##type, (type)(x)), __VA_ARGS__))
#define TFL_OP(type, op) (TF_SUB_GROUP_##op + TFL_SIGN_##type)

#define TFL_SG_BROADCAST(type, x, from) TFL_CALL(broadcast, type, x, from)
#define TFL_SG_SHUFFLE(type, x, from) TFL_CALL(shuffle, type, x, from)
#define TFL_SG_REDUCE(type, x, op) TFL_CALL(reduce, type, x, TFL_OP(type, op))
#define TFL_SG_CLUSTER(type, x, op, size) \
    TFL_CALL(cluster, type, x, TFL_OP(type, op), size)
#define TFL_SG_INCLUSIVE(type, x, op) TFL_CALL(scan, type, x, TFL_OP(type, op), 0)
#define TFL_SG_EXCLUSIVE(type, x, op) TFL_CALL(scan, type, x, TFL_OP(type, op), 1)

TF_HELPER uint tfl_items(const __private ulong *size)
{
    return (uint)(size[0] * size[1] * size[2]);
}

TF_HELPER uint tfl_sub_groups(uint items)
{
    return (items + __tf_sub_group_width() - 1) / __tf_sub_group_width();
}

TF_HELPER uint tfl_sub_group_items(void)
{
    uint width = __tf_sub_group_width();
    uint left = tfl_items(__tf_group()->local_size) - __tf_sub_group_id() * width;

    return left < width ? left : width;
}

// ---- masks: one bit a work-item, in the first 64 bits of a uint4

// Bits of the numbers that work-items of a sub-group may have.
TF_HELPER ulong tfl_all_bits(void)
{
    return ~0ul >> (64 - __tf_sub_group_width());
}

TF_HELPER uint4 tfl_mask(ulong bits)
{
    return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0);
}

TF_HELPER ulong tfl_bits(uint4 mask)
{
    return ((ulong)mask.y << 32 | mask.x) & tfl_all_bits();
}

TF_HELPER uint tfl_count(ulong bits)
{
    return (uint)__builtin_popcountl(bits);
}

TF_HELPER ulong tfl_bits_below(void)
{
    return (1ul << __tf_sub_group_lane()) - 1;
}

// The lowest number of the work-items that are here.
TF_HELPER uint tfl_first(void)
{
    return (uint)__builtin_ctzl(__tf_sub_group_ballot(1));
}

#endif // TF_BUILTINS_LIB_SUB_GROUP_H
