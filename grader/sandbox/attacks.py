"""The attacks that `grader doctor` tries: small programs, each for one thing a box must hold.

An attack ends with the code `SUCCEEDED` if it got what it wanted, with 0 if it was stopped, and
otherwise in the way that a limit should end it.
"""

from __future__ import annotations

SUCCEEDED = 66

PRELUDE = """
import json, os, signal, socket, sys, time
where = json.load(open("where.json"))

def succeeded_if(got):
    sys.exit(66 if got else 0)
"""

READS_EXPECTED = """
try:
    succeeded_if(open(where["secret"]).read())
except OSError:
    pass
"""

READS_HOME = """
try:
    succeeded_if(set(os.listdir(where["home"])) >= set(where["home_names"]))
except OSError:
    pass
"""

READS_ENVIRONMENT = """
seen = b""
try:
    names = os.listdir("/proc")
except OSError:
    names = [str(where["victim"])]
for name in names:
    try:
        seen += open(f"/proc/{name}/environ", "rb").read()
    except OSError:
        pass
succeeded_if(where["token"].encode() in seen)
"""

WRITES_OUTSIDE = """
try:
    open(where["open_folder"] + "/written", "w").close()
except OSError:
    pass
"""

CHANGES_MODES = """
try:
    os.chmod(where["secret"], 0o666)
except OSError:
    pass
"""

USES_TCP = """
try:
    socket.create_connection(("127.0.0.1", where["tcp"]), timeout=5)
except OSError:
    sys.exit(0)
succeeded_if(True)
"""

USES_UDP = """
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", where["udp"]))
except OSError:
    pass
"""

USES_LOCAL_SOCKETS = """
try:
    socket.socket(socket.AF_UNIX).connect("\\0" + where["abstract"])
except OSError:
    sys.exit(0)
succeeded_if(True)
"""

SENDS_SIGNALS = """
try:
    os.kill(where["victim"], signal.SIGKILL)
except OSError:
    pass
"""

SEES_PROCESSES = """
try:
    succeeded_if(open(f"/proc/{where['victim']}/cmdline").read())
except OSError:
    pass
"""

TRACES_PROCESSES = """
import ctypes
trace = ctypes.CDLL(None).ptrace
trace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
SEIZE = 0x4206  # in contrast to an attachment this does not stop anybody
succeeded_if(any(trace(SEIZE, each, None, None) == 0 for each in (where["victim"], 1)))
"""

KEEPS_RIGHTS = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
rights = int(status["CapEff"], 16) | int(status["CapPrm"], 16)
succeeded_if(rights or not int(status["NoNewPrivs"]) or os.getuid() == 0)
"""

FINDS_OPEN_FILES = """
own = os.open(".", os.O_RDONLY)
succeeded_if(set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2, own, own + 1})
"""

LEAVES_A_DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(120)
    os._exit(0)
os.wait()
"""

CLOSES_THE_OUTPUT = """
open(sys.argv[2], "w").write("answer")
os.chmod(sys.argv[2], 0)
os.chmod(os.path.dirname(sys.argv[2]), 0)
"""

LINKS_THE_OUTPUT = """
os.symlink(where["secret"], sys.argv[2])
"""

PIPES_THE_OUTPUT = """
os.mkfifo(sys.argv[2])
"""

DELETES_ITSELF = """
import shutil
shutil.rmtree(os.getcwd(), ignore_errors=True)
"""

LEAVES_A_NOTE = """
note = os.environ["TMPDIR"] + "/note"
found = os.path.exists(note) or os.path.exists("/dev/shm/" + where["token"])
for path in (note, "/dev/shm/" + where["token"]):
    try:
        open(path, "w").close()
    except OSError:
        pass
succeeded_if(found)
"""

LEAVES_A_NOTE_IN_THE_KERNEL = """
import ctypes
libc = ctypes.CDLL(None)
key = int(where["token"][-7:], 16)
makers = (lambda flags: libc.shmget(key, 4096, flags), lambda flags: libc.msgget(key, flags))
found = any(make(0) >= 0 for make in makers)
for make in makers:
    note = make(0o1666)
    if found:
        (libc.shmctl if make is makers[0] else libc.msgctl)(note, 0, None)
succeeded_if(found)
"""
