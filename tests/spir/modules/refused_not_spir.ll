; SPDX-License-Identifier: MIT
; Bitcode, but of C for some processor.
target triple = "x86_64-unknown-linux-gnu"
define void @k(i32* %out) nounwind {
  store i32 1, i32* %out
  ret void
}
