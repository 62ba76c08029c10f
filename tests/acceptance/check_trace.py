# SPDX-License-Identifier: MIT
"""TREFOIL_TRACE writes what a program did, in JSON, and the questions of doc/tracing.md have the
answers that the program knows, asked of SQLite and, where it is installed and can be started, of
Perfetto's trace processor. Whatever is wrong with the file, the program runs on."""
import collections
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

BYTES = 4 << 14


class Checks:
    def __init__(self, program, source):
        self.program = program
        self.faults = []
        text = (pathlib.Path(source) / "doc/tracing.md").read_text()
        self.questions = re.findall(r"```sql\n(.*?)```", text, re.S)
        self.expect(len(self.questions) == 3, "doc/tracing.md has not three questions")

    def expect(self, holds, text):
        if not holds:
            self.faults.append(text)

    def run(self, mode, trace, **environment):
        environment = {**os.environ, "TREFOIL_TRACE": str(trace), **environment}
        result = subprocess.run([self.program, mode], capture_output=True, text=True, check=False,
                                timeout=250, env=environment)
        self.expect(result.returncode == 0, f"{mode} with {trace} ends with {result.returncode}: {result.stderr}")
        return result

    def check_events(self, events):
        """What the work program did: calls with codes, commands with bytes, arrows, threads."""
        spans = [e for e in events if e["ph"] == "X"]
        by = collections.defaultdict(list)
        for span in spans:
            by[span["cat"], span["name"]].append(span)
            self.expect(span["dur"] >= 0 and span["ts"] >= 0, f"times of {span}")
        for name, count in (("clEnqueueNDRangeKernel", 2), ("clEnqueueReadBuffer", 2), ("clBuildProgram", 1)):
            self.expect(len(by["api", name]) == count, f"{name}: {by['api', name]}")
        codes = sorted(s["args"]["code"] for s in by["api", "clEnqueueReadBuffer"])
        self.expect(codes == [-30, 0], f"codes of clEnqueueReadBuffer: {codes}")
        for stage in ("compile", "link"):
            self.expect(by["build", stage], f"no stage {stage}")
        for kernel in ("first", "second"):
            command, = by["command", kernel]
            works = by["work", kernel]
            self.expect(sum(w["args"]["groups"] for w in works) == 256, f"groups of {kernel}: {works}")
            self.expect({w["args"]["command"] for w in works} == {command["args"]["command"]}, "whose work is it?")
            for work in works:
                self.expect(work["ts"] + work["dur"] <= command["ts"] + command["dur"] + 1, f"{work} outlives {command}")
        read, = by["command", "read buffer"]
        self.expect(read["args"]["bytes"] == BYTES, f"bytes: {read}")
        arrows = collections.Counter(e["ph"] for e in events if e.get("cat") == "dependency")
        self.expect(arrows == {"s": 3, "f": 3}, f"arrows: {arrows}")
        names = {e["args"]["name"] for e in events if e["ph"] == "M"}
        self.expect({"OpenCL queues", "acceptance_trac"} <= names, f"names: {names}")  # of 15 characters

    def check_answers(self, ask, who):
        rows = ask(self.questions[0])
        self.expect([r[:2] for r in sorted(rows)] == [("first", 1), ("read buffer", 1), ("second", 1)],
                    f"{who}, first question: {rows}")
        rows = ask(self.questions[1])
        self.expect(sorted((r[0], r[1]) for r in rows) ==
                    [("first", "read buffer"), ("first", "second"), ("second", "read buffer")],
                    f"{who}, second question: {rows}")
        self.expect(all(r[2] >= 0 for r in rows), f"{who}, who waits begins before it may: {rows}")
        rows = ask(self.questions[2])
        self.expect(rows and all(r[1] > 0 for r in rows), f"{who}, third question: {rows}")

    def check_many_answers(self, ask, who):
        rows = ask(self.questions[0])
        self.expect([r[:2] for r in rows] == [("first", 100000)], f"{who}, first question of many: {rows}")
        rows = ask(self.questions[1])
        self.expect(not rows, f"{who}, second question of many: {rows[:5]}")
        rows = ask(self.questions[2])
        self.expect(rows and all(r[1] > 0 for r in rows), f"{who}, third question of many: {rows}")

    def perfetto(self, path, check):
        try:
            from perfetto.trace_processor import TraceProcessor
            processor = TraceProcessor(trace=str(path))
        except Exception as problem:  # not installed, or its program cannot be had from the network
            print(f"Perfetto's trace processor was not asked: {type(problem).__name__}")
            return

        def ask(question):
            return [tuple(row.__dict__.values()) for row in processor.query(question)]

        check(ask, "Perfetto")
        processor.close()


def load(path):
    return json.loads(pathlib.Path(path).read_text())["traceEvents"]


def as_tables(events):
    """The tables of Perfetto that the questions name."""
    tables = sqlite3.connect(":memory:")
    tables.execute("CREATE TABLE slice (id, ts, dur, name, category, track_id)")
    tables.execute("CREATE TABLE flow (slice_out, slice_in)")
    spans = [e for e in events if e["ph"] == "X"]
    tables.executemany("INSERT INTO slice VALUES (?, ?, ?, ?, ?, ?)", (
        (i, round(e["ts"] * 1000), round(e["dur"] * 1000), e["name"], e["cat"], f"{e['pid']}.{e['tid']}")
        for i, e in enumerate(spans)))

    def around(arrow):
        found = [i for i, e in enumerate(spans) if (e["pid"], e["tid"]) == (arrow["pid"], arrow["tid"])
                 and e["ts"] <= arrow["ts"] <= e["ts"] + e["dur"]]
        return max(found, key=lambda i: spans[i]["ts"])

    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    for e in events:
        if e["ph"] == "f":
            tables.execute("INSERT INTO flow VALUES (?, ?)", (around(starts[e["id"]]), around(e)))
    return tables


