"""How a program ends that is stopped: by Ctrl-C, SIGTERM (`kill`, `timeout`) or SIGHUP (the
terminal is gone).  The entry points load this first, so it loads nothing slow."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable

    Handler = Callable[..., object] | int
else:
    import _signal as signal  # `signal` itself would load `enum`

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
CTRL_C, *OTHERS = [int(getattr(signal, name)) for name in NAMES if hasattr(signal, name)]
received = [CTRL_C]


def exit_code() -> int:
    """Of a program that was stopped, as a shell shows it: 130 after Ctrl-C."""
    # 'python -m' ends by SIGINT after Ctrl-C in a text that is executed, caught or not, unless a
    # later text ends well.
    exec("")
    return 128 + received[-1]


def run_program(package: str) -> int:
    """Run the command line of a package; the result is its exit code.  A command cleans up when it
    is stopped; before and after there is nothing to clean up, and a traceback helps nobody."""
    _handle(signal.SIG_DFL, signal.SIG_DFL)
    cli = __import__(f"{package}.cli", fromlist=["entry"])
    try:
        _handle(signal.default_int_handler, _do_as_ctrl_c)
        code: int = cli.entry()
        return code
    except KeyboardInterrupt:  # one more while it was cleaning up
        return exit_code()
    finally:
        _handle(signal.SIG_DFL, signal.SIG_DFL)


def _handle(ctrl_c: Handler, others: Handler) -> None:
    for number in (CTRL_C, *OTHERS):
        if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(number, ctrl_c if number == CTRL_C else others)


def _do_as_ctrl_c(number: int, _: object) -> None:
    """By the handler of that moment, which may be asyncio's, and later where that is blocked."""
    received.append(number)
    handler = signal.getsignal(CTRL_C)
    if handler == signal.SIG_IGN:
        raise KeyboardInterrupt
    if handler == signal.SIG_DFL:  # all is done already
        signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number if handler == signal.SIG_DFL else CTRL_C)
