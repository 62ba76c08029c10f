// SPDX-License-Identifier: MIT
// Blocks that Intel's sub-groups read and write in images, of all elements and numbers of
// them: edges are looked after.
// BUILD: options="-cl-std=CL3.0 -DT=uint -DCODE= -DSIZE=16"
// RUN: image_blocks global=32x2 local=32x1
// ARG: from image 2d R UNSIGNED_INT32 32x16 uint[512] = i * 5 % 251
// ARG: to image 2d R UNSIGNED_INT32 32x16 uint[512] = 1
// ARG: both image 2d R UNSIGNED_INT32 32x16 uint[512] = 7
// ARG: bad uint[64]
// EXPECT: to = i * 5 % 251
// EXPECT: both = i < 256 ? i * 5 % 251 : 7
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint -DCODE=_ui -DSIZE=8"
// RUN: image_blocks global=32x2 local=32x1
// ARG: from image 2d R UNSIGNED_INT32 32x16 uint[512] = i * 5 % 251
// ARG: to image 2d R UNSIGNED_INT32 32x16 uint[512] = 1
// ARG: both image 2d R UNSIGNED_INT32 32x16 uint[512] = 7
// ARG: bad uint[64]
// EXPECT: to = i * 5 % 251
// EXPECT: both = i < 256 ? i * 5 % 251 : 7
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort -DCODE=_us -DSIZE=4"
// RUN: image_blocks global=32x2 local=32x1
// ARG: from image 2d R UNSIGNED_INT16 32x16 ushort[512] = i * 5 % 251
// ARG: to image 2d R UNSIGNED_INT16 32x16 ushort[512] = 1
// ARG: both image 2d R UNSIGNED_INT16 32x16 ushort[512] = 7
// ARG: bad uint[64]
// EXPECT: to = i * 5 % 251
// EXPECT: both = i < 256 ? i * 5 % 251 : 7
// EXPECT: bad = 0
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))
#define JOIN3(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN3(a, b, c)
#define READ(n) JOIN(intel_sub_group_block_read, CODE, n)
#define WRITE(n) JOIN(intel_sub_group_block_write, CODE, n)
#define V(n) JOIN(T, n, )

#ifdef __opencl_c_read_write_images
SUB_GROUPS kernel void image_blocks(read_only image2d_t from, write_only image2d_t to,
                                    read_write image2d_t both, global uint *bad)
{
    uint x = get_sub_group_id() * SIZE, lane = get_sub_group_local_id(), wrong = 0;
    int2 at = (int2)((int)(x * sizeof(T)), (int)get_global_id(1) * 8);
    V(8) all = READ(8)(from, at);
    V(2) beyond = READ(2)(from, (int2)(at.x, 15));

    wrong |= any(READ(4)(from, at) != all.lo) || READ()(from, at) != all.s0;
    wrong |= any(beyond != READ()(from, (int2)(at.x, 15)));
    wrong |= (READ()(from, (int2)((int)(32 * sizeof(T)), at.y)) !=
              READ()(from, (int2)((int)(at.x + 31 * sizeof(T) - (x + lane) * sizeof(T)), at.y)))
             << 2;
    WRITE(4)(to, at, all.lo);
    WRITE(2)(to, at + (int2)(0, 4), all.s45);
    WRITE()(to, at + (int2)(0, 6), all.s6);
    WRITE()(to, at + (int2)(0, 7), all.s7);
    WRITE(8)(to, (int2)(at.x, 16), all);                     // below
    WRITE(8)(to, (int2)((int)(32 * sizeof(T)), at.y), all);  // to the right
    if (get_global_id(1) == 0) {
        WRITE(8)(both, at, all);
        wrong |= any(READ(8)(both, at) != all) << 3;
    }
    bad[get_global_id(0) + 32 * get_global_id(1)] = wrong;
}
#endif
