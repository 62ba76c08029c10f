/* Rounds of shifts, a multiplication and a key, in 32 and in 64 bits. */
__kernel void hash_uint(__global uint *out, __global const uint *in, __constant uint *keys,
                        uint rounds)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    for (uint round = 0; round < rounds; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x = x * 0x9e3779b1u + ((x << 7) | (x >> 25));
        x ^= keys[round];
    }
    out[i] = x;
}

__kernel void hash_ulong(__global ulong *out, __global const ulong *in, __constant ulong *keys,
                         uint rounds)
{
    size_t i = get_global_id(0);
    ulong x = in[i];
    for (uint round = 0; round < rounds; round++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x = x * 0x9e3779b97f4a7c15ul + ((x << 7) | (x >> 57));
        x ^= keys[round];
    }
    out[i] = x;
}
