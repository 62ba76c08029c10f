// SPDX-License-Identifier: MIT
// Blocks that Intel's sub-groups read and write: in global and local memory, of all
// elements and numbers of them. Pixels are not the elements of a block: the last is an image
// that has two bytes a pixel and ends in the middle of an element. More of images, which take
// long to compile: every_sub_group_function/intel_image_blocks.cl.
// BUILD: options="-cl-std=CL3.0 -DT=uint -DCODE= -DSIZE=16"
// RUN: blocks global=128 local=128
// ARG: in uint[1024] = i * 7 % 256
// ARG: out uint[2048]
// ARG: l local uint[2048]
// ARG: bad uint[128]
// EXPECT: out[0..1023] = i * 7 % 256
// EXPECT: out[1024..2047] = i * 7 % 256
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint -DCODE=_ui -DSIZE=8"
// RUN: blocks global=128 local=128
// ARG: in uint[1024] = i * 7 % 256
// ARG: out uint[2048]
// ARG: l local uint[2048]
// ARG: bad uint[128]
// EXPECT: out[0..1023] = i * 7 % 256
// EXPECT: out[1024..2047] = i * 7 % 256
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort -DCODE=_us -DSIZE=4"
// RUN: blocks global=128 local=128
// ARG: in ushort[1024] = i * 7 % 256
// ARG: out ushort[2048]
// ARG: l local ushort[2048]
// ARG: bad uint[128]
// EXPECT: out[0..1023] = i * 7 % 256
// EXPECT: out[1024..2047] = i * 7 % 256
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uchar -DCODE=_uc -DSIZE=32"
// RUN: blocks global=128 local=128
// ARG: in uchar[1024] = i * 7 % 256
// ARG: out uchar[2048]
// ARG: l local uchar[2048]
// ARG: bad uint[128]
// EXPECT: out[0..1023] = i * 7 % 256
// EXPECT: out[1024..2047] = i * 7 % 256
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ulong -DCODE=_ul -DSIZE=64"
// RUN: blocks global=128 local=128
// ARG: in ulong[1024] = i * 7 % 256
// ARG: out ulong[2048]
// ARG: l local ulong[2048]
// ARG: bad uint[128]
// EXPECT: out[0..1023] = i * 7 % 256
// EXPECT: out[1024..2047] = i * 7 % 256
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint -DCODE=_ui -DSIZE=8"
// RUN: edges global=16 local=16
// ARG: at image 2d RG UNSIGNED_INT8 11x3 uchar[66] = i
// ARG: out uint8[16]
// EXPECT: out = 0
// EXPECT: at = i < 8 || (i >= 20 && i < 22) ? (i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : i % 4 == 2 ? 3 : 4) : i
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))
#define JOIN3(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN3(a, b, c)
#define READ(n) JOIN(intel_sub_group_block_read, CODE, n)
#define WRITE(n) JOIN(intel_sub_group_block_write, CODE, n)
#define V(n) JOIN(T, n, )

// Each sub-group copies as many elements as eight for each of its work-items: in blocks of
// eight, four, two and one, by way of local memory, too.
SUB_GROUPS kernel void blocks(global const T *in, global T *out, local T *l, global uint *bad)
{
    uint first = get_sub_group_id() * SIZE * 8, lane = get_sub_group_local_id(), wrong = 0;
    V(8) x = READ(8)(in + first);
    V(4) y = READ(4)(in + first + SIZE * 4);
    V(2) z = READ(2)(in + first + SIZE * 2);

    wrong |= any(x.hi != y) || any(x.s23 != z) || READ()(in + first + SIZE * 7) != x.s7;
    wrong |= (x.s5 != in[first + SIZE * 5 + lane]) << 1;
    WRITE(8)(out + first, x);
    WRITE(8)(l + first, x);
    WRITE(2)(l + first, READ(2)(l + first));
    WRITE()(out + 1024 + first, READ()(l + first));
    WRITE()(out + 1024 + first + SIZE, x.s1);
    WRITE(2)(out + 1024 + first + SIZE * 2, z);
    WRITE(4)(out + 1024 + first + SIZE * 4, READ(4)(l + first + SIZE * 4));
    bad[get_global_id(0)] = wrong;
}

#ifdef __opencl_c_read_write_images
// Rows of 22 bytes: the sixth element of the first has two.
SUB_GROUPS kernel void edges(read_write image2d_t at, global uint8 *out)
{
    uint lane = get_sub_group_local_id(), id = get_sub_group_id();
    uint bad = 0;

    for (int y = -1; y < 4; y++) {
        uint got = READ()(at, (int2)(0, y)), row = (uint)clamp(y, 0, 2) * 22, want = 0;

        for (uint k = 0; k < 4; k++)
            if (min(lane, 5u) * 4 + k < 22)
                want |= (row + min(lane, 5u) * 4 + k) << 8 * k;
        bad |= (got != want) << (y + 1);
    }
    out[get_global_id(0)] = (uint8)(bad);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
    if (id == 0 && lane < 2)
        WRITE()(at, (int2)(0, 0), 0x04030201);
    if (id == 1)
        WRITE()(at, (int2)(20, 0), 0x04030201);
}
#endif
