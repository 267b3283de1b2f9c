# SPDX-License-Identifier: Apache-2.0
"""Uses the console of an embedded org in Chromium, and prints what it saw as one JSON object.

Usage: console_check.py URL, with TOKEN in the environment. The URL opens the console once.
"""
import asyncio
import csv
import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from chromium import Chromium

URL = sys.argv[1]
ORG = URL.split("/console")[0]
DATA = "/services/data/v66.0"
EVIL = "<img src=x onerror=window.hacked=1>"


def call(method, path, body=None, headers=()):
    request = urllib.request.Request(
        ORG + path, json.dumps(body).encode() if body else None, method=method,
        headers={"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json", **dict(headers)})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


async def requests(page, seen):
    call("POST", f"{DATA}/sobjects/Account", {"Name": EVIL, "Phone": "1, \"2\"\n'3'"}, {"X-Note": EVIL + "$(id)`id`'\\"})
    call("GET", f"{DATA}/sobjects/Nothing?" + urllib.parse.urlencode({"a": EVIL}))
    await page.wait("document.querySelectorAll('#request-list li').length === 2")
    seen["rows"] = await page.run("[...document.querySelectorAll('#request-list summary')].map((row) => row.innerText)")
    await page.focus("#request-list li:last-child summary")
    await page.press("Enter")
    seen["details"] = await page.wait("document.querySelector('#request-list details[open] .details')?.innerText")
    await page.focus("details[open] .details button")
    await page.press("Enter")
    await page.wait("document.getElementById('status').textContent.startsWith('Copied')")
    # The command that was copied does the same again.
    command = await page.run("navigator.clipboard.readText()")
    seen["hasToken"] = os.environ["TOKEN"] in command
    seen["curl"] = subprocess.run(
        ["sh", "-c", command], env={**os.environ, "SF_ACCESS_TOKEN": os.environ["TOKEN"]}, capture_output=True,
        text=True, timeout=60, check=False).stdout.split("\n")[0]
    await page.wait("document.querySelectorAll('#request-list li').length === 3")
    for words in ["post 2xx", "-post", "404 nothing", "zzz"]:
        await page.run(f"(() => {{ const f = document.getElementById('request-filter'); f.value = '{words}';"
                       " f.dispatchEvent(new Event('input')); })()")
        shown = await page.run("document.querySelectorAll('#request-list li:not([hidden])').length")
        seen.setdefault("filtered", []).append(shown)


async def objects(page, seen):
    await page.focus("#tab-requests")
    await page.press("ArrowRight")
    await page.wait("document.querySelectorAll('#object-list tr').length > 10")
    seen["view"] = await page.run("[location.hash, document.activeElement.id]")
    row = "[...document.querySelectorAll('#object-list tr')].find((row) => row.cells[0].innerText === '%s')"
    seen["accounts"] = await page.run((row % "Account") + ".cells[2].innerText")
    seen["label"] = await page.run((row % "Evil__c") + ".cells[1].innerText")
    await page.run((row % "Evil__c") + ".querySelector('button').focus()")
    await page.press("Enter")
    seen["fields"] = await page.wait("document.querySelector('#object table')?.innerText")


