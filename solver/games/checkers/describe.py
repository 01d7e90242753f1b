"""Checkers moves in words."""

from __future__ import annotations

from solver.explain.compare import GameValue, game_value
from solver.explain.describe import (
    Describer,
    Kind,
    Piece,
    Theme,
    join_words,
    name_pieces,
    number_word,
)
from solver.explain.story import Trade, Way
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.moves import moved, path
from solver.games.checkers.rules import LIGHT, Board, name_of
from solver.search.position import FORCED, LOST, count

Checkers = Board | TwoBoards

MAN = Kind("man", "men", 2, ("r", "b"))
KING = Kind("king", "kings", 3, ("R", "B"))
SOON = 8  # plies within which a crowning or a shot is the theme
FEW = 4  # pieces up to which the opposition decides
FACE_TO_FACE = 25  # plies for the opposition


class CheckersDescriber(Describer[Checkers]):
    KINDS = (MAN, KING)
    SIDES = ("red", "black")

    def piece(self, parent: Checkers, child: Checkers) -> Piece:
        before, after = moved(parent, child)
        start, *_, end = path(before, after)
        square = "" if start == end else name_of(start, before.side & LIGHT != 0)
        return Piece(kind_of(before, start), square)

    def describe_move(self, parent: Checkers, child: Checkers) -> str:
        before, after = moved(parent, child)
        light = before.side & LIGHT != 0
        squares = path(before, after)
        start, *way = [name_of(bit, light) for bit in squares]
        kind = kind_of(before, squares[0])
        taken = before.enemy & ~after.own
        if not taken:
            verbs = [f"{'goes' if kind == KING.name else 'steps'} to {way[-1]}"]
        elif len(way) == 1:
            verbs = [f"takes {self.name_taken(before, taken, child)}", f"lands on {way[0]}"]
        else:
            round_ = "in a circle back to" if start == way[-1] else "to"
            verbs = [
                f"jumps via {join_words(way[:-1])} {round_} {way[-1]}",
                f"takes {self.name_taken(before, taken, child)}",
            ]
        if not squares[0] & before.kings and squares[-1] & after.kings:
            verbs.append("is crowned")
        return f"the {kind} on {start} {join_words(verbs)}"

    def name_taken(self, before: Board, taken: int, child: Checkers | None = None) -> str:
        """Pieces by kind, a single one by its square; `the last ...` if the child has none."""
        men, kings = count(taken & ~before.kings), count(taken & before.kings)
        single = men + kings == 1
        if child is not None and not any(board.own for board in child.boards()):
            if single:
                return f"the last {kind_of(before, taken)}"
            return f"the last {number_word(men + kings)} pieces"
        if single:
            return f"the {kind_of(before, taken)} on {name_of(taken, before.side & LIGHT != 0)}"
        return name_pieces(self.KINDS, (men, kings))

    def remarks(self, parent: Checkers, child: Checkers) -> list[str]:
        """A compulsory jump of the other side, or else a threat."""
        if child.status() == FORCED:
            return [f"{child.mover()} must {self.describe_jump(child)}"]
        before, after = moved(parent, child)
        if before.enemy & ~after.own or child.status() == LOST:
            return []
        threat = after.passed()
        targets = 0
        for jump in threat.children() if threat.jumpers() else []:
            targets |= threat.enemy & ~jump.own
        return [f"threatens {self.name_taken(threat, targets)}"] if targets else []

    def describe_jump(self, position: Checkers) -> str:
        jumps = position.children()
        if len(jumps) > 1:
            return f"jump, in one of {number_word(len(jumps))} ways"
        before, after = moved(position, jumps[0])
        return f"take {self.name_taken(before, before.enemy & ~after.own)}"

    def theme(self, way: Way) -> Theme:
        """The most striking feature of the line."""
        if way.plies == 1 and way.last.status() == LOST:
            return _finish(way)
        if way.ledger.takes(1):
            return _jump(way)
        if way.ledger.takes(2):
            return _combination(way)
        if way.ledger.crowns(1):
            return _being_crowned("A king moves and jumps backwards as well: see where that helps.")
        result = game_value(way.result)
        if result is GameValue.DRAW:
            check = f"For every move, check what {way.other} can take, shut in or crown after it."
            return Theme("holding a draw", "holding the draw", check)
        found = _prepared(way) or _gain(way)
        if result is GameValue.WIN:
            ending = _shutting_in(way) or _opposition(way)
            return ending or found or _crowning(way) or _technique(way)
        return found or _crowning(way) or _quiet(way)


