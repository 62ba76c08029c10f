// SPDX-License-Identifier: MIT
// Which gathers and scatters become strips: the members of one struct behind a pointer of
// each lane, or a[i * n + k] and its neighbours, where each work-item has a row. Each
// lane loads or stores 16 bytes at once, and the lanes' vectors are transposed: as many
// accesses as lanes, and two or three shuffles a member, where gathers and scatters take
// each element by itself.
//
// Of four numbers that the program loads as one vector, two are enough: the others may be
// loaded as well (prepare/wholes.c).
//
// All members are loaded where the first of them stands, and stored where the last one
// does. That is right because they stand in one block, so that the same lanes run all of
// them; because nothing stands between them that may end a work-item, change what they
// load or read what they store; and because nothing is touched but the members' own
// bytes, or those of vectors that the program loads there. Bytes of one row at constant
// distances are the work-item's own: another one that met them would race with it. In
// local memory, where some programs take it that lanes go on in step, they are its own
// only if lanes lie so far apart that no two meet.
#include "compiler/workgroup/plan/bundle.h"

#include "compiler/ir/vector/component.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MOST_OPEN = 8,
    MOST_LOADS = 64,  // of one base
    MOST_PASSED = 64, // stores between them
    MOST_LATE = 16,
    MOST_WAITING = TF_STRIP_BYTES,
};

struct load {
    struct tf_value *v;
    int64_t at; // bytes, as place.offset_bytes
    unsigned order;
    int component; // of a vector that the program loads; -1: of none that is known
};

// Where an access goes.
struct stored {
    LLVMValueRef access;
    struct tf_place place;
    uint64_t bytes;
    bool is_local;
    int64_t stride; // bytes from lane to lane, without sign; 0: any
};

// Stores with one base that wait for the rest of their strip, in their order.
struct run {
    uint64_t element_bytes;
    struct tf_value *members[MOST_WAITING];
    struct stored at[MOST_WAITING];
    unsigned count;
};

// Loads with one base.
struct family {
    struct tf_place place;
    uint64_t element_bytes;
    struct load loads[MOST_LOADS];
    unsigned count;
    struct stored passed[MOST_PASSED];
    unsigned passed_count;
};

struct finding {
    struct tf_planning *m;
    struct tf_plan *p;
    struct family *open[MOST_OPEN];
    unsigned open_count;
    // Stores of the block so far that are made later, where the last of their bundle
    // stands.
    struct tf_value *late[MOST_LATE];
    unsigned late_count;
    bool has_more_late; // than these
    struct run *runs[MOST_OPEN];
    unsigned run_count;
};

unsigned tf_strip_members(unsigned width, uint64_t element_bytes)
{
    const uint64_t count =
        element_bytes > 0 && element_bytes <= 8 ? TF_STRIP_BYTES / element_bytes : 0;

    return count && (width & (width - 1)) == 0 && width >= count ? (unsigned)count : 0;
}

unsigned tf_strip_operations(const struct tf_plan *p, const struct tf_strip *strip)
{
    const uint64_t bits = 8 * (uint64_t)strip->element_bytes * p->width;
    const unsigned registers =
        (unsigned)((bits + p->target.vector_bits - 1) / p->target.vector_bits);
    unsigned shuffles = 0;

    for (unsigned n = 1; n < strip->count; n *= 2)
        shuffles += strip->count * registers;
    return p->width + shuffles;
}

// ---- strips of the loads of a family

static void sort(struct family *family)
{
    for (unsigned i = 1; i < family->count; i++) {
        const struct load moved = family->loads[i];
        unsigned to = i;

        for (; to > 0 && family->loads[to - 1].at > moved.at; to--)
            family->loads[to] = family->loads[to - 1];
        family->loads[to] = moved;
    }
}

