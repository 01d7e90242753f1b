"""One run after another: what the sandbox gives a command, and what the grader gets back."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.sandbox_jobs import (
    COPY,
    INPUT,
    LIMITS,
    ROOT,
    job,
    readable_python,
    run_as_other_user,
    script,
)

import grader
import solver
from grader.sandbox.client import choose_level, find_warnings, level_reports, run, run_at
from grader.sandbox.job import Ending, File, Job, Level, Outcome, Sandbox
from grader.sandbox.pool import KEPT_SUBMISSIONS


def test_an_answer_comes_back(level: Level) -> None:
    outcome = run_at(script(COPY), level)
    assert (outcome.ending, outcome.exit_code) == (Ending.EXIT, 0)
    assert outcome.output == INPUT
    assert outcome.level == level
    assert outcome.worker.startswith(socket.gethostname())
    assert min(outcome.cpu_s, outcome.wall_s) > 0
    assert outcome.max_rss_kb > 1000
    assert outcome.started_at.endswith("+00:00")


RENAMES = """
import os, sys
open(sys.argv[2] + '.tmp', 'w').write('x')
os.rename(sys.argv[2] + '.tmp', sys.argv[2])
"""


def test_how_a_run_ends(level: Level) -> None:
    printed = run_at(script("import sys; print('out'); sys.exit('err')"), level)
    assert (printed.stdout, printed.stderr) == (b"out\n", b"err\n")
    assert (printed.ending, printed.exit_code) == (Ending.EXIT, 1)
    assert (printed.output, printed.output_fault) == (None, "")
    crash = run_at(script("import os; os.kill(os.getpid(), 11)"), level)
    assert (crash.ending, crash.signal) == (Ending.SIGNAL, "SIGSEGV")
    assert run_at(script(RENAMES), level).output == b"x"  # as careful programs do
    missing = run_at(job(("./solve", "{input}")), level)
    assert (missing.ending, missing.exit_code) == (Ending.EXIT, 127)
    assert b"No such file" in missing.stderr


def test_limits_come_back_with_what_was_used(level: Level) -> None:
    def end(source: str, **limits: Any) -> Outcome:
        return run_at(script(source, limits=replace(LIMITS, **limits)), level)

    loop = end("while True: pass", cpu_s=0.1)
    assert (loop.ending, loop.cpu_s > 0.1) == (Ending.CPU, True)
    sleeper = end("import time; time.sleep(60)", wall_s=0.3)
    assert (sleeper.ending, sleeper.wall_s >= 0.3, sleeper.cpu_s < 0.3) == (Ending.WALL, True, True)
    hog = end("held = []\nwhile True: held.append(bytearray(b'x') * 10**7)", memory_mb=64)
    assert (hog.ending, hog.max_rss_kb > 32 << 10) == (Ending.MEMORY, True)
    assert end("", memory_mb=2).ending is Ending.MEMORY  # too small for the interpreter
    flood = end("while True: print('x' * 1000)")
    assert (flood.ending, len(flood.stdout)) == (Ending.OUTPUT, 64 << 10)


def test_the_environment_is_the_same_everywhere(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_SECRET", "42")
    outcome = run_at(script("import json, os; print(json.dumps(dict(os.environ)))"), level)
    wanted = {"HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TMPDIR"}
    assert set(json.loads(outcome.stdout)) - {"PWD", "LC_CTYPE"} == wanted
    if level is Level.BUBBLEWRAP:
        source = "import sys; sys.stdout.buffer.write(open('/proc/1/environ', 'rb').read())"
        assert b"GRADER_SECRET" not in run_at(script(source), level).stdout


def test_a_program_of_the_submission(level: Level) -> None:
    files = (File("bin/solve", b'#!/bin/sh\ncat "$1" > "$2"\n', executable=True),)
    for program in ("bin/solve", "{submission}/bin/solve"):
        assert run_at(job((program, "{input}", "{output}"), files), level).output == INPUT


def test_the_submission_is_not_changed_by_a_run(level: Level) -> None:
    source = "import os\ntry:\n    open('new', 'x').close()\nexcept OSError: pass\n"
    first, second = (run_at(script(source + "print(os.listdir())"), level) for _ in range(2))
    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (job(()), "the command is empty"),
        (job(("no-such-program",)), "no program 'no-such-program'"),
        (job(("python3",), (File("../out", b""),)), "'../out' is not a path"),
        (job(("python3",), (File("/out", b""),)), "'/out' is not a path"),
        (job(("python3",), (File("a", b""), File("a", b""))), "there twice"),
        (job(("python3",), (File("a", b""), File("a/b", b""))), "there twice"),
        (job(("python3", "a\0b")), "null byte"),
        (job(("python3",), input_name="../board.txt"), "not a name for an input file"),
    ],
)
def test_what_cannot_be_run_is_a_fault_with_words(asked: Job, words: str) -> None:
    for _ in range(2):
        outcome = run(asked)
        assert (outcome.ending, words in outcome.fault) == (Ending.FAULT, True), outcome


def test_threads_do_not_meet() -> None:
    inputs = [b"%d\n" % number for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        outcomes = pool.map(lambda text: run(script(COPY, input=text)), inputs)
        assert [outcome.output for outcome in outcomes] == inputs


def test_many_submissions_are_kept_and_forgotten() -> None:
    jobs = [script(f"print({number})") for number in range(KEPT_SUBMISSIONS + 1)]
    for number in (*range(len(jobs)), 0, 2, 0, len(jobs) - 1):
        assert run(jobs[number]).stdout == b"%d\n" % number


BUSY_CHILD = """
import os, time
if os.fork() == 0:
    while time.process_time() < 0.1: pass
    os._exit(0)
