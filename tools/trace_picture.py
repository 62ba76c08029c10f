#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a trace (TREFOIL_TRACE) as SVG: a row a thread and a queue, time to the right.

    tools/trace_picture.py trace.json [--from MS] [--to MS] > trace.svg
"""
import argparse
import html
import json
import sys

WIDTH, LABEL, ROW, GAP = 1000, 130, 18, 10
COLOURS = {"api": "#7aa6c2", "build": "#d9a441", "work": "#6aa84f", "command": "#a678b5"}


def depth_of(span, open_spans):
    """How many spans of the row it lies in."""
    while open_spans and open_spans[-1] <= span["ts"]:
        open_spans.pop()
    open_spans.append(span["ts"] + span["dur"])
    return len(open_spans) - 1


def rows_of(events, begin, end):
    """[(name, [(depth, span)])], threads first."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    spans = {}
    for e in events:
        if e["ph"] == "X" and e["ts"] + e["dur"] >= begin and e["ts"] <= end:
            spans.setdefault((e["pid"], e["tid"]), []).append(e)
    for key in sorted(spans):
        open_spans = []
        row = sorted(spans[key], key=lambda e: (e["ts"], -e["dur"]))
        yield key, names.get(key, str(key[1])), [(depth_of(e, open_spans), e) for e in row]


def rectangle(span, x, y, width):
    title = html.escape(f"{span['name']} {span['dur']:.1f} us {json.dumps(span.get('args', {}))}")
    yield (f'<rect x="{x:.1f}" y="{y}" width="{max(width, 0.5):.1f}" height="{ROW - 2}" '
           f'fill="{COLOURS.get(span["cat"], "#999")}"><title>{title}</title></rect>')
    if width > 7 * len(span["name"]):
        yield f'<text x="{x + 3:.1f}" y="{y + ROW - 6}">{html.escape(span["name"])}</text>'


def picture(events, begin, end):
    scale = (WIDTH - LABEL) / max(end - begin, 1e-3)
    lines, places, y = [], {}, GAP
    for key, name, row in rows_of(events, begin, end):
        places[key] = y
        lines.append(f'<text x="0" y="{y + ROW - 6}">{html.escape(name)}</text>')
        for depth, span in row:
            left, right = max(span["ts"], begin), min(span["ts"] + span["dur"], end)
            lines += rectangle(span, LABEL + (left - begin) * scale, y + depth * ROW, (right - left) * scale)
        y += ROW * (1 + max(depth for depth, _ in row)) + GAP
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    for e in events:
        other = ends.get(e["id"]) if e["ph"] == "s" else None
        if not other or not begin <= e["ts"] <= other["ts"] <= end:
            continue
        x1, x2 = (LABEL + (arrow["ts"] - begin) * scale for arrow in (e, other))
        y1, y2 = (places[arrow["pid"], arrow["tid"]] + ROW / 2 for arrow in (e, other))
        lines.append(f'<path d="M{x1:.1f} {y1} L{x2:.1f} {y2}" stroke="#333" fill="none"/>')
    lines.append(f'<text x="{LABEL}" y="{y + ROW - 6}">{(end - begin) / 1000:.2f} ms</text>')
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + ROW}" '
                      'font-family="sans-serif" font-size="11">', *lines, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace")
    parser.add_argument("--from", dest="begin", type=float, help="ms since the trace began")
    parser.add_argument("--to", dest="end", type=float)
    options = parser.parse_args()
    with open(options.trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    spans = [e for e in events if e["ph"] == "X"]
    if not spans:
        sys.exit("nothing happened in this trace")
    begin = min(e["ts"] for e in spans) if options.begin is None else options.begin * 1000
    end = max(e["ts"] + e["dur"] for e in spans) if options.end is None else options.end * 1000
    sys.stdout.write(picture(events, begin, end))
    return 0


if __name__ == "__main__":
    sys.exit(main())
