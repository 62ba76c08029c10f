// SPDX-License-Identifier: MIT
#include "compiler/lower/globals.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "abi/program_data.h"
#include "base/alloc.h"
#include "compiler/front/build_log.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/spaces.h"

static const char offset_kind[] = "tf.offset";

struct place {
    LLVMValueRef variable;
    uint64_t offset_bytes, size_bytes, align_bytes;
    bool zero; // its initializer
};

struct layout {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef target;
    const struct tf_compiler_device *device;
    struct tf_str *log;
    struct place *places;
    size_t count;
    struct tf_program_data head;
    char *image;
    struct tf_program_pointer *pointers;
    enum tf_compiler_status status;
};

static bool fail(struct layout *l, enum tf_compiler_status status)
{
    if (l->status == TF_COMPILER_OK)
        l->status = status;
    return false;
}

static unsigned offset_metadata(LLVMValueRef variable)
{
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(variable)),
                                    offset_kind, strlen(offset_kind));
}

bool tf_global_offset(LLVMValueRef variable, uint64_t *offset_bytes)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(variable));
    const unsigned kind = offset_metadata(variable);
    bool found = false;
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(variable, &count);

    for (unsigned i = 0; i < count && !found; i++) {
        LLVMValueRef node, number;

        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind)
            continue;
        node =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) != 1)
            continue;
        LLVMGetMDNodeOperands(node, &number);
        found = number && LLVMIsAConstantInt(number);
        if (found)
            *offset_bytes = LLVMConstIntGetZExtValue(number);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

static void set_offset(const struct layout *l, const struct place *place)
{
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(l->context);
    LLVMMetadataRef number =
        LLVMValueAsMetadata(LLVMConstInt(i64, place->offset_bytes, false));

    LLVMGlobalSetMetadata(place->variable, offset_metadata(place->variable),
                          LLVMMDNodeInContext2(l->context, &number, 1));
}

// ---- What belongs to the block ----

static struct place *find_place(const struct layout *l, LLVMValueRef variable)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->places[i].variable == variable)
            return &l->places[i];
    return NULL;
}

static bool is_variable(LLVMValueRef global)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == TF_SPACE_GLOBAL;
}

static bool can_move(LLVMValueRef value)
{
    return LLVMIsAGlobalVariable(value) && LLVMGetInitializer(value) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(value)) != TF_SPACE_LOCAL;
}

// NULL is 0 in every address space, also as the cast that the front end makes of it.
static bool is_zero(LLVMValueRef constant)
{
    while (LLVMIsAConstantExpr(constant) && LLVMGetNumOperands(constant) == 1)
        constant = LLVMGetOperand(constant, 0);
    return LLVMIsNull(constant) || LLVMIsUndef(constant);
}

static void add_place(struct layout *l, LLVMValueRef variable)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    const uint32_t align = LLVMGetAlignment(variable);
    struct place *const place = &l->places[l->count++];

    *place = (struct place){.variable = variable,
                            .size_bytes = LLVMABISizeOfType(l->target, type),
                            .align_bytes = LLVMABIAlignmentOfType(l->target, type),
                            .zero = is_zero(LLVMGetInitializer(variable))};
    if (align > place->align_bytes)
        place->align_bytes = align;
}

// Whether the constant names a member of the block; adds the globals that it names if
// `add`.
static bool names_member(struct layout *l, LLVMValueRef constant, bool add)
{
    bool found = false;

    if (can_move(constant)) {
        found = find_place(l, constant) != NULL;
        if (!found && add)
            add_place(l, constant);
        return found;
    }
    if (LLVMIsAGlobalValue(constant) || !LLVMIsAConstant(constant))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++)
        found |= names_member(l, LLVMGetOperand(constant, (unsigned)i), add);
    return found;
}

// Variables, what they point to, and what points to them.
static bool collect(struct layout *l)
{
    size_t globals = 0, before;

    TF_FOR_EACH_GLOBAL(g, l->module)
    {
        globals++;
    }
    l->places = tf_zalloc(globals * sizeof *l->places);
    if (!l->places)
        return fail(l, TF_COMPILER_NO_MEMORY);
    TF_FOR_EACH_GLOBAL(g, l->module)
    {
        if (can_move(g) && is_variable(g))
            add_place(l, g);
    }
    do {
        before = l->count;
        for (size_t i = 0; i < l->count; i++)
            names_member(l, LLVMGetInitializer(l->places[i].variable), true);
        TF_FOR_EACH_GLOBAL(g, l->module)
        {
            if (l->count && can_move(g) && !find_place(l, g) &&
                names_member(l, LLVMGetInitializer(g), false))
                add_place(l, g);
        }
    } while (l->count > before);
    return true;
}

