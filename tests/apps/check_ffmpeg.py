#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs ffmpeg's OpenCL filters, which read and write images, and compares them with its own in C.

    check_ffmpeg.py          exit status 77: no ffmpeg with OpenCL here

Filters that treat the border of a picture in another way are compared inside of it.
"""
import os
import shutil
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, FRAMES, MARGIN = 320, 240, 3, 12
SKIP = 77
# name, of OpenCL, in C, greatest difference, inside of a margin
FILTERS = (
    ("upload and download", "null", "null", 0, 0),
    ("erosion", "erosion_opencl", "erosion", 0, 0),
    ("dilation", "dilation_opencl", "dilation", 0, 0),
    ("transpose", "transpose_opencl=dir=1", "transpose=dir=1", 0, 0),
    ("pad", "pad_opencl=400:300:20:30", "pad=400:300:20:30", 0, 0),
    ("convolution", "convolution_opencl=0m=0 -1 0 -1 5 -1 0 -1 0",
     "convolution=0m=0 -1 0 -1 5 -1 0 -1 0", 0, 0),
    ("average", "avgblur_opencl=sizeX=3", "avgblur=sizeX=3", 1, MARGIN),
    ("box", "boxblur_opencl=luma_radius=3:luma_power=1", "boxblur=luma_radius=3:luma_power=1", 1, MARGIN),
    ("sobel", "sobel_opencl", "sobel", 1, MARGIN),
    ("prewitt", "prewitt_opencl", "prewitt", 1, MARGIN),
    ("roberts", "roberts_opencl", "roberts", 1, MARGIN),
)
# Mirrors, through a sampler with normalized coordinates that hit the middle of each pixel.
MIRROR = """
kernel void mirror(write_only image2d_t to, uint frame, read_only image2d_t from)
{
    const sampler_t s =
        CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    const int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(to);

    if (at.x < size.x && at.y < size.y)
        write_imagef(to, at, read_imagef(from, s, (float2)((size.x - at.x - 0.5f) / size.x,
                                                           (at.y + 0.5f) / size.y)));
}
"""


def ffmpeg(filters, pixels, with_opencl):
    """The bytes of all frames."""
    command = ["ffmpeg", "-v", "error", "-nostdin"]
    if with_opencl:
        command += ["-init_hw_device", "opencl=cl:0.0", "-filter_hw_device", "cl"]
        filters = f"format={pixels},hwupload,{filters},hwdownload,format={pixels}"
    else:
        filters = f"format={pixels},{filters}"
    source = f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5:duration={FRAMES / 5}"
    command += ["-f", "lavfi", "-i", source, "-vf", filters, "-pix_fmt", pixels, "-f", "rawvideo", "-"]
    run = subprocess.run(command, capture_output=True, timeout=200)
    if run.returncode:
        raise RuntimeError(run.stderr.decode(errors="replace")[-2000:])
    return run.stdout


def difference(a, b, margin):
    """The greatest one, of the whole or of the first plane without a margin."""
    if not a or len(a) != len(b):
        return 256
    if not margin:
        return 0 if a == b else max(abs(x - y) for x, y in zip(a, b))
    worst, frame = 0, len(a) // FRAMES
    for start in range(0, len(a), frame):
        for y in range(margin, HEIGHT - margin):
            row = slice(start + y * WIDTH + margin, start + (y + 1) * WIDTH - margin)
            if a[row] != b[row]:
                worst = max(worst, *(abs(x - z) for x, z in zip(a[row], b[row])))
    return worst


def mirrored():
    """How far a kernel of our own is from ffmpeg's filter."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mirror.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write(MIRROR)
        return difference(ffmpeg(f"program_opencl=source={path}:kernel=mirror", "rgba", True),
                          ffmpeg("hflip", "rgba", False), 0)


def main():
    if not shutil.which("ffmpeg") or b"avgblur_opencl" not in subprocess.run(
            ["ffmpeg", "-hide_banner", "-filters"], capture_output=True).stdout:
        print("no ffmpeg with OpenCL")
        return SKIP
    faults = 0
    for name, opencl, plain, most, margin in FILTERS:
        found = difference(ffmpeg(opencl, "yuv420p", True), ffmpeg(plain, "yuv420p", False), margin)
        print(f"{name}: differs by {found}, at most {most} may be")
        faults += found > most
    found = mirrored()
    print(f"a kernel of our own: differs by {found}, at most 1 may be")
    return 1 if faults or found > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
