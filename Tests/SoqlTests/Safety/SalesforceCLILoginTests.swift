// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

@Suite("Logins of sf, found without a new login", .timeLimit(.minutes(2)))
struct SalesforceCLILoginTests {
    private let query = "SELECT COUNT() FROM Account"

    /// A home folder as `sf` leaves it: the org's user, known as `dev`.
    private func home(of org: LocalOrg, isDefault: Bool) throws -> String {
        let home = FileManager.default.temporaryDirectory.appending(path: "sf-\(UUID())").path
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
        return home
    }

    private func content(of folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted().map { name in
            "\(name): \((try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "")"
        }
    }

    @Test("by alias or user, by option or variable, and as the default; nothing of sf is written")
    func found() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 77))
        let home = try home(of: org, isDefault: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
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

    @Test("without a default, and behind a logout of one's own, the org of sf must be named")
    func unnamed() async throws {
        let org = try await LocalOrg.start()
        for isDefault in [false, true] {
            let home = try home(of: org, isDefault: isDefault)
            defer { try? FileManager.default.removeItem(atPath: home) }
            let environment = ["HOME": home, "XDG_DATA_HOME": "\(home)/data"]
            if isDefault { _ = try await Command.run("logout", "--all", environment: environment) }
            let run = try await Command.run(query, environment: environment)
            #expect(run.status == 3 && run.output.isEmpty, "\(run.errors)")
            #expect(try await Command.run("--target-org", "dev", query, environment: environment).status == 0)
        }
        await org.stop()
    }
}
