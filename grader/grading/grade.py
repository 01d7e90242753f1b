"""One submission on one puzzle: run it by `Workers.run`, judge its answer, make the record."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from statistics import median
from threading import Lock

from grader.grading.plan import Mode, Plan, Task
from grader.grading.records import NOT_YOUR_FAULT, Judgement, Record, Verdict, sha256
from grader.grading.workers import Workers
from grader.judge import (
    judge_line,
    judge_move,
    judge_outcome,
    play_out,
    printed_instead,
    sidebyside,
)
from grader.puzzles.evidence import truth_of
from grader.puzzles.find import board_of
from grader.puzzles.truth import Truth
from grader.sandbox.job import Ending, Job, Outcome, RunLimits, Sandbox
from grader.submissions.find import Submission
from solver import __version__
from solver.errors import UserError

Run = Callable[[Job], Outcome]
# One judgement at a time: judging is Python, which no second thread would make faster, and the
# solver remembers what it has proven.
JUDGING = Lock()
NODES = re.compile(
    rb"(?:^|[^\w.,])(\d[\d,_]{0,17})\s+nodes\b|\bnodes\b\s*[:=]\s*(\d{1,18})\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Judged:
    """A judgement, and the run that it is about, if there was one."""

    judgement: Judgement
    outcome: Outcome | None = None
    staff: str = ""


def grade_all(plan: Plan, tasks: Iterable[Task], workers: Workers) -> Iterator[tuple[Task, Record]]:
    """Grade every task; records come in the order in which they are finished."""
    begun = {workers.pool.submit(grade, plan, task, workers.run): task for task in tasks}
    for future in as_completed(begun):
        yield begun[future], future.result()


def grade(plan: Plan, task: Task, run: Run) -> Record:
    """Whatever goes wrong on our side becomes a judge error and never marks."""
    outcomes: list[Outcome] = []

    def run_and_keep(job: Job) -> Outcome:
        outcome = run(job)
        outcomes.append(outcome)
        return outcome

    try:
        judged = _judge(plan, task, run_and_keep)
    except Exception as error:
        staff = str(error) if isinstance(error, UserError) else traceback.format_exc()
        judged = Judged(Judgement(Verdict.JUDGE_ERROR, NOT_YOUR_FAULT), staff=staff)
    return _record(plan, task, judged, outcomes)


def _judge(plan: Plan, task: Task, run: Run) -> Judged:
    """Judge as often as was asked for; of different verdicts the worst counts."""
    if task.submission.fault:
        return Judged(Judgement(Verdict.MISSING, task.submission.fault))
    with JUDGING:
        truth = truth_of(task.case)
    # A game that is over cannot be played: the answer is the board itself, and has to be given.
    plays = plan.mode is Mode.PLAY and truth.moves
    once = _judge_game if plays else _judge_answer
    ranks = list(Verdict)
    return max(
        (once(plan, task, truth, run) for _ in range(plan.repeat)),
        key=lambda judged: ranks.index(judged.judgement.verdict),
    )


def _judge_answer(plan: Plan, task: Task, truth: Truth, run: Run) -> Judged:
    outcome = _answer(plan, task, task.case.input, run)
    judge = judge_line if plan.mode is Mode.LINE else judge_move
    with JUDGING:
        judgement = judge_outcome(outcome, plan.limits) or judge(
            board_of(task.case), outcome.output, truth, plan.strict
        )
    if judgement.verdict is Verdict.MISSING and plan.mode is not Mode.LINE:
        judgement = replace(judgement, cause=printed_instead(outcome) or judgement.cause)
    return Judged(judgement, outcome)


def _judge_game(plan: Plan, task: Task, truth: Truth, run: Run) -> Judged:
    """Each move is a fresh run on the board as it stands."""
    game = play_out(board_of(task.case), truth, plan.limits, plan.strict)
    outcome = None
    try:
        with JUDGING:
            board = next(game)
        while True:
            outcome = _answer(plan, task, board.encode(), run)
            with JUDGING:
                board = game.send(outcome)
    except StopIteration as end:
        return Judged(end.value, outcome)


def _answer(plan: Plan, task: Task, board: bytes, run: Run) -> Outcome:
    name = task.case.input_path.name
    return run_submission(task.submission, name, board, plan.limits, plan.sandbox, run)


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


def _record(plan: Plan, task: Task, judged: Judged, outcomes: list[Outcome]) -> Record:
    case, judgement = task.case, judged.judgement
    run = judged.outcome or Outcome(Ending.FAULT)
    stderr = run.stderr.decode("utf-8", "replace").strip()[-2000:]
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
        staff=judged.staff or "\n".join(filter(None, (run.fault, stderr))),
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
    """The nodes that all runs together claim to have searched."""
    claims = [nodes_claimed(outcome.stdout + b"\n" + outcome.stderr) for outcome in outcomes]
    known = [claim for claim in claims if claim is not None]
    return sum(known) if known else None


def nodes_claimed(said: bytes) -> int | None:
    """The last number of nodes that a program prints, as in `win in 9; 4711 nodes, 0.02 s`."""
    found = NODES.findall(said)
    if not found:
        return None
    digits = re.sub(rb"[,_]", b"", found[-1][0] or found[-1][1])
    return int(digits)


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
