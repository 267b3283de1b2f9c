// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The accounts of one industry, as a screen keeps them: it asks, and each call ends with one of four callbacks.
///
/// It has no locks: the callbacks come on the actor that sent the request, here the main actor.
@MainActor
final class AccountList: @MainActor RestClientDelegate {
    /// What the screen shows.
    enum State: Equatable {
        case empty, loading, cancelled, timedOut
        case loaded([Account])
        case failed(String)
    }

    private(set) var state = State.empty {
        didSet { onChange(state) }
    }
    /// Called whenever the state is another one.
    var onChange: (State) -> Void = { _ in }

    private let client: RestClient
    private var call: CallTask<RestResponse, RestError>?

    init(client: RestClient) {
        self.client = client
    }

    /// Asks for the accounts of an industry, unless a call is under way.
    func load(industry: String, timeout: Duration = .seconds(10)) {
        guard state != .loading else { return }
        state = .loading
        let request = RestRequest.query(
            "SELECT Name, Phone FROM Account WHERE Industry = \(industry) ORDER BY Name LIMIT 100")
        call = client.send(request.timeout(timeout), delegate: self)
    }

    /// Ends the call under way.
    func cancel() { call?.cancel() }

    /// Returns when the call under way has ended and its callback was called.
    func finish() async { _ = try? await call?.value }

    // MARK: RestClientDelegate

    func request(_ request: RestRequest, didLoadResponse payload: RestPayload, rawResponse: HTTPResponse.Head) {
        state = .loaded((payload["records"]?.array ?? []).compactMap(Account.init))
    }

    func request(_ request: RestRequest, didFailLoadWithError error: RestError) {
        state = .failed(error.message)
    }

    func requestDidCancelLoad(_ request: RestRequest) {
        state = .cancelled
    }

    func requestDidTimeout(_ request: RestRequest) {
        state = .timedOut
    }
}
