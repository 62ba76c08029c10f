// SPDX-License-Identifier: MIT
// What every command on images checks.
#include "api/image_rig.h"

#include "support/suite.h"

// ---- What every command checks ----

struct call {
    cl_command_queue q;
    cl_mem image, other; // `other`: the second object of those that take two
    const size_t *origin, *region;
    cl_uint n;
    const cl_event *list;
    cl_event *event;
};

typedef cl_int (*command_fn)(const struct call *c);

static cl_int read_image(const struct call *c)
{
    static unsigned char out[BYTES];

    return clEnqueueReadImage(c->q, c->image, CL_TRUE, c->origin, c->region, 0, 0, out,
                              c->n, c->list, c->event);
}

static cl_int write_image(const struct call *c)
{
    return clEnqueueWriteImage(c->q, c->image, CL_TRUE, c->origin, c->region, 0, 0, bytes,
                               c->n, c->list, c->event);
}

static cl_int fill_image(const struct call *c)
{
    const cl_float color[4] = {0};

    return clEnqueueFillImage(c->q, c->image, color, c->origin, c->region, c->n, c->list,
                              c->event);
}

static cl_int map_image(const struct call *c)
{
    size_t row, slice;
    void *host;

    code = 1;
    host = clEnqueueMapImage(c->q, c->image, CL_TRUE, CL_MAP_READ, c->origin, c->region,
                             &row, &slice, c->n, c->list, c->event, &code);
    ck_assert_int_eq(host != NULL, code == CL_SUCCESS);
    if (host)
        unmap(c->image, host);
    return code;
}

static cl_int copy_from(const struct call *c)
{
    return clEnqueueCopyImage(c->q, c->image, c->other, c->origin, zero, c->region, c->n,
                              c->list, c->event);
}

static cl_int copy_to(const struct call *c)
{
    return clEnqueueCopyImage(c->q, c->other, c->image, zero, c->origin, c->region, c->n,
                              c->list, c->event);
}

static cl_int copy_to_buffer(const struct call *c)
{
    return clEnqueueCopyImageToBuffer(c->q, c->image, c->other, c->origin, c->region, 0,
                                      c->n, c->list, c->event);
}

static cl_int copy_from_buffer(const struct call *c)
{
    return clEnqueueCopyBufferToImage(c->q, c->other, c->image, 0, c->origin, c->region,
                                      c->n, c->list, c->event);
}

static const struct {
    command_fn call;
    enum { NOTHING, IMAGE, BUFFER } other;
    cl_command_type type;
} commands[] = {
    {read_image, NOTHING, CL_COMMAND_READ_IMAGE},
    {write_image, NOTHING, CL_COMMAND_WRITE_IMAGE},
    {fill_image, NOTHING, CL_COMMAND_FILL_IMAGE},
    {map_image, NOTHING, CL_COMMAND_MAP_IMAGE},
    {copy_from, IMAGE, CL_COMMAND_COPY_IMAGE},
    {copy_to, IMAGE, CL_COMMAND_COPY_IMAGE},
    {copy_to_buffer, BUFFER, CL_COMMAND_COPY_IMAGE_TO_BUFFER},
    {copy_from_buffer, BUFFER, CL_COMMAND_COPY_BUFFER_TO_IMAGE},
};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static cl_mem other_of(int command)
{
    return commands[command].other == BUFFER ? tf_api_buffer(0, BYTES, NULL)
                                             : make(volume);
}

START_TEST(command_checks_its_handles)
{
    const command_fn call = commands[_i].call;
    cl_mem image = make(volume), other = other_of(_i), plain = tf_api_buffer(0, 64, NULL);
    cl_mem strange = make_in(tf_api.other_ctx, plane, 0, &rgba, NULL);
    cl_mem strange_buffer = tf_api_other_buffer(BYTES);
    cl_event ev = NULL;
    struct call c = {.q = tf_api.q,
                     .image = image,
                     .other = other,
                     .origin = zero,
                     .region = one,
                     .event = &ev};
    struct call w;

    ck_assert_int_eq(call(&c), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), commands[_i].type);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    c.event = NULL;
#define WITH(field, value) (w = c, w.field = (value), call(&w))
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE, WITH(q, bad), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_MEM_OBJECT, WITH(image, bad), tf_api.q);
    ck_assert_int_eq(WITH(image, plain), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(WITH(image, strange), CL_INVALID_CONTEXT);
    if (commands[_i].other != NOTHING) {
        ck_assert_rejects(CL_INVALID_MEM_OBJECT, WITH(other, bad), tf_api.q);
        ck_assert_int_eq(WITH(other, commands[_i].other == IMAGE ? plain : image),
                         CL_INVALID_MEM_OBJECT);
        ck_assert_int_eq(
            WITH(other, commands[_i].other == IMAGE ? strange : strange_buffer),
            CL_INVALID_CONTEXT);
    }
#define CALL(count, events) (c.n = (count), c.list = (events), call(&c))
    TF_API_CHECK_WAIT_LIST(CALL);
    drop(image);
    drop(other);
    drop(plain);
    drop(strange);
    drop(strange_buffer);
}
END_TEST

START_TEST(command_checks_its_region)
{
    static const size_t outside[][2][3] = {
        {{0, 0, 0}, {0, 1, 1}},        {{0, 0, 0}, {1, 0, 1}},
        {{0, 0, 0}, {1, 1, 0}},        {{0, 0, 0}, {10, 1, 1}},
        {{0, 0, 0}, {1, 8, 1}},        {{0, 0, 0}, {1, 1, 6}},
        {{9, 0, 0}, {1, 1, 1}},        {{0, 7, 0}, {1, 1, 1}},
        {{0, 0, 5}, {1, 1, 1}},        {{SIZE_MAX, 0, 0}, {2, 1, 1}},
        {{1, 0, 0}, {SIZE_MAX, 1, 1}},
    };
    cl_mem image = make(volume), flat = make(plane), line = make(&kinds[0]);
    cl_mem other = other_of(_i);
    const size_t second_row[3] = {0, 1, 0}, second_slice[3] = {0, 0, 1};
    struct call c = {.q = tf_api.q, .image = image, .other = other};

    c.region = one;
    ck_assert_int_eq(commands[_i].call(&c), CL_INVALID_VALUE); // no origin
    c.origin = zero;
    c.region = NULL;
    ck_assert_int_eq(commands[_i].call(&c), CL_INVALID_VALUE);
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        c.origin = outside[i][0];
        c.region = outside[i][1];
        ck_assert_int_eq(commands[_i].call(&c), CL_INVALID_VALUE);
    }
    c.region = one;
    c.image = flat;
    c.origin = second_slice;
    ck_assert_int_eq(commands[_i].call(&c), CL_INVALID_VALUE);
    c.image = line;
    c.origin = second_row;
    ck_assert_int_eq(commands[_i].call(&c), CL_INVALID_VALUE);
    c.origin = zero;
    ck_assert_int_eq(commands[_i].call(&c), CL_SUCCESS);
    drop(image);
    drop(flat);
    drop(line);
    drop(other);
}
END_TEST

START_TEST(host_pointers_and_colors_must_be_there)
{
    cl_mem image = make(plane);

    ck_assert_int_eq(read_box(image, zero, one, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(write_box(image, zero, one, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueFillImage(tf_api.q, image, NULL, zero, one, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    drop(image);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("enqueue_image_checks");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, begin, end);
    tcase_add_loop_test(t, command_checks_its_handles, 0, COMMANDS);
    tcase_add_loop_test(t, command_checks_its_region, 0, COMMANDS);
    tcase_add_test(t, host_pointers_and_colors_must_be_there);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
