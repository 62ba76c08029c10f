#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with nested control flow, for comparing the forms of work-groups.

    gen_kernels.py SEED COUNT

writes COUNT kernels void k<i>(global const uint *in, global uint *out, uint n) to standard
output. `in` has 1024 words and is read with masked indices; work-item g writes to out[4 * g]
... out[4 * g + 3] only, so that every order of work-items gives the same result. All loops
end: those with conditions of their own burn fuel."""
import random
import sys

HEADER = """// seed %d
uint twist(uint x, uint y)
{
    if (x & 4)
        return x * y + 3;
    for (uint i = 0; i < (y & 3); i++)
        x = x * 5 + i;
    return x ^ y;
}
"""


class Kernel:
    VARIABLES = ["a", "b", "c", "d"]

    def __init__(self, source):
        self.random = source
        self.loops = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def expression(self, depth=0):
        r, sub = self.random.random(), depth + 1
        if depth > 2 or r < .3:
            return self.pick(*self.VARIABLES, "n", "g", str(self.random.randint(0, 9)))
        if r < .72:
            return f"({self.expression(sub)} {self.pick('+', '-', '*', '^', '&', '|')} {self.expression(sub)})"
        if r < .78:
            return f"({self.expression(sub)} {self.pick('/', '%')} (({self.expression(sub)}) | 1))"
        if r < .81:
            return f"(uint)((int)({self.expression(sub)}) {self.pick('/', '%')} " \
                   f"(int)((({self.expression(sub)}) & 255) | 1))"
        if r < .86:
            return f"({self.expression(sub)} {self.pick('>>', '<<')} ({self.expression(sub)} & 15))"
        if r < .88:
            return f"twist({self.expression(sub)}, {self.expression(sub)})"
        if r < .90:
            return f"p[({self.expression(sub)}) & 7]"
        if r < .92:
            return f"v.{self.pick('x', 'y', 'z', 'w', 's0', 's3')}"
        if r < .94:
            return f"(uint)(float)(({self.expression(sub)}) & 0xffff)"
        return f"in[({self.pick('g + ', 'g - ', 'g * 3 + ', '')}{self.expression(sub)}) & 1023]"

    def condition(self):
        if self.random.random() < .2:
            return f"(n & {self.random.randint(1, 7)})"
        return f"({self.expression(1)} % {self.random.randint(2, 5)} " \
               f"{self.pick('==', '<', '!=')} {self.random.randint(0, 2)})"

    def block(self, depth, in_loop):
        return "{ " + " ".join(self.statement(depth, in_loop) for _ in range(self.random.randint(1, 3))) + " }"

    def loop(self, depth):
        self.loops += 1
        i = f"i{self.loops}"
        kind = self.random.random()
        if kind < .6:
            limit = self.pick(f"({self.expression(1)} & 3)", f"({self.expression(1)} & 3)", "(n & 5)", "4")
            return f"for (uint {i} = 0; {i} < {limit}; {i}++) {self.block(depth + 1, True)}"
        if kind < .85:
            return f"while (fuel-- > 0 && {self.condition()}) {self.block(depth + 1, True)}"
        return f"for (;;) {{ if (fuel-- <= 0) break; if ({self.condition()}) continue; " \
               f"{self.statement(depth + 1, True)} if ({self.condition()}) break; }}"

    def statement(self, depth, in_loop):
        r = self.random.random()
        if depth > 3 or r < .26:
            return f"{self.pick(*self.VARIABLES)} = {self.expression()};"
        if r < .32:
            return f"out[4 * g + {self.random.randint(0, 3)}] = {self.expression()};"
        if r < .36:
            return f"p[({self.expression(1)}) & 7] {self.pick('=', '+=')} {self.expression(1)};"
        if r < .39:
            return self.pick(f"v.{self.pick('x', 'y', 'z', 'w')} = {self.expression(1)};",
                             f"v = v.wxyz * (uint4)({self.expression(1)}, 3, {self.expression(1)}, n) + v.yyxw;",
                             f"v += vload4(({self.expression(1)}) & 255, in);")
        if r < .42:
            return f"atomic_{self.pick('add', 'xor', 'max')}(out + 4 * g + 3, {self.expression(1)});"
        if r < .62:
            other = f" else {self.block(depth + 1, in_loop)}" if self.random.random() < .5 else ""
            return f"if ({self.condition()}) {self.block(depth + 1, in_loop)}{other}"
        if r < .80:
            return self.loop(depth)
        if r < .85:
            return f"switch ({self.expression(1)} & 3) {{ " \
                   f"case 0: {self.pick(*self.VARIABLES)} = {self.expression(1)}; {self.pick('break;', '')} " \
                   f"case 1: {self.pick(*self.VARIABLES)} += {self.expression(1)}; break; " \
                   f"case 2: {{ {self.statement(depth + 1, False)} }} " \
                   f"default: {self.pick(*self.VARIABLES)} ^= 7; }}"
        if r < .92 and in_loop:
            return f"if ({self.condition()}) {self.pick('break', 'continue')};"
        if r < .95:
            return f"if ({self.condition()}) return;"
        return f"{self.pick(*self.VARIABLES)} += {self.expression()};"

    def text(self, number):
        body = "\n    ".join(self.statement(0, False) for _ in range(self.random.randint(3, 7)))
        identity = self.pick("uint g = get_global_id(0);", "int g = get_global_id(0);",
                             "size_t g = get_global_id(0);",
                             "uint g = get_group_id(0) * get_local_size(0) + get_local_id(0);")
        return f"""
kernel void k{number}(global const uint *in, global uint *out, uint n)
{{
    {identity}
    uint a = in[g & 1023], b = a * 7 + n, c = g, d = in[(g * 5) & 1023];
    uint p[8] = {{a, b, c, d, n, 5, 6, 7}};
    uint4 v = (uint4)(a, b, c, d);
    int fuel = 12;
    {body}
    out[4 * g] ^= a + p[(b + n) & 7]; out[4 * g + 1] += b ^ c ^ v.y; out[4 * g + 2] -= d + v.w;
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(HEADER % seed)
    for number in range(count):
        print(Kernel(source).text(number))


if __name__ == "__main__":
    main()
