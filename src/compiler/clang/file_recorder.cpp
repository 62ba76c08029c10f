// SPDX-License-Identifier: MIT
#include "compiler/clang/file_recorder.h"

#include <map>
#include <memory>
#include <string>
#include <system_error>

#include <llvm/Support/MemoryBuffer.h>

namespace
{

// What was said of each path so far.
class witness
{
  public:
    explicit witness(const struct tf_clang_in *in) : in_(in)
    {
    }

    // `status` of a file that is THERE or READ.
    void say(const std::string &path, enum tf_clang_found found, const char *text,
             uint64_t bytes, const llvm::vfs::Status *status = nullptr)
    {
        const auto known = said_.find(path);

        // A file that was asked for first is read later.
        if (!in_->found || (known != said_.end() && known->second >= found))
            return;
        said_[path] = found;
        in_->found(in_->user, path.c_str(), found, text, bytes,
                   status ? number_of(status->getUniqueID()) : 0);
    }
    void say_status(const std::string &path,
                    const llvm::ErrorOr<llvm::vfs::Status> &status)
    {
        if (!status)
            say(path, TF_CLANG_ABSENT, nullptr, 0);
        else if (status->isDirectory())
            say(path, TF_CLANG_FOLDER, nullptr, 0);
        else
            say(path, TF_CLANG_THERE, nullptr, status->getSize(), &*status);
    }

  private:
    uint64_t number_of(const llvm::sys::fs::UniqueID &id)
    {
        return numbers_.emplace(id, numbers_.size() + 1).first->second;
    }

    const struct tf_clang_in *in_;
    std::map<std::string, enum tf_clang_found> said_;
    std::map<llvm::sys::fs::UniqueID, uint64_t> numbers_;
};

class recorded_file final : public llvm::vfs::File
{
  public:
    recorded_file(std::unique_ptr<llvm::vfs::File> file, std::string path,
                  std::shared_ptr<witness> log)
        : file_(std::move(file)), path_(std::move(path)), log_(std::move(log))
    {
    }

    llvm::ErrorOr<llvm::vfs::Status> status() override
    {
        auto status = file_->status();

        log_->say_status(path_, status);
        return status;
    }
    llvm::ErrorOr<std::string> getName() override
    {
        return file_->getName();
    }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(
        const llvm::Twine &name, int64_t bytes, bool with_end, bool is_volatile) override
    {
        auto buffer = file_->getBuffer(name, bytes, with_end, is_volatile);

        const auto status = file_->status();

        if (buffer && status)
            log_->say(path_, TF_CLANG_READ, (*buffer)->getBufferStart(),
                      (*buffer)->getBufferSize(), &*status);
        else
            log_->say(path_, TF_CLANG_UNKNOWN, nullptr, 0);
        return buffer;
    }
    std::error_code close() override
    {
        return file_->close();
    }

  private:
    std::unique_ptr<llvm::vfs::File> file_;
    std::string path_;
    std::shared_ptr<witness> log_;
};

class file_recorder final : public llvm::vfs::ProxyFileSystem
{
  public:
    file_recorder(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                  const struct tf_clang_in *in)
        : ProxyFileSystem(std::move(files)), log_(std::make_shared<witness>(in))
    {
    }

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override
    {
        auto status = ProxyFileSystem::status(path);

        log_->say_status(path.str(), status);
        return status;
    }
    bool exists(const llvm::Twine &path) override
    {
        return static_cast<bool>(status(path));
    }
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
        const llvm::Twine &path) override
    {
        auto status = ProxyFileSystem::status(path);

        // A pipe would be waited for without end, and a device has no end.
        if (status && !status->isRegularFile() && !status->isDirectory()) {
            log_->say(path.str(), TF_CLANG_UNKNOWN, nullptr, 0);
            return std::make_error_code(std::errc::invalid_argument);
        }
        auto file = ProxyFileSystem::openFileForRead(path);

        if (!file) {
            // A folder is no file; what may not be read is there, and no record says so.
            if (status && !status->isDirectory())
                log_->say(path.str(), TF_CLANG_UNKNOWN, nullptr, 0);
            else
                log_->say_status(path.str(), status);
            return file.getError();
        }
        return std::unique_ptr<llvm::vfs::File>(
            new recorded_file(std::move(*file), path.str(), log_));
    }
    // LLVM's layers of file systems ask without looking at the error: of a folder that
    // was removed, or where the system may not tell.
    llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override
    {
        auto here = ProxyFileSystem::getCurrentWorkingDirectory();

        return here ? *here : std::string("/");
    }
    llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path,
                                            std::error_code &error) override
    {
        log_->say(path.str(), TF_CLANG_UNKNOWN, nullptr, 0);
        return ProxyFileSystem::dir_begin(path, error);
    }

  private:
    std::shared_ptr<witness> log_;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_recorder(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const struct tf_clang_in *in)
{
    return llvm::makeIntrusiveRefCnt<file_recorder>(std::move(files), in);
}
