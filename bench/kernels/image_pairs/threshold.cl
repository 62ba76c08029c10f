/* In place where there is an image for reads and writes; `out` is that image. */
__kernel void with_image(__read_only image2d_t in, __read_write image2d_t out, int width, int height)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float value = read_imagef(out, at).x;
    write_imagef(out, at, (float4)(value > 0.5f ? value : 0.0f));
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int at = get_global_id(1) * width + get_global_id(0);
    float value = LOAD(out[at]);
    out[at] = STORE(value > 0.5f ? value : 0.0f);
}
