// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

@Suite("Sample data is never taken for an org of one's own", .timeLimit(.minutes(2)))
struct SampleDataTests {
    private let query = "SELECT Name FROM Account LIMIT 1"

    /// A home folder in which nothing ever happened.
    private func home() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func environment(_ home: String, _ more: [String: String] = [:]) -> [String: String] {
        ["HOME": home, "XDG_DATA_HOME": "\(home)/data"].merging(more) { $1 }
    }

    private func expectNoLogin(_ run: Command.Outcome, _ about: Comment) {
        #expect(run.status == 3, about)
        #expect(run.output.isEmpty, about)
        #expect(!run.errors.isEmpty, about)
    }

    @Test("where nothing was ever set, the sample data says each time that it is no one's org")
    func fresh() async throws {
        let home = try home()
        defer { try? FileManager.default.removeItem(atPath: home) }
        for _ in 1...2 {
            let run = try await Command.run(query, environment: environment(home))
            #expect(run.status == 0 && run.output.hasPrefix("Name\n"))
            #expect(run.errors.hasPrefix("soql: no login: this is sample data"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let asked = try await Command.run("--sample", query, environment: environment(home))
        #expect(asked.status == 0 && asked.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    @Test("a login that was ever tried, with or without success, ends the sample data, until it is asked for")
    func tried() async throws {
        let tries = [
            ["login"], ["login", "--client-id", "x", "--login-url", "http://127.0.0.1:1", "--client-credentials"],
            ["logout"], ["logout", "--all"], ["accounts", "use", "x"],
        ]
        for words in tries {
            let home = try home()
            defer { try? FileManager.default.removeItem(atPath: home) }
            let first = try await Command(words, environment: environment(home), input: "").finish()
            #expect(first.status != 0 || words.contains("--all"), "\(words): \(first.errors)")
            expectNoLogin(try await Command.run(query, environment: environment(home)), "\(words)")
            let asked = try await Command.run("--sample", query, environment: environment(home))
            #expect(asked.status == 0 && asked.errors.isEmpty)
        }
    }

    @Test("after a logout of one or all, without a current login, and with a login that cannot be read")
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
        await session.org.stop()
    }

    private func logIn(_ session: LoginSession, as name: String) async throws {
        let login = try await session.run(
            "login", "--client-credentials", "--account", name,
            environment: ["SF_CLIENT_SECRET": session.org.clientSecret])
        #expect(login.status == 0, "\(login.errors)")
    }

    /// Overwrites the records of all logins.
    private func damage(_ session: LoginSession) throws {
        let folder = "\(session.folder)/soql/accounts"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix("lock") {
            try Data("damaged".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    @Test("a store that cannot be looked at is no empty one")
    func closedStore() async throws {
        let home = try home()
        defer { try? FileManager.default.removeItem(atPath: home) }
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
        "a variable of an org counts, also when it is empty",
        arguments: [
            "SF_INSTANCE_URL", "SF_ORG_INSTANCE_URL", "SF_ACCESS_TOKEN", "SF_TARGET_ORG", "SF_CLIENT_ID",
            "SF_CLIENT_SECRET", "SF_LOGIN_URL", "SF_USERNAME", "SFDX_DEFAULTUSERNAME", "SF_TARGETORG",
        ])
    func variables(name: String) async throws {
        let home = try home()
        defer { try? FileManager.default.removeItem(atPath: home) }
        let empty = try await Command.run(query, environment: environment(home, [name: ""]))
        expectNoLogin(empty, "\(name) empty")
        #expect(empty.errors.contains(name))
        let set = try await Command.run(query, environment: environment(home, [name: "x"]))
        #expect(set.status == 2 || set.status == 3, "\(name): \(set.errors)")
        #expect(set.output.isEmpty)
    }

    @Test("without a home folder nobody knows whether there was a login")
    func homeless() async throws {
        let environment = ["HOME": "", "XDG_DATA_HOME": ""]
        let run = try await Command.run(query, environment: environment)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("HOME"))
        #expect(try await Command.run("--sample", query, environment: environment).status == 0)
    }

    @Test("variables that name two orgs, or half of one, are refused")
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
