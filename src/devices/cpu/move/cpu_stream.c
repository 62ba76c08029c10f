// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_stream.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/env.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/facts/cpu_info.h"

// What was stored first is gone from the caches when the launch ends, and the launch
// after it, which begins there again, finds nothing. Up to about as much as the caches
// hold, stores past them are up to twice as slow (two cores of Zen 5, 32 MiB: 8 + 8 MiB
// 0.5 to 0.7, 16 + 16 MiB 0.7 to 1.1, 32 + 32 MiB 1.15 to 1.3, 64 + 64 MiB 1.15 to 1.35).
enum { TIMES_CACHES = 2 };

// Groups of CPUs that share a last cache. Where the system does not say, every unit might
// have one of its own.
static uint32_t count_caches(void)
{
    const uint32_t count = tf_cpu_info_units();
    struct tf_cpu_unit *units = tf_zalloc(count * sizeof(*units));
    uint32_t *domains = tf_zalloc(count * sizeof(*domains)), caches = 0;

    if (units && domains && tf_cpu_topology_units("", tf_cpu_info_mask(), units, count))
        caches = tf_cpu_topology_domains(units, count, TF_CPU_L3, domains);
    tf_free(units);
    tf_free(domains);
    return caches ? caches : count;
}

// UINT64_MAX where nobody says how large a cache is.
static uint64_t find_least_bytes(void)
{
    const long mib = tf_env_number(TF_ENV_STREAM, -1);
    struct tf_arch_facts facts;

    if (mib >= 0)
        return (uint64_t)mib << 20;
    tf_arch_probe(&facts);
    return facts.largest_bytes ? TIMES_CACHES * facts.largest_bytes * count_caches()
                               : UINT64_MAX;
}

static uint64_t least_bytes(void)
{
    static _Atomic uint64_t kept; // and 1
    uint64_t bytes = atomic_load_explicit(&kept, memory_order_relaxed);

    if (bytes == 0) {
        bytes = find_least_bytes() | 1;
        atomic_store_explicit(&kept, bytes, memory_order_relaxed);
    }
    return bytes & ~(uint64_t)1;
}

bool tf_launch_streams(const struct tf_fit *fit, const size_t global_size[3])
{
    double bytes = fit->streamed_bytes;

    for (int d = 0; d < 3; d++)
        bytes *= (double)global_size[d];
    return bytes > 0 && bytes >= (double)least_bytes();
}
