"""Runs one untrusted command on one input and leaves nothing of it behind.  `run(job)` is the
only way in; README.md says what each level of isolation promises."""

from grader.sandbox.client import LevelReport as LevelReport
from grader.sandbox.client import Refused as Refused
from grader.sandbox.client import choose_level as choose_level
from grader.sandbox.client import level_report as level_report
from grader.sandbox.client import level_reports as level_reports
from grader.sandbox.client import run as run
from grader.sandbox.client import run_at as run_at
from grader.sandbox.client import stop as stop
from grader.sandbox.job import Ending as Ending
from grader.sandbox.job import File as File
from grader.sandbox.job import Job as Job
from grader.sandbox.job import Level as Level
from grader.sandbox.job import Outcome as Outcome
from grader.sandbox.job import RunLimits as RunLimits
from grader.sandbox.job import Sandbox as Sandbox
from grader.sandbox.view import NotFound as NotFound
from grader.sandbox.view import Program as Program
from grader.sandbox.view import find_program as find_program
