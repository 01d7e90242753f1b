"""How a trace says things that all its formats say."""

from __future__ import annotations

from solver.score import describe, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.trace import Trace

# What is on besides alpha-beta, by the name of its switch.
NAMES = {
    "deepening": "deepening",
    "aspiration": "aspiration windows",
    "scouts": "scouts",
    "extension": "captures followed to their end",
    "tables": "endgame tables",
    "win_bounds": "bounds by the distance of wins",
    "transposition_cuts": "cuts by transpositions",
    "fast": "late moves searched less deep",
}


def said(value: int) -> str:
    """A value in the middle of a sentence: `3`, `-7`, `a win in 5`."""
    return f"a {describe(value)}" if is_decisive(value) else str(value)


def method(trace: Trace) -> str:
    """The search in words: `alpha-beta to depth 3, ordering static, cache sound`."""
    switches = trace.switches.as_dict()
    words = ["alpha-beta" if switches["alpha_beta"] else "minimax"]
    words[0] += f" to depth {trace.finding.depth}"
    words += [
        f"{name} {switches[name]}" for name in ("ordering", "cache") if switches[name] != "none"
    ]
    words += [text for name, text in NAMES.items() if switches[name]]
    return ", ".join(words)


def counts(trace: Trace) -> str:
    """What the search took: `11 nodes, 2 cutoffs (2 alpha, 0 beta)`."""
    effort = trace.effort
    alpha, beta = effort.alpha_cuts, effort.beta_cuts
    text = f"{effort.visited} nodes, {alpha + beta} cutoffs ({alpha} alpha, {beta} beta)"
    return f"{text}, cache {effort.hits}/{effort.probes}" if effort.probes else text


def unseen(moves: tuple[str, ...], most: int = 6) -> str:
    """Moves that a cut has spared, or how many there are if they are many."""
    if len(moves) > most:
        return f"{len(moves)} moves not looked at"
    return f"not looked at: {' '.join(moves)}" if moves else ""
