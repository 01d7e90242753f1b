"""The command line of every command of the grader."""

from __future__ import annotations

from solver.cli.options import Parser

NAME = "grader"
EXIT_CODES = """exit codes:
  0    every answer was accepted; of a class: everything was graded
  1    some answer was not; of a class: less than --fail-under
  2    wrong usage, or a malformed puzzle or settings file
  3    a judge error, a box that is not safe enough, a file that cannot be read or written
  130  interrupted; what was graded is in the journal
"""
READING = """exit codes:
  0    done
  2    wrong usage
  3    a file that cannot be read or written
"""


class GraderParser(Parser):
    def __init__(
        self, command: str, about: str, examples: str, usage: str | None = None, codes: str = ""
    ) -> None:
        super().__init__(command, about, examples, usage, codes or EXIT_CODES, NAME)
