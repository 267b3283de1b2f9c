// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

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
        "lists, calls, pages, reads resources and gets its errors, by the handshake and without",
        arguments: [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
    func reading(mode: String, version: String) async throws {
        let seen = try await seen(mode)
        #expect(seen["version"]?.string == version && seen["server"]?.string == "soql")
        #expect(texts(seen["tools"]) == ["query", "search", "describe", "explain", "get"])
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
        #expect(texts(seen["resources"]).contains("soql://objects/Account"))
        #expect(texts(seen["templates"]) == ["soql://objects/{name}"])
        #expect(texts(seen["resource"]) == ["application/json", "Contact"])
        let codes = seen["errors"]?.array?.compactMap { $0[1]?.int }
        let missing = mode == "auto" ? -32_602 : -32_002
        #expect(codes == [missing, missing, -32_602])
    }

    @Test("writes only where it was told to")
    func writing() async throws {
        let seen = try await seen("auto", "--allow-writes")
        #expect(texts(seen["tools"]).suffix(3) == ["create", "update", "delete"])
        #expect(texts(seen["readOnly"]) == ["query", "search", "describe", "explain", "get"])
        #expect(seen["made"]?["Name"]?.string == "Peer & Söhne" && seen["made"]?["Industry"]?.string == "Banking")
        #expect(seen["deleted"]?.bool == true && seen["gone"]?.bool == true)
    }
}
