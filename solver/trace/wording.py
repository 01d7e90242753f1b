"""How a trace says things that all its formats say."""

from __future__ import annotations

from solver.score import describe, is_decisive
from solver.techniques import SWITCHES
from solver.trace.node import Tag
from solver.visit import Cause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.node import Node
    from solver.trace.trace import Trace

MOST_LISTED = 6  # moves by name; more are counted


def said(value: int) -> str:
    """A value in the middle of a sentence: `3`, `-7`, `a win in 5`."""
    return f"a {describe(value)}" if is_decisive(value) else str(value)


def method(trace: Trace) -> str:
    """The search in words: `alpha-beta to depth 3, ordering static, cache sound`."""
    techniques = trace.techniques
    base = "alpha-beta" if techniques.has("alpha-beta") else "minimax"
    words = [f"{base} to depth {trace.finding.depth}"]
    words += [
        f"{name} {techniques.values[name]}"
        for name in ("ordering", "cache")
        if techniques.has(name)
    ]
    names = [each.name for each in SWITCHES if techniques.has(each.name)]
    others = ", ".join(name for name in names if name != base)
    return ", ".join([*words, *([f"with {others}"] if others else [])])


def counts(trace: Trace) -> str:
    """What the search took: `11 nodes, 2 cutoffs (2 alpha, 0 beta)`."""
    effort = trace.effort
    alpha, beta = effort.alpha_cuts, effort.beta_cuts
    text = f"{effort.visited} nodes, {alpha + beta} cutoffs ({alpha} alpha, {beta} beta)"
    return f"{text}, cache {effort.hits}/{effort.probes}" if effort.probes else text


def name(node: Node) -> str:
    """Where a node is and by which move: `2.1 30x21`; the root by its mover."""
    if not node.path:
        return node.mover
    return node.path if node.move == node.path else f"{node.path} {node.move}"


def remark(node: Node) -> str:
    """The reason of a node, but for plain leaves, which need none, and what a cut has spared."""
    if node.tag is Tag.LEAF and node.kind == Cause.HEURISTIC.value:
        return ""
    asked = "the cache is asked" if node.cache == "asked" else ""
    return "; ".join(part for part in (node.reason, _unseen(node.unseen), asked) if part)


def _unseen(moves: tuple[str, ...]) -> str:
    if len(moves) > MOST_LISTED:
        return f"{len(moves)} moves not looked at"
    return f"not looked at: {' '.join(moves)}" if moves else ""
