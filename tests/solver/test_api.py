"""The public Python API by its examples, and the walk of a plain call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.builds import INTERPRETED
from support.command import BLOCKED, SHOT, SHOT_ANSWER
from support.import_walk import ROOT

import solver
from solver.cli import main
from solver.errors import BoardError, FileError, UserError
from solver.games import GAMES
from solver.games.puzzle import Puzzle
from solver.search.position import Position

SHOT_FILE = ROOT / "inputs" / "checkers" / "shot-in-nine.txt"
LINE = "c5-d6 f8xh6 d6xf4xh2 h6-g5 d2-e3 g5-f4 e3xg5 h4-g3 h2xf4"
FEN = "B:W18,24:B1,K5"


def count_red(position: Position) -> int:
    red = str(position).lower().count("r")
    return red if position.mover() == "red" else -red


def test_read_takes_a_path_a_name_or_a_text() -> None:
    puzzle = solver.read(SHOT_FILE)
    assert solver.read(str(SHOT_FILE)) == solver.read(SHOT) == puzzle
    assert (str(puzzle), puzzle.mover, puzzle.result) == (SHOT.rstrip("\n"), "red", None)
    assert eval(repr(puzzle)) == puzzle
    assert solver.read(FEN).moves()[0] == "5-9"  # PDN numbers for a FEN
    assert solver.read("Setup We5 Bd7 Bf7 BLACK").mover == "black"


def test_read_says_what_is_wrong() -> None:
    with pytest.raises(FileError, match=r"^no-such-board.txt: No such file or directory$"):
        solver.read("no-such-board.txt")
    with pytest.raises(BoardError, match=r"^text: line 1, column 1: "):
        solver.read("nonsense\n")
    with pytest.raises(UserError, match="There is no game 'chess'"):
        solver.start("chess")
    crowned = solver.read(BLOCKED[:-9] + ".b......\n")
    assert crowned.warnings
    with pytest.raises(BoardError):
        solver.read(str(crowned).replace("B", "b"), strict=True)


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_played_by_name(game: str) -> None:
    start = solver.start(game)
    for move in start.moves():
        after = start.play(move)
        assert (after.mover != start.mover, start) == (True, solver.start(game))
    assert len({start.play(move) for move in start.moves()}) == len(start.moves())
    with pytest.raises(AttributeError, match="cannot be changed"):
        start.form = "fen"


def test_a_move_has_more_than_one_name() -> None:
    puzzle = solver.read(SHOT)
    assert puzzle.play("c5-d6") == puzzle.play("C5 d6") == puzzle.play("19-23")
    with pytest.raises(
        UserError, match=r"^d2-d4 is not a legal move\. Legal from d2: d2-e3, d2-c3"
    ):
        puzzle.play("d2-d4")


def test_a_finished_game_has_a_result_and_nothing_to_solve() -> None:
    puzzle = solver.read(BLOCKED)
    assert puzzle.result is not None
    assert (puzzle.result.winner, puzzle.moves()) == ("black", [])
    with pytest.raises(UserError, match=r"^The game is over: black has won: red is to move"):
        solver.solve(puzzle)


def test_a_notebook_draws_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kings are known by their names: other games have capital letters too."""
    puzzle = solver.read(SHOT)
    drawing = ElementTree.fromstring(puzzle._repr_svg_())
    titles = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == "checkers, red to move"
    assert "red king on c5" in titles
    assert len(titles) == 9
    assert puzzle._repr_svg_().count("gold") == str(puzzle.position).count("R") > 0
    monkeypatch.setattr(type(puzzle.game), "PIECES", {"R": "red man", "b": "black man"})
    assert "gold" not in puzzle._repr_svg_()


def test_solve() -> None:
    solution = solver.solve(solver.read(SHOT))
    assert (solution.move, solution.value, solution.proven) == ("c5-d6", "win in 9", True)
    assert (solution.line, solution.score, solution.depth) == (LINE.split(), 999_991, 9)
    assert (str(solution.board), solution.board.mover) == (SHOT_ANSWER.rstrip("\n"), "black")
    assert solution.nodes == solution.counters.visited > 0
    assert repr(solution) == "<c5-d6, win in 9, proven>"


