// SPDX-License-Identifier: MIT
// Builds the program of a file, OpenCL C or SPIR-V, or loads it from a binary, runs its
// kernels "k" or "k0", "k1", .. and says what they wrote, the log, and whether the
// compiler was opened for it.
//
//     acceptance_cached_program SOURCE OPTIONS [HEADER-NAME HEADER-TEXT] [save FILE]
//     acceptance_cached_program load FILE OPTIONS [save FILE]
#include "acceptance.h"

#include <string.h>

enum { MOST_BYTES = 1 << 22 };

static bool maps_hold(const char *name)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        found = found || strcasestr(line, name) != NULL;
    fclose(file);
    return found;
}

static char *read_file(const char *path, size_t *bytes)
{
    char *data = calloc(1, MOST_BYTES + 1);
    FILE *file = fopen(path, "rb");

    EXPECT(file != NULL && data != NULL);
    *bytes = fread(data, 1, MOST_BYTES, file);
    fclose(file);
    return data;
}

static cl_program load(const struct acceptance_cl *cl, const char *path,
                       const char *options)
{
    size_t bytes;
    unsigned char *data = (unsigned char *)read_file(path, &bytes);
    cl_int status, code;
    cl_program program =
        clCreateProgramWithBinary(cl->context, 1, &cl->device, &bytes,
                                  (const unsigned char **)&data, &status, &code);

    if (code) {
        printf("refused %d\n", code);
        exit(EXIT_SUCCESS);
    }
    OK(clBuildProgram(program, 1, &cl->device, options, NULL, NULL));
    free(data);
    return program;
}

static bool is_module(const char *data, size_t bytes)
{
    uint32_t word = 0;

    memcpy(&word, data, bytes < sizeof(word) ? bytes : sizeof(word));
    return word == 0x07230203; // SPIR-V
}

static cl_program build(const struct acceptance_cl *cl, const char *path,
                        const char *options, const char *header_name,
                        const char *header_text)
{
    size_t bytes;
    const char *source = read_file(path, &bytes);
    cl_int code;
    cl_program program =
        is_module(source, bytes)
            ? clCreateProgramWithIL(cl->context, source, bytes, &code)
            : clCreateProgramWithSource(cl->context, 1, &source, &bytes, &code);

    OK(code);
    if (header_name) {
        cl_program header =
            clCreateProgramWithSource(cl->context, 1, &header_text, NULL, &code);

        OK(code);
        OK(clCompileProgram(program, 1, &cl->device, options, 1, &header, &header_name,
                            NULL, NULL));
        program = clLinkProgram(cl->context, 1, &cl->device, "", 1, &program, NULL, NULL,
                                &code);
        OK(code);
    } else {
        OK(clBuildProgram(program, 1, &cl->device, options, NULL, NULL));
    }
    return program;
}

static void say_log(const struct acceptance_cl *cl, cl_program program)
{
    static char log[1 << 16];

    OK(clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                             NULL));
    for (char *at = log; *at; at++)
        *at = *at == '\n' ? '|' : *at;
    printf("log %s\n", log);
}

static void run(const struct acceptance_cl *cl, cl_program program)
{
    cl_kernel kernels[64];
    cl_uint count;

    OK(clCreateKernelsInProgram(program, 64, kernels, &count));
    for (cl_uint i = 0; i < count; i++) {
        const size_t global = 64;
        char name[64];
        cl_int code, value[64];
        cl_mem buffer =
            clCreateBuffer(cl->context, CL_MEM_READ_WRITE, sizeof(value), NULL, &code);
        long long sum = 0;

        OK(code);
        OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
                           NULL));
        OK(clSetKernelArg(kernels[i], 0, sizeof(buffer), &buffer));
        OK(clEnqueueNDRangeKernel(cl->queue, kernels[i], 1, NULL, &global, NULL, 0, NULL,
                                  NULL));
        OK(clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, sizeof(value), value, 0,
                               NULL, NULL));
        for (size_t n = 0; n < 64; n++)
            sum += value[n];
        printf("result %s %lld\n", name, sum);
        OK(clReleaseMemObject(buffer));
        OK(clReleaseKernel(kernels[i]));
    }
}

static void save(cl_program program, const char *path)
{
    size_t bytes;
    unsigned char *data;
    FILE *file = fopen(path, "wb");

    EXPECT(file != NULL);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
    data = malloc(bytes);
    EXPECT(data != NULL);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, NULL));
    EXPECT(fwrite(data, 1, bytes, file) == bytes);
    fclose(file);
    free(data);
}

int main(int argc, char **argv)
{
    struct acceptance_cl cl = acceptance_open();
    const bool loads = argc > 3 && !strcmp(argv[1], "load");
    const bool saves = argc > 4 && !strcmp(argv[argc - 2], "save");
    cl_program program;

    EXPECT(argc > 2);
    if (loads)
        program = load(&cl, argv[2], argv[3]);
    else
        program = build(&cl, argv[1], argv[2], argc - 2 * saves > 4 ? argv[3] : NULL,
                        argc - 2 * saves > 4 ? argv[4] : NULL);
    say_log(&cl, program);
    run(&cl, program);
    if (saves)
        save(program, argv[argc - 1]);
    printf("compiler %s\n",
           maps_hold("trefoil-compiler") || maps_hold("libLLVM") || maps_hold("libclang")
               ? "opened"
               : "untouched");
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
