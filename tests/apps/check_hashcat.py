#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hashcat: its self-test of each kind of hash, and a word found by each, whose hash Python made."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import app

WORD = "trefoil"
KINDS = ((0, "md5"), (1400, "sha256"))


def main():
    program = shutil.which("hashcat")
    if not program:
        return app.skip("hashcat is not installed")
    results = app.Results()
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_DATA_HOME": f"{home}/data", "XDG_CACHE_HOME": f"{home}/cache"}
        for number, kind in KINDS:
            wanted = hashlib.new(kind, WORD.encode()).hexdigest()
            run = subprocess.run([program, "--force", "--quiet", "-D", "1", "-a", "3", "-m", str(number), "--potfile-disable",
                                  "-O", "--session", kind, wanted, WORD[:4] + "?l?l?l"], capture_output=True, text=True,
                                 check=False, timeout=500, env=environment, cwd=home)
            text = run.stdout + run.stderr
            if re.search(r"No devices found|No OpenCL", text):
                return app.skip(f"hashcat sees no device: {text[-300:]}")
            found = f"{wanted}:{WORD}" in text and not re.search("self-test", text, re.I)
            results.case(kind, 0 if found else 1, 0)
            if not found:
                print(text[-1500:])
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
