// SPDX-License-Identifier: MIT
// Kernels that kernels enqueue: what orders them with those who enqueue them, and with
// each other; and faults of theirs.
// BUILD: options="-cl-std=CL3.0"
#define Q get_default_queue()
#define NO_WAIT CLK_ENQUEUE_FLAGS_NO_WAIT
#define KERNEL CLK_ENQUEUE_FLAGS_WAIT_KERNEL
#define GROUP CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP
#define ONE ndrange_1D(1)

// ---- Parent and child

kernel void continues(global int *out)
{
    enqueue_kernel(Q, NO_WAIT, ONE, ^{
        out[0] = 1; // EITHER-continues: race __continues_block_invoke_kernel "write of 4 bytes of global memory races with a write" "at kernel.cl:18:12 by work-item (0, 0, 0) of group (0, 0, 0) of kernel continues" id=0 parent=continues
    });
    out[0] = 2; // EITHER-continues: race continues "write of 4 bytes of global memory races with a write" "at kernel.cl:16:16 by work-item (0, 0, 0) of group (0, 0, 0) of kernel __continues_block_invoke_kernel" id=0
}
// RUN: continues global=1
// ARG: out int[1] = 0
// EXPECT: completes

kernel void waits_for_it(global int *out)
{
    out[0] = 1;
    enqueue_kernel(Q, NO_WAIT, ONE, ^{
        out[1] = out[0];
    });
    enqueue_kernel(Q, KERNEL, ONE, ^{
        out[2] = out[3];
    });
    out[3] = 5;
}
// RUN: waits_for_it global=1
// ARG: out int[4] = 0
// EXPECT: out = {1, 1, 5, 5}

// What others of the group have done needs a barrier, or a child that waits for them.
kernel void of_others(global int *out)
{
    int i = get_local_id(0);
    out[i] = i + 1; // EITHER-others: race of_others "write of 4 bytes of global memory races with a read" "of kernel __of_others_block_invoke_kernel"
    if (i == 0)
        enqueue_kernel(Q, NO_WAIT, ONE, ^{
            out[4] = out[1]; // EITHER-others: race __of_others_block_invoke_kernel "read of 4 bytes of global memory races with a write" "of kernel of_others" id=0 parent=of_others
        });
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0)
        enqueue_kernel(Q, NO_WAIT, ONE, ^{
            out[5] = out[2];
        });
    if (i == 1)
        enqueue_kernel(Q, GROUP, ONE, ^{
            out[6] = out[7];
        });
    if (i == 3)
        out[7] = 9;
}
// RUN: of_others global=4 local=4
// ARG: out int[8] = 0
// EXPECT: out[5..7] = {3, 9, 9}

kernel void of_other_groups(global int *out)
{
    int g = get_group_id(0);
    if (g == 0)
        enqueue_kernel(Q, GROUP, ONE, ^{
            out[2] = out[0];
            out[3] = out[1]; // EITHER-groups: race __of_other_groups_block_invoke_kernel "read of 4 bytes of global memory races with a write" "by work-item (0, 0, 0) of group (1, 0, 0) of kernel of_other_groups" id=0 parent=of_other_groups
        });
    out[g] = g + 1; // EITHER-groups: race of_other_groups "write of 4 bytes of global memory races with a read" "of kernel __of_other_groups_block_invoke_kernel" id=1
}
// RUN: of_other_groups global=2 local=1
// ARG: out int[4] = 0
// EXPECT: out[2] = 1

// ---- Children

kernel void siblings(global int *out)
{
    enqueue_kernel(Q, KERNEL, ONE, ^{
        out[0] = 1; // EITHER-siblings: race __siblings_block_invoke_kernel "races with a write" "of kernel __siblings_block_invoke_2_kernel" id=0 parent=siblings
    });
    enqueue_kernel(Q, KERNEL, ONE, ^{
        out[0] = 2; // EITHER-siblings: race __siblings_block_invoke_2_kernel "races with a write" "of kernel __siblings_block_invoke_kernel" id=0 parent=siblings
    });
}
// RUN: siblings global=1
// ARG: out int[1] = 0
// EXPECT: completes

kernel void twins(global int *out)
{
    int i = get_global_id(0);
    enqueue_kernel(Q, NO_WAIT, ONE, ^{
        out[0] = i + 1; // FAULT: race __twins_block_invoke_kernel "races with a write" "of another launch of kernel __twins_block_invoke_kernel" parent=twins
    });
}
// RUN: twins global=2 local=1
// ARG: out int[1] = 0
// EXPECT: completes

