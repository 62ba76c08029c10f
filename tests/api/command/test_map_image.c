// SPDX-License-Identifier: MIT
// Mapping images; what the host may do with them.
#include "api/image_rig.h"

#include "support/suite.h"

START_TEST(mapped_pixels_lie_at_the_pitches_returned)
{
    const struct kind *k = &kinds[_i];
    const bool layers = k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool slices = layers || k->counts[2] > 1;
    cl_mem image = make(k);
    size_t row = 1, slice = 1;
    unsigned char *host, out[BYTES];

    ck_assert_int_eq(write_box(image, zero, k->counts, bytes), CL_SUCCESS);
    host = clEnqueueMapImage(tf_api.q, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                             k->origin, k->region, &row, &slice, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_ge(row, PIXEL * WIDTH);
    ck_assert_int_eq(slice != 0, slices);
    EACH_PIXEL(k, k->origin, k->region, {
        unsigned char *at = host + z * slice + y * (layers ? slice : row) + PIXEL * x;

        ck_assert_mem_eq(at, bytes + PIXEL * inside, PIXEL);
        memset(at, (int)packed, PIXEL);
    });
    unmap(image, host);
    ck_assert_int_eq(read_box(image, k->origin, k->region, out), CL_SUCCESS);
    EACH_PIXEL(k, k->origin, k->region,
               ck_assert_uint_eq(out[PIXEL * packed], (unsigned char)packed));
    drop(image);
}
END_TEST

START_TEST(host_pointer_is_what_is_mapped)
{
    static unsigned char host[BYTES];
    cl_mem image = make_in(tf_api.ctx, volume, CL_MEM_USE_HOST_PTR, &rgba, host);
    const size_t *o = volume->origin;
    unsigned char *at = map(image, CL_MAP_WRITE, o, volume->region);

    ck_assert_ptr_eq(at, host + PIXEL * ((o[2] * ROWS + o[1]) * WIDTH + o[0]));
    unmap(image, at);
    drop(image);
}
END_TEST

START_TEST(regions_mapped_for_writing_must_not_overlap)
{
    const size_t left[3] = {4, ROWS, 1}, right_at[3] = {4, 0, 0}, right[3] = {5, ROWS, 1};
    cl_mem image = make(plane);
    cl_uint count = 0;
    void *a = map(image, CL_MAP_WRITE, zero, left), *b, *c;

    ck_assert_int_eq(code, CL_SUCCESS);
    b = map(image, CL_MAP_WRITE, right_at, right); // between the rows of the other
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_null(map(image, CL_MAP_WRITE, zero, one));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(map(image, CL_MAP_WRITE_INVALIDATE_REGION, zero, plane->counts));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    c = map(image, CL_MAP_READ, zero, plane->counts);
    ck_assert_int_eq(code, CL_SUCCESS);
    clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL);
    ck_assert_uint_eq(count, 3);
    unmap(image, c);
    unmap(image, b);
    unmap(image, a);
    drop(image);
}
END_TEST

static cl_int write_map_of_buffer(size_t at, size_t size)
{
    void *host = clEnqueueMapBuffer(tf_api.q, buffer, CL_TRUE, CL_MAP_WRITE, at, size, 0,
                                    NULL, NULL, &code);

    if (host)
        unmap(buffer, host);
    return host ? CL_SUCCESS : code;
}

