// SPDX-License-Identifier: MIT
// The structures shared by the run-time (C), the work-group former (which knows their
// offsets) and the built-ins library (OpenCL C). A change here is a change of
// TF_CPU_ABI_VERSION, which is part of the key of every stored kernel object.
//
// A kernel object exports one entry function per kernel, "tf_wg_<kernel>":
//
//     void tf_wg_<kernel>(const struct tf_launch *, struct tf_worker *,
//                         const uint64_t first_group[3], uint64_t group_count);
//
// It runs the `group_count` work-groups from the one with the id `first_group` on,
// dimension 0 fastest. Set-up is paid once a range; the run-time divides to find the id,
// because a division of 64 bits is code and, on many processors, a branch that LLVM
// leaves in the way of what it hoists. All sizes are in work-items or
// groups, index 0..2 is the dimension; unused dimensions have size 1 and offset 0.
#ifndef TF_ABI_CPU_ABI_H
#define TF_ABI_CPU_ABI_H

#define TF_CPU_ABI_VERSION 10

#ifdef __OPENCL_C_VERSION__
typedef ulong tf_u64;
typedef uint tf_u32;
#define TF_HOST_PTR(type) ulong /* an address that OpenCL C code only passes on */
#else
#include <stddef.h>
#include <stdint.h>
typedef uint64_t tf_u64;
typedef uint32_t tf_u32;
typedef int32_t tf_i32;
#define TF_HOST_PTR(type) type *
#endif

struct tf_launch;
struct tf_worker;
struct tf_group;

#ifndef __OPENCL_C_VERSION__
typedef void (*tf_wg_entry)(const struct tf_launch *, struct tf_worker *,
                            const tf_u64 first_group[3], tf_u64 group_count);
// One work-item of one group; made only for kernels that run on fibers.
typedef void (*tf_item_entry)(const struct tf_launch *, struct tf_worker *,
                              const struct tf_group *, tf_u64 lid0, tf_u64 lid1,
                              tf_u64 lid2);
// What kernel code may ask of the run-time. Grows at its end only; `bytes` says how far.
struct tf_services {
    tf_u32 version; // TF_CPU_ABI_VERSION
    tf_u32 bytes;   // sizeof(struct tf_services) of the run-time
    // Runs `item` for every work-item of the group, each on a fiber of its own.
    void (*run_fibers)(const struct tf_launch *, struct tf_worker *,
                       const struct tf_group *, tf_item_entry item);
    // Work-group barrier: returns when every unfinished item of the group has arrived at
    // a barrier or ended. Only inside run_fibers.
    void (*barrier)(struct tf_worker *);
    // One call of printf: `bytes` bytes of abi/print_record.h. Its result.
    tf_i32 (*print)(const struct tf_launch *, struct tf_worker *, const void *record,
                    tf_u64 bytes);
    // Ends the launch with an error; `what` names the cause. Does not return.
    void (*trap)(const struct tf_launch *, struct tf_worker *, const char *what);
    // Gives the other items of the group a turn each. Only inside run_fibers, by items
    // that wait for others in a loop; the barrier of these is `gather`: barrier() takes
    // whoever had a turn for one who has arrived.
    void (*yield)(struct tf_worker *);
    void (*gather)(struct tf_worker *);
    // What a work-item asks about enqueuing on the device: a struct tf_enqueue_record.
    tf_u64 (*enqueue)(const struct tf_launch *, struct tf_worker *, const void *record,
                      tf_u32 flags);
    // What is asked seldom: an enum tf_ask_op, and a record of some of them. The result
    // means nothing.
    tf_u64 (*ask)(const struct tf_launch *, struct tf_worker *, const void *record,
                  tf_u32 op);
};
#endif

enum tf_ask_op {
    // One item of each group, where all others wait for it: returns when one of every
    // group has come, or the group has ended. At once in launches that are not
    // concurrent.
    TF_ASK_DEVICE_BARRIER,
    // A struct tf_assert_record: says so and ends the launch with an error.
    TF_ASK_ASSERT_FAILED,
    // Functions have called each other deeper than the frames of a work-item reach: ends
    // the launch with an error.
    TF_ASK_TOO_DEEP,
};

// An assertion that has failed. Addresses of strings that end with 0; 0: not known.
struct tf_assert_record {
    tf_u64 expression, file, function;
    tf_u64 line;
    tf_u64 global_id[3], local_id[3];
};

// tf_launch.flags.
enum {
    TF_LAUNCH_CONCURRENT = 1, // all groups run at the same time
    // No two arguments that are buffers (TF_ARG_BUFFER) share a byte of the memory that
    // they may be used to reach. Not set: nobody knows, or they do.
    TF_LAUNCH_APART = 2,
    // The launch goes through so much memory that the caches keep nothing of it: what it
    // stores may go past them. The entry function leaves such stores in order.
    TF_LAUNCH_STREAMS = 4,
    // A tool looks at every byte that is read: lanes read none but the program's.
    TF_LAUNCH_WATCHED = 8,
};

