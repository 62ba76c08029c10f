# SPDX-License-Identifier: MIT
"""tools/trefoil_report: the report of `trefoilc --report` as JSON and as a page of the source."""
import html.parser
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """kernel void pick(global float *out, global const float *in, global const int *at, int n)
{
    const int i = get_global_id(0);

    if (i < n && out[i] < 1) // <here>
        out[i] = in[at[i]];
}
kernel void plain(global float *out)
{
    out[get_global_id(0)] *= 2;
}
"""


class Rows(html.parser.HTMLParser):
    """The rows of the table, each with its class and cells."""

    def __init__(self):
        super().__init__()
        self.rows, self.open = [], []

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([dict(attributes)["class"]])
        if tag == "td":
            self.rows[-1].append("")
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in ("html",) or self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.rows[-1][-1] += data


def main(program, compiler):
    faults = []
    environment = {**os.environ, "PATH": f"{os.path.dirname(compiler)}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "pick.cl"
        source.write_text(SOURCE)

        def run(*args):
            return subprocess.run([sys.executable, program, *args], capture_output=True, text=True, check=False,
                                  timeout=200, env=environment)

        kernels = json.loads(run("--json", str(source), "--cpu=x86-64-v3").stdout)["kernels"]
        if [(k["name"], k["form"], k["lanes"] >= 8) for k in kernels] != [("pick", "simt", True), ("plain", "simt", True)]:
            faults.append(f"kernels: {kernels}")
        notes = {(line["line"], note["what"]) for line in kernels[0]["lines"] for note in line["notes"]}
        if not {(6, "gather"), (5, "divergent branch")} <= notes or kernels[1]["lines"] or not kernels[0]["cost"]:
            faults.append(f"lines: {kernels}")
        out = pathlib.Path(folder) / "out.html"
        result = run("--html", "-o", str(out), str(source), "--cpu=x86-64-v3")
        rows = Rows()
        rows.feed(out.read_text())
        if [row[2] for row in rows.rows] != SOURCE.splitlines():
            faults.append(f"the page has not the source: {rows.rows}, {result.stderr}")
        if [row[0] for row in rows.rows] != ["kernel", "", "", "", "fair", "slow", "", "kernel", "", "", ""]:
            faults.append(f"grades: {rows.rows}")
        (pathlib.Path(folder) / "log").write_text("1 warning generated.\n" + run(str(source), "--cpu=x86-64-v3").stdout)
        again = json.loads(run("--json", "--log", f"{folder}/log", str(source)).stdout)["kernels"]
        if again != kernels:
            faults.append(f"of the log: {again}")
        source.write_bytes(b"// na\xefve\n" + SOURCE.encode())
        result = run("--html", str(source))
        if result.returncode or "ve</td>" not in result.stdout:
            faults.append(f"a comment that is not UTF-8: {result}")
        for args in (("-o", f"{folder}/none/out"), ("-o", folder), ("--log", f"{folder}/none"), ("--log", folder)):
            result = run(*args, str(source))
            if result.returncode != 1 or result.stderr.count("\n") != 1 or f"{args[1]}: " not in result.stderr:
                faults.append(f"{args}: {result}")
        result = run("--json", "--html", str(source))
        if result.returncode != 2 or "not allowed with" not in result.stderr:
            faults.append(f"two forms at once: {result}")
        for where in ("/dev/full", "&-"):
            result = subprocess.run(["sh", "-c", f'exec "$@" >{where}', "sh", sys.executable, program, str(source)],
                                    stderr=subprocess.PIPE, text=True, check=False, timeout=200, env=environment)
            if result.returncode != 1 or result.stderr.count("\n") != 1 or "standard output: " not in result.stderr:
                faults.append(f"output to {where}: {result}")
        source.write_text("kernel void k(global double16 *a) { a[get_global_id(0)] = sqrt(a[get_global_id(0)]); }")
        result = run(str(source), "--cpu=x86-64-v3")
        if "vectors of the program fill the registers" not in result.stdout:
            faults.append(f"wide vectors: {result}")
        source.write_text("kernel void k(")
        result = run("--json", str(source))
        if result.returncode != 1 or "error" not in result.stderr:
            faults.append(f"a wrong program: {result}")
    print("\n".join(faults) or "reports are as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
