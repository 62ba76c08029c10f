// SPDX-License-Identifier: MIT
struct particle {
    float3 position;
    int id;
    uchar flags;
    long weight;
};
// RUN: move global=33
// ARG: p struct{float3,int,uchar,long}[33] = {i, 2 * i, 3 * i, i, i, -i, ...}
// EXPECT: p = {i + 0.5, 2 * i + 0.5, 3 * i + 0.5, i + 1000, 255 - i, i * 4294967296, ...}
kernel void move(global struct particle *p)
{
    global struct particle *mine = &p[get_global_id(0)];
    mine->position += 0.5f;
    mine->id += 1000;
    mine->flags = ~mine->flags;
    mine->weight *= -4294967296L;
}
