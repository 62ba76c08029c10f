#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that store to the same places on many ways, which check themselves.

    gen_ways.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Chains of conditions and switches of up to
fourteen ways, in each other and in loops, store elements of several sizes over each other; some ways store
less, read in between or go on to the next case. What the clean-up merges (ir/flow/merged_stores.h) is the same
in every form of work-groups: so each kernel does all of it once more with volatile memory, where nothing may be
merged, and sets the highest bit of shared[15] where that comes to something else."""
from kernel_writer import Choices, print_kernels

TYPES = [("uchar", 1), ("ushort", 2), ("uint", 4), ("ulong", 8), ("float", 4), ("short", 2)]
BYTES = 16
HEADER = "\n" + "\n".join(f"typedef {kind} any_{kind} __attribute__((may_alias));" for kind, _ in TYPES)


class Kernel(Choices):
    def place(self):
        """An element of what the work-item owns, and its type."""
        if self.chance(.75):
            kind, size, index = self.pick(*self.places)
        else:
            kind, size = self.pick(*TYPES)
            index = str(self.random.randrange(BYTES // size))
        if index is None:
            index = self.pick(f"(a & {BYTES // size - 1})", f"(n + g & {BYTES // size - 1})")
        return f"AT({kind}, {index})", kind

    def value(self):
        return self.pick("a", "b", "n", "a * 3", "b ^ a", "a + n", "g", "in[a & 255]", "(uint)AT(uchar, n)",
                         str(self.random.randint(0, 300)), "0", "(a > b ? a : b)")

    def real(self):
        return self.pick("f", "h", "-0.0f", "0.0f", "NAN", "f * h", "-f", "(f < h ? f : h)", "1.5f")

    def condition(self):
        k = self.random.randint(2, 5)
        return self.pick(f"a % {k} == 1", f"b % {k} == 0", "a & 1", "b > a", "n == 3", "f < h", "f != f", "!(f >= h)", "g > 100",
                         f"g % {k} == n % {k}", "AT(uchar, 5) & 4", "(a ^ b) % 7 < 3")

    def store(self):
        place, kind = self.place()
        if kind == "float":
            return f"{place} = {self.real()};"
        operator = self.pick("=", "=", "=", "=", "+=" if kind != "short" else "=")
        value = self.value()
        return f"{place} {operator} ({kind})({value}{' & 0x3fff' if kind == 'short' else ''});"

    def stores(self):
        """The end of a way: mostly the same places in the same order."""
        text = ""
        for kind, size, index in self.family:
            if self.chance(.1):
                continue
            place = f"AT({kind}, {index if index is not None else f'(a & {BYTES // size - 1})'})"
            value = self.real() if kind == "float" else f"({kind})({self.value()} & 0x7fff)"
            text += f" {place} = {value};"
            if self.chance(.05):
                text += f" b += {self.value()};"
        return text

    def way(self, depth):
        before = self.statement(depth + 1) if self.chance(.25) else self.pick("", "a += 3;", "b ^= a;", "b = b * 5 + n;")
        end = self.pick("", "", "", "", "", "", "f = h + 1;", "a ^= b;")
        return f"{{ {before}{self.stores()} {end} }}"

    def part(self, depth):
        """Ways to one end."""
        family = self.family
        self.family = [self.pick(*self.places) for _ in range(self.pick(1, 1, 2, 2, 3))]
        count = self.pick(2, 2, 3, 4, 5, 8, 9, 10, 14) if depth < 2 else 2
        if self.chance(.5):
            text = " else ".join(f"if ({self.condition() if count < 5 else f'w == {i}'}) {self.way(depth)}" for i in range(count - 1))
            text += f" else {self.way(depth)}" if self.chance(.7) else ""
            text = f"{{ uint w = (a + b) % {count + self.pick(0, 1)}; {text} }}"
        else:
            cases = " ".join(f"case {i}: {self.way(depth)} {self.pick('break;', 'break;', 'break;', 'break;', '')}" for i in range(count - 1))
            default = f"default: {self.way(depth)}" if self.chance(.7) else ""
            text = f"switch ((a ^ b >> 3) % {count + self.pick(0, 1)}) {{ {cases} {default} }}"
        self.family = family
        return text

    def loop(self, depth):
        i = self.name("i")
        limit = self.pick("3", "(n & 3)", "(a & 3)", "2")
        leave = f"if ({self.condition()}) {self.pick('break', 'continue')};" if self.chance(.3) else ""
        return f"for (uint {i} = 0, last = {limit}; {i} < last; {i}++) {{ a += {i}; {leave} {self.statement(depth + 1)} {self.statement(depth + 1)} }}"

    def statement(self, depth):
        if depth > 2:
            return self.store()
        return self.weighted((20, self.store), (10, lambda: f"a = a * 5 + {self.value()};"), (60, lambda: self.part(depth)),
                             (12 if depth < 2 else 0, lambda: self.loop(depth)))

    def text(self, number):
        self.places = []
        for _ in range(3):
            kind, size = self.pick(*TYPES)
            self.places.append((kind, size, self.pick(None, str(self.random.randrange(BYTES // size)))))
        self.family = []
        body = "\n    ".join(self.statement(0) for _ in range(self.pick(1, 2, 2, 3)))
        start = "uint a = in[g], b = in[255 - g] >> 2; float f = (float)(int)(a & 255) - 99.0f, h = g % 3 ? (float)(int)(b & 255) - 120.0f : NAN;"
        return f"""
#undef AT
#define AT(T, i) (*(volatile any_##T *)(shadow + sizeof(T) * (i)))
static void twice{number}(global const uint *in, volatile uchar *shadow, uint *last, uint g, uint n)
{{
    {start}
    {body}
    last[0] = a;
    last[1] = b;
}}
#undef AT
#define AT(T, i) (*(global any_##T *)(own + sizeof(T) * (i)))
kernel void k{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    uint g = get_global_id(0), last[2];
    volatile ulong shadow[2];
    global uchar *own = (global uchar *)(out + 4 * g);
    for (int i = 0; i < 16; i++)
        ((volatile uchar *)shadow)[i] = own[i];
    twice{number}(in, (volatile uchar *)shadow, last, g, n);
    {start}
    {body}
    for (int i = 0; i < 16; i++)
        if (((volatile uchar *)shadow)[i] != own[i])
            shared[15] = 99;
    if (last[0] != a || last[1] != b)
        shared[15] = 98;
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda _: HEADER)
