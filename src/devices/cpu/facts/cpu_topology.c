// SPDX-License-Identifier: MIT
#include "devices/cpu/facts/cpu_topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
    PATH_BYTES = 512,
    LIST_BYTES = 8192, // of CPU numbers: "0-3,8-11"
    MAX_CACHES = 16,   // that one CPU is told to have
    MAX_NODES = 1024,
};

bool tf_cpu_topology_mask(union tf_cpu_set *mask)
{
    memset(mask, 0, sizeof(*mask));
    return sched_getaffinity(0, TF_CPU_SET_BYTES, &mask->set) == 0 &&
           CPU_COUNT_S(TF_CPU_SET_BYTES, &mask->set) > 0;
}

// ---- Files of /sys ----

// The first line of a file; false when there is none.
static bool read_line(const char *root, const char *path, char *text, size_t bytes)
{
    char full[PATH_BYTES];
    bool ok;
    FILE *f;

    if ((size_t)snprintf(full, sizeof(full), "%s/sys/devices/system/%s", root, path) >=
        sizeof(full))
        return false;
    f = fopen(full, "re");
    if (!f)
        return false;
    ok = fgets(text, (int)bytes, f) != NULL;
    fclose(f);
    return ok;
}

// Calls fn for each range of a list like "0-3,8-11" until it says true; whether it did.
static bool find_in_list(const char *text,
                         bool (*fn)(unsigned long, unsigned long, void *), void *arg)
{
    for (;;) {
        char *end;
        const unsigned long first = strtoul(text, &end, 10);
        unsigned long last = first;

        if (end == text)
            return false;
        if (*end == '-') {
            text = end + 1;
            last = strtoul(text, &end, 10);
            if (end == text)
                return false;
        }
        if (fn(first, last, arg))
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
}

static bool range_holds(unsigned long first, unsigned long last, void *arg)
{
    const uint32_t *cpu = arg;

    return first <= *cpu && *cpu <= last;
}

static bool list_holds(const char *text, uint32_t cpu)
{
    return find_in_list(text, range_holds, &cpu);
}

// ---- Caches ----

static bool cache_line(const char *root, uint32_t cpu, unsigned index, const char *file,
                       char *text, size_t bytes)
{
    char path[100];

    snprintf(path, sizeof(path), "cpu/cpu%u/cache/index%u/%s", cpu, index, file);
    return read_line(root, path, text, bytes);
}

static void read_caches(const char *root, struct tf_cpu_unit *unit)
{
    static const enum tf_cpu_level levels[] = {TF_CPU_L1, TF_CPU_L2, TF_CPU_L3,
                                               TF_CPU_L4};
    char *const text = tf_zalloc(LIST_BYTES);

    for (unsigned i = 0; text && i < MAX_CACHES; i++) {
        unsigned long level;

        if (!cache_line(root, unit->cpu, i, "level", text, LIST_BYTES))
            break;
        level = strtoul(text, NULL, 10);
        if (level < 1 || level > 4 ||
            !cache_line(root, unit->cpu, i, "type", text, LIST_BYTES) ||
            !strncmp(text, "Instruction", 11) ||
            !cache_line(root, unit->cpu, i, "shared_cpu_list", text, LIST_BYTES) ||
            !list_holds(text, unit->cpu))
            continue;
        unit->domain[levels[level - 1]] = (int64_t)strtoul(text, NULL, 10);
    }
    tf_free(text);
}

// ---- Nodes ----

struct node_search {
    const char *root;
    char *text; // LIST_BYTES
    struct tf_cpu_unit *units;
    size_t count;
};

static void read_node(const struct node_search *search, unsigned long node)
{
    char path[100];

    snprintf(path, sizeof(path), "node/node%lu/cpulist", node);
    if (!read_line(search->root, path, search->text, LIST_BYTES))
        return;
    for (size_t i = 0; i < search->count; i++)
        if (list_holds(search->text, search->units[i].cpu))
            search->units[i].domain[TF_CPU_NODE] = (int64_t)node;
}

static bool read_nodes_of_range(unsigned long first, unsigned long last, void *arg)
{
    for (unsigned long node = first; node <= last && node < MAX_NODES; node++)
        read_node(arg, node);
    return false;
}

static void read_nodes(const char *root, struct tf_cpu_unit *units, size_t count)
{
    struct node_search search = {root, tf_zalloc(LIST_BYTES), units, count};
    char *const list = tf_zalloc(LIST_BYTES);

    if (search.text && list && read_line(root, "node/online", list, LIST_BYTES))
        find_in_list(list, read_nodes_of_range, &search);
    tf_free(search.text);
    tf_free(list);
}

// ---- Units ----

static int by_place(const void *a, const void *b)
{
    const struct tf_cpu_unit *x = a, *y = b;

    for (int level = 0; level < TF_CPU_LEVELS; level++)
        if (x->domain[level] != y->domain[level])
            return x->domain[level] < y->domain[level] ? -1 : 1;
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

// All CPUs of the mask, in order. NULL when memory ran out or there are none.
static struct tf_cpu_unit *units_of_mask(const char *root, const union tf_cpu_set *mask,
                                         uint32_t *count)
{
    const int cpus = CPU_COUNT_S(TF_CPU_SET_BYTES, &mask->set);
    struct tf_cpu_unit *units = tf_zalloc((size_t)cpus * sizeof(*units));

    *count = 0;
    if (!units)
        return NULL;
    for (uint32_t cpu = 0; cpu < TF_CPU_MAX; cpu++) {
        if (!CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &mask->set))
            continue;
        units[*count].cpu = cpu;
        for (int level = 0; level < TF_CPU_LEVELS; level++)
            units[*count].domain[level] = -1;
        read_caches(root, &units[(*count)++]);
    }
    read_nodes(root, units, *count);
    qsort(units, *count, sizeof(*units), by_place);
    return units;
}

bool tf_cpu_topology_units(const char *root, const union tf_cpu_set *mask,
                           struct tf_cpu_unit *units, uint32_t count)
{
    uint32_t cpus;
    struct tf_cpu_unit *all = units_of_mask(root, mask, &cpus);

    if (!all || cpus == 0) {
        tf_free(all);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        units[i] = all[count > cpus ? (uint64_t)i * cpus / count : i];
    tf_free(all);
    return true;
}

uint32_t tf_cpu_topology_domains(const struct tf_cpu_unit *units, uint32_t count,
                                 enum tf_cpu_level level, uint32_t *domain_of_unit)
{
    uint32_t domains = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = 0;

        if (units[i].domain[level] < 0)
            return 0;
        while (units[first].domain[level] != units[i].domain[level])
            first++;
        domain_of_unit[i] = first < i ? domain_of_unit[first] : domains++;
    }
    return domains;
}

bool tf_cpu_topology_has_cores(const char *root, const union tf_cpu_set *mask)
{
    char *const text = tf_zalloc(LIST_BYTES);
    bool has_siblings = false, has_others = false;

    for (uint32_t cpu = 0; text && cpu < TF_CPU_MAX && !has_others; cpu++) {
        char path[100];

        if (!CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &mask->set))
            continue;
        if (has_siblings) {
            has_others = !list_holds(text, cpu);
            continue;
        }
        snprintf(path, sizeof(path), "cpu/cpu%u/topology/thread_siblings_list", cpu);
        if (!read_line(root, path, text, LIST_BYTES) || !list_holds(text, cpu))
            break;
        has_siblings = true;
    }
    tf_free(text);
    return has_others;
}

void tf_cpu_set_keep_one(union tf_cpu_set *cpus, unsigned number)
{
    const int count = CPU_COUNT_S(TF_CPU_SET_BYTES, &cpus->set);
    int left = count > 0 ? (int)(number % (unsigned)count) : 0;

    for (size_t cpu = 0; cpu < TF_CPU_SET_BYTES * 8; cpu++)
        if (CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &cpus->set) && left-- != 0)
            CPU_CLR_S(cpu, TF_CPU_SET_BYTES, &cpus->set);
}
