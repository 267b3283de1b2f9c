// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Terminals
import Testing

@Suite("Sample data is used only when no org was set up", .timeLimit(.minutes(2)))
struct SampleDataTests {
    private let query = "SELECT Name FROM Account LIMIT 1"

    private func environment(_ home: String, _ more: [String: String] = [:]) -> [String: String] {
        ["HOME": home, "XDG_DATA_HOME": "\(home)/data"].merging(more) { $1 }
    }

    private func expectNoLogin(_ run: Command.Outcome, _ about: Comment) {
        #expect(run.status == 3, about)
        #expect(run.output.isEmpty, about)
        #expect(!run.errors.isEmpty, about)
    }

    @Test("without any configuration, each query says that it uses sample data")
    func fresh() async throws {
        let place = try TemporaryDirectory()
        let home = place.path
        for _ in 1...2 {
            let run = try await Command.run(query, environment: environment(home))
            #expect(run.status == 0 && run.output.hasPrefix("Name\n"))
            #expect(run.errors.hasPrefix("soql: no login, using sample data"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let asked = try await Command.run("--sample", query, environment: environment(home))
        #expect(asked.status == 0 && asked.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    @Test("after any login attempt sample data is used only on request")
    func tried() async throws {
        let tries = [
            ["login"], ["login", "--client-id", "x", "--login-url", "http://127.0.0.1:1", "--client-credentials"],
            ["logout"], ["logout", "--all"], ["accounts", "use", "x"],
        ]
        for words in tries {
            let place = try TemporaryDirectory()
            let home = place.path
            let first = try await Command(words, environment: environment(home), input: "").finish()
            #expect(first.status != 0 || words.contains("--all"), "\(words): \(first.errors)")
            expectNoLogin(try await Command.run(query, environment: environment(home)), "\(words)")
            let asked = try await Command.run("--sample", query, environment: environment(home))
            #expect(asked.status == 0 && asked.errors.isEmpty)
        }
    }

    @Test("without a current login, or with an unreadable login, sample data is not used")
    func afterLogins() async throws {
        for words in [["logout"], ["logout", "--all"]] {
            let session = try await LoginSession()
            try await logIn(session, as: "one")
            #expect(try await Command(words, environment: session.environment()).finish().status == 0)
            expectNoLogin(try await Command.run(query, environment: ["XDG_DATA_HOME": session.folder]), "\(words)")
            await session.org.stop()
        }
        let session = try await LoginSession()
        try await logIn(session, as: "one")
        try await logIn(session, as: "two")
        #expect(try await session.run("logout", "two").status == 0)
        expectNoLogin(try await session.run(query), "the current account was removed")
        try damage(session)
        let unreadable = try await session.run(query)
        #expect(unreadable.status == 3 && unreadable.output.isEmpty, "\(unreadable.errors)")
        let named = try await session.run("--account", "one", query)
        #expect(named.status == 3 && named.output.isEmpty && named.errors.contains("cannot be read"), "\(named.errors)")
    }

    private func logIn(_ session: LoginSession, as name: String) async throws {
        let login = try await session.run(
            "login", "--client-credentials", "--account", name,
            environment: ["SF_CLIENT_SECRET": session.org.clientSecret])
        #expect(login.status == 0, "\(login.errors)")
    }

    private func damage(_ session: LoginSession) throws {
        let folder = "\(session.folder)/soql/accounts"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix("lock") {
            try Data("damaged".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    @Test("an account store that cannot be read does not count as empty")
    func closedStore() async throws {
        let place = try TemporaryDirectory()
        let home = place.path
        let folder = "\(home)/data/soql"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for content in ["a file", nil] {
            try? FileManager.default.removeItem(atPath: "\(folder)/accounts")
            if let content {
                try Data(content.utf8).write(to: URL(filePath: "\(folder)/accounts"))
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/accounts", withDestinationPath: "\(home)/nowhere")
            }
            let run = try await Command.run(query, environment: environment(home))
            #expect(run.status == 1 || run.status == 3, "\(run.errors)")
            #expect(run.output.isEmpty && !run.errors.isEmpty)
        }
    }

    @Test(
        "a variable of an org counts even if it is empty",
        arguments: [
            "SF_INSTANCE_URL", "SF_ORG_INSTANCE_URL", "SF_ACCESS_TOKEN", "SF_TARGET_ORG", "SF_CLIENT_ID",
            "SF_CLIENT_SECRET", "SF_LOGIN_URL", "SF_USERNAME", "SFDX_DEFAULTUSERNAME", "SF_TARGETORG",
        ])
    func variables(name: String) async throws {
        let place = try TemporaryDirectory()
        let home = place.path
        let empty = try await Command.run(query, environment: environment(home, [name: ""]))
        expectNoLogin(empty, "\(name) empty")
        #expect(empty.errors.contains(name))
        let set = try await Command.run(query, environment: environment(home, [name: "x"]))
        #expect(set.status == 2 || set.status == 3, "\(name): \(set.errors)")
        #expect(set.output.isEmpty)
    }

    @Test("without a home directory it is unknown whether there was a login, so the query fails")
    func homeless() async throws {
        let environment = ["HOME": "", "XDG_DATA_HOME": ""]
        let run = try await Command.run(query, environment: environment)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("HOME"))
        #expect(try await Command.run("--sample", query, environment: environment).status == 0)
    }

    @Test("variables for two orgs, or an incomplete set, are rejected")
    func ambiguous() async throws {
        let token = ["SF_ACCESS_TOKEN": "x", "SF_INSTANCE_URL": "https://a.example"]
        for more in [["SF_TARGET_ORG": "b"], ["SF_ORG_INSTANCE_URL": "https://b.example"]] {
            let run = try await Command.run(query, environment: token.merging(more) { $1 })
            #expect(run.status == 2 && run.output.isEmpty, "\(run.errors)")
        }
        let half = try await Command.run(query, environment: ["SF_ORG_INSTANCE_URL": "https://b.example"])
        #expect(half.status == 2 && half.errors.contains("SF_ORG_INSTANCE_URL"))
        let both = try await Command.run("--sample", "--target-org", "x", query)
        #expect(both.status == 2)
    }
}

@Suite("Using logins of the Salesforce CLI", .timeLimit(.minutes(2)))
struct SalesforceCLILoginTests {
    private let query = "SELECT COUNT() FROM Account"

    /// Creates the files of the Salesforce CLI in a home directory: the org's user with the alias `dev`.
    private func fill(_ home: String, of org: LocalOrg, isDefault: Bool) throws {
        for folder in [".sfdx", ".sf"] {
            try FileManager.default.createDirectory(atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
        }
        let login = """
            {"username": "u@example.com", "orgId": "00D000000000001", "instanceUrl": "\(org.instanceURL)",
             "loginUrl": "\(org.instanceURL)", "accessToken": "\(org.issueCredential().accessToken)"}
            """
        try Data(login.utf8).write(to: URL(filePath: "\(home)/.sfdx/u@example.com.json"))
        try Data(#"{"orgs": {"dev": "u@example.com"}}"#.utf8).write(to: URL(filePath: "\(home)/.sfdx/alias.json"))
        let setting = isDefault ? #"{"target-org": "dev"}"# : "{}"
        try Data(setting.utf8).write(to: URL(filePath: "\(home)/.sf/config.json"))
    }

    private func content(of folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted().map { name in
            "\(name): \((try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "")"
        }
    }

    @Test("a login is found by alias or user, by option or variable, and as the default, and no file of sf changes")
    func found() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 77))
        let place = try TemporaryDirectory()
        let home = place.path
        try fill(home, of: org, isDefault: true)
        let environment = ["HOME": home, "XDG_DATA_HOME": "\(home)/data"]
        let before = content(of: home)
        let expected = try await Command.run(
            query,
            environment: ["SF_ORG_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken])
        #expect(expected.status == 0, "\(expected.errors)")
        let runs = try await [
            Command.run(query, environment: environment),
            Command.run("--target-org", "dev", query, environment: environment),
            Command.run("--account=u@example.com", query, environment: environment),
            Command.run(query, environment: environment.merging(["SF_TARGET_ORG": "dev"]) { $1 }),
        ]
        for run in runs { #expect(run.status == 0 && run.output == expected.output, "\(run.errors)") }
        let list = try await Command.run("accounts", environment: environment)
        #expect(list.output == "  dev\tu@example.com\t\(org.instanceURL)\tsf\n")
        #expect(content(of: home) == before)
        let unknown = try await Command.run("--target-org", "dve", query, environment: environment)
        #expect(unknown.status == 3 && unknown.output.isEmpty)
        await org.stop()
    }

    @Test("without a default, and after a logout of soql, the org must be named")
    func unnamed() async throws {
        let org = try await LocalOrg.start()
        for isDefault in [false, true] {
            let place = try TemporaryDirectory()
            let home = place.path
            try fill(home, of: org, isDefault: isDefault)
            let environment = ["HOME": home, "XDG_DATA_HOME": "\(home)/data"]
            if isDefault { _ = try await Command.run("logout", "--all", environment: environment) }
            let run = try await Command.run(query, environment: environment)
            #expect(run.status == 3 && run.output.isEmpty, "\(run.errors)")
            #expect(try await Command.run("--target-org", "dev", query, environment: environment).status == 0)
        }
        await org.stop()
    }
}

@Suite(
    "The prompt for a secret, on a real terminal", .timeLimit(.minutes(1)),
    .enabled(if: TerminalSession.isAvailable, "this machine has no pseudo-terminals"))
struct SecretPromptTests {
    private func login(_ session: LoginSession, ignoresInterrupts: Bool = false) throws -> TerminalSession {
        let terminal = try TerminalSession(
            ["login", "--client-credentials", "--account", "robot"], environment: session.environment(),
            ignoresInterrupts: ignoresInterrupts)
        try terminal.wait(for: "Client secret: ")
        #expect(!terminal.isAsUsual)
        return terminal
    }

    @Test("a typed secret is not shown, can be corrected and logs in, and the terminal is restored")
    func secret() async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        // The terminal's character to delete a character (127 on every operating system).
        terminal.type("x\u{7F}\(session.org.clientSecret)\n")
        terminal.finish()
        #expect(terminal.process.terminationStatus == 0, "\(terminal.text)")
        #expect(terminal.text.contains("as account 'robot'"))
        #expect(!terminal.text.contains(session.org.clientSecret))
        #expect(terminal.isAsUsual)
    }

    @Test("an empty secret is a usage error, and the terminal is restored", arguments: ["\n", "\u{4}"])
    func nothing(keys: String) async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        terminal.type(keys)
        terminal.finish()
        #expect(terminal.process.terminationStatus == 2)
        #expect(terminal.text.contains("the secret is empty"))
        #expect(terminal.isAsUsual)
    }

    @Test(
        "Control-C ends the command immediately with an interrupt, and the terminal is restored",
        arguments: [false, true])
    func controlC(ignoresInterrupts: Bool) async throws {
        let session = try await LoginSession()
        let terminal = try login(session, ignoresInterrupts: ignoresInterrupts)
        terminal.type("half a secret\u{3}")
        terminal.finish()
        #expect(terminal.process.terminationReason == .uncaughtSignal)
        #expect(terminal.process.terminationStatus == SIGINT)
        #expect(!terminal.text.contains("half"))
        #expect(terminal.isAsUsual)
    }

    @Test("a signal that ends the command restores the terminal", arguments: [SIGINT, SIGTERM])
    func signals(number: Int32) async throws {
        let session = try await LoginSession()
        let terminal = try login(session)
        kill(terminal.process.processIdentifier, number)
        terminal.finish()
        #expect(terminal.process.terminationReason == .uncaughtSignal)
        #expect(terminal.process.terminationStatus == number)
        #expect(terminal.isAsUsual)
    }
}
