// SPDX-License-Identifier: MIT
#include "support/compiled_source.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "base/lib.h"
#include "support/features.h"

const struct tf_compiler *test_compiler(void)
{
    static const struct tf_compiler *table;
    const char *folder = getenv("TREFOIL_BUILD_DIR");
    tf_compiler_entry_fn entry;
    char path[4096], text[300];

    if (table)
        return table;
    snprintf(path, sizeof(path), "%s/libtrefoil-compiler.so", folder ? folder : ".");
    entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(path, TF_COMPILER_ENTRY_NAME,
                                                           text, sizeof(text));
    ck_assert_msg(entry, "%s", text);
    table = entry();
    ck_assert_uint_eq(table->cpu_abi, TF_CPU_ABI_VERSION);
    return table;
}

struct tf_compiler_device test_device(void)
{
    return (struct tf_compiler_device){
        .features = features_named("cl_ext_cxx_for_opencl cl_khr_byte_addressable_store "
                                   "cl_khr_fp64 __opencl_c_fp64 "
                                   "__opencl_c_generic_address_space __opencl_c_int64 "
                                   "__opencl_c_program_scope_global_variables "
                                   "__opencl_c_work_group_collective_functions"),
        .opencl_c_max = 310,
        .device_version = 310,
        .sub_group_size = 8,
        .max_group_size = 1024,
        .max_local_bytes = 32768,
        .max_variable_bytes = 65536,
    };
}

static int is_llvm(struct dl_phdr_info *info, size_t bytes, void *arg)
{
    (void)bytes;
    (void)arg;
    return strstr(info->dlpi_name, "libLLVM") != NULL;
}

// Called by main(), where no assertion may fail: without the library the tests will say
// so.
bool test_llvm_is_shared(void)
{
    const char *const folder = getenv("TREFOIL_BUILD_DIR");
    char path[4096], text[300];

    snprintf(path, sizeof path, "%s/libtrefoil-compiler.so", folder ? folder : ".");
    return tf_lib_symbol(path, TF_COMPILER_ENTRY_NAME, text, sizeof text) &&
           dl_iterate_phdr(is_llvm, NULL) != 0;
}

void test_build(struct test_build *out, const char *source, const char *options,
                const struct tf_compiler_device *device)
{
    const struct tf_compiler *const compiler = test_compiler();
    const struct tf_compiler_device standard = test_device();
    const struct tf_compile_in in = {.source = source,
                                     .source_bytes = strlen(source),
                                     .options = options,
                                     .device = device ? device : &standard};

    memset(out, 0, sizeof *out);
    out->status = compiler->compile(&in, &out->compiled);
    out->log = out->compiled.log;
    if (out->status != TF_COMPILER_OK)
        return;
    const struct tf_link_in link = {.modules = &out->compiled.bitcode,
                                    .module_count = 1,
                                    .options = options,
                                    .source = &in,
                                    .device = in.device};
    bool damaged;

    out->status = compiler->link(&link, &out->linked);
    out->log = out->linked.log;
    if (out->status != TF_COMPILER_OK)
        return;
    out->kernels =
        tf_kernel_info_unpack(out->linked.kernels.data, out->linked.kernels.bytes,
                              &out->kernel_count, &damaged);
    ck_assert_ptr_nonnull(out->kernels);
}

void test_build_finish(struct test_build *build)
{
    const struct tf_compiler *const compiler = test_compiler();

    compiler->release(build->compiled.bitcode.data);
    compiler->release(build->compiled.files.data);
    compiler->release(build->compiled.log);
    compiler->release(build->linked.bitcode.data);
    compiler->release(build->linked.kernels.data);
    compiler->release(build->linked.log);
    tf_free(build->kernels);
}

void test_build_expect(const char *source, const char *options,
                       enum tf_compiler_status status, const char *const texts[])
{
    struct test_build build;

    test_build(&build, source, options, NULL);
    ck_assert_ptr_nonnull(build.log);
    ck_assert_msg(build.status == status, "status %d with options '%s', log: %.2000s",
                  build.status, options, build.log);
    for (size_t i = 0; texts[i]; i++)
        ck_assert_msg(strstr(build.log, texts[i]) || strstr(build.compiled.log, texts[i]),
                      "no '%s' in: %.2000s", texts[i], build.log);
    test_build_finish(&build);
}
