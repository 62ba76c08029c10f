// SPDX-License-Identifier: MIT
/* failures[0] counts children that found no room. */
kernel void children(global uint *counter, global uint *failures, uint count)
{
    for (uint i = 0; i < count; i++) {
        int code = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,
                                  ndrange_1D(64, 64), ^{
                                    if (get_local_id(0) == 0)
                                        atomic_inc(counter);
                                  });
        if (code != CLK_SUCCESS)
            atomic_inc(failures);
    }
}

kernel void add_one(global uint *counter)
{
    if (get_local_id(0) == 0)
        atomic_inc(counter);
}

void branch(global uint *counter, global uint *failures, uint depth)
{
    atomic_inc(counter);
    for (uint side = 0; side < 2 && depth > 0; side++)
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                           ^{ branch(counter, failures, depth - 1); }) != CLK_SUCCESS)
            atomic_inc(failures);
}

kernel void tree(global uint *counter, global uint *failures, uint depth)
{
    branch(counter, failures, depth);
}
