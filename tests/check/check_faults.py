# SPDX-License-Identifier: MIT
"""Runs kernels under TREFOIL_CHECK and compares what is told with what the source says.

    check_faults.py TREFOIL_RUN FILE.cl ...

A line with a fault says so in a comment:
    // FAULT: kind kernel "what" ["where"] [id=3] [parent=name]
`what` and `where` are parts of the message's texts, id the first dimension of the global id,
parent the kernel that has enqueued it. Where chance says who comes last, the places have
EITHER-name in place of FAULT, and one of those with that name is told.
Each fault is told once, and nothing else. The rest of the file is trefoil-run's: results are
those that it expects, although the kernels are wrong.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

FAULT = re.compile(r'(FAULT|EITHER-\w+): (\S+) (\S+) "([^"]*)"(?: "([^"]*)")?(?: id=(\d+))?(?: parent=(\w+))?')


def wanted(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for which, kind, kernel, what, where, gid, parent in FAULT.findall(line):
                yield which, {"line": number, "kind": kind, "kernel": kernel, "what": what,
                              "where": where, "id": gid, "parent": parent}


def fits(fault, told):
    return (all(fault[key] == told[key] for key in ("line", "kind", "kernel"))
            and fault["what"] in told["what"] and fault["where"] in told["where"]
            and (not fault["id"] or int(fault["id"]) == told["global_id"][0])
            and fault["parent"] in ("", told.get("parent")))


def run(program, path, folder):
    log = os.path.join(folder, os.path.basename(path) + ".json")
    env = {**os.environ, "TREFOIL_CHECK": os.environ.get("TREFOIL_CHECK", "all"),
           "TREFOIL_CHECK_FILE": log}
    done = subprocess.run([program, "--platform", "Trefoil", path], env=env, text=True,
                          capture_output=True, timeout=1100)
    told = []
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            told = [json.loads(line) for line in file]
    return done, told


def compare(path, done, told):
    complaints = []
    if done.returncode != 0:
        complaints.append(f"status {done.returncode}\n{done.stdout}{done.stderr}")
    missing = {}
    for which, fault in wanted(path):
        found = [t for t in told if fits(fault, t)] if missing.get(which) != [] else []
        if found:
            told.remove(found[0])
        if which == "FAULT":
            complaints += [] if found else [f"{path}:{fault['line']}: not told: {fault}"]
        else:
            missing[which] = [] if found else missing.get(which, [fault])
    complaints += [f"{path}: {which}: not told: {of}" for which, of in missing.items() if of]
    complaints += [f"{path}:{t['line']}: told, but not wanted: {t}" for t in told]
    if not re.search(r"trefoil: check: \d+ faults?, \d+ different, in [1-9]\d* work-items",
                     done.stderr):
        complaints.append(f"{path}: no summary\n{done.stderr}")
    return complaints


def main(program, *paths):
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            complaints += compare(path, *run(program, path, folder))
    print("\n".join(complaints) or f"{len(paths)} files, all as they say")
    return bool(complaints) or not paths


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
