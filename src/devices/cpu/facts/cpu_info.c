// SPDX-License-Identifier: MIT
#include "devices/cpu/facts/cpu_info.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "devices/cpu/facts/cpu_uuid.h"

enum { PATH_BYTES = 512, TEXT_BYTES = 4096 };

// ---- Small files ----

// As much as fits, or there is.
static size_t read_start(int fd, char *text, size_t bytes)
{
    size_t n = 0;

    while (n < bytes) {
        const ssize_t more = read(fd, text + n, bytes - n);

        if (more > 0)
            n += (size_t)more;
        else if (more == 0 || errno != EINTR)
            break;
    }
    return n;
}

// The start of a file as text; false when there is no such file. Workers read some, too,
// at any time: streams would lie in lists of the C library, which it takes apart at the
// end of the process.
static bool read_text(const char *root, const char *path, char *text, size_t bytes)
{
    char full[PATH_BYTES];
    size_t n;
    int fd;

    if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) >= sizeof(full))
        return false;
    fd = open(full, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read_start(fd, text, bytes - 1);
    text[n] = '\0';
    close(fd);
    return n > 0;
}

unsigned long tf_cpu_info_running(const char *root)
{
    char text[100]; // "0.20 0.18 0.12 2/80 11206"
    const char *at = text;

    if (!read_text(root, "/proc/loadavg", text, sizeof(text)))
        return 0;
    for (int i = 0; at && i < 3; i++) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return at ? strtoul(at, NULL, 10) : 0;
}

// ---- Control groups ----

// Path of this process's group in the hierarchy of `controller` ("" for version 2), as
// /proc/self/cgroup lists it, whose text is taken apart: "<number>:<controllers>:<path>".
static bool find_group(char *text, const char *controller, char *path, size_t bytes)
{
    char *save = NULL;

    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *names = strchr(line, ':');
        char *end = names ? strchr(names + 1, ':') : NULL;
        char *name, *save_name = NULL;

        if (!end)
            continue;
        *end = '\0';
        names++;
        if (*controller == '\0' && *names == '\0')
            return (size_t)snprintf(path, bytes, "%s", end + 1) < bytes;
        for (name = strtok_r(names, ",", &save_name); name;
             name = strtok_r(NULL, ",", &save_name)) {
            if (!strcmp(name, controller))
                return (size_t)snprintf(path, bytes, "%s", end + 1) < bytes;
        }
    }
    return false;
}

static bool group_path(const char *root, const char *controller, char *path, size_t bytes)
{
    char *const text = tf_zalloc(TEXT_BYTES);
    const bool found = text && read_text(root, "/proc/self/cgroup", text, TEXT_BYTES) &&
                       find_group(text, controller, path, bytes);

    tf_free(text);
    return found;
}

struct group_search {
    const char *root;
    const char *folder; // of one group
    unsigned cpus;      // least quota so far; 0: none
    uint64_t bytes;     // least memory limit so far
};

// Calls fn for the group of this process and every group above it: each may limit. In a
// container the listed path may not exist in the mounted tree; its top then has the
// limit.
static void for_each_group(struct group_search *search, const char *mount,
                           const char *controller, void (*fn)(struct group_search *))
{
    char group[PATH_BYTES / 2], folder[PATH_BYTES];
    char *slash;

    if (!group_path(search->root, controller, group, sizeof(group)))
        return;
    slash = strrchr(group, '/');
    if (slash && slash[1] == '\0')
        *slash = '\0';
    do {
        snprintf(folder, sizeof(folder), "%s%s", mount, group);
        search->folder = folder;
        fn(search);
        slash = strrchr(group, '/');
        if (slash)
            *slash = '\0';
    } while (slash);
    search->folder = NULL;
}

static bool read_group_file(const struct group_search *search, const char *file,
                            char *text, size_t bytes)
{
    char path[PATH_BYTES + 64];

    snprintf(path, sizeof(path), "%s/%s", search->folder, file);
    return read_text(search->root, path, text, bytes);
}

static void add_quota(struct group_search *search, long long quota_us,
                      long long period_us)
{
    long long cpus;

    if (quota_us <= 0 || period_us <= 0) // -1: no limit
        return;
    cpus = quota_us / period_us + (quota_us % period_us != 0);
    if (cpus <= TF_CPU_MAX && (search->cpus == 0 || cpus < search->cpus))
        search->cpus = (unsigned)cpus;
}

static void read_quota_v2(struct group_search *search)
{
    long long quota_us, period_us;
    char text[64];

    // "max 100000" where there is no limit.
    if (read_group_file(search, "cpu.max", text, sizeof(text)) &&
        sscanf(text, "%lld %lld", &quota_us, &period_us) == 2)
        add_quota(search, quota_us, period_us);
}

static void read_quota_v1(struct group_search *search)
{
    char quota[64], period[64];

    if (read_group_file(search, "cpu.cfs_quota_us", quota, sizeof(quota)) &&
        read_group_file(search, "cpu.cfs_period_us", period, sizeof(period)))
        add_quota(search, strtoll(quota, NULL, 10), strtoll(period, NULL, 10));
}

static void read_limit(struct group_search *search, const char *file)
{
    char text[64];
    uint64_t bytes;

    if (read_group_file(search, file, text, sizeof(text)) &&
        sscanf(text, "%" SCNu64, &bytes) == 1 && bytes > 0 && bytes < search->bytes)
        search->bytes = bytes;
}

static void read_limit_v2(struct group_search *search)
{
    read_limit(search, "memory.max");
}

static void read_limit_v1(struct group_search *search)
{
    read_limit(search, "memory.limit_in_bytes");
}

