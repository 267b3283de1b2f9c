// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The accounts of one industry, as the model of a screen.
///
/// Each call ends with one of four callbacks. No locks are needed, because callbacks are called on the actor that sent
/// the request, here the main actor.
@MainActor
final class AccountList: @MainActor RestClientDelegate {
    /// The state shown on the screen.
    enum State: Equatable {
        case empty, loading, cancelled, timedOut
        case loaded([Account])
        case failed(String)
    }

    private(set) var state = State.empty {
        didSet { onChange(state) }
    }
    /// Called after each change of the state.
    var onChange: (State) -> Void = { _ in }

    private let client: RestClient
    private var call: CallTask<RestResponse, RestError>?

    init(client: RestClient) {
        self.client = client
    }

    /// Requests the accounts of an industry, unless a call is in flight.
    func load(industry: String, timeout: Duration = .seconds(10)) {
        guard state != .loading else { return }
        state = .loading
        let request = RestRequest.query(
            "SELECT Name, Phone FROM Account WHERE Industry = \(industry) ORDER BY Name LIMIT 100")
        call = client.send(request.timeout(timeout), delegate: self)
    }

    /// Cancels the call in flight.
    func cancel() { call?.cancel() }

    /// Returns after the call in flight has finished and its callback was called.
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
