// Gauss' elimination, one launch a step: each has less to do than the one before, and rows are in dimension 0.
__kernel void elimination_factors(__global float *factors, __global const float *matrix, int size, int step)
{
    int row = get_global_id(0) + step + 1;
    if (row < size)
        factors[row] = matrix[row * size + step] / matrix[step * size + step];
}

__kernel void elimination_rows(__global float *matrix, __global const float *factors, int size, int step)
{
    int row = get_global_id(0), column = get_global_id(1);
    if (row < size - 1 - step && column < size - step)
        matrix[(row + 1 + step) * size + column + step] -= factors[row + 1 + step] * matrix[step * size + column + step];
}