DESCRIBER = CheckersDescriber()


def kind_of(board: Board, piece: int) -> str:
    return KING.name if piece & board.kings else MAN.name


# The theme of a line.


def _finish(way: Way) -> Theme:
    if way.ledger.takes(1):
        return Theme(
            "the last pieces",
            "taking all that is left",
            f"One jump takes everything that {way.other} still has.",
        )
    return Theme(
        "no move left",
        f"leaving {way.other} without a move",
        f"A side that cannot move has lost: look at every square {way.other} could still go to.",
    )


def _jump(way: Way) -> Theme:
    """A jump is compulsory, and there is a choice."""
    ledger = way.ledger
    taken = ledger.takes(1)
    most = max(_pieces(way.root) - _pieces(child) for child in way.root.children())
    if taken < most:
        idea = "The jump that takes most is not the best one here."
    elif ledger.takes(2):
        idea = f"See which jump {way.other} can make in return, and what that leaves you."
    elif taken > 1:
        idea = "Follow each jump to its end: the same piece goes on jumping while it can."
    else:
        idea = f"Look at what {way.other} can do after each of them."
    if taken > 1:
        about = f"a jump over {number_word(taken)} pieces"
        return Theme("a multiple jump", about, idea)
    return Theme("a choice of jumps", "which jump to make: one is compulsory, but not which", idea)


def _pieces(position: object) -> int:
    return sum(letter.isalpha() for letter in str(position))


def _combination(way: Way) -> Theme:
    """A piece is given first."""
    ledger = way.ledger
    trade = ledger.trade(1, ledger.combination())
    given, gained = (name_pieces(ledger.kinds, counts) for counts in (trade.lost, trade.taken))
    worth = _worth(way, trade)
    if worth > 0:
        return Theme(
            "a shot",
            f"a shot: give {given}, get {gained}",
            f"A jump is compulsory: let {way.other} make one, and see which of your pieces can "
            "jump after it.",
        )
    if worth == 0 and ledger.crowns(1):
        return _being_crowned("What is lost meanwhile can be won back by the new king.")
    if worth == 0:
        return Theme(
            "an exchange",
            f"an exchange: {given} for {gained}",
            "Do not count pieces: look at where the others stand after it, and who is to move.",
        )
    return _given_up(way, given)


def _given_up(way: Way, given: str) -> Theme:
    """Something is lost and not won back at once."""
    if way.ledger.crowns(1):
        return _being_crowned("A king is worth more here than what is taken meanwhile.")
    if game_value(way.result) is GameValue.UNPROVEN and way.result.score < 0:
        return Theme(
            "the smallest loss",
            "what to give up: not everything can be kept",
            f"Compare what {way.other} gets after each move, and what you get for it.",
        )
    if _threatens(way, 0):
        return Theme(
            "ignoring a threat",
            "ignoring a threat: something else matters more",
            f"Let {way.other} take what it attacks, and see where its piece stands after that.",
        )
    return Theme(
        "a sacrifice",
        f"a sacrifice: give {given}",
        f"A jump is compulsory, and takes {way.other}'s piece to where you want it: look at what "
        "it no longer guards or stops from there.",
    )


def _being_crowned(idea: str) -> Theme:
    return Theme("crowning", "being crowned", idea)


