// SPDX-License-Identifier: MIT
// A partition is planned first (which compute units go into which part), then made: so
// the number of parts is known without making any.
#include "core/platform/sub_device.h"

#include <string.h>

#include <CL/cl_trefoil.h>

#include "base/alloc.h"
#include "core/object/error.h"

// From the largest domain to the smallest: the order of NEXT_PARTITIONABLE.
static const cl_device_affinity_domain levels[] = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA,     CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
};

enum { LEVELS = sizeof(levels) / sizeof(levels[0]) };

struct plan {
    cl_uint count;    // of parts
    uint32_t *units;  // owned: compute units of the device, part by part
    uint32_t *sizes;  // owned: units of each part
    uint32_t *domain; // owned: of each compute unit
    cl_device_partition_property *type; // owned: CL_DEVICE_PARTITION_TYPE of the parts
    size_t type_words;                  // with the terminating 0
};

static void plan_free(struct plan *plan)
{
    tf_free(plan->units);
    tf_free(plan->sizes);
    tf_free(plan->domain);
    tf_free(plan->type);
}

static bool can_partition(cl_device_id device)
{
    return device->dev->ops->sub_device_new != NULL;
}

// Number of domains of a level; `domain` has room for every compute unit.
static uint32_t domains_at(cl_device_id device, cl_device_affinity_domain level,
                           uint32_t *domain)
{
    return device->dev->ops->affinity(device->dev, level, domain);
}

cl_int tf_device_affinity_domains(struct tf_err *err, cl_device_id device,
                                  cl_device_affinity_domain *out)
{
    const size_t units = device->info->compute_units;
    uint32_t *domain;

    *out = 0;
    if (!can_partition(device))
        return CL_SUCCESS;
    domain = tf_zalloc(units * sizeof(*domain));
    if (!domain)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "%zu compute units", units);
    for (int i = 0; i < LEVELS; i++)
        if (domains_at(device, levels[i], domain) > 1)
            *out |= levels[i] | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    tf_free(domain);
    return CL_SUCCESS;
}

cl_uint tf_device_partition_most(cl_device_id device)
{
    const cl_uint units = device->info->compute_units;

    return can_partition(device) && units > 1 ? units : 0;
}

size_t tf_device_partition_schemes(cl_device_id device, cl_device_affinity_domain domains,
                                   cl_device_partition_property out[TF_PARTITION_SCHEMES])
{
    size_t count = 2;

    out[0] = 0;
    if (tf_device_partition_most(device) == 0)
        return 1;
    out[0] = CL_DEVICE_PARTITION_EQUALLY;
    out[1] = CL_DEVICE_PARTITION_BY_COUNTS;
    if (tf_device_caps_has(device->caps, TF_FEATURE_cl_intel_device_partition_by_names))
        out[count++] = CL_DEVICE_PARTITION_BY_NAMES_INTEL;
    if (domains)
        out[count++] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    return count;
}

// ---- Plans ----

static cl_int allocate(struct tf_err *err, struct plan *plan, cl_device_id device,
                       size_t type_words)
{
    const size_t units = device->info->compute_units;

    plan->units = tf_zalloc(units * sizeof(*plan->units));
    plan->sizes = tf_zalloc(units * sizeof(*plan->sizes));
    plan->domain = tf_zalloc(units * sizeof(*plan->domain));
    plan->type = tf_zalloc(type_words * sizeof(*plan->type));
    plan->type_words = type_words;
    if (!plan->units || !plan->sizes || !plan->domain || !plan->type)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "partition of %zu compute units",
                       units);
    for (size_t i = 0; i < units; i++)
        plan->units[i] = (uint32_t)i;
    return CL_SUCCESS;
}

static cl_int check_equally(struct tf_err *err, cl_uint units,
                            const cl_device_partition_property *properties)
{
    const cl_device_partition_property each = properties[1];

    TF_REQUIRE(err, each > 0 && properties[2] == 0, CL_INVALID_VALUE,
               "CL_DEVICE_PARTITION_EQUALLY takes one number above 0 and nothing else");
    TF_REQUIRE(err, each <= units, CL_INVALID_DEVICE_PARTITION_COUNT,
               "the device has %u compute units", units);
    TF_REQUIRE(err, each < units, CL_DEVICE_PARTITION_FAILED,
               "a part of all %u compute units is no partition", units);
    return CL_SUCCESS;
}

