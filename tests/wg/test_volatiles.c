// SPDX-License-Identifier: MIT
// Volatile accesses of local memory are ordinary ones, unless a loop waits.
#include <string.h>

#include "compiler/workgroup/prepare/waits/wait.h"
#include "ir_text.h"

#define HEAD                                                                       \
    "define void @k(ptr addrspace(3) %tile, ptr addrspace(1) %p) {\nentry:\n"      \
    "  %x = call i32 @tf_lid0()\n"                                                 \
    "  %at = getelementptr i32, ptr addrspace(3) %tile, i32 %x\n"                  \
    "  %next = getelementptr i32, ptr addrspace(3) %at, i32 1\n  br label %loop\n" \
    "loop:\n  %n = phi i32 [ 8, %entry ], [ %half, %loop ]\n"
#define END "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n"
#define COUNTED "  %half = lshr i32 %n, 1\n  %more = icmp ne i32 %half, 0\n"
// One that ends when somebody has changed what lies in the tile.
#define WAITING "  %half = add i32 %n, 1\n  %more = icmp eq i32 %seen, 0\n"
#define ACCESSES                                             \
    "  %seen = load volatile i32, ptr addrspace(3) %next\n"  \
    "  store volatile i32 %seen, ptr addrspace(3) %at\n"     \
    "  %other = load volatile i32, ptr addrspace(1) %p\n"    \
    "  %old = atomicrmw volatile add ptr addrspace(3) %tile" \
    ", i32 1 monotonic\n"

// How many accesses stay volatile.
static int left(const char *text)
{
    struct ir ir;
    char *result;
    int count = 0;

    ir_open(&ir, text);
    tf_prepare_volatiles(ir.fn);
    result = LLVMPrintValueToString(ir.fn);
    for (const char *at = result; (at = strstr(at, " volatile ")); at++)
        count++;
    LLVMDisposeMessage(result);
    ir_close(&ir);
    return count;
}

START_TEST(nobody_can_tell_when_local_memory_is_accessed)
{
    ck_assert_int_eq(left(HEAD ACCESSES COUNTED END), 2); // global memory, the atomic one
}
END_TEST

START_TEST(who_waits_in_a_loop_can)
{
    ck_assert_int_eq(left(HEAD ACCESSES WAITING END), 4);
}
END_TEST

Suite *tf_suite_volatiles(void)
{
    Suite *suite = suite_create("volatiles");
    TCase *tests = tcase_create("volatiles");

    tcase_add_test(tests, nobody_can_tell_when_local_memory_is_accessed);
    tcase_add_test(tests, who_waits_in_a_loop_can);
    suite_add_tcase(suite, tests);
    return suite;
}
