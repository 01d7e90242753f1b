"""Records of every kind to export: each verdict, both games, hostile and odd text, a class."""

from __future__ import annotations

from dataclasses import replace

from grader.grading.records import (
    Diagnosis,
    Feedback,
    FoundBug,
    Record,
    Report,
    Student,
    Verdict,
    Visibility,
)
from grader.report import GRADING_FORMATS, render_grading
from grader.sandbox.job import RunLimits

EVERY_FORM = (
    *(form for form in GRADING_FORMATS if form not in ("canvas", "moodle")),  # need a worksheet
    *("records.csv", "gradescope/"),
)

INPUT = """\
...b....
........
.....b..
........
...b....
..r.....
.......r
....R...
"""
EXPECTED = """\
...b....
........
.......r
........
........
........
.......r
....R...
"""
GIVEN = """\
...b....
........
.....b..
........
...b....
..r...r.
........
....R...
"""
PAWNS = "........\nb.......\n........\n...b....\n...w....\n........\nw.......\n........\nwhite\n"
PAWNS_BEST = (
    "........\nb.......\n........\n...b....\n...w....\nw.......\n........\n........\nblack\n"
)
PAWNS_GIVEN = (
    "........\nb.......\n........\n...b....\nw..w....\n........\n........\n........\nblack\n"
)
BEST = "c3xe5xg7"  # occurs nowhere else in the examples
COMPARISON = "win in 17 instead of 5"
DIFF = " input     expected  given\n  the boards with the expected one: SECRET-DIFF"
OWN_DIFF = " input     given\n  two boards: OWN-DIFF"
STAFF = "Traceback: STAFF-ONLY on host grader-7"

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "]]> &amp; <!-- --> </failure>",
    "| pipe | `code` **bold** [link](http://x.example)",
    "```\n# heading\n| a | b |",
    '=HYPERLINK("http://x.example")',
    "+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J",
    "\x00\x08\x0b\x0c\ufffe\uffff",
    "lone \ud800 surrogate",
    "\u202egnp.exe",
    "line one\r\nline two\rline three\u2028four",
    "naïve 棋盤 ♛ 🏁 é",
    "x" * 5000,
    "",
)

REASONS = {
    Verdict.EXACT: "this is the best move",
    Verdict.EQUAL: "another move of the same value",
    Verdict.SLOWER: "wins, but not as soon as it could",
    Verdict.WORSE: "lets the win go",
    Verdict.ILLEGAL: "a jump was available and h2g3 is none",
    Verdict.MALFORMED: "line 3, column 8: 7 characters, a row has 8",
    Verdict.MISSING: "there is no output file",
    Verdict.TIMEOUT: "CPU 10.02 s > limit 10 s",
    Verdict.MEMORY: "more than 1024 MB",
    Verdict.OUTPUT_LIMIT: "more than 1000000 bytes",
    Verdict.CRASH: "killed by SIGSEGV",
    Verdict.JUDGE_ERROR: "This puzzle could not be judged. That is not the fault of your program.",
}
MARKS = {Verdict.EXACT: 2.0, Verdict.EQUAL: 2.0, Verdict.SLOWER: 1.0}
BOARDLESS = {
    Verdict.MISSING,
    Verdict.TIMEOUT,
    Verdict.MEMORY,
    Verdict.OUTPUT_LIMIT,
    Verdict.CRASH,
    Verdict.JUDGE_ERROR,
}


def example(verdict: Verdict, submission: str = "ada", puzzle: str = "") -> Record:
    """A checkers record as full as its verdict allows."""
    exact = verdict is Verdict.EXACT
    given = "" if verdict in BOARDLESS else EXPECTED if exact else GIVEN
    return Record(
        submission=submission,
        puzzle=puzzle or f"checkers/{verdict.value}",
        game="checkers",
        group="checkers",
        mode="move",
        verdict=verdict,
        score=MARKS.get(verdict, 0.0),
        max_score=2.0,
        reason=REASONS[verdict],
        cause="jumps are not compulsory in this program" if verdict is Verdict.ILLEGAL else "",
        comparison="" if verdict.accepted or not given else COMPARISON,
        staff=STAFF,
        move=(BEST if exact else "h2g3") if given else "",
        best=(BEST, "e1f2"),
        input_board=INPUT,
        expected_board=EXPECTED,
        given_board=given if verdict is not Verdict.MALFORMED else GIVEN.replace("....b..", "b.."),
        diff=DIFF if given and not exact else "",
        own_diff=OWN_DIFF if given and not exact else "",
        cpu_s=10.02 if verdict is Verdict.TIMEOUT else 0.25,
        wall_s=0.5,
        max_rss_kb=20480,
        nodes_reported=1234567 if given else None,
        exit_code=None if verdict is Verdict.CRASH else 0,
        signal="SIGSEGV" if verdict is Verdict.CRASH else "",
        sandbox="bubblewrap",
        accounting="cgroup v2",
        limits=RunLimits(),
        worker="host:1",
        submission_sha256="a" * 64,
        input_sha256="b" * 64,
        expected_sha256="c" * 64,
        version="1.0",
        started_at="2026-01-02T03:04:05Z",
    )


