// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/choice/choose.h"

#include <string.h>

#include "compiler/workgroup/plan/room/room.h"

enum {
    // What lanes along dimension 1 cost at most, of what they cost along dimension 0.
    // Boxes then depend on how many groups the run-time hands out at once.
    CLEARLY_PERCENT = 75,
    GAIN_PERCENT = 6,       // of the time per lane, for which the lanes are doubled
    MORE_GAIN_PERCENT = 15, // the same for which they are doubled again
    WAIT_GAIN_PERCENT = 15, // the same for which values are left without registers
    FREE_GAIN_PERCENT = 70, // the same for those of short rows that share little
    // The lines that the first cache has for addresses a power of two apart: as many rows
    // stay in it while lanes walk along them.
    WAYS = 8,
    // Rows that are gathered number by number: the same with less at stake. Zen 5,
    // softmax of 512 rows of 512, 500 and 2,048 floats, us: 8 lanes 884, 771, 4,356, 16
    // lanes 655, 513, 5,670, 32 lanes 1,115, 390, 9,740.
    TWICE_WAYS = 16,
    ROWS_SHARE = 4, // of the work, that walking along rows is at least, where that counts
    HALF_BITS = 256,
    // Registers that values want, of those that there are, from which half of the lanes
    // are better (keccak, AVX2: 31 of 13 take 0.92 ms, 62 1.64, 124 2.33).
    CROWD = 3,
};

// ---- the dimension

// Lanes are neighbours in dimension 0, where neighbours in memory mostly are. A kernel
// that takes its row from dimension 0 and its column from dimension 1 would gather all it
// reads.
static bool gathers(const struct tf_plan *plan)
{
    return plan->counts.gathers + plan->counts.scatters + plan->counts.strips > 0;
}

static void choose_dimension(struct tf_choice *c, struct tf_plan_of *of)
{
    struct tf_plan_of other = *of;
    struct tf_plan plan;
    bool is_better;

    other.facts = &c->turned;
    tf_facts_init_turned(&c->turned, of->facts); // unfit facts make an unfit plan
    c->fixpoints += c->turned.fixpoints;
    is_better = tf_plan_init(&plan, &other) &&
                plan.lanes_cost <= c->all.lanes_cost * CLEARLY_PERCENT / 100;
    tf_plan_finish(is_better ? &c->all : &plan);
    if (!is_better)
        return;
    c->all = plan;
    of->facts = &c->turned;
}

// ---- the width

static bool crowds(const struct tf_plan *p, const struct tf_room *room)
{
    return room->registers > (uint64_t)CROWD * p->target.registers;
}

static bool has_chain(const struct tf_plan *p, const int *chains)
{
    bool any = false;

    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        any |= chains[l] > 0;
    return any;
}

static uint64_t with_percents(uint64_t cost, unsigned percents)
{
    return cost + cost * percents / 100;
}

// More lanes pay where one register's worth leaves the processor waiting: in a chain of
// operations from round to round of a loop, in elements smaller than 32 bits, in branches
// and scalar instructions that all lanes share. They cost registers, and time of the
// compiler. Without a loop the next gang fills what the first doubling leaves. Where
// values do not have registers as it is, more of them lie in memory, but no larger part
// of the work waits for it, though for many more something must be gained; where they
// have no longer, what it takes to store them must be less than the gain, which there is
// little of where memory is waited for. It must be more where more gangs start
// again: of each power of two, those of twice the lanes pass multiples of one more.
static bool is_twice_better(const struct tf_plan *once, const struct tf_plan *twice)
{
    const struct tf_room room = tf_plan_room(twice);
    struct tf_arena arena = {0};
    const int *chains = tf_find_chains(&arena, once->shapes, &once->target.costs);
    const uint64_t before = tf_plan_cost_per_lane(once, chains);
    const uint64_t after = tf_plan_cost_per_lane(twice, chains);
    const bool any_gain = has_chain(once, chains) && !crowds(twice, &room);
    const unsigned gain =
        tf_plan_may_start_again(once) ? MORE_GAIN_PERCENT : GAIN_PERCENT;

    tf_arena_finish(&arena);
    if (with_percents(after, any_gain ? 0 : gain) > before)
        return false;
    return room.fits || !tf_plan_room(once).fits ||
           with_percents(after, GAIN_PERCENT) + room.spills_per_lane <= before;
}

