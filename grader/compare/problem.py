"""What all variants are given: a position, and the truth about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.compare.results import CaseFacts
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case
from grader.puzzles.truth import Move, Truth
from grader.variants.variant import Variant
from solver.errors import UserError, counted
from solver.games import game_named


@dataclass(frozen=True)
class Problem:
    name: str
    game: str
    text: str
    truth: Truth

    def position(self) -> Any:
        return game_named(self.game).read(self.text, self.name, False, self.truth.variant).position

    def move_to(self, child: Any) -> Move:
        """The move that leads there, found by its board: names are whoever's wrote the proof."""
        rules = game_named(self.game)
        wanted = str(child)
        for move in self.truth.moves:
            after = rules.read(move.board, self.name, False, self.truth.variant).position
            if str(after) == wanted:
                return move
        raise AssertionError("the truth lists every legal move")

    def facts(self) -> CaseFacts:
        return CaseFacts(
            name=self.name,
            game=self.game,
            board=game_named(self.game).write(self.position(), "board"),
            mover=self.truth.mover,
            value=self.truth.value,
            proven=self.truth.proven.value,
            best=self.truth.best,
        )


def problems_of(
    cases: Sequence[Case], variants: Sequence[Variant]
) -> tuple[list[Problem], list[str]]:
    """The cases that every variant can answer, and words about those that are left out."""
    idle = {game: _idle(game, variants) for game in dict.fromkeys(case.game for case in cases)}
    notes = [
        f"left out: {_number(cases, game)} of {game}, for which {', '.join(names)}"
        f" {'has' if len(names) == 1 else 'have'} no heuristic"
        for game, names in idle.items()
        if names
    ]
    played = [Problem(c.name, c.game, c.text, truth_of(c)) for c in cases if not idle[c.game]]
    problems = [problem for problem in played if problem.truth.moves]
    if len(problems) < len(played):
        over = counted(len(played) - len(problems), "case")
        notes.append(f"left out: {over} in which the game is over already")
    if not problems:
        raise UserError("\n".join(["No case is left to compare the variants on.", *notes]))
    return problems, notes


def _idle(game: str, variants: Sequence[Variant]) -> list[str]:
    return [variant.name for variant in variants if not variant.plays(game)]


def _number(cases: Sequence[Case], game: str) -> str:
    return counted(sum(case.game == game for case in cases), "case")


def spread(problems: list[Problem], number: int) -> list[Problem]:
    """So many of them, evenly spread over the list; all if there are no more."""
    count = len(problems)
    if number >= count:
        return problems
    return [problems[index * count // number] for index in range(number)]
