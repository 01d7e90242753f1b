"""What can become of an answer."""

from __future__ import annotations

from enum import StrEnum

NOT_YOUR_FAULT = "This could not be judged. That is not the fault of your program."


class Verdict(StrEnum):
    """From the best to what is nobody's answer at all; the value is the word in every record."""

    EXACT = "exact"  # the canonical best board
    EQUAL = "equal"  # another move of the same value
    SLOWER = "slower"  # keeps the result, takes longer
    WORSE = "worse"  # throws the win or the draw away
    ILLEGAL = "illegal"  # breaks a rule of the game
    MALFORMED = "malformed"  # is no board
    MISSING = "missing"  # there is no output
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    JUDGE_ERROR = "judge-error"  # our fault, never the student's

    @property
    def accepted(self) -> bool:
        return self in (Verdict.EXACT, Verdict.EQUAL)

    @property
    def words(self) -> str:
        """For people; the value is for programs."""
        return "not the best way" if self is Verdict.SLOWER else self.value

    @property
    def code(self) -> str:
        """The code that contest systems use."""
        return CODES[self]


CODES = {
    Verdict.EXACT: "AC",
    Verdict.EQUAL: "AC",
    Verdict.SLOWER: "WA",
    Verdict.WORSE: "WA",
    Verdict.ILLEGAL: "WA",
    Verdict.MALFORMED: "WA",
    Verdict.MISSING: "NO",
    Verdict.TIMEOUT: "TLE",
    Verdict.MEMORY: "MLE",
    Verdict.OUTPUT_LIMIT: "OLE",
    Verdict.CRASH: "RTE",
    Verdict.JUDGE_ERROR: "JE",
}
