// A matrix times a vector, one work-item a result.

// The sum of a row, in memory.
__kernel void matrix_vector(__global float *result, __global const float *matrix,
                            __global const float *vector, int columns, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    result[row] = 0.0f;
    for (int column = 0; column < columns; column++)
        result[row] += matrix[row * columns + column] * vector[column];
}

// The sum of a column: of the transposed matrix.
__kernel void matrix_vector_transposed(__global float *result, __global const float *matrix,
                                       __global const float *vector, int columns, int rows)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    result[column] = 0.0f;
    for (int row = 0; row < rows; row++)
        result[column] += matrix[row * columns + column] * vector[row];
}
