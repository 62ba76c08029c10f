// SPDX-License-Identifier: MIT
#include "compiler/lower/pipes.h"

#include <string.h>

#include <llvm-c/Core.h>

#define PACKET "_uint_uint"      // size and align
#define POINTER "_p4void" PACKET // packet
static const struct {
    const char *clang, *library;
} calls[] = {
    {"__read_pipe_2", "__tf_b_pipe_read_p1void" POINTER},
    {"__write_pipe_2", "__tf_b_pipe_write_p1void" POINTER},
    {"__read_pipe_4", "__tf_b_pipe_read_reserved_p1void_ulong_uint" POINTER},
    {"__write_pipe_4", "__tf_b_pipe_write_reserved_p1void_ulong_uint" POINTER},
    {"__reserve_read_pipe", "__tf_b_pipe_reserve_read_p1void_uint" PACKET},
    {"__reserve_write_pipe", "__tf_b_pipe_reserve_write_p1void_uint" PACKET},
    {"__commit_read_pipe", "__tf_b_pipe_commit_read_p1void_ulong" PACKET},
    {"__commit_write_pipe", "__tf_b_pipe_commit_write_p1void_ulong" PACKET},
    {"__work_group_reserve_read_pipe",
     "__tf_b_pipe_group_reserve_read_p1void_uint" PACKET},
    {"__work_group_reserve_write_pipe",
     "__tf_b_pipe_group_reserve_write_p1void_uint" PACKET},
    {"__work_group_commit_read_pipe",
     "__tf_b_pipe_group_commit_read_p1void_ulong" PACKET},
    {"__work_group_commit_write_pipe",
     "__tf_b_pipe_group_commit_write_p1void_ulong" PACKET},
    {"__sub_group_reserve_read_pipe",
     "__tf_b_pipe_sub_group_reserve_read_p1void_uint" PACKET},
    {"__sub_group_reserve_write_pipe",
     "__tf_b_pipe_sub_group_reserve_write_p1void_uint" PACKET},
    {"__sub_group_commit_read_pipe",
     "__tf_b_pipe_sub_group_commit_read_p1void_ulong" PACKET},
    {"__sub_group_commit_write_pipe",
     "__tf_b_pipe_sub_group_commit_write_p1void_ulong" PACKET},
    {"_Z19is_valid_reserve_id13ocl_reserveid", "__tf_b_pipe_reservation_is_valid_ulong"},
    {"__get_pipe_num_packets_ro", "__tf_b_pipe_packets_p1void" PACKET},
    {"__get_pipe_num_packets_wo", "__tf_b_pipe_packets_p1void" PACKET},
    {"__get_pipe_max_packets_ro", "__tf_b_pipe_max_packets_p1void" PACKET},
    {"__get_pipe_max_packets_wo", "__tf_b_pipe_max_packets_p1void" PACKET},
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

bool tf_pipes_is_call(const char *symbol)
{
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (!strcmp(symbol, calls[i].clang))
            return true;
    return false;
}

void tf_pipes_lower(LLVMModuleRef module)
{
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const LLVMValueRef function = LLVMGetNamedFunction(module, calls[i].clang);
        LLVMValueRef same;

        if (!function || !LLVMIsDeclaration(function))
            continue;
        // Two of Clang's names may be one of the library's.
        same = LLVMGetNamedFunction(module, calls[i].library);
        if (same)
            LLVMReplaceAllUsesWith(function, same);
        else
            LLVMSetValueName2(function, calls[i].library, strlen(calls[i].library));
    }
}
