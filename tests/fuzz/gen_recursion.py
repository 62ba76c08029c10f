#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels with functions that call themselves and each other, which check themselves.

    gen_recursion.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Every function has copies, one for
each depth, of which each calls those below: the same without recursion. Both are run, and the
kernel sets the highest bit of shared[15] where they differ. Deeper calls, for which there are
no copies, are compared from form to form. Functions of kernels with barriers take the same way
in all work-items."""
import random
import sys

from kernel_writer import Choices

DEPTH = 2
STATE = """
struct state { uint sum; int fuel; uint seen[4]; };
"""


class Kernel(Choices):
    def __init__(self, source, number):
        super().__init__(source)
        self.number = number
        self.barriers = source.random() < .35
        self.count = source.choice([1, 1, 2, 3])
        self.calls = 0

    # ---- One function, with {0} for the end of the names that it calls

    def value(self):
        values = ["a", "b", "x", "a * 5 + b", "b ^ x", "p[a & 7]", "s->seen[b & 3]", "(uint)d", "x >> 3", "t.high", "t.low + a", "n"]
        return self.pick(*values)

    def condition(self):
        if self.barriers:  # the same for all
            return self.pick("d % 2", "d > 1", "n % 3 == 1", "(n + d) % 3", "s->fuel & 1")
        return self.pick("d % 2", "a % 3 == 1", "(b & 5) != 0", "x % 5 < 3", "p[b & 7] > 100", "s->seen[1] & 1")

    def target(self):
        return self.pick("a", "b", "t.low", "t.high", "p[b & 7]", "p[d & 7]", "s->sum", "s->seen[d & 3]", "*up")

    def call(self):
        """An expression of uint."""
        self.calls += 1
        up = self.pick("&a", "&b", "p + (b & 7)", "up", "&t.low", "s->seen + (a & 3)")
        callee = self.random.randrange(self.count)
        return f"f{self.number}_{callee}{{0}}(d - 1, {self.value()}, {self.pick('t', 't', 'given')}, {up}, s, n, w)"

    def assignment(self):
        return f"{self.target()} {self.pick('=', '+=', '^=', '-=')} {self.value()};"

    def wait(self):
        place = self.pick("0", "1", "7")
        return (f"barrier(CLK_LOCAL_MEM_FENCE); w[get_local_id(0)] = {self.value()}; barrier(CLK_LOCAL_MEM_FENCE); "
                f"a += w[(get_local_id(0) + {place}) % get_local_size(0)];")

    def statement(self, depth):
        kind = self.random.random()
        if kind < .3 and self.calls < 2:
            call = self.call()
            return self.pick(f"a += {call};", f"{self.target()} = {call} + {self.value()};", f"b = max(b, {call});", f"{call};",
                             f"{{{{ const uint k = {self.value()}; a ^= {call} + k; }}}}")
        if kind < .5 and depth < 2:
            return f"if ({self.condition()}) {{{{ {self.statement(depth + 1)} }}}} else {{{{ {self.statement(depth + 1)} }}}}"
        if kind < .62 and depth < 2:
            i = self.name("i")
            leave = self.pick("", "", f"if ({self.condition()}) break;", f"if ({self.condition()}) continue;")
            return f"for (int {i} = 0; {i} < 2; {i}++) {{{{ {self.statement(depth + 1)} {leave} {self.statement(depth + 1)} }}}}"
        if kind < .68 and depth:
            return f"return {self.value()};"
        if kind < .8 and self.barriers and depth == 0:
            return self.wait()
        return self.assignment()

    def function(self, index):
        self.calls = 0
        lines = [self.statement(0) for _ in range(self.random.randint(2, 6))]
        if not self.calls:
            lines.append(f"a += {self.call()};")
        result = self.pick("a", "a + b", "a ^ p[3]", "b - t.low", "a * 3 + p[x & 7]") if self.chance(.8) else self.call()
        body = "\n    ".join([*lines, f"return {result};"])
        start = ("uint a = x + 1, b = x ^ 0x55; uint p[8] = {{x, a, b, n}}; struct pair{0} t = given; t.low += a; "
                 "s->sum = s->sum * 3 + x; *up += x & 15;").replace("pair{0}", "pair")
        return f"""    if (d <= 0 || s->fuel-- <= 0)
        return x * 3 + {index} + given.high;
    {start}
    {body}
"""

    def text(self):
        bodies = [self.function(i) for i in range(self.count)]

        def head(index, end):
            return (f"uint f{self.number}_{index}{end}(int d, uint x, struct pair given, uint *up, struct state *s, uint n, "
                    "local uint *w)")
        parts = [head(i, "") + ";\n" for i in range(self.count)]
        parts += [head(i, "") + "\n{\n" + body.format("") + "}\n" for i, body in enumerate(bodies)]
        parts += [f"{head(i, '_at_0')}\n{{\n    return x * 3 + {i} + given.high;\n}}\n" for i in range(self.count)]
        for depth in range(1, DEPTH + 1):
            parts += [f"{head(i, f'_at_{depth}')}\n{{\n{body.format(f'_at_{depth - 1}')}}}\n" for i, body in enumerate(bodies)]
        deep = "n" if self.barriers else self.pick("n", "a % 4")
        shallow = f"1 + (int)({'n' if self.barriers else self.pick('n', 'g', 'a')} % {DEPTH})"
        # Each depth has a name of its own.
        copies = "".join(f"    case {i}:\n        y = f{self.number}_0_at_{i}({i}, a, t, &up[1], &s[1], n, w);\n        break;\n"
                         for i in range(1, DEPTH + 1))
        return "".join(parts) + f"""
kernel void k{self.number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    local uint w[64];
    const uint g = get_global_id(0), a = in[g] & 0xffff;
    struct state s[3] = {{{{1, 40, {{a, n}}}}, {{1, 40, {{a, n}}}}, {{1, 200, {{n, a}}}}}};
    struct pair t = {{a + 2, n}};
    uint up[3] = {{a, a, n}}, x, y = 0;
    const int depth = {shallow};
    x = f{self.number}_0(depth, a, t, &up[0], &s[0], n, w);
    switch (depth) {{
{copies}    }}
    if (x != y || up[0] != up[1] || s[0].sum != s[1].sum || s[0].fuel != s[1].fuel || s[0].seen[0] != s[1].seen[0] ||
        s[0].seen[1] != s[1].seen[1] || s[0].seen[2] != s[1].seen[2] || s[0].seen[3] != s[1].seen[3])
        atomic_or(shared + 15, 1u << 31);
    y = f{self.number}_{self.count - 1}(4 + {deep}, a, t, &up[2], &s[2], n, w);
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] = s[2].sum + up[2];
    out[4 * g + 3] = s[2].seen[0] ^ s[2].seen[3];
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(f"// seed {seed}{STATE}struct pair {{ uint low, high; }};\n")
    for number in range(count):
        print(Kernel(source, number).text())


if __name__ == "__main__":
    main()
