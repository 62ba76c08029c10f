#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of what has gone wrong before: the patterns of kernel_writer.py and little
else, so that they meet each other.

    gen_calls.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Each work-item owns four words of
`out`, beside each other or one in each quarter. Words 8 to 13 of `shared` are locks and what
they protect; all that is added there may be added in any order."""
from kernel_writer import PATTERNS, Patterns, print_kernels

ITEMS = 203


class Kernel(Patterns):
    array, turns = "p", "w"

    def __init__(self, source):
        self.own = source.choice(["(4 * g + ({}))", f"(g + {ITEMS} * ({{}}))"])
        super().__init__(source)
        self.barriers = self.chance(.3)

    def own_word(self, i):
        return f"out + {self.own.format(i)}"

    def value(self):
        return self.pick("a", "b", "c", "a * 5 + n", "b ^ g", "in[g]", "in[(a + g) & 255]", "p[b & 23]", "(a >> 3) + c", "n", "g")

    def condition(self):
        return self.pick("a % 3 == 1", "(b & 5) != 0", "in[g] % 4 < 2", "g % 5 == n % 5", "g > 100", "n == 3", "c < a", "g >= 7")

    def change(self):
        return self.pick("a = a * 7 + {};", "b ^= {};", "c += {};", "p[a & 23] += {};", "out[" + self.own.format("a & 3") + "] ^= {};"
                         ).format(self.value())

    # ---- statements

    def statement(self, depth):
        kind = self.random.random()
        if depth == 0 and self.barriers and kind < .3:
            return self.called_behind_barrier()
        if depth < 2 and kind < .5:
            head = self.pick(f"if ({self.condition()})", f"for (int {self.name('r')} = 0; fuel-- > 0 && {self.condition()};)")
            return f"{head} {{ {self.statement(depth + 1)} {self.statement(depth + 1)} }}"
        return self.pick(*self.kinds(), self.change)()

    def text(self, number):
        body = "\n    ".join(self.statement(0) for _ in range(self.random.randint(1, 4)))
        barriers = "local uint w[128]; const uint l = get_local_id(0), size = get_local_size(0);" if self.barriers else ""
        return f"""
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    {self.pick("uint g = get_global_id(0);", "int g = get_global_id(0);", "size_t g = get_global_id(0);")}
    {self.ends()}
    uint a = in[g], b = a * 7 + n, c = g;
    uint p[24] = {{a, b, g, n}};
    int fuel = 15;
    {barriers}
    {body}
    out[{self.own.format(0)}] ^= a + p[5];
    out[{self.own.format(1)}] += b ^ p[b & 15];
    out[{self.own.format(2)}] -= c;
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: f"\n{PATTERNS}")
