// SPDX-License-Identifier: MIT
// Shared virtual and unified shared memory where memory runs out, where the context dies
// first, and where the device has neither.
#include "api/dispatch.h"

#include <string.h>

#include "base/alloc.h"
#include "core/command/command_svm.h"
#include "core/memory/svm.h"
#include "core/program/kernel.h"
#include "core/program/program_build.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static cl_command_queue q;

static void begin(void)
{
    core = tf_core_begin(1);
    q = tf_core_queue(&core, 0);
}

static void end(void)
{
    tf_alloc_fail_at(-1);
    tf_core_release(q, &tf_class_queue);
    tf_core_end(&core);
}

enum { MANY = 1000, BYTES = 256 };

// Runs make() with the n-th allocation failing for n = 0, 1 ... until it succeeds;
// returns how often it failed.
static int failures(bool (*make)(struct tf_err *))
{
    for (int n = 0; n < MANY; n++) {
        const long blocks = tf_alloc_live();
        struct tf_err err = {0};
        bool made;

        tf_alloc_fail_at(n);
        made = make(&err);
        tf_alloc_fail_at(-1);
        if (made)
            return n;
        ck_assert(err.code == CL_OUT_OF_HOST_MEMORY || err.code == CL_OUT_OF_RESOURCES);
        ck_assert_int_eq(tf_alloc_live(), blocks);
    }
    ck_abort_msg("never succeeds");
    return 0;
}

static bool make_allocation(struct tf_err *err)
{
    const struct tf_svm_desc desc = {.kind = TF_SVM_SHARED, .size_bytes = BYTES};
    void *ptr = NULL;

    if (tf_svm_alloc(err, core.ctx, &desc, &ptr))
        return false;
    memset(ptr, 1, BYTES);
    ck_assert_int_eq(tf_svm_free(err, core.ctx, TF_SVM_SHARED, ptr), CL_SUCCESS);
    return true;
}

START_TEST(allocation_fails_without_a_trace)
{
    ck_assert_int_ge(failures(make_allocation), 2); // the record, the memory
}
END_TEST

static const struct tf_enqueue *place(void)
{
    static struct tf_enqueue at;

    at = (struct tf_enqueue){.queue = q};
    return &at;
}

static void *pointers[3];
static char from[BYTES], to[BYTES];

static bool enqueue_free(struct tf_err *err)
{
    const struct tf_svm_release what = {.count = 3, .pointers = pointers};

    return !tf_enqueue_svm_free(err, place(), &what) && !tf_queue_finish(err, q);
}

static bool enqueue_copy(struct tf_err *err)
{
    const struct tf_svm_copy what = {.dst = to, .src = from, .size_bytes = BYTES};

    return !tf_enqueue_svm_copy(err, place(), CL_COMMAND_SVM_MEMCPY, &what) &&
           !tf_queue_finish(err, q);
}

static bool enqueue_fill(struct tf_err *err)
{
    const struct tf_svm_fill what = {
        .dst = to, .size_bytes = BYTES, .pattern = from, .pattern_bytes = 4};

    return !tf_enqueue_svm_fill(err, place(), CL_COMMAND_SVM_MEMFILL, &what) &&
           !tf_queue_finish(err, q);
}

static bool enqueue_map(struct tf_err *err)
{
    return !tf_enqueue_svm_order(err, place(), CL_COMMAND_SVM_MAP) &&
           !tf_queue_finish(err, q);
}

START_TEST(commands_fail_without_a_trace)
{
    ck_assert_int_ge(failures(enqueue_free), 2); // the list, the event
    ck_assert_int_ge(failures(enqueue_copy), 1);
    ck_assert_int_ge(failures(enqueue_fill), 1);
    ck_assert_int_ge(failures(enqueue_map), 1);
}
END_TEST

// tf_core_end() counts the memory that is left.
START_TEST(context_takes_its_allocations_along)
{
    for (int i = 0; i < 100; i++) {
        const struct tf_svm_desc desc = {.kind = i % 2 ? TF_SVM_BUFFER : TF_SVM_HOST,
                                         .size_bytes = BYTES};
        struct tf_err err = {0};
        void *ptr = NULL;

        ck_assert_int_eq(tf_svm_alloc(&err, core.ctx, &desc, &ptr), CL_SUCCESS);
    }
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 100);
}
END_TEST

START_TEST(kinds_are_kept_apart)
{
    const struct tf_svm_desc desc = {.kind = TF_SVM_BUFFER, .size_bytes = BYTES};
    struct tf_svm_info info;
    struct tf_err err = {0};
    void *ptr = NULL;

    ck_assert_int_eq(tf_svm_alloc(&err, core.ctx, &desc, &ptr), CL_SUCCESS);
    ck_assert(tf_svm_find(core.ctx, TF_SVM_BUFFER, (char *)ptr + 1, &info));
    ck_assert(info.start == ptr && info.size_bytes == BYTES);
    ck_assert(!tf_svm_find(core.ctx, TF_SVM_UNIFIED, ptr, &info));
    ck_assert_int_eq(tf_svm_free(&err, core.ctx, TF_SVM_UNIFIED, ptr), CL_INVALID_VALUE);
    err = (struct tf_err){0};
    ck_assert_int_eq(tf_svm_free(&err, core.ctx, TF_SVM_BUFFER, ptr), CL_SUCCESS);
}
END_TEST

static void CL_CALLBACK wait_for_flag(void *arg)
{
    ck_assert(tf_core_wait_int(arg, 1));
}