def two_flags(verdict: Verdict = Verdict.WORSE, submission: str = "ada") -> Record:
    return replace(
        example(verdict, submission, f"twoflags/{verdict.value}"),
        game="twoflags",
        group="twoflags",
        move="a2a4",
        best=(BEST,),
        input_board=PAWNS,
        expected_board=PAWNS_BEST,
        given_board=PAWNS_BEST if verdict is Verdict.EXACT else PAWNS_GIVEN,
    )


def line(submission: str = "ada") -> Record:
    """An answer of several boards."""
    boards = "\n".join([INPUT, GIVEN, GIVEN.replace("r.", ".r")])
    return replace(
        example(Verdict.SLOWER, submission, "checkers/line"),
        mode="line",
        given_board=boards,
        expected_board="\n".join([INPUT, EXPECTED]),
    )


def hostile(place: int, submission: str = "ada") -> Record:
    """Hostile text wherever a submission or a file name can put it."""
    text = HOSTILE[place]
    return replace(
        example(Verdict.MALFORMED, submission, f"hostile/{place} {text}"),
        group=text,
        reason=text,
        cause=text,
        move=text,
        given_board=text,
        signal=text,
        worker=text,
    )


ONE = Report(
    (*(example(verdict) for verdict in Verdict), two_flags(), two_flags(Verdict.EXACT), line())
)
HOSTILE_ONE = Report(
    tuple(hostile(place) for place in range(len(HOSTILE))), title="<b>`=title`|\x1b[31m"
)
HIDDEN = Report(
    (
        example(Verdict.ILLEGAL),
        replace(
            example(Verdict.ILLEGAL, puzzle="SECRET-PUZZLE"),
            group="SECRET-GROUP",
            reason="SECRET-REASON",
            visibility=Visibility.HIDDEN,
        ),
    )
)
NOTHING = Report(())


def klass(submissions: int, puzzles: int, feedback: Feedback = Feedback.FULL) -> Report:
    """A class in which most answers are right."""
    verdicts = list(Verdict)
    records = []
    for who in range(submissions):
        for what in range(puzzles):
            luck = (who * 31 + what * 17) % 40
            verdict = verdicts[luck] if luck < len(verdicts) else Verdict.EXACT
            name = f"checkers/puzzle-{what:02}"
            records.append(example(verdict, f"student-{who:03}", name))
    return Report(tuple(records), feedback, "A class")


CLASS = replace(
    klass(5, 8),
    records=(
        *klass(5, 8).records,
        *(replace(one, submission=HOSTILE[1]) for one in klass(1, 3).records),
        replace(example(Verdict.ILLEGAL, "student-001", "probe-1"), group="probe", max_score=0.0),
    ),
    students={"student-001": Student("Ada Lovelace", "007", late=True)},
    diagnoses={
        "student-001": Diagnosis(
            (FoundBug("kings never move backward", True, 3, 4, 1, "probe-1"),)
        ),
        "student-002": Diagnosis((), ("checkers/puzzle-02",)),
    },
)
ALL = {"one": ONE, "hostile": HOSTILE_ONE, "hidden": HIDDEN, "class": CLASS, "nothing": NOTHING}


def render(form: str, report: Report) -> str:
    """A grading in one of `EVERY_FORM`; the files of a folder follow each other."""
    name = form.removesuffix("/").removesuffix(".csv")
    content = render_grading(name, report, form if form != name else "-")
    return content if isinstance(content, str) else "\n".join(map("\n".join, content.items()))
