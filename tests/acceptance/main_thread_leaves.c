// SPDX-License-Identifier: MIT
// An application whose main thread leaves by pthread_exit() ends, with status 0, when its
// other threads have: threads of the library stay no longer than for a while. Each scene
// is a process of its own; what it is to have done then is in a file.
#include "acceptance.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 60, ITEMS = 4096 };

static const char source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void more(global float *p) { for (int i = 0; i < 1000; i++)\n"
    "    p[get_global_id(0)] = sin(p[get_global_id(0)] + i); }\n";

static const char *done_path;
static struct acceptance_cl cl;

static void done(void)
{
    FILE *const file = fopen(done_path, "a");

    EXPECT(file && fputs("done\n", file) >= 0 && fclose(file) == 0);
}

static void run_kernel(cl_program program, int rounds)
{
    static cl_int numbers[ITEMS];
    cl_kernel kernel = acceptance_kernel(program, "add");
    const size_t items = ITEMS;
    const cl_int one = 1;
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers, &code);

    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof(one), &one));
    for (int i = 0; i < rounds; i++)
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                  NULL));
    OK(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0,
                           NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        EXPECT(numbers[i] == rounds);
    memset(numbers, 0, sizeof(numbers));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
}

// ---- Scenes: the main thread's part, which leaves behind it ----

static void after_launches(void)
{
    cl = acceptance_open();
    run_kernel(acceptance_build(&cl, source), 100);
    done();
}

static void after_all_is_released(void)
{
    cl_program program;

    cl = acceptance_open();
    program = acceptance_build(&cl, source);
    run_kernel(program, 3);
    OK(clReleaseProgram(program));
    acceptance_close(&cl);
    done();
}

static void CL_CALLBACK is_built(cl_program program, void *unused)
{
    (void)unused;
    OK(clReleaseProgram(program));
    usleep(200000);
    done();
}

static void during_a_build(void)
{
    const char *text = source;
    cl_program program;
    cl_int code;

    cl = acceptance_open();
    program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &cl.device, "", is_built, NULL));
}

// Code is made in the background when a kernel object is.
static void while_code_is_made(void)
{
    cl = acceptance_open();
    acceptance_kernel(acceptance_build(&cl, source), "more");
    done();
}

static void CL_CALLBACK is_complete(cl_event event, cl_int status, void *unused)
{
    (void)unused;
    EXPECT(status == CL_COMPLETE);
    usleep(300000);
    OK(clReleaseEvent(event));
    done();
}

static void during_a_callback(void)
{
    cl_event event;
    cl_int code;

    cl = acceptance_open();
    event = clCreateUserEvent(cl.context, &code);
    OK(code);
    OK(clSetEventCallback(event, CL_COMPLETE, is_complete, NULL));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
}

static void during_launches(void)
{
    cl_kernel kernel;
    const size_t items = ITEMS;
    cl_event last;
    cl_mem buffer;
    cl_int code;

    cl = acceptance_open();
    kernel = acceptance_kernel(acceptance_build(&cl, source), "more");
    buffer = clCreateBuffer(cl.context, 0, ITEMS * sizeof(cl_float), NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    for (int i = 0; i < 10; i++)
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                  i < 9 ? NULL : &last));
    OK(clSetEventCallback(last, CL_COMPLETE, is_complete, NULL));
    OK(clFlush(cl.queue));
}

// Goes on for longer than threads stay without work.
static void *goes_on(void *program)
{
    for (int i = 0; i < 3; i++) {
        run_kernel(program, 5 + i);
        usleep(1300000);
    }
    run_kernel(acceptance_build(&cl, source), 2);
    done();
    return NULL;
}

static void start(void *(*fn)(void *), void *arg)
{
    pthread_t thread;

    EXPECT(pthread_create(&thread, NULL, fn, arg) == 0);
}

static void others_go_on(void)
{
    cl = acceptance_open();
    start(goes_on, acceptance_build(&cl, source));
}

static void *opens_and_runs(void *unused)
{
    cl = acceptance_open();
    goes_on(acceptance_build(&cl, source));
    return unused;
}

static void main_thread_was_never_here(void)
{
    start(opens_and_runs, NULL);
    usleep(500000);
}

