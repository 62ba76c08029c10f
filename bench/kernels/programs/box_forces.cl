// Forces between the particles of a box and those of its neighbours, a box a group: neighbours come
// into local memory, and each item sums in global memory.
struct particle { float x, y, z, charge; };

__kernel void box_forces(__global float4 *forces, __global const struct particle *particles, int boxes, float alpha)
{
    __local struct particle home[BOX], other[BOX];
    int box = get_group_id(0), item = get_local_id(0);
    for (int i = item; i < BOX; i += get_local_size(0))
        home[i] = particles[box * BOX + i];
    for (int k = 0; k < NEIGHBOURS; k++) {
        int neighbour = (box + k * k) % boxes;
        for (int i = item; i < BOX; i += get_local_size(0))
            other[i] = particles[neighbour * BOX + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < BOX; i += get_local_size(0)) {
            __global float *sum = (__global float *)&forces[box * BOX + i];
            for (int j = 0; j < BOX; j++) {
                float dx = home[i].x - other[j].x, dy = home[i].y - other[j].y, dz = home[i].z - other[j].z;
                float pull = other[j].charge * exp(-alpha * (dx * dx + dy * dy + dz * dz));
                sum[0] += pull * dx;
                sum[1] += pull * dy;
                sum[2] += pull * dz;
                sum[3] += pull;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
