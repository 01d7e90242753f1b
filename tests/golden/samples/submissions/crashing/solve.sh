#!/bin/sh
echo 'cannot think' >&2
exit 1
