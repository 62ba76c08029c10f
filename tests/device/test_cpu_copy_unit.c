// SPDX-License-Identifier: MIT
// Copies of the CPU device that are large enough for several threads.
#include "device/cpu_rig.h"

enum { BYTES = (9 << 20) + 333, ROUNDS = 12 };

struct blocks {
    uint8_t *host;
    struct tf_devmem *mem;
    uint8_t *data; // in mem
};

static struct blocks make_blocks(void)
{
    struct blocks b = {.host = malloc(BYTES)};

    b.mem = rig_alloc(BYTES);
    b.data = rig_address(b.mem, BYTES);
    return b;
}

static void free_blocks(const struct blocks *b)
{
    rig_free(b->mem);
    free(b->host);
}

static void refill(const struct blocks *b, unsigned round)
{
    for (size_t i = 0; i < BYTES; i++)
        b->host[i] = (uint8_t)(i * 7 + i / 1021 + round);
    memset(b->data, 0, BYTES);
}

static struct tf_command write_of(const struct blocks *b)
{
    return (struct tf_command){.kind = TF_CMD_WRITE,
                               .size_bytes = BYTES,
                               .dst = {b->mem, 0},
                               .host_src = b->host};
}

START_TEST(large_copies_arrive_whole)
{
    struct blocks b;

    use(thread_counts[_i]);
    b = make_blocks();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rig_command c = {.cmd = write_of(&b)};

        refill(&b, round);
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
        ck_assert_mem_eq(b.data, b.host, BYTES);
    }
    free_blocks(&b);
}
END_TEST

// Each command of a run sees all that the one before it moved.
START_TEST(large_copies_keep_the_order_of_their_run)
{
    struct blocks b;
    uint8_t *back = malloc(BYTES);

    use(thread_counts[_i]);
    b = make_blocks();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rig_command in = {.cmd = write_of(&b)}, out = {0}, fill = {0};

        refill(&b, round);
        out.cmd = (struct tf_command){
            .kind = TF_CMD_READ, .size_bytes = BYTES, .src = {b.mem, 0}, .host = back};
        fill.cmd = (struct tf_command){.kind = TF_CMD_FILL,
                                       .size_bytes = BYTES,
                                       .dst = {b.mem, 0},
                                       .pattern = {9},
                                       .pattern_bytes = 1};
        in.cmd.dev_next = &out.cmd;
        out.cmd.dev_next = &fill.cmd;
        rig_submit(&in);
        if (round % 2)
            OPS->help(rig.dev, &out.cmd);
        rig_wait(&fill);
        rig_wait(&in);
        rig_wait(&out);
        ck_assert_mem_eq(back, b.host, BYTES);
        ck_assert_uint_eq(b.data[0], 9);
        ck_assert_uint_eq(b.data[BYTES - 1], 9);
    }
    free_blocks(&b);
    free(back);
}
END_TEST

// What a caller runs itself is done when it returns, and reported by nobody.
START_TEST(copies_in_place_are_done_on_return)
{
    struct blocks b;

    use(thread_counts[_i]);
    b = make_blocks();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rig_command c = {.cmd = write_of(&b)};

        refill(&b, round);
        ck_assert_int_eq(OPS->run_here(rig.dev, &c.cmd), CL_COMPLETE);
        ck_assert_mem_eq(b.data, b.host, BYTES);
        ck_assert_uint_eq(c.started, 0);
        ck_assert_uint_eq(c.finished, 0);
    }
    free_blocks(&b);
}
END_TEST

// Without memory for a unit of work one thread moves all.
START_TEST(copies_need_no_memory)
{
    struct blocks b;
    struct rig_command c, warm;

    use(2);
    b = make_blocks();
    refill(&b, 0);
    warm = (struct rig_command){.cmd = write_of(&b)}; // its worker stays
    ck_assert_int_eq(rig_run(&warm), CL_COMPLETE);
    for (unsigned in_place = 0; in_place < 2; in_place++) {
        cl_int status;

        refill(&b, 1 + in_place);
        c = (struct rig_command){.cmd = write_of(&b)};
        tf_alloc_fail_at(0);
        status = in_place ? OPS->run_here(rig.dev, &c.cmd) : rig_run(&c);
        tf_alloc_fail_at(-1);
        ck_assert_int_eq(status, CL_COMPLETE);
        ck_assert_mem_eq(b.data, b.host, BYTES);
    }
    free_blocks(&b);
}
END_TEST

