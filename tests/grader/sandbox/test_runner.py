"""One run after another: what the box gives a command, and what the grader gets back."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from box_jobs import INPUT, LIMITS, job, script

from grader.runner import run, run_at
from grader.runs import Ending, File, Sandbox
from grader.sandbox.job import Level
from grader.sandbox.pool import KEPT_SUBMISSIONS

COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"


def test_an_answer_comes_back(level: Level) -> None:
    outcome = run_at(script(COPY), level)
    assert outcome.ending is Ending.EXIT
    assert outcome.exit_code == 0
    assert outcome.output == INPUT
    assert outcome.level == level
    assert outcome.worker.startswith(socket.gethostname())
    assert outcome.cpu_s > 0
    assert outcome.wall_s > 0
    assert outcome.max_rss_kb > 1000
    assert outcome.started_at.endswith("+00:00")


def test_what_is_printed_comes_back(level: Level) -> None:
    outcome = run_at(script("import sys; print('out'); sys.exit('err')"), level)
    assert (outcome.stdout, outcome.stderr) == (b"out\n", b"err\n")
    assert (outcome.ending, outcome.exit_code) == (Ending.EXIT, 1)
    assert outcome.output is None
    assert outcome.output_fault == ""


def test_an_output_may_be_renamed_into_place(level: Level) -> None:
    """As careful programs do, our own solver among them."""
    outcome = run_at(
        script(
            "import os, sys; open(sys.argv[2] + '.tmp', 'w').write('x');"
            "os.rename(sys.argv[2] + '.tmp', sys.argv[2])"
        ),
        level,
    )
    assert outcome.output == b"x"


def test_a_signal_is_named(level: Level) -> None:
    outcome = run_at(script("import os; os.kill(os.getpid(), 11)"), level)
    assert (outcome.ending, outcome.signal) == (Ending.SIGNAL, "SIGSEGV")


def test_the_environment_is_the_same_everywhere(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_SECRET", "42")
    outcome = run_at(script("import json, os; print(json.dumps(dict(os.environ)))"), level)
    seen = json.loads(outcome.stdout)
    wanted = {"HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TMPDIR"}
    assert set(seen) - {"PWD", "LC_CTYPE"} == wanted


def test_the_first_process_of_a_box_knows_no_more(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not level.has_own_root:
        pytest.skip(f"{level} has no processes of its own")
    monkeypatch.setenv("GRADER_SECRET", "42")
    source = "import sys; sys.stdout.buffer.write(open('/proc/1/environ', 'rb').read())"
    assert b"GRADER_SECRET" not in run_at(script(source), level).stdout


def test_a_program_of_the_submission(level: Level) -> None:
    files = (File("bin/solve", b'#!/bin/sh\ncat "$1" > "$2"\n', executable=True),)
    outcome = run_at(job(("bin/solve", "{input}", "{output}"), files), level)
    assert outcome.output == INPUT
    outcome = run_at(job(("{submission}/bin/solve", "{input}", "{output}"), files), level)
    assert outcome.output == INPUT


def test_a_program_that_was_not_handed_in_is_not_our_fault(level: Level) -> None:
    outcome = run_at(job(("./solve", "{input}")), level)
    assert (outcome.ending, outcome.exit_code) == (Ending.EXIT, 127)
    assert b"No such file" in outcome.stderr


def test_modules_are_compiled_once(level: Level) -> None:
    files = (
        File("main.py", b"import rules; print(rules.__cached__, rules.__spec__.loader.path)"),
        File("rules/__init__.py", b"import os; print(os.path.exists(__cached__))"),
    )
    outcome = run_at(job(("python3", "main.py"), files), level)
    assert outcome.stdout.startswith(b"True\n"), outcome


def test_a_source_that_cannot_be_compiled_is_the_submission_s_own_fault(level: Level) -> None:
    files = (File("main.py", b"print('hello')\n"), File("broken.py", b"def ("))
    outcome = run_at(job(("python3", "main.py"), files), level)
    assert outcome.stdout == b"hello\n"


def test_the_submission_is_not_changed_by_a_run(level: Level) -> None:
    source = "import os\ntry:\n    open('new', 'x').close()\nexcept OSError: pass\n"
    first, second = (run_at(script(source + "print(os.listdir())"), level) for _ in range(2))
    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (job(()), "the command is empty"),
        (job(("no-such-program",)), "no program 'no-such-program'"),
        (job(("python3",), (File("../out", b""),)), "'../out' is no path"),
        (job(("python3",), (File("/out", b""),)), "'/out' is no path"),
        (job(("python3",), (File("a", b""), File("a", b""))), "there twice"),
        (job(("python3",), (File("a", b""), File("a/b", b""))), "there twice"),
        (job(("python3", "a\0b")), "null byte"),
        (job(("python3",), input_name="../board.txt"), "no name for an input file"),
        (job(("python3",), reads=("/no/such/folder",)), "/no/such/folder"),
    ],
)
def test_what_cannot_be_run_is_a_fault_with_words(asked: object, words: str) -> None:
    assert isinstance(asked, type(script("")))
    for _ in range(2):
        outcome = run(asked)
        assert outcome.ending is Ending.FAULT
        assert words in outcome.fault
    assert run(script(COPY)).output == INPUT


def test_threads_do_not_meet(level: Level) -> None:
    def answer(number: int) -> bytes | None:
        return run_at(script(COPY, input=b"%d\n" % number), level).output

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(answer, range(12)))
    assert answers == [b"%d\n" % number for number in range(12)]


def test_many_submissions_are_unpacked_and_forgotten() -> None:
    jobs = [script(f"print({number})") for number in range(KEPT_SUBMISSIONS + 2)]
    for _ in range(2):
        for number, each in enumerate(jobs):
            assert run(each).stdout == b"%d\n" % number


def test_trees_of_any_depth_and_mode_are_removed(level: Level) -> None:
    source = (
        "import os, sys\n"
        "os.chdir(os.path.dirname(sys.argv[2]))\n"
        "for _ in range(2000):\n"
        "    os.mkdir('d'); os.chdir('d')\n"
        "open('x', 'w').close(); os.chmod('x', 0); os.chmod('.', 0)\n"
    )
    assert run_at(script(source), level).ending in (Ending.EXIT, Ending.OUTPUT)
    assert run_at(script(COPY), level).output == INPUT


def test_processor_time_of_children_counts(level: Level) -> None:
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    while time.process_time() < 0.3: pass\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    outcome = run_at(script(source), level)
    assert outcome.ending is Ending.EXIT
    assert outcome.cpu_s > 0.3
    assert run_at(script(source, limits=replace(LIMITS, cpu_s=0.2)), level).ending is Ending.CPU


def test_off_means_limits_only() -> None:
    assert run(script(COPY, sandbox=Sandbox.OFF)).level == Level.LIMITS


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        pytest.param(
            "import mmap\n"
            "shared = mmap.mmap(-1, 1 << 30)\n"
            "for at in range(0, 1 << 30, 4096): shared[at] = 1\n",
            Ending.MEMORY,
            id="memory that no single process is charged for",
        ),
        pytest.param(
            "import mmap, time\n"
            "time.sleep(0.2)\n"
            "held = [mmap.mmap(-1, 1 << 20) for _ in range(400)]\n"
            "for each in held:\n"
            "    each.write(bytes(1 << 20)); each.madvise(mmap.MADV_DONTNEED)\n"
            "time.sleep(60)\n",
            Ending.MEMORY,
            id="memory that is let go of and stays",
        ),
        pytest.param(
            "import os, sys\n"
            "os.chdir(os.path.dirname(sys.argv[2]))\n"
            "for number in range(5000):\n"
            "    os.makedirs(f'folder/{number}')\n"
            "    open(f'folder/{number}/file', 'wb').write(b'x' * 100000)\n",
            Ending.OUTPUT,
            id="many files deep in the output's folder",
        ),
        pytest.param(
            "import os, signal, time\n"
            "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
            "while True:\n"
            "    if os.fork() == 0:\n"
            "        while time.process_time() < 0.2: pass\n"
            "        os._exit(0)\n"
            "    time.sleep(0.2)\n",
            Ending.CPU,
            id="processor time of children that nobody waits for",
        ),
        pytest.param(
            "import os, time\n"
            "while True:\n"
            "    if os.fork() == 0:\n"
            "        if os.fork() == 0:\n"
            "            while time.process_time() < 0.02: pass\n"
            "        os._exit(0)\n"
            "    os.wait(); time.sleep(0.02)\n",
            Ending.CPU,
            id="processor time of orphans that live shorter than a look",
        ),
        pytest.param(
            "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
            Ending.CPU,
            id="a fork bomb without end",
        ),
    ],
)
def test_there_is_no_way_around_a_limit(source: str, ending: Ending) -> None:
    limits = replace(LIMITS, cpu_s=1, memory_mb=128)
    assert run(script(source, limits=limits)).ending is ending
    assert run(script(COPY)).output == INPUT
