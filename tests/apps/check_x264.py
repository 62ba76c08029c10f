#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""x264: its lookahead with OpenCL. It asks for devices of the type GPU only."""
import re
import shutil
import subprocess
import sys
import tempfile

import app

WIDTH, HEIGHT, FRAMES = 320, 192, 12


def quality(program, path, *options):
    run = subprocess.run([program, "--input-res", f"{WIDTH}x{HEIGHT}", "--fps", "25", "--psnr", "--tune", "psnr",
                          *options, "-o", path + ".264", path], capture_output=True, text=True, check=False, timeout=300)
    found = re.search(r"PSNR Mean.*Global:\s*([\d.]+)", run.stderr)
    return (float(found[1]) if found and not run.returncode else float("nan")), run.stderr


def main():
    program = shutil.which("x264")
    if not program:
        return app.skip("x264 is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/moving.yuv"
        with open(path, "wb") as file:
            for frame in range(FRAMES):
                file.write(bytes((x * x // 64 + y * 3 + 5 * frame) & 255 for y in range(HEIGHT) for x in range(WIDTH)))
                file.write(b"\x80" * (WIDTH * HEIGHT // 2))
        without, _ = quality(program, path)
        with_opencl, text = quality(program, path, "--opencl")
    if "OpenCL acceleration enabled" not in text:
        return app.skip("x264 wants a GPU: " + " ".join(line for line in text.splitlines() if "OpenCL" in line))
    results = app.Results()
    results.case("quality in dB", abs(with_opencl - without), 1)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
