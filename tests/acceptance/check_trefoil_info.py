# SPDX-License-Identifier: MIT
"""trefoil-info answers every query of the library's own table, in JSON that is JSON, and its
self-test fails where kernels do not run, are wrong, or there is no device."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

QUERY = re.compile(r"^(?:SCALAR|STRING|BYTES|CALL|LISTED\w*)\((?:cl_\w+, )?(CL_\w+)", re.M)
FORMS = ("auto", "loops", "simt", "gang_fibers", "fibers")


class Checks:
    def __init__(self, program):
        self.program = program
        self.faults = []

    def expect(self, holds, text):
        if not holds:
            self.faults.append(text)

    def run(self, *arguments, **environment):
        start = time.monotonic()
        result = subprocess.run([self.program, *arguments], capture_output=True, check=False, timeout=200,
                                env={**os.environ, **environment})
        result.seconds = time.monotonic() - start
        return result

    def facts(self, queries):
        result = self.run("--json")
        self.expect(result.returncode == 0, f"--json ends with {result.returncode}: {result.stderr!r}")
        facts = json.loads(result.stdout)
        device = facts["devices"][0]
        self.expect(len(facts["devices"]) == 1, "not one device")
        for query in queries:
            self.expect(query in device, f"{query} is in the library's table, not in the output")
            self.expect(device.get(query) is not None, f"{query} has no answer")
        for query, value in device.items():
            # Names are known of every bit and enumeration; only UUIDs are bytes.
            named = all(not isinstance(v, str) or not v.startswith("0x") for v in
                        (value if isinstance(value, list) else [value]))
            self.expect(named, f"{query} has a value without a name: {value}")
            self.expect(not re.fullmatch("([0-9a-f]{2})+", str(value)) or "UID" in query
                        or not isinstance(value, str), f"{query} is shown as bytes: {value}")
        machine, library = facts["machine"], facts["library"]
        self.expect(machine["level in use"] in machine["levels of instructions"], "level is none of them")
        self.expect(sorted(machine["CPUs of this process"]) == sorted(os.sched_getaffinity(0)), "not our CPUs")
        self.expect(device["CL_DEVICE_MAX_COMPUTE_UNITS"] > 0, "no compute units")
        self.expect(library["library"].endswith("libtrefoil.so"), f"library: {library}")
        self.expect(re.fullmatch(r"\d+\.\d+\.\d+", library["LLVM"]), f"LLVM: {library}")
        people = self.run()
        self.expect(people.returncode == 0, f"without arguments it ends with {people.returncode}")
        for query in queries:
            self.expect(query.encode() in people.stdout, f"{query} is not shown to people")

    def environment(self, names):
        odd = b'a"\\\xff\x01\xc3\xa4'
        result = self.run("--env", "--json", TREFOIL_PLATFORM_NAME=os.fsdecode(odd), TREFOIL_THREADS="1")
        table = json.loads(result.stdout.decode("utf-8"))["environment"]
        self.expect(set(table) == names, f"--env: {set(table) ^ names} are on one side only")
        self.expect(table["TREFOIL_PLATFORM_NAME"]["value"] == 'a"\\\ufffd\x01\u00e4', "odd bytes got lost")
        self.expect(table["TREFOIL_THREADS"]["value"] == "1", "TREFOIL_THREADS is not 1")
        self.expect(table["TREFOIL_PACK"]["value"] is None, "TREFOIL_PACK has a value")
        self.expect(not any("unknown" in entry for entry in table.values()), "a right value is called unknown")

    def unknown_values(self):
        wrong = {"TREFOIL_WG": "lops", "TREFOIL_LOG": "eror,device", "TREFOIL_THREADS": "many"}
        table = json.loads(self.run("--env", "--json", **wrong).stdout)["environment"]
        for name, value in wrong.items():
            self.expect(table[name].get("unknown") == value, f"{name}={value} is not called unknown: {table[name]}")
        self.expect(table["TREFOIL_LOG"]["value"] == "device", "what TREFOIL_LOG knows is lost")
        people = self.run("--env", **wrong).stdout
        self.expect(b"TREFOIL_WG=lops  (unknown: ignored)\n" in people, "people are not told of an unknown value")
        self.expect(b"TREFOIL_LOG=eror,device  (ignored: " in people, "people are not told of an unknown word")
        # The driver says so too, once however many processes compile for it, and goes on as without.
        for compiler in ("process", "thread"):
            result = self.run("--self-test=here", TREFOIL_COMPILER=compiler, **wrong)
            self.expect(result.returncode == 0, f"{compiler}: unknown values end with {result.returncode}")
            for name, value in wrong.items():
                self.expect(result.stderr.count(f"trefoil: {name}={value}: ".encode()) == 1,
                            f"{compiler}: {name} is not told once: {result.stderr!r}")
        told = self.run("--self-test", TREFOIL_ISA="sse2", TREFOIL_LOG="eror").stderr
        self.expect(told.count(b"TREFOIL_LOG=eror: ") == 1, f"each process of the self-test tells: {told!r}")
        self.expect(self.run("--self-test=here", TREFOIL_WG="loops", TREFOIL_LOG="none").stderr == b"",
                    "right values are talked about")

    def self_test(self):
        facts = json.loads(self.run("--json").stdout)
        result = self.run("--self-test", "--json")
        outcome = json.loads(result.stdout)["self-test"]
        self.expect(result.returncode == 0 and outcome["passed"], f"self-test: {outcome}")
        for level in facts["machine"]["levels of instructions"]:
            for form in FORMS:
                self.expect("6 kernels right" in outcome.get(f"{level}, {form}", ""), f"{level}, {form} is missing")
        print(f"self-test: {result.seconds:.1f} s")

    def failing(self, wrong_results):
        with tempfile.TemporaryDirectory() as folder:
            cases = {
                "no device": {"OCL_ICD_VENDORS": folder},
                "no compiler": {"TREFOIL_COMPILER_LIBRARY": folder + "/none.so"},
                "wrong results": {"LD_PRELOAD": wrong_results,
                                  "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"},
            }
            for name, environment in cases.items():
                result = self.run("--self-test", "--json", TREFOIL_ISA="sse2", **environment)
                outcome = json.loads(result.stdout)["self-test"]
                self.expect(result.returncode == 1, f"{name}: --self-test ends with {result.returncode}")
                self.expect(outcome["passed"] is False, f"{name}: {outcome}")
                self.expect((b"Trefoil is not among them" in result.stderr) == (name == "no device"),
                            f"{name}: it is explained by {result.stderr}")
                if name == "no device":
                    self.expect("failed: CL_DEVICE_NOT_FOUND" in outcome["sse2, auto"], f"the error has no name: {outcome}")
            self.expect("element 25 is" in outcome["sse2, auto"], f"wrong results: {outcome['sse2, auto']}")
            result = self.run("--json", OCL_ICD_VENDORS=folder)
            self.expect(result.returncode == 1 and json.loads(result.stdout)["devices"] == [], "devices of none")
            self.expect(b"Trefoil is not among them" in result.stderr, "nothing is explained")
        self.expect(self.run("-h").stdout == self.run("--help").stdout != b"", "-h does not help")
        nonsense = self.run("--nonsense")
        self.expect(nonsense.returncode == 2 and b"--nonsense makes no sense" in nonsense.stderr, f"--nonsense: {nonsense}")
        both = self.run("--list", "--json")
        self.expect(both.returncode == 2 and b"--json makes no sense with --list" in both.stderr, f"--list --json: {both}")
        self.expect(self.run("--env", "--list").returncode == 2, "two questions are taken")
        with open("/dev/full", "wb") as full:
            status = subprocess.run([self.program, "--env"], stdout=full, check=False).returncode
        self.expect(status == 1, f"a full disk goes unnoticed: {status}")


def main(program, wrong_results, source):
    top = pathlib.Path(source)
    checks = Checks(program)
    checks.facts(QUERY.findall((top / "src/core/platform/device_info.def").read_text()))
    checks.environment(set(re.findall(r'\{\s*"(TREFOIL_[A-Z_]+)"', (top / "src/base/env.c").read_text())))
    checks.unknown_values()
    checks.self_test()
    checks.failing(wrong_results)
    print("\n".join(checks.faults) or "trefoil-info: every query answered, every failure noticed")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
