// SPDX-License-Identifier: MIT
// Long fields on the small stacks of work-items that wait at a barrier.
// RUN: long_fields global=2 local=2
// ARG: ret int[4] = 7
// ARG: in float[2] = {0.1, 1e38}
// EXPECT: ret = 0
kernel void long_fields(global int *ret, global const float *in)
{
    local float x[2];
    const size_t i = get_local_id(0);

    x[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    ret[2 * i] = printf("%.16000f\n", x[1 - i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    ret[2 * i + 1] = printf("%-30000s%020000.10000e\n", "as it is", x[i]);
}
