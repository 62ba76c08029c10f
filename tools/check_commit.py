#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Form of commit messages: "component: imperative summary" of at most 60 characters, no full
stop, second line blank. Checks the commits in a range (default: the last one).

    tools/check_commit.py origin/main..HEAD
"""
import re
import subprocess
import sys

SUBJECT_MAX = 60
SUBJECT = re.compile(r"^[a-z][a-z0-9_./-]*: [a-z]\S*( \S+)+$")
# Summaries say what the commit does, not what somebody did.
PAST = re.compile(r"^[a-z0-9_./-]+: (added|fixed|removed|changed|adds|fixes|removes|changes)\b")


def faults_of(message):
    lines = message.split("\n")
    subject = lines[0]
    if len(subject) > SUBJECT_MAX:
        yield f"subject of {len(subject)} characters, {SUBJECT_MAX} allowed"
    if subject.endswith("."):
        yield "full stop at the end of the subject"
    if not SUBJECT.match(subject):
        yield 'subject is not "component: imperative summary"'
    elif PAST.match(subject):
        yield "summary not in the imperative"
    if len(lines) > 1 and lines[1]:
        yield "second line not blank"


def main(arguments):
    commits = subprocess.run(["git", "log", "--no-merges", "--format=%H", *(arguments or ["-1"])],
                             check=True, capture_output=True, text=True).stdout.split()
    faults = 0
    for commit in commits:
        message = subprocess.run(["git", "log", "-1", "--format=%B", commit], check=True,
                                 capture_output=True, text=True).stdout.rstrip("\n")
        for fault in faults_of(message):
            print(f"{commit[:10]} {message.splitlines()[0]}\n    {fault}")
            faults += 1
    print(f"{len(commits)} commits, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
