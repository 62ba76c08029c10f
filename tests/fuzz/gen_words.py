#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that hand words of local memory on, of groups whose size the kernel demands.

    gen_words.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Of many parts between barriers each has all work-items, or some
of them, read elements of others at places that follow from the item's number, compute, and store elements
of their own: what lanes take from registers then (codegen/memory/words.h). Some places only the run knows; some accesses go through
pointers of other types, are volatile, atomic or of whole vectors, structs or of one of two arrays; some parts stand
behind conditions of the whole group, or in loops; some stores are never read."""
from kernel_writer import Choices, print_kernels

SIZE = 64  # of a group, as fuzz_forms launches them
BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
TYPES = {"uint": 4, "int": 4, "ushort": 2, "uchar": 1, "ulong": 8, "float": 4, "double": 8}
HEADER = """
typedef uchar any_uchar __attribute__((may_alias));
typedef ushort any_ushort __attribute__((may_alias));
typedef uint any_uint __attribute__((may_alias));
typedef uint2 any_uint2 __attribute__((may_alias));
struct triple { uint x; ushort y; uchar z, w; };
#define number_uint(x) (x)
#define number_int(x) as_uint(x)
#define number_ushort(x) (uint)(x)
#define number_uchar(x) (uint)(x)
#define number_ulong(x) (uint)((x) ^ (x) >> 32)
#define number_float(x) as_uint(x)
#define number_double(x) (uint)(as_ulong(x) ^ as_ulong(x) >> 32)
#define made_uint(x) (x)
#define made_int(x) as_int(x)
#define made_ushort(x) (ushort)(x)
#define made_uchar(x) (uchar)(x)
#define made_ulong(x) ((ulong)(x) * 0x100000001ul)
#define made_float(x) (float)((x) & 0xffff)
#define made_double(x) (double)(x)
"""


class Kernel(Choices):
    def place(self, whose=None):
        """One of the elements, each another item's: a permutation of the items."""
        k = self.pick(1, 2, 4, 8, 16, 32)
        c = self.random.randint(1, 63)
        return self.pick("l", "l", f"(l ^ {k})", f"(l ^ {c})", f"({SIZE - 1} - l)", f"((l + {c}) & {SIZE - 1})", f"((l * {2 * c + 1}) & {SIZE - 1})",
                         f"((l & {k}) ? l - {k} : l + {k})", f"((l >> 1) | (l & 1) << 5)", "((l & 31) * 2 | l >> 5)")

    def element(self, array):
        """Any element, to be read."""
        k = self.pick(1, 2, 3, 4, 8, 16, 32)
        index = self.pick(self.place(), self.place(), self.place(), f"(l / {k})", f"(l & {k})", f"min(l + {k}, {SIZE - 1}u)", f"(l < {k} ? l : l - {k})",
                          "0", f"{self.random.randint(0, 63)}", "(x & 63)" if self.chance(.3) else "l")
        kind = self.arrays[array]
        if self.chance(.08):
            return self.pick(f"(uint)((local any_uchar *){array})[{index}]", f"(uint)((local any_ushort *){array})[{index} & 31]",
                             f"(uint)(*(volatile local any_uchar *)((local any_uchar *){array} + {index}))")
        volatile = f"(*(volatile local {kind} *)({array} + {index}))" if self.chance(.06) else f"{array}[{index}]"
        return f"number_{kind}({volatile})"

    def value(self):
        value = self.pick("x", "x", "l", "y")
        for _ in range(self.pick(1, 2, 2, 3)):
            more = self.element(self.pick(*self.arrays)) if self.chance(.7) else self.pick("y", "x", "7u", "g")
            value = f"({value} {self.pick('+', '^', '-', '+', '*')} {more})"
        return self.pick(value, value, value, f"(l % {self.random.randint(2, 5)} ? {value} : x)", f"max({value}, x)")

    def condition(self):
        k = self.pick(1, 2, 4, 8, 16, 32)
        return self.pick(f"l < {k}", f"l < {SIZE - k}", f"l >= {k}", f"l % {k + 1} == 0", f"l & {k}", "x & 1", f"l < n * 8", f"l == {self.random.randint(0, 63)}",
                         f"l < {k} && (x & 2)")

    def store(self):
        """What may write to an element that nobody else touches in this part."""
        array = self.pick(*self.arrays)
        kind, size = self.arrays[array], TYPES[self.arrays[array]]
        where = self.place()
        choice = self.random.random()
        if choice < .06 and size >= 2:
            part = self.random.randrange(size)
            return f"((local any_uchar *){array})[{size} * {where} + {part}] = (uchar)x;" if kind not in ("float", "double") else f"{array}[{where}] = 1;"
        if choice < .12 and kind == "uint":
            return f"if (l < {SIZE // 2}) ((local any_uint2 *){array})[l] = (uint2)(x, y);"
        if choice < .16 and kind in ("uint", "int"):
            return f"atomic_{self.pick('add', 'xor', 'xchg')}({array} + {where}, {'(int)' if kind == 'int' else ''}(x & 255));"
        if choice < .2:
            return f"*(volatile local {kind} *)({array} + {where}) = made_{kind}(x);"
        if choice < .3:
            return f"m[{where}].{self.pick('x', 'y', 'z', 'w')} = x;"
        more = self.pick("", "", "", f" else {array}[{{}}] = made_{kind}(y);")
        own = f"{array}[{where}] = made_{kind}(x);"
        if self.chance(.45):
            return f"if ({self.condition()}) {own}{more.format(where)}"
        return own

    def part(self):
        read = self.pick(f"x = {self.value()};", f"x = {self.value()};", f"y = {self.value()};", f"if ({self.condition()}) x = {self.value()};",
                         f"x ^= m[{self.place()}].{self.pick('x', 'y', 'z')};")
        text = f"{read} {BARRIER} {self.store()} {self.pick('', '', f'{BARRIER} {self.store()}')} {BARRIER}"
        choice = self.random.random()
        if choice < .06:
            return f"if (n & {self.pick(1, 2)}) {{ {text} }}"
        if choice < .1:
            return f"for (uint i = 0; i < {self.pick('n', '3')}; i++) {{ {text} }}"
        if choice < .25:
            d = self.name("d")
            step = f"if (l < {d}) {self.sums} += {self.sums}[l + {d}];" if False else \
                f"if (l < {d}) {self.sums}[l] {self.pick('+=', '-=')} {self.sums}[l + {d}];"
            return f"for (uint {d} = {self.pick(32, 16, 8)}; {d} > 0; {d} {self.pick('/= 2', '>>= 1')}) {{ {step} {BARRIER} }}"
        return text

    def text(self, number):
        self.arrays = {name: self.pick(*TYPES) for name in ("s", "t")[:self.pick(1, 2, 2)]}
        if self.chance(.5) and "t" in self.arrays:
            self.arrays["t"] = self.arrays["s"]
        numbers = [name for name, kind in self.arrays.items() if kind not in ("int",)]
        if not numbers:
            self.arrays["s"] = "uint"
            numbers = ["s"]
        self.sums = self.pick(*numbers)
        declared = " ".join(f"local {kind} {name}[{SIZE}];" for name, kind in self.arrays.items())
        start = " ".join(f"{name}[l] = made_{kind}(x + l * 3);" for name, kind in self.arrays.items())
        body = "\n    ".join(self.part() for _ in range(self.random.randint(2, 7)))
        last = self.pick(*self.arrays)
        return f"""
kernel void __attribute__((reqd_work_group_size({SIZE}, 1, 1)))
steps{number}(global const uint *in, global uint *out, global uint *shared, uint n)
{{
    {declared} local struct triple m[{SIZE}];
    uint l = get_local_id(0), g = get_global_id(0) - get_global_offset(0), x = in[g & 255], y = in[255 - g] >> 5;
    {start} m[l].x = x; m[l].y = y; m[l].z = l; m[l].w = 1;
    {BARRIER}
    {body}
    out[4 * g] = x;
    out[4 * g + 1] = y;
    out[4 * g + 2] += number_{self.arrays[last]}({last}[{SIZE - 1} - l]);
    out[4 * g + 3] = m[l].x + m[{SIZE - 1} - l].y * 3 + m[l].w + m[l].z;
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda _: HEADER)