unsigned tf_cpu_info_quota(const char *root)
{
    struct group_search search = {.root = root};

    for_each_group(&search, "/sys/fs/cgroup", "", read_quota_v2);
    for_each_group(&search, "/sys/fs/cgroup/cpu", "cpu", read_quota_v1);
    for_each_group(&search, "/sys/fs/cgroup/cpu,cpuacct", "cpu", read_quota_v1);
    return search.cpus;
}

uint64_t tf_cpu_info_memory_limit(const char *root)
{
    struct group_search search = {.root = root, .bytes = UINT64_MAX};

    for_each_group(&search, "/sys/fs/cgroup", "", read_limit_v2);
    for_each_group(&search, "/sys/fs/cgroup/memory", "memory", read_limit_v1);
    return search.bytes;
}

// ---- Facts ----

unsigned tf_cpu_info_pick_level(unsigned highest, const char *wanted)
{
    size_t count;
    const struct tf_arch_level *levels = tf_arch_levels(&count);

    if (!wanted)
        return highest;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(levels[i].name, wanted) != 0)
            continue;
        if (i > highest)
            tf_log(TF_LOG_DEVICE, "this CPU has no %s: using %s", wanted,
                   levels[highest].name);
        return i < highest ? i : highest;
    }
    return highest;
}

// Written by tf_cpu_info_init() only.
static union tf_cpu_set mask;
static unsigned units;
static uint64_t cache_bytes;

const union tf_cpu_set *tf_cpu_info_mask(void)
{
    return &mask;
}

unsigned tf_cpu_info_units(void)
{
    return units;
}

uint64_t tf_cpu_info_cache_bytes(void)
{
    return cache_bytes;
}

static void find_cpus(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    if (tf_cpu_topology_mask(&mask))
        return;
    memset(&mask, 0, sizeof(mask));
    for (long i = 0; i < TF_CPU_MAX && (i < online || i == 0); i++)
        CPU_SET_S((size_t)i, TF_CPU_SET_BYTES, &mask.set);
}

static unsigned count_units(void)
{
    unsigned cpus = (unsigned)CPU_COUNT_S(TF_CPU_SET_BYTES, &mask.set);
    const unsigned quota = tf_cpu_info_quota("");

    if (quota > 0 && quota < cpus)
        cpus = quota;
    return (unsigned)tf_env_number(TF_ENV_THREADS, (long)cpus);
}

static uint64_t count_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t physical =
        pages > 0 ? (uint64_t)pages * page_bytes : (uint64_t)1 << 30;
    const uint64_t limit = tf_cpu_info_memory_limit("");

    return limit < physical ? limit : physical;
}

// Where the processor does not say, the system may.
static uint32_t find_clock_mhz(char text[TEXT_BYTES])
{
    const char *at;
    unsigned long khz;

    if (read_text("", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text,
                  TEXT_BYTES) &&
        (khz = strtoul(text, NULL, 10)) > 0)
        return (uint32_t)(khz / 1000);
    if (!read_text("", "/proc/cpuinfo", text, TEXT_BYTES))
        return 0;
    at = strstr(text, "cpu MHz");
    at = at ? strchr(at, ':') : NULL;
    return at ? (uint32_t)strtoul(at + 1, NULL, 10) : 0;
}

static uint32_t clock_mhz(void)
{
    char *const text = tf_zalloc(TEXT_BYTES);
    const uint32_t mhz = text ? find_clock_mhz(text) : 0;

    tf_free(text);
    return mhz;
}

// Half of the second-level cache, which every worker has to itself, within sensible
// bounds.
static uint64_t local_memory(const struct tf_arch_facts *facts)
{
    const uint64_t least = 64 << 10;
    const uint64_t most = 512 << 10;
    const uint64_t half = facts->l2_bytes / 2;

    return half < least ? least : half > most ? most : half;
}

// Written by tf_cpu_info_init() only.
static const struct tf_arch_level *level;
static char model[128];

const char *tf_cpu_info_model(void)
{
    return model;
}

const struct tf_arch_level *tf_cpu_info_level(void)
{
    return level;
}

void tf_cpu_info_init(struct tf_device_info *info)
{
    struct tf_arch_facts facts;
    size_t count;
    const struct tf_arch_level *levels = tf_arch_levels(&count);

    tf_arch_probe(&facts);
    level = &levels[tf_cpu_info_pick_level(facts.level, tf_env_text(TF_ENV_ISA))];

    snprintf(model, sizeof(model), "%s %s %08x", facts.vendor, facts.brand,
             facts.signature);

    memset(info, 0, sizeof(*info));
    snprintf(info->name, sizeof(info->name), "%s", facts.brand[0] ? facts.brand : "CPU");
    snprintf(info->vendor, sizeof(info->vendor), "%s",
             facts.vendor[0] ? facts.vendor : "unknown");
    snprintf(info->isa, sizeof(info->isa), "%s", level->name);
    // No vendor number has been granted to the project, and the number of the processor's
    // maker would switch on the quirks that applications keep for its own runtime.
    info->vendor_id = 0;
    find_cpus();
    info->compute_units = units = count_units();
    info->clock_mhz = facts.clock_mhz ? facts.clock_mhz : clock_mhz();
    info->cache_line_bytes = facts.line_bytes ? facts.line_bytes : 64;
    info->cache_bytes = cache_bytes = facts.largest_bytes;
    info->global_memory_bytes = count_memory();
    info->local_memory_bytes = local_memory(&facts);
    info->vector_bits = level->vector_bits;
    info->has_fma = level->has_fma;
    info->zero_copy = true;
    tf_cpu_uuid("", info, info->uuid);
}