// A queue that the application has released is alive while it works.
START_TEST(finish_of_all_queues_waits_for_released_ones)
{
    static atomic_int flag;
    cl_command_queue other = tf_core_queue(&core, 0);
    struct tf_err err = {0};
    cl_event ev;

    atomic_store(&flag, 0);
    ev = tf_core_enqueue(other, wait_for_flag, &flag, 0, NULL);
    tf_core_release(other, &tf_class_queue);
    atomic_store(&flag, 1);
    ck_assert_int_eq(tf_queue_finish_all(&err, core.ctx), CL_SUCCESS);
    ck_assert_int_eq(tf_event_status(ev), CL_COMPLETE);
    tf_core_release(ev, &tf_class_event);
}
END_TEST

START_TEST(device_of_another_context_is_refused)
{
    struct tf_core other = tf_core_begin(1);
    cl_int code[2] = {0};

    ck_assert_ptr_null(
        clDeviceMemAllocINTEL(core.ctx, other.device, NULL, 64, 0, &code[0]));
    ck_assert_ptr_null(
        clSharedMemAllocINTEL(core.ctx, other.device, NULL, 64, 0, &code[1]));
    ck_assert_int_eq(code[0], CL_INVALID_DEVICE);
    ck_assert_int_eq(code[1], CL_INVALID_DEVICE);
    tf_core_release(other.ctx, &tf_class_context);
}
END_TEST

// ---- A device without ----

static cl_kernel make_kernel(void)
{
    const char *source = "kernel add";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    cl_program prog = NULL;
    cl_kernel kernel = NULL;
    struct tf_err err = {0};

    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &prog), CL_SUCCESS);
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "add", &kernel), CL_SUCCESS);
    tf_core_release(prog, &tf_class_program);
    return kernel;
}

START_TEST(device_without_svm_refuses_its_commands)
{
    const void *list[1] = {from};

    core.mock->caps.svm = 0;
    ck_assert_ptr_null(clSVMAlloc(core.ctx, 0, 64, 0));
    ck_assert_int_eq(clEnqueueSVMFree(q, 0, NULL, NULL, NULL, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, to, from, 4, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueSVMMemFill(q, to, from, 4, 4, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, to, 4, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueSVMUnmap(q, to, 0, NULL, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 1, list, NULL, 0, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
}
END_TEST

START_TEST(device_without_fine_grain_refuses_flags)
{
    void *ptr;

    core.mock->caps.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    ck_assert_ptr_null(clSVMAlloc(core.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    core.mock->caps.svm |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    ck_assert_ptr_null(
        clSVMAlloc(core.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 0));
    ptr = clSVMAlloc(core.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
    ck_assert_ptr_nonnull(ptr);
    clSVMFree(core.ctx, ptr);
}
END_TEST

START_TEST(device_without_svm_refuses_addresses)
{
    const cl_mem_properties fixed[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    const cl_bool yes = CL_TRUE, no = CL_FALSE;
    cl_kernel kernel = make_kernel();
    const cl_uint value = 1;
    cl_int code = CL_SUCCESS;

    // Set while it was possible: the launch refuses.
    ck_assert_int_eq(clSetKernelArgSVMPointer(kernel, 0, to), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(kernel, 2, 16, NULL), CL_SUCCESS);
    core.mock->caps.svm = 0;
    ck_assert_int_eq(clEnqueueTask(q, kernel, 0, NULL, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelArgSVMPointer(kernel, 0, to), CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelArgDevicePointerEXT(kernel, 0, 0), CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 0, NULL),
        CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelExecInfo(kernel,
                                         CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                         sizeof(yes), &yes),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelExecInfo(kernel,
                                         CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                         sizeof(no), &no),
                     CL_SUCCESS);
    ck_assert_ptr_null(clCreateBufferWithProperties(core.ctx, fixed, 0, 64, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(device_without_unified_memory_refuses_it)
{
    const cl_bool yes = CL_TRUE;
    cl_kernel kernel = make_kernel();
    cl_int code[4] = {0};

    core.mock->caps.usm = 0;
    ck_assert_ptr_null(clHostMemAllocINTEL(core.ctx, NULL, 64, 0, &code[0]));
    ck_assert_ptr_null(
        clDeviceMemAllocINTEL(core.ctx, core.device, NULL, 64, 0, &code[1]));
    ck_assert_ptr_null(
        clSharedMemAllocINTEL(core.ctx, core.device, NULL, 64, 0, &code[2]));
    ck_assert_ptr_null(clSharedMemAllocINTEL(core.ctx, NULL, NULL, 64, 0, &code[3]));
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(code[i], CL_INVALID_OPERATION);
    ck_assert_int_eq(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL),
        CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetKernelExecInfo(kernel,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         sizeof(yes), &yes),
                     CL_INVALID_OPERATION);
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core_svm");
    TCase *tc = tcase_create("core_svm");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, allocation_fails_without_a_trace);
    tcase_add_test(tc, commands_fail_without_a_trace);
    tcase_add_test(tc, context_takes_its_allocations_along);
    tcase_add_test(tc, kinds_are_kept_apart);
    tcase_add_test(tc, finish_of_all_queues_waits_for_released_ones);
    tcase_add_test(tc, device_of_another_context_is_refused);
    tcase_add_test(tc, device_without_svm_refuses_its_commands);
    tcase_add_test(tc, device_without_fine_grain_refuses_flags);
    tcase_add_test(tc, device_without_svm_refuses_addresses);
    tcase_add_test(tc, device_without_unified_memory_refuses_it);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
