/* Nothing, eight slow steps or sixteen fast ones, as the value says. */
__kernel void divergent(__global float *out, __global const float *in)
{
    size_t i = get_global_id(0);
    float x = in[i];
    if (x < 0.0f)
        return;
    if (x < 0.5f) {
        for (int step = 0; step < 8; step++)
            x = sqrt(x * x + 0.5f) * 0.9f;
    } else {
        for (int step = 0; step < 16; step++)
            x = x * x * 0.3f + 0.7f - x * 0.1f;
    }
    out[i] = x;
}
