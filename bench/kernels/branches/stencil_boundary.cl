/* One branch at the border instead of one per tap. */
__kernel void stencil_boundary(__global float *out, __global const float *in,
                               __constant float *weights, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
        out[y * width + x] = in[y * width + x];
        return;
    }
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[(dy + 2) * 5 + dx + 2] * in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}
