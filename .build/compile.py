"""Compiles the modules named on the command line with mypyc, into the folder `built`.

They become one library, in which calls from module to module are plain C calls.
"""

import sys
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

libraries = mypycify(
    sys.argv[1:],
    opt_level="3",
    debug_level="0",  # a third smaller, and free of the names of temporary folders
    group_name="checkmark",
)
header = str(Path(__file__).with_name("no_trashcan.h"))
if sys.platform == "win32":
    options = [f"/FI{header}"]
else:
    # Nothing outside calls or replaces what is in the library: so functions within it are called
    # directly, or inlined where they are small.
    options = ["-include", header, "-fvisibility=hidden", "-fno-plt"]
for library in libraries:  # which share one list
    library.extra_compile_args = [*library.extra_compile_args, *options]

setup(
    name="checkmark",
    ext_modules=libraries,
    script_args=["build_ext", "--build-lib", "built", "--build-temp", "objects"],
)
