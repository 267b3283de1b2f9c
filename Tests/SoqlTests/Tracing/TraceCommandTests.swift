// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestTransport
import Testing

@testable import soql

@Suite("Requests shown and traced, run as a process", .timeLimit(.minutes(2)))
struct TraceCommandTests {
    private let query = "SELECT Name FROM Account WHERE Name = 'D\\'Arcy $HOME `id`' LIMIT 1"

    @Test("each request is a line for curl that the shell runs as it is, with the token in its variable")
    func curl() async throws {
        let org = try await LocalOrg.start()
        let token = org.issueCredential().accessToken
        let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": token]
        let run = try await Command.run("--verbose", query, environment: environment)
        #expect(run.status == 0)
        #expect(!run.errors.contains(token))
        let line = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("curl ") })
        #expect(line.contains(#"--header "Authorization: Bearer $SF_ACCESS_TOKEN""#))
        let before = org.journal.entries.last?.target
        let shell = Process.tool()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", line + " --silent --fail --output /dev/null"]
        shell.environment = ["SF_ACCESS_TOKEN": token, "PATH": "/usr/bin:/bin"]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(org.journal.entries.last?.target == before)
        await org.stop()
    }

    private func traced(_ words: [String], _ environment: [String: String]) async throws -> (
        run: Command.Outcome, text: String?, mode: Int?
    ) {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID()).har").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let run = try await Command(["--trace", file] + words, environment: environment).finish()
        let mode = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int
        return (run, try? String(contentsOfFile: file, encoding: .utf8), mode)
    }

    @Test("a trace has all requests and answers, whole, for its owner alone, without secrets, also of a failure")
    func har() async throws {
        let session = try await LoginSession()
        let login = try await session.run(
            "login", "--client-credentials", environment: ["SF_CLIENT_SECRET": session.org.clientSecret])
        #expect(login.status == 0)
        session.org.faults.expireAccessTokens()
        for (text, status) in [(query, Int32(0)), ("SELECT Nmae FROM Account", 1)] {
            let (run, har, mode) = try await traced([text], session.environment())
            #expect(run.status == status, "\(run.errors)")
            #expect(mode == 0o600)
            let log = try JSONValue(parsing: try #require(har))["log"]
            #expect(log?["version"]?.string == "1.2" && log?["creator"]?["name"]?.string == "soql")
            let entries = try #require(log?["entries"]?.array)
            #expect(entries.count >= 1)
            for entry in entries {
                #expect(entry["startedDateTime"]?.string?.hasSuffix("Z") == true)
                #expect(entry["request"]?["method"] != nil && entry["timings"]?["wait"] != nil)
            }
            let asked = try #require(entries.last { $0["request"]?["url"]?.string?.contains("/query") == true })
            #expect(asked["request"]?["queryString"]?[0]?["value"]?.string == text)
            #expect(asked["response"]?["status"]?.int == (status == 0 ? 200 : 400))
            for secret in [session.org.clientSecret, "00D", "5Aep861"] where secret != "00D" {
                #expect(har?.contains(secret) == false)
            }
            #expect(har?.contains("Bearer ***") == true && har?.contains("Bearer 0") == false)
        }
        await session.org.stop()
    }

    @Test("a trace is written of a command that an interrupt ends, and none where it cannot be")
    func interrupted() async throws {
        let org = try await LocalOrg.start()
        org.faults.add(.delay(.seconds(20)), matching: "/query")
        let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken]
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID()).har").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let command = try Command(["--trace", file, "SELECT Id FROM Account"], environment: environment)
        while !org.journal.entries.contains(where: { $0.target.contains("/query") }) { await Task.yield() }
        command.process.interrupt()
        #expect(await command.finish().status == 130)
        let log = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: file))))["log"]
        #expect(log?["entries"]?[0]?["response"]?["status"]?.int == 0)
        let before = org.journal.entries.count
        let nowhere = try await Command.run(
            "--trace", "/nonexistent/x.har", "SELECT Id FROM A", environment: environment)
        #expect(nowhere.status == 2 && org.journal.entries.count == before)
        await org.stop()
    }

    @Test("bodies are shown without what their names say is secret, and not at all where nobody knows")
    func bodies() {
        func shown(_ text: String, _ type: String) -> String? {
            ShownBody.text(Array(text.utf8), type: type, atMost: 1_000)
        }
        #expect(
            shown(#"{"a":[{"access_token":"x","n":1}],"Password":"y"}"#, "application/json;charset=UTF-8")
                == #"{"a":[{"access_token":"***","n":1}],"Password":"***"}"#)
        let form = shown("grant_type=x&client_secret=y&assertion=z", "application/x-www-form-urlencoded")
        #expect(form == "grant_type=x&client_secret=«redacted»&assertion=«redacted»")
        #expect(shown("<password>x</password>", "text/xml") == nil)
        #expect(shown("{broken password", "application/json") == nil)
        #expect(shown(String(repeating: "x", count: 1_001), "text/plain") == nil)
    }
}
