#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random modules of SPIR-V as text, with what they must give.

    gen_spirv.py SEED > FILE.spvasm

writes one module with directives for trefoil-run --modules; spirv_model.py knows the results.
Integers of all widths, vectors of them, nested arrays and structures are computed, kept in variables,
given to functions and chosen by phis behind branches, switches and loops; specialization constants
are made of each other. Work-item g reads four words of `in` and writes out[g], a sum over the last values.
In half of the modules constants have names, in any order: spirv-as gives them ids in that order, so that
an id is often the number of an operation or an index, too."""
import collections
import random
import sys

import spirv_model as spirv
from kernel_writer import Choices
from spirv_model import Array, Bool, Float, FunctionType, Int, Pointer, Struct, Vector, Void, by_components, component, like, mask
from spirv_module import UINT, ULONG, Module

ITEMS, WORDS = 16, 4
SUMMED = 40  # values that go into a result


def same(value):
    return value


class Function(Choices):
    """The body of a function: its text, and its steps for the model. `pool` has the values that stand in
    blocks above, which dominate the current one, `label`."""
    def __init__(self, module, label, pool):
        super().__init__(module.random)
        self.module, self.label, self.pool = module, label, pool
        self.lines, self.variables = [], []
        self.starts, self.steps = [], []

    def body(self):
        return self.variables + self.lines

    def run(self, arguments):
        """The values behind a run; `arguments` are values by ids."""
        values = collections.ChainMap(arguments, self.module.values)
        spirv.run(self.starts + self.steps, values)
        return values

    # ---- values

    def line(self, type_, text, stem="x"):
        """An instruction with a result, whose text is its opcode and what stands behind its type."""
        result = self.module.new(stem)
        opcode, _, rest = text.partition(" ")
        self.lines.append(f"{result} = {opcode} {self.module.type(type_)} {rest}")
        return result

    def know(self, result, type_, function, operands, keep=True):
        """What the model has to do for `result`; if `keep`, others may use it."""
        self.steps.append(spirv.Set(result, function, operands))
        if keep:
            self.pool.append((result, type_))
        return result

    def emit(self, type_, opcode, operands, function, after="", keep=True):
        return self.know(self.line(type_, f"{opcode} {' '.join(operands)}{after}"), type_, function, operands, keep)

    def value(self, type_):
        """The id of a value of a type: mostly a recent one, or one made for it."""
        known = [name for name, its_type in self.pool if its_type == type_]
        if known and self.chance(.85):
            return known[-1 - min(int(self.random.expovariate(.5)), len(known) - 1)]
        others = [(name, its_type) for name, its_type in self.pool if isinstance(its_type, Int) and its_type != type_]
        if spirv.members(type_) and self.chance(.7):
            return self.emit(type_, "OpCompositeConstruct", [self.value(member) for member in spirv.members(type_)],
                             lambda *parts: parts)
        if isinstance(type_, Int) and others and self.chance(.7):
            other, its_type = self.pick(*others)
            opcode = self.pick("UConvert", "SConvert")
            return self.emit(type_, f"Op{opcode}", [other], spirv.conversions(its_type.bits, type_.bits)[opcode])
        return self.module.constant(type_, self.module.any_value(type_))

    def masked(self, type_, bits):
        """A value with no other bits than these in its components."""
        return self.emit(type_, "OpBitwiseAnd", [self.value(type_), self.module.splat(type_, bits)],
                         by_components(lambda a, b: a & b), keep=False)

    def below(self, count):
        """A value of some integer type below `count`."""
        type_ = self.module.integer()
        return self.emit(type_, "OpUMod", [self.value(type_), self.module.constant(type_, count)], lambda a, b: a % b, keep=False)

    def apply(self, type_, named, count=2, result=None, prefix="Op"):
        """One of a table's operations on `count` values of a type."""
        name, function = named
        operands = [self.value(type_) for _ in range(count)]
        return self.emit(result or type_, prefix + name, operands, by_components(function))

    # ---- operations

    def arithmetic(self):
        type_ = self.module.number()
        self.apply(type_, self.pick(*spirv.arithmetic(component(type_).bits).items()))

    def division(self):
        type_ = self.module.number()
        bits = component(type_).bits
        name, function = self.pick(*spirv.divisions(bits).items())
        positive = self.emit(type_, "OpBitwiseOr", [self.masked(type_, mask(bits - 1)), self.module.splat(type_, 1)],
                             by_components(lambda a, b: a | b), keep=False)
        self.emit(type_, f"Op{name}", [self.value(type_), positive], by_components(function))

    def shift(self):
        """The distance may be of another type."""
        type_ = self.module.number()
        bits = component(type_).bits
        name, function = self.pick(*spirv.shifts(bits).items())
        distance = self.masked(like(type_, self.module.integer()), bits - 1)
        self.emit(type_, f"Op{name}", [self.value(type_), distance], by_components(function))

    def of_one(self):
        type_ = self.module.number()
        self.apply(type_, self.pick(*spirv.of_one(component(type_).bits).items()), 1)

    def comparison(self):
        type_ = self.module.number()
        self.apply(type_, self.pick(*spirv.comparisons(component(type_).bits).items()), result=like(type_, Bool()))

    def standard(self):
        type_ = self.module.number()
        name, (count, function) = self.pick(*spirv.standard(component(type_).bits).items())
        self.apply(type_, (name, function), count, prefix="OpExtInst %std ")

    def select(self):
        type_ = self.module.any_type()
        each = isinstance(type_, Vector) and self.chance(.5)
        condition = self.value(like(type_, Bool()) if each else Bool())
        function = by_components(lambda c, a, b: a if c else b) if each else lambda c, a, b: a if c else b
        self.emit(type_, "OpSelect", [condition, self.value(type_), self.value(type_)], function)

    def conversion(self):
        type_ = self.module.number()
        bits = component(type_).bits
        to = Int(self.pick(*[width for width in spirv.WIDTHS if width != bits]))
        self.apply(type_, self.pick(*spirv.conversions(bits, to.bits).items()), 1, like(type_, to))

    def through_float(self):
        """To a floating-point number that has all of the value, and back."""
        type_ = like(self.module.number(), Int(self.pick(8, 16, 32)))
        sign = self.pick("S", "U")
        source = self.value(type_)
        exact = Float(self.pick(32, 64) if component(type_).bits < 32 else 64)
        real = self.line(like(type_, exact), f"OpConvert{sign}ToF {source}")
        self.know(self.line(type_, f"OpConvertFTo{sign} {real}"), type_, same, [source])

    def bitcast(self):
        def size(type_):
            return component(type_).bits * (type_.count if isinstance(type_, Vector) else 1)
        type_ = self.module.number()
        scalars = [Int(bits) for bits in spirv.WIDTHS]
        all_types = scalars + [Vector(scalar, count) for scalar in scalars for count in spirv.COUNTS]
        others = [other for other in all_types if other != type_ and size(other) == size(type_)]
        if others:
            to = self.pick(*others)
            self.emit(to, "OpBitcast", [self.value(type_)], lambda value: spirv.bitcast(value, type_, to))

    def shuffle(self):
        element = self.pick(Bool(), *[self.module.integer()] * 4)
        one, two, result = [self.module.vector(element) for _ in range(3)]
        chosen = [self.random.randrange(one.count + two.count) for _ in range(result.count)]
        self.emit(result, "OpVectorShuffle", [self.value(one), self.value(two)],
                  lambda a, b: tuple((a + b)[index] for index in chosen), "".join(f" {index}" for index in chosen))

    def part_of_composite(self):
        """Takes a part at some depth out of a value, or puts another in its place."""
        composites = [(name, type_) for name, type_ in self.pool if spirv.members(type_)]
        if not composites:
            return
        whole, type_ = self.pick(*composites)
        part, path = type_, []
        while spirv.members(part) and (not path or self.chance(.6)):
            path.append(self.random.randrange(len(spirv.members(part))))
            part = spirv.members(part)[path[-1]]
        indices = "".join(f" {index}" for index in path)
        if self.chance(.5):
            self.emit(part, "OpCompositeExtract", [whole], lambda value: spirv.extract(value, path), indices)
        else:
            self.emit(type_, "OpCompositeInsert", [self.value(part), whole], lambda new, value: spirv.insert(new, value, path), indices)

    def dynamic_component(self):
        type_ = self.module.vector(self.pick(Bool(), *[self.module.integer()] * 4))
        index, vector = self.below(type_.count), self.value(type_)
        if self.chance(.5):
            self.emit(type_.element, "OpVectorExtractDynamic", [vector, index], lambda value, at: value[at])
        else:
            self.emit(type_, "OpVectorInsertDynamic", [vector, self.value(type_.element), index],
                      lambda value, new, at: spirv.insert(new, value, [at]))

    def extended(self):
        type_ = self.module.number()
        name, function = self.pick(*spirv.extended(component(type_).bits).items())

        def whole(a, b):
            return tuple(zip(*map(function, a, b))) if isinstance(type_, Vector) else function(a, b)
        self.emit(Struct((type_, type_)), f"Op{name}", [self.value(type_), self.value(type_)], whole)

    def logical(self):
        type_ = self.module.boolean()
        made = self.apply(type_, self.pick(("LogicalNot", lambda a: not a)), 1) if self.chance(.25) else \
            self.apply(type_, self.pick(*spirv.LOGICAL.items()))
        if isinstance(type_, Vector):
            self.emit(Bool(), *self.pick(("OpAny", [made], any), ("OpAll", [made], all)))

    def bit_field(self):
        type_ = self.module.integer()
        offset = self.random.randrange(type_.bits)
        count = self.random.randint(0, type_.bits - offset)
        name, (values, function) = self.pick(*spirv.bit_fields(type_.bits, offset, count).items())
        place = self.pick(UINT, UINT, Int(8))
        self.emit(type_, f"Op{name}", [self.value(type_) for _ in range(values)], function,
                  f" {self.module.constant(place, offset)} {self.module.constant(place, count)}")

    def copy(self):
        type_ = self.module.any_type()
        self.emit(type_, "OpCopyObject", [self.value(type_)], same)

    def call(self):
        if self.module.functions:
            name, type_, function = self.pick(*self.module.functions)
            operands = [self.value(parameter) for parameter in type_.parameters]
            made = self.line(type_.result, " ".join(["OpFunctionCall", name, *operands]))
            self.know(made, type_.result, function, operands)

    # ---- memory: the model keeps what a variable holds as if it were a value of its name

    def variable(self, type_):
        """A new one. Half of those that have a value from the beginning are read before they are written."""
        pointer = self.module.type(Pointer("Function", type_))
        made, start = self.module.new("v"), ""
        if self.chance(.3):
            value = self.module.any_value(type_)
            start = " " + self.module.constant(type_, value)
            self.starts.append(spirv.Set(made, lambda: value, []))
        self.variables.append(f"{made} = OpVariable {pointer} Function{start}")
        if start and self.chance(.5):
            self.load(made, type_)
        return made

    def load(self, variable, type_):
        self.emit(type_, "OpLoad", [variable], same, self.pick("", " Volatile"))

    def store(self, variable, type_):
        value = self.value(type_)
        self.lines.append(f"OpStore {variable} {value}{self.pick('', ' Volatile')}")
        self.steps.append(spirv.Set(variable, same, [value]))

    def store_part(self, variable, pointer, type_, function, more):
        """Changes the part that `pointer` points to; `function` tells what then is in the variable."""
        value = self.value(type_)
        self.lines.append(f"OpStore {pointer} {value}")
        self.steps.append(spirv.Set(variable, function, [value, variable, *more]))

    def element(self, variable, type_):
        """Reads or writes what lies at an index in an array or a vector of integers."""
        index = self.below(type_.count)
        chain = self.pick("OpAccessChain ", "OpInBoundsAccessChain ", "OpPtrAccessChain ")
        first = self.module.constant(UINT, 0) + " " if chain == "OpPtrAccessChain " else ""
        pointer = self.line(Pointer("Function", type_.element), f"{chain}{variable} {first}{index}")
        if self.chance(.5):
            self.store_part(variable, pointer, type_.element, lambda new, value, at: spirv.insert(new, value, [at]), [index])
        else:
            self.know(self.line(type_.element, f"OpLoad {pointer}"), type_.element, lambda value, at: value[at], [variable, index])

    def memory(self):
        type_ = self.module.any_type()
        variable = self.variable(type_)
        self.store(variable, type_)
        if self.chance(.4):
            source, variable = variable, self.variable(type_)
            self.lines.append(f"OpCopyMemory {variable} {source}")
            self.steps.append(spirv.Set(variable, same, [source]))
        if isinstance(type_, Array) or isinstance(type_, Vector) and type_.element != Bool():
            for _ in range(self.pick(0, 1, 2)):
                self.element(variable, type_)
        self.load(variable, type_)

    def member(self):
        """Writes a member of a structure in memory."""
        type_ = self.module.structure(2, 1)
        variable = self.variable(type_)
        self.store(variable, type_)
        number = self.random.randrange(len(type_.parts))
        part = type_.parts[number]
        pointer = self.line(Pointer("Function", part), f"OpInBoundsAccessChain {variable} {self.module.constant(UINT, number)}")
        self.store_part(variable, pointer, part, lambda new, value: spirv.insert(new, value, [number]), [])
        self.load(variable, type_)

    # ---- specialization constants

    def special(self):
        """Several, of which most are made of others."""
        for _ in range(self.random.randint(2, 5)):
            type_ = self.module.integer()
            a, b = self.module.spec_constant(type_), self.module.spec_constant(type_)
            self.pool += self.pick(self.special_scalar, self.special_scalar, self.special_choice, self.special_conversion,
                                   self.special_vectors)(type_, a, b)

    def special_scalar(self, type_, a, b):
        shift = self.module.constant(type_, self.random.randrange(type_.bits))
        positive = self.module.constant(type_, self.module.literal(type_.bits) & mask(type_.bits - 1) | 1)
        table, operands = self.pick((spirv.arithmetic, [a, b]), (spirv.arithmetic, [a, b]), (spirv.shifts, [a, shift]),
                                    (spirv.divisions, [a, positive]))
        name, function = self.pick(*table(type_.bits).items())
        return [(self.module.spec_operation(type_, name, operands, function), type_)]

    def special_choice(self, type_, a, b):
        name, function = self.pick(*spirv.comparisons(type_.bits).items())
        condition = self.module.spec_operation(Bool(), name, [a, b], function)
        return [(condition, Bool()),
                (self.module.spec_operation(type_, "Select", [condition, a, b], lambda c, x, y: x if c else y), type_)]

    def special_conversion(self, type_, a, _b):
        to = Int(self.pick(*[width for width in spirv.WIDTHS if width != type_.bits]))
        name = self.pick("UConvert", "SConvert")
        return [(self.module.spec_operation(to, name, [a], spirv.conversions(type_.bits, to.bits)[name]), to)]

    def special_vectors(self, type_, a, b):
        three, four = Vector(type_, 3), Vector(type_, 4)
        made = self.module.spec_composite(three, [a, b, a])
        order = [self.random.randrange(6) for _ in range(4)]
        shuffled = self.module.spec_operation(four, "VectorShuffle", [made, made], lambda x, y: tuple((x + y)[i] for i in order),
                                              "".join(f" {i}" for i in order))
        at = self.random.randrange(4)
        changed = self.module.spec_operation(four, "CompositeInsert", [a, shuffled], lambda x, y: spirv.insert(x, y, [at]), f" {at}")
        part = self.module.spec_operation(type_, "CompositeExtract", [changed], lambda x: x[3 - at], f" {3 - at}")
        return [(made, three), (shuffled, four), (changed, four), (part, type_)]

    # ---- flow

    def block(self, count, depth):
        for _ in range(count):
            if depth < 3 and self.chance(.12):
                self.pick(self.selection, self.switch, self.loop)(depth + 1)
            else:
                self.weighted(*[(weight, getattr(self, name)) for name, weight in OPERATIONS.items()])

    def begin(self, label):
        self.lines.append(f"{label} = OpLabel")
        self.label = label

    def arm(self, label, types, depth, more=()):
        """Blocks from `label` on, without the branch at their end, whose values others see by phis of
        these types; `more` is known in them."""
        pool, steps = self.pool, self.steps
        self.pool, self.steps = pool + list(more), []
        self.begin(label)
        self.block(self.random.randint(2, 6), depth)
        made = spirv.Arm(self.label, self.steps, [self.value(type_) for type_ in types])
        self.pool, self.steps = pool, steps
        return made

    def arms(self, labels, types, depth, end):
        for label in labels:
            yield self.arm(label, types, depth)
            self.lines.append(f"OpBranch {end}")

    def join(self, end, types, arms, selector, choose):
        self.begin(end)
        phis = [self.line(type_, "OpPhi " + " ".join(f"{arm.incoming[i]} {arm.label}" for arm in arms), "phi")
                for i, type_ in enumerate(types)]
        self.steps.append(spirv.Branch(selector, choose, arms, phis))
        self.pool += zip(phis, types)

    def types_of_phis(self):
        return [self.module.any_type() for _ in range(self.random.randint(1, 3))]

    def merge(self, end):
        """Kernels need not say where flow meets again."""
        if self.chance(.5):
            self.lines.append(f"OpSelectionMerge {end} None")

    def selection(self, depth):
        types, condition = self.types_of_phis(), self.value(Bool())
        first, second, end = [self.module.new("L") for _ in range(3)]
        self.merge(end)
        self.lines.append(f"OpBranchConditional {condition} {first} {second}")
        self.join(end, types, list(self.arms([first, second], types, depth, end)), condition, lambda value: 0 if value else 1)

    def literals(self, bits):
        """Different ones of a switch."""
        count = self.random.randint(1, 5)
        return self.random.sample(range(8), count) if self.chance(.7) else list({self.module.literal(bits) for _ in range(count)})

    def switch(self, depth):
        """Two literals may share a block, and the default may be where flow meets again."""
        types, type_, end = self.types_of_phis(), self.module.integer(), self.module.new("L")
        selector = self.masked(type_, 7) if self.chance(.7) else self.value(type_)
        targets = {literal: self.module.new("L") for literal in self.literals(type_.bits)}
        if self.chance(.4):
            targets[self.pick(*targets)] = self.pick(*targets.values())
        labels = list(dict.fromkeys(targets.values()))
        default = self.pick(end, self.module.new("L"), self.module.new("L"))
        arms = []
        if default == end:
            incoming = [self.value(type_of_phi) for type_of_phi in types]
            arms = [spirv.Arm(self.label, [], incoming)]
        self.merge(end)
        self.lines.append(" ".join([f"OpSwitch {selector} {default}", *[f"{literal} {label}" for literal, label in targets.items()]]))
        order = [default, *labels]
        arms += self.arms(labels if default == end else order, types, depth, end)
        self.join(end, types, arms, selector, lambda value: order.index(targets.get(value, default)))

    def loop(self, depth):
        """Up to three rounds, with a counter of any width."""
        types, type_ = self.types_of_phis(), self.module.integer()
        limit, first = self.masked(type_, 3), [self.value(carried) for carried in types]
        header, inside, end = [self.module.new("L") for _ in range(3)]
        counter, condition, following = [self.module.new(stem) for stem in ("i", "b", "i")]
        phis = [self.module.new("phi") for _ in types]
        before = self.label
        self.lines += [f"OpBranch {header}", f"{header} = OpLabel"]
        place = len(self.lines)  # of the phis, whose values of later rounds are not known yet
        self.lines += [f"{condition} = OpULessThan {self.module.type(Bool())} {counter} {limit}",
                       f"OpBranchConditional {condition} {inside} {end}"]
        known = [*zip(phis, types), (counter, type_)]
        body = self.arm(inside, types, depth, known)
        self.lines += [f"{following} = OpIAdd {self.module.type(type_)} {counter} {self.module.constant(type_, 1)}", f"OpBranch {header}"]
        zero = self.module.constant(type_, 0)
        self.lines[place:place] = [
            f"{phi} = OpPhi {self.module.type(its_type)} {start} {before} {later} {body.label}"
            for phi, its_type, start, later in zip([counter, *phis], [type_, *types], [zero, *first], [following, *body.incoming])]
        self.begin(end)
        self.steps.append(spirv.Loop(counter, limit, phis, first, body))
        self.pool += known


