"""What a puzzle's files in `expected/` say: a best move's board, and every move with its value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.puzzles.difficulty import Difficulty, measure
from grader.puzzles.evidence import DEPTH, Findings, find, over, tables_of
from grader.puzzles.find import Case, read_board
from grader.puzzles.truth import SCHEMA, Move, Truth, canonical
from solver.errors import UserError
from solver.games import game_named, game_of
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, solve
from solver.switches import Switches

if TYPE_CHECKING:
    from solver.finding import Finding
    from solver.games import Game

MOST_NODES = 10**12
NODES = 500_000  # some ten seconds in plain Python at the most: what takes longer stays unproven
OURS = {"schema", "variant", "moves"}  # one of them shows that a JSON file is meant to be a proof


@dataclass(frozen=True)
class Proof:
    """The truth about a puzzle, what it took to find, and how hard the puzzle is."""

    truth: Truth
    nodes: int
    limit: int  # of nodes
    difficulty: Difficulty | None = None  # none if the game is over
    confirms: bool = False  # the board that was expected is canonical

    def as_dict(self) -> dict[str, Any]:
        """The fields of a puzzle's JSON file; README describes them."""
        truth = self.truth
        return {
            "schema": SCHEMA,
            "game": truth.game,
            "variant": truth.variant,
            "mover": truth.mover,
            "value": truth.value,
            "proven": truth.proven,
            "proof": truth.proof,
            "best": list(truth.best),
            "moves": [_move(move) for move in truth.moves],
            "nodes": self.nodes,
            "limit": self.limit,
            "difficulty": None if self.difficulty is None else self.difficulty.as_dict(),
        }


def _move(move: Move) -> dict[str, Any]:
    return {
        "move": move.name,
        "board": move.board.split("\n"),
        "value": move.value,
        "proof": move.source,
    }


def prove(
    input_text: str,
    source: str,
    nodes: int = NODES,
    *,
    game: str = "",
    variant: str = "",
    expected: str = "",
    insist: bool = False,
) -> Proof:
    """Every legal move with its value, proven where that can be done within so many nodes.

    The expected board is canonical if it is that of a best move; who insists on it gets
    `NotBest` if it is not.  Otherwise the solver's own answer is canonical, if it is as good as
    any, or the first of the best moves.
    """
    rules = game_named(game) if game else game_of(input_text)
    board = read_board(rules.NAME, input_text, variant, source)
    position, form = board.position, board.form
    wanted = _wanted(rules, position, expected, source, variant, insist)
    if rules.outcome(position) is not None:
        return Proof(over(rules, position, form, variant), 0, nodes, confirms=wanted is not None)
    own = _own_answer(rules, position)
    findings = find(rules, position, DEPTH if own.proven else own.depth, nodes)
    best = [findings.children[index] for index in findings.best]
    if wanted is not None and wanted not in best and insist:
        raise NotBest(source, findings.truth(wanted, form, variant), findings)
    chosen = next((child for child in (wanted, own.best) if child in best), best[0])
    return Proof(
        findings.truth(chosen, form, variant),
        findings.nodes,
        nodes,
        measure(rules, position, findings.best, tables_of(rules.NAME)),
        confirms=chosen == wanted,
    )


def _wanted(
    rules: Game, position: Any, expected: str, source: str, variant: str, insist: bool
) -> Any:
    """The position that an expected board means, or None."""
    if not expected.strip():
        return None
    try:
        return canonical(rules, position, expected, source, variant)
    except UserError:
        if insist:
            raise
        return None


class NotBest(UserError):
    """An expected board that is not that of a best move."""

    def __init__(self, source: str, truth: Truth, findings: Findings) -> None:
        chosen, top = (
            next(move for move in truth.moves if move.name == name)
            for name in (truth.best[0], truth.moves[findings.best[0]].name)
        )
        super().__init__(
            f"{source}: the expected board is that of {chosen.name} ({chosen.value}); "
            f"{top.name} is better ({top.value})."
        )


def _own_answer(rules: Game, position: Any) -> Finding:
    """What `solver IN OUT` writes."""
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    exact = tables_of(rules.NAME)
    limits = Limits(nodes=DEFAULT_NODES)
    return solve(position, evaluate, limits, Switches(), exact=exact).finding


