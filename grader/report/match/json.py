"""JSON for programs: the numbers, and every game with its moves."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from typing import Any

from grader.match.results import MatchResult, Pairing, Standing
from grader.plain import as_plain
from solver import __version__


def render(result: MatchResult) -> str:
    plain = {
        "version": __version__,
        "game": result.game,
        "conditions": result.conditions,
        "repeatable": result.repeatable,
        "seed": result.seed,
        "openings": result.openings,
        "sprt": as_plain(result.sprt),
        "contestants": as_plain(result.contestants),
        "standings": [_standing(each) for each in result.standings if result.ranked],
        "pairings": [_pairing(each) for each in result.pairings],
    }
    return json.dumps(_finite(plain)) + "\n"


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "name": standing.name,
        "points": standing.points,
        "pentanomial": standing.pentanomial.counts,
        **asdict(standing.strength),
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "first": pairing.first,
        "second": pairing.second,
        "wins": pairing.wins,
        "draws": pairing.draws,
        "losses": pairing.losses,
        "pentanomial": pairing.pentanomial.counts,
        **asdict(pairing.strength),
        "verdict": as_plain(pairing.verdict),
        "pairs": as_plain(pairing.pairs),
    }


def _finite(value: Any) -> Any:
    """JSON knows no infinity: null."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
