// SPDX-License-Identifier: MIT
// A second release of an object is an error code, through the loader, in every build.
#include "acceptance.h"

static const char source[] = "kernel void nothing(void) {}";

int main(void)
{
    struct acceptance_cl cl = acceptance_open();
    cl_int code;
    cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    OK(code);
    cl_event event = clCreateUserEvent(cl.context, &code);
    OK(code);
    cl_program program = acceptance_build(&cl, source);
    cl_kernel kernel = acceptance_kernel(program, "nothing");

    OK(clReleaseMemObject(buffer));
    EXPECT(clReleaseMemObject(buffer) == CL_INVALID_MEM_OBJECT);
    OK(clReleaseEvent(event));
    EXPECT(clReleaseEvent(event) == CL_INVALID_EVENT);
    OK(clReleaseKernel(kernel));
    EXPECT(clReleaseKernel(kernel) == CL_INVALID_KERNEL);
    OK(clReleaseProgram(program));
    EXPECT(clReleaseProgram(program) == CL_INVALID_PROGRAM);
    const cl_sampler_properties properties[] = {0};
    cl_sampler sampler = clCreateSamplerWithProperties(cl.context, properties, &code);
    if (sampler) { // a device without images has none
        OK(clReleaseSampler(sampler));
        EXPECT(clReleaseSampler(sampler) == CL_INVALID_SAMPLER);
    }
    OK(clReleaseCommandQueue(cl.queue));
    EXPECT(clReleaseCommandQueue(cl.queue) == CL_INVALID_COMMAND_QUEUE);
    OK(clReleaseContext(cl.context));
    EXPECT(clReleaseContext(cl.context) == CL_INVALID_CONTEXT);
    printf("sampler %s\n", sampler ? "checked too" : "not supported");
    return EXIT_SUCCESS;
}
