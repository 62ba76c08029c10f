// SPDX-License-Identifier: MIT
// clEnqueueReadBufferRect, clEnqueueWriteBufferRect, clEnqueueCopyBufferRect.
#include <stdint.h>
#include <string.h>

#include "api/buffer_rig.h"
#include "support/suite.h"

enum { SIZE = 4096 };

static unsigned char pattern[SIZE], host[SIZE], wanted[SIZE], seen[SIZE];

static void begin(void)
{
    for (int i = 0; i < SIZE; i++)
        pattern[i] = (unsigned char)(i * 13 + i / 256);
    memset(host, 0xee, sizeof(host));
    memset(wanted, 0xee, sizeof(wanted));
    begin_with(pattern, SIZE);
}

struct side {
    size_t origin[3];
    size_t row, slice; // pitches as given; 0: default
};

static size_t place(const struct side *s, const size_t region[3], size_t x, size_t y,
                    size_t z)
{
    const size_t row = s->row ? s->row : region[0];
    const size_t slice = s->slice ? s->slice : row * region[1];

    return s->origin[0] + x + (s->origin[1] + y) * row + (s->origin[2] + z) * slice;
}

// What a box copy has to do, byte by byte.
static void reference(unsigned char *dst, const struct side *to, const unsigned char *src,
                      const struct side *from, const size_t region[3])
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                dst[place(to, region, x, y, z)] = src[place(from, region, x, y, z)];
}

static const struct {
    struct side buffer, host;
    size_t region[3];
} boxes[] = {
    {{{0, 0, 0}, 0, 0}, {{0, 0, 0}, 0, 0}, {7, 5, 3}},
    {{{3, 2, 1}, 16, 160}, {{1, 4, 2}, 11, 99}, {8, 6, 3}},
    {{{5, 0, 0}, 0, 0}, {{0, 3, 0}, 9, 0}, {9, 1, 1}},
    {{{0, 1, 2}, 32, 0}, {{2, 0, 1}, 0, 64}, {16, 4, 2}},
    {{{0, 0, 0}, 64, 1024}, {{0, 0, 0}, 64, 1024}, {64, 16, 4}},
};

START_TEST(boxes_are_read)
{
    const size_t *region = boxes[_i].region;
    const struct side *b = &boxes[_i].buffer, *h = &boxes[_i].host;

    ck_assert_int_eq(clEnqueueReadBufferRect(tf_api.q, mem, CL_TRUE, b->origin, h->origin,
                                             region, b->row, b->slice, h->row, h->slice,
                                             host, 0, NULL, NULL),
                     CL_SUCCESS);
    reference(wanted, h, pattern, b, region);
    ck_assert_mem_eq(host, wanted, SIZE);
}
END_TEST

START_TEST(boxes_are_written)
{
    const size_t *region = boxes[_i].region;
    const struct side *b = &boxes[_i].buffer, *h = &boxes[_i].host;

    for (int i = 0; i < SIZE; i++)
        host[i] = (unsigned char)(255 - i);
    ck_assert_int_eq(clEnqueueWriteBufferRect(tf_api.q, mem, CL_TRUE, b->origin,
                                              h->origin, region, b->row, b->slice, h->row,
                                              h->slice, host, 0, NULL, NULL),
                     CL_SUCCESS);
    tf_api_read(mem, 0, SIZE, seen);
    reference(pattern, b, host, h, region);
    ck_assert_mem_eq(seen, pattern, SIZE);
}
END_TEST

START_TEST(boxes_are_copied)
{
    const size_t *region = boxes[_i].region;
    const struct side *b = &boxes[_i].buffer, *h = &boxes[_i].host;
    cl_mem dst = tf_api_buffer(CL_MEM_COPY_HOST_PTR, SIZE, host);

    ck_assert_int_eq(clEnqueueCopyBufferRect(tf_api.q, mem, dst, b->origin, h->origin,
                                             region, b->row, b->slice, h->row, h->slice,
                                             0, NULL, NULL),
                     CL_SUCCESS);
    tf_api_read(dst, 0, SIZE, seen);
    reference(wanted, h, pattern, b, region);
    ck_assert_mem_eq(seen, wanted, SIZE);
    ck_assert_int_eq(clReleaseMemObject(dst), CL_SUCCESS);
}
END_TEST

START_TEST(windows_shift_their_boxes)
{
    const cl_buffer_region window = {512, 1024};
    const size_t zero[3] = {0, 0, 0}, region[3] = {8, 4, 1};
    cl_mem sub =
        clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &window, &(cl_int){0});

    ck_assert_int_eq(clEnqueueReadBufferRect(tf_api.q, sub, CL_TRUE, zero, zero, region,
                                             32, 0, 0, 0, host, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t y = 0; y < 4; y++)
        ck_assert_mem_eq(host + y * 8, pattern + 512 + y * 32, 8);
    ck_assert_int_eq(clReleaseMemObject(sub), CL_SUCCESS);
}
END_TEST

static const size_t zero[3] = {0, 0, 0}, one[3] = {4, 4, 4};

// A read whose buffer side is varied.
static cl_int read_box(const size_t *origin, const size_t *region, size_t row,
                       size_t slice)
{
    return clEnqueueReadBufferRect(tf_api.q, mem, CL_TRUE, origin, zero, region, row,
                                   slice, 0, 0, host, 0, NULL, NULL);
}

