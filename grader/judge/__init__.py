"""The judge: from an answer and what is known about its puzzle to a verdict with its reason.

Pure: no file, no clock, no screen.  Judging a move asks nothing but the truth about its puzzle;
judging lines and games asks the solver, through `Solutions`, which remembers its answers.
"""

from grader.judge.line import judge_line
from grader.judge.move import judge_move
from grader.judge.outcome import judge_outcome, printed_instead
from grader.judge.play import play_out
from grader.judge.show import sidebyside
from grader.judge.weighing import Solutions

__all__ = [
    "Solutions",
    "judge_line",
    "judge_move",
    "judge_outcome",
    "play_out",
    "printed_instead",
    "sidebyside",
]
