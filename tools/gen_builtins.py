#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns src/builtins/builtins.def into OpenCL C, one .cl file per bitcode module.

The language is described in src/builtins/README.md. Uses:

    gen_builtins.py DEF --list             names of the modules, one a line
    gen_builtins.py DEF --inputs           every file that the result depends on
    gen_builtins.py DEF --out FOLDER       writes FOLDER/<module>.cl
    gen_builtins.py DEF --tests FILE       writes the table that the tests walk (C)
    gen_builtins.py DEF --doc FILE         writes the table of functions (Markdown) with the
                                           errors measured, from tests/builtins/accuracy.tsv
    gen_builtins.py DEF --doc FILE --check fails if FILE is not up to date
"""
import argparse
import os
import re
import sys
from dataclasses import dataclass, field

DOC_HEAD = """# Built-in functions

Made by `tools/gen_builtins.py` from `src/builtins/builtins.def` and
`tests/builtins/accuracy.tsv`; do not edit.

`ulp` is the largest error that the tests allow, in units in the last place; *exact* results
are the nearest number of the type, *defined* and *native* ones have no bound of their own. How
to add a function: `src/builtins/README.md`. What OpenCL C declares and is not here yet:
`tests/builtins/not_yet.txt`. The errors that were measured stand at the end.
"""
DOC_ACCURACY = """## Accuracy

The largest error that `tests/builtins/test_math.c` found, in ulp of the result as OpenCL C 7.4
defines it, against MPFR with 160 bits. `ctest` runs the tests with some thousand points a
function; `ctest -C Full -L full` with all of those below, and writes
`builtins-accuracy.tsv` to the build folder, which becomes `tests/builtins/accuracy.tsv`.

