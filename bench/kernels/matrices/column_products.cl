// The products of all pairs of columns of a matrix, as covariances are made: a work-item
// has one column and goes down all those right of it.

// Each sum in memory, as many programs write it.
__kernel void column_products(__global float *products, __global const float *matrix,
                              int columns, int rows)
{
    int first = get_global_id(0);
    if (first >= columns)
        return;
    for (int second = first; second < columns; second++) {
        products[first * columns + second] = 0.0f;
        for (int row = 0; row < rows; row++)
            products[first * columns + second] +=
                matrix[row * columns + first] * matrix[row * columns + second];
        products[second * columns + first] = products[first * columns + second];
    }
}

// Each sum in a register.
__kernel void column_products_summed(__global float *products, __global const float *matrix,
                                     int columns, int rows)
{
    int first = get_global_id(0);
    if (first >= columns)
        return;
    for (int second = first; second < columns; second++) {
        float sum = 0.0f;
        for (int row = 0; row < rows; row++)
            sum += matrix[row * columns + first] * matrix[row * columns + second];
        products[first * columns + second] = sum;
        products[second * columns + first] = sum;
    }
}