// One NDRange. Read-only while it runs.
struct tf_launch {
    tf_u32 work_dim; // 1..3
    tf_u32 flags;    // TF_LAUNCH_*
    tf_u64 global_size[3];
    tf_u64 global_offset[3];
    tf_u64 local_size[3]; // enqueued local size; the last group of a row may be smaller
    tf_u64 group_count[3];
    TF_HOST_PTR(const void) args;   // argument block, see abi/kernel_info.h
    TF_HOST_PTR(void) program_data; // the program's block of mutable program-scope data
    TF_HOST_PTR(const struct tf_services) services;
    TF_HOST_PTR(void) reserved; // NULL
    TF_HOST_PTR(void) host;     // the run-time's own
};

#ifndef __OPENCL_C_VERSION__
// The id of the group with linear number `group`. Divisions of 64 bits cost several times
// those of 32 on many processors.
static inline void tf_group_id(const struct tf_launch *launch, tf_u64 group, tf_u64 id[3])
{
    const tf_u64 x = launch->group_count[0], y = launch->group_count[1];

    if ((group | x | y) >> 32) {
        id[0] = group % x;
        id[1] = group / x % y;
        id[2] = group / x / y;
    } else {
        const tf_u32 row = (tf_u32)group / (tf_u32)x;

        id[0] = (tf_u32)group % (tf_u32)x;
        id[1] = row % (tf_u32)y;
        id[2] = row / (tf_u32)y;
    }
}
#endif

// Before local memory and behind it, so much is the worker's, too: kernels may load it,
// and store it as it was.
enum { TF_LOCAL_MARGIN_BYTES = 512 };

// One thread that runs groups, at one time one group only.
struct tf_worker {
    TF_HOST_PTR(char) local; // local memory of the running group: static, then arguments
    tf_u64 local_bytes;      //
    TF_HOST_PTR(char) scratch;     // values that live across barriers, large private data
    tf_u64 scratch_bytes;          //
    TF_HOST_PTR(void) stack_limit; // lowest usable stack address
    TF_HOST_PTR(void) host;        // the run-time's own (fibers)
    tf_u32 index;                  // 0..workers-1
    tf_u32 reserved;
    TF_HOST_PTR(void) stack_end; // past the highest usable stack address
    tf_u64
        mailbox; // what items of the running group tell each other between two barriers
};

// The running group, filled by the entry function.
struct tf_group {
    tf_u64 group_id[3];
    tf_u64 local_size[3];  // of this group: smaller than enqueued at a ragged edge
    tf_u64 global_base[3]; // global id of the item with local id 0, offset included
};

// Operations of sub-group reductions and scans, as the built-ins library names them to
// the work-group former (builtins/lib/sub_group.h).
enum tf_sub_group_combine {
    TF_SUB_GROUP_ADD,
    TF_SUB_GROUP_MUL,
    TF_SUB_GROUP_MIN,
    TF_SUB_GROUP_MAX,
    TF_SUB_GROUP_AND,
    TF_SUB_GROUP_OR,
    TF_SUB_GROUP_XOR,
    // Added to MIN and MAX of integers without sign.
    TF_SUB_GROUP_UNSIGNED = 16,
};

#ifdef __OPENCL_C_VERSION__
// The roots that the work-group former replaces. Only the built-ins library may name
// them. As far as OpenCL C sees, what they return points to private memory.
ulong __attribute__((const)) __tf_local_id(uint dim);  // dim is 0, 1 or 2, a constant
ulong __attribute__((const)) __tf_global_id(uint dim); // the same
const __private struct tf_launch *__attribute__((const)) __tf_launch(void);
__private struct tf_worker *__attribute__((const)) __tf_worker(void);
const __private struct tf_group *__attribute__((const)) __tf_group(void);
// The bits of the estimates that the machine makes of inverse roots, the same in all
// forms of code: 14, 12 (floats only) or 0, a constant once a kernel is made for it
// (compiler/codegen/arithmetic/ways.h).
uint __attribute__((const)) __tf_estimate_bits(void);
// 1 where fma() of floats and doubles is one operation, else 0; the like.
uint __attribute__((const)) __tf_has_fma(void);
// Control only, no fence.
void __attribute__((convergent, noduplicate)) __tf_barrier(void);
// Local memory for the collective functions: `item_bytes`, a constant, for each work-item
// of the largest group, or, if that is 0, 8 for each sub-group. The compiler puts a
// variable in its place (compiler/lower/group_scratch.h).
__local ulong *__attribute__((const)) __tf_group_scratch(uint item_bytes);
#ifdef __opencl_c_generic_address_space
// LLVM's number of the address space that holds `p`: 0 private, 1 global, 3 local.
uint __attribute__((const)) __tf_space(const __generic void *p);
#endif
// For tf_services.enqueue.
ulong __tf_enqueue(const __private void *record, uint flags);
// For tf_services.ask.
ulong __tf_ask(const __private void *record, uint op);
// What the work-items of a sub-group do together has roots in builtins/lib/sub_group.h.
// One more root comes from the compiler alone (compiler/lower/print.h), for
// tf_services.print:
//     int __tf_print(const void *record, ulong bytes);
#endif

#endif // TF_ABI_CPU_ABI_H
