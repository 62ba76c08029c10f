// SPDX-License-Identifier: MIT
#include "compiler/front/hints.h"

#include <string.h>

#include "base/alloc.h"

// A kind of mistake: what the line of the message contains, what the message with the
// lines of source behind it contains (NULL: whatever), and what to do. "a{b|c}" is a with
// b or c behind it; "^a" in `block` means that a stands at the caret, or ends before it.
struct hint {
    const char *message;
    const char *block;
    const char *text;
};

#define NEWER "this is of a newer OpenCL C: build with -cl-std=CL3.0"
#define HOST_TYPE "cannot be used as the type of a kernel parameter"
#define UNDECLARED "use of undeclared identifier '"
#define NO_VERSION "no matching function for call to '"
#define CUDA_INDEX                                                        \
    "that is CUDA: get_local_id(0), get_group_id(0), get_local_size(0), " \
    "get_global_id(0)"
#define FOR_FLOATS "is for floats: convert an integer, (float)n or convert_float4(n)"
#define CAST "a value is converted by its type in parentheses: (int)x, (float)x"
#define CONVERT                                                                       \
    "vectors are converted by a function, convert_float4(x); as_float4(x) keeps the " \
    "bits; v.xy and v.lo are parts of one"

// Of those that fit the first is taken.
static const struct hint hints[] = {
    {"pointer to type '__", "image",
     "an image is handed over by itself: 'read_only image2d_t i'"},
    {"pointer arguments to kernel functions must reside", "**",
     "an argument is a buffer, not a pointer to pointers: pass one buffer, and indices "
     "into it"},
    {"pointer arguments to kernel functions must reside", NULL,
     "a kernel's pointer says where the buffer lies: 'global float *p'"},
    {"changes address space of pointer", "__constant ",
     "constant memory is apart from all other: declare the pointer 'constant', or copy "
     "what it points to"},
    {"'__local ", "'__global ",
     "local and global memory are apart, no pointer into one leads into the other: copy "
     "the elements, or all of them with async_work_group_copy()"},
    {"changes address space of pointer", NULL,
     "name the address space of what the pointer points to, as in 'global float *p', or "
     "build with -cl-std=CL3.0, where a pointer that names none may point anywhere"},
    {"taking address of function", "^get_",
     "a call needs its parentheses: get_global_id(0)"},
    {"pointers to functions are not allowed", NULL,
     "functions are called by name: choose with switch, or build a program for each "
     "choice with -D"},
    {"taking address of function", NULL,
     "functions are called by name, and with parentheses: there are no pointers to them"},
    {"kernel must have void return type", NULL,
     "a kernel returns nothing: it writes results to a buffer, 'global int *result'"},
    {NO_VERSION "write_image", "'__private __read_only",
     "an image that does not say more is read only: declare it 'write_only image2d_t', "
     "or read_write with -cl-std=CL3.0"},
    {NO_VERSION "read_image", "'__private __write_only",
     "what is write_only cannot be read: declare the image read_only, or read_write with "
     "-cl-std=CL3.0"},
    {NO_VERSION "write_image", NULL,
     "write_imagef takes a float4, write_imagei an int4, write_imageui a uint4; where "
     "to: int for image1d_t, int2 for image2d_t, int4 for image3d_t and "
     "image2d_array_t"},
    {NO_VERSION "read_image", NULL,
     "where from: int for image1d_t, int2 for image2d_t, int4 for image3d_t and "
     "image2d_array_t; behind a sampler also float, float2, float4"},
    {NO_VERSION "vload", NULL,
     "the offset comes first, in vectors: vload4(1, p) is p[4] to p[7]"},
    {NO_VERSION "vstore", NULL,
     "the pointer comes last, the offset, in vectors, before it: vstore4(v, 1, p) is "
     "p[4] to p[7]"},
    {NO_VERSION "dot'", NULL, "dot() " FOR_FLOATS},
    {NO_VERSION "length'", NULL, "length() " FOR_FLOATS},
    {NO_VERSION "normalize'", NULL, "normalize() " FOR_FLOATS},
    {NO_VERSION "distance'", NULL, "distance() " FOR_FLOATS},
    {NO_VERSION "cross'", NULL, "cross() takes float3 or float4"},
    {"too few arguments to function call", "^barrier(",
     "what has to be seen by the others: barrier(CLK_LOCAL_MEM_FENCE), or "
     "CLK_GLOBAL_MEM_FENCE"},
    {"too few arguments to function call", "^_id(",
     "of which dimension: get_global_id(0), 1 or 2"},
    {"too few arguments to function call", "^_size(",
     "of which dimension: get_global_size(0), 1 or 2"},
    {"__private event_t' " HOST_TYPE, NULL,
     "events of async_work_group_copy() are variables of the kernel: the host has none"},
    {HOST_TYPE, "bool",
     "pass an int or uchar: nobody knows how large the host's bool is"},
    {HOST_TYPE, "size_t",
     "pass a uint or ulong: size_t is as wide as the device's addresses, whatever the "
     "host has"},
    {HOST_TYPE, "{intptr_t|ptrdiff_t}",
     "pass a ulong: the device's addresses may be of another width"},
    {"variable length arrays are not supported", NULL,
     "the size of an array is a constant, which the host can set with -DN=64; or take a "
     "'local' pointer as an argument, whose size clSetKernelArg sets"},
    {"non-kernel function variable cannot be declared in local", NULL,
     "declare it in the kernel and hand the function a 'local int *'"},
    {"local address space can only be declared in the outermost scope", NULL,
     "move it to the outermost block of the kernel: it is there for the whole "
     "work-group"},
    {"'__local' variable cannot have an initializer", NULL,
     "let one work-item write it, and barrier(CLK_LOCAL_MEM_FENCE) before others read "
     "it"},
    {"file not found", NULL,
     "headers of the C library are of no use here, its functions are built in; folders "
     "with headers of OpenCL C are named with -I"},
    {"format specifies type", "(vector of",
     "a vector is printed whole, with its length and the size of its elements: %v4hlf "
     "for float4, %v4hld for int4"},
    {"unexpected type name '{uchar'|ushort'|uint'|ulong'|size_t'}", NULL, CAST},
    {"expected expression", "^{char(|short(|int(|long(|float(|double(}", CAST},
    {"unexpected type name", NULL,
     "a vector is written with its type in parentheses: (float4)(1, 2, 3, 4)"},
    {"left operand of comma operator has no effect", "= (",
     "(1, 2, 3, 4) is 4: a vector is written (float4)(1, 2, 3, 4)"},
    {"statement requires expression of scalar type", NULL,
     "comparing vectors gives a vector: ask any() or all(), or choose element by element "
     "with select()"},
    {"invalid conversion between ext-vector type", NULL, CONVERT},
    {"incompatible type '", "{*'|*__private'}",
     "a pointer is no value: p[i], or *p, is one of those that it points to, and &x "
     "points to x"},
    {"incompatible type '", "(vector of", CONVERT},
    {"implicit conversions between vector types", NULL, CONVERT},
    {"call to 'atomic_", "' is ambiguous",
     "atomic_add is for integers of 32 bits: for floats, atomic_fetch_add_explicit of an "
     "atomic_float, with -cl-std=CL3.0"},
    {"incompatible pointer types passing", "_Atomic(",
     "these functions are for atomic types: declare it 'global atomic_int *p', or take "
     "atomic_add() and its like"},
    {"incompatible pointer types passing", "atom",
     "atomic_ functions are for int and uint, atom_ ones for long and ulong: change the "
     "word that a smaller type lies in"},
    {"call to 'select' is ambiguous", NULL,
     "the third argument has as many elements as the others, and integers of their size: "
     "an int4 beside float4, as comparing vectors gives it"},
    {"call to 'abs' is ambiguous", NULL, "abs() is for integers: fabs(x)"},
    {"24' is ambiguous", NULL,
     "mul24() and mad24() are for int and uint: mad() or fma() for floats"},
    {"is ambiguous", NULL,
     "more than one of its versions fits: give all arguments one type, 1.0f beside a "
     "float, and convert an integer, (float)n"},
    {"program scope variable must reside in constant", NULL,
     "write 'constant int table[]' for what never changes; -cl-std=CL3.0 has 'global' "
     "variables, too"},
    {"function scope cannot be declared static", NULL,
     "what outlives a work-item lies in a buffer, or with -cl-std=CL3.0 in a 'global' "
     "variable of the program"},
    {"struct kernel parameters may not contain pointers", NULL,
     "hand each buffer over as an argument of its own"},
    {"read-only variable is not assignable", "constant",
     "constant memory is only read: for results declare the pointer 'global'"},
    {"initializer element is not a compile-time constant", "constant ",
     "what is constant is known when the program is built: write 'const' for what is "
     "only not changed"},
    {"invalid operands to binary expression", "^%", "% is for integers: fmod(x, y)"},
    {"variadic arguments are not allowed", NULL,
     "pass a buffer and the number of its elements"},
    {"is not allowed", "half",
     "half is only stored where cl_khr_fp16 is missing: vload_half() and vstore_half() "
     "convert"},
    {"implicit conversion increases floating-point precision", "float' to 'double'",
     "a constant without f is a double, and so is what it is computed with: 1.0f"},
    {"requires cl_khr_", NULL,
     "ask for it, #pragma OPENCL EXTENSION NAME : enable, if clinfo lists it, or do "
     "without behind #ifdef"},
    {"the 'auto' storage class", NULL,
     "OpenCL C finds no types by itself: name it, or build with -cl-std=CLC++2021"},
    {"OpenCL C version {1|2}", "does not support the", NEWER},
    {UNDECLARED "work_group_{barrier'|all'|any'|broadcast'|reduce_|scan_}", NULL, NEWER},
    {UNDECLARED "sub_group_{barrier'|all'|any'|broadcast'|reduce_|scan_|shuffle|ballot|"
                "elect'|rotate'|clustered_|non_uniform_|inverse_ballot'}",
     NULL, NEWER},
    {UNDECLARED "atomic_{fetch_|load|store|exchange|compare_exchange_|flag_|init'|"
                "work_item_fence'}",
     NULL, NEWER},
    {UNDECLARED "memory_{order_|scope_}", NULL, NEWER},
    {"access qualifier 'read_write' {cannot|can not} be used for", NULL, NEWER},
    {UNDECLARED "get_{global_linear_id'|local_linear_id'|enqueued_}", NULL, NEWER},
    {"unknown type name 'atomic_", NULL, NEWER},
    {UNDECLARED "malloc'", NULL,
     "kernels allocate nothing: buffers come from the host, arrays have constant sizes"},
    {UNDECLARED "new'", NULL,
     "OpenCL C is no C++, and kernels allocate nothing: -cl-std=CLC++2021 knows classes "
     "and templates"},
    {UNDECLARED "std'", NULL,
     "OpenCL C has no C++ library: min(), max(), sqrt() .. are built in"},
    {UNDECLARED "threadIdx'", NULL, CUDA_INDEX},
    {UNDECLARED "blockIdx'", NULL, CUDA_INDEX},
    {UNDECLARED "blockDim'", NULL, CUDA_INDEX},
    {UNDECLARED "__shared__'", NULL, "that is CUDA: 'local float t[64];'"},
    {UNDECLARED "atomic{Add'|Sub'|Exch'|Min'|Max'|Inc'|Dec'|CAS'|And'|Or'|Xor'}", NULL,
     "that is CUDA: atomic_add(p, 1), atomic_max(p, n), atomic_cmpxchg(p, old, new)"},
    {"unknown type name '__device__'", NULL,
     "that is CUDA: functions that are no kernels have no mark"},
    {"unknown type name '__global__'", NULL,
     "that is CUDA: a kernel begins with 'kernel void', its pointers with 'global'"},
    {UNDECLARED "__syncthreads", NULL, "that is CUDA: barrier(CLK_LOCAL_MEM_FENCE)"},
    {UNDECLARED "TRUE'", NULL, "true and false"},
    {UNDECLARED "FALSE'", NULL, "true and false"},
    {UNDECLARED "nullptr'", NULL, "NULL, or build with -cl-std=CLC++2021"},
    {UNDECLARED "memcpy'", NULL,
     "there is none: a loop, an assignment of a whole struct or vector, or "
     "async_work_group_copy()"},
    {UNDECLARED "memset'", NULL, "there is none: a loop, or clEnqueueFillBuffer()"},
    {UNDECLARED "assert'", NULL,
     "there is none: printf(), or TREFOIL_CHECK=all, which finds accesses past an end"},
    {UNDECLARED "exit'", NULL,
     "a work-item ends with return; the others go on, and the host learns of it from a "
     "buffer"},
    {UNDECLARED "rand'", NULL,
     "there is none: compute numbers from get_global_id(0) and a seed of the host's"},
    {UNDECLARED "get_{global|local|group|num_|work_}", NULL,
     "get_global_id(0), get_global_size(0), get_local_id(0), get_local_size(0), "
     "get_group_id(0), get_num_groups(0)"},
    {UNDECLARED "convert_", NULL,
     "type, _sat, rounding, in this order: convert_uchar4_sat_rtz(x)"},
    {"unknown type name 'template'", NULL,
     "OpenCL C has no templates: macros, or C++ for OpenCL with -cl-std=CLC++2021"},
    {"unknown type name 'class'", NULL,
     "OpenCL C has no classes: struct, or C++ for OpenCL with -cl-std=CLC++2021"},
    {"nknown type name '{int|uint}", "_t'",
     "OpenCL C calls them char, short, int and long, of 8, 16, 32 and 64 bits "
     "everywhere; "
     "without sign uchar, ushort, uint, ulong"},
    {UNDECLARED, "int32_t'", "OpenCL C calls it int, of 32 bits everywhere, and uint"},
    {UNDECLARED, "int64_t'", "OpenCL C calls it long, of 64 bits everywhere, and ulong"},
    {UNDECLARED, "int8_t'", "OpenCL C calls it char, and uchar"},
};
enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

