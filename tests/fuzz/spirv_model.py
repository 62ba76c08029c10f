# SPDX-License-Identifier: MIT
"""What gen_spirv.py knows of SPIR-V: types, what operations give, and programs that it can run.

Integers are numbers from 0 on, whatever their sign is taken for; vectors, arrays and structures
are tuples. A program is a list of steps, whose run() changes a dict from ids to values.

@src SPIR-V 1.6, 3.52 "Instructions"; OpenCL Extended Instruction Set, 2.2 "Integer instructions"."""
import dataclasses
import typing

WIDTHS = (8, 16, 32, 64)
COUNTS = (2, 3, 4, 8, 16)  # components of vectors


# ---- types

@dataclasses.dataclass(frozen=True)
class Void:
    pass


@dataclasses.dataclass(frozen=True)
class Bool:
    pass


@dataclasses.dataclass(frozen=True)
class Int:
    bits: int


@dataclasses.dataclass(frozen=True)
class Float:
    bits: int


@dataclasses.dataclass(frozen=True)
class Vector:
    element: typing.Any
    count: int


@dataclasses.dataclass(frozen=True)
class Array:
    element: typing.Any
    count: int


@dataclasses.dataclass(frozen=True)
class Struct:
    parts: tuple


@dataclasses.dataclass(frozen=True)
class Pointer:
    storage_class: str
    to: typing.Any


@dataclasses.dataclass(frozen=True)
class FunctionType:
    result: typing.Any
    parameters: tuple


def members(type_):
    """The types of what a composite consists of; of others, nothing."""
    if isinstance(type_, Struct):
        return type_.parts
    return (type_.element,) * type_.count if isinstance(type_, (Vector, Array)) else ()


def component(type_):
    return type_.element if isinstance(type_, Vector) else type_


def like(type_, scalar):
    """`scalar`, or a vector of as many of it as `type_` has components."""
    return Vector(scalar, type_.count) if isinstance(type_, Vector) else scalar


def zero(type_):
    if members(type_):
        return tuple(zero(member) for member in members(type_))
    return False if isinstance(type_, Bool) else 0


def splat(type_, value):
    """A value of `type_` whose components are all `value`."""
    return (value,) * type_.count if isinstance(type_, Vector) else value


# ---- numbers

def mask(bits):
    return (1 << bits) - 1


def signed(value, bits):
    value &= mask(bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value, low, high):
    return max(low, min(high, value))


def quotient(a, b):
    """Rounded to zero."""
    positive = abs(a) // abs(b)
    return positive if (a < 0) == (b < 0) else -positive


def by_components(function):
    """`function` of scalars for vectors, too."""
    def whole(*values):
        if any(isinstance(value, tuple) for value in values):
            return tuple(function(*parts) for parts in zip(*values))
        return function(*values)
    return whole


# ---- operations by their names (without "Op"), for integers of a width

def arithmetic(bits):
    m = mask(bits)
    return {"IAdd": lambda a, b: a + b & m, "ISub": lambda a, b: a - b & m, "IMul": lambda a, b: a * b & m,
            "BitwiseAnd": lambda a, b: a & b, "BitwiseOr": lambda a, b: a | b, "BitwiseXor": lambda a, b: a ^ b}


def divisions(bits):
    """Of divisors that are, taken as signed, positive."""
    m = mask(bits)

    def s(value):
        return signed(value, bits)
    return {"UDiv": lambda a, b: a // b, "UMod": lambda a, b: a % b, "SDiv": lambda a, b: quotient(s(a), s(b)) & m,
            "SRem": lambda a, b: s(a) - quotient(s(a), s(b)) * s(b) & m, "SMod": lambda a, b: s(a) % s(b) & m}


def shifts(bits):
    m = mask(bits)
    return {"ShiftRightLogical": lambda a, b: a >> b, "ShiftRightArithmetic": lambda a, b: signed(a, bits) >> b & m,
            "ShiftLeftLogical": lambda a, b: a << b & m}


def comparisons(bits):
    def s(value):
        return signed(value, bits)
    return {"IEqual": lambda a, b: a == b, "INotEqual": lambda a, b: a != b,
            "UGreaterThan": lambda a, b: a > b, "SGreaterThan": lambda a, b: s(a) > s(b),
            "UGreaterThanEqual": lambda a, b: a >= b, "SGreaterThanEqual": lambda a, b: s(a) >= s(b),
            "ULessThan": lambda a, b: a < b, "SLessThan": lambda a, b: s(a) < s(b),
            "ULessThanEqual": lambda a, b: a <= b, "SLessThanEqual": lambda a, b: s(a) <= s(b)}


def of_one(bits):
    m = mask(bits)
    return {"Not": lambda a: ~a & m, "SNegate": lambda a: -a & m, "BitCount": lambda a: bin(a).count("1"),
            "BitReverse": lambda a: int(format(a, f"0{bits}b")[::-1], 2)}


def conversions(bits, to_bits):
    m = mask(to_bits)
    return {"UConvert": lambda a: a & m, "SConvert": lambda a: signed(a, bits) & m,
            "SatConvertSToU": lambda a: clamp(signed(a, bits), 0, m), "SatConvertUToS": lambda a: min(a, m >> 1)}


