"""JSON for programs: everything there is.  Only what is called `cpu_s`, `seconds`, `time` or
`warnings` differs from run to run."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from grader.compare.results import Report
from grader.stats.shares import Share
from solver import __version__

SCHEMA = 1


def render(report: Report) -> str:
    plain = {"schema": SCHEMA, "version": __version__, **_plain(report)}
    return json.dumps(plain, indent=1) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Share):
        return {"kept": value.kept, "of": value.of, "low": value.low, "high": value.high}
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return None  # an interval that is open at this end
    return value
