// SPDX-License-Identifier: MIT
// Types. Each is what Clang makes of the same type of OpenCL C for spir64, images and
// samplers what the front end's lowering makes of Clang's.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

// Nothing of this size can be used; sums and products of such do not wrap.
#define MOST_BYTES ((uint64_t)1 << 46)
// As many parameters as a kernel's arguments have bytes at most.
enum {
    MOST_DEPTH = 255,
    MOST_PARAMETERS = 4096,
    LEAST_BITS = 2,
    MOST_BITS = 64,
    MOST_COMPONENTS = 16
};

static struct tf_spv_type *add_type(struct tf_spv *r, enum tf_spv_type_kind kind,
                                    LLVMTypeRef llvm)
{
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);
    struct tf_spv_type *const type = TF_SPV_NEW(r, struct tf_spv_type, 1);

    tf_spv_need(r, id->kind == TF_SPV_ID_NONE, "id %u is defined already", r->op.result);
    type->kind = kind;
    type->id = r->op.result;
    type->llvm = llvm;
    type->leaves = 1;
    id->kind = TF_SPV_ID_TYPE;
    id->type = type;
    return type;
}

static void set_size(struct tf_spv *r, struct tf_spv_type *type)
{
    type->sized = true;
    type->bytes = LLVMABISizeOfType(r->layout, type->llvm);
}

void tf_spv_op_type_void(struct tf_spv *r)
{
    add_type(r, TF_SPV_VOID, LLVMVoidTypeInContext(r->context));
}

void tf_spv_op_type_bool(struct tf_spv *r)
{
    set_size(r, add_type(r, TF_SPV_BOOL, LLVMInt1TypeInContext(r->context)));
}

void tf_spv_op_type_int(struct tf_spv *r)
{
    const uint32_t bits = tf_spv_word(r, 2);
    struct tf_spv_type *type;

    // Odd widths are what optimizers make.
    tf_spv_need(r, bits >= LEAST_BITS && bits <= MOST_BITS,
                "integers of %u bits are not supported", bits);
    type = add_type(r, TF_SPV_INT, LLVMIntTypeInContext(r->context, bits));
    type->bits = bits;
    set_size(r, type);
}

void tf_spv_op_type_float(struct tf_spv *r)
{
    const uint32_t bits = tf_spv_word(r, 2);
    struct tf_spv_type *type;

    tf_spv_need(r, (bits == 16 || bits == 32 || bits == 64) && !tf_spv_has_word(r, 3),
                "floating-point numbers of %u bits and this encoding are not supported",
                bits);
    type = add_type(r, TF_SPV_FLOAT,
                    bits == 16   ? LLVMHalfTypeInContext(r->context)
                    : bits == 32 ? LLVMFloatTypeInContext(r->context)
                                 : LLVMDoubleTypeInContext(r->context));
    type->bits = bits;
    set_size(r, type);
}

void tf_spv_op_type_vector(struct tf_spv *r)
{
    const struct tf_spv_type *const element = tf_spv_type_at(r, 2);
    const uint32_t count = tf_spv_word(r, 3);
    struct tf_spv_type *type;

    tf_spv_need(r,
                element->kind == TF_SPV_BOOL || element->kind == TF_SPV_INT ||
                    element->kind == TF_SPV_FLOAT,
                "vectors are of numbers or booleans");
    tf_spv_need(r, tf_spv_is_plain(element),
                "vectors of integers of %u bits are not supported", element->bits);
    // LLVM's own back end makes vectors of 5, 6, 7, .. of what is used of larger ones.
    tf_spv_need(r, count >= 2 && count <= MOST_COMPONENTS,
                "vectors of %u components are not supported", count);
    type = add_type(r, TF_SPV_VECTOR, LLVMVectorType(element->llvm, count));
    type->element = element;
    type->count = count;
    type->depth = 1;
    type->leaves = count;
    set_size(r, type);
}

void tf_spv_op_type_array(struct tf_spv *r)
{
    const struct tf_spv_type *const element = tf_spv_type_at(r, 2);
    const uint64_t count = tf_spv_constant_at(r, 3);
    struct tf_spv_type *type;

    tf_spv_need(r, element->sized, "elements of an array must have a size");
    tf_spv_need(r, element->depth < MOST_DEPTH, "types are nested too deeply");
    tf_spv_need(r, count, "an array must have elements");
    tf_spv_need(r,
                count < MOST_BYTES &&
                    (!element->bytes || count <= MOST_BYTES / element->bytes),
                "an array of %llu elements is too large", (unsigned long long)count);
    type = add_type(r, TF_SPV_ARRAY, LLVMArrayType2(element->llvm, count));
    type->element = element;
    type->count = count;
    type->depth = element->depth + 1;
    type->leaves =
        element->leaves > MOST_BYTES / count ? MOST_BYTES : element->leaves * count;
    set_size(r, type);
}

