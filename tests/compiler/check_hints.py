# SPDX-License-Identifier: MIT
"""Build logs say what to do about the mistakes that authors of OpenCL C make most often, and say
nothing of it where nothing is wrong. They stay short enough to be read, with every error in them."""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

ARGS = "kernel void k(global float *o, global int *n, global float4 *v)"
# Options, source, what the hint says.
MISTAKES = (
    ("", "float f(float *p) { return *p; }\n" + ARGS + " { o[0] = f(o); }", "name the address space"),
    ("", "kernel void k(float *o) { o[0] = 1; }", "says where the buffer lies"),
    ("", "kernel void k(global int **o) { o[0][0] = 1; }", "not a pointer to pointers"),
    ("", "int f(int n) { return n; }\n" + ARGS + " { int (*p)(int) = f; n[0] = p(1); }", "called by name"),
    ("", "kernel int k(global int *o) { return o[0]; }", "a kernel returns nothing"),
    ("", "kernel void k(image2d_t i) { write_imagef(i, (int2)(0,0), (float4)(0)); }", "'write_only image2d_t'"),
    ("", "kernel void k(write_only image2d_t i, global float4 *o) { *o = read_imagef(i, (int2)(0,0)); }",
     "cannot be read"),
    ("", "kernel void k(read_write image2d_t i) { write_imagef(i, (int2)(0,0), (float4)(0)); }", "-cl-std=CL3.0"),
    ("", ARGS + " { int i = get_global_id; n[i] = 1; }", "get_global_id(0)"),
    ("", "kernel void k(global int *o, bool b) { o[0] = b; }", "the host's bool"),
    ("", "kernel void k(global int *o, size_t n) { o[0] = n; }", "pass a uint or ulong"),
    ("", "kernel void k(global int *o, int n) { int a[n]; a[0] = 1; o[0] = a[0]; }", "-DN=64"),
    ("", "int f(int x) { local int t[4]; t[0] = x; return t[0]; }\n" + ARGS + " { n[0] = f(1); }", "in the kernel and hand"),
    ("", ARGS + " { if (n[0]) { local int t[4]; t[0] = 1; n[0] = t[0]; } }", "outermost block"),
    ("", ARGS + " { local int t = 3; n[0] = t; }", "barrier(CLK_LOCAL_MEM_FENCE)"),
    ("", "#include <nothing_of_the_kind.h>\n" + ARGS + " { }", "headers of the C library"),
    ("", ARGS + " { o[0] = sinf(o[0]) + fabsf(o[1]); }", "one name for all types"),
    ("", ARGS + " { int *p = (int *)malloc(4); n[0] = *p; }", "kernels allocate nothing"),
    ("", ARGS + " { int *p = new int; n[0] = *p; }", "OpenCL C is no C++"),
    ("", ARGS + " { n[0] = work_group_reduce_add(n[0]); }", "-cl-std=CL3.0"),
    ("", ARGS + ' { printf("%f\\n", v[0]); }', "%v4hlf"),
    ("", ARGS + " { v[0] = float4(1, 2, 3, 4); }", "(float4)(1, 2, 3, 4)"),
    ("", ARGS + " { float4 a = (1, 2, 3, 4); v[0] = a; }", "(1, 2, 3, 4) is 4"),
    ("", ARGS + " { if (v[0] > v[1]) o[0] = 1; }", "any() or all()"),
    ("", ARGS + " { int4 i = 1; v[0] = (float4)i; }", "convert_float4"),
    ("", ARGS + " { o[0] = max(o[0], 1); }", "1.0f beside a float"),
    ("", ARGS + " { atomic_add(o, 1.0f); }", "atomic_add is for integers"),
    ("", "int table[2] = {1, 2};\n" + ARGS + " { n[0] = table[n[1]]; }", "'constant int table[]'"),
    ("", ARGS + " { static int s = 0; n[0] = s++; }", "outlives a work-item"),
    ("", "struct s { global int *p; };\nkernel void k(struct s a) { *a.p = 1; }", "an argument of its own"),
    ("", "kernel void k(constant int *c) { c[0] = 1; }", "constant memory is only read"),
    ("", ARGS + " { o[0] = o[1] % 2.0f; }", "fmod"),
    ("", "kernel void k(global int *o, ...) { }", "the number of its elements"),
    ("", "template <class T> T f(T a) { return a; }", "-cl-std=CLC++2021"),
    ("", "__global__ void k(int *o) { }", "that is CUDA"),
    ("", ARGS + " { n[threadIdx.x] = 1; }", "get_local_id(0)"),
    ("", ARGS + " { uint32_t x = 1; n[0] = x; }", "32 bits everywhere"),
    ("", ARGS + " { generic int *p = n; }", "-cl-std=CL3.0"),
    ("", ARGS + " { n[get_global_id()] = 1; }", "of which dimension"),
    ("", ARGS + " { n[get_global_size()] = 1; }", "of which dimension"),
    ("", ARGS + " { barrier(); }", "barrier(CLK_LOCAL_MEM_FENCE), or"),
    ("", ARGS + " { __shared__ float t[4]; t[0] = 1; }", "that is CUDA: 'local"),
    ("", ARGS + " { n[blockIdx.x] = 1; }", "get_group_id(0)"),
    ("", ARGS + " { atomicMax(n, 1); }", "that is CUDA: atomic_add"),
    ("", "__device__ int f(int x) { return x; }", "have no mark"),
    ("", "kernel void k(global int4 *o) { o[0].x = dot(o[0], o[1]); }", "dot() is for floats"),
    ("", ARGS + " { n[0] = sqrt(n[0]); }", "convert an integer, (float)n"),
    ("", ARGS + " { v[0] = select(v[0], v[1], v[0].x > 0); }", "the third argument has as many"),
    ("", ARGS + " { o[0] = mad24(o[0], o[1], o[2]); }", "mad() or fma()"),
    ("", "kernel void k(read_only image2d_t i, global float4 *o) { *o = read_imagef(i, (int4)(0)); }", "where from: int for"),
    ("", "kernel void k(write_only image2d_t i) { write_imagef(i, (int2)(0), (int4)(0)); }", "write_imagef takes a float4"),
    ("", "kernel void k(read_only image2d_t *i) { }", "an image is handed over by itself"),
    ("", ARGS + " { float4 x = vload4(o, 0); o[0] = x.x; }", "the offset comes first"),
    ("", ARGS + " { vstore4(0, v[0], o); }", "the pointer comes last"),
    ("", ARGS + " { local int *l = n; l[0] = 1; }", "local and global memory are apart"),
    ("", ARGS + " { local int *l = (local int *)n; l[0] = 1; }", "local and global memory are apart"),
    ("", "constant float f[] = {1, 2};\n" + ARGS + " { float *p = f; o[0] = p[0]; }", "constant memory is apart"),
    ("", ARGS + " { constant float c = o[0]; o[1] = c; }", "known when the program is built"),
    ("", "kernel void k(global float4 *o, global uchar4 *c) { o[0] = c[0]; }", "convert_float4(x)"),
    ("", "kernel void k(global float4 *o) { o[0].xy = o[1]; }", "v.xy and v.lo"),
    ("", "kernel void k(global float4 *o, global float2 *c) { o[0] = o[0] * c[0]; }", "v.xy and v.lo"),
    ("", "kernel void k(global uchar *c) { atomic_cmpxchg(c, 1, 2); }", "for int and uint, atom_ ones"),
    ("", ARGS + " { auto x = n[0]; n[1] = x; }", "finds no types by itself"),
    ("", ARGS + " { n[0] = TRUE; }", "true and false"),
    ("", ARGS + " { if (n == nullptr) return; }", "NULL, or build"),
    ("", ARGS + " { int a[4]; memcpy(a, n, 16); n[0] = a[1]; }", "a loop, an assignment"),
    ("", ARGS + " { memset(n, 0, 16); }", "clEnqueueFillBuffer()"),
    ("", ARGS + " { assert(n[0] == 1); }", "TREFOIL_CHECK=all"),
    ("", ARGS + " { exit(1); }", "ends with return"),
    ("", ARGS + " { n[0] = rand(); }", "a seed of the host's"),
    ("", ARGS + " { n[0] = get_globalsize(0); }", "get_num_groups(0)"),
    ("", "kernel void k(global float4 *o, global uchar4 *c) { c[0] = convert_uchar4_rtz_sat(o[0]); }", "in this order"),
    ("-cl-trefoil-report", ARGS + " { o[0] = o[0] * 2.0; }", "1.0f"),
    ("", ARGS + " { n[0] = get_global_id( ); }", "of which dimension"),
    ("", ARGS + " { barrier(); }", "what has to be seen"),
    ("", ARGS + " { o[0] = o[1] % 2; }", "fmod"),
    ("", "kernel void k(global float *ptr, event_t e) { }", "variables of the kernel"),
    ("", "kernel void k(intptr_t p) { }", "of another width"),
    ("", ARGS + " { float4 x; x = v; }", "a pointer is no value"),
    ("", ARGS + " { float x = o; }", "a pointer is no value"),
    ("", ARGS + " { float4 x = vload4(0, n); v[0] = x; }", "convert_float4"),
    ("-cl-std=CL3.0", ARGS + " { atomic_fetch_add_explicit(n, 1, memory_order_relaxed); }", "'global atomic_int *p'"),
    ("", ARGS + " { n[0] = get_enqueued_local_size(0); }", "-cl-std=CL3.0"),
    ("", ARGS + " { n[0] = get_num_group(0); }", "get_num_groups(0)"),
    ("", "kernel void k(global atomic_int *n) { }", "-cl-std=CL3.0"),
    ("", ARGS + " { atomic_store(n, 1); }", "-cl-std=CL3.0"),
    ("", ARGS + " { n[0] = uint(o[0]); }", "(int)x"),
    ("", ARGS + " { n[0] = int(o[0]); }", "(int)x"),
    ("", ARGS + " { n[0] = abs(o[0]); }", "fabs(x)"),
    ("", "kernel void k(global float *o) {\n atomic_add(o, 1.0f); }", "atomic_add is for integers"),
    ("", ARGS + " { atomicAdd(n, 1); }", "that is CUDA"),
    ("", "kernel void k(uint32_t n) { }", "OpenCL C calls them"),
)
RIGHT = (
    ("", ARGS + " { o[0] = 2.0 * n[0]; v[1] = (float4)(1, 2, 3, 4); }"),
    ("", "kernel void hint(global int *o) { o[0] = missing; }"),  # wrong, and nobody knows why
    # what looks like a mistake that has a hint, and is another
    ("", ARGS + " { n[0] = get_pixel(n, 3); }"),
    ("", ARGS + " { n[0] = work_group_count; }"),
    ("-cl-std=CL3.0", ARGS + " { n[0] = sub_group_sise(3); }"),
    ("-cl-std=CL3.0", ARGS + " { atomic_addd(n, 1); }"),
    ("", ARGS + " { n[0] = memory_pool[3]; }"),
    ("", "int f(int a, int b);\n" + ARGS + " { n[get_global_id(0)] = f(1); }"),
    ("", "int f(int a, int b);\n" + ARGS + " { n[get_local_size(0)] = f(1); }"),
    ("", "int f(int a, int b);\n" + ARGS + " { barrier(CLK_LOCAL_MEM_FENCE); n[0] = f(1); }"),
    ("", "void f(real_t x);\n" + ARGS + " { }"),
    ("", "struct s { int a; };\n" + ARGS + ' { struct s q; n[0] = q + 1; printf("%d", 1); }'),
    ("", ARGS + " { atomic_inc(n, 1); }"),
    ("-cl-std=CL3.0", ARGS + " { _Thread_local int x; }"),
    ("-w", ARGS + ' { printf("%f\\n", v[0]); }'),
)


