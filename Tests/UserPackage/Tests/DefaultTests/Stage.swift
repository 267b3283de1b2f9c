// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// An org, a client and a directory for one sample of the documentation, and values for the parameters of samples.
struct Stage: Sendable {
    let org: LocalOrg
    let client: RestClient
    private let place: String

    /// Runs a sample in its own working directory, with a file to load.
    static func run(_ sample: (Stage) async throws -> Void) async throws {
        let files = FileManager.default
        let before = files.currentDirectoryPath
        let directory = files.temporaryDirectory.appendingPathComponent("sample-\(UUID().uuidString)")
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        _ = files.changeCurrentDirectoryPath(directory.path)
        try "Name\nAcme\nBolt\n".write(toFile: "new.csv", atomically: false, encoding: .utf8)
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let result: Result<Void, any Error>
        do {
            result = .success(try await sample(Stage(org: org, client: client, place: directory.path)))
        } catch {
            result = .failure(error)
        }
        RestClient.share(nil)
        await org.stop()
        _ = files.changeCurrentDirectoryPath(before)
        try files.removeItem(at: directory)
        try result.get()
    }

    func loginURL() -> String { org.instanceURL }
    func clientID() -> String { org.clientID }
    func clientSecret() -> Secret { Secret(org.clientSecret) }
    func username() -> String { org.username }
    func password() -> Secret { Secret(org.password) }
    func password() -> String { "password" }

    func folder() -> String { place }
    func folder() -> URL { URL(fileURLWithPath: place) }
    func directory() -> String { place + "/logins" }

    func text() -> String { "50% off_" }
    func wish() -> String { "AnnualRevenue" }
    func stages() -> [String] { ["Prospecting", "Closed Won"] }
    func query() -> SOQL { "SELECT Id, Name FROM Account" }
    func start() -> Date { Date(timeIntervalSinceNow: -2) }

    /// Creates an account, and returns its id.
    func id() async throws -> String {
        try await client.send(.create("Account", ["Name": "Harbour Lights"])).payload["id"]?.string ?? ""
    }

    func duplicate() async throws -> String { try await id() }

    func credential() async throws -> Credential {
        let server = try HTTPURL(parsing: org.instanceURL).origin
        let oauth = OAuthClient(
            login: server, clientID: clientID(), clientSecret: clientSecret(), transport: PlatformTransport.shared)
        var credential = try await oauth.token(for: ClientCredentialsGrant(), deadline: .now + .seconds(30))
        credential.login = Credential.Login(server: server, clientID: clientID(), clientSecret: clientSecret())
        return credential
    }

    func old() -> any CredentialStore { InMemoryCredentialStore() }
    func store() -> any CredentialStore { InMemoryCredentialStore() }
    func accounts() async throws -> AccountManager { try await AccountManager.open(store: store()) }
}
