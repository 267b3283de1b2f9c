// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestTransport
import Testing

@testable import soql

@Suite("Requests shown, run as a process", .timeLimit(.minutes(2)))
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
