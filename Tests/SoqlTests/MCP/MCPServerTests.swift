// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@testable import SoqlCommand

@Suite("soql mcp, message by message")
struct MCPServerTests {
    @Test("the handshake uses the client's protocol revision, or offers the latest")
    func versions() throws {
        let session = try MCPSession()
        let versions = [
            ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
        ]
        for (asked, agreed) in versions {
            try session.ask("1", "initialize", #"{"protocolVersion":"\#(asked)","capabilities":{},"clientInfo":{}}"#)
            let result = try #require(try session.next()?["result"])
            #expect(result["protocolVersion"]?.string == agreed)
            #expect(result["serverInfo"]?["name"]?.string == "soql" && result["capabilities"]?["tools"]?.object != nil)
            try session.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            try session.ask("\"x\"", "ping")
            let pong = try #require(try session.next())
            #expect(pong["id"]?.string == "x" && pong["result"]?.object?.isEmpty == true)
        }
        #expect(try session.finish().status == 0)
    }

    private static let badLines: [(line: String, code: Int, id: Int?)] = [
        ("not JSON", -32_700, nil), (#"{"jsonrpc":"2.0""#, -32_700, nil),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600, nil), ("7", -32_600, nil), ("{}", -32_600, nil),
        (#"{"id":1,"method":"ping"}"#, -32_600, nil), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_600, nil),
        (#"{"jsonrpc":"2.0","id":3}"#, -32_600, nil), (String(repeating: "[", count: 100_000), -32_700, nil),
        (#"{"jsonrpc":"2.0","id":5,"method":"nonsense"}"#, -32_601, 5),
        (#"{"jsonrpc":"2.0","id":5,"method":"resources/list"}"#, -32_601, 5),
        (#"{"jsonrpc":"2.0","id":5,"method":"initialize"}"#, -32_602, 5),
        (#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#, -32_602, 5),
        (#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"query","arguments":7}}"#, -32_602, 5),
        (#"{"jsonrpc":"2.0","id":5,"method":"server/discover"}"#, -32_602, 5),
    ]

    @Test("invalid input gets a JSON-RPC error, and the next request works")
    func faults() throws {
        let session = try MCPSession()
        for (line, code, id) in Self.badLines {
            try session.send(line)
            let response = try #require(try session.next())
            #expect(response["error"]?["code"]?.int == code, "\(line.prefix(100)): \(response)")
            #expect(response["id"]?.int == id && response["jsonrpc"]?.string == "2.0")
            #expect(response["error"]?["message"]?.string?.isEmpty == false)
            try session.ask("9223372036854775807", "ping")
            #expect(try session.next()?["id"]?.int == .max)
        }
        #expect(try session.finish().status == 0)
    }

    @Test("a line of 20 MB, invalid UTF-8, empty lines and responses do no harm")
    func hugeLine() throws {
        let session = try MCPSession()
        try session.send([UInt8](repeating: UInt8(ascii: "x"), count: 20 << 20))
        #expect(try session.next()?["error"]?["code"]?.int == -32_600)
        try session.send([0xFF, 0xFE, 0])
        #expect(try session.next()?["error"]?["code"]?.int == -32_700)
        try session.send("")
        try session.send("  \r")
        try session.send(#"{"jsonrpc":"2.0","id":77,"result":{}}"#)
        try session.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#)
        try session.send(#"{"jsonrpc":"2.0","method":"notifications/nonsense"}"#)
        try session.ask("1", "ping")
        #expect(try session.next()?["id"]?.int == 1)
        #expect(try session.finish().messages.isEmpty)
    }

    @Test("a request with its own protocol revision is handled by it, and an unknown revision is rejected by name")
    func stateless() throws {
        let session = try MCPSession()
        func meta(_ version: String) -> String {
            """
            {"_meta":{"io.modelcontextprotocol/protocolVersion":"\(version)",\
            "io.modelcontextprotocol/clientCapabilities":{}}}
            """
        }
        try session.ask("1", "server/discover", meta("2026-07-28"))
        let result = try #require(try session.next()?["result"])
        #expect(result["resultType"]?.string == "complete" && result["ttlMs"]?.int != nil)
        #expect(result["supportedVersions"]?.array?.last?.string == "2026-07-28")
        try session.ask("2", "tools/list", meta("2027-01-01"))
        let error = try #require(try session.next()?["error"])
        #expect(error["code"]?.int == -32_022 && error["data"]?["requested"]?.string == "2027-01-01")
        #expect(error["data"]?["supported"]?.array?.count == 5)
        try session.ask("3", "tools/list", #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#)
        #expect(try session.next()?["error"]?["code"]?.int == -32_602)
        try session.ask("4", "tools/list")
        let list = try #require(try session.next()?["result"])
        #expect(list["resultType"] == nil && list["tools"]?.array?.count == 6)
        #expect(try session.finish().status == 0)
    }

    @Test("requests are completed after the end of the input, and an id cannot be used twice at a time")
    func endOfInput() throws {
        let session = try MCPSession()
        for id in 0..<20 {
            let soql = #"{"name":"query","arguments":{"soql":"SELECT Id FROM Account LIMIT \#(id + 1)"}}"#
            try session.ask("\(id)", "tools/call", soql)
        }
        let (status, messages) = try session.finish()
        #expect(status == 0 && Set(messages.compactMap { $0["id"]?.int }) == Set(0..<20))
        for message in messages {
            let content = try #require(message["result"]?["structuredContent"])
            #expect(content["returned"]?.int == (message["id"]?.int ?? -1) + 1)
        }
    }

    @Test("a cancelled request is cancelled at the org and gets no response")
    func cancelling() async throws {
        let login = try await LoginSession()
        login.org.faults.add(.delay(.seconds(600)), next: 1, matching: "/query")
        let session = try MCPSession(environment: [
            "SF_INSTANCE_URL": login.org.instanceURL, "SF_ACCESS_TOKEN": login.org.issueCredential().accessToken,
        ])
        try session.ask("\"slow\"", "tools/call", #"{"name":"query","arguments":{"soql":"SELECT Id FROM Account"}}"#)
        try session.ask("1", "ping")
        #expect(try session.next()?["id"]?.int == 1)
        try session.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}"#)
        // Not a query, because it could get the delay if it arrived first.
        try session.ask("2", "tools/call", #"{"name":"describe","arguments":{"object":"Account"}}"#)
        #expect(try session.next()?["id"]?.int == 2)
        let (status, messages) = try session.finish()
        #expect(status == 0 && messages.isEmpty)
    }

    @Test("responses respect the limits of rows and bytes, and say how to continue")
    func limits() throws {
        let session = try MCPSession(["--max-rows", "7", "--max-bytes", "1000"])
        var (seen, arguments): ([String], String) = ([], #""soql":"SELECT Id, Name, Website FROM Account","limit":500"#)
        while true {
            try session.ask("1", "tools/call", #"{"name":"query","arguments":{\#(arguments)}}"#)
            let content = try #require(try session.next()?["result"]?["structuredContent"])
            let records = try #require(content["records"])
            #expect((1...7).contains(records.array?.count ?? 0) && records.bytes().count <= 1_020)
            seen += records.array?.compactMap { $0["Id"]?.string } ?? []
            guard let cursor = content["nextCursor"]?.string else { break }
            #expect(content["note"]?.string?.contains("\(seen.count) of 60") == true)
            arguments = #""cursor":"\#(cursor)""#
        }
        #expect(seen.count == 60 && Set(seen).count == 60)
        var (names, offset): ([String], Int) = ([], 0)
        repeat {
            let arguments = #"{"object":"Account","offset":\#(offset)}"#
            try session.ask("2", "tools/call", #"{"name":"describe","arguments":\#(arguments)}"#)
            let content = try #require(try session.next()?["result"]?["structuredContent"])
            let page = content["fields"]?.array?.compactMap { $0["name"]?.string } ?? []
            try #require(!page.isEmpty)
            names += page
            offset = names.count
            if content["total"]?.int == names.count { break }
        } while names.count < 1_000
        #expect(Set(names).count == names.count && names.contains("Website"))
        #expect(try session.finish().status == 0)
    }
}

@Suite("soql mcp with the official client")
struct MCPClientTests {
    private func seen(_ mode: String, _ options: String...) async throws -> JSONValue {
        let session = try await LoginSession()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "mcp_client.py").path
        let environment = [
            "SF_INSTANCE_URL": session.org.instanceURL,
            "SF_ACCESS_TOKEN": session.org.issueCredential().accessToken, "XDG_DATA_HOME": "/nonexistent",
        ]
        let output = try Python.run([script, Command.executable.path, mode] + options, environment: environment)
        return try JSONValue(parsing: output)
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    @Test(
        "the client lists and calls tools, reads pages and gets errors, with and without the handshake",
        arguments: [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
    func reading(mode: String, version: String) async throws {
        let seen = try await seen(mode)
        #expect(seen["version"]?.string == version && seen["server"]?.string == "soql")
        #expect(texts(seen["tools"]) == ["query", "search", "describe", "explain", "get", "listen"])
        #expect(texts(seen["readOnly"]) == texts(seen["tools"]))
        #expect(seen["total"]?.int == 60 && seen["names"]?.int == 60 && seen["pages"]?.int == 3)
        #expect(seen["sorted"]?.bool == true && seen["parent"]?.bool == true)
        #expect(seen["progress"]?[0]?[0]?.double == 25 && seen["progress"]?[0]?[1]?.double == 25)
        #expect(seen["wrong"]?[0]?.bool == true)
        #expect(seen["wrong"]?[1]?.string?.contains("No such column 'Nme' on entity 'Account'") == true)
        #expect(seen["argument"]?.string == "'query' has no argument 'sql'; did you mean 'soql'?")
        #expect(seen["cursor"]?.string?.contains("run the query again") == true)
        #expect(seen["objects"]?[0]?["name"]?.string == "Account" && seen["field"]?.string == "picklist")
        #expect(seen["noObject"]?.bool == true && seen["plans"]?.int == 1 && seen["found"]?.string == "Account")
        #expect(seen["errors"]?.array?.compactMap { $0[1]?.int } == [-32_602])
    }

    @Test("writes are possible only if they were allowed")
    func writing() async throws {
        let seen = try await seen("auto", "--allow-writes")
        #expect(texts(seen["tools"]).suffix(3) == ["create", "update", "delete"])
        #expect(texts(seen["readOnly"]) == ["query", "search", "describe", "explain", "get", "listen"])
        #expect(seen["made"]?["Name"]?.string == "Peer & Söhne" && seen["made"]?["Industry"]?.string == "Banking")
        #expect(seen["deleted"]?.bool == true && seen["gone"]?.bool == true)
    }
}
