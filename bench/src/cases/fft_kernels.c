// SPDX-License-Identifier: MIT
/* A Fourier transform of 2^20 complex numbers, stage by stage. */
#include <math.h>

#include "cases/kernel_case.h"
#include "embedded_kernels.h"

typedef float complex_value __attribute__((vector_size(8)));

struct fft {
    complex_value *out, *work[2];
    const complex_value *in, *roots;
    uint32_t n, done;
    const complex_value *stage_in;
    complex_value *stage_out;
};

static inline complex_value multiply(complex_value a, complex_value b)
{
    return (complex_value){a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
}

static void radix2_range(void *data, size_t begin, size_t end)
{
    struct fft f = *(struct fft *)data;
    const complex_value *restrict in = f.stage_in, *restrict roots = f.roots;
    complex_value *restrict out = f.stage_out;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        uint32_t k = i & (f.done - 1), at = ((i - k) << 1) + k;
        complex_value a = in[i];
        complex_value b = multiply(in[i + f.n / 2], roots[k * (f.n / 2 / f.done)]);
        out[at] = a + b;
        out[at + f.done] = a - b;
    }
}

static void radix4_range(void *data, size_t begin, size_t end)
{
    struct fft f = *(struct fft *)data;
    const complex_value *restrict in = f.stage_in, *restrict roots = f.roots;
    complex_value *restrict out = f.stage_out;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        uint32_t k = i & (f.done - 1), turn = k * (f.n / 4 / f.done);
        uint32_t at = ((i - k) << 2) + k;
        complex_value a = in[i];
        complex_value b = multiply(in[i + f.n / 4], roots[turn]);
        complex_value c = multiply(in[i + f.n / 2], roots[2 * turn]);
        complex_value d = multiply(in[i + 3 * (f.n / 4)], roots[3 * turn]);
        complex_value ac = a + c, bd = b + d, minus_ac = a - c;
        complex_value minus_bd = {b[1] - d[1], d[0] - b[0]};
        out[at] = ac + bd;
        out[at + f.done] = minus_ac + minus_bd;
        out[at + 2 * f.done] = ac - bd;
        out[at + 3 * f.done] = minus_ac - minus_bd;
    }
}

static void transform(struct fft *f, uint32_t radix, range_function *stage)
{
    f->stage_in = f->in;
    unsigned turn = 0;
    for (f->done = 1; f->done < f->n; f->done *= radix) {
        f->stage_out = f->work[turn];
        parallel_for(f->n / radix, 1 << 13, stage, f);
        f->stage_in = f->stage_out;
        turn = !turn;
    }
    f->out = f->stage_out;
}

static void radix2_native(void *data)
{
    transform(data, 2, radix2_range);
}

static void radix4_native(void *data)
{
    transform(data, 4, radix4_range);
}

static void run_fft(const struct options *options, cl_uint radix)
{
    struct kernel_case *test = case_open(options);
    cl_uint n = (cl_uint)case_size(test, 1 << 20, 256);
    size_t size = n * sizeof(complex_value);
    float scale = 1.0f / sqrtf((float)n);
    float *roots = host_array(2 * (size_t)n, sizeof(float));
    for (size_t i = 0; i < n; i++) {
        double angle = -6.283185307179586 * (double)i / n;
        roots[2 * i] = (float)cos(angle);
        roots[2 * i + 1] = (float)sin(angle);
    }
    struct fft f = {
        .in = (complex_value *)host_random_floats(2 * (size_t)n, -scale, scale),
        .roots = (complex_value *)roots,
        .work = {host_array(n, sizeof(complex_value)),
                 host_array(n, sizeof(complex_value))},
        .n = n,
    };

    cl_program program = case_build(test, radix == 2 ? fft_radix2_cl : fft_radix4_cl, "");
    cl_mem root_buffer = opencl_buffer(&test->cl, size, f.roots);
    cl_mem in = opencl_buffer(&test->cl, size, f.in);
    cl_mem work[2] = {opencl_buffer(&test->cl, size, NULL),
                      opencl_buffer(&test->cl, size, NULL)};
    cl_mem out = in;
    for (cl_uint done = 1, turn = 0; done < n; done *= radix, turn = !turn) {
        cl_mem from = out;
        out = work[turn];
        cl_kernel kernel =
            KERNEL(program, radix == 2 ? "fft_radix2" : "fft_radix4", ARG(out), ARG(from),
                   ARG(root_buffer), ARG(n), ARG(done));
        case_launch_1d(test, kernel, n / radix, 0);
    }
    case_native(test, radix == 2 ? radix2_native : radix4_native, NULL, &f);
    case_measure(test, 5e-9 * n * log2(n), "GFLOP");
    case_expect_floats(test, out, (const float *)f.out, 2 * (size_t)n, 2e-5, 0);
}

static void fft_radix2(const struct options *options)
{
    run_fft(options, 2);
}

static void fft_radix4(const struct options *options)
{
    run_fft(options, 4);
}

const struct benchmark fft_kernels[] = {
    {"kernel/fft_radix2", "20 stages over 1 Mi complex numbers", fft_radix2, ONE_PROCESS},
    {"kernel/fft_radix4", "10 stages over 1 Mi complex numbers", fft_radix4, ONE_PROCESS},
    {0},
};
