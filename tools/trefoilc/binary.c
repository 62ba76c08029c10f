// SPDX-License-Identifier: MIT
#include "binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl_icd.h>

#include "arguments.h"
#include "base/alloc.h"
#include "base/lib.h"

typedef cl_int(CL_API_CALL *platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);

struct driver {
    const struct _cl_icd_dispatch *cl;
    cl_device_id device;
    cl_context context;
};

// Beside this program, as in a build folder, or where an installation has it.
static platforms_fn find_driver(char *text, size_t text_bytes)
{
    static const char *const places[] = {"libtrefoil.so", TF_DRIVER_FROM_PROGRAMS};
    char beside[4096];

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (tf_lib_beside((const void *)&find_driver, places[i], beside, sizeof beside) ==
                0 &&
            access(beside, R_OK) == 0)
            return (platforms_fn)(uintptr_t)tf_lib_symbol(
                beside, "clIcdGetPlatformIDsKHR", text, text_bytes);
    snprintf(text, text_bytes, "no libtrefoil.so beside this program");
    return NULL;
}

// Programs are made for a list of levels by the library; its own is one of them. Without
// a list they shall be whole, too.
static void ask_for_levels(const char *isa)
{
    const char *const last = isa ? strrchr(isa, ',') : NULL;

    if (!isa) {
        setenv("TREFOIL_BINARY_ISA", "native", 0);
        return;
    }
    setenv("TREFOIL_BINARY_ISA", isa, 1);
    if (strcmp(isa, "all") != 0)
        setenv("TREFOIL_ISA", last ? last + 1 : isa, 1);
}

static bool open_driver(struct driver *driver)
{
    char text[256] = "";
    const platforms_fn get_platforms = find_driver(text, sizeof text);
    cl_platform_id platform;
    cl_int code = CL_INVALID_PLATFORM;

    if (get_platforms && !(code = get_platforms(1, &platform, NULL))) {
        driver->cl = *(const struct _cl_icd_dispatch *const *)(const void *)platform;
        code = driver->cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1,
                                          &driver->device, NULL);
        if (!code)
            driver->context =
                driver->cl->clCreateContext(NULL, 1, &driver->device, NULL, NULL, &code);
    }
    if (code)
        fprintf(messages(), "trefoilc: %s (%d)\n", text[0] ? text : "no device", code);
    return !code;
}

static void say_log(const struct driver *driver, cl_program program, const char *path)
{
    size_t bytes = 0;
    char *log;

    (void)driver->cl->clGetProgramBuildInfo(program, driver->device, CL_PROGRAM_BUILD_LOG,
                                            0, NULL, &bytes);
    log = tf_zalloc(bytes + 1);
    if (log && !driver->cl->clGetProgramBuildInfo(program, driver->device,
                                                  CL_PROGRAM_BUILD_LOG, bytes, log, NULL))
        print_log(log, path);
    tf_free(log);
}

// `whole`: it is all of the program.
static cl_program compile(const struct driver *driver, const struct input *input,
                          bool whole)
{
    const char *text = input->compile.source;
    const char *const options = input->compile.options;
    const size_t bytes = input->compile.source_bytes;
    cl_program program;
    cl_int code;

    if (input->kind == INPUT_SPIRV)
        program = driver->cl->clCreateProgramWithIL(driver->context, text, bytes, &code);
    else
        program = driver->cl->clCreateProgramWithSource(driver->context, 1, &text, &bytes,
                                                        &code);
    if (!code) {
        code = whole ? driver->cl->clBuildProgram(program, 1, &driver->device, options,
                                                  NULL, NULL)
                     : driver->cl->clCompileProgram(program, 1, &driver->device, options,
                                                    0, NULL, NULL, NULL, NULL);
        say_log(driver, program, input->path);
    }
    if (code)
        fprintf(messages(), "trefoilc: %s: compilation failed (%d)\n", input->path, code);
    return code ? NULL : program;
}

static cl_program link_parts(const struct driver *driver, const cl_program *parts,
                             int count, const char *path)
{
    cl_int code;
    const cl_program program =
        driver->cl->clLinkProgram(driver->context, 1, &driver->device, "", (cl_uint)count,
                                  parts, NULL, NULL, &code);

    if (program)
        say_log(driver, program, path);
    if (code)
        fprintf(messages(), "trefoilc: %s: linking failed (%d)\n", path, code);
    return code ? NULL : program;
}

static bool save(const struct driver *driver, cl_program program, struct tf_str *out)
{
    unsigned char *binary = NULL;
    size_t bytes = 0;
    bool ok = !driver->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
                                            sizeof bytes, &bytes, NULL) &&
              bytes > 0 && (binary = tf_zalloc(bytes)) &&
              !driver->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary,
                                            &binary, NULL);

    if (ok)
        tf_str_add_bytes(out, binary, bytes);
    tf_free(binary);
    return ok && !out->failed;
}

enum binary_result binary_make(const struct input *inputs, int count, const char *isa,
                               struct tf_str *out)
{
    cl_program parts[MAX_INPUTS], program;
    struct driver driver = {0};
    bool ok = true;

    ask_for_levels(isa);
    if (!open_driver(&driver))
        return BINARY_NO_DRIVER;
    for (int i = 0; i < count; i++)
        ok &= (parts[i] = compile(&driver, &inputs[i], count == 1)) != NULL;
    program = !ok          ? NULL
              : count == 1 ? parts[0]
                           : link_parts(&driver, parts, count, inputs[0].path);
    if (!program)
        return BINARY_BAD_PROGRAM;
    if (save(&driver, program, out))
        return BINARY_MADE;
    fprintf(messages(), "trefoilc: %s: it cannot be made a binary\n", inputs[0].path);
    return BINARY_BAD_PROGRAM;
}
