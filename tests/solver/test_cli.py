"""The command line: both calling styles and every command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import BLOCKED, SHOT, SHOT_ANSWER, solver

from solver.cli import COMMANDS


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
        ["{in}", "--nodes", "9000", "{out}"],
        ["solve", "--nodes", "9000", "{in}", "{out}"],
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
    done = solver("-", "-", "--line", "--depth", "2", text="B:WK19,K23:B12,K28")
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
    assert record["limits"] == {"depth": 3, "nodes": None, "seconds": None, "megabytes": 300}


@pytest.mark.parametrize(
    "options",
    [
        ["--ordering", "static", "--cache", "none"],
        ["--without", "alpha-beta,deepening,captures"],
        ["--cache", "unsound-board", "--terminal", "depth-ratio"],
        ["--heuristic", "safe-mobile", "--time", "0.5"],
    ],
)
def test_techniques_can_be_switched(shot: str, options: list[str]) -> None:
    done = solver(shot, "/dev/null", "--depth", "3", "--stats", "-", *options)
    assert done.returncode == 0
    record = json.loads(done.stdout)
    for field in ("alpha_beta", "deepening", "extension"):
        assert record["switches"][field] == ("--without" not in options)
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


def test_analyse_searches_every_move_as_deep_as_asked(shot: str) -> None:
    """Also after a best move whose win is proven sooner."""
    fen = "B:WK17:BK1,K6"
    done = solver("analyse", "-", "--depth", "10", "--lines", "9", text=fen)
    rows = done.stdout.split("\n\n")[1].splitlines()[2:]
    assert rows[0].split()[1:5] == ["proven", "win", "in", "9"]
    assert all("proven" in row or "at depth 10" in row for row in rows)


def test_analyse_keeps_to_the_nodes_for_every_move() -> None:
    """The second move is searched to any depth at once, because it leads into the endgame
    tables; the third would take forever."""
    done = solver(
        "analyse", "-", "--nodes", "3000", "--lines", "9", text="B:WK1,11,K17,18:BK14,K15"
    )
    rows = done.stdout.split("\n\n")[1].splitlines()[2:]
    assert [row.split()[0] for row in rows] == ["15x22x13", "14x21", "14x23", "15x8"]
    assert ["proven draw" in row for row in rows] == [True, True, False, False]


def test_what_a_win_is_worth_is_never_called_a_draw() -> None:
    options = ("--depth", "2", "--terminal", "depth-ratio", "-v")
    done = solver("solve", "-", "-", *options, text="W:WK14:BK1,K6")
    assert "14-18, proven -3030; " in done.stderr


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
