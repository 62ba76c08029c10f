# SPDX-License-Identifier: MIT
"""Programs under valgrind, and programs that were built with the address sanitizer, run without false
errors, whatever stacks kernels have; and what is wrong in a kernel, valgrind finds.

    check_watched.py valgrind HOST           HOST, as it is, under valgrind
    check_watched.py asan HOST INSTRUMENTED  HOST with the sanitizer's run-time in front, and one that has it"""
import os
import re
import shutil
import subprocess
import sys

SKIP = 77
FORMS = ({"TREFOIL_WG": "fibers"}, {"TREFOIL_WG": "gang_fibers"}, {"TREFOIL_TIER": "mix"}, {"TREFOIL_THREADS": "1"})
FOUND = 9  # status that valgrind and the sanitizer end with


def run(command, limit_s=280, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit_s,
                          env={**os.environ, "TREFOIL_CACHE": "off", **environment})


def expect_quiet(command, faults, **environment):
    result = run(command, **environment)
    text = result.stdout + result.stderr
    if result.returncode or not re.search(r"^said \d+ 1\.0", result.stdout, re.M) or re.search(r"==\d+==|Sanitizer", text):
        faults.append(f"{command} {environment}: {result.returncode}\n{text[:3000]}")


def check_valgrind(host):
    valgrind = shutil.which("valgrind")
    if not valgrind:
        return "skip: no valgrind"
    faults = []
    command = [valgrind, "-q", f"--error-exitcode={FOUND}"]
    if run([*command, "true"]).returncode:
        return "skip: valgrind does not run here"
    for form in FORMS[:2]:
        expect_quiet([*command, "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", host],
                     faults, **form)
    wrong = run([*command, host, "wrong"])
    if wrong.returncode != FOUND or "Invalid read of size" not in wrong.stderr:
        faults.append(f"valgrind does not see what a kernel does: {wrong.returncode}\n{wrong.stderr[:2000]}")
    return faults


def check_asan(host, instrumented):
    runtime = subprocess.run(["ldd", instrumented], capture_output=True, text=True, check=False).stdout
    library = re.search(r"libasan\S* => (\S+)", runtime)
    faults = []
    for form in FORMS:
        for more in ("", ":detect_stack_use_after_return=1"):
            options = f"exitcode={FOUND}{more}"
            expect_quiet([instrumented], faults, ASAN_OPTIONS=options, **form)
            if library and not more:
                expect_quiet([host], faults, ASAN_OPTIONS=options, LD_PRELOAD=library[1], **form)
    return faults


def main(what, *programs):
    faults = {"valgrind": check_valgrind, "asan": check_asan}[what](*programs)
    if isinstance(faults, str):
        print(faults)
        return SKIP
    print("\n".join(faults) or "no false errors")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
