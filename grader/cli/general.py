"""`grader` without a command: help and version."""

from __future__ import annotations

from grader.cli.options import GraderParser
from solver import __version__
from solver.cli.options import program


def run(argv: list[str]) -> int:
    """Answer `--help` and `--version`; a call that says nothing gets the help."""
    _make_parser().parse_args(argv or ["--help"])
    return 0


def _make_parser() -> GraderParser:
    called = program("grader")
    parser = GraderParser(
        command="",
        usage=f"{called} run|class|resume|diff|export|journal|prove|compare|match|tune|doctor|\n"
        "       validator|kit ...\n"
        "       (each has its own --help)",
        about="Runs solvers over puzzles, in a box, and says what their answers are worth.\n\n"
        "  run        one program over a batch of puzzles\n"
        "  class      every submission of a class over every puzzle\n"
        "  resume     go on with a grading that was interrupted\n"
        "  diff       which marks changed between two gradings, and why\n"
        "  export     a grading in another format\n"
        "  journal    list the gradings there are\n"
        "  prove      what every move of a puzzle is worth; checks or writes expected/\n"
        "  compare    variants of the search on fixed puzzles: answers, nodes, time\n"
        "  match      games between variants, with error bars\n"
        "  tune       fit a heuristic's weights to the results of games\n"
        "  doctor     how well this machine can keep programs in a box\n"
        "  validator  judge one answer, as a Kattis or DOMjudge output validator\n"
        "  kit        the files of a Gradescope autograder",
        examples="  grader run\n"
        '  grader run --solver "python3 checkers.py {input} {output}"\n'
        "  grader class submissions/ -o html:report.html\n",
    )
    parser.add_argument("--version", action="version", version=f"checkmark {__version__}")
    return parser
