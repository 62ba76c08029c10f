// SPDX-License-Identifier: MIT
// What `trefoilc --emit=binary` writes, without a device or a loader, is a program
// binary: loaded here it runs, and with code for this machine's level no compiler is
// needed. Usage: offline_binary path-of-trefoilc folder
#include "acceptance.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_text(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");

    EXPECT(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void run_tool(const char *tool, char **words)
{
    int status = 0;
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid == 0) {
        execv(tool, words);
        _exit(127);
    }
    EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
}

static size_t read_bytes(const char *path, unsigned char *out, size_t room)
{
    FILE *const file = fopen(path, "rb");
    const size_t bytes = file ? fread(out, 1, room, file) : 0;

    EXPECT(bytes > 0 && bytes < room && fclose(file) == 0);
    return bytes;
}

static void load_and_run(const struct acceptance_cl *cl, const char *path)
{
    static unsigned char data[1 << 20];
    const unsigned char *binary = data;
    const size_t bytes = read_bytes(path, data, sizeof(data)), items = 64;
    cl_int result[64] = {0}, status, code;
    cl_program program = clCreateProgramWithBinary(cl->context, 1, &cl->device, &bytes,
                                                   &binary, &status, &code);

    OK(code);
    OK(status);
    OK(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
    cl_kernel kernel = acceptance_kernel(program, "k");
    cl_mem buffer =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, sizeof(result), NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    OK(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL,
                           NULL));
    for (int i = 0; i < 64; i++)
        EXPECT(result[i] == i + 5);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    char main_file[4096], part_file[4096], binary[4096];
    struct acceptance_cl cl;

    EXPECT(argc == 3);
    snprintf(main_file, sizeof(main_file), "%s/offline_main.cl", argv[2]);
    snprintf(part_file, sizeof(part_file), "%s/offline_part.cl", argv[2]);
    snprintf(binary, sizeof(binary), "%s/offline.bin", argv[2]);
    write_text(main_file, "int add(int); kernel void k(global int *p) {"
                          "    p[get_global_id(0)] = add(get_global_id(0)); }");
    write_text(part_file, "int add(int x) { return x + 5; }");
    char *words[] = {
        argv[1], (char[]){"--emit=binary"}, (char[]){"-o"}, binary, main_file, part_file,
        NULL};
    run_tool(argv[1], words);
    cl = acceptance_open();
    load_and_run(&cl, binary);
    // For a level that every machine of the family has, and for its own.
    char *levels[] = {argv[1],
                      (char[]){"--emit=binary"},
                      (char[]){"--isa=sse2"},
                      (char[]){"-o"},
                      binary,
                      main_file,
                      part_file,
                      NULL};
    run_tool(argv[1], levels);
    load_and_run(&cl, binary);
    acceptance_close(&cl);
    return EXIT_SUCCESS;
}
