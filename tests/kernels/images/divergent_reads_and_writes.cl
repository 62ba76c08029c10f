// Images where work-items part: loops of unequal length, early returns, choices between
// images and samplers, sub-groups, and work-groups that meet between reads and writes.
// BUILD: options="-cl-std=CL3.0"
// RUN: walk global=50
// ARG: in image 2d R UNSIGNED_INT16 64x4 ushort[256] = i * 3
// ARG: s sampler clamp
// ARG: out uint[50]
// EXPECT: out = i % 7 == 6 ? 0 : i % 7 * 3 * (i + 64 * (i % 4)) + 3 * (i % 7) * (i % 7 - 1) / 2
// RUN: leave global=33x2
// ARG: in image 2d R FLOAT 33x2 float[66] = i
// ARG: out image 2d R FLOAT 33x2 float[66] = -1
// EXPECT: out = i % 33 % 5 == 1 ? -1 : i % 33 % 2 == 0 ? i * 2 : (i % 33 == 0 ? i : i - 0.5)
// RUN: members global=64 local=32
// ARG: in image 1d R UNSIGNED_INT32 64 uint[64] = i + 1
// ARG: out image 1d RG UNSIGNED_INT32 64 uint2[64]
// ARG: bad uint[1] = 0
// EXPECT: out = j == 0 ? i / 16 * 256 + 136 : i / 16 * 16 + (15 - i % 16) + 1
// EXPECT: bad = 0
// RUN: relay global=32 local=16
// ARG: at image 1d R SIGNED_INT32 32 int[32] = i
// EXPECT: at = i / 16 * 16 + (i + 4) % 16 + 4

constant sampler_t linear =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// Each item reads its own number of texels of its own row, from its own column on.
kernel void walk(read_only image2d_t in, sampler_t s, global uint *out)
{
    int x = get_global_id(0), count = x % 7;
    uint sum = 0;

    for (int k = 0; k < 100; k++) {
        if (k == count)
            break;
        if (count == 6) {
            sum = 0;
            continue;
        }
        sum += read_imageui(in, s, (float2)(x + k + 0.5f, x % 4 + 0.25f)).x;
    }
    out[x] = sum;
}

kernel void leave(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    if (at.x % 5 == 1)
        return;
    if (at.x % 2 == 0)
        write_imagef(out, at, read_imagef(in, at) * 2.0f);
    else // between a texel and the one before it
        write_imagef(out, at, read_imagef(in, linear, convert_float2(at) + (float2)(0, 0.5f)));
}

#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void members(read_only image1d_t in, write_only image1d_t out, global uint *bad)
{
    int x = get_global_id(0);
    uint size = get_sub_group_size(), own = read_imageui(in, x).x;
    uint first = sub_group_broadcast(own, 0);
    uint sum = sub_group_reduce_add(own);
    uint mirrored = sub_group_shuffle(own, size - 1 - get_sub_group_local_id());

    if (size != 16 || first != x / 16 * 16 + 1)
        *bad = 1;
    if (sub_group_any(x == 40))
        sum = sub_group_reduce_add(read_imageui(in, x).x);
    write_imageui(out, x, (uint4)(sum, mirrored, 0, 0));
}

// Every round a work-item takes what its neighbour wrote in the round before.
kernel void relay(read_write image1d_t at)
{
    int x = get_global_id(0), l = get_local_id(0);

    for (int round = 0; round < 4; round++) {
        int next = read_imagei(at, x - l + (l + 1) % 16).x;

        barrier(CLK_IMAGE_MEM_FENCE);
        write_imagei(at, x, (int4)(next + 1));
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel,
                               memory_scope_work_item);
        barrier(CLK_IMAGE_MEM_FENCE);
    }
}
