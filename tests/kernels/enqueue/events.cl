// SPDX-License-Identifier: MIT
// Events on the device: user events, wait lists, markers, failures that spread.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: held_back global=8
// ARG: out int[16] = 0
// EXPECT: out = i < 8 ? 2 : 1
// RUN: joined global=1
// ARG: out int[12] = 0
// EXPECT: out = i < 10 ? i : i == 10 ? 45 : 1
// RUN: broken global=1
// ARG: out int[4] = 0
// EXPECT: out = i == 0 ? 0 : i == 1 ? 0 : 5
// RUN: waits_for_children global=1
// ARG: out int[2] = 0
// EXPECT: out = i == 0 ? 50 : 50
// RUN: handles global=1
// ARG: out int[8] = 9
// EXPECT: out[0..4] = i == 0 || i == 2 ? 1 : 0
// EXPECT: out[5..6] where it < 0
// EXPECT: out[7] = 0
// RUN: timed global=1
// ARG: times ulong[2] = 0
// ARG: out int[1] = 0
// EXPECT: out = 1
kernel void held_back(global int *out)
{
    const int i = get_global_id(0);
    clk_event_t user = create_user_event();

    out[i] = 1;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user,
                   NULL, ^{ out[i] = 2; });
    out[8 + i] = out[i];
    set_user_event_status(user, CL_COMPLETE);
    release_event(user);
}
kernel void joined(global int *out)
{
    clk_event_t each[10], all, last;

    for (int i = 0; i < 10; i++)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                       0, NULL, &each[i], ^{ out[i] = i; });
    enqueue_marker(get_default_queue(), 10, each, &all);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &all,
                   &last, ^{
                       for (int i = 0; i < 10; i++)
                           out[10] += out[i];
                   });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &last,
                   NULL, ^{ out[11] = out[10] == 45; });
    for (int i = 0; i < 10; i++)
        release_event(each[i]);
    release_event(all);
    release_event(last);
}
kernel void broken(global int *out)
{
    clk_event_t user = create_user_event(), after;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user,
                   &after, ^{ out[0] = 1; });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &after,
                   NULL, ^{ out[1] = 1; });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2),
                   ^{ out[2 + get_global_id(0)] = 5; });
    set_user_event_status(user, -7);
    release_event(user);
    release_event(after);
}
// The event of a launch is complete when what it enqueued is.
kernel void waits_for_children(global int *out)
{
    clk_event_t parent;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL,
                   &parent, ^{
                       for (int i = 0; i < 50; i++)
                           enqueue_kernel(get_default_queue(),
                                          CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                                          ^{ atomic_inc(&out[0]); });
                   });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1,
                   &parent, NULL, ^{ out[1] = out[0]; });
    release_event(parent);
}
kernel void handles(global int *out)
{
    clk_event_t user = create_user_event(), null = CLK_NULL_EVENT;

    out[0] = is_valid_event(user);
    out[1] = is_valid_event(null);
    retain_event(user);
    set_user_event_status(user, CL_COMPLETE);
    release_event(user);
    out[2] = is_valid_event(user);
    release_event(user);
    out[3] = is_valid_event(user);
    release_event(user);
    set_user_event_status(null, CL_COMPLETE);
    out[4] = enqueue_marker(get_default_queue(), 0, NULL, NULL);
    out[5] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                            1, &user, NULL, ^{ out[0] = 99; });
    out[6] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                            1, &null, NULL, ^{ out[0] = 99; });
    out[7] = 0;
}
kernel void timed(global ulong *times, global int *out)
{
    clk_event_t done;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0,
                   NULL, &done, ^{ out[0] = 7; });
    capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done,
                   NULL, ^{ out[0] = times[0] > 0 && times[1] >= times[0]; });
    release_event(done);
}
