// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
package import Foundation
package import RestAuth
import RestSDK
import RestTesting
import RestTransport
import Synchronization

/// One login at a server, followed by everything that a client can do with its tokens.
package struct LoginScenario: Sendable {
    package let name: String
    package let run: @Sendable () async throws -> Void

    package init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}

extension LoginPeer {
    /// Returns a scenario for each offered grant and client authentication, with `key` for JWT assertions.
    package func scenarios(key: JWTBearerGrant.PrivateKey? = nil, ways: [Way] = Way.allCases) -> [LoginScenario] {
        Grant.allCases.flatMap { grant in
            ways.filter { offers(grant, $0) }.map { way in
                LoginScenario("\(kind.rawValue) \(grant.rawValue) \(way.rawValue)") { [self] in
                    let client = try await client(grant, way)
                    switch grant {
                    case .code: try await codes(client, way)
                    case .device: try await device(client, way)
                    case .machine: try await machine(client)
                    case .password: try await password(client, way)
                    case .jwt: try await statement(client, key)
                    }
                }
            }
        }
    }

    private var soon: ContinuousClock.Instant { .now + .seconds(30) }

    /// Logs in twice on one port under both names of this machine, then uses the tokens in every way.
    private func codes(_ client: OAuthClient, _ way: Way) async throws {
        let credentials = try await redirectURIs.inTurn { try await logIn(client, $0) }
        try await renewals(of: credentials[0], client)
        try await ending(of: credentials[1], client, way)
    }

    private func logIn(_ client: OAuthClient, _ redirectURI: String) async throws -> Credential {
        var credential: Credential?
        for _ in 1...2 {
            let fault = BrowserFault()
            let presenter = LoopbackPresenter(options: try LoopbackPresenter.Options(redirectURI: redirectURI)) {
                [self] url in
                Task { await fault.note { try await agree(at: url) } }
            }
            do {
                credential = try await client.login(with: presenter, scopes: ["read"], deadline: soon)
            } catch {
                throw Failure("\(error); the browser: \(fault.text)")
            }
        }
        guard let credential, credential.refreshToken != nil, credential.scopes == ["read"] else {
            throw Failure("the login gave other tokens than asked for")
        }
        return credential
    }

    /// Renews twice, and checks that each renewal replaces and invalidates its refresh token.
    private func renewals(of first: Credential, _ client: OAuthClient) async throws {
        let tokens = TokenManager(credential: first, renewal: TokenManager.Renewal(client: client))
        let second = try await tokens.credential(rejecting: 1, deadline: soon)
        let third = try await tokens.credential(rejecting: second.generation, deadline: soon)
        guard Set([first, second.credential, third.credential].map(\.refreshToken)).count == 3 else {
            throw Failure("the refresh token did not rotate")
        }
        try await expectDead(first, client)
    }

    /// Introspects the token, revokes it, and checks that it is no longer valid.
    private func ending(of credential: Credential, _ client: OAuthClient, _ way: Way) async throws {
        if way != .none {
            let status = try await client.introspect(credential.accessToken, kind: .access, deadline: soon)
            guard status.isActive, status.scopes == ["read"] else { throw Failure("introspection: \(status)") }
        }
        // Glewlwyd does not let a client without a secret revoke tokens.
        guard kind != .glewlwyd || way != .none else { return }
        guard let refreshToken = credential.refreshToken else { throw Failure("no refresh token") }
        try await client.revoke(refreshToken, kind: .refresh, deadline: soon)
        try await expectDead(credential, client)
    }

    private func device(_ client: OAuthClient, _ way: Way) async throws {
        for _ in 1...2 {
            let login = try await client.beginDeviceLogin(scopes: ["read"], deadline: soon)
            guard let page = login.page else { throw Failure("no page that may be opened") }
            async let credential = client.finishDeviceLogin(login)
            try await agree(at: page, userCode: login.userCode)
            guard try await credential.scopes == ["read"] else { throw Failure("other scopes than asked for") }
            try await renewals(of: await credential, client)
        }
    }

    private func machine(_ client: OAuthClient) async throws {
        for _ in 1...2 {
            let grant = ClientCredentialsGrant(scopes: ["read"])
            let credential = try await client.token(for: grant, deadline: soon)
            let status = try await client.introspect(credential.accessToken, deadline: soon)
            guard status.isActive, credential.refreshToken == nil else { throw Failure("introspection: \(status)") }
            try await client.revoke(credential.accessToken, kind: .access, deadline: soon)
            guard try await !client.introspect(credential.accessToken, deadline: soon).isActive else {
                throw Failure("a revoked token is active")
            }
        }
    }

    private func password(_ client: OAuthClient, _ way: Way) async throws {
        let grant = PasswordGrant(username: "user", password: Secret(password), scopes: ["read"])
        for _ in 1...2 {
            try await renewals(of: try await client.token(for: grant, deadline: soon), client)
        }
        let wrong = PasswordGrant(username: "user", password: "wrong-password", scopes: ["read"])
        guard let rejection = await rejection(of: wrong, client) else { throw Failure("a wrong password logged in") }
        // Each server has a different code for it, but no code that means that the server has a problem.
        guard ![.serverUnavailable, .unreachable, .timedOut].contains(rejection.code) else { throw rejection }
    }

