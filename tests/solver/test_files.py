"""Files are written whole or not at all, whatever streams and disks do."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command import BLOCKED, SHOT_ANSWER, solver

from solver.cli import main


def test_nothing_is_left_beside_the_output(shot: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    solver(shot, str(folder / "answer.txt"))
    assert [path.name for path in folder.iterdir()] == ["answer.txt"]


def test_the_output_may_be_the_input(shot: str) -> None:
    solver(shot, shot)
    assert Path(shot).read_text() == SHOT_ANSWER


def test_a_link_stays_a_link(shot: str, tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    assert solver(shot, str(link)).returncode == 0
    assert link.is_symlink()
    assert real.read_text() == SHOT_ANSWER


def test_a_device_is_written_to_and_not_replaced(shot: str) -> None:
    assert solver(shot, "/dev/null").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


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
    ("redirection", "code", "told"),
    [
        ("<&-", 3, "solver: standard input is closed\n"),
        ("< {shot} >&-", 3, "solver: standard output is closed\n"),
        (
            "< {shot} > /dev/full",
            3,
            "solver: standard output: cannot write: No space left on device\n",
        ),
    ],
)
def test_closed_and_full_streams(shot: str, redirection: str, code: int, told: str) -> None:
    command = f"{sys.executable} -m solver - - {redirection.replace('{shot}', shot)}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, told)


def test_a_closed_standard_output_does_not_matter_to_a_file(shot: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m solver {shot} {tmp_path / 'out.txt'} >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.txt").read_text() == SHOT_ANSWER


@pytest.mark.parametrize(
    "command",
    [
        "analyse {shot}",
        "eval {shot}",
        "perft --depth 2",
        "bench",
        "solve --game twoflags --files 2",
    ],
)
def test_data_for_a_closed_standard_output_is_not_lost_in_silence(shot: str, command: str) -> None:
    words = f"{sys.executable} -m solver {command.replace('{shot}', shot)} >&-"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (3, "solver: standard output is closed\n")


def test_the_mode_of_an_existing_file_is_kept(shot: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.touch()
    out.chmod(0o640)
    solver(shot, str(out))
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_a_reader_that_leaves_early_is_no_error(shot: str) -> None:
    command = f"{sys.executable} -m solver perft --depth 5 | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interruption_ends_it_with_130_and_no_output(tmp_path: Path) -> None:
    start = tmp_path / "start.txt"
    start.write_text("B:W21-32:B1-12")
    out = tmp_path / "out.txt"
    with subprocess.Popen(
        [sys.executable, "-m", "solver", str(start), str(out), "--time", "60"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=30)
    assert (process.returncode, words) == (130, "solver: interrupted\n")
    assert not out.exists()


def in_shell(command: str) -> subprocess.CompletedProcess[str]:
    command = command.replace("solver ", f"{sys.executable} -m solver ", 1)
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True)


def test_a_stream_by_its_path_is_written_to_and_never_replaced(shot: str, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("old\n")
    assert in_shell(f"solver {shot} /dev/stdout >> {log}").returncode == 0
    assert log.read_text() == "old\n" + SHOT_ANSWER
    assert in_shell(f"solver {shot} /dev/stdout | cat").stdout == SHOT_ANSWER
    assert in_shell(f"solver {shot} >(cat); sleep 0.2").stdout == SHOT_ANSWER


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_an_answer_does_not_depend_on_who_reads_the_words(tmp_path: Path, redirection: str) -> None:
    """An outcome and a warning, and nobody to tell them to."""
    source, out = tmp_path / "over.txt", tmp_path / "out.txt"
    source.write_text(BLOCKED[:-9] + ".b......\n")
    for target in (str(out), "-"):
        done = in_shell(f"solver {source} {target} {redirection}")
        assert done.returncode == 0
        answer = out.read_text() if target == str(out) else done.stdout
        assert answer == BLOCKED[:-9] + ".B......\n"


def test_an_output_that_can_never_be_written_is_refused_at_once(shot: str, tmp_path: Path) -> None:
    """A search of an hour would run into the time limit of `solver`."""
    for target in (f"{tmp_path}/new/", f"{tmp_path}/no/such/out.txt", str(tmp_path), ""):
        done = solver(shot, target, "--time", "3600")
        assert (done.returncode, done.stdout) == (3, "")
        assert "cannot write" in done.stderr


def test_results_are_not_written_over_each_other(shot: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    for target, stats in ((str(out), f"{tmp_path}/./out.txt"), ("-", "-")):
        done = solver(shot, target, "--stats", stats)
        assert done.returncode == 2
        assert "are the same" in done.stderr
    assert not out.exists()


def test_a_long_name_is_as_good_as_a_short_one(shot: str, tmp_path: Path) -> None:
    out = tmp_path / ("x" * 250)
    assert solver(shot, str(out)).returncode == 0
    assert out.read_text() == SHOT_ANSWER


def test_an_odd_name_does_not_reach_the_terminal_raw(tmp_path: Path) -> None:
    source = tmp_path / "odd\x1b[31m\nname.txt"
    source.write_text(BLOCKED)
    done = solver(str(source), "-")
    assert done.returncode == 0
    assert "\x1b" not in done.stderr
