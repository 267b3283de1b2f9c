// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON
import Testing

/// An org in a process of its own, which a test may kill.
struct OrgProcess {
    let program: RunningProgram
    private(set) var port = 0
    private(set) var token = ""

    init(_ file: String, _ options: String...) throws {
        program = try RunningProgram(BuiltProgram.url("soql"), ["org", "start", "--data", file] + options, input: nil)
        var facts: [String: String] = [:]
        for line in try program.outputLines(through: "SF_PASSWORD=") {
            let parts = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            if parts.count == 2 { facts[String(parts[0])] = parts[1].trimmingCharacters(in: ["'"]) }
        }
        port = try #require(facts["SF_INSTANCE_URL"]?.split(separator: ":").last.flatMap { Int($0) })
        let form = ["SF_CLIENT_ID": "client_id", "SF_CLIENT_SECRET": "client_secret"].map { key, name in
            "\(name)=\(facts[key] ?? "")"
        }
        let body = (form + ["grant_type=client_credentials"]).joined(separator: "&")
        let response = try send("POST", "/services/oauth2/token", body, "application/x-www-form-urlencoded")
        token = try #require(response.json["access_token"]?.string, "\(response.text)")
    }

    func send(
        _ method: String, _ path: String, _ body: String = "", _ type: String = "application/json"
    ) throws -> RawClient.Response {
        let client = try RawClient(port: port)
        let head = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)",
            "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
        ]
        try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
        return try client.receive()
    }

    func kill() { program.kill() }
}
