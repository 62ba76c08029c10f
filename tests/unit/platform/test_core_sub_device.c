// SPDX-License-Identifier: MIT
// Sub-devices of the mock device: four compute units, two L3 caches of two units each, L2
// and L1 caches of one, one NUMA node, no word of an L4.
#include "core/platform/device_query.h"
#include "core/platform/sub_device.h"

#include "base/alloc.h"
#include "core/memory/buffer.h"
#include "core/memory/svm.h"
#include "core/program/kernel.h"
#include "core/program/program_build.h"
#include "core/program/program_query.h"
#include "support/core_fixture.h"

#define EQUALLY CL_DEVICE_PARTITION_EQUALLY
#define COUNTS CL_DEVICE_PARTITION_BY_COUNTS
#define AFFINITY CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN
#define NEXT CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
#define L1 CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE
#define L2 CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE
#define L3 CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE
#define L4 CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE
#define NUMA CL_DEVICE_AFFINITY_DOMAIN_NUMA

typedef cl_device_partition_property property;

static cl_device_affinity_domain domains_of(cl_device_id device)
{
    cl_device_affinity_domain domains = 0;

    ck_assert_int_eq(tf_device_affinity_domains(&err, device, &domains), CL_SUCCESS);
    return domains;
}

static size_t schemes_of(cl_device_id device, property out[TF_PARTITION_SCHEMES])
{
    return tf_device_partition_schemes(device, domains_of(device), out);
}

static cl_device_id parts[TF_MOCK_UNITS];

// Partitions `device`; fails unless it gives `wanted` parts.
static void partition(cl_device_id device, const property *list, cl_uint wanted)
{
    cl_uint asked = 0, count = 0;

    ck_assert_int_eq(tf_device_partition(&err, device, list, 0, NULL, &asked), 0);
    ck_assert_uint_eq(asked, wanted);
    ck_assert_int_eq(
        tf_device_partition(&err, device, list, TF_MOCK_UNITS, parts, &count), 0);
    ck_assert_uint_eq(count, wanted);
}

static void release(cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        tf_core_release(parts[i], &tf_class_device);
}

static cl_int code_of(cl_device_id device, const property *list)
{
    cl_uint count = 77;
    const cl_int code =
        tf_device_partition(&(struct tf_err){0}, device, list, 0, NULL, &count);

    ck_assert(code == CL_SUCCESS || count == 77);
    return code;
}

static const struct tf_mock *mock_of(cl_device_id device)
{
    return tf_container_of(device->dev, struct tf_mock, dev);
}

