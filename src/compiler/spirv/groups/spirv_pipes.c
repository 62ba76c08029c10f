// SPDX-License-Identifier: MIT
// Pipes: the calls that Clang makes of the functions of OpenCL C
// (compiler/lower/pipes.h).
#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { MOST_ARGUMENTS = 6, SPACE_GENERIC = 4 };

// Arguments of a call, in the making.
struct call {
    struct tf_spv *r;
    LLVMValueRef args[MOST_ARGUMENTS];
    unsigned count;
};

static void add_pipe(struct call *c, uint32_t at)
{
    tf_spv_need(c->r, tf_spv_type_of_value_at(c->r, at)->kind == TF_SPV_PIPE,
                "operand is no pipe");
    c->args[c->count++] = tf_spv_value_at(c->r, at);
}

static void add_reservation(struct call *c, uint32_t at)
{
    tf_spv_need(c->r, tf_spv_type_of_value_at(c->r, at)->kind == TF_SPV_RESERVE_ID,
                "operand is no reservation");
    c->args[c->count++] = tf_spv_value_at(c->r, at);
}

static void add_number(struct call *c, uint32_t at)
{
    c->args[c->count++] = tf_spv_group_uint(c->r, at).value;
}

static void add_packet(struct call *c, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(c->r, at);
    const LLVMTypeRef generic = LLVMPointerTypeInContext(c->r->context, SPACE_GENERIC);
    LLVMValueRef value = tf_spv_value_at(c->r, at);

    tf_spv_need(c->r,
                type->kind == TF_SPV_POINTER &&
                    type->storage != TF_SPV_STORAGE_UNIFORM_CONSTANT,
                "operand is no pointer to a packet");
    if (type->storage != TF_SPV_STORAGE_GENERIC)
        value = LLVMBuildAddrSpaceCast(c->r->builder, value, generic, "");
    c->args[c->count++] = value;
}

// Size and alignment of a packet stand last.
static void add_layout(struct call *c)
{
    add_number(c, c->r->op.count - 2);
    add_number(c, c->r->op.count - 1);
}

static LLVMValueRef finish(struct call *c, const char *name, LLVMTypeRef type)
{
    return tf_spv_call_symbol(c->r, name, type, c->args, c->count);
}

static void finish_typed(struct call *c, const char *name, LLVMTypeRef type)
{
    tf_spv_set_result(c->r, finish(c, name, type));
}

void tf_spv_op_pipe_access(struct tf_spv *r)
{
    const bool reads = r->op.opcode == TF_SPV_OP_ReadPipe;
    struct call c = {.r = r};

    add_pipe(&c, 3);
    add_packet(&c, 4);
    add_layout(&c);
    finish_typed(&c, reads ? "__read_pipe_2" : "__write_pipe_2",
                 LLVMInt32TypeInContext(r->context));
}

void tf_spv_op_pipe_reserved_access(struct tf_spv *r)
{
    const bool reads = r->op.opcode == TF_SPV_OP_ReservedReadPipe;
    struct call c = {.r = r};

    add_pipe(&c, 3);
    add_reservation(&c, 4);
    add_number(&c, 5);
    add_packet(&c, 6);
    add_layout(&c);
    finish_typed(&c, reads ? "__read_pipe_4" : "__write_pipe_4",
                 LLVMInt32TypeInContext(r->context));
}

// Clang's name of what the group of the scope at `at` does with a pipe; 0: a work-item.
static const char *name_of(struct tf_spv *r, uint32_t at, const char *what, bool reads)
{
    return tf_spv_format(r, "__%s%s_%s_pipe",
                         at == 0                             ? ""
                         : tf_spv_group_is_work_group(r, at) ? "work_group_"
                                                             : "sub_group_",
                         what, reads ? "read" : "write");
}

void tf_spv_op_pipe_reserve(struct tf_spv *r)
{
    const uint32_t op = r->op.opcode;
    const bool group = op == TF_SPV_OP_GroupReserveReadPipePackets ||
                       op == TF_SPV_OP_GroupReserveWritePipePackets;
    const bool reads = op == TF_SPV_OP_ReserveReadPipePackets ||
                       op == TF_SPV_OP_GroupReserveReadPipePackets;
    struct call c = {.r = r};

    add_pipe(&c, group ? 4 : 3);
    add_number(&c, group ? 5 : 4);
    add_layout(&c);
    finish_typed(&c, name_of(r, group ? 3 : 0, "reserve", reads),
                 LLVMInt64TypeInContext(r->context));
}

void tf_spv_op_pipe_commit(struct tf_spv *r)
{
    const uint32_t op = r->op.opcode;
    const bool group =
        op == TF_SPV_OP_GroupCommitReadPipe || op == TF_SPV_OP_GroupCommitWritePipe;
    const bool reads =
        op == TF_SPV_OP_CommitReadPipe || op == TF_SPV_OP_GroupCommitReadPipe;
    struct call c = {.r = r};

    add_pipe(&c, group ? 2 : 1);
    add_reservation(&c, group ? 3 : 2);
    add_layout(&c);
    finish(&c, name_of(r, group ? 1 : 0, "commit", reads),
           LLVMVoidTypeInContext(r->context));
}

void tf_spv_op_pipe_is_valid(struct tf_spv *r)
{
    struct call c = {.r = r};

    add_reservation(&c, 3);
    finish_typed(&c, "_Z19is_valid_reserve_id13ocl_reserveid",
                 LLVMInt1TypeInContext(r->context));
}

void tf_spv_op_pipe_count(struct tf_spv *r)
{
    const bool all = r->op.opcode == TF_SPV_OP_GetMaxPipePackets;
    struct call c = {.r = r};

    add_pipe(&c, 3);
    add_layout(&c);
    finish_typed(&c, all ? "__get_pipe_max_packets_ro" : "__get_pipe_num_packets_ro",
                 LLVMInt32TypeInContext(r->context));
}
