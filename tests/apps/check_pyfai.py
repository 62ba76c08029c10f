#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pyFAI: azimuthal integration of a picture of a detector on the device, against its own in Cython."""
import sys

import app

np, cl, _ = app.modules("numpy", "pyopencl", "pyFAI")
import pyFAI  # noqa: E402 pylint: disable=wrong-import-position
from pyFAI.azimuthalIntegrator import AzimuthalIntegrator  # noqa: E402 pylint: disable=wrong-import-position


def place():
    """(platform, device) as pyFAI counts them."""
    for p, platform in enumerate(cl.get_platforms()):
        if platform.name.startswith("Trefoil"):
            return p, 0
    print("no platform called Trefoil")
    return sys.exit(1)


def main():
    results = app.Results()
    detector = pyFAI.detector_factory("Pilatus100k")
    integrator = AzimuthalIntegrator(dist=0.1, poni1=0.02, poni2=0.04, detector=detector, wavelength=1e-10)
    image = np.random.RandomState(5).poisson(100, detector.shape).astype(np.float32)
    for split in ("no", "bbox"):
        for algorithm in ("csr", "lut"):
            wanted = integrator.integrate1d(image, 500, unit="2th_deg", method=(split, algorithm, "cython"))
            found = integrator.integrate1d(image, 500, unit="2th_deg", method=(split, algorithm, "opencl", place()))
            if "opencl" not in str(found.method).lower():
                results.case(f"{split}, {algorithm}: not on the device but {found.method}", 1, 0)
                continue
            results.case(f"{split}, {algorithm}", float(np.abs(wanted.intensity - found.intensity).max()), 1e-3)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