os.wait()
"""


def test_processor_time_of_children_counts(level: Level) -> None:
    outcome = run_at(script(BUSY_CHILD, limits=replace(LIMITS, output_bytes=10**16)), level)
    assert (outcome.ending, outcome.cpu_s > 0.1) == (Ending.EXIT, True)


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
    "removes all that it may": (
        "above = os.path.dirname(folder)\n"  # the root has all of the system's files to try
        "for place in (folder if above == '/' else above, os.environ['TMPDIR']):\n"
        "    shutil.rmtree(place, ignore_errors=True)"
    ),
    "truncates what it printed": "print('x', flush=True); os.truncate(1, 0); os.fchmod(1, 0)",
    "makes a deep tree": (
        "os.chdir(folder)\n"
        "for _ in range(60): os.mkdir('d' * 100); os.chdir('d' * 100)\n"
        "open('x', 'w').close(); os.chmod('x', 0); os.chmod('.', 0)"
    ),
    "closes everything": "os.closerange(0, 128); os.kill(0, 9)",
}
AS_OTHER_USER = """
import json, sys
from grader.sandbox.client import level_reports, run_at
from grader.sandbox.job import File, Job, RunLimits
sources, python = json.loads(sys.argv[1])
answers = {}
for level in [report.level for report in level_reports() if report.available]:
    for name, source in sources.items():
        words = (python, "-S", "checkers.py", "{input}", "{output}")
        files = (File("checkers.py", source.encode()),)
        outcome = run_at(Job(name, files, words, "board.txt", b"a board", RunLimits()), level)
        answers[f"{level}: {name}"] = outcome.ending, outcome.fault, outcome.output == b"a board"
