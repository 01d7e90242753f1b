"""Checkmark's grader: runs solvers over puzzles and judges their answers.

grader.judge.judge(input, answer)           one answer: a `Judgement`
grader.grade("python3 mine.py", "inputs")   a program over puzzles: a list of `Record`
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # `import grader` loads nothing else
    from pathlib import Path

    from grader.grading.plan import Mode
    from grader.grading.records import Record
    from grader.sandbox.job import RunLimits, Sandbox


def grade(
    command: str,
    puzzles: str | Path | None = None,
    *,
    expected: str | Path | None = None,
    name: str | None = None,
    word: str | None = None,
    mode: Mode | str = "move",
    limits: RunLimits | None = None,
    sandbox: Sandbox | str = "auto",
    jobs: int = 1,
) -> list[Record]:
    """Run a program over the puzzles of a folder, or over one, and judge what it answers.

    The command is that of `grader run --solver`: `python3 mine.py {input} {output}`.  Without a
    folder the puzzles are `inputs` here, or the collection that comes with the grader; `name` and
    `word` select some, as `-q` and `-k` do.
    """
    from pathlib import Path

    from grader.grading.grade import grade_all
    from grader.grading.plan import Mode, Plan
    from grader.grading.workers import local
    from grader.puzzles.find import choose_folders, find_cases, secret_files
    from grader.sandbox.job import RunLimits, Sandbox
    from grader.submissions.find import check_mounts, from_command

    inputs, answers = choose_folders(
        None if puzzles is None else Path(puzzles), None if expected is None else Path(expected)
    )
    cases, _ = find_cases(inputs, answers, name=name, word=word)
    secret = secret_files(inputs, answers)
    submission = from_command(command, Path.cwd(), leave_out=secret)
    check_mounts([submission], secret)
    plan = Plan(
        (submission,),
        tuple(cases),
        limits or RunLimits(),
        mode=Mode(mode),
        sandbox=Sandbox(sandbox),
    )
    with local(jobs) as workers:
        records = {task.names: each for task, each in grade_all(plan, plan.tasks(), workers)}
    return list(plan.report(records).records)
