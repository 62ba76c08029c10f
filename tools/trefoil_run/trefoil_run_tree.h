// SPDX-License-Identifier: MIT
// The tree of a parsed expression: made by trefoil_run_expr.c, walked by
// trefoil_run_eval.c.
#ifndef TF_TOOLS_TREFOIL_RUN_TREE_H
#define TF_TOOLS_TREFOIL_RUN_TREE_H

#include "trefoil_run_expr.h"

#define NAME_BYTES 64
#define MAX_PARAMETERS 4

enum node_kind {
    NODE_NUMBER,
    NODE_NAME,   // name, or name[a], or name[a, b]
    NODE_UNARY,  // op a
    NODE_BINARY, // a op b
    NODE_CHOICE, // a ? b : c
    NODE_CALL,   // name(a, b, ...)
    NODE_LOOP,   // sum(k, from, to, body), minof, maxof: k in text, the rest in sub
};

struct run_expr {
    enum node_kind kind;
    int op; // operator: its character, or enum below
    struct run_value number;
    char text[NAME_BYTES];
    int n_sub;
    struct run_expr *sub[MAX_PARAMETERS];
};

enum { OP_SHL = 256, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR };

#endif // TF_TOOLS_TREFOIL_RUN_TREE_H
