// SPDX-License-Identifier: MIT
// The element types of OpenCL C, and their values on the host: integers as 128-bit
// numbers, floating-point numbers of all types as double, which holds them exactly.
#ifndef TF_TESTS_BUILTINS_NUMBER_H
#define TF_TESTS_BUILTINS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 wide;
typedef unsigned __int128 unwide;

struct element {
    const char *name;
    unsigned bits;
    char kind;  // s signed, u unsigned, f floating point
    int digits; // of a floating-point type: of its fraction, with the hidden one
    int exp_least, exp_most; // as FLT_MIN_EXP and FLT_MAX_EXP
};

// One value: `real` of floating-point types, `whole` of the others.
struct number {
    wide whole;
    double real;
};

// NULL: not a type of numbers. "size_t" is "ulong".
const struct element *element_find(const char *name);
// The element `from` has, but unsigned, or signed.
const struct element *element_unsigned(const struct element *from);

// Bits of array[i], in the low bits.
uint64_t element_bits(const struct element *e, const void *array, size_t i);
void element_set_bits(const struct element *e, void *array, size_t i, uint64_t bits);
struct number element_get(const struct element *e, const void *array, size_t i);
// Integers wrap; a floating-point number must be one of the type.
void element_set(const struct element *e, void *array, size_t i, struct number n);

struct number number_from_bits(const struct element *e, uint64_t bits);
uint64_t number_bits(const struct element *e, struct number n);
// Limits of an integer type.
wide element_least(const struct element *e);
wide element_most(const struct element *e);
// The largest finite number, the smallest normal and the smallest positive one.
double real_most(const struct element *e);
double real_normal(const struct element *e);
double real_least(const struct element *e);
// Nearest number of the type, or infinity.
double real_nearest(const struct element *e, double x);

// x rounded to the floating-point type in the direction `rounding` (FE_UPWARD ...).
long double real_directed(const struct element *e, long double x, int rounding);
// The rounding that the end of a function's name asks for ("_rtz"), or `otherwise`.
int real_rounding(const char *name, int otherwise);

// Same bits, or two NaNs of a floating-point type.
bool number_same(const struct element *e, struct number a, struct number b);
// "0x1.8p+1" or "-7" in `text`, which holds 64 bytes; returns text.
const char *number_text(const struct element *e, struct number n, char *text);

#endif // TF_TESTS_BUILTINS_NUMBER_H