// Of `taken` loads from number `from` on, whose bytes lie in `count` elements from
// `begin` on.
static void make_strip(struct finding *f, const struct family *family, unsigned from,
                       unsigned taken, int64_t begin, unsigned count)
{
    struct tf_strip *strip = TF_ARENA_NEW(&f->p->arena, struct tf_strip, 1);
    unsigned first = from;

    strip->number = f->p->bundle_count++;
    strip->count = count;
    strip->present = taken;
    strip->element_bytes = (unsigned)family->element_bytes;
    strip->members = TF_ARENA_NEW(&f->p->arena, struct tf_value *, count);
    for (unsigned i = from; i < from + taken; i++) {
        const struct load *load = &family->loads[i];
        struct tf_plan_value *value = &f->m->values[load->v - f->p->shapes->values];

        strip->members[(load->at - begin) / (int64_t)family->element_bytes] = load->v;
        value->form = TF_FORM_STRIP;
        value->strip = strip;
        if (load->order < family->loads[first].order)
            first = i;
    }
    strip->made_at = family->loads[first].v;
    strip->made_bytes = family->loads[first].at - begin;
}

static bool are_neighbours(const struct family *family, unsigned from, unsigned count)
{
    if (from + count > family->count)
        return false;
    for (unsigned i = 1; i < count; i++) {
        if (family->loads[from + i].at !=
            family->loads[from].at + (int64_t)(i * family->element_bytes))
            return false;
    }
    return true;
}

// How many loads from number `from` on are components of the vector that the first of
// them is one of.
static unsigned count_components(const struct family *family, unsigned from,
                                 unsigned count)
{
    const struct load *const first = &family->loads[from];
    const int64_t bytes = (int64_t)family->element_bytes;
    unsigned n = 1;

    if (first->component < 0)
        return 0;
    for (; from + n < family->count; n++) {
        const int64_t further = first[n].at - first->at;

        if (first[n].at == first[n - 1].at || further % bytes ||
            first->component + further / bytes >= count)
            break;
    }
    return n;
}

static void close_at(struct finding *f, unsigned at)
{
    struct family *family = f->open[at];
    const unsigned count = tf_strip_members(f->p->width, family->element_bytes);

    sort(family);
    for (unsigned i = 0, taken; i < family->count; i += taken) {
        const struct load *const load = &family->loads[i];

        taken = are_neighbours(family, i, count) ? count : 0;
        if (taken) {
            make_strip(f, family, i, taken, load->at, count);
            continue;
        }
        taken = count_components(family, i, count);
        if (taken > 1)
            make_strip(f, family, i, taken,
                       load->at - load->component * (int64_t)family->element_bytes,
                       count);
        else
            taken = 1;
    }
    f->open[at] = f->open[--f->open_count];
}

static void close_all(struct finding *f)
{
    f->run_count = 0;
    while (f->open_count > 0)
        close_at(f, f->open_count - 1);
}

// ---- what may meet

static struct stored access_at(const struct finding *f, LLVMValueRef access)
{
    const struct tf_access a = tf_access_of(f->p->shapes->layout, access);
    const struct tf_shape shape = tf_shape_of(f->p->shapes, a.pointer);
    int64_t stride = shape.kind == TF_SHAPE_AFFINE ? shape.stride : 0;

    stride = stride < 0 ? -stride : stride;
    return (struct stored){access, tf_place_of(f->p->shapes->layout, a.pointer),
                           tf_access_bytes(&a), tf_access_is_local(&a), stride};
}

static bool are_other_bytes(const struct stored *a, const struct stored *b)
{
    const int64_t at_a = a->place.offset_bytes, at_b = b->place.offset_bytes;

    return a->bytes && b->bytes &&
           (at_a + (int64_t)a->bytes <= at_b || at_b + (int64_t)b->bytes <= at_a);
}

