// SPDX-License-Identifier: MIT
#include "compiler/check/check_values.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/check/check_mask.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/kept/kept_functions.h"

enum { MOST_COMPONENTS = 32 }; // stored at once

struct values {
    struct tf_checks *c;
    struct tf_check_masks masks;
    LLVMValueRef *all;
    size_t count;
    bool follows; // variables by their bytes, its own or those of who calls it
};

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

static bool is_intrinsic(LLVMValueRef call, const char *prefix)
{
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, prefix, strlen(prefix));
}

// A variable of one value, which is loaded and stored as a whole and nothing else.
static bool is_plain(LLVMValueRef variable)
{
    const LLVMTypeRef type = LLVMGetAllocatedType(variable);

    if (!tf_check_elements(type))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const LLVMOpcode opcode = opcode_of(user);

        if (opcode == LLVMLoad && LLVMTypeOf(user) == type && !LLVMGetVolatile(user))
            continue;
        if (opcode == LLVMStore && LLVMGetOperand(user, 1) == variable &&
            LLVMTypeOf(LLVMGetOperand(user, 0)) == type && !LLVMGetVolatile(user))
            continue;
        if (opcode == LLVMCall && is_intrinsic(user, "llvm.lifetime."))
            continue;
        return false;
    }
    return true;
}

// ---- Variables ----

// What the library lets functions that call themselves keep is no variable of the
// program.
static bool is_frames(const struct tf_checks *c, LLVMValueRef variable)
{
    return LLVMGetNamedFunction(c->module, tf_root_name(TF_ROOT_ASK)) &&
           !strncmp(tf_ir_name(variable), "frames", strlen("frames"));
}

static bool is_followed(const struct tf_checks *c, LLVMValueRef variable)
{
    return variable != c->at->item && LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) &&
           LLVMGetInstructionParent(variable) ==
               LLVMGetEntryBasicBlock(c->at->function) &&
           !is_frames(c, variable);
}

static uint64_t variable_bytes(const struct tf_checks *c, LLVMValueRef variable)
{
    return LLVMABISizeOfType(c->layout, LLVMGetAllocatedType(variable)) *
           LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
}

// `missing` of the bytes at `address`, in parts of `part_bytes`, have no value from here
// on.
static void set(struct values *v, LLVMValueRef instruction, LLVMValueRef address,
                LLVMValueRef bytes, LLVMValueRef missing, uint64_t part_bytes)
{
    struct tf_checks *c = v->c;
    const struct tf_check_site site = {.op = TF_CHECK_SET, .object_bytes = part_bytes};

    tf_check_call_with(c, tf_check_add_site(c, instruction, &site), address, bytes,
                       tf_check_number(c, 0), missing ? missing : tf_check_number(c, 0));
}

static LLVMValueRef number_of(const struct tf_checks *c, LLVMValueRef pointer)
{
    return LLVMBuildPtrToInt(c->b, pointer, c->i64, "");
}

// Each life of the variable begins with no value.
static void add_lives(struct values *v, LLVMValueRef variable, LLVMValueRef beside)
{
    struct tf_checks *c = v->c;
    LLVMUseRef next;

    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
        const LLVMValueRef mark = LLVMGetUser(use);
        const uint64_t bytes = variable_bytes(c, variable);

        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(mark) || !is_intrinsic(mark, "llvm.lifetime."))
            continue;
        LLVMPositionBuilderBefore(c->b, mark);
        if (!is_intrinsic(mark, "llvm.lifetime.start"))
            ;
        else if (beside)
            LLVMBuildStore(c->b, tf_check_whole_mask(c, LLVMGetAllocatedType(variable)),
                           beside);
        else
            set(v, mark, number_of(c, variable), tf_check_number(c, bytes),
                tf_check_number(c, 1), bytes);
        // Who is followed has a place of his own.
        if (!beside)
            LLVMInstructionEraseFromParent(mark);
    }
}

