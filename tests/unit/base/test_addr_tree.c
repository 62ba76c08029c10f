// SPDX-License-Identifier: MIT
#include "base/addr_tree.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include "support/suite.h"

enum { SLOTS = 4096, SLOT_BYTES = 64, RANGE_BYTES = 48 };

static struct tf_addr_node nodes[SLOTS];
static struct tf_addr_node *root;

static void begin(void)
{
    root = NULL;
}

static void insert(size_t slot)
{
    nodes[slot] =
        (struct tf_addr_node){.start = 4096 + slot * SLOT_BYTES, .bytes = RANGE_BYTES};
    tf_addr_insert(&root, &nodes[slot]);
}

// Steps through all slots in an order that is neither rising nor falling.
static size_t mixed(size_t i)
{
    return i * 1543 % SLOTS;
}

static size_t depth(const struct tf_addr_node *node)
{
    size_t below, above;

    if (!node)
        return 0;
    below = depth(node->child[0]);
    above = depth(node->child[1]);
    return 1 + (below > above ? below : above);
}

START_TEST(every_address_of_a_range_finds_it)
{
    for (size_t i = 0; i < SLOTS; i++)
        insert(mixed(i));
    for (size_t i = 0; i < SLOTS; i++) {
        const uintptr_t start = nodes[i].start;

        ck_assert_ptr_eq(tf_addr_find(root, start), &nodes[i]);
        ck_assert_ptr_eq(tf_addr_find(root, start + 17), &nodes[i]);
        ck_assert_ptr_eq(tf_addr_find(root, start + RANGE_BYTES - 1), &nodes[i]);
        ck_assert_ptr_null(tf_addr_find(root, start + RANGE_BYTES));
    }
    ck_assert_ptr_null(tf_addr_find(root, 0));
    ck_assert_ptr_null(tf_addr_find(root, 4095));
    ck_assert_ptr_null(tf_addr_find(root, UINTPTR_MAX));
}
END_TEST

START_TEST(removed_ranges_are_gone_and_others_stay)
{
    for (size_t i = 0; i < SLOTS; i++)
        insert(i);
    for (size_t i = 0; i < SLOTS; i += 2) {
        const size_t slot = mixed(i);

        ck_assert_ptr_eq(tf_addr_remove(&root, nodes[slot].start), &nodes[slot]);
        ck_assert_ptr_null(tf_addr_remove(&root, nodes[slot].start));
    }
    for (size_t i = 0; i < SLOTS; i++) {
        struct tf_addr_node *found = tf_addr_find(root, nodes[mixed(i)].start);

        ck_assert_ptr_eq(found, i % 2 ? &nodes[mixed(i)] : NULL);
    }
}
END_TEST

START_TEST(only_a_first_address_removes)
{
    insert(3);
    ck_assert_ptr_null(tf_addr_remove(&root, nodes[3].start + 1));
    ck_assert_ptr_null(tf_addr_remove(&root, nodes[3].start - 1));
    ck_assert_ptr_eq(tf_addr_remove(&root, nodes[3].start), &nodes[3]);
    ck_assert_ptr_null(root);
}
END_TEST

START_TEST(an_empty_tree_has_nothing)
{
    ck_assert_ptr_null(tf_addr_find(root, 1));
    ck_assert_ptr_null(tf_addr_remove(&root, 1));
}
END_TEST

// A search tree of rising keys alone would be 4096 deep.
START_TEST(depth_does_not_depend_on_the_order)
{
    for (size_t i = 0; i < SLOTS; i++)
        insert(i);
    ck_assert_uint_lt(depth(root), 60);
    begin();
    for (size_t i = SLOTS; i-- > 0;)
        insert(i);
    ck_assert_uint_lt(depth(root), 60);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("addr_tree");
    TCase *tc = tcase_create("addr_tree");

    tcase_add_checked_fixture(tc, begin, NULL);
    tcase_add_test(tc, every_address_of_a_range_finds_it);
    tcase_add_test(tc, removed_ranges_are_gone_and_others_stay);
    tcase_add_test(tc, only_a_first_address_removes);
    tcase_add_test(tc, an_empty_tree_has_nothing);
    tcase_add_test(tc, depth_does_not_depend_on_the_order);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
