// SPDX-License-Identifier: MIT
// Which accesses of memory become one: members of structs, a[2 * i] and a[2 * i + 1], or
// a[n - i]. Lanes lie at equal distances, the stride; the members of a bundle touch bytes
// of one stride. Loads are made where the first of them stands, stores where the last
// does, so nothing between may change what is loaded or read what is stored, nor a load
// that joins others meet a store before them that comes behind them.
#include "compiler/workgroup/plan/bundle.h"

#include "abi/cpu_abi.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MAX_STRIDE_BYTES = 128,
    MAX_MEMBERS = 32,
    MIN_REGISTER_BYTES = 16, // what is smaller takes no register by itself
    MIN_ROW_BYTES = 4,
    MAX_OPEN = 16,
    MAX_PASSED = 16,
    WORD_BYTES = 4, // the least that processors gather and scatter
};

// An access as seen from others.
struct passed {
    LLVMValueRef instruction;
    struct tf_place place;
    int64_t stride; // 0: unknown
    uint64_t bytes;
    unsigned unit_bytes; // of a private variable that lies by units, or 0
};

// Stores before the first of a bundle's loads. They come behind it where others join them
// later.
struct tf_late_stores {
    const struct tf_bundle *bundle;
    unsigned count; // of its members so far
};

struct finding {
    struct tf_planning *m;
    struct tf_bundle *open[MAX_OPEN];
    unsigned open_count;
    bool masked;
};

static int64_t distance(const struct tf_bundle *bundle)
{
    return bundle->stride < 0 ? -bundle->stride : bundle->stride;
}

// ---- what a bundle costs

// Shuffles of two registers into one, in operations.
static unsigned shuffle_cost(const struct tf_plan *p, uint64_t unit_bytes)
{
    const struct tf_costs *costs = &p->target.costs;

    return (unit_bytes >= 2 ? costs->shuffle : costs->small_shuffle) / costs->vector;
}

static unsigned shuffles_for(const struct tf_bundle *bundle, unsigned fields)
{
    unsigned step = bundle->step, halvings = 0, all = 0;

    // Halving: every level costs as much as there are registers that are still wanted.
    for (; step % 2 == 0; step /= 2) {
        halvings++;
        all += bundle->step >> halvings << (fields > 1);
    }
    return all + fields * (step > 1 ? step - 1 : bundle->reversed);
}

static unsigned pieces(const struct tf_plan *p, const struct tf_bundle *bundle)
{
    return p->width / bundle->chunk;
}

static unsigned cost_of(const struct tf_plan *p, const struct tf_bundle *bundle,
                        bool masked)
{
    unsigned fields = 0;

    for (unsigned i = 0; i < bundle->step; i++)
        fields += (unsigned)(bundle->used >> i & 1);
    return pieces(p, bundle) *
           (bundle->step * (masked ? p->target.costs.masked : 1) +
            shuffles_for(bundle, fields) * shuffle_cost(p, bundle->unit_bytes));
}

static unsigned cost_of_members(const struct tf_plan *p, const struct tf_bundle *bundle)
{
    const struct tf_target *t = &p->target;
    const bool has_form =
        (bundle->is_store ? t->scatters : t->gathers) && bundle->unit_bytes >= WORD_BYTES;
    const unsigned gathered = has_form ? t->costs.gather : t->costs.slow_element;
    const unsigned scattered = has_form ? t->costs.scatter : t->costs.own_store;
    const unsigned each = bundle->is_store ? scattered : gathered;
    uint64_t words = 0;

    for (unsigned i = 0; i < bundle->count; i++) {
        const struct tf_access a =
            tf_access_of(p->shapes->layout, bundle->members[i]->instruction);

        words += (tf_access_bytes(&a) + 7) / 8;
    }
    return (unsigned)(words * p->width * each / t->costs.vector);
}

// ---- from the members to units

static uint64_t low_bit(uint64_t n)
{
    return n & (~n + 1);
}

// The largest unit that all members, and their distances, are made of.
static uint64_t unit_of(const struct tf_plan *p, const struct tf_bundle *bundle)
{
    uint64_t bits = 8 | (uint64_t)distance(bundle);

    for (unsigned i = 0; i < bundle->count; i++) {
        const struct tf_access a =
            tf_access_of(p->shapes->layout, bundle->members[i]->instruction);

        bits |= tf_access_bytes(&a) | (uint64_t)(bundle->offsets[i] - bundle->low_bytes);
    }
    return low_bit(bits);
}