static void add_plain(struct values *v, LLVMValueRef variable)
{
    struct tf_checks *c = v->c;
    LLVMValueRef next = LLVMGetNextInstruction(variable), beside;

    LLVMPositionBuilderBefore(c->b, variable);
    beside = LLVMBuildAlloca(c->b, c->i64, "");
    while (LLVMIsAAllocaInst(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(c->b, next);
    LLVMBuildStore(c->b, tf_check_whole_mask(c, LLVMGetAllocatedType(variable)), beside);
    // The same from run to run.
    LLVMBuildStore(c->b, LLVMConstNull(LLVMGetAllocatedType(variable)), variable);
    tf_check_masks_put(&v->masks, variable, beside);
    add_lives(v, variable, beside);
}

// Bits for its bytes, which the run-time is told of when the work-item begins. It clears
// them, by addresses that are numbers: LLVM does not see that, and would let the copy of
// a parameter lie where the caller has put that. So something is stored there before.
static void add_followed(struct values *v, LLVMValueRef variable)
{
    struct tf_checks *c = v->c;
    const uint64_t bytes = variable_bytes(c, variable);
    const uint64_t words = sizeof(struct tf_check_private) / 8 + (bytes + 63) / 64;
    const struct tf_check_site site = {.op = TF_CHECK_PRIVATE};
    LLVMValueRef bits;

    LLVMPositionBuilderBefore(c->b, variable);
    bits = LLVMBuildAlloca(c->b, LLVMArrayType2(c->i64, words), "");
    LLVMSetAlignment(bits, 8);
    LLVMPositionBuilderBefore(c->b, c->at->begin
                                        ? LLVMGetNextInstruction(c->at->begin)
                                        : tf_check_behind_variables(c->at->function));
    if (bytes > 0)
        LLVMBuildStore(c->b, LLVMConstNull(LLVMInt8TypeInContext(c->context)), variable);
    tf_check_call(c, tf_check_add_site(c, variable, &site), number_of(c, bits),
                  tf_check_number(c, bytes), number_of(c, variable));
    v->follows = true;
    c->at->followed_count++;
    add_lives(v, variable, NULL);
}

// ---- Where they come from ----

static bool has_bits(const struct values *v, unsigned space)
{
    return space == 1 || space == 3 || space == 4 || (space == 0 && v->follows);
}

static void add_load(struct values *v, LLVMValueRef load)
{
    struct tf_checks *c = v->c;
    const LLVMTypeRef type = LLVMTypeOf(load);
    const LLVMValueRef pointer = LLVMGetOperand(load, 0),
                       beside = tf_check_masks_get(&v->masks, pointer);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    const struct tf_check_site site = {.op = TF_CHECK_INIT,
                                       .space = (uint8_t)space,
                                       .object_bytes = tf_check_element_bytes(c, type)};

    if (!tf_check_elements(type))
        return;
    // Behind the load: whether its address is valid has been looked at.
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(load));
    if (LLVMIsAAllocaInst(pointer) && beside)
        tf_check_masks_put(&v->masks, load, LLVMBuildLoad2(c->b, c->i64, beside, ""));
    else if (has_bits(v, space))
        tf_check_masks_put(
            &v->masks, load,
            tf_check_call(c, tf_check_add_site(c, load, &site), number_of(c, pointer),
                          tf_check_number(c, LLVMStoreSizeOfType(c->layout, type)),
                          tf_check_number(c, 0)));
}

// ---- Calls of kept functions ----

static bool is_kept_call(LLVMValueRef i)
{
    const LLVMValueRef callee = tf_ir_callee(i);

    return callee && tf_kept_function(callee);
}

static void take_masks(struct values *v)
{
    const struct tf_checks *c = v->c;
    const LLVMValueRef function = c->at->function;

    for (unsigned i = 0; !c->at->begin && i < tf_check_own_param_count(c, function);
         i++) {
        const LLVMValueRef param = tf_check_own_param(c, function, i);

        if (tf_check_elements(LLVMTypeOf(param)))
            tf_check_masks_put(&v->masks, param, tf_check_param_mask(c, function, i));
    }
}

static LLVMValueRef result_mask(const struct tf_checks *c)
{
    LLVMValueRef offset = tf_check_number(c, offsetof(struct tf_check_item, result));

    return LLVMBuildGEP2(c->b, LLVMInt8TypeInContext(c->context), c->at->item, &offset, 1,
                         "");
}

static void add_result(struct values *v, LLVMValueRef call)
{
    struct tf_checks *c = v->c;

    if (!is_kept_call(call) || !tf_check_elements(LLVMTypeOf(call)))
        return;
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(call));
    tf_check_masks_put(&v->masks, call, LLVMBuildLoad2(c->b, c->i64, result_mask(c), ""));
}

