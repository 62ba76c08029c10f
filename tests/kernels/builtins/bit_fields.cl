// SPDX-License-Identifier: MIT
// cl_khr_extended_bit_ops: every offset and count, in each size of element.
// SKIP: unless extension cl_khr_extended_bit_ops
// BUILD: options="-DT=char -DU=uchar -DB=8"
// RUN: fields global=81
// ARG: ok int[81] = 0
// EXPECT: ok = i / 9 + i % 9 <= 8 ? 63 : 64
// BUILD: options="-DT=short -DU=ushort -DB=16"
// RUN: fields global=289
// ARG: ok int[289] = 0
// EXPECT: ok = i / 17 + i % 17 <= 16 ? 63 : 64
// BUILD: options="-DT=int -DU=uint -DB=32"
// RUN: fields global=1089
// ARG: ok int[1089] = 0
// EXPECT: ok = i / 33 + i % 33 <= 32 ? 63 : 64
// BUILD: options="-DT=long -DU=ulong -DB=64"
// RUN: fields global=4225
// ARG: ok int[4225] = 0
// EXPECT: ok = i / 65 + i % 65 <= 64 ? 63 : 64
#define VECTOR_(type) type##4
#define VECTOR(type) VECTOR_(type)

// Bit by bit, as the extension says it.
ulong insert_bits(ulong base, ulong insert, uint offset, uint count)
{
    for (uint i = 0; i < count; i++) {
        base &= ~(1ul << (offset + i));
        base |= (insert >> i & 1) << (offset + i);
    }
    return base;
}

ulong extract_bits(ulong base, uint offset, uint count)
{
    ulong result = 0;
    for (uint i = 0; i < count; i++)
        result |= (base >> (offset + i) & 1) << i;
    return result;
}

ulong reverse_bits(ulong x)
{
    ulong result = 0;
    for (uint i = 0; i < B; i++)
        result |= (x >> i & 1) << (B - 1 - i);
    return result;
}

kernel void fields(global int *ok)
{
    size_t g = get_global_id(0);
    uint offset = g / (B + 1), count = g % (B + 1);
    ulong seed = (g + 1) * 0x9e3779b97f4a7c15ul;
    T base = (T)seed, with = (T)(seed >> 3 ^ seed << 7);
    if (offset + count > B) {
        ok[g] = 64;
        return;
    }
    U inserted = insert_bits((U)base, (U)with, offset, count);
    U field = extract_bits((U)base, offset, count);
    T signed_field = (T)field;
    if (count > 0 && count < B && (field >> (count - 1) & 1))
        signed_field = (T)(field | (U)(~0ul << count));
    VECTOR(T) bases = (VECTOR(T))(base, with, 0, -1);
    VECTOR(U) fields = bitfield_extract_unsigned(bases, offset, count);
    ok[g] = ((U)bitfield_insert(base, with, offset, count) == inserted) |
            (bitfield_insert((U)base, (U)with, offset, count) == inserted) << 1 |
            (bitfield_extract_unsigned(base, offset, count) == field) << 2 |
            (bitfield_extract_signed((U)base, offset, count) == signed_field) << 3 |
            ((U)bit_reverse(base) == (U)reverse_bits((U)base)) << 4 |
            (fields.x == field && fields.z == 0 &&
             bitfield_extract_signed(bases, offset, count).w == (count ? -1 : 0)) << 5;
}
