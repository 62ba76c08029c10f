// SPDX-License-Identifier: MIT
// Parser of trefoil-run's expressions: recursive descent into a tree.
#include "trefoil_run_expr.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trefoil_run_tree.h"

#define MAX_DEPTH 200

struct parser {
    const char *at, *end;
    char *error;
    int depth;
};

void run_expr_free(struct run_expr *expr)
{
    if (!expr)
        return;
    for (int n = 0; n < expr->n_sub; n++)
        run_expr_free(expr->sub[n]);
    free(expr);
}

static struct run_expr *parse_choice(struct parser *p);

static struct run_expr *fail_parse(struct parser *p, struct run_expr *partial,
                                   const char *what)
{
    run_expr_free(partial);
    if (!p->error[0])
        snprintf(p->error, RUN_ERROR_BYTES, "%s at \"%.*s\"", what,
                 (int)(p->end - p->at < 40 ? p->end - p->at : 40), p->at);
    return NULL;
}

static struct run_expr *new_node(enum node_kind kind, int op)
{
    struct run_expr *node = calloc(1, sizeof(*node));

    if (!node)
        abort(); // a test program of a few hundred bytes a node
    node->kind = kind;
    node->op = op;
    return node;
}

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && isspace((unsigned char)*p->at))
        p->at++;
}

// Consumes `token` if it is next. A one-character operator does not match the start of a
// longer one: callers try the longer ones first.
static bool accept(struct parser *p, const char *token)
{
    const size_t length = strlen(token);

    skip_blanks(p);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, token, length) != 0)
        return false;
    p->at += length;
    return true;
}

static struct run_expr *parse_number(struct parser *p)
{
    struct run_expr *node = new_node(NODE_NUMBER, 0);
    char text[NAME_BYTES];
    size_t length = 0;
    bool real = false;
    const bool hex =
        p->end - p->at > 1 && p->at[0] == '0' && tolower((unsigned char)p->at[1]) == 'x';
    char *stop;

    while (p->at < p->end && length + 1 < sizeof(text)) {
        const char c = *p->at;
        const bool exponent =
            length && tolower((unsigned char)text[length - 1]) == (hex ? 'p' : 'e');
        if (!isalnum((unsigned char)c) && c != '.' &&
            !(exponent && (c == '+' || c == '-')))
            break;
        real = real || c == '.' || tolower((unsigned char)c) == (hex ? 'p' : 'e');
        text[length++] = c;
        p->at++;
    }
    text[length] = '\0';
    if (real) {
        node->number =
            (struct run_value){.kind = RUN_VALUE_REAL, .real = strtod(text, &stop)};
        if (*stop == 'f')
            stop++;
    } else {
        node->number.bits = strtoull(text, &stop, 0);
        node->number.kind = node->number.bits >> 63 ? RUN_VALUE_UINT : RUN_VALUE_INT;
        if (*stop == 'u' || *stop == 'U') {
            node->number.kind = RUN_VALUE_UINT;
            stop++;
        }
    }
    return *stop ? fail_parse(p, node, "bad number") : node;
}

static void parse_word(struct parser *p, char *word)
{
    size_t length = 0;

    skip_blanks(p);
    while (p->at < p->end && (isalnum((unsigned char)*p->at) || *p->at == '_')) {
        if (length + 1 < NAME_BYTES)
            word[length++] = *p->at;
        p->at++;
    }
    word[length] = '\0';
}

// The arguments after the opening bracket, up to and with `close`.
static bool parse_arguments(struct parser *p, struct run_expr *node, const char *close)
{
    do {
        if (node->n_sub == MAX_PARAMETERS)
            return fail_parse(p, NULL, "too many arguments");
        node->sub[node->n_sub] = parse_choice(p);
        if (!node->sub[node->n_sub])
            return false;
        node->n_sub++;
    } while (accept(p, ","));
    return accept(p, close) || fail_parse(p, NULL, "missing bracket");
}

static bool is_loop(const char *name)
{
    return !strcmp(name, "sum") || !strcmp(name, "minof") || !strcmp(name, "maxof");
}

static struct run_expr *parse_name(struct parser *p)
{
    struct run_expr *node = new_node(NODE_NAME, 0);

