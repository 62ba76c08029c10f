// SPDX-License-Identifier: MIT
// Pipes in modules: what one kernel writes, with and without a reservation, another
// reads.
#include <stdbool.h>

#include "api/program_rig.h"
#include "support/spirv_writer.h"
#include "support/suite.h"

enum { ITEMS = 16, PACKETS = 40 };

static struct spirv_writer w;

enum id {
    NO_ID,
    VOID,
    BOOL,
    INT,
    LONG,
    V3L,
    READER,
    WRITER,
    RESERVATION,
    GLOBAL_INT,
    PRIVATE_INT,
    GENERIC_INT,
    INPUT_V3L,
    READ_TYPE,
    WRITE_TYPE,
    GID,
    ZERO,
    ONE,
    FOUR,
    GROUP,
    MANY,
    FIRST_FREE,
};

static void preamble(void)
{
    static const uint32_t capabilities[] = {4, 6, 11, 17, 38};

    spirv_start(&w, 0);
    w.bound = FIRST_FREE;
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
        spirv_op(&w, 17, capabilities[i]);
    spirv_op(&w, 14, 2, 2);
}

static void entry_point(const char *name, uint32_t function)
{
    spirv_begin(&w, 15);
    spirv_word(&w, 6);
    spirv_word(&w, function);
    spirv_text(&w, name);
    spirv_word(&w, GID);
}

static void types(void)
{
    spirv_op(&w, 71, GID, 11, 28); // BuiltIn GlobalInvocationId
    spirv_op(&w, 19, VOID);
    spirv_op(&w, 20, BOOL);
    spirv_op(&w, 21, INT, 32, 0);
    spirv_op(&w, 21, LONG, 64, 0);
    spirv_op(&w, 23, V3L, LONG, 3);
    spirv_op(&w, 38, READER, 0);
    spirv_op(&w, 38, WRITER, 1);
    spirv_op(&w, 36, RESERVATION);
    spirv_op(&w, 32, GLOBAL_INT, 5, INT);
    spirv_op(&w, 32, PRIVATE_INT, 7, INT);
    spirv_op(&w, 32, GENERIC_INT, 8, INT);
    spirv_op(&w, 32, INPUT_V3L, 1, V3L);
    spirv_op(&w, 33, READ_TYPE, VOID, READER, GLOBAL_INT);
    spirv_op(&w, 33, WRITE_TYPE, VOID, WRITER, GLOBAL_INT);
    spirv_op(&w, 43, INT, ZERO, 0);
    spirv_op(&w, 43, INT, ONE, 1);
    spirv_op(&w, 43, INT, FOUR, 4);
    spirv_op(&w, 43, INT, GROUP, 2); // the scope Workgroup
    spirv_op(&w, 43, INT, MANY, ITEMS);
    spirv_op(&w, 59, INPUT_V3L, GID, 1);
}

// What every kernel begins with.
struct kernel {
    uint32_t pipe, out, packet, generic, number, place;
};

static struct kernel begin_kernel(uint32_t function, uint32_t type, uint32_t pipe_type)
{
    const struct kernel k = {spirv_id(&w), spirv_id(&w), spirv_id(&w),
                             spirv_id(&w), spirv_id(&w), spirv_id(&w)};
    const uint32_t ids = spirv_id(&w), id = spirv_id(&w);

    spirv_op(&w, 54, VOID, function, 0, type);
    spirv_op(&w, 55, pipe_type, k.pipe);
    spirv_op(&w, 55, GLOBAL_INT, k.out);
    spirv_op(&w, 248, spirv_id(&w));
    spirv_op(&w, 59, PRIVATE_INT, k.packet, 7);
    spirv_op(&w, 61, V3L, ids, GID);
    spirv_op(&w, 81, LONG, id, ids, 0);
    spirv_op(&w, 113, INT, k.number, id);
    spirv_op(&w, 70, GLOBAL_INT, k.place, k.out, id);
    spirv_op(&w, 62, k.packet, k.number);
    spirv_op(&w, 121, GENERIC_INT, k.generic, k.packet);
    return k;
}

static void end_kernel(const struct kernel *k, uint32_t value)
{
    spirv_op(&w, 62, k->place, value);
    spirv_begin(&w, 253);
    spirv_begin(&w, 56);
}

// out[i] = write_pipe(p, &i)
static void put(uint32_t function)
{
    const struct kernel k = begin_kernel(function, WRITE_TYPE, WRITER);
    const uint32_t status = spirv_id(&w);

    spirv_op(&w, 275, INT, status, k.pipe, k.generic, FOUR, FOUR);
    end_kernel(&k, status);
}

// read_pipe(p, &x), out[i] = x
static void get(uint32_t function)
{
    const struct kernel k = begin_kernel(function, READ_TYPE, READER);
    const uint32_t value = spirv_id(&w);

    spirv_op(&w, 274, INT, spirv_id(&w), k.pipe, k.generic, FOUR, FOUR);
    spirv_op(&w, 61, INT, value, k.packet);
    end_kernel(&k, value);
}