# Methods of Function, and how often.
OPERATIONS = {"arithmetic": 6, "division": 1, "shift": 1, "of_one": 1, "comparison": 2, "standard": 3, "select": 1,
              "conversion": 1, "through_float": 1, "bitcast": 1, "shuffle": 1, "part_of_composite": 2,
              "dynamic_component": 1, "extended": 1, "logical": 1, "bit_field": 1, "copy": 1, "call": 1, "memory": 1,
              "member": 1, "special": 2}


def add_function(module):
    """A function that the ones behind it may call."""
    type_ = FunctionType(module.any_type(), tuple(module.any_type() for _ in range(module.random.randint(1, 4))))
    name, label = module.new("function"), module.new("L")
    parameters = [module.new("p") for _ in type_.parameters]
    function = Function(module, label, list(zip(parameters, type_.parameters)))
    function.block(module.random.randint(4, 14), 1)
    result = function.value(type_.result)
    control = module.pick("None", "Inline", "DontInline", "Pure", "Const")
    module.definitions += [
        f"{name} = OpFunction {module.type(type_.result)} {control} {module.type(type_)}",
        *[f"{parameter} = OpFunctionParameter {module.type(its_type)}" for parameter, its_type in zip(parameters, type_.parameters)],
        f"{label} = OpLabel", *function.body(), f"OpReturnValue {result}", "OpFunctionEnd"]
    module.functions.append((name, type_, lambda *arguments: function.run(dict(zip(parameters, arguments)))[result]))


