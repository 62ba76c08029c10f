// SPDX-License-Identifier: MIT
// Which accesses of memory become one: members of structs, a[2 * i] and a[2 * i + 1], or
// a[n - i]. Lanes lie at equal distances, the stride; the members of a group touch bytes
// of one stride. Loads are made where the first of them stands, stores where the last
// does, so nothing between may change what is loaded or read what is stored.
#include "compiler/workgroup/gang/gang_group.h"

#include "compiler/ir/elementwise.h"

enum {
    MAX_STRIDE_BYTES = 128,
    MAX_MEMBERS = 32,
    MIN_REGISTER_BYTES = 16, // what is smaller takes no register by itself
    MAX_OPEN = 16,
    MAX_PASSED = 16,
    GATHER_TENTHS = 16, // of an operation on a vector: one element gathered
    SCATTER_TENTHS = 20,
    NO_GATHER_TENTHS = 40,
};

// An access as seen from others.
struct passed {
    LLVMValueRef instruction;
    struct tf_place place;
    int64_t stride; // 0: unknown
    uint64_t bytes;
    unsigned unit_bytes; // of a private variable that lies by units, or 0
};

struct plan {
    struct gang *g;
    struct gang_group *open[MAX_OPEN];
    unsigned open_count;
    bool masked;
};

static uint64_t bytes_of(const struct gang_access *a)
{
    return a->count * a->element_bytes;
}

static int64_t distance(const struct gang_group *group)
{
    return group->stride < 0 ? -group->stride : group->stride;
}

// ---- what a group costs

static bool can_mask(const struct gang *g, uint64_t unit_bytes)
{
    return g->wg->vector_bits >= 512 || (g->wg->vector_bits >= 256 && unit_bytes >= 4);
}

// Shuffles of two registers into one.
static unsigned shuffle_cost(const struct gang *g, uint64_t unit_bytes)
{
    return g->wg->vector_bits >= 512 && unit_bytes >= 2 ? 1 : 3;
}

static unsigned shuffles_for(const struct gang_group *group, unsigned fields)
{
    unsigned step = group->step, halvings = 0, all = 0;

    // Halving: every level costs as much as there are registers that are still wanted.
    for (; step % 2 == 0; step /= 2) {
        halvings++;
        all += group->step >> halvings << (fields > 1);
    }
    return all + fields * (step > 1 ? step - 1 : group->reversed);
}

static unsigned pieces(const struct gang *g, const struct gang_group *group)
{
    return g->width / group->chunk;
}

static unsigned cost_of(const struct gang *g, const struct gang_group *group, bool masked)
{
    unsigned fields = 0;

    for (unsigned i = 0; i < group->step; i++)
        fields += (unsigned)(group->used >> i & 1);
    return pieces(g, group) *
           (group->step * (masked ? 3 : 1) +
            shuffles_for(group, fields) * shuffle_cost(g, group->unit_bytes));
}

static unsigned cost_of_members(const struct gang *g, const struct gang_group *group)
{
    const bool has_form =
        g->wg->vector_bits >= (group->is_store ? 512 : 256) && group->unit_bytes >= 4;
    unsigned tenths = 0;

    for (unsigned i = 0; i < group->count; i++) {
        const struct gang_access a = gang_access_of(g, group->members[i]->instruction);

        tenths += (unsigned)((bytes_of(&a) + 7) / 8) * g->width *
                  (!has_form         ? NO_GATHER_TENTHS
                   : group->is_store ? SCATTER_TENTHS
                                     : GATHER_TENTHS);
    }
    return tenths / 10;
}

// ---- from the members to units

static uint64_t low_bit(uint64_t n)
{
    return n & (~n + 1);
}

// The largest unit that all members, and their distances, are made of.
static uint64_t unit_of(const struct gang *g, const struct gang_group *group)
{
    uint64_t bits = 8 | (uint64_t)distance(group);

    for (unsigned i = 0; i < group->count; i++) {
        const struct gang_access a = gang_access_of(g, group->members[i]->instruction);

        bits |= bytes_of(&a) | (uint64_t)(group->offsets[i] - group->low_bytes);
    }
    return low_bit(bits);
}

static void lay_out(const struct gang *g, struct gang_group *group)
{
    const uint64_t unit = unit_of(g, group);
    const uint64_t in_register = g->wg->vector_bits / 8 / unit;

    group->unit_bytes = unit;
    group->step = (unsigned)((uint64_t)distance(group) / unit);
    group->units = (unsigned)((uint64_t)(group->high_bytes - group->low_bytes) / unit);
    group->reversed = group->stride < 0;
    group->chunk = g->width < in_register ? g->width : (unsigned)in_register;
    if (group->step > GANG_GROUP_UNITS)
        return;
    for (unsigned i = 0; i < group->count; i++) {
        const struct gang_access a = gang_access_of(g, group->members[i]->instruction);
        const uint64_t from = (uint64_t)(group->offsets[i] - group->low_bytes) / unit;

        group->at[i] = (unsigned)from;
        for (uint64_t k = 0; k < bytes_of(&a) / unit; k++)
            group->used |= (uint64_t)1 << (from + k);
    }
}

