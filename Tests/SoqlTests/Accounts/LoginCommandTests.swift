// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import LoginPeers
import RestBase
import RestTesting
import Testing

@Suite("soql login, logout and accounts, as processes with a real org", .serialized)
struct LoginCommandTests {
    private func browse(_ session: LoginSession, answering response: String = "allow") async throws -> Command.Outcome {
        let command = try Command(
            ["login", "--no-browser"], environment: session.environment(["SF_CLIENT_SECRET": session.org.clientSecret]))
        let page = try #require(try command.outputLines(through: "/authorize").last)
        try await OrgUser.logIn(at: String(page), of: session.org, answering: response)
        return await command.finish()
    }

    @Test("a browser login is stored, renewed with rotation by later commands, and revoked at the server")
    func browser() async throws {
        let session = try await LoginSession()
        let login = try await browse(session)
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.errors.contains("logged in to \(session.org.instanceURL) as account '\(session.org.username)'"))
        let list = try await session.run("accounts")
        #expect(list.output == "* \(session.org.username)\t\(session.org.username)\t\(session.org.instanceURL)\n")
        for _ in 1...3 {
            session.org.faults.expireAccessTokens()
            let query = try await session.run("--format", "csv", "SELECT Name FROM Account ORDER BY Name LIMIT 1")
            #expect(query.status == 0, "\(query.errors)")
            #expect(query.output.hasPrefix("Name\n"))
        }
        #expect(session.requests("/token").filter { $0.status == 200 }.count == 4)
        let logout = try await session.run("logout")
        #expect(logout.status == 0, "\(logout.errors)")
        #expect(session.requests("/revoke").map(\.status) == [200])
        #expect(try await session.run("accounts").output.isEmpty)
        #expect(!(try session.filesText().contains("5Aep861")))
    }

    @Test("if no browser can be opened, a login prints the URL and suggests the device login")
    func noBrowser() async throws {
        let session = try await LoginSession()
        let environment = session.environment(["SF_CLIENT_SECRET": session.org.clientSecret, "PATH": session.folder])
        let command = try Command(["login"], environment: environment)
        let page = try #require(try command.outputLines(through: "/authorize").last)
        try await OrgUser.logIn(at: String(page), of: session.org, answering: "allow")
        let login = await command.finish()
        #expect(login.status == 0 && login.errors.contains("no browser could be opened; open the URL yourself"))
        #expect(login.errors.contains("'soql login --device'"))
    }

    @Test("a user who denies access ends the login with status 3, and nothing is stored")
    func denied() async throws {
        let session = try await LoginSession()
        let login = try await browse(session, answering: "deny")
        #expect(login.status == 3)
        #expect(login.errors.contains("access_denied"))
        #expect(try await session.run("accounts").output.isEmpty)
    }

    @Test("a port in use is a failed login, and a callback URL that a browser cannot use is a usage error")
    func callback() async throws {
        let session = try await LoginSession()
        let taken = try Socket.listening()
        for option in ["--port=\(taken.port)", "--callback-url=http://localhost:\(taken.port)/OauthRedirect"] {
            let login = try await session.run("login", "--no-browser", option)
            #expect(login.status == 3 && login.errors.contains("portUnavailable"), "\(login.errors)")
        }
        for address in ["https://localhost:1717/x", "http://example.com/x", "http://localhost:1717/x?y=z"] {
            let login = try await session.run("login", "--no-browser", "--callback-url", address)
            #expect(login.status == 2 && login.errors.contains("--callback-url"), "\(login.errors)")
        }
    }

    @Test("an error of the login server is not a failed login")
    func trouble() async throws {
        let session = try await LoginSession()
        session.org.faults.add(.status(503), next: 1, matching: "/token")
        let login = try await session.run(
            "login", "--client-credentials", environment: ["SF_CLIENT_SECRET": session.org.clientSecret])
        #expect(login.status == 1 && login.errors.contains("serverUnavailable"), "\(login.errors)")
    }

    @Test("Control-C ends the wait for the browser")
    func interrupted() async throws {
        let session = try await LoginSession()
        let command = try Command(["login", "--no-browser"], environment: session.environment())
        _ = try command.outputLines(through: "/authorize")
        kill(command.process.processIdentifier, SIGINT)
        #expect(await command.finish().status == 130)
    }

    @Test("a device login shows the URL and the code, and waits for the user")
    func device() async throws {
        let session = try await LoginSession()
        let command = try Command(
            ["login", "--device", "--account", "tv"],
            environment: session.environment(["SF_CLIENT_SECRET": session.org.clientSecret]))
        let line = String(try #require(try command.outputLines(through: "enter the code").last))
        let code = try #require(line.split(separator: " ").last)
        #expect(line.contains(session.org.instanceURL))
        #expect(session.org.answerDevice(userCode: String(code), isAllowed: true))
        let login = await command.finish()
        #expect(login.status == 0, "\(login.errors)")
        #expect(try await session.run("accounts").output.hasPrefix("* tv\t"))
    }

    @Test("--bound binds the tokens of each way to log in, and later commands prove their key")
    func bound() async throws {
        var configuration = LocalOrgConfiguration(refreshRotation: .strict)
        configuration.proofs = ProofSettings(.required, nonceLifetime: .seconds(60))
        let session = try await LoginSession(configuration)
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        let command = try Command(["login", "--bound", "--no-browser"], environment: session.environment(secret))
        let page = try #require(try command.outputLines(through: "/authorize").last)
        try await OrgUser.logIn(at: String(page), of: session.org, answering: "allow")
        let login = await command.finish()
        #expect(login.status == 0, "\(login.errors)")
        let robot = try await session.run(
            "login", "--bound", "--client-credentials", "--account", "robot", environment: secret)
        #expect(robot.status == 0, "\(robot.errors)")
        let list = try await session.run("accounts").output.split(separator: "\n")
        #expect(list.count == 2 && list.allSatisfy { $0.hasSuffix("\t\(session.org.instanceURL)\tbound") }, "\(list)")
        for account in [session.org.username, "robot"] {
            session.org.faults.expireAccessTokens()
            let query = try await session.run("--account", account, "SELECT Id FROM Account LIMIT 1")
            #expect(query.status == 0, "\(query.errors)")
        }
        let queries = session.requests("/query").filter { $0.status == 200 }
        #expect(queries.count == 2 && queries.allSatisfy { $0.fields.contains { $0.name.lowercased() == "dpop" } })
        #expect(try await session.run("logout", "--all").status == 0)
    }

    @Test("--bound is rejected before a login if the server does not offer it, or has no metadata")
    func unbound() async throws {
        let session = try await LoginSession()
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        let offered = try await session.run("login", "--bound", "--client-credentials", environment: secret)
        #expect(offered.status == 3 && offered.errors.contains("does not offer DPoP"), "\(offered.errors)")
        session.org.faults.add(.status(404), next: 2, matching: "/.well-known")
        let hidden = try await session.run("login", "--bound", "--client-credentials", environment: secret)
        #expect(hidden.status == 3 && hidden.errors.contains("does not publish its endpoints"), "\(hidden.errors)")
        #expect(session.requests("/token").isEmpty)
        #expect(try await session.run("accounts").output.isEmpty)
    }

    @Test("client credentials log in without a user, and again when the token has expired")
    func clientCredentials() async throws {
        let session = try await LoginSession()
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        let login = try await session.run("login", "--client-credentials", "--account", "robot", environment: secret)
        #expect(login.status == 0, "\(login.errors)")
        session.org.faults.expireAccessTokens()
        let query = try await session.run("--account", "robot", "SELECT Id FROM Account LIMIT 1")
        #expect(query.status == 0, "\(query.errors)")
        #expect(session.requests("/token").count == 2)
    }

    @Test("a client secret is read from a file or the environment, and otherwise requested or rejected")
    func secrets() async throws {
        let session = try await LoginSession()
        let file = session.folder + "/secret"
        try Data("\(session.org.clientSecret)\n".utf8).write(to: URL(fileURLWithPath: file))
        let hidden = try await session.run(
            "login", "--client-credentials", "--account", "b", "--client-secret-file", file)
        #expect(hidden.status == 0, "\(hidden.errors)")
        let none = try await session.run("login", "--client-credentials", "--account", "c")
        #expect(none.status == 2 && none.errors.contains("SF_CLIENT_SECRET"))
        let wrong = try await session.run(
            "login", "--client-credentials", "--account", "d", environment: ["SF_CLIENT_SECRET": "wrong"])
        #expect(wrong.status == 3 && !wrong.errors.contains("wrong\""))
    }

    @Test("a private key logs in and renews, and a key file that others can read is rejected")
    func key() async throws {
        let place = try TemporaryDirectory()
        let folder = place.path
        let openssl = try await Command(
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/key.pem", "-out",
                "\(folder)/certificate.pem", "-days", "2", "-subj", "/CN=test",
            ], program: URL(filePath: "/usr/bin/env")
        ).finish()
        #expect(openssl.status == 0)
        var configuration = LocalOrgConfiguration()
        let certificate = try String(contentsOfFile: folder + "/certificate.pem", encoding: .utf8)
        configuration.connectedApps = [ConnectedApp(clientID: "robot", certificates: [certificate])]
        let session = try await LoginSession(configuration)
        let arguments = ["login", "--jwt-key", "\(folder)/key.pem", "--username", session.org.username]
        let environment = session.environment(["SF_CLIENT_ID": "robot"])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/key.pem")
        let shared = try await Command(arguments, environment: environment).finish()
        #expect(shared.status == 3 && shared.errors.contains("chmod 600"), "\(shared.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/key.pem")
        let login = try await Command(arguments, environment: environment).finish()
        #expect(login.status == 0, "\(login.errors)")
        session.org.faults.expireAccessTokens()
        let query = try await session.run("SELECT Id FROM Account LIMIT 1")
        #expect(query.status == 0, "\(query.errors)")
    }

    @Test("several accounts are stored, one is the current account, any can be named, and all can be removed")
    func several() async throws {
        let session = try await LoginSession()
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        for name in ["one", "two"] {
            _ = try await session.run("login", "--client-credentials", "--account", name, environment: secret)
        }
        #expect(try await session.run("accounts").output.contains("* two\t"))
        #expect(try await session.run("accounts", "use", "one").status == 0)
        #expect(try await session.run("accounts").output.contains("* one\t"))
        #expect(try await session.run("--account", "two", "SELECT Id FROM Account LIMIT 1").status == 0)
        let unknown = try await session.run("--account", "three", "SELECT Id FROM Account LIMIT 1")
        #expect(unknown.status == 3 && unknown.errors.contains("'three'"))
        session.org.faults.add(.status(503), next: 1, matching: "/revoke")
        let logout = try await session.run("logout", "--all")
        #expect(logout.status == 1 && logout.errors.contains("its token could not be revoked"))
        #expect(try await session.run("accounts").output.isEmpty)
    }

    @Test("a user with the same name as an account of another server gets a separate account, once")
    func twoServers() async throws {
        let (session, other) = (try await LoginSession(), try await LocalOrg.start())
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        let first = try await session.run(
            "login", "--client-credentials", "--account", other.username, environment: secret)
        #expect(first.status == 0, "\(first.errors)")
        let second = [
            "SF_LOGIN_URL": other.instanceURL, "SF_CLIENT_ID": other.clientID, "SF_CLIENT_SECRET": other.clientSecret,
        ]
        for _ in 1...2 {
            let login = try await session.run("login", "--client-credentials", environment: second)
            #expect(login.status == 0, "\(login.errors)")
        }
        let accounts = try await session.run("accounts").output.split(separator: "\n")
        #expect(accounts.count == 2 && accounts.contains { $0.hasSuffix(session.org.instanceURL) })
        let current = accounts.first { $0.hasPrefix("*") }
        #expect(current?.contains("@\(other.instanceURL)\t\(other.username)\t") == true, "\(accounts)")
        await other.stop()
    }

    @Test("sample data is not used if there is a login")
    func noSampleData() async throws {
        let session = try await LoginSession()
        let secret = ["SF_CLIENT_SECRET": session.org.clientSecret]
        for name in ["one", "two"] {
            _ = try await session.run("login", "--client-credentials", "--account", name, environment: secret)
        }
        _ = try await session.run("logout", "two")
        let query = try await session.run("SELECT Id FROM Account LIMIT 1")
        #expect(query.status == 3 && query.errors.contains("no current account"))
    }

    @Test("a login works with the settings that an org in another process prints")
    func otherProcess() async throws {
        let session = try await LoginSession()
        let org = try Command(["org", "start"])
        var environment = ["XDG_DATA_HOME": session.folder]
        for line in try org.outputLines(through: "SF_PASSWORD") where line.hasPrefix("export ") {
            let sides = line.dropFirst(7).split(separator: "=", maxSplits: 1).map(String.init)
            if ["SF_LOGIN_URL", "SF_CLIENT_ID", "SF_CLIENT_SECRET"].contains(sides[0]) {
                environment[sides[0]] = sides[1]
            }
        }
        let login = try await Command(["login", "--client-credentials", "--account", "x"], environment: environment)
            .finish()
        #expect(login.status == 0, "\(login.errors)")
        let query = try await Command(
            ["SELECT Id FROM Account LIMIT 1"], environment: ["XDG_DATA_HOME": session.folder]
        ).finish()
        #expect(query.status == 0, "\(query.errors)")
        kill(org.process.processIdentifier, SIGINT)
        _ = await org.finish()
    }
}

@Suite("soql with independent authorization servers", .serialized, .timeLimit(.minutes(3)))
struct LoginPeerCommandTests {
    @Test("login, query and logout work with Authlib, django-oauth-toolkit and Glewlwyd")
    func peers() async {
        await withTaskGroup { group in
            for kind in [LoginPeer.Kind.authlib, .django, .glewlwyd] {
                group.addTask {
                    do { try await check(kind) } catch { Issue.record("\(kind): \(error)") }
                }
            }
        }
    }

    /// Runs logins, queries and logouts with tokens that are valid for three seconds.
    private func check(_ kind: LoginPeer.Kind) async throws {
        let peer = try LoginPeer(kind, lifetime: 3)
        defer { peer.stop() }
        // One client authentication is enough here. The benchmark `logins.failed` covers all of them.
        let way: LoginPeer.Way = kind == .django ? .post : .basic
        let scenarios = peer.commandScenarios(Command.executable, lifetime: 3, ways: [way])
        // The scenarios wait for tokens to expire, so they run concurrently.
        await withTaskGroup { group in
            for scenario in scenarios {
                group.addTask {
                    do { try await scenario.run() } catch { Issue.record("\(scenario.name): \(error)") }
                }
            }
        }
    }
}
