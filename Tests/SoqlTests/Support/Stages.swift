// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

private func stop(_ org: LocalOrg) { Task { await org.stop() } }

/// An org, and a directory for the command's logins.
final class LoginSession: Sendable {
    let org: LocalOrg
    private let place: TemporaryDirectory
    var folder: String { place.path }

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration(refreshRotation: .strict)) async throws {
        org = try await LocalOrg.start(configuration)
        place = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }

    deinit { stop(org) }

    /// The environment of a user of the org.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["XDG_DATA_HOME": folder, "SF_LOGIN_URL": org.instanceURL, "SF_CLIENT_ID": org.clientID]
            .merging(more) { $1 }
    }

    /// Runs the command with the stored logins and no other.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        let all = self.environment(environment)
        return try await Command(arguments, environment: all).finish()
    }

    func filesText() throws -> String {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return names.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
    }

    func requests(_ suffix: String) -> [JournalEntry] { org.journal.entries.filter { $0.pathHasSuffix(suffix) } }
}

enum OrgUser {
    /// Opens the login page, logs in as the org's user, and submits `response` on the consent page.
    static func logIn(at page: String, of org: LocalOrg, answering response: String) async throws {
        let browser = FormBrowser(transport: PlatformTransport.shared)
        var page = try await browser.open(HTTPURL(parsing: page))
        let values = ["username": org.username, "password": org.password, "action": "login"]
        page = try await browser.submit(#require(page.forms.first), of: page, values)
        _ = try await browser.submit(#require(page.forms.first), of: page, ["action": response])
    }
}

/// An org, a directory for files, and the environment to use the org.
final class OrgSession: Sendable {
    let org: LocalOrg
    let client: RestClient
    let folder: TemporaryDirectory

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration()) async throws {
        org = try await LocalOrg.start(configuration)
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        folder = try TemporaryDirectory()
    }

    deinit { stop(org) }

    var environment: [String: String] {
        [
            "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
            "XDG_STATE_HOME": folder.path("state"),
        ]
    }

    func run(_ arguments: String..., input: String = "") async throws -> Command.Outcome {
        try await Command(arguments, environment: environment, input: input).finish()
    }

    /// Runs a shell command line with the org, in which `$soql` is the command.
    func shell(_ line: String) async throws -> Command.Outcome {
        let settings = environment.merging(["soql": Command.executable.path, "folder": folder.path]) { $1 }
        return try await Command(["-c", line], environment: settings, program: URL(fileURLWithPath: "/bin/sh")).finish()
    }

    /// The write requests so far, without logins.
    var writes: [JournalEntry] {
        org.journal.entries.filter { $0.method != "GET" && !$0.target.contains("/oauth2/") }
    }

    func values(_ query: String, _ field: String = "Name") async throws -> [String] {
        var values: [String] = []
        for try await record in client.records(SOQL(raw: query)) { values.append(record[field]?.string ?? "null") }
        return values
    }
}

/// A home directory and an org for sessions.
final class SessionStart: Sendable {
    let home: TemporaryDirectory
    let org: LocalOrg

    init() async throws {
        home = try TemporaryDirectory()
        org = try await LocalOrg.start()
    }

    deinit { stop(org) }

    var environment: [String: String] {
        [
            "HOME": home.path, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", "NO_COLOR": "1",
            "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
        ]
    }

    func session(
        _ arguments: String..., environment more: [String: String] = [:], size: Screen = Screen(columns: 80, rows: 24)
    ) throws -> TerminalSession {
        let all = environment.merging(more) { $1 }
        let session = try TerminalSession(arguments, environment: all, in: home.path, size: size, leads: true)
        try session.wait(for: "=> ")
        return session
    }

    func leave(_ session: TerminalSession) -> Bool {
        session.type("\u{4}")
        session.finish()
        return session.process.terminationReason == .exit && session.process.terminationStatus == 0
    }
}

extension TerminalSession {
    /// Starts the built `soql` on its own terminal, with interrupts ignored if requested.
    convenience init(
        _ arguments: [String], environment: [String: String], ignoresInterrupts: Bool = false,
        in folder: String? = nil, size: Screen = Screen(columns: 0, rows: 0), leads: Bool = false
    ) throws {
        let program = ignoresInterrupts ? "/bin/sh" : Command.executable.path
        let ignoring = ["-c", #"trap "" INT; exec "$0" "$@""#, Command.executable.path]
        try self.init(
            program: program, (ignoresInterrupts ? ignoring : []) + arguments,
            environment: Command.environment(adding: environment), in: folder, columns: size.columns, rows: size.rows,
            leads: leads)
    }

    /// Types keys, and waits until the output contains `words`.
    func type(_ keys: String, until words: String) throws {
        type(keys)
        try wait(for: words)
    }

    func resize(to size: Screen) { resize(columns: size.columns, rows: size.rows) }
}
