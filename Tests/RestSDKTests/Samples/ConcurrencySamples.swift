// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Testing

/// The samples of the article on concurrency settings, word for word.
@Suite("The article on concurrency settings")
@MainActor
struct ConcurrencySamples {
    // sample: docs/RestSDK.docc/ConcurrencySettings.md 1
    nonisolated struct NamedAccount: Decodable {
        let Id: String
        let Name: String
    }

    func accounts(_ client: RestClient) async throws -> [NamedAccount] {
        try await client.records("SELECT Id, Name FROM Account LIMIT 9", as: NamedAccount.self).collect(limit: 9)
    }
    // end

    // sample: docs/RestSDK.docc/ConcurrencySettings.md 2
    @MainActor
    final class AccountsScreen: @MainActor RestClientDelegate {
        private(set) var total = 0

        func load(with client: RestClient) async {
            _ = try? await client.send(.query("SELECT Id FROM Account LIMIT 5"), delegate: self).value
        }

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            total = payload["totalSize"]?.int ?? 0
        }

        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
            print(error.advice)
        }
    }
    // end

    @Test("they run on the main actor")
    func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        #expect(try await !accounts(client).isEmpty)
        let screen = AccountsScreen()
        await screen.load(with: client)
        #expect(screen.total == 5)
        // sample: docs/RestSDK.docc/ConcurrencySettings.md 3
        let remaining = { (client: RestClient) async -> Int in
            do throws(RestError) {
                return try await client.send(.limits).payload["DailyApiRequests"]?["Remaining"]?.int ?? 0
            } catch {
                print(error.code, error.advice)
                return 0
            }
        }
        print(await remaining(client))
        // end
        #expect(await remaining(client) > 0)
        await org.stop()
    }
}
