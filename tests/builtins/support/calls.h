// SPDX-License-Identifier: MIT
// Calls the functions of a family (table.h), or of several with the same types, on
// arrays: one kernel for all of them, made here.
#ifndef TF_TESTS_BUILTINS_CALLS_H
#define TF_TESTS_BUILTINS_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "builtins/reference/number.h"
#include "builtins/support/session.h"
#include "builtins/support/table.h"

// Arrays of every size that calls_open() gets are whole multiples of this many elements:
// then there are whole groups of 16 work-items for vectors of every width.
enum { CALLS_UNIT = 768, CALLS_FAMILIES = 16 };

struct calls {
    struct session *session;
    const struct family *families[CALLS_FAMILIES];
    int count;
    size_t points; // elements in each array
    cl_program program;
    cl_mem args[FAMILY_ARGS], ret, second, scratch;
    char *results, *seconds; // of the last run
};

// Whether all types are numbers and what is no argument by value is one pointer to
// results: what this file can call.
bool calls_possible(const struct family *f);
// Whether it is a geometric function of floating-point numbers, which is none of single
// elements.
bool calls_geometric(const struct family *f);
// Width of the widest vector of a variant: work-item i has the elements from i * widest
// on of each array, vectors as many as they are wide, scalars one.
unsigned calls_widest(const struct family *f, int variant);
// The argument that is a pointer; -1: none.
int calls_pointer(const struct family *f);
// "max(float4, float)" in `text`, which holds 200 bytes; returns text.
const char *calls_text(const struct family *f, int variant, char *text);

// Whether a variant is called: all of them, but where work-items become lanes
// (TREFOIL_WG=simt) and time is short, scalars and one width.
bool calls_wanted(const struct family *f, int variant);

// Builds the kernel for the `count` families of `list`, which have the same element
// types; `options` is added to those of session_build().
void calls_open(struct calls *c, struct session *s, const struct family *const *list,
                int count, size_t points, const char *options);
void calls_close(struct calls *c);
// Array of an argument by value, of the families' element type.
void calls_set(struct calls *c, int arg, const void *array);
// Runs all wanted variants over all elements.
void calls_run(struct calls *c);
// Results of the last run, borrowed until the next: of a wanted variant of family number
// `family`, and what it put where its pointer shows to.
const void *calls_result(const struct calls *c, int family, int variant);
const void *calls_second(const struct calls *c, int family, int variant);

#endif // TF_TESTS_BUILTINS_CALLS_H