def test_solve_with_limits_heuristics_and_without_techniques(tmp_path: Path) -> None:
    puzzle = solver.read(SHOT)
    own = tmp_path / "mine.py"
    own.write_text("def evaluate(position):\n    return 7\n")
    assert solver.solve(puzzle, depth=3, heuristic="material").depth == 3
    assert (
        solver.solve(puzzle, depth=1, heuristic=f"{own}:evaluate", without="captures").score == -7
    )
    assert solver.solve(puzzle, depth=3, heuristic=count_red).score == 3
    assert solver.solve(puzzle, nodes=50).nodes <= 60
    assert solver.solve(puzzle, seconds=0.05).move in puzzle.moves()
    with pytest.raises(UserError, match=r"returned 0\.5, a float"):
        solver.solve(puzzle, depth=2, heuristic=lambda position: 0.5)  # type: ignore[arg-type,return-value]
    with pytest.raises(UserError, match="ZeroDivisionError") as caught:
        solver.solve(puzzle, depth=2, heuristic=lambda position: 1 // 0)
    if INTERPRETED:  # compiled code drops the cause
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(UserError, match="Did you mean 'material'"):
        solver.solve(puzzle, heuristic="materail")


def test_analyse_yields_depth_after_depth() -> None:
    depths = list(solver.analyse(solver.read(SHOT), lines=3, depth=4))
    assert [each.depth for each in depths] == [1, 2, 3, 4]
    assert [line.move for line in depths[-1].lines] == ["c5-d6", "d2-e3", "d2-c3"]
    assert depths[0].counters.visited < depths[-1].counters.visited
    first = next(solver.analyse(solver.start("checkers")))  # and no more is searched
    assert (first.depth, first.proven, first.is_proof) == (1, False, False)


def test_explain_and_hint() -> None:
    puzzle = solver.read(SHOT)
    for _ in range(2):  # the package of the same name is loaded by then
        assert solver.explain(puzzle, nodes=2000).startswith("Why c5-d6? It wins by force in 9")
    few, many = (solver.hint(puzzle, level, nodes=2000) for level in (1, 3))
    assert many.startswith(few)
    assert "c5-d6" not in many


@pytest.mark.skipif(not (ROOT / "solver").is_dir(), reason="needs the source tree")
def test_it_works_in_a_bare_interpreter() -> None:
    words = f"import solver; print(solver.solve(solver.read({str(SHOT_FILE)!r})).move)"
    command = [sys.executable, "-S", "-W", "error", "-c", words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("c5-d6\n", "")


# The way of `solver IN OUT`: the rooms that it enters, in order.
WALK = [
    "cli.main",
    "cli.files.solve_file",
    "cli.files.open_puzzle",
    "games.puzzle.read_puzzle",
    "games.solve.Solver.solve",
    "proof.prover.Prover.prove",
    "search.alphabeta.Search.run",
    "games.puzzle.Puzzle.write",
    "cli.files.write_file",
]


@pytest.mark.skipif(not INTERPRETED, reason="compiled functions cannot be watched")
def test_the_walk_of_a_plain_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stop once and in this order; the board is parsed once, its moves are made once
    before the search."""
    board, out = tmp_path / "board.txt", tmp_path / "out.txt"
    board.write_text(str(solver.start("checkers")))
    monkeypatch.setattr("solver.games.solve.DEFAULT_NODES", 1000)
    main([str(board), str(out)])  # loads the modules
    stops: list[str] = []
    before_search: list[str] = []

    def watch(frame: object, event: str, _: object) -> None:
        code = getattr(frame, "f_code", None)
        if event != "call" or code is None:
            return
        module = str(getattr(frame, "f_globals", {}).get("__name__", "")).removeprefix("solver.")
        stop = f"{module}.{code.co_qualname}"
        if stop in WALK:
            stops.append(stop)
        if "proof.prover.Prover.prove" not in stops:
            before_search.append(stop)

    sys.setprofile(watch)
    try:
        main([str(board), str(out)])
    finally:
        sys.setprofile(None)
    assert stops == WALK
    assert before_search.count("games.checkers.CheckersGame.read") == 1
    assert before_search.count("games.checkers.rules.Board.children") <= 1
    assert isinstance(solver.read(out), Puzzle)
