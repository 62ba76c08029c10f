// SPDX-License-Identifier: MIT
// The small expressions of trefoil-run's directives: C's operators on 64-bit integers and
// doubles, names looked up by the caller, a few functions. An expression is parsed once
// and evaluated for each element. The language is described in doc/testing.md.
#ifndef TF_TOOLS_TREFOIL_RUN_EXPR_H
#define TF_TOOLS_TREFOIL_RUN_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_ERROR_BYTES 256

// Scalar types of OpenCL C that buffers and arguments are made of.
enum run_scalar {
    RUN_CHAR,
    RUN_UCHAR,
    RUN_SHORT,
    RUN_USHORT,
    RUN_INT,
    RUN_UINT,
    RUN_LONG,
    RUN_ULONG,
    RUN_HALF,
    RUN_FLOAT,
    RUN_DOUBLE,
    RUN_SCALARS,
};

// Signed integers are kept in `bits` as two's complement.
struct run_value {
    enum { RUN_VALUE_INT, RUN_VALUE_UINT, RUN_VALUE_REAL } kind;
    uint64_t bits; // INT, UINT
    double real;   // REAL
};

const char *run_scalar_name(enum run_scalar type);
size_t run_scalar_bytes(enum run_scalar type);
// The type called `name[0..length)`, or RUN_SCALARS.
enum run_scalar run_scalar_find(const char *name, size_t length);

// Element in memory to value and back; storing converts as C does, reals saturate.
struct run_value run_value_load(enum run_scalar type, const void *from);
void run_value_store(enum run_scalar type, void *to, struct run_value value);
double run_value_real(struct run_value value);

// What the names in an expression mean.
struct run_scope {
    // Value of `name`, element `index`, vector component `component`; `after`: as the
    // kernel left it, not as it was before. False, with *error filled, if there is no
    // such thing.
    bool (*lookup)(void *data, const char *name, size_t index, size_t component,
                   bool after, struct run_value *out, char *error);
    void *data;
    int64_t i, j;        // element and component in question
    struct run_value it; // value of the element after the run; only where has_it
    bool has_it;
};

struct run_expr;

// Parses text[0..length). NULL, with error filled (RUN_ERROR_BYTES), on a mistake.
struct run_expr *run_expr_parse(const char *text, size_t length, char *error);
void run_expr_free(struct run_expr *expr);
// False, with error filled, for unknown names, indices out of range, division by zero.
bool run_expr_eval(const struct run_expr *expr, const struct run_scope *scope,
                   struct run_value *out, char *error);

#endif // TF_TOOLS_TREFOIL_RUN_EXPR_H
