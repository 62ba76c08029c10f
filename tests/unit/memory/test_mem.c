// SPDX-License-Identifier: MIT
// Buffers, mappings and copies on the mock device.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/command/command_copy.h"
#include "core/command/command_map.h"
#include "core/memory/buffer.h"
#include "core/memory/map.h"
#include "core/platform/device.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static cl_command_queue q;
static struct tf_err err;

static void begin(void)
{
    err = (struct tf_err){0};
    core = tf_core_begin(1);
    q = tf_core_queue(&core, 0);
}

static void end(void)
{
    tf_core_release(q, &tf_class_queue);
    tf_core_end(&core);
}

static cl_mem make(cl_mem_flags flags, size_t size, void *host_ptr)
{
    const struct tf_buffer_desc desc = {
        .flags = flags, .size_bytes = size, .host_ptr = host_ptr};
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mem), CL_SUCCESS);
    return mem;
}

static cl_mem make_sub(cl_mem parent, size_t origin, size_t size)
{
    const cl_buffer_region region = {origin, size};
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_sub_buffer_create(&err, parent, 0, &region, &mem), CL_SUCCESS);
    return mem;
}

static void drop(cl_mem mem)
{
    tf_core_release(mem, &tf_class_mem);
}

static void read_back(cl_mem mem, size_t offset, size_t size, void *to)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    const struct tf_transfer what = {
        .mem = mem, .offset_bytes = offset, .size_bytes = size, .host = to};

    ck_assert_int_eq(tf_enqueue_read(&err, &at, &what), CL_SUCCESS);
}

START_TEST(copy_host_ptr_is_copied_at_once)
{
    char text[] = "before", seen[sizeof(text)];
    cl_mem mem = make(CL_MEM_COPY_HOST_PTR, sizeof(text), text);

    memcpy(text, "after!", sizeof(text));
    read_back(mem, 0, sizeof(seen), seen);
    ck_assert_str_eq(seen, "before");
    ck_assert_ptr_null(mem->host_ptr);
    drop(mem);
}
END_TEST

START_TEST(use_host_ptr_is_used_in_place)
{
    char text[] = "before", seen[sizeof(text)];
    cl_mem mem = make(CL_MEM_USE_HOST_PTR, sizeof(text), text);

    memcpy(text, "after!", sizeof(text));
    read_back(mem, 0, sizeof(seen), seen);
    ck_assert_str_eq(seen, "after!");
    ck_assert_ptr_eq(mem->host_ptr, text);
    drop(mem);
}
END_TEST

START_TEST(sub_buffer_is_a_window)
{
    char bytes[300] = {0}, seen[4];
    cl_mem mem = make(CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, sizeof(bytes), bytes);
    cl_mem sub = make_sub(mem, 128, 64);

    drop(mem); // the window keeps it
    memcpy(bytes + 130, "abcd", 4);
    read_back(sub, 2, 4, seen);
    ck_assert_mem_eq(seen, "abcd", 4);
    ck_assert_ptr_eq(sub->host_ptr, bytes + 128);
    ck_assert_uint_eq(sub->flags, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY);
    drop(sub);
}
END_TEST

START_TEST(sub_buffer_flags_fill_what_is_open)
{
    cl_mem mem = make(CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                      256, NULL);

    ck_assert_uint_eq(tf_mem_child_flags(mem, 0),
                      CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY | CL_MEM_ALLOC_HOST_PTR);
    ck_assert_uint_eq(tf_mem_child_flags(mem, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS),
                      CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_ALLOC_HOST_PTR);
    drop(mem);
}
END_TEST

START_TEST(command_keeps_a_released_buffer)
{
    char seen[4] = {0};
    const struct tf_enqueue at = {.queue = q};
    cl_mem mem = make(CL_MEM_COPY_HOST_PTR, 4, (char[]){"abcd"});
    const struct tf_transfer what = {.mem = mem, .size_bytes = 4, .host = seen};

    tf_mock_hold(core.mock, true);
    ck_assert_int_eq(tf_enqueue_read(&err, &at, &what), CL_SUCCESS);
    drop(mem);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 1);
    tf_mock_hold(core.mock, false);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_mem_eq(seen, "abcd", 4);
}
END_TEST

