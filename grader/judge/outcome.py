"""Runs that came to a bad end: no answer is looked at, however good it may be."""

from __future__ import annotations

import re

from grader.grading.records import NOT_YOUR_FAULT, Judgement, Verdict
from grader.sandbox.job import Ending, Limits, Outcome

MOST_WORDS = 200  # characters of what a program said last
PLACE = re.compile(r'File "[^"\n]{0,200}?([^"/\n]{1,60})", line (\d{1,9})')
BOARD = re.compile(rb"(?:^[.rbRBwW]{8}[ \t\r]*\n){7}[.rbRBwW]{8}", re.MULTILINE)
NO_INPUT = ". The board is in the file that is named first, not on standard input"
PRINTED = "it printed a board; the answer belongs in the file that is named second"


def judge_outcome(outcome: Outcome, limits: Limits) -> Judgement | None:
    """The judgement of a run that failed, None if it has an output to judge.

    An exit code other than 0 is a crash even with the right board in the file: a program that
    reports its own failure cannot be believed.
    """
    match outcome.ending:
        case Ending.CPU:
            return Judgement(
                Verdict.TIMEOUT, f"CPU {outcome.cpu_s:.2f} s > limit {limits.cpu_s:g} s"
            )
        case Ending.WALL:
            return _waited(outcome, limits)
        case Ending.MEMORY:
            return Judgement(Verdict.MEMORY, _memory(outcome, limits), last_words(outcome))
        case Ending.OUTPUT:
            reason = f"wrote more than the limit of {limits.output_bytes} bytes"
            return Judgement(Verdict.OUTPUT_LIMIT, reason)
        case Ending.SIGNAL:
            reason = f"the program was killed by {outcome.signal or 'a signal'}"
            return Judgement(Verdict.CRASH, reason, last_words(outcome))
        case Ending.FAULT:
            return Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT)
    if outcome.exit_code != 0:
        reason = f"the program ended with exit code {outcome.exit_code}"
        return Judgement(Verdict.CRASH, reason, last_words(outcome))
    if outcome.output is None:
        reason = outcome.output_fault or "there is no output file"
        return Judgement(Verdict.MISSING, reason, printed_instead(outcome) or last_words(outcome))
    return None


def _waited(outcome: Outcome, limits: Limits) -> Judgement:
    reason = f"{outcome.wall_s:.2f} s by the clock > limit {limits.wall_s:g} s"
    idle = outcome.cpu_s < outcome.wall_s / 10
    cause = f"used only {outcome.cpu_s:.2f} s of CPU: it sleeps or waits for input" if idle else ""
    return Judgement(Verdict.TIMEOUT, reason, cause)


def _memory(outcome: Outcome, limits: Limits) -> str:
    used = outcome.max_rss_kb / 1024
    if used > limits.memory_mb:
        return f"memory {used:.0f} MB > limit {limits.memory_mb} MB"
    return f"asked for more memory than the limit of {limits.memory_mb} MB"


def last_words(outcome: Outcome) -> str:
    """The last line that the program wrote on standard error, such as an exception, and the line
    of the program that it came from."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    last = "".join(c if c.isprintable() else "?" for c in said.split("\n")[-1].strip())
    if not last:
        return ""
    places = PLACE.findall(said)
    place = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    hint = NO_INPUT if last.startswith("EOFError") else ""
    return f"it said: {last[:MOST_WORDS]}{place}{hint}"


def printed_instead(outcome: Outcome) -> str:
    """What to tell somebody who has printed the board and left the file alone."""
    return PRINTED if BOARD.search(outcome.stdout) else ""
