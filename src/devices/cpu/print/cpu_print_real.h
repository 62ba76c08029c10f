// SPDX-License-Identifier: MIT
// Real numbers as text, exactly as C's printf has them in the locale "C", rounded to
// nearest and to even. printf of kernels runs on the stacks of fibers, which are small:
// nothing here takes memory or more stack than the structure below (the C library may
// take 64 KiB for one number).
#ifndef TF_DEVICES_CPU_PRINT_CPU_PRINT_REAL_H
#define TF_DEVICES_CPU_PRINT_CPU_PRINT_REAL_H

#include <stdbool.h>
#include <stddef.h>

// The smallest double has 767 digits; one more for a carry.
enum { TF_REAL_DIGITS = 768 };

// Parts of the text, in this order; zeros are only counted, for there may be many.
struct tf_real_text {
    char digits[TF_REAL_DIGITS]; // what the pointers point into
    const char *whole;           // before the point; "inf" and "nan", too
    size_t whole_count;
    bool has_point;
    size_t zeros_before; // behind the point, before the digits there
    const char *fraction;
    size_t fraction_count;
    size_t zeros_after;
    char exponent[8]; // "" or "e+05"
};

// The text of `x`, which is not negative (or a NaN), without the 0x of %a. `conversion`
// is one of fFeEgGaA, `precision` -1 where there is none, `alternative` the flag '#'.
void tf_real_format(struct tf_real_text *out, char conversion, int precision,
                    bool alternative, double x);

// Length of the whole text.
size_t tf_real_bytes(const struct tf_real_text *text);

#endif // TF_DEVICES_CPU_PRINT_CPU_PRINT_REAL_H
