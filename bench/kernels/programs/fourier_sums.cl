// A sine and a cosine of large angles for each point and each wave.
struct wave { float x, y, z, height; };

__kernel void fourier_sums(__global float *real, __global float *imaginary, __global const float *x,
                           __global const float *y, __global const float *z, __global const struct wave *waves)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    float r = 0, m = 0;
    for (int k = 0; k < WAVES; k++) {
        float angle = 6.2831853f * (waves[k].x * x[i] + waves[k].y * y[i] + waves[k].z * z[i]);
        r += waves[k].height * cos(angle);
        m += waves[k].height * sin(angle);
    }
    real[i] = r;
    imaginary[i] = m;
}
