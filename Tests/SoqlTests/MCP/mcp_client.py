# Uses `soql mcp` with the official client of the Model Context Protocol, and prints the results as JSON.
# usage: mcp_client.py SOQL MODE [OPTION...]
import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main(program, mode, options):
    server = StdioServerParameters(command=program, args=["mcp", *options], env=dict(os.environ))
    seen = {}
    async with Client(stdio_client(server), mode=mode) as client:
        seen["version"], seen["server"] = client.protocol_version, client.server_info.name
        tools = (await client.list_tools()).tools
        seen["tools"] = [tool.name for tool in tools]
        seen["readOnly"] = [tool.name for tool in tools if tool.annotations.read_only_hint]
        progress = []

        async def report(done, total, message):
            progress.append([done, total, message])

        async def call(name, **arguments):
            return await client.call_tool(name, arguments)

        page = await client.call_tool(
            "query", {"soql": "SELECT Id, Name, Owner.Name FROM Account ORDER BY Name", "limit": 25},
            progress_callback=report)
        names, count = [], 0
        while True:
            content = page.structured_content
            assert json.loads(page.content[0].text) == content and not page.is_error
            names += [record["Name"] for record in content["records"]]
            count += 1
            if "nextCursor" not in content:
                break
            page = await call("query", cursor=content["nextCursor"], limit=25)
        seen["names"], seen["pages"], seen["sorted"] = len(set(names)), count, names == sorted(names)
        seen["total"], seen["progress"] = content["totalSize"], progress
        seen["parent"] = content["records"][0]["Owner"]["Name"] != "" and "attributes" not in content["records"][0]

        wrong = await call("query", soql="SELECT Nme FROM Account")
        seen["wrong"] = [wrong.is_error, wrong.content[0].text]
        seen["argument"] = (await call("query", sql="x")).content[0].text
        seen["cursor"] = (await call("query", cursor="none")).content[0].text
        seen["objects"] = (await call("describe", match="acc")).structured_content["objects"]
        seen["field"] = (await call("describe", object="Account", match="industry")).structured_content["fields"][0]["type"]
        seen["noObject"] = (await call("describe", object="Nope")).is_error
        seen["plans"] = len((await call("explain", soql="SELECT Id FROM Account")).structured_content["plans"])
        first = (await call("search", text="Beacon", objects=["Account"])).structured_content
        seen["found"] = first["records"][0]["object"] if first["records"] else None
        if "--allow-writes" in options:
            fields = {"Name": "Peer & Söhne"}
            made = (await call("create", object="Account", fields=fields)).structured_content["id"]
            await call("update", object="Account", id=made, fields={"Industry": "Banking"})
            seen["made"] = (await call("get", object="Account", id=made, fields=["Name", "Industry"])).structured_content
            seen["deleted"] = (await call("delete", object="Account", id=made)).structured_content["deleted"]
            seen["gone"] = (await call("get", object="Account", id=made)).is_error
        errors = []
        for request in [call("create" if "--allow-writes" not in options else "nope", object="Account", fields={"Name": "x"})]:
            try:
                await request
            except Exception as error:
                errors.append([type(error).__name__, getattr(getattr(error, "error", None), "code", None)])
        seen["errors"] = errors
        if mode == "legacy":
            await client.send_ping()
    print(json.dumps(seen))

asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
