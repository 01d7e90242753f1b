"""The command line: both calling styles, every command, every kind of mistake."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from solver.cli import COMMANDS, main

SHOT = """\
.....b.R
......r.
........
..R.b...
.......b
......b.
...r....
........
"""
SHOT_ANSWER = """\
.....b.R
......r.
...R....
....b...
.......b
......b.
...r....
........
"""
BLOCKED = "........\n........\n........\n..b.....\n.b......\nr.......\n........\n........\n"


@pytest.fixture
def shot(tmp_path: Path) -> str:
    """A board on which red wins in 9 plies by giving up a man."""
    path = tmp_path / "shot.txt"
    path.write_text(SHOT)
    return str(path)


def solver(*words: str, text: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """A real process."""
    return subprocess.run(
        [sys.executable, "-m", "solver", *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )


# --- solve ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        ["{in}", "{out}"],
        ["--inputfile", "{in}", "--outputfile", "{out}"],
        ["--outputfile", "{out}", "--inputfile", "{in}"],
        ["solve", "{in}", "{out}"],
        ["solve", "--inputfile={in}", "--outputfile={out}"],
        ["{in}", "--outputfile", "{out}"],
        ["{in}", "{out}", "--nodes", "9000"],
    ],
)
def test_every_way_to_call_it(shot: str, tmp_path: Path, call: list[str]) -> None:
    out = tmp_path / "answer.txt"
    words = [word.replace("{in}", shot).replace("{out}", str(out)) for word in call]
    done = solver(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text() == SHOT_ANSWER


def test_standard_input_and_output() -> None:
    done = solver("-", "-", text=SHOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, SHOT_ANSWER, "")


def test_output_is_standard_output_by_default(shot: str) -> None:
    assert solver(shot).stdout == SHOT_ANSWER


def test_a_fen_is_answered_by_a_fen() -> None:
    done = solver("-", "-", text="B:W18,24:B1,K5\n")
    assert done.returncode == 0
    assert re.fullmatch(r"W:W[K\d,]+:B[K\d,]+\n", done.stdout)


def test_formats_can_be_chosen(shot: str) -> None:
    answer = solver(shot, "-", "--format", "fen").stdout
    assert answer == "W:W9,13,18,30:B7,K23,25,K29\n"
    assert solver("-", "-", "--format", "board", text="B:W10:B7,K23").stdout.count("\n") == 8


def test_a_mixed_board_has_no_fen(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(SHOT.replace("........", "r.......", 1))
    done = solver(str(path), "-", "--format", "fen")
    assert done.returncode == 2
    assert "no FEN" in done.stderr


def test_a_game_that_is_over_is_its_own_answer() -> None:
    done = solver("-", "-", text=BLOCKED)
    assert (done.returncode, done.stdout) == (0, BLOCKED)
    assert done.stderr == (
        "solver: standard input: black has won: red is to move and has no legal move\n"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BLOCKED.replace("r", "."), "black has won: red has no piece left"),
        (BLOCKED.replace("b", "."), "red has won: black has no piece left"),
        (BLOCKED.replace("b", ".").replace("r", "."), "black has won: red has no piece left"),
    ],
)
def test_a_game_is_over_without_pieces(text: str, told: str) -> None:
    done = solver("-", "-", text=text)
    assert (done.returncode, done.stdout) == (0, text)
    assert told in done.stderr


def test_a_game_that_is_over_has_statistics_and_a_line_too() -> None:
    done = solver("-", "/dev/null", "--stats", "-", text=BLOCKED)
    record = json.loads(done.stdout)
    assert record["outcome"] == "black has won: red is to move and has no legal move"
    assert record["before"] == record["after"] == BLOCKED.splitlines()
    assert record["move"] is record["score"] is record["nodes"] is None
    assert solver("-", "-", "--line", text=BLOCKED).stdout == BLOCKED + "\n"


def test_verbose_tells_move_value_and_effort(shot: str) -> None:
    done = solver(shot, "-", "-v")
    assert done.stdout == SHOT_ANSWER
    first, line = done.stderr.splitlines()
    assert re.fullmatch(
        rf"{re.escape(shot)}: red plays 19-23, proven win in 9; \d+ nodes, \d+\.\d\d s", first
    )
    assert line == "line: 19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"


def test_moves_by_squares(shot: str) -> None:
    assert "red plays c5-d6," in solver(shot, "-", "-v", "--notation", "squares").stderr


def test_the_whole_line_ends_with_the_game(shot: str) -> None:
    done = solver(shot, "-", "--line")
    boards = done.stdout.split("\n\n")
    assert boards.pop() == ""
    assert boards[0] + "\n" == SHOT
    assert boards[1] + "\n" == SHOT_ANSWER
    assert len(boards) == 10
    assert not set("bB") & set(boards[-1])
    assert done.stderr.endswith("red has won: black has no piece left; plies: 9\n")


def test_a_line_that_goes_nowhere_ends_as_a_draw() -> None:
    done = solver("-", "-", "--line", "--depth", "2", text="B:WK4:BK29")
    assert done.returncode == 0
    assert "a draw: the same position for the third time" in done.stderr


def test_statistics_are_the_documented_json(shot: str, tmp_path: Path) -> None:
    stats = tmp_path / "stats.json"
    assert solver(shot, "-", "--stats", str(stats)).returncode == 0
    record = json.loads(stats.read_text())
    assert list(record) == [
        *("schema", "version", "compiled", "game", "input", "outcome", "before", "after", "mover"),
        *("move", "line", "score", "value", "plies_to_end", "proven", "depth", "nodes"),
        *("proof_effort", "search_effort", "branching_factor", "seconds", "heuristic"),
        *("switches", "limits"),
    ]
    assert record["before"] == SHOT.splitlines()
    assert record["after"] == SHOT_ANSWER.splitlines()
    assert (record["move"], record["value"], record["proven"]) == ("19-23", "win in 9", True)
    assert record["plies_to_end"] == record["depth"] == len(record["line"]) == 9
    assert record["nodes"] == record["proof_effort"]["visited"]
    assert record["search_effort"]["visited"] == 0


def test_all_nodes_are_counted_not_only_those_of_finished_depths() -> None:
    start = "B:W21-32:B1-12"
    done = solver("-", "/dev/null", "--stats", "-", "--nodes", "5000", text=start)
    record = json.loads(done.stdout)
    assert not record["proven"]
    assert 5000 <= record["nodes"] <= 5002  # each of the two attempts sees that it is over


def test_statistics_of_a_search(shot: str) -> None:
    done = solver(shot, "/dev/null", "--stats", "-", "--depth", "3", "--heuristic", "material")
    record = json.loads(done.stdout)
    assert (record["proven"], record["depth"], record["heuristic"]) == (False, 3, "material")
    assert record["proof_effort"]["visited"] == 0
    assert record["nodes"] == record["search_effort"]["visited"] > 10
    assert record["limits"] == {"depth": 3, "nodes": None, "seconds": None}


@pytest.mark.parametrize(
    "options",
    [
        ["--ordering", "static", "--cache", "none"],
        ["--no-alpha-beta", "--no-deepening", "--no-extension"],
        ["--cache", "unsound-board", "--terminal", "depth-ratio"],
        ["--heuristic", "safe-mobile", "--time", "0.5"],
    ],
)
def test_techniques_can_be_switched(shot: str, options: list[str]) -> None:
    done = solver(shot, "/dev/null", "--depth", "3", "--stats", "-", *options)
    assert done.returncode == 0
    record = json.loads(done.stdout)
    off = [option.removeprefix("--no-").replace("-", "_") for option in options]
    for switch in ("alpha_beta", "deepening", "extension"):
        assert record["switches"][switch] == (switch not in off)
    for name in ("ordering", "cache", "terminal"):
        if f"--{name}" in options:
            assert record["switches"][name] == options[options.index(f"--{name}") + 1]
    assert record["depth"] == 3


def test_a_man_on_its_crowning_row_is_a_king_unless_strict() -> None:
    text = "....r...\n" + "........\n" * 5 + ".......b\n........\n"
    done = solver("-", "-", text=text)
    warning = "standard input: line 1, column 5: a red man on its crowning row would be a king"
    assert done.returncode == 0
    assert f"warning: {warning}" in done.stderr
    assert "R" in done.stdout
    done = solver("solve", "-", "-", "--strict", text=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"solver: {warning}\n")


# --- the other commands --------------------------------------------------------------------


def test_analyse_shows_every_depth_and_the_best_moves(shot: str) -> None:
    done = solver("analyse", shot, "--lines", "3", "--depth", "5")
    info, moves = done.stdout.split("\n\n")
    shape = (
        r"depth \d+ score \S+ nodes \d+ cutoffs \d+\+\d+ cache \d+/\d+ ebf \d+\.\d\d "
        r"time \d+\.\d\d pv .+"
    )
    assert [line.split()[1] for line in info.splitlines()] == ["1", "2", "3", "4", "5"]
    assert all(re.fullmatch(shape, line) for line in info.splitlines())
    rows = moves.splitlines()
    assert rows[0].split() == ["move", "value", "continued"]
    assert len(rows) == 5
    assert len({row.split()[0] for row in rows[2:]}) == 3


def test_analyse_proves_first(shot: str) -> None:
    done = solver("analyse", shot, "--lines", "2", "--nodes", "20000")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("proof 9 score win-in-9 ")
    assert "19-23  proven win in 9" in done.stdout


def test_analyse_of_a_game_that_is_over() -> None:
    done = solver("analyse", "-", text=BLOCKED)
    assert done.returncode == 0
    assert done.stdout == "black has won: red is to move and has no legal move\n"


def test_eval_shows_the_terms(shot: str) -> None:
    done = solver("eval", shot, "--heuristic", "centre")
    assert done.stdout.splitlines() == [
        "term                               red  black  weight  total",
        "---------------------------------  ---  -----  ------  -----",
        "kings                                2      0       4      8",
        "men in the middle sixteen squares    0      1       2     -2",
        "other men                            2      3       1     -1",
        "sum                                                        5",
        "",
        "centre: +5 for red, who is to move",
    ]


def test_perft_counts_from_the_start() -> None:
    done = solver("perft", "--depth", "4")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["depth", "positions"],
        ["1", "7"],
        ["2", "49"],
        ["3", "302"],
        ["4", "1469"],
    ]


def test_perft_divides_in_both_conventions() -> None:
    fen = "B:WK10,K11,K18,K19,K26,K27:BK15,K1"
    for options, total, moves in ((["--unique"], 48, 4), ([], 56, 6)):
        done = solver("perft", "-", "--depth", "2", "--divide", *options, text=fen)
        rows = [line.split() for line in done.stdout.splitlines()[2:]]
        assert rows[-1] == ["total", str(total)]
        assert len(rows) == moves + 1
        assert sum(int(row[1]) for row in rows[:-1]) == total


def test_version_says_how_it_was_built() -> None:
    from solver import search

    built = "pure Python" if str(search.__file__).endswith(".py") else "compiled"
    assert re.fullmatch(rf"checkmark \d+\.\d+\.\d+ \({built}\)\n", solver("--version").stdout)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples_and_exit_codes(command: str) -> None:
    done = solver(*command.split(), "--help")
    assert done.returncode == 0
    assert "examples:\n  python3 -m solver" in done.stdout
    assert "exit codes:\n" in done.stdout


def test_without_arguments_it_explains_itself() -> None:
    done = solver()
    assert done.returncode == 0
    assert "solver analyse" in done.stdout


# --- mistakes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["analyze", "x.txt"], "analyze: No such file or directory. Did you mean 'analyse'?"),
        (["{in}", "-", "--heuristic", "center"], "Did you mean 'centre'? Known: material, "),
        (["{in}", "-", "--heurstic", "x"], "Did you mean '--heuristic'?"),
        (
            ["{in}", "-", "--ordering", "sttic"],
            "argument --ordering: 'sttic' is not one of none, static, learned. "
            "Did you mean 'static'? Try 'python3 -m solver solve --help'.\n",
        ),
        (["{in}", "-", "--format", "fne"], "There is no format 'fne'. Did you mean 'fen'?"),
        (["{in}", "-", "--cache", "sond"], "Did you mean 'sound'?"),
        (["{in}", "-", "--depth", "0"], "'0' is not a whole number from 1 on"),
        (["{in}", "-", "--depth", "x"], "'x' is not a whole number from 1 on"),
        (["{in}", "-", "--depth", "201"], "201 is more than 200"),
        (["{in}", "-", "--time", "nan"], "'nan' is not a number of seconds above 0"),
        (["{in}", "-", "--no-deepening"], "--no-deepening needs a --depth"),
        (["{in}", "-", "--inputfile", "{in}"], "The input is given twice"),
        (["{in}", "-", "--outputfile", "-"], "The output is given twice"),
        (["--depth", "3"], "Which board? Try 'python3 -m solver board.txt answer.txt'."),
        (["{in}", "a", "b"], "unrecognized arguments: b. Try 'python3 -m solver solve --help'."),
        (["perft"], "the following arguments are required: --depth"),
        (["eval", "{in}", "--heuristic", "my.py:"], "my.py: No such file or directory"),
    ],
)
def test_a_mistake_gets_a_hint_and_no_traceback(shot: str, words: list[str], told: str) -> None:
    done = solver(*(word.replace("{in}", shot) for word in words))
    assert done.returncode in (2, 3)
    assert done.stdout == ""
    assert told in done.stderr
    assert all(line.startswith("solver: ") for line in done.stderr.splitlines())


def test_every_fault_of_a_board_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    out = tmp_path / "out.txt"
    out.write_text("precious")
    path.write_text("........\n..x.....\n......\n....y...\n")
    done = solver(str(path), str(out))
    assert done.returncode == 2
    *faults, advice = done.stderr.splitlines()
    assert faults == [
        f"solver: {path}: line 2, column 3: 'x' is not one of . r b R B",
        f"solver: {path}: line 3, column 7: 6 characters, a row has 8",
        f"solver: {path}: line 4, column 5: 'y' is not one of . r b R B",
        f"solver: {path}: line 5, column 1: the board ends after 4 rows, it has 8",
    ]
    assert advice.startswith("solver: A board is 8 rows of 8 characters, ")
    assert out.read_text() == "precious"


def test_a_missing_file_and_a_folder() -> None:
    assert solver("nowhere.txt", "-").returncode == 3
    done = solver("/", "-")
    assert (done.returncode, done.stderr) == (3, "solver: /: Is a directory\n")


def test_a_huge_file_is_no_board(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    path.write_text("." * 200_000)
    done = solver(str(path), "-")
    assert done.returncode == 2
    assert "too large for a board" in done.stderr


# --- whole files or none -------------------------------------------------------------------


def test_an_output_that_cannot_be_written_is_an_error(shot: str, tmp_path: Path) -> None:
    target = tmp_path / "no" / "such" / "folder.txt"
    done = solver(shot, str(target))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"solver: {target}: cannot write: No such file or directory\n"


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


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"\xff......." + b"\n........" * 7)
    done = solver(str(path), "-")
    assert done.returncode == 2
    assert "line 1, column 1: byte 0xff is not one of . r b R B" in done.stderr


def test_standard_input_is_read_in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHOT.encode())))
    assert main(["-", "-"]) == 0
    assert capsys.readouterr().out == SHOT_ANSWER
