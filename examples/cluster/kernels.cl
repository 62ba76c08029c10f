// SPDX-License-Identifier: MIT
// What the ranks compute. Both engines, StarPU and plain MPI, run these two kernels.

// c += a * b, of square blocks that lie row by row.
kernel void multiply_add(global const float *a, global const float *b, global float *c, int size)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < size; k++)
        sum += a[y * size + k] * b[k * size + x];
    c[y * size + x] += sum;
}

// One step of heat in a strip of rows: each point becomes the mean of its four neighbours, zeros lie beyond the
// sides. `above` and `below` are the nearest rows of the strips next to this one; `first` and `last` get this
// strip's own, which are what the neighbours need for the next step.
kernel void heat(global const float *above, global const float *rows, global const float *below, global float *next,
                 global float *first, global float *last, int height)
{
    const size_t x = get_global_id(0), width = get_global_size(0);
    const int y = get_global_id(1);
    global const float *row = rows + y * width;
    const float up = y > 0 ? row[x - width] : above[x];
    const float down = y < height - 1 ? row[x + width] : below[x];
    const float left = x > 0 ? row[x - 1] : 0, right = x < width - 1 ? row[x + 1] : 0;
    const float mean = 0.25f * ((up + down) + (left + right));

    next[y * width + x] = mean;
    if (y == 0)
        first[x] = mean;
    if (y == height - 1)
        last[x] = mean;
}