static cl_int plan_equally(struct tf_err *err, struct plan *plan, cl_device_id device,
                           const cl_device_partition_property *properties)
{
    const cl_uint units = device->info->compute_units;
    const cl_uint each = (cl_uint)properties[1];

    if (check_equally(err, units, properties) || allocate(err, plan, device, 3))
        return err->code;
    plan->count = units / each;
    for (cl_uint i = 0; i < plan->count; i++)
        plan->sizes[i] = each;
    memcpy(plan->type, properties, 2 * sizeof(*properties));
    return CL_SUCCESS;
}

// Checks the counts and stores how many there are. The list is not read beyond its end
// mark: the 0 that ends the properties is often left out.
static cl_int check_counts(struct tf_err *err, cl_uint units,
                           const cl_device_partition_property *counts, cl_uint *n)
{
    cl_device_partition_property left = units;

    for (*n = 0; counts[*n] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++*n) {
        TF_REQUIRE(err, counts[*n] > 0 && counts[*n] <= left,
                   CL_INVALID_DEVICE_PARTITION_COUNT,
                   "count %u is %lld, and %lld compute units are left", *n,
                   (long long)counts[*n], (long long)left);
        left -= counts[*n];
    }
    TF_REQUIRE(err, *n > 0, CL_INVALID_VALUE, "no counts");
    TF_REQUIRE(err, units > 1, CL_DEVICE_PARTITION_FAILED,
               "the device has one compute unit");
    return CL_SUCCESS;
}

static cl_int plan_counts(struct tf_err *err, struct plan *plan, cl_device_id device,
                          const cl_device_partition_property *properties)
{
    cl_uint n;

    if (check_counts(err, device->info->compute_units, properties + 1, &n) ||
        allocate(err, plan, device, (size_t)n + 3))
        return err->code;
    plan->count = n;
    for (cl_uint i = 0; i < n; i++)
        plan->sizes[i] = (uint32_t)properties[1 + i];
    memcpy(plan->type, properties, ((size_t)n + 1) * sizeof(*properties));
    return CL_SUCCESS;
}

// What no device of the driver offers is not supported; what only this part of one
// cannot give any more is a failure (OpenCL 3.1 section 4.3, clCreateSubDevices). *here
// becomes the levels that can be had.
static cl_int check_affinity(struct tf_err *err, cl_device_id device,
                             const cl_device_partition_property *properties,
                             cl_device_affinity_domain *here)
{
    const cl_device_affinity_domain level = (cl_device_affinity_domain)properties[1];
    const bool one_level = level && !(level & (level - 1));
    cl_device_affinity_domain offered;

    if (tf_device_affinity_domains(err, device->root, &offered) ||
        tf_device_affinity_domains(err, device, here))
        return err->code;
    TF_REQUIRE(err, one_level && offered & level, CL_INVALID_VALUE,
               "affinity domain 0x%llx is not supported", (unsigned long long)level);
    TF_REQUIRE(err, properties[2] == 0, CL_INVALID_VALUE,
               "CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN takes one domain");
    TF_REQUIRE(err, *here & level, CL_DEVICE_PARTITION_FAILED,
               "the device is one domain of 0x%llx", (unsigned long long)level);
    return CL_SUCCESS;
}