// Of accesses with one base: whether those of no lane meet those of another.
static bool lanes_keep_clear(const struct stored *a, const struct stored *b)
{
    const int64_t from = b->place.offset_bytes - a->place.offset_bytes;
    int64_t rest; // from a lane of `a` up to the next one of `b`

    if (!a->stride || a->stride != b->stride)
        return false;
    rest = (from % a->stride + a->stride) % a->stride;
    return rest >= (int64_t)a->bytes && a->stride - rest >= (int64_t)b->bytes;
}

static bool keep_clear(const struct stored *a, const struct stored *b)
{
    return tf_place_apart(a->access, &a->place, b->access, &b->place) ||
           (tf_place_same_base(&a->place, &b->place) && are_other_bytes(a, b) &&
            (!a->is_local || lanes_keep_clear(a, b)));
}

// ---- the accesses of a block

// Gathers or scatters of numbers at addresses that are not the work-item's own variables,
// which lie by units.
static bool may_be_member(const struct finding *f, const struct tf_value *v,
                          const struct tf_access *a, enum tf_form form)
{
    return tf_plan_form(f->p, v) == form && a->count == 1 &&
           LLVMGetTypeKind(a->element) != LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) != TF_AS_PRIVATE &&
           tf_strip_members(f->p->width, a->element_bytes);
}

static bool can_join(const struct family *family, const struct stored *load)
{
    if (family->count == MOST_LOADS || family->element_bytes != load->bytes ||
        !tf_place_same_base(&load->place, &family->place))
        return false;
    for (unsigned i = 0; i < family->passed_count; i++) {
        if (!keep_clear(load, &family->passed[i]))
            return false;
    }
    return true;
}

static bool is_later(const struct finding *f, const struct tf_value *store,
                     const struct tf_value *than)
{
    const struct tf_bundle *bundle = f->m->values[store - f->p->shapes->values].bundle;

    return bundle && bundle->members[bundle->count - 1] > than;
}

static void forget_made_stores(struct finding *f, const struct tf_value *now)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < f->late_count; i++) {
        if (is_later(f, f->late[i], now))
            f->late[kept++] = f->late[i];
    }
    f->late_count = kept;
}

// Late stores come behind the load: as if they stood there; and so may those that wait.
// False of too many.
static bool pass_late_stores(struct finding *f, struct family *family,
                             const struct tf_value *load)
{
    forget_made_stores(f, load);
    for (unsigned i = 0; i < f->late_count; i++)
        family->passed[family->passed_count++] = access_at(f, f->late[i]->instruction);
    for (unsigned i = 0; i < f->run_count; i++) {
        if (family->passed_count + f->runs[i]->count > MOST_PASSED)
            return false;
        for (unsigned k = 0; k < f->runs[i]->count; k++)
            family->passed[family->passed_count++] = f->runs[i]->at[k];
    }
    return !f->has_more_late;
}

static void note_late_store(struct finding *f, struct tf_value *store)
{
    if (!is_later(f, store, store))
        return;
    if (f->late_count == MOST_LATE)
        forget_made_stores(f, store);
    if (f->late_count == MOST_LATE)
        f->has_more_late = true;
    else
        f->late[f->late_count++] = store;
}

// The one to give up for another: that of fewest loads. Look-ups at places of their own
// between the loads of a row are families of one each.
static unsigned smallest(const struct finding *f)
{
    unsigned at = 0;

    for (unsigned i = 1; i < f->open_count; i++) {
        if (f->open[i]->count < f->open[at]->count)
            at = i;
    }
    return at;
}

// NULL: nothing joins this load.
static struct family *open_family(struct finding *f, const struct tf_value *load,
                                  const struct stored *at)
{
    struct family *family = TF_ARENA_NEW(&f->p->arena, struct family, 1);

    family->place = at->place;
    family->element_bytes = at->bytes;
    if (!pass_late_stores(f, family, load))
        return NULL;
    if (f->open_count == MOST_OPEN)
        close_at(f, smallest(f));
    f->open[f->open_count++] = family;
    return family;
}