static void lay_out(const struct tf_plan *p, struct tf_bundle *bundle)
{
    const uint64_t unit = unit_of(p, bundle);
    const uint64_t in_register = p->target.vector_bits / 8 / unit;

    bundle->unit_bytes = unit;
    bundle->step = (unsigned)((uint64_t)distance(bundle) / unit);
    bundle->units = (unsigned)((uint64_t)(bundle->high_bytes - bundle->low_bytes) / unit);
    bundle->reversed = bundle->stride < 0;
    bundle->chunk = p->width < in_register ? p->width : (unsigned)in_register;
    if (bundle->step > TF_BUNDLE_UNITS)
        return;
    for (unsigned i = 0; i < bundle->count; i++) {
        const struct tf_access a =
            tf_access_of(p->shapes->layout, bundle->members[i]->instruction);
        const uint64_t from = (uint64_t)(bundle->offsets[i] - bundle->low_bytes) / unit;

        bundle->at[i] = (unsigned)from;
        for (uint64_t k = 0; k < tf_access_bytes(&a) / unit; k++)
            bundle->used |= (uint64_t)1 << (from + k);
    }
}

// False of a stride that is too long to be laid out.
static bool is_full(const struct tf_bundle *bundle)
{
    return bundle->step <= TF_BUNDLE_UNITS && bundle->used + 1 == (uint64_t)1
                                                                      << bundle->step;
}

// Of local memory a worker has more than groups ask for, on either side: near a lane that
// is active the others load, too, where no load has a mask (as of TF_FORM_ROW).
static bool is_row(const struct tf_plan *p, const struct tf_bundle *bundle)
{
    const struct tf_access a =
        tf_access_of(p->shapes->layout, bundle->members[0]->instruction);

    return !bundle->is_store && tf_access_is_local(&a) &&
           !tf_target_masks(&p->target, bundle->unit_bytes) &&
           p->width * distance(bundle) <= TF_LOCAL_MARGIN_BYTES;
}

static bool needs_mask(const struct finding *f, const struct tf_bundle *bundle)
{
    return (f->masked && !bundle->is_row) || (bundle->is_store && !is_full(bundle));
}

static bool is_possible(const struct finding *f, const struct tf_bundle *bundle)
{
    const uint64_t least = bundle->is_row ? MIN_ROW_BYTES : MIN_REGISTER_BYTES;

    return bundle->step <= TF_BUNDLE_UNITS &&
           bundle->chunk * bundle->unit_bytes >= least &&
           (!needs_mask(f, bundle) ||
            tf_target_masks(&f->m->p->target, bundle->unit_bytes));
}

static void close_bundle(struct finding *f, struct tf_bundle *bundle)
{
    struct tf_plan *p = f->m->p;

    lay_out(p, bundle);
    bundle->is_row = is_row(p, bundle);
    if (!is_possible(f, bundle))
        return;
    bundle->operations = cost_of(p, bundle, needs_mask(f, bundle));
    if (bundle->operations >= cost_of_members(p, bundle))
        return;
    bundle->number = p->bundle_count++;
    for (unsigned i = 0; i < bundle->count; i++)
        f->m->values[bundle->members[i] - p->shapes->values].bundle = bundle;
}

static void close_at(struct finding *f, unsigned at)
{
    close_bundle(f, f->open[at]);
    f->open[at] = f->open[--f->open_count];
}

static void close_all(struct finding *f)
{
    while (f->open_count > 0)
        close_at(f, f->open_count - 1);
}

// ---- what may not be passed

static uint64_t modulo(int64_t n, int64_t m)
{
    return (uint64_t)((n % m + m) % m);
}

static struct passed describe(const struct tf_plan *p, const struct tf_access *a)
{
    const struct tf_shape shape = tf_shape_of(p->shapes, a->pointer);

    return (struct passed){
        .instruction = a->instruction,
        .place = tf_place_of(p->shapes->layout, a->pointer),
        .stride = shape.kind == TF_SHAPE_AFFINE && a->element_bytes ? shape.stride : 0,
        .bytes = tf_access_bytes(a),
        .unit_bytes = tf_private_of(&p->shapes->privates, a->pointer).unit_bytes,
    };
}

