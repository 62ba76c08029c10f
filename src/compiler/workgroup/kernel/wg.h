// SPDX-License-Identifier: MIT
// What the passes of the work-group form share. Private to this folder.
//
// Terms: the kernel is the spir_kernel function of the program; the item function runs
// one work-item of it, with the signature of tf_item_entry; the entry function is what
// the run-time calls (tf_wg_entry).
#ifndef TF_COMPILER_WORKGROUP_KERNEL_WG_H
#define TF_COMPILER_WORKGROUP_KERNEL_WG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/attr.h"
#include "compiler/module/arg_layout.h"
#include "compiler/workgroup/target/target.h"

// Address spaces of the spir64 target, as Clang numbers them. On x86-64 and aarch64 all
// are the same flat memory.
enum { TF_AS_PRIVATE = 0, TF_AS_GLOBAL = 1, TF_AS_CONSTANT = 2, TF_AS_LOCAL = 3 };

// Parameters of the item function; the entry function shares the first two.
enum { TF_ITEM_LAUNCH, TF_ITEM_WORKER, TF_ITEM_GROUP, TF_ITEM_LID, TF_ITEM_PARAMS = 6 };
// Of the entry function.
enum {
    TF_ENTRY_LAUNCH,
    TF_ENTRY_WORKER,
    TF_ENTRY_FIRST,
    TF_ENTRY_COUNT,
    TF_ENTRY_PARAMS
};

// What is asked for; known from the beginning.
struct tf_wishes {
    enum tf_wg_form form;
    struct tf_target target; // the machine
    unsigned width;          // lanes to begin with
    bool width_given;        // not to be changed
    unsigned pack_rows;      // 0: as pays, 1: none, 2 or 4: wherever that is possible
    bool lanes_forced;       // lanes even where they seem slower
    bool lanes_preferred;    // the same, but for kernels that have none
    bool gang_fibers_forced; // gangs on fibers even where barriers become loops
    const void *fixed_args;  // of a variant: struct tf_generate_in
    size_t fixed_arg_bytes;
    uint32_t local_size[3]; // of all groups: struct tf_generate_in; 0: any
    bool for_debugger;      // struct tf_wg_in
    struct tf_wg_notes
        *notes; // takes what became of each line (report.h); NULL: nobody asked
};

// What room item gives: the kernel as functions of one work-item.
struct tf_item {
    LLVMValueRef kernel;      // NULL once it is inlined
    struct tf_arg_slot *args; // where its arguments lie
    unsigned arg_count;
    // The item function. With sub_groups, once there are lanes: a gang of S lanes.
    LLVMValueRef function;
    // The item function as lanes are made of it; see the ids pass. NULL where none are
    // wanted, or once they are made.
    LLVMValueRef wide;
    uint64_t reqd_size[3]; // of a group (reqd_work_group_size); 0: any
    // S, the lanes of a sub-group, 0 where the kernel has no such size; whether it uses
    // them (workgroup/item/sub_group.h).
    unsigned sub_group_size;
    unsigned hint_lanes; // intel_vec_len_hint; 1: none wanted, 0: no hint
    bool sub_groups;
    bool has_barrier;
    bool calls;       // kept functions (workgroup/item/kept_calls.c)
    bool has_atomics; // changes, or stores
    bool waits;    // in loops, for others of its group: on fibers (prepare/waits/wait.h)
    bool in_order; // of struct tf_fit
    // What the kernel wants to know of where a work-item is.
    struct {
        bool local_id[3];
        bool group; // anything else that struct tf_group says
    } asked;
    // LOOPS or FIBERS, also where there are lanes: that form then serves launches that
    // are too large for them.
    enum tf_wg_form form;
};

// What the steps of the lanes give (workgroup/lanes.h).
struct tf_lanes {
    LLVMValueRef linear;            // of S lanes: the item function from then on; or NULL
    LLVMValueRef gang, gang_masked; // W lanes, and 1 to W lanes; NULL: `refusal` says why
    bool masks_suffice;             // gang_masked runs whole gangs, too: `gang` is that
    unsigned width;                 // W
    bool long_rows;                 // rows of items may reach through several groups
    bool has_loops;                 // of the program: lanes go round in them
    bool turned; // lanes are neighbours in dimension 1 (workgroup/plan/choice/choose.h)
    bool tall_boxes; // boxes of items may reach through groups along dimension 1
    // Packs (workgroup/plan/pack/pack.h): pack_width lanes of pack_rows rows as one, or
    // NULL.
    LLVMValueRef gang_pack;
    unsigned pack_rows, pack_width;
    LLVMValueRef limits[3];  // what ends a range early (group/limits.h), or NULL
    bool pack_columns;       // rows load the same: all rows first, then the next lanes
    unsigned narrow_bits;    // registers of so many bits do for the lanes; 0: the widest
    uint32_t streamed_bytes; // of struct tf_fit, as are
    uint32_t spacings[TF_FIT_SPACINGS];
    unsigned fixpoints; // of shapes that were computed
    char refusal[200];
    char report[200]; // what the lanes are made of
};

