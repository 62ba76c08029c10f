// SPDX-License-Identifier: MIT
#include "base/frame.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

#define SOON (tf_time_ns() + 50000000u)
#define LARGE_BYTES ((size_t)3 << 20)

static int ends[2];
static struct tf_kept_fd links[2];

static void setup(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    for (int i = 0; i < 2; i++)
        tf_kept_fd_set(&links[i], ends[i]);
}

static void teardown(void)
{
    close(ends[0]);
    close(ends[1]);
}

START_TEST(frames_come_as_they_went)
{
    struct tf_frame frame;

    ck_assert_int_eq(tf_frame_send(&links[0], 7, "abc", 3, SOON), TF_FRAME_OK);
    ck_assert_int_eq(tf_frame_send(&links[0], 8, NULL, 0, SOON), TF_FRAME_OK);
    ck_assert(tf_frame_waits(&links[1]));
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_OK);
    ck_assert_uint_eq(frame.kind, 7);
    ck_assert_uint_eq(frame.bytes, 3);
    ck_assert_mem_eq(frame.data, "abc", 3);
    tf_free(frame.data);
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_OK);
    ck_assert_uint_eq(frame.kind, 8);
    ck_assert_ptr_null(frame.data);
    ck_assert(!tf_frame_waits(&links[1]));
}
END_TEST

static void *send_large(void *data)
{
    ck_assert_int_eq(tf_frame_send(&links[0], 1, data, LARGE_BYTES, TF_FRAME_NO_LIMIT),
                     TF_FRAME_OK);
    return NULL;
}

START_TEST(frame_larger_than_the_socket_holds)
{
    char *const data = malloc(LARGE_BYTES);
    struct tf_frame frame;
    pthread_t thread;

    for (size_t i = 0; i < LARGE_BYTES; i++)
        data[i] = (char)(i * 31 >> 3);
    ck_assert_int_eq(pthread_create(&thread, NULL, send_large, data), 0);
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, TF_FRAME_NO_LIMIT), TF_FRAME_OK);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(frame.bytes, LARGE_BYTES);
    ck_assert(!memcmp(frame.data, data, LARGE_BYTES));
    tf_free(frame.data);
    free(data);
}
END_TEST

START_TEST(end_and_cut_differ)
{
    struct tf_frame frame;

    close(ends[0]);
    ends[0] = -1;
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_END);
    close(ends[1]);
    setup();
    ck_assert_int_eq(write(ends[0], "half a h", 8), 8);
    close(ends[0]);
    ends[0] = -1;
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_CUT);
}
END_TEST

START_TEST(body_that_ends_early_is_cut)
{
    struct tf_frame frame;
    char bytes[64];

    ck_assert_int_eq(tf_frame_send(&links[0], 1, "0123456789", 10, SOON), TF_FRAME_OK);
    ck_assert_int_eq(read(ends[1], bytes, sizeof(bytes)), 26);
    ck_assert_int_eq(write(ends[0], bytes, 25), 25);
    close(ends[0]);
    ends[0] = -1;
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_CUT);
    ck_assert_ptr_null(frame.data);
}
END_TEST

START_TEST(garbage_and_absurd_lengths_are_refused)
{
    struct tf_frame frame;
    char bytes[64];

    ck_assert_int_eq(write(ends[0], "this is no frame", 16), 16);
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_CUT);
    ck_assert_int_eq(tf_frame_send(&links[0], 1, NULL, 0, SOON), TF_FRAME_OK);
    ck_assert_int_eq(read(ends[1], bytes, sizeof(bytes)), 16);
    memset(bytes + 8, 0xff, 8); // the length
    ck_assert_int_eq(write(ends[0], bytes, 16), 16);
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_CUT);
}
END_TEST

START_TEST(long_announcement_takes_no_memory_by_itself)
{
    const uint64_t length = TF_FRAME_MAX_BYTES;
    struct tf_frame frame;
    char bytes[64];

    ck_assert_int_eq(tf_frame_send(&links[0], 1, NULL, 0, SOON), TF_FRAME_OK);
    ck_assert_int_eq(read(ends[1], bytes, sizeof(bytes)), 16);
    memcpy(bytes + 8, &length, sizeof(length));
    ck_assert_int_eq(write(ends[0], bytes, 17), 17);
    tf_alloc_fail_at(1); // the first is enough for what came
    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_LATE);
    tf_alloc_fail_at(-1);
}
END_TEST

START_TEST(waiting_has_an_end)
{
    struct tf_frame frame;
    const uint64_t start_ns = tf_time_ns();

    ck_assert_int_eq(tf_frame_receive(&links[1], &frame, SOON), TF_FRAME_LATE);
    ck_assert_uint_ge(tf_time_ns() - start_ns, 40000000u);
}
END_TEST

