// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// SKIP: unless extension cl_ext_cxx_for_opencl
// BUILD: options="-cl-std=CLC++2021"
// RUN: run global=16 local=4
// ARG: out int[16]
// EXPECT: out = i * (i + 1) / 2 + (i % 2 ? 1 : -1) * i
struct adder {
    int sum = 0;
    int visits[2] = {0, 0};
    void down(int n)
    {
        if (n == 0)
            return;
        visits[n % 2]++;
        down(n - 1);
        sum += n;
    }
};
template <typename T> T alternate(const T &n, T sign)
{
    const T less = n - 1;
    return n == 0 ? 0 : alternate<T>(less, sign) + sign;
}
kernel void run(global int *out)
{
    const int i = get_global_id(0);
    adder a;
    a.down(i);
    out[i] = a.sum + alternate<int>(i, i % 2 ? 1 : -1) + (a.visits[0] + a.visits[1] - i);
}