| Function | Type | Allowed | Measured | At | How |
|---|---|---|---|---|---|"""
WIDTHS = {2, 3, 4, 8, 16}
# Element types: bytes, kind (s signed, u unsigned, f floating point).
SCALARS = {
    "char": (1, "s"), "uchar": (1, "u"), "short": (2, "s"), "ushort": (2, "u"),
    "int": (4, "s"), "uint": (4, "u"), "long": (8, "s"), "ulong": (8, "u"),
    "half": (2, "f"), "float": (4, "f"), "double": (8, "f"),
}
# Errors that the tests measured.
ACCURACY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "builtins",
                        "accuracy.tsv")
SIGNED = {1: "char", 2: "short", 4: "int", 8: "long"}
# Numbers of the address spaces in LLVM; part of the private names.
SPACES = {"private": 0, "global": 1, "constant": 2, "local": 3, "generic": 4}
ATTRIBUTES = {"effects", "convergent", "unmangled"}
# The type of an image in a .def file: its kind, and the accesses that there are functions for.
IMAGE = re.compile(r"(image\w+)_t((?:/(?:ro|wo|rw))+)")
# What the body sees of opaque types.
OPAQUE = {"image": "constant struct tf_image_desc *", "sampler_t": "ulong"}
# What functions of images return, by the end of their names ($result, $color).
COLORS = {"f": "float4", "i": "int4", "ui": "uint4", "h": "half4"}
MANGLED = {"char": "c", "uchar": "h", "short": "s", "ushort": "t", "int": "i", "uint": "j",
           "long": "l", "ulong": "m", "half": "Dh", "float": "f", "double": "d"}
CALL = re.compile(r"\btf_(\w+)\s*\(")


class DefError(Exception):
    """A mistake in a .def file, with the place where it is."""

    def __init__(self, place, text):
        super().__init__(f"{place[0]}:{place[1]}: error: {text}")


def split_type(name):
    """("float", 4) of "float4"; (name, 1) if it is no vector."""
    match = re.fullmatch(r"([a-z]+)(\d+)", name)
    if match and match[1] in SCALARS and int(match[2]) in WIDTHS:
        return match[1], int(match[2])
    return name, 1


def sized(scalar, width):
    return scalar if width == 1 else f"{scalar}{width}"


def braces(text):
    """Expands {a,b} as a shell does: "{int,uint}{,2}" -> int int2 uint uint2."""
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    head, tail = text[:match.start()], text[match.end():]
    return [word for item in match[1].split(",") for word in braces(head + item + tail)]


def mangle(name, args):
    """The symbol that Clang gives a function of images: scalars, vectors and opaque types."""
    seen, out = [], f"_Z{len(name)}{name}"
    for type_ in args:
        scalar, width = split_type(type_)
        if scalar in MANGLED and width == 1:
            out += MANGLED[scalar]
            continue
        full = (f"Dv{width}_{MANGLED[scalar]}" if scalar in MANGLED
                else f"{len('ocl_' + type_)}ocl_{type_}")
        if full in seen:
            out += f"S{seen.index(full) - 1}_" if seen.index(full) else "S_"
        else:
            seen.append(full)
            out += full
    return out


def plain_type(type_):
    """What the body sees of an argument: "half" of "atomic_half" by value."""
    if IMAGE.fullmatch(type_):
        return OPAQUE["image"]
    if type_ in OPAQUE:
        return OPAQUE[type_]
    return type_.removeprefix("atomic_") if "*" not in type_ else type_


@dataclass
class Func:
    """One func, each, private, native or alias definition."""
    kind: str
    name: str
    place: tuple
    loops: list          # [(variable, [values])]; the first variable is "type"
    ret: str = ""
    args: list = field(default_factory=list)   # [(name, type)]
    attrs: dict = field(default_factory=dict)  # ulp, effects, convergent, unmangled
    body: list = field(default_factory=list)
    body_line: int = 0
    module: "Module" = None


@dataclass
class Module:
    name: str
    split: bool
    uses: list
    doc: str
    funcs: list = field(default_factory=list)


@dataclass
class Instance:
    """A function for one combination of loop values: what becomes one C function."""
    func: Func
    env: dict
    name: str
    ret: str
    args: list
    symbol: str

    def params(self, plain=False):
        types = ((plain_type(type_) if plain else type_, name) for name, type_ in self.args)
        return ", ".join(f"{type_} {name}" for type_, name in types) or "void"

    def values(self):
        """The arguments as the public function hands them to the private one."""
        return ", ".join(name if plain_type(type_) == type_ or self.image()
                         else f"*(__private {plain_type(type_)} *)&{name}"
                         for name, type_ in self.args)

    def image(self):
        """The match of the type of the image that it is a function of, or None."""
        matches = (IMAGE.fullmatch(type_) for _, type_ in self.args)
        return next((match for match in matches if match), None)

    def c_name(self):
        """The name in C: images of different kinds are one type there."""
        image = self.image()
        return f"{self.name}_{image[1]}" if image else self.name

    def public(self):
        """Lines of the public function; of images, one for each access."""
        image = self.image()
        call = f"tf_{self.c_name()}({self.values()});"
        back = "" if self.ret == "void" else "return "
        if not image:
            head = f"TF_PUBLIC {self.ret} {self.name}({self.params()})"
            symbol = ([f'{head} __asm__("{self.name}");'] if "unmangled" in self.func.attrs
                      else [])
            return [*symbol, head, f"{{ TF_KEEP_CALL {back}{call} }}"]
        lines = []
        for access in image[2][1:].split("/"):
            symbol = mangle(self.name, [f"{image[1]}_{access}" if IMAGE.fullmatch(type_) else
                                        type_.removesuffix("_t") for _, type_ in self.args])
            head = f"TF_PUBLIC {self.ret} {self.c_name()}_{access}({self.params(True)})"
            lines += [f'{head} __asm__("{symbol}");', head, f"{{ TF_KEEP_CALL {back}{call} }}"]
        return lines

    def attribute(self):
        if "convergent" in self.func.attrs:
            return "TF_CONVERGENT "
        pointer = any("*" in plain_type(type_) for _, type_ in self.args)
        return "" if pointer or "effects" in self.func.attrs else "TF_CONST "


class Parser:
    """Reads .def files into modules."""

    def __init__(self):
        self.lists = {}
        self.modules = []
        self.names = {}   # module name -> Module
        self.funcs = {}   # function name template -> [Func]
        self.inputs = []
        self.doc = []

    def read(self, path, place=None):
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")
        except OSError as error:
            raise DefError(place or (path, 1), error.strerror) from None
        self.inputs.append(path)
        at = 0
        while at < len(lines):
            place, line = (path, at + 1), lines[at].strip()
            at += 1
            while line.endswith("\\") and at < len(lines):
                line = line[:-1].rstrip() + " " + lines[at].strip()
                at += 1
            if line.startswith("#:"):
                self.doc.append(line[2:].strip())
                continue
            if not line or line.startswith("#"):
                self.doc = [] if not line else self.doc
                continue
            word, _, rest = line.partition(" ")
            if word in ("func", "each", "private"):
                end = at
                while end < len(lines) and lines[end].strip() != "end":
                    if re.match(r"(func|each|private|native|alias|module|def|include)\b", lines[end]):
                        break
                    end += 1
                if end == len(lines) or lines[end].strip() != "end":
                    raise DefError(place, f"{word} without end")
                self.add_func(word, rest, place, lines[at:end], at + 1)
                at = end + 1
            elif word == "native":
                head, equals, expression = rest.partition(" = ")
                if not equals:
                    raise DefError(place, "native needs ' = expression'")
                self.add_func(word, head, place, [f"    return {expression};"], place[1])
            elif word == "alias":
                self.add_alias(rest, place)
            elif word == "def":
                self.add_list(rest, place)
            elif word == "module":
                self.add_module(rest, place)
            elif word == "include":
                self.read(os.path.join(os.path.dirname(path), rest.strip()), place)
            else:
                raise DefError(place, f"'{word}' is not def, func, each, private, native, "
                                      "alias, module or include")

    def words(self, text, place):
        result = []
        for word in text.split():
            if word.startswith("$"):
                if word[1:] not in self.lists:
                    raise DefError(place, f"list '{word}' is not defined")
                result += self.lists[word[1:]]
            else:
                result += [""] if word == '""' else braces(word)
        return result

    def add_list(self, rest, place):
        name, colon, values = rest.partition(":")
        name = name.strip()
        if not colon or not re.fullmatch(r"\w+", name):
            raise DefError(place, "expected 'def name : values'")
        if name in self.lists:
            raise DefError(place, f"list '{name}' is defined twice")
        self.lists[name] = self.words(values, place)

    def add_module(self, rest, place):
        words = rest.split()
        split = "split" in words[1:2]
        uses = words[2 if split else 1:]
        if not words or (uses and uses.pop(0) != "uses"):
            raise DefError(place, "expected 'module name [split] [uses lib/file.h ...]'")
        if words[0] in self.names:
            raise DefError(place, f"module '{words[0]}' is defined twice")
        self.modules.append(Module(words[0], split, uses, " ".join(self.doc)))
        self.names[words[0]] = self.modules[-1]
        self.doc = []

    def add_func(self, kind, head, place, body, body_line):
        match = re.fullmatch(r"(\S+)\s*(.*?)\s+:\s+([^;]*?)\s*(;.*)?", head)
        if not match:
            raise DefError(place, f"expected '{kind} name types : return-type "
                                  "arg:type ... [; attributes]'")
        name, types, signature, attrs = match.groups()
        func = Func(kind, name, place, self.parse_loops(types, place))
        pieces = re.split(r"(?:^|\s)([a-z]\w*):(?=[\w$])", " " + signature)
        func.ret = pieces[0].strip()
        func.args = list(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2])))
        if not func.ret:
            raise DefError(place, f"'{name}' has no return type")
        func.attrs = self.parse_attrs(attrs or "", place)
        func.body, func.body_line = body, body_line
        self.register(func, place)

    def add_alias(self, rest, place):
        match = re.fullmatch(r"(\S+)\s*(.*?)\s*=\s*(\S+)\s*(;.*)?", rest)
        if not match:
            raise DefError(place, "expected 'alias new [types] = old [; attributes]'")
        new, types, old, attrs = match.groups()
        if old not in self.funcs:
            raise DefError(place, f"alias of '{old}', which is not defined above")
        wanted = set(self.words(types, place)) if types else None
        for source in list(self.funcs[old]):
            loops = [(var, [v for v in values if var != "type" or not wanted or v in wanted])
                     for var, values in source.loops]
            if not all(values for _, values in loops):
                continue
            func = Func("alias", new, place, loops, source.ret, source.args,
                        {**source.attrs, **self.parse_attrs(attrs or "", place)})
            call = f"tf_{old}({', '.join(name for name, _ in source.args)})"
            func.body = [f"    {'' if source.ret == 'void' else 'return '}{call};"]
            func.body_line = place[1]
            self.register(func, place)

    def register(self, func, place):
        if not self.modules:
            raise DefError(place, f"'{func.name}' stands before the first module")
        func.module = self.modules[-1]
        func.module.funcs.append(func)
        self.funcs.setdefault(func.name, []).append(func)

    def parse_loops(self, text, place):
        """"$floatn space=$spaces" -> [("type", [...]), ("space", [...])]"""
        loops = []
        for piece in re.split(r"\s+(?=\w+=)", text) if text else ["void"]:
            var, equals, values = piece.partition("=")
            if not equals:
                var, values = "type", piece
            loops.append((var, self.words(values, place)))
        if loops[0][0] != "type":
            loops.insert(0, ("type", ["void"]))
        return loops

    @staticmethod
    def parse_attrs(text, place):
        attrs = {}
        for word in text.strip(" ;").split():
            key, equals, value = word.partition("=")
            if key == "ulp" and re.fullmatch(r"[\d.]+|native|defined", value):
                attrs["ulp"] = value
            elif word in ATTRIBUTES:
                attrs[word] = True
            else:
                raise DefError(place, f"attribute '{word}' is not known")
        return attrs


class Expander:
    """Replaces $variables for one instance."""

    def __init__(self, func, env):
        self.func, self.env = func, env
        self.scalar, self.dim = split_type(env["type"])
        bytes_, kind = SCALARS.get(self.scalar, (0, ""))
        derived = {"scalar": self.scalar, "vecdim": str(self.dim), "name": func.name}
        if bytes_:
            signed = SIGNED[bytes_]
            derived.update({"int": sized(signed, self.dim), "uint": sized("u" + signed, self.dim),
                            "bits": str(8 * bytes_), "bool": sized(signed, self.dim)
                            if self.dim > 1 else "int"})
            if bytes_ < 8 and kind != "f":
                wide = SIGNED[2 * bytes_]
                derived["wide"] = sized(wide if kind == "s" else "u" + wide, self.dim)
                derived["uwide"] = sized("u" + wide, self.dim)
        if "result" in env:
            derived["color"] = COLORS[env["result"]]
        self.values = {**derived, **env}

    def text(self, text, place):
        def join(match):
            parts = [re.sub(r"\$i\b", str(i), match[2].strip())
                     .replace("$e", f".s{i:x}" if self.dim > 1 else "") for i in range(self.dim)]
            return f"{match[1].strip()} ".join(parts)

        def like(match):
            base = match[1]
            if base.startswith("$"):
                base = split_type(self.values.get(base[1:], base))[0]
            return sized(base, self.dim)

        def variable(match):
            if match[1] not in self.values:
                raise DefError(place, f"${match[1]} is not known here "
                                      f"('{self.func.name}' for {self.env['type']})")
            return self.values[match[1]]

        text = re.sub(r"\$join\[(.*?):(.*?)\]\$", join, text)
        text = re.sub(r"\$like\((\$?\w+)\)", like, text)
        text = text.replace("$cvt(", "TF_CVT1(" if self.dim == 1 else "TF_CVTN(")
        return re.sub(r"\$([a-z]+)", variable, text)


def symbol_type(type_):
    """The part of a private name that stands for an argument's type."""
    if IMAGE.fullmatch(type_) or type_ == "sampler_t":
        return IMAGE.fullmatch(type_)[1] if type_ != "sampler_t" else "sampler"
    if "*" not in type_:
        return "ulong" if type_ == "size_t" else type_.replace(" ", "")
    words = type_.replace("*", " ").split()
    space = next((str(SPACES[word]) for word in words if word in SPACES), "0")
    base = [w for w in words if w not in SPACES and w not in ("const", "volatile")]
    if base == ["void"] and "const" in words:  # there are functions for both
        base = ["constvoid"]
    return f"p{space}{''.join(base)}"


