// SPDX-License-Identifier: MIT
// Makes the n-th allocation of each command and object of memory fail, until none is left
// to fail: every failure is an error code, leaves nothing behind, and does nothing. And
// what pipes consist of.
#include <string.h>

#include "abi/pipe_layout.h"
#include "base/alloc.h"
#include "core/command/command_copy.h"
#include "core/command/command_map.h"
#include "core/memory/buffer.h"
#include "core/memory/image.h"
#include "core/memory/map.h"
#include "core/memory/pipe.h"
#include "support/core.h"
#include "support/suite.h"

enum { BYTES = 256, MANY = 1000 };

static struct tf_core core;
static struct tf_enqueue at;
static cl_mem mem, other;
static unsigned char host[BYTES];

static cl_mem make_buffer(void)
{
    const struct tf_buffer_desc desc = {.size_bytes = BYTES};
    struct tf_err err = {0};
    cl_mem out = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &out), CL_SUCCESS);
    return out;
}

static void setup(void)
{
    core = tf_core_begin(1);
    at = (struct tf_enqueue){.queue = tf_core_queue(&core, 0), .blocking = true};
    mem = make_buffer();
    other = make_buffer();
}

static void teardown(void)
{
    tf_alloc_fail_at(-1);
    tf_core_release(mem, &tf_class_mem);
    tf_core_release(other, &tf_class_mem);
    tf_core_release(at.queue, &tf_class_queue);
    tf_core_end(&core);
}

// ---- Everything that allocates ----

static cl_int do_read(struct tf_err *err)
{
    const struct tf_transfer what = {.mem = mem, .size_bytes = BYTES, .host = host};

    return tf_enqueue_read(err, &at, &what);
}

static cl_int do_write(struct tf_err *err)
{
    const struct tf_transfer what = {.mem = mem, .size_bytes = BYTES, .host_src = host};

    return tf_enqueue_write(err, &at, &what);
}

static cl_int do_copy(struct tf_err *err)
{
    const struct tf_copy what = {.src = mem, .dst = other, .size_bytes = BYTES};

    return tf_enqueue_copy(err, &at, &what);
}

static cl_int do_fill(struct tf_err *err)
{
    const struct tf_fill what = {
        .mem = mem, .size_bytes = BYTES, .pattern = host, .pattern_bytes = 16};

    return tf_enqueue_fill(err, &at, &what);
}

static const struct tf_rect whole = {.row_pitch_bytes = 16, .slice_pitch_bytes = BYTES};

static cl_int do_read_rect(struct tf_err *err)
{
    const struct tf_rect_transfer what = {.mem = mem,
                                          .buffer = whole,
                                          .host_rect = whole,
                                          .region = {16, 16, 1},
                                          .host = host};

    return tf_enqueue_read_rect(err, &at, CL_COMMAND_READ_BUFFER_RECT, &what);
}

static cl_int do_write_rect(struct tf_err *err)
{
    const struct tf_rect_transfer what = {.mem = mem,
                                          .buffer = whole,
                                          .host_rect = whole,
                                          .region = {16, 16, 1},
                                          .host_src = host};

    return tf_enqueue_write_rect(err, &at, CL_COMMAND_WRITE_BUFFER_RECT, &what);
}

static cl_int do_copy_rect(struct tf_err *err)
{
    const struct tf_rect_copy what = {.src = mem,
                                      .dst = other,
                                      .src_rect = whole,
                                      .dst_rect = whole,
                                      .region = {16, 16, 1}};

    return tf_enqueue_copy_rect(err, &at, CL_COMMAND_COPY_BUFFER_RECT, &what);
}

static cl_int do_migrate(struct tf_err *err)
{
    const cl_mem mems[] = {mem, other};

    return tf_enqueue_in_order(err, &at, CL_COMMAND_MIGRATE_MEM_OBJECTS, 2, mems);
}

// A map that failed maps nothing, an unmap that failed can be repeated.
static cl_int do_map(struct tf_err *err)
{
    const struct tf_map_desc desc = {.flags = CL_MAP_WRITE, .size_bytes = BYTES};
    struct tf_err own = {0};
    void *mapped = NULL;
    bool failed;

    if (tf_enqueue_map(err, &at, mem, &desc, &mapped)) {
        ck_assert_uint_eq(tf_map_count(mem), 0);
        return err->code;
    }
    failed = tf_enqueue_unmap(err, &at, mem, mapped);
    tf_alloc_fail_at(-1);
    if (failed) {
        ck_assert_uint_eq(tf_map_count(mem), 1);
        ck_assert_int_eq(tf_enqueue_unmap(&own, &at, mem, mapped), CL_SUCCESS);
    }
    ck_assert_uint_eq(tf_map_count(mem), 0);
    return err->code;
}

static cl_int do_create_buffer(struct tf_err *err)
{
    const cl_mem_properties properties[] = {0};
    const struct tf_buffer_desc desc = {.flags = CL_MEM_COPY_HOST_PTR,
                                        .size_bytes = BYTES,
                                        .host_ptr = host,
                                        .properties = properties,
                                        .property_count = 1};
    cl_mem out = NULL;

    if (!tf_buffer_create(err, core.ctx, &desc, &out))
        tf_core_release(out, &tf_class_mem);
    return err->code;
}

static cl_int do_create_sub_buffer(struct tf_err *err)
{
    const cl_buffer_region region = {0, BYTES / 2};
    cl_mem out = NULL;

    if (!tf_sub_buffer_create(err, mem, 0, &region, &out))
        tf_core_release(out, &tf_class_mem);
    return err->code;
}

