# SPDX-License-Identifier: MIT
"""GDB and LLDB stop in kernels that are built with -g, where the source says, and show the work-item
that stopped: arguments, variables, ids."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
KERNEL = """// BUILD: options="-g -cl-opt-disable"
// RUN: scale global=16 local=8 offset=100
// ARG: out int[116]
// ARG: factor int = 3
// ARG: v float4 = {1, 2, 3, 4}
// ARG: each struct{int,float} = {5, 1.5}
// EXPECT: out[100..115] = 5*i + 100 + ((i-100)/8)*8 + 2 + 5
struct each {
    int whole;
    float part;
};
static int twice(int x)
{
    int doubled = 2 * x; // in twice
    return doubled;
}
constant int unused = 1;
kernel void scale(global int *out, int factor, float4 v, struct each each)
{
    int id = get_global_id(0); // first
    local int tile[8];
    tile[get_local_id(0)] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = factor * id + twice(id);
    float2 pair = v.xy * 2.0f;
    out[id] = sum + tile[0] + (int)pair.x + each.whole; // last
}
"""


def line_of(mark):
    return next(i for i, line in enumerate(KERNEL.split("\n"), 1) if line.endswith("// " + mark))


class Checks:
    def __init__(self, runner, script, folder):
        self.runner, self.script, self.folder, self.faults = runner, script, pathlib.Path(folder), []
        self.kernel = self.folder / "scale.cl"
        self.kernel.write_text(KERNEL)

    def expect(self, text, *patterns):
        missing = [pattern for pattern in patterns if not re.search(pattern, text, re.M)]
        if missing:
            self.faults += [f"no {pattern!r}" for pattern in missing] + ["in:\n" + text]

    def run(self, *command):
        # Debuggers start programs through a shell and without randomized addresses, if they may.
        result = subprocess.run([*command, str(self.runner), "--platform", "Trefoil", str(self.kernel)], capture_output=True, text=True,
                                check=False, timeout=200,
                                env={**os.environ, "TREFOIL_CACHE": "off", "TREFOIL_THREADS": "1"})
        return result.stdout + result.stderr

    def gdb(self, *commands):
        path = self.folder / "commands"
        path.write_text("\n".join(("set pagination off", "set confirm off", "set breakpoint pending on",
                                   "set startup-with-shell off", *commands)))
        return self.run("gdb", "-nx", "-q", "-batch", "-x", str(path), "--args")


def check_gdb(checks):
    last, inside = line_of("last"), line_of("in twice")
    text = checks.gdb(f"source {checks.script}", f"break kernel.cl:{last} if id == 105 && factor == 3",
                      f"break kernel.cl:{inside} if $get_global_id(0) == 110", "run", "backtrace", "info locals",
                      "print out[104]", "print v", "print pair[0]", "print each", "print tile[3]", "info work-item",
                      "next", "delete 1", "continue", "backtrace", "print $get_local_id(0) + 100 * $get_group_id(0)",
                      "print $get_num_groups(0) + 10 * $get_work_dim()", "print x", "delete", "continue")
    checks.expect(text, r"work-item \(105\) of \(16\), \(5\) of group \(0\)\]", rf"scale \(out=0x\w+, factor=3, .*kernel\.cl:{last}",
                  "^id = 105$", "^sum = 525$", r"^\$1 = 627$", r"^\$2 = \{1, 2, 3, 4\}$", r"^\$3 = 2$",
                  r"^\$4 = \{whole = 5, part = 1.5\}$", r"^\$5 = 103$", r"groups \(2\) of \(8\), this one of \(8\), offset \(100\)",
                  rf"#0 .*twice \(x=110\) at kernel\.cl:{inside}$", r"#1 .*scale \(", r"^\$6 = 102$", r"^\$7 = 12$",
                  r"^\$8 = 110$", "pass .*scale.cl")


def check_function(checks):
    """A kernel's name is a place to stop, too; without -g there is nothing to see, and nothing breaks."""
    text = checks.gdb("break scale", "run", "backtrace 1", "delete", "continue")
    checks.expect(text, rf"scale \(.*kernel\.cl:{line_of('first')}", "pass .*scale.cl")
    checks.kernel.write_text(KERNEL.replace("-g ", ""))
    text = checks.gdb(f"source {checks.script}", "break scale", "run", "info work-item")
    checks.expect(text, "pass .*scale.cl")
    checks.kernel.write_text(KERNEL)


def check_lldb(checks, lldb):
    """One group, which one thread runs: where two are at the line at the same time LLDB 14 stops in both, though the
    condition holds in one."""
    one_group = KERNEL.replace("local=8", "local=16").replace("tile[8]", "tile[16]").replace("((i-100)/8)*8", "0")
    checks.kernel.write_text(one_group)
    text = checks.run(lldb, "--no-lldbinit", "--batch", "-o", "settings set plugin.jit-loader.gdb.enable on",
                      "-o", f"breakpoint set --file kernel.cl --line {line_of('last')} --condition 'id == 105'",
                      "-o", "run", "-o", "bt", "-o", "frame variable id sum factor", "-o", "breakpoint delete --force",
                      "-o", "continue", "--")
    checks.expect(text, rf"scale\(.*kernel\.cl:{line_of('last')}", r"id = 105$", r"sum = 525$", r"factor = 3$",
                  "pass .*scale.cl")


def debugs(command):
    """Whether processes can be debugged here at all."""
    return subprocess.run(command, capture_output=True, check=False, timeout=100).returncode == 0


def main(runner, script):
    lldb = next((path for path in map(shutil.which, ("lldb", "lldb-22", "lldb-19")) if path), None)
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(runner, script, folder)
        if not shutil.which("gdb"):
            print("no gdb")
            return SKIP
        if not debugs(["gdb", "-nx", "-q", "-batch", "-ex", "set startup-with-shell off", "-ex", "run",
                       "-ex", "quit $_exitcode", "/bin/true"]):
            print("gdb may not debug here")
            return SKIP
        check_gdb(checks)
        check_function(checks)
        if lldb:
            check_lldb(checks, lldb)
        else:
            print("no lldb: not tried")
    print("\n".join(checks.faults) or "debuggers see kernels")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
