// SPDX-License-Identifier: MIT
// clSVMAlloc, clSVMFree, buffers on SVM, clSetKernelArgSVMPointer, clSetKernelExecInfo.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/api.h"
#include "support/limits.h"
#include "support/suite.h"

static const char source[] =
    "struct node { global struct node *next; int value; };\n"
    "kernel void sum(global struct node *node, global int *out)\n"
    "{ *out = 0; for (; node; node = node->next) *out += node->value; }\n"
    "kernel void link(global struct node *nodes, int n)\n"
    "{ int i = get_global_id(0); nodes[i].value = i;\n"
    "  nodes[i].next = i + 1 < n ? &nodes[i + 1] : 0; }\n"
    "kernel void fill(global int *p, int value) { p[get_global_id(0)] = value; }\n"
    "kernel void is_null(global int *p, constant int *q, global int *out)\n"
    "{ *out = !p | !q << 1; }\n"
    "kernel void count(volatile global int *p) { atomic_inc(p); }\n"
    "kernel void other(local int *a, int b, constant int *c) { *a = b + *c; }\n";

struct node {
    struct node *next;
    cl_int value;
};

static cl_program prog;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, NULL);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static void *alloc(size_t size)
{
    void *ptr = clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE, size, 0);

    ck_assert_ptr_nonnull(ptr);
    return ptr;
}

static void set_pointer(cl_kernel kernel, cl_uint index, const void *ptr)
{
    ck_assert_int_eq(clSetKernelArgSVMPointer(kernel, index, ptr), CL_SUCCESS);
}

static void run(cl_kernel kernel, size_t global)
{
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}

START_TEST(device_says_what_it_shares)
{
    cl_device_svm_capabilities caps = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_SVM_CAPABILITIES,
                                     sizeof(caps), &caps, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(caps, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS);
}
END_TEST

START_TEST(memory_has_the_wanted_alignment)
{
    static const cl_uint alignments[] = {0, 1, 2, 16, 128, 4096};

    for (size_t i = 0; i < sizeof(alignments) / sizeof(*alignments); i++) {
        const cl_uint least = alignments[i] ? alignments[i] : 128;
        char *ptr = clSVMAlloc(tf_api.ctx, 0, 1000, alignments[i]);

        ck_assert_ptr_nonnull(ptr);
        ck_assert_uint_eq((uintptr_t)ptr % least, 0);
        memset(ptr, 0x5a, 1000);
        clSVMFree(tf_api.ctx, ptr);
    }
}
END_TEST

START_TEST(every_legal_flag_is_taken)
{
    static const cl_svm_mem_flags access[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY,
                                              CL_MEM_WRITE_ONLY};
    static const cl_svm_mem_flags grain[] = {0, CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER |
                                                 CL_MEM_SVM_ATOMICS};

    for (int a = 0; a < 4; a++)
        for (int g = 0; g < 3; g++) {
            void *ptr = clSVMAlloc(tf_api.ctx, access[a] | grain[g], 64, 0);

            ck_assert_ptr_nonnull(ptr);
            clSVMFree(tf_api.ctx, ptr);
        }
}
END_TEST

START_TEST(wrong_allocations_are_null)
{
    cl_ulong most = 0;

    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most,
                    NULL);
    ck_assert_ptr_null(clSVMAlloc(NULL, 0, 64, 0));
    ck_assert_ptr_null(clSVMAlloc((cl_context)(void *)tf_api.q, 0, 64, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, CL_MEM_SVM_ATOMICS, 64, 0));
    ck_assert_ptr_null(
        clSVMAlloc(tf_api.ctx, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, CL_MEM_COPY_HOST_PTR, 64, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, (cl_svm_mem_flags)1 << 40, 64, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, 0, 0, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, 0, most + 1, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, 0, SIZE_MAX, 0));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, 0, 64, 24));
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, 0, 64, 1u << 31)); // no device has it
}
END_TEST

// What clSVMFree cannot report must not harm either.
START_TEST(free_of_what_is_no_allocation_does_nothing)
{
    cl_int on_stack = 5;
    cl_int *ptr = alloc(64);

    *ptr = 7;
    clSVMFree(tf_api.ctx, NULL);
    clSVMFree(tf_api.ctx, &on_stack);
    clSVMFree(tf_api.ctx, ptr + 1);
    clSVMFree(tf_api.other_ctx, ptr);
    clSVMFree(NULL, ptr);
    ck_assert_int_eq(*ptr, 7);
    clSVMFree(tf_api.ctx, ptr);
    clSVMFree(tf_api.ctx, ptr);
}
END_TEST

