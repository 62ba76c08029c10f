# SPDX-License-Identifier: MIT
"""trefoil-run fails where it must: a test runner that always passes proves nothing."""
import os
import subprocess
import sys
import tempfile

KERNELS = """
kernel void copy(global const int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
kernel void past_end(global int *out) { out[get_global_id(0) + 1] = 1; }
"""
COPY = "// RUN: copy global=8\n// ARG: in int[8] = 3 * i\n// ARG: out int[8]\n"
# name, directives, exit status, text that the output must hold
CASES = [
    ("right", COPY + "// EXPECT: out = in[i]\n", 0, "pass "),
    ("one element", COPY + "// EXPECT: out = i == 5 ? 16 : 3 * i\n", 1,
     "copy: out[5]: got 15, expected 16"),
    ("list", COPY + "// EXPECT: out[1..2] = {3, 7}\n", 1, "out[2]: got 6, expected 7"),
    ("condition", COPY + "// EXPECT: out where it < 21\n", 1, "out[7]: got 21"),
    ("short list", COPY + "// EXPECT: out = {0, 3}\n", 1, "2 values for 8 components"),
    ("past the end", "// RUN: past_end global=8\n// ARG: out int[8]\n// EXPECT: completes\n", 1,
     "past the end of a buffer"),
    ("no expectation", COPY, 1, "expects nothing"),
    ("no directives", "", 1, "no directives"),
    ("unknown name", COPY + "// EXPECT: out = inn[i]\n", 1, "called inn"),
    ("bad expression", COPY + "// EXPECT: out = 3 +\n", 1, "expression was expected"),
    ("bad number", COPY.replace("global=8", "global=8 local=-8"), 1, 'number was expected at "-8"\n'),
    ("number past 64 bits", COPY.replace("global=8", "global=99999999999999999999"), 1, "a number is too large"),
    ("size past 64 bits", COPY.replace("out int[8]", "out int[4611686018427387905]"), 1, "bad number of elements"),
    ("more than there is", COPY.replace("out int[8]", "out int[99999999999999]") + "// EXPECT: completes\n", 1,
     "CL_OUT_OF_HOST_MEMORY"),
    ("bad type", "// RUN: copy global=8\n// ARG: in float5[8]\n", 1, "no such type: float5"),
    ("out of range", COPY + "// EXPECT: out = in[i * 100]\n", 1, "out of range"),
    ("division by zero", COPY + "// EXPECT: out = 1 / i\n", 1, "division by zero"),
    ("argument before run", "// ARG: in int[8]\n" + COPY, 1, "no RUN before"),
    ("missing kernel", "// RUN: none global=1\n// EXPECT: completes\n", 1, "CL_INVALID_KERNEL_NAME"),
    ("refused", "// RUN: none global=1 error=CL_INVALID_KERNEL_NAME\n", 0, "pass "),
    ("not refused", COPY.replace("=8\n", "=8 error=CL_INVALID_VALUE\n", 1), 1, "must be refused"),
    ("failing build", "// BUILD: fails\n", 1, "succeeded, but must fail"),
    ("unknown error", COPY.replace("=8\n", "=8 error=CL_NONSENSE\n", 1), 1, "no such error code"),
    ("skip", "// SKIP: unless extension cl_no_such_extension\n" + COPY + "// EXPECT: completes\n", 77,
     "skip "),
    ("precedence", COPY + "// EXPECT: out = 1 + 2 * 3 - (7 & 3 | 8) % 4 - 4 + 3 * i\n", 0, "pass "),
    ("integers wrap", COPY + "// EXPECT: out = uint(-1) + 3 * i - 4294967295\n", 0, "pass "),
    ("ulp", COPY + "// EXPECT: out ulp 1000 = 3 * i + 1\n", 1, "out[0]: got 0, expected 1"),
    ("print", COPY + "// EXPECT: completes\n// PRINT: out[2..3]\n", 0, "out = 6 9"),
]


# The same, where every command ends with an error: the results could not be right.
FAILING_CASES = [
    ("failed launch", COPY + "// EXPECT: completes\n", 1, "copy: run: CL_OUT_OF_RESOURCES"),
    ("must fail", COPY.replace("=8\n", "=8 error=CL_OUT_OF_RESOURCES\n", 1), 0, "pass "),
]


def failing_environment(library):
    """`library` in front, also of a sanitizer's run-time, which wants to be the first."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return {**os.environ, "LD_PRELOAD": library, "ASAN_OPTIONS": options}


def main(program, library):
    cases = [(*case, dict(os.environ)) for case in CASES]
    cases += [(*case, failing_environment(library)) for case in FAILING_CASES]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, directives, status, text, environment in cases:
            path = os.path.join(folder, "case.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(directives + KERNELS)
            result = subprocess.run([program, "--platform", "Trefoil", path], capture_output=True,
                                    env=environment, text=True, check=False, timeout=120)
            if result.returncode != status or text not in result.stdout:
                faults += 1
                print(f"{name}: status {result.returncode}, expected {status}, with \"{text}\" in:\n"
                      f"{result.stdout}{result.stderr}")
        # What has no end, a folder, nothing.
        for unread, text in (("/dev/zero", "longer than 64 MiB"), (folder, "Is a directory"),
                             (folder + "/none.cl", "No such file or directory")):
            result = subprocess.run([program, "--platform", "Trefoil", unread], capture_output=True, text=True,
                                    check=False, timeout=120)
            if result.returncode != 1 or result.stdout != f"FAIL {unread}: {text}\n":
                faults += 1
                print(f"{unread}: {result}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(COPY + "// EXPECT: completes\n" + KERNELS)
        for args in (["--platform", "Trefoil", path], ["--list"], ["--help"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([program, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                        timeout=120)
            if result.returncode != 1 or "could not be written" not in result.stderr:
                faults += 1
                print(f"{args} to a full disk: {result}")
    print(f"{len(cases) + 6 - faults} of {len(cases) + 6} as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
