#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with barriers, for comparing the forms of work-groups.

    gen_barriers.py SEED COUNT [wild]

writes a file with COUNT kernels to standard output: for trefoil-run (every launch prints its
results) and, without "wild", for fuzz_forms (arguments as in gen_kernels.py). Barriers stand
in loops, branches, switches, functions and behind jumps, on ways that all work-items of a
group take, or all that have not returned yet; work-items exchange values through local
memory. So there is one right result. With "wild" barriers stand anywhere, which OpenCL
leaves undefined: forms that run work-items in the same order still agree, and every kernel
ends."""
import random
import sys

from kernel_writer import HEADER, Writer, parameters

EXCHANGES = """
uint pass_on(local uint *t, uint l, uint size, uint x)
{
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint y = t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    return y;
}
uint trade(local uint *restrict p, local uint *restrict q, uint l, uint size, uint x)
{
    p[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint y = size > 1 ? q[(l + 1) % size] : x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return y;
}
uint sum_up(local uint *t, uint l, uint size, uint x)
{
    t[l] = x;
    for (uint s = 1; s < size; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint y = l >= s ? t[l - s] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint z = t[size - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return z;
}
"""
SIZES = [(60, 20), (48, 16), (70, 35), (24, 24), (33, 11), (64, 64), (5, 5), (50, 20)]


class Kernel(Writer):
    def __init__(self, source, wild):
        super().__init__(source, 3)
        self.wild = wild
        self.may_return = False
        self.uniform = ["n", "size"]

    def leaf(self):
        return "l" if self.chance(.1) else super().leaf()

    def together(self):
        """A condition that all work-items of a group agree on."""
        other = self.pick("n", "group", *self.uniform)
        return f"(({self.pick(*self.uniform)} + {other}) % {self.random.randint(2, 4)} " \
               f"{self.pick('==', '!=')} {self.random.randint(0, 1)})"

    def exchange(self):
        target = self.pick(*self.VARIABLES, f"p[{self.random.randint(0, 7)}]",
                           *self.of("bytes", f"r[{self.random.randint(0, 11)}]"), *self.of("vector", "v.y", "z.x"),
                           *self.of("record", "m.part[2]"), *self.of("wide", "e"), *self.of("narrow", "q"))
        x, i = self.expression(1), self.expression(1)
        fence = "barrier(CLK_LOCAL_MEM_FENCE);"
        return self.weighted(
            (28, lambda: f"{target} = pass_on(t, l, size, {x});"),
            (7, lambda: f"{target} = trade(t, t, l, size, {x});"),
            (15, lambda: f"{target} ^= sum_up(t, l, size, {x});"),
            (25, lambda: f"t[l] = {x}; {fence} {target} += t[({i}) % size]; {fence}"),
            (8, lambda: f"bytes[l] = {x}; {fence} {target} += bytes[({i}) % size]; {fence}"),
            # What an atomic returns depends on the order, the sum does not.
            (8, lambda: f"if (l == 0) count = 0; {fence} atomic_add(&count, {x}); {fence} "
                        f"{target} += count; {fence}"),
            (25, self.first_ones),
            (15 if self.patterned and not self.wild else 0, self.called_behind_barrier),
            (12, lambda: fence))

    def first_ones(self):
        """Some items have work: the first ones, or those behind them for whom a sum is small again."""
        fence, shift = "barrier(CLK_LOCAL_MEM_FENCE);", self.pick(2, 2, 2, 3, 4)
        end = hex((1 << 32 + shift) - self.random.randint(1, 9)) + "UL"
        more = self.pick("0", "((ulong)n << 32)", "(ulong)a * 21", *[end] * 5)
        w, target = self.name("w"), f"t[l] {self.pick('=', '+=', '^=')} {self.expression(1)}"
        seen = f"{self.pick(*self.VARIABLES)} += t[(l + {self.random.randint(0, 3)}) % size];"
        asked = f"{self.pick('(uint)', '(uint)', '(uint)', '(ushort)', '')}{w} {self.pick('== 0', '== 0', '== 0', '!= 0', '< 2')}"
        return f"t[l] = 0; {fence} {{ ulong {w} = ((ulong)(uint)l + {more}) >> {shift}; " \
               f"if ({asked}) {target} + ({w} == 1); }} {fence} {seen} {fence}"

    def columns(self):
        """Each work-item goes down a column; the items may make each round together."""
        u, fence = self.name("u"), "barrier(CLK_LOCAL_MEM_FENCE);"
        limit = self.pick("4", "3", "(n & 3)", "(group & 3)", "(l & 3)")
        at = self.pick(f"(size_t){u} * size + l", f"{u} * size + l", f"(int)({u} * size) + (int)l")
        x, target = self.pick(f"in[{at}]", f"in[{at}] >> {u}", f"in[{at}] ^ {self.expression(1)}"), self.pick(*self.VARIABLES)
        more = self.pick("", "", f" t[l] += in[{at}] * {u};", f" {target} += {u};", f" out[4 * g + 3] ^= in[{at}];")
        return f"if (l == 0) count = 0; {fence} for (uint {u} = 0; {u} < {limit}; {u}++) {{ " \
               f"atomic_add(&count, {x});{more} }} {fence} {target} += count; {fence}"

    def once(self, depth):
        """All work-items reach the barrier once, in the first round of a loop of their own."""
        i = self.name("i")
        return f"for (uint {i} = 0; {i} < (l & 3) + 1; {i}++) {{ " \
               f"if ({i} == 0) {{ {self.exchange()} }} {self.plain(depth + 1, True)} }}"

    def common(self, depth):
        """A block whose statements may have barriers: all work-items take it or none."""
        count = self.random.randint(1, 3)
        return "{ " + " ".join(self.statement(depth) for _ in range(count)) + " }"

    def uniform_loop(self, depth):
        u = self.name("u")
        limit = self.pick("(n & 3)", "(group & 3)", "2", "3")
        self.uniform.append(u)
        body = self.common(depth + 1)
        leave = f" if {self.together()} break;" if self.chance(.3) else ""
        self.uniform.remove(u)
        kind = self.random.random()
        if kind < .5:
            return f"for (uint {u} = 0; {u} < {limit}; {u}++) {{ {body}{leave} }}"
        if kind < .75:
            return f"{{ uint {u} = 4; do {{ {body}{leave} {u} >>= 1; }} while ({u} > 0); }}"
        label = self.name("again")
        return f"{{ uint {u} = {limit}; {label}: {body} if ({u}-- > 0 && {u} < 8) goto {label}; }}"

    def own_limits(self):
        """Numbers of each item's own, which all halve equally often."""
        u, fence = self.name("u"), "barrier(CLK_LOCAL_MEM_FENCE);"
        first = self.pick("16 + (l & 15)", "64 + l", "8 + (a & 7)", "16 + (n & 15)")
        return f"for (uint {u} = {first}; {u} > 0; {u} /= 2) {{ if (l < {u}) {self.pick(*self.VARIABLES)} += " \
               f"t[(l + {u}) % size]; {fence} t[l] ^= {self.expression(1)}; {fence} }}"

    def uniform_branch(self, depth):
        other = f" else {self.common(depth + 1)}" if self.chance(.5) else ""
        return f"if {self.together()} {self.common(depth + 1)}{other}"

    def uniform_switch(self, depth):
        cases = " ".join(f"case {i}: {self.common(depth + 1)} {self.pick('break;', '')}" for i in range(3))
        return f"switch ((n + {self.pick(*self.uniform)}) & 3) {{ {cases} default: {self.plain(depth + 1, False)} }}"

    def end(self):
        if self.chance(.5):
            return f"if ({self.condition()}) {{ out[4 * g + 3] ^= {self.expression(1)}; return; }}"
        return f"if {self.together()} return;"

    def statement(self, depth):
        if self.wild and self.chance(.25):
            return self.exchange()
        if self.chance(.55):
            return self.plain(depth, False)
        if depth > 2:
            return self.exchange()
        return self.weighted(
            (40, self.exchange), (10, lambda: self.once(depth)), (8, self.own_limits), (8, self.columns),
            (22, lambda: self.uniform_loop(depth)),
            (14, lambda: self.uniform_branch(depth)), (7, lambda: self.uniform_switch(depth)), (7, self.end))

    def plain(self, depth, in_loop):
        if self.wild and self.chance(.1):
            return self.exchange()
        return super().plain(depth, in_loop)

    def text(self, number):
        total, local = self.pick(*SIZES)
        body = "\n    ".join(self.statement(0) for _ in range(self.pick(1, 2, 2, 3, 4, 6)))
        demand = f"__attribute__((reqd_work_group_size({local}, 1, 1))) " if self.chance(.3) else ""
        identity = self.pick("uint l = get_local_id(0);", "size_t l = get_local_id(0);", "int l = get_local_id(0);")
        return f"""
// RUN: k{number} global={total} local={local}
// ARG: in uint[256] = (i * 2654435761) >> (i & 7)
// ARG: out uint[{4 * total}] = i
// ARG: shared uint[16] = i
// ARG: n uint = {self.random.randint(0, 12)}
// EXPECT: completes
// PRINT: out
// PRINT: shared
kernel void {demand}k{number}({parameters(self.random)})
{{
    local uint t[64], count{", turns[96]" if self.patterned else ""};
    local uchar bytes[64];
    {identity}
    uint g = get_global_id(0), size = get_local_size(0), group = get_group_id(0);
    uint a = in[g & 255], b = a * 7 + n, c = l, d = in[(g * 5) & 255];
    {self.declarations()}
    t[l] = a;
    bytes[l] = b;
    {"for (uint i = l; i < 96; i += size) turns[i] = i;" if self.patterned else ""}
    if (l == 0)
        count = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    {body}
    {self.results()}
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    wild = "wild" in sys.argv[3:]
    source = random.Random(seed * 2 + wild)
    print(f"// seed {seed}{', wild' if wild else ''}\n// BUILD: options=\"-cl-std=CL3.0\"")
    print(f"#pragma OPENCL FP_CONTRACT {source.choice(['ON', 'OFF'])}\n{HEADER}{EXCHANGES}")
    for number in range(count):
        print(Kernel(source, wild).text(number))


if __name__ == "__main__":
    main()