// The image's rows have gaps, which are the buffer's alone.
START_TEST(images_and_the_buffer_they_lie_in_know_of_each_other)
{
    enum { PITCH = 64 };
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = WIDTH,
                                .image_height = ROWS,
                                .image_row_pitch = PITCH,
                                .buffer = buffer};
    const size_t at[3] = {2, 1, 0}, box[3] = {3, 2, 1}, beside[3] = {5, 1, 0};
    cl_mem image = clCreateImage(tf_api.ctx, 0, &rgba, &desc, NULL, &code), twin;
    void *host, *of_twin;

    ck_assert_int_eq(code, CL_SUCCESS);
    twin = clCreateImage(tf_api.ctx, 0, &rgba, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    host = map(image, CL_MAP_WRITE, at, box);
    ck_assert_int_eq(write_map_of_buffer(PITCH + 2 * PIXEL, 1), CL_INVALID_OPERATION);
    ck_assert_int_eq(write_map_of_buffer(PITCH, 2 * PIXEL), CL_SUCCESS);
    ck_assert_int_eq(write_map_of_buffer(PITCH + 5 * PIXEL, PITCH - 3 * PIXEL),
                     CL_SUCCESS);
    ck_assert_int_eq(write_map_of_buffer(PITCH + 5 * PIXEL, PITCH - 3 * PIXEL + 1),
                     CL_INVALID_OPERATION);
    ck_assert_ptr_null(map(twin, CL_MAP_WRITE, zero, box));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    of_twin = map(twin, CL_MAP_WRITE, beside, box);
    ck_assert_int_eq(code, CL_SUCCESS);
    unmap(image, host);
    ck_assert_int_eq(write_map_of_buffer(PITCH + 2 * PIXEL, 3 * PIXEL), CL_SUCCESS);
    ck_assert_int_eq(write_map_of_buffer(2 * PITCH, PITCH), CL_INVALID_OPERATION);
    unmap(twin, of_twin);
    drop(twin);
    drop(image);
}
END_TEST

START_TEST(map_wants_to_say_the_pitches)
{
    cl_mem flat = make(plane), deep = make(volume), row_of_many = make(&kinds[2]);
    size_t row, slice = 1;
    void *host;

    ck_assert_ptr_null(clEnqueueMapImage(tf_api.q, flat, CL_TRUE, CL_MAP_READ, zero, one,
                                         NULL, &slice, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clEnqueueMapImage(tf_api.q, deep, CL_TRUE, CL_MAP_READ, zero, one,
                                         &row, NULL, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clEnqueueMapImage(tf_api.q, row_of_many, CL_TRUE, CL_MAP_READ,
                                         zero, one, &row, NULL, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(
        map(flat, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, zero, one));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    host = clEnqueueMapImage(tf_api.q, flat, CL_TRUE, CL_MAP_READ, zero, one, &row, NULL,
                             0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    unmap(flat, host);
    drop(flat);
    drop(deep);
    drop(row_of_many);
}
END_TEST

START_TEST(host_flags_are_kept)
{
    const size_t at[3] = {0}, box[3] = {1, 1, 1};
    const struct {
        cl_mem_flags flags;
        bool reads, writes;
    } table[] = {{CL_MEM_HOST_READ_ONLY, true, false},
                 {CL_MEM_HOST_WRITE_ONLY, false, true},
                 {CL_MEM_HOST_NO_ACCESS, false, false}};
    size_t row;

    for (int i = 0; i < 3; i++) {
        cl_mem image = make_in(tf_api.ctx, plane, table[i].flags, &rgba, NULL);
        unsigned char out[4];

        ck_assert_int_eq(read_box(image, at, box, out),
                         table[i].reads ? CL_SUCCESS : CL_INVALID_OPERATION);
        ck_assert_int_eq(write_box(image, at, box, bytes),
                         table[i].writes ? CL_SUCCESS : CL_INVALID_OPERATION);
        for (int writes = 0; writes < 2; writes++) {
            void *host = clEnqueueMapImage(tf_api.q, image, CL_TRUE,
                                           writes ? CL_MAP_WRITE : CL_MAP_READ, at, box,
                                           &row, NULL, 0, NULL, NULL, &code);

            ck_assert_int_eq(code, (writes ? table[i].writes : table[i].reads)
                                       ? CL_SUCCESS
                                       : CL_INVALID_OPERATION);
            if (host)
                ck_assert_int_eq(
                    clEnqueueUnmapMemObject(tf_api.q, image, host, 0, NULL, NULL),
                    CL_SUCCESS);
        }
        drop(image);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("map_image");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, host_flags_are_kept);
    tcase_add_loop_test(t, mapped_pixels_lie_at_the_pitches_returned, 0, KINDS);
    tcase_add_test(t, host_pointer_is_what_is_mapped);
    tcase_add_test(t, regions_mapped_for_writing_must_not_overlap);
    tcase_add_test(t, images_and_the_buffer_they_lie_in_know_of_each_other);
    tcase_add_test(t, map_wants_to_say_the_pitches);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
