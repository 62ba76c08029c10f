// SPDX-License-Identifier: MIT
#include "builtins/support/inputs.h"

#include <math.h>
#include <stdlib.h>

enum { EDGES = 128, TYPES = 11, PAIR = 40, TRIPLE = 14 };

size_t inputs_full(void)
{
    const char *text = getenv("TF_BUILTINS_FULL");

    return text ? strtoul(text, NULL, 0) : 0;
}

// SplitMix64 (Steele, Lea and Flood 2014).
uint64_t inputs_random(uint64_t index, uint64_t salt)
{
    uint64_t z =
        index * 0x9e3779b97f4a7c15 + salt * 0xd1342543de82ef95 + 0x632be59bd9b4e019;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// The numbers that most often are special stand first: pairs and triples take only those.
static size_t real_edges(const struct element *e, struct number *to)
{
    const double next = ldexp(1, 1 - e->digits);
    const double values[] = {
        0,
        1,
        INFINITY,
        NAN,
        2,
        0.5,
        real_most(e),
        real_least(e),
        3,
        1.5,
        real_normal(e),
        real_normal(e) - real_least(e),
        1 + next,
        1 - next / 2,
        2.5,
        0.25,
        M_PI_2,
        6 * real_least(e), // a quotient near tan(pi/8), which a rounded product is not
        14 * real_least(e),
        10,
        ldexp(1, e->digits),
        ldexp(1, e->digits) - 1,
        1e-7,
        0.75,
        0x1p15,
        M_PI,
        M_PI_4,
        4,
        5,
        7,
        16,
        22.5,
        88.5,
        100,
        127,
        1e-3,
        0x1p23,
        0x1p31,
        0x1p63,
        1e10,
        1e20,
        1e38,
        1e300,
        M_E,
        M_LN2,
        M_SQRT2,
        M_SQRT1_2,
        3 * M_PI_4,
        1.25,
        0x1p-14,
        170.5,
        1e-30,
        0x1p-60,
        6.5,
        709.5,
        745.2,
        35.5,
        0x1.fffffep22,
        0x1p64,
        33,
        12.5,
    };
    size_t count = 0;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double x = real_nearest(e, values[i]);

        to[count++].real = x;
        to[count++].real = -x;
    }
    return count;
}

static size_t whole_edges(const struct element *e, struct number *to)
{
    const wide least = element_least(e), most = element_most(e);
    const wide values[] = {
        0,     1,         -1,       2,        -2,        3,     -3,  most, least,
        5,     -5,        most - 1, 7,        least + 1, 10,    -10, 31,   32,
        -126,  127,       -149,     128,      -150,      23,    -24, 24,   1023,
        -1022, 1024,      -1074,    -1075,    2000,      -2000, 15,  16,   63,
        64,    -25,       0x7fffff, 0xffffff, -14,       4099,  255, 256,  -128,
        -129,  -0x800000, 0x10000,  most / 2, least / 2};
    size_t count = 0;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i] >= least && values[i] <= most)
            to[count++].whole = values[i];
    return count;
}

const struct number *inputs_edges(const struct element *e, size_t *count)
{
    static struct number edges[TYPES][EDGES];
    static const struct element *known[TYPES];
    static size_t counts[TYPES];
    int i = 0;

    while (known[i] && known[i] != e)
        i++;
    if (!known[i]) {
        known[i] = e;
        counts[i] = e->kind == 'f' ? real_edges(e, edges[i]) : whole_edges(e, edges[i]);
    }
    *count = counts[i];
    return edges[i];
}

static struct number edge(const struct element *e, size_t i, size_t most)
{
    size_t count;
    const struct number *edges = inputs_edges(e, &count);

    return edges[i % (count < most ? count : most)];
}

static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

// `near` is the argument before it, or NULL.
static struct number random_real(const struct element *e, uint64_t bits, uint64_t more,
                                 const struct number *near)
{
    const double u = uniform(bits), sign = more & 1 ? 1 : -1;
    struct number n = number_from_bits(e, bits >> 3);

    switch (more >> 1 & 7) {
    case 0:
    case 1:
        return n;
    case 2:
        n.real = sign * ldexp(1 + u, (int)(more >> 8 & 15) - 8);
        break;
    case 3:
        n.real = sign * u;
        break;
    case 4:
        n.real = sign * 100 * u;
        break;
    case 5:
        n.real = 1 + sign * ldexp(u, -(int)(more >> 8 & 15));
        break;
    case 6: // beside a multiple of pi/4, as near as the type has numbers
        n.real = sign * (double)(more >> 8 & 1023) * M_PI_4;
        break;
    default:
        n.real = (near && isfinite(near->real) ? near->real : sign) *
                 ldexp(1 + u, (int)(more >> 8 & 3) - 2);
    }
    n.real = real_nearest(e, n.real);
    return n;
}

