#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes of doc/man/NAME.txt the page of the manual, NAME.1, and what NAME --help says: for C a header, for a script
of Python the script with the text in place of @HELP@ and @USAGE@.

    tools/gen_manual.py page|header SOURCE.txt OUT
    tools/gen_manual.py script SOURCE.txt OUT SCRIPT.py

A source begins with "name - purpose". Sections begin in the first column, their text two blanks further. A line with deeper
ones behind it is an item, such as an option, and those say what it is. "> " begins a line that stands as it is. `..` is
bold. --help has the sections of IN_HELP.
"""
import pathlib
import re
import sys
import textwrap

IN_HELP = ("COMMANDS", "OPTIONS", "DIRECTIVES", "ENVIRONMENT", "EXIT STATUS")
WIDTH = 80
COLUMNS = (18, 10)  # of what items say: of a section, within an item


class Fault(Exception):
    pass


def parse(text):
    """(name, purpose, {section: its lines without the first two blanks})"""
    head, *lines = text.rstrip().splitlines()
    name, dash, purpose = head.partition(" - ")
    if not dash:
        raise Fault(f"the first line is not 'name - purpose': {head}")
    sections, current = {}, None
    for number, line in enumerate(lines, 2):
        if line and line[0] != " ":
            if line in sections or not line.isupper():
                raise Fault(f"line {number}: no section, or one for the second time: {line}")
            current = sections[line] = []
        elif line and (current is None or not line.startswith("  ") or line != line.rstrip() or "\t" in line):
            raise Fault(f"line {number}: indented by less than two blanks, or blanks at its end: {line}")
        elif current is not None:
            current.append(line[2:])
    if "SYNOPSIS" not in sections:
        raise Fault("no SYNOPSIS")
    return name, purpose, sections


def depth(line):
    return len(line) - len(line.lstrip())


def blocks(lines, level=0):
    """What the lines are: ("text", words), ("plain", [lines]), ("item", head, lines that say what it is)."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line:
            at += 1
        elif line.lstrip().startswith(">"):
            start = at
            while at < len(lines) and lines[at].lstrip().startswith(">"):
                at += 1
            yield "plain", [text.lstrip()[2:] for text in lines[start:at]]
        elif at + 1 < len(lines) and lines[at + 1] and depth(lines[at + 1]) > level:
            start = at = at + 1
            while at < len(lines) and (depth(lines[at]) > level or not lines[at] and at + 1 < len(lines) and
                                       depth(lines[at + 1]) > level):
                at += 1
            yield "item", line.strip(), lines[start:at]
        else:
            start = at
            while at < len(lines) and lines[at] and not lines[at].lstrip().startswith(">") and depth(lines[at]) == level and \
                    not (at > start and at + 1 < len(lines) and lines[at + 1] and depth(lines[at + 1]) > level):
                at += 1
            if at == start:
                raise Fault(f"indented for no item: {line}")
            yield "text", " ".join(text.strip() for text in lines[start:at])


# ---- The page ----

