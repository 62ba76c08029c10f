#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that compute with bytes and words of 16 bits as int, uint, long, ulong or vectors of them.

    gen_narrow.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py. Values come from neighbours in memory, from what all
work-items share and from constants; their sums, differences, products, shifts, quotients, bits, limits and choices
lie at the ends of what 8, 15, 16 and 17 bits hold, with a sign or without (workgroup/prepare/narrow). Results are
kept whole, cut, compared, or added up in loops. Signed numbers do not overflow: bounds are known here."""
from kernel_writer import Choices, parameters, print_kernels

LINE = ("uint g = get_global_id(0);", "int g = get_global_id(0);", "size_t g = get_global_id(0);")
PLANE = ("int g = ((int)(get_global_id(2) - get_global_offset(2)) * (int)get_global_size(1) + (int)(get_global_id(1) - get_global_offset(1))) "
         "* (int)get_global_size(0) + (int)(get_global_id(0) - get_global_offset(0));")
BASES = {"int": 32, "uint": 32, "long": 64, "ulong": 64}
PARTS = {"uchar": (0, 255), "char": (-128, 127), "ushort": (0, 65535), "short": (-32768, 32767)}
ENDS = (1, 2, 3, 7, 9, 12, 25, 31, 100, 127, 128, 129, 254, 255, 256, 257, 1000, 4096, 32766, 32767, 32768, 32769, 65534, 65535, 65536)


class Kernel(Choices):
    def fits(self, low, high):
        return not self.signed or -(1 << self.bits - 1) <= low and high < 1 << self.bits - 1

    def constant(self, *numbers):
        n = self.pick(*(numbers or ENDS))
        if self.signed and not numbers and self.chance(.3):
            n = -n
        return f"(T)({n})", n, n

    def leaf(self):
        part = self.pick("uchar", "uchar", "uchar", "char", "ushort", "short")
        low, high = PARTS[part]
        if not self.signed and low < 0:
            low, high = 0, (1 << self.bits) - 1
        choice = self.random.random()
        if choice < .12:
            return self.constant()
        if choice < .2:
            return self.pick((f"(T)({part})n", low, high), (f"(T)(({part})in[{self.random.randint(0, 255)}])", low, high), ("(T)(n & 15)", 0, 15))
        if self.lanes == 1:
            place = self.pick("g", f"g + {self.random.randint(1, 50)}", f"(g * {self.random.randint(2, 4)}) & 255", f"in[g & 255] & 255")
            value = f"(T)(((global const {part} *)in)[{place}])"
        else:
            place = self.pick("g & 63", f"(g + {self.random.randint(1, 50)}) & 63", "g & 31")
            value = f"convert_{self.base}{self.lanes}(vload{self.lanes}({place}, (global const {part} *)in))"
        if self.chance(.15) and (part == "uchar" or part == "ushort"):
            mask = self.pick(1, 15, 31, 127, 1023)
            return f"({value} & (T)({mask}))", 0, min(mask, high)
        return value, low, high

    def value(self, depth):
        if depth <= 0 or self.chance(.1):
            return self.leaf()
        for _ in range(20):
            made = self.operation(depth)
            if self.fits(*made[1:]):
                return made
        return self.leaf()

    def sum_of_many(self, depth):
        parts = [self.value(min(depth - 2, 1)) for _ in range(self.random.randint(3, 9))]
        return f"({' + '.join(part for part, _, _ in parts)})", sum(low for _, low, _ in parts), sum(high for _, _, high in parts)

    def operation(self, depth):
        if self.chance(.15) and depth > 1:
            return self.sum_of_many(depth)
        (x, a, b), (y, c, d) = self.value(depth - 1), self.value(depth - 1)
        kind = self.pick("+", "+", "-", "-", "*", "<<", ">>", "/", "%", "bits", "min", "max", "clamp", "choice", "choice", "abs", "diff", "mean")
        if kind == "+":
            return f"({x} + {y})", a + c, b + d
        if kind == "-":
            return f"({x} - {y})", a - d, b - c
        if kind == "*":
            ends = (a * c, a * d, b * c, b * d)
            return f"({x} * {y})", min(ends), max(ends)
        if kind == "<<":
            by = self.random.randint(0, 9)
            return f"({x} << (T)({by}))", min(a, 0) << by, max(b, 0) << by
        if kind == ">>":
            by = self.random.randint(0, 17)
            return f"({x} >> (T)({by}))", a >> by, b >> by
        if kind in "/%":
            divisor, e, _ = self.constant() if self.chance(.85) else (f"({y} | (T)(1))", c, d)
            if self.signed and e == 0:
                divisor, e = "(T)(9)", 9
            most = max(abs(a), abs(b))
            return f"({x} {kind} {divisor})", -most if self.signed else 0, most
        if kind == "bits":
            most = (1 << max(abs(a), abs(b), abs(c), abs(d)).bit_length()) - 1
            return f"({x} {self.pick('&', '|', '^')} {y})", -1 - most if self.signed else 0, most
        if kind == "clamp":
            low, high = sorted(self.random.sample((0, 1, 16, 127, 255, 1023, 32767, 65535), 2))
            return f"clamp({x}, (T)({low}), (T)({high}))", low, high
        if kind in ("min", "max"):
            return f"{kind}({x}, {y})", min(a, c), max(b, d)
        if kind == "abs":
            return f"as_T(abs({x}))", 0, max(abs(a), abs(b))
        if kind == "diff":
            return f"as_T(abs_diff({x}, {y}))", 0, max(abs(b - c), abs(d - a), abs(b), abs(d))
        if kind == "mean":
            return f"{self.pick('hadd', 'rhadd')}({x}, {y})", min(a, c), max(b, d)
        (u, e, f), (v, h, i) = self.value(depth - 2), self.value(depth - 2)
        return f"({x} {self.pick('<', '<=', '>', '>=', '==', '!=')} {y} ? {u} : {v})", min(e, h), max(f, i)

    def result(self, value):
        """A word of what `value` is."""
        text = value
        if self.lanes > 1:
            text = f"fold({value})"
            if self.chance(.4):
                text = f"fold(convert_{self.base}{self.lanes}(convert_{self.pick(*PARTS)}{self.lanes}{self.pick('', '', '_sat')}({value})))"
        elif self.chance(.4):
            text = f"({self.pick(*PARTS)})({value})"
        return f"(uint)({text})"

    def sum_of_rounds(self):
        """A sum that LLVM unrolls late: what it knows of bounds then, it knows of single terms alone."""
        part = self.pick("uchar", "uchar", "ushort", "char")
        rounds, by, of = self.pick(3, 4, 4, 5, 7, 9, 12), self.pick(1, 2, 10, 20, 25, 60, 60, 100), self.pick("g", "g", "(g & 63)")
        if self.lanes > 1:
            part, of = self.pick("uchar", "char"), "(g & 15)"
        if not self.signed:
            part = self.pick("uchar", "ushort")
        value = f"((global const {part} *)in)[{of} + k]" if self.lanes == 1 else \
            f"convert_{self.base}{self.lanes}(vload{self.lanes}({of} + k, (global const {part} *)in))"
        more = self.pick("", "", f" - (T)({self.pick(*ENDS)})", f" - ((T)({value}) & (T)({self.pick(3, 31)}))") if self.signed else ""
        end = self.pick("sum", "sum >> (T)(8)", "as_T(abs(sum))", "as_T(abs(sum)) >> (T)(3)", "(T)(as_T(abs(sum)) / (T)(3))", f"(T)(abs(sum) / {self.pick(2, 3, 7)}u)" if self.base == "int" and self.lanes == 1 else "sum", f"sum / (T)({self.pick(3, 9, 25, 255)})", "max(sum, (T)(4096))", "min(sum, (T)(32768))",
                        "sum > (T)(32767) ? sum : (T)(7)", f"sum % (T)({self.pick(7, 100, 1000)})")
        word = self.pick("a", "b", "c")
        return f"{{ T sum = {self.pick(0, 0, 300)}; for (int k = 0; k < {rounds}; k++) sum += (T)({value}) * (T)({by}){more}; {word} += {self.result(f'({end})')}; }}"

    def statement(self):
        if self.chance(.3):
            return self.sum_of_rounds()
        value = self.value(self.random.randint(2, 5))[0]
        choice = self.random.random()
        word = self.pick("a", "b", "c")
        if choice < .5:
            return f"{word} {self.pick('=', '+=', '^=')} {self.result(value)};"
        if choice < .62:
            return f"if ({self.pick('g & 1', 'a & 3', 'n & 1', 'g % 3 == 1')}) {word} += {self.result(value)};"
        if choice < .74:
            return f"for (uint i = 0; i < {self.pick('3', 'n', '(a & 3)')}; i++) {{ {word} += {self.result(value)} + i; g += {self.pick('0', '1')}; }}"
        if choice < .87:
            return f"{{ T kept = {value}; {word} += {self.result('kept')}; if (b & {self.pick(1, 2)}) c ^= {self.result('kept')}; }}"
        other = self.value(2)[0]
        if self.lanes == 1:
            return f"if ({value} {self.pick('<', '>', '==')} {other}) {word} += 3;"
        return f"if ({self.pick('any', 'all')}({value} {self.pick('<', '>', '==')} {other})) {word} += 3;"

    def text(self, number):
        self.base = self.pick("int", "int", "uint", "uint", "long", "ulong")
        self.bits, self.signed = BASES[self.base], not self.base.startswith("u")
        self.lanes = self.pick(1, 1, 1, 2, 3, 4, 4, 8)
        kind = self.base if self.lanes == 1 else f"{self.base}{self.lanes}"
        names = "xyz" if self.lanes == 3 else "xyzw"[:self.lanes] if self.lanes <= 4 else "01234567"
        parts = " + ".join(f"{i + 1} * (uint)v.{'s' if self.lanes > 4 else ''}{n}" for i, n in enumerate(names))
        plane = self.chance(.4)
        body = "\n    ".join(self.statement() for _ in range(self.pick(1, 2, 3, 4)))
        fold = f"uint fold{number}({kind} v) {{ return {parts}; }}\n" if self.lanes > 1 else ""
        return f"""
#undef T
#undef as_T
#undef fold
#define T {kind}
#define as_T as_{kind}
#define fold fold{number}
{fold}kernel void {'plane' if plane else 'k'}{number}({parameters(self.random)})
{{
    {PLANE if plane else self.pick(*LINE)}
    const uint place = 4 * g;
    uint a = g, b = in[g & 255], c = n;
    {body}
    out[place] = a;
    out[place + 1] = b;
    out[place + 2] = c;
}}
"""


if __name__ == "__main__":
    print_kernels(Kernel, lambda _: "")
