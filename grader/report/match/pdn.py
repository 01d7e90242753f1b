"""Games in PDN, each move with what its player made of it.

Our red is PDN's Black, which begins.  Two Flags has no such standard; its games are written in
the same way, with `Setup` instead of `FEN` and White first.
"""

from __future__ import annotations

from textwrap import fill

from grader.match.results import Game, MatchResult, Pair, PlayedMove
from grader.report.grading.wording import one_line
from solver import __version__
from solver.games import game_named
from solver.score import describe

PDN_SIDES = {"checkers": ("Black", "White"), "twoflags": ("White", "Black")}
ENGLISH = "21"  # PDN's number of the rules
WIDTH = 80


def render(result: MatchResult) -> str:
    return "\n".join(
        _game(result, pair, number, game)
        for pairing in result.pairings
        for pair in pairing.pairs
        for number, game in enumerate(pair.games, 1)
    )


def _game(result: MatchResult, pair: Pair, number: int, game: Game) -> str:
    first, second = PDN_SIDES[result.game]
    score = _score(result, game)
    checkers = result.game == "checkers"
    tags = {
        "Event": f"grader match, seed {result.seed}, {result.conditions}",
        "Round": f"{pair.number}.{number}",
        first: game.players[0],
        second: game.players[1],
        "Result": score,
        **({"GameType": ENGLISH, "SetUp": "1"} if checkers else {"Game": result.game}),
        "FEN" if checkers else "Setup": game.opening.removeprefix("Setup "),
        "Termination": _ending(game),
        "Annotator": f"checkmark {__version__}",
    }
    words = [*_moves(result.game, game), f"{{{_braced(game.reason)}}}", score]
    text = fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "".join(f'[{tag} "{_quoted(value)}"]\n' for tag, value in tags.items()) + f"\n{text}\n"


def _score(result: MatchResult, game: Game) -> str:
    """As seen by White, who is named first."""
    if not game.winner:
        return "1/2-1/2"
    white = game.players[PDN_SIDES[result.game].index("White")]
    return "1-0" if game.winner == white else "0-1"


def _ending(game: Game) -> str:
    if game.forfeit:
        return "rules infraction"
    return "adjudication" if game.reason.startswith("by the tables") else "normal"


def _moves(name: str, game: Game) -> list[str]:
    """Every move with its number where one side is at its turn again, and its remark."""
    rules = game_named(name)
    position = rules.read(game.opening, "the opening", False)[0]
    ply = rules.SIDES.index(position.mover())
    words = []
    for at, move in enumerate(game.moves, ply):
        if at % 2 == 0:
            words.append(f"{at // 2 + 1}.")
        elif at == ply:
            words.append(f"{at // 2 + 1}...")
        words += [move.name, *_remark(move)]
    return words


def _remark(move: PlayedMove) -> list[str]:
    if move.depth is None or move.score is None or move.nodes is None:
        return []
    return [f"{{depth {move.depth}, {move.nodes} nodes, {describe(move.score)}}}"]


def _quoted(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', "'")


def _braced(text: str) -> str:
    return one_line(text).replace("{", "(").replace("}", ")")