LOGICAL = {"LogicalAnd": lambda a, b: a and b, "LogicalOr": lambda a, b: a or b,
           "LogicalEqual": lambda a, b: a == b, "LogicalNotEqual": lambda a, b: a != b}


def extended(bits):
    """Operations with two results."""
    m = mask(bits)

    def s(value):
        return signed(value, bits)
    return {"IAddCarry": lambda a, b: (a + b & m, a + b >> bits), "ISubBorrow": lambda a, b: (a - b & m, int(a < b)),
            "UMulExtended": lambda a, b: (a * b & m, a * b >> bits),
            "SMulExtended": lambda a, b: (s(a) * s(b) & m, s(a) * s(b) >> bits & m)}


def bit_fields(bits, offset, count):
    """(of how many values, function) by name."""
    m, field = mask(bits), mask(count)
    return {"BitFieldInsert": (2, lambda a, b: a & ~(field << offset) & m | (b & field) << offset),
            "BitFieldUExtract": (1, lambda a: a >> offset & field),
            "BitFieldSExtract": (1, lambda a: (signed(a >> offset, count) if count else 0) & m)}


def standard(bits):
    """OpenCL.std: (of how many values, function) by name."""
    m, low, high = mask(bits), -1 << bits - 1, mask(bits - 1)

    def s(value):
        return signed(value, bits)

    def fit(value):
        return clamp(value, low, high) & m
    one = {"clz": lambda a: bits - a.bit_length(), "ctz": lambda a: (a & -a).bit_length() - 1 if a else bits,
           "popcount": lambda a: bin(a).count("1"), "s_abs": lambda a: abs(s(a)) & m, "u_abs": lambda a: a}
    two = {"s_max": lambda a, b: max(s(a), s(b)) & m, "u_max": max, "s_min": lambda a, b: min(s(a), s(b)) & m, "u_min": min,
           "s_add_sat": lambda a, b: fit(s(a) + s(b)), "u_add_sat": lambda a, b: min(a + b, m),
           "s_sub_sat": lambda a, b: fit(s(a) - s(b)), "u_sub_sat": lambda a, b: max(a - b, 0),
           "s_mul_hi": lambda a, b: s(a) * s(b) >> bits & m, "u_mul_hi": lambda a, b: a * b >> bits,
           "s_hadd": lambda a, b: s(a) + s(b) >> 1 & m, "u_hadd": lambda a, b: a + b >> 1,
           "s_rhadd": lambda a, b: s(a) + s(b) + 1 >> 1 & m, "u_rhadd": lambda a, b: a + b + 1 >> 1,
           "s_abs_diff": lambda a, b: abs(s(a) - s(b)) & m, "u_abs_diff": lambda a, b: abs(a - b),
           "rotate": lambda a, b: (a << b % bits | a >> bits - b % bits) & m}
    three = {"s_mad_sat": lambda a, b, c: fit(s(a) * s(b) + s(c)), "u_mad_sat": lambda a, b, c: min(a * b + c, m),
             "s_mad_hi": lambda a, b, c: (s(a) * s(b) >> bits) + s(c) & m, "u_mad_hi": lambda a, b, c: (a * b >> bits) + c & m,
             "bitselect": lambda a, b, c: a & ~c & m | b & c}
    return {name: (count, function) for count, table in enumerate((one, two, three), 1)
            for name, function in table.items()}


def bitcast(value, from_type, to_type):
    """The first component has the lowest bits."""
    from_bits, to_bits = component(from_type).bits, component(to_type).bits
    parts = value if isinstance(value, tuple) else (value,)
    whole = sum(part << from_bits * i for i, part in enumerate(parts))
    if not isinstance(to_type, Vector):
        return whole
    return tuple(whole >> to_bits * i & mask(to_bits) for i in range(to_type.count))


def extract(value, path):
    for index in path:
        value = value[index]
    return value


def insert(part, value, path):
    if not path:
        return part
    index, *rest = path
    return value[:index] + (insert(part, value[index], rest),) + value[index + 1:]


# ---- steps of a program

@dataclasses.dataclass
class Set:
    """What `function` gives of `operands` is in `result`, an id or a variable's memory."""
    result: str
    function: typing.Callable
    operands: list

    def run(self, values):
        values[self.result] = self.function(*[values[operand] for operand in self.operands])


@dataclasses.dataclass
class Arm:
    """One way to the place where flow meets again, from the block `label`; what phis have from it."""
    label: str
    steps: list
    incoming: list


@dataclasses.dataclass
class Branch:
    """`choose` of the value of `selector` says which of `arms` runs."""
    selector: str
    choose: typing.Callable
    arms: list
    phis: list

    def run(self, values):
        arm = self.arms[self.choose(values[self.selector])]
        run(arm.steps, values)
        values.update(dict(zip(self.phis, [values[one] for one in arm.incoming])))


@dataclasses.dataclass
class Loop:
    """`body` for counters below the value of `limit`; phis are `first`, then what the body's end has."""
    counter: str
    limit: str
    phis: list
    first: list
    body: Arm

    def run(self, values):
        incoming = [values[one] for one in self.first]
        for values[self.counter] in range(values[self.limit] + 1):
            values.update(dict(zip(self.phis, incoming)))
            if values[self.counter] < values[self.limit]:
                run(self.body.steps, values)
                incoming = [values[one] for one in self.body.incoming]


def run(steps, values):
    for step in steps:
        step.run(values)
