"""Hints that do not reveal the move."""

from __future__ import annotations

from typing import NamedTuple

from solver.explain.compare import GameValue, Rivals, game_value
from solver.explain.describe import Describer, Theme, number_word, sentence
from solver.explain.story import Way
from solver.search.position import FORCED, Position
from solver.search.score import win_in


class Hint(NamedTuple):
    """No sentence names the move or its target, unless it was proven before."""

    stakes: str
    theme: Theme
    piece: str  # `the king on c5`
    equal: int  # other moves that are as good

    def sentences(self, level: int) -> list[str]:
        lines = [self.stakes, f"Think of {self.theme.about}."]
        if self.equal:
            moves = "other move is" if self.equal == 1 else "other moves are"
            lines.append(
                sentence(f"{number_word(self.equal)} {moves} as good as the one this hint is about")
            )
        if level > 1:
            lines.append(f"Look at {self.piece}.")
        return [*lines, self.theme.idea] if level > 2 else lines


def make_hint(way: Way, rivals: Rivals, describer: Describer[Position]) -> Hint:
    if rivals.moves == 1:
        theme = _only_move(way)
    elif game_value(way.result) is GameValue.LOSS:
        theme = _holding_out(way, len(rivals.equal) + 1 == rivals.moves)
    else:
        theme = describer.theme(way)
    return Hint(_stakes(way, rivals), theme, _piece(way, describer), len(rivals.equal))


def _stakes(way: Way, rivals: Rivals) -> str:
    value = game_value(way.result)
    if value is GameValue.WIN:
        if way.result.score == win_in(1):
            return sentence(f"{way.mover} can win at once")
        return sentence(f"{way.mover} can force a win{_uniqueness(rivals, value)}")
    if value is GameValue.DRAW:
        return sentence(f"{way.mover} can hold a draw at best{_uniqueness(rivals, value)}")
    if value is GameValue.LOSS:
        return sentence(f"{way.mover} is lost if {way.other} plays well")
    return f"Nothing is proven here: the hint is about the best move for {way.mover} by search."


def _uniqueness(rivals: Rivals, value: GameValue) -> str:
    """Says if all other moves are proven to be worse."""
    if rivals.equal or rivals.next_best is None:
        return ""
    worse = {GameValue.LOSS} if value is GameValue.DRAW else {GameValue.DRAW, GameValue.LOSS}
    return "; only one move does" if game_value(rivals.next_best) in worse else ""


def _piece(way: Way, describer: Describer[Position]) -> str:
    piece = describer.piece(way.root, way.positions[1])
    if piece.square:
        return f"the {piece.kind} on {piece.square}"
    index = [kind.name for kind in describer.KINDS].index(piece.kind)
    alone = describer.count(way.root, way.mover)[index] == 1
    return f"your {piece.kind if alone else describer.KINDS[index].plural}"


def _only_move(way: Way) -> Theme:
    if way.root.status() == FORCED:
        about = "what must be taken: a capture is compulsory, and there is only one"
    else:
        about = "what can move at all: there is only one legal move"
    return Theme("the only move", about, "There is nothing to decide here; look at the reply.")


def _holding_out(way: Way, equally: bool) -> Theme:
    if equally:
        about = "holding out: all moves lose, and equally soon"
        idea = f"No move is worse than another: see what {way.other} has to find after each."
        return Theme("holding out", about, idea)
    if way.ledger.takes(1):
        idea = f"Take what you can, and compare how long {way.other} needs after each capture."
    elif way.ledger.takes(2):
        idea = f"Taking costs {way.other} time: giving a piece may last longest."
    elif way.ledger.crowns(1):
        idea = "A king can run away longer than a man."
    else:
        idea = f"For every move, count how many moves {way.other} needs after it."
    return Theme("holding out", "holding out: all moves lose, but not equally soon", idea)
