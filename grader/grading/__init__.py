"""From a plan to records: run, judge, keep."""