print(json.dumps(answers))
"""


def test_no_trick_is_a_fault(level: Level) -> None:
    for name, trick in TRICKS.items():
        outcome = run_at(script(HEAD + trick), level)
        assert outcome.ending is not Ending.FAULT, (name, outcome.fault)
    assert run_at(script(COPY), level).output == INPUT


def test_no_trick_is_a_fault_of_a_grader_without_rights() -> None:
    sources = {name: HEAD + trick for name, trick in TRICKS.items() if "kill" not in trick}
    asked = json.dumps([{**sources, "": COPY}, readable_python()])
    answers = json.loads(run_as_other_user(AS_OTHER_USER, asked))
    assert [row for row in answers.items() if row[1][0] == Ending.FAULT] == []
    assert all(answered for name, (_, _, answered) in answers.items() if name.endswith(": "))


PROCESSES = """
import ctypes, mmap, multiprocessing, subprocess
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.shared_memory import SharedMemory

def square(number):
    return number * number

if __name__ == "__main__":
    for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
        with kind(3) as pool:
            print(sum(pool.map(square, range(4))))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(sum(pool.map(square, range(4))))
    memory = SharedMemory(create=True, size=4096)
    memory.close()
    memory.unlink()
    mmap.mmap(-1, 4096).close()
    back = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(square)
    print(back(4) - 2)
    subprocess.run(["echo", "14"], check=True)