START_TEST(transfer_of_no_bytes_completes)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    cl_mem mem = make(0, 16, NULL);
    const struct tf_transfer what = {.mem = mem, .offset_bytes = 16};
    const int submitted = atomic_load(&core.mock->submitted);

    ck_assert_int_eq(tf_enqueue_read(&err, &at, &what), CL_SUCCESS);
    ck_assert_int_eq(tf_enqueue_write(&err, &at, &what), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&core.mock->submitted), submitted);
    drop(mem);
}
END_TEST

START_TEST(fill_repeats_its_pattern)
{
    char seen[12];
    const struct tf_enqueue at = {.queue = q};
    cl_mem mem = make(CL_MEM_COPY_HOST_PTR, 12, (char[]){"------------"});
    const struct tf_fill what = {.mem = mem,
                                 .offset_bytes = 4,
                                 .size_bytes = 8,
                                 .pattern = "xy",
                                 .pattern_bytes = 2};

    ck_assert_int_eq(tf_enqueue_fill(&err, &at, &what), CL_SUCCESS);
    read_back(mem, 0, sizeof(seen), seen);
    ck_assert_mem_eq(seen, "----xyxyxyxy", 12);
    drop(mem);
}
END_TEST

// ---- Mappings ----

static void *map(cl_mem mem, cl_map_flags flags, size_t offset, size_t size)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    const struct tf_map_desc desc = {
        .flags = flags, .offset_bytes = offset, .size_bytes = size};
    void *host = NULL;

    return tf_enqueue_map(&err, &at, mem, &desc, &host) ? NULL : host;
}

static cl_int unmap(cl_mem mem, void *host)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    struct tf_err own = {0};

    return tf_enqueue_unmap(&own, &at, mem, host);
}

START_TEST(mappings_are_counted)
{
    cl_mem mem = make(0, 64, NULL);
    void *a = map(mem, CL_MAP_READ, 0, 32), *b = map(mem, CL_MAP_READ, 0, 64);

    ck_assert_ptr_eq(a, b);
    ck_assert_uint_eq(tf_map_count(mem), 2);
    ck_assert(tf_map_exists(mem, a));
    ck_assert_int_eq(unmap(mem, a), CL_SUCCESS);
    ck_assert_int_eq(unmap(mem, a), CL_SUCCESS);
    ck_assert_uint_eq(tf_map_count(mem), 0);
    ck_assert(!tf_map_exists(mem, a));
    ck_assert_int_eq(unmap(mem, a), CL_INVALID_VALUE);
    drop(mem);
}
END_TEST

START_TEST(regions_mapped_for_writing_do_not_overlap)
{
    cl_mem mem = make(0, 64, NULL);

    ck_assert_ptr_nonnull(map(mem, CL_MAP_WRITE, 0, 32));
    ck_assert_ptr_nonnull(map(mem, CL_MAP_WRITE_INVALIDATE_REGION, 32, 32));
    ck_assert_ptr_nonnull(map(mem, CL_MAP_READ, 0, 64));
    ck_assert_ptr_null(map(mem, CL_MAP_WRITE, 31, 2));
    ck_assert_int_eq(err.code, CL_INVALID_OPERATION);
    ck_assert_uint_eq(tf_map_count(mem), 3);
    drop(mem); // with its mappings
}
END_TEST

START_TEST(map_that_the_device_fails_leaves_no_mapping)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    const struct tf_map_desc desc = {
        .flags = CL_MAP_WRITE, .offset_bytes = 0, .size_bytes = 64};
    cl_mem mem = make(0, 64, NULL);
    struct tf_err own = {0};
    void *host = NULL;

    atomic_store(&core.mock->next_status, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(tf_enqueue_map(&own, &at, mem, &desc, &host), CL_OUT_OF_RESOURCES);
    ck_assert_uint_eq(tf_map_count(mem), 0);
    ck_assert_ptr_nonnull(map(mem, CL_MAP_WRITE, 0, 64)); // the region is free
    drop(mem);
}
END_TEST