static void join_family(struct finding *f, struct tf_value *v, const struct stored *at)
{
    struct family *family = NULL;

    for (unsigned i = 0; i < f->open_count && !family; i++) {
        if (can_join(f->open[i], at))
            family = f->open[i];
    }
    if (!family)
        family = open_family(f, v, at);
    if (!family)
        return;
    family->loads[family->count] = (struct load){v, at->place.offset_bytes, family->count,
                                                 tf_component_of(v->instruction)};
    family->count++;
}

// ---- stores that wait

static bool keeps_clear_of(const struct run *run, const struct stored *x)
{
    for (unsigned i = 0; i < run->count; i++) {
        if (!keep_clear(x, &run->at[i]))
            return false;
    }
    return true;
}

// An access that stands between stores and the last of their strip. Those that it may
// meet are scatters where they stand.
static void pass_runs(struct finding *f, const struct stored *x)
{
    for (unsigned k = f->run_count; k-- > 0;) {
        if (!keeps_clear_of(f->runs[k], x))
            f->runs[k] = f->runs[--f->run_count];
    }
}

// A bundle loads all of its members where the first stands.
static void pass_load(struct finding *f, const struct tf_value *v)
{
    const struct tf_bundle *bundle = f->m->values[v - f->p->shapes->values].bundle;
    struct stored at;

    for (unsigned i = 0; f->run_count && bundle && i < bundle->count; i++) {
        at = access_at(f, bundle->members[i]->instruction);
        pass_runs(f, &at);
    }
}

static struct run *run_for(struct finding *f, const struct stored *at)
{
    for (unsigned i = 0; i < f->run_count; i++) {
        if (f->runs[i]->element_bytes == at->bytes &&
            tf_place_same_base(&f->runs[i]->at[0].place, &at->place))
            return f->runs[i];
    }
    if (f->run_count == MOST_OPEN)
        f->runs[0] = f->runs[--f->run_count];
    f->runs[f->run_count] = TF_ARENA_NEW(&f->p->arena, struct run, 1);
    f->runs[f->run_count]->element_bytes = at->bytes;
    return f->runs[f->run_count++];
}

static void drop_first(struct run *run)
{
    run->count--;
    for (unsigned i = 0; i < run->count; i++) {
        run->members[i] = run->members[i + 1];
        run->at[i] = run->at[i + 1];
    }
}

// The place in memory of the run's member `i` among the others, which are no two at one.
static unsigned rank_of(const struct run *run, unsigned i)
{
    unsigned rank = 0;

    for (unsigned k = 0; k < run->count; k++)
        rank += run->at[k].place.offset_bytes < run->at[i].place.offset_bytes;
    return rank;
}

