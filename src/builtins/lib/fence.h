// SPDX-License-Identifier: MIT
// Memory fences by order and scope.
#ifndef TF_BUILTINS_LIB_FENCE_H
#define TF_BUILTINS_LIB_FENCE_H

// OpenCL C has no builtin for a fence with a scope. pack_builtins.c turns the scope
// "singlethread" of a signal fence into "workgroup".
#define TFL_FENCE(fence, order)      \
    do {                             \
        switch (order) {             \
        case memory_order_relaxed:   \
            break;                   \
        case memory_order_acquire:   \
            fence(__ATOMIC_ACQUIRE); \
            break;                   \
        case memory_order_release:   \
            fence(__ATOMIC_RELEASE); \
            break;                   \
        case memory_order_acq_rel:   \
            fence(__ATOMIC_ACQ_REL); \
            break;                   \
        case memory_order_seq_cst:   \
            fence(__ATOMIC_SEQ_CST); \
            break;                   \
        }                            \
    } while (0)

TF_HELPER void tfl_fence(memory_order order, memory_scope scope)
{
    if (scope == memory_scope_device || scope == memory_scope_all_svm_devices)
        TFL_FENCE(__c11_atomic_thread_fence, order);
    else if (scope != memory_scope_work_item)
        TFL_FENCE(__c11_atomic_signal_fence, order);
}

#endif // TF_BUILTINS_LIB_FENCE_H
