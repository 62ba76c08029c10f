// SPDX-License-Identifier: MIT
// Build-time program: packs the compiled modules of the built-ins library into one blob
// and writes the C tables that find a symbol in it (src/builtins/builtins_table.c).
//
//     pack_builtins OUT.bin OUT.c OUT.txt FOLDER MODULE...
//
// Reads FOLDER/MODULE.ll as Clang wrote it; OUT.txt lists the symbols with their modules,
// for the tests. Every definition becomes linkonce_odr, so that linking a module into a
// program takes only what the program uses. A call of a function that no module defines,
// or a symbol that two modules define, is an error here and not at the user's
// clBuildProgram.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

struct symbol {
    char *name;
    unsigned module;
    bool defined;
};

struct pack {
    FILE *blob;
    unsigned long blob_bytes;
    struct module {
        const char *name;
        unsigned long offset, bytes;
    } * modules;
    unsigned module_count;
    struct symbol *symbols;
    size_t symbol_count, symbol_room;
};

_Noreturn static void __attribute__((format(printf, 1, 2))) die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("pack_builtins: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void *checked(void *pointer)
{
    if (!pointer)
        die("out of memory");
    return pointer;
}

// Owned by the caller, terminated by 0.
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long bytes;

    if (!file || fseek(file, 0, SEEK_END) || (bytes = ftell(file)) < 0)
        die("%s: cannot be read", path);
    rewind(file);
    text = checked(malloc((size_t)bytes + 1));
    if (fread(text, 1, (size_t)bytes, file) != (size_t)bytes)
        die("%s: cannot be read", path);
    text[bytes] = 0;
    fclose(file);
    return text;
}

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

// Drops the "key"="value" attributes of an attribute group from `line` (up to `end`):
// they repeat Clang's command line ("no-builtins" would keep a body from being inlined
// into a user's function). Returns the new end.
static char *drop_string_attributes(char *line, char *end)
{
    char *to = line;

    for (const char *from = line; from < end; from++) {
        if (*from != '"') {
            *to++ = *from;
            continue;
        }
        do
            from++;
        while (*from != '"');
        if (from[1] == '=' && from[2] == '"') {
            from += 2;
            do
                from++;
            while (*from != '"');
        }
    }
    return to;
}

// Blanks `word` between `line` and `end`.
static void drop_word(char *line, const char *end, const char *word)
{
    const size_t length = strlen(word);

    for (char *at = line; at + length <= end; at++)
        if (!memcmp(at, word, length))
            memset(at, ' ', length);
}

// Changes in the text what LLVM-C cannot change in the module: named metadata (identity
// and version of the compiler, which every linked module would repeat in the user's
// program) is dropped, string attributes and `noinline` too, and the scope of fences
// becomes what OpenCL C meant (lib/fence.h).
static void clean_text(char *text)
{
    static const char scope[] = "syncscope(\"singlethread\")";
    static const char wanted[] = "syncscope(\"workgroup\")   ";
    char *to = text;

    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        char *at;

        if (line[0] == '!' && (line[1] < '0' || line[1] > '9')) {
            line = next;
            continue;
        }
        if (starts_with(line, "attributes #")) {
            end = drop_string_attributes(line, end);
            drop_word(line, end, " noinline "); // TF_KEEP_CALL of lib/types.h
        }
        memmove(to, line, (size_t)(end - line));
        to[end - line] = 0;
        for (at = to; (at = strstr(at, scope));)
            memcpy(at, wanted, sizeof wanted - 1);
        to += end - line;
        *to++ = '\n';
        line = next;
    }
    *to = 0;
}

static void add_symbol(struct pack *pack, const char *name, bool defined)
{
    if (pack->symbol_count == pack->symbol_room) {
        pack->symbol_room = pack->symbol_room ? 2 * pack->symbol_room : 4096;
        pack->symbols =
            checked(realloc(pack->symbols, pack->symbol_room * sizeof *pack->symbols));
    }
    pack->symbols[pack->symbol_count++] = (struct symbol){
        .name = checked(strdup(name)), .module = pack->module_count, .defined = defined};
}