def leaves(function, name, type_):
    """The integers that a value consists of, as 64 bits each."""
    if isinstance(type_, Bool):
        one, zero = function.module.constant(ULONG, 1), function.module.constant(ULONG, 0)
        return [function.emit(ULONG, "OpSelect", [name, one, zero], lambda c, a, b: a if c else b, keep=False)]
    if isinstance(type_, Int):
        return [name if type_ == ULONG else function.emit(ULONG, "OpUConvert", [name], same, keep=False)]
    found = []
    for number, member in enumerate(spirv.members(type_)):
        part = function.emit(member, "OpCompositeExtract", [name], lambda value, at=number: value[at], f" {number}", keep=False)
        found += leaves(function, part, member)
    return found


def sum_up(function):
    """A number that each of the last values changes."""
    total, factor = function.module.constant(ULONG, 0), function.module.constant(ULONG, 31)
    operations = spirv.arithmetic(64)
    for name, type_ in function.pool[-SUMMED:]:
        for leaf in leaves(function, name, type_):
            product = function.emit(ULONG, "OpIMul", [total, factor], operations["IMul"], keep=False)
            total = function.emit(ULONG, "OpIAdd", [product, leaf], operations["IAdd"], keep=False)
    return total


def add_kernel(module):
    """Kernel k; a function from a work-item's id and words to what it writes."""
    to, source, index = Pointer("CrossWorkgroup", ULONG), Pointer("CrossWorkgroup", UINT), Vector(ULONG, 3)
    type_ = FunctionType(Void(), (to, source))
    module.declarations.append(f"%ids = OpVariable {module.type(Pointer('Input', index))} Input")
    words = [f"%in{number}" for number in range(WORDS)]
    kernel = Function(module, "%entry", [("%gid", ULONG), *[(word, UINT) for word in words]])
    u, size = module.type(ULONG), module.constant(ULONG, WORDS)
    kernel.lines += [f"%id3 = OpLoad {module.type(index)} %ids", f"%gid = OpCompositeExtract {u} %id3 0", f"%base = OpIMul {u} %gid {size}"]
    for number, word in enumerate(words):
        kernel.lines += [f"%at{number} = OpIAdd {u} %base {module.constant(ULONG, number)}",
                         f"%place{number} = OpInBoundsPtrAccessChain {module.type(source)} %in %at{number}",
                         f"{word} = OpLoad {module.type(UINT)} %place{number} Aligned 4"]
    kernel.block(module.random.randint(20, 60), 0)
    total = sum_up(kernel)
    kernel.lines += [f"%to = OpInBoundsPtrAccessChain {module.type(to)} %out %gid", f"OpStore %to {total} Aligned 8", "OpReturn",
                     "OpFunctionEnd"]
    module.definitions += [f"%k = OpFunction {module.type(Void())} None {module.type(type_)}", f"%out = OpFunctionParameter {module.type(to)}",
                           f"%in = OpFunctionParameter {module.type(source)}", "%entry = OpLabel", *kernel.body()]
    return lambda item, given: kernel.run({"%gid": item, **dict(zip(words, given))})[total]


def braced(numbers):
    return "{" + ", ".join(map(hex, numbers)) + "}"


def main():
    source = random.Random(int(sys.argv[1]))
    module = Module(source)
    for _ in range(source.randint(0, 3)):
        add_function(module)
    kernel = add_kernel(module)
    given = [[source.getrandbits(32) >> source.choice((0, 0, 8, 24)) for _ in range(WORDS)] for _ in range(ITEMS)]
    print(f"""; seed {sys.argv[1]}
; RUN: k global={ITEMS}
; ARG: out ulong[{ITEMS}] = 0
; ARG: in uint[{ITEMS * WORDS}] = {braced(word for words in given for word in words)}
; EXPECT: out = {braced(kernel(item, words) for item, words in enumerate(given))}
{module.text()}""")


if __name__ == "__main__":
    main()
