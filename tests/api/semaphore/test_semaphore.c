// SPDX-License-Identifier: MIT
// cl_khr_semaphore and cl_khr_external_semaphore by the entry points.
#include "support/api.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/suite.h"

enum { THREADS = 8, ROUNDS = 200 };

#define LIST_END CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR
#define WORD(value) ((cl_semaphore_properties_khr)(value))

static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                     CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
static const cl_semaphore_properties_khr exportable[] = {
    CL_SEMAPHORE_TYPE_KHR,
    CL_SEMAPHORE_TYPE_BINARY_KHR,
    CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
    CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
    0};

static cl_semaphore_khr create_in(cl_context ctx,
                                  const cl_semaphore_properties_khr *properties)
{
    cl_int code = 1;
    cl_semaphore_khr sema = clCreateSemaphoreWithPropertiesKHR(ctx, properties, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_nonnull(sema);
    return sema;
}

static cl_semaphore_khr create(const cl_semaphore_properties_khr *properties)
{
    return create_in(tf_api.ctx, properties);
}

static cl_int create_code(const cl_semaphore_properties_khr *properties)
{
    cl_int code = 1;

    ck_assert_ptr_null(clCreateSemaphoreWithPropertiesKHR(tf_api.ctx, properties, &code));
    return code;
}

static void drop(cl_semaphore_khr sema)
{
    ck_assert_int_eq(clReleaseSemaphoreKHR(sema), CL_SUCCESS);
}

static cl_semaphore_payload_khr payload(cl_semaphore_khr sema)
{
    cl_semaphore_payload_khr value = 7;

    ck_assert_int_eq(clGetSemaphoreInfoKHR(sema, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(value),
                                           &value, NULL),
                     CL_SUCCESS);
    return value;
}

static void signal_after(cl_command_queue q, cl_semaphore_khr sema, cl_event after,
                         cl_event *out)
{
    ck_assert_int_eq(clEnqueueSignalSemaphoresKHR(q, 1, &sema, NULL, after ? 1 : 0,
                                                  after ? &after : NULL, out),
                     CL_SUCCESS);
}

static void put_signal(cl_command_queue q, cl_semaphore_khr sema)
{
    signal_after(q, sema, NULL, NULL);
}

static cl_event put_wait(cl_command_queue q, cl_semaphore_khr sema)
{
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueWaitSemaphoresKHR(q, 1, &sema, NULL, 0, NULL, &ev),
                     CL_SUCCESS);
    return ev;
}