// The same with a reservation of each work-item.
static void put_reserved(uint32_t function)
{
    const struct kernel k = begin_kernel(function, WRITE_TYPE, WRITER);
    const uint32_t reservation = spirv_id(&w), status = spirv_id(&w);
    const uint32_t valid = spirv_id(&w), number = spirv_id(&w), sum = spirv_id(&w);

    spirv_op(&w, 279, RESERVATION, reservation, k.pipe, ONE, FOUR, FOUR);
    spirv_op(&w, 282, BOOL, valid, reservation);
    spirv_op(&w, 277, INT, status, k.pipe, reservation, ZERO, k.generic, FOUR, FOUR);
    spirv_op(&w, 281, k.pipe, reservation, FOUR, FOUR);
    spirv_op(&w, 169, INT, number, valid, ZERO, ONE);
    spirv_op(&w, 128, INT, sum, number, status);
    end_kernel(&k, sum);
}

// With one of the whole work-group: work-item i has packet i.
static void get_of_group(uint32_t function)
{
    const struct kernel k = begin_kernel(function, READ_TYPE, READER);
    const uint32_t reservation = spirv_id(&w), value = spirv_id(&w);

    spirv_op(&w, 285, RESERVATION, reservation, GROUP, k.pipe, MANY, FOUR, FOUR);
    spirv_op(&w, 276, INT, spirv_id(&w), k.pipe, reservation, k.number, k.generic, FOUR,
             FOUR);
    spirv_op(&w, 287, GROUP, k.pipe, reservation, FOUR, FOUR);
    spirv_op(&w, 61, INT, value, k.packet);
    end_kernel(&k, value);
}

// out[i] = packets there + 1000 * packets there is room for
static void count(uint32_t function)
{
    const struct kernel k = begin_kernel(function, READ_TYPE, READER);
    const uint32_t now = spirv_id(&w), most = spirv_id(&w);
    const uint32_t shifted = spirv_id(&w), sum = spirv_id(&w);

    spirv_op(&w, 283, INT, now, k.pipe, FOUR, FOUR);
    spirv_op(&w, 284, INT, most, k.pipe, FOUR, FOUR);
    spirv_op(&w, 196, INT, shifted, most, MANY);
    spirv_op(&w, 128, INT, sum, now, shifted);
    end_kernel(&k, sum);
}

static const struct {
    const char *name;
    void (*write)(uint32_t function);
} kernels[] = {{"put", put},
               {"get", get},
               {"put_reserved", put_reserved},
               {"get_of_group", get_of_group},
               {"count", count}};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

static cl_program make_program(void)
{
    uint32_t ids[KERNELS];
    cl_program prog;
    cl_int code;

    preamble();
    for (int i = 0; i < KERNELS; i++)
        entry_point(kernels[i].name, ids[i] = spirv_id(&w));
    types();
    for (int i = 0; i < KERNELS; i++)
        kernels[i].write(ids[i]);
    prog = clCreateProgramWithIL(tf_api.ctx, w.words, spirv_finish(&w), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_msg(build(prog, "") == CL_SUCCESS, "%s", log_of(prog));
    return prog;
}

static void run(cl_program prog, const char *name, cl_mem pipe, size_t items,
                cl_int *results)
{
    cl_kernel kernel = tf_api_kernel(prog, name);
    cl_mem out = tf_api_buffer(0, items * 4, NULL);

    tf_api_set_arg(kernel, 0, sizeof(pipe), &pipe);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(out, 0, items * 4, results);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
}

static cl_mem make_pipe(cl_uint packet_bytes)
{
    cl_int code;
    cl_mem pipe = clCreatePipe(tf_api.ctx, 0, packet_bytes, PACKETS, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return pipe;
}

// Every number of a work-item comes back once.
static void check_passes(const char *writer, const char *reader)
{
    cl_program prog = make_program();
    cl_mem pipe = make_pipe(4);
    cl_int status[ITEMS], seen[ITEMS], counted;
    unsigned all = 0;

    run(prog, writer, pipe, ITEMS, status);
    run(prog, "count", pipe, 1, &counted);
    ck_assert_int_eq(counted, ITEMS + (PACKETS << 16));
    run(prog, reader, pipe, ITEMS, seen);
    for (int i = 0; i < ITEMS; i++) {
        ck_assert_int_eq(status[i], 0);
        ck_assert(seen[i] >= 0 && seen[i] < ITEMS);
        all |= 1u << seen[i];
    }
    ck_assert_uint_eq(all, (1u << ITEMS) - 1);
    run(prog, "count", pipe, 1, &counted);
    ck_assert_int_eq(counted, PACKETS << 16);
    drop(prog);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}

START_TEST(packets_pass_through)
{
    check_passes("put", "get");
}
END_TEST

START_TEST(reserved_packets_pass_through)
{
    check_passes("put_reserved", "get_of_group");
}
END_TEST

// SPIR-V says how large packets are where they are written only.
START_TEST(packets_of_another_size_are_left_alone)
{
    static const char *const writers[] = {"put", "put_reserved"};
    cl_program prog = make_program();
    cl_mem pipe = make_pipe(8);
    cl_int status[ITEMS], counted;

    for (int writer = 0; writer < 2; writer++) {
        run(prog, writers[writer], pipe, ITEMS, status);
        for (int i = 0; i < ITEMS; i++) // the second adds 1, as its reservation is none
            ck_assert_int_eq(status[i], writer - 1);
        run(prog, "count", pipe, 1, &counted);
        ck_assert_int_eq(counted, PACKETS << 16);
    }
    drop(prog);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il_pipes");
    TCase *tests = tcase_create("il_pipes");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, packets_pass_through);
    tcase_add_test(tests, reserved_packets_pass_through);
    tcase_add_test(tests, packets_of_another_size_are_left_alone);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
