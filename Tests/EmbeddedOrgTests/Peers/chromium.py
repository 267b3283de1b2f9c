# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by the Chrome DevTools Protocol over a pipe. It ends when this process does."""
import asyncio
import base64
import fcntl
import json
import os
import shutil
import tempfile

FLAGS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--disable-extensions",
    "--disable-sync", "--hide-scrollbars", "--lang=en", "--force-color-profile=srgb", "--window-size=1200,760",
    # The tests run as root in containers.
    "--no-sandbox",
]


class Chromium:
    """One page of a browser with its own directory. Use it with `async with`."""

    async def __aenter__(self):
        self.folder = tempfile.mkdtemp()
        self.number, self.session, self.waiting, self.urls, self.problems = 0, None, {}, [], []
        # Chromium reads commands at descriptor 3 and writes results to 4. These numbers are above both.
        inner, self.commands, self.results, outer = (self.high(end) for end in os.pipe() + os.pipe())
        home = {"HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "TMPDIR": self.folder}
        self.process = await asyncio.create_subprocess_exec(
            "chromium", *FLAGS, f"--user-data-dir={self.folder}/profile", "about:blank", close_fds=False,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, **home}, preexec_fn=lambda: (os.dup2(inner, 3), os.dup2(outer, 4)))
        os.close(inner)
        os.close(outer)
        self.reader = asyncio.create_task(self.read())
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        self.session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log", "DOM"]:
            await self.call(f"{domain}.enable")
        return self

    async def __aexit__(self, *_):
        self.reader.cancel()
        os.close(self.commands)
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except asyncio.TimeoutError:
            self.process.kill()
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            await asyncio.sleep(0.1)

    @staticmethod
    def high(descriptor):
        copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(descriptor)
        return copy

    async def until(self, condition, what="the browser"):
        """Waits at most 30 seconds until a function, possibly async, returns something true."""
        for _ in range(600):
            value = condition()
            value = await value if asyncio.iscoroutine(value) else value
            if value:
                return value
            await asyncio.sleep(0.05)
        raise TimeoutError(what)

    async def read(self):
        stream = asyncio.StreamReader(limit=64 << 20)
        pipe = os.fdopen(self.results, "rb")
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        while True:
            event = json.loads((await stream.readuntil(b"\0"))[:-1])
            if "id" in event:
                self.waiting.pop(event["id"]).set_result(event)
                continue
            values = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                self.urls.append(values["request"]["url"])
            elif event["method"] == "Runtime.exceptionThrown":
                self.problems.append(values["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Log.entryAdded" and values["entry"]["source"] in ("security", "javascript"):
                self.problems.append(values["entry"]["text"])

    async def call(self, method, **values):
        self.number += 1
        self.waiting[self.number] = future = asyncio.get_running_loop().create_future()
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        answer = await asyncio.wait_for(future, 30)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    async def run(self, script):
        """The value of an expression in the page, which may be a promise."""
        answer = await self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    async def wait(self, script):
        """Waits until an expression in the page is true, and returns its value."""
        return await self.until(lambda: self.run(script), script)

    async def open(self, url):
        await self.call("Page.navigate", url=url)
        await self.wait("document.readyState === 'complete'")

    async def press(self, key, control=False):
        """Presses a key as a user does."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        text = {"Enter": "\r", " ": " "}.get(key, "") if not control else ""
        values = dict(key=key, code="Space" if key == " " else key, windowsVirtualKeyCode=code,
                      modifiers=2 if control else 0)
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **values)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    async def type(self, text):
        for letter in text:
            await self.call("Input.dispatchKeyEvent", type="char", text=letter)

    async def focus(self, selector):
        await self.run(f"document.querySelector({json.dumps(selector)}).focus()")

    async def click(self, selector):
        """Clicks in the middle of an element."""
        await self.wait(f"!!document.querySelector({json.dumps(selector)})")
        x, y = await self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ["mousePressed", "mouseReleased"]:
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def colors(self, scheme):
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    async def picture(self, path):
        shot = await self.call("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
