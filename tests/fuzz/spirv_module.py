# SPDX-License-Identifier: MIT
"""A random module of SPIR-V as text: its types and constants, which are made when they are asked for."""
import collections

import spirv_model as spirv
from kernel_writer import Choices
from spirv_model import Array, Bool, Float, FunctionType, Int, Pointer, Struct, Vector, Void, mask

UINT, ULONG = Int(32), Int(64)
LARGEST_OPCODE = 200  # of what makes specialization constants
CAPABILITIES = ("Addresses", "Kernel", "Linkage", "Int64", "Int16", "Int8", "Float64", "GenericPointer", "Vector16",
                "BitInstructions")


class Module(Choices):
    """Declarations, and `values`: what constants are. Ids are kept as text."""
    def __init__(self, source):
        super().__init__(source)
        self.types, self.constants, self.values = {}, {}, {}
        self.declarations, self.decorations, self.definitions = [], [], []
        self.special = collections.defaultdict(list)  # specialization constants by type
        self.functions = []  # (id, type, function of the model)

    def new(self, stem):
        return "%" + self.name(stem)

    def declare(self, stem, text):
        result = self.new(stem)
        self.declarations.append(f"{result} = {text}")
        return result

    # ---- random types and values

    def integer(self):
        return Int(self.pick(*spirv.WIDTHS))

    def vector(self, element):
        return Vector(element, self.pick(*spirv.COUNTS))

    def number(self):
        return self.pick(self.integer(), self.vector(self.integer()))

    def boolean(self):
        return self.pick(Bool(), self.vector(Bool()))

    def any_type(self, depth=0):
        if depth > 2:
            return self.number()
        return self.weighted(
            (60, self.number), (12, self.boolean),
            (14, lambda: Array(self.any_type(depth + 1), self.random.randint(1, 5))), (14, lambda: self.structure(1, depth + 1)))

    def structure(self, least, depth):
        return Struct(tuple(self.any_type(depth) for _ in range(self.random.randint(least, 4))))

    def literal(self, bits):
        few = self.random.getrandbits(min(bits, 6))
        return self.pick(0, 1, mask(bits), 1 << bits - 1, mask(bits - 1), self.random.getrandbits(bits), self.random.getrandbits(bits), few)

    def any_value(self, type_):
        if isinstance(type_, Bool):
            return self.chance(.5)
        if isinstance(type_, Int):
            return self.literal(type_.bits)
        return tuple(self.any_value(member) for member in spirv.members(type_))

    # ---- types

    def type(self, type_):
        """The id of a type."""
        if type_ not in self.types:
            text = self.type_text(type_)
            self.types[type_] = self.declare("t", text)
        return self.types[type_]

    def type_text(self, type_):
        if isinstance(type_, (Int, Float)):
            return f"OpTypeInt {type_.bits} 0" if isinstance(type_, Int) else f"OpTypeFloat {type_.bits}"
        if isinstance(type_, Vector):
            return f"OpTypeVector {self.type(type_.element)} {type_.count}"
        if isinstance(type_, Array):
            return f"OpTypeArray {self.type(type_.element)} {self.constant(self.pick(UINT, ULONG), type_.count)}"
        if isinstance(type_, Struct):
            return " ".join(["OpTypeStruct", *map(self.type, type_.parts)])
        if isinstance(type_, Pointer):
            return f"OpTypePointer {type_.storage_class} {self.type(type_.to)}"
        if isinstance(type_, FunctionType):
            return " ".join(["OpTypeFunction", self.type(type_.result), *map(self.type, type_.parameters)])
        return {Void(): "OpTypeVoid", Bool(): "OpTypeBool"}[type_]

    # ---- constants

    def constant(self, type_, value):
        """The id of a constant."""
        if (type_, value) not in self.constants:
            text = self.constant_text(type_, value)
            self.constants[type_, value] = made = self.declare("c", text)
            self.values[made] = value
        return self.constants[type_, value]

    def constant_text(self, type_, value):
        if isinstance(type_, Int):
            return f"OpConstant {self.type(type_)} {value}"
        if isinstance(type_, Bool):
            return f"OpConstant{value} {self.type(type_)}"
        if value == spirv.zero(type_) and self.chance(.7):
            return f"OpConstantNull {self.type(type_)}"
        return " ".join(["OpConstantComposite", self.type(type_), *map(self.constant, spirv.members(type_), value)])

    def splat(self, type_, value):
        return self.constant(type_, spirv.splat(type_, value))

    def specialize(self, type_, text, value):
        result = self.declare("s", text)
        self.values[result] = value
        self.special[type_].append(result)
        return result

    def spec_constant(self, type_):
        """The id of an integer specialization constant, new or not."""
        if self.special[type_] and self.chance(.8):
            return self.pick(*self.special[type_])
        value = self.literal(type_.bits)
        made = self.specialize(type_, f"OpSpecConstant {self.type(type_)} {value}", value)
        if self.chance(.5):
            self.decorations.append(f"OpDecorate {made} SpecId {self.names}")
        return made

    def spec_operation(self, type_, opcode, operands, function, after=""):
        value = function(*[self.values[operand] for operand in operands])
        return self.specialize(type_, f"OpSpecConstantOp {self.type(type_)} {opcode} {' '.join(operands)}{after}", value)

    def spec_composite(self, type_, parts):
        return self.specialize(type_, " ".join(["OpSpecConstantComposite", self.type(type_), *parts]),
                               tuple(self.values[part] for part in parts))

    # ---- the whole text

    def names_of_constants(self):
        """In half of the modules: of all specialization constants, and of others, up to the largest opcode of theirs."""
        if self.chance(.5):
            return []
        constants = [line.split()[0] for line in self.declarations if "Constant" in line]
        constants.sort(key=lambda name: not name.startswith("%s"))  # in front
        names = constants[:LARGEST_OPCODE]
        self.random.shuffle(names)
        return [f'OpName {name} "{name[1:]}"' for name in names]

    def text(self):
        return "\n".join([
            *[f"OpCapability {name}" for name in CAPABILITIES], 'OpExtension "SPV_KHR_bit_instructions"',
            '%std = OpExtInstImport "OpenCL.std"', "OpMemoryModel Physical64 OpenCL", 'OpEntryPoint Kernel %k "k" %ids',
            'OpName %out "out"', 'OpName %in "in"', *self.names_of_constants(),
            "OpDecorate %ids BuiltIn GlobalInvocationId", *self.decorations, *self.declarations, *self.definitions])
