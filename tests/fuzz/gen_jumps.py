#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose nested loops are full of `continue` and `break`.

    gen_jumps.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Every loop, whatever its form, ends
because it counts `steps` down, which nothing raises inside a loop; the counter is shared by
all loops of a kernel, so lanes leave inner and outer loops at different times."""
from kernel_writer import print_kernels

CONDITIONS = ["(a ^ g + steps) % 3 == 1", "a % 5 > 2", "(in[a & 255] & 3) == 0", "n == 3", "steps % 4 == 1",
              "(b >> 3 & 3) == (uint)steps % 4", "b % 7 < 3", "g % 3 == n % 3", "sum & 1", "l == 0", "g > 150"]
UPDATES = ["a += b * 3 + steps;", "b ^= a * g + steps;", "a += 1;", "b += in[(a + steps) & 255];", "out[4 * g + 1] += a;",
           "sum = sum * 5 + a + steps;", "steps--;", "atomic_add(shared + 3, a & 7);", "p[a & 3] += b;", "sum ^= p[steps & 3];",
           "b = n / (a | 1) + b;", "out[4 * g + 3] = sum;"]


class Kernel:
    def __init__(self, source):
        self.random = source
        self.labels = 0

    def condition(self):
        return self.random.choice(CONDITIONS)

    def update(self):
        return self.random.choice(UPDATES)

    def way_out(self):
        """A jump that leaves the round, the loop, or (seldom) the kernel."""
        r = self.random.random()
        return "continue;" if r < .7 else "break;" if r < .95 else "return;"

    def switch(self):
        """`break` ends the switch, `continue` the round of the loop round it."""
        return f"switch (a & 3) {{ case 0: {self.update()} continue; case 1: {self.update()} break; " \
               f"case 2: {self.update()} default: if ({self.condition()}) continue; }} "

    def statement(self, depth):
        kind = self.random.randint(0, 20)
        if kind < 6:
            return self.update() + " "
        if kind < 12:
            return f"if ({self.condition()}) {self.way_out()} "
        if kind < 14:
            rest = self.body(depth - 1) if depth > 0 else ""
            other = f"else {{ {self.update()} {self.way_out()} }} " if self.random.random() < .3 else ""
            return f"if ({self.condition()}) {{ {self.update()} {rest}}} {other}"
        if kind < 15:
            return self.switch()
        return self.loop(depth - 1) if depth > 0 else self.update() + " "

    def body(self, depth):
        return "".join(self.statement(depth) for _ in range(self.random.randint(2, 5)))

    def outer_jump(self, depth):
        """A loop with a `goto` out of two loops, or back into the next round of the outer one."""
        self.labels += 1
        label = f"out{self.labels}"
        inner = f"while (steps-- > 0) {{ {self.update()} if ({self.condition()}) goto {label}; {self.body(depth - 1)}}}"
        if self.random.random() < .5:
            return f"while (steps-- > 0) {{ {self.update()} {inner} }} {label}: a ^= 5;\n    "
        return f"while (steps-- > 0) {{ {inner} {label}: {self.update()} }}\n    "

    def loop(self, depth):
        kind = self.random.randint(0, 5)
        if kind == 0:
            return f"for (;;) {{ if (steps-- <= 0) break; {self.body(depth)}}}\n    "
        if kind == 1:
            return f"while (steps-- > 0) {{ {self.body(depth)}}}\n    "
        if kind == 2:
            return f"do {{ {self.body(depth)}}} while (steps-- > 0);\n    "
        if kind == 3:
            return f"for (uint i = 0; i < (a & 7) && steps-- > 0; i++) {{ {self.body(depth)}}}\n    "
        if kind == 4:
            return f"for (uint i = n & 3; i < 6; i++) {{ if (steps-- <= 0) continue; {self.body(depth)}}}\n    "
        return self.outer_jump(depth) if depth > 0 else f"while (steps-- > 0) {{ {self.body(depth)}}}\n    "

    def text(self, number):
        first, second = self.random.randint(6, 25), self.random.randint(3, 12)
        more = f"steps += {second}; {self.loop(1)}" if self.random.random() < .5 else ""
        return f"""
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    uint g = get_global_id(0), l = get_local_id(0);
    uint a = in[g & 255], b = a * 7 + g, sum = 0, p[4] = {{a, b, g, n}};
    int steps = {first};
    {self.loop(self.random.randint(1, 2))}{more}out[4 * g] = a ^ b;
    out[4 * g + 2] = sum + steps + p[n & 3];
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel)
