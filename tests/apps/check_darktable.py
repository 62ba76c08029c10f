#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""darktable-cli: a picture developed with OpenCL against the same without. darktable leaves processors out unless its
configuration takes the device in, which is written at the first start; then it builds 35 programs and keeps their
binaries: minutes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import app

cv2, np = app.modules("cv2", "numpy")


def develop(program, folder, name, *options):
    out = pathlib.Path(folder, f"{name}.png")
    run = subprocess.run([program, f"{folder}/in.png", str(out), "--core", "--configdir", f"{folder}/config-{name}", "--cachedir",
                          f"{folder}/cache-{name}", "--library", ":memory:", "-d", "opencl", "--conf", "opencl_mandatory_timeout=20000",
                          *options], capture_output=True, text=True, check=False, timeout=850, env={**os.environ, "HOME": folder})
    text = run.stdout + run.stderr
    return (cv2.imread(str(out), cv2.IMREAD_UNCHANGED) if out.exists() else None), text


def take_device_in(configuration):
    """The eighth number of a device's line says that it is left out. Whether there is such a line."""
    text = configuration.read_text() if configuration.exists() else ""
    changed, count = re.subn(r"(?m)^(cldevice_v\d+_\w+=(?:[\d.]+ ){7})1 ", r"\g<1>0 ", text)
    configuration.parent.mkdir(exist_ok=True)
    configuration.write_text(changed)
    return count > 0


def main():
    program = shutil.which("darktable-cli")
    if not program:
        return app.skip("darktable is not installed")
    with tempfile.TemporaryDirectory() as folder:
        y, x = np.mgrid[0:200, 0:300]
        picture = np.stack([x * 255 // 300, y * 255 // 200, (x * y) % 256], axis=2).astype(np.uint8)
        cv2.imwrite(f"{folder}/in.png", cv2.GaussianBlur(picture, (5, 5), 1))
        without, _ = develop(program, folder, "without", "--disable-opencl")
        develop(program, folder, "with")
        known = take_device_in(pathlib.Path(folder, "config-with", "darktablerc"))
        got, text = develop(program, folder, "with")
    if without is None:
        return app.skip("darktable-cli develops nothing here")
    if not known:
        return app.skip("darktable writes no device into its configuration")
    results = app.Results()
    results.case("developed", 255 if got is None else float(abs(got.astype(int) - without.astype(int)).max()), 2)
    used = "FINALLY: opencl is AVAILABLE" in text
    results.case("used OpenCL", 0 if used else 1, 0)
    if got is None or not used:
        print(text[-2000:])
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
