"""Compiles the modules named on the command line with mypyc, into the folder `built`.

They become one library, in which calls from module to module are plain C calls.
"""

import sys

from mypyc.build import mypycify
from setuptools import setup

setup(
    name="checkmark",
    ext_modules=mypycify(
        sys.argv[1:],
        opt_level="3",
        debug_level="0",  # a third smaller, and free of the names of temporary folders
        group_name="checkmark",
    ),
    script_args=["build_ext", "--build-lib", "built", "--build-temp", "objects"],
)