static void has_units(cl_device_id device, uint32_t first, uint32_t count)
{
    ck_assert_uint_eq(device->info->compute_units, count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(mock_of(device)->units[i], first + i);
}

START_TEST(equal_parts_leave_the_rest_unused)
{
    const property pairs[] = {EQUALLY, 2, 0}, three[] = {EQUALLY, 3, 0};

    partition(core.device, pairs, 2);
    has_units(parts[0], 0, 2);
    has_units(parts[1], 2, 2);
    release(2);
    partition(core.device, three, 1);
    has_units(parts[0], 0, 3);
    release(1);
}
END_TEST

START_TEST(parts_by_counts)
{
    const property list[] = {COUNTS, 1, 2, 0, 0};

    partition(core.device, list, 2);
    has_units(parts[0], 0, 1);
    has_units(parts[1], 1, 2);
    release(2);
}
END_TEST

START_TEST(parts_by_affinity)
{
    const property by_l3[] = {AFFINITY, L3, 0}, by_l1[] = {AFFINITY, L1, 0};

    ck_assert_uint_eq(domains_of(core.device), L1 | L2 | L3 | NEXT);
    partition(core.device, by_l3, 2);
    has_units(parts[0], 0, 2);
    has_units(parts[1], 2, 2);
    release(2);
    partition(core.device, by_l1, 4);
    has_units(parts[3], 3, 1);
    release(4);
}
END_TEST

static void has_type(cl_device_id device, const property *wanted, size_t words)
{
    property type[8];
    size_t bytes;

    ck_assert_int_eq(tf_device_get_info(&err, device, CL_DEVICE_PARTITION_TYPE,
                                        sizeof(type), type, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, words * sizeof(property));
    if (words)
        ck_assert_mem_eq(type, wanted, bytes);
}

// The next level is the first at which the device falls into several parts.
START_TEST(next_partitionable_goes_level_by_level)
{
    const property next[] = {AFFINITY, NEXT, 0}, l3[] = {AFFINITY, L3, 0},
                   l2[] = {AFFINITY, L2, 0};
    cl_device_id halves[2];

    partition(core.device, next, 2);
    has_type(parts[0], l3, 3);
    halves[0] = parts[0];
    halves[1] = parts[1];
    ck_assert_uint_eq(domains_of(halves[1]), L1 | L2 | NEXT);
    partition(halves[1], next, 2);
    has_type(parts[0], l2, 3);
    has_units(parts[0], 2, 1);
    has_units(parts[1], 3, 1);
    ck_assert_int_eq(code_of(parts[0], next), CL_DEVICE_PARTITION_FAILED);
    release(2);
    ck_assert_int_eq(code_of(halves[0], l3), CL_DEVICE_PARTITION_FAILED);
    tf_core_release(halves[0], &tf_class_device);
    tf_core_release(halves[1], &tf_class_device);
}
END_TEST

START_TEST(types_are_kept_as_given)
{
    const property counts[] = {COUNTS, 2, 1, 0, 0}, equally[] = {EQUALLY, 1, 0};

    has_type(core.device, NULL, 0);
    partition(core.device, counts, 2);
    has_type(parts[1], counts, 5);
    release(2);
    partition(core.device, equally, 4);
    has_type(parts[3], equally, 3);
    release(4);
}
END_TEST

START_TEST(bad_partitions)
{
    static const struct {
        property list[6];
        cl_int code;
    } bad[] = {
        {{EQUALLY, 0, 0}, CL_INVALID_VALUE},
        {{EQUALLY, -1, 0}, CL_INVALID_VALUE},
        {{EQUALLY, 1, EQUALLY, 1, 0}, CL_INVALID_VALUE},
        {{EQUALLY, 4, 0}, CL_DEVICE_PARTITION_FAILED},
        {{EQUALLY, 5, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{COUNTS, 0, 0}, CL_INVALID_VALUE},
        {{COUNTS, -1, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{COUNTS, 5, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{COUNTS, 3, 2, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{AFFINITY, 0, 0}, CL_INVALID_VALUE},
        {{AFFINITY, L4, 0}, CL_INVALID_VALUE},
        {{AFFINITY, NUMA, 0}, CL_INVALID_VALUE}, // one node: no part of it is one
        {{AFFINITY, L2 | L3, 0}, CL_INVALID_VALUE},
        {{AFFINITY, 0x1000, 0}, CL_INVALID_VALUE},
        {{AFFINITY, L3, EQUALLY, 1, 0}, CL_INVALID_VALUE},
        {{0x7777, 1, 0}, CL_INVALID_VALUE},
    };
    const property single[] = {COUNTS, 1, 0, 0}, equally[] = {EQUALLY, 1, 0};
    cl_uint count = 77;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_int_eq(code_of(core.device, bad[i].list), bad[i].code);
    ck_assert_int_eq(
        tf_device_partition(&(struct tf_err){0}, core.device, equally, 3, parts, &count),
        CL_INVALID_VALUE); // room for three of four
    partition(core.device, single, 1);
    ck_assert_int_eq(code_of(parts[0], equally), CL_DEVICE_PARTITION_FAILED);
    ck_assert_int_eq(code_of(parts[0], single), CL_DEVICE_PARTITION_FAILED);
    release(1);
}
END_TEST

START_TEST(devices_without_the_operations_offer_nothing)
{
    const property equally[] = {EQUALLY, 1, 0};
    property schemes[TF_PARTITION_SCHEMES];
    struct tf_mock *plain = tf_mock_create(0);
    cl_device_id device;

    plain->ops.affinity = NULL;
    plain->ops.sub_device_new = NULL;
    plain->ops.sub_device_free = NULL;
    device = tf_device_register(&plain->dev, NULL);
    ck_assert_int_eq(code_of(device, equally), CL_INVALID_VALUE);
    ck_assert_uint_eq(tf_device_partition_most(device), 0);
    ck_assert_uint_eq(domains_of(device), 0);
    ck_assert_uint_eq(schemes_of(device, schemes), 1);
    ck_assert_int_eq(schemes[0], 0);
    tf_mock_destroy(plain);
}
END_TEST

START_TEST(queries_tell_what_can_be_done)
{
    const property single[] = {COUNTS, 1, 2, 0, 0};
    property schemes[TF_PARTITION_SCHEMES];
    cl_device_id parent;
    cl_uint refs;

    ck_assert_uint_eq(schemes_of(core.device, schemes), 4);
    ck_assert_int_eq(schemes[0], EQUALLY);
    ck_assert_int_eq(schemes[1], COUNTS);
    ck_assert_int_eq(schemes[2], CL_DEVICE_PARTITION_BY_NAMES_INTEL);
    ck_assert_int_eq(schemes[3], AFFINITY);
    ck_assert_uint_eq(tf_device_partition_most(core.device), 4);
    partition(core.device, single, 2);
    ck_assert_uint_eq(schemes_of(parts[0], schemes), 1);
    ck_assert_int_eq(schemes[0], 0);
    ck_assert_uint_eq(tf_device_partition_most(parts[0]), 0);
    ck_assert_uint_eq(tf_device_partition_most(parts[1]), 2);
    tf_device_get_info(&err, parts[0], CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent,
                       NULL);
    ck_assert_ptr_eq(parent, core.device);
    ck_assert_int_eq(tf_object_retain(&err, parts[0], &tf_class_device), CL_SUCCESS);
    tf_device_get_info(&err, parts[0], CL_DEVICE_REFERENCE_COUNT, sizeof(refs), &refs,
                       NULL);
    ck_assert_uint_eq(refs, 2);
    tf_core_release(parts[0], &tf_class_device);
    release(2);
    ck_assert_int_eq(tf_object_release(&(struct tf_err){0}, parts[0], &tf_class_device),
                     CL_INVALID_DEVICE);
}
END_TEST

START_TEST(parts_keep_what_they_are_parts_of)
{
    const property halves[] = {EQUALLY, 2, 0}, singles[] = {EQUALLY, 1, 0};
    cl_device_id half, single;

    partition(core.device, halves, 2);
    half = parts[0];
    tf_core_release(parts[1], &tf_class_device);
    partition(half, singles, 2);
    single = parts[1];
    tf_core_release(parts[0], &tf_class_device);
    tf_core_release(half, &tf_class_device);
    ck_assert_int_eq(atomic_load(&core.mock->live_parts), 2);
    ck_assert_ptr_eq(single->parent, half);
    ck_assert_ptr_eq(single->root, core.device);
    ck_assert(tf_device_within(single, half));
    ck_assert(tf_device_within(single, core.device));
    ck_assert(!tf_device_within(core.device, single));
    ck_assert(tf_object_ok(half, &tf_class_device));
    tf_core_release(single, &tf_class_device);
    ck_assert(!tf_object_ok(half, &tf_class_device));
    ck_assert_int_eq(atomic_load(&core.mock->live_parts), 0);
}
END_TEST

static cl_context context_on(const cl_device_id *devices, cl_uint count)
{
    const struct tf_context_desc desc = {.devices = devices, .device_count = count};
    cl_context ctx = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    ck_assert_uint_eq(ctx->device_count, count);
    return ctx;
}

static cl_command_queue queue_on(cl_context ctx, cl_device_id device)
{
    cl_command_queue q = NULL;

    ck_assert_int_eq(
        tf_queue_create(&err, ctx, &(struct tf_queue_desc){.device = device}, &q), 0);
    return q;
}

// The whole stays open while a part is used, and the part lives as long as its context.
START_TEST(contexts_own_their_parts)
{
    const property halves[] = {EQUALLY, 2, 0};
    struct tf_mock *first;
    cl_context ctx;
    cl_command_queue q;
    cl_event ev;

    partition(core.device, halves, 2);
    ctx = context_on(parts, 2);
    release(2);
    first = tf_container_of(parts[0]->dev, struct tf_mock, dev);
    ck_assert_int_eq(atomic_load(&first->opened), 1);
    ck_assert_int_eq(atomic_load(&core.mock->opened), 1);
    q = queue_on(ctx, parts[0]);
    tf_core_release(ctx, &tf_class_context);
    ev = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    tf_core_release(ev, &tf_class_event);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&runs), 1);
    ck_assert_int_eq(atomic_load(&first->submitted), 1);
    ck_assert_int_eq(atomic_load(&core.mock->live_parts), 2);
    tf_core_release(q, &tf_class_queue); // its last command may end a little later
    ck_assert(tf_core_wait_int(&core.mock->live_parts, 0));
}
END_TEST

START_TEST(part_that_does_not_open_closes_the_whole)
{
    const property halves[] = {EQUALLY, 2, 0};
    struct tf_context_desc desc = {.devices = parts, .device_count = 2};
    cl_context ctx = NULL;
    struct tf_mock *second;

    tf_core_release(core.ctx, &tf_class_context);
    ck_assert(tf_core_wait_int(&core.mock->closed, 1));
    partition(core.device, halves, 2);
    second = tf_container_of(parts[1]->dev, struct tf_mock, dev);
    atomic_store(&second->open_status, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(tf_context_create(&(struct tf_err){0}, &desc, &ctx),
                     CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(atomic_load(&core.mock->opened), 2);
    ck_assert_int_eq(atomic_load(&core.mock->closed), 2);
    release(2);
    core.ctx = context_on(&core.device, 1);
}
END_TEST

static cl_program program_of(cl_context ctx)
{
    const char *text = "kernel a";
    const struct tf_source_desc source = {.count = 1, .strings = &text};
    cl_program prog = NULL;

    ck_assert_int_eq(tf_program_create_source(&err, ctx, &source, &prog), CL_SUCCESS);
    return prog;
}

static void is_built(cl_program prog, cl_uint index, cl_build_status wanted)
{
    cl_build_status status = 1;

    ck_assert_int_eq(tf_program_get_build_info(&err, prog, index, CL_PROGRAM_BUILD_STATUS,
                                               sizeof(status), &status, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(status, wanted);
}

// One compilation serves a device and its parts; a build for it is one for them.
START_TEST(programs_are_built_once_for_all_parts)
{
    const property halves[] = {EQUALLY, 2, 0};
    cl_device_id devices[3];
    struct tf_build_desc on_whole = {.device_count = 1, .devices = &core.device};
    struct tf_build_desc on_part = {.device_count = 1, .devices = &devices[0]};
    cl_context ctx;
    cl_program prog;
    cl_kernel kernel = NULL;

    partition(core.device, halves, 2);
    devices[0] = parts[0];
    devices[1] = parts[1];
    devices[2] = core.device;
    ctx = context_on(devices, 3);
    prog = program_of(ctx);
    ck_assert_int_eq(tf_program_build(&err, prog, &on_part), CL_SUCCESS);
    is_built(prog, 0, CL_BUILD_SUCCESS);
    is_built(prog, 1, CL_BUILD_NONE);
    is_built(prog, 2, CL_BUILD_NONE);
    ck_assert_int_eq(atomic_load(&core.mock->builds), 1);
    ck_assert_int_eq(tf_program_build(&err, prog, &on_whole), CL_SUCCESS);
    for (cl_uint i = 0; i < 3; i++)
        is_built(prog, i, CL_BUILD_SUCCESS);
    ck_assert_int_eq(atomic_load(&core.mock->builds), 2);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "a", &kernel), CL_SUCCESS);
    for (cl_uint i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(tf_kernel_on(kernel, devices[i]));
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_release(ctx, &tf_class_context);
    release(2);
}
END_TEST

START_TEST(failed_builds_reach_every_part)
{
    const property halves[] = {EQUALLY, 2, 0};
    const struct tf_build_desc all = {0};
    const char *text = "error";
    const struct tf_source_desc source = {.count = 1, .strings = &text};
    char log[100] = "";
    cl_context ctx;
    cl_program prog;

    partition(core.device, halves, 2);
    ctx = context_on(parts, 2);
    ck_assert_int_eq(tf_program_create_source(&err, ctx, &source, &prog), CL_SUCCESS);
    ck_assert_int_eq(tf_program_build(&(struct tf_err){0}, prog, &all),
                     CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(atomic_load(&core.mock->builds), 1);
    for (cl_uint i = 0; i < 2; i++) {
        is_built(prog, i, CL_BUILD_ERROR);
        tf_program_get_build_info(&err, prog, i, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                                  NULL);
        ck_assert_str_eq(log, "1:1: error: the source says so\n");
    }
    tf_core_release(prog, &tf_class_program);
    tf_core_release(ctx, &tf_class_context);
    release(2);
}
END_TEST

START_TEST(links_share_what_they_get_alike)
{
    const property halves[] = {EQUALLY, 2, 0};
    const struct tf_build_desc all = {0};
    struct tf_link_desc link = {.devices = parts, .device_count = 2, .input_count = 1};
    cl_program object, linked = NULL;
    cl_context ctx;

    partition(core.device, halves, 2);
    ctx = context_on(parts, 2);
    object = program_of(ctx);
    ck_assert_int_eq(tf_program_compile(&err, object, &all), CL_SUCCESS);
    link.inputs = &object;
    ck_assert_int_eq(tf_program_link(&err, ctx, &link, &linked), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&core.mock->builds), 2);
    is_built(linked, 0, CL_BUILD_SUCCESS);
    is_built(linked, 1, CL_BUILD_SUCCESS);
    tf_core_release(linked, &tf_class_program);
    tf_core_release(object, &tf_class_program);
    tf_core_release(ctx, &tf_class_context);
    release(2);
}
END_TEST

// A buffer made for one part serves the queues of all: memory is the whole's.
START_TEST(memory_is_that_of_the_whole)
{
    const property halves[] = {EQUALLY, 2, 0};
    const struct tf_buffer_desc desc = {.flags = CL_MEM_READ_WRITE, .size_bytes = 64};
    const struct tf_svm_desc svm = {.kind = TF_SVM_SHARED, .size_bytes = 64};
    cl_context ctx;
    cl_mem mem = NULL;
    void *ptr = NULL;

    partition(core.device, halves, 2);
    ctx = context_on(parts, 2);
    ck_assert_int_eq(tf_buffer_create(&err, ctx, &desc, &mem), CL_SUCCESS);
    ck_assert_ptr_eq(mem->dev, core.device->dev);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 1);
    ck_assert_int_eq(tf_svm_alloc(&err, ctx, &svm, &ptr), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 2);
    ck_assert_int_eq(tf_svm_free(&err, ctx, TF_SVM_SHARED, ptr), CL_SUCCESS);
    tf_core_release(mem, &tf_class_mem);
    tf_core_release(ctx, &tf_class_context);
    release(2);
}
END_TEST

// Every allocation fails once; each time nothing is left behind.
START_TEST(memory_runs_out)
{
    const property halves[] = {AFFINITY, NEXT, 0};
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    cl_uint count;
    int n;

    for (n = 0; n < 100 && code; n++) {
        parts[0] = parts[1] = NULL;
        tf_alloc_fail_at(n);
        code = tf_device_partition(&(struct tf_err){0}, core.device, halves, 2, parts,
                                   &count);
        tf_alloc_fail_at(-1);
        ck_assert(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY);
        ck_assert_int_eq(atomic_load(&core.mock->live_parts), code ? 0 : 2);
    }
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_gt(n, 5);
    release(2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub_device");
    TCase *plans = tcase_create("plans"), *use = tcase_create("use");

    tcase_add_checked_fixture(plans, setup, teardown);
    tcase_add_test(plans, equal_parts_leave_the_rest_unused);
    tcase_add_test(plans, parts_by_counts);
    tcase_add_test(plans, parts_by_affinity);
    tcase_add_test(plans, next_partitionable_goes_level_by_level);
    tcase_add_test(plans, types_are_kept_as_given);
    tcase_add_test(plans, bad_partitions);
    tcase_add_test(plans, devices_without_the_operations_offer_nothing);
    tcase_add_test(plans, queries_tell_what_can_be_done);
    suite_add_tcase(suite, plans);
    tcase_add_checked_fixture(use, setup, teardown);
    tcase_add_test(use, parts_keep_what_they_are_parts_of);
    tcase_add_test(use, contexts_own_their_parts);
    tcase_add_test(use, part_that_does_not_open_closes_the_whole);
    tcase_add_test(use, programs_are_built_once_for_all_parts);
    tcase_add_test(use, failed_builds_reach_every_part);
    tcase_add_test(use, links_share_what_they_get_alike);
    tcase_add_test(use, memory_is_that_of_the_whole);
    tcase_add_test(use, memory_runs_out);
    suite_add_tcase(suite, use);
    return tf_run_suite(suite);
}
