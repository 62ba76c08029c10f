/* The mean of 3x3 pixels; those of the border are left as they are. */
__kernel void blur_3x3(__global uchar4 *out, __global const uchar4 *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    uint4 sum = (uint4)(0);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += convert_uint4(in[(y + dy) * width + x + dx]);
    out[y * width + x] = convert_uchar4(sum / 9u);
}