def element_and_space(type_):
    """("float", "global", 4) of "const global float4 *"; the space of what is no pointer is
    empty."""
    words = type_.replace("*", " * ").split()
    base = [w for w in words if w not in SPACES and w not in ("const", "volatile", "*")]
    element, width = split_type(" ".join(base))
    space = next((word for word in words if word in SPACES), "private") if "*" in words else ""
    return element, space, width


def instances(func):
    """All instances of one definition, in the order of its lists."""
    envs = [{}]
    for var, values in func.loops:
        envs = [{**env, var: value} for env in envs for value in values]
    for env in envs:
        expand = Expander(func, env)
        name = expand.text(func.name, func.place)
        args = [(arg, expand.text(type_, func.place)) for arg, type_ in func.args]
        symbol = "__tf_b_" + "_".join([name] + [symbol_type(type_) for _, type_ in args])
        yield Instance(func, env, name, expand.text(func.ret, func.place), args, symbol)


class Library:
    """All instances by module, ready to be written."""

    def __init__(self, parser, root):
        self.root = root
        self.modules = {}   # name -> [Instance]
        self.by_name = {}   # function -> [Instance]
        self.sources = {}
        symbols = {}
        for module in parser.modules:
            for func in module.funcs:
                for one in instances(func):
                    name = module.name
                    if module.split:
                        name += "_" + split_type(one.env["type"])[0]
                    if one.symbol in symbols:
                        raise DefError(func.place, f"{one.name}({one.params()}) is defined "
                                                   f"twice, first at {symbols[one.symbol]}")
                    symbols[one.symbol] = "{}:{}".format(*func.place)
                    self.modules.setdefault(name, []).append(one)
                    self.sources[name] = module
                    self.by_name.setdefault(one.name, []).append(one)

    def body(self, one):
        """Lines of the body of one instance, with #line for the compiler's messages."""
        func, expand = one.func, Expander(one.func, one.env)
        path = os.path.relpath(func.place[0], self.root)
        if func.kind == "each" and expand.dim > 1:
            return self.each_body(one, expand)
        lines = [f'#line {func.body_line} "{path}"']
        for number, line in enumerate(func.body):
            lines.append(expand.text(line, (func.place[0], func.body_line + number)))
        return lines

    @staticmethod
    def each_body(one, expand):
        """The scalar function applied to each element, written out."""
        scalar = Expander(one.func, {**one.env, "type": expand.scalar})
        name = scalar.text(one.func.name, one.func.place)
        elements = []
        for i in range(expand.dim):
            call = ", ".join(f"{arg}.s{i:x}" if split_type(type_)[1] > 1 else arg
                             for arg, type_ in one.args)
            elements.append(f"tf_{name}({call})")
        joined = ",\n        ".join(elements)
        return [f"    return ({one.ret})({joined});"]

    def module_text(self, name):
        members = self.modules[name]
        own = {one.symbol for one in members}
        out = [f"// Made by tools/gen_builtins.py: module {name}.", '#include "lib/types.h"']
        out += [f'#include "{use}"' for use in self.sources[name].uses]
        bodies = [self.body(one) for one in members]
        called = {match for lines in bodies for line in lines for match in CALL.findall(line)}
        for use in self.sources[name].uses:
            with open(os.path.join(self.root, use), encoding="utf-8") as file:
                called |= set(CALL.findall(file.read()))
        out += ["", "// Private names: of this module, and of others that it calls."]
        needed = {one.symbol: one for one in members}
        for callee in sorted(called):
            for one in self.by_name.get(callee, ()):
                needed.setdefault(one.symbol, one)
        for one in needed.values():
            out.append(f'{one.attribute()}TF_BODY {one.ret} tf_{one.c_name()}({one.params(True)}) '
                       f'__asm__("{one.symbol}");')
        assert own <= set(needed)
        for one, lines in zip(members, bodies):
            out += ["", f"TF_BODY {one.ret} tf_{one.c_name()}({one.params(True)})",
                    "{", *lines, "}"]
            if one.func.kind != "private":
                out += one.public()
        return "\n".join(out) + "\n"

    def families(self):
        """{(name, ret, args): (module, ulp, [widths])} of all public functions: one family is
        what differs only in the widths of its vectors; widths[0] is that of the result. Where
        a name has the width in it, '@' stands there."""
        result = {}
        for name, members in self.modules.items():
            for one in members:
                if one.func.kind == "private" or one.image():
                    continue  # images have tests of their own
                ret, *args = [element_and_space(type_) for type_ in
                              [one.ret, *(type_ for _, type_ in one.args)]]
                template = Expander(one.func, {**one.env, "type": "$type"})
                template.values.update(type=split_type(one.env["type"])[0] + "@", vecdim="@")
                key = (template.text(one.func.name, one.func.place), ret[0],
                       tuple(arg[:2] for arg in args))
                family = result.setdefault(key, (self.sources[name].name,
                                                 one.func.attrs.get("ulp", "exact"), []))
                family[2].append([ret[2], *(arg[2] for arg in args)])
        return result

    def tests_text(self):
        """All families as a table in C, for tests/builtins/support/table.h."""
        out = ["// Made by tools/gen_builtins.py from src/builtins/builtins.def.",
               '#include "builtins/support/table.h"', "", "const struct family families[] = {"]
        for (name, ret, args), (module, ulp, variants) in self.families().items():
            places = ", ".join(f'{{"{element}", "{space}"}}' for element, space in args)
            widths = ", ".join("{" + ", ".join(map(str, variant)) + "}" for variant in variants)
            out.append(f'    {{"{name}", "{module}", "{ulp}", "{ret}", {len(args)},\n'
                       f'     {{{places or "{0}"}}}, {len(variants)}, {{{widths}}}}},')
        return "\n".join([*out, "    {0},", "};", ""])

    def doc_text(self, measured):
        """The table of functions for doc/builtins.md."""
        out = [DOC_HEAD]
        done = set()
        for name, members in self.modules.items():
            module = self.sources[name]
            if module.name in done:
                continue
            done.add(module.name)
            out += [f"## {module.name.replace('_', ' ')}", ""]
            out += [module.doc, ""] if module.doc else []
            out += ["| Function | Element types | ulp |", "|---|---|---|"]
            rows = {}
            for func in module.funcs:
                for one in instances(func) if func.kind != "private" else ():
                    shown = one.name if func.name == "$function" else func.name
                    key = (shown, func.attrs.get("ulp", ""))
                    scalar = split_type(one.env["type"])[0]
                    rows.setdefault(key, dict()).setdefault(scalar)
            for (function, ulp), types in rows.items():
                listed = ", ".join(t for t in types if t != "void") or "–"
                out.append(f"| `{function.replace('$vecdim', 'n')}` | {listed} | {ulp or 'exact'} |")
            out.append("")
        return "\n".join(out + accuracy_table(self.families(), measured))