def roff(text):
    """As it stands."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def marked(text):
    parts = text.split("`")
    if len(parts) % 2 == 0:
        raise Fault(f"a ` too many: {text}")
    return "".join(f"\\fB{roff(part)}\\fR" if i % 2 else roff(part) for i, part in enumerate(parts))


def head_of(text, has_values):
    """Bold, what the reader puts in its place in italics."""
    def word(match):
        if has_values and re.fullmatch(r"[A-Z]+(\.cl)?", match[0]):
            return f"\\fI{roff(match[0])}\\fR"
        return match[0] if match[0] in ("[", "]", "|", "...", ",") else f"\\fB{roff(match[0])}\\fR"
    return re.sub(r"\.\.\.|[\[\]|,]|--?[a-z][\w-]*=?|[^\s\[\]|,=]+=?", word, text)


def page_blocks(lines, has_values, level=0):
    for kind, first, *rest in blocks(lines, level):
        if kind == "text":
            yield from (".PP", marked(first))
        elif kind == "plain":
            yield from (".PP", ".nf", ".RS 4", *(roff(line) for line in first), ".RE", ".fi")
        else:
            yield from (".TP", head_of(first, has_values))
            inner = list(page_blocks(rest[0], has_values, depth(rest[0][0])))
            yield from inner[1:2] if inner[0] == ".PP" else []
            inner = inner[2:] if inner[0] == ".PP" else inner
            if inner:
                yield from (".RS", *inner, ".RE")


def page(text):
    name, purpose, sections = parse(text)
    lines = ['.\\" SPDX-License-Identifier: MIT', f'.\\" Made by tools/gen_manual.py of doc/man/{name}.txt',
             f'.TH {name.upper()} 1 "" "Trefoil" "User Commands"', ".SH NAME", f"{roff(name)} \\- {roff(purpose)}"]
    for title, body in sections.items():
        lines.append(f".SH {title}")
        if title == "SYNOPSIS":
            lines += [head_of(line, True) for line in body if line]
            continue
        made = list(page_blocks(body, title in ("OPTIONS", "COMMANDS")))
        lines += made[1:] if made[:1] == [".PP"] else made
    return "\n".join(lines) + "\n"


# ---- What --help says ----

def help_blocks(lines, indent, level=0):
    column = COLUMNS[level > 0]
    before = None
    for kind, first, *rest in blocks(lines, level):
        if before and (kind != "item" or before != "item"):
            yield ""
        before = kind
        if kind == "text":
            yield from textwrap.wrap(first.replace("`", ""), WIDTH, initial_indent=indent, subsequent_indent=indent,
                                     break_long_words=False, break_on_hyphens=False)
        elif kind == "plain":
            yield from (f"{indent}{line}".rstrip() for line in first)
        else:
            inner = [line for line in help_blocks(rest[0], indent + " " * column, depth(rest[0][0])) if line]
            fits = len(first) < column - 1
            yield (indent + first).ljust(len(indent) + column) + inner.pop(0).lstrip() if fits else indent + first
            yield from inner


def usage_of(sections):
    first, *others = [line for line in sections["SYNOPSIS"] if line]
    return "\n".join([f"usage: {first}", *(f"       {line}" for line in others)]) + "\n"


def help_text(text):
    name, purpose, sections = parse(text)
    lines = [usage_of(sections).rstrip(), purpose[0].upper() + purpose[1:] + "."]
    for title in IN_HELP:
        if title in sections:
            lines += ["", title.capitalize() + ":", *help_blocks(sections[title], "  ")]
    return "\n".join(lines) + "\n"


def usage_text(text):
    name, _, sections = parse(text)
    return usage_of(sections) + f"{name} --help says more.\n"


def c_lines(text):
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") for line in text.splitlines())
    return "\n".join(f'    "{line}\\n"' for line in quoted)


def header(text):
    name = parse(text)[0]
    return (f"// SPDX-License-Identifier: MIT\n// Made by tools/gen_manual.py of doc/man/{name}.txt\n"
            f"static const char help_text[] =\n{c_lines(help_text(text))};\n\n"
            f"// For a command line that makes no sense.\nstatic const char usage_text[] =\n{c_lines(usage_text(text))};\n")


def script(text, program):
    for mark, words in (("@HELP@", help_text(text)), ("@USAGE@", usage_text(text))):
        if program.count(mark) != 1:
            raise Fault(f"the script has not one {mark}")
        program = program.replace(mark, words.replace("\\", "\\\\").replace('"', '\\"'))
    return program


def main(kind, source, out, *template):
    text = pathlib.Path(source).read_text()
    make = {"page": page, "header": header, "script": script}[kind]
    try:
        made = make(text, *(pathlib.Path(path).read_text() for path in template))
        if parse(text)[0] != pathlib.Path(source).stem:
            raise Fault("the first line names another program")
    except Fault as fault:
        return f"{source}: {fault}"
    pathlib.Path(out).write_text(made)
    if kind == "script":
        pathlib.Path(out).chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
