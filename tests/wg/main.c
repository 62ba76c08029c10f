// SPDX-License-Identifier: MIT
// One program for the passes: they are linked with LLVM, which is large.
#include <stdlib.h>

#include "ir_text.h"

int main(void)
{
    SRunner *runner = srunner_create(tf_suite_cfg());
    int failed;

    srunner_add_suite(runner, tf_suite_roots());
    srunner_add_suite(runner, tf_suite_shape());
    srunner_add_suite(runner, tf_suite_region());
    srunner_add_suite(runner, tf_suite_dimension());
    srunner_add_suite(runner, tf_suite_limit());
    srunner_add_suite(runner, tf_suite_index());
    srunner_add_suite(runner, tf_suite_aligned());
    srunner_add_suite(runner, tf_suite_spin());
    srunner_add_suite(runner, tf_suite_unroll());
    srunner_add_suite(runner, tf_suite_volatiles());
    srunner_add_suite(runner, tf_suite_joins());
    srunner_add_suite(runner, tf_suite_known_ways());
    srunner_add_suite(runner, tf_suite_merged_stores());
    srunner_add_suite(runner, tf_suite_index_sums());
    srunner_add_suite(runner, tf_suite_peel());
    srunner_add_suite(runner, tf_suite_steps());
    srunner_add_suite(runner, tf_suite_ahead());
    srunner_add_suite(runner, tf_suite_distribute());
    srunner_add_suite(runner, tf_suite_passing());
    srunner_add_suite(runner, tf_suite_columns());
    srunner_add_suite(runner, tf_suite_strip());
    srunner_add_suite(runner, tf_suite_forward());
    srunner_add_suite(runner, tf_suite_words());
    srunner_add_suite(runner, tf_suite_minima());
    srunner_add_suite(runner, tf_suite_extremes());
    srunner_add_suite(runner, tf_suite_gathers());
    srunner_add_suite(runner, tf_suite_masks());
    srunner_add_suite(runner, tf_suite_neighbours());
    srunner_add_suite(runner, tf_suite_masked_loads());
    srunner_add_suite(runner, tf_suite_conversion());
    srunner_add_suite(runner, tf_suite_directed());
    srunner_add_suite(runner, tf_suite_cost());
    srunner_add_suite(runner, tf_suite_facts());
    srunner_add_suite(runner, tf_suite_form());
    srunner_add_suite(runner, tf_suite_target());
    srunner_add_suite(runner, tf_suite_width());
    srunner_add_suite(runner, tf_suite_stream());
    srunner_add_suite(runner, tf_suite_suffice());
    srunner_add_suite(runner, tf_suite_components());
    srunner_add_suite(runner, tf_suite_gang());
    srunner_add_suite(runner, tf_suite_check());
    srunner_add_suite(runner, tf_suite_pack());
    srunner_add_suite(runner, tf_suite_narrow());
    srunner_add_suite(runner, tf_suite_room());
    srunner_add_suite(runner, tf_suite_split());
    srunner_add_suite(runner, tf_suite_private());
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner) != 0 || srunner_ntests_run(runner) == 0;
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