// Members of one struct: no lane's bytes are another member's of any lane.
static bool are_other_members(const struct tf_bundle *bundle, int64_t offset, int64_t end,
                              const struct passed *x)
{
    const int64_t stride = distance(bundle);
    const uint64_t from = modulo(x->place.offset_bytes - offset, stride);

    return from >= (uint64_t)(end - offset) && from + x->bytes <= (uint64_t)stride;
}

static bool may_meet_bytes(const struct tf_bundle *bundle, LLVMValueRef member,
                           int64_t offset, int64_t end, const struct passed *x)
{
    if (x->stride && x->stride == bundle->stride &&
        tf_place_same_base(&x->place, &bundle->place))
        return !are_other_members(bundle, offset, end, x);
    return !tf_place_apart(member, &bundle->place, x->instruction, &x->place);
}

// Whether one of the first `count` members does.
static bool may_meet(const struct tf_bundle *bundle, unsigned count,
                     const struct passed *x)
{
    for (unsigned i = 0; i < count; i++) {
        if (may_meet_bytes(bundle, bundle->members[i]->instruction, bundle->offsets[i],
                           bundle->ends[i], x))
            return true;
    }
    return false;
}

// An access that stands between members and those that come later. Stores would come
// behind it: it must not meet those before. Loads would come before it: what joins them
// later must not meet it.
static void pass(struct finding *f, const struct passed *x,
                 const struct tf_bundle *except)
{
    const bool is_store = LLVMIsAStoreInst(x->instruction) != NULL;

    for (unsigned k = f->open_count; k-- > 0;) {
        struct tf_bundle *bundle = f->open[k];

        if (bundle == except || (!bundle->is_store && !is_store))
            continue;
        if (bundle->is_store ? may_meet(bundle, bundle->count, x)
                             : bundle->passed_count == MAX_PASSED)
            close_at(f, k);
        else if (!bundle->is_store)
            bundle->passed[bundle->passed_count++] = *x;
    }
}

// ---- finding

// Number of the unit, from the root of the place on; its indices count whole units.
static int64_t unit_of_place(unsigned unit_bytes, const struct tf_place *place)
{
    const uint64_t at = (uint64_t)place->offset_bytes & (unit_bytes - 1);

    return (int64_t)((uint64_t)place->offset_bytes - at) / (int64_t)unit_bytes;
}

// Whether a load that joins the bundle would go up past a store that comes later than it
// stands.
static bool meets_late_stores(const struct tf_bundle *bundle, const struct passed *x)
{
    for (unsigned i = 0; i < bundle->late_count; i++) {
        const struct tf_late_stores *late = &bundle->late[i];

        if (late->bundle->count > late->count && may_meet(late->bundle, late->count, x))
            return true;
    }
    return false;
}

static bool can_join(const struct tf_bundle *bundle, const struct passed *x,
                     bool is_store)
{
    const struct tf_place *place = &x->place;
    const int64_t low =
        place->offset_bytes < bundle->low_bytes ? place->offset_bytes : bundle->low_bytes;
    const int64_t end = place->offset_bytes + (int64_t)x->bytes;
    const int64_t high = end > bundle->high_bytes ? end : bundle->high_bytes;

    if (bundle->is_store != is_store || bundle->stride != x->stride ||
        bundle->count == MAX_MEMBERS || !tf_place_same_base(place, &bundle->place) ||
        high - low > distance(bundle))
        return false;
    if (x->unit_bytes && unit_of_place(x->unit_bytes, place) !=
                             unit_of_place(x->unit_bytes, &bundle->place))
        return false;
    for (unsigned i = 0; is_store && i < bundle->count; i++) {
        // Twice to the same bytes: in order.
        if (place->offset_bytes < bundle->ends[i] && bundle->offsets[i] < end)
            return false;
    }
    // A load goes up past these.
    for (unsigned i = 0; i < bundle->passed_count; i++) {
        if (may_meet_bytes(bundle, x->instruction, x->place.offset_bytes, end,
                           &bundle->passed[i]))
            return false;
    }
    return !meets_late_stores(bundle, x);
}

static void keep_late_stores(const struct finding *f, struct tf_bundle *bundle)
{
    for (unsigned i = 0; i < f->open_count; i++) {
        const struct tf_bundle *other = f->open[i];

        if (other->is_store)
            bundle->late[bundle->late_count++] =
                (struct tf_late_stores){other, other->count};
    }
}

