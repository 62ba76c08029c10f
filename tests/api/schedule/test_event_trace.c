// SPDX-License-Identifier: MIT
// What commands leave in a trace. The variable is read when the library is loaded: this
// program runs itself again with it, and its end writes the file.
#include "support/api.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

START_TEST(commands_run)
{
    static char host[3000];
    const size_t origin[3] = {0}, region[3] = {100, 10, 2};
    cl_event gate, marker;
    cl_mem mem;

    tf_api_begin();
    gate = tf_api_user_event();
    mem = tf_api_buffer(0, sizeof(host), NULL);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &gate, &marker),
                     CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, 0, sizeof(host), host, 1,
                                         &marker, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueWriteBufferRect(tf_api.q, mem, CL_TRUE, origin, origin,
                                              region, 0, 0, 0, 0, host, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(gate), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(marker), CL_SUCCESS);
    tf_api_end();
}
END_TEST

START_TEST(commands_tell_type_bytes_and_whom_they_wait_for)
{
    static char text[1 << 20];
    char path[64];
    int status;
    pid_t child;
    FILE *file;

    snprintf(path, sizeof(path), "/tmp/trefoil-events-%ld.json", (long)getpid());
    child = fork(); // no thread yet
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("TREFOIL_TRACE", path, 1);
        setenv("CK_FORK", "no", 1);
        execl("/proc/self/exe", "traced", (char *)NULL);
        _exit(1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"marker\""));
    ck_assert_ptr_nonnull(strstr(text, "\"type\":\"read buffer\",\"bytes\":3000"));
    ck_assert_ptr_nonnull(strstr(text, "\"type\":\"write buffer rect\",\"bytes\":2000"));
    // The user event is of no queue: one arrow, from the marker to the read.
    ck_assert_ptr_nonnull(strstr(text, "\"ph\":\"s\""));
    ck_assert_ptr_null(strstr(strstr(text, "\"ph\":\"s\"") + 1, "\"ph\":\"s\""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("event_trace");
    TCase *tests = tcase_create("event_trace");

    if (getenv("TREFOIL_TRACE"))
        tcase_add_test(tests, commands_run);
    else
        tcase_add_test(tests, commands_tell_type_bytes_and_whom_they_wait_for);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
