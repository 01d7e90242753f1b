"""A match as text and PDN."""

from __future__ import annotations

from textwrap import fill

from grader.lab.match_results import MatchResult, Pair, PlayedGame
from grader.lab.stats import meaning, percent
from grader.report.text import Column, Table, one_line, printable
from solver import __version__
from solver.errors import counted
from solver.games import Game as Rules
from solver.games import game_named
from solver.search.score import describe

MOST_FORFEITS = 5  # shown in full
PAIRINGS_NOTE = "Games won, drawn and lost by the first; its pairs of 0, 1/2, 1, 3/2 and 2 points."
WIDTH = 80
PAIRINGS: tuple[Column, ...] = (
    *("first", "second"),
    ("games", lambda each: "+{wins} ={draws} -{losses}".format(**each.results)),
    ("pairs", lambda each: " ".join(map(str, each.pentanomial.counts))),
    ("Elo (95 %)", "strength.elo"),
    ("nElo (95 %)", "strength.nelo"),
    ("LOS", lambda each: percent(each.strength.los)),
)


def render_table(result: MatchResult) -> str:
    pairings = f"{Table.of('Pairings', result.pairings, PAIRINGS, 2)}{PAIRINGS_NOTE}"
    found = (_conclusions(result), _forfeits(result))
    parts = [_about(result), pairings, *("\n".join(lines) for lines in found)]
    return "\n\n".join(printable(part.rstrip()) for part in parts if part) + "\n"


def _about(result: MatchResult) -> str:
    games = counted(sum(1 for _ in result.games), "game")
    again = "" if result.repeatable else ", not reproducible"
    return (
        f"{result.game}: {games}, {result.conditions}, {result.openings}, seed {result.seed}{again}"
    )


def _conclusions(result: MatchResult) -> list[str]:
    lines = []
    for pairing in result.pairings:
        names = f"{pairing.first} against {pairing.second}"
        if pairing.verdict is not None:
            llr = f"SPRT, LLR {pairing.verdict.llr:.2f}"
            lines.append(f"{names}: {llr}: {pairing.verdict.words}.")
        elif len(result.pairings) == 1:
            lines.append(f"{names}: {meaning(pairing.strength)}")
    return lines


def _forfeits(result: MatchResult) -> list[str]:
    found = [game for game in result.games if game.forfeit]
    if not found:
        return []
    losers = [game.loser for game in found]
    counts = ", ".join(f"{losers.count(name)} of {name}" for name in dict.fromkeys(losers))
    lines = [f"Lost by a crash, an illegal move or on time: {counts}"]
    lines += [f"  {game.reason}\n    in {game.final}" for game in found[:MOST_FORFEITS]]
    more = len(found) - MOST_FORFEITS
    return [*lines, f"  and {more} more"] if more > 0 else lines


def render_pdn(result: MatchResult) -> str:
    """Each move with depth, nodes and score.  A game without a FEN has a `Setup` tag instead."""
    pairs = [pair for pairing in result.pairings for pair in pairing.pairs]
    return "\n".join(_pdn_game(result, pair, game) for pair in pairs for game in pair.games)


def _pdn_game(result: MatchResult, pair: Pair, game: PlayedGame) -> str:
    rules = game_named(result.game)
    sides = rules.PDN_SIDES
    score = "1/2-1/2"  # of White, who is named first
    if game.winner:
        score = "1-0" if game.winner == game.players[sides.index("White")] else "0-1"
    termination = "adjudication" if game.adjudicated else "normal"
    tags = {
        "Event": f"grader match, seed {result.seed}, {result.conditions}",
        "Round": f"{pair.number}.{pair.games.index(game) + 1}",
        **dict(zip(sides, game.players, strict=True)),
        "Result": score,
        **rules.PDN_TAGS,
        rules.PDN_POSITION: game.opening.removeprefix(f"{rules.PDN_POSITION} "),
        "Termination": "rules infraction" if game.forfeit else termination,
        "Annotator": f"checkmark {__version__}",
    }
    reason = one_line(game.reason).replace("{", "(").replace("}", ")")
    words = [*_pdn_moves(rules, game), f"{{{reason}}}", score]
    text = fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "".join(f'[{tag} "{_quote(value)}"]\n' for tag, value in tags.items()) + f"\n{text}\n"


def _pdn_moves(rules: Rules, game: PlayedGame) -> list[str]:
    """Every move with its number where the first side is to move, and its remark."""
    position = rules.read(game.opening, "the opening", False).position
    ply = rules.SIDES.index(position.mover())
    words = []
    for at, move in enumerate(game.moves, ply):
        if at % 2 == 0:
            words.append(f"{at // 2 + 1}.")
        elif at == ply:
            words.append(f"{at // 2 + 1}...")
        words.append(move.name)
        if move.score is not None:
            words.append(f"{{depth {move.depth}, {move.nodes} nodes, {describe(move.score)}}}")
    return words


def _quote(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', "'")
