// SPDX-License-Identifier: MIT
// Instructions of the work-items of a sub-group that are there: votes, ballots,
// exchanges.
#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { BALLOT_WORDS = 4, GROUP_REDUCE = 0, GROUP_INCLUSIVE, GROUP_EXCLUSIVE };

static LLVMTypeRef i32(const struct tf_spv *r)
{
    return LLVMInt32TypeInContext(r->context);
}

// ---- Votes ----

void tf_spv_op_group_elect(struct tf_spv *r)
{
    tf_spv_group_need_sub_group(r, 3);
    tf_spv_group_set_bool(r, tf_spv_call(r, "sub_group_elect", i32(r), NULL, 0));
}

static void vote(struct tf_spv *r, const char *name, uint32_t at)
{
    const struct tf_spv_arg arg = tf_spv_group_int_of_bool(r, at);

    tf_spv_group_set_bool(r, tf_spv_call(r, name, i32(r), &arg, 1));
}

void tf_spv_op_group_non_uniform_all(struct tf_spv *r)
{
    tf_spv_group_need_sub_group(r, 3);
    vote(r, "sub_group_non_uniform_all", 4);
}

void tf_spv_op_group_non_uniform_any(struct tf_spv *r)
{
    tf_spv_group_need_sub_group(r, 3);
    vote(r, "sub_group_non_uniform_any", 4);
}

// A value that may be exchanged: a boolean goes as an int.
static struct tf_spv_arg value_at(struct tf_spv *r, uint32_t at)
{
    return tf_spv_type_of_value_at(r, at)->kind == TF_SPV_BOOL
               ? tf_spv_group_int_of_bool(r, at)
               : tf_spv_group_arg(r, at, false);
}

// Component `i` of a vector.
static struct tf_spv_arg component(struct tf_spv *r, const struct tf_spv_arg *vector,
                                   uint32_t i)
{
    return (struct tf_spv_arg){
        .value = LLVMBuildExtractElement(r->builder, vector->value,
                                         LLVMConstInt(i32(r), i, false), ""),
        .type = tf_spv_scalar(vector->type)};
}

void tf_spv_op_group_all_equal(struct tf_spv *r)
{
    const struct tf_spv_arg whole = value_at(r, 4);
    const uint32_t n = tf_spv_components(whole.type);
    LLVMValueRef all = NULL;

    tf_spv_group_need_sub_group(r, 3);
    for (uint32_t i = 0; i < n; i++) {
        const struct tf_spv_arg arg = n > 1 ? component(r, &whole, i) : whole;
        const LLVMValueRef one =
            tf_spv_call(r, "sub_group_non_uniform_all_equal", i32(r), &arg, 1);

        all = all ? LLVMBuildAnd(r->builder, all, one, "") : one;
    }
    tf_spv_group_set_bool(r, all);
}

// ---- Exchanges ----

// Calls the function for the value at `at` with a second argument (unless it has none)
// and a third one; vectors component by component.
static void exchange(struct tf_spv *r, const char *name, uint32_t at,
                     const struct tf_spv_arg *more, unsigned more_count)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_arg whole = value_at(r, at);
    const bool is_vector = type->kind == TF_SPV_VECTOR;
    struct tf_spv_arg args[3] = {whole};
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(whole.value));

    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->llvm == type->llvm,
                "the result has another type");
    for (unsigned i = 0; i < more_count; i++)
        args[1 + i] = more[i];
    for (uint32_t i = 0; i < tf_spv_components(type); i++) {
        if (is_vector)
            args[0] = component(r, &whole, i);
        const LLVMValueRef one =
            tf_spv_call(r, name, LLVMTypeOf(args[0].value), args, 1 + more_count);

        result = is_vector ? LLVMBuildInsertElement(r->builder, result, one,
                                                    LLVMConstInt(i32(r), i, false), "")
                           : one;
    }
    if (type->kind == TF_SPV_BOOL)
        tf_spv_group_set_bool(r, result);
    else
        tf_spv_set_result(r, result);
}

static void exchange_by(struct tf_spv *r, const char *name)
{
    const struct tf_spv_arg by = tf_spv_group_uint(r, 5);

    tf_spv_group_need_sub_group(r, 3);
    exchange(r, name, 4, &by, 1);
}

void tf_spv_op_group_non_uniform_broadcast(struct tf_spv *r)
{
    // Since version 1.5 the number need only be the same in all work-items.
    exchange_by(r, "sub_group_non_uniform_broadcast");
}

