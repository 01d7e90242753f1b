"""One submission on one puzzle, as steps: each run it needs, and at the end its record.

The steps are generators that yield a `Job` and are sent its `Outcome`, so that a game of forty
runs and a single run look the same to whoever carries them out.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from statistics import median

from grader.cases import Case
from grader.claims import nodes_claimed
from grader.judge import (
    judge_line,
    judge_move,
    judge_outcome,
    play_out,
    printed_instead,
    sidebyside,
)
from grader.judgement import Judgement
from grader.keys import sha256
from grader.plan import Mode, Plan, Task
from grader.records import Record
from grader.runs import Ending, Job, Outcome
from grader.submissions import Submission
from grader.truth import Truth
from grader.verdicts import NOT_YOUR_FAULT, Verdict
from solver import __version__
from solver.errors import UserError

TruthOf = Callable[[Case], Truth]
Steps = Generator[Job, Outcome, Record]
Runs = Generator[Job, Outcome, "Judged"]


@dataclass(frozen=True)
class Judged:
    """A judgement, and the run that it is about, if there was one."""

    judgement: Judgement
    outcome: Outcome | None = None
    staff: str = ""


def steps(plan: Plan, task: Task, truth_of: TruthOf) -> Steps:
    """Grade; whatever goes wrong on our side becomes a judge error and never marks."""
    outcomes: list[Outcome] = []
    try:
        judged = yield from _recorded(_repeated(plan, task, truth_of), outcomes)
    except UserError as error:
        judged = _not_judged(str(error))
    except Exception:
        judged = _not_judged(traceback.format_exc())
    return _record(plan, task, judged, outcomes)


def _not_judged(staff: str) -> Judged:
    return Judged(Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT), staff=staff)


def _recorded(runs: Runs, outcomes: list[Outcome]) -> Runs:
    """The same runs, with every outcome kept."""
    try:
        job = next(runs)
        while True:
            outcome = yield job
            outcomes.append(outcome)
            job = runs.send(outcome)
    except StopIteration as end:
        judged: Judged = end.value
        return judged


def _repeated(plan: Plan, task: Task, truth_of: TruthOf) -> Runs:
    """Judge as often as was asked for; of different verdicts the worst counts."""
    if task.submission.fault:
        return Judged(Judgement(Verdict.MISSING, task.submission.fault))
    once = {Mode.MOVE: _move, Mode.LINE: _line, Mode.PLAY: _game}[plan.mode]
    found = []
    for _ in range(plan.repeat):
        found.append((yield from once(plan, task, truth_of(task.case))))
    ranks = list(Verdict)
    return max(found, key=lambda judged: ranks.index(judged.judgement.verdict))


def _move(plan: Plan, task: Task, truth: Truth) -> Runs:
    outcome = yield from _run(plan, task, task.case.input)
    judgement = judge_outcome(outcome, plan.limits) or judge_move(
        task.case.text, outcome.output, truth, plan.strict
    )
    if judgement.verdict is Verdict.MISSING:
        cause = printed_instead(outcome) or judgement.cause
        judgement = replace(judgement, cause=cause)
    return Judged(judgement, outcome)


def _line(plan: Plan, task: Task, truth: Truth) -> Runs:
    outcome = yield from _run(plan, task, task.case.input)
    judgement = judge_outcome(outcome, plan.limits) or judge_line(
        task.case.text, outcome.output, truth, plan.strict
    )
    return Judged(judgement, outcome)


def _game(plan: Plan, task: Task, truth: Truth) -> Runs:
    """Each move a fresh run on the board as it stands.  What is over has no game to be played:
    the answer is the board itself, and has to be given."""
    if not truth.moves:
        return (yield from _move(plan, task, truth))
    game = play_out(task.case.text, truth, plan.limits, plan.strict)
    outcome = None
    try:
        board = next(game)
        while True:
            outcome = yield from _run(plan, task, board.encode())
            board = game.send(outcome)
    except StopIteration as end:
        return Judged(end.value, outcome)


def _run(plan: Plan, task: Task, board: bytes) -> Generator[Job, Outcome, Outcome]:
    """Run; once more if it failed on our side, or missed its time by too little to be fair; and
    in the other calling style if that was a guess and there is no answer."""
    job = _job(plan, task.submission, task.case, board)
    outcome = yield job
    late = outcome.ending is Ending.CPU and outcome.exit_code is not None
    if outcome.ending is Ending.FAULT or late:
        outcome = yield job
    if task.submission.guessed and outcome.ending is Ending.EXIT and not outcome.output:
        other = yield _job(plan, task.submission.in_other_style(), task.case, board)
        return other if other.output else outcome
    return outcome


def _job(plan: Plan, submission: Submission, case: Case, board: bytes) -> Job:
    return Job(
        submission=submission.sha256,
        files=submission.files,
        command=submission.command,
        input_name=case.input_path.name,
        input=board,
        limits=plan.limits,
        sandbox=plan.sandbox,
    )


def _for_the_staff(outcome: Outcome) -> str:
    """What the machine and the program's own messages say about a run."""
    said = outcome.stderr.decode("utf-8", "replace").strip()
    return "\n".join(part for part in (outcome.fault, said[-2000:]) if part)


