#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boost.Compute: algorithms on the device against those of the C++ library."""
import sys

import app

SOURCE = r"""
#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_COMPUTE_DEBUG_KERNEL_COMPILATION
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
#include <boost/compute.hpp>

namespace compute = boost::compute;
static int failed;
static void report(const char *name, bool holds)
{
    failed += !holds;
    std::printf("%s: %s\n", name, holds ? "as the host" : "FAILED");
}

static compute::device find()
{
    for (const auto &platform : compute::system::platforms())
        if (platform.name().find("Trefoil") == 0)
            return platform.devices().at(0);
    std::puts("no platform called Trefoil");
    std::exit(1);
}

int main()
{
    const compute::device device = find();
    const compute::context context(device);
    compute::command_queue queue(context, device);
    std::mt19937 random(7);

    for (std::size_t n : {1u, 100u, 4097u, 100000u}) {
        std::vector<int> host(n), back(n);
        std::generate(host.begin(), host.end(), [&] { return int(random() % 100000); });
        compute::vector<int> a(host.begin(), host.end(), queue), b(n, context);

        compute::exclusive_scan(a.begin(), a.end(), b.begin(), queue);
        compute::copy(b.begin(), b.end(), back.begin(), queue);
        std::vector<int> sums(n);
        for (std::size_t i = 1; i < n; i++) sums[i] = int(unsigned(sums[i - 1]) + unsigned(host[i - 1]));
        report("exclusive_scan", back == sums);

        int total = 0;
        compute::reduce(a.begin(), a.end(), &total, compute::plus<int>(), queue);
        report("reduce", unsigned(total) == std::accumulate(host.begin(), host.end(), 0u));

        report("max_element", *std::max_element(host.begin(), host.end()) ==
               compute::max_element(a.begin(), a.end(), queue).read(queue));
        report("count_if", std::count_if(host.begin(), host.end(), [](int x) { return x > 500; }) ==
               (long)compute::count_if(a.begin(), a.end(), compute::lambda::_1 > 500, queue));

        compute::transform(a.begin(), a.end(), b.begin(), compute::lambda::_1 * 3 + 1, queue);
        compute::copy(b.begin(), b.end(), back.begin(), queue);
        std::vector<int> wanted(n);
        std::transform(host.begin(), host.end(), wanted.begin(), [](int x) { return x * 3 + 1; });
        report("transform", back == wanted);

        compute::sort(a.begin(), a.end(), queue);
        compute::copy(a.begin(), a.end(), back.begin(), queue);
        std::sort(host.begin(), host.end());
        report("sort", back == host);

        compute::vector<float> f(n, context);
        compute::default_random_engine engine(queue);
        compute::uniform_real_distribution<float> distribution(1.0f, 2.0f);
        distribution.generate(f.begin(), f.end(), engine, queue);
        compute::sort(f.begin(), f.end(), compute::greater<float>(), queue);
        std::vector<float> floats(n);
        compute::copy(f.begin(), f.end(), floats.begin(), queue);
        report("random numbers, sorted", std::is_sorted(floats.rbegin(), floats.rend()) && floats.back() >= 1 && floats[0] <= 2);
    }
    std::puts(failed ? "failed" : "passed");
    return failed != 0;
}
"""

if __name__ == "__main__":
    sys.exit(app.run_cpp(SOURCE, "boost/compute.hpp", "-lOpenCL"))