static struct number random_whole(const struct element *e, uint64_t bits, uint64_t more)
{
    wide least = element_least(e), most = element_most(e);

    switch (more & 7) {
    case 0:
        return (struct number){.whole = most - (wide)(bits % 3)};
    case 1:
        return (struct number){.whole = least + (wide)(bits % 3)};
    case 2:
        return number_from_bits(e, bits % 5);
    case 3:
    case 4:
        return number_from_bits(e, bits % 41 - 20);
    case 5:
        return number_from_bits(e, bits % 4001 - 2000);
    default:
        return number_from_bits(e, bits >> (more >> 8) % 64);
    }
}

static struct number random_number(const struct element *e, uint64_t index, uint64_t salt,
                                   const struct number *near)
{
    const uint64_t bits = inputs_random(index, 2 * salt),
                   more = inputs_random(index, 2 * salt + 1);

    return e->kind == 'f' ? random_real(e, bits, more, near)
                          : random_whole(e, bits, more);
}

// The argument of a function with only one: the edges, then by turns one of every stretch
// of bit patterns and a random one.
static struct number only_number(const struct element *e, size_t p, size_t total)
{
    size_t edges;
    uint64_t bits = inputs_random(p, 77);

    inputs_edges(e, &edges);
    if (e->bits <= 16 && total >= 65536)
        return number_from_bits(e, p);
    if (p < edges)
        return edge(e, p, edges);
    if (p & 1)
        return random_number(e, p, 3, NULL);
    bits = (uint64_t)(((unwide)p << 64) / total) + bits % (UINT64_MAX / total);
    return number_from_bits(e, bits >> (64 - e->bits));
}

static bool is_scalar_in_vectors(const struct family *f, int arg)
{
    for (int v = 0; v < f->variants; v++) {
        bool vectors = false;

        for (int a = 0; a <= f->args; a++)
            vectors |= f->width[v][a] > 1;
        if (vectors && f->width[v][1 + arg] == 1)
            return true;
    }
    return false;
}

// Argument `a` of `args`, where `constant` tells that another one stays the same in a
// block.
static struct number one_of_many(const struct element *e, size_t p, int a, int args,
                                 bool constant, bool others, const struct number *before)
{
    const size_t block = p / INPUTS_BLOCK, most = args == 2 ? PAIR : TRIPLE;
    size_t at = p;

    if (constant)
        return block < 2 * PAIR ? edge(e, block + 7 * (size_t)a, PAIR)
                                : random_number(e, block, 10 + (uint64_t)a, NULL);
    if (others)
        return block < 2 * PAIR && block % 8
                   ? edge(e, p % INPUTS_BLOCK + block / 8, EDGES)
                   : random_number(e, p, 20 + (uint64_t)a, before);
    for (int i = 0; i < args; i++, at /= most)
        if (i == a && p < (args == 2 ? PAIR * PAIR : TRIPLE * TRIPLE * TRIPLE))
            return edge(e, at % most, most);
    return random_number(e, p, 30 + (uint64_t)a, before);
}

void inputs_fill(const struct family *f, size_t first, size_t points, size_t total,
                 void *const arrays[])
{
    bool constant[FAMILY_ARGS] = {0}, any = false;
    int args = 0;

    for (int a = 0; a < f->args; a++)
        if (arrays[a]) {
            args++;
            constant[a] = is_scalar_in_vectors(f, a);
            any |= constant[a];
        }
    for (size_t i = 0; i < points; i++) {
        struct number n, before;
        int seen = 0;

        for (int a = 0; a < f->args; a++) {
            const struct element *e = element_find(f->arg[a].element);

            if (!arrays[a])
                continue;
            n = args == 1 ? only_number(e, first + i, total)
                          : one_of_many(e, first + i, seen, args, constant[a], any,
                                        seen && e->kind == 'f' ? &before : NULL);
            element_set(e, arrays[a], i, n);
            before = n;
            seen++;
        }
    }
}