def check_work(checks, folder):
    path = folder / "work.json"
    result = checks.run("work", path)
    checks.check_events(load(path))
    tables = as_tables(load(path))
    checks.check_answers(lambda question: tables.execute(question).fetchall(), "SQLite")
    checks.perfetto(path, checks.check_answers)
    for line in (r"second +1 +[\d.]+ +[\d.]+ +256 +[\d.]+  \S", rf"read buffer +1 +[\d.]+ +[\d.]+ +{BYTES}"):
        checks.expect(re.search(line, result.stderr), f"the table has no line {line}:\n{result.stderr}")


def check_picture(checks, folder, source):
    checks.run("work", folder / "picture.json")
    drawn = subprocess.run([sys.executable, f"{source}/tools/trace_picture.py", str(folder / "picture.json")],
                           capture_output=True, text=True, check=False)
    checks.expect(drawn.returncode == 0, f"no picture: {drawn.stderr}")
    shapes = collections.Counter(e.tag.rpartition("}")[2] for e in xml.etree.ElementTree.fromstring(drawn.stdout))
    spans = sum(e["ph"] == "X" for e in load(folder / "picture.json"))
    checks.expect(shapes["rect"] == spans and shapes["path"] == 3, f"picture of {spans} spans: {shapes}")


def check_many(checks, folder):
    path = folder / "many.json"
    start = time.monotonic()
    checks.run("launches", path)
    events = load(path)
    count = sum(e["ph"] == "X" and e["cat"] == "command" and e["name"] == "first" for e in events)
    checks.expect(count == 100000, f"{count} commands of 100,000 are in the trace")
    tables = as_tables(events)
    checks.check_many_answers(lambda question: tables.execute(question).fetchall(), "SQLite")
    checks.perfetto(path, checks.check_many_answers)
    print(f"100,000 launches: {path.stat().st_size / 1e6:.0f} MB, {time.monotonic() - start:.1f} s in all")


def check_nested(checks, folder):
    """Launches inside commands: each has a number, and the command that it belongs to."""
    path = folder / "nested.json"
    result = checks.run("nested", path)
    spans = [e for e in load(path) if e["ph"] == "X"]
    commands = {e["args"]["command"]: e for e in spans if e["cat"] == "command"}
    groups, launches, moved = collections.Counter(), collections.defaultdict(set), collections.Counter()
    for work in (e for e in spans if e["cat"] == "work"):
        command = commands[work["args"]["command"]]
        checks.expect(command["ts"] <= work["ts"] + .001 and
                      work["ts"] + work["dur"] <= command["ts"] + command["dur"] + 1, f"{work} outlives {command}")
        if "bytes" in work["args"]:
            moved[work["name"]] += work["args"]["bytes"]
        else:
            launches[work["name"]].add((work["args"]["command"], work["args"].get("launch", 0)))
            groups[work["name"]] += work["args"]["groups"]
    children, = (name for name in groups if name not in ("plain", "parent"))
    checks.expect(groups == {"plain": 768, "parent": 4, children: 32}, f"groups of nested launches: {groups}")
    checks.expect({name: len(each) for name, each in launches.items()} == {"plain": 3, "parent": 4, children: 8},
                  f"nested launches: {launches}")
    checks.expect(moved == {"fill buffer": 3 * BYTES, "copy buffer": 3 * BYTES}, f"moved: {moved}")
    for line in (r"plain +3 .* 768 ", r"parent +4 ", children + " +8 ", rf"copy buffer +3 .* {3 * BYTES}"):
        checks.expect(re.search(line, result.stderr), f"the table has no line {line}:\n{result.stderr}")


def check_forks(checks, folder):
    checks.run("fork", folder / "one.json")
    checks.run("fork", folder / "two.%p.json")
    for pattern in ("one.json*", "two.*.json"):
        files = list(folder.glob(pattern))
        checks.expect(len(files) == 2, f"{pattern}: {files}")
        for path in files:
            checks.check_events(load(path))


def check_faults(checks, folder):
    os.mkfifo(folder / "fifo")
    for path in ("/dev/full", folder, folder / "none" / "trace.json", folder / "fifo", "/" + 5000 * "a"):
        result = checks.run("work", path, TREFOIL_LOG="error")
        if len(str(path)) < 4096:
            checks.expect(result.stderr.count("the trace ends") == 1, f"not once said of {path}: {result.stderr}")
    result = checks.run("limit", folder / "limit.json", TREFOIL_LOG="error")
    checks.expect(result.stderr.count("the trace ends") == 1, f"not once said of the limit: {result.stderr}")
    before = set(folder.iterdir())
    checks.run("work", "")
    checks.expect(set(folder.iterdir()) == before, "a trace that nobody asked for")


def main(program, source):
    checks = Checks(program, source)
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_work, check_many, check_nested, check_forks, check_faults):
            check(checks, pathlib.Path(folder))
        check_picture(checks, pathlib.Path(folder), source)
    print("\n".join(checks.faults) or "traces tell what was done")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