def read_accuracy(path):
    """[(function, type, largest error in ulp, where, how)] of the file the tests write."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and line[0] != "#"]
    rows = [tuple(line.split("\t")) for line in lines]
    for row in rows:
        if len(row) != 5:
            raise DefError((path, 1), f"expected five columns, not {row}")
    return rows


def accuracy_table(families, measured):
    """The Markdown lines of the errors measured; rows of what exists no more are left out."""
    allowed = {(name, args[0][0] if args else ret): ulp
               for (name, ret, args), (_, ulp, _) in families.items()}
    out = [DOC_ACCURACY]
    for function, type_, error, where, how in sorted(measured):
        if (function, type_) in allowed:
            out.append(f"| `{function}` | {type_} | {allowed[function, type_]} | {error} | "
                       f"{f'`{where}`' if where else '–'} | {how} |")
    return [*out, ""]


def write_if_changed(path, text):
    """Keeps the time of a file whose text stays, so that only changed modules compile."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return False
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("definition")
    options.add_argument("--list", action="store_true")
    options.add_argument("--inputs", action="store_true")
    options.add_argument("--out")
    options.add_argument("--tests")
    options.add_argument("--doc")
    options.add_argument("--check", action="store_true")
    args = options.parse_args()
    root = os.path.dirname(os.path.abspath(args.definition))
    parser = Parser()
    parser.read(os.path.join(root, os.path.basename(args.definition)))
    library = Library(parser, root)
    if args.list:
        print("\n".join(library.modules))
    if args.inputs:
        print("\n".join(parser.inputs))
    if args.out:
        os.makedirs(args.out, exist_ok=True)
        for name in library.modules:
            write_if_changed(os.path.join(args.out, name + ".cl"), library.module_text(name))
    if args.tests:
        write_if_changed(args.tests, library.tests_text())
    if args.doc:
        text = library.doc_text(read_accuracy(ACCURACY))
        if args.check:
            with open(args.doc, encoding="utf-8") as file:
                if file.read() != text:
                    sys.exit(f"{args.doc} is not what {args.definition} says: make it again "
                             f"with tools/gen_builtins.py {args.definition} --doc {args.doc}")
        else:
            write_if_changed(args.doc, text)


if __name__ == "__main__":
    try:
        main()
    except DefError as error:
        sys.exit(str(error))