// ---- Places ----

static uint64_t align_up(uint64_t bytes, uint64_t align)
{
    return (bytes + align - 1) / align * align;
}

// What is zero comes last, and needs no image.
static bool assign_offsets(struct layout *l)
{
    struct tf_program_data *const head = &l->head;

    head->align_bytes = 64; // a line, at least
    for (int zeros = 0; zeros < 2; zeros++) {
        for (size_t i = 0; i < l->count; i++) {
            struct place *const place = &l->places[i];

            if (place->zero != (zeros == 1))
                continue;
            if (place->size_bytes > l->device->max_variable_bytes) {
                char name[128];

                tf_build_log_error(
                    l->log, NULL, "variable '%s' has %llu bytes, the device allows %llu",
                    tf_ir_source_name(tf_ir_name(place->variable), name, sizeof name),
                    (unsigned long long)place->size_bytes,
                    (unsigned long long)l->device->max_variable_bytes);
                return fail(l, TF_COMPILER_BAD_SOURCE);
            }
            place->offset_bytes = align_up(head->block_bytes, place->align_bytes);
            head->block_bytes = place->offset_bytes + place->size_bytes;
            if (place->align_bytes > head->align_bytes)
                head->align_bytes = place->align_bytes;
            if (is_variable(place->variable))
                head->variable_bytes += place->size_bytes;
        }
        if (zeros == 0)
            head->image_bytes = head->block_bytes;
    }
    if (head->block_bytes > TF_PROGRAM_DATA_MAX_BYTES) {
        tf_build_log_error(
            l->log, NULL,
            "the variables of the program have %llu bytes in all, more than %llu",
            (unsigned long long)head->block_bytes,
            (unsigned long long)TF_PROGRAM_DATA_MAX_BYTES);
        return fail(l, TF_COMPILER_BAD_SOURCE);
    }
    return true;
}

// ---- Initial values ----

static bool write_value(struct layout *l, LLVMValueRef value, uint64_t at);