START_TEST(failed_map_leaves_no_mapping)
{
    cl_event dep = tf_core_user_event(&core), mapped = NULL;
    const struct tf_enqueue at = {
        .queue = q, .dep_count = 1, .deps = &dep, .out = &mapped};
    const struct tf_map_desc desc = {
        .flags = CL_MAP_WRITE, .offset_bytes = 0, .size_bytes = 64};
    cl_mem mem = make(0, 64, NULL);
    void *host = NULL;

    ck_assert_int_eq(tf_enqueue_map(&err, &at, mem, &desc, &host), CL_SUCCESS);
    ck_assert_uint_eq(tf_map_count(mem), 1);
    ck_assert(tf_event_finish(dep, -1));
    ck_assert_int_lt(tf_event_wait(mapped), 0);
    ck_assert_uint_eq(tf_map_count(mem), 0);
    tf_core_release(dep, &tf_class_event);
    tf_core_release(mapped, &tf_class_event);
    drop(mem);
}
END_TEST

// ---- Destructor callbacks ----

static char names[] = "123", order[8];
static atomic_int called;

static void CL_CALLBACK note_call(cl_mem mem, void *data)
{
    (void)mem;
    order[atomic_load(&called)] = *(const char *)data;
    atomic_fetch_add(&called, 1);
}

static void CL_CALLBACK ignore_call(cl_mem mem, void *data)
{
    (void)mem, (void)data;
}

START_TEST(destructors_run_newest_first)
{
    cl_mem mem = make(0, 64, NULL);

    atomic_store(&called, 0);
    ck_assert_int_eq(
        tf_destructors_add(
            &err, &mem->destructors,
            &(struct tf_destructor){.mem = mem, .mem_fn = note_call, .data = &names[0]}),
        CL_SUCCESS);
    ck_assert_int_eq(
        tf_destructors_add(
            &err, &mem->destructors,
            &(struct tf_destructor){.mem = mem, .mem_fn = note_call, .data = &names[1]}),
        CL_SUCCESS);
    ck_assert_int_eq(
        tf_destructors_add(
            &err, &mem->destructors,
            &(struct tf_destructor){.mem = mem, .mem_fn = note_call, .data = &names[2]}),
        CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&called), 0);
    drop(mem);
    ck_assert(tf_core_wait_int(&called, 3));
    ck_assert_mem_eq(order, "321", 3);
}
END_TEST

// ---- Boxes ----

// Marks the bytes of a box; true if one was marked before.
static bool mark_box(unsigned char *bytes, size_t origin, const struct tf_rect *rect,
                     const size_t region[3])
{
    bool met = false;

    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++) {
                const size_t at = origin + rect->origin[0] + x +
                                  (rect->origin[1] + y) * rect->row_pitch_bytes +
                                  (rect->origin[2] + z) * rect->slice_pitch_bytes;

                met |= bytes[at] != 0;
                bytes[at] = 1;
            }
    return met;
}