static cl_device_affinity_domain pick_level(cl_device_affinity_domain wanted,
                                            cl_device_affinity_domain available)
{
    if (wanted != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
        return wanted;
    for (int i = 0; i < LEVELS; i++)
        if (available & levels[i])
            return levels[i];
    return 0;
}

// Sorts the units by domain.
static void group_units(struct plan *plan, cl_uint units)
{
    uint32_t used = 0;

    for (uint32_t d = 0; d < plan->count; d++) {
        for (uint32_t unit = 0; unit < units; unit++) {
            if (plan->domain[unit] != d)
                continue;
            plan->units[used++] = unit;
            plan->sizes[d]++;
        }
    }
}

static cl_int plan_affinity(struct tf_err *err, struct plan *plan, cl_device_id device,
                            const cl_device_partition_property *properties)
{
    cl_device_affinity_domain level, here = 0;

    if (check_affinity(err, device, properties, &here) || allocate(err, plan, device, 3))
        return err->code;
    level = pick_level((cl_device_affinity_domain)properties[1], here);
    plan->count = domains_at(device, level, plan->domain);
    group_units(plan, device->info->compute_units);
    plan->type[0] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    plan->type[1] = (cl_device_partition_property)level;
    return CL_SUCCESS;
}

// cl_intel_device_partition_by_names: one part of the compute units that are named, by
// their numbers.
static cl_int plan_names(struct tf_err *err, struct plan *plan, cl_device_id device,
                         const cl_device_partition_property *properties)
{
    const cl_device_partition_property *const names = properties + 1;
    const cl_uint units = device->info->compute_units;
    cl_uint n;

    for (n = 0; names[n] != CL_PARTITION_BY_NAMES_LIST_END_INTEL; n++) {
        TF_REQUIRE(err, names[n] >= 0 && names[n] < units, CL_INVALID_VALUE,
                   "the device has no compute unit %lld", (long long)names[n]);
        for (cl_uint i = 0; i < n; i++)
            TF_REQUIRE(err, names[i] != names[n], CL_INVALID_VALUE,
                       "compute unit %lld is named twice", (long long)names[n]);
    }
    TF_REQUIRE(err, n > 0, CL_INVALID_VALUE, "no names");
    TF_REQUIRE(err, n < units, CL_DEVICE_PARTITION_FAILED,
               "a part of all %u compute units is no partition", units);
    if (allocate(err, plan, device, (size_t)n + 3))
        return err->code;
    plan->count = 1;
    for (cl_uint unit = 0; unit < units; unit++)
        plan->domain[unit] = 1; // not of the part
    for (cl_uint i = 0; i < n; i++)
        plan->domain[names[i]] = 0;
    group_units(plan, units);
    memcpy(plan->type, properties, ((size_t)n + 2) * sizeof(*properties));
    return CL_SUCCESS;
}

static cl_int make_plan(struct tf_err *err, struct plan *plan, cl_device_id device,
                        const cl_device_partition_property *properties)
{
    if (!can_partition(device))
        return tf_fail(err, CL_INVALID_VALUE, "the device offers no partition scheme");
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
        return plan_equally(err, plan, device, properties);
    case CL_DEVICE_PARTITION_BY_COUNTS:
        return plan_counts(err, plan, device, properties);
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
        return plan_affinity(err, plan, device, properties);
    case CL_DEVICE_PARTITION_BY_NAMES_INTEL:
        if (tf_device_caps_has(device->caps,
                               TF_FEATURE_cl_intel_device_partition_by_names))
            return plan_names(err, plan, device, properties);
        break;
    default:
        break;
    }
    return tf_fail(err, CL_INVALID_VALUE, "partition scheme 0x%llx",
                   (unsigned long long)properties[0]);
}

// ---- Parts ----

// The part of those units, owned by the caller; NULL and err set on failure.
static cl_device_id new_part(struct tf_err *err, cl_device_id parent,
                             const struct plan *plan, const uint32_t *units,
                             uint32_t count)
{
    cl_device_id part = tf_device_new(parent->platform);
    struct tf_device *dev = NULL;

    if (!part) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sub-device");
        return NULL;
    }
    part->parent = tf_ref(parent);
    part->root = parent->root;
    part->partition = tf_memdup(plan->type, plan->type_words * sizeof(*plan->type));
    part->partition_count = plan->type_words;
    if (!part->partition)
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sub-device");
    else if (!parent->dev->ops->sub_device_new(err, parent->dev, units, count, &dev))
        tf_device_set(part, dev);
    if (!err->code)
        return part;
    tf_unref(part);
    return NULL;
}

// All or none.
static cl_int make_parts(struct tf_err *err, cl_device_id device, const struct plan *plan,
                         cl_device_id *out)
{
    const uint32_t *units = plan->units;
    cl_uint made = 0;

    for (; made < plan->count; made++) {
        cl_device_id part = new_part(err, device, plan, units, plan->sizes[made]);

        if (!part)
            break;
        out[made] = tf_give_user(part);
        units += plan->sizes[made];
    }
    while (err->code && made-- > 0) {
        tf_object_release(&(struct tf_err){0}, out[made], &tf_class_device);
        out[made] = NULL;
    }
    return err->code;
}

cl_int tf_device_partition(struct tf_err *err, cl_device_id device,
                           const cl_device_partition_property *properties, cl_uint room,
                           cl_device_id *out, cl_uint *count)
{
    struct plan plan = {0};

    if (make_plan(err, &plan, device, properties))
        goto out;
    if (out && room < plan.count)
        tf_fail(err, CL_INVALID_VALUE, "room for %u of %u sub-devices", room, plan.count);
    else if (out)
        make_parts(err, device, &plan, out);
    if (!err->code)
        *count = plan.count;
out:
    plan_free(&plan);
    return err->code;
}
