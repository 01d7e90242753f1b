"""More attacks that `grader doctor` tries, in the same form: each takes more than it may."""

from __future__ import annotations

FORKS = """
count = 0
try:
    while count < 300:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        count += 1
except OSError:
    pass
if count <= where["processes"]:
    sys.exit(0)
time.sleep(2)  # time enough to be noticed
succeeded_if(True)
"""

TAKES_MEMORY = """
taken = []
while len(taken) < 64:
    taken.append(bytearray(b"x") * (16 << 20))
succeeded_if(True)
"""

TAKES_MEMORY_TOGETHER = """
for _ in range(4):
    if os.fork() == 0:
        taken = bytearray(b"x") * (where["memory_mb"] * 2 // 3 << 20)
        time.sleep(5)
        os._exit(0)
for _ in range(4):
    os.wait()
succeeded_if(True)
"""

TAKES_SHARED_MEMORY = """
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
size = 16 << 20
segments = []
while len(segments) * size < 2 * where["memory_mb"] << 20:
    segment = libc.shmget(0, size, 0o1600)
    if segment < 0:
        break
    segments.append(segment)
    address = ctypes.c_void_p(libc.shmat(segment, None, 0))
    libc.memset(address, 1, ctypes.c_size_t(size))
    libc.shmdt(address)
files = []
try:
    while len(files) < 100:
        files.append(os.memfd_create("memory"))
        os.write(files[-1], b"x" * where["output_bytes"])
except OSError:
    pass
if segments or len(files) == 100:
    time.sleep(0.3)  # time enough to be noticed
for segment in segments:
    libc.shmctl(segment, 0, None)
succeeded_if(segments or len(files) == 100)
"""

TAKES_TIME = """
while time.process_time() < 5:
    pass
succeeded_if(True)
"""

TAKES_TIME_TOGETHER = """
for _ in range(2):
    if os.fork() == 0:
        while time.process_time() < 5:
            pass
        os._exit(0)
os.wait(), os.wait()
succeeded_if(True)
"""

SLEEPS = """
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(20)
succeeded_if(True)
"""

FLOODS_STDOUT = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    while os.fstat(1).st_size < 3 * where["output_bytes"]:
        os.write(1, b"x" * 10000)
except OSError:
    sys.exit(0)
succeeded_if(True)
"""

FLOODS_OUTPUT = """
with open(sys.argv[2], "wb") as file:
    while file.tell() < 3 * where["output_bytes"]:
        file.write(b"x" * 10000)
        file.flush()
succeeded_if(True)
"""

FILLS_THE_DISK = """
try:
    for number in range(2000):
        open(f"{os.environ['TMPDIR']}/{number}", "wb").write(b"x" * where["output_bytes"])
        time.sleep(0.0005)
except OSError:
    sys.exit(0)
succeeded_if(True)
"""

FILLS_FOLDERS = """
folder = os.path.dirname(sys.argv[2])
for number in range(2000):
    if number % 50 == 0:
        folder += "/deeper"
        os.mkdir(folder)
    open(f"{folder}/{number}", "wb").write(b"x" * where["output_bytes"])
    time.sleep(0.0005)
succeeded_if(True)
"""

HIDES_FILES = """
folder = os.path.dirname(sys.argv[2])
for number in range(12):
    if os.fork() == 0:
        held = []
        for number in range(100):
            held.append(open(f"{folder}/{os.getpid()}", "wb", buffering=0))
            os.unlink(held[-1].name)
            held[-1].write(b"x" * where["output_bytes"])
        time.sleep(5)
        os._exit(0)
for number in range(12):
    os.wait()
succeeded_if(True)
"""
