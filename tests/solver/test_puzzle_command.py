"""`solver puzzle` as a real process."""

from __future__ import annotations

from support.command import solver
from support.positions import board

from solver.games import game_named
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.score import loss_in
from solver.search.techniques import Techniques

# The same in every build, on every machine.
SEED_7 = """\
.......b
..b.....
.....R..
....r...
........
....b...
........
..r.....
"""


def test_its_solution_is_that_of_alpha_beta_without_tables() -> None:
    position = board(SEED_7)
    search = Search(game_named("checkers").evaluator("material", position), Techniques("tables"))
    scores = [search.run(child, Limits(depth=8)).score for child in position.children()]
    assert len(scores) >= 3
    assert scores.count(loss_in(8)) == 1
    assert min(scores) == loss_in(8)


def test_without_a_seed_it_is_told_and_can_be_used_again() -> None:
    words = ("puzzle", "--pieces", "4", "--draw", "--unique")
    done = solver(*words)
    word, seed = done.stderr.split()
    assert word == "seed"
    assert solver(*words, "--seed", seed).stdout == done.stdout
