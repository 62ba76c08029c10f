// SPDX-License-Identifier: MIT
// The state of reading one SPIR-V module, and what the handlers of instructions use to
// get at operands, ids and types. A fault leaves the whole reading at once (tf_spv_fail
// does not return), so a handler checks, then builds, and owns nothing itself: memory
// comes from the arena. LLVM asserts on ill-typed IR: every operand is checked before it
// is used.
#ifndef TF_COMPILER_SPIRV_READ_SPIRV_READER_H
#define TF_COMPILER_SPIRV_READ_SPIRV_READER_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/attr.h"
#include "base/str.h"
#include "compiler/job/arena.h"

enum tf_spv_type_kind {
    TF_SPV_VOID,
    TF_SPV_BOOL,
    TF_SPV_INT,
    TF_SPV_FLOAT,
    TF_SPV_VECTOR,
    TF_SPV_ARRAY,
    TF_SPV_STRUCT,
    TF_SPV_POINTER,
    TF_SPV_FUNCTION,
    TF_SPV_OPAQUE,
    TF_SPV_EVENT,
    TF_SPV_RESERVE_ID,
    TF_SPV_DEVICE_EVENT,
    TF_SPV_QUEUE,
    TF_SPV_PIPE,
    TF_SPV_PIPE_STORAGE,
    TF_SPV_IMAGE,
    TF_SPV_SAMPLER,
    TF_SPV_SAMPLED_IMAGE,
    TF_SPV_NAMED_BARRIER,
};

struct tf_spv_type {
    enum tf_spv_type_kind kind;
    uint32_t id;
    LLVMTypeRef llvm;
    uint32_t bits;                      // of INT, FLOAT
    uint64_t count;                     // of a vector's or array's elements
    const struct tf_spv_type *element;  // of those; what a pointer points to (NULL for a
                                        // forward pointer not declared yet); result of
                                        // FUNCTION; the image of SAMPLED_IMAGE
    uint32_t storage;                   // storage class of a pointer
    bool is_untyped;                    // a pointer without `element`
    const struct tf_spv_type **members; // of a struct, parameters of FUNCTION
    uint32_t member_count;
    uint32_t depth;  // of what lies in one another
    bool sized;      // can lie in memory
    uint64_t bytes;  // there
    uint64_t leaves; // scalars and pointers in it
    uint32_t access; // access qualifier of PIPE and IMAGE (enum tf_spv_access)
    const uint32_t
        *words;       // operands of OpTypeImage behind the result: sampled type, dim, ..
    const char *name; // of OPAQUE
};

enum tf_spv_id_kind {
    TF_SPV_ID_NONE, // not defined (yet)
    TF_SPV_ID_TYPE,
    TF_SPV_ID_VALUE, // constant, variable, result of an instruction
    TF_SPV_ID_FUNCTION,
    TF_SPV_ID_LABEL,
    TF_SPV_ID_STRING,
    TF_SPV_ID_IMPORT, // extended instruction set: `number` is one of enum tf_spv_set
    TF_SPV_ID_GROUP,  // of decorations
};

enum tf_spv_set { TF_SPV_SET_OPENCL_STD = 1, TF_SPV_SET_IGNORED };

struct tf_spv_id {
    uint16_t kind;
    bool called;              // by OpFunctionCall
    bool is_early;            // read before its place
    uint32_t word;            // offset of the instruction that has it as result, or 0
    struct tf_spv_type *type; // TYPE: itself; VALUE: of the value
    struct tf_spv_decoration *decorations;
    union {
        LLVMValueRef value;
        struct tf_spv_function *function;
        struct tf_spv_block *block;
        const char *text;
        uint32_t number;
    } is;
    const char *name; // of OpName, or NULL
};

// A decoration of an id, or of a member of a struct.
struct tf_spv_decoration {
    struct tf_spv_decoration *next;
    uint32_t kind;         // enum tf_spv_decoration_kind
    uint32_t member;       // TF_SPV_NO_MEMBER: of the id itself
    const uint32_t *words; // operands
    uint32_t count;
};
#define TF_SPV_NO_MEMBER (~0u)

struct tf_spv_block {
    uint32_t start, end; // words of its OpLabel and of its terminator
    uint32_t function;   // id of the one that it belongs to
    // NULL: nobody gets there, and it is left out. Of one block several may be made.
    LLVMBasicBlockRef first, last;
    uint32_t edges;       // that lead there
    LLVMMetadataRef loop; // of OpLoopMerge: what the branches back to it carry
    bool seen, entered;   // by the walk over the function; by its translation
};

// The instruction that is being read.
struct tf_spv_op {
    uint32_t offset; // of its first word
    uint32_t opcode;
    uint32_t count;        // of words
    uint32_t result, type; // ids, 0 if it has none
    uint32_t operands;     // index of the first word behind those
    const uint32_t *words;
    const char *name; // without "Op"
};

// Of OpEntryPoint, and of OpExecutionMode with its instruction.
struct tf_spv_entry {
    struct tf_spv_entry *next;
    uint32_t function, offset;
    const char *name;
};
struct tf_spv_mode {
    struct tf_spv_mode *next;
    uint32_t function, number;
    struct tf_spv_op op;
};

// A phi whose values are known when the whole function is read.
struct tf_spv_phi {
    struct tf_spv_phi *next;
    struct tf_spv_op op;
    struct tf_spv_block *block;
    LLVMValueRef value;
};

