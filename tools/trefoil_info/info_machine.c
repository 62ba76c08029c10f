// SPDX-License-Identifier: MIT
#include "info_machine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/env.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/facts/cpu_info.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "info_output.h"

enum { MAX_CACHES = 8 };

static unsigned used_level(const struct tf_arch_facts *facts)
{
    return tf_cpu_info_pick_level(facts->level, tf_env_text(TF_ENV_ISA));
}

size_t machine_levels(const char **names, size_t room)
{
    struct tf_arch_facts facts;
    size_t count, stored = 0;
    const struct tf_arch_level *levels = tf_arch_levels(&count);

    tf_arch_probe(&facts);
    for (unsigned i = 0; i <= used_level(&facts) && i < count && stored < room; i++)
        names[stored++] = levels[i].name;
    return stored;
}

static void print_levels(const struct tf_arch_facts *facts)
{
    size_t count;
    const struct tf_arch_level *levels = tf_arch_levels(&count);

    out_list("levels of instructions");
    for (unsigned i = 0; i <= facts->level && i < count; i++)
        out_text(NULL, levels[i].name);
    out_list_end();
    out_text("level in use", levels[used_level(facts)].name);
}

// ---- Caches, as the system tells them of one CPU ----

static bool cache_line(unsigned cpu, unsigned index, const char *name, char *text,
                       size_t bytes)
{
    char path[128];
    bool ok;
    FILE *f;

    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%u/%s", cpu,
             index, name);
    f = fopen(path, "re");
    if (!f)
        return false;
    ok = fgets(text, (int)bytes, f) != NULL;
    fclose(f);
    text[strcspn(text, "\n")] = '\0';
    return ok;
}

static void print_caches(unsigned cpu)
{
    char level[32], type[32], size[32], shared[256], text[512];

    out_list("caches");
    for (unsigned i = 0; i < MAX_CACHES; i++) {
        if (!cache_line(cpu, i, "level", level, sizeof(level)) ||
            !cache_line(cpu, i, "type", type, sizeof(type)) ||
            !cache_line(cpu, i, "size", size, sizeof(size)))
            break;
        if (!cache_line(cpu, i, "shared_cpu_list", shared, sizeof(shared)))
            strcpy(shared, "?");
        snprintf(text, sizeof(text), "L%s %s %s (CPUs %s)", level, type, size, shared);
        out_text(NULL, text);
    }
    out_list_end();
}

// ---- CPUs and nodes ----

static void print_nodes(const struct tf_cpu_unit *units, uint32_t count)
{
    const int64_t *last = NULL;
    unsigned nodes = 0;

    out_list("CPUs of this process");
    for (uint32_t i = 0; i < count; i++)
        out_number(NULL, units[i].cpu, NULL);
    out_list_end();
    for (uint32_t i = 0; i < count; i++) { // sorted by node
        const int64_t *node = &units[i].domain[TF_CPU_NODE];

        nodes += *node >= 0 && (!last || *last != *node);
        last = node;
    }
    if (nodes)
        out_number("NUMA nodes", nodes, NULL);
    else
        out_nothing("NUMA nodes");
}

static void print_cpus(void)
{
    union tf_cpu_set mask;
    struct tf_cpu_unit *units;
    uint32_t count;

    if (!tf_cpu_topology_mask(&mask))
        return;
    count = (uint32_t)CPU_COUNT_S(TF_CPU_SET_BYTES, &mask.set);
    units = calloc(count, sizeof(*units));
    if (units && tf_cpu_topology_units("", &mask, units, count)) {
        print_nodes(units, count);
        print_caches(units[0].cpu);
    }
    free(units);
}

static void print_limits(void)
{
    const unsigned quota = tf_cpu_info_quota("");
    const uint64_t memory = tf_cpu_info_memory_limit("");
    const uint64_t all =
        (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

    out_number("memory", all, "bytes");
    if (quota)
        out_number("cgroup CPUs", quota, NULL);
    else
        out_nothing("cgroup CPUs");
    if (memory < all) // version 1 has a great number for none
        out_number("cgroup memory", memory, "bytes");
    else
        out_nothing("cgroup memory");
}

void print_machine(void)
{
    struct tf_arch_facts facts;
    struct utsname system;

    tf_arch_probe(&facts);
    out_section("machine", "Machine");
    out_text("processor", facts.brand[0] ? facts.brand : "unknown");
    out_text("vendor", facts.vendor[0] ? facts.vendor : "unknown");
    if (uname(&system) == 0) {
        out_text("architecture", system.machine);
        out_text("system", system.sysname);
        out_text("kernel", system.release);
    }
    print_levels(&facts);
    print_cpus();
    print_limits();
    out_section_end();
}
