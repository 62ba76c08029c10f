#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`trefoilc -p LIST` says of a kernel written as IR text what the stages of the work-group compiler
know and decide: its control flow, the shapes of its values, the plan.

    check_stages.py TREFOILC
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Lanes part at the first branch; the loop behind it goes round as often for all.
TEXT = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare spir_func i64 @__tf_global_id(i32)
define spir_kernel void @first(ptr addrspace(1) %p) {
  ret void
}
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %id = call spir_func i64 @__tf_global_id(i32 0)
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %id
  %index = load i32, ptr addrspace(1) %at, align 4
  %odd = and i32 %index, 1
  %is.odd = icmp ne i32 %odd, 0
  br i1 %is.odd, label %then, label %end
then:
  %wide = sext i32 %index to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %wide
  %there = load i32, ptr addrspace(1) %from, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %then ], [ %next, %loop ]
  %sum = phi i32 [ %there, %then ], [ %more, %loop ]
  %more = mul i32 %sum, %sum
  %next = add i32 %i, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %last
last:
  store i32 %more, ptr addrspace(1) %at, align 4
  br label %end
end:
  ret void
}
"""
SOURCE = """
kernel void k(global int *p, global const int *q, int n)
{
    const int i = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < n; j++)
        sum += q[p[i] + j];
    if (sum & 1)
        p[i] = sum;
}
"""
BODIES = """
struct pair { int a[4]; int b; };
kernel void plain(global int *p, local int *l, int3 v) { int at = get_global_id(0); p[at] = v.y + l[at]; }
kernel void by_value(global int *p, struct pair s) { int at = get_global_id(0); p[at] = s.a[at & 3]; }
kernel void called(global int *p) { p[get_global_id(0)] = 7; }
kernel void calls(global int *p) { called(p + 1); }
"""
# What the lines of each stage say; what is after the `;` belongs to the value before it.
SAID = {
    "cfg": [r"^; ---- cfg: kernel k, 5 blocks, 1 loops$",
            r"^; block 0: to (4 1|1 4), ends before 4$",
            r"^; block 2: to (2 3|3 2), dominated by 1, .*in the loop of block 2, depth 1$",
            r"^; block 4: to, dominated by 0"],
    "shape": [r"^; ---- shape: kernel k, 16 lanes$",
              r"@tf_gid0\(\) ; affine 1$",
              r"%at\S* = getelementptr .* ; affine 4$",
              r"%index\S* = load .* ; varying$",
              r"%goes.on\S* = icmp .* ; uniform$",
              r"^  ; lanes part here$",
              r"^; block 2, .*in the uniform loop of block 2, in divergent region 0 up to block 4$"],
    "plan": [r"^; ---- plan: kernel k, 256 bits, .* 16 lanes; 1 gathers, 0 scatters, 0 lane loops, "
             r"1 divergent branches; cost \d+, item by item \d+$",
             r"%index\S* = load .* ; side by side$",
             r"%there\S* = load .* ; gather$",
             r"%more\S* = mul .* ; vector$",
             r"%next\S* = add .* ; one$",
             r"store i32 .* ; side by side$"],
}


def print_stages(trefoilc, path, stages, *options):
    """The exit status and what is printed."""
    run = subprocess.run([trefoilc, "-p", stages, "--form=simt", "--width=16", *options, str(path)],
                         capture_output=True, text=True, timeout=120)
    return run.returncode, run.stdout + run.stderr


def stages_in(text):
    """The names of the stages in their order, each once."""
    return list(dict.fromkeys(re.findall(r"^; ---- (\w+)", text, re.MULTILINE)))


def check_text(trefoilc, path):
    """Yields what is wrong with what is said of TEXT."""
    status, text = print_stages(trefoilc, path, "plan,shape,cfg", "--kernel=k")
    if status:
        yield f"status {status}: {text[:2000]}"
    if stages_in(text) != list(SAID):
        yield f"stages {stages_in(text)}, not {list(SAID)}"
    parts = dict(zip(stages_in(text), re.split(r"^(?=; ---- )", text, flags=re.MULTILINE)[1:]))
    for stage, lines in SAID.items():
        for line in lines:
            if not re.search(line, parts.get(stage, ""), re.MULTILINE):
                yield f"{stage}: no line {line} in:\n{parts.get(stage, '')}"
        alone = print_stages(trefoilc, path, stage, "--kernel=k")[1]
        if alone != parts.get(stage):
            yield f"{stage} alone says something else:\n{alone}"
    if "kernel first" not in print_stages(trefoilc, path, "cfg")[1]:
        yield "without --kernel it is not the first"


def check_source(trefoilc, folder):
    """Yields what is wrong: a source and its IR text after the clean-up have the same stages."""
    source, text = folder / "k.cl", folder / "cleaned.ll"
    source.write_text(SOURCE)
    subprocess.run([trefoilc, "--emit=cleanup", "-o", text, source], check=True, timeout=120)
    whole = print_stages(trefoilc, source, "cfg,shape,plan")
    if whole[0] or stages_in(whole[1]) != list(SAID):
        yield f"a source: status {whole[0]}, stages {stages_in(whole[1])}"
    if print_stages(trefoilc, text, "cfg,shape,plan") != whole:
        yield "the IR text after the clean-up says something else than the source"


def check_bodies(trefoilc, folder):
    """Yields what is wrong: Clang's wrapper of a kernel takes over the body, which is not copied
    (names of copies end with `.i`), and its arguments; one that is called keeps a body of its own."""
    source, text = folder / "bodies.cl", folder / "bodies.ll"
    source.write_text(BODIES)
    subprocess.run([trefoilc, "--emit=cleanup", "-o", text, source], check=True, timeout=120)
    for kernel in re.findall(r"^define.*?^}", text.read_text(), re.MULTILINE | re.DOTALL):
        name = re.search(r"@(\w+)\(", kernel).group(1)
        copies = re.search(r"%\S*\.i\b", kernel)
        if name in ("plain", "by_value") and (copies or "alloca" in kernel):
            yield f"{name} is a copy:\n{kernel}"
        if name == "called" and "store i32 7," not in kernel:
            yield f"{name} has lost its body:\n{kernel}"
        if name == "calls" and len(re.findall("store i32 7,", kernel)) != 1:
            yield f"{name} does not call:\n{kernel}"


def check_refusals(trefoilc, path, folder):
    """Yields what is taken though it is wrong."""
    for stages in ("shpae", "cfg,", "cfg,nothing", "obj", ""):
        status, text = print_stages(trefoilc, path, stages, "--kernel=k")
        if not status or "; ----" in text:
            yield f"-p '{stages}' is taken"
    empty = folder / "empty.ll"
    empty.write_text("target triple = \"spir64-unknown-unknown\"\n")
    broken = folder / "broken.ll"
    broken.write_text(TEXT.replace("ret void", "ret voids"))
    for wrong, options in ((empty, []), (broken, []), (path, ["--kernel=absent"])):
        status, text = print_stages(trefoilc, wrong, "cfg", *options)
        if status != 1 or "; ----" in text:
            yield f"{wrong.name} {options} is taken: status {status}: {text}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "text.ll"
        path.write_text(TEXT)
        faults = [*check_text(sys.argv[1], path), *check_source(sys.argv[1], folder),
                  *check_bodies(sys.argv[1], folder), *check_refusals(sys.argv[1], path, folder)]
    print("\n".join(faults))
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
