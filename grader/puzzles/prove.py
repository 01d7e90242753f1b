"""What a puzzle's files in `expected/` should say: a best move's board, every move's value, and
how hard the puzzle is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from grader.puzzles.evidence import DEPTH, find, over
from grader.puzzles.find import Case, board_of, proof_fields, variant_of
from grader.puzzles.truth import SCHEMA, Truth, canonical, read_truth
from solver.errors import UserError
from solver.games import Game, game_named
from solver.games.puzzle import Puzzle
from solver.games.solve import Request, Solver
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.techniques import Techniques

MOST_NODES = 10**12
NODES = 500_000  # about ten seconds at most in plain Python; what takes longer stays unproven
OURS = {"schema", "variant", "moves"}  # one of them shows that a JSON file is meant to be a proof
MOST = 100_000  # nodes for one measurement
DEEPEST = 60
MOST_STARS = 5


@dataclass(frozen=True)
class Difficulty:
    """What a search needs to see which moves are best: the solver's search, without its proofs and
    endgame tables, with the plainest heuristic.  It needs the smallest depth from which it always
    gives every best move a higher value than any other, so that none is found by luck.

    Nodes are those of all depths up to the one that is needed; None is more than `MOST`.
    """

    stars: int
    depth: int | None
    nodes: int | None

    def __str__(self) -> str:
        return "*" * self.stars


@dataclass(frozen=True)
class PuzzleProof:
    """The truth about a puzzle, what it took to find, and how hard the puzzle is."""

    truth: Truth
    nodes: int
    limit: int  # of nodes
    difficulty: Difficulty | None = None  # none if the game is over
    confirms: bool = False  # the board that was expected is canonical


def as_json(proof: PuzzleProof) -> str:
    """The text of a puzzle's JSON file; README describes the fields."""
    truth = proof.truth
    fields = {
        "schema": SCHEMA,
        "game": truth.game,
        "variant": truth.variant,
        "mover": truth.mover,
        "value": str(truth.value or ""),
        "proven": truth.proven,
        "proof": truth.proof,
        "best": list(truth.best),
        "moves": [
            {
                "move": move.name,
                "board": move.board.split("\n"),
                "value": str(move.value),
                "proof": move.source,
            }
            for move in truth.moves
        ],
        "nodes": proof.nodes,
        "limit": proof.limit,
        "difficulty": proof.difficulty and asdict(proof.difficulty),
    }
    return json.dumps(fields, indent=2) + "\n"


def prove_again(case: Case, nodes: int | None = None) -> PuzzleProof | str:
    """The proof, or what is wrong with the expected files."""
    try:
        return prove(case, nodes)
    except UserError as error:
        return str(error)


def prove(case: Case, nodes: int | None = None) -> PuzzleProof:
    """Every legal move with its value, proven within the nodes, by default those of the proof there
    is.  The expected board is canonical if it is that of a best move.  If not, and there is no
    proof beside it, it is the user's own, and that is an error; otherwise the solver's own answer
    is canonical, if it is as good as any, or the first of the best moves."""
    fields = proof_fields(case.proof)
    if fields and not OURS & fields.keys():
        raise UserError(f"{case.name}: the JSON file of its name is not a proof. Rename it.")
    limit = fields.get("limit")
    if nodes is None:
        nodes = limit if type(limit) is int and 0 < limit <= MOST_NODES else NODES
    rules, board, variant = game_named(case.game), board_of(case), variant_of(case)
    position, form = board.position, board.form
    expected = case.expected.decode("utf-8", "replace").strip()
    insist = bool(expected and not case.proof)
    try:
        text = expected or read_truth(case.proof, rules, position, "", case.name).board
        wanted = canonical(rules, position, text, case.name, variant)
    except UserError:
        if insist:
            raise
        wanted = None
    if rules.outcome(position) is not None:
        truth = over(rules, position, form, variant)
        return PuzzleProof(truth, 0, nodes, confirms=wanted is not None)
    own = Solver(Puzzle(rules, position), Request()).find(position)  # what `solver IN OUT` writes
    findings = find(rules, position, DEPTH if own.proven else own.depth, nodes)
    best = [findings.children[index] for index in findings.best]
    if insist and wanted is not None and wanted not in best:
        given, top = findings.children.index(wanted), findings.best[0]
        moves = findings.truth(wanted, form, variant).moves
        raise UserError(
            f"{case.name}: the expected board is that of {moves[given].name} "
            f"({moves[given].value}); {moves[top].name} is better ({moves[top].value})."
        )
    chosen = next((child for child in (wanted, own.best) if child in best), best[0])
    truth = findings.truth(chosen, form, variant)
    difficulty = measure(rules, position, findings.best)
    return PuzzleProof(truth, findings.nodes, nodes, difficulty, confirms=chosen == wanted)


def differences(case: Case, proof: PuzzleProof) -> list[str]:
    """What is not as it should be in the expected files of a puzzle, in words."""
    found = []
    if not case.expected:
        found.append("there is no expected board")
    elif not proof.confirms:
        found.append("the expected board is not that of a best move")
    right = as_json(proof)
    if not case.proof:
        found.append("there is no JSON file")
    elif case.proof != right:
        old, new = proof_fields(case.proof), json.loads(right)
        changed = [name for name in {**new, **old} if old.get(name) != new.get(name)]
        found.append(f"the JSON file is not as proven: {', '.join(changed) or 'its form'}")
    return found


def measure(rules: Game, position: Position, best: Iterable[int]) -> Difficulty:
    """How hard it is to tell the best moves, known by their indexes, from all others."""
    found: tuple[int, int] | None = None
    for depth, nodes, is_right in search_deeper(rules, position, best):
        found = (found or (depth, nodes)) if is_right else None
    if found is None:
        return Difficulty(MOST_STARS, None, None)
    stars = max(1, len(str(found[1])) - 1)  # 1 for less than 100 nodes, 2 for less than 1000
    return Difficulty(stars, *found)


def search_deeper(
    rules: Game, position: Position, best: Iterable[int]
) -> Iterator[tuple[int, int, bool]]:
    """Depth, nodes so far, and whether it is right: the best moves and all others apart, until
    no greater depth can change anything."""
    chosen = frozenset(best)
    others = frozenset(range(len(position.children()))) - chosen
    if not others:
        yield 0, 0, True
        return
    evaluate = rules.evaluator(rules.PLAINEST_HEURISTIC, position)
    search = Search(evaluate, Techniques("tables"))
    found: list[SearchResult | None] = [None, None]
    nodes = 0
    for depth in range(1, DEEPEST + 1):
        for at, left_out in enumerate((others, chosen)):
            limits = Limits(depth=depth, nodes=MOST - nodes)
            result = search.run(position, limits, leave_out=left_out, known=found[at])
            nodes += int(search.counters.visited)
            if result.depth < depth and not result.proven:
                return
            found[at] = result
        one, other = (result for result in found if result is not None)
        yield depth, nodes, one.score > other.score
        if one.proven or other.proven:
            return
