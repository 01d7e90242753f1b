"""Exports for other systems hold to their formats, and the checks of that can fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grading_examples import ALL, HOSTILE_ONE, ONE
from jsonschema import Draft202012Validator, ValidationError

from grader.records import Feedback, Record, Report
from grader.report.grading import FORMATS, render
from grader.verdicts import Verdict

SCHEMAS = Path(__file__).parent / "schemas"


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def objects(name: str, report: Report) -> list[Any]:
    """What has to fit the schema: the whole text, or each of its lines."""
    text = render(name, report)
    return [json.loads(line) for line in text.splitlines()] if name in LINES else [json.loads(text)]


LINES = {"jsonl": "record"}
FORMS = {"gradescope": "gradescope", **LINES}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_exports_fit_their_schemas(name: str, feedback: Feedback, report: Report) -> None:
    check = validator(FORMS[name])
    for found in objects(name, replace(report, feedback=feedback)):
        check.validate(found)


def changed(path: str, value: object) -> Callable[[Any], None]:
    def change(found: Any) -> None:
        *steps, last = path.split(".")
        for step in steps:
            found = found[0] if step == "0" else found[step]
        found[last] = value

    return change


def without(key: str) -> Callable[[Any], None]:
    return lambda found: found.pop(key)


BROKEN: list[tuple[str, Callable[[Any], None]]] = [
    ("gradescope", changed("tests.0.status", "ok")),
    ("gradescope", changed("tests.0.visibility", "secret")),
    ("gradescope", changed("tests.0.points", 1)),
    ("gradescope", changed("execution_time", "1 s")),
    ("gradescope", changed("output_format", "latex")),
    ("gradescope", without("tests")),
    ("jsonl", changed("verdict", "AC")),
    ("jsonl", changed("limits", {})),
    ("jsonl", changed("score", None)),
    ("jsonl", without("sandbox")),
]


@pytest.mark.parametrize(("name", "change"), BROKEN)
def test_the_schemas_refuse_what_is_wrong(name: str, change: Callable[[Any], None]) -> None:
    found = objects(name, ONE)[0]
    validator(FORMS[name]).validate(found)
    change(found)
    with pytest.raises(ValidationError):
        validator(FORMS[name]).validate(found)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_every_export_can_be_written_as_utf8(name: str, report: Report) -> None:
    render(name, report).encode()


def test_records_come_back_from_jsonl_as_they_were() -> None:
    report = Report((*ONE.records, *HOSTILE_ONE.records))
    lines = render("jsonl", report).splitlines()
    assert tuple(Record.from_dict(json.loads(line)) for line in lines) == report.records


def test_gradescope_knows_passed_failed_and_neither() -> None:
    results = json.loads(render("gradescope", ONE))
    tests = {test["extra_data"]["verdict"]: test.get("status") for test in results["tests"]}
    assert tests == {
        verdict.value: None
        if verdict is Verdict.JUDGE_ERROR
        else ("passed" if verdict.accepted else "failed")
        for verdict in Verdict
    }
    assert sum(test["score"] for test in results["tests"]) == 8
    assert results["stdout_visibility"] == "hidden"
