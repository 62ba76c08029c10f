// SPDX-License-Identifier: MIT
// Reading, writing, copying and filling images, against loops over pixels.
#include "api/image_rig.h"

#include "support/suite.h"

// ---- Read and write ----

START_TEST(parts_are_written_and_read)
{
    const struct kind *k = &kinds[_i];
    cl_mem image = make(k);
    unsigned char all[BYTES], part[BYTES], expected[BYTES];

    memset(expected, 0, sizeof(expected));
    EACH_PIXEL(k, k->origin, k->region,
               memcpy(expected + PIXEL * inside, bytes + PIXEL * packed, PIXEL));
    ck_assert_int_eq(write_box(image, k->origin, k->region, bytes), CL_SUCCESS);
    ck_assert_int_eq(read_box(image, zero, k->counts, all), CL_SUCCESS);
    ck_assert_mem_eq(all, expected, PIXEL * k->counts[0] * k->counts[1] * k->counts[2]);
    memset(part, 0, sizeof(part));
    ck_assert_int_eq(read_box(image, k->origin, k->region, part), CL_SUCCESS);
    ck_assert_mem_eq(part, bytes, PIXEL * k->region[0] * k->region[1] * k->region[2]);
    drop(image);
}
END_TEST

// The layers of a 1D array follow each other at the slice pitch.
START_TEST(pitches_leave_gaps_in_the_hosts_memory)
{
    enum { ROW = 24, SLICE = 60 };
    const struct kind *k = &kinds[_i];
    const bool layers = k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool slices = layers || k->counts[2] > 1;
    const size_t row = layers ? SLICE : ROW;
    cl_mem image = make(k);
    unsigned char out[BYTES];

    ck_assert_int_eq(clEnqueueWriteImage(tf_api.q, image, CL_FALSE, k->origin, k->region,
                                         ROW, slices ? SLICE : 0, bytes, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(read_box(image, k->origin, k->region, out), CL_SUCCESS);
    EACH_PIXEL(k, k->origin, k->region,
               ck_assert_mem_eq(out + PIXEL * packed,
                                bytes + z * SLICE + y * row + PIXEL * x, PIXEL));
    memset(out, 0xee, sizeof(out));
    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, k->origin, k->region,
                                        ROW, slices ? SLICE : 0, out, 0, NULL, NULL),
                     CL_SUCCESS);
    for (size_t i = 0; i < BYTES; i++) {
        const size_t z = k->counts[2] > 1 ? i / SLICE : 0, y = (i - z * SLICE) / row;
        const size_t x = i - z * SLICE - y * row;
        const bool inside =
            x < PIXEL * k->region[0] && y < k->region[1] && z < k->region[2];

        ck_assert_uint_eq(out[i], inside ? bytes[i] : 0xee);
    }
    drop(image);
}
END_TEST

START_TEST(wrong_pitches_are_refused)
{
    const struct {
        const struct kind *kind;
        size_t row, slice;
        bool ok;
    } table[] = {
        {plane, 19, 0, false},       {plane, 20, 0, true},
        {plane, 0, 100, false},      {&kinds[0], 0, 20, false},
        {&kinds[1], 0, 20, false},   {volume, 24, 47, false},
        {volume, 24, 48, true},      {&kinds[2], 24, 23, false},
        {&kinds[2], 24, 24, true},   {volume, 0, SIZE_MAX, false},
        {plane, SIZE_MAX, 0, false},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct kind *k = table[i].kind;
        cl_mem image = make(k);
        unsigned char out[BYTES];
        const cl_int expected = table[i].ok ? CL_SUCCESS : CL_INVALID_VALUE;

        ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, k->origin,
                                            k->region, table[i].row, table[i].slice, out,
                                            0, NULL, NULL),
                         expected);
        ck_assert_int_eq(clEnqueueWriteImage(tf_api.q, image, CL_TRUE, k->origin,
                                             k->region, table[i].row, table[i].slice,
                                             bytes, 0, NULL, NULL),
                         expected);
        drop(image);
    }
}
END_TEST

// ---- Copies ----

