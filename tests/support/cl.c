// SPDX-License-Identifier: MIT
#include "support/cl.h"

cl_context tf_cl_other_context(const struct tf_cl *cl)
{
    cl_int code = 1;
    cl_context context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return context;
}

struct tf_cl tf_cl_begin(void)
{
    struct tf_cl cl = {0};
    cl_int code = 1;

    ck_assert_int_eq(clGetPlatformIDs(1, &cl.platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(
        clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_DEFAULT, 1, &cl.device, NULL),
        CL_SUCCESS);
    cl.context = tf_cl_other_context(&cl);
    cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return cl;
}

void tf_cl_end(struct tf_cl *cl)
{
    ck_assert_int_eq(clReleaseCommandQueue(cl->queue), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(cl->context), CL_SUCCESS);
}