// What room group gives: the functions that run groups.
struct tf_group_forms {
    enum tf_wg_form form; // LOOPS or FIBERS: of the item function
    // Kernels with barriers: the functions that run one group (workgroup/split/split.h),
    // made of the item function, the gang and the gang with masks. NULL where that form
    // is not made.
    LLVMValueRef group_loops, group_gang, group_masked;
    struct tf_scratch scratch; // the most that one of them needs
    bool is_straight;          // group_gang has no loops over gangs, once it is unrolled
    // Rows of a kernel with barriers run one fiber a gang
    // (workgroup/group/gang_fibers.h).
    bool gang_fibers;
    bool no_rows; // the gangs are of no use: there are too many ways between barriers
    LLVMValueRef entry;
};

// One kernel that is compiled. Each room reads what others give and writes what is given
// to it as a parameter.
struct tf_wg {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef void_type, i8, i64, ptr;
    LLVMTypeRef item_type, entry_type;
    unsigned fixed_kind;     // of what tf_wg_mark_fixed says
    LLVMValueRef fixed_mark; // NULL: not made yet
    const char *kernel_name;
    const struct tf_wishes *wishes;
    const struct tf_item *item;
    const struct tf_lanes *lanes;
    const struct tf_group_forms *forms;
    bool checks;      // of lanes are on
    uint64_t llvm_ns; // spent in LLVM's passes
    char *text;       // of struct tf_wg_out
    size_t text_bytes;
};

// The passes; pipeline.c has their order. Each returns false after tf_wg_fail; the module
// is then of no further use.
void tf_wg_read_attributes(struct tf_wg *wg, struct tf_item *item);
// kernel -> item function, body inlined
bool tf_wg_item(struct tf_wg *wg, struct tf_item *item);
// kept functions get the parameters of the item function
bool tf_wg_kept_calls(struct tf_wg *wg);
// nothing left that kills the process
bool tf_wg_traps(struct tf_wg *wg);
// roots of cpu_abi.h -> parameters of the item function
bool tf_wg_ids(struct tf_wg *wg, struct tf_item *item);
// static __local variables -> worker's local memory
bool tf_wg_locals(struct tf_wg *wg);
// marks atomic changes that may wait until the range ends (delay.h)
bool tf_wg_delays(struct tf_wg *wg);
// LOOPS: marks loops that are not worth unrolling
bool tf_wg_unroll(struct tf_wg *wg);
// not FIBERS: parts between barriers in loops
bool tf_wg_barrier_loops(struct tf_wg *wg, struct tf_group_forms *forms);
// what runs on fibers: __tf_barrier -> service
bool tf_wg_barriers(struct tf_wg *wg);
// entry function: loop over the groups of a range
bool tf_wg_group(struct tf_wg *wg, struct tf_group_forms *forms);
// lanes: entry function for them round the other one
bool tf_wg_rows(struct tf_wg *wg, struct tf_group_forms *forms);
// nothing locks for local memory
bool tf_wg_local_atomics(struct tf_wg *wg);
// relaxed minima and maxima that change nothing write nothing
bool tf_wg_extremes(struct tf_wg *wg);
// one external definition, no call of the unknown
bool tf_wg_seal(struct tf_wg *wg);

// While the wide function is there: whether the kernel asks for no place in its group and
// has nothing in common with other items of it.
bool tf_wg_has_long_rows(const struct tf_wg *wg);

// The two bodies of the loop over groups. The builder stands where the group runs and is
// left where the next one starts. `group` points to the filled struct tf_group, `size` is
// its local size.
void tf_wg_emit_loops(struct tf_wg *wg, LLVMValueRef group, const LLVMValueRef size[3]);
// Runs `item`, of wg->item_type, on fibers.
void tf_wg_emit_fibers(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef item);
// Makes forms->entry, with the attributes of `from`, whose code it takes in.
bool tf_wg_add_entry(struct tf_wg *wg, struct tf_group_forms *forms, LLVMValueRef from);
// Which launches the entry function serves.
struct tf_fit tf_wg_fit(const struct tf_wg *wg);
// Whether group_gang runs the group, whose rows have size0 work-items: an i1. Where the
// kernel demands a size, that function is made for groups of that size.
LLVMValueRef tf_wg_fits_gangs(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef size0);
// Calls one of group_loops, .. group_gang only for a group that it fits.
void tf_wg_emit_group_call(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef fn);

