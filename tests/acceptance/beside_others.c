// SPDX-License-Identifier: MIT
// Trefoil beside other OpenCL implementations and other copies of LLVM in one process: in
// every order of opening and of first use, with names of theirs visible to all
// (RTLD_GLOBAL), closed and opened again. Says which of the others are not on this
// machine. Usage: beside_others path-of-libtrefoil.so
#include "acceptance.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl_icd.h>

#define CHILD_SECONDS 120
enum { MAX_OPEN = 12, ITEMS = 16 };

struct other {
    const char *name;
    enum { OPENCL, LLVM } kind;
};

static const struct other others[] = {
    {"libpocl.so.2", OPENCL},          {"libMesaOpenCL.so.1", OPENCL},
    {"libRusticlOpenCL.so.1", OPENCL}, {"libLLVM-14.so.1", LLVM},
    {"libLLVM-15.so.1", LLVM},         {"libLLVM.so.19.1", LLVM},
    {"libLLVM.so.22.1", LLVM},
};
enum { OTHERS = sizeof(others) / sizeof(*others) };

static const struct _cl_icd_dispatch *dispatch_of(const void *object)
{
    return *(const struct _cl_icd_dispatch *const *)object;
}

// Builds and runs a kernel on its first device; false if it has none (Mesa without a
// GPU).
static bool use_opencl(void *library)
{
    static const char *source = "kernel void k(global int *p) {"
                                "    p[get_global_id(0)] = get_global_id(0) * 3; }";
    const size_t items = ITEMS;
    cl_int data[ITEMS], code;
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_platform_id platform;
    cl_device_id device;
    cl_uint count = 0;

    *(void **)&platforms = dlsym(library, "clIcdGetPlatformIDsKHR");
    if (!platforms) {
        void *(*address)(const char *);

        *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
        EXPECT(address != NULL);
        *(void **)&platforms = address("clIcdGetPlatformIDsKHR");
    }
    EXPECT(platforms != NULL);
    if (platforms(1, &platform, &count) || count == 0)
        return false;
    const struct _cl_icd_dispatch *const cl = dispatch_of(platform);
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) || !count)
        return false;
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(cl->clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = cl->clCreateKernel(program, "k", &code);
    OK(code);
    cl_mem mem = cl->clCreateBuffer(context, 0, sizeof(data), NULL, &code);
    OK(code);
    OK(cl->clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    OK(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(cl->clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(data), data, 0, NULL,
                               NULL));
    for (int i = 0; i < ITEMS; i++)
        EXPECT(data[i] == i * 3);
    OK(cl->clReleaseMemObject(mem));
    OK(cl->clReleaseKernel(kernel));
    OK(cl->clReleaseProgram(program));
    OK(cl->clReleaseCommandQueue(queue));
    OK(cl->clReleaseContext(context));
    return true;
}

// Enough to start its global state: targets, options, a module.
static void use_llvm(void *library)
{
    static const char *const starts[] = {
        "LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target",
        "LLVMInitializeX86TargetMC", "LLVMInitializeX86AsmPrinter"};
    void *(*create)(void), *(*module)(const char *, void *);
    void (*dispose_module)(void *), (*dispose)(void *);

    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
        void (*start)(void);

        *(void **)&start = dlsym(library, starts[i]);
        if (start) // other processor families have others
            start();
    }
    *(void **)&create = dlsym(library, "LLVMContextCreate");
    *(void **)&module = dlsym(library, "LLVMModuleCreateWithNameInContext");
    *(void **)&dispose_module = dlsym(library, "LLVMDisposeModule");
    *(void **)&dispose = dlsym(library, "LLVMContextDispose");
    EXPECT(create && module && dispose_module && dispose);
    void *const context = create();
    dispose_module(module("m", context));
    dispose(context);
}

// ---- One order, in a process of its own ----

// Words: a path or name; "+" before it: RTLD_GLOBAL; "=" before it: what was opened by it
// is used; "-" before it: it is closed.
struct opened {
    const char *name;
    void *library;
};

static struct opened *find(struct opened *all, const char *name)
{
    for (int i = 0; i < MAX_OPEN; i++)
        if (all[i].name && !strcmp(all[i].name, name))
            return &all[i];
    for (int i = 0; i < MAX_OPEN; i++)
        if (!all[i].name)
            return &all[i];
    return NULL;
}

static void use(const struct opened *o)
{
    if (strstr(o->name, "libLLVM"))
        use_llvm(o->library);
    else if (!use_opencl(o->library))
        EXPECT(!strstr(o->name, "trefoil"));
}

static int run_order(char **words)
{
    struct opened all[MAX_OPEN] = {{NULL, NULL}};

    alarm(CHILD_SECONDS);
    for (; *words; words++) {
        const char *const name = *words + (strchr("+=-", **words) != NULL);
        struct opened *const o = find(all, name);

        EXPECT(o != NULL);
        if (**words == '=') {
            use(o);
        } else if (**words == '-') {
            EXPECT(dlclose(o->library) == 0);
            o->name = NULL;
        } else {
            o->name = name;
            o->library =
                dlopen(name, RTLD_NOW | (**words == '+' ? RTLD_GLOBAL : RTLD_LOCAL));
            if (!o->library)
                fprintf(stderr, "%s\n", dlerror());
            EXPECT(o->library != NULL);
        }
    }
    return EXIT_SUCCESS;
}

// ---- The orders ----

static int failures;

// `words`: separated by blanks, "T" is Trefoil, "O" the other one.
static void try_order(const char *order, const char *trefoil, const char *other)
{
    char words[20][300];
    char *argv[22] = {(char[]){"beside_others"}};
    int count = 0, status = 0;
    pid_t pid;

    for (const char *at = order; *at; at += *at == ' ') {
        const size_t bytes = strcspn(at, " ");
        const char which = at[bytes - 1];

        snprintf(words[count], sizeof(words[count]), "%.*s%s", (int)bytes - 1, at,
                 which == 'T' ? trefoil : other);
        argv[count + 1] = words[count];
        count++;
        at += bytes;
    }
    pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    printf("%s beside %s: status %x\n", order, other, (unsigned)status);
    failures++;
}

int main(int argc, char **argv)
{
    static const char *const orders[] = {
        "O T =T =O =T",            // the other one first
        "T =T O =O =T",            // used before the other is there
        "+O =O T =T",              // its names are visible to all
        "+O +T =T =O",             // and ours, too
        "T O =O =T -T T =T -O =T", // closed and opened again
        "O =O -O T =T O =O =T",
    };
    int here = 0;

    EXPECT(argc > 1);
    if (argc > 2)
        return run_order(argv + 1);
    for (int i = 0; i < OTHERS; i++) {
        void *const library = dlopen(others[i].name, RTLD_LAZY | RTLD_LOCAL);

        printf("%s: %s\n", others[i].name, library ? "here" : "skipped, not here");
        if (!library)
            continue;
        here++;
        for (size_t k = 0; k < sizeof(orders) / sizeof(*orders); k++)
            try_order(orders[k], argv[1], others[i].name);
    }
    return failures ? EXIT_FAILURE : here ? EXIT_SUCCESS : EXIT_SKIPPED;
}
