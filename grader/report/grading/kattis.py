"""The end of a Kattis or DOMjudge output validator: its exit code and its feedback files."""

from __future__ import annotations

from dataclasses import dataclass

from grader.feedback import in_words
from grader.judgement import Judgement
from grader.records import Feedback
from grader.report.grading.wording import printable
from grader.verdicts import Verdict

ACCEPT = 42
REJECT = 43
JUDGE_ERROR = 1  # anything but the two above, 0 included, says that the judge has failed


@dataclass(frozen=True)
class Validation:
    exit_code: int
    judgemessage: str
    teammessage: str
    score_multiplier: str = ""  # none where a problem knows only right and wrong

    def files(self) -> dict[str, str]:
        """What to leave in the feedback folder."""
        texts = {
            "judgemessage.txt": self.judgemessage,
            "teammessage.txt": self.teammessage,
            "score_multiplier.txt": self.score_multiplier,
        }
        return {name: text for name, text in texts.items() if text}


def validation(
    judgement: Judgement, share: float, scoring: bool = False, feedback: Feedback = Feedback.OWN
) -> Validation:
    """`share` is the part of the marks that the answer earns.  Where a problem is `scoring`, an
    answer that earns anything is accepted, times its share."""
    everything = printable(in_words(judgement, Feedback.FULL)) + "\n"
    team = printable(in_words(judgement, feedback)) + "\n"
    if judgement.verdict is Verdict.JUDGE_ERROR:
        return Validation(JUDGE_ERROR, everything, team)
    if not scoring:
        return Validation(ACCEPT if judgement.verdict.accepted else REJECT, everything, team)
    if share <= 0:
        return Validation(REJECT, everything, team)
    return Validation(ACCEPT, everything, team, f"{share:.6g}\n")