    private func statement(_ client: OAuthClient, _ key: JWTBearerGrant.PrivateKey?) async throws {
        guard let key else { throw Failure("no key to sign with") }
        let grant = JWTBearerGrant(
            clientID: client.clientID, username: "user", key: key, server: client.server, scopes: ["read"])
        let tokens = TokenManager(credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant))
        let first = try await tokens.credential(deadline: soon)
        let second = try await tokens.credential(rejecting: first.generation, deadline: soon)
        guard first.credential.accessToken != second.credential.accessToken else { throw Failure("no new token") }
    }

    private func expectDead(_ credential: Credential, _ client: OAuthClient) async throws {
        guard let token = credential.refreshToken else { throw Failure("no refresh token") }
        let rejection = await rejection(of: RefreshTokenGrant(refreshToken: token), client)
        guard let rejection, [.invalidGrant, .refused].contains(rejection.code) else {
            throw Failure("a dead refresh token got: \(rejection.map(\.description) ?? "new tokens")")
        }
    }

    private func rejection(of grant: some OAuthGrant, _ client: OAuthClient) async -> OAuthError? {
        do throws(OAuthError) {
            _ = try await client.token(for: grant, deadline: soon)
            return nil
        } catch {
            return error
        }
    }
}

private final class BrowserFault: Sendable {
    private let fault = Mutex<String?>(nil)

    var text: String { fault.withLock { $0 } ?? "came to an end" }

    func note(_ body: @Sendable () async throws -> Void) async {
        do { try await body() } catch { fault.withLock { $0 = "\(error)" } }
    }
}

extension Array {
    fileprivate func inTurn<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}

extension LoginPeer {
    /// Scenarios of logins with `soql`, followed by queries and a logout.
    ///
    /// With a `lifetime` of access tokens in seconds, the pause between queries is that long.
    package func commandScenarios(
        _ soql: URL, lifetime: Int? = nil, ways: [Way] = Way.allCases
    ) -> [LoginScenario] {
        ways.flatMap { way in
            var scenarios = [codeScenario(soql, lifetime, way)]
            // The command does not offer a device login if the server's metadata has no device endpoint.
            if kind != .django { scenarios.append(deviceScenario(soql, lifetime, way)) }
            // The client credentials grant needs a secret.
            if way != .none { scenarios.append(machineScenario(soql, lifetime, way)) }
            return scenarios
        }
    }

    private func codeScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql code \(way.rawValue)") { [self] in
            let session = try CommandSession(soql)
            // Twice on one port, under each name of this machine.
            for redirectURI in redirectURIs + redirectURIs {
                try await logIn(session, ["--callback-url", redirectURI], "code", way)
            }
            try await use(session, waiting: lifetime)
        }
    }

    private func deviceScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql device \(way.rawValue)") { [self] in
            let session = try CommandSession(soql)
            try await logIn(session, ["--device"], "device", way)
            try await use(session, waiting: lifetime)
        }
    }

    private func machineScenario(_ soql: URL, _ lifetime: Int?, _ way: Way) -> LoginScenario {
        LoginScenario("\(kind.rawValue) soql machine \(way.rawValue)") { [self] in
            let session = try CommandSession(soql)
            let arguments = ["login", "--client-credentials", "--account", "robot"]
            try session.run(arguments + options("machine", way), secret: password)
            try await use(session, waiting: lifetime)
        }
    }

    private func options(_ grant: String, _ way: Way) -> [String] {
        let client = ["--issuer", issuer(way), "--client-id", "\(grant)-\(way.rawValue)", "--scopes", "read"]
        // If the metadata offers only one method, the command uses it.
        return kind == .authlib || way == .none ? client : client + ["--client-auth", way.rawValue]
    }

    private func logIn(
        _ session: CommandSession, _ arguments: [String], _ grant: String, _ way: Way
    ) async throws {
        let words = ["login", "--no-browser", "--account", "user"] + arguments + options(grant, way)
        let login = try session.start(words, secret: way == .none ? nil : password)
        // The page's URL, or "Open URL and enter the code CODE".
        let shown = String(decoding: login.nextLine() ?? [], as: UTF8.self).split(separator: " ").map(String.init)
        guard let page = shown.count > 2 ? shown[1] : shown.first, let code = shown.last else {
            throw Failure("no address: \(try session.finish(login))")
        }
        do { try await agree(at: HTTPURL(parsing: page), userCode: code) } catch {
            login.kill()
            throw error
        }
        try session.finish(login)
    }

    /// Queries the resource repeatedly, also after the token has expired, and logs out.
    private func use(_ session: CommandSession, waiting lifetime: Int?) async throws {
        for round in 0...(lifetime == nil ? 0 : 2) {
            if round > 0, let lifetime { try await Task.sleep(for: .milliseconds(lifetime * 1_000 + 200)) }
            let table = try session.run(["--format", "csv", "SELECT Name FROM Account"])
            guard table == "Name\nAda\n" else { throw Failure("the query gave '\(table)'") }
        }
        // Glewlwyd does not let a client without a secret revoke tokens, and reports it.
        try session.run(["logout"] + (kind == .glewlwyd ? ["--no-revoke"] : []))
    }
}

/// The command line of one user, with a separate directory for the logins.
struct CommandSession {
    private let soql: URL
    private let folder: TemporaryDirectory

    init(_ soql: URL) throws {
        self.soql = soql
        folder = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    @discardableResult
    func run(_ words: [String], secret: String? = nil) throws -> String {
        try finish(start(words, secret: secret))
    }

    func start(_ words: [String], secret: String? = nil) throws -> RunningProgram {
        var environment = ["XDG_DATA_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        environment["SF_CLIENT_SECRET"] = secret
        return try RunningProgram(soql, words, environment: environment, limit: 60)
    }

    @discardableResult
    func finish(_ command: RunningProgram) throws -> String {
        let outcome = command.wait()
        guard outcome.status == 0 else {
            let words = command.process.arguments?.joined(separator: " ") ?? ""
            throw LoginPeer.Failure("soql \(words) ended with \(outcome.status): \(outcome.errors)")
        }
        return outcome.output
    }
}