def _record(plan: Plan, task: Task, judged: Judged, outcomes: list[Outcome]) -> Record:
    case, judgement = task.case, judged.judgement
    run = judged.outcome or Outcome(Ending.FAULT)
    times = sum if plan.mode is Mode.PLAY else median
    return Record(
        submission=task.submission.name,
        puzzle=case.name,
        game=case.game,
        group=case.group,
        mode=plan.mode,
        verdict=judgement.verdict,
        score=round(case.points * share_of(judgement, plan.slower), 6),
        max_score=case.points,
        reason=judgement.reason,
        cause=judgement.cause,
        comparison=judgement.comparison,
        staff=judged.staff or _for_the_staff(run),
        move=judgement.move,
        best=judgement.best,
        input_board=case.text,
        expected_board=judgement.expected,
        given_board=judgement.given,
        diff=_diff(case.text, judgement, judgement.expected),
        own_diff=_diff(case.text, judgement, None),
        visibility=case.visibility,
        cpu_s=round(times([outcome.cpu_s for outcome in outcomes] or [0.0]), 4),
        wall_s=round(times([outcome.wall_s for outcome in outcomes] or [0.0]), 4),
        max_rss_kb=max((outcome.max_rss_kb for outcome in outcomes), default=0),
        nodes_reported=_nodes(outcomes if plan.mode is Mode.PLAY else [run]),
        runs=len(outcomes),
        exit_code=run.exit_code,
        signal=run.signal,
        sandbox=run.level,
        limits=plan.limits,
        worker=run.worker,
        submission_sha256=task.submission.sha256,
        input_sha256=sha256(case.input),
        expected_sha256=sha256(case.expected + case.proof.encode()),
        version=__version__,
        started_at=outcomes[0].started_at if outcomes else "",
    )


def _nodes(outcomes: list[Outcome]) -> int | None:
    """What the runs say they have searched, taken together."""
    claims = [nodes_claimed(outcome.stdout + b"\n" + outcome.stderr) for outcome in outcomes]
    known = [claim for claim in claims if claim is not None]
    return sum(known) if known else None


def _diff(text: str, judgement: Judgement, expected: str | None) -> str:
    """The boards beside each other, if there is an answer with something wrong in it."""
    if judgement.verdict.accepted or not judgement.given:
        return ""
    return sidebyside(text, expected, judgement.given)


def share_of(judgement: Judgement, slower: float) -> float:
    """The part of a puzzle's points that a judgement is worth."""
    if judgement.verdict.accepted:
        return 1.0
    if judgement.verdict is Verdict.SLOWER:
        return slower if judgement.share is None else judgement.share
    return 0.0
