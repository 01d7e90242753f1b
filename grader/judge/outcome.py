"""How a run of a program failed, if it did."""

from __future__ import annotations

import re

from grader.grading.records import NOT_YOUR_FAULT, Judgement, Verdict
from grader.sandbox.job import Ending, Outcome, RunLimits
from solver.games import GAMES, game_named

MOST_WORDS = 200  # characters of the last line on standard error
PLACE = re.compile(r'File "[^"\n]{0,200}?([^"/\n]{1,60})", line (\d{1,9})')
NO_INPUT = ". The board is in the file that is named first, not on standard input"
PRINTED = "it printed a board; the answer belongs in the file that is named second"


def judge_outcome(outcome: Outcome, limits: RunLimits) -> Judgement | None:
    """The judgement of a run that failed, None if it has an output to judge.

    An exit code other than 0 is a crash even with the right board in the file: a program that
    reports its own failure cannot be believed.
    """
    match outcome.ending:
        case Ending.CPU:
            reason = f"CPU {outcome.cpu_s:.2f} s > limit {limits.cpu_s:g} s"
            return Judgement(Verdict.TIMEOUT, reason)
        case Ending.WALL:
            reason = f"{outcome.wall_s:.2f} s by the clock > limit {limits.wall_s:g} s"
            waits = f"used only {outcome.cpu_s:.2f} s of CPU: it sleeps or waits for input"
            idle = outcome.cpu_s < outcome.wall_s / 10
            return Judgement(Verdict.TIMEOUT, reason, waits if idle else "")
        case Ending.MEMORY:
            used = outcome.max_rss_kb / 1024
            reason = f"asked for more memory than the limit of {limits.memory_mb} MB"
            if used > limits.memory_mb:
                reason = f"memory {used:.0f} MB > limit {limits.memory_mb} MB"
            return Judgement(Verdict.MEMORY, reason, _last_line(outcome))
        case Ending.OUTPUT:
            reason = f"wrote more than the limit of {limits.output_bytes} bytes"
            return Judgement(Verdict.OUTPUT_LIMIT, reason)
        case Ending.SIGNAL:
            reason = f"the program was killed by {outcome.signal or 'a signal'}"
            return Judgement(Verdict.CRASH, reason, _last_line(outcome))
        case Ending.FAULT:
            return Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT)
    if outcome.exit_code != 0:
        reason = f"the program ended with exit code {outcome.exit_code}"
        return Judgement(Verdict.CRASH, reason, _last_line(outcome))
    if outcome.output is None:
        reason = outcome.output_fault or "there is no output file"
        return Judgement(Verdict.MISSING, reason, printed_instead(outcome) or _last_line(outcome))
    return None


def _last_line(outcome: Outcome) -> str:
    """The last line on standard error, such as an exception, and the line of the program that it
    came from."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    last = "".join(c if c.isprintable() else "?" for c in said.split("\n")[-1].strip())
    if not last:
        return ""
    places = PLACE.findall(said)
    place = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    hint = NO_INPUT if last.startswith("EOFError") else ""
    return f"last stderr line: {last[:MOST_WORDS]}{place}{hint}"


def printed_instead(outcome: Outcome) -> str:
    """What to tell students who print the board instead of writing it to the file."""
    letters = "".join(letter for name in GAMES for letter in game_named(name).PIECES)
    board = rf"(?:^[.{letters}]{{8}}[ \t\r]*\n){{7}}[.{letters}]{{8}}"
    return PRINTED if re.search(board.encode(), outcome.stdout, re.MULTILINE) else ""
