// SPDX-License-Identifier: MIT
// The names of roots.
#include "ir_text.h"

#include "compiler/ir/roots.h"

START_TEST(every_root_is_found_by_its_name)
{
    for (unsigned root = TF_ROOT_LID; root < TF_ROOT_UNKNOWN; root++)
        ck_assert_uint_eq(tf_root_named(tf_root_name((enum tf_root)root)), root);
    ck_assert_uint_eq(tf_root_named("tf_gid2"), TF_ROOT_GID + 2);
}
END_TEST

START_TEST(types_follow_some_names)
{
    ck_assert_uint_eq(tf_root_named("__tf_sub_group_reduce_u32"),
                      TF_ROOT_SUB_GROUP_REDUCE);
    ck_assert_uint_eq(tf_root_named("__tf_sub_group_barrier_u32"), TF_ROOT_UNKNOWN);
}
END_TEST

START_TEST(other_functions_are_no_roots)
{
    ck_assert_uint_eq(tf_root_named("tf_gang"), TF_ROOT_NONE);
    ck_assert_uint_eq(tf_root_named("llvm.trap"), TF_ROOT_NONE);
    ck_assert_uint_eq(tf_root_named("__tf_no_such_root"), TF_ROOT_UNKNOWN);
}
END_TEST

START_TEST(a_call_is_of_a_root)
{
    struct ir ir;

    ir_open(&ir, "define i32 @k(i32 %n) {\n"
                 "  %x = call i32 @tf_lid1()\n  call void @__tf_barrier()\n"
                 "  %y = call i32 @llvm.abs.i32(i32 %n, i1 false)\n"
                 "  %z = add i32 %x, %y\n  ret i32 %z\n}\n"
                 "declare i32 @llvm.abs.i32(i32, i1)\n");
    ck_assert_uint_eq(tf_root_of(ir_value(&ir, "x")), TF_ROOT_LID + 1);
    ck_assert_uint_eq(tf_root_of(LLVMGetNextInstruction(ir_value(&ir, "x"))),
                      TF_ROOT_BARRIER);
    ck_assert_uint_eq(tf_root_of(ir_value(&ir, "y")), TF_ROOT_NONE);
    ck_assert_uint_eq(tf_root_of(ir_value(&ir, "z")), TF_ROOT_NONE);
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_roots(void)
{
    Suite *suite = suite_create("roots");
    TCase *c = tcase_create("names");

    tcase_add_test(c, every_root_is_found_by_its_name);
    tcase_add_test(c, types_follow_some_names);
    tcase_add_test(c, other_functions_are_no_roots);
    tcase_add_test(c, a_call_is_of_a_root);
    suite_add_tcase(suite, c);
    return suite;
}
