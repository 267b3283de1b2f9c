// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

/// The README's sample, word for word, so that it compiles and runs.
@MainActor
func readmeSample() async throws {
    // sample: README.md 1
    let org = try await LocalOrg.start()
    let client = try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))

    let industry = "Banking"
    let query: SOQL = "SELECT Id, Name FROM Account WHERE Industry = \(industry)"  // bound, never pasted

    // async
    let response = try await client.send(.query(query))
    print(response.payload["records"]?[0]?["Name"]?.string ?? "none")

    // async sequence: every record, page after page, as fast as you read them
    for try await record in client.records(query) {
        print(record["Name"]?.string ?? "")
    }

    // typed rows; without a default isolation to the main actor, "nonisolated" changes nothing
    nonisolated struct Account: Decodable, Sendable {
        let Id: String
        let Name: String
    }
    for try await account in client.records(query, as: Account.self) {
        print(account.Name)
    }

    // trailing closure, called on your actor
    client.send(.query(query)) { result in
        print((try? result.get().payload["totalSize"]?.int) ?? 0)
    }

    // success and failure closures
    client.send(.query(query), success: { print($0.payload) }, failure: { print($0.message) })

    // delegate: exactly one of four callbacks
    final class Screen: RestClientDelegate {
        func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
            print(payload["totalSize"]?.int ?? 0)
        }
        func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
            print(error)
        }
        func requestDidCancelLoad(_ request: RestRequest) {
            print("cancelled")
        }
        func requestDidTimeout(_ request: RestRequest) {
            print("timed out")
        }
    }
    let screen = Screen()
    _ = try await client.send(.query(query), delegate: screen).value
    // end
    await topLevel(client)
    await org.stop()
}

/// What catches errors outside of a function, too.
@MainActor
private func topLevel(_ client: RestClient) async {
    // sample: README.md 2
    do {
        let limits = try await client.send(.limits)
        print(limits.payload["DailyApiRequests"]?["Remaining"]?.int ?? 0)
    } catch {  // `error` is a RestError: no cast is needed
        print(error.code.rawValue, error.advice)
    }
    // end
}
