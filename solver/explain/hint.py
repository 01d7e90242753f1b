"""A nudge without the answer: what is at stake, what to think of, where to look."""

from __future__ import annotations

from typing import NamedTuple

from solver.explain.compare import Result, result_of
from solver.explain.describe import Theme, sentence, spelled
from solver.search.position import FORCED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.compare import Rivals
    from solver.explain.describe import Describer
    from solver.explain.story import Way

LEVELS = 3


class Hint(NamedTuple):
    """Sentences, none of which names the move or where it ends."""

    stakes: str
    theme: Theme
    piece: str  # `the king on c5 (19)`
    equal: int  # other moves that are as good

    def sentences(self, level: int) -> list[str]:
        """Level 1 tells the theme, 2 also the piece, 3 also the idea."""
        told = [self.stakes, f"Think of {self.theme.about}."]
        if self.equal:
            moves = f"{spelled(self.equal)} other move{'s' if self.equal > 1 else ''}"
            told.append(sentence(f"{moves} would be as good as the one this is about"))
        if level > 1:
            told.append(f"Look at {self.piece}.")
        return [*told, self.theme.idea] if level > 2 else told


def hint(way: Way, rivals: Rivals, describer: Describer) -> Hint:
    """About the first move of the best way."""
    if rivals.moves == 1:
        theme = _only_move(way)
    elif result_of(way.result) is Result.LOSS:
        theme = _holding_out(way, len(rivals.equal) + 1 == rivals.moves)
    else:
        theme = describer.theme(way)
    return Hint(_stakes(way, rivals), theme, _piece(way, describer), len(rivals.equal))


def _stakes(way: Way, rivals: Rivals) -> str:
    result = result_of(way.result)
    if result is Result.WIN:
        if way.plies == 1:
            return sentence(f"{way.mover} can win at once")
        return sentence(f"{way.mover} can force a win{_alone(rivals, result)}")
    if result is Result.DRAW:
        return sentence(
            f"{way.mover} can hold a draw, and no more than that{_alone(rivals, result)}"
        )
    if result is Result.LOSS:
        return sentence(f"{way.mover} is lost if {way.other} plays well")
    return sentence(f"nothing is proven here: this is what a search likes best for {way.mover}")


def _alone(rivals: Rivals, result: Result) -> str:
    """That all other moves are known to be worse than that, if they are."""
    if rivals.equal or rivals.next_best is None:
        return ""
    after = result_of(rivals.next_best)
    worse = (Result.DRAW, Result.LOSS) if result is Result.WIN else (Result.LOSS,)
    return "; only one move does" if after in worse else ""


def _piece(way: Way, describer: Describer) -> str:
    piece = describer.piece(way.root, way.positions[1])
    if piece.square:
        number = f" ({piece.number})" if piece.number else ""
        return f"the {piece.kind} on {piece.square}{number}"
    kinds = [kind.name for kind in describer.KINDS]
    count = describer.count(way.root, way.mover)[kinds.index(piece.kind)]
    plural = describer.KINDS[kinds.index(piece.kind)].plural
    return f"your {piece.kind}" if count == 1 else f"your {plural}"


def _only_move(way: Way) -> Theme:
    if way.root.status() == FORCED:
        about = "what must be taken: a capture is compulsory, and there is only one"
    else:
        about = "what can move at all: there is only one legal move"
    return Theme("the only move", about, "Nothing has to be decided here; look at the reply.")


def _holding_out(way: Way, equally: bool) -> Theme:
    """Every move loses; the best one loses last."""
    if equally:
        about = "holding out: all moves lose, and equally soon"
        idea = f"No move is worse than another: see what {way.other} has to find after each."
        return Theme("holding out", about, idea)
    if way.ledger.takes(1):
        idea = (
            f"Take what you can get, and see how long {way.other} needs after each way of taking."
        )
    elif way.ledger.takes(2):
        idea = f"Taking costs {way.other} time: something given may last longest."
    elif way.ledger.crowns(1):
        idea = "A king can run away longer than a man."
    else:
        idea = f"Ask of every move how many moves {way.other} needs after it."
    return Theme("holding out", "holding out: all moves lose, but not equally soon", idea)
