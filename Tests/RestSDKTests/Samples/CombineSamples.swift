// SPDX-License-Identifier: Apache-2.0

import Combine
import EmbeddedOrg
import RestSDK
import Testing

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
