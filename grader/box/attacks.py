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

KEEPS_RIGHTS = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
rights = int(status["CapEff"], 16) | int(status["CapPrm"], 16)
succeeded_if(rights or not int(status["NoNewPrivs"]) or os.getuid() == 0)
"""

FINDS_OPEN_FILES = """
own = os.open(".", os.O_RDONLY)
succeeded_if(set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2, own, own + 1})
"""

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

LEAVES_A_DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(120)
    os._exit(0)
os.wait()
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
