// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Testing

/// An org, and a folder for the logins that the command keeps of it.
final class LoginSession: Sendable {
    let org: LocalOrg
    let folder: String

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration(refreshRotation: .strict)) async throws {
        org = try await LocalOrg.start(configuration)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("soql-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What a user of the org has set.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["XDG_DATA_HOME": folder, "SF_LOGIN_URL": org.instanceURL, "SF_CLIENT_ID": org.clientID]
            .merging(more) { $1 }
    }

    /// Runs the command with nothing but the kept logins.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        let all = self.environment(environment)
        return try await Command(arguments, environment: all).finish()
    }

    /// Everything in the folder as text.
    func filesText() throws -> String {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return names.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
    }

    /// The requests of the journal whose path ends so.
    func requests(_ suffix: String) -> [JournalEntry] { org.journal.entries.filter { $0.pathHasSuffix(suffix) } }
}

/// The user of an org at the pages of a login.
enum OrgUser {
    /// Opens the login page, logs the org's user in, and answers the question for access.
    static func logIn(at page: String, of org: LocalOrg, answering answer: String) async throws {
        let browser = FormBrowser(transport: PlatformTransport.shared)
        var page = try await browser.open(HTTPURL(parsing: page))
        let values = ["username": org.username, "password": org.password, "action": "login"]
        page = try await browser.submit(#require(page.forms.first), of: page, values)
        _ = try await browser.submit(#require(page.forms.first), of: page, ["action": answer])
    }
}