void tf_spv_op_type_struct(struct tf_spv *r)
{
    const uint32_t count = r->op.count - 2;
    const bool packed = tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_C_PACKED);
    const struct tf_spv_type **const members =
        TF_SPV_NEW(r, const struct tf_spv_type *, count);
    LLVMTypeRef *const llvm = TF_SPV_NEW(r, LLVMTypeRef, count);
    const char *const name = tf_spv_id(r, r->op.result)->name;
    uint64_t bytes = 0, leaves = 0;
    uint32_t depth = 0;
    struct tf_spv_type *type;

    for (uint32_t i = 0; i < count; i++) {
        members[i] = tf_spv_type_at(r, i + 2);
        tf_spv_need(r, members[i]->sized, "member %u has no size", i);
        tf_spv_need(r, members[i]->depth < MOST_DEPTH, "types are nested too deeply");
        llvm[i] = members[i]->llvm;
        bytes += members[i]->bytes + 128; // and what aligns it
        leaves += members[i]->leaves;
        tf_spv_need(r, bytes <= MOST_BYTES && leaves <= 4 * MOST_BYTES,
                    "a struct is too large");
        depth = members[i]->depth > depth ? members[i]->depth : depth;
    }
    const LLVMTypeRef body = LLVMStructCreateNamed(r->context, name ? name : "");
    LLVMStructSetBody(body, llvm, count, packed);
    type = add_type(r, TF_SPV_STRUCT, body);
    type->members = members;
    type->member_count = count;
    type->depth = depth + 1;
    type->leaves = leaves > MOST_BYTES ? MOST_BYTES : leaves;
    set_size(r, type);
}

static LLVMTypeRef pointer_llvm(struct tf_spv *r, uint32_t storage)
{
    unsigned space;

    switch (storage) {
    case TF_SPV_STORAGE_FUNCTION:
    case TF_SPV_STORAGE_INPUT:
    case TF_SPV_STORAGE_PRIVATE:
        space = 0;
        break;
    case TF_SPV_STORAGE_CROSS_WORKGROUP:
        space = 1;
        break;
    case TF_SPV_STORAGE_UNIFORM_CONSTANT:
        space = 2;
        break;
    case TF_SPV_STORAGE_WORKGROUP:
        space = 3;
        break;
    case TF_SPV_STORAGE_GENERIC:
        space = 4;
        break;
    default:
        tf_spv_fail(r, "storage class %u is not supported", storage);
    }
    return LLVMPointerTypeInContext(r->context, space);
}

static struct tf_spv_type *add_pointer(struct tf_spv *r, uint32_t storage)
{
    struct tf_spv_type *const type =
        add_type(r, TF_SPV_POINTER, pointer_llvm(r, storage));

    type->storage = storage;
    set_size(r, type);
    return type;
}

void tf_spv_op_type_untyped_pointer(struct tf_spv *r)
{
    add_pointer(r, tf_spv_word(r, 2))->is_untyped = true;
}

void tf_spv_op_type_forward_pointer(struct tf_spv *r)
{
    const uint32_t storage = tf_spv_word(r, 2);

    r->op.result = tf_spv_word(r, 1);
    (void)tf_spv_id(r, r->op.result);
    add_pointer(r, storage);
}

void tf_spv_op_type_pointer(struct tf_spv *r)
{
    const uint32_t storage = tf_spv_word(r, 2);
    const struct tf_spv_type *const element = tf_spv_type_at(r, 3);
    const struct tf_spv_id *const id = tf_spv_id(r, r->op.result);
    struct tf_spv_type *type = id->type;

    if (id->kind == TF_SPV_ID_TYPE && type->kind == TF_SPV_POINTER && !type->element &&
        !type->is_untyped)
        tf_spv_need(r, type->storage == storage,
                    "OpTypeForwardPointer said another storage class");
    else
        type = add_pointer(r, storage);
    tf_spv_need(r, element != type, "a pointer to itself");
    type->element = element;
}