kernel void events(global int *out)
{
    clk_event_t first, second, all, user = create_user_event();
    enqueue_kernel(Q, NO_WAIT, ONE, 0, NULL, &first, ^{
        out[0] = 1;
        enqueue_kernel(Q, KERNEL, ONE, ^{
            out[1] = 2;
        });
    });
    enqueue_kernel(Q, NO_WAIT, ONE, 1, &first, &second, ^{
        out[0] += 1;
        out[1] += 1; // what `first` stands for has ended with what it enqueued
    });
    enqueue_marker(Q, 1, &second, &all);
    enqueue_kernel(Q, NO_WAIT, ONE, 1, &all, NULL, ^{
        out[2] = out[0] + out[1];
    });
    enqueue_kernel(Q, NO_WAIT, ONE, 1, &user, NULL, ^{
        out[3] += 1;
    });
    out[3] = 7;
    set_user_event_status(user, CL_COMPLETE);
    release_event(first);
    release_event(second);
    release_event(all);
    release_event(user);
}
// RUN: events global=1
// ARG: out int[4] = 0
// EXPECT: out = {2, 3, 5, 8}

kernel void wrong_event(global int *out)
{
    clk_event_t first, second;
    enqueue_kernel(Q, NO_WAIT, ONE, 0, NULL, &first, ^{
        out[0] = 1;
    });
    enqueue_kernel(Q, NO_WAIT, ONE, 0, NULL, &second, ^{
        out[1] = 2; // EITHER-wrong: race __wrong_event_block_invoke_2_kernel "races with a read" "of kernel __wrong_event_block_invoke_3_kernel" parent=wrong_event
    });
    enqueue_kernel(Q, NO_WAIT, ONE, 1, &first, NULL, ^{
        out[2] = out[0];
        out[3] = out[1]; // EITHER-wrong: race __wrong_event_block_invoke_3_kernel "races with a write" "of kernel __wrong_event_block_invoke_2_kernel" parent=wrong_event
    });
    release_event(first);
    release_event(second);
}
// RUN: wrong_event global=1
// ARG: out int[4] = 0
// EXPECT: out[0..2] = {1, 2, 1}

// A child that waits for its parent does not wait for what that has enqueued.
kernel void cousins(global int *out)
{
    enqueue_kernel(Q, NO_WAIT, ONE, ^{
        enqueue_kernel(Q, NO_WAIT, ONE, ^{
            out[0] = 1; // EITHER-cousins: race __cousins_block_invoke_2_kernel "races with a write" "of kernel __cousins_block_invoke_3_kernel" parent=__cousins_block_invoke_kernel
        });
    });
    enqueue_kernel(Q, KERNEL, ONE, ^{
        out[0] = 2; // EITHER-cousins: race __cousins_block_invoke_3_kernel "races with a write" "of kernel __cousins_block_invoke_2_kernel" parent=cousins
    });
}
// RUN: cousins global=1
// ARG: out int[1] = 0
// EXPECT: completes

void step(global int *out, int i)
{
    out[i] = i == 0 ? 1 : out[i - 1] + 1;
    if (i < 99)
        enqueue_kernel(Q, i & 1 ? NO_WAIT : KERNEL, ONE, ^{
            step(out, i + 1);
        });
}
kernel void chain(global int *out)
{
    step(out, 0);
}
// RUN: chain global=1
// ARG: out int[100] = 0
// EXPECT: out = i + 1

// Work-items of a child, as of any kernel.
kernel void inside(global int *out)
{
    enqueue_kernel(Q, NO_WAIT, ndrange_1D(4, 4), ^{
        int i = get_local_id(0);
        out[i] = i; // FAULT: race __inside_block_invoke_kernel "write of 4 bytes of global memory races with a read" "at kernel.cl:193:22 by work-item (0, 0, 0) of group (0, 0, 0)" id=1 parent=inside
        out[4 + i] = out[i ^ 1];
    });
}
// RUN: inside global=1
// ARG: out int[8] = 99
// EXPECT: completes

// ---- Other faults

kernel void faults(global int *out, int n)
{
    enqueue_kernel(Q, NO_WAIT, ndrange_1D(2, 2), ^(local void *p) {
        int a[2];
        local int *tmp = p;
        int i = get_global_id(0);
        a[0] = 1;
        if (i == 0)
            out[0] = a[n]; // FAULT: uninitialized __faults_block_invoke_kernel "a value that was never written is stored" "" id=0 parent=faults
        out[n + i] = 1; // FAULT: memory __faults_block_invoke_kernel "invalid write of 4 bytes of global memory" "0 bytes past the end of memory that was captured of 8 bytes" id=1 parent=faults
        tmp[i] = 2; // FAULT: memory __faults_block_invoke_kernel "invalid write of 4 bytes of local memory" "0 bytes past the end of local argument 1 of 4 bytes" id=1 parent=faults
    }, (uint)4);
}
// RUN: faults global=1
// ARG: out int[2] = 0
// ARG: n int = 1
// EXPECT: out[1] = 1
