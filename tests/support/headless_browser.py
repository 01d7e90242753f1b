"""A real Chromium without a window, spoken to over a pair of pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD_CLOEXEC, fcntl
from pathlib import Path
from select import select
from time import monotonic, sleep
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless",
    "--no-sandbox",  # it runs as root in many places, and shows nothing but our own pages
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
PATIENCE = 120.0  # seconds, after which something is wrong and not only slow
ARROWS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}


class Channel:
    """The pair of pipes, and which page a message belongs to."""

    def __init__(self, send: int, receive: int) -> None:
        self._send = send
        self._receive = receive
        self._read = b""
        self._last = 0
        self.pages: dict[str, Page] = {}

    def call(self, session: str, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def hear(self) -> dict[str, Any]:
        """The next message; the page that it is about has noted it."""
        while b"\0" not in self._read:
            assert select([self._receive], [], [], PATIENCE)[0], "the browser says nothing"
            received = os.read(self._receive, 1 << 16)
            assert received, "the browser has gone"
            self._read += received
        line, _, self._read = self._read.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        page = self.pages.get(message.get("sessionId", ""))
        if page is not None and "method" in message:
            page.note(message["method"], message["params"])
        return message


class Page:
    """A page and all that it asked the network for."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._loads = 0
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._target = channel.call("", "Target.createTarget", url="about:blank")["targetId"]
        attached = channel.call("", "Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        channel.pages[self._session] = self
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def another(self) -> Page:
        """A second tab of the same browser."""
        return Page(self._channel)

    def close(self) -> None:
        del self._channel.pages[self._session]
        self._channel.call("", "Target.closeTarget", targetId=self._target)

    def note(self, event: str, parameters: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event in ("Log.entryAdded", "Runtime.exceptionThrown"):
            self.complaints.append(json.dumps({"method": event, "params": parameters}))
        elif event == "Page.loadEventFired":
            self._loads += 1

    def open(self, path: Path) -> None:
        self.visit(path.as_uri())

    def visit(self, address: str) -> None:
        """Another address; the same one with another fragment loads nothing."""
        loads = self._loads
        if "loaderId" in self._call("Page.navigate", url=address):
            self._await_load(loads)

    def reload(self) -> None:
        loads = self._loads
        self._call("Page.reload")
        self._await_load(loads)

    def _await_load(self, loads: int) -> None:
        while self._loads == loads:
            self._channel.hear()

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is worth in the page, once it is settled."""
        answer = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str) -> Any:
        """What the expression is worth as soon as that is something."""
        end = monotonic() + PATIENCE
        while not (found := self.value(expression)):
            assert monotonic() < end, f"never true: {expression}"
            sleep(0.02)
        return found

    def click(self, selector: str) -> None:
        """A click with the mouse on the middle of an element, which must be on top there."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"{element} && {element}.checkVisibility() && !{element}.disabled")
        x, y = self.value(
            f"""(() => {{
                const element = {element};
                element.scrollIntoView({{block: "center", behavior: "instant"}});
                const box = element.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"""
        )
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, **at)

    def press(self, key: str) -> None:
        """A key by its name, `Enter` or `ArrowLeft`, or the letter that it types."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = {"Enter": 13, "Tab": 9, " ": 32, **ARROWS}.get(key, ord(key[0].upper()))
        known = {"key": key, "windowsVirtualKeyCode": code}
        self._call("Input.dispatchKeyEvent", type="keyDown", text=text, **known)
        self._call("Input.dispatchKeyEvent", type="keyUp", **known)

    def type(self, text: str) -> None:
        """Text into whatever has the focus."""
        self._call("Input.insertText", text=text)

    def emulate(
        self, scheme: str = "light", media: str = "", scripts: bool = True, motion: str = ""
    ) -> None:
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]
        self._call("Emulation.setEmulatedMedia", media=media, features=features)
        self._call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def resize(self, width: int, height: int) -> None:
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def screenshot(self, whole: bool = False) -> str:
        """A PNG in base64, of what is seen or of the whole page."""
        data: str = self._call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        return data

    def pdf(self) -> str:
        """The page as printed, in base64."""
        data: str = self._call("Page.printToPDF", printBackground=True)["data"]
        return data

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._channel.call(self._session, method, **parameters)


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are out of the way of 3 and 4, which the browser speaks by."""
    ends = os.pipe()
    high = [fcntl(end, F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """A page of a fresh browser, which is gone with all its processes afterwards."""
    assert CHROMIUM
    to_browser, send = _pipe()
    receive, from_browser = _pipe()
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *command],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Page(Channel(send, receive))
    finally:
        os.close(send)  # it ends when nobody speaks to it any more
        os.close(receive)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