def as_json(proof: Proof) -> str:
    """The text of a puzzle's JSON file."""
    return json.dumps(proof.as_dict(), indent=2) + "\n"


def prove_again(case: Case, nodes: int | None = None) -> Proof | str:
    """The proof, or what is wrong with the expected files.

    An expected board without a proof beside it is somebody's own, so it has to be right.
    Without a number of nodes, as many may be used as for the proof there is.
    """
    told = _told(case.proof)
    if told and not OURS & told.keys():
        return f"{case.name}: the JSON file of its name is no proof. Rename it."
    expected = case.expected.decode("utf-8", "replace")
    variant = told.get("variant")
    try:
        return prove(
            case.text,
            case.name,
            nodes or _limit(told),
            game=case.game,
            variant=variant if variant in game_named(case.game).VARIANTS else "",
            expected=expected or _canonical_of(told),
            insist=bool(expected) and not case.proof,
        )
    except UserError as error:
        return str(error)


def _told(proof: str) -> dict[str, Any]:
    """The fields of a JSON file, whatever they are; none if it is not readable."""
    try:
        fields = json.loads(proof)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _limit(told: dict[str, Any]) -> int:
    limit = told.get("limit")
    return limit if type(limit) is int and 0 < limit <= MOST_NODES else NODES


def _canonical_of(told: dict[str, Any]) -> str:
    """The board of the first of the best moves."""
    try:
        return "\n".join(
            next(move["board"] for move in told["moves"] if move["move"] == told["best"][0])
        )
    except (LookupError, TypeError, StopIteration):
        return ""


def differences(case: Case, proof: Proof) -> list[str]:
    """What is not as it should be in the expected files of a puzzle, in words."""
    found = []
    if not case.expected:
        found.append("there is no expected board")
    elif not proof.confirms:
        found.append("the expected board is not that of a best move")
    if not case.proof:
        return [*found, "there is no JSON file"]
    if case.proof == as_json(proof):
        return found
    old, new = _told(case.proof), json.loads(as_json(proof))
    if not old:
        return [*found, "the JSON file is no JSON object"]
    if old.get("schema") == 1:
        found.append(f"the JSON file is of schema 1, not {SCHEMA}")
        old, new = _first_schema(old), _first_schema(new)
    changed = _changes(old, new)
    return found + changed or ["the JSON file says the same in another form"]


def _first_schema(fields: dict[str, Any]) -> dict[str, Any]:
    """What both schemas say, and mean by it."""
    moves = fields.get("moves")
    if isinstance(moves, list):
        moves = [_only(move, "move", "board", "value") for move in moves]
    return {**_only(fields, "game", "variant", "mover", "value", "best"), "moves": moves}


def _only(fields: Any, *names: str) -> Any:
    return {name: fields.get(name) for name in names} if isinstance(fields, dict) else fields


def _changes(old: dict[str, Any], new: dict[str, Any], where: str = "") -> list[str]:
    """Field by field, what a file says and what is so."""
    changed = []
    for name in [*new, *(name for name in old if name not in new)]:
        before, after = old.get(name), new.get(name)
        if before == after and name in old and name in new:
            continue
        if name == "moves" and isinstance(before, list):
            changed += _changed_moves(before, after or [])
        elif isinstance(before, dict) and isinstance(after, dict):
            changed += _changes(before, after, f"{where}{name}, ")
        else:
            changed.append(
                f"{where}{name}: {_shown(name, old)} in the file, {_shown(name, new)} by proof"
            )
    return changed


def _changed_moves(old: list[Any], new: list[Any]) -> list[str]:
    before, after = _by_name(old), _by_name(new)
    if list(before) != list(after):
        return [f"moves: {' '.join(before)} in the file, {' '.join(after)} are legal"]
    return [line for name in after for line in _changes(before[name], after[name], f"{name}, ")]


def _by_name(moves: list[Any]) -> dict[str, dict[str, Any]]:
    return {str(move.get("move")): move for move in moves if isinstance(move, dict)}


def _shown(name: str, fields: dict[str, Any]) -> str:
    if name not in fields:
        return "nothing"
    text = json.dumps(fields[name])
    return text if len(text) <= 60 else f"{text[:57]}..."