void tf_spv_op_type_function(struct tf_spv *r)
{
    const uint32_t count = r->op.count - 3;
    const struct tf_spv_type *const result = tf_spv_type_at(r, 2);
    const struct tf_spv_type **const members =
        TF_SPV_NEW(r, const struct tf_spv_type *, count);
    LLVMTypeRef *const llvm = TF_SPV_NEW(r, LLVMTypeRef, count);
    struct tf_spv_type *type;

    tf_spv_need(r, result->sized || result->kind == TF_SPV_VOID,
                "a function cannot return such a type");
    tf_spv_need(r, count <= MOST_PARAMETERS, "%u parameters are too many", count);
    for (uint32_t i = 0; i < count; i++) {
        members[i] = tf_spv_type_at(r, i + 3);
        tf_spv_need(r, members[i]->sized, "parameter %u has no size", i);
        llvm[i] = members[i]->llvm;
    }
    type =
        add_type(r, TF_SPV_FUNCTION, LLVMFunctionType(result->llvm, llvm, count, false));
    type->element = result;
    type->members = members;
    type->member_count = count;
}

void tf_spv_op_type_opaque(struct tf_spv *r)
{
    const char *const name = tf_spv_text(r, 2, NULL);
    struct tf_spv_type *const type =
        add_type(r, TF_SPV_OPAQUE, LLVMStructCreateNamed(r->context, name));

    type->name = name;
}

void tf_spv_op_type_handle(struct tf_spv *r)
{
    struct tf_spv_type *type;

    switch (r->op.opcode) {
    case TF_SPV_OP_TypeEvent:
        type = add_type(
            r, TF_SPV_EVENT,
            LLVMTargetExtTypeInContext(r->context, "spirv.Event", NULL, 0, NULL, 0));
        break;
    case TF_SPV_OP_TypeReserveId:
        type = add_type(r, TF_SPV_RESERVE_ID, LLVMInt64TypeInContext(r->context));
        break;
    case TF_SPV_OP_TypeNamedBarrier:
        type = add_type(r, TF_SPV_NAMED_BARRIER, LLVMPointerTypeInContext(r->context, 3));
        break;
    case TF_SPV_OP_TypeDeviceEvent:
        type = add_type(r, TF_SPV_DEVICE_EVENT, LLVMInt64TypeInContext(r->context));
        break;
    case TF_SPV_OP_TypeQueue:
        type = add_type(r, TF_SPV_QUEUE, LLVMInt64TypeInContext(r->context));
        break;
    case TF_SPV_OP_TypeSampler:
        type = add_type(r, TF_SPV_SAMPLER, LLVMInt64TypeInContext(r->context));
        break;
    default:
        type = add_type(r, TF_SPV_PIPE_STORAGE, LLVMPointerTypeInContext(r->context, 1));
        break;
    }
    set_size(r, type);
}

void tf_spv_op_type_pipe(struct tf_spv *r)
{
    const uint32_t access = tf_spv_word(r, 2);
    struct tf_spv_type *type;

    tf_spv_need(r, access <= TF_SPV_ACCESS_WRITE_ONLY, "a pipe is read or written");
    type = add_type(r, TF_SPV_PIPE, LLVMPointerTypeInContext(r->context, 1));
    type->access = access;
    set_size(r, type);
}

// An image is the address of its descriptor (abi/image_descriptor.h), a sampler a number.
void tf_spv_op_type_image(struct tf_spv *r)
{
    const uint32_t access = tf_spv_has_word(r, 9) ? tf_spv_word(r, 9) : 0;
    struct tf_spv_type *type;

    tf_spv_need(r, access <= TF_SPV_ACCESS_READ_WRITE, "access qualifier %u is unknown",
                access);
    (void)tf_spv_type_at(r, 2);
    type = add_type(r, TF_SPV_IMAGE, LLVMPointerTypeInContext(r->context, 2));
    type->words = r->op.words + 2;
    type->access = access;
    set_size(r, type);
}

void tf_spv_op_type_sampled_image(struct tf_spv *r)
{
    const struct tf_spv_type *const image = tf_spv_type_at(r, 2);
    LLVMTypeRef parts[2] = {LLVMPointerTypeInContext(r->context, 2),
                            LLVMInt64TypeInContext(r->context)};
    struct tf_spv_type *type;

    tf_spv_need(r, image->kind == TF_SPV_IMAGE, "a sampled image is one of an image");
    type = add_type(r, TF_SPV_SAMPLED_IMAGE,
                    LLVMStructTypeInContext(r->context, parts, 2, false));
    type->element = image;
    set_size(r, type);
}