// Whether those that wait are neighbours; they are a strip then.
static bool store_together(struct finding *f, struct run *run)
{
    const unsigned last = run->count - 1;
    int64_t low = run->at[0].place.offset_bytes, high = low;
    struct tf_strip *strip;

    for (unsigned i = 1; i < run->count; i++) {
        const int64_t at = run->at[i].place.offset_bytes;

        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (high - low != (int64_t)(last * run->element_bytes))
        return false;
    strip = TF_ARENA_NEW(&f->p->arena, struct tf_strip, 1);
    strip->number = f->p->bundle_count++;
    strip->count = strip->present = run->count;
    strip->element_bytes = (unsigned)run->element_bytes;
    strip->members = TF_ARENA_NEW(&f->p->arena, struct tf_value *, run->count);
    strip->made_at = run->members[last];
    strip->made_bytes = run->at[last].place.offset_bytes - low;
    for (unsigned i = 0; i < run->count; i++) {
        struct tf_plan_value *value =
            &f->m->values[run->members[i] - f->p->shapes->values];

        strip->members[rank_of(run, i)] = run->members[i];
        value->form = TF_FORM_STRIP;
        value->strip = strip;
    }
    return true;
}

static void wait_for_rest(struct finding *f, struct tf_value *v, const struct stored *at)
{
    struct run *run = run_for(f, at);

    run->members[run->count] = v;
    run->at[run->count++] = *at;
    if (run->count < tf_strip_members(f->p->width, run->element_bytes))
        return;
    if (store_together(f, run))
        run->count = 0;
    else
        drop_first(run);
}

// ---- one after the other

static void take_load(struct finding *f, struct tf_value *v)
{
    const struct tf_access a = tf_access_of(f->p->shapes->layout, v->instruction);
    const bool is_member = may_be_member(f, v, &a, TF_FORM_GATHER);
    struct stored at;

    if (!is_member && !f->run_count)
        return;
    at = access_at(f, v->instruction);
    pass_runs(f, &at);
    pass_load(f, v);
    if (is_member)
        join_family(f, v, &at);
}

// What joins a family later goes up past the store: it must not meet it.
static void take_store(struct finding *f, struct tf_value *v)
{
    const struct tf_access a = tf_access_of(f->p->shapes->layout, v->instruction);
    const struct stored passed = access_at(f, v->instruction);

    note_late_store(f, v);
    for (unsigned k = f->open_count; k-- > 0;) {
        struct family *family = f->open[k];

        if (family->passed_count == MOST_PASSED)
            close_at(f, k);
        else
            family->passed[family->passed_count++] = passed;
    }
    pass_runs(f, &passed);
    if (may_be_member(f, v, &a, TF_FORM_SCATTER) && (!passed.is_local || passed.stride))
        wait_for_rest(f, v, &passed);
}

static void look_through(struct finding *f, unsigned block)
{
    const struct tf_shapes *s = f->p->shapes;
    const struct tf_value *const end = tf_block_end(s, block);

    f->late_count = 0;
    f->has_more_late = false;
    for (struct tf_value *v = tf_block_first(s, block); v < end; v++) {
        switch ((int)v->opcode) {
        case LLVMLoad:
        case LLVMStore:
            if (v->is_ordered)
                close_all(f);
            else if (v->opcode == LLVMLoad)
                take_load(f, v);
            else
                take_store(f, v);
            break;
        case LLVMCall:
            if (!tf_touches_no_memory(v))
                close_all(f);
            break;
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
            close_all(f);
            break;
        default:
            break;
        }
    }
    close_all(f);
}

// ---- addresses

static bool is_of_address(const struct tf_value *v)
{
    return v->opcode == LLVMGetElementPtr || v->opcode == LLVMAdd ||
           v->opcode == LLVMOr || v->opcode == LLVMSExt || v->opcode == LLVMZExt;
}

static bool locates_strips(const struct finding *f, const struct tf_value *v)
{
    const struct tf_shapes *s = f->p->shapes;
    LLVMUseRef use = is_of_address(v) ? LLVMGetFirstUse(v->instruction) : NULL;
    const bool any = use != NULL;

    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(s, LLVMGetUser(use));
        const struct tf_plan_value *plan = user ? &f->p->values[user - s->values] : NULL;

        if (!plan || user->block != v->block ||
            (plan->form != TF_FORM_STRIP && !plan->locates) ||
            (user->opcode == LLVMStore &&
             LLVMGetOperand(user->instruction, 0) == v->instruction))
            return false;
    }
    return any;
}

void tf_plan_strips(struct tf_planning *m)
{
    struct finding f = {.m = m, .p = m->p};
    const unsigned before = m->p->bundle_count;

    for (unsigned b = 0; b < m->p->cfg->block_count; b++) {
        if (!m->p->of.facts->seldom[b])
            look_through(&f, b);
    }
    if (m->p->bundle_count == before)
        return;
    for (unsigned i = m->p->shapes->value_count; i-- > 0;)
        m->values[i].locates = locates_strips(&f, &m->p->shapes->values[i]);
}
