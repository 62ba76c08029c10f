#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with barriers, for comparing the forms of work-groups.

    gen_barriers.py SEED COUNT [wild]

writes a file for trefoil-run with COUNT kernels to standard output; every launch prints its
results. Barriers stand in loops, branches, switches, functions and behind jumps, on ways
that all work-items of a group take, or all that have not returned yet; work-items exchange
values through local memory. So there is one right result. With "wild" barriers stand
anywhere, which OpenCL leaves undefined: forms that run work-items in the same order still
agree, and every kernel ends. All loops end: those with conditions of their own burn fuel."""
import random
import sys

HEADER = """// seed %d%s
// BUILD: options="-cl-std=CL3.0"
uint twist(uint x, uint y)
{
    if (x & 4)
        return x * y + 3;
    for (uint i = 0; i < (y & 3); i++)
        x = x * 5 + i;
    return x ^ y;
}
uint pass_on(local uint *t, uint l, uint size, uint x)
{
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint y = t[(l + 1) %% size];
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


class Kernel:
    VARIABLES = ["a", "b", "c", "d"]

    def __init__(self, source, wild):
        self.random = source
        self.wild = wild
        self.names = 0
        self.uniform = ["n", "size"]

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def variable(self):
        return self.pick(*self.VARIABLES)

    def expression(self, depth=0):
        r, sub = self.random.random(), depth + 1
        if depth > 2 or r < .35:
            return self.pick(*self.VARIABLES, *self.uniform, "l", "g", str(self.random.randint(0, 9)))
        if r < .75:
            return f"({self.expression(sub)} {self.pick('+', '-', '*', '^', '&', '|')} {self.expression(sub)})"
        if r < .82:
            return f"({self.expression(sub)} >> ({self.expression(sub)} & 15))"
        if r < .86:
            return f"twist({self.expression(sub)}, {self.expression(sub)})"
        if r < .93:
            return f"p[({self.expression(sub)}) & 7]"
        return f"in[({self.expression(sub)}) & 255]"

    def condition(self):
        return f"({self.expression(1)} % {self.random.randint(2, 5)} " \
               f"{self.pick('==', '<', '!=')} {self.random.randint(0, 2)})"

    def together(self):
        """A condition that all work-items of a group agree on."""
        other = self.pick("n", "group", *self.uniform)
        return f"(({self.pick(*self.uniform)} + {other}) % {self.random.randint(2, 4)} " \
               f"{self.pick('==', '!=')} {self.random.randint(0, 1)})"

    def block(self, depth, barriers, in_loop):
        count = self.random.randint(1, 3)
        return "{ " + " ".join(self.statement(depth, barriers, in_loop) for _ in range(count)) + " }"

    def exchange(self):
        r = self.random.random()
        target = self.pick(*self.VARIABLES, "p[%d]" % self.random.randint(0, 7))
        if r < .35:
            return f"{target} = pass_on(t, l, size, {self.expression(1)});"
        if r < .5:
            return f"{target} ^= sum_up(t, l, size, {self.expression(1)});"
        if r < .8:
            return f"t[l] = {self.expression(1)}; barrier(CLK_LOCAL_MEM_FENCE); " \
                   f"{target} += t[({self.expression(1)}) % size]; barrier(CLK_LOCAL_MEM_FENCE);"
        return "barrier(CLK_LOCAL_MEM_FENCE);"

    def once(self, depth):
        """All work-items reach the barrier once, in the first round of a loop of their own."""
        i = self.name("i")
        return f"for (uint {i} = 0; {i} < (l & 3) + 1; {i}++) {{ " \
               f"if ({i} == 0) {{ {self.exchange()} }} {self.plain(depth + 1, True)} }}"

    def uniform_loop(self, depth):
        u = self.name("u")
        limit = self.pick("(n & 3)", "(group & 3)", "2", "3")
        self.uniform.append(u)
        body = self.block(depth + 1, True, False)
        leave = f" if {self.together()} break;" if self.chance(.3) else ""
        self.uniform.remove(u)
        kind = self.random.random()
        if kind < .5:
            return f"for (uint {u} = 0; {u} < {limit}; {u}++) {{ {body}{leave} }}"
        if kind < .75:
            return f"{{ uint {u} = 4; do {{ {body}{leave} {u} >>= 1; }} while ({u} > 0); }}"
        label = self.name("again")
        return f"{{ uint {u} = {limit}; {label}: {body} if ({u}-- > 0 && {u} < 8) goto {label}; }}"

    def with_barriers(self, depth):
        r = self.random.random()
        if depth > 2 or r < .4:
            return self.exchange()
        if r < .5:
            return self.once(depth)
        if r < .72:
            return self.uniform_loop(depth)
        if r < .86:
            other = f" else {self.block(depth + 1, True, False)}" if self.chance(.5) else ""
            return f"if {self.together()} {self.block(depth + 1, True, False)}{other}"
        if r < .93:
            cases = " ".join(f"case {i}: {self.block(depth + 1, True, False)} {self.pick('break;', '')}"
                             for i in range(3))
            return f"switch ((n + {self.pick(*self.uniform)}) & 3) {{ {cases} default: {self.plain(depth + 1, False)} }}"
        return f"if ({self.condition()}) {{ out[4 * g + 3] ^= {self.expression(1)}; return; }}" \
            if self.chance(.5) else f"if {self.together()} return;"

    def plain(self, depth, in_loop):
        r = self.random.random()
        if depth > 3 or r < .35:
            return f"{self.variable()} {self.pick('=', '+=', '^=')} {self.expression()};"
        if r < .5:
            return f"p[({self.expression(1)}) & 7] {self.pick('=', '+=')} {self.expression(1)};"
        if r < .58:
            return f"out[4 * g + {self.random.randint(0, 3)}] = {self.expression()};"
        if r < .74:
            other = f" else {self.block(depth + 1, False, in_loop)}" if self.chance(.5) else ""
            return f"if ({self.condition()}) {self.block(depth + 1, False, in_loop)}{other}"
        if r < .85:
            i = self.name("i")
            return f"for (uint {i} = 0; {i} < ({self.expression(1)} & 3); {i}++) {self.block(depth + 1, False, True)}"
        if r < .92:
            return f"while (fuel-- > 0 && {self.condition()}) {self.block(depth + 1, False, True)}"
        if in_loop:
            return f"if ({self.condition()}) {self.pick('break', 'continue')};"
        return f"{self.variable()} += {self.expression()};"

    def statement(self, depth, barriers, in_loop):
        if self.wild and self.chance(.25):
            return self.exchange()
        if barriers and self.chance(.45):
            return self.with_barriers(depth)
        return self.plain(depth, in_loop)

    def text(self, number):
        total, local = self.pick(*SIZES)
        body = "\n    ".join(self.statement(0, True, False) for _ in range(self.random.randint(4, 8)))
        identity = self.pick("uint l = get_local_id(0);", "size_t l = get_local_id(0);",
                             "int l = get_local_id(0);")
        return f"""
// RUN: k{number} global={total} local={local}
// ARG: in uint[256] = (i * 2654435761) >> (i & 7)
// ARG: out uint[{4 * total}] = i
// ARG: n uint = {self.random.randint(0, 12)}
// EXPECT: completes
// PRINT: out
kernel void k{number}(global const uint *in, global uint *out, uint n)
{{
    local uint t[64];
    {identity}
    uint g = get_global_id(0), size = get_local_size(0), group = get_group_id(0);
    uint a = in[g & 255], b = a * 7 + n, c = l, d = in[(g * 5) & 255];
    uint p[8] = {{a, b, c, d, n, 5, 6, 7}};
    int fuel = 12;
    t[l] = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    {body}
    out[4 * g] ^= a + p[(b + n) & 7]; out[4 * g + 1] += b ^ c; out[4 * g + 2] -= d;
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    wild = "wild" in sys.argv[3:]
    source = random.Random(seed * 2 + wild)
    print(HEADER % (seed, ", wild" if wild else ""))
    for number in range(count):
        print(Kernel(source, wild).text(number))


if __name__ == "__main__":
    main()
