# SPDX-License-Identifier: MIT
"""A headless Chromium and one page in it, by the protocol of its developer tools: messages in JSON, each ended by a zero, over
two pipes, so that no port is open and nothing but the standard library is needed."""

import base64
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

MOVE_PIPES = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
SECONDS = 30  # For an answer, or for what a page is to show.


class PageError(Exception):
    """The browser refuses something, or the page does not show what is waited for."""


def high_pipe():
    """A pipe whose descriptors are none of those that others are put in the place of."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Browser:
    """Use it in a with statement."""

    def __init__(self, executable, width=1240, height=600):
        self._size = width, height
        self._executable = executable
        self._number = 0
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def __enter__(self):
        to_read, self._to_browser = high_pipe()
        from_browser, to_write = high_pipe()
        self._answers = os.fdopen(from_browser, "rb")
        self._process = subprocess.Popen(self._command(to_read, to_write), pass_fds=(to_read, to_write),
                                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self.resize(*self._size)
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._answers.close()
        os.close(self._to_browser)
        self._folder.cleanup()

    def _command(self, to_read, to_write):
        """The browser reads from descriptor 3 and writes to descriptor 4."""
        options = ["--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + self._folder.name, "--disable-gpu",
                   "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                   "--hide-scrollbars", "--disable-dev-shm-usage"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium has none for this user.
        return [sys.executable, "-c", MOVE_PIPES, str(to_read), str(to_write), self._executable, *options]

    def _ask(self, method, parameters, session=None):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        deadline = threading.Timer(SECONDS, self._process.kill)  # What is read ends with the process.
        deadline.start()
        try:
            return self._answer_to(method)
        finally:
            deadline.cancel()

    def _answer_to(self, method):
        """Passes over events, and what came too late to be waited for."""
        while True:
            said = json.loads(self._message())
            if said.get("id") != self._number:
                continue
            if "error" in said:
                raise PageError("%s: %s" % (method, said["error"]["message"]))
            return said["result"]

    def _message(self):
        text = bytearray()
        while not text.endswith(b"\0"):
            byte = self._answers.read(1)
            if not byte:
                raise PageError("the browser has ended, or has not answered for %d seconds" % SECONDS)
            text += byte
        return text[:-1].decode()

    def ask(self, method, **parameters):
        """Of the page."""
        return self._ask(method, parameters, self._session)

    def resize(self, width, height):
        """The part of the window that shows the page."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, address):
        self.ask("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href === new URL(%s).href" % json.dumps(address), "the page")

    def value_of(self, expression):
        """What the expression is in the page; a promise is waited for."""
        said = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            raise PageError("%s: %s" % (expression, said["exceptionDetails"].get("exception", {}).get("description")))
        return said["result"].get("value")

    def wait(self, expression, what):
        """Until the expression is true; returns its value."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            value = self.value_of(expression)
            if value:
                return value
            time.sleep(0.05)
        raise PageError("%s is not shown; the page has:\n%s" % (what, self.value_of("document.body.innerText")))

    def type(self, text):
        """Into what has the focus, in place of what is selected, as keys would."""
        self.ask("Input.insertText", text=text)
        for kind in ("rawKeyDown", "char", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r" if kind == "char" else "",
                     windowsVirtualKeyCode=13)

    def picture(self, path):
        """Writes what the page looks like as a PNG file."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
