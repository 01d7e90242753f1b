"""JUnit XML that strict readers accept."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

import pytest
from grading_examples import ALL, CLASS, HOSTILE_ONE, ONE

from grader.records import Feedback, Report
from grader.report.grading import render

COUNTS = {"tests", "failures", "errors", "skipped"}
# By element: attributes that must be there, those that may, and its children.
XUNIT2: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), COUNTS | {"name", "time"}, {"testsuite"}),
    "testsuite": (
        COUNTS | {"name"},
        {"time", "timestamp", "hostname", "id", "package"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": (
        {"name", "classname"},
        {"time"},
        {"failure", "error", "skipped", "system-out", "system-err"},
    ),
    "failure": ({"type"}, {"message"}, set()),
    "error": ({"type"}, {"message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
}


def faults(element: Element) -> list[str]:
    """What xunit2 does not allow in an element and below."""
    required, optional, children = XUNIT2[element.tag]
    here = element.tag
    found = [f"{here} lacks {name}" for name in required - set(element.attrib)]
    found += [f"{here} has {name}" for name in set(element.attrib) - required - optional]
    found += [f"{child.tag} in {here}" for child in element if child.tag not in children]
    if here == "testcase" and len(element) > 1:
        found.append("two results of one case")
    if here == "testsuite":
        cases = element.findall("testcase")
        for kind in ("failure", "error", "skipped"):
            name = kind if kind == "skipped" else f"{kind}s"
            if int(element.attrib.get(name, -1)) != sum(
                case.find(kind) is not None for case in cases
            ):
                found.append(f"{name} are counted wrongly")
        if int(element.attrib.get("tests", -1)) != len(cases):
            found.append("tests are counted wrongly")
    return found + [fault for child in element if child.tag in XUNIT2 for fault in faults(child)]


@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_the_xml_is_xunit2(report: Report, feedback: Feedback) -> None:
    assert faults(fromstring(render("junit", replace(report, feedback=feedback)))) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="TLE"', 'kind="TLE"'),
        ("<failure", "<failed"),
        ('skipped="0"', 'skipped="1"'),
        ('failures="11"', 'failures="10"'),
        (' classname="ada"', ""),
        ("<properties>", '<properties of="x">'),
    ],
)
def test_the_check_refuses_what_is_wrong(old: str, new: str) -> None:
    text = render("junit", ONE)
    assert old in text
    broken = text.replace(old, new).replace(
        "</failure>", "</failed>" if "failed" in new else "</failure>"
    )
    assert faults(fromstring(broken))


def test_verdicts_become_failures_errors_and_skips() -> None:
    root = fromstring(render("junit", ONE))
    (late,) = root.findall(".//testcase[@name='checkers/timeout']/failure")
    assert late.attrib == {"type": "TLE", "message": "timeout: CPU 10.02 s > limit 10 s"}
    assert root.find(".//testcase[@name='checkers/judge-error']/error[@type='JE']") is not None
    assert len(root.findall(".//testcase[@name='checkers/equal']/*")) == 0
    assert len(fromstring(render("junit", CLASS)).findall(".//skipped")) == 5


def test_forbidden_characters_are_spelt_out() -> None:
    text = render("junit", HOSTILE_ONE)
    assert "\\x1b[31mred" in text
    assert "\\x00\\x08\\x0b\\x0c\\ufffe\\uffff" in text
    assert "naïve 棋盤 ♛ 🏁 é" in text
    assert fromstring(text).attrib["name"] == "<b>`=title`|\\x1b[31m"