static void write_blob(struct pack *pack, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, pack->blob) != bytes)
        die("the blob cannot be written");
    pack->blob_bytes += bytes;
}

// What OpenCL C cannot write: declarations of the library, __tf_<what>_<types>, stand for
// roundings in a direction (lib/convert.h) and for the estimate of an inverse root
// (lib/math.h). Of the latter LLVM knows those of single processors only; the code
// generator takes this one for its own (compiler/codegen/arithmetic/estimates.h).
struct intrinsic {
    const char *prefix, *name;
    const char *rounding; // the second argument, or NULL: there is one
};

static const struct intrinsic *intrinsic_of(const char *symbol)
{
    static const struct intrinsic known[] = {
        {"__tf_round_rtz_", "llvm.fptrunc.round", "round.towardzero"},
        {"__tf_round_rtp_", "llvm.fptrunc.round", "round.upward"},
        {"__tf_round_rtn_", "llvm.fptrunc.round", "round.downward"},
        {"__tf_estimate_rsqrt_", "llvm.amdgcn.rsq", NULL}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(symbol, known[i].prefix))
            return &known[i];
    return NULL;
}

static void write_calls(LLVMModuleRef module, LLVMValueRef f, const struct intrinsic *to)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    const unsigned id = LLVMLookupIntrinsicID(to->name, strlen(to->name));
    const unsigned count = to->rounding ? 2 : 1;
    LLVMTypeRef types[2], type = LLVMGlobalGetValueType(f);
    LLVMUseRef use;

    types[0] = LLVMGetReturnType(type);
    LLVMGetParamTypes(type, &types[1]);
    while ((use = LLVMGetFirstUse(f))) {
        LLVMValueRef call = LLVMGetUser(use), made, args[2];

        args[0] = LLVMGetOperand(call, 0);
        if (to->rounding)
            args[1] = LLVMMetadataAsValue(
                context,
                LLVMMDStringInContext2(context, to->rounding, strlen(to->rounding)));
        LLVMPositionBuilderBefore(b, call);
        made = LLVMBuildCall2(b, LLVMIntrinsicGetType(context, id, types, count),
                              LLVMGetIntrinsicDeclaration(module, id, types, count), args,
                              count, "");
        LLVMReplaceAllUsesWith(call, made);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(f);
    LLVMDisposeBuilder(b);
}

static void write_intrinsics(LLVMModuleRef module)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        const struct intrinsic *to = intrinsic_of(LLVMGetValueName(f));

        next = LLVMGetNextFunction(f);
        if (to)
            write_calls(module, f, to);
    }
}

static void add_module(struct pack *pack, const char *folder, const char *name)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer, bitcode;
    LLVMModuleRef module;
    char path[4096], *text, *error = NULL;

    snprintf(path, sizeof path, "%s/%s.ll", folder, name);
    text = read_text(path);
    clean_text(text);
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), name);
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        die("%s: %s", path, error);
    write_intrinsics(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *symbol = LLVMGetValueName(f);

        if (starts_with(symbol, "llvm."))
            continue;
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        add_symbol(pack, symbol, !LLVMIsDeclaration(f));
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetLinkage(g) == LLVMExternalLinkage && !LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
    LLVMSetSourceFileName(module, name, strlen(name));
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error))
        die("%s: %s", path, error);
    LLVMDisposeMessage(error);
    bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    pack->modules[pack->module_count++] =
        (struct module){name, pack->blob_bytes, LLVMGetBufferSize(bitcode)};
    write_blob(pack, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
    LLVMDisposeMemoryBuffer(bitcode);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    free(text);
}

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order ? order : (int)y->defined - (int)x->defined; // definitions first
}

// What the work-group former provides (abi/cpu_abi.h).
static bool is_root(const char *name)
{
    static const char *const roots[] = {
        "__tf_local_id",      "__tf_global_id", "__tf_launch", "__tf_worker",
        "__tf_group",         "__tf_barrier",   "__tf_space",  "__tf_group_scratch",
        "__tf_named_barrier", "__tf_enqueue",   "__tf_ask",    "__tf_estimate_bits",
        "__tf_has_fma"};

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (!strcmp(name, roots[i]))
            return true;
    return !strncmp(name, "__tf_sub_group_", strlen("__tf_sub_group_"));
}

