"""Needs something that is not there."""

import sys

import numpi

numpi.save(sys.argv[2], numpi.load(sys.argv[1]))
