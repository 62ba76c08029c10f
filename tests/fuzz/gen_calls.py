#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of what has gone wrong before: `restrict` of called functions, jumps into
loops, locks and retries, signed indices near the ends of their range, pointers to private
variables.

    gen_calls.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Each work-item owns four words of
`out`, beside each other or one in each quarter. Words 8 to 13 of `shared` are locks and what
they protect; all that is added there may be added in any order."""
import random
import sys

ITEMS = 203
HEADER = """
void step(global uint *restrict to, global const uint *restrict from, uint x)
{
    *to = *from * 3 + x;
}
void step_local(local uint *restrict to, local const uint *restrict from, uint x)
{
    *to = *from + x;
}
void step_private(uint *restrict to, const uint *restrict from, uint x)
{
    *to ^= *from + x;
}
void fold(global uint *restrict to, global const uint *restrict in, uint count)
{
    for (uint i = 0; i < count; i++)
        *to += in[i] ^ i;
}
void swap(uint *x, uint *y)
{
    uint was = *x;
    *x = *y;
    *y = was + 1;
}
__attribute__((noinline)) uint stir(uint *p, uint i, uint x)
{
    p[i & 7] ^= x;
    if (x & 2)
        p[(i + x) & 7] += 3;
    return p[(i * 3) & 7];
}
uint *larger(uint *x, uint *y)
{
    return *x > *y ? x : y;
}
"""


class Kernel:
    def __init__(self, source):
        self.random = source
        self.names = 0
        self.own = source.choice(["(4 * g + ({}))", f"(g + {ITEMS} * ({{}}))"])
        self.lock = source.choice(["version", "ticket", "bit"])
        self.barriers = source.random() < .3

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def value(self):
        return self.pick("a", "b", "c", "a * 5 + n", "b ^ g", "in[g]", "in[(a + g) & 255]", "p[b & 23]", "(a >> 3) + c", "n", "g")

    def condition(self):
        return self.pick("a % 3 == 1", "(b & 5) != 0", "in[g] % 4 < 2", "g % 5 == n % 5", "g > 100", "n == 3", "c < a", "g >= 7")

    def change(self):
        return self.pick("a = a * 7 + {};", "b ^= {};", "c += {};", "p[a & 23] += {};", "out[" + self.own.format("a & 3") + "] ^= {};"
                         ).format(self.value())

    def word(self, i):
        return f"out + {self.own.format(i)}"

    # ---- restrict

    def called_in_loop(self):
        i, rounds = self.name("i"), self.pick("3", "3", "(n & 3)", "(a & 3)")
        return f"for (int {i} = 0; {i} < {rounds}; {i}++) {{ step({self.word(i + ' + 1')}, {self.word(i)}, {self.value()}); " \
               f"{self.pick('', self.change())} }}"

    def called_to_and_fro(self):
        x, y, i = self.name("x"), self.name("y"), self.name("i")
        return f"{{ global uint *{x} = {self.word('a & 1')}, *{y} = {self.word('2 + (b & 1)')}; " \
               f"for (uint {i} = 0; {i} < {self.pick('5', 'n', '(c & 7)')}; {i}++) {{ step({x}, {y}, {i}); " \
               f"global uint *t = {x}; {x} = {y}; {y} = t; }} }}"

    def called_with_private(self):
        i, apart = self.name("i"), self.random.randint(1, 7)
        return f"for (int {i} = 0; {i} < {self.pick('16', '(int)(n * 3)', '(int)(a & 15)')}; {i}++) " \
               f"step_private(&p[{i} + {apart}], &p[{i}], {self.value()});"

    def folded(self):
        i = self.name("i")
        return f"for (uint {i} = 0; {i} < {self.pick('2', 'n', '(b & 3)')}; {i}++) " \
               f"fold({self.word(i + ' & 3')}, in + {self.pick('g', 'n', '(a & 127)')}, {self.pick('n', '4', '(c & 7)')});"

    def called_behind_barrier(self):
        """One work-item goes on where another has been: rounds of one, or of all in turn."""
        i, apart = self.name("i"), self.random.randint(1, 7)
        fill = "for (uint i = l; i < 96; i += size) w[i] = i < 8 ? i : 0; barrier(CLK_LOCAL_MEM_FENCE); "
        if self.pick(True, False):
            body = f"if (l == 0) for (int {i} = 0; {i} < 64 + (int)n; {i}++) step_local(&w[{i} + {apart}], &w[{i}], 1); " \
                   "barrier(CLK_LOCAL_MEM_FENCE); "
        else:
            body = f"for (uint {i} = 0; {i} < 40; {i}++) {{ if (l == {i} % size) step_local(&w[{i} + {apart}], &w[{i}], n); " \
                   "barrier(CLK_LOCAL_MEM_FENCE); } "
        return fill + body + f"{self.pick('a', 'c')} ^= w[({self.value()}) % 64]; barrier(CLK_LOCAL_MEM_FENCE);"

    # ---- jumps into loops

    def jump_into_loop(self):
        i = self.name("i")
        inner = self.pick("", f"for (int {i} = 0; {i} < 2; {i}++) {{ {self.change()} ", )
        close = " }" if inner else ""
        loop = self.pick("do {{ {0} }} while (fuel-- > 0 && {1});", "while (fuel-- > 0 && {1}) {{ {0} }}")
        body = f"{self.change()} case 1: {self.change()} {inner if not inner else ''}case 2: {self.change()} {self.pick('', 'break;')}"
        if inner:
            body += f" {inner}{self.pick('continue;', '')} {close}"
        return f"switch ({self.value()} & 3) {{ case 0: {loop.format(body, self.condition())} {self.pick('break;', '')} " \
               f"default: {self.change()} }}"

    def jump_into_two_loops(self):
        i, there = self.name("i"), self.name("there")
        return f"{{ int {i} = 0; if ({self.condition()}) goto {there}; while (fuel-- > 0 && {self.condition()}) {{ {self.change()} " \
               f"for (; {i} < 4 && fuel-- > 0; {i}++) {{ {self.change()} {there}: {self.change()} }} {i} = 0; }} }}"

    # ---- locks and retries

    def protected(self):
        work = f"*(volatile global uint *)(shared + 10) += {self.value()};"
        i = self.name("seen")
        if self.lock == "version":
            take = f"uint {i}, e{i} = 8; do {{ {i} = atomic_cmpxchg(shared + 8, e{i}, e{i} + 1); if ({i} == e{i}) break; " \
                   f"e{i} = {i} + ({i} & 1); }} while (1);"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(shared + 8);"
        elif self.lock == "ticket":
            take = f"uint {i} = atomic_inc(shared + 8); while (atomic_add(shared + 9, 0) != {i} + 1) ;"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(shared + 9);"
        else:
            take = f"uint {i} = 13, e{i}; do {{ e{i} = {i}; {i} = atomic_cmpxchg(shared + 13, e{i}, e{i} | 2); }} " \
                   f"while ({i} != e{i} || ({i} & 2));"
            give = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_and(shared + 13, ~2u);"
        return f"{{ {take} {work} {give} }}"

    def retry(self):
        i, x = self.name("old"), self.value()
        return self.pick(
            f"{{ uint {i}; do {i} = *(volatile global uint *)(shared + 11); "
            f"while (atomic_cmpxchg(shared + 11, {i}, {i} + ({x})) != {i}); }}",
            f"{{ uint {i} = 11, now; while ((now = atomic_cmpxchg(shared + 11, {i}, {i} + ({x}))) != {i}) {i} = now; }}",
            f"{{ uint {i}; do {i} = atomic_or(shared + 12, 0); while (atomic_cmpxchg(shared + 12, {i}, {i} ^ ({x})) != {i}); }}")

    # ---- ends of ranges

    def near_an_end(self):
        j, first = self.name("j"), self.random.randint(1, 40)
        index, place = self.pick(
            (f"(int)(g - {first}) + low", "in[(long){j} + 0x80000000L]"),
            (f"high - (int)(g - {first})", "in[0x7fffffffL - {j}]"),
            (f"2 * (int)(g - {first}) + low", "in[((long){j} + 0x80000000L) >> 1]"),
            (f"2 * (int)(g - {first}) + low", "in[({j} >> 1) + 0x40000000]"),
            (f"(n > 1 ? (int)(g - {first}) + low : low + (int)n)", "in[(long){j} + 0x80000000L]"),
            (f"(int)(g - {first}) * 4 + low", "in[({j} - low) / 4]"))
        use = f"{self.pick('a', 'c')} += {place.format(j=j)};"
        if place == "in[(long){j} + 0x80000000L]" and self.pick(True, False):
            k = self.name("k")
            use = f"for (int {k} = 0; {k} < {self.pick('3', '(int)n', '(int)(b & 7)')}; {k}++, {j}++) {use}"
        more = self.pick("", f" && {self.condition()}")
        return f"if (g >= {first}{more}) {{ int {j} = {index}; {use} }}"

    def round_the_end(self):
        i, first = self.name("i"), self.random.randint(1, 60)
        return f"{{ uint {i} = (g - {first}u) & ones; if ({i} < 203) b += in[{i}]; else c ^= {i}; }}"

    # ---- pointers to private variables

    def pointed(self):
        return self.pick("swap(&a, &b);", "swap(&p[a & 7], &p[8 + (b & 7)]);", f"*larger(&a, &c) -= {self.value()};",
                         f"c ^= stir(p, {self.value()}, {self.value()});", f"step_private({self.pick('&a', '&p[n]')}, &c, n);",
                         f"b += stir({self.condition()} ? p : p + 8, a, {self.value()});")

    # ---- statements

    def statement(self, depth):
        kinds = [self.called_in_loop, self.called_to_and_fro, self.called_with_private, self.folded, self.jump_into_loop,
                 self.jump_into_two_loops, self.protected, self.retry, self.near_an_end, self.near_an_end, self.round_the_end,
                 self.pointed, self.pointed, self.change]
        kind = self.random.random()
        if depth == 0 and self.barriers and kind < .3:
            return self.called_behind_barrier()
        if depth < 2 and kind < .5:
            head = self.pick(f"if ({self.condition()})", f"for (int {self.name('r')} = 0; fuel-- > 0 && {self.condition()};)")
            return f"{head} {{ {self.statement(depth + 1)} {self.statement(depth + 1)} }}"
        return self.pick(*kinds)()

    def text(self, number):
        body = "\n    ".join(self.statement(0) for _ in range(self.random.randint(1, 4)))
        barriers = "local uint w[128]; const uint l = get_local_id(0), size = get_local_size(0);" if self.barriers else ""
        return f"""
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    {self.pick("uint g = get_global_id(0);", "int g = get_global_id(0);", "size_t g = get_global_id(0);")}
    const int low = n > 100 ? 7 : -2147483647 - 1, high = n > 100 ? 7 : 2147483647;
    const uint ones = n > 100 ? 7 : 0xffffffffu;
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


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    print(f"// seed {seed}\n{HEADER}")
    for number in range(count):
        print(Kernel(source).text(number))


if __name__ == "__main__":
    main()