START_TEST(kernel_follows_pointers_of_the_host)
{
    enum { COUNT = 100 };
    cl_kernel sum = tf_api_kernel(prog, "sum");
    struct node *nodes[COUNT];
    cl_int *out = alloc(sizeof(*out));

    for (int i = 0; i < COUNT; i++) { // every node an allocation of its own
        nodes[i] = alloc(sizeof(struct node));
        *nodes[i] = (struct node){i ? nodes[i - 1] : NULL, i};
    }
    set_pointer(sum, 0, nodes[COUNT - 1]);
    set_pointer(sum, 1, out);
    ck_assert_int_eq(
        clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(nodes), nodes),
        CL_SUCCESS);
    run(sum, 1);
    ck_assert_int_eq(*out, COUNT * (COUNT - 1) / 2);
    for (int i = 0; i < COUNT; i++)
        clSVMFree(tf_api.ctx, nodes[i]);
    clSVMFree(tf_api.ctx, out);
    ck_assert_int_eq(clReleaseKernel(sum), CL_SUCCESS);
}
END_TEST

START_TEST(host_follows_pointers_of_the_kernel)
{
    cl_kernel link = tf_api_kernel(prog, "link");
    const cl_int count = 50;
    struct node *nodes = alloc((size_t)count * sizeof(*nodes));
    int seen = 0;

    set_pointer(link, 0, nodes);
    tf_api_set_arg(link, 1, sizeof(count), &count);
    run(link, (size_t)count);
    for (const struct node *node = nodes; node; node = node->next)
        ck_assert_int_eq(node->value, seen++);
    ck_assert_int_eq(seen, count);
    clSVMFree(tf_api.ctx, nodes);
    ck_assert_int_eq(clReleaseKernel(link), CL_SUCCESS);
}
END_TEST

// Fine-grained system sharing: memory of the application, on the stack even, and offsets
// into it.
START_TEST(any_memory_of_the_process_is_an_argument)
{
    cl_kernel fill = tf_api_kernel(prog, "fill");
    cl_int *heap = malloc(64 * sizeof(*heap)), stack[8] = {0};
    const cl_int value = 9;

    ck_assert_ptr_nonnull(heap);
    heap[15] = heap[32] = -1;
    tf_api_set_arg(fill, 1, sizeof(value), &value);
    set_pointer(fill, 0, heap + 16);
    run(fill, 16);
    for (int i = 16; i < 32; i++)
        ck_assert_int_eq(heap[i], 9);
    ck_assert(heap[15] == -1 && heap[32] == -1);
    set_pointer(fill, 0, stack);
    run(fill, 8);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(stack[i], 9);
    free(heap);
    ck_assert_int_eq(clReleaseKernel(fill), CL_SUCCESS);
}
END_TEST

// The last setter wins: address, memory object, null.
START_TEST(addresses_and_buffers_replace_each_other)
{
    cl_kernel kernel = tf_api_kernel(prog, "is_null");
    cl_int *out = alloc(sizeof(*out));
    cl_mem mem = tf_api_buffer(0, 64, NULL), none = NULL;

    set_pointer(kernel, 2, out);
    set_pointer(kernel, 0, out);
    set_pointer(kernel, 1, out);
    run(kernel, 1);
    ck_assert_int_eq(*out, 0);
    set_pointer(kernel, 0, NULL);
    tf_api_set_arg(kernel, 1, sizeof(mem), &none);
    run(kernel, 1);
    ck_assert_int_eq(*out, 3);
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    run(kernel, 1);
    ck_assert_int_eq(*out, 2);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS); // no argument any more:
    set_pointer(kernel, 0, out);
    run(kernel, 1);
    ck_assert_int_eq(*out, 2);
    clSVMFree(tf_api.ctx, out);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}
END_TEST

