// SPDX-License-Identifier: MIT
// A member of structs of 64 bytes, one a register, stored under masks: of sixteen lanes the eighth was
// stored with those above it, over what the struct holds behind it.
// RUN: members global=60 local=20
// ARG: in uint[64] = i + 100
// ARG: out uint[64] = 0
// EXPECT: out = i < 60 && i % 20 % 4 == 3 ? i + 100 : 0
struct record { uint a[10]; ulong big; uint part[4]; };

kernel void members(global const uint *in, global uint *out)
{
    int l = get_local_id(0);
    uint g = get_global_id(0), b = in[g];
    struct record m = {};

    barrier(CLK_LOCAL_MEM_FENCE);
    m.part[l & 3] += b;
    m.big *= b;
    out[g] = m.big + m.part[3];
}

// The same of structs in global memory, by some lanes.
// RUN: some global=61
// ARG: all ulong[488] = i
// ARG: n uint = 47
// EXPECT: all = i % 8 == 2 && i / 8 < 47 && i / 8 % 3 != 1 ? i / 8 + 7 : i
struct long_record { ulong a[8]; };
kernel void some(global struct long_record *all, uint n)
{
    uint g = get_global_id(0);

    if (g < n && g % 3 != 1)
        all[g].a[2] = g + 7;
}
