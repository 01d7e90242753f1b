"""Answers of programs that are hypotheses themselves, as records of a grading."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from grader.grading.records import Record, Verdict
from grader.judge.hypotheses import find_answer_sets
from solver.games import game_named

ROOT = Path(__file__).parents[2]


@cache
def read_puzzles(game: str) -> list[tuple[str, str, str, set[str], set[str]]]:
    """Name, text, position, boards after the best moves, boards after all moves."""
    rules, found = game_named(game), []
    for file in sorted((ROOT / "inputs" / game).glob("*.txt")):
        text = file.read_text()
        proof = json.loads((ROOT / "expected" / game / f"{file.stem}.json").read_text())
        boards = {move["move"]: "".join(move["board"])[:64] for move in proof["moves"]}
        position = rules.with_side(rules.read(text, file.name, False).position)
        best = {boards[name] for name in proof["best"]}
        found.append(
            (f"{game}/{file.stem}", text, position.replace("\n", ""), best, set(boards.values()))
        )
    return found


def answer_all(key: str, setting: int, last: bool = False, game: str = "checkers") -> list[Record]:
    """A hypothesis plays the first or the last of the moves that it takes for the best."""
    records = []
    for name, text, position, best, legal in read_puzzles(game):
        sets = find_answer_sets(game, position)
        given = sets.boards[sorted(sets.sets[sets.chosen[key][setting]])[-1 if last else 0]]
        records.append(record_of(name, text, given, best, legal))
    return records


def record_of(name: str, text: str, given: str, best: set[str], legal: set[str]) -> Record:
    verdict = Verdict.ILLEGAL
    if given in legal:
        verdict = Verdict.EXACT if given in best else Verdict.WORSE
    game, _, _ = name.partition("/")
    return Record(
        "it", name, game, "", "move", verdict, 0.0, 1.0, "",
        best=tuple(best), input_board=text, given_board=given,
    )  # fmt: skip
