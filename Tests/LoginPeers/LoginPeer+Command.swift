// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Dispatch
package import Foundation
import RestTransport

extension LoginPeer {
    /// Every login of the command line that the server offers, each with queries and a logout behind it.
    ///
    /// - Parameters:
    ///   - soql: the command.
    ///   - lifetime: how long an access token lives in seconds, where it is short; queries wait that long in between.
    ///   - ways: how the clients authenticate.
    /// - Returns: the scenarios of each way.
    package func commandScenarios(
        _ soql: URL, lifetime: Int? = nil, ways: [Way] = Way.allCases
    ) -> [LoginScenario] {
        ways.flatMap { way in
            var scenarios = [codeScenario(soql, lifetime, way)]
            // A server whose metadata have no device endpoint offers the command none.
            if kind != .django { scenarios.append(deviceScenario(soql, lifetime, way)) }
            // A machine without a secret has nothing to log in with.
            if way != .none { scenarios.append(machineScenario(soql, lifetime, way)) }
            return scenarios
        }
    }

    private func codeScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql code \(way.rawValue)") { [self] in
            try await session(soql) { session in
                // Twice in a row on one port, under each name of this machine.
                for redirectURI in redirectURIs + redirectURIs {
                    try await logIn(session, ["--callback-url", redirectURI], "code", way)
                }
                try await use(session, waiting: lifetime)
            }
        }
    }

    private func deviceScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql device \(way.rawValue)") { [self] in
            try await session(soql) { session in
                try await logIn(session, ["--device"], "device", way)
                try await use(session, waiting: lifetime)
            }
        }
    }

    private func machineScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql machine \(way.rawValue)") { [self] in
            try await session(soql) { session in
                let arguments = ["login", "--client-credentials", "--account", "robot"]
                try session.run(arguments + options("machine", way), secret: password)
                try await use(session, waiting: lifetime)
            }
        }
    }

    private func options(_ grant: String, _ way: Way) -> [String] {
        let client = ["--issuer", issuer(way), "--client-id", "\(grant)-\(way.rawValue)", "--scopes", "read"]
        // Where the metadata offer one way, they decide.
        return kind == .authlib || way == .none ? client : client + ["--client-auth", way.rawValue]
    }

    private func logIn(
        _ session: CommandSession, _ arguments: [String], _ grant: String, _ way: Way
    ) async throws {
        let words = ["login", "--no-browser", "--account", "user"] + arguments + options(grant, way)
        let login = try session.start(words, secret: way == .none ? nil : password)
        // The page's address, or "Open ADDRESS and enter the code CODE".
        let shown = try login.line().split(separator: " ").map(String.init)
        guard let page = shown.count > 2 ? shown[1] : shown.first, let code = shown.last else {
            throw Failure("no address: \(try login.finish())")
        }
        do { try await agree(at: HTTPURL(parsing: page), userCode: code) } catch {
            login.end()
            throw error
        }
        try login.finish()
    }

    /// Asks the resource again and again, across the end of each token, and logs out.
    private func use(_ session: CommandSession, waiting lifetime: Int?) async throws {
        for round in 0...(lifetime == nil ? 0 : 2) {
            if round > 0, let lifetime { try await Task.sleep(for: .milliseconds(lifetime * 1_000 + 200)) }
            let table = try session.run(["--format", "csv", "SELECT Name FROM Account"])
            guard table == "Name\nAda\n" else { throw Failure("the query gave '\(table)'") }
        }
        // Glewlwyd lets nobody revoke who has no secret, and says so.
        try session.run(["logout"] + (kind == .glewlwyd ? ["--no-revoke"] : []))
    }

    private func session(_ soql: URL, _ body: (CommandSession) async throws -> Void) async throws {
        let session = try CommandSession(soql)
        defer { session.remove() }
        try await body(session)
    }
}

/// The command line of one user, with a folder of its own for the logins.
struct CommandSession {
    private let soql: URL
    private let folder: URL

    init(_ soql: URL) throws {
        self.soql = soql
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("logins-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs the command to its end.
    ///
    /// - Returns: what it printed.
    /// - Throws: `LoginPeer.Failure` for a command that failed.
    @discardableResult
    func run(_ words: [String], secret: String? = nil) throws -> String {
        try start(words, secret: secret).finish()
    }

    func start(_ words: [String], secret: String? = nil) throws -> RunningCommand {
        var environment = ["XDG_DATA_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        environment["SF_CLIENT_SECRET"] = secret
        return try RunningCommand(soql, words, environment, errors: folder.appendingPathComponent("errors"))
    }
}

/// A command that runs.
final class RunningCommand {
    private let process = Process.tool()
    private let output = Pipe()
    private let errors: URL
    private let name: String

    init(_ soql: URL, _ words: [String], _ environment: [String: String], errors: URL) throws {
        (self.errors, name) = (errors, words.joined(separator: " "))
        guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
            throw LoginPeer.Failure("\(errors.path) cannot be written")
        }
        process.executableURL = soql
        process.arguments = words
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        // A command that waits for ever must not hold up whoever runs it.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [process] in
            if process.isRunning { process.terminate() }
        }
    }

    /// The first line that it prints.
    func line() throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for the end.
    @discardableResult
    func finish() throws -> String {
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let complaint = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw LoginPeer.Failure("soql \(name) ended with \(process.terminationStatus): \(complaint)")
        }
        return String(decoding: printed, as: UTF8.self)
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
