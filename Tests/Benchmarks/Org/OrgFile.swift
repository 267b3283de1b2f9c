// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// An org in a file with many accounts and contacts, which a separate process serves.
struct OrgFile {
    let path: String
    let accounts: Int
    var contacts = 0

    private static let area = "org"

    /// Serves the org for the parent, and returns `false` if this process is not a server.
    static func serveIfAsked() async throws -> Bool {
        guard ServerProcess.isOurs else { return false }
        let settings = ProcessInfo.processInfo.environment
        var configuration = LocalOrgConfiguration(storage: .file(settings["ORG_PATH"] ?? ""))
        configuration.records = settings["ORG_ACCOUNTS"].flatMap { Int($0) }
        configuration.contacts = settings["ORG_CONTACTS"].flatMap { Int($0) }
        let org = try await LocalOrg.start(configuration)
        try ServerProcess.serve(port: org.port, token: org.issueCredential().accessToken)
        await org.stop()
        return true
    }

    /// Starts the org, which creates the file if it is missing.
    func serve() throws -> ServerProcess {
        try ServerProcess(
            area: Self.area,
            settings: ["ORG_PATH": path, "ORG_ACCOUNTS": String(accounts), "ORG_CONTACTS": String(contacts)])
    }

    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

/// A client of a served org that measures its queries.
struct OrgReader: Sendable {
    let client: RestClient
    /// A timeout that no wait of the measurement can reach.
    static let patience = Duration.seconds(300)

    init(_ org: ServerProcess) throws {
        client = try RestClient(instanceURL: "http://127.0.0.1:\(org.port)", accessToken: Secret(org.token))
    }

    func page(_ query: String) async throws -> RestResponse {
        try await client.send(.query(SOQL("\(raw: query)")).timeout(Self.patience))
    }

    /// Returns the median time to the end of the first page, of three runs, in seconds.
    func time(of query: String) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<extent(3, short: 1) {
            times.append(try await seconds { _ = try await page(query) })
        }
        return times.sorted()[times.count / 2]
    }

    /// Returns a field of a record in the first page.
    func value(_ query: String, _ field: String, at index: Int = 0) async throws -> String {
        try await page(query).payload["records"]?[index]?[field]?.string ?? ""
    }
}