START_TEST(regions_go_from_any_type_to_any)
{
    const struct kind *from = &kinds[_i];

    for (int i = 0; i < KINDS; i++) {
        const struct kind *to = &kinds[i];
        const size_t *region =
            from->region[1] * from->region[2] < to->region[1] * to->region[2]
                ? from->region
                : to->region;
        cl_mem src = make(from), dst = make(to);
        unsigned char out[BYTES];

        if (from->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && from == to) {
            drop(src); // both lie in the one buffer
            drop(dst);
            continue;
        }
        ck_assert_int_eq(write_box(src, zero, from->counts, bytes), CL_SUCCESS);
        ck_assert_int_eq(clEnqueueCopyImage(tf_api.q, src, dst, from->origin, to->origin,
                                            region, 0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(read_box(dst, to->origin, region, out), CL_SUCCESS);
        EACH_PIXEL(from, from->origin, region,
                   ck_assert_mem_eq(out + PIXEL * packed, bytes + PIXEL * inside, PIXEL));
        drop(src);
        drop(dst);
    }
}
END_TEST

START_TEST(copies_in_one_image_must_not_overlap)
{
    static const struct {
        size_t to[3], region[3];
        cl_int code;
    } table[] = {
        {{0, 0, 0}, {1, 1, 1}, CL_MEM_COPY_OVERLAP}, {{1, 0, 0}, {1, 7, 5}, CL_SUCCESS},
        {{1, 0, 0}, {2, 7, 5}, CL_MEM_COPY_OVERLAP}, {{0, 1, 0}, {9, 1, 5}, CL_SUCCESS},
        {{0, 1, 0}, {9, 2, 5}, CL_MEM_COPY_OVERLAP}, {{0, 0, 2}, {9, 7, 2}, CL_SUCCESS},
        {{0, 0, 2}, {9, 7, 3}, CL_MEM_COPY_OVERLAP}, {{4, 3, 1}, {4, 4, 4}, CL_SUCCESS},
        {{4, 3, 1}, {5, 4, 4}, CL_MEM_COPY_OVERLAP},
    };
    cl_mem image = make(volume);

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        ck_assert_int_eq(clEnqueueCopyImage(tf_api.q, image, image, zero, table[i].to,
                                            table[i].region, 0, NULL, NULL),
                         table[i].code);
    drop(image);
}
END_TEST

START_TEST(copies_need_one_format)
{
    const cl_image_format other = {CL_RGBA, CL_UNORM_INT8};
    cl_mem src = make(plane), dst = make_in(tf_api.ctx, plane, 0, &other, NULL);

    ck_assert_int_eq(
        clEnqueueCopyImage(tf_api.q, src, dst, zero, zero, one, 0, NULL, NULL),
        CL_IMAGE_FORMAT_MISMATCH);
    drop(src);
    drop(dst);
}
END_TEST

START_TEST(buffers_take_pixels_and_give_them)
{
    const struct kind *k = &kinds[_i];
    const size_t size = PIXEL * k->region[0] * k->region[1] * k->region[2];
    cl_mem image, other = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, bytes);
    unsigned char out[BYTES], expected[BYTES];

    image = make(k);
    ck_assert_int_eq(clEnqueueCopyBufferToImage(tf_api.q, other, image, 20, k->origin,
                                                k->region, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(read_box(image, k->origin, k->region, out), CL_SUCCESS);
    ck_assert_mem_eq(out, bytes + 20, size);
    ck_assert_int_eq(clEnqueueCopyImageToBuffer(tf_api.q, image, other, k->origin,
                                                k->region, 40, 0, NULL, NULL),
                     CL_SUCCESS);
    memcpy(expected, bytes, BYTES);
    memcpy(expected + 40, bytes + 20, size);
    tf_api_read(other, 0, BYTES, out);
    ck_assert_mem_eq(out, expected, BYTES);
    // The last bytes are there, and not one more.
    ck_assert_int_eq(clEnqueueCopyImageToBuffer(tf_api.q, image, other, k->origin,
                                                k->region, BYTES - size, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueCopyImageToBuffer(tf_api.q, image, other, k->origin,
                                                k->region, BYTES - size + 1, 0, NULL,
                                                NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueCopyBufferToImage(tf_api.q, other, image, BYTES - size + 1,
                                                k->origin, k->region, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueCopyBufferToImage(tf_api.q, other, image, SIZE_MAX,
                                                k->origin, k->region, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    drop(other);
    drop(image);
}
END_TEST

START_TEST(texels_are_not_copied_to_their_own_buffer)
{
    cl_mem image = make(&kinds[1]);

    ck_assert_int_eq(
        clEnqueueCopyImageToBuffer(tf_api.q, image, buffer, zero, one, 64, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(
        clEnqueueCopyBufferToImage(tf_api.q, buffer, image, 64, zero, one, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    drop(image);
}
END_TEST

// ---- Fill ----

START_TEST(fill_changes_its_region_only)
{
    const struct kind *k = &kinds[_i];
    const cl_uint color[4] = {1, 2, 3, 400};
    const unsigned char pixel[4] = {1, 2, 3, 255};
    cl_mem image = make(k);
    unsigned char all[BYTES], expected[BYTES];
    const size_t size = PIXEL * k->counts[0] * k->counts[1] * k->counts[2];

    memcpy(expected, bytes, BYTES);
    EACH_PIXEL(k, k->origin, k->region, memcpy(expected + PIXEL * inside, pixel, PIXEL));
    ck_assert_int_eq(write_box(image, zero, k->counts, bytes), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueFillImage(tf_api.q, image, color, k->origin, k->region, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(read_box(image, zero, k->counts, all), CL_SUCCESS);
    ck_assert_mem_eq(all, expected, size);
    drop(image);
}
END_TEST

START_TEST(every_size_of_pixel_can_fill)
{
    static const cl_image_format formats[] = {
        {CL_R, CL_UNORM_INT8},     {CL_RGB, CL_UNORM_SHORT_565}, {CL_RG, CL_HALF_FLOAT},
        {CL_RGBA, CL_UNORM_INT16}, {CL_RGBA, CL_FLOAT},          {CL_DEPTH, CL_FLOAT}};
    static const unsigned char pixels[][16] = {
        {128},
        {0x00, 0x84}, // 16 << 11 | 32 << 5 | 0
        {0x00, 0x38, 0x00, 0x38},
        {0x00, 0x80, 0x00, 0x80, 0, 0, 0xff, 0xff},
        {0, 0, 0, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0x80, 0x3f},
        {0, 0, 0, 0x3f}};
    static const size_t sizes[] = {1, 2, 4, 8, 16, 4};
    const float color[4] = {0.5f, 0.5f, 0, 1};
    unsigned char out[WIDTH * ROWS * 16];
    cl_mem image = make_in(tf_api.ctx, plane, 0, &formats[_i], NULL);

    ck_assert_int_eq(
        clEnqueueFillImage(tf_api.q, image, color, zero, plane->counts, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(read_box(image, zero, plane->counts, out), CL_SUCCESS);
    for (size_t i = 0; i < WIDTH * ROWS; i++)
        ck_assert_mem_eq(out + i * sizes[_i], pixels[_i], sizes[_i]);
    drop(image);
}
END_TEST

// ---- Mip levels ----

START_TEST(levels_are_images_of_their_own)
{
    static const struct {
        cl_mem_object_type type;
        unsigned axis;   // of the level in an origin
        size_t whole[3]; // level 1
    } table[] = {
        {CL_MEM_OBJECT_IMAGE1D, 1, {4, 1, 1}},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, {4, 7, 1}},
        {CL_MEM_OBJECT_IMAGE2D, 2, {4, 3, 1}},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, {4, 3, 5}},
        {CL_MEM_OBJECT_IMAGE3D, 3, {4, 3, 2}},
    };
    const cl_image_desc desc = {
        .image_type = table[_i].type,
        .image_width = WIDTH,
        .image_height = ROWS,
        .image_depth = SLICES,
        .image_array_size = table[_i].type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? ROWS : SLICES,
        .num_mip_levels = 3,
    };
    cl_mem image = clCreateImage(tf_api.ctx, 0, &rgba, &desc, NULL, &code);
    const size_t *whole = table[_i].whole;
    const size_t size = PIXEL * whole[0] * whole[1] * whole[2];
    size_t level[4] = {0}, row, slice;
    const cl_uint color[4] = {9, 9, 9, 9};
    unsigned char out[BYTES], *host;

    ck_assert_int_eq(code, CL_SUCCESS);
    level[table[_i].axis] = 1;
    ck_assert_int_eq(write_box(image, level, whole, bytes), CL_SUCCESS);
    ck_assert_int_eq(read_box(image, level, whole, out), CL_SUCCESS);
    ck_assert_mem_eq(out, bytes, size);
    host = clEnqueueMapImage(tf_api.q, image, CL_TRUE, CL_MAP_READ, level, whole, &row,
                             &slice, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_mem_eq(host, bytes, size); // levels behind the first have no gaps
    ck_assert_uint_eq(row, PIXEL * whole[0]);
    unmap(image, host);
    level[0] = 1; // outside: the level has 4 pixels a row
    ck_assert_int_eq(read_box(image, level, whole, out), CL_INVALID_VALUE);
    level[0] = 0;
    level[table[_i].axis] = 2;
    ck_assert_int_eq(read_box(image, level, one, out), CL_SUCCESS);
    ck_assert_mem_eq(out, "\0\0\0\0", 4);
    ck_assert_int_eq(
        clEnqueueFillImage(tf_api.q, image, color, level, one, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueCopyImage(tf_api.q, image, image, level, zero, one, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(read_box(image, zero, one, out), CL_SUCCESS);
    ck_assert_mem_eq(out, "\x09\x09\x09\x09", 4);
    level[table[_i].axis] = 3;
    ck_assert_int_eq(read_box(image, level, one, out), CL_INVALID_MIP_LEVEL);
    drop(image);
}
END_TEST

START_TEST(images_migrate)
{
    cl_mem image = make(plane);

    ck_assert_int_eq(clEnqueueMigrateMemObjects(
                         tf_api.q, 1, &image, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL),
                     CL_SUCCESS);
    drop(image);
}
END_TEST

// Large enough for several threads and for stores past the caches.
START_TEST(large_images_are_moved_as_small_ones)
{
    enum { W = 2048, H = 3001 };
    const struct kind large = {CL_MEM_OBJECT_IMAGE2D, {W, H, 1}, {0}, {0}};
    const size_t at[3] = {3, 5, 0}, box[3] = {W - 7, H - 9, 1}, whole[3] = {W, H, 1};
    const cl_uint color[4] = {7, 8, 9, 10};
    cl_uint *in = malloc(sizeof(cl_uint) * W * H), *out = malloc(sizeof(cl_uint) * W * H);
    cl_mem a = make(&large), b = make(&large);

    for (size_t i = 0; i < (size_t)W * H; i++)
        in[i] = (cl_uint)(i * 2654435761u);
    ck_assert_int_eq(write_box(a, zero, whole, in), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueFillImage(tf_api.q, b, color, zero, whole, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueCopyImage(tf_api.q, a, b, at, at, box, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(read_box(b, zero, whole, out), CL_SUCCESS);
    for (size_t y = 0; y < H; y++)
        for (size_t x = 0; x < W; x++) {
            const bool inside = x >= 3 && x < 3 + box[0] && y >= 5 && y < 5 + box[1];

            if (out[y * W + x] != (inside ? in[y * W + x] : 0x0a090807u))
                ck_abort_msg("pixel %zu, %zu", x, y);
        }
    drop(a);
    drop(b);
    free(in);
    free(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("enqueue_image");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, begin, end);
    tcase_add_loop_test(t, parts_are_written_and_read, 0, KINDS);
    tcase_add_loop_test(t, pitches_leave_gaps_in_the_hosts_memory, 0, KINDS);
    tcase_add_test(t, wrong_pitches_are_refused);
    tcase_add_loop_test(t, regions_go_from_any_type_to_any, 0, KINDS);
    tcase_add_test(t, copies_in_one_image_must_not_overlap);
    tcase_add_test(t, copies_need_one_format);
    tcase_add_loop_test(t, buffers_take_pixels_and_give_them, 0, KINDS);
    tcase_add_test(t, texels_are_not_copied_to_their_own_buffer);
    tcase_add_loop_test(t, fill_changes_its_region_only, 0, KINDS);
    tcase_add_loop_test(t, every_size_of_pixel_can_fill, 0, 6);
    tcase_add_loop_test(t, levels_are_images_of_their_own, 0, 5);
    tcase_add_test(t, images_migrate);
    tcase_add_test(t, large_images_are_moved_as_small_ones);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
