// SPDX-License-Identifier: MIT
// A call of printf as the compiler hands it to the run-time (root __tf_print of
// abi/cpu_abi.h): one record, which says of every argument what it is. The
// run-time reads the format beside it, so a format that asks for something else is found
// there and does no harm, and a format need not be known when the kernel is compiled.
//
//     struct tf_print_record | for each argument: struct tf_print_arg, value, padding to
//     8
//
// All is 8-aligned and in the byte order of the device, which is the host's.
#ifndef TF_ABI_PRINT_RECORD_H
#define TF_ABI_PRINT_RECORD_H

#include <stdint.h>

#define TF_PRINT_ALIGN_BYTES 8

struct tf_print_record {
    uint64_t format;       // address
    uint64_t format_bytes; // that may be read there, 0 at its end included; or UINT64_MAX
    uint32_t arg_count;
    uint32_t bytes; // of the whole record
};

enum tf_print_kind {
    TF_PRINT_OTHER,   // a type that no conversion takes; no value follows
    TF_PRINT_INTEGER, // one element or a vector, packed
    TF_PRINT_FLOAT,   // half, float, double; one element or a vector, packed
    TF_PRINT_POINTER, // address, 8 bytes; into constant memory also the bytes that may be
                      // read there, 8 bytes, UINT64_MAX where that is not known
};

struct tf_print_arg {
    uint8_t kind;          // enum tf_print_kind
    uint8_t width;         // elements
    uint8_t element_bytes; // 1, 2, 4, 8
    uint8_t space;         // of a pointer: number of its address space in LLVM
    uint32_t value_bytes;  // without padding
};

#endif // TF_ABI_PRINT_RECORD_H
