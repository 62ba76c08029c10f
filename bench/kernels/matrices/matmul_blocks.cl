// Groups of 8 x 8 work-items, each of which makes EACH x EACH numbers of the product.
#define GROUP 8
#define EACH 4
#define TILE (GROUP * EACH)

__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void matmul_blocks(__global float *c, __global const float *a, __global const float *b, uint n)
{
    __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint column = get_group_id(0) * TILE + lx, row = get_group_id(1) * TILE + ly;
    float sums[EACH][EACH] = {{0.0f}};

    for (uint tile = 0; tile < n; tile += TILE) {
        for (uint i = 0; i < EACH; i++) {
            for (uint j = 0; j < EACH; j++) {
                uint y = i * GROUP, x = j * GROUP;
                a_tile[ly + y][lx + x] = a[(row + y) * n + tile + lx + x];
                b_tile[ly + y][lx + x] = b[(tile + ly + y) * n + column + x];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) {
            for (uint i = 0; i < EACH; i++) {
                for (uint j = 0; j < EACH; j++)
                    sums[i][j] += a_tile[ly + i * GROUP][k] * b_tile[k][lx + j * GROUP];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < EACH; i++) {
        for (uint j = 0; j < EACH; j++)
            c[(row + i * GROUP) * n + column + j * GROUP] = sums[i][j];
    }
}