def log_of(compiler, folder, number, options, source):
    path = os.path.join(folder, f"{number}.cl")
    with open(path, "w", encoding="ascii") as file:
        file.write(source + "\n")
    return subprocess.run([compiler, *options.split(), "-o", os.devnull, path], capture_output=True, text=True,
                          check=False, timeout=200).stderr


def main(compiler):
    faults = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        all_of_them = [*MISTAKES, *((*right, None) for right in RIGHT)]
        logs = pool.map(lambda job: log_of(compiler, folder, job[0], *job[1][:2]), enumerate(all_of_them))
        for (options, source, hint), log in zip(all_of_them, logs):
            said = [line for line in log.splitlines() if line.startswith("hint: ")]
            if hint is None and said or hint and not any(hint in line for line in said):
                faults.append(f"{source!r} with {options!r}: no {hint!r} in\n{log[:1500]}")
        log = log_of(compiler, folder, "long", "", "kernel void k(global int *o) { *o = " + "\0" * 3500 + "\nmissing; }")
        if len(log) > 1 << 20 or "'missing'" not in log or "warnings are left out" not in log or "3500 warnings and 1 error" not in log:
            faults.append(f"3,500 warnings of one line give {len(log)} bytes: {log[-500:]}")
        log = log_of(compiler, folder, "versions", "", ARGS + " { v[0] = vload4(o, 0); }")
        if len(log.splitlines()) > 25 or "candidate function not viable" not in log or " more are left out" not in log or "-f" in log:
            faults.append(f"a function with many versions gives {len(log.splitlines())} lines: {log}")
        log = log_of(compiler, folder, "wrong", "", ARGS + " { " + "\0\0m();" * 700 + " }")
        if len(log) > 2 << 20 or "too many errors" not in log:
            faults.append(f"700 errors of one line give {len(log)} bytes: {log[-500:]}")
    print("\n".join(faults) or f"{len(MISTAKES)} mistakes have their hint")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
