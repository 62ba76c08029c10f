// SPDX-License-Identifier: MIT
// Functions of 26 levels, each of which has two calls of the one below: with everything inlined they were
// tens of millions of copies. They divide at each, are given a variable of the caller's and the work-item's place,
// and are called between barriers.
// RUN: ways global=40 local=8
// ARG: out int[40]
// ARG: n uint[40] = {31939071, 79542916, 73045210, 17505051, 49654541, 122936031, 81056775, 63626388, 83982757, 77960647, 8795134, 81282193, 1767377, 121979540, 112403197, 62979298, 34809906, 73925063, 31451369, 25735457, 133633187, 96253980, 63117699, 72608285, 112267955, 73770246, 63935045, 53302500, 85774273, 115564431, 20215394, 31128044, 85209555, 20350410, 116507068, 124263533, 70220193, 52336420, 99489140, 2032960}
// EXPECT: out = {-478230266, 1330562807, -1163531278, -240481322, -114620109, -2083154410, 1606882414, 1845745733, -1276085255, 199562822, 486541818, -354094310, -1500647394, 1579929629, -425664253, 2101646048, -747863316, -1419682426, -621495097, 1326972928, 1383108740, 1074880847, -1780469706, -217770045, -2050524264, -809680546, 2041592023, 504769725, -1083386165, 661401806, -887558408, -1621850897, -1927117652, 635438062, -1054688777, 69438715, -395847178, 164735937, 2101818753, -2026109955}
// RUN: keeps global=40
// ARG: out int[40]
// ARG: n uint[40] = {31939071, 79542916, 73045210, 17505051, 49654541, 122936031, 81056775, 63626388, 83982757, 77960647, 8795134, 81282193, 1767377, 121979540, 112403197, 62979298, 34809906, 73925063, 31451369, 25735457, 133633187, 96253980, 63117699, 72608285, 112267955, 73770246, 63935045, 53302500, 85774273, 115564431, 20215394, 31128044, 85209555, 20350410, 116507068, 124263533, 70220193, 52336420, 99489140, 2032960}
// EXPECT: out = {162312, 7039676, 22741690, 225259754, 8753642, 186580, 259970799, 10201883, 288249084, 33832101, 12156254, -1311545485, 39533218, 345517727, 4586607, 14468882, -603964132, -523122362, 1875721, -628118785, 5170411, 17446609, 489074622, 56231310, 169729205, 533988070, 60642906, 62865979, 63950753, 868773, 204213221, 936233, 632507179, 218550122, 8060507, 73193418, 76974943, 78820898, 8831127, -1427080192}
// RUN: places global=40 local=8
// ARG: out int[40]
// ARG: next int[40]
// ARG: n uint[40] = i * 1234577
// EXPECT: out = sum(k, 1, 27, n[i] >> k & 1 ? (i % 8 + k) % 8 * ((i % 8 + k) % 8) : 0 - i * k)
// EXPECT: next = sum(k, 1, 27, n[i / 8 * 8 + (i + 1) % 8] >> k & 1 ? ((i + 1) % 8 + k) % 8 * (((i + 1) % 8 + k) % 8) : 0 - (i / 8 * 8 + (i + 1) % 8) * k)
#define LEVELS(F) \
    F(1, 0) F(2, 1) F(3, 2) F(4, 3) F(5, 4) F(6, 5) F(7, 6) F(8, 7) F(9, 8) F(10, 9) F(11, 10) F(12, 11) F(13, 12) \
    F(14, 13) F(15, 14) F(16, 15) F(17, 16) F(18, 17) F(19, 18) F(20, 19) F(21, 20) F(22, 21) F(23, 22) F(24, 23) \
    F(25, 24) F(26, 25)

int way0(int x, uint n)
{
    return n & 1 ? x + 7 : x - 5;
}

#define WAY(N, BELOW)                                                                     \
    int way##N(int x, uint n)                                                             \
    {                                                                                     \
        return n >> N & 1 ? way##BELOW(x * 2 + 1, n) : way##BELOW(x * 3 ^ N, n);          \
    }
LEVELS(WAY)

kernel void ways(global int *out, global const uint *n)
{
    const size_t i = get_global_id(0);

    out[i] = way26(i, n[i]);
}

typedef struct {
    int a;
    float4 v;
    int t[3];
} several;

several keep0(several p, int *count, uint n)
{
    p.v += (float4)(1, 2, 3, 4);
    *count += 5 + (n & 1);
    return p;
}

#define KEEP(N, BELOW)                                                                    \
    several keep##N(several p, int *count, uint n)                                        \
    {                                                                                     \
        int mine[4] = {N, 1, 2, 3};                                                       \
                                                                                          \
        if (n >> N & 1) {                                                                 \
            p = keep##BELOW(p, mine, n);                                                  \
            *count += mine[0] + mine[N & 3];                                              \
        } else {                                                                          \
            p.a = p.a * 3 + N;                                                            \
            p = keep##BELOW(p, count, n);                                                 \
        }                                                                                 \
        p.t[N % 3] = p.t[N % 3] * 2 + N;                                                  \
        return p;                                                                         \
    }
LEVELS(KEEP)

kernel void keeps(global int *out, global const uint *n)
{
    const size_t i = get_global_id(0);
    several p = {i, (float4)(i), {1, 2, 3}};
    int count = 0;

    p = keep26(p, &count, n[i]);
    out[i] = p.a + 3 * count + 5 * p.t[0] + 7 * p.t[1] + 11 * p.t[2] + (int)p.v.w;
}

int place0(local const int *t, int x, uint n)
{
    return x;
}

#define PLACE(N, BELOW)                                                                   \
    int place##N(local const int *t, int x, uint n)                                       \
    {                                                                                     \
        return n >> N & 1 ? place##BELOW(t, x + t[(get_local_id(0) + N) % 8], n)          \
                          : place##BELOW(t, x - (int)get_global_id(0) * N, n);            \
    }
LEVELS(PLACE)

kernel void places(global int *out, global int *next, global const uint *n)
{
    const size_t i = get_global_id(0), l = get_local_id(0);
    local int t[8];

    t[l] = l * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = place26(t, 0, n[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = out[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    next[i] = t[(l + 1) % 8];
}
