// seed 5008
typedef uchar any_uchar __attribute__((may_alias));
typedef ushort any_ushort __attribute__((may_alias));
typedef uint any_uint __attribute__((may_alias));
typedef uint2 any_uint2 __attribute__((may_alias));
struct triple { uint x; ushort y; uchar z, w; };
#define number_uint(x) (x)
#define number_int(x) as_uint(x)
#define number_ushort(x) (uint)(x)
#define number_uchar(x) (uint)(x)
#define number_ulong(x) (uint)((x) ^ (x) >> 32)
#define number_float(x) as_uint(x)
#define number_double(x) (uint)(as_ulong(x) ^ as_ulong(x) >> 32)
#define made_uint(x) (x)
#define made_int(x) as_int(x)
#define made_ushort(x) (ushort)(x)
#define made_uchar(x) (uchar)(x)
#define made_ulong(x) ((ulong)(x) * 0x100000001ul)
#define made_float(x) (float)((x) & 0xffff)
#define made_double(x) (double)(x)


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps0(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local ulong s[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_ulong(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = (((l ^ number_ulong(s[(l & 3)])) + number_ulong(s[(l / 16)])) ^ number_ulong(s[((l >> 1) | (l & 1) << 5)])); barrier(CLK_LOCAL_MEM_FENCE); s[(l ^ 11)] = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE); *(volatile local ulong *)(s + (63 - l)) = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < n; i++) { x = (l % 4 ? (((x * number_ulong(s[l])) * number_ulong(s[0])) - x) : x); barrier(CLK_LOCAL_MEM_FENCE); s[((l + 62) & 63)] = made_ulong(x);  barrier(CLK_LOCAL_MEM_FENCE); }
    x = (l % 3 ? ((x + number_ulong(s[(l / 3)])) + number_ulong(s[l])) : x); barrier(CLK_LOCAL_MEM_FENCE); s[(63 - l)] = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE); if (l < n * 8) s[l] = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_ulong(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps1(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local ushort s[64]; local int t[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_ushort(x + l * 3); t[l] = made_int(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    y = (l % 5 ? ((x - number_ushort(s[(l < 2 ? l : l - 2)])) - number_ushort(s[((l + 62) & 63)])) : x); barrier(CLK_LOCAL_MEM_FENCE); ((local any_uchar *)t)[4 * (l ^ 37) + 3] = (uchar)x;  barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d1 = 8; d1 > 0; d1 /= 2) { if (l < d1) s[l] -= s[l + d1]; barrier(CLK_LOCAL_MEM_FENCE); }
    y = ((x ^ number_int(t[48])) * number_ushort(s[(l & 4)])); barrier(CLK_LOCAL_MEM_FENCE); if (l == 60) t[(l ^ 32)] = made_int(x);  barrier(CLK_LOCAL_MEM_FENCE);
    x = (l % 3 ? ((x ^ number_ushort(s[((l & 31) * 2 | l >> 5)])) - y) : x); barrier(CLK_LOCAL_MEM_FENCE); if (l < n * 8) t[l] = made_int(x); else t[l] = made_int(y); barrier(CLK_LOCAL_MEM_FENCE); if (l < n * 8) s[((l * 79) & 63)] = made_ushort(x); barrier(CLK_LOCAL_MEM_FENCE);
    x = ((y - number_ushort(s[(l < 2 ? l : l - 2)])) * number_int(t[l])); barrier(CLK_LOCAL_MEM_FENCE); if (l < 32 && (x & 2)) t[((l + 27) & 63)] = made_int(x);  barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d2 = 32; d2 > 0; d2 >>= 1) { if (l < d2) s[l] += s[l + d2]; barrier(CLK_LOCAL_MEM_FENCE); }
    x = (((x + number_ushort(s[58])) * (uint)((local any_ushort *)s)[l & 31]) - number_ushort(s[l])); barrier(CLK_LOCAL_MEM_FENCE); if (l % 33 == 0) s[l] = made_ushort(x);  barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_ushort(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps2(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local double s[64]; local double t[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_double(x + l * 3); t[l] = made_double(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[((l >> 1) | (l & 1) << 5)].x; barrier(CLK_LOCAL_MEM_FENCE); if (l % 5 == 0) s[l] = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 3 == 0) x = (((x * number_double(t[((l * 23) & 63)])) + 7u) + number_double(t[(l ^ 32)])); barrier(CLK_LOCAL_MEM_FENCE); s[((l & 31) * 2 | l >> 5)] = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d1 = 8; d1 > 0; d1 >>= 1) { if (l < d1) s[l] -= s[l + d1]; barrier(CLK_LOCAL_MEM_FENCE); }
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_double(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps3(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local double s[64]; local ulong t[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_double(x + l * 3); t[l] = made_ulong(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[(63 - l)].z; barrier(CLK_LOCAL_MEM_FENCE); m[((l >> 1) | (l & 1) << 5)].w = x;  barrier(CLK_LOCAL_MEM_FENCE);
    x = ((x ^ number_ulong(t[l])) + number_double(s[46])); barrier(CLK_LOCAL_MEM_FENCE); m[(l ^ 1)].w = x; barrier(CLK_LOCAL_MEM_FENCE); if (l < n * 8) t[(63 - l)] = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE);
    y = (l + number_ulong(t[(l < 4 ? l : l - 4)])); barrier(CLK_LOCAL_MEM_FENCE); m[l].z = x; barrier(CLK_LOCAL_MEM_FENCE); if (l >= 4) t[((l & 31) * 2 | l >> 5)] = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[((l + 51) & 63)].x; barrier(CLK_LOCAL_MEM_FENCE); if (l == 15) t[l] = made_ulong(x);  barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d1 = 16; d1 > 0; d1 /= 2) { if (l < d1) s[l] -= s[l + d1]; barrier(CLK_LOCAL_MEM_FENCE); }
    x ^= m[(63 - l)].z; barrier(CLK_LOCAL_MEM_FENCE); if (l & 2) s[((l * 57) & 63)] = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    x = (l % 3 ? ((y + x) + number_ulong(t[(l & 8)])) : x); barrier(CLK_LOCAL_MEM_FENCE); *(volatile local double *)(s + (l ^ 4)) = made_double(x); barrier(CLK_LOCAL_MEM_FENCE); s[((l & 32) ? l - 32 : l + 32)] = made_double(x); barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_double(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps4(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint s[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_uint(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[(l ^ 42)].z; barrier(CLK_LOCAL_MEM_FENCE); s[l] = made_uint(x);  barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[l].z; barrier(CLK_LOCAL_MEM_FENCE); m[((l >> 1) | (l & 1) << 5)].x = x;  barrier(CLK_LOCAL_MEM_FENCE);
    x = (l % 5 ? (l - number_uint(s[((l >> 1) | (l & 1) << 5)])) : x); barrier(CLK_LOCAL_MEM_FENCE); s[((l >> 1) | (l & 1) << 5)] = made_uint(x);  barrier(CLK_LOCAL_MEM_FENCE);
    y = ((x - number_uint(s[((l + 52) & 63)])) - number_uint(s[(l / 3)])); barrier(CLK_LOCAL_MEM_FENCE); if (l < 32) ((local any_uint2 *)s)[l] = (uint2)(x, y);  barrier(CLK_LOCAL_MEM_FENCE);
    x ^= m[l].x; barrier(CLK_LOCAL_MEM_FENCE); m[((l + 44) & 63)].w = x;  barrier(CLK_LOCAL_MEM_FENCE);
    y = (l % 2 ? (((y * number_uint(s[58])) + number_uint(s[((l & 31) * 2 | l >> 5)])) + number_uint(s[(l / 32)])) : x); barrier(CLK_LOCAL_MEM_FENCE); ((local any_uchar *)s)[4 * l + 1] = (uchar)x;  barrier(CLK_LOCAL_MEM_FENCE);
    y = ((x ^ number_uint(s[0])) + number_uint(s[(l / 32)])); barrier(CLK_LOCAL_MEM_FENCE); s[((l + 53) & 63)] = made_uint(x);  barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_uint(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps5(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local double s[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_double(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = (x - number_double(s[(l / 1)])); barrier(CLK_LOCAL_MEM_FENCE); m[l].y = x; barrier(CLK_LOCAL_MEM_FENCE); if (l % 3 == 0) s[((l >> 1) | (l & 1) << 5)] = made_double(x); barrier(CLK_LOCAL_MEM_FENCE);
    x = max((((x - number_double(s[l])) ^ (uint)((local any_ushort *)s)[(l ^ 2) & 31]) - number_double(s[((l & 31) * 2 | l >> 5)])), x); barrier(CLK_LOCAL_MEM_FENCE); *(volatile local double *)(s + ((l + 62) & 63)) = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    x = (l % 2 ? (((x * number_double((*(volatile local double *)(s + (l ^ 4))))) + number_double(s[0])) * 7u) : x); barrier(CLK_LOCAL_MEM_FENCE); if (l >= 16) s[((l + 28) & 63)] = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n * 8) x = ((x * number_double(s[(l & 3)])) ^ number_double(s[(l / 1)])); barrier(CLK_LOCAL_MEM_FENCE); s[((l + 40) & 63)] = made_double(x);  barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_double(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps6(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local float s[64]; local ulong t[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_float(x + l * 3); t[l] = made_ulong(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d1 = 8; d1 > 0; d1 /= 2) { if (l < d1) t[l] -= t[l + d1]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (n & 2) { x ^= m[((l >> 1) | (l & 1) << 5)].y; barrier(CLK_LOCAL_MEM_FENCE); s[l] = 1;  barrier(CLK_LOCAL_MEM_FENCE); }
    x ^= m[(l ^ 43)].z; barrier(CLK_LOCAL_MEM_FENCE); s[(l ^ 2)] = made_float(x); barrier(CLK_LOCAL_MEM_FENCE); if (x & 1) t[((l * 49) & 63)] = made_ulong(x); else t[((l * 49) & 63)] = made_ulong(y); barrier(CLK_LOCAL_MEM_FENCE);
    x = max(((x ^ number_float(s[(63 - l)])) + g), x); barrier(CLK_LOCAL_MEM_FENCE); if (l < 16) t[(l ^ 2)] = made_ulong(x); else t[(l ^ 2)] = made_ulong(y); barrier(CLK_LOCAL_MEM_FENCE); s[((l & 31) * 2 | l >> 5)] = made_float(x); barrier(CLK_LOCAL_MEM_FENCE);
    x = ((x ^ number_float((*(volatile local float *)(s + (l ^ 16))))) + number_ulong(t[l])); barrier(CLK_LOCAL_MEM_FENCE); ((local any_uchar *)t)[8 * ((l & 31) * 2 | l >> 5) + 0] = (uchar)x; barrier(CLK_LOCAL_MEM_FENCE); *(volatile local ulong *)(t + l) = made_ulong(x); barrier(CLK_LOCAL_MEM_FENCE);
    x = (((l + number_ulong(t[0])) + number_ulong(t[(l < 4 ? l : l - 4)])) ^ g); barrier(CLK_LOCAL_MEM_FENCE); if (l < n * 8) t[l] = made_ulong(x);  barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_float(s[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}


kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
steps7(global const uint *in, global uint *out, global uint *shared, uint n)
{
    local uint s[64]; local int t[64]; local struct triple m[64];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    s[l] = made_uint(x + l * 3); t[l] = made_int(x + l * 3); m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d1 = 16; d1 > 0; d1 /= 2) { if (l < d1) s[l] -= s[l + d1]; barrier(CLK_LOCAL_MEM_FENCE); }
    y = (l % 3 ? (((l + (uint)((local any_uchar *)t)[((l * 67) & 63)]) + x) - number_uint(s[0])) : x); barrier(CLK_LOCAL_MEM_FENCE); if (x & 1) t[((l * 43) & 63)] = made_int(x);  barrier(CLK_LOCAL_MEM_FENCE);
    y = (((y ^ number_int(t[l])) ^ number_uint(s[0])) + number_int(t[((l >> 1) | (l & 1) << 5)])); barrier(CLK_LOCAL_MEM_FENCE); *(volatile local uint *)(s + l) = made_uint(x);  barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 2) x = ((y + number_uint(s[(l ^ 8)])) ^ number_uint((*(volatile local uint *)(s + l)))); barrier(CLK_LOCAL_MEM_FENCE); if (l % 2 == 0) t[l] = made_int(x); barrier(CLK_LOCAL_MEM_FENCE); s[((l + 55) & 63)] = made_uint(x); barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_int(t[63 - l]);
    out[4 * g + 3] = m[l].x + m[63 - l].y * 3 + m[l].w + m[l].z;
}

