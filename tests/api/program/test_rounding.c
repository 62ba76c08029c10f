// SPDX-License-Identifier: MIT
// CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: division and square root of kernels give the bits
// that the host's give, one by one and in vectors.
#include "support/api.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "support/suite.h"

enum { COUNT = 3 * 4 * 16384 };

static const char source[] =
    "#define BODY(i, LOAD, STORE) \\\n"
    "    STORE(LOAD(i, a) / LOAD(i, b), i, q); STORE(sqrt(LOAD(i, a)), i, r);\n"
    "#define LOAD1(i, p) p[i]\n"
    "#define STORE1(v, i, p) p[i] = v\n"
    "#define ARGS global const float *a, global const float *b, global float *q, \\\n"
    "    global float *r\n"
    "kernel void scalar(ARGS) { BODY(get_global_id(0), LOAD1, STORE1) }\n"
    "kernel void three(ARGS) { BODY(get_global_id(0), vload3, vstore3) }\n"
    "kernel void four(ARGS) { BODY(get_global_id(0), vload4, vstore4) }\n";

static float inputs[2][COUNT], results[2][COUNT];

// Every kind of float: half of them any bits, half of them near each other.
static void fill_inputs(void)
{
    uint32_t seed = 2463534242u;

    for (int i = 0; i < 2 * COUNT; i++) {
        uint32_t bits;

        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        bits = i % 4 < 2 ? seed : (seed & 0x00ffffffu) | 0x3f000000u;
        memcpy(&inputs[i % 2][i / 2], &bits, sizeof(bits));
    }
}

static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static void run(cl_program program, const char *name, size_t width)
{
    cl_kernel kernel = tf_api_kernel(program, name);
    const size_t items = COUNT / width;
    cl_mem mems[4];

    for (cl_uint i = 0; i < 4; i++) {
        mems[i] = tf_api_buffer(i < 2 ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE,
                                sizeof(inputs[0]), i < 2 ? inputs[i] : NULL);
        tf_api_set_arg(kernel, i, sizeof(mems[i]), &mems[i]);
    }
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        if (i >= 2)
            tf_api_read(mems[i], 0, sizeof(results[0]), results[i - 2]);
        ck_assert_int_eq(clReleaseMemObject(mems[i]), CL_SUCCESS);
    }
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

START_TEST(quotients_and_roots_are_the_hosts)
{
    static const char *const names[] = {"scalar", "three", "four"};
    static const size_t widths[] = {1, 3, 4};
    cl_device_fp_config config = 0;
    int wrong = 0;
    cl_program program = tf_api_program(source, "-cl-fp32-correctly-rounded-divide-sqrt");

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_SINGLE_FP_CONFIG,
                                     sizeof(config), &config, NULL),
                     CL_SUCCESS);
    ck_assert(config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    fill_inputs();
    for (int k = 0; k < 3; k++) {
        run(program, names[k], widths[k]);
        for (int i = 0; i < COUNT; i++)
            wrong += !same(results[0][i], inputs[0][i] / inputs[1][i]) +
                     !same(results[1][i], sqrtf(inputs[0][i]));
        ck_assert_int_eq(wrong, 0);
    }
    ck_assert_int_eq(clReleaseProgram(program), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounding");
    TCase *tcase = tcase_create("rounding");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, quotients_and_roots_are_the_hosts);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