static bool is_full(const struct gang_group *group)
{
    return group->used + 1 == (uint64_t)1 << group->step;
}

static bool is_possible(const struct gang *g, const struct gang_group *group, bool masked)
{
    const bool needs_mask = masked || (group->is_store && !is_full(group));

    return group->step <= GANG_GROUP_UNITS &&
           group->chunk * group->unit_bytes >= MIN_REGISTER_BYTES &&
           (!needs_mask || can_mask(g, group->unit_bytes));
}

static void close_group(struct plan *p, struct gang_group *group)
{
    struct gang *g = p->g;

    lay_out(g, group);
    if (!is_possible(g, group, p->masked))
        return;
    group->operations =
        cost_of(g, group, p->masked || (group->is_store && !is_full(group)));
    if (group->operations >= cost_of_members(g, group))
        return;
    for (unsigned i = 0; i < group->count; i++)
        g->values[group->members[i] - g->shapes.values].group = group;
}

static void close_at(struct plan *p, unsigned at)
{
    close_group(p, p->open[at]);
    p->open[at] = p->open[--p->open_count];
}

static void close_all(struct plan *p)
{
    while (p->open_count > 0)
        close_at(p, p->open_count - 1);
}

// ---- what may not be passed

static uint64_t modulo(int64_t n, int64_t m)
{
    return (uint64_t)((n % m + m) % m);
}

static struct passed describe(const struct gang *g, LLVMValueRef instruction)
{
    const struct gang_access a = gang_access_of(g, instruction);
    const struct tf_shape shape = tf_shape_of(&g->shapes, a.pointer);

    return (struct passed){
        .instruction = instruction,
        .place = tf_place_of(g->shapes.layout, a.pointer),
        .stride = shape.kind == TF_SHAPE_AFFINE && a.element_bytes ? shape.stride : 0,
        .bytes = bytes_of(&a),
        .unit_bytes = tf_private_of(&g->shapes.privates, a.pointer).unit_bytes,
    };
}

// Members of one struct: no lane's bytes are another member's of any lane.
static bool are_other_members(const struct gang_group *group, int64_t offset, int64_t end,
                              const struct passed *x)
{
    const int64_t stride = distance(group);
    const uint64_t from = modulo(x->place.offset_bytes - offset, stride);

    return from >= (uint64_t)(end - offset) && from + x->bytes <= (uint64_t)stride;
}

static bool may_meet_bytes(const struct gang_group *group, LLVMValueRef member,
                           int64_t offset, int64_t end, const struct passed *x)
{
    if (x->stride && x->stride == group->stride &&
        tf_place_same_base(&x->place, &group->place))
        return !are_other_members(group, offset, end, x);
    return !tf_place_apart(member, &group->place, x->instruction, &x->place);
}

static bool may_meet(const struct gang_group *group, const struct passed *x)
{
    for (unsigned i = 0; i < group->count; i++) {
        if (may_meet_bytes(group, group->members[i]->instruction, group->offsets[i],
                           group->ends[i], x))
            return true;
    }
    return false;
}

// An access that stands between members and those that come later. Stores would come
// behind it: it must not meet those before. Loads would come before it: what joins them
// later must not meet it.
static void pass(struct plan *p, const struct passed *x, const struct gang_group *except)
{
    const bool is_store = LLVMIsAStoreInst(x->instruction) != NULL;

    for (unsigned k = p->open_count; k-- > 0;) {
        struct gang_group *group = p->open[k];

        if (group == except || (!group->is_store && !is_store))
            continue;
        if (group->is_store ? may_meet(group, x) : group->passed_count == MAX_PASSED)
            close_at(p, k);
        else if (!group->is_store)
            group->passed[group->passed_count++] = *x;
    }
}

// ---- finding

// Number of the unit, from the root of the place on; its indices count whole units.
static int64_t unit_of_place(unsigned unit_bytes, const struct tf_place *place)
{
    const uint64_t at = (uint64_t)place->offset_bytes & (unit_bytes - 1);

    return (int64_t)((uint64_t)place->offset_bytes - at) / (int64_t)unit_bytes;
}

static bool can_join(const struct gang_group *group, const struct passed *x,
                     bool is_store)
{
    const struct tf_place *place = &x->place;
    const int64_t low =
        place->offset_bytes < group->low_bytes ? place->offset_bytes : group->low_bytes;
    const int64_t end = place->offset_bytes + (int64_t)x->bytes;
    const int64_t high = end > group->high_bytes ? end : group->high_bytes;

    if (group->is_store != is_store || group->stride != x->stride ||
        group->count == MAX_MEMBERS || !tf_place_same_base(place, &group->place) ||
        high - low > distance(group))
        return false;
    if (x->unit_bytes && unit_of_place(x->unit_bytes, place) !=
                             unit_of_place(x->unit_bytes, &group->place))
        return false;
    for (unsigned i = 0; is_store && i < group->count; i++) {
        // Twice to the same bytes: in order.
        if (place->offset_bytes < group->ends[i] && group->offsets[i] < end)
            return false;
    }
    // A load goes up past these.
    for (unsigned i = 0; i < group->passed_count; i++) {
        if (may_meet_bytes(group, x->instruction, x->place.offset_bytes, end,
                           &group->passed[i]))
            return false;
    }
    return true;
}

