// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_ext_cxx_for_opencl
// BUILD: options="-cl-std=CLC++2021"
// RUN: run global=8 local=4
// ARG: in float[8] = i + 1
// ARG: out float[8]
// EXPECT: out = 3 * (i + 1) + 2 * (7 - i + 1) + 0.5 + 16 + 6
// RUN: _Zno_such_name global=1 error=CL_INVALID_KERNEL_NAME
// RUN: in_namespace global=4
// ARG: out int[4]
// EXPECT: out = 4 * i + 5
// BUILD: options="-cl-std=CLC++1.0"
// RUN: run global=8 local=4
// ARG: in float[8] = i + 1
// ARG: out float[8]
// EXPECT: out = 3 * (i + 1) + 2 * (7 - i + 1) + 0.5 + 16 + 6
namespace shapes
{
struct base {
    float scale;
    base() = default;
    constexpr base(float s) : scale(s) { }
    float scaled(float x) const { return scale * x; }
};

template <typename T, int N> class row : public base
{
    T values[N];

  public:
    row(float s, T fill) : base(s)
    {
        for (T &value : values)
            value = fill;
    }
    ~row() { values[0] = 0; }
    T &operator[](int i) { return values[i]; }
    const T &operator[](int i) const { return values[i]; }
    template <typename F> T fold(F &&f, T start) const
    {
        for (const T &value : values)
            start = f(start, value);
        return start;
    }
};

enum class kind : uchar { near, far = 16 };

kernel void in_namespace(global int *out)
{
    row<int, 4> r(1.0f, (int)get_global_id(0));

    out[get_global_id(0)] = r.fold([](int a, int b) { return a + b; }, 5);
}
} // namespace shapes

struct pair {
    float a, b;
};

// Built-in functions of the name stay visible.
pair max(pair x, pair y) { return {max(x.a, y.a), max(x.b, y.b)}; }
pair operator+(const pair &x, const pair &y) { return {x.a + y.a, x.b + y.b}; }
float operator""_half(unsigned long long x) { return x * 0.5f; }

template <typename T> T sum() { return T(0); }
template <typename T, typename... Rest> T sum(T first, Rest... rest)
{
    return first + sum<T>(rest...);
}

kernel void run(global const float *in, global float *out)
{
    const int i = get_global_id(0), n = get_global_size(0);
    local float shared[4];
    shapes::row<float, 3> row(2.0f, in[i]);
    const pair most = max(pair{in[i], 0}, pair{0, 1_half}) + pair{0, 0};
    generic float *flexible = out + i;
    auto *there = addrspace_cast<global float *>(flexible);

    shared[get_local_id(0)] = in[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float other = row.scaled(shared[get_local_id(0)]);
    if constexpr (sizeof(most) == 8)
        *there = row.fold([](float a, float b) { return a + b; }, 0.0f) + other + most.b;
    *there += static_cast<int>(shapes::kind::far) + sum<float>(1.0f, 2.0f, 3.0f);
}
