// SPDX-License-Identifier: MIT
// The operations of sub-group reductions and scans, as the built-ins library names them
// to the work-group former. Included by C and by OpenCL C.
#ifndef TF_DEVICES_CPU_SUB_GROUP_OPS_H
#define TF_DEVICES_CPU_SUB_GROUP_OPS_H

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

#endif // TF_DEVICES_CPU_SUB_GROUP_OPS_H
