"""Which visits of a trace are to be told."""

from __future__ import annotations

from solver.errors import UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.subject import Subject
    from solver.trace.trace import Trace
    from solver.visit import Visit

ONLY = ("pv", "cuts")


def chosen(trace: Trace, subject: Subject, path: str, only: str | None) -> list[Visit]:
    """The visits at a path and below it; of them all, or only one kind."""
    found = _below(trace, subject, path) if path else trace.visits
    if only == "pv":
        return [visit for visit in found if visit.number in trace.line]
    if only == "cuts":
        return [visit for visit in found if trace.is_cut(visit)]
    return found


def _below(trace: Trace, subject: Subject, path: str) -> list[Visit]:
    """A path is numbers or names of moves with dots between: `2.1`, `11-15.24-20`."""
    position = trace.root
    kept = {visit.number for visit in trace.below[-1]}
    for word in path.split("."):
        children = position.children()
        names = [subject.move(position, child) for child in children]
        numbers = [str(number) for number in range(1, len(children) + 1)]
        if word not in names and word not in numbers:
            raise UserError(
                f"--node {path}: there is no move {word!r}.{did_you_mean(word, names)} "
                f"Here are {', '.join(names) or 'none'}."
            )
        position = children[names.index(word) if word in names else numbers.index(word)]
        kept = {
            visit.number
            for number in kept
            for visit in trace.below.get(number, [])
            if visit.position == position
        }
    if not kept:
        raise UserError(f"--node {path}: the search has not looked at it. Try the node above.")
    for visit in trace.visits:  # parents come before their children
        if visit.parent in kept:
            kept.add(visit.number)
    return [visit for visit in trace.visits if visit.number in kept]