    parse_word(p, node->text);
    if (accept(p, "[")) {
        if (!parse_arguments(p, node, "]"))
            return fail_parse(p, node, "bad index");
        return node->n_sub <= 2 ? node
                                : fail_parse(p, node, "an index has one or two parts");
    }
    if (!accept(p, "("))
        return node;
    node->kind = NODE_CALL;
    if (is_loop(node->text)) {
        struct run_expr *body = new_node(NODE_LOOP, node->text[1] == 'u'   ? 's'
                                                    : node->text[1] == 'i' ? '<'
                                                                           : '>');
        parse_word(p, body->text);
        run_expr_free(node);
        if (!accept(p, ",") || !parse_arguments(p, body, ")") || body->n_sub != 3)
            return fail_parse(p, body, "a loop is sum(k, from, to, value)");
        return body;
    }
    if (accept(p, ")"))
        return node;
    return parse_arguments(p, node, ")") ? node : fail_parse(p, node, "bad call");
}

static struct run_expr *parse_unary(struct parser *p)
{
    static const char operators[] = "-!~";

    skip_blanks(p);
    if (p->at == p->end || ++p->depth > MAX_DEPTH)
        return fail_parse(p, NULL, "an expression was expected");
    struct run_expr *node = NULL;
    if (strchr(operators, *p->at)) {
        node = new_node(NODE_UNARY, *p->at++);
        node->sub[0] = parse_unary(p);
        node->n_sub = node->sub[0] ? 1 : 0;
        node = node->n_sub ? node : fail_parse(p, node, "operand missing");
    } else if (accept(p, "(")) {
        node = parse_choice(p);
        if (node && !accept(p, ")"))
            node = fail_parse(p, node, "missing )");
    } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        node = parse_number(p);
    } else if (isalpha((unsigned char)*p->at) || *p->at == '_') {
        node = parse_name(p);
    } else {
        node = fail_parse(p, NULL, "an expression was expected");
    }
    p->depth--;
    return node;
}

// Binary operators, loosest first, with the precedence of C.
static const struct {
    const char *token;
    int op, level;
} binary_operators[] = {
    {"||", OP_OR, 0},  {"&&", OP_AND, 1}, {"|", '|', 2},    {"^", '^', 3},
    {"&", '&', 4},     {"==", OP_EQ, 5},  {"!=", OP_NE, 5}, {"<<", OP_SHL, 7},
    {">>", OP_SHR, 7}, {"<=", OP_LE, 6},  {">=", OP_GE, 6}, {"<", '<', 6},
    {">", '>', 6},     {"+", '+', 8},     {"-", '-', 8},    {"*", '*', 9},
    {"/", '/', 9},     {"%", '%', 9},
};

// Index of the operator that comes next, or -1. Longest match: "||" is tried before "|".
static int next_operator(struct parser *p)
{
    const int count = (int)(sizeof(binary_operators) / sizeof(binary_operators[0]));

    skip_blanks(p);
    for (int wanted = 2; wanted >= 1; wanted--)
        for (int n = 0; n < count; n++) {
            const size_t length = strlen(binary_operators[n].token);
            if ((int)length == wanted && (size_t)(p->end - p->at) >= length &&
                !memcmp(p->at, binary_operators[n].token, length))
                return n;
        }
    return -1;
}

static struct run_expr *parse_binary(struct parser *p, int level)
{
    struct run_expr *left = parse_unary(p);

    while (left) {
        const int n = next_operator(p);
        if (n < 0 || binary_operators[n].level < level)
            return left;
        p->at += strlen(binary_operators[n].token);
        struct run_expr *node = new_node(NODE_BINARY, binary_operators[n].op);
        node->sub[node->n_sub++] = left;
        node->sub[1] = parse_binary(p, binary_operators[n].level + 1);
        if (!node->sub[1])
            return fail_parse(p, node, "operand missing");
        node->n_sub++;
        left = node;
    }
    return NULL;
}

static struct run_expr *parse_choice(struct parser *p)
{
    struct run_expr *condition = parse_binary(p, 0);

    if (!condition || !accept(p, "?"))
        return condition;
    struct run_expr *node = new_node(NODE_CHOICE, 0);
    node->sub[node->n_sub++] = condition;
    if (!(node->sub[1] = parse_choice(p)))
        return fail_parse(p, node, "value missing");
    node->n_sub++;
    if (!accept(p, ":") || !(node->sub[2] = parse_choice(p)))
        return fail_parse(p, node, "missing : value");
    node->n_sub++;
    return node;
}

struct run_expr *run_expr_parse(const char *text, size_t length, char *error)
{
    struct parser p = {.at = text, .end = text + length, .error = error};

    error[0] = '\0';
    struct run_expr *expr = parse_choice(&p);
    skip_blanks(&p);
    if (expr && p.at != p.end)
        return fail_parse(&p, expr, "unexpected text");
    return expr;
}