struct tf_spv_string {
    struct tf_spv_string *next;
    const char *text;
};

struct tf_spv_function {
    struct tf_spv_function *next;
    LLVMValueRef value;
    const struct tf_spv_type *type;
    uint32_t id, start, end; // words of OpFunction and OpFunctionEnd
    uint32_t kernels;        // entry points that it has
    LLVMBasicBlockRef entry;
    struct tf_spv_block *block; // that is being filled
    struct tf_spv_phi *phis;
};

struct tf_spv {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout; // of `module`
    const struct tf_compile_in *in;
    struct tf_str *log;
    struct tf_arena arena;

    const uint32_t *words; // in the order of this machine
    uint32_t word_count, version, bound;
    struct tf_spv_id *ids; // [bound]
    struct tf_spv_op op;
    struct tf_spv_function *function; // that is being filled; NULL outside
    uint32_t last_global;             // word of the last instruction outside of functions
    uint32_t copied_decorations;      // of groups
    uint64_t phi_work;                // ways looked at
    bool has_memory_model;
    bool device_barriers;         // the capability
    bool device_enqueue;          // the capability
    struct tf_spv_entry *entries; // newest first, both
    struct tf_spv_mode *modes;
    struct tf_spv_string *strings; // that say something of kernels

    struct {
        LLVMDIBuilderRef builder;  // NULL: not wanted
        LLVMMetadataRef function;  // that is being filled; NULL: it has none
        struct tf_spv_file *files; // of all functions
    } lines;

    enum tf_compiler_status status;
    jmp_buf leave;
};

// Records "error: SPIR-V word OFFSET: OpName: what" and leaves.
__attribute__((noreturn)) void tf_spv_fail(struct tf_spv *r, const char *fmt, ...)
    TF_PRINTF(2, 3);
__attribute__((noreturn)) void tf_spv_out_of_memory(struct tf_spv *r);
// Fails with this text unless `good`.
#define tf_spv_need(r, good, ...)          \
    do {                                   \
        if (__builtin_expect(!(good), 0))  \
            tf_spv_fail((r), __VA_ARGS__); \
    } while (0)

// Zeroed.
#define TF_SPV_NEW(r, type, count) TF_ARENA_NEW(&(r)->arena, type, count)

// Text in the arena.
const char *tf_spv_format(struct tf_spv *r, const char *fmt, ...) TF_PRINTF(2, 3);

// In the following `at` is the index of a word of the current instruction; they fail
// where it has not so many words, or where the word is not what is asked for.
uint32_t tf_spv_word(struct tf_spv *r, uint32_t at);
bool tf_spv_has_word(const struct tf_spv *r, uint32_t at);
// A string that starts there, ended by 0 inside the instruction; `*next` (may be NULL) is
// the word behind it. In the arena.
const char *tf_spv_text(struct tf_spv *r, uint32_t at, uint32_t *next);
struct tf_spv_id *tf_spv_id(struct tf_spv *r, uint32_t id); // 0 < id < bound
struct tf_spv_id *tf_spv_id_at(struct tf_spv *r, uint32_t at);
const struct tf_spv_type *tf_spv_type_at(struct tf_spv *r, uint32_t at);
// A value that is defined before this instruction, and its type.
LLVMValueRef tf_spv_value_at(struct tf_spv *r, uint32_t at);
const struct tf_spv_type *tf_spv_type_of_value_at(struct tf_spv *r, uint32_t at);
// The same with the demand that its type is this one.
LLVMValueRef tf_spv_value_of(struct tf_spv *r, uint32_t at, LLVMTypeRef type);
// An integer constant: scope, memory semantics, number of elements.
uint64_t tf_spv_constant_at(struct tf_spv *r, uint32_t at);

// A block of the current function.
struct tf_spv_block *tf_spv_block_at(struct tf_spv *r, uint32_t at);

const struct tf_spv_type *tf_spv_result_type(struct tf_spv *r);
// Defines the result of this instruction; `value` must have its type. (One of type void
// stays undefined: nothing can use it.)
void tf_spv_set_result(struct tf_spv *r, LLVMValueRef value);

// The scalar that a vector is made of; a scalar itself.
const struct tf_spv_type *tf_spv_scalar(const struct tf_spv_type *type);
// 1 for a scalar.
uint32_t tf_spv_components(const struct tf_spv_type *type);
bool tf_spv_is_int(const struct tf_spv_type *type);   // or vector of such
bool tf_spv_is_float(const struct tf_spv_type *type); // or vector of such
bool tf_spv_is_bool(const struct tf_spv_type *type);  // or vector of such
// Not an integer of a width that OpenCL C has no type of.
bool tf_spv_is_plain(const struct tf_spv_type *type);
bool tf_spv_is_pointer(const struct tf_spv_type *type);
// The type of a pointer that is used as one to `element`: an untyped one becomes that.
const struct tf_spv_type *tf_spv_pointer_to(struct tf_spv *r,
                                            const struct tf_spv_type *pointer,
                                            const struct tf_spv_type *element);
bool tf_spv_same_shape(const struct tf_spv_type *a, const struct tf_spv_type *b);

// The first decoration of that kind of an id; NULL: none. Member: TF_SPV_NO_MEMBER.
const struct tf_spv_decoration *tf_spv_decoration(const struct tf_spv *r, uint32_t id,
                                                  uint32_t kind);

#endif // TF_COMPILER_SPIRV_READ_SPIRV_READER_H
