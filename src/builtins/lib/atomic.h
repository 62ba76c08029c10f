// SPDX-License-Identifier: MIT
// What the atomic functions share.
#ifndef TF_BUILTINS_LIB_ATOMIC_H
#define TF_BUILTINS_LIB_ATOMIC_H

// Every thread of the device sees one memory, and so does the host.
#define TFL_SCOPE memory_scope_all_svm_devices

// The exchange is sequentially consistent whatever the orders: a locked instruction is on
// every processor that matters, and the failing path then needs no second form.
// `expected` is read and written in its own address space, outside the atomic operation.
#define TFL_COMPARE_EXCHANGE(type, p, expected, v)                                \
    ({                                                                            \
        type found = *(expected);                                                 \
        bool equal = __opencl_atomic_compare_exchange_strong(                     \
            p, &found, v, memory_order_seq_cst, memory_order_seq_cst, TFL_SCOPE); \
        if (!equal)                                                               \
            *(expected) = found;                                                  \
        equal;                                                                    \
    })

#endif // TF_BUILTINS_LIB_ATOMIC_H