START_TEST(copies_outside_are_refused_in_place)
{
    struct blocks b;
    struct tf_command cmd;

    use(2);
    b = make_blocks();
    cmd = write_of(&b);
    cmd.dst.offset_bytes = 1;
    ck_assert_int_eq(OPS->run_here(rig.dev, &cmd), CL_INVALID_VALUE);
    cmd.size_bytes = 0;
    ck_assert_int_eq(OPS->run_here(rig.dev, &cmd), CL_COMPLETE);
    free_blocks(&b);
}
END_TEST

// Nobody is woken for what is moved in a microsecond.
START_TEST(small_copies_end_in_submit)
{
    const size_t rows[3] = {512, 16, 2};
    const struct tf_rect box = {.row_pitch_bytes = 1024, .slice_pitch_bytes = 65536};
    struct rig_command fill = {0}, rect = {0}, large = {0}, back = {0};
    struct blocks b;
    uint8_t read[16];

    use(thread_counts[_i]);
    b = make_blocks();
    refill(&b, 1);
    fill.cmd = (struct tf_command){.kind = TF_CMD_FILL,
                                   .size_bytes = 4096,
                                   .dst = {b.mem, 0},
                                   .pattern = {7},
                                   .pattern_bytes = 1};
    rig_submit(&fill);
    ck_assert(rig_is_finished(&fill));
    ck_assert_uint_eq(b.data[4095], 7);

    // A run that begins with one and goes on with more keeps its order.
    rect.cmd = (struct tf_command){.kind = TF_CMD_WRITE_RECT,
                                   .dst = {b.mem, 0},
                                   .host_src = b.host,
                                   .src_rect = box,
                                   .dst_rect = box};
    memcpy(rect.cmd.region, rows, sizeof(rows));
    large.cmd = write_of(&b);
    back.cmd = (struct tf_command){.kind = TF_CMD_READ,
                                   .size_bytes = sizeof(read),
                                   .src = {b.mem, BYTES - sizeof(read)},
                                   .host = read};
    rect.cmd.dev_next = &large.cmd;
    large.cmd.dev_next = &back.cmd;
    rig_submit(&rect);
    ck_assert(rig_is_finished(&rect));
    rig_wait(&back);
    ck_assert_mem_eq(read, b.host + BYTES - sizeof(read), sizeof(read));
    ck_assert_mem_eq(b.data, b.host, BYTES);
    ck_assert_uint_eq(rect.order, 2);
    ck_assert_uint_eq(large.order, 3);
    ck_assert_uint_eq(back.order, 4);
    free_blocks(&b);
}
END_TEST

struct caller {
    struct blocks blocks;
    unsigned wrong;
};

static void *call_many(void *arg)
{
    struct caller *caller = arg;
    const struct blocks *b = &caller->blocks;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct tf_command cmd = write_of(b);

        refill(b, round);
        if (OPS->run_here(rig.dev, &cmd) != CL_COMPLETE ||
            memcmp(b->data, b->host, BYTES) != 0)
            caller->wrong++;
    }
    return NULL;
}

START_TEST(host_threads_copy_at_the_same_time)
{
    enum { CALLERS = 3 };
    struct caller callers[CALLERS];
    pthread_t threads[CALLERS];

    use(thread_counts[_i]);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.blocks = make_blocks()};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, call_many, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_uint_eq(callers[i].wrong, 0);
        free_blocks(&callers[i].blocks);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_copy_unit");
    TCase *tcase = tcase_create("copies");

    tcase_set_timeout(tcase, 120);
    FOR_THREADS(large_copies_arrive_whole);
    FOR_THREADS(large_copies_keep_the_order_of_their_run);
    FOR_THREADS(copies_in_place_are_done_on_return);
    FOR_THREADS(small_copies_end_in_submit);
    tcase_add_test(tcase, copies_need_no_memory);
    tcase_add_test(tcase, copies_outside_are_refused_in_place);
    FOR_THREADS(host_threads_copy_at_the_same_time);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
