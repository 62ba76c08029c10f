#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ViennaCL: dense and sparse products, a factorization and conjugate gradients, against the same in C++ on the host."""
import sys

import app

SOURCE = r"""
#define VIENNACL_WITH_OPENCL
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include <viennacl/ocl/backend.hpp>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/scheduler/execute.hpp>
#include <viennacl/vector.hpp>

static int failed;
static void report(const char *name, double difference, double most)
{
    const bool holds = difference <= most;
    failed += !holds;
    std::printf("%s: differs by %.3g, at most %.3g may be%s\n", name, difference, most, holds ? "" : ": FAILED");
}

template <class T> static void dense(const char *name, double most)
{
    const std::size_t m = 150, k = 70, n = 130;
    std::vector<std::vector<T>> a(m, std::vector<T>(k)), b(k, std::vector<T>(n)), c(m, std::vector<T>(n));
    viennacl::matrix<T> da(m, k), db(k, n), dc(m, n);
    double worst = 0;
    for (std::size_t i = 0; i < m; i++) for (std::size_t j = 0; j < k; j++) a[i][j] = T((i * 7 + j * 3) % 11) / 11;
    for (std::size_t i = 0; i < k; i++) for (std::size_t j = 0; j < n; j++) b[i][j] = T((i * 5 + j * 2) % 13) / 13;
    viennacl::copy(a, da);
    viennacl::copy(b, db);
    dc = viennacl::linalg::prod(da, db);
    viennacl::copy(dc, c);
    for (std::size_t i = 0; i < m; i++)
        for (std::size_t j = 0; j < n; j++) {
            double sum = 0;
            for (std::size_t l = 0; l < k; l++) sum += double(a[i][l]) * b[l][j];
            worst = std::fmax(worst, std::fabs(sum - c[i][j]));
        }
    report(name, worst, most);
}

static void solve()
{
    const std::size_t n = 64;
    std::vector<std::vector<double>> a(n, std::vector<double>(n));
    std::vector<double> x(n), b(n);
    viennacl::matrix<double> da(n, n);
    viennacl::vector<double> db(n);
    double worst = 0;
    for (std::size_t i = 0; i < n; i++) {
        for (std::size_t j = 0; j < n; j++) a[i][j] = i == j ? n : std::sin(double(i * j));
        x[i] = double(i) - 20;
    }
    for (std::size_t i = 0; i < n; i++) for (std::size_t j = 0; j < n; j++) b[i] += a[i][j] * x[j];
    viennacl::copy(a, da);
    viennacl::copy(b, db);
    viennacl::linalg::lu_factorize(da);
    viennacl::linalg::lu_substitute(da, db);
    viennacl::copy(db, b);
    for (std::size_t i = 0; i < n; i++) worst = std::fmax(worst, std::fabs(b[i] - x[i]));
    report("LU", worst, 1e-9);
}

static void sparse()
{
    const std::size_t side = 40, n = side * side;
    std::vector<std::map<unsigned, double>> a(n);
    std::vector<double> b(n, 1), y(n), x(n);
    viennacl::compressed_matrix<double> da(n, n);
    viennacl::vector<double> db(n), dy(n);
    double worst = 0;
    for (std::size_t i = 0; i < n; i++) {
        a[i][unsigned(i)] = 4;
        if (i % side) a[i][unsigned(i - 1)] = -1;
        if (i % side < side - 1) a[i][unsigned(i + 1)] = -1;
        if (i >= side) a[i][unsigned(i - side)] = -1;
        if (i + side < n) a[i][unsigned(i + side)] = -1;
        b[i] = std::cos(double(i));
    }
    viennacl::copy(a, da);
    viennacl::copy(b, db);
    dy = viennacl::linalg::prod(da, db);
    viennacl::copy(dy, y);
    for (std::size_t i = 0; i < n; i++) {
        double sum = 0;
        for (auto &e : a[i]) sum += e.second * b[e.first];
        worst = std::fmax(worst, std::fabs(sum - y[i]));
    }
    report("sparse product", worst, 1e-12);
    dy = viennacl::linalg::solve(da, db, viennacl::linalg::cg_tag(1e-10, 500));
    db -= viennacl::linalg::prod(da, dy);
    report("conjugate gradients", viennacl::linalg::norm_2(db), 1e-7);
}

int main()
{
    const std::string name = viennacl::ocl::current_device().platform() ? viennacl::ocl::current_device().version() : "";
    if (name.find("Trefoil") == std::string::npos) {
        std::printf("not Trefoil but %s\n", name.c_str());
        return 1;
    }
    dense<float>("product of floats", 1e-4);
    dense<double>("product of doubles", 1e-12);
    solve();
    sparse();
    std::puts(failed ? "failed" : "passed");
    return failed != 0;
}
"""

if __name__ == "__main__":
    sys.exit(app.run_cpp(SOURCE, "viennacl/vector.hpp", "-lOpenCL"))
