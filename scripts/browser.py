"""Drives Debian's Chromium over a pipe, with nothing but the standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = "/usr/bin/chromium"
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--disable-dev-shm-usage --hide-scrollbars --remote-debugging-pipe""".split()


def install():
    """Installs Chromium where it is missing."""
    if os.path.exists(CHROMIUM):
        return
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    subprocess.run([*apt, "update"], check=True)
    subprocess.run([*apt, "install", "-y", "--no-install-recommends", "chromium"], check=True)


class Browser:
    """One page in a browser of its own, whose profile goes away with it."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="kifu-browser-")
        down, self.to = os.pipe()
        self.source, up = os.pipe()
        # The browser reads file descriptor 3 and writes 4.
        def ends():
            high = (os.dup(down), os.dup(up))
            os.dup2(os.dup(high[0]), 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=ends,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self.rest = b""
        self.count = 0
        self.events = []
        self.session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.send("Browser.close")
            self.process.wait(20)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        """The next message of the browser."""
        while b"\0" not in self.rest:
            read = os.read(self.source, 1 << 16)
            if not read:
                raise EOFError("the browser has gone")
            self.rest += read
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **parameters):
        """Calls a method, and keeps the events that come before its answer."""
        self.count += 1
        call = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        left = json.dumps(call).encode() + b"\0"
        while left:
            left = left[os.write(self.to, left) :]
        while True:
            answer = self.message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        """The value of a script in the page."""
        result = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path):
        """Opens a file; seconds until it is drawn, as the browser sees them."""
        began = time.monotonic()
        self.events.clear()
        self.send("Page.navigate", url=f"file://{path}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
        return time.monotonic() - began

    def size(self, width, height, mobile=False):
        """Sets the size of the window."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def colours(self, scheme):
        """Light or dark."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def press(self, key):
        """Presses a key, such as Enter, ArrowDown, Tab."""
        text = {"Enter": "\r", " ": " "}.get(key)
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "End": 35, "Home": 36}
        event = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def shoot(self, path, whole=False):
        """A picture of the window, or of the whole page."""
        picture = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as out:
            out.write(base64.b64decode(picture["data"]))

    def paper(self, path):
        """The page as PDF."""
        printed = self.send("Page.printToPDF", printBackground=True)
        with open(path, "wb") as out:
            out.write(base64.b64decode(printed["data"]))

    def complaints(self):
        """What went wrong in the page, and what it wanted from a network."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(json.dumps(parameters)[:500])
            elif method == "Runtime.consoleAPICalled":
                found.append(f"console: {json.dumps(parameters.get('args'))[:300]}")
            elif method == "Page.javascriptDialogOpening":
                found.append(f"a dialog: {parameters.get('message')}")
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file://", "data:")):
                    found.append(f"a request: {url}")
        return found
