// SPDX-License-Identifier: MIT
// This library's own __cxa_atexit: registers nothing. LLVM and Clang have hundreds of
// static objects; if their destructors ran at exit while a compile thread still works,
// the process would crash. The memory belongs to the process, which ends.
int __cxa_atexit(void (*destroy)(void *), void *object, void *dso);

int __cxa_atexit(void (*destroy)(void *), void *object, void *dso)
{
    (void)destroy;
    (void)object;
    (void)dso;
    return 0;
}