static struct tf_bundle *new_bundle(struct finding *f, const struct tf_place *place,
                                    int64_t stride, bool is_store)
{
    struct tf_plan *p = f->m->p;
    struct tf_bundle *bundle = TF_ARENA_NEW(&p->arena, struct tf_bundle, 1);

    bundle->members = TF_ARENA_NEW(&p->arena, struct tf_value *, MAX_MEMBERS);
    bundle->offsets = TF_ARENA_NEW(&p->arena, int64_t, MAX_MEMBERS);
    bundle->ends = TF_ARENA_NEW(&p->arena, int64_t, MAX_MEMBERS);
    bundle->at = TF_ARENA_NEW(&p->arena, unsigned, MAX_MEMBERS);
    bundle->passed = TF_ARENA_NEW(&p->arena, struct passed, MAX_PASSED);
    bundle->place = *place;
    bundle->stride = stride;
    bundle->is_store = is_store;
    bundle->low_bytes = bundle->high_bytes = place->offset_bytes;
    if (f->open_count == MAX_OPEN)
        close_at(f, 0);
    if (!is_store) {
        bundle->late = TF_ARENA_NEW(&p->arena, struct tf_late_stores, MAX_OPEN);
        keep_late_stores(f, bundle);
    }
    f->open[f->open_count++] = bundle;
    return bundle;
}

static void add_member(struct tf_bundle *bundle, struct tf_value *v,
                       const struct tf_place *place, uint64_t bytes)
{
    const int64_t end = place->offset_bytes + (int64_t)bytes;

    bundle->members[bundle->count] = v;
    bundle->offsets[bundle->count] = place->offset_bytes;
    bundle->ends[bundle->count++] = end;
    if (place->offset_bytes < bundle->low_bytes)
        bundle->low_bytes = place->offset_bytes;
    if (end > bundle->high_bytes)
        bundle->high_bytes = end;
}

static bool is_strided(struct tf_shape shape, const struct tf_access *a)
{
    const int64_t bytes = (int64_t)tf_access_bytes(a);

    return shape.kind == TF_SHAPE_AFFINE && a->element_bytes && bytes &&
           LLVMGetTypeKind(a->element) != LLVMPointerTypeKind &&
           (shape.stride > bytes || shape.stride <= -bytes) &&
           shape.stride <= MAX_STRIDE_BYTES && shape.stride >= -MAX_STRIDE_BYTES;
}

static void take_access(struct finding *f, struct tf_value *v)
{
    struct tf_plan *p = f->m->p;
    const bool is_store = v->opcode == LLVMStore;
    const struct tf_shape shape = tf_operand_shape(p->shapes, v, is_store);
    struct tf_bundle *bundle = NULL;
    struct tf_access a;
    struct passed x;

    if (v->is_ordered) {
        close_all(f);
        return;
    }
    if (f->open_count == 0 && (shape.kind != TF_SHAPE_AFFINE || shape.stride == 0))
        return;
    a = tf_access_of(p->shapes->layout, v->instruction);
    x = describe(p, &a);
    if (!is_strided(shape, &a)) {
        pass(f, &x, NULL);
        return;
    }
    for (unsigned i = 0; i < f->open_count && !bundle; i++) {
        if (can_join(f->open[i], &x, is_store))
            bundle = f->open[i];
    }
    pass(f, &x, bundle);
    if (!bundle)
        bundle = new_bundle(f, &x.place, x.stride, is_store);
    add_member(bundle, v, &x.place, x.bytes);
}

static void look_through(struct tf_planning *m, unsigned block)
{
    const struct tf_plan *p = m->p;
    struct finding f = {.m = m};
    const struct tf_value *const end = tf_block_end(p->shapes, block);

    f.masked = p->of.masked || p->shapes->region_of[block] != TF_CFG_NONE;
    for (struct tf_value *v = tf_block_first(p->shapes, block); v < end; v++) {
        switch ((int)v->opcode) {
        case LLVMLoad:
        case LLVMStore:
            take_access(&f, v);
            break;
        case LLVMCall:
            if (!tf_touches_no_memory(v))
                close_all(&f);
            break;
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
            close_all(&f);
            break;
        default:
            break;
        }
    }
    close_all(&f);
}

void tf_plan_bundles(struct tf_planning *m)
{
    for (unsigned b = 0; b < m->p->cfg->block_count; b++)
        look_through(m, b);
}
