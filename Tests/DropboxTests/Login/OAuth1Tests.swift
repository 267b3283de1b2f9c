// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Tokens of OAuth 1")
struct OAuth1Tests {
    private let stub = Stub()
    private let store = InMemoryCredentialStore()

    private func migration(_ keys: [String: String]) -> TokenMigration {
        let tokens = keys.mapValues { OAuth1Token(token: "old", secret: "hidden", appKey: $0) }
        return .oauth1(tokens, of: stub.app, to: store, configuration: stub.configuration)
    }

    @Test("Tokens are exchanged as the app, and saved when all are in hand, once")
    func exchange() async throws {
        for token in ["new1", "new2"] { stub.transport.enqueue(#"{"oauth2_token":"\#(token)"}"#) }
        let migration = migration(["1": "appKey", "2": "appKey"])
        #expect(try await migration.run() == .done(migrated: ["1", "2"], failed: []))
        #expect(stub.url(0) == "https://api.dropboxapi.com/2/auth/token/from_oauth1")
        #expect(stub.field("Authorization", 0) == "Basic YXBwS2V5OmFwcFNlY3JldA==")
        #expect(stub.body(0) == #"{"oauth1_token":"old","oauth1_token_secret":"hidden"}"#)
        #expect(try await store.load("2")?.credential.accessToken == "new2")
        #expect(try await migration.run() == .alreadyDone)
    }

    @Test("Without tokens nothing is done, and a later run looks again")
    func none() async throws {
        #expect(try await migration([:]).run() == .nothingFound)
        stub.transport.enqueue(#"{"oauth2_token":"new1"}"#)
        #expect(try await migration(["1": "appKey"]).run() == .done(migrated: ["1"], failed: []))
        #expect(try await migration([:]).run() == .alreadyDone)
    }

    @Test("A token of another app is not sent, one that is refused does not migrate, and the others do")
    func refused() async throws {
        stub.transport.enqueue(status: 409, #"{"error":{".tag":"invalid_oauth1_token_info"}}"#)
        stub.transport.enqueue(#"{"oauth2_token":"new"}"#)
        guard
            case .done(let migrated, let failed) = try await migration(["1": "x", "2": "appKey", "3": "appKey"]).run()
        else {
            Issue.record("not done")
            return
        }
        #expect(migrated == ["3"])
        #expect(failed.map(\.account) == ["1", "2"])
        #expect(failed[0].message.contains("another app"))
        #expect(stub.transport.requests.count == 2)
    }

    @Test(
        "Where the server cannot answer now nothing is saved, and the next run begins anew", arguments: [429, 503, 0])
    func later(status: Int) async throws {
        stub.transport.enqueue(#"{"oauth2_token":"new1"}"#)
        if status == 0 {
            stub.transport.enqueue(.failure(TransportError(.notConnected, "down", mayHaveReachedServer: false)))
        } else {
            stub.transport.enqueue(status: status)
        }
        let migration = migration(["1": "appKey", "2": "appKey"])
        guard case .retryLater(let failed) = try await migration.run() else {
            Issue.record("done")
            return
        }
        #expect(failed.map(\.account) == ["2"])
        #expect(try await store.accounts().isEmpty)
        for token in ["new1", "new2"] { stub.transport.enqueue(#"{"oauth2_token":"\#(token)"}"#) }
        #expect(try await migration.run() == .done(migrated: ["1", "2"], failed: []))
    }
}
