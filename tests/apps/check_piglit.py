#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""piglit's profile cl: every test passes or is skipped, but for those that want what is not so, with the reason."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import app

NOT_SO = {
    "api/clgetextensionfunctionaddressforplatform": "the loader answers for what is no platform",
    "api/clgetdeviceinfo": "wants OpenCL C 1.1 as the newest",
    "api/clgetcommandqueueinfo": "CL_QUEUE_SIZE is an error of queues of the host",
    "api/clcreateprogramwithbinary": "makes a kernel of a program that was not built",
    "api/clgetkernelarginfo": "argument information is always there",
    "api/clgetkernelinfo": "attributes are given as written, with their blanks",
    "api/clsetkernelarg": "since 3.1 an argument in local memory may have no bytes",
    "program/build/include-directories": "Debian leaves its header out",
    "program/execute/amdgcn-f32-inline-immediates": "wants subnormal numbers to become zeros",
}


def main():
    program = shutil.which("piglit")
    if not program:
        return app.skip("piglit is not installed")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home}
        ran = subprocess.run([program, "run", "-c", "cl", f"{home}/results"], capture_output=True, text=True, check=False,
                             env=environment)
        told = subprocess.run([program, "summary", "console", f"{home}/results"], capture_output=True, text=True, check=False,
                              env=environment).stdout
    rows = re.findall(r"^(\S.*): (pass|fail|crash|timeout|skip|warn|incomplete)$", told, re.M)
    if not any(how == "pass" for _, how in rows):
        return app.skip(f"piglit runs nothing here: {(ran.stdout + ran.stderr + told)[-300:]}")
    results = app.Results()
    for name, how in rows:
        if how not in ("pass", "skip") and not any(name.startswith(known) for known in NOT_SO):
            results.case(f"{name}: {how}", 1, 0)
    print(f"{sum(how == 'pass' for _, how in rows)} pass")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
