// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// A class of an app that adopts the delegate: it asks for accounts and is told the result of each call, once.
///
/// It is not `Sendable` and has no locks: the callbacks come on the actor that sent the request, here the main actor.
@MainActor
final class AccountList: @MainActor RestClientDelegate {
    private let client: RestClient
    private(set) var callbacks: [String] = []

    init(client: RestClient) {
        self.client = client
    }

    /// Asks for the accounts of one industry; the value is bound, whatever it contains.
    @discardableResult
    func load(industry: String, timeout: Duration = .seconds(10)) -> CallTask<RestResponse, RestError> {
        let request = RestRequest.query(
            "SELECT Id, Name FROM Account WHERE Industry = \(industry) ORDER BY Name LIMIT 5")
        return client.send(request.timeout(timeout), delegate: self)
    }

    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        let names = payload["records"]?.array?.compactMap { $0["Name"]?.string } ?? []
        report("didLoadResponse", "status \(rawResponse.status), \(names.joined(separator: ", "))")
    }

    func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
        report("didFailLoadWithError", error.description)
    }

    func requestDidCancelLoad(_ request: RestRequest) {
        report("requestDidCancelLoad", request.name)
    }

    func requestDidTimeout(_ request: RestRequest) {
        report("requestDidTimeout", request.name)
    }

    private func report(_ callback: String, _ detail: String) {
        callbacks.append(callback)
        print("\(callback): \(detail)")
    }
}
