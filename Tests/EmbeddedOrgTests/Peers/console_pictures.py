# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of the console, for light and dark pages.

Usage: console_pictures.py URL FOLDER, with TOKEN in the environment. The URL opens the console once.
"""
import asyncio
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

from chromium import Chromium

URL, FOLDER = sys.argv[1:]
ORG = URL.split("/console")[0]
DATA = "/services/data/v66.0"
QUERY = "SELECT Name, Industry, AnnualRevenue, Owner.Name\nFROM Account\nWHERE Industry = 'Banking' AND Own"


def call(method, path, body=None):
    request = urllib.request.Request(
        ORG + path, json.dumps(body).encode() if body else None, method=method, headers={
            "Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json",
            "User-Agent": "Customers/1.0"})
    try:
        urllib.request.urlopen(request).close()
    except urllib.error.HTTPError as error:
        error.close()


async def main():
    async with Chromium() as page:
        await page.open(URL)
        call("GET", f"{DATA}/sobjects/Account/describe")
        call("GET", f"{DATA}/query?" + urllib.parse.urlencode({"q": "SELECT Id, Nam FROM Account"}))
        call("GET", f"{DATA}/query?" + urllib.parse.urlencode({"q": "SELECT Id, Name FROM Account LIMIT 3"}))
        call("POST", f"{DATA}/sobjects/Contact", {"LastName": "Okafor", "Email": "okafor@example.com"})
        call("POST", f"{DATA}/composite/sobjects", {"records": [{"attributes": {"type": "Lead"}, "LastName": "Berg"}]})
        call("GET", f"{DATA}/limits")
        await page.wait("document.querySelectorAll('#request-list li').length === 6")
        await page.click("#request-list li:nth-child(3) summary")
        await page.wait("!!document.querySelector('.details pre')")
        # The same pictures every time: what differs is replaced.
        await page.run("""(() => {
            document.getElementById('where').textContent = 'http://127.0.0.1:4000 · admin@example.localorg.test';
            document.querySelectorAll('.time').forEach((e, i) => { e.textContent = `09:41:0${6 - i}.120`; });
            document.querySelectorAll('.took').forEach((e, i) => { e.textContent = `${(i * 7 % 5) / 2 + 0.4} ms`; });
            document.querySelectorAll('.details pre').forEach((e) => {
                e.textContent = e.textContent.replaceAll(location.host, '127.0.0.1:4000')
                    .replace(/Bearer \\w+/, 'Bearer 4224579e69ee');
            });
        })()""")
        for scheme in ["light", "dark"]:
            await page.colors(scheme)
            await page.picture(f"{FOLDER}/console-requests-{scheme}.png")
        await page.click("#tab-query")
        await page.focus("#editor")
        await page.run("document.getElementById('editor').value = ''")
        await page.run(f"document.getElementById('editor').value = {json.dumps(QUERY.split(' AND')[0])}")
        await page.press("Enter", control=True)
        await page.wait("document.querySelectorAll('#results tbody tr').length > 5")
        await page.run("""(() => {
            const editor = document.getElementById('editor');
            editor.setRangeText('\\n  AND Own', editor.value.length, editor.value.length, 'end');
        })()""")
        await page.press(" ", control=True)
        await page.wait("!document.getElementById('completions').hidden")
        await page.run("(() => { const e = document.getElementById('result-note');"
                       " e.textContent = e.textContent.replace(/, .*/, ', 0.01 s'); })()")
        for scheme in ["light", "dark"]:
            await page.colors(scheme)
            await page.picture(f"{FOLDER}/console-query-{scheme}.png")


asyncio.run(main())