"""


def test_processes_threads_and_callbacks_work_as_usual(level: Level) -> None:
    if level is Level.LANDLOCK:
        pytest.skip("Landlock closes /dev/shm, which has no folder of its own there")
    outcome = run_at(script(PROCESSES), level)
    assert outcome.stdout.split() == [b"14"] * 5, outcome


# Submissions that ask a Checkmark installed in their Python, and one that brings a solver along.
COPIES = "; import shutil; shutil.copy(*sys.argv[1:])"
READS = "\nassert any(open(path, 'rb').read(1) for path in found)" + COPIES
PACKAGES = "import glob, sys; found = glob.glob(sys.prefix + '/lib/python3*/site-packages/{}')"
ASKS = {
    "imports it": "import sys; from solver.cli import main; sys.exit(main(sys.argv[1:]))",
    "runs the module": "import runpy; runpy.run_module('solver', run_name='__main__')",
    "runs the command": (
        "import os, sys; sys.argv[0] = sys.prefix + '/bin/solver'; os.execv(sys.argv[0], sys.argv)"
    ),
    "imports the library": "import sys, checkmark__mypyc as found; assert found.__file__" + COPIES,
    "reads the library": PACKAGES.format("checkmark__mypyc*") + READS,
    "reads the metadata": PACKAGES.format("checkmark_solver*/METADATA") + READS,
    "reads the link": PACKAGES.format("*checkmark_solver*.pth") + READS,
    "reads the checkout": "import glob, sys; found = glob.glob(sys.prefix + '/src/*/cli/*.py')"
    + READS,
}
BRINGS_ITS_OWN = "import sys, solver, json" + COPIES
BOARD = b"........\n........\n........\n..b.....\n.r......\n........\n........\n........\n"
COMMAND = "#!{}\nimport sys\nfrom {}.cli import entry\nsys.exit(entry())\n"


def make_environment(folder: Path, kind: str) -> str:
    """The Python of a virtual environment with Checkmark, installed as pip does it."""
    venv.create(folder, symlinks=True)
    python = f"{folder}/bin/python3"
    (packages,) = folder.glob("lib/python3*/site-packages")
    place = folder / "src" if kind == "editable" else packages
    if kind == "compiled" and (ROOT / "solver").is_dir():
        build = "import sys, hatchling.build as build; build.build_wheel(sys.argv[1])"
        words, switch = [sys.executable, "-c", build, str(folder)], {"CHECKMARK_COMPILE": "1"}
        subprocess.run(words, cwd=ROOT, env={**os.environ, **switch}, check=True)
        (wheel,) = folder.glob("checkmark_solver-*-linux_*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
        wheel.unlink()
    else:  # where a compiled build is tested, it is copied like any other
        for package in (solver, grader):
            assert package.__file__ is not None
            source = Path(package.__file__).parent
            shutil.copytree(source, place / source.name)
            for library in source.parent.glob("checkmark__mypyc*"):
                shutil.copy(library, place)
        (packages / "checkmark_solver-0.1.0.dist-info").mkdir()
        (packages / "checkmark_solver-0.1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1")
    if kind == "editable":
        (packages / "_editable_impl_checkmark_solver.pth").write_text(str(place))
    for name in ("solver", "grader"):
        command = folder / "bin" / name
        command.write_text(COMMAND.format(python, name))
        command.chmod(0o755)
    return python


@pytest.mark.parametrize(
    "kind", ["pure", "editable", pytest.param("compiled", marks=pytest.mark.slow)]
)
def test_no_submission_can_ask_a_solver_that_is_installed(tmp_path: Path, kind: str) -> None:
    python = make_environment(tmp_path, kind)
    command = (python, "asks.py", "{input}", "{output}")
    found: dict[Level, set[str]] = {}
    for level in [report.level for report in level_reports() if report.available]:
        own = (File("asks.py", BRINGS_ITS_OWN.encode()), File("solver.py", b""))
        assert run_at(job(command, own, input=BOARD), level).output == BOARD
        asked = {
            name: job(command, (File("asks.py", source.encode()),), input=BOARD)
            for name, source in ASKS.items()
        }
        found[level] = {name for name, each in asked.items() if run_at(each, level).output}
    without = {"imports it", "runs the module", "runs the command"}
    without |= {"reads the metadata"}
    without |= {"reads the link", "reads the checkout"} if kind == "editable" else set()
    without |= {"imports the library", "reads the library"} if kind == "compiled" else set()
    assert found.pop(Level.LIMITS) >= without
    assert set().union(*found.values()) == set()
    assert find_warnings(Sandbox.AUTO, [python]) == find_warnings(Sandbox.AUTO, [])


def test_a_solver_that_cannot_be_hidden_is_refused_or_told(tmp_path: Path) -> None:
    """An archive with another name, which a line of a `.pth` file adds to the path."""
    level = choose_level(Sandbox.AUTO)
    if level is Level.LIMITS:
        pytest.skip("there is no isolation anyhow")
    venv.create(tmp_path, symlinks=True)
    (packages,) = tmp_path.glob("lib/python3*/site-packages")
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        for name in ("solver", "solver/games", "solver/games/checkers"):
            archive.writestr(f"{name}/__init__.py", "")
    (packages / "odd.pth").write_text(f"{tmp_path}/odd.zip")
    python = f"{tmp_path}/bin/python3"
    words = f"can import {tmp_path}/odd.zip/solver/games/checkers/__init__.py"
    assert words in find_warnings(Sandbox.AUTO, [python])[-1]
    if level is Level.BUBBLEWRAP:
        outcome = run(job((python, "-c", ""), sandbox=Sandbox.REQUIRE))
        assert (outcome.ending, words in outcome.fault) == (Ending.FAULT, True)


@pytest.mark.parametrize(
    "words",
    [
        ("python3", "-c", "import asyncio; asyncio.run(asyncio.sleep(0)); print('well')"),
        ("node", "-e", "setTimeout(() => console.log('well'), 1)"),
        ("java", "-Xmx64m", "{submission}/Main.java"),
        ("gcc", "-o", "{output}", "{submission}/main.c"),
    ],
)
def test_usual_runtimes_work(level: Level, words: tuple[str, ...]) -> None:
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    java = b'class Main { public static void main(String[] a) { System.out.println("well"); } }'
    files = (File("Main.java", java), File("main.c", b"int main(void) { return 0; }"))
    limits = replace(LIMITS, cpu_s=60, memory_mb=1024, output_bytes=1 << 20, processes=64)
    outcome = run_at(job(words, files, limits=limits), level)
    assert (outcome.ending, outcome.exit_code) == (Ending.EXIT, 0), outcome
    assert outcome.output if words[0] == "gcc" else outcome.stdout == b"well\n"
