// SPDX-License-Identifier: Apache-2.0

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
