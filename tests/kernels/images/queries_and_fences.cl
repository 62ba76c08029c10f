// What images say of themselves; images read and written by one kernel, with the fences
// that make a write visible; reads where only some work-items go.
// BUILD: options="-cl-std=CL3.0"
// RUN: ask global=1
// ARG: a image 3d RGBA HALF_FLOAT 5x4x3 half4[60]
// ARG: b image 2d_array BGRA UNORM_INT8 7x2x6 uchar4[84]
// ARG: c image 1d_buffer R SIGNED_INT32 9 int[9]
// ARG: out int[12]
// EXPECT: out = {5, 4, 3, 0x10dd, 0x10b5, 7, 2, 6, 0x10d2, 0x10b6, 9, 0x10d9}
// RUN: hand_on global=64 local=16
// ARG: at image 2d R UNSIGNED_INT32 64x2 uint[128] = i
// EXPECT: at = i < 64 ? i : (i - 64) / 16 * 16 + (15 - i % 16) + 1000
// RUN: own global=37
// ARG: at image 1d R FLOAT 37 float[37] = i
// EXPECT: at = i * 4 + 1
// RUN: some global=50
// ARG: in image 2d R UNORM_INT16 50x1 ushort[50] = i * 1000
// ARG: s sampler edge
// ARG: out float[50]
// EXPECT: out ulp 1 = i % 3 == 0 ? min(i + 1, 49) * 1000 / 65535.0 : -1.0
// BUILD: fails "image" options="-cl-std=CL3.0 -DIN_A_STRUCT"
// BUILD: fails "image" options="-cl-std=CL3.0 -DPOINTER"
// BUILD: fails "read_only" options="-cl-std=CL3.0 -DWRITES_WHAT_IS_READ"

#ifdef IN_A_STRUCT
struct holder {
    image2d_t image;
};
kernel void take(struct holder h) {}
#endif
#ifdef POINTER
kernel void take(global image2d_t *images) {}
#endif
#ifdef WRITES_WHAT_IS_READ
kernel void take(read_only image2d_t image)
{
    write_imagef(image, (int2)(0), (float4)(0));
}
#endif

kernel void ask(read_only image3d_t a, write_only image2d_array_t b,
                read_only image1d_buffer_t c, global int *out)
{
    int4 size = get_image_dim(a);

    out[0] = size.x;
    out[1] = get_image_height(a);
    out[2] = get_image_depth(a);
    out[3] = get_image_channel_data_type(a);
    out[4] = get_image_channel_order(a);
    out[5] = get_image_dim(b).x;
    out[6] = get_image_dim(b).y;
    out[7] = (int)get_image_array_size(b);
    out[8] = get_image_channel_data_type(b);
    out[9] = get_image_channel_order(b);
    out[10] = get_image_width(c);
    out[11] = get_image_channel_data_type(c);
}

// To the work-item at the other end of the group.
kernel void hand_on(read_write image2d_t at)
{
    int x = get_global_id(0), l = get_local_id(0);

    write_imageui(at, (int2)(x, 1), (uint4)(x + 1000));
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    uint other = read_imageui(at, (int2)(x - l + 15 - l, 1)).x;
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    write_imageui(at, (int2)(x, 1), (uint4)(other));
}

kernel void own(read_write image1d_t at)
{
    int x = get_global_id(0);

    for (int k = 0; k < 2; k++) {
        write_imagef(at, x, read_imagef(at, x) * 2.0f);
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel,
                               memory_scope_work_item);
    }
    write_imagef(at, x, read_imagef(at, x) + 1.0f);
}

kernel void some(read_only image2d_t in, sampler_t s, global float *out)
{
    int x = get_global_id(0);

    out[x] = -1.0f;
    if (x % 3 == 0)
        out[x] = read_imagef(in, s, (float2)(x + 1.5f, 0.5f)).x;
}
