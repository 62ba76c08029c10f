// SPDX-License-Identifier: MIT
// Constructors run before the first kernel, in the order of the source; templates' members
// are constructed once; variables of functions when they are reached.
// SKIP: unless extension cl_ext_cxx_for_opencl
// BUILD: options="-cl-std=CLC++2021"
// RUN: look global=16 local=4
// ARG: out int[16]
// EXPECT: out = i + 41 + 42 + 82 + 7 + 3 * 2 + 2
// RUN: look global=16 local=4
// ARG: out int[16]
// EXPECT: out = i + 41 + 42 + 82 + 7 + 3 * 2 + 2
// BUILD: options="-cl-std=CLC++"
// RUN: look global=16 local=4
// ARG: out int[16]
// EXPECT: out = i + 41 + 42 + 82 + 7 + 3 * 2 + 2
struct number {
    int value;
    number(int v) : value(v) { }
    ~number() { value = -1; }
    int get() const { return value; }
};

number first(get_work_dim() + 40);
number second(first.get() + 1);
int twice = first.get() * 2;
number array[3] = {1, 2, 3};
number order(array[1].get() + array[2].get() + 1);

template <class T> struct of_template {
    static T member;
};
template <class T> T of_template<T>::member(7);

constexpr int cube(int x) { return x * x * x; }
constant int table[] = {cube(1), 2, 3};

int in_function(int x)
{
    static number kept(3);
    return kept.get() * x;
}

kernel void look(global int *out)
{
    auto add = [&](int i) { return i + first.get() + second.get(); };
    const int i = get_global_id(0);

    out[i] = add(i) + twice + of_template<number>::member.get() + in_function(2) +
             table[1] + (order.get() - 6);
}
