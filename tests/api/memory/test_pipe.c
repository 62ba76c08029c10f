// SPDX-License-Identifier: MIT
// Pipes: making them and asking about them; kernels that write and read them.
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static cl_int code;

static cl_mem create(cl_context ctx, cl_mem_flags flags, cl_uint bytes, cl_uint packets)
{
    cl_mem pipe = clCreatePipe(ctx, flags, bytes, packets, NULL, &code);

    ck_assert_int_eq(pipe == NULL, code != CL_SUCCESS);
    return pipe;
}

static cl_int create_and_release(cl_context ctx, cl_mem_flags flags, cl_uint bytes,
                                 cl_uint packets)
{
    cl_mem pipe = create(ctx, flags, bytes, packets);

    if (pipe)
        ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
    return code;
}

static cl_uint device_number(cl_device_info what)
{
    cl_uint number = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(number), &number, NULL),
                     CL_SUCCESS);
    return number;
}

// ---- The host's side ----

START_TEST(device_has_pipes)
{
    ck_assert_uint_eq(device_number(CL_DEVICE_PIPE_SUPPORT), CL_TRUE);
    ck_assert_uint_ge(device_number(CL_DEVICE_MAX_PIPE_ARGS), 16);
    ck_assert_uint_ge(device_number(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1);
    ck_assert_uint_ge(device_number(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024);
}
END_TEST

START_TEST(pipe_arguments_are_checked)
{
    const cl_pipe_properties none[] = {0};
    const cl_uint most = device_number(CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    const cl_mem_flags wrong[] = {CL_MEM_READ_ONLY,       CL_MEM_WRITE_ONLY,
                                  CL_MEM_USE_HOST_PTR,    CL_MEM_ALLOC_HOST_PTR,
                                  CL_MEM_COPY_HOST_PTR,   CL_MEM_HOST_READ_ONLY,
                                  CL_MEM_HOST_WRITE_ONLY, (cl_mem_flags)1 << 40};

    ck_assert_rejects(CL_INVALID_CONTEXT, create_and_release(bad, 0, 4, 4), tf_api.q);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        ck_assert_int_eq(create_and_release(tf_api.ctx, wrong[i], 4, 4),
                         CL_INVALID_VALUE);
    ck_assert_int_eq(create_and_release(tf_api.ctx, CL_MEM_READ_WRITE, 4, 4), CL_SUCCESS);
    ck_assert_int_eq(create_and_release(tf_api.ctx, CL_MEM_HOST_NO_ACCESS, 4, 4),
                     CL_SUCCESS);
    ck_assert_ptr_null(clCreatePipe(tf_api.ctx, 0, 4, 4, none, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(create_and_release(tf_api.ctx, 0, 0, 4), CL_INVALID_PIPE_SIZE);
    ck_assert_int_eq(create_and_release(tf_api.ctx, 0, 4, 0), CL_INVALID_PIPE_SIZE);
    ck_assert_int_eq(create_and_release(tf_api.ctx, 0, most, 1), CL_SUCCESS);
    ck_assert_int_eq(create_and_release(tf_api.ctx, 0, most + 1, 1),
                     CL_INVALID_PIPE_SIZE);
    ck_assert_int_eq(create_and_release(tf_api.ctx, 0, most, UINT32_MAX),
                     CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_ptr_null(clCreatePipe(tf_api.ctx, 0, 0, 4, NULL, NULL));
}
END_TEST

START_TEST(info_tells_what_was_made)
{
    cl_mem pipe = create(tf_api.ctx, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 24, 100);
    cl_mem_object_type type;
    cl_mem_flags flags;
    cl_uint number;
    size_t bytes;

    ck_assert_int_eq(
        clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof(number), &number, &bytes),
        CL_SUCCESS);
    ck_assert_uint_eq(number, 24);
    ck_assert_uint_eq(bytes, sizeof(number));
    ck_assert_int_eq(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof(number), &number, 0),
                     CL_SUCCESS);
    ck_assert_uint_eq(number, 100);
    ck_assert_int_eq(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, 0);
    ck_assert_int_eq(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof(type), &type, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(type, CL_MEM_OBJECT_PIPE);
    ck_assert_int_eq(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    ck_assert_int_eq(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_ge(bytes, 2400);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}
END_TEST

START_TEST(info_checks_its_arguments)
{
    cl_mem pipe = create(tf_api.ctx, 0, 4, 4);
    cl_mem buffer = tf_api_buffer(0, 4, NULL);
    cl_uint number;

    ck_assert_rejects(CL_INVALID_MEM_OBJECT,
                      clGetPipeInfo(bad, CL_PIPE_PACKET_SIZE, 4, &number, NULL),
                      tf_api.q);
    ck_assert_int_eq(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &number, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &number, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetPipeInfo(pipe, CL_MEM_SIZE, 4, &number, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseMemObject(buffer), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}
END_TEST

START_TEST(pipes_are_no_buffers)
{
    cl_mem pipe = create(tf_api.ctx, 0, 4, 4);
    const cl_buffer_region region = {0, 4};
    char bytes[4] = {0};

    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(
        clEnqueueWriteBuffer(tf_api.q, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, pipe, bytes, 1, 0, 4, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_ptr_null(
        clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    ck_assert_int_eq(code, CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clEnqueueMigrateMemObjects(tf_api.q, 1, &pipe, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}
END_TEST

// ---- Kernels ----

static const char source[] =
    "kernel void put(write_only pipe uint p, uint first, global int *result) {\n"
    "    uint value = first + get_global_id(0);\n"
    "    result[get_global_id(0)] = write_pipe(p, &value);\n"
    "}\n"
    "kernel void get(read_only pipe uint p, global uint *out, global int *result) {\n"
    "    uint value = 0;\n"
    "    result[get_global_id(0)] = read_pipe(p, &value);\n"
    "    out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void put_pairs(write_only pipe uint p) {\n"
    "    reserve_id_t id = reserve_write_pipe(p, 2);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        for (uint i = 0; i < 2; i++) {\n"
    "            uint value = 2 * get_global_id(0) + i;\n"
    "            write_pipe(p, id, i, &value);\n"
    "        }\n"
    "        commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void get_pairs(read_only pipe uint p, global uint *out) {\n"
    "    reserve_id_t id = reserve_read_pipe(p, 2);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        uint a, b;\n"
    "        read_pipe(p, id, 0, &a);\n"
    "        read_pipe(p, id, 1, &b);\n"
    "        commit_read_pipe(p, id);\n"
    "        out[2 * get_global_id(0)] = a;\n"
    "        out[2 * get_global_id(0) + 1] = b;\n"
    "    }\n"
    "}\n"
    "kernel void move_groups(read_only pipe uint p, write_only pipe uint q) {\n"
    "    reserve_id_t in = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    reserve_id_t out = work_group_reserve_write_pipe(q, get_local_size(0));\n"
    "    if (is_valid_reserve_id(in) && is_valid_reserve_id(out)) {\n"
    "        uint value;\n"
    "        read_pipe(p, in, get_local_id(0), &value);\n"
    "        write_pipe(q, out, get_local_size(0) - 1 - get_local_id(0), &value);\n"
    "        work_group_commit_read_pipe(p, in);\n"
    "        work_group_commit_write_pipe(q, out);\n"
    "    }\n"
    "}\n"
    "typedef struct { char3 a; long b; } packet;\n"
    "kernel void sizes(read_only pipe packet p, write_only pipe char q,\n"
    "                  global uint *out) {\n"
    "    char c = 1;\n"
    "    packet big = {(char3)(1, 2, 3), 4};\n"
    "    out[0] = get_pipe_num_packets(q);\n"
    "    write_pipe(q, &c);\n"
    "    out[1] = get_pipe_num_packets(q);\n"
    "    out[2] = get_pipe_max_packets(q);\n"
    "    out[3] = get_pipe_max_packets(p);\n"
    "    out[4] = read_pipe(p, &big) != 0;\n"
    "}\n"
    "kernel void count_reserved(write_only pipe uint p, global uint *out) {\n"
    "    uint value = 1;\n"
    "    reserve_id_t id = reserve_write_pipe(p, 2);\n"
    "    out[0] = get_pipe_num_packets(p);\n"
    "    write_pipe(p, id, 0, &value);\n"
    "    write_pipe(p, id, 1, &value);\n"
    "    out[1] = get_pipe_num_packets(p);\n"
    "    commit_write_pipe(p, id);\n"
    "    out[2] = get_pipe_num_packets(p);\n"
    "    write_pipe(p, &value);\n"
    "    out[3] = get_pipe_num_packets(p);\n"
    "}\n"
    "kernel void fill_structs(write_only pipe packet p) {\n"
    "    packet big = {(char3)(1, 2, 3), get_global_id(0) << 40};\n"
    "    write_pipe(p, &big);\n"
    "}\n"
    "kernel void sum_structs(read_only pipe packet p, global long *out) {\n"
    "    packet big;\n"
    "    if (read_pipe(p, &big) == 0)\n"
    "        out[big.b >> 40] += big.a.x + big.a.y + big.a.z;\n"
    "}\n";

static cl_program prog;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, "-cl-std=CL3.0");
}

static void end(void)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static void run(cl_kernel kernel, size_t global, size_t local)
{
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_kernel put_kernel(cl_mem pipe, cl_uint first, cl_mem result)
{
    cl_kernel kernel = tf_api_kernel(prog, "put");

    tf_api_set_arg(kernel, 0, sizeof(pipe), &pipe);
    tf_api_set_arg(kernel, 1, sizeof(first), &first);
    tf_api_set_arg(kernel, 2, sizeof(result), &result);
    return kernel;
}

static cl_kernel get_kernel(cl_mem pipe, cl_mem out, cl_mem result)
{
    cl_kernel kernel = tf_api_kernel(prog, "get");

    tf_api_set_arg(kernel, 0, sizeof(pipe), &pipe);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    tf_api_set_arg(kernel, 2, sizeof(result), &result);
    return kernel;
}

static size_t count_equal(const cl_int *values, size_t count, cl_int wanted)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += values[i] == wanted;
    return n;
}

// Each of first..first + count - 1 once.
static void check_all_there(const cl_uint *values, size_t count, cl_uint first)
{
    static unsigned char seen[4096];

    ck_assert_uint_le(count, sizeof(seen));
    memset(seen, 0, sizeof(seen));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(values[i] - first, count);
        ck_assert_uint_eq(seen[values[i] - first]++, 0);
    }
}

enum { PACKETS = 1000, ITEMS = 1024 };

struct scene {
    cl_mem pipe, out, result;
    cl_uint values[2 * ITEMS];
    cl_int results[ITEMS];
};

static void scene_begin(struct scene *s)
{
    s->pipe = create(tf_api.ctx, 0, sizeof(cl_uint), PACKETS);
    s->out = tf_api_buffer(0, sizeof(s->values), NULL);
    s->result = tf_api_buffer(0, sizeof(s->results), NULL);
}

static void scene_end(struct scene *s)
{
    ck_assert_int_eq(clReleaseMemObject(s->pipe), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(s->out), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(s->result), CL_SUCCESS);
}

START_TEST(packets_go_in_and_come_out)
{
    struct scene s;

    scene_begin(&s);
    for (cl_uint round = 0; round < 3; round++) {
        const cl_uint first = 5000 * round;

        // More than the pipe holds: the rest is told so.
        run(put_kernel(s.pipe, first, s.result), ITEMS, 64);
        tf_api_read(s.result, 0, sizeof(s.results), s.results);
        ck_assert_uint_eq(count_equal(s.results, ITEMS, 0), PACKETS);
        for (size_t i = 0; i < ITEMS; i++)
            ck_assert_int_le(s.results[i], 0);

        run(get_kernel(s.pipe, s.out, s.result), 64, 64);
        tf_api_read(s.out, 0, sizeof(s.values), s.values);
        for (size_t i = 0; i < 64; i++) {
            ck_assert_uint_ge(s.values[i], first);
            ck_assert_uint_lt(s.values[i], first + ITEMS);
        }
        // And less than is asked for.
        run(get_kernel(s.pipe, s.out, s.result), ITEMS, 64);
        tf_api_read(s.result, 0, sizeof(s.results), s.results);
        ck_assert_uint_eq(count_equal(s.results, ITEMS, 0), PACKETS - 64);
    }
    scene_end(&s);
}
END_TEST

START_TEST(order_of_one_writer_is_kept)
{
    struct scene s;

    scene_begin(&s);
    for (cl_uint i = 0; i < 10; i++)
        run(put_kernel(s.pipe, i, s.result), 1, 1);
    for (cl_uint i = 0; i < 10; i++) {
        run(get_kernel(s.pipe, s.out, s.result), 1, 1);
        tf_api_read(s.out, 0, sizeof(cl_uint), s.values);
        ck_assert_uint_eq(s.values[0], i);
    }
    scene_end(&s);
}
END_TEST

START_TEST(reservations_stay_together)
{
    cl_kernel put, get;
    struct scene s;

    scene_begin(&s);
    for (int round = 0; round < 3; round++) {
        put = tf_api_kernel(prog, "put_pairs");
        tf_api_set_arg(put, 0, sizeof(s.pipe), &s.pipe);
        run(put, PACKETS / 2, 4);
        get = tf_api_kernel(prog, "get_pairs");
        tf_api_set_arg(get, 0, sizeof(s.pipe), &s.pipe);
        tf_api_set_arg(get, 1, sizeof(s.out), &s.out);
        run(get, PACKETS / 2, 4);
        tf_api_read(s.out, 0, PACKETS * sizeof(cl_uint), s.values);
        check_all_there(s.values, PACKETS, 0);
        for (size_t i = 0; i < PACKETS; i += 2)
            ck_assert_uint_eq(s.values[i] + 1, s.values[i + 1]);
    }
    scene_end(&s);
}
END_TEST

START_TEST(groups_reserve_together)
{
    enum { GROUP = 50 };
    cl_kernel kernel = tf_api_kernel(prog, "move_groups");
    cl_mem other;
    struct scene s;

    scene_begin(&s);
    other = create(tf_api.ctx, 0, sizeof(cl_uint), PACKETS);
    run(put_kernel(s.pipe, 0, s.result), PACKETS, 1);
    tf_api_set_arg(kernel, 0, sizeof(s.pipe), &s.pipe);
    tf_api_set_arg(kernel, 1, sizeof(other), &other);
    run(kernel, PACKETS, GROUP);
    run(get_kernel(other, s.out, s.result), PACKETS, 1);
    tf_api_read(s.result, 0, PACKETS * sizeof(cl_int), s.results);
    ck_assert_uint_eq(count_equal(s.results, PACKETS, 0), PACKETS);
    tf_api_read(s.out, 0, PACKETS * sizeof(cl_uint), s.values);
    check_all_there(s.values, PACKETS, 0);
    ck_assert_int_eq(clReleaseMemObject(other), CL_SUCCESS);
    scene_end(&s);
}
END_TEST

START_TEST(packets_reserved_for_writing_are_not_there_yet)
{
    cl_kernel kernel = tf_api_kernel(prog, "count_reserved");
    struct scene s;

    scene_begin(&s);
    tf_api_set_arg(kernel, 0, sizeof(s.pipe), &s.pipe);
    tf_api_set_arg(kernel, 1, sizeof(s.out), &s.out);
    run(kernel, 1, 1);
    tf_api_read(s.out, 0, 4 * sizeof(cl_uint), s.values);
    ck_assert_uint_eq(s.values[0], 0);
    ck_assert_uint_eq(s.values[1], 0);
    ck_assert_uint_eq(s.values[2], 2);
    ck_assert_uint_eq(s.values[3], 3);
    scene_end(&s);
}
END_TEST

START_TEST(packets_have_every_size)
{
    cl_mem bytes = create(tf_api.ctx, 0, 1, 7), structs = create(tf_api.ctx, 0, 16, 5);
    cl_mem out = tf_api_buffer(0, 64, NULL);
    const cl_uint wanted[5] = {0, 1, 7, 5, 1};
    cl_kernel kernel = tf_api_kernel(prog, "sizes");
    cl_long zeros[5] = {0}, sums[5];
    cl_uint found[5];

    tf_api_set_arg(kernel, 0, sizeof(structs), &structs);
    tf_api_set_arg(kernel, 1, sizeof(bytes), &bytes);
    tf_api_set_arg(kernel, 2, sizeof(out), &out);
    run(kernel, 1, 1);
    tf_api_read(out, 0, sizeof(found), found);
    ck_assert_mem_eq(found, wanted, sizeof(found));

    ck_assert_int_eq(clEnqueueWriteBuffer(tf_api.q, out, CL_TRUE, 0, sizeof(zeros), zeros,
                                          0, NULL, NULL),
                     CL_SUCCESS);
    kernel = tf_api_kernel(prog, "fill_structs");
    tf_api_set_arg(kernel, 0, sizeof(structs), &structs);
    run(kernel, 5, 5);
    kernel = tf_api_kernel(prog, "sum_structs");
    tf_api_set_arg(kernel, 0, sizeof(structs), &structs);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    run(kernel, 5, 1);
    tf_api_read(out, 0, sizeof(sums), sums);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(sums[i], 6);
    ck_assert_int_eq(clReleaseMemObject(bytes), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(structs), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
}
END_TEST

START_TEST(pipe_argument_is_checked)
{
    cl_kernel kernel = tf_api_kernel(prog, "put_pairs");
    cl_mem pipe = create(tf_api.ctx, 0, 4, 4),
           foreign = create(tf_api.other_ctx, 0, 4, 4);
    cl_mem buffer = tf_api_buffer(0, 4, NULL), none = NULL;
    const size_t one = 1;

    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(pipe), NULL), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, 4, &pipe), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(none), &none),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(foreign), &foreign),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(pipe), &pipe), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(clReleaseMemObject(foreign), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(buffer), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}
END_TEST

START_TEST(pipes_are_no_buffer_arguments)
{
    cl_kernel kernel = tf_api_kernel(prog, "get");
    cl_mem pipe = create(tf_api.ctx, 0, 4, 4);

    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(pipe), &pipe),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}
END_TEST

START_TEST(kernel_tells_of_its_pipes)
{
    cl_kernel kernel = tf_api_kernel(prog, "move_groups");
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier type;
    cl_kernel_arg_address_qualifier address;
    char name[16];

    for (cl_uint i = 0; i < 2; i++) {
        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                            sizeof(access), &access, NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(access, i ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                                    : CL_KERNEL_ARG_ACCESS_READ_ONLY);
        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER,
                                            sizeof(type), &type, NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(type, CL_KERNEL_ARG_TYPE_PIPE);
        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                            sizeof(address), &address, NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME,
                                            sizeof(name), name, NULL),
                         CL_SUCCESS);
        ck_assert_str_eq(name, "uint");
    }
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}
END_TEST

// A writer and a reader at the same time, in two queues: what has come out at the end and
// what is left make the whole.
START_TEST(kernels_share_a_pipe)
{
    cl_command_queue queues[2] = {tf_api.q, NULL};
    const size_t global = ITEMS, local = 16;
    struct scene s;

    scene_begin(&s);
    queues[1] =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int round = 0; round < 20; round++) {
        const cl_uint zero = 0;
        cl_kernel put = put_kernel(s.pipe, 0, s.result);
        cl_mem got = tf_api_buffer(0, sizeof(s.results), NULL);
        cl_kernel get = get_kernel(s.pipe, s.out, got);
        size_t in, out, left;

        ck_assert_int_eq(clEnqueueFillBuffer(queues[0], s.out, &zero, sizeof(zero), 0,
                                             sizeof(s.values), 0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clFinish(queues[0]), CL_SUCCESS);
        ck_assert_int_eq(clEnqueueNDRangeKernel(queues[0], put, 1, NULL, &global, &local,
                                                0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clEnqueueNDRangeKernel(queues[1], get, 1, NULL, &global, &local,
                                                0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clFlush(queues[0]), CL_SUCCESS);
        ck_assert_int_eq(clFinish(queues[1]), CL_SUCCESS);
        ck_assert_int_eq(clFinish(queues[0]), CL_SUCCESS);
        tf_api_read(s.result, 0, sizeof(s.results), s.results);
        in = count_equal(s.results, ITEMS, 0);
        tf_api_read(got, 0, sizeof(s.results), s.results);
        out = count_equal(s.results, ITEMS, 0);
        ck_assert_int_eq(clReleaseKernel(put), CL_SUCCESS);
        ck_assert_int_eq(clReleaseKernel(get), CL_SUCCESS);

        run(get_kernel(s.pipe, s.out, got), ITEMS, 16);
        tf_api_read(got, 0, sizeof(s.results), s.results);
        left = count_equal(s.results, ITEMS, 0);
        ck_assert_uint_eq(in, out + left);
        ck_assert_int_eq(clReleaseMemObject(got), CL_SUCCESS);
    }
    ck_assert_int_eq(clReleaseCommandQueue(queues[1]), CL_SUCCESS);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipe");
    TCase *tcase = tcase_create("host");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, device_has_pipes);
    tcase_add_test(tcase, pipe_arguments_are_checked);
    tcase_add_test(tcase, info_tells_what_was_made);
    tcase_add_test(tcase, info_checks_its_arguments);
    tcase_add_test(tcase, pipes_are_no_buffers);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("kernels");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_test(tcase, packets_go_in_and_come_out);
    tcase_add_test(tcase, order_of_one_writer_is_kept);
    tcase_add_test(tcase, reservations_stay_together);
    tcase_add_test(tcase, groups_reserve_together);
    tcase_add_test(tcase, packets_reserved_for_writing_are_not_there_yet);
    tcase_add_test(tcase, packets_have_every_size);
    tcase_add_test(tcase, pipe_argument_is_checked);
    tcase_add_test(tcase, pipes_are_no_buffer_arguments);
    tcase_add_test(tcase, kernel_tells_of_its_pipes);
    tcase_add_test(tcase, kernels_share_a_pipe);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