static bool is_twice_better_again(const struct tf_plan *once, const struct tf_plan *twice)
{
    struct tf_arena arena = {0};
    const int *chains = tf_find_chains(&arena, once->shapes, &once->target.costs);
    const uint64_t before = tf_plan_cost_per_lane(once, chains);
    const uint64_t after = tf_plan_cost_per_lane(twice, chains);
    const struct tf_room room = tf_plan_room(twice);
    const uint64_t spills = room.fits ? 0 : tf_plan_spills_in_parts(twice);

    tf_arena_finish(&arena);
    return once->cfg->loop_count > 0 && !crowds(twice, &room) &&
           with_percents(after, MORE_GAIN_PERCENT) + spills <= before;
}

static uint64_t waiting_cost(const struct tf_plan *p)
{
    return (p->lanes_cost + p->constants_cost + tf_plan_wait(p)) * TF_MOST_LANES /
           p->width;
}

// Where rows end with the group and lanes share too little for that (shares_work): in
// functions with loops, elements smaller than those that lanes are counted for fill their
// registers with twice the lanes. Those that have no work then cost hardly anything.
static bool is_twice_free(const struct tf_plan *once, const struct tf_plan *twice)
{
    return once->cfg->loop_count > 0 &&
           with_percents(waiting_cost(twice), FREE_GAIN_PERCENT) <= waiting_cost(once) &&
           tf_plan_room(twice).fits;
}

// Takes `times` as many lanes where that is better than what is chosen.
static bool widen(struct tf_choice *c, unsigned times, unsigned most,
                  bool (*is_better)(const struct tf_plan *now,
                                    const struct tf_plan *wide))
{
    struct tf_plan_of wider = c->all.of;
    struct tf_plan plan;
    bool takes;

    wider.target = &c->all.target;
    wider.width *= times;
    if (wider.width > most)
        return false;
    takes = tf_plan_init(&plan, &wider) && tf_plan_is_small(&plan) &&
            is_better(&c->all, &plan);
    tf_plan_finish(takes ? &c->all : &plan);
    if (takes)
        c->all = plan;
    return takes;
}

// ---- the width of long functions without loops

// Where a function without a loop is so long that the processor hardly sees the next gang
// in time, its operations wait for each other: more lanes are what it can do meanwhile.
// Values that find no register cost less than that. The first doubling often gains
// nothing: the processor sees half as many gangs.
static bool waits_less(const struct tf_plan *now, const struct tf_plan *wide)
{
    return tf_plan_has_few_registers(wide) &&
           with_percents(waiting_cost(wide), WAIT_GAIN_PERCENT) <= waiting_cost(now);
}

static bool walks_along_rows(const struct tf_plan *p)
{
    return p->strips_cost * ROWS_SHARE > p->lanes_cost;
}

static void choose_width(struct tf_choice *c, unsigned most, bool may_again)
{
    const unsigned lines = tf_plan_lanes_of_lines(&c->all);

    if (walks_along_rows(&c->all) && most > WAYS)
        most = WAYS;
    if (tf_plan_gathers_rows(&c->all) && most > TWICE_WAYS)
        most = TWICE_WAYS;
    if (lines > 0 && most > lines)
        most = lines;
    if (widen(c, 2, most, is_twice_better) && may_again) {
        while (widen(c, 2, most, is_twice_better_again))
            continue;
    }
    if (may_again && tf_plan_wait(&c->all) && !widen(c, 4, most, waits_less))
        widen(c, 2, most, waits_less);
}

// Kernels that only wait for memory in few places do with half of a wide register, unless
// that is too little for lanes to pay; so do those that would walk along more rows than
// the cache has room for.
static void choose_bits(struct tf_choice *c, struct tf_plan_of *of, bool long_rows,
                        struct tf_target *narrow)
{
    struct tf_plan_of half = *of;
    const bool rows = walks_along_rows(&c->all) && of->width > WAYS;
    const unsigned bits = rows ? HALF_BITS : of->target->stream_bits;
    struct tf_plan plan;

    if (bits == 0 || bits >= of->target->vector_bits ||
        (!rows && (!long_rows || !tf_plan_streams(&c->all) ||
                   tf_plan_lanes_of_lines(&c->all) > 0)))
        return;
    *narrow = tf_target_narrow(of->target, bits);
    half.width = of->width * narrow->vector_bits / of->target->vector_bits;
    half.target = narrow;
    if (tf_plan_init(&plan, &half) && (tf_plan_pays(&plan) || !tf_plan_pays(&c->all)) &&
        (!rows || walks_along_rows(&plan))) {
        tf_plan_finish(&c->all);
        c->all = plan;
        c->is_narrow = true;
        *of = half;
    } else {
        tf_plan_finish(&plan);
    }
}

