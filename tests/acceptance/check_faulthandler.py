# SPDX-License-Identifier: MIT
"""Python's faulthandler tells of a kernel with a wild pointer on a worker, as of any crash:
with the place where Python's own threads are. One worker: a second one that crashes meanwhile
would end the process before faulthandler has written all."""
import subprocess
import sys

try:
    import pyopencl
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

CRASH = """
import time
import numpy as np
import pyopencl as cl

device = next(p for p in cl.get_platforms() if p.name == "Trefoil").get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, '''
    kernel void wild(ulong address) { ((global int *)address)[get_global_id(0) & 63] = 1; }
''').build()
print("ready", flush=True)
program.wild(queue, (1024,), (64,), np.uint64(64))
queue.flush()
time.sleep(100)
"""


print(f"PyOpenCL {pyopencl.VERSION_TEXT}")
ended = subprocess.run([sys.executable, "-X", "faulthandler", "-c", CRASH], text=True,
                       capture_output=True, timeout=300, check=False)
WANTED = ("Fatal Python error: Segmentation fault", 'File "<string>"')
if ended.returncode == 0 or "ready" not in ended.stdout or \
        any(text not in ended.stderr for text in WANTED):
    sys.exit(f"status {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