async def query(page, seen):
    await page.click("#tab-query")
    await page.focus("#editor")
    await page.run("document.getElementById('editor').value = ''")
    await page.type("SELECT Id, Phone, Nam")
    await page.run("(() => { const e = document.getElementById('editor'); e.value += ' FROM Account ORDER BY CreatedDate"
                   " DESC'; e.setSelectionRange(21, 21); })()")
    await page.press(" ", control=True)
    await page.wait("!document.getElementById('completions').hidden")
    seen["completions"] = await page.run(
        "[...document.querySelectorAll('#completions li')].map((row) => row.innerText.split('\\n')[0])")
    seen["active"] = await page.run("document.getElementById('editor').getAttribute('aria-activedescendant')")
    await page.press("Enter")
    seen["completed"] = await page.run("document.getElementById('editor').value")
    await page.type("e2")
    seen["finding"] = await page.wait("document.getElementById('findings').innerText")
    seen["marked"] = await page.run("document.querySelector('#backdrop mark').textContent")
    await page.press("Escape")
    await page.run("(() => { const e = document.getElementById('editor'); e.value = e.value.replace('e2', ', Owner.Name,"
                   " Parent.Name'); e.dispatchEvent(new Event('input')); })()")
    await page.press("Enter", control=True)
    await page.wait("document.querySelectorAll('#results tbody tr').length >= 200")
    seen["columns"] = await page.run("[...document.querySelectorAll('#results th')].map((cell) => cell.innerText)")
    seen["first"] = await page.run("[...document.querySelectorAll('#results tbody tr')[0].cells].map((c) => c.textContent)")
    # The rest of the pages follows while the user scrolls.
    while await page.run("document.querySelectorAll('#results tbody tr').length") < 462:
        await page.run("document.getElementById('grid').scrollTop = 1e6")
        await asyncio.sleep(0.05)
    folder = f"{page.folder}/downloads"
    os.mkdir(folder)
    await page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    await page.click("#export")
    await page.until(lambda: os.path.exists(f"{folder}/records.csv"), "records.csv")
    with open(f"{folder}/records.csv", encoding="utf-8", newline="") as file:
        text = file.read()
    lines = list(csv.reader(text.splitlines(keepends=True)))
    seen["csv"] = [len(lines), lines[0], lines[1][1:3]]


async def actions(page, seen):
    await page.click("[data-fault=unavailable]")
    await page.wait("document.querySelector('[data-fault=unavailable]').getAttribute('aria-pressed') === 'true'")
    seen["faults"] = [call("GET", f"{DATA}/limits")]
    await page.click("[data-fault=unavailable]")
    await page.wait("document.querySelector('[data-fault=unavailable]').getAttribute('aria-pressed') === 'false'")
    seen["faults"].append(call("GET", f"{DATA}/limits"))
    call("POST", f"{DATA}/sobjects/Note__e", {"Text__c": EVIL})
    await page.click("#tab-events")
    await page.click("#event-list summary")
    seen["event"] = await page.wait("document.querySelector('#event-list details[open] pre')?.innerText")
    await page.click("#reset")
    await page.wait("document.getElementById('confirm').open")
    await page.press("Escape")
    await page.wait("!document.getElementById('confirm').open")
    await page.click("#reset")
    await page.press("Tab")
    seen["focus"] = await page.run("document.activeElement.value")
    await page.press("Enter")
    await page.wait("document.getElementById('status').textContent.includes('sample data of a new org')")
    await page.click("#tab-objects")
    await page.click("#refresh")
    account = "[...document.querySelectorAll('#object-list tr')].find((r) => r.cells[0].innerText === 'Account')"
    seen["reset"] = await page.wait(f"{account}?.cells[2].innerText !== '{seen['accounts']}' && {account}.cells[2].innerText")


async def main():
    seen = {}
    async with Chromium() as page:
        await page.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=ORG)
        await page.open(URL)
        await page.wait("document.getElementById('where').textContent.includes('127.0.0.1')")
        seen["location"] = (await page.run("location.href"))[len(ORG):]
        seen["cookie"] = await page.run("document.cookie")
        for part in [requests, objects, query, actions]:
            await part(page, seen)
        # Whatever can have the focus has a name for screen readers.
        nodes = (await page.call("Accessibility.getFullAXTree"))["nodes"]
        seen["nameless"] = [
            node["role"]["value"] for node in nodes if not node.get("ignored") and not node.get("name", {}).get("value")
            and any(one["name"] == "focusable" and one["value"]["value"] for one in node.get("properties", []))]
        seen["backgrounds"] = []
        for scheme in ["light", "dark"]:
            await page.colors(scheme)
            seen["backgrounds"].append(await page.run("getComputedStyle(document.body).backgroundColor"))
        seen["hacked"] = await page.run("window.hacked ?? null")
        seen["images"] = await page.run("document.images.length")
        seen["elsewhere"] = [url for url in page.urls if not url.startswith((ORG + "/console", "blob:" + ORG, "data:image"))]
        seen["problems"] = page.problems
        await page.open(URL)
        seen["again"] = await page.run("document.querySelector('h1').innerText")
        await page.open(ORG + "/console")
        seen["returned"] = await page.wait("document.getElementById('where')?.textContent")
    print(json.dumps(seen))


asyncio.run(main())
