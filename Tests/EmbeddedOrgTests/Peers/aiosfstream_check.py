# SPDX-License-Identifier: Apache-2.0
"""Listens to an embedded org with aiosfstream-ng and prints what it saw as one JSON object.

Usage: aiosfstream_check.py PORT, with TOKEN in the environment. The host is localhost, because aiohttp keeps no cookies
of addresses.
"""
import asyncio
import json
import os
import sys

import aiohttp
from aiosfstream_ng import Client, ReplayMarker, ReplayOption
from aiosfstream_ng.auth import AuthenticatorBase

ORG = f"http://localhost:{sys.argv[1]}"
DATA = f"{ORG}/services/data/v60.0"
TOKEN = os.environ["TOKEN"]


class Token(AuthenticatorBase):
    """Uses a token that exists."""

    async def _authenticate(self):
        return 200, {"access_token": TOKEN, "token_type": "Bearer", "instance_url": ORG}


async def call(http, method, path, body=None):
    async with http.request(method, DATA + path, json=body, headers={"Authorization": f"Bearer {TOKEN}"}) as answer:
        text = await answer.text()
        assert answer.status < 300, text
        return json.loads(text) if text else None


async def take(client, count):
    return [await asyncio.wait_for(client.receive(), 30) for _ in range(count)]


async def main():
    seen = {}
    async with aiohttp.ClientSession() as http:
        async with Client(Token()) as client:
            await client.subscribe("/event/Paid__e")
            await client.subscribe("/data/AccountChangeEvent")
            for number in range(5):
                await call(http, "POST", "/sobjects/Paid__e", {"Sum__c": number})
            events = await take(client, 5)
            seen["published"] = [event["data"]["payload"]["Sum__c"] for event in events]
            made = await call(http, "POST", "/sobjects/Account", {"Name": "Peer", "Phone": "1"})
            await call(http, "PATCH", f"/sobjects/Account/{made['id']}", {"Phone": "2"})
            await call(http, "DELETE", f"/sobjects/Account/{made['id']}")
            changes = [event["data"]["payload"] for event in await take(client, 3)]
            seen["changes"] = [change["ChangeEventHeader"]["changeType"] for change in changes]
            seen["phones"] = [change.get("Phone") for change in changes]
        markers = {}
        async with Client(Token(), replay=ReplayOption.ALL_EVENTS) as client:
            await client.subscribe("/event/Paid__e")
            replayed = await take(client, 5)
            seen["replayed"] = [event["data"]["payload"]["Sum__c"] for event in replayed]
            third = replayed[2]
            markers["/event/Paid__e"] = ReplayMarker(
                third["data"]["payload"]["CreatedDate"], third["data"]["event"]["replayId"])
        async with Client(Token(), replay=markers) as client:
            await client.subscribe("/event/Paid__e")
            seen["resumed"] = [event["data"]["payload"]["Sum__c"] for event in await take(client, 2)]
            # The test makes the org forget its clients.
            print("forget", flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            await call(http, "POST", "/sobjects/Paid__e", {"Sum__c": 77})
            seen["afterwards"] = [event["data"]["payload"]["Sum__c"] for event in await take(client, 1)]
        wrong = {"/event/Paid__e": ReplayMarker("2020-01-01T00:00:00.000Z", 3)}
        async with Client(Token(), replay=wrong, replay_fallback=ReplayOption.ALL_EVENTS) as client:
            await client.subscribe("/event/Paid__e")
            seen["fallback"] = len(await take(client, 6))
    print(json.dumps(seen))


asyncio.run(main())
