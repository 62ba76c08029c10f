# SPDX-License-Identifier: MIT
"""Where the random kernels that were wrong are kept: build/fuzz, below the current folder, which git ignores."""
import pathlib

FOLDER = pathlib.Path("build/fuzz")


def keep(name, content):
    """Writes the file FOLDER/name, of text or bytes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_bytes(content.encode() if isinstance(content, str) else content)
