// SPDX-License-Identifier: MIT
// The file system as the program's compilation sees it on disk, with a word to the caller
// of what each path was found to be, once a path: by those words a cache tells later
// whether the compilation would find the same.
#ifndef TF_COMPILER_CLANG_FILE_RECORDER_H
#define TF_COMPILER_CLANG_FILE_RECORDER_H

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/clang/clang_frontend.h"

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_recorder(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const struct tf_clang_in *in);

#endif // TF_COMPILER_CLANG_FILE_RECORDER_H
