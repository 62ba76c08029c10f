// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/permute.h"
#include "compiler/workgroup/plan/planning.h"

enum { LANE_BITS = 32, SMALL = 8 }; // smaller elements are extended

static unsigned lanes_of_register(const struct tf_plan *p)
{
    return p->target.vector_bits / LANE_BITS;
}

unsigned tf_permute_lanes(const struct tf_plan *p, const struct tf_table *table)
{
    const unsigned most = lanes_of_register(p);

    return most > SMALL && table->count <= SMALL && p->width <= SMALL ? SMALL : most;
}

unsigned tf_permute_parts(const struct tf_plan *p, const struct tf_table *table)
{
    const unsigned lanes = tf_permute_lanes(p, table);

    return ((unsigned)table->count + lanes - 1) / lanes;
}

unsigned tf_plan_table_operations(const struct tf_plan *p, const struct tf_value *load)
{
    const unsigned most = lanes_of_register(p);
    struct tf_table table;

    if (!p->target.permutes || !tf_table_of(p->shapes, load, &table))
        return 0;
    return (2 * tf_permute_parts(p, &table) + 1) * ((p->width + most - 1) / most);
}