// Adds the constant distance that a chain of GEPs and casts goes from a variable to
// `*offset`. NULL: not such an address.
static LLVMValueRef base_of(struct layout *l, LLVMValueRef address, uint64_t *offset)
{
    if (LLVMIsAGlobalVariable(address))
        return address;
    if (!LLVMIsAConstantExpr(address))
        return NULL;
    switch ((int)LLVMGetConstOpcode(address)) {
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return base_of(l, LLVMGetOperand(address, 0), offset);
    case LLVMAdd:
    case LLVMSub: {
        const LLVMValueRef number = LLVMGetOperand(address, 1);
        const uint64_t bytes =
            LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : 0;

        if (!LLVMIsAConstantInt(number))
            return NULL;
        *offset += LLVMGetConstOpcode(address) == LLVMAdd ? bytes : -bytes;
        return base_of(l, LLVMGetOperand(address, 0), offset);
    }
    case LLVMGetElementPtr:
        break;
    default:
        return NULL;
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
        const LLVMValueRef index = LLVMGetOperand(address, i);

        if (!LLVMIsAConstantInt(index))
            return NULL;
        const int64_t n = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += LLVMOffsetOfElement(l->target, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += (uint64_t)n * LLVMABISizeOfType(l->target, type);
    }
    return base_of(l, LLVMGetOperand(address, 0), offset);
}

static bool write_address(struct layout *l, LLVMValueRef address, uint64_t at)
{
    uint64_t offset = 0;
    const LLVMValueRef base = base_of(l, address, &offset);
    const struct place *const place = base ? find_place(l, base) : NULL;
    struct tf_program_pointer *const grown =
        tf_realloc(l->pointers, (l->head.pointer_count + 1) * sizeof *l->pointers);

    if (!grown)
        return fail(l, TF_COMPILER_NO_MEMORY);
    l->pointers = grown;
    if (!place) {
        tf_build_log_error(l->log, NULL,
                           "initializer of a program-scope variable is not supported");
        return fail(l, TF_COMPILER_BAD_SOURCE);
    }
    l->pointers[l->head.pointer_count++] =
        (struct tf_program_pointer){at, place->offset_bytes + offset};
    return true;
}

static bool write_elements(struct layout *l, LLVMValueRef value, uint64_t at)
{
    const LLVMTypeRef type = LLVMTypeOf(value);
    const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    const unsigned count = is_struct   ? LLVMCountStructElementTypes(type)
                           : is_vector ? LLVMGetVectorSize(type)
                                       : (unsigned)LLVMGetArrayLength2(type);
    const uint64_t step =
        is_struct ? 0 : LLVMABISizeOfType(l->target, LLVMGetElementType(type));

    for (unsigned i = 0; i < count; i++) {
        const uint64_t offset =
            is_struct ? LLVMOffsetOfElement(l->target, type, i) : i * step;

        if (!write_value(l, LLVMGetAggregateElement(value, i), at + offset))
            return false;
    }
    return true;
}

static bool write_number(struct layout *l, LLVMValueRef value, uint64_t at)
{
    const uint64_t bytes = LLVMStoreSizeOfType(l->target, LLVMTypeOf(value));
    const LLVMValueRef bits =
        LLVMIsAConstantInt(value)
            ? value
            : LLVMConstBitCast(value,
                               LLVMIntTypeInContext(l->context, 8 * (unsigned)bytes));
    uint64_t number;

    if (bytes > sizeof number || !LLVMIsAConstantInt(bits)) {
        tf_build_log_error(l->log, NULL,
                           "type of a program-scope variable is not supported");
        return fail(l, TF_COMPILER_BAD_SOURCE);
    }
    number = LLVMConstIntGetZExtValue(bits);
    memcpy(l->image + at, &number, bytes); // little-endian, as the device
    return true;
}

// Writes the constant at offset `at` of the image, which is zero so far.
static bool write_value(struct layout *l, LLVMValueRef value, uint64_t at)
{
    if (!value)
        return fail(l, TF_COMPILER_INTERNAL);
    if (is_zero(value))
        return true;
    switch ((int)LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return write_elements(l, value, at);
    case LLVMPointerTypeKind: {
        // (int *)16: a number after all.
        if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr &&
            LLVMIsAConstantInt(LLVMGetOperand(value, 0)))
            return write_number(l, LLVMGetOperand(value, 0), at);
        return write_address(l, value, at);
    }
    default:
        return LLVMIsAConstantExpr(value) ? write_address(l, value, at)
                                          : write_number(l, value, at);
    }
}

static bool write_image(struct layout *l)
{
    l->image = tf_zalloc(l->head.image_bytes + 1);
    if (!l->image)
        return fail(l, TF_COMPILER_NO_MEMORY);
    for (size_t i = 0; i < l->count; i++) {
        const struct place *const place = &l->places[i];

        if (!place->zero &&
            !write_value(l, LLVMGetInitializer(place->variable), place->offset_bytes))
            return false;
    }
    return true;
}

// ---- Result ----

static bool pack(struct layout *l, struct tf_compiler_bytes *out)
{
    const size_t padded = align_up(l->head.image_bytes, 8);
    const size_t pointer_bytes = l->head.pointer_count * sizeof *l->pointers;
    char *at;

    out->bytes = sizeof l->head + padded + pointer_bytes;
    out->data = at = tf_zalloc(out->bytes);
    if (!at)
        return fail(l, TF_COMPILER_NO_MEMORY);
    memcpy(at, &l->head, sizeof l->head);
    at += sizeof l->head;
    memcpy(at, l->image, l->head.image_bytes);
    if (pointer_bytes)
        memcpy(at + padded, l->pointers, pointer_bytes);
    return true;
}

// The module keeps names and types only: the values are the block's.
static void take_out(const struct layout *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const LLVMValueRef variable = l->places[i].variable;

        set_offset(l, &l->places[i]);
        LLVMSetInitializer(variable, LLVMConstNull(LLVMGlobalGetValueType(variable)));
        LLVMSetGlobalConstant(variable, false);
    }
}

enum tf_compiler_status tf_globals_layout(LLVMModuleRef module,
                                          const struct tf_compiler_device *device,
                                          struct tf_compiler_bytes *out,
                                          struct tf_str *log)
{
    struct layout l = {.module = module,
                       .context = LLVMGetModuleContext(module),
                       .target = LLVMGetModuleDataLayout(module),
                       .device = device,
                       .log = log};

    if (collect(&l) && l.count && assign_offsets(&l) && write_image(&l) && pack(&l, out))
        take_out(&l);
    tf_free(l.places);
    tf_free(l.image);
    tf_free(l.pointers);
    return l.status;
}
