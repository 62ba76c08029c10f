// SPDX-License-Identifier: MIT
// Work-items side by side access memory at distances of two elements and more: members of
// structs, every second element, backwards. What lies between must stay as it is.
// RUN: pairs global=67
// ARG: a int[134] = i * 3
// ARG: out int[67]
// EXPECT: out = i * 60 + 3
// RUN: triples global=67
// ARG: a int[201] = i * i
// ARG: out int[67]
// EXPECT: out = 9*i*i + 2 * (3*i+1)*(3*i+1) + 3 * (3*i+2)*(3*i+2)
// RUN: backwards global=67
// ARG: a int[67] = i * 7
// ARG: out int[67]
// EXPECT: out = (66 - i) * 7 + i
// RUN: two_of_three global=67
// ARG: out int[201] = -i
// EXPECT: out = i % 3 == 0 ? i : i % 3 == 1 ? -i : 3 * i
// RUN: all_of_four global=67
// ARG: out short[268]
// EXPECT: out = i % 4 * 1000 + i
// RUN: one_of_sixteen global=67
// ARG: out short[1072] = -i
// EXPECT: out = i % 16 == 1 ? i : -i
// RUN: some_items global=67
// ARG: out int[134] = i
// EXPECT: out = i / 2 % 3 == 1 ? i % 2 == 0 ? i + 1 : i - 1 : i
// RUN: members global=67
// ARG: p struct{uchar,ushort,int,long}[67] = {i, 2 * i, 3 * i, 4 * i, ...}
// EXPECT: p = {2 * i, 3 * i, 4 * i, i, ...}
// RUN: in_order global=67
// ARG: p struct{int,int}[67] = {i, -i, ...}
// EXPECT: p = {3 * i + 1, 3 * i + 2, ...}
kernel void pairs(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = 9 * a[2 * i] + a[2 * i + 1];
}

kernel void triples(global const int *a, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = a[3 * i] + 2 * a[3 * i + 1] + 3 * a[3 * i + 2];
}

kernel void backwards(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[66 - i] = a[i] + 66 - i;
}

kernel void two_of_three(global int *out)
{
    int i = get_global_id(0);
    out[3 * i] = 3 * i;
    out[3 * i + 2] = 3 * (3 * i + 2);
}

kernel void all_of_four(global short *out)
{
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = k * 1000 + 4 * i + k;
}

kernel void one_of_sixteen(global short *out)
{
    int i = get_global_id(0);
    out[16 * i + 1] = 16 * i + 1;
}

kernel void some_items(global int *out)
{
    int i = get_global_id(0);
    if (i % 3 == 1) {
        int a = out[2 * i], b = out[2 * i + 1];
        out[2 * i] = b;
        out[2 * i + 1] = a;
    }
}

struct record {
    uchar a;
    ushort b;
    int c;
    long d;
};

kernel void members(global struct record *p)
{
    global struct record *mine = &p[get_global_id(0)];
    struct record r = *mine;
    mine->a = r.b;
    mine->b = r.c;
    mine->c = r.d;
    mine->d = r.a;
}

struct two {
    int a, b;
};

// What is stored to one member does not hide what was in the other, and is seen.
kernel void in_order(global struct two *p)
{
    global struct two *mine = &p[get_global_id(0)];
    mine->a = mine->a - mine->b;
    mine->b = mine->a + 1;
    mine->a = mine->b - mine->a + mine->a + get_global_id(0);
    mine->b = mine->a + 1;
}