// Leaves each defined symbol once, sorted by name.
static void resolve_symbols(struct pack *pack)
{
    size_t kept = 0;

    qsort(pack->symbols, pack->symbol_count, sizeof *pack->symbols, compare_symbols);
    for (size_t i = 0; i < pack->symbol_count; i++) {
        const struct symbol *s = &pack->symbols[i];
        const bool known = kept && !strcmp(pack->symbols[kept - 1].name, s->name);

        if (known && s->defined)
            die("%s is defined by %s and by %s", s->name,
                pack->modules[pack->symbols[kept - 1].module].name,
                pack->modules[s->module].name);
        if (!known && !s->defined && !is_root(s->name))
            die("%s calls %s, which no module defines", pack->modules[s->module].name,
                s->name);
        if (s->defined)
            pack->symbols[kept++] = *s;
    }
    pack->symbol_count = kept;
}

static void write_tables(struct pack *pack, const char *blob_path, FILE *out)
{
    fprintf(out,
            "// Made by tools/pack_builtins.c.\n"
            "#include \"builtins/builtins_index.h\"\n\n"
            "__asm__(\".pushsection .rodata.tf_builtins, \\\"a\\\"\\n\"\n"
            "        \".balign 16\\n\"\n"
            "        \".hidden tf_builtin_blob\\n\"\n"
            "        \".globl tf_builtin_blob\\n\"\n"
            "        \"tf_builtin_blob:\\n\"\n"
            "        \".incbin \\\"%s\\\"\\n\"\n"
            "        \".popsection\\n\");\n\n"
            "const struct tf_builtin_module tf_builtin_modules[] = {\n",
            blob_path);
    for (unsigned i = 0; i < pack->module_count; i++)
        fprintf(out, "    {\"%s\", tf_builtin_blob + %lu, %lu},\n", pack->modules[i].name,
                pack->modules[i].offset, pack->modules[i].bytes);
    fprintf(out,
            "};\nconst int tf_builtin_modules_count = %u;\n\n"
            "const struct tf_builtin_symbol tf_builtin_symbols[] = {\n",
            pack->module_count);
    for (size_t i = 0; i < pack->symbol_count; i++) {
        const struct symbol *s = &pack->symbols[i];

        fprintf(out, "    {%lu, %u},\n", pack->blob_bytes, s->module);
        write_blob(pack, s->name, strlen(s->name) + 1);
    }
    fprintf(out, "};\nconst int tf_builtin_symbols_count = %zu;\n", pack->symbol_count);
}

static void write_symbols(const struct pack *pack, FILE *out)
{
    for (size_t i = 0; i < pack->symbol_count; i++)
        fprintf(out, "%s %s\n", pack->symbols[i].name,
                pack->modules[pack->symbols[i].module].name);
}

int main(int argc, char **argv)
{
    struct pack pack = {0};
    FILE *tables, *symbols;

    if (argc < 6)
        die("usage: pack_builtins OUT.bin OUT.c OUT.txt FOLDER MODULE...");
    pack.blob = fopen(argv[1], "wb");
    tables = fopen(argv[2], "w");
    symbols = fopen(argv[3], "w");
    if (!pack.blob || !tables || !symbols)
        die("%s, %s or %s cannot be written", argv[1], argv[2], argv[3]);
    pack.modules = checked(calloc((size_t)argc, sizeof *pack.modules));
    for (int i = 5; i < argc; i++)
        add_module(&pack, argv[4], argv[i]);
    resolve_symbols(&pack);
    write_tables(&pack, argv[1], tables);
    write_symbols(&pack, symbols);
    if (fclose(pack.blob) || fclose(tables) || fclose(symbols))
        die("%s, %s or %s cannot be written", argv[1], argv[2], argv[3]);
    for (size_t i = 0; i < pack.symbol_count; i++)
        free(pack.symbols[i].name);
    free(pack.symbols);
    free(pack.modules);
    return 0;
}
