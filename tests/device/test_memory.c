// SPDX-License-Identifier: MIT
// Memory of every device, and the commands that move bytes.
#include "device/every_device.h"

START_TEST(memory_is_aligned_and_mapped_in_place)
{
    struct tf_devmem *mem;
    char *host;

    use(_i);
    for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
        mem = rig_alloc(bytes);
        host = rig_address(mem, bytes);
        ck_assert_uint_eq((uintptr_t)host % 128, 0);
        memset(host, 1, bytes);
        rig.dev->ops->mem_unmap(rig.dev, mem, host);
        rig_free(mem);
    }
}
END_TEST

// Whatever it held before.
START_TEST(new_memory_is_zeros)
{
    use(_i);
    for (size_t bytes = 1; bytes < 10000000; bytes = bytes * 5 + 1) {
        for (int round = 0; round < 3; round++) {
            struct tf_devmem *mem = rig_alloc(bytes);
            char *host = rig_address(mem, bytes);

            ck_assert(host[0] == 0 && !memcmp(host, host + 1, bytes - 1));
            memset(host, 0xff, bytes);
            OPS->mem_unmap(rig.dev, mem, host);
            rig_free(mem);
        }
    }
}
END_TEST

START_TEST(host_memory_is_used_in_place)
{
    char storage[256];
    const struct tf_mem_desc desc = {.flags = CL_MEM_USE_HOST_PTR,
                                     .size_bytes = sizeof(storage),
                                     .align_bytes = 128,
                                     .host_ptr = storage};
    struct tf_devmem *mem = NULL;
    struct tf_err err = {0};

    use(_i);
    ck_assert_int_eq(OPS->mem_alloc(&err, rig.dev, &desc, &mem), CL_SUCCESS);
    ck_assert_ptr_eq(rig_address(mem, sizeof(storage)), storage);
    rig_free(mem);
}
END_TEST

START_TEST(memory_that_is_not_there_is_an_error)
{
    const struct tf_mem_desc desc = {.size_bytes = 5000, .align_bytes = 128};
    struct tf_devmem *mem = NULL;
    unsigned failed = 0;

    use(_i);
    for (long n = 0; !mem; n++) {
        struct tf_err err = {0};

        tf_alloc_fail_at(n);
        if (OPS->mem_alloc(&err, rig.dev, &desc, &mem)) {
            failed++;
            ck_assert_ptr_null(mem);
            ck_assert(err.code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                      err.code == CL_OUT_OF_HOST_MEMORY);
        }
    }
    tf_alloc_fail_at(-1);
    ck_assert_uint_ge(failed, 1);
    rig_free(mem);
}
END_TEST

START_TEST(bytes_go_out_and_come_back)
{
    struct rig_command write = {0}, copy = {0}, read = {0};
    struct tf_devmem *a, *b;
    char in[100], out[100] = "";

    use(_i);
    a = rig_alloc(300);
    b = rig_alloc(300);
    for (size_t i = 0; i < sizeof(in); i++)
        in[i] = (char)(i + 1);
    write.cmd = (struct tf_command){.kind = TF_CMD_WRITE,
                                    .size_bytes = 100,
                                    .dst = {a, 50},
                                    .host_src = in,
                                    .dev_next = &copy.cmd};
    copy.cmd = (struct tf_command){.kind = TF_CMD_COPY,
                                   .size_bytes = 90,
                                   .src = {a, 60},
                                   .dst = {b, 7},
                                   .dev_next = &read.cmd};
    read.cmd = (struct tf_command){
        .kind = TF_CMD_READ, .size_bytes = 90, .src = {b, 7}, .host = out};
    rig_submit(&write);
    rig_wait(&read);
    rig_wait(&copy);
    rig_wait(&write);
    ck_assert_int_eq(read.status, CL_COMPLETE);
    ck_assert_mem_eq(out, in + 10, 90);
    ck_assert_uint_lt(write.order, copy.order);
    ck_assert_uint_lt(copy.order, read.order);
    rig_free(a);
    rig_free(b);
}
END_TEST

