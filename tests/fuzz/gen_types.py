#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that compute with every scalar and vector type.

    gen_types.py SEED COUNT

writes COUNT kernels with the arguments of gen_kernels.py: integers of 8 to 64 bits, float and
double, alone and in vectors, as private arrays and members of structs that varying indices
choose. Expressions have a type. Signed numbers are added and multiplied as unsigned ones of
their size, divisors are odd and dividends halved, and NaNs lose their bits before they are seen. Reals
become integers by saturation, or as it comes: every form has to make the same of what does not fit."""
from kernel_writer import PATTERNS, Patterns, contraction, parameters, print_kernels

HEADER = PATTERNS + """
uint bits_float(float x)
{
    return isnan(x) ? 77u : as_uint(x);
}
uint bits_double(double x)
{
    ulong bits = isnan(x) ? 77ul : as_ulong(x);
    return (uint)(bits ^ bits >> 32);
}
uint bits_long(ulong x)
{
    return (uint)(x ^ x >> 32);
}
"""
INTEGERS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
REALS = {"float": 32, "double": 64}
WIDTHS = ["", "", "", "2", "3", "4", "4", "8", "16"]
SIGNED = {8: "char", 16: "short", 32: "int", 64: "long"}


class Type:
    def __init__(self, base, width):
        self.base, self.width, self.name = base, width, base + width
        self.real = base in REALS
        self.bits = {**INTEGERS, **REALS}[base]
        self.lanes = int(width or 1)

    def of(self, base):
        return Type(base, self.width)

    def scalar(self):
        return Type(self.base, "")

    def unsigned(self):
        return self.of("u" + self.base.lstrip("u"))

    def mask(self):
        """The type of what comparisons of vectors give."""
        return self.of(SIGNED[self.bits])

    def __eq__(self, other):
        return self.name == other.name


class Kernel(Patterns):
    def __init__(self, source):
        super().__init__(source)
        self.types = [self.some_type() for _ in range(source.randint(2, 4))]
        self.variables = [(f"v{i}", kind) for i, kind in enumerate(self.types)]
        # What varying indices choose is small: many lanes of much of it take long to compile.
        small = [kind for kind in self.types if kind.bits * kind.lanes <= 128]
        self.arrays = [(f"a{i}", self.pick(*small), self.pick(2, 3, 4, 8)) for i in range(source.randint(0, 2)) if small]
        self.structs = bool(small) and source.random() < .4
        if self.structs:
            self.members = [(f"m{i}", self.pick(*small)) for i in range(source.randint(1, 3))]
        self.patterned = self.chance(.2)

    def value(self):
        return self.word(2)

    def change(self):
        return self.pick("a += {};", "b ^= {};", "c -= {};").format(self.word()) if self.chance(.3) else self.assignment()

    def some_type(self):
        base = self.pick(*INTEGERS, *INTEGERS, *REALS, *REALS)
        return Type(base, self.pick(*WIDTHS))

    # ---- places that hold a value

    def index(self, count):
        return f"({self.word(2)}) % {count}u" if self.chance(.7) else str(self.random.randint(0, count - 1))

    def places(self):
        """(text, type) of what can be read and written."""
        found = list(self.variables)
        for name, kind, count in self.arrays:
            found.append((f"{name}[{self.index(count)}]", kind))
        if self.structs:
            name, kind = self.pick(*self.members)
            found.append((self.pick(f"s.{name}", f"t[{self.index(3)}].{name}"), kind))
        return found

    def component(self, name, kind):
        return f"{name}.s{self.random.randint(0, kind.lanes - 1):x}"

    def leaf(self, kind):
        fits = [text for text, other in self.places() if other == kind]
        if not kind.width:
            fits += [self.component(text, other) for text, other in self.places() if other.width and other.base == kind.base]
        if fits and self.chance(.75):
            return self.pick(*fits)
        if kind.real:
            return f"({kind.name})({self.pick('1.5', '0.1', '-3', '1000', '7')})"
        return f"({kind.name})({self.pick('g', 'n', str(self.random.randint(0, 127)), '1', 'in[g]')})"

    # ---- expressions of a type

    def expression(self, kind, depth=0):
        if depth > 2 or self.chance(.25):
            return self.leaf(kind)
        if self.chance(.2):
            return self.converted(kind, depth + 1)
        if kind.width and kind.lanes != 3 and self.chance(.1):
            return self.shuffled(kind, depth + 1)
        return self.real(kind, depth + 1) if kind.real else self.integer(kind, depth + 1)

    def converted(self, kind, depth):
        base = self.pick(*INTEGERS, *REALS)
        other = kind.of(base)
        x = self.expression(other, depth)
        if kind.width and self.chance(.3):
            return f"({kind.name})({self.expression(kind.scalar(), depth)})"
        if not kind.real and self.chance(.4 if other.real else .3):
            return f"convert_{kind.name}_sat({x})"
        if other.base != kind.base and other.bits == kind.bits and not other.real and not kind.real:
            return f"as_{kind.name}({x})"
        if other.real and not kind.real: # what does not fit, an implementation defines, in each form anew
            x = f"fmin(fmax({x}, ({other.name})(0)), ({other.name})(100))"
        return f"convert_{kind.name}({x})"

    def shuffled(self, kind, depth):
        """Elements by indices of the run, out of one vector of any length or two."""
        source = Type(kind.base, self.pick("2", "4", "8", "16"))
        index = self.expression(kind.mask().unsigned(), depth + 1)
        x, y = self.expression(source, depth + 1), self.expression(source, depth + 1)
        return f"shuffle({x}, {index})" if self.chance(.6) else f"shuffle2({x}, {y}, {index})"

    def real(self, kind, depth):
        x, y = self.expression(kind, depth), self.expression(kind, depth)
        r = self.random.random()
        if r < .55:
            return f"({x} {self.pick('+', '-', '*', '*', '/')} {y})"
        if r < .65:
            return f"fma({x}, {y}, {self.expression(kind, depth)})"
        if r < .8:
            return self.chosen(kind, depth, x, y)
        if r < .84 and kind.base != "half":
            return f"(sin({x}) {self.pick('+', '-', '*')} cos({self.pick(x, x, y)}))"
        return f"{self.pick('fabs', 'floor', 'trunc', 'ceil', 'rint')}({x})" if self.chance(.7) else f"sqrt(fabs({x}))"

    def chosen(self, kind, depth, x, y):
        """One of two values, by a condition on each component."""
        mask = kind.mask()
        if kind.width:
            p, q = self.expression(kind, depth + 1), self.expression(kind, depth + 1)
            return self.pick(f"(({p} {self.pick('<', '>', '==', '!=')} {q}) ? {x} : {y})",
                             f"select({x}, {y}, {self.expression(mask, depth + 1)})",
                             f"select({x}, {y}, {p} {self.pick('<=', '>=')} {q})")
        return self.pick(f"({kind.name})({self.condition()} ? {x} : {y})", f"select({x}, {y}, {self.expression(mask, depth + 1)})")

    def sum(self, kind, x, operator, y):
        """Wraps, also where C would make an int or a signed number of it."""
        if kind.name == "ushort":
            return f"(ushort)((uint){x} {operator} (uint){y})"
        if kind.base.startswith("u") or (not kind.width and kind.bits < 32):
            return f"({kind.name})({x} {operator} {y})"
        u = kind.unsigned().name
        return f"as_{kind.name}(as_{u}({x}) {operator} as_{u}({y}))"

    def integer(self, kind, depth):
        x, y = self.expression(kind, depth), self.expression(kind, depth)
        r = self.random.random()
        if r < .3:
            return self.sum(kind, x, self.pick("+", "-", "*"), y)
        if r < .42:
            return f"({kind.name})({x} {self.pick('&', '|', '^')} {y})"
        if r < .5:
            return f"({kind.name})({x} {self.pick('<<', '>>')} ({y} & ({kind.name}){kind.bits - 1}))"
        if r < .6:
            return f"({kind.name})(({x} >> ({kind.name})1) {self.pick('/', '%')} ({y} | ({kind.name})1))"
        if r < .75:
            return self.chosen(kind, depth, x, y)
        return self.function(kind, depth, x, y)

    def function(self, kind, depth, x, y):
        z = self.expression(kind, depth + 1)
        name = self.pick("min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate", "popcount", "clz", "bitselect",
                         "mad_sat", "clamp", "abs", "abs_diff", "mad24")
        if name in ("popcount", "clz"):
            return f"{name}({x})"
        if name in ("abs", "abs_diff"):
            text = f"{name}({x}{f', {y}' if name == 'abs_diff' else ''})"
            return text if kind.base.startswith("u") else f"as_{kind.name}({text})"
        if name == "clamp":
            return f"clamp({x}, ({kind.name})5, ({kind.name})100)"
        if name in ("bitselect", "mad_sat"):
            return f"{name}({x}, {y}, {z})"
        if name == "mad24":
            small = f"({kind.name})255"
            return f"mad24({x} & {small}, {y} & {small}, {z} & {small})" if kind.bits == 32 else f"max({x}, {y})"
        return f"{name}({x}, {y})"

    def word(self, depth=1):
        """A uint."""
        name, kind = self.pick(*self.variables)
        if depth > 1 and self.chance(.5):
            return self.pick("g", "n", "l", "in[g]", "g >> 2")
        return self.hash_of(self.component(name, kind) if kind.width else name, kind.scalar())

    def hash_of(self, text, kind):
        if kind.real:
            return f"bits_{kind.base}({text})"
        return f"bits_long((ulong){text})" if kind.bits == 64 else f"(uint){text}"

    def condition(self):
        return self.pick(f"{self.word()} % 3 == {self.random.randint(0, 2)}", "g & 1", "n == 3", f"{self.word(2)} % 5 < 2",
                         "g > 180", "(in[g] & 3) == 2")

    # ---- statements

    def assignment(self):
        text, kind = self.pick(*self.places())
        if kind.width and self.chance(.35):
            return f"{self.component(text, kind)} = {self.expression(kind.scalar(), 1)};"
        if kind.lanes in (2, 4, 8, 16) and self.chance(.2):
            half = Type(kind.base, str(kind.lanes // 2) if kind.lanes > 2 else "")
            return f"{text}.{self.pick('lo', 'hi', 'even', 'odd')} = {self.expression(half, 1)};"
        if kind.lanes == 4 and self.chance(.15):
            return f"{text} = {text}.{self.pick('wzyx', 'xxzz', 'yxwz', 'wwww')};"
        return f"{text} = {self.expression(kind)};"

    def copy(self):
        if not self.structs:
            return self.assignment()
        return self.pick(f"t[{self.index(3)}] = s;", f"s = t[{self.index(3)}];", "t[1] = t[2];")

    def statement(self, depth=0):
        if self.patterned and self.chance(.25):
            return self.pattern()
        r = self.random.random()
        if depth > 2 or r < .6:
            return self.assignment() if self.chance(.85) else self.copy()
        block = f"{{ {self.statement(depth + 1)} {self.statement(depth + 1)} }}"
        if r < .75:
            return f"if ({self.condition()}) {block}"
        if r < .83:
            return f"if ({self.condition()}) {block} else {{ {self.statement(depth + 1)} }}"
        if r < .96:
            i = self.name("i")
            leave = f"if ({self.condition()}) {self.pick('break;', 'continue;')} " if self.chance(.4) else ""
            return f"for (uint {i} = 0; {i} < {self.pick('(g & 3)', '3u', '(n & 3)')}; {i}++) {{ {leave}{self.statement(depth + 1)} }}"
        return f"if ({self.condition()}) return;"

    # ---- the frame of a kernel

    def start(self, kind):
        """A value of the type from the input."""
        source = f"(int)(in[(g * {self.pick(1, 3, 5)} + {self.random.randint(0, 9)}) & 255] >> {self.pick(0, 8, 20)})"
        if kind.real:
            return f"({kind.name})(({kind.base})({source}) * ({kind.base})0.125)"
        return f"({kind.name})(({kind.base})({source}))"

    def declarations(self):
        lines = [f"{kind.name} {name} = {self.start(kind)};" for name, kind in self.variables]
        for name, kind, count in self.arrays:
            lines.append(f"{kind.name} {name}[{count}]; for (int i = 0; i < {count}; i++) {name}[i] = ({kind.name})(({kind.base})(g + i));")
        if self.structs:
            values = " ".join(f"s.{name} = {self.start(kind)};" for name, kind in self.members)
            lines.append(f"struct all s, t[3]; {values} t[0] = s; t[1] = s; t[2] = s;")
        if self.patterned:
            lines.append(f"uint a = in[g], b = a * 7 + n, c = g; int fuel = 12; {self.frame()}")
        return "\n    ".join(lines)

    def results(self):
        values = list(self.variables)
        for name, kind, count in self.arrays:
            values.append((f"{name}[{self.random.randint(0, count - 1)}]", kind))
        if self.structs:
            values += [(f"s.{name}", kind) for name, kind in self.members]
            values += [(f"t[{self.random.randint(0, 2)}].{name}", kind) for name, kind in self.members[:1]]
        parts = ["h += a + b * 3 + c * 5 + u[5] + u[b & 15];"] * self.patterned
        for text, kind in values:
            for lane in range(kind.lanes):
                part = self.hash_of(f"{text}.s{lane:x}" if kind.width else text, kind.scalar())
                parts.append(f"h = h * 31 + {part};")
        return "\n    ".join(" ".join(parts[at:at + 4]) for at in range(0, len(parts), 4))

    def text(self, number):
        declared = ""
        if self.structs:
            declared = f"struct all{number} {{ {' '.join(f'{kind.name} {name};' for name, kind in self.members)} }};"
        body = "\n    ".join(self.statement() for _ in range(self.random.randint(2, 5)))
        text = f"""
{declared}
kernel void k{number}({parameters(self.random)})
{{
    uint g = get_global_id(0), l = get_local_id(0), h = 17;
    {self.declarations()}
    {body}
    {self.results()}
    out[4 * g] = h;
}}
"""
        return text.replace("struct all ", f"struct all{number} ")


if __name__ == "__main__":
    print_kernels(Kernel, lambda source: contraction(source) + HEADER)
