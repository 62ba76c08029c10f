# SPDX-License-Identifier: MIT
"""The quota of a control group, of either version, limits the compute units of the device: a group is made, where this
process may, and trefoil-info runs in it."""
import json
import os
import pathlib
import subprocess
import sys
import time

SKIP = 77
ROOT = pathlib.Path("/sys/fs/cgroup")
PERIOD_US = 100000


def own_group(controller):
    """The folder of the group that this process is in; `controller` "" for version 2."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if (controller in controllers.split(",")) if controller else (number == "0" and not controllers):
            return path.lstrip("/")
    return None


def places():
    """(folder to make a group in, file for the quota, what to write there for `cpus`)"""
    for mounted in (ROOT / "cpu", ROOT / "cpu,cpuacct"):
        if (mounted / "cpu.cfs_quota_us").exists() or (mounted / "cgroup.procs").exists():
            yield mounted / (own_group("cpu") or ""), "cpu.cfs_quota_us", lambda cpus: str(cpus * PERIOD_US)
            yield mounted, "cpu.cfs_quota_us", lambda cpus: str(cpus * PERIOD_US)
    if (ROOT / "cgroup.controllers").exists():
        yield ROOT / (own_group("") or ""), "cpu.max", lambda cpus: f"{cpus * PERIOD_US} {PERIOD_US}"
        yield ROOT, "cpu.max", lambda cpus: f"{cpus * PERIOD_US} {PERIOD_US}"


def units(info, group):
    def enter():
        (group / "cgroup.procs").write_text(str(os.getpid()))

    environment = {k: v for k, v in os.environ.items() if k != "TREFOIL_THREADS"}
    result = subprocess.run([info, "--json"], capture_output=True, text=True, check=True, env=environment, timeout=200,
                            preexec_fn=enter if group else None)  # pylint: disable=subprocess-popen-preexec-fn

    def find(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "CL_DEVICE_MAX_COMPUTE_UNITS":
                    return int(str(value).split()[0])
                if (found := find(value)) is not None:
                    return found
        if isinstance(node, list):
            return next((found for each in node if (found := find(each)) is not None), None)
        return None

    return find(json.loads(result.stdout))


def remove(group):
    """Once its processes have ended."""
    for _ in range(100):
        try:
            group.rmdir()
            return
        except OSError:
            time.sleep(0.1)
    print(f"{group} is left")


def main(info):
    cpus = len(os.sched_getaffinity(0))
    without = units(info, None)
    if not without or without > cpus:
        print(f"{without} compute units on {cpus} CPUs")
        return 1
    if without == 1:
        print("skip: there is one CPU, or a quota of one, already")
        return SKIP
    problem = "no control groups for CPUs"
    for folder, name, text in places():
        group = folder / f"trefoil-quota-{os.getpid()}"
        try:
            group.mkdir()
        except OSError as error:
            problem = error
            continue
        try:
            (group / name).write_text(text(1))
            found = units(info, group)
            print(f"{without} compute units, {found} with a quota of one CPU")
            return 0 if found == 1 else 1
        except (OSError, subprocess.SubprocessError) as error:
            problem = error
        finally:
            remove(group)
    print(f"skip: no group with a quota could be made: {problem}")
    return SKIP


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
