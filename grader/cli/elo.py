"""`grader elo`: what a match has shown, from its counts alone."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from math import isfinite
from typing import Any

from tabulate import tabulate

from grader.cli.parser import GraderParser
from grader.stats.elo import Pentanomial, Strength, Trinomial, strength_of, strength_of_games
from grader.stats.sprt import MOST_ELO, Model, Sprt, Verdict
from grader.stats.wording import interval, meaning, percent, signed
from solver.cli.arguments import number
from solver.errors import UserError, counted

EXAMPLES = """\
  grader elo 20 30 10                       # won, drawn, lost
  grader elo 3 20 50 30 7                   # pairs of games that gave 0, 1/2, 1, 3/2, 2 points
  grader elo 3 20 50 30 7 --sprt 0 20       # 20 normalized Elo rather than 0?
  grader elo 20 30 10 --sprt -5 5 --logistic
  grader elo 3 20 50 30 7 --json
"""
EXIT_CODES = """exit codes:
  0    done
  2    wrong usage, or no games
"""
MOST = 10**9


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="elo",
        about="Says how much stronger a player is, and how sure that is, from counts alone: games\n"
        "won, drawn and lost; or pairs of games, sides swapped, by the points they gave.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument(
        "counts", metavar="N", nargs="+", type=number(0, MOST), help="three counts, or five"
    )
    parser.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=_bound,
        help="test ELO1 against ELO0, in normalized Elo, with 5 %% risk on each side",
    )
    parser.add_argument("--logistic", action="store_true", help="ELO0 and ELO1 are plain Elo")
    parser.add_argument(
        "--json", action="store_true", help="for programs; null where there is no finite number"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    tally = _tally(arguments.counts)
    verdict = _verdict(arguments, tally)
    if isinstance(tally, Pentanomial):
        strength = strength_of(tally)
    else:
        losses, draws, wins = tally.counts
        strength = strength_of_games(wins, draws, losses)
    if arguments.json:
        print(json.dumps(_plain(arguments, strength, verdict), indent=2))
    else:
        print(tabulate(_rows(tally, strength, verdict), disable_numparse=True, tablefmt="plain"))
        print(f"\n{meaning(strength)}")
        if verdict is not None:
            print(f"SPRT {verdict.words}.")
    return 0


def _bound(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = MOST_ELO + 1.0
    if not abs(value) <= MOST_ELO:
        raise argparse.ArgumentTypeError(
            f"{word!r} is not a number of Elo from {-MOST_ELO:g} to {MOST_ELO:g}"
        )
    return value


def _tally(counts: list[int]) -> Pentanomial | Trinomial:
    if len(counts) not in (3, 5):
        raise UserError(
            f"{counted(len(counts), 'count')}: three are needed (games won, drawn, lost), or five "
            "(pairs of games that gave 0, 1/2, 1, 3/2 and 2 points)."
        )
    if not any(counts):
        raise UserError("All counts are 0: without games there is nothing to tell.")
    if len(counts) == 3:
        return Trinomial.of_games(*counts)
    zero, one, two, three, four = counts
    return Pentanomial((zero, one, two, three, four))


def _verdict(arguments: argparse.Namespace, tally: Pentanomial | Trinomial) -> Verdict | None:
    if arguments.sprt is None:
        if arguments.logistic:
            raise UserError("--logistic says what the bounds of --sprt are. Add --sprt ELO0 ELO1.")
        return None
    elo0, elo1 = arguments.sprt
    if elo0 >= elo1:
        raise UserError(
            f"--sprt {elo0:g} {elo1:g}: the first is the lower one. Try --sprt 0 20 to ask for "
            "more strength, or --sprt -20 0 to rule out less."
        )
    model = Model.LOGISTIC if arguments.logistic else Model.NORMALIZED
    return Sprt(elo0, elo1, model=model).verdict(tally)


def _rows(
    tally: Pentanomial | Trinomial, strength: Strength, verdict: Verdict | None
) -> list[list[str]]:
    low, high = strength.score_low, strength.score_high
    paired = isinstance(tally, Pentanomial)
    rows = [
        ["games", str(strength.games), _counts(tally)],
        ["score", percent(strength.score), f"95 %: {percent(low)} to {percent(high)}"],
        ["Elo", signed(strength.elo), f"95 %: {interval(strength.elo_low, strength.elo_high)}"],
        ["nElo", signed(strength.nelo), f"95 %: {interval(strength.nelo_low, strength.nelo_high)}"],
        ["LOS", percent(strength.los), "likelihood of superiority"],
        ["draw ratio", percent(strength.draw_ratio), "pairs that ended level" if paired else ""],
    ]
    if strength.pairs_ratio is not None:
        rows.append(["pairs ratio", f"{strength.pairs_ratio:.2f}", "pairs won by pairs lost"])
    if verdict is not None:
        bounds = f"H0 at {verdict.lower:.2f}, H1 at {verdict.upper:.2f}"
        rows.append(["LLR", f"{verdict.llr:.2f}", bounds])
    return rows


def _counts(tally: Pentanomial | Trinomial) -> str:
    if isinstance(tally, Pentanomial):
        return f"in pairs: {' '.join(map(str, tally.counts))}"
    losses, draws, wins = tally.counts
    return f"{wins} won, {draws} drawn, {losses} lost"


def _plain(
    arguments: argparse.Namespace, strength: Strength, verdict: Verdict | None
) -> dict[str, Any]:
    plain: dict[str, Any] = {"counts": arguments.counts, **asdict(strength)}
    if verdict is not None:
        elo0, elo1 = arguments.sprt
        plain["sprt"] = {"elo0": elo0, "elo1": elo1, **asdict(verdict)}
        plain["sprt"]["model"] = Model.LOGISTIC if arguments.logistic else Model.NORMALIZED
    return {key: _number(value) for key, value in plain.items()}


def _number(value: Any) -> Any:
    """JSON knows no infinity."""
    return None if isinstance(value, float) and not isfinite(value) else value