static struct gang_group *new_group(struct plan *p, const struct tf_place *place,
                                    int64_t stride, bool is_store)
{
    struct gang *g = p->g;
    struct gang_group *group = TF_ARENA_NEW(&g->arena, struct gang_group, 1);

    group->members = TF_ARENA_NEW(&g->arena, struct tf_value *, MAX_MEMBERS);
    group->results = TF_ARENA_NEW(&g->arena, LLVMValueRef, MAX_MEMBERS);
    group->offsets = TF_ARENA_NEW(&g->arena, int64_t, MAX_MEMBERS);
    group->ends = TF_ARENA_NEW(&g->arena, int64_t, MAX_MEMBERS);
    group->at = TF_ARENA_NEW(&g->arena, unsigned, MAX_MEMBERS);
    group->passed = TF_ARENA_NEW(&g->arena, struct passed, MAX_PASSED);
    group->place = *place;
    group->stride = stride;
    group->is_store = is_store;
    group->low_bytes = group->high_bytes = place->offset_bytes;
    if (p->open_count == MAX_OPEN)
        close_at(p, 0);
    p->open[p->open_count++] = group;
    return group;
}

static void join(struct gang_group *group, struct tf_value *v,
                 const struct tf_place *place, uint64_t bytes)
{
    const int64_t end = place->offset_bytes + (int64_t)bytes;

    group->members[group->count] = v;
    group->offsets[group->count] = place->offset_bytes;
    group->ends[group->count++] = end;
    if (place->offset_bytes < group->low_bytes)
        group->low_bytes = place->offset_bytes;
    if (end > group->high_bytes)
        group->high_bytes = end;
}

static bool is_strided(const struct gang *g, const struct gang_access *a)
{
    const struct tf_shape shape = tf_shape_of(&g->shapes, a->pointer);
    const int64_t bytes = (int64_t)bytes_of(a);

    return shape.kind == TF_SHAPE_AFFINE && a->element_bytes && bytes &&
           LLVMGetTypeKind(a->element) != LLVMPointerTypeKind &&
           (shape.stride > bytes || shape.stride <= -bytes) &&
           shape.stride <= MAX_STRIDE_BYTES && shape.stride >= -MAX_STRIDE_BYTES;
}

static void take_access(struct plan *p, struct tf_value *v)
{
    struct gang *g = p->g;
    const bool is_store = v->opcode == LLVMStore;
    const struct gang_access a = gang_access_of(g, v->instruction);
    const struct passed x = describe(g, v->instruction);
    struct gang_group *group = NULL;

    if (gang_is_ordered(v->instruction)) {
        close_all(p);
        return;
    }
    if (!is_strided(g, &a)) {
        pass(p, &x, NULL);
        return;
    }
    for (unsigned i = 0; i < p->open_count && !group; i++) {
        if (can_join(p->open[i], &x, is_store))
            group = p->open[i];
    }
    pass(p, &x, group);
    if (!group)
        group = new_group(p, &x.place, x.stride, is_store);
    join(group, v, &x.place, x.bytes);
}

static bool touches_no_memory(const struct tf_value *v)
{
    return tf_is_marker(v->instruction) || tf_shape_root(v->instruction) >= 0 ||
           tf_is_elementwise(v->instruction);
}

static void plan_block(struct gang *g, unsigned block)
{
    struct plan p = {.g = g};
    LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.blocks[block].block);

    p.masked = g->masked || g->shapes.region_of[block] != TF_CFG_NONE;
    for (; i; i = LLVMGetNextInstruction(i)) {
        struct tf_value *v = tf_shape_value(&g->shapes, i);

        switch ((int)v->opcode) {
        case LLVMLoad:
        case LLVMStore:
            take_access(&p, v);
            break;
        case LLVMCall:
            if (!touches_no_memory(v))
                close_all(&p);
            break;
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
            close_all(&p);
            break;
        default:
            break;
        }
    }
    close_all(&p);
}

void gang_plan_groups(struct gang *g)
{
    for (unsigned b = 0; b < g->cfg.block_count; b++)
        plan_block(g, b);
}

void gang_forget_groups(struct gang *g, const struct tf_region *region)
{
    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        struct gang_group *group = g->values[i].group;

        if (group && g->shapes.region_of[g->shapes.values[i].block] ==
                         (unsigned)(region - g->shapes.regions))
            group->made = 0;
    }
}

unsigned gang_group_operations(const struct gang *g, const struct tf_value *member)
{
    const struct gang_group *group = g->values[member - g->shapes.values].group;

    return group ? (group->operations + group->count - 1) / group->count : 0;
}
