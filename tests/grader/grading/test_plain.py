"""Values and their plain form, whatever is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.grading.records import Record
from grader.sandbox.job import Ending, File, Job, Outcome, RunLimits, as_plain, from_plain

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
files = st.builds(File, texts, st.binary(max_size=20), st.booleans())
jobs = st.builds(
    Job,
    submission=texts,
    files=st.lists(files, max_size=3).map(tuple),
    command=st.lists(texts, max_size=3).map(tuple),
    input_name=texts,
    input=st.binary(max_size=20),
    limits=st.builds(RunLimits, cpu_s=st.floats(0, 1e6), memory_mb=st.integers(0, 1 << 40)),
)
outcomes = st.builds(
    Outcome,
    ending=st.sampled_from(Ending),
    exit_code=st.none() | st.integers(0, 255),
    output=st.none() | st.binary(max_size=20),
    stderr=st.binary(max_size=20),
)


@given(jobs | outcomes)
def test_a_value_comes_back_as_it_was(value: Job | Outcome) -> None:
    assert from_plain(type(value), json.loads(json.dumps(as_plain(value)))) == value


@pytest.mark.parametrize(
    "plain",
    [{}, {"ending": "never"}, {"ending": "exit", "unknown": 1}, {"ending": "exit", "output": 3}],
)
def test_what_is_no_such_value_is_refused(plain: object) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_plain(Outcome, plain)


def test_paths_and_nested_values() -> None:
    assert as_plain((Path("a/b"), RunLimits(cpu_s=2.0)))[0] == "a/b"
    with pytest.raises(TypeError):
        from_plain(Record, {"submission": "x"})
