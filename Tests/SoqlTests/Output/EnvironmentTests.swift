// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import SoqlCommand

@Suite("soql and its environment", .timeLimit(.minutes(1)))
struct EnvironmentTests {
    @Test("the browser does not inherit the secrets of the command")
    func browser() async throws {
        let session = try await LoginSession()
        // The browser is a script that saves its environment, and then interrupts the command that started it.
        let (told, browser) = ("\(session.folder)/told", "\(session.folder)/xdg-open")
        try Data("#!/bin/sh\nenv > '\(told)'\nkill -INT $PPID\n".utf8).write(to: URL(filePath: browser))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let variables = [
            "SF_CLIENT_SECRET": "keep-this-1", "SF_ACCESS_TOKEN": "keep-this-2", "HARMLESS": "known",
            "PATH": "\(session.folder):/usr/bin:/bin",
        ]
        let command = try Command(["login"], environment: session.environment(variables))
        #expect(await command.finish().status == 130)
        let seen = try String(contentsOfFile: told, encoding: .utf8)
        #expect(seen.contains("HARMLESS=known"))
        #expect(!seen.contains("keep-this"))
    }

    @Test("an output in non-blocking mode gets everything")
    func nonblocking() async throws {
        let records = (0..<2_000).map { #"{"Id":"\#($0)","Name":"\#(String(repeating: "n", count: 200))"}"# }
        let body = #"{"totalSize":2000,"done":true,"records":["# + records.joined(separator: ",") + "]}"
        let server = try ScriptServer([.readRequest, .respond(fields: [("Content-Type", "application/json")], body)])
        let (process, output) = (Process.tool(), Pipe())
        let descriptor = output.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        process.executableURL = Command.executable
        process.arguments = ["--format", "ndjson", "SELECT Id, Name FROM Account"]
        process.environment = Command.environment(
            adding: ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"])
        process.standardOutput = output
        try process.run()
        // Reading begins only after the pipe is full and a write was rejected.
        while try pending(in: output) < 65_536, process.isRunning { await Task.yield() }
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(printed.split(separator: UInt8(ascii: "\n")).count == 2_000)
    }

    private func pending(in pipe: Pipe) throws -> Int {
        var count: Int32 = 0
        try #require(unsafe ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count) == 0)
        return Int(count)
    }

    private func respond(_ body: String, status: Int = 200) -> ScriptServer.Step {
        .respond(status: status, fields: [("Content-Type", "application/json")], body)
    }

    @Test("an older server is called with the latest version that it supports")
    func olderServer() async throws {
        let missing = #"[{"errorCode":"NOT_FOUND","message":"The requested resource does not exist"}]"#
        let versions = #"[{"version":"58.0"},{"version":"60.0"},{"version":"x"},{"version":"99.0"}]"#
        let rows = #"{"totalSize":1,"done":true,"records":[{"Id":"1"}]}"#
        let server = try ScriptServer([
            .readRequest, respond(missing, status: 404), .readRequest, respond(versions), .readRequest, respond(rows),
        ])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("SELECT Id FROM Account", environment: environment)
        #expect(run.status == 0)
        #expect(run.output == "Id\n1\n")
        #expect(run.errors == "soql: the server's newest API version is v60.0; using it\n")
        let targets = await server.stop().requests.compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(targets.count == 3)
        #expect(targets.last?.hasPrefix("/services/data/v60.0/query") == true)
    }

    @Test("a requested version is used, and an error is reported if the server does not support it")
    func fixedVersion() async throws {
        let missing = #"[{"errorCode":"NOT_FOUND","message":"The requested resource does not exist"}]"#
        let server = try ScriptServer([.readRequest, respond(missing, status: 404)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("--api-version", "61.0", "SELECT Id FROM Account", environment: environment)
        #expect(run.status == 1)
        #expect(run.errors.contains("NOT_FOUND"))
        #expect(await server.stop().requests.map { $0.contains("/v61.0/") } == [true])
    }
}

@Suite("Traced requests, run as processes", .timeLimit(.minutes(2)))
struct TraceCommandTests {
    private let query = "SELECT Name FROM Account WHERE Name = 'D\\'Arcy $HOME `id`' LIMIT 1"

    @Test("each request is printed as a curl command that a shell can run, with the token in a variable")
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
        let shell = try await Command(
            ["-c", line + " --silent --fail --output /dev/null"], environment: ["SF_ACCESS_TOKEN": token],
            program: URL(filePath: "/bin/sh")
        ).finish()
        #expect(shell.status == 0)
        #expect(org.journal.entries.last?.target == before)
        await org.stop()
    }

    @Test("bodies are shown without secret members, and not at all if their format is unknown")
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