static void pass_masks(struct values *v, LLVMValueRef call)
{
    const LLVMValueRef callee = tf_ir_callee(call);
    const unsigned own = tf_check_own_param_count(v->c, callee);
    const unsigned first = LLVMGetNumArgOperands(call) - own;

    for (unsigned i = 0; i < own; i++) {
        const LLVMValueRef mask =
            tf_check_mask_before(&v->masks, call, LLVMGetOperand(call, first + i));

        if (mask)
            LLVMSetOperand(call, first - own + i, mask);
    }
}

static void add_return(struct values *v, LLVMValueRef i)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef value = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
    LLVMValueRef mask;

    if (c->at->begin || !value || !tf_check_elements(LLVMTypeOf(value)))
        return;
    mask = tf_check_mask_before(&v->masks, i, value);
    LLVMPositionBuilderBefore(c->b, i);
    LLVMBuildStore(c->b, mask ? mask : tf_check_number(c, 0), result_mask(c));
}

// ---- Where they are looked at ----

// `to` is where it is stored, or NULL.
static void look(struct values *v, LLVMValueRef instruction, LLVMValueRef value,
                 enum tf_check_use use, LLVMValueRef to)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef none = tf_check_mask_before(&v->masks, instruction, value);
    const struct tf_check_site site = {.op = TF_CHECK_VALUE, .arg = use};

    if (none)
        tf_check_call(c, tf_check_add_site(c, instruction, &site), none,
                      tf_check_number(c, 0),
                      to ? number_of(c, to) : tf_check_number(c, 0));
}

// What others see must have a value; where that is, may only be known when it happens.
static void look_at_stored(struct values *v, LLVMValueRef instruction, LLVMValueRef value,
                           LLVMValueRef to)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(to));

    look(v, instruction, to, TF_CHECK_ADDRESS, NULL);
    if (space == 1 || space == 4)
        look(v, instruction, value, TF_CHECK_STORED, space == 4 ? to : NULL);
}

// Stores of components, as Clang writes them: `value` is all that lies there with some of
// it replaced, at most `depth` times. What is put in must have a value; what comes back
// stays as it was.
static bool look_at_components(struct values *v, LLVMValueRef store, LLVMValueRef value,
                               unsigned depth)
{
    const LLVMValueRef pointer = LLVMGetOperand(store, 1);

    if (LLVMIsALoadInst(value))
        return LLVMGetOperand(value, 0) == pointer &&
               LLVMGetInstructionParent(value) == LLVMGetInstructionParent(store);
    if (depth == 0)
        return false;
    if (LLVMIsAShuffleVectorInst(value))
        return look_at_components(v, store, LLVMGetOperand(value, 0), depth - 1) ||
               look_at_components(v, store, LLVMGetOperand(value, 1), depth - 1);
    if (!LLVMIsAInsertElementInst(value) ||
        !look_at_components(v, store, LLVMGetOperand(value, 0), depth - 1))
        return false;
    look(v, store, LLVMGetOperand(value, 1), TF_CHECK_STORED, NULL);
    return true;
}

static void add_store(struct values *v, LLVMValueRef store)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef value = LLVMGetOperand(store, 0),
                       pointer = LLVMGetOperand(store, 1);
    const LLVMTypeRef type = LLVMTypeOf(value);
    const LLVMValueRef beside =
        LLVMIsAAllocaInst(pointer) ? tf_check_masks_get(&v->masks, pointer) : NULL;
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMValueRef none;

    if (beside) {
        none = tf_check_mask_before(&v->masks, store, value);
        LLVMBuildStore(c->b, none ? none : tf_check_number(c, 0), beside);
        return;
    }
    if (space == 1 && look_at_components(v, store, value, MOST_COMPONENTS))
        look(v, store, pointer, TF_CHECK_ADDRESS, NULL);
    else
        look_at_stored(v, store, value, pointer);
    none = tf_check_mask_before(&v->masks, store, value);
    if (space == 1 || !has_bits(v, space) || (space == 3 && !none))
        return;
    // Behind it: that something is stored there has been taken down.
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(store));
    set(v, store, number_of(c, pointer),
        tf_check_number(c, LLVMStoreSizeOfType(c->layout, type)), none,
        tf_check_element_bytes(c, type));
}

