// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EmbeddedOrg
import RestSDK

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