// Whether the kernel keeps what it calls; else those functions are to be inlined as any
// other. *keeps. False after tf_wg_fail.
bool tf_wg_settle_calls(struct tf_wg *wg, bool *keeps);

// What holds for the parameters of the item function and its like: `item` takes in the
// code of `from`.
void tf_wg_add_item_attrs(LLVMValueRef from, LLVMValueRef item);

// What takes the place of `call`, of __tf_space, in `item`: comparisons with the ranges
// of addresses that the worker has. Built before the call.
LLVMValueRef tf_wg_space(struct tf_wg *wg, LLVMValueRef item, LLVMValueRef call);
// Replaces the services' roots, in every function: its first parameters are launch and
// worker.
void tf_wg_services(struct tf_wg *wg);
// The address of the service at `offset_bytes` of struct tf_services.
LLVMValueRef tf_wg_load_service(struct tf_wg *wg, LLVMValueRef launch,
                                size_t offset_bytes);

// For the checks of lanes, where they are on (workgroup/check): marks a load or store
// that is made once for all lanes, so that nobody takes a vector of the program for
// theirs.
#define TF_WG_ONE_METADATA "tf.one"
void tf_wg_mark_one(struct tf_wg *wg, LLVMValueRef access);

// Has the processor fetch the line of the address, wherever that is.
void tf_wg_fetch(struct tf_wg *wg, LLVMValueRef address);

// Fills what follows from wg->module: context, types, and a builder, which the caller
// disposes of.
void tf_wg_init(struct tf_wg *wg);

// Takes the printf-like reason and returns false.
bool tf_wg_fail(struct tf_wg *wg, const char *fmt, ...) TF_PRINTF(2, 3);

// Runs LLVM passes (the text form of opt's -passes) on the module. What else runs some
// adds the time to llvm_ns, too.
bool tf_wg_run_llvm(struct tf_wg *wg, const char *passes);
// The same for passes on one function. With old versions of LLVM, on all of the module.
bool tf_wg_run_on(struct tf_wg *wg, LLVMValueRef fn, const char *passes);

// base + offset_bytes.
LLVMValueRef tf_wg_address(struct tf_wg *wg, LLVMValueRef base, uint64_t offset_bytes);
// Loads a value that stays the same as long as the entry function runs.
LLVMValueRef tf_wg_load_fixed(struct tf_wg *wg, LLVMTypeRef type, LLVMValueRef base,
                              uint64_t offset_bytes, unsigned align_bytes,
                              const char *name);
// A number of 64 bits; the smaller one of two.
LLVMValueRef tf_wg_number(struct tf_wg *wg, uint64_t n);
LLVMValueRef tf_wg_min(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b);
// Where struct tf_group has what it says of a dimension.
#define TF_WG_GROUP_FIELD(member, dim) \
    (offsetof(struct tf_group, member) + (dim) * sizeof(tf_u64))
// Three numbers of 64 bits, one a dimension, behind a parameter of the entry function.
void tf_wg_load_dimensions(struct tf_wg *wg, unsigned parameter, size_t offset_bytes,
                           LLVMValueRef out[3]);
// The sizes of the launch, fetched once.
struct tf_wg_sizes {
    LLVMValueRef global[3], offset[3], local[3], groups[3];
};
void tf_wg_load_sizes(struct tf_wg *wg, struct tf_wg_sizes *out);
// Promises that `load` reads memory that never changes while the entry function runs.
void tf_wg_mark_fixed(struct tf_wg *wg, LLVMValueRef load);
// Whether that was promised of a value.
bool tf_wg_is_fixed_load(LLVMValueRef value);
// Of one that is loaded from the launch, or from the block of arguments, whose address is
// loaded, too.
bool tf_wg_is_of_launch(LLVMValueRef value);

// Where `value` was loaded from in the block of arguments, in a function that has the
// parameters of an item. -1: not from there, or from a place that is not known.
int64_t tf_wg_block_offset(LLVMValueRef fn, LLVMValueRef value);
// The number of the argument, a buffer, whose address `address` is, in such a function.
// -1: it is none.
int tf_wg_buffer_of(const struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef address);

// What holds for the item and the entry function `to`: nothing unwinds, launch and worker
// are there, and the modes (of floating-point numbers, ..) of `from`, whose code it takes
// in.
void tf_wg_add_function_attrs(LLVMValueRef from, LLVMValueRef to);

#endif // TF_COMPILER_WORKGROUP_KERNEL_WG_H
