// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting

/// An org, a folder for files, and what the command needs to know of them.
final class OrgSession: Sendable {
    let org: LocalOrg
    let client: RestClient
    let folder: TemporaryFolder

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration()) async throws {
        org = try await LocalOrg.start(configuration)
        client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        folder = try TemporaryFolder()
    }

    var environment: [String: String] {
        [
            "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
            "XDG_STATE_HOME": folder.path("state"),
        ]
    }

    /// Runs the command at the org.
    func run(_ arguments: String..., input: String? = nil) async throws -> Command.Outcome {
        try await Command(arguments, environment: environment, input: input).finish()
    }

    /// Runs a line of the shell at the org, in which `$soql` is the command.
    func shell(_ line: String) async throws -> Command.Outcome {
        let settings = environment.merging(["soql": Command.executable.path, "folder": folder.path]) { $1 }
        return try await Command(["-c", line], environment: settings, program: URL(fileURLWithPath: "/bin/sh")).finish()
    }

    /// The requests so far that are to change something, logins aside.
    var writes: [JournalEntry] {
        org.journal.entries.filter { $0.method != "GET" && !$0.target.contains("/oauth2/") }
    }

    /// One column of a query's records, as texts.
    func values(_ query: String, _ field: String = "Name") async throws -> [String] {
        var values: [String] = []
        for try await record in client.records(SOQL(raw: query)) { values.append(record[field]?.string ?? "null") }
        return values
    }
}
