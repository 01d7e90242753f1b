"""Whatever a submission does, it is never told as a fault of ours, nor is the next one's."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from box_jobs import INPUT, LIMITS, job, script
from other_user import IS_ROOT, readable_python, readable_sources, run_as_other_user

from grader.runner import run_at
from grader.runs import Ending, File
from grader.sandbox.job import Level

COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"
HEAD = "import os, shutil, sys\noutput = sys.argv[2]; folder = os.path.dirname(output)\n"
TRICKS = {
    "closes its folder": "open(output, 'w').write('x'); os.chmod(folder, 0)",
    "closes its answer": "open(output, 'w').write('x'); os.chmod(output, 0)",
    "makes a folder of it": "os.mkdir(output); os.chmod(output, 0)",
    "links to itself": "os.symlink(output, output)",
    "links to what it cannot read": "os.symlink('/etc/shadow', output)",
    "closes folders in folders": (
        "os.makedirs(folder + '/a/b/c'); os.chmod(folder + '/a/b', 0); os.chmod(folder + '/a', 0)"
    ),
    "names that are no text": "open(os.fsencode(folder) + b'/\\xff\\n', 'w').close()",
    "closes its temporary folder": "os.chmod(os.environ['TMPDIR'], 0)",
    "closes the folder above": (
        "try: os.chmod(os.path.dirname(folder), 0); os.chmod(folder + '/../..', 0)\n"
        "except OSError: pass"
    ),
    "removes all that it may": "shutil.rmtree(os.path.dirname(folder), ignore_errors=True)",
    "truncates what it printed": "print('x', flush=True); os.truncate(1, 0); os.fchmod(1, 0)",
    "closes everything": "os.closerange(0, 128); os.kill(0, 9)",
}
AS_OTHER = """
import json, sys
sys.path.insert(0, ".")
from hostile_set import available_levels
from grader.limits import Limits
from grader.runner import run_at
from grader.runs import File, Job
head, copy, tricks, python = json.loads(sys.argv[1])
told = {}
for level in available_levels():
    for name, trick in {**tricks, "": copy}.items():
        files = (File("checkers.py", (head + trick).encode()),)
        words = (python, "-S", "checkers.py", "{input}", "{output}")
        job = Job(name, files, words, "board.txt", b"a board", Limits())
        outcome = run_at(job, level)
        told[f"{level}: {name}"] = outcome.ending, outcome.fault, outcome.output == b"a board"
print(json.dumps(told))
"""


def test_no_trick_is_a_fault(level: Level) -> None:
    for name, trick in TRICKS.items():
        outcome = run_at(script(HEAD + trick), level)
        assert outcome.ending is not Ending.FAULT, (name, outcome.fault)
    assert run_at(script(COPY), level).output == INPUT


def test_no_trick_is_a_fault_of_a_grader_without_rights() -> None:
    if not IS_ROOT:
        pytest.skip("only root can become another user")
    if not readable_python():
        pytest.skip("there is no Python that every user can start")
    tricks = {name: trick for name, trick in TRICKS.items() if "kill" not in trick}
    asked = json.dumps([HEAD, COPY, tricks, readable_python()])
    with readable_sources() as folder:
        told = json.loads(run_as_other_user(folder, "-c", AS_OTHER, asked))
    assert [row for row in told.items() if row[1][0] == Ending.FAULT] == []
    assert all(answered for name, (_, _, answered) in told.items() if name.endswith(": "))


def test_a_file_may_have_the_name_of_python_s_own_folder(level: Level) -> None:
    files = (File("main.py", b"print(1)"), File("b.py", b""), File("__pycache__", b""))
    assert run_at(job(("python3", "main.py"), files), level).stdout == b"1\n"


def test_an_output_without_limit_is_no_trouble(level: Level) -> None:
    limits = replace(LIMITS, output_bytes=10**16)
    assert run_at(script(COPY, limits=limits), level).output == INPUT


def test_memory_too_small_for_the_interpreter(level: Level) -> None:
    outcome = run_at(script(COPY, limits=replace(LIMITS, memory_mb=2)), level)
    assert outcome.ending is Ending.MEMORY