// What a caller runs itself is done when it returns, and reported by nobody.
START_TEST(bytes_move_in_the_caller)
{
    struct rig_command c = {0};
    struct tf_devmem *mem;
    char in[100], out[100] = "";

    use(_i);
    if (!OPS->run_here)
        return;
    mem = rig_alloc(100);
    for (size_t i = 0; i < sizeof(in); i++)
        in[i] = (char)(i + 1);
    c.cmd = (struct tf_command){
        .kind = TF_CMD_WRITE, .size_bytes = 100, .dst = {mem, 0}, .host_src = in};
    ck_assert_int_eq(OPS->run_here(rig.dev, &c.cmd), CL_COMPLETE);
    c.cmd = (struct tf_command){.kind = TF_CMD_FILL,
                                .size_bytes = 50,
                                .dst = {mem, 0},
                                .pattern = {9},
                                .pattern_bytes = 1};
    ck_assert_int_eq(OPS->run_here(rig.dev, &c.cmd), CL_COMPLETE);
    c.cmd = (struct tf_command){
        .kind = TF_CMD_READ, .size_bytes = 100, .src = {mem, 0}, .host = out};
    ck_assert_int_eq(OPS->run_here(rig.dev, &c.cmd), CL_COMPLETE);
    ck_assert_int_eq(out[0], 9);
    ck_assert_int_eq(out[49], 9);
    ck_assert_mem_eq(out + 50, in + 50, 50);
    ck_assert_uint_eq(c.started, 0);
    ck_assert_uint_eq(c.finished, 0);
    rig_free(mem);
}
END_TEST

START_TEST(fill_repeats_patterns_of_every_size)
{
    struct tf_devmem *mem;
    unsigned char *bytes;

    use(_i);
    mem = rig_alloc(70000);
    bytes = rig_address(mem, 70000);
    for (size_t n = 1; n <= 128; n *= 2) {
        struct rig_command fill = {0};
        const size_t size = 66000 / n * n;
        size_t equal = 0;

        memset(bytes, 0xee, 70000);
        fill.cmd.kind = TF_CMD_FILL;
        fill.cmd.dst = (struct tf_devrange){mem, 128};
        fill.cmd.size_bytes = size;
        fill.cmd.pattern_bytes = n;
        for (size_t i = 0; i < n; i++)
            fill.cmd.pattern[i] = (uint8_t)(i * 7 + n);
        ck_assert_int_eq(rig_run(&fill), CL_COMPLETE);
        for (size_t i = 0; i < size; i += n)
            equal += !memcmp(bytes + 128 + i, fill.cmd.pattern, n);
        ck_assert_uint_eq(equal, size / n);
        ck_assert_uint_eq(bytes[127], 0xee);
        ck_assert_uint_eq(bytes[128 + size], 0xee);
    }
    rig_free(mem);
}
END_TEST

// Boxes of 3 x 2 x 2 bytes between a host cube and memory, at different origins.
START_TEST(rectangles_land_where_they_should)
{
    enum { ROW = 10, SLICE = 60, TOTAL = 300, FIRST = 16 };
    const struct tf_rect host_box = {{1, 2, 1}, ROW, SLICE};
    const struct tf_rect mem_box = {{4, 1, 0}, 20, 100};
    const struct tf_rect far_box = {{0, 0, 1}, 16, 64};
    struct rig_command write = {0}, copy = {0}, read = {0};
    struct tf_devmem *a, *b;
    unsigned char in[TOTAL], out[TOTAL], *bytes;

    use(_i);
    a = rig_alloc(TOTAL);
    b = rig_alloc(TOTAL);
    bytes = rig_address(a, TOTAL);
    memset(bytes, 0, TOTAL);
    memset(out, 0, sizeof(out));
    for (size_t i = 0; i < TOTAL; i++)
        in[i] = (unsigned char)i;
    write.cmd = (struct tf_command){.kind = TF_CMD_WRITE_RECT,
                                    .host_src = in,
                                    .src_rect = host_box,
                                    .dst = {a, FIRST},
                                    .dst_rect = mem_box,
                                    .region = {3, 2, 2}};
    ck_assert_int_eq(rig_run(&write), CL_COMPLETE);
    for (size_t z = 0; z < 2; z++) {
        for (size_t y = 0; y < 2; y++) {
            const size_t to = FIRST + 4 + (1 + y) * 20 + z * 100;
            const size_t from = 1 + (2 + y) * ROW + (1 + z) * SLICE;

            ck_assert_mem_eq(bytes + to, in + from, 3);
            ck_assert_uint_eq(bytes[to - 1], 0);
            ck_assert_uint_eq(bytes[to + 3], 0);
        }
    }
    copy.cmd = (struct tf_command){.kind = TF_CMD_COPY_RECT,
                                   .src = {a, FIRST},
                                   .src_rect = mem_box,
                                   .dst = {b, 0},
                                   .dst_rect = far_box,
                                   .region = {3, 2, 2},
                                   .dev_next = &read.cmd};
    read.cmd = (struct tf_command){.kind = TF_CMD_READ_RECT,
                                   .host = out,
                                   .src = {b, 0},
                                   .src_rect = far_box,
                                   .dst_rect = host_box,
                                   .region = {3, 2, 2}};
    rig_submit(&copy);
    rig_wait(&read);
    for (size_t i = 0; i < TOTAL; i++) {
        const size_t x = i % SLICE % ROW, y = i % SLICE / ROW, z = i / SLICE;
        const bool inside = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= 1 && z < 3;

        ck_assert_uint_eq(out[i], inside ? in[i] : 0);
    }
    rig_free(a);
    rig_free(b);
}
END_TEST

