// SPDX-License-Identifier: MIT
// Which functions of a shared library a program calls, in the order of their first calls:
// names for a linker that lays them out so (src/compiler/CMakeLists.txt).
//
//     first_functions LIBRARY NAMES COMMAND ... [--next COMMAND ...]
//
// Each command runs under ptrace. When it has mapped the library, each function gets a
// breakpoint as its first byte, which goes away when it is met. The file NAMES is empty,
// and that is no failure, where processes may not be traced.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BREAKPOINT = 0xcc };

struct function {
    uint64_t address; // in the file's own addresses
    const char *name;
    unsigned char first; // byte
    int met;
};

static const unsigned char *file; // the library's bytes
static struct stat file_status;
static struct function *functions;
static size_t function_count;
static uint64_t bias; // from the file's addresses to those of the process
static int memory;    // the process's, or -1: it has not mapped the library
static FILE *names;

static void fail(const char *what)
{
    fprintf(stderr, "first_functions: %s: %s\n", what, strerror(errno));
    exit(1);
}

// ---- The library's functions ----

static const unsigned char *at_address(uint64_t address)
{
    const Elf64_Ehdr *const head = (const void *)file;
    const Elf64_Phdr *const parts = (const void *)(file + head->e_phoff);

    for (int i = 0; i < head->e_phnum; i++) {
        if (parts[i].p_type == PT_LOAD && (parts[i].p_flags & PF_X) &&
            address >= parts[i].p_vaddr && address - parts[i].p_vaddr < parts[i].p_filesz)
            return file + parts[i].p_offset + (address - parts[i].p_vaddr);
    }
    return NULL;
}

static int by_address(const void *a, const void *b)
{
    const struct function *const x = a, *const y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}

static void take_symbols(const Elf64_Shdr *table, const Elf64_Shdr *sections)
{
    const Elf64_Sym *const symbols = (const void *)(file + table->sh_offset);
    const char *const names = (const char *)file + sections[table->sh_link].sh_offset;
    const size_t count = table->sh_size / sizeof(*symbols);

    functions = calloc(count, sizeof(*functions));
    if (!functions)
        fail("calloc");
    for (size_t i = 0; i < count; i++) {
        const Elf64_Sym *const s = &symbols[i];
        const unsigned char *code;

        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_size == 0)
            continue;
        code = at_address(s->st_value);
        if (code)
            functions[function_count++] =
                (struct function){s->st_value, names + s->st_name, *code, 0};
    }
    qsort(functions, function_count, sizeof(*functions), by_address);
}

static void read_library(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const Elf64_Ehdr *head;
    const Elf64_Shdr *sections;

    if (fd < 0 || fstat(fd, &file_status))
        fail(path);
    file = mmap(NULL, (size_t)file_status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED)
        fail(path);
    close(fd);
    head = (const void *)file;
    sections = (const void *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum && !functions; i++) {
        if (sections[i].sh_type == SHT_SYMTAB)
            take_symbols(&sections[i], sections);
    }
}

// ---- The program ----

// Where it has the library's code, or 0: not yet.
static uint64_t find_code(pid_t pid)
{
    char path[64], line[4500];
    uint64_t found = 0;
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof(line), maps)) {
        unsigned long long start, end, offset, inode;
        char rights[5];

        if (sscanf(line, "%llx-%llx %4s %llx %*s %llu", &start, &end, rights, &offset,
                   &inode) == 5 &&
            inode == file_status.st_ino && rights[2] == 'x')
            found = start - offset;
    }
    if (maps)
        fclose(maps);
    return found; // of the file's first byte, as if all lay in one piece
}

static void write_byte(uint64_t address, unsigned char byte)
{
    if (pwrite(memory, &byte, 1, (off_t)(bias + address)) != 1)
        fail("pwrite");
}

static void set_breakpoints(pid_t pid, uint64_t start)
{
    const Elf64_Ehdr *const head = (const void *)file;
    const Elf64_Phdr *const parts = (const void *)(file + head->e_phoff);
    char path[64];

    for (int i = 0; i < head->e_phnum; i++) {
        if (parts[i].p_type == PT_LOAD && (parts[i].p_flags & PF_X))
            bias = start + parts[i].p_offset - parts[i].p_vaddr;
    }
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    memory = open(path, O_RDWR | O_CLOEXEC);
    if (memory < 0)
        fail(path);
    for (size_t i = 0; i < function_count; i++)
        write_byte(functions[i].address, BREAKPOINT);
}

// Whether it was one of ours. Several names may stand for one function.
static int meet(pid_t thread)
{
    struct user_regs_struct registers;
    struct function key, *f;

    if (memory < 0 || ptrace(PTRACE_GETREGS, thread, NULL, &registers))
        return 0;
    key.address = registers.rip - 1 - bias;
    f = bsearch(&key, functions, function_count, sizeof(*functions), by_address);
    if (!f)
        return 0;
    while (f > functions && f[-1].address == key.address)
        f--;
    for (; f < functions + function_count && f->address == key.address; f++) {
        if (!f->met)
            fprintf(names, "%s\n", f->name);
        f->met = 1;
        write_byte(key.address, f->first);
    }
    registers.rip--;
    return !ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

// The signal that the thread goes on with.
static int handle_stop(pid_t thread, int status)
{
    const int number = WSTOPSIG(status);

    if (status >> 16) // an event: of a new thread, or of exec
        return 0;
    if (number == (SIGTRAP | 0x80)) { // a call of the kernel
        const uint64_t start = memory < 0 ? find_code(thread) : 0;

        if (start)
            set_breakpoints(thread, start);
        return 0;
    }
    if (number == SIGTRAP && meet(thread))
        return 0;
    return number == SIGSTOP ? 0 : number;
}

// Whether all went well.
static int follow(pid_t program)
{
    int status, number;
    pid_t thread;

    if (waitpid(program, &status, 0) != program || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, program, NULL,
               PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
        return 0;
    ptrace(PTRACE_SYSCALL, program, NULL, NULL);
    while ((thread = waitpid(-1, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) {
            if (thread == program)
                return memory >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            continue;
        }
        number = handle_stop(thread, status);
        ptrace(memory < 0 ? PTRACE_SYSCALL : PTRACE_CONT, thread, NULL,
               (void *)(intptr_t)number);
    }
    return 0;
}

static int run(char **command)
{
    pid_t program;
    int ok;

    memory = -1;
    program = fork();
    if (program == 0) {
        if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            execv(command[0], command);
        _exit(127);
    }
    ok = program > 0 && follow(program);
    if (memory >= 0)
        close(memory);
    return ok;
}

int main(int argc, char **argv)
{
    int ok = 1;

    if (argc < 4) {
        fprintf(stderr, "usage: first_functions LIBRARY NAMES COMMAND ...\n");
        return 2;
    }
    read_library(argv[1]);
    names = fopen(argv[2], "we");
    if (!names)
        fail(argv[2]);
    for (int i = 3, first = 3; i <= argc && ok; i++) {
        if (i < argc && strcmp(argv[i], "--next") != 0)
            continue;
        argv[i] = NULL;
        ok = run(argv + first);
        first = i + 1;
    }
    if (!ok) {
        fprintf(stderr, "first_functions: the commands cannot be traced: no order\n");
        ok = !ftruncate(fileno(names), 0);
    }
    if (fclose(names) || !ok)
        fail(argv[2]);
    return 0;
}
