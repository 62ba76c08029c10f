#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What became of the work-items of OpenCL kernels, as JSON or as a page of the annotated source. The build puts what
doc/man/trefoil-report.txt says into the program."""
import argparse
import html
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys

KERNEL = re.compile(r"kernel (\S+): (.*)")
LINE = re.compile(r"  (?:(.+):(\d+)|elsewhere): (.*)")
LANES = re.compile(r"\b(\d+) lanes\b")
COST = re.compile(r"\bcost (\d+), item by item (\d+)")
NOTE = re.compile(r"(\d+) (.+)")
# What a line's notes cost, the worst first.
GRADES = (("slow", ("gather", "scatter", "lane loop")), ("fair", ("strided", "divergent", "unless", "atomic")))

HELP = """@HELP@"""
USAGE = """@USAGE@"""

PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px/1.45 sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; font: 13px/1.4 monospace; }}
td {{ padding: 0 1em 0 .4em; white-space: pre; vertical-align: top; }}
td.number {{ color: #888; text-align: right; }}
td.note {{ white-space: normal; font-family: sans-serif; }}
tr.slow {{ background: #fbdcd4; }} tr.fair {{ background: #fdf3cf; }} tr.kernel {{ background: #d9ecdb; }}
</style>
<h1>{title}</h1>
<ul>
{kernels}
</ul>
<table>
{lines}
</table>
</html>
"""


def parse(text):
    """The kernels of a report, each with its lines."""
    kernels = []
    for line in text.splitlines():
        found = KERNEL.fullmatch(line)
        if found:
            about = found[2]
            lanes, cost = LANES.search(about), COST.search(about)
            kernels.append({"name": found[1], "form": re.split(r"[:,]", about)[0], "text": about,
                            "lanes": int(lanes[1]) if lanes else None,
                            "cost": int(cost[1]) if cost else None,
                            "cost_item_by_item": int(cost[2]) if cost else None, "lines": []})
            continue
        found = LINE.fullmatch(line)
        if found and kernels:
            notes = [NOTE.fullmatch(part) for part in found[3].split(", ")]
            kernels[-1]["lines"].append({
                "file": found[1], "line": int(found[2]) if found[2] else None,
                "notes": [{"count": int(note[1]), "what": note[2]} for note in notes if note]})
    return kernels


def grade(what):
    return next((name for name, words in GRADES if any(word in what for word in words)), "")


def page(source, kernels):
    notes, heads = {}, {}
    text = read(source).splitlines()
    for kernel in kernels:
        start = next((i for i, line in enumerate(text, 1) if re.search(rf"\b{re.escape(kernel['name'])}\s*\(", line)), None)
        heads.setdefault(start, []).append(kernel)
        for line in kernel["lines"]:
            if line["file"] in (source.name, str(source), "kernel.cl"):
                notes.setdefault(line["line"], []).extend(
                    f"{note['count']} {note['what']}" for note in line["notes"])
    rows = []
    for number, line in enumerate(text, 1):
        said = [f"{kernel['name']}: {kernel['text']}" for kernel in heads.get(number, [])]
        said += dict.fromkeys(notes.get(number, []))
        grades = {grade(note) for note in notes.get(number, [])}
        row = next((name for name, _ in GRADES if name in grades), "kernel" if number in heads else "")
        rows.append(f'<tr class="{row}"><td class="number">{number}</td><td>{html.escape(line)}</td>'
                    f'<td class="note">{html.escape("; ".join(said))}</td></tr>')
    items = (f"<li><b>{html.escape(kernel['name'])}</b>: {html.escape(kernel['text'])}</li>" for kernel in kernels)
    return PAGE.format(title=html.escape(source.name), kernels="\n".join(items), lines="\n".join(rows))


def read(path):
    """Comments may be in any encoding."""
    return path.read_text(encoding="utf-8", errors="replace")


def compiler():
    beside = pathlib.Path(sys.argv[0]).resolve().parent / "trefoilc"
    return str(beside) if beside.exists() else shutil.which("trefoilc")


def report_of(source, options):
    program = compiler()
    if not program:
        sys.exit("trefoil-report: no trefoilc beside this program or in PATH")
    result = subprocess.run([program, "--report", *options, str(source)], capture_output=True, check=False, text=True, errors="replace")
    if result.returncode:
        sys.stderr.write(result.stderr)
        sys.exit(1)
    return result.stdout + result.stderr


class Parser(argparse.ArgumentParser):
    """What it would say of its own is in the page."""

    def format_help(self):
        return HELP

    def format_usage(self):
        return USAGE


def main():
    parser = Parser(prog="trefoil-report", allow_abbrev=False)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--html", action="store_true")
    parser.add_argument("-o", metavar="OUT")
    parser.add_argument("--log", metavar="FILE")
    parser.add_argument("source", metavar="SOURCE.cl", type=pathlib.Path)
    args, options = parser.parse_known_args()
    text = read(pathlib.Path(args.log)) if args.log else report_of(args.source, options)
    if args.html:
        text = page(args.source, parse(text))
    elif args.json:
        text = json.dumps({"source": str(args.source), "kernels": parse(text)}, indent=1) + "\n"
    with open(args.o or 1, "w", encoding="utf-8", closefd=bool(args.o)) as out:
        out.write(text)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        sys.exit(main())
    except OSError as fault:
        sys.exit(f"trefoil-report: {fault.filename or 'standard output'}: {fault.strerror}")
