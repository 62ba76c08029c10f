// Some steps of a heat equation in a tile with its halo: in each of them fewer items have work.
__kernel void heat_tiles(__global float *out, __global const float *in, __global const float *power, int size,
                         int steps, float rate)
{
    __local float now[TILE][TILE], next[TILE][TILE], source[TILE][TILE];
    int inner = TILE - 2 * steps, tx = get_local_id(0), ty = get_local_id(1);
    int left = inner * (int)get_group_id(0) - steps, top = inner * (int)get_group_id(1) - steps;
    int x = left + tx, y = top + ty, i = y * size + x;
    if (x >= 0 && x < size && y >= 0 && y < size) {
        now[ty][tx] = in[i];
        source[ty][tx] = power[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int first_x = max(0, -left), last_x = min(TILE - 1, size - 1 - left);
    int first_y = max(0, -top), last_y = min(TILE - 1, size - 1 - top);
    int west = max(tx - 1, first_x), east = min(tx + 1, last_x);
    int north = max(ty - 1, first_y), south = min(ty + 1, last_y);
    bool done = false;
    for (int k = 1; k <= steps; k++) {
        done = tx >= k && tx < TILE - k && ty >= k && ty < TILE - k && tx >= first_x && tx <= last_x &&
               ty >= first_y && ty <= last_y;
        if (done)
            next[ty][tx] = now[ty][tx] + source[ty][tx] + rate * (now[ty][west] + now[ty][east] + now[north][tx] +
                                                                  now[south][tx] - 4.0f * now[ty][tx]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < steps && done)
            now[ty][tx] = next[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (done)
        out[i] = next[ty][tx];
}
