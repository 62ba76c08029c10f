#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GEGL: operations with OpenCL against the same without."""
import os
import shutil
import subprocess
import sys
import tempfile

import app

cv2, np = app.modules("cv2", "numpy")
OPERATIONS = (("gaussian-blur", "std-dev-x=3", "std-dev-y=3"), ("box-blur", "radius=4"), ("invert-linear",),
              ("brightness-contrast", "contrast=1.5", "brightness=0.1"), ("pixelize", "size-x=8", "size-y=8"),
              ("edge-sobel",), ("levels", "in-low=0.2", "in-high=0.7"),
              ("bilateral-filter", "blur-radius=3"))
# Not snn-mean: its kernel differs from its C by 46 of 255, with pocl by just as much.
MOST = 2  # of 255


def main():
    program = shutil.which("gegl")
    if not program:
        return app.skip("gegl is not installed")
    results = app.Results()
    with tempfile.TemporaryDirectory() as folder:
        picture = np.random.RandomState(1).randint(0, 255, (24, 32, 3)).astype(np.uint8)
        cv2.imwrite(f"{folder}/in.png", cv2.resize(picture, (320, 240), interpolation=cv2.INTER_CUBIC))

        def run(operation, opencl):
            out = f"{folder}/{opencl}.png"
            if os.path.exists(out):
                os.remove(out)
            text = subprocess.run([program, f"{folder}/in.png", "-o", out, "--", *operation], capture_output=True, text=True,
                                  check=False, timeout=300, env={**os.environ, "GEGL_USE_OPENCL": opencl, "HOME": folder})
            return cv2.imread(out), text.stdout + text.stderr

        for operation in OPERATIONS:
            (without, text), (with_opencl, said) = run(operation, "no"), run(operation, "cpu")
            if without is None:
                print(f"{operation[0]}: not in this GEGL: {text[-200:]}")
                continue
            worst = 256 if with_opencl is None else int(abs(without.astype(int) - with_opencl.astype(int)).max())
            results.case(operation[0], worst, MOST)
            if worst > MOST:
                print(said[-500:])
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