void tf_spv_op_group_broadcast_first(struct tf_spv *r)
{
    tf_spv_group_need_sub_group(r, 3);
    exchange(r, "sub_group_broadcast_first", 4, NULL, 0);
}

void tf_spv_op_group_shuffle(struct tf_spv *r)
{
    exchange_by(r, "sub_group_shuffle");
}

void tf_spv_op_group_shuffle_xor(struct tf_spv *r)
{
    exchange_by(r, "sub_group_shuffle_xor");
}

void tf_spv_op_group_shuffle_up(struct tf_spv *r)
{
    exchange_by(r, "sub_group_shuffle_up");
}

void tf_spv_op_group_shuffle_down(struct tf_spv *r)
{
    exchange_by(r, "sub_group_shuffle_down");
}

void tf_spv_op_group_rotate(struct tf_spv *r)
{
    const bool is_clustered = tf_spv_has_word(r, 6);
    struct tf_spv_arg more[2] = {tf_spv_group_uint(r, 5)};

    tf_spv_group_need_sub_group(r, 3);
    more[0].is_unsigned = false; // an int of OpenCL C
    if (is_clustered) {
        const uint64_t size = tf_spv_constant_at(r, 6);

        tf_spv_need(r, size > 0 && !(size & (size - 1)), "a cluster of %llu work-items",
                    (unsigned long long)size);
        more[1] = tf_spv_group_uint(r, 6);
    }
    exchange(r, is_clustered ? "sub_group_clustered_rotate" : "sub_group_rotate", 4, more,
             is_clustered ? 2 : 1);
}

// ---- Ballots ----

static LLVMTypeRef ballot_type(const struct tf_spv *r)
{
    return LLVMVectorType(i32(r), BALLOT_WORDS);
}

static struct tf_spv_arg ballot_at(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->llvm == ballot_type(r),
                "a ballot is a vector of four integers of 32 bits");
    return tf_spv_group_arg(r, at, true);
}

void tf_spv_op_group_ballot(struct tf_spv *r)
{
    const struct tf_spv_arg arg = tf_spv_group_int_of_bool(r, 4);

    tf_spv_group_need_sub_group(r, 3);
    tf_spv_set_result(r, tf_spv_call(r, "sub_group_ballot", ballot_type(r), &arg, 1));
}

void tf_spv_op_group_inverse_ballot(struct tf_spv *r)
{
    const struct tf_spv_arg arg = ballot_at(r, 4);

    tf_spv_group_need_sub_group(r, 3);
    tf_spv_group_set_bool(r, tf_spv_call(r, "sub_group_inverse_ballot", i32(r), &arg, 1));
}

void tf_spv_op_group_ballot_extract(struct tf_spv *r)
{
    const struct tf_spv_arg args[] = {ballot_at(r, 4), tf_spv_group_uint(r, 5)};

    tf_spv_group_need_sub_group(r, 3);
    tf_spv_group_set_bool(
        r, tf_spv_call(r, "sub_group_ballot_bit_extract", i32(r), args, 2));
}

// A count, which may have any number of bits.
static void set_count(struct tf_spv *r, LLVMValueRef count)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->kind == TF_SPV_INT, "the result is an integer");
    tf_spv_set_result(r, LLVMBuildIntCast2(r->builder, count, type->llvm, false, ""));
}

void tf_spv_op_group_ballot_count(struct tf_spv *r)
{
    const struct tf_spv_arg arg = ballot_at(r, 5);
    const uint32_t how = tf_spv_word(r, 4);

    tf_spv_group_need_sub_group(r, 3);
    tf_spv_need(r, how <= GROUP_EXCLUSIVE, "group operation %u is not supported", how);
    set_count(r, tf_spv_call(r,
                             how == GROUP_REDUCE      ? "sub_group_ballot_bit_count"
                             : how == GROUP_INCLUSIVE ? "sub_group_ballot_inclusive_scan"
                                                      : "sub_group_ballot_exclusive_scan",
                             i32(r), &arg, 1));
}

void tf_spv_op_group_ballot_find(struct tf_spv *r)
{
    const struct tf_spv_arg arg = ballot_at(r, 4);
    const bool least = r->op.opcode == TF_SPV_OP_GroupNonUniformBallotFindLSB;

    tf_spv_group_need_sub_group(r, 3);
    set_count(r, tf_spv_call(
                     r, least ? "sub_group_ballot_find_lsb" : "sub_group_ballot_find_msb",
                     i32(r), &arg, 1));
}
