// SPDX-License-Identifier: MIT
// This library's own `new` and `delete`: every allocation of Clang and LLVM that is not a
// plain malloc comes here. The set is complete, because one memory must not pass between
// the `new` of one library (a sanitizer's, the application's) and the `delete` of
// another.
#include <cstdlib>
#include <new>

#include "compiler/job/compile_job.h"

namespace
{

// The largest block that a sane program makes Clang ask for is a few MiB. Nested macro
// arguments can double without a token leaving the preprocessor, up to all memory there
// is.
constexpr size_t max_block_bytes = size_t(128) << 20;

void *allocate(size_t bytes, size_t align)
{
    if (align <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        return std::malloc(bytes ? bytes : 1);
    return std::aligned_alloc(align, (bytes + align - 1) / align * align);
}

void *allocate_or_leave(size_t bytes, size_t align)
{
    void *block;

    if (bytes > max_block_bytes)
        tf_compile_job_leave(TF_COMPILER_BAD_SOURCE,
                             "error: the program needs too much memory to compile\n");
    block = allocate(bytes, align);
    if (!block)
        tf_compile_job_leave(TF_COMPILER_NO_MEMORY, "error: out of memory\n");
    return block;
}

} // namespace

void *operator new(size_t bytes)
{
    return allocate_or_leave(bytes, 1);
}
void *operator new[](size_t bytes)
{
    return allocate_or_leave(bytes, 1);
}
void *operator new(size_t bytes, std::align_val_t align)
{
    return allocate_or_leave(bytes, size_t(align));
}
void *operator new[](size_t bytes, std::align_val_t align)
{
    return allocate_or_leave(bytes, size_t(align));
}
void *operator new(size_t bytes, const std::nothrow_t &) noexcept
{
    return allocate(bytes, 1);
}
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept
{
    return allocate(bytes, 1);
}
void *operator new(size_t bytes, std::align_val_t align, const std::nothrow_t &) noexcept
{
    return allocate(bytes, size_t(align));
}
void *operator new[](size_t bytes, std::align_val_t align,
                     const std::nothrow_t &) noexcept
{
    return allocate(bytes, size_t(align));
}

void operator delete(void *block) noexcept
{
    std::free(block);
}
void operator delete(void *block, size_t) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::align_val_t) noexcept
{
    std::free(block);
}
void operator delete(void *block, size_t, std::align_val_t) noexcept
{
    std::free(block);
}
void operator delete(void *block, const std::nothrow_t &) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::align_val_t, const std::nothrow_t &) noexcept
{
    std::free(block);
}
void operator delete[](void *block) noexcept
{
    std::free(block);
}
void operator delete[](void *block, size_t) noexcept
{
    std::free(block);
}
void operator delete[](void *block, std::align_val_t) noexcept
{
    std::free(block);
}
void operator delete[](void *block, size_t, std::align_val_t) noexcept
{
    std::free(block);
}
void operator delete[](void *block, const std::nothrow_t &) noexcept
{
    std::free(block);
}
void operator delete[](void *block, std::align_val_t, const std::nothrow_t &) noexcept
{
    std::free(block);
}