static void add_change(struct values *v, LLVMValueRef change)
{
    struct tf_checks *c = v->c;
    const LLVMValueRef pointer = LLVMGetOperand(change, 0);
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(change, 1));
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

    for (unsigned i = 1; i <= (LLVMIsAAtomicCmpXchgInst(change) ? 2 : 1); i++)
        look_at_stored(v, change, LLVMGetOperand(change, i), pointer);
    if (space != 0 && space != 4)
        return;
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(change));
    set(v, change, number_of(c, pointer),
        tf_check_number(c, LLVMStoreSizeOfType(c->layout, type)), NULL, 0);
}

// A copy is no use of a value: what has none has none in its new place.
static void add_copy(struct values *v, LLVMValueRef call)
{
    struct tf_checks *c = v->c;
    const bool copies =
        is_intrinsic(call, "llvm.memcpy.") || is_intrinsic(call, "llvm.memmove.");
    const struct tf_check_site site = {.op = TF_CHECK_COPY};
    LLVMValueRef to, length;

    look(v, call, LLVMGetOperand(call, 0), TF_CHECK_ADDRESS, NULL);
    if (copies)
        look(v, call, LLVMGetOperand(call, 1), TF_CHECK_ADDRESS, NULL);
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(call));
    to = number_of(c, LLVMGetOperand(call, 0));
    length = LLVMBuildZExtOrBitCast(c->b, LLVMGetOperand(call, 2), c->i64, "");
    if (copies)
        tf_check_call(c, tf_check_add_site(c, call, &site), to, length,
                      number_of(c, LLVMGetOperand(call, 1)));
    else
        set(v, call, to, length, NULL, 0);
}

static bool takes_pointers(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));

        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
            return true;
    }
    return false;
}

static void add_call(struct values *v, LLVMValueRef call)
{
    const enum tf_root root = tf_root_of(call);

    if (is_kept_call(call)) {
        pass_masks(v, call);
        return;
    }
    if (is_intrinsic(call, "llvm.memcpy.") || is_intrinsic(call, "llvm.memmove.") ||
        is_intrinsic(call, "llvm.memset.")) {
        add_copy(v, call);
        return;
    }
    if (root == TF_ROOT_NONE && tf_ir_is_intrinsic(tf_ir_callee(call)) &&
        (!takes_pointers(call) || is_intrinsic(call, "llvm.lifetime.")))
        return;
    // Who else writes in variables is not known: nothing is missing there any more.
    if (v->follows && (root == TF_ROOT_NONE || root == TF_ROOT_ENQUEUE ||
                       root == TF_ROOT_ASK || root == TF_ROOT_UNKNOWN)) {
        LLVMPositionBuilderBefore(v->c->b, LLVMGetNextInstruction(call));
        set(v, call, tf_check_number(v->c, 0), tf_check_number(v->c, 0), NULL, 0);
    }
}

