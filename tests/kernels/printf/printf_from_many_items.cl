// SPDX-License-Identifier: MIT
// Lines of many work-items in many groups arrive whole, and none is lost; more than a
// megabyte in all. A line may be made by more than one call.
// RUN: lines global=8192 local=64
// OUTPUT: times=8192 "one line of a work-item, which is long enough to be torn where it can be: 0123456789012345678901234567890123456789012345678901234567890123456789"
// RUN: halves global=1x64 local=1x1
// OUTPUT: times=64 "first half, second half"
// RUN: around_barrier global=256 local=16
// OUTPUT: times=256 "before"
// OUTPUT: times=256 "after"
kernel void lines(void)
{
    printf("one line of a work-item, which is long enough to be torn where it can be: "
           "%s%s%s%s%s%s%s\n", "0123456789", "0123456789", "0123456789", "0123456789",
           "0123456789", "0123456789", "0123456789");
}

kernel void halves(void)
{
    printf("first half, ");
    printf("%s half\n", "second");
}

kernel void around_barrier(void)
{
    printf("before\n");
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("after\n");
}
