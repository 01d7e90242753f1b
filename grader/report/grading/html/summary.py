"""The head of the page: what it all adds up to, and the filter."""

from __future__ import annotations

from grader.records import Record
from grader.report.grading.html.cards import kind
from grader.report.grading.html.markup import escaped
from grader.report.grading.totals import Totals, by_group, puzzles_of, total, verdicts_among
from grader.report.grading.wording import number, percent

LEGEND = (
    "An outlined square has changed since the board before; a corner marks a square of the given "
    "board that is not as expected."
)


def summary(records: tuple[Record, ...], submissions: list[str]) -> str:
    sums = total("", records)
    facts = {
        "submissions": str(len(submissions)),
        "puzzles": str(len(puzzles_of(records))),
        "accepted": f"{sums.accepted} of {sums.graded}",
        "marks": f"{number(sums.score)} of {number(sums.max_score)}",
        "share": percent(sums.score, sums.max_score),
        "CPU": f"{sums.cpu_s:.2f} s",
    }
    tiles = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    groups = _groups(by_group(records))
    return f'<section><h2>Summary</h2><dl class="tiles">{tiles}</dl>{groups}</section>'


def _groups(groups: list[Totals]) -> str:
    if len(groups) < 2:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{escaped(sums.name or "-")}</th>'
        f"<td>{sums.accepted} of {sums.graded}</td>"
        f"<td>{number(sums.score)} of {number(sums.max_score)}</td>"
        f"<td>{percent(sums.score, sums.max_score)}</td><td>{sums.cpu_s:.2f}</td></tr>"
        for sums in groups
    )
    heads = "".join(
        f'<th scope="col">{name}</th>' for name in ("group", "accepted", "marks", "share", "CPU s")
    )
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Groups"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def filters(records: tuple[Record, ...], sections: dict[str, str]) -> str:
    """Hidden until the script shows it: without a script there is nothing to press."""
    counts = total("", records).verdicts
    buttons = "".join(
        f'<button type="button" class="{kind(verdict)}" data-verdict="{verdict.value}" '
        f'aria-pressed="false">{verdict.value} {counts[verdict]}</button>'
        for verdict in verdicts_among(records)
    )
    return (
        '<form id="filter" aria-label="Filter" hidden><div class="buttons">'
        f"{buttons}</div>{_chooser(sections)}"
        '<p id="shown" role="status"></p></form>'
        f'<p class="legend">{LEGEND}</p>'
    )


def _chooser(sections: dict[str, str]) -> str:
    if len(sections) < 2:
        return ""
    options = "".join(
        f'<option value="{anchor}">{escaped(name)}</option>' for name, anchor in sections.items()
    )
    return f'<label>Submission <select><option value="">all</option>{options}</select></label>'
