// Work-items one by one, whose rounds LLVM makes vectors of: LLVM 22 lets them go on behind
// the last element, where the number that begins again is added to another.
// RUN: folded global=40 local=8
// ARG: in uchar[2048] = (i * 7 + i / 9)
// ARG: out uchar[40] = 77
// ARG: n uint = 1001
// EXPECT: out = uchar(sum(k, 0, 1001, in[i * 3 + k % 8]))
kernel void folded(global const uchar *in, global uchar *out, uint n)
{
    uint g = get_global_id(0);
    uchar c = 0;

    for (uint i = 0; i < n; i++)
        c += in[g * 3 + (i & 7)];
    out[g] = c;
}

// RUN: spread global=2
// ARG: in uint[2048] = (i * 7 + i / 9)
// ARG: out uint[2002] = 77
// ARG: n uint = 1001
// EXPECT: out = in[i / 1001 + i % 1001 % 4]
kernel void spread(global const uint *restrict in, global uint *restrict out, uint n)
{
    uint g = get_global_id(0);

    for (uint i = 0; i < n; i++)
        out[g * n + i] = in[g + (i & 3)];
}

// RUN: apart global=2
// ARG: in ushort[2048] = (i * 7 + i / 9)
// ARG: out ushort[2002] = 77
// ARG: n uint = 1001
// EXPECT: out = in[i % 1001 % 16]
kernel void apart(global const ushort *restrict in, global ushort *restrict out, uint n)
{
    uint g = get_global_id(0);

    for (uint i = 0; i < n; i++)
        out[g * n + i] = in[i % 16];
}

// RUN: last global=3
// ARG: in uchar[1024] = (i * 7 + i / 9)
// ARG: out uchar[24] = 77
// ARG: n uint = 1001
// EXPECT: out = in[i % 8 == 0 ? 1000 : 992 + i % 8]
kernel void last(global const uchar *restrict in, global uchar *restrict out, uint n)
{
    uint g = get_global_id(0);

    for (uint i = 0; i < n; i++)
        out[g * 8 + (i & 7)] = in[i];
}

// RUN: items global=1000 local=100
// ARG: in uchar[64] = (i * 7 + i / 9)
// ARG: out uchar[1024] = 77
// ARG: n uint = 5
// EXPECT: out[0..999] = in[5 + i % 100 % 8]
kernel void items(global const uchar *restrict in, global uchar *restrict out, uint n)
{
    out[get_global_id(0)] = in[n + ((uint)get_local_id(0) & 7)];
}

// Of every second round.
// RUN: halves global=40 local=8
// ARG: in uchar[2048] = (i * 7 + i / 9)
// ARG: out uchar[40] = 77
// EXPECT: out = uchar(sum(k, 0, 1000, in[i * 3 + k % 8]))
kernel void halves(global const uchar *in, global uchar *out)
{
    uint g = get_global_id(0);
    uchar c = 0;

    for (uint i = 0; i < 2000; i += 2)
        c += in[g * 3 + (i >> 1 & 7)];
    out[g] = c;
}

// LLVM has the number widened by the round before.
// RUN: small global=40 local=8
// ARG: in uchar[2048] = (i * 7 + i / 9)
// ARG: out uchar[40] = 77
// ARG: n uint = 1001
// EXPECT: out = uchar(sum(k, 0, 1001, in[i * 3 + k % 8]))
kernel void small(global const uchar *in, global uchar *out, uint n)
{
    uint g = get_global_id(0);
    uchar c = 0;

    for (ushort i = 0; i < n; i++)
        c += in[g * 3 + ((uint)i & 7)];
    out[g] = c;
}

// Many steps from what counts to the address.
// RUN: far global=40 local=8
// ARG: in uchar[2048] = (i * 7 + i / 9)
// ARG: out uchar[40] = 77
// ARG: n uint = 1001
// ARG: a uint = 3
// ARG: b uint = 5
// EXPECT: out = uchar(sum(k, 0, 1001, in[i * 3 + 13 + k % 8 * 45]))
kernel void far(global const uchar *in, global uchar *out, uint n, uint a, uint b)
{
    uint g = get_global_id(0);
    uchar c = 0;

    for (uint i = 0; i < n; i++)
        c += in[g * 3 + (((((((i & 7) * a + b) * b - a) - a) * a + a) - 27) - a) - 17 + a - a];
    out[g] = c;
}

// RUN: signs global=40 local=8
// ARG: in uchar[2048] = (i * 7 + i / 9)
// ARG: out uchar[40] = 77
// ARG: n uint = 1001
// EXPECT: out = uchar(sum(k, 0, 1001, in[i * 3 + 4 + (k % 8 < 4 ? k % 8 : k % 8 - 8)]))
kernel void signs(global const uchar *in, global uchar *out, uint n)
{
    uint g = get_global_id(0);
    uchar c = 0;

    for (uint i = 0; i < n; i++)
        c += in[g * 3 + 4 + ((int)(i << 29) >> 29)];
    out[g] = c;
}
