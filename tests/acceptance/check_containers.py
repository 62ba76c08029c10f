# SPDX-License-Identifier: MIT
"""A kernel is built and runs where containers and batch systems put programs: with hardly any environment,
for users without a home, on a file system that is read-only, without /proc, /sys or /dev/shm, with one
CPU, under a filter of system calls, with few descriptors. (Quotas: unit_cpu_topology.)"""
import ctypes
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

KERNEL = """// RUN: scale global=256 local=16
// ARG: out float[256]
// EXPECT: out = 2*i + 15
kernel void scale(global float *out)
{
    local int ids[16];
    const int at = get_local_id(0);

    ids[at] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 2.0f * get_global_id(0) + ids[15];
}
"""
NOBODY = 65534
# Of x86-64: what the filters of common container engines refuse of what a driver might try.
REFUSED = {"mbind": 237, "set_mempolicy": 238, "get_mempolicy": 239, "keyctl": 250, "move_pages": 279, "unshare": 272,
           "perf_event_open": 298, "kcmp": 312, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "ptrace": 101,
           "process_vm_readv": 310, "mount": 165, "quotactl": 179, "add_key": 248, "personality": 135}
EPERM = 1


def filter_calls():
    """Before exec: these system calls fail."""
    def step(code, true, false, value):
        return struct.pack("<HBBI", code, true, false, value)

    load, equal, answer = 0x20, 0x15, 0x06
    numbers = list(REFUSED.values())
    steps = [step(load, 0, 0, 0)]
    steps += [step(equal, len(numbers) - i, 0, number) for i, number in enumerate(numbers)]
    steps += [step(answer, 0, 0, 0x7fff0000), step(answer, 0, 0, 0x00050000 | EPERM)]
    program = b"".join(steps)
    kept = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("<HxxxxxxQ", len(steps), ctypes.addressof(kept))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(head), 0, 0):
        os._exit(126)


def limit():
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def nobody_can_run(program):
    """Not where it lies in a folder that is only its owner's."""
    try:
        return subprocess.run([program, "--help"], preexec_fn=as_nobody, capture_output=True, check=False).returncode == 0
    except PermissionError:
        return False


def in_namespace(script):
    """A shell with its own mounts; as somebody in a user namespace where we are not root."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", "--mount", *user, "sh", "-ec", script + '; exec "$@"', "sh"]


class Places:
    def __init__(self, runner, kernel):
        self.runner, self.kernel, self.faults, self.left_out = runner, kernel, [], []
        self.few = {name: os.environ[name] for name in ("OCL_ICD_VENDORS", "TREFOIL_THREADS", "LD_PRELOAD", "ASAN_OPTIONS",
                                                        "TSAN_OPTIONS") if name in os.environ}

    def attempt(self, name, prefix=(), environment=None, before=None):
        result = subprocess.run([*prefix, self.runner, "--platform", "Trefoil", self.kernel], capture_output=True, text=True,
                                check=False, timeout=200, stdin=subprocess.DEVNULL, preexec_fn=before, cwd="/",
                                env=self.few if environment is None else environment)
        if result.returncode or "pass " not in result.stdout:
            self.faults.append(f"{name}: {result.returncode} {result.stdout}{result.stderr}")

    def try_mounts(self):
        if not shutil.which("unshare") or subprocess.run(in_namespace("mount -t tmpfs none /mnt") + ["true"],
                                                         capture_output=True, check=False).returncode:
            self.left_out.append("mounts")
            return
        empty = "mount -t tmpfs -o ro none "
        self.attempt("read-only", in_namespace("mount --make-rprivate /; mount --bind / / || true; "
                                               "for at in / /tmp /dev/shm /var /root; do mount -o remount,bind,ro $at 2>/dev/null "
                                               "|| true; done"), {**self.few, "HOME": "/root"})
        for folder in ("/sys", "/dev/shm", "/root"):
            if os.path.isdir(folder):
                self.attempt(f"empty {folder}", in_namespace(empty + folder))
        if not os.path.realpath(self.runner).startswith("/proc"):
            self.attempt("empty /proc", in_namespace(empty + "/proc"))


def main(runner):
    # Where others may look, too.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        kernel = os.path.join(folder, "scale.cl")
        pathlib.Path(kernel).write_text(KERNEL)
        places = Places(runner, kernel)
        places.attempt("hardly an environment")
        home = os.path.join(folder, "home")
        places.attempt("HOME that is not there", environment={**places.few, "HOME": home})
        if os.path.exists(home):
            places.faults.append("HOME that is not there was made")
        if os.geteuid() == 0 and nobody_can_run(runner):
            places.attempt("nobody", before=as_nobody)
        else:
            places.left_out.append("another user")
        places.attempt("one CPU", before=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        places.attempt("few descriptors", before=limit)
        if os.uname().machine == "x86_64":
            places.attempt("filtered calls", before=filter_calls)
        places.try_mounts()
    print("\n".join(places.faults) or "kernels run wherever they are put; left out: " + (", ".join(places.left_out) or "nothing"))
    return 1 if places.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
