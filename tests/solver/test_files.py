"""Files are written whole or not at all, whatever streams and disks do; a plain call leaves at
once and yet loses nothing."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.command import BLOCKED, SHOT, SHOT_ANSWER, call, solver

from solver.cli import main

ONE_MOVE = "........\n........\n.b......\n........\n........\n........\n........\nr.......\n"
ONE_MOVE_ANSWER = "........\n........\n.b......\n........\n........\n........\n.r......\n........\n"
CLOSED = "solver: standard output is closed\n"


def in_shell(command: str) -> subprocess.CompletedProcess[str]:
    command = command.replace("solver ", f"{sys.executable} -m solver ", 1)
    words = ["bash", "-o", "pipefail", "-c", command]
    return subprocess.run(words, capture_output=True, text=True)


def test_a_file_is_replaced_as_a_whole(shot: str, tmp_path: Path) -> None:
    """The input itself, the target of a link, a long name; the mode stays, and nothing is left."""
    real, link, long = (tmp_path / name for name in ("real.txt", "link.txt", "x" * 250))
    real.touch()
    real.chmod(0o640)
    link.symlink_to(real)
    for target in (link, long, Path(shot)):
        assert call(shot, str(target)).returncode == 0
        assert target.read_text() == SHOT_ANSWER
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="a folder of Linux")
def test_a_file_in_shared_memory_is_no_device(shot: str) -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        target = Path(folder, "answer.txt")
        for _ in range(2):
            assert call(shot, str(target)).returncode == 0
            assert target.read_text() == SHOT_ANSWER


def test_a_full_disk_leaves_the_old_file(
    shot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answer.txt"
    out.write_text("old")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main([shot, str(out)]) == 3
    assert "No space left on device" in capsys.readouterr().err
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.txt", "shot.txt"]


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("- - <&-", 3, "solver: standard input is closed\n"),
        ("- - < {shot} >&-", 3, CLOSED),
        (
            "- - < {shot} > /dev/full",
            3,
            "solver: standard output: cannot write: No space left on device\n",
        ),
        ("{shot} {out} >&-", 0, ""),
        ("eval {shot} >&-", 3, CLOSED),
        ("solve --game twoflags --files 2 >&-", 3, CLOSED),
        ("perft --depth 5 | true", 0, ""),  # a reader that leaves early is no error
    ],
)
def test_closed_and_full_streams(
    shot: str, tmp_path: Path, command: str, code: int, told: str
) -> None:
    out = tmp_path / "out.txt"
    done = in_shell(f"solver {command.replace('{shot}', shot).replace('{out}', str(out))}")
    assert (done.returncode, done.stderr) == (code, told)
    assert out.exists() == (code == 0 and "{out}" in command)


def test_an_interruption_ends_it_with_130_and_no_output(tmp_path: Path) -> None:
    """As soon as it waits for its input, which it opens before it solves."""
    source, out = tmp_path / "board.txt", tmp_path / "out.txt"
    os.mkfifo(source)
    with subprocess.Popen(
        [sys.executable, "-m", "solver", str(source), str(out), "--time", "600"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        source.write_text("B:W21-32:B1-12")
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=60)
    assert (process.returncode, words) == (130, "solver: interrupted\n")
    assert not out.exists()


def test_a_stream_by_its_path_is_written_to_and_never_replaced(shot: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("old\n")
    assert in_shell(f"solver {shot} /dev/stdout >> {log}").returncode == 0
    assert log.read_text() == "old\n" + SHOT_ANSWER
    assert in_shell(f"solver {shot} /dev/stdout | cat").stdout == SHOT_ANSWER
    assert call(shot, "/dev/null").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_an_answer_does_not_depend_on_who_reads_the_words(tmp_path: Path, redirection: str) -> None:
    """An outcome and a warning, and nobody to tell them to."""
    source = tmp_path / "over.txt"
    source.write_text(BLOCKED[:-9] + ".b......\n")
    done = in_shell(f"solver {source} - {redirection}")
    assert (done.returncode, done.stdout) == (0, BLOCKED[:-9] + ".B......\n")


def test_an_output_that_can_never_be_written_is_refused_at_once(shot: str, tmp_path: Path) -> None:
    for target in (f"{tmp_path}/new/", f"{tmp_path}/no/such/out.txt", str(tmp_path), ""):
        done = call(shot, target, "--time", "3600")
        assert (done.returncode, done.stdout) == (3, "")
        assert "cannot write" in done.stderr
    both = "........\n.b......\n........\n..b.....\n........\n.r......\n......r.\n........\n"
    done = call("-", "-", "--format", "fen", "--time", "3600", text=both)
    assert (done.returncode, done.stdout) == (2, "")
    assert "has no FEN" in done.stderr


def test_an_odd_name_does_not_reach_the_terminal_raw(tmp_path: Path) -> None:
    source = tmp_path / "odd\x1b[31m\nname.txt"
    source.write_text(BLOCKED)
    done = call(str(source), "-")
    assert done.returncode == 0
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("board", "answer"),
    [(ONE_MOVE, ONE_MOVE_ANSWER), (SHOT, SHOT_ANSWER), (BLOCKED, BLOCKED)],
)
def test_a_plain_call_leaves_at_once_and_its_answer_arrives(board: str, answer: str) -> None:
    done = solver("-", "-", text=board)
    assert (done.returncode, done.stdout) == (0, answer)


def test_a_plain_call_has_an_exit_code(tmp_path: Path) -> None:
    done = solver("-", "-", text="rubbish\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input: line 1" in done.stderr
    assert solver("-", str(tmp_path / "no" / "where"), text=ONE_MOVE).returncode == 3


def test_a_program_that_calls_us_goes_on_afterwards(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(ONE_MOVE)
    words = ["-m", "cProfile", "-m", "solver", str(board), "-"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(ONE_MOVE_ANSWER)
    assert "function calls" in done.stdout
