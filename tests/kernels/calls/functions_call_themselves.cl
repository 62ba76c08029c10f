// SPDX-License-Identifier: MIT
// Functions that call themselves, or each other in a circle, to a depth that is another
// one for each work-item.
// SKIP: unless platform Trefoil
// BUILD:
// RUN: factorials global=20 local=4
// ARG: out ulong[20]
// EXPECT: out = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200, 1307674368000, 20922789888000, 355687428096000, 6402373705728000, 121645100408832000}
// RUN: fibonacci global=19
// ARG: out int[19]
// EXPECT: out = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584}
// RUN: ackermann global=16 local=4
// ARG: out int[16]
// EXPECT: out = i % 4 == 0 ? i / 4 + 1 : i % 4 == 1 ? i / 4 + 2 : i % 4 == 2 ? 2 * (i / 4) + 3 : (8 << i / 4) - 3
// RUN: parities global=64 local=16
// ARG: out int[64]
// EXPECT: out = i % 2 ? -i : i
// RUN: hanoi global=12
// ARG: out int[12]
// EXPECT: out = (1 << i) - 1
// RUN: trees global=16 local=16
// ARG: left int[16] = {1, 3, 5, 7, 9, 11, 13, -1, -1, 15, -1, -1, -1, -1, -1, -1}
// ARG: right int[16] = {2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1}
// ARG: out int[32]
// EXPECT: out = {120, 57, 63, 18, 38, 28, 33, 7, 8, 24, 10, 11, 12, 13, 14, 15, 5, 4, 3, 2, 3, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1}
// RUN: sorts global=32 local=8
// ARG: data int[256] = i * 5 % 8 + i / 8 * 10
// EXPECT: data = i % 8 + i / 8 * 10
// RUN: permutations global=5
// ARG: out uint[10]
// EXPECT: out = {1, 1, 2, 6, 24, 1, 11, 12122, 3634563661, 1535236300}
// RUN: circles global=24 local=8
// ARG: out float[24]
// EXPECT: out = (i + 2) / 3 * 0.5 + (i + 1) / 3 * 2 + i / 3 * 4
// RUN: structs global=9
// ARG: out int[9]
// EXPECT: out = sum(k, 1, i + 1, k * 10 + k) + 7
// RUN: vectors global=9
// ARG: out long4[9]
// EXPECT: out = sum(k, 0, i + 1, k * (j + 1))
// RUN: sums_of_chars global=9
// ARG: out char[9]
// EXPECT: out = i * (i + 1) / 2
// RUN: kernels global=1
// ARG: out int[10]
// ARG: n int = 9
// EXPECT: out = i
ulong factorial(ulong n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}
kernel void factorials(global ulong *out)
{
    out[get_global_id(0)] = factorial(get_global_id(0));
}

int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
kernel void fibonacci(global int *out)
{
    out[get_global_id(0)] = fib(get_global_id(0));
}

int ack(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}
kernel void ackermann(global int *out)
{
    const int i = get_global_id(0);
    out[i] = ack(i % 4, i / 4);
}

int even(int n);
int odd(int n)
{
    return n == 0 ? 10 : even(n - 1) - 1;
}
int even(int n)
{
    return n == 0 ? 1 : odd(n - 1) + 1;
}
kernel void parities(global int *out)
{
    const int i = get_global_id(0);
    out[i] = even(i) == 1 ? i : -i;
}

void hanoi_move(int n, int from, int to, int by, int *moves)
{
    if (n == 0)
        return;
    hanoi_move(n - 1, from, by, to, moves);
    *moves += from != to;
    hanoi_move(n - 1, by, to, from, moves);
}
kernel void hanoi(global int *out)
{
    int moves = 0;
    hanoi_move(get_global_id(0), 1, 2, 3, &moves);
    out[get_global_id(0)] = moves;
}

int sum_of(global const int *left, global const int *right, int at)
{
    return at < 0 ? 0 : at + sum_of(left, right, left[at]) + sum_of(left, right, right[at]);
}
int depth_of(global const int *left, global const int *right, int at)
{
    if (at < 0)
        return 0;
    return 1 + max(depth_of(left, right, left[at]), depth_of(left, right, right[at]));
}
kernel void trees(global const int *left, global const int *right, global int *out)
{
    const int i = get_global_id(0);
    out[i] = sum_of(left, right, i);
    out[16 + i] = depth_of(left, right, i);
}

void quicksort(global int *data, int low, int high)
{
    int i = low, k = high;
    const int pivot = data[(low + high) / 2];
    while (i <= k) {
        while (data[i] < pivot)
            i++;
        while (data[k] > pivot)
            k--;
        if (i <= k) {
            const int t = data[i];
            data[i++] = data[k];
            data[k--] = t;
        }
    }
    if (low < k)
        quicksort(data, low, k);
    if (i < high)
        quicksort(data, i, high);
}
kernel void sorts(global int *data)
{
    quicksort(data + get_global_id(0) * 8, 0, 7);
}

// An array of each activation, a loop around the call.
int permute(const int *before, int count, uint *last)
{
    int mine[5], n = 0;
    if (count == 0)
        return 1;
    for (int i = 0; i < count; i++) {
        int to = 0;
        for (int k = 0; k < count; k++)
            if (k != i)
                mine[to++] = before[k] + (i == count - 1);
        n += permute(mine, count - 1, last);
        *last = *last * 10 + before[i];
    }
    return n;
}
kernel void permutations(global uint *out)
{
    int all[5] = {1, 2, 3, 4, 5};
    uint last = 1;
    const int i = get_global_id(0);
    out[i] = permute(all, i, &last);
    out[5 + i] = last;
}

// Three functions with results of different types, one of which calls nothing behind.
float circle_a(int n);
int circle_b(int n, float *sum);
void circle_c(short n, float *sum)
{
    if (n > 0)
        *sum += circle_a(n - 1);
}
int circle_b(int n, float *sum)
{
    if (n > 0)
        circle_c(n - 1, sum);
    return n > 0 ? 2 : 0;
}
float circle_a(int n)
{
    float sum = 0;
    int two = 0;
    if (n > 0)
        two = circle_b(n - 1, &sum);
    return n > 0 ? 0.5f + sum + two + (n > 2 ? 4 : 0) : 0;
}
kernel void circles(global float *out)
{
    out[get_global_id(0)] = circle_a(get_global_id(0));
}

struct pair {
    int a[3];
    int b;
};
struct pair build(struct pair from, int n)
{
    struct pair made;
    if (n == 0)
        return from;
    from.a[n % 3] += n;
    from.b += 10 * n;
    made = build(from, n - 1);
    made.a[0] += from.a[0] == -1;
    return made;
}
kernel void structs(global int *out)
{
    struct pair start = {{1, 2, 4}, 0};
    const struct pair end = build(start, get_global_id(0));
    out[get_global_id(0)] =
        end.a[0] + end.a[1] + end.a[2] + end.b + (start.a[0] + start.a[1] + start.a[2] - 7);
}

long4 add_up(long4 step, int n)
{
    return n == 0 ? (long4)(0) : step * n + add_up(step, n - 1);
}
kernel void vectors(global long4 *out)
{
    out[get_global_id(0)] = add_up((long4)(1, 2, 3, 4), get_global_id(0));
}

char sum_char(char n)
{
    char rest;
    if (n == 0)
        return 0;
    rest = sum_char(n - 1);
    return rest + n;
}
kernel void sums_of_chars(global char *out)
{
    out[get_global_id(0)] = sum_char(get_global_id(0));
}

kernel void kernels(global int *out, int n)
{
    out[n] = n;
    if (n > 0)
        kernels(out, n - 1);
}
