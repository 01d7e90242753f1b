"""The judge: from an answer and what is known about its puzzle to a verdict with its reason.

Pure: no file, no clock, no screen.  Judging a move asks nothing but the truth about its puzzle;
judging lines and games asks the solver, through `Solutions`, which remembers its answers.
"""

from grader.judge.illegal import sidebyside
from grader.judge.line import judge_line
from grader.judge.move import Solutions, judge_move
from grader.judge.play import judge_outcome, play_out, printed_instead

__all__ = [
    "Solutions",
    "judge_line",
    "judge_move",
    "judge_outcome",
    "play_out",
    "printed_instead",
    "sidebyside",
]
