// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON
import Testing

@Suite("Bulk jobs outlive their process", .timeLimit(.minutes(2)))
struct BulkKillTests {
    /// An org in a process of its own, and a session of it.
    private struct OrgProcess {
        let process = Process.tool()
        private let output = Pipe()
        private(set) var port = 0
        private(set) var token = ""

        init(_ file: String) throws {
            process.executableURL = BuiltProgram.url("soql")
            process.arguments = ["org", "start", "--data", file]
            process.standardOutput = output
            process.standardInput = Pipe()
            try process.run()
            var (text, facts) = ("", [String: String]())
            while facts["SF_PASSWORD"] == nil {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "the org has ended: \(text)")
                text += String(decoding: data, as: UTF8.self)
                for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    let parts = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
                    if parts.count == 2 { facts[String(parts[0])] = parts[1].trimmingCharacters(in: ["'"]) }
                }
            }
            port = try #require(facts["SF_INSTANCE_URL"]?.split(separator: ":").last.flatMap { Int($0) })
            let form = ["SF_CLIENT_ID": "client_id", "SF_CLIENT_SECRET": "client_secret"].map { key, name in
                "\(name)=\(facts[key] ?? "")"
            }
            let body = (form + ["grant_type=client_credentials"]).joined(separator: "&")
            let answer = try send("POST", "/services/oauth2/token", body, "application/x-www-form-urlencoded")
            token = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        }

        func send(
            _ method: String, _ path: String, _ body: String = "", _ type: String = "application/json"
        ) throws -> RawClient.Answer {
            let client = try RawClient(port: port)
            let head = [
                "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)",
                "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
            ]
            try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
            return try client.receive()
        }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test("a process killed in the middle of a job goes on with it: every record once, none lost")
    func kill() async throws {
        let (count, path) = (6_000, "\(OrgClient.data)/jobs/ingest")
        try await withTemporaryFolder { folder in
            var org = try OrgProcess(folder + "/org.db")
            let made = try org.send("POST", path, #"{"object":"Account","operation":"insert"}"#)
            let id = try #require(made.json["id"]?.string)
            let csv = "Name,ExternalId__c\n" + (0..<count).map { "killed \($0),kill-\($0)\n" }.joined()
            #expect(try org.send("PUT", "\(path)/\(id)/batches", csv, "text/csv").status == 201)
            _ = try org.send("PATCH", "\(path)/\(id)", #"{"state":"UploadComplete"}"#)
            var processed = 0
            while processed == 0 {
                processed = try org.send("GET", "\(path)/\(id)").json["numberRecordsProcessed"]?.int ?? 0
            }
            org.kill()
            #expect(processed < count)
            org = try OrgProcess(folder + "/org.db")
            defer { org.kill() }
            var job = JSONValue.null
            repeat { job = try org.send("GET", "\(path)/\(id)").json } while job["state"]?.string == "InProgress"
            #expect(job["state"]?.string == "JobComplete" && job["numberRecordsFailed"]?.int == 0, "\(job)")
            let query = "SELECT+COUNT()+FROM+Account+WHERE+ExternalId__c+LIKE+'kill-%25'"
            let found = try org.send("GET", "\(OrgClient.data)/query?q=\(query)").json
            #expect(found["totalSize"]?.int == count)
            let good = try org.send("GET", "\(path)/\(id)/successfulResults").text
            #expect(good.split(separator: "\n").count == count + 1)
        }
    }
}