def _worth(way: Way, trade: Trade) -> int:
    return way.ledger.points(trade.taken) - way.ledger.points(trade.lost)


def _prepared(way: Way) -> Theme | None:
    """A quiet move, soon followed by an offer."""
    ledger = way.ledger
    first = next((first for first, _ in ledger.exchanges()), 0)
    if not first & 1 or ledger.takes(first) or first > SOON:
        return None
    trade = ledger.trade(first, ledger.combination(first))
    given, gained = (name_pieces(ledger.kinds, counts) for counts in (trade.lost, trade.taken))
    worth = _worth(way, trade)
    if worth > 0:
        follows = f"a shot: give {given}, get {gained}"
    else:
        follows = "a sacrifice" if worth else f"an exchange, {given} for {gained}"
    return Theme(
        "a prepared blow",
        f"a quiet move that prepares {follows}",
        "Look for the blow as if you could move twice; then for the move that makes it work.",
    )


def _gain(way: Way) -> Theme | None:
    """Something is won without an offer."""
    ledger = way.ledger
    first, last = next(iter(ledger.exchanges()), (0, 0))
    if not first or first & 1 or first > SOON or _worth(way, ledger.trade(first, last)) <= 0:
        return None
    if _threatens(way, first - 1):
        return Theme(
            "a threat",
            f"a threat: attack what {way.other} cannot save",
            "Something can be attacked that has nowhere to go, or more than one piece at once.",
        )
    return Theme(
        "a squeeze",
        f"running {way.other} out of safe moves",
        f"Nothing needs to be attacked: see which moves {way.other} has left, and wait until they "
        "cost a piece.",
    )


def _threatens(way: Way, ply: int) -> bool:
    """Whether the side that is not to move after that ply threatens to take something."""
    position = way.positions[ply]
    assert isinstance(position, Board | TwoBoards)
    return position.passed().status() == FORCED


def _shutting_in(way: Way) -> Theme | None:
    if way.last.status() != LOST or way.other[0] not in str(way.last).lower():
        return None
    return Theme(
        "shutting in",
        f"shutting {way.other} in: pieces that cannot move have lost",
        f"Do not take, but take squares away: count the moves that {way.other} still has.",
    )


def _crowning(way: Way) -> Theme | None:
    first = next((ply for ply in range(1, way.plies + 1, 2) if way.ledger.crowns(ply)), 0)
    if not first or first > SOON:
        return None
    return Theme(
        "the way to the last row",
        "bringing a man to the last row",
        f"Count its steps, and see whether {way.other} can get in its way.",
    )


def _opposition(way: Way) -> Theme | None:
    """Few pieces, equal numbers, and the other side has to give way."""
    board = str(way.root).lower()
    own, others = board.count(way.mover[0]), board.count(way.other[0])
    if own != others or own + others > FEW or way.plies > FACE_TO_FACE:
        return None
    return Theme(
        "the opposition",
        "the opposition: who has to give way when the pieces meet",
        "Count the moves until they stand face to face: the side to move then has to yield.",
    )


def _technique(way: Way) -> Theme:
    if way.mover[0].upper() in str(way.root):
        return Theme(
            "technique with kings",
            f"patience: drive {way.other} where it runs out of good squares",
            f"See where {way.other}'s pieces can still go, and take these squares away one by one.",
        )
    return Theme(
        "the right moment",
        "a quiet move: it takes nothing and gives nothing",
        f"For every quiet move, check what {way.other} can still do: one leaves nothing good.",
    )


def _quiet(way: Way) -> Theme:
    if _threatens(way, 1):
        return Theme(
            "an attack",
            "an attack: something can be threatened",
            f"See what {way.other} must do about it, and what that costs.",
        )
    return Theme(
        "a quiet move",
        "a quiet move: the search sees nothing to win at once",
        f"For every move, check whether {way.other} could give a piece and get two; of those that "
        "are safe, take the one that leaves your pieces together.",
    )