// Functions of the C library for floats; the built-in ones have one name for all types.
static bool is_float_function(const char *message)
{
    static const char *const names[] = {"sinf",   "cosf",  "tanf",  "sqrtf",  "fabsf",
                                        "powf",   "expf",  "logf",  "fmaxf",  "fminf",
                                        "floorf", "ceilf", "fmodf", "atan2f", "roundf"};
    const char *const at = strstr(message, UNDECLARED);
    const char *const name = at ? at + strlen(UNDECLARED) : NULL;

    for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
        const size_t bytes = strlen(names[i]);

        if (!strncmp(name, names[i], bytes) && name[bytes] == '\'')
            return true;
    }
    return false;
}

// Whether one of the words of `list`, parted by | up to a }, begins at `text`, or, with
// `start`, ends at `text` within what begins at `start`.
static bool any_at(const char *start, const char *text, const char *list)
{
    for (;; list++) {
        const size_t bytes = strcspn(list, "|}");

        if (!strncmp(text, list, bytes) || (start && (size_t)(text - start) >= bytes &&
                                            !memcmp(text - bytes, list, bytes)))
            return true;
        list += bytes;
        if (*list != '|')
            return false;
    }
}

static bool contains(const char *text, const char *pattern)
{
    const size_t bytes = strcspn(pattern, "{");

    if (!pattern[bytes])
        return strstr(text, pattern);
    for (; (text = memmem(text, strlen(text), pattern, bytes)) && *text; text++) {
        if (any_at(NULL, text + bytes, pattern + bytes + 1))
            return true;
    }
    return false;
}

