"""One letter for each verdict, where there is room for no more."""

from __future__ import annotations

from collections.abc import Iterable

from grader.verdicts import Verdict

LETTERS = {
    Verdict.EXACT: "E",
    Verdict.EQUAL: "Q",
    Verdict.SLOWER: "s",
    Verdict.WORSE: "w",
    Verdict.ILLEGAL: "i",
    Verdict.MALFORMED: "f",
    Verdict.MISSING: "n",
    Verdict.TIMEOUT: "t",
    Verdict.MEMORY: "m",
    Verdict.OUTPUT_LIMIT: "o",
    Verdict.CRASH: "c",
    Verdict.JUDGE_ERROR: "!",
}
NOT_GRADED = "."


def key(verdicts: Iterable[Verdict]) -> str:
    """What the letters of these verdicts mean."""
    return ", ".join(f"{LETTERS[verdict]} {verdict.value}" for verdict in verdicts)
