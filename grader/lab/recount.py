"""A match from its games in PDN: who won is read from the tags, nothing is played again."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.lab.match_results import Contestant, Game, MatchResult, Pair, Pairing, PlayedMove
from grader.lab.openings import one_line, read_position
from grader.lab.sprt import Sprt
from solver.errors import UserError, counted
from solver.games import GAMES, game_named
from solver.games.puzzle import read_text

if TYPE_CHECKING:
    from solver.games import Game as Rules

LARGEST = 200_000_000  # bytes
TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$', re.MULTILINE)
NOT_A_MOVE = re.compile(r"\{[^}]*\}|\d+\.+")
REMARK = re.compile(r"\{([^}]*)\}")
EVENT = re.compile(r"grader match, seed (\d+), (.*)")
WHITE, BLACK, NOBODY = "White", "Black", ""
PDN_SIDES = {"checkers": (BLACK, WHITE), "twoflags": (WHITE, BLACK)}  # the one that begins first
RESULTS = {
    "1-0": WHITE,
    "2-0": WHITE,
    "0-1": BLACK,
    "0-2": BLACK,
    "1/2-1/2": NOBODY,
    "1-1": NOBODY,
}


def recount(path: str, sprt: Sprt | None = None) -> tuple[MatchResult, list[str]]:
    """The result of the games in a file, and warnings.  Two games in a row between the same
    players are a pair."""
    games = re.split(r"\n(?=\[Event )", read_text(path, path, LARGEST).removeprefix("\ufeff"))
    tags = [dict(TAG.findall(game)) for game in games]
    name = tags[0].get("Game", GAMES[0])
    if name not in GAMES:
        raise UserError(f"{path}: {name!r} is not one of {', '.join(GAMES)}")
    rules = game_named(name)
    met: dict[tuple[str, ...], list[Game]] = {}
    for number, (text, said) in enumerate(zip(games, tags, strict=True), 1):
        game = _game(rules, text, said, f"{path}: game {number}")
        met.setdefault(tuple(sorted(game.players)), []).append(game)
    event = EVENT.fullmatch(tags[0].get("Event", ""))
    result = MatchResult(
        game=name,
        contestants=tuple(Contestant(each, "") for each in _players(met)),
        conditions=event[2] if event else f"games of {path}",
        repeatable=True,
        seed=int(event[1]) if event else 0,
        openings=counted(len({each.opening for row in met.values() for each in row}), "opening"),
        pairings=tuple(_pairing(row, sprt) for row in met.values()),
        sprt=sprt,
    )
    odd = [" and ".join(players) for players, row in met.items() if len(row) % 2]
    return result, [f"{path}: the last game of {each} is left out: no pair" for each in odd]


def _players(met: dict[tuple[str, ...], list[Game]]) -> list[str]:
    return list(dict.fromkeys(name for row in met.values() for name in row[0].players))


def _pairing(games: list[Game], sprt: Sprt | None) -> Pairing:
    first, second = games[0].players
    twos = zip(games[::2], games[1::2], strict=False)
    pairing = Pairing(first, second, tuple(Pair(at, two) for at, two in enumerate(twos, 1)))
    if sprt is None:
        return pairing
    return replace(pairing, verdict=sprt.verdict(pairing.pentanomial))


def _game(rules: Rules, text: str, tags: dict[str, str], place: str) -> Game:
    sides = PDN_SIDES[rules.NAME]
    for tag in (*sides, "Result"):
        if tag not in tags:
            raise UserError(f'{place}: has no [{tag} "..."]')
    if tags["Result"] not in RESULTS:
        raise UserError(f"{place}: the result {tags['Result']!r} is not 1-0, 0-1 or 1/2-1/2")
    body = TAG.sub("", text)
    setup = tags.get("FEN") or (f"Setup {tags['Setup']}" if "Setup" in tags else rules.start())
    moves = NOT_A_MOVE.sub(" ", body).split()[:-1]
    remarks = REMARK.findall(body)
    return Game(
        players=tuple(tags[side] for side in sides),
        opening=setup,
        moves=tuple(PlayedMove(move) for move in moves),
        winner=tags.get(RESULTS[tags["Result"]], ""),
        reason=" ".join(remarks[-1].split()) if remarks else "",
        forfeit=tags.get("Termination") == "rules infraction",
        final=_final(rules, setup, moves),
    )


def _final(rules: Rules, setup: str, moves: list[str]) -> str:
    """The last position, or nothing if another program writes its moves in another way."""
    position = read_position(rules, setup)
    for move in moves:
        after = [each for each in position.children() if rules.move_name(position, each) == move]
        if not after:
            return ""
        position = after[0]
    return one_line(rules, position)