START_TEST(pointer_arguments_are_checked)
{
    cl_kernel other = tf_api_kernel(prog, "other");
    cl_int place = 0;

    ck_assert_rejects(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(bad, 0, &place),
                      tf_api.q);
    ck_assert_int_eq(clSetKernelArgSVMPointer(other, 3, &place), CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(clSetKernelArgSVMPointer(other, 0, &place), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArgSVMPointer(other, 1, &place), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArgSVMPointer(other, 2, &place), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(other), CL_SUCCESS);
}
END_TEST

START_TEST(execution_information_is_checked)
{
    static const cl_kernel_exec_info flags[] = {
        CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
        CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
    };
    static const cl_kernel_exec_info lists[] = {
        CL_KERNEL_EXEC_INFO_SVM_PTRS,
        CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
        CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
    };
    cl_kernel kernel = tf_api_kernel(prog, "sum");
    const cl_bool no = CL_FALSE, yes = CL_TRUE;
    void *const list[2] = {kernel, NULL};

    for (int i = 0; i < 4; i++) {
        ck_assert_rejects(CL_INVALID_KERNEL,
                          clSetKernelExecInfo(bad, flags[i], sizeof(no), &no), tf_api.q);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, flags[i], sizeof(no), &no),
                         CL_SUCCESS);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, flags[i], sizeof(yes), &yes),
                         CL_SUCCESS);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, flags[i], 1, &yes),
                         CL_INVALID_VALUE);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, flags[i], sizeof(yes), NULL),
                         CL_INVALID_VALUE);
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(clSetKernelExecInfo(kernel, lists[i], sizeof(list), list),
                         CL_SUCCESS);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, lists[i], 0, NULL), CL_SUCCESS);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, lists[i], sizeof(list), NULL),
                         CL_INVALID_VALUE);
        ck_assert_int_eq(clSetKernelExecInfo(kernel, lists[i], 9, list),
                         CL_INVALID_VALUE);
    }
    ck_assert_int_eq(clSetKernelExecInfo(kernel, 0, sizeof(no), &no), CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}
END_TEST

START_TEST(clone_keeps_addresses)
{
    cl_kernel sum = tf_api_kernel(prog, "sum"), clone;
    struct node *node = alloc(sizeof(*node));
    cl_int *out = alloc(sizeof(*out)), code;
    void *pointers[1] = {node};

    *node = (struct node){NULL, 41};
    set_pointer(sum, 0, node);
    set_pointer(sum, 1, out);
    ck_assert_int_eq(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                         sizeof(pointers), pointers),
                     CL_SUCCESS);
    clone = clCloneKernel(sum, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    set_pointer(sum, 0, NULL); // the clone has its own
    run(clone, 1);
    ck_assert_int_eq(*out, 41);
    ck_assert_int_eq(clReleaseKernel(clone), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(sum), CL_SUCCESS);
    clSVMFree(tf_api.ctx, node);
    clSVMFree(tf_api.ctx, out);
}
END_TEST

static cl_bool uses_svm(cl_mem mem)
{
    cl_bool uses = 99;

    ck_assert_int_eq(
        clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof(uses), &uses, NULL),
        CL_SUCCESS);
    return uses;
}

