// SPDX-License-Identifier: MIT
// intel/intel-graphics-compiler#349: the compiler crashed where work-items walk down heaps
// that lie in an array of structs in local memory, each its own, in a loop without a
// condition.
// RUN: sift global=24 local=12
// ARG: in int[384] = (i * 37 + 11) % 101
// ARG: out int[24]
// EXPECT: out = minof(k, i * 16, i * 16 + i % 12 + 4, in[k]) * 1000 + sum(k, i * 16, i * 16 + i % 12 + 4, in[k])
struct heap {
    uint count;
    int items[16];
};

void put(local struct heap *heap, int item)
{
    uint at = heap->count++;
    while (at > 0) {
        uint parent = (at - 1) / 2;
        if (heap->items[parent] <= item)
            break;
        heap->items[at] = heap->items[parent];
        at = parent;
    }
    heap->items[at] = item;
}

int take(local struct heap *heap)
{
    int first = heap->items[0], last = heap->items[--heap->count];
    uint at = 0;
    while (true) {
        uint child = at * 2 + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child])
            child++;
        if (heap->items[child] >= last)
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = last;
    return first;
}

kernel void sift(global const int *in, global int *out)
{
    local struct heap heaps[1][12];
    uint me = get_local_id(0), gid = get_global_id(0);
    int sum = 0, low = 0, before = -1;
    for (uint ix = 0; ix < 1; ix++) {
        local struct heap *heap = &heaps[ix][me];
        heap->count = 0;
        for (uint k = 0; k < me + 4; k++)
            put(heap, in[gid * 16 + k]);
        barrier(CLK_LOCAL_MEM_FENCE);
        low = heap->items[0];
        while (heap->count > 0) {
            int item = take(heap);
            if (item < before)
                sum += 1000000;
            before = item;
            sum += item;
        }
    }
    out[gid] = low * 1000 + sum;
}