// Whether the first caret of the message points at `pattern`, or behind it. The caret
// stands in a line of its own below the source, in the same column.
static bool caret_at(const char *block, const char *pattern)
{
    const char *source = strchr(block, '\n'), *below, *caret, *at;

    for (; source && (below = strchr(source + 1, '\n')); source = below) {
        const size_t bytes = strcspn(below + 1, "\n");

        caret = memchr(below + 1, '^', bytes);
        if (!caret || strspn(below + 1, " |~") != (size_t)(caret - below - 1))
            continue;
        at = source + (caret - below);
        if (at > below)
            return false;
        if (any_at(NULL, at, pattern + (*pattern == '{')))
            return true;
        while (at > source && at[-1] == ' ')
            at--;
        return any_at(source, at, pattern + (*pattern == '{'));
    }
    return false;
}

static bool fits(const struct hint *hint, const char *message, const char *block)
{
    if (!contains(message, hint->message))
        return false;
    if (!hint->block)
        return true;
    return *hint->block == '^' ? caret_at(block, hint->block + 1)
                               : contains(block, hint->block);
}

static const char *hint_for(const char *message, const char *block, bool used[HINTS + 1])
{
    if (is_float_function(message) && !used[HINTS]) {
        used[HINTS] = true;
        return "built-in functions have one name for all types: sin(x), sqrt(x), fabs(x)";
    }
    for (size_t i = 0; i < HINTS; i++) {
        if (!fits(&hints[i], message, block))
            continue;
        if (used[i])
            return NULL;
        used[i] = true;
        return hints[i].text;
    }
    return NULL;
}