// Whether half of the lanes need clearly fewer registers, and each lane hardly more time.
static bool crowds_less(const struct tf_plan *all, const struct tf_room *room,
                        const struct tf_plan *half)
{
    return 3 * tf_plan_room(half).registers <= 2 * room->registers &&
           2 * half->lanes_cost <= with_percents(all->lanes_cost, GAIN_PERCENT);
}

// Vectors of the program, and numbers of 64 bits, may take more registers than lanes are
// good for: of half of the lanes they take half of them.
static bool may_want_half(const struct tf_plan *p, struct tf_room *room)
{
    *room = tf_plan_room(p);
    return tf_plan_has_wide_values(p) || crowds(p, room);
}

static bool halve(struct tf_choice *c, struct tf_plan_of *of, const struct tf_room *room)
{
    struct tf_plan_of half = *of;
    struct tf_plan plan;
    bool is_better;

    half.width = c->all.width / 2;
    is_better = tf_plan_init(&plan, &half) && tf_plan_pays(&plan) &&
                (tf_plan_has_wide_values(&c->all) || crowds_less(&c->all, room, &plan));
    tf_plan_finish(is_better ? &c->all : &plan);
    if (!is_better)
        return false;
    c->all = plan;
    *of = half;
    return true;
}

static bool has_usual_gather(const struct tf_plan *p, unsigned block)
{
    const struct tf_value *const end = tf_block_end(p->shapes, block);

    for (const struct tf_value *v = tf_block_first(p->shapes, block); v < end; v++) {
        if (tf_plan_is_gather(p, v))
            return true;
    }
    return false;
}

// Whether lanes part at the end of the block, and not only for what is seldom run.
static bool parts_usually(const struct tf_plan *p, unsigned block)
{
    const struct tf_cfg_block *b = &p->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, block);

    return condition && !tf_is_uniform(p->shapes, condition) && b->succ_count == 2 &&
           !p->of.facts->seldom[b->succs[0]] && !p->of.facts->seldom[b->succs[1]];
}

// Of rows that end with the group there are few gangs, and between barriers they take
// turns anyway: more lanes pay where they share what loops load once for all. Under masks
// few of them have work; gathers cost each the same.
static bool shares_work(const struct tf_plan *p)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (!p->of.facts->seldom[b] && (has_usual_gather(p, b) || parts_usually(p, b)))
            return false;
    }
    return p->cfg->loop_count > 0;
}

static bool plan_masked(struct tf_choice *c)
{
    struct tf_plan_of of = c->all.of;

    of.target = &c->all.target;
    of.masked = true;
    if (!tf_plan_init(&c->masked, &of))
        return false;
    c->masked.serves_whole = tf_plan_masks_suffice(&c->all, &c->masked);
    return true;
}

bool tf_choice_init(struct tf_choice *c, const struct tf_choice_of *of)
{
    struct tf_plan_of best = {.facts = of->facts,
                              .target = of->target,
                              .width = of->width,
                              .item_cost = of->item_cost};
    struct tf_target narrow;
    struct tf_room room;
    bool can, halved = false;

    memset(c, 0, sizeof(*c));
    if (of->first)
        c->all = *of->first;
    can = of->first || tf_plan_init(&c->all, &best);
    if (can && of->may_turn && gathers(&c->all))
        choose_dimension(c, &best);
    c->facts = best.facts;
    if (!can)
        return false;
    if (of->may_halve && may_want_half(&c->all, &room))
        halved = halve(c, &best, &room);
    else if (of->most_lanes)
        choose_bits(c, &best, of->long_rows, &narrow);
    if (!halved && (of->long_rows || shares_work(&c->all)))
        choose_width(c, of->most_lanes, of->may_widen_again);
    else if (!halved && of->knows_rows)
        widen(c, 2, of->most_lanes, is_twice_free);
    c->masked_only = of->masked_only;
    return plan_masked(c);
}

bool tf_choice_pays(const struct tf_choice *c)
{
    return tf_plan_pays(c->masked_only ? &c->masked : &c->all);
}

void tf_choice_finish(struct tf_choice *c)
{
    tf_plan_finish(&c->all);
    tf_plan_finish(&c->masked);
    tf_facts_finish(&c->turned);
}

const char *tf_choice_unfit(const struct tf_choice *c)
{
    return c->all.unfit[0] ? c->all.unfit : c->masked.unfit;
}
