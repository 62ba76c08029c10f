// SPDX-License-Identifier: MIT
// Blocks with local memory: its sizes are said at the enqueue; barriers inside.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: reverse global=3
// ARG: out int[192] = 0
// EXPECT: out = i / 64 * 1000 + (63 - i % 64)
// RUN: two global=1
// ARG: out int[32] = 0
// EXPECT: out = (i ^ 1) + 100 * (31 - i)
// RUN: with_events global=1
// ARG: out int[16] = 0
// EXPECT: out = 15 - i
// RUN: none global=1
// ARG: out int[2] = 0
// EXPECT: out where it < 0
kernel void reverse(global int *out)
{
    const int part = get_global_id(0);

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64, 64),
                   ^(local void *memory) {
                       local int *turn = memory;
                       size_t i = get_local_id(0);
                       turn[63 - i] = i;
                       barrier(CLK_LOCAL_MEM_FENCE);
                       out[64 * part + i] = part * 1000 + turn[i];
                   },
                   64 * sizeof(int));
}
kernel void two(global int *out)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(32, 32),
                   ^(local void *a, local void *b) {
                       local short *s = a;
                       local int4 *v = b;
                       size_t i = get_local_id(0);
                       s[i ^ 1] = i;
                       v[31 - i] = (int4)(0, i, 0, 0);
                       barrier(CLK_LOCAL_MEM_FENCE);
                       out[i] = s[i] + 100 * v[i].y;
                   },
                   (uint)(32 * sizeof(short)), (uint)(32 * sizeof(int4)));
}
kernel void with_events(global int *out)
{
    clk_event_t user = create_user_event(), done;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16, 16), 1,
                   &user, &done,
                   ^(local void *memory) {
                       local int *m = memory;
                       size_t i = get_local_id(0);
                       m[15 - i] = i;
                       barrier(CLK_LOCAL_MEM_FENCE);
                       out[i] = m[i];
                   },
                   16 * sizeof(int));
    release_event(done);
    set_user_event_status(user, CL_COMPLETE);
    release_event(user);
}
kernel void none(global int *out)
{
    uint zero = 0, much = 1u << 30;

    out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                            ^(local void *m) { *(local int *)m = 1; }, zero);
    out[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                            ^(local void *m) { *(local int *)m = 1; }, much);
}