static bool begins_message(const char *line, size_t bytes)
{
    static const char *const marks[] = {": error: ", ": warning: ", ": fatal error: "};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (memmem(line, bytes, marks[i], strlen(marks[i])))
            return true;
    }
    return false;
}

// "N errors generated.", the last line of Clang's.
static bool is_sum(const char *line, size_t bytes)
{
    static const char end[] = " generated.";

    return bytes >= sizeof(end) - 1 &&
           !memcmp(line + bytes - (sizeof(end) - 1), end, sizeof(end) - 1);
}

static size_t line_bytes(const char *line)
{
    return strcspn(line, "\n");
}

// The end of the message that begins at `text`: notes and lines of source belong to it.
static char *end_of_message(char *text)
{
    char *at = text + line_bytes(text);

    while (*at == '\n' && at[1]) {
        const size_t bytes = line_bytes(at + 1);

        if (begins_message(at + 1, bytes) || is_sum(at + 1, bytes))
            break;
        at += 1 + bytes;
    }
    return *at ? at + 1 : at;
}

static void add_message(struct tf_str *out, char *text, char *end, bool used[HINTS + 1])
{
    const char after = *end;
    const size_t bytes = line_bytes(text);
    const char *hint;
    char *message;

    *end = '\0';
    message = tf_memdup(text, bytes + 1);
    if (message) {
        message[bytes] = '\0';
        hint = begins_message(text, bytes) ? hint_for(message, text, used) : NULL;
        tf_str_add(out, text);
        if (hint)
            tf_str_printf(out, "%shint: %s\n", end[-1] == '\n' ? "" : "\n", hint);
        tf_free(message);
    } else {
        out->failed = true;
    }
    *end = after;
}

void tf_hints_add(struct tf_str *log, size_t from)
{
    bool used[HINTS + 1] = {false};
    struct tf_str out = {0};
    char *text;

    if (log->failed || !log->text || from >= log->bytes)
        return;
    tf_str_add_bytes(&out, log->text, from);
    for (text = log->text + from; *text;) {
        char *const end = end_of_message(text);

        add_message(&out, text, end, used);
        text = end;
    }
    if (out.failed) {
        tf_str_finish(&out);
        return;
    }
    tf_str_finish(log);
    *log = out;
}