// Each size of pixel, in a box with gaps, and in one without.
START_TEST(boxes_are_filled_with_pixels)
{
    enum { ROW = 80, SLICE = 400, TOTAL = 3 * SLICE };
    struct tf_devmem *mem;
    unsigned char *bytes;

    use(_i);
    mem = rig_alloc(TOTAL);
    bytes = rig_address(mem, TOTAL);
    for (size_t pixel = 1; pixel <= TF_PIXEL_BYTES_MAX; pixel *= 2) {
        for (int gaps = 0; gaps < 2; gaps++) {
            struct rig_command fill = {
                .cmd = {.kind = TF_CMD_FILL_RECT,
                        .dst = {mem, 16},
                        .dst_rect = {{16, 1, 1}, gaps ? ROW : 32, gaps ? SLICE : 96},
                        .region = {32, 3, 2},
                        .pixel_bytes = pixel}};
            const size_t row = fill.cmd.dst_rect.row_pitch_bytes;
            const size_t slice = fill.cmd.dst_rect.slice_pitch_bytes;
            const size_t first = 32 + row + slice;

            for (unsigned i = 0; i < pixel; i++)
                fill.cmd.pixel[i] = (uint8_t)(i + 1);
            memset(bytes, 0, TOTAL);
            ck_assert_int_eq(rig_run(&fill), CL_COMPLETE);
            for (size_t i = 0; i < TOTAL; i++) {
                const size_t at = i - first, z = at / slice, y = at % slice / row;
                const size_t x = at % slice % row;
                const bool inside = i >= first && z < 2 && y < 3 && x < 32;

                ck_assert_uint_eq(bytes[i], inside ? x % pixel + 1 : 0);
            }
        }
    }
    rig_free(mem);
}
END_TEST

START_TEST(nothing_to_move_completes)
{
    const enum tf_command_kind kinds[] = {TF_CMD_MAP, TF_CMD_UNMAP};
    struct tf_devmem *mem;

    use(_i);
    mem = rig_alloc(64);
    for (size_t i = 0; i < 2; i++) {
        struct rig_command c = {.cmd = {.kind = kinds[i], .src = {mem, 0}}};

        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    }
    rig_free(mem);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("devices");

    FOR_DEVICES(memory_is_aligned_and_mapped_in_place);
    FOR_DEVICES(new_memory_is_zeros);
    FOR_DEVICES(host_memory_is_used_in_place);
    FOR_DEVICES(memory_that_is_not_there_is_an_error);
    FOR_DEVICES(bytes_go_out_and_come_back);
    FOR_DEVICES(bytes_move_in_the_caller);
    FOR_DEVICES(fill_repeats_patterns_of_every_size);
    FOR_DEVICES(rectangles_land_where_they_should);
    FOR_DEVICES(boxes_are_filled_with_pixels);
    FOR_DEVICES(nothing_to_move_completes);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
