// SPDX-License-Identifier: Apache-2.0

import Combine
import Dispatch
import EmbeddedOrg
import RestSDK
import Testing

/// The samples of the article on callbacks, word for word; all of them run.
enum CallbackSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let screen = await AccountScreen(client: client)
        await screen.load()
        try await Importer(client: client).load()
        warmUp(client)
        let audit = Audit()
        show(client, audit)
        for _ in 0..<2 { _ = try await client.send(.limits, delegate: audit, on: .global()).value }
        await org.stop()
    }

    // sample: docs/RestSDK.docc/Callbacks.md 1
    @MainActor
    final class AccountScreen: @MainActor RestClientDelegate {
        private let client: RestClient
        private(set) var names: [String] = []

        init(client: RestClient) {
            self.client = client
        }

        func load() {
            client.send(.query("SELECT Name FROM Account LIMIT 10"), delegate: self)
        }

        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            names = payload["records"]?.array?.compactMap { $0["Name"]?.string } ?? []
        }

        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
            print(error, error.advice)
        }
    }
    // end

    // sample: docs/RestSDK.docc/Callbacks.md 2
    actor Importer {
        private let client: RestClient
        private(set) var total = 0

        init(client: RestClient) {
            self.client = client
        }

        func load() async throws {
            let call = client.send(.query("SELECT COUNT() FROM Account")) { result in
                self.total = (try? result.get().payload["totalSize"]?.int) ?? 0  // on this actor
            }
            _ = try await call.value  // the closure has run by then
        }
    }
    // end

    // sample: docs/RestSDK.docc/Callbacks.md 3
    static func warmUp(_ client: RestClient) {
        client.send(.limits, on: .global()) { result in
            if case .failure(let error) = result { print(error) }
        }
        client.send(.versions, on: .global(), success: { print($0.payload) }, failure: { print($0) })
    }
    // end

    // sample: docs/RestSDK.docc/Callbacks.md 4
    final class Audit: RestClientDelegate, Sendable {
        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            print(request.name, rawResponse.status)
        }

        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
            print(request.name, error.code.rawValue)
        }
    }

    static func show(_ client: RestClient, _ audit: Audit) {
        client.send(.limits, delegate: audit, on: .global())
    }
    // end
}

/// The sample of the article on Combine, word for word.
@MainActor
enum CombineSamples {
    static func run() async throws {
        try await withClient { client, org in
            // sample: docs/RestSDK.docc/CallingStyles.md 6
            var subscriptions: Set<AnyCancellable> = []

            // one call
            client.publisher(for: .limits).sink { completion in
                if case .failure(let error) = completion { print(error) }
            } receiveValue: { response in
                print(response.payload)
            }.store(in: &subscriptions)

            // all records, and a page only when one of its records is demanded
            client.records("SELECT Id, Name FROM Account").publisher().sink { completion in
                if case .failure(let error) = completion { print(error) }
            } receiveValue: { record in
                print(record["Name"]?.string ?? "")
            }.store(in: &subscriptions)

            // progress, then the response
            client.transferPublisher(for: .query("SELECT Id, Name FROM Account")).sink { completion in
                print(completion)
            } receiveValue: { event in
                switch event {
                case .progress(let progress): print(progress.received)
                case .finished(let response): print(response.payload)
                }
            }.store(in: &subscriptions)
            // end
            let isRequested = { org.journal.entries.count { $0.target.contains("/v") } >= 3 }
            while !isRequested(), !Task.isCancelled { await Task.yield() }
            #expect(isRequested())
            subscriptions.removeAll()
        }
    }
}

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
