"""`grader` without a command: help and version."""

from __future__ import annotations

from solver import __version__
from solver.cli.arguments import Parser, program

EXIT_CODES = """exit codes:
  0    every answer was accepted; of a class: everything was graded
  1    some answer was not; of a class: less than --fail-under
  2    wrong usage, or a malformed puzzle or settings file
  3    a judge error, a box that is not safe enough, a file that cannot be read or written
  130  interrupted; what was graded is in the journal
"""


def run(argv: list[str]) -> int:
    """Answer `--help` and `--version`; a call that says nothing gets the help."""
    _make_parser().parse_args(argv or ["--help"])
    return 0


def _make_parser() -> Parser:
    called = program("grader")
    parser = Parser(
        command="",
        name="grader",
        usage=f"{called} run|class|resume|diff|export|journal|doctor|validator|kit ...\n"
        "       (each has its own --help)",
        about="Runs solvers over puzzles, in a box, and says what their answers are worth.\n\n"
        "  run        one program over a batch of puzzles\n"
        "  class      every submission of a class over every puzzle\n"
        "  resume     go on with a grading that was interrupted\n"
        "  diff       which marks changed between two gradings, and why\n"
        "  export     a grading in another format\n"
        "  journal    list the gradings there are\n"
        "  doctor     how well this machine can keep programs in a box\n"
        "  validator  judge one answer, as a Kattis or DOMjudge output validator\n"
        "  kit        the files of a Gradescope autograder",
        examples="  grader run\n"
        '  grader run --solver "python3 checkers.py {input} {output}"\n'
        "  grader class submissions/ -o html:report.html\n",
        exit_codes=EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"checkmark {__version__}")
    return parser
