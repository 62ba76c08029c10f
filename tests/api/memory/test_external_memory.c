// SPDX-License-Identifier: MIT
// cl_khr_external_memory with files in memory, and cl_ext_immutable_memory_objects.
#include "support/api.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/suite.h"

enum { WORDS = 3000, BYTES = WORDS * 4 };

#define OPAQUE CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
#define WORD(value) ((cl_mem_properties)(value))

// Quick code makes nothing of memory that is apart. Before the devices are found.
__attribute__((constructor(101))) static void want_fast_code(void)
{
    setenv("TREFOIL_TIER", "1", 1);
}

static int file(unsigned flags, size_t bytes)
{
    const int fd = memfd_create("shared", flags | MFD_CLOEXEC);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
    return fd;
}

static cl_uint *map(int fd)
{
    cl_uint *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    ck_assert_ptr_ne(at, MAP_FAILED);
    return at;
}

static cl_mem import_code(const cl_mem_properties *properties, cl_mem_flags flags,
                          size_t bytes, void *host_ptr, cl_int *code)
{
    *code = 1;
    return clCreateBufferWithProperties(tf_api.ctx, properties, flags, bytes, host_ptr,
                                        code);
}

static cl_mem import_fd(int fd, cl_mem_flags flags, size_t bytes)
{
    const cl_mem_properties properties[] = {OPAQUE, WORD(fd), 0};
    cl_int code;
    cl_mem mem = import_code(properties, flags, bytes, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return mem;
}

static cl_int refused(const cl_mem_properties *properties, cl_mem_flags flags,
                      size_t bytes, void *host_ptr)
{
    cl_int code;

    ck_assert_ptr_null(import_code(properties, flags, bytes, host_ptr, &code));
    return code;
}

static cl_int refused_fd(int fd, size_t bytes)
{
    const cl_mem_properties properties[] = {OPAQUE, WORD(fd), 0};

    return refused(properties, 0, bytes, NULL);
}

static void drop(cl_mem mem)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

// ---- Imports ----

START_TEST(properties_are_checked)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    const cl_mem_properties list = CL_MEM_DEVICE_HANDLE_LIST_KHR;
    const cl_mem_properties one[] = {OPAQUE, WORD(fd), 0};
    const cl_mem_properties two[] = {OPAQUE, WORD(fd), OPAQUE, WORD(fd), 0};
    const cl_mem_properties no_handle[] = {list, WORD(tf_api.device), 0, 0};
    const cl_mem_properties strange[] = {OPAQUE, WORD(fd), list, WORD(tf_api.q), 0, 0};
    const cl_mem_properties dma_buf[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, WORD(fd),
                                         0};
    int word;

    ck_assert_int_eq(refused(two, 0, BYTES, NULL), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(no_handle, 0, BYTES, NULL), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(strange, 0, BYTES, NULL), CL_INVALID_DEVICE);
    ck_assert_int_eq(refused(dma_buf, 0, BYTES, NULL), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(one, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(refused(one, CL_MEM_USE_HOST_PTR, 4, &word), CL_INVALID_VALUE);
    ck_assert_int_eq(refused(one, 0, 4, &word), CL_INVALID_HOST_PTR);
    ck_assert_int_eq(refused(one, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(close(fd), 0); // still ours
}
END_TEST

// What could be shortened later would end the process.
START_TEST(only_files_that_cannot_shrink_are_taken)
{
    char path[] = "/tmp/trefoil-test-XXXXXX";
    const int loose = file(0, BYTES), short_one = file(MFD_ALLOW_SEALING, BYTES);
    const int on_disk = mkstemp(path);

    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(ftruncate(on_disk, BYTES), 0);
    ck_assert_int_eq(refused_fd(-1, BYTES), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused_fd(loose, BYTES), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused_fd(on_disk, BYTES), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused_fd(short_one, BYTES + 1), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(close(loose), 0);
    ck_assert_int_eq(close(short_one), 0);
    ck_assert_int_eq(close(on_disk), 0);
}
END_TEST

START_TEST(an_import_owns_its_descriptor_and_seals_the_file)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES), ours = dup(fd);
    cl_mem mem = import_fd(fd, 0, BYTES);

    ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
    ck_assert_int_eq(ftruncate(ours, 1), -1);
    ck_assert_int_eq(fcntl(ours, F_GET_SEALS) & F_SEAL_SHRINK, F_SEAL_SHRINK);
    drop(mem);
    ck_assert_int_eq(close(ours), 0);
}
END_TEST

START_TEST(kernels_and_commands_share_the_file)
{
    static const char source[] = "kernel void add(global uint *a, global uint *b) {\n"
                                 "    b[get_global_id(0)] = a[get_global_id(0)] + 5;\n"
                                 "}\n";
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    cl_uint *ours = map(fd), seen[4];
    cl_mem first = import_fd(dup(fd), CL_MEM_READ_ONLY, BYTES);
    cl_mem second = import_fd(fd, 0, BYTES), both[] = {first, second};
    cl_program prog = tf_api_program(source, "");
    cl_kernel kernel = tf_api_kernel(prog, "add");
    const size_t items = WORDS;
    cl_event ev;

    for (int i = 0; i < WORDS; i++)
        ours[i] = (cl_uint)i * 3;
    tf_api_set_arg(kernel, 0, sizeof(first), &first);
    tf_api_set_arg(kernel, 1, sizeof(second), &second);
    ck_assert_int_eq(
        clEnqueueAcquireExternalMemObjectsKHR(tf_api.q, 2, both, 0, NULL, &ev),
        CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_type(ev), CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 1, &ev, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueReleaseExternalMemObjectsKHR(tf_api.q, 2, both, 0, NULL, &ev),
        CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_type(ev), CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    for (int i = 0; i < WORDS; i++)
        ck_assert_uint_eq(ours[i], (cl_uint)i * 3 + 5);
    tf_api_read(first, 40, sizeof(seen), seen);
    ck_assert_uint_eq(seen[0], 35);
    drop(first);
    drop(second);
    ck_assert_int_eq(munmap(ours, BYTES), 0);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

// The compiler may not take two addresses for two memories.
static void expect_a_chain(const cl_mem *mems, const cl_uint *ours)
{
    static const char source[] =
        "kernel void chain(global const uint *a, global uint *b, uint n) {\n"
        "    for (uint i = 1; i < n; i++)\n"
        "        b[i] = a[i - 1] + 3;\n"
        "}\n";
    const cl_uint count = WORDS / 2;
    cl_program prog = tf_api_program(source, "");
    cl_kernel kernel = tf_api_kernel(prog, "chain");
    const size_t one = 1;

    tf_api_set_arg(kernel, 2, sizeof(count), &count);
    tf_api_set_arg(kernel, 0, sizeof(cl_mem), &mems[0]);
    tf_api_set_arg(kernel, 1, sizeof(cl_mem), &mems[1]);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++)
        ck_assert_uint_eq(ours[i], i * 3);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}

static void end(cl_mem mems[2], cl_uint *ours)
{
    drop(mems[0]);
    drop(mems[1]);
    ck_assert_int_eq(munmap(ours, BYTES), 0);
}

START_TEST(a_kernel_reads_what_it_writes_by_another_import)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    cl_uint *ours = map(fd);
    cl_mem mems[] = {import_fd(dup(fd), 0, BYTES / 2), import_fd(fd, 0, BYTES)};

    expect_a_chain(mems, ours);
    end(mems, ours);
}
END_TEST

START_TEST(an_import_of_a_file_that_has_grown_lies_with_those_before)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    cl_uint *ours = map(fd);
    cl_mem mems[2] = {import_fd(dup(fd), 0, BYTES)};

    ck_assert_int_eq(ftruncate(fd, 100 * BYTES), 0);
    mems[1] = import_fd(fd, 0, 100 * BYTES);
    expect_a_chain(mems, ours);
    end(mems, ours);
}
END_TEST

// More than there are addresses.
START_TEST(imports_of_a_huge_sparse_file_lie_together)
{
    const int fd = file(MFD_ALLOW_SEALING, (size_t)1 << 56);
    cl_uint *ours = map(fd);
    cl_mem mems[] = {import_fd(dup(fd), 0, BYTES / 2), import_fd(fd, 0, BYTES)};

    expect_a_chain(mems, ours);
    end(mems, ours);
}
END_TEST

START_TEST(another_process_writes)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    const cl_uint word = 0xabcd1234;
    cl_mem mem = import_fd(dup(fd), 0, BYTES);
    cl_uint seen = 0;
    int status;
    pid_t child = tf_fork();

    if (child == 0)
        _exit(pwrite(fd, &word, sizeof(word), 64) == sizeof(word) ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    tf_api_read(mem, 64, sizeof(seen), &seen);
    ck_assert_uint_eq(seen, word);
    drop(mem);
    ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(ownership_commands_are_checked)
{
    cl_mem inner = tf_api_buffer(0, 64, NULL);
    cl_mem mem = import_fd(file(MFD_ALLOW_SEALING, BYTES), 0, BYTES);
    const cl_mem mixed[] = {mem, inner};
    cl_event ev = NULL, failed = tf_api_user_event();

#define BOTH(wanted, ...)                                                               \
    do {                                                                                \
        ck_assert_int_eq(clEnqueueAcquireExternalMemObjectsKHR(__VA_ARGS__), (wanted)); \
        ck_assert_int_eq(clEnqueueReleaseExternalMemObjectsKHR(__VA_ARGS__), (wanted)); \
    } while (0)
    BOTH(CL_INVALID_COMMAND_QUEUE, NULL, 1, &mem, 0, NULL, NULL);
    BOTH(CL_INVALID_VALUE, tf_api.q, 0, &mem, 0, NULL, NULL);
    BOTH(CL_INVALID_VALUE, tf_api.q, 1, NULL, 0, NULL, NULL);
    BOTH(CL_INVALID_MEM_OBJECT, tf_api.q, 2, mixed, 0, NULL, NULL);
    BOTH(CL_INVALID_CONTEXT, tf_api.other_q, 1, &mem, 0, NULL, NULL);
    BOTH(CL_SUCCESS, tf_api.q, 0, NULL, 0, NULL, NULL);
#define ACQUIRE(n, list) \
    clEnqueueAcquireExternalMemObjectsKHR(tf_api.q, 1, &mem, n, list, &ev)
    TF_API_CHECK_WAIT_LIST(ACQUIRE);
    ck_assert_int_eq(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    BOTH(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, tf_api.q, 1, &mem, 1, &failed,
         NULL);
    ck_assert_int_eq(clReleaseEvent(failed), CL_SUCCESS);
    drop(mem);
    drop(inner);
}
END_TEST

START_TEST(an_image_lies_in_a_file)
{
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 10,
                                .image_height = 20,
                                .image_row_pitch = 64};
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    const cl_mem_properties properties[] = {OPAQUE, WORD(fd), 0};
    const size_t origin[3] = {3, 7, 0}, region[3] = {1, 1, 1};
    cl_uint *ours = map(fd), seen = 0;
    cl_image_desc large = desc;
    cl_mem image;
    cl_int code;

    large.image_height = BYTES / 64 + 1;
    ck_assert_ptr_null(clCreateImageWithProperties(tf_api.ctx, properties, 0, &format,
                                                   &large, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
    image = clCreateImageWithProperties(tf_api.ctx, properties, 0, &format, &desc, NULL,
                                        &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ours[7 * 16 + 3] = 77;
    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, origin, region, 0, 0,
                                        &seen, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(seen, 77);
    ck_assert_int_eq(munmap(ours, BYTES), 0);
    drop(image);
}
END_TEST

START_TEST(types_of_handles_are_told)
{
    cl_uint type = 0;
    size_t size;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device,
                                     CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                                     sizeof(type), &type, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(type));
    ck_assert_uint_eq(type, OPAQUE);
    type = 0;
    ck_assert_int_eq(
        clGetPlatformInfo(tf_api.platform,
                          CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                          sizeof(type), &type, &size),
        CL_SUCCESS);
    ck_assert_uint_eq(type, OPAQUE);
}
END_TEST

// ---- Immutable objects ----

START_TEST(a_file_that_is_sealed_against_writes_serves_an_immutable_buffer)
{
    const int fd = file(MFD_ALLOW_SEALING, BYTES);
    const cl_mem_properties properties[] = {OPAQUE, WORD(fd), 0};
    const cl_uint word = 99;
    cl_uint seen = 0;
    cl_mem mem;

    ck_assert_int_eq(pwrite(fd, &word, sizeof(word), 0), (int)sizeof(word));
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
    ck_assert_int_eq(refused(properties, CL_MEM_READ_ONLY, BYTES, NULL),
                     CL_INVALID_PROPERTY);
    mem = import_fd(fd, CL_MEM_IMMUTABLE_EXT, BYTES);
    tf_api_read(mem, 0, sizeof(seen), &seen);
    ck_assert_uint_eq(seen, word);
    drop(mem);
}
END_TEST

START_TEST(flags_of_immutable_objects_are_checked)
{
    const cl_mem_flags immutable = CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR;
    const cl_mem_flags writes[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY,
                                   CL_MEM_HOST_WRITE_ONLY};
    const cl_buffer_region region = {0, 128};
    cl_uint words[64] = {1, 2, 3};
    cl_mem mem, sub;
    cl_mem_flags flags;
    cl_int code;

    mem = tf_api_buffer(immutable, sizeof(words), words);
    ck_assert_ptr_null(clCreateBuffer(tf_api.ctx, CL_MEM_IMMUTABLE_EXT, 64, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(clCreateBuffer(tf_api.ctx, immutable | writes[i],
                                          sizeof(words), words, &code));
        ck_assert_int_eq(code, CL_INVALID_VALUE);
        ck_assert_ptr_null(clCreateSubBuffer(mem, writes[i], CL_BUFFER_CREATE_TYPE_REGION,
                                             &region, &code));
        ck_assert_int_eq(code, CL_INVALID_VALUE);
    }
    sub = clCreateSubBuffer(mem, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region,
                            &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
                     CL_SUCCESS);
    ck_assert(flags & CL_MEM_IMMUTABLE_EXT);
    ck_assert_ptr_null(clCreatePipe(tf_api.ctx, CL_MEM_IMMUTABLE_EXT, 4, 4, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clSVMAlloc(tf_api.ctx, CL_MEM_IMMUTABLE_EXT, 64, 0));
    drop(sub);
    drop(mem);
}
END_TEST

START_TEST(no_command_changes_an_immutable_buffer)
{
    cl_uint words[64] = {1, 2, 3}, seen[64];
    cl_mem mem =
        tf_api_buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, sizeof(words), words);
    cl_mem other = tf_api_buffer(0, sizeof(words), NULL);
    const size_t at[3] = {0, 0, 0}, region[3] = {16, 1, 1};
    cl_int code;
    void *mapped;

#define NOT_CHANGED(call) ck_assert_int_eq((call), CL_INVALID_OPERATION)
    NOT_CHANGED(
        clEnqueueWriteBuffer(tf_api.q, mem, CL_TRUE, 0, 16, words, 0, NULL, NULL));
    NOT_CHANGED(clEnqueueWriteBufferRect(tf_api.q, mem, CL_TRUE, at, at, region, 0, 0, 0,
                                         0, words, 0, NULL, NULL));
    NOT_CHANGED(clEnqueueFillBuffer(tf_api.q, mem, words, 4, 0, 16, 0, NULL, NULL));
    NOT_CHANGED(clEnqueueCopyBuffer(tf_api.q, other, mem, 0, 0, 16, 0, NULL, NULL));
    NOT_CHANGED(clEnqueueCopyBufferRect(tf_api.q, other, mem, at, at, region, 0, 0, 0, 0,
                                        0, NULL, NULL));
    ck_assert_ptr_null(clEnqueueMapBuffer(tf_api.q, mem, CL_TRUE, CL_MAP_WRITE, 0, 16, 0,
                                          NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    mapped = clEnqueueMapBuffer(tf_api.q, mem, CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, NULL,
                                &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_mem_eq(mapped, words, 16);
    ck_assert_int_eq(clEnqueueUnmapMemObject(tf_api.q, mem, mapped, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueCopyBuffer(tf_api.q, mem, other, 0, 0, sizeof(words), 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(other, 0, sizeof(seen), seen);
    ck_assert_mem_eq(seen, words, sizeof(words));
    drop(mem);
    drop(other);
}
END_TEST

START_TEST(kernels_take_immutable_buffers_where_they_only_read)
{
    cl_program prog =
        tf_api_program("kernel void k(constant int *c, global const int *r,"
                       "              global const int *restrict s, global int *w) {"
                       "    *w = *c + *r + *s;"
                       "}",
                       "");
    cl_kernel kernel = tf_api_kernel(prog, "k");
    cl_int three = 3, sum;
    cl_mem mem =
        tf_api_buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, sizeof(three), &three);
    cl_mem other = tf_api_buffer(0, sizeof(sum), NULL);
    const size_t one = 1;

    for (cl_uint i = 0; i < 3; i++)
        ck_assert_int_eq(clSetKernelArg(kernel, i, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(kernel, 3, sizeof(mem), &mem), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArg(kernel, 3, sizeof(other), &other), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(other, 0, sizeof(sum), &sum);
    ck_assert_int_eq(sum, 9);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
    drop(mem);
    drop(other);
}
END_TEST

START_TEST(no_command_changes_an_immutable_image)
{
    static const char source[] =
        "kernel void put(write_only image2d_t i) { write_imagef(i, (int2)(0), 1.0f); }\n"
        "kernel void get(read_only image2d_t i, global float4 *o) {\n"
        "    *o = read_imagef(i, (int2)(0));\n"
        "}\n";
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const size_t at[3] = {0, 0, 0}, region[3] = {1, 1, 1};
    const cl_float color[4] = {0};
    cl_program prog = tf_api_program(source, "");
    cl_kernel put = tf_api_kernel(prog, "put"), get = tf_api_kernel(prog, "get");
    cl_uint words[16] = {0};
    cl_mem image, other = tf_api_buffer(0, sizeof(words), NULL);
    cl_int code;

    image = clCreateImage(tf_api.ctx, CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR,
                          &format, &desc, words, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    NOT_CHANGED(clEnqueueFillImage(tf_api.q, image, color, at, region, 0, NULL, NULL));
    NOT_CHANGED(clEnqueueWriteImage(tf_api.q, image, CL_TRUE, at, region, 0, 0, words, 0,
                                    NULL, NULL));
    NOT_CHANGED(
        clEnqueueCopyBufferToImage(tf_api.q, other, image, 0, at, region, 0, NULL, NULL));
    ck_assert_int_eq(clSetKernelArg(put, 0, sizeof(image), &image), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArg(get, 0, sizeof(image), &image), CL_SUCCESS);
    ck_assert_ptr_null(
        clCreateImage(tf_api.ctx, CL_MEM_IMMUTABLE_EXT, &format, &desc, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseKernel(put), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(get), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    drop(image);
    drop(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory of others");
    TCase *tcase = tcase_create("memory of others");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, properties_are_checked);
    tcase_add_test(tcase, only_files_that_cannot_shrink_are_taken);
    tcase_add_test(tcase, an_import_owns_its_descriptor_and_seals_the_file);
    tcase_add_test(tcase, kernels_and_commands_share_the_file);
    tcase_add_test(tcase, a_kernel_reads_what_it_writes_by_another_import);
    tcase_add_test(tcase, an_import_of_a_file_that_has_grown_lies_with_those_before);
    tcase_add_test(tcase, imports_of_a_huge_sparse_file_lie_together);
    tcase_add_test(tcase, another_process_writes);
    tcase_add_test(tcase, ownership_commands_are_checked);
    tcase_add_test(tcase, an_image_lies_in_a_file);
    tcase_add_test(tcase, types_of_handles_are_told);
    tcase_add_test(tcase,
                   a_file_that_is_sealed_against_writes_serves_an_immutable_buffer);
    tcase_add_test(tcase, flags_of_immutable_objects_are_checked);
    tcase_add_test(tcase, no_command_changes_an_immutable_buffer);
    tcase_add_test(tcase, kernels_take_immutable_buffers_where_they_only_read);
    tcase_add_test(tcase, no_command_changes_an_immutable_image);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
