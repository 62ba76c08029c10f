// SPDX-License-Identifier: MIT
#include "compiler/ir/roots.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

// The type of the value follows the names that end with a line.
static const char *const names[TF_ROOT_UNKNOWN] = {
    [TF_ROOT_NONE] = "",
    [TF_ROOT_LID] = "tf_lid0",
    [TF_ROOT_LID + 1] = "tf_lid1",
    [TF_ROOT_LID + 2] = "tf_lid2",
    [TF_ROOT_GID] = "tf_gid0",
    [TF_ROOT_GID + 1] = "tf_gid1",
    [TF_ROOT_GID + 2] = "tf_gid2",
    [TF_ROOT_APART] = "tf_apart",
    [TF_ROOT_INSIDE] = "tf_inside",
    [TF_ROOT_LOCAL_ID] = "__tf_local_id",
    [TF_ROOT_GLOBAL_ID] = "__tf_global_id",
    [TF_ROOT_LAUNCH] = "__tf_launch",
    [TF_ROOT_WORKER] = "__tf_worker",
    [TF_ROOT_GROUP] = "__tf_group",
    [TF_ROOT_BARRIER] = "__tf_barrier",
    [TF_ROOT_YIELD] = "__tf_yield",
    [TF_ROOT_SPACE] = "__tf_space",
    [TF_ROOT_PRINT] = "__tf_print",
    [TF_ROOT_ENQUEUE] = "__tf_enqueue",
    [TF_ROOT_ASK] = "__tf_ask",
    [TF_ROOT_CHECK] = "__tf_check",
    [TF_ROOT_CHECK_FLAGS] = "__tf_check_flags",
    [TF_ROOT_CHECK_IMAGE] = "__tf_check_image",
    [TF_ROOT_GROUP_SCRATCH] = "__tf_group_scratch",
    [TF_ROOT_ESTIMATE_BITS] = "__tf_estimate_bits",
    [TF_ROOT_HAS_FMA] = "__tf_has_fma",
    [TF_ROOT_NAMED_BARRIER] = "__tf_named_barrier",
    [TF_ROOT_SUB_GROUP_WIDTH] = "__tf_sub_group_width",
    [TF_ROOT_SUB_GROUP_ID] = "__tf_sub_group_id",
    [TF_ROOT_SUB_GROUP_LANE] = "__tf_sub_group_lane",
    [TF_ROOT_SUB_GROUP_BARRIER] = "__tf_sub_group_barrier",
    [TF_ROOT_SUB_GROUP_BALLOT] = "__tf_sub_group_ballot",
    [TF_ROOT_SUB_GROUP_BROADCAST] = "__tf_sub_group_broadcast_",
    [TF_ROOT_SUB_GROUP_SHUFFLE] = "__tf_sub_group_shuffle_",
    [TF_ROOT_SUB_GROUP_REDUCE] = "__tf_sub_group_reduce_",
    [TF_ROOT_SUB_GROUP_CLUSTER] = "__tf_sub_group_cluster_",
    [TF_ROOT_SUB_GROUP_SCAN] = "__tf_sub_group_scan_",
};

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

enum tf_root tf_root_named(const char *name)
{
    const bool is_reserved = has_prefix(name, "__tf_");

    if (!is_reserved && !has_prefix(name, "tf_"))
        return TF_ROOT_NONE;
    for (unsigned root = TF_ROOT_LID; root < TF_ROOT_UNKNOWN; root++) {
        if (root >= TF_ROOT_SUB_GROUP_BROADCAST ? has_prefix(name, names[root])
                                                : strcmp(name, names[root]) == 0)
            return (enum tf_root)root;
    }
    return is_reserved ? TF_ROOT_UNKNOWN : TF_ROOT_NONE;
}

enum tf_root tf_root_of(LLVMValueRef call)
{
    const LLVMValueRef callee = LLVMIsACallInst(call) ? tf_ir_callee(call) : NULL;

    return !callee || tf_ir_is_intrinsic(callee) ? TF_ROOT_NONE
                                                 : tf_root_named(tf_ir_name(callee));
}

const char *tf_root_name(enum tf_root root)
{
    return names[root];
}

bool tf_root_is_sub_group(enum tf_root root)
{
    return root >= TF_ROOT_SUB_GROUP_WIDTH && root <= TF_ROOT_SUB_GROUP_SCAN;
}

bool tf_root_is_shared(enum tf_root root)
{
    return root == TF_ROOT_SUB_GROUP_ID || root == TF_ROOT_SUB_GROUP_BALLOT ||
           root == TF_ROOT_SUB_GROUP_BROADCAST || root == TF_ROOT_SUB_GROUP_REDUCE;
}