// A write whose host side is varied.
static cl_int write_box(const size_t *origin, size_t row, size_t slice, const void *ptr)
{
    return clEnqueueWriteBufferRect(tf_api.q, mem, CL_TRUE, zero, origin, one, 0, 0, row,
                                    slice, ptr, 0, NULL, NULL);
}

#define READ(n, list)                                                                  \
    clEnqueueReadBufferRect(tf_api.q, mem, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, \
                            n, list, NULL)
#define WRITE(n, list)                                                                  \
    clEnqueueWriteBufferRect(tf_api.q, mem, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, \
                             n, list, NULL)

START_TEST(transfers_check_their_arguments)
{
    const size_t flat[3] = {4, 0, 4}, far[3] = {SIZE - 63, 0, 0},
                 wrap[3] = {0, 0, SIZE_MAX};
    const size_t huge[3] = {2, SIZE_MAX / 2 + 1, 1};

    ck_assert_int_eq(clEnqueueReadBufferRect(NULL, mem, CL_TRUE, zero, zero, one, 0, 0, 0,
                                             0, host, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clEnqueueReadBufferRect(tf_api.q, NULL, CL_TRUE, zero, zero, one, 0,
                                             0, 0, 0, host, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clEnqueueReadBufferRect(tf_api.q, other, CL_TRUE, zero, zero, one, 0,
                                             0, 0, 0, host, 0, NULL, NULL),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(read_box(NULL, one, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, NULL, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(NULL, 0, 0, host), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, flat, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(far, one, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(wrap, one, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, huge, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, one, 3, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, one, 8, 24), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, one, 8, 36), CL_INVALID_VALUE);
    ck_assert_int_eq(read_box(zero, one, SIZE_MAX / 2, 16), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(zero, 3, 0, host), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(zero, 8, 24, host), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(zero, 8, 36, host), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(wrap, 0, 0, host), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(zero, 0, 0, NULL), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(READ);
    TF_API_CHECK_WAIT_LIST(WRITE);
}
END_TEST

START_TEST(host_access_flags_hold)
{
    cl_mem write_only = tf_api_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem read_only = tf_api_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);

    ck_assert_int_eq(clEnqueueReadBufferRect(tf_api.q, write_only, CL_TRUE, zero, zero,
                                             one, 0, 0, 0, 0, host, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueWriteBufferRect(tf_api.q, read_only, CL_TRUE, zero, zero,
                                              one, 0, 0, 0, 0, host, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clReleaseMemObject(write_only), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(read_only), CL_SUCCESS);
}
END_TEST

static cl_int copy_box(cl_mem src, cl_mem dst, const size_t *to, const size_t *region,
                       size_t src_row, size_t src_slice, size_t dst_row, size_t dst_slice)
{
    return clEnqueueCopyBufferRect(tf_api.q, src, dst, zero, to, region, src_row,
                                   src_slice, dst_row, dst_slice, 0, NULL, NULL);
}

static const size_t aside[3] = {0, 0, 8};

#define COPY(n, list)                                                                  \
    clEnqueueCopyBufferRect(tf_api.q, mem, mem, zero, aside, one, 0, 0, 0, 0, n, list, \
                            NULL)

START_TEST(copy_checks_its_arguments)
{
    const size_t flat[3] = {4, 4, 0}, far[3] = {0, SIZE / 4, 0}, near[3] = {1, 0, 0};
    cl_mem dst = tf_api_buffer(0, SIZE, NULL);

    ck_assert_int_eq(clEnqueueCopyBufferRect(NULL, mem, dst, zero, zero, one, 0, 0, 0, 0,
                                             0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(copy_box(NULL, dst, zero, one, 0, 0, 0, 0), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(copy_box(mem, NULL, zero, one, 0, 0, 0, 0), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(copy_box(other, dst, zero, one, 0, 0, 0, 0), CL_INVALID_CONTEXT);
    ck_assert_int_eq(copy_box(mem, other, zero, one, 0, 0, 0, 0), CL_INVALID_CONTEXT);
    ck_assert_int_eq(copy_box(mem, dst, NULL, one, 0, 0, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, dst, zero, NULL, 0, 0, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, dst, zero, flat, 0, 0, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, dst, far, one, 0, 0, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, dst, zero, one, 2, 0, 0, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, dst, zero, one, 0, 0, 8, 36), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, mem, aside, one, 8, 0, 16, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, mem, aside, one, 8, 32, 8, 64), CL_INVALID_VALUE);
    ck_assert_int_eq(copy_box(mem, mem, near, one, 0, 0, 0, 0), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(copy_box(mem, mem, (size_t[]){4, 0, 0}, one, 8, 0, 8, 0),
                     CL_SUCCESS);
    TF_API_CHECK_WAIT_LIST(COPY);
    ck_assert_int_eq(clReleaseMemObject(dst), CL_SUCCESS);
}
END_TEST

int main(void)
{
    const int box_count = sizeof(boxes) / sizeof(*boxes);
    Suite *suite = suite_create("enqueue_rect");
    TCase *all = tcase_create("enqueue_rect");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_loop_test(all, boxes_are_read, 0, box_count);
    tcase_add_loop_test(all, boxes_are_written, 0, box_count);
    tcase_add_loop_test(all, boxes_are_copied, 0, box_count);
    tcase_add_test(all, windows_shift_their_boxes);
    tcase_add_test(all, transfers_check_their_arguments);
    tcase_add_test(all, host_access_flags_hold);
    tcase_add_test(all, copy_checks_its_arguments);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