static void add(struct values *v, LLVMValueRef i)
{
    switch ((unsigned)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (!LLVMIsAAllocaInst(LLVMGetOperand(i, 0)))
            look(v, i, LLVMGetOperand(i, 0), TF_CHECK_ADDRESS, NULL);
        break;
    case LLVMStore:
        add_store(v, i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        add_change(v, i);
        break;
    case LLVMCall:
        add_call(v, i);
        break;
    case LLVMBr:
        if (LLVMIsConditional(i))
            look(v, i, LLVMGetCondition(i), TF_CHECK_DECISION, NULL);
        break;
    case LLVMSwitch:
        look(v, i, LLVMGetOperand(i, 0), TF_CHECK_DECISION, NULL);
        break;
    case LLVMRet:
        add_return(v, i);
        break;
    default:
        break;
    }
}

// Marks of lives have gone by then: they are none of these.
static bool take_down(struct values *v)
{
    size_t n = 0;

    TF_FOR_EACH_INSTRUCTION(i, v->c->at->function)
    {
        v->count++;
    }
    v->all = tf_zalloc((v->count + 1) * sizeof(LLVMValueRef));
    if (!v->all)
        return false;
    TF_FOR_EACH_INSTRUCTION(i, v->c->at->function)
    {
        if (!LLVMIsACallInst(i) || !is_intrinsic(i, "llvm.lifetime."))
            v->all[n++] = i;
    }
    v->count = n;
    return true;
}

bool tf_check_values(struct tf_checks *c)
{
    struct values v = {.c = c, .masks = {.c = c}, .follows = !c->at->begin};
    const bool ok = take_down(&v);

    for (size_t i = 0; ok && i < v.count; i++) {
        if (!LLVMIsAAllocaInst(v.all[i]) || v.all[i] == c->at->item)
            continue;
        if (is_plain(v.all[i]))
            add_plain(&v, v.all[i]);
        else if (is_followed(c, v.all[i]))
            add_followed(&v, v.all[i]);
    }
    if (ok)
        take_masks(&v);
    // A load may stand behind what computes with it, in the order of the blocks.
    for (size_t i = 0; ok && i < v.count; i++) {
        if (LLVMIsALoadInst(v.all[i]))
            add_load(&v, v.all[i]);
        else
            add_result(&v, v.all[i]);
    }
    for (size_t i = 0; ok && i < v.count; i++)
        add(&v, v.all[i]);
    tf_check_masks_finish(&v.masks);
    tf_free(v.all);
    return ok;
}

// ---- What is nothing ----

static bool is_zero(LLVMValueRef number, LLVMValueRef *path, unsigned depth);

static bool are_zero(LLVMValueRef number, unsigned first, unsigned end,
                     LLVMValueRef *path, unsigned depth)
{
    for (unsigned i = first; i < end; i++) {
        const LLVMValueRef part = LLVMIsAPHINode(number) ? LLVMGetIncomingValue(number, i)
                                                         : LLVMGetOperand(number, i);

        if (!is_zero(part, path, depth))
            return false;
    }
    return true;
}

static bool is_zero(LLVMValueRef number, LLVMValueRef *path, unsigned depth)
{
    enum { MOST = 24 };

    if (LLVMIsAConstantInt(number))
        return LLVMConstIntGetZExtValue(number) == 0;
    for (unsigned i = 0; i < depth; i++) {
        if (path[i] == number)
            return true; // a circle adds nothing
    }
    if (depth == MOST)
        return false;
    path[depth++] = number;
    switch ((unsigned)opcode_of(number)) {
    case LLVMOr:
        return are_zero(number, 0, 2, path, depth);
    case LLVMSelect:
        return are_zero(number, 1, 3, path, depth);
    case LLVMAnd:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMZExt:
        return are_zero(number, 0, 1, path, depth);
    case LLVMICmp: // with 0, for not the same
        return LLVMGetICmpPredicate(number) == LLVMIntNE &&
               are_zero(number, 0, 2, path, depth);
    case LLVMPHI:
        return LLVMCountIncoming(number) <= MOST &&
               are_zero(number, 0, LLVMCountIncoming(number), path, depth);
    default:
        return false;
    }
}

// A call whose answer nobody needs, or that asks nothing.
static bool is_idle(const struct tf_checks *c, LLVMValueRef call)
{
    enum { SITE = 1, ADDRESS = 2 };
    const uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(call, SITE));
    LLVMValueRef path[32];
    struct tf_check_site site;

    memcpy(&site, c->sites.data + number * sizeof(site), sizeof(site));
    return site.op == TF_CHECK_INIT ||
           (site.op == TF_CHECK_VALUE && is_zero(LLVMGetOperand(call, ADDRESS), path, 0));
}

void tf_check_values_settle(struct tf_checks *c)
{
    LLVMValueRef next;

    for (LLVMValueRef i = tf_ir_first(c->at->function); i; i = next) {
        next = tf_ir_next(i);
        if (tf_root_of(i) != TF_ROOT_CHECK || LLVMGetFirstUse(i))
            continue;
        if (!c->sites.failed && is_idle(c, i))
            LLVMInstructionEraseFromParent(i);
    }
}
