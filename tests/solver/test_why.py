"""`solver analyse --why`: golden transcripts, and what the options do to it.

`PYTHONPATH=tests python tests/solver/test_why.py` writes the transcripts anew; read them then.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from command import BLOCKED, SHOT, solver
from explaining import INPUTS

GOLDEN = Path(__file__).parent.parent / "golden" / "why"
OPENING = "B:W21-32:B1-12"

# A transcript's name, the board (a puzzle, or its text), and options.
CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "rule-compulsory-jump": ("checkers/compulsory-jump-into-a-loss", ()),
    "rule-jump-in-a-circle": ("checkers/jump-in-a-circle", ("--nodes", "20000")),
    "tactic-shot": ("checkers/shot-in-nine", ("--nodes", "20000")),
    "tactic-shot-at-depth-4": ("checkers/shot-in-nine", ("--depth", "4")),
    "tactic-choice-of-jumps": ("checkers/choice-of-jumps-shorter", ()),
    "ending-first-position": ("W:WK19,K23:B12,K28", ()),
    "ending-at-most": ("B:W10,19:BK11,23,K31", ("--depth", "2")),
    "draw-by-a-shot": ("checkers/draw-by-a-shot", ("--nodes", "20000")),
    "draws-equally-good": ("checkers/equally-good-draws", ()),
    "defence": ("checkers/defence-last-longest", ()),
    "opening": ("checkers/opening", ("--depth", "5")),
    "opening-equally-good": ("checkers/opening", ("--depth", "4")),
    "middle-game": ("checkers/middle-game-close-the-back-row", ("--depth", "6")),
    "light-squares": ("checkers/light-squares-draw", ("--notation", "squares")),
    "both-colours": ("checkers/both-colours-win-by-blocking", ()),
    "two-flags-breakthrough": ("twoflags/breakthrough-two-against-two", ()),
    "two-flags-en-passant": ("twoflags/en-passant-invited", ()),
    "two-flags-blockade": ("twoflags/blockade-not-the-outer-pawn", ()),
    "two-flags-lost": ("twoflags/race-lone-pawns", ()),
    "two-flags-race-in-sight": ("twoflags/zugzwang-one-step-only", ("--depth", "5")),
    "two-flags-opinion": ("twoflags/zugzwang-six-against-six", ("--depth", "3")),
}


def transcript(name: str) -> str:
    """The explanation, without the usual output, and the hint that goes with it."""
    where, options = CASES[name]
    path = INPUTS / f"{where}.txt"
    board, text = (str(path), "") if path.is_file() else ("-", where)
    why = solver("analyse", board, "--why", *options, text=text)
    hint = solver("hint", board, "--level", "3", *options, text=text)
    assert (why.returncode, why.stderr, hint.returncode, hint.stderr) == (0, "", 0, "")
    return why.stdout[why.stdout.index("\nWhy ") + 1 :] + "\n" + hint.stdout


@pytest.mark.parametrize("name", CASES)
def test_transcripts(name: str) -> None:
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text()


def test_there_is_a_case_for_every_transcript() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(CASES)


def test_it_comes_after_the_usual_output(shot: str) -> None:
    done = solver("analyse", shot, "--depth", "4", "--why")
    usual, _, why = done.stdout.partition("\n\nWhy 19-23? ")
    plain = solver("analyse", shot, "--depth", "4", "--lines", "2").stdout
    without_times = [line.partition(" time ")[0] for line in usual.splitlines()]
    assert without_times == [line.partition(" time ")[0] for line in plain.splitlines()]
    assert why.startswith("The search likes it best: an opinion, +278 at depth 4.\n")


def test_terms_add_up_to_the_values(shot: str) -> None:
    done = solver("analyse", shot, "--depth", "4", "--why")
    assert "\n19-23  +278 at depth 4 " in done.stdout
    assert "\n7-10   +32 at depth 4 " in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["sum", "278", "32", "246"]


def test_black_sees_it_the_other_way_round() -> None:
    """The same position with the colours swapped and the board turned."""
    red = solver("analyse", "-", "--depth", "4", "--why", text="B:W6,18,28:B1,9,K12")
    black = solver("analyse", "-", "--depth", "4", "--why", text="W:B27,15,5:W32,24,K21")
    table = [text.stdout.rpartition(":\n\n")[2] for text in (red, black)]
    numbers = [[line.split()[-4:] for line in text.splitlines()[2:-1]] for text in table]
    assert numbers[0] == numbers[1]


def test_an_own_heuristic_has_a_value_and_no_terms(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(
        "def evaluate(position):\n"
        "    board = str(position).lower()\n"
        "    red = board.count('r') - board.count('b')\n"
        "    return red if position.mover() == 'red' else -red\n"
    )
    (tmp_path / "shot.txt").write_text(SHOT)
    mine = str(tmp_path / "my.py") + ":evaluate"
    done = solver(
        "analyse", str(tmp_path / "shot.txt"), "--depth", "3", "--heuristic", mine, "--why"
    )
    assert done.returncode == 0
    assert f"What {mine} says about the end of both lines, for red:\n\nline of  value\n" in (
        done.stdout
    )
    assert "weight" not in done.stdout


def test_what_was_cut_short_is_called_that() -> None:
    """A cache that forgets the depth gives values that its lines do not end with."""
    path = str(INPUTS / "checkers/middle-game-look-deep.txt")
    done = solver("analyse", path, "--depth", "6", "--cache", "unsound-window", "--why")
    assert "\nWhat the search remembered has cut this line short: its value, +" in done.stdout
    assert " was cut short" in done.stdout.rpartition("line: ")[2]


def test_nothing_searched_at_all() -> None:
    done = solver("analyse", "-", "--nodes", "1", "--why", text=OPENING)
    assert "Nothing was searched: the heuristic alone likes it best." in done.stdout


def test_other_ways_to_count_wins(shot: str) -> None:
    done = solver("analyse", shot, "--depth", "9", "--terminal", "depth-ratio", "--why")
    assert done.returncode == 0
    assert "Red has won: black has no piece left." in done.stdout


def test_time_is_kept(shot: str) -> None:
    done = solver("analyse", shot, "--time", "0.3", "--why")
    assert "Why 19-23? It wins by force in 9 plies, whatever black does." in done.stdout


def test_a_game_that_is_over() -> None:
    done = solver("analyse", "-", "--why", text=BLOCKED)
    assert done.stdout == "black has won: red is to move and has no legal move\n"


def write_transcripts() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.txt"):
        path.unlink()
    for name in CASES:
        (GOLDEN / f"{name}.txt").write_text(transcript(name))


if __name__ == "__main__":
    write_transcripts()