static cl_int do_create_image(struct tf_err *err)
{
    const cl_mem_properties properties[] = {0};
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    const struct tf_image_in in = {.flags = CL_MEM_COPY_HOST_PTR,
                                   .properties = properties,
                                   .property_count = 1,
                                   .format = &format,
                                   .desc = &desc,
                                   .host_ptr = host};
    cl_mem out = NULL;

    if (!tf_image_create(err, core.ctx, &in, &out))
        tf_core_release(out, &tf_class_mem);
    return err->code;
}

static cl_int do_fill_rect(struct tf_err *err)
{
    const struct tf_rect_fill what = {
        .mem = mem, .rect = whole, .region = {16, 16, 1}, .pixel_bytes = 4};

    return tf_enqueue_fill_rect(err, &at, CL_COMMAND_FILL_IMAGE, &what);
}

static cl_int do_create_pipe(struct tf_err *err)
{
    const struct tf_pipe_desc desc = {.packet_bytes = 4, .max_packets = 10};
    cl_mem out = NULL;

    if (!tf_pipe_create(err, core.ctx, &desc, &out))
        tf_core_release(out, &tf_class_mem);
    return err->code;
}

static const struct {
    const char *name;
    cl_int (*run)(struct tf_err *);
} things[] = {
    {"read", do_read},
    {"write", do_write},
    {"copy", do_copy},
    {"fill", do_fill},
    {"read rect", do_read_rect},
    {"write rect", do_write_rect},
    {"copy rect", do_copy_rect},
    {"migrate", do_migrate},
    {"map and unmap", do_map},
    {"buffer", do_create_buffer},
    {"sub-buffer", do_create_sub_buffer},
    {"image", do_create_image},
    {"fill rect", do_fill_rect},
    {"pipe", do_create_pipe},
};
enum { THINGS = sizeof(things) / sizeof(*things) };

START_TEST(memory_that_runs_out_is_an_error_and_nothing_else)
{
    int n = 0;

    for (;; n++) {
        const long blocks = tf_alloc_live(), objects = tf_object_live();
        struct tf_err err = {0};
        cl_int code;

        ck_assert_msg(n < MANY, "%s never succeeds", things[_i].name);
        tf_alloc_fail_at(n);
        code = things[_i].run(&err);
        tf_alloc_fail_at(-1);
        ck_assert_int_eq(code, err.code);
        if (code == CL_SUCCESS)
            break;
        ck_assert_msg(code == CL_OUT_OF_HOST_MEMORY ||
                          code == CL_MEM_OBJECT_ALLOCATION_FAILURE,
                      "%s: %d", things[_i].name, code);
        ck_assert_int_eq(tf_alloc_live(), blocks);
        ck_assert_int_eq(tf_object_live(), objects);
    }
    ck_assert_msg(n > 0, "%s allocates nothing", things[_i].name);
}
END_TEST

// ---- Pipes ----

static struct tf_pipe_header *make_pipe(cl_uint packet_bytes, cl_uint max_packets,
                                        cl_mem *out)
{
    const struct tf_pipe_desc desc = {.packet_bytes = packet_bytes,
                                      .max_packets = max_packets};
    struct tf_err err = {0};
    void *memory = NULL;

    ck_assert_int_eq(tf_pipe_create(&err, core.ctx, &desc, out), CL_SUCCESS);
    ck_assert_int_eq((*out)->dev->ops->mem_map(&err, (*out)->dev, (*out)->devmem, 0,
                                               (*out)->size_bytes, CL_MAP_READ, &memory),
                     CL_SUCCESS);
    return memory;
}

START_TEST(new_pipe_is_free_for_writers)
{
    const cl_uint sizes[] = {1, 7, 16, 1000};
    cl_mem pipe;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        const struct tf_pipe_header *header = make_pipe(24, sizes[i], &pipe);
        const tf_pipe_u64 *turn = (const tf_pipe_u64 *)(header + 1);

        ck_assert_uint_eq(header->max_packets, sizes[i]);
        ck_assert_uint_eq(header->packet_bytes, 24);
        ck_assert_uint_eq(header->write_position, 0);
        ck_assert_uint_eq(header->read_position, 0);
        ck_assert_uint_eq(header->data_offset_bytes % 128, 0);
        ck_assert_uint_ge(header->data_offset_bytes,
                          sizeof(*header) + sizes[i] * sizeof(*turn));
        ck_assert_uint_ge(pipe->size_bytes, header->data_offset_bytes + sizes[i] * 24);
        for (cl_uint k = 0; k < sizes[i]; k++)
            ck_assert_uint_eq(turn[k], k);
        pipe->dev->ops->mem_unmap(pipe->dev, pipe->devmem, (void *)(uintptr_t)header);
        tf_core_release(pipe, &tf_class_mem);
    }
}
END_TEST

START_TEST(pipe_that_is_too_large_is_refused)
{
    const struct tf_pipe_desc bad[] = {
        {.packet_bytes = 1, .max_packets = TF_PIPE_MAX_PACKETS + 1},
        {.packet_bytes = 1, .max_packets = UINT32_MAX},
        {.packet_bytes = UINT32_MAX, .max_packets = TF_PIPE_MAX_PACKETS},
        {.packet_bytes = 1 << 20, .max_packets = 1 << 20}, // more than the device has
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct tf_err err = {0};
        cl_mem pipe = NULL;

        ck_assert_int_eq(tf_pipe_create(&err, core.ctx, &bad[i], &pipe),
                         CL_MEM_OBJECT_ALLOCATION_FAILURE);
        ck_assert_ptr_null(pipe);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mem_oom");
    TCase *tcase = tcase_create("memory");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, memory_that_runs_out_is_an_error_and_nothing_else, 0,
                        THINGS);
    tcase_add_test(tcase, new_pipe_is_free_for_writers);
    tcase_add_test(tcase, pipe_that_is_too_large_is_refused);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