// The event ends with CL_COMPLETE.
static void ends(cl_event ev)
{
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

static void has_not_ended(cl_event ev)
{
    usleep(3000);
    ck_assert_int_gt(tf_api_event_status(ev), CL_COMPLETE);
}

static cl_command_queue another_queue(void)
{
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

// ---- Making them ----

START_TEST(properties_are_checked)
{
    const cl_semaphore_properties_khr none[] = {0};
    const cl_semaphore_properties_khr unknown[] = {~WORD(0), 1, 0};
    const cl_semaphore_properties_khr strange_type[] = {CL_SEMAPHORE_TYPE_KHR, 2, 0};
    const cl_semaphore_properties_khr twice[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_TYPE_KHR, 0};
    const cl_semaphore_properties_khr no_type[] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                   WORD(tf_api.device), LIST_END, 0};

    ck_assert_int_eq(create_code(NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(create_code(none), CL_INVALID_VALUE);
    ck_assert_int_eq(create_code(no_type), CL_INVALID_VALUE);
    ck_assert_int_eq(create_code(unknown), CL_INVALID_PROPERTY);
    ck_assert_int_eq(create_code(strange_type), CL_INVALID_PROPERTY);
    ck_assert_int_eq(create_code(twice), CL_INVALID_PROPERTY);
    ck_assert_ptr_null(clCreateSemaphoreWithPropertiesKHR(NULL, binary, NULL));
}
END_TEST

START_TEST(device_lists_are_checked)
{
    const cl_semaphore_properties_khr list = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR;
    const cl_semaphore_properties_khr empty[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, list, LIST_END, 0};
    const cl_semaphore_properties_khr two[] = {CL_SEMAPHORE_TYPE_KHR,
                                               CL_SEMAPHORE_TYPE_BINARY_KHR,
                                               list,
                                               WORD(tf_api.device),
                                               WORD(tf_api.device),
                                               LIST_END,
                                               0};
    const cl_semaphore_properties_khr strange[] = {CL_SEMAPHORE_TYPE_KHR,
                                                   CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                   list,
                                                   WORD(tf_api.ctx),
                                                   LIST_END,
                                                   0};
    const cl_semaphore_properties_khr twice[] = {CL_SEMAPHORE_TYPE_KHR,
                                                 CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                 list,
                                                 WORD(tf_api.device),
                                                 LIST_END,
                                                 list,
                                                 WORD(tf_api.device),
                                                 LIST_END,
                                                 0};

    ck_assert_int_eq(create_code(empty), CL_INVALID_DEVICE);
    ck_assert_int_eq(create_code(two), CL_INVALID_DEVICE);
    ck_assert_int_eq(create_code(strange), CL_INVALID_DEVICE);
    ck_assert_int_eq(create_code(twice), CL_INVALID_PROPERTY);
}
END_TEST

START_TEST(handles_are_checked)
{
    const cl_semaphore_properties_khr opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
    int pipe_fds[2];
    cl_semaphore_properties_khr imported[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, opaque, WORD(-1), 0};
    cl_semaphore_properties_khr two_handles[] = {CL_SEMAPHORE_TYPE_KHR,
                                                 CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                 opaque,
                                                 3,
                                                 CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
                                                 WORD(-1),
                                                 0};
    cl_semaphore_properties_khr both[] = {CL_SEMAPHORE_TYPE_KHR,
                                          CL_SEMAPHORE_TYPE_BINARY_KHR,
                                          opaque,
                                          3,
                                          CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                          opaque,
                                          0,
                                          0};
    cl_semaphore_properties_khr exports[] = {CL_SEMAPHORE_TYPE_KHR,
                                             CL_SEMAPHORE_TYPE_BINARY_KHR,
                                             CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                             opaque,
                                             opaque,
                                             0,
                                             0};

    ck_assert_int_eq(create_code(imported), CL_INVALID_PROPERTY);
    ck_assert_int_eq(pipe(pipe_fds), 0);
    imported[3] = WORD(pipe_fds[0]);
    ck_assert_int_eq(create_code(imported), CL_INVALID_PROPERTY);
    imported[2] = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    ck_assert_int_eq(create_code(imported), CL_INVALID_PROPERTY);
    ck_assert_int_eq(close(pipe_fds[0]), 0); // still ours
    ck_assert_int_eq(close(pipe_fds[1]), 0);
    ck_assert_int_eq(create_code(two_handles), CL_INVALID_PROPERTY);
    ck_assert_int_eq(create_code(both), CL_INVALID_OPERATION);
    ck_assert_int_eq(create_code(exports), CL_INVALID_VALUE);
    exports[3] = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR; // nobody can make one
    exports[4] = 0;
    ck_assert_int_eq(create_code(exports), CL_INVALID_PROPERTY);
}
END_TEST

START_TEST(queries_answer)
{
    const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
                                                      CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                      CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                      WORD(tf_api.device),
                                                      LIST_END,
                                                      0};
    cl_semaphore_properties_khr kept[6];
    cl_semaphore_khr sema = create(properties);
    cl_uint count, type;
    cl_bool is_exportable = CL_TRUE;
    cl_device_id device;
    cl_context ctx;
    size_t size;

#define GET(name, value) \
    ck_assert_int_eq(clGetSemaphoreInfoKHR(sema, name, sizeof(value), &(value), &size), 0)
    GET(CL_SEMAPHORE_PROPERTIES_KHR, kept);
    ck_assert_uint_eq(size, sizeof(properties));
    ck_assert_mem_eq(kept, properties, sizeof(properties));
    ck_assert_int_eq(clRetainSemaphoreKHR(sema), CL_SUCCESS);
    GET(CL_SEMAPHORE_REFERENCE_COUNT_KHR, count);
    ck_assert_uint_eq(count, 2);
    drop(sema);
    GET(CL_SEMAPHORE_TYPE_KHR, type);
    ck_assert_uint_eq(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
    GET(CL_SEMAPHORE_CONTEXT_KHR, ctx);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    GET(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device);
    ck_assert_ptr_eq(device, tf_api.device);
    GET(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type);
    ck_assert_uint_eq(size, 0);
    GET(CL_SEMAPHORE_EXPORTABLE_KHR, is_exportable);
    ck_assert_int_eq(is_exportable, CL_FALSE);
    ck_assert_int_eq(clGetSemaphoreInfoKHR(sema, 1, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetSemaphoreInfoKHR(sema, CL_SEMAPHORE_TYPE_KHR, 1, &type, NULL),
                     CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_SEMAPHORE_KHR,
                      clGetSemaphoreInfoKHR(bad, CL_SEMAPHORE_TYPE_KHR, 0, NULL, NULL),
                      tf_api.ctx);
    drop(sema);
    ck_assert_int_eq(clReleaseSemaphoreKHR(sema), CL_INVALID_SEMAPHORE_KHR);
    ck_assert_int_eq(clRetainSemaphoreKHR(sema), CL_INVALID_SEMAPHORE_KHR);
}
END_TEST

START_TEST(types_of_handles_are_told)
{
    const cl_uint both[] = {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                            CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
    cl_uint types[4];
    size_t size;

#define DEVICE(name) \
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, name, sizeof(types), types, &size), 0)
#define PLATFORM(name) \
    ck_assert_int_eq(  \
        clGetPlatformInfo(tf_api.platform, name, sizeof(types), types, &size), 0)
#define ARE(wanted, bytes)                        \
    do {                                          \
        ck_assert_uint_eq(size, (bytes));         \
        ck_assert_mem_eq(types, wanted, (bytes)); \
    } while (0)
    DEVICE(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR);
    ARE(both, sizeof(both));
    DEVICE(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR);
    ARE(both, sizeof(both[0]));
    PLATFORM(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR);
    ARE(both, sizeof(both));
    PLATFORM(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR);
    ARE(both, sizeof(both[0]));
    DEVICE(CL_DEVICE_SEMAPHORE_TYPES_KHR);
    ck_assert_uint_eq(types[0], CL_SEMAPHORE_TYPE_BINARY_KHR);
    PLATFORM(CL_PLATFORM_SEMAPHORE_TYPES_KHR);
    ck_assert_uint_eq(types[0], CL_SEMAPHORE_TYPE_BINARY_KHR);
}
END_TEST

// ---- Signals and waits ----

START_TEST(enqueues_are_checked)
{
    cl_semaphore_khr sema = create(binary), foreign = create_in(tf_api.other_ctx, binary);
    cl_semaphore_khr mixed[] = {sema, foreign};
    cl_event user = tf_api_user_event();

#define BOTH(wanted, ...)                                                      \
    do {                                                                       \
        ck_assert_int_eq(clEnqueueSignalSemaphoresKHR(__VA_ARGS__), (wanted)); \
        ck_assert_int_eq(clEnqueueWaitSemaphoresKHR(__VA_ARGS__), (wanted));   \
    } while (0)
    BOTH(CL_INVALID_COMMAND_QUEUE, NULL, 1, &sema, NULL, 0, NULL, NULL);
    BOTH(CL_INVALID_VALUE, tf_api.q, 0, &sema, NULL, 0, NULL, NULL);
    BOTH(CL_INVALID_VALUE, tf_api.q, 1, NULL, NULL, 0, NULL, NULL);
    BOTH(CL_INVALID_CONTEXT, tf_api.q, 2, mixed, NULL, 0, NULL, NULL);
    mixed[1] = NULL;
    BOTH(CL_INVALID_SEMAPHORE_KHR, tf_api.q, 2, mixed, NULL, 0, NULL, NULL);
#define SIGNAL(n, list) \
    clEnqueueSignalSemaphoresKHR(tf_api.q, 1, &sema, NULL, n, list, NULL)
    TF_API_CHECK_WAIT_LIST(SIGNAL);
    ck_assert_int_eq(clSetUserEventStatus(user, -5), CL_SUCCESS);
    BOTH(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, tf_api.q, 1, &sema, NULL, 1, &user,
         NULL);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    drop(sema);
    drop(foreign);
}
END_TEST

// Each payload of a test runs with the semaphore of this context alone and with one that
// could be exported.
static const cl_semaphore_properties_khr *const kinds[] = {binary, exportable};

START_TEST(a_wait_ends_after_its_signal)
{
    cl_semaphore_khr sema = create(kinds[_i]);
    cl_command_queue q2 = another_queue();
    cl_event user = tf_api_user_event(), signaled, waited;

    ck_assert_uint_eq(payload(sema), 0);
    signal_after(tf_api.q, sema, user, &signaled);
    waited = put_wait(q2, sema);
    has_not_ended(waited);
    ck_assert_int_eq(tf_api_event_type(waited), CL_COMMAND_SEMAPHORE_WAIT_KHR);
    ck_assert_int_eq(tf_api_event_type(signaled), CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ends(waited);
    ends(signaled);
    ck_assert_uint_eq(payload(sema), 0);
    put_signal(tf_api.q, sema);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_uint_eq(payload(sema), 1);
    ends(put_wait(q2, sema));
    ck_assert_uint_eq(payload(sema), 0);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
    drop(sema);
}
END_TEST

START_TEST(a_wait_may_come_before_its_signal)
{
    cl_semaphore_khr sema = create(kinds[_i]);
    cl_command_queue q2 = another_queue();
    cl_event first = put_wait(q2, sema), second = put_wait(q2, sema);

    has_not_ended(first);
    put_signal(tf_api.q, sema);
    ends(first);
    has_not_ended(second);
    put_signal(tf_api.q, sema);
    ends(second);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
    drop(sema);
}
END_TEST

// Were semaphores states that commands look at when they run, the first wait would take
// the second signal.
START_TEST(a_wait_belongs_to_the_signal_enqueued_before_it)
{
    cl_semaphore_khr sema = create(kinds[_i]);
    cl_command_queue q2 = another_queue(), q3 = another_queue();
    cl_event user = tf_api_user_event(), first, second;

    signal_after(tf_api.q, sema, user, NULL);
    first = put_wait(q2, sema);
    put_signal(q3, sema);
    second = put_wait(q3, sema);
    ends(second);
    has_not_ended(first);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ends(first);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q3), CL_SUCCESS);
    drop(sema);
}
END_TEST

START_TEST(a_failed_signal_fails_its_wait)
{
    cl_semaphore_khr sema = create(kinds[_i]);
    cl_command_queue q2 = another_queue();
    cl_event user = tf_api_user_event(), waited;

    signal_after(tf_api.q, sema, user, NULL);
    waited = put_wait(q2, sema);
    ck_assert_int_eq(clSetUserEventStatus(user, -5), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &waited),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_uint_eq(payload(sema), 0);
    ck_assert_int_eq(clReleaseEvent(waited), CL_SUCCESS);
    put_signal(tf_api.q, sema);
    ends(put_wait(q2, sema));
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
    drop(sema);
}
END_TEST

START_TEST(one_wait_takes_several_semaphores)
{
    cl_semaphore_khr list[] = {create(binary), create(exportable), create(exportable),
                               create(binary)};
    cl_command_queue q2 = another_queue();
    cl_event waited;

    ck_assert_int_eq(clEnqueueWaitSemaphoresKHR(q2, 4, list, NULL, 0, NULL, &waited),
                     CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        has_not_ended(waited);
        put_signal(tf_api.q, list[3 - i]);
    }
    ends(waited);
    ck_assert_int_eq(clEnqueueSignalSemaphoresKHR(tf_api.q, 4, list, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 4; i++)
        ends(put_wait(q2, list[i]));
    for (int i = 0; i < 4; i++)
        drop(list[i]);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
}
END_TEST

START_TEST(a_waiting_command_keeps_its_semaphore)
{
    cl_semaphore_khr sema = create(binary);
    cl_event waited = put_wait(tf_api.q, sema);
    cl_command_queue q2 = another_queue();

    ck_assert_int_eq(clRetainSemaphoreKHR(sema), CL_SUCCESS);
    drop(sema);
    put_signal(q2, sema);
    drop(sema);
    ends(waited);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
}
END_TEST

// ---- Handles ----

static int export_fd(cl_semaphore_khr sema)
{
    int fd = -1;
    size_t size = 0;

    ck_assert_int_eq(clGetSemaphoreHandleForTypeKHR(sema, tf_api.device,
                                                    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                    sizeof(fd), &fd, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(fd));
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    return fd;
}

static cl_semaphore_khr import_in(cl_context ctx, int fd)
{
    const cl_semaphore_properties_khr properties[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, WORD(fd), 0};

    return create_in(ctx, properties);
}

START_TEST(exports_are_checked)
{
    cl_semaphore_khr inner = create(binary), sema = create(exportable);
    const cl_uint type = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
    size_t size = 0;
    int fd;

#define EXPORT(...) clGetSemaphoreHandleForTypeKHR(__VA_ARGS__)
    ck_assert_rejects(CL_INVALID_SEMAPHORE_KHR,
                      EXPORT(bad, tf_api.device, type, sizeof(fd), &fd, NULL), tf_api.q);
    ck_assert_int_eq(EXPORT(sema, NULL, type, sizeof(fd), &fd, NULL), CL_INVALID_DEVICE);
    ck_assert_int_eq(EXPORT(inner, tf_api.device, type, sizeof(fd), &fd, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(EXPORT(sema, tf_api.device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
                            sizeof(fd), &fd, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(EXPORT(sema, tf_api.device, type, 1, &fd, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(EXPORT(sema, tf_api.device, type, 0, NULL, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(fd));
    drop(inner);
    drop(sema);
}
END_TEST

START_TEST(imports_share_one_payload)
{
    cl_semaphore_khr sema = create(exportable);
    cl_semaphore_khr second = import_in(tf_api.ctx, export_fd(sema));
    cl_semaphore_khr other = import_in(tf_api.other_ctx, export_fd(sema));
    cl_event waited = put_wait(tf_api.other_q, other);

    has_not_ended(waited);
    put_signal(tf_api.q, second);
    ends(waited);
    put_signal(tf_api.other_q, other);
    ck_assert_int_eq(clFinish(tf_api.other_q), CL_SUCCESS);
    ck_assert_uint_eq(payload(sema), 1);
    ck_assert_uint_eq(payload(second), 1);
    ends(put_wait(tf_api.q, sema));
    ck_assert_uint_eq(payload(other), 0);
    drop(sema);
    put_signal(tf_api.q, second); // the payload outlives where it came from
    ends(put_wait(tf_api.other_q, other));
    drop(second);
    drop(other);
}
END_TEST

// The child has nothing of the library but the descriptor.
START_TEST(another_process_signals)
{
    cl_semaphore_khr sema = create(exportable);
    cl_event waited = put_wait(tf_api.q, sema);
    const int fd = export_fd(sema);
    const uint64_t one = 1;
    int status;
    pid_t child = tf_fork();

    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(write(fd, &one, sizeof(one)) == sizeof(one) ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ends(waited);
    ck_assert_int_eq(close(fd), 0);
    drop(sema);
}
END_TEST

enum { FIRST_FD = 3, FDS = 64 };

// An application that puts files of its own where the library had descriptors (as one
// that closes all it does not know does), and forks. 0: the files are there afterwards.
static int put_files_and_fork(void)
{
    cl_int code;
    cl_context ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);
    cl_command_queue q = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
    cl_semaphore_khr sema = clCreateSemaphoreWithPropertiesKHR(ctx, exportable, &code);
    const int file = open("/dev/null", O_RDONLY);
    int status = 1;
    pid_t child;

    if (code || clEnqueueWaitSemaphoresKHR(q, 1, &sema, NULL, 0, NULL, NULL))
        return 1; // else there is a thread that waits
    for (int fd = FIRST_FD; fd < FDS; fd++)
        if (fd != file)
            dup2(file, fd);
    child = tf_fork();
    if (child == 0) {
        for (int fd = FIRST_FD; fd < FDS; fd++)
            if (fcntl(fd, F_GETFD) < 0)
                _exit(1);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child ? status : 1;
}

START_TEST(fork_closes_no_file_of_the_application)
{
    int status;
    pid_t child = tf_fork();

    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(put_files_and_fork() ? 1 : 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_sync_file_that_has_been_signaled_is_taken_once)
{
    const cl_semaphore_properties_khr properties[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, WORD(-1), 0};
    cl_semaphore_khr sema = create(properties), inner = create(binary);
    cl_command_queue q2 = another_queue();
    cl_event waited;

    ck_assert_uint_eq(payload(sema), 1);
    ends(put_wait(tf_api.q, sema));
    ck_assert_uint_eq(payload(sema), 0);
    waited = put_wait(tf_api.q, sema);
    has_not_ended(waited);
    put_signal(q2, sema);
    ends(waited);
    ck_assert_int_eq(clReImportSemaphoreSyncFdKHR(sema, NULL, -1), CL_SUCCESS);
    ends(put_wait(tf_api.q, sema));
    ck_assert_int_eq(clReImportSemaphoreSyncFdKHR(sema, NULL, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(clReImportSemaphoreSyncFdKHR(inner, NULL, -1),
                     CL_INVALID_SEMAPHORE_KHR);
    ck_assert_rejects(CL_INVALID_SEMAPHORE_KHR,
                      clReImportSemaphoreSyncFdKHR(bad, NULL, -1), tf_api.q);
    ck_assert_int_eq(clReleaseCommandQueue(q2), CL_SUCCESS);
    drop(sema);
    drop(inner);
}
END_TEST

// ---- Threads ----

static cl_semaphore_khr shared[THREADS];
static atomic_int turns;

// Even threads signal, odd ones wait, through imports of one payload for two of them.
static void *signal_or_wait(void *arg)
{
    const int self = (int)(intptr_t)arg;
    cl_command_queue q = another_queue();

    for (int i = 0; i < ROUNDS; i++) {
        if (self % 2 == 0) {
            put_signal(q, shared[self]);
        } else {
            ends(put_wait(q, shared[self]));
            atomic_fetch_add(&turns, 1);
        }
    }
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    return NULL;
}

START_TEST(threads_signal_and_wait_through_imports)
{
    pthread_t threads[THREADS];

    atomic_store(&turns, 0);
    for (int i = 0; i < THREADS; i += 2) {
        shared[i] = create(exportable);
        shared[i + 1] = import_in(tf_api.ctx, export_fd(shared[i]));
    }
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, signal_or_wait, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(atomic_load(&turns), THREADS / 2 * ROUNDS);
    for (int i = 0; i < THREADS; i++)
        drop(shared[i]);
}
END_TEST

// Two threads each: one signals the first of two semaphores and waits for the second, the
// other one the other way round.
static void *play(void *arg)
{
    const int self = (int)(intptr_t)arg;
    const cl_semaphore_khr mine = shared[self], yours = shared[self ^ 1];
    cl_command_queue q = another_queue();

    for (int i = 0; i < ROUNDS; i++) {
        if (self % 2 == 0)
            put_signal(q, mine);
        ends(put_wait(q, yours));
        if (self % 2)
            put_signal(q, mine);
    }
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    return NULL;
}

START_TEST(threads_take_turns)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        shared[i] = create(kinds[_i]);
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        drop(shared[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("semaphores");
    TCase *tcase = tcase_create("semaphores");
    const int kind_count = sizeof(kinds) / sizeof(kinds[0]);

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, properties_are_checked);
    tcase_add_test(tcase, device_lists_are_checked);
    tcase_add_test(tcase, handles_are_checked);
    tcase_add_test(tcase, queries_answer);
    tcase_add_test(tcase, types_of_handles_are_told);
    tcase_add_test(tcase, enqueues_are_checked);
    tcase_add_loop_test(tcase, a_wait_ends_after_its_signal, 0, kind_count);
    tcase_add_loop_test(tcase, a_wait_may_come_before_its_signal, 0, kind_count);
    tcase_add_loop_test(tcase, a_wait_belongs_to_the_signal_enqueued_before_it, 0,
                        kind_count);
    tcase_add_loop_test(tcase, a_failed_signal_fails_its_wait, 0, kind_count);
    tcase_add_test(tcase, one_wait_takes_several_semaphores);
    tcase_add_test(tcase, a_waiting_command_keeps_its_semaphore);
    tcase_add_test(tcase, exports_are_checked);
    tcase_add_test(tcase, imports_share_one_payload);
    tcase_add_test(tcase, another_process_signals);
    tcase_add_test(tcase, fork_closes_no_file_of_the_application);
    tcase_add_test(tcase, a_sync_file_that_has_been_signaled_is_taken_once);
    tcase_add_test(tcase, threads_signal_and_wait_through_imports);
    tcase_add_loop_test(tcase, threads_take_turns, 0, kind_count);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