START_TEST(sending_to_nobody_raises_no_signal)
{
    close(ends[1]);
    ends[1] = -1;
    ck_assert_int_eq(tf_frame_send(&links[0], 1, "x", 1, SOON), TF_FRAME_END);
}
END_TEST

START_TEST(rest_is_cut_to_its_room)
{
    char text[5];

    ck_assert_int_eq(write(ends[0], "many words", 10), 10);
    ck_assert(!tf_frame_rest(&links[1], text, sizeof(text), SOON));
    ck_assert_str_eq(text, "many");
    ck_assert_int_eq(write(ends[0], "few", 3), 3);
    close(ends[0]);
    ends[0] = -1;
    ck_assert(tf_frame_rest(&links[1], text, sizeof(text), SOON));
    ck_assert_str_eq(text, "few");
}
END_TEST

// An application that closes what it does not know opens files of its own under the
// numbers.
START_TEST(files_under_the_links_number_are_left_alone)
{
    struct tf_frame frame;
    char bytes[64], text[5];
    int theirs[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, theirs), 0);
    ck_assert_int_eq(write(theirs[1], "of the application", 18), 18);
    ck_assert_int_eq(dup2(theirs[0], ends[0]), ends[0]);
    ck_assert_int_eq(tf_kept_fd(&links[0]), -1);
    ck_assert_int_eq(tf_frame_receive(&links[0], &frame, SOON), TF_FRAME_END);
    ck_assert_int_eq(tf_frame_send(&links[0], 1, "x", 1, SOON), TF_FRAME_END);
    ck_assert(tf_frame_rest(&links[0], text, sizeof(text), SOON));
    ck_assert(!tf_frame_waits(&links[0]));
    tf_kept_fd_close(&links[0]);
    ck_assert_int_eq(read(ends[0], bytes, sizeof(bytes)), 18);
    ck_assert_int_eq(recv(theirs[1], bytes, sizeof(bytes), MSG_DONTWAIT), -1);
    close(theirs[0]);
    close(theirs[1]);
}
END_TEST

// Once the receiver waits: before, nobody would hold the other end of what is written to.
static void *take_links_number(void *theirs)
{
    ck_assert(tf_threads_rest(TEST_LIMIT_S * 1000));
    ck_assert_int_eq(dup2(*(const int *)theirs, ends[0]), ends[0]);
    ck_assert_int_eq(write(ends[1], "late", 4), 4); // wakes the receiver
    return NULL;
}

START_TEST(number_that_changes_hands_during_a_wait_ends_it)
{
    struct tf_frame frame;
    pthread_t thread;
    char bytes[64];
    int theirs[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, theirs), 0);
    ck_assert_int_eq(write(theirs[1], "of the application", 18), 18);
    ck_assert_int_eq(pthread_create(&thread, NULL, take_links_number, theirs), 0);
    ck_assert_int_eq(tf_frame_receive(&links[0], &frame, TF_FRAME_NO_LIMIT),
                     TF_FRAME_END);
    pthread_join(thread, NULL);
    ck_assert_int_eq(recv(theirs[0], bytes, sizeof(bytes), MSG_DONTWAIT), 18);
    close(theirs[0]);
    close(theirs[1]);
}
END_TEST

START_TEST(streams_numbers_are_not_kept)
{
    const int out = dup(STDOUT_FILENO);
    int high;

    close(STDOUT_FILENO);
    high = tf_fd_above_streams(dup(out));
    dup2(out, STDOUT_FILENO);
    close(out);
    ck_assert_int_gt(high, STDERR_FILENO);
    ck_assert_int_eq(tf_fd_above_streams(high), high);
    close(high);
    ck_assert_int_eq(tf_fd_above_streams(-1), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame");
    TCase *tcase = tcase_create("frame");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, frames_come_as_they_went);
    tcase_add_test(tcase, frame_larger_than_the_socket_holds);
    tcase_add_test(tcase, end_and_cut_differ);
    tcase_add_test(tcase, body_that_ends_early_is_cut);
    tcase_add_test(tcase, garbage_and_absurd_lengths_are_refused);
    tcase_add_test(tcase, long_announcement_takes_no_memory_by_itself);
    tcase_add_test(tcase, waiting_has_an_end);
    tcase_add_test(tcase, sending_to_nobody_raises_no_signal);
    tcase_add_test(tcase, rest_is_cut_to_its_room);
    tcase_add_test(tcase, files_under_the_links_number_are_left_alone);
    tcase_add_test(tcase, number_that_changes_hands_during_a_wait_ends_it);
    tcase_add_test(tcase, streams_numbers_are_not_kept);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
