"""One submission on one puzzle: run it by `Workers.run`, judge its answer, make the record."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from dataclasses import replace
from math import inf
from statistics import median
from threading import Lock
from time import monotonic

from grader.grading.plan import Mode, Plan, Task
from grader.grading.records import NOT_YOUR_FAULT, Judgement, Record, Verdict, sha256
from grader.grading.workers import Unavailable, Workers
from grader.judge.illegal import sidebyside
from grader.judge.line import judge_line
from grader.judge.move import judge_move
from grader.judge.outcome import judge_outcome, printed_instead
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import board_of, decode_path
from grader.sandbox.job import Ending, Job, Outcome, RunLimits, Sandbox
from grader.submissions.find import Submission
from solver import __version__
from solver.errors import UserError

Run = Callable[[Job], Outcome]
# One judgement at a time, while other programs run: judging is Python, which no second thread
# would make faster, and what one thread is proving, another would prove again.
JUDGING = Lock()
NODES = re.compile(
    rb"(?:^|[^\w.,])(\d[\d,_]{0,17})\s+nodes\b|\bnodes\b\s*[:=]\s*(\d{1,18})\b", re.IGNORECASE
)


def grade_all(
    plan: Plan, tasks: Iterable[Task], workers: Workers, seconds: float = inf
) -> Iterator[tuple[Task, Record]]:
    """Grade every task, or as many as can be begun in these seconds; records come in the order in
    which they are finished."""
    until = monotonic() + seconds
    begun = {workers.pool.submit(grade, plan, task, workers.run): task for task in tasks}
    for future in as_completed(begun):
        if future.cancelled():
            continue
        yield begun[future], future.result()
        if monotonic() > until:
            for each in begun:
                each.cancel()


def grade(plan: Plan, task: Task, run: Run) -> Record:
    """Whatever goes wrong on our side becomes a judge error and never marks."""
    outcomes: list[Outcome] = []

    def run_and_keep(job: Job) -> Outcome:
        outcomes.append(run(job))
        return outcomes[-1]

    try:
        judgement, outcome = _judge(plan, task, run_and_keep)
        staff = ""
    except Unavailable:
        raise
    except Exception as error:
        reason = NOT_YOUR_FAULT + ("" if task.case.points else " It does not count.")
        judgement, outcome = Judgement(Verdict.JUDGE_ERROR, reason), None
        staff = str(error) if isinstance(error, UserError) else traceback.format_exc()
    return _record(plan, task, judgement, outcome, staff, outcomes)


def _judge(plan: Plan, task: Task, run: Run) -> tuple[Judgement, Outcome | None]:
    """The judgement, and the run that it is about, if there was one."""
    if task.submission.fault:
        return Judgement(Verdict.MISSING, task.submission.fault), None
    with JUDGING:
        truth = truth_of(task.case)
    case, judge = task.case, judge_line if plan.mode is Mode.LINE else judge_move
    name, limits = decode_path(case.input_path.name), plan.limits
    outcome = run_submission(task.submission, name, case.given, limits, plan.sandbox, run)
    with JUDGING:
        failed = judge_outcome(outcome, limits)
        judgement = failed or judge(board_of(case), outcome.output, truth)
    if judgement.verdict is Verdict.MISSING:
        judgement = replace(judgement, cause=printed_instead(outcome) or judgement.cause)
    return judgement, outcome


def run_submission(
    submission: Submission, name: str, board: bytes, limits: RunLimits, sandbox: Sandbox, run: Run
) -> Outcome:
    """Run it on a board; once more if it failed on our side, or missed its time by too little to
    be fair; and in the other calling style if that was a guess and there is no answer."""
    program = submission.sha256, submission.files, submission.command
    job = Job(*program, name, board, limits, sandbox)
    outcome = run(job)
    late = outcome.ending is Ending.CPU and outcome.exit_code is not None
    if outcome.ending is Ending.FAULT or late:
        outcome = run(job)
    if submission.guessed and outcome.ending is Ending.EXIT and not outcome.output:
        other = submission.in_other_style()
        second = run(replace(job, submission=other.sha256, command=other.command))
        return second if second.output else outcome
    return outcome


def _record(
    plan: Plan,
    task: Task,
    judgement: Judgement,
    outcome: Outcome | None,
    staff: str,
    outcomes: list[Outcome],
) -> Record:
    case, run = task.case, outcome or Outcome(Ending.FAULT)
    stderr = run.stderr.decode("utf-8", "replace").strip()[-2000:]
    return Record(
        submission=task.submission.name,
        puzzle=case.name,
        game=case.game,
        group=case.group,
        mode=plan.mode,
        **vars(judgement),
        score=round(case.points * judgement.verdict.share(plan.slower), 6),
        max_score=case.points,
        # A path in it may have bytes that are not text.
        staff=(staff or "\n".join(filter(None, (run.fault, stderr))))
        .encode(errors="replace")
        .decode(),
        input_board=case.text,
        diff=_diff(case.text, judgement, judgement.expected_board),
        own_diff=_diff(case.text, judgement, None),
        visibility=case.visibility,
        cpu_s=round(median([outcome.cpu_s for outcome in outcomes] or [0.0]), 4),
        wall_s=round(median([outcome.wall_s for outcome in outcomes] or [0.0]), 4),
        max_rss_kb=max((outcome.max_rss_kb for outcome in outcomes), default=0),
        nodes_reported=nodes_claimed(run.stdout + b"\n" + run.stderr),
        runs=len(outcomes),
        exit_code=run.exit_code,
        signal=run.signal,
        sandbox=run.level,
        accounting=run.accounting,
        limits=plan.limits,
        worker=run.worker,
        submission_sha256=task.submission.sha256,
        input_sha256=sha256(case.input),
        expected_sha256=sha256(case.expected + case.proof.encode()),
        version=__version__,
        started_at=outcomes[0].started_at if outcomes else "",
    )


def nodes_claimed(said: bytes) -> int | None:
    """The last number of nodes that a run prints, as in `win in 9; 4711 nodes`."""
    claims = NODES.findall(said)
    return int(re.sub(rb"[,_]", b"", b"".join(claims[-1]))) if claims else None


def _diff(text: str, judgement: Judgement, expected: str | None) -> str:
    """The boards beside each other, if there is an answer with something wrong in it."""
    if judgement.verdict.accepted or not judgement.given_board:
        return ""
    return sidebyside(text, expected, judgement.given_board)