static void fill(cl_context context, cl_device_id device)
{
    enum { BYTES = 16 << 20 };
    const cl_int pattern = 5;
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_mem buffer;

    OK(code);
    buffer = clCreateBuffer(context, 0, BYTES, NULL, &code);
    OK(code);
    OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, BYTES, 0, NULL,
                           NULL));
    OK(clFlush(queue));
    usleep(200000); // for the device's own thread to do it, and be idle
    OK(clFinish(queue));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

// The first thread that was idle, which looks after the main thread for the others.
static void *first_idle_thread_goes(void *unused)
{
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    const cl_device_id device = acceptance_find().device;
    cl_device_id parts[2];
    cl_context first, second;
    cl_int code;

    OK(clCreateSubDevices(device, by_one, 2, parts, NULL));
    first = clCreateContext(NULL, 1, parts, NULL, NULL, &code);
    OK(code);
    fill(first, parts[0]);
    second = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    fill(second, device);
    OK(clReleaseContext(first));
    OK(clReleaseDevice(parts[0]));
    OK(clReleaseDevice(parts[1]));
    OK(clReleaseContext(second));
    done();
    return unused;
}

static void who_looks_goes_first(void)
{
    setenv("TREFOIL_THREADS", "2", 1);
    start(first_idle_thread_goes, NULL);
    usleep(100000);
}

// The forked child's main thread is the one that forks.
static void *forks(void *program)
{
    const pid_t pid = fork();
    int status;

    (void)program;
    EXPECT(pid >= 0);
    if (pid == 0) {
        after_launches();
        pthread_exit(NULL);
    }
    EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
    return NULL;
}

static void *leaves(void *unused)
{
    pthread_exit(unused);
}

// The first pthread_exit() of a process loads a library of GCC's: glibc ends a child that
// was forked meanwhile when it leaves so, too.
static void load_what_leaving_needs(void)
{
    pthread_t thread;

    EXPECT(pthread_create(&thread, NULL, leaves, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
}

static void child_of_another_thread(void)
{
    load_what_leaving_needs();
    cl = acceptance_open();
    run_kernel(acceptance_build(&cl, source), 2);
    start(forks, NULL);
}

static const struct scene {
    const char *name;
    void (*play)(void);
} scenes[] = {
    {"after_launches", after_launches},
    {"after_all_is_released", after_all_is_released},
    {"during_a_build", during_a_build},
    {"while_code_is_made", while_code_is_made},
    {"during_a_callback", during_a_callback},
    {"during_launches", during_launches},
    {"others_go_on", others_go_on},
    {"main_thread_was_never_here", main_thread_was_never_here},
    {"who_looks_goes_first", who_looks_goes_first},
    {"child_of_another_thread", child_of_another_thread},
};

// ---- The test ----

static bool ends(pid_t pid, int *status)
{
    const struct timespec while_ = {.tv_nsec = 20000000};

    for (int i = 0; i < SECONDS * 50; i++) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        nanosleep(&while_, NULL);
    }
    kill(pid, SIGKILL);
    waitpid(pid, status, 0);
    return false;
}

static bool is_done(const char *path)
{
    char text[16] = "";
    FILE *const file = fopen(path, "r");

    if (!file)
        return false;
    (void)!fgets(text, sizeof(text), file);
    fclose(file);
    return !strcmp(text, "done\n");
}

static bool holds(const char *self, const struct scene *scene, const char *folder)
{
    char path[4096];
    int status = 0;
    pid_t pid;

    snprintf(path, sizeof(path), "%s/left_%s_%ld", folder, scene->name, (long)getpid());
    unlink(path);
    pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        execl(self, self, scene->name, path, (char *)NULL);
        _exit(127);
    }
    if (!ends(pid, &status))
        printf("%s: does not end\n", scene->name);
    else if (status != 0 || !is_done(path))
        printf("%s: status %#x, %s\n", scene->name, (unsigned)status,
               is_done(path) ? "done" : "not done");
    else
        return unlink(path) == 0;
    return false;
}

int main(int argc, char **argv)
{
    bool ok = true;

    if (argc == 3) {
        for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
            if (!strcmp(scenes[i].name, argv[1])) {
                done_path = argv[2];
                scenes[i].play();
                pthread_exit(NULL);
            }
        return EXIT_FAILURE;
    }
    EXPECT(argc == 2);
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
        ok &= holds(argv[0], &scenes[i], argv[1]);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
