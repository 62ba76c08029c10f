// SPDX-License-Identifier: MIT
// What src/builtins/builtins.def defines, as tools/gen_builtins.py --tests writes it:
// every public function with its types and widths.
#ifndef TF_TESTS_BUILTINS_TABLE_H
#define TF_TESTS_BUILTINS_TABLE_H

enum { FAMILY_ARGS = 14, FAMILY_VARIANTS = 16 };

// The forms of a function that differ only in the widths of vectors.
struct family {
    const char *name;   // '@' stands for the width ("" for scalars)
    const char *module; // of builtins.def
    const char *ulp;    // largest error allowed: a number, exact, defined, native
    const char *ret;    // element type, or another type
    int args;
    struct {
        const char *element;
        const char *space; // what a pointer points into; "" of an argument by value
    } arg[FAMILY_ARGS];
    int variants;
    // [0] is the width of the result, [1 + i] that of argument i.
    unsigned char width[FAMILY_VARIANTS][1 + FAMILY_ARGS];
};

// Ends with a name of NULL.
extern const struct family families[];

#endif // TF_TESTS_BUILTINS_TABLE_H
