#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that building and testing Trefoil needs: only those that are
# missing, so that a second run does nothing and asks nobody. LLVM/Clang 22, or 19 where
# there is no 22; TREFOIL_LLVM_VERSION=19 asks for that one. With --ci also what only .ci/run
# uses, as far as there is such a package: clang-tidy and the clang-format of the tests. With --demo only
# what building and `make demo` need.
set -euo pipefail

common=(cmake ninja-build gcc g++ pkg-config python3 zlib1g-dev libzstd-dev
        opencl-c-headers ocl-icd-opencl-dev ocl-icd-libopencl1 clinfo)
[ "${1:-}" = --demo ] ||
    common+=(check libmpfr-dev spirv-tools llvm-spirv-15 clang-15 python3-pyopencl python3-numpy
             python3-numba)

llvm_packages()
{
    echo "llvm-$1-dev libclang-$1-dev clang-$1 lld-$1"
}

# The packages among the arguments that are not installed.
missing()
{
    local status
    status=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -qx "$package installed" <<<"$status" || echo "$package"
    done
}

available()
{
    local candidate
    candidate=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p')
    [ -n "$candidate" ] && [ "$candidate" != "(none)" ]
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "install-deps: not root and no sudo; as root, run: $*" >&2
        exit 1
    fi
}

only_ci=()
[ "${1:-}" != --ci ] || only_ci=(clang-tidy-22 clang-format-14)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "install-deps: this is not Debian; install these by hand: ${common[*]} $(llvm_packages 22)" >&2
    exit 0
fi

versions=${TREFOIL_LLVM_VERSION:-22 19}
# All that is wanted with one LLVM; what only .ci/run uses, where there is such a package.
packages()
{
    echo "${common[*]}" "$(llvm_packages "$1")"
    for package in "${only_ci[@]}"; do
        if available "$package"; then
            echo "$package"
        fi
    done
}

# Nothing to do where one LLVM and all the rest are there: no apt, no network.
for version in $versions; do
    # shellcheck disable=SC2046 # a list of words
    [ -z "$(missing $(packages "$version"))" ] && exit 0
done

updated=
for version in $versions; do
    # The lists of a fresh machine may be empty or old.
    if ! available "llvm-$version-dev" && [ -z "$updated" ]; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update
        updated=yes
    fi
    if available "llvm-$version-dev"; then
        # shellcheck disable=SC2046
        mapfile -t wanted < <(missing $(packages "$version"))
        echo "install-deps: installing ${wanted[*]}"
        install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${wanted[@]}")
        as_root "${install[@]}" && exit 0
        # A package that is gone from the mirror: new lists, once more.
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update
        as_root "${install[@]}"
        exit 0
    fi
done
echo "install-deps: no LLVM of version $versions in the package lists" >&2
exit 1