START_TEST(buffers_share_the_bytes_of_an_allocation)
{
    const cl_buffer_region half = {.origin = 1024, .size = 1024};
    unsigned char *ptr = alloc(2048), byte = 0;
    cl_int code;
    cl_mem mem = tf_api_buffer(CL_MEM_USE_HOST_PTR, 2048, ptr), part, plain;

    part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    plain = tf_api_buffer(CL_MEM_COPY_HOST_PTR, 2048, ptr);
    ck_assert_uint_eq(uses_svm(mem), CL_TRUE);
    ck_assert_uint_eq(uses_svm(part), CL_TRUE);
    ck_assert_uint_eq(uses_svm(plain), CL_FALSE);
    ptr[1030] = 77;
    tf_api_read(part, 6, 1, &byte);
    ck_assert_uint_eq(byte, 77);
    byte = 78;
    ck_assert_int_eq(
        clEnqueueWriteBuffer(tf_api.q, part, CL_TRUE, 7, 1, &byte, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(ptr[1031], 78);
    ck_assert_int_eq(clReleaseMemObject(part), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(plain), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    clSVMFree(tf_api.ctx, ptr);
}
END_TEST

START_TEST(buffer_does_not_reach_over_the_end_of_an_allocation)
{
    static const cl_mem_flags flags[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR};
    char *ptr = alloc(2048);
    cl_int code;
    cl_mem mem;

    memset(ptr, 0, 2048);
    for (int i = 0; i < 2; i++) {
        code = CL_SUCCESS;
        ck_assert_ptr_null(clCreateBuffer(tf_api.ctx, flags[i], 2049, ptr, &code));
        ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
        code = CL_SUCCESS;
        ck_assert_ptr_null(clCreateBuffer(tf_api.ctx, flags[i], 2048, ptr + 1, &code));
        ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
        mem = clCreateBuffer(tf_api.ctx, flags[i], 1024, ptr + 1024, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    }
    clSVMFree(tf_api.ctx, ptr);
}
END_TEST

enum { HOST_COUNTS = 20000, KERNEL_COUNTS = 20000 };

static void *count_on_host(void *arg)
{
    cl_int *p = arg;

    for (int i = 0; i < HOST_COUNTS; i++)
        __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
    return NULL;
}

START_TEST(host_and_kernel_count_together)
{
    const size_t global = KERNEL_COUNTS;
    cl_kernel count = tf_api_kernel(prog, "count");
    cl_int *p = clSVMAlloc(tf_api.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                           sizeof(*p), 0);
    pthread_t thread;

    ck_assert_ptr_nonnull(p);
    *p = 0;
    set_pointer(count, 0, p);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, count, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(pthread_create(&thread, NULL, count_on_host, p), 0);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    pthread_join(thread, NULL);
    ck_assert_int_eq(*p, HOST_COUNTS + KERNEL_COUNTS);
    clSVMFree(tf_api.ctx, p);
    ck_assert_int_eq(clReleaseKernel(count), CL_SUCCESS);
}
END_TEST

static const char handshake_source[] =
    "#define ALL memory_scope_all_svm_devices\n"
    "kernel void answer(global atomic_int *turn, global int *message)\n"
    "{ atomic_store_explicit(turn, 1, memory_order_release, ALL);\n"
    "  while (atomic_load_explicit(turn, memory_order_acquire, ALL) != 2) ;\n"
    "  *message *= 2;\n"
    "  atomic_store_explicit(turn, 3, memory_order_release, ALL); }\n";

static void await_turn(const cl_int *turn, cl_int wanted)
{
    ck_assert(TEST_UNTIL(__atomic_load_n(turn, __ATOMIC_ACQUIRE) == wanted));
}

// The kernel runs while the host does something else, and each sees what the other wrote
// before it passed the turn.
START_TEST(host_and_running_kernel_take_turns)
{
    const size_t one = 1;
    cl_program own = tf_api_program(handshake_source, "-cl-std=CL3.0");
    cl_kernel answer = tf_api_kernel(own, "answer");
    cl_int *turn =
        clSVMAlloc(tf_api.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                   2 * sizeof(cl_int), 0);
    cl_int *message = turn + 1;

    ck_assert_ptr_nonnull(turn);
    *turn = *message = 0;
    set_pointer(answer, 0, turn);
    set_pointer(answer, 1, message);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, answer, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFlush(tf_api.q), CL_SUCCESS);
    await_turn(turn, 1);
    *message = 21;
    __atomic_store_n(turn, 2, __ATOMIC_RELEASE);
    await_turn(turn, 3);
    ck_assert_int_eq(*message, 42);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    clSVMFree(tf_api.ctx, turn);
    ck_assert_int_eq(clReleaseKernel(answer), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(own), CL_SUCCESS);
}
END_TEST

// Whatever the order of their ends, every allocation stays what it is.
START_TEST(thousands_of_allocations_live_side_by_side)
{
    enum { COUNT = 3000 };
    cl_int **ptrs = malloc(COUNT * sizeof(*ptrs));

    for (int i = 0; i < COUNT; i++) {
        ptrs[i] = alloc(sizeof(cl_int));
        *ptrs[i] = i;
    }
    for (int i = 0; i < COUNT; i++) {
        const int at = i * 1009 % COUNT;

        ck_assert_int_eq(*ptrs[at], at);
        clSVMFree(tf_api.ctx, ptrs[at]);
    }
    free(ptrs);
}
END_TEST

static TCase *tests(void)
{
    TCase *tc = tcase_create("svm");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, device_says_what_it_shares);
    tcase_add_test(tc, memory_has_the_wanted_alignment);
    tcase_add_test(tc, every_legal_flag_is_taken);
    tcase_add_test(tc, wrong_allocations_are_null);
    tcase_add_test(tc, free_of_what_is_no_allocation_does_nothing);
    tcase_add_test(tc, kernel_follows_pointers_of_the_host);
    tcase_add_test(tc, host_follows_pointers_of_the_kernel);
    tcase_add_test(tc, any_memory_of_the_process_is_an_argument);
    tcase_add_test(tc, addresses_and_buffers_replace_each_other);
    tcase_add_test(tc, pointer_arguments_are_checked);
    tcase_add_test(tc, execution_information_is_checked);
    tcase_add_test(tc, clone_keeps_addresses);
    tcase_add_test(tc, buffers_share_the_bytes_of_an_allocation);
    tcase_add_test(tc, buffer_does_not_reach_over_the_end_of_an_allocation);
    tcase_add_test(tc, host_and_kernel_count_together);
    tcase_add_test(tc, host_and_running_kernel_take_turns);
    tcase_add_test(tc, thousands_of_allocations_live_side_by_side);
    return tc;
}

int main(void)
{
    Suite *suite = suite_create("svm");

    suite_add_tcase(suite, tests());
    return tf_run_suite(suite);
}