static size_t pick(unsigned *state, size_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

// Against the definition: two boxes overlap if they share a byte.
START_TEST(overlap_of_boxes_is_exact)
{
    static unsigned char bytes[8192];
    cl_mem mem = make(0, 4096, NULL);
    unsigned state = 1;
    int met = 0;

    for (int round = 0; round < 20000; round++) {
        const size_t region[3] = {pick(&state, 6) + 1, pick(&state, 4) + 1,
                                  pick(&state, 3) + 1};
        const size_t row = region[0] + pick(&state, 5);
        const size_t slice = row * (region[1] + pick(&state, 3));
        struct tf_rect_copy copy = {.src = mem, .dst = mem};
        bool wanted;

        memcpy(copy.region, region, sizeof(region));
        for (int side = 0; side < 2; side++) {
            struct tf_rect *rect = side ? &copy.dst_rect : &copy.src_rect;

            *rect = (struct tf_rect){
                {pick(&state, 9), pick(&state, 5), pick(&state, 4)}, row, slice};
        }
        memset(bytes, 0, sizeof(bytes));
        mark_box(bytes, 0, &copy.src_rect, region);
        wanted = mark_box(bytes, 0, &copy.dst_rect, region);
        met += wanted;
        ck_assert_int_eq(tf_rect_copy_overlaps(&copy), wanted);
    }
    ck_assert_int_gt(met, 1000); // the test saw both answers
    ck_assert_int_lt(met, 19000);
    drop(mem);
}
END_TEST

START_TEST(windows_of_one_buffer_overlap)
{
    cl_mem mem = make(0, 512, NULL), a = make_sub(mem, 0, 256),
           b = make_sub(mem, 128, 256);
    cl_mem other = make(0, 512, NULL);

    ck_assert(tf_copy_overlaps(&(struct tf_copy){a, b, 128, 0, 1}));
    ck_assert(tf_copy_overlaps(&(struct tf_copy){mem, b, 135, 0, 8}));
    ck_assert(!tf_copy_overlaps(&(struct tf_copy){a, b, 0, 0, 128}));
    ck_assert(!tf_copy_overlaps(&(struct tf_copy){a, a, 0, 8, 8}));
    ck_assert(!tf_copy_overlaps(&(struct tf_copy){mem, other, 0, 0, 512}));
    ck_assert(!tf_copy_overlaps(&(struct tf_copy){mem, mem, 5, 5, 0}));
    drop(a);
    drop(b);
    drop(mem);
    drop(other);
}
END_TEST

START_TEST(spans_do_not_wrap)
{
    const size_t region[3] = {1, 2, 2};
    struct tf_rect rect = {{0, 0, 0}, SIZE_MAX / 2, 0};
    size_t first, last;

    ck_assert(tf_rect_default_pitches(&rect, region));
    ck_assert(!tf_rect_span(&rect, region, &first, &last));
    rect.row_pitch_bytes = SIZE_MAX;
    rect.slice_pitch_bytes = 0;
    ck_assert(!tf_rect_default_pitches(&rect, region));
    rect = (struct tf_rect){{0, 0, 2}, 1, SIZE_MAX / 2};
    ck_assert(!tf_rect_span(&rect, (size_t[]){1, 1, 2}, &first, &last));
    rect = (struct tf_rect){{3, 2, 1}, 10, 100};
    ck_assert(tf_rect_span(&rect, (size_t[]){4, 3, 2}, &first, &last));
    ck_assert_uint_eq(first, 123);
    ck_assert_uint_eq(last, 123 + 100 + 20 + 4);
}
END_TEST

// ---- Alignment ----

// clCreateSubBuffer refuses such an origin if no device takes it; where another device
// does, the enqueue has to look.
START_TEST(origin_must_suit_the_device_of_the_queue)
{
    cl_mem mem = make(0, 512, NULL), odd = make_sub(mem, 64, 64),
           even = make_sub(mem, 128, 64);
    char bytes[4];

    ck_assert(!tf_mem_origin_suits(odd->origin_bytes, &core.mock->dev));
    ck_assert(tf_mem_origin_suits(even->origin_bytes, &core.mock->dev));
    ck_assert(tf_mem_origin_suits(mem->origin_bytes, &core.mock->dev));
    ck_assert_int_eq(clEnqueueReadBuffer(q, odd, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
                     CL_MISALIGNED_SUB_BUFFER_OFFSET);
    ck_assert_int_eq(clEnqueueCopyBuffer(q, even, odd, 0, 0, 4, 0, NULL, NULL),
                     CL_MISALIGNED_SUB_BUFFER_OFFSET);
    ck_assert_int_eq(clEnqueueFillBuffer(q, odd, "x", 1, 0, 4, 0, NULL, NULL),
                     CL_MISALIGNED_SUB_BUFFER_OFFSET);
    ck_assert_int_eq(clEnqueueReadBuffer(q, even, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
                     CL_SUCCESS);
    drop(odd);
    drop(even);
    drop(mem);
}
END_TEST

START_TEST(devices_of_several_drivers_share_no_memory)
{
    struct tf_mock *second = tf_mock_create(1);
    cl_device_id devices[2] = {core.device, tf_device_register(&second->dev, NULL)};
    const struct tf_context_desc desc = {.devices = devices, .device_count = 2};
    const struct tf_buffer_desc buffer = {.size_bytes = 64};
    cl_context both = NULL;
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &both), CL_SUCCESS);
    ck_assert_int_eq(tf_buffer_create(&err, both, &buffer, &mem),
                     CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_ptr_null(mem);
    tf_core_release(both, &tf_class_context);
    ck_assert(tf_core_wait_int(&second->closed, 1));
    tf_mock_destroy(second);
}
END_TEST

// ---- Memory runs out ----

// Every allocation of a scenario fails once; nothing may be left behind (tf_core_end).
static cl_int scenario(void)
{
    const struct tf_enqueue at = {.queue = q, .blocking = true};
    const struct tf_buffer_desc desc = {
        .flags = CL_MEM_COPY_HOST_PTR, .size_bytes = 256, .host_ptr = (char[256]){0}};
    const struct tf_map_desc what = {.flags = CL_MAP_READ, .size_bytes = 4};
    const cl_buffer_region region = {0, 128};
    struct tf_err own = {0};
    cl_mem mem = NULL, sub = NULL;
    void *host = NULL;

    if (!tf_buffer_create(&own, core.ctx, &desc, &mem) &&
        !tf_sub_buffer_create(&own, mem, 0, &region, &sub) &&
        !tf_destructors_add(
            &own, &sub->destructors,
            &(struct tf_destructor){.mem = sub, .mem_fn = ignore_call, .data = NULL}) &&
        !tf_enqueue_map(&own, &at, sub, &what, &host))
        tf_enqueue_unmap(&own, &at, sub, host);
    if (sub)
        drop(sub);
    if (mem)
        drop(mem);
    return own.code;
}

START_TEST(running_out_of_memory_is_an_error_code)
{
    long n = 0;
    cl_int code;

    do {
        tf_alloc_fail_at(n++);
        code = scenario();
        tf_alloc_fail_at(-1);
        ck_assert(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY ||
                  code == CL_MEM_OBJECT_ALLOCATION_FAILURE);
    } while (code != CL_SUCCESS);
#ifdef TF_DEBUG
    ck_assert_int_gt(n, 3);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mem");
    TCase *all = tcase_create("mem");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, copy_host_ptr_is_copied_at_once);
    tcase_add_test(all, use_host_ptr_is_used_in_place);
    tcase_add_test(all, sub_buffer_is_a_window);
    tcase_add_test(all, sub_buffer_flags_fill_what_is_open);
    tcase_add_test(all, command_keeps_a_released_buffer);
    tcase_add_test(all, transfer_of_no_bytes_completes);
    tcase_add_test(all, fill_repeats_its_pattern);
    tcase_add_test(all, mappings_are_counted);
    tcase_add_test(all, regions_mapped_for_writing_do_not_overlap);
    tcase_add_test(all, map_that_the_device_fails_leaves_no_mapping);
    tcase_add_test(all, failed_map_leaves_no_mapping);
    tcase_add_test(all, destructors_run_newest_first);
    tcase_add_test(all, overlap_of_boxes_is_exact);
    tcase_add_test(all, windows_of_one_buffer_overlap);
    tcase_add_test(all, spans_do_not_wrap);
    tcase_add_test(all, origin_must_suit_the_device_of_the_queue);
    tcase_add_test(all, devices_of_several_drivers_share_no_memory);
    tcase_add_test(all, running_out_of_memory_is_an_error_code);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
