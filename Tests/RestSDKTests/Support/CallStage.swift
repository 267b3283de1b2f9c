// SPDX-License-Identifier: Apache-2.0

import RestTesting

@testable import RestSDK

/// Where a call can be when it is ended from outside.
enum CallPoint: CaseIterable {
    case beforeStart, login, line, flight, renewal, backOff
    /// In the app's own code, which ignores the end: its interceptor, or its handler of errors.
    case interceptor, handler
    /// In the wait that a handler asked for.
    case handlerWait
}

/// A client whose server brings a call to one point and leaves it there.
@MainActor
final class CallStage {
    let client: RestClient
    let request = RestRequest.query("SELECT Id FROM Account")
    private let point: CallPoint
    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)  // whoever sleeps, sleeps until cancelled
    private var other: CallTask<RestResponse, RestError>?
    private let gate = Gate()

    init(_ point: CallPoint) async throws {
        self.point = point
        var configuration = RestClient.Configuration(transport: transport, clock: clock)
        configuration.limits = RateLimits(concurrent: 1)
        if point == .interceptor { configuration.interceptors = [GatedInterceptor(gate: gate)] }
        client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: configuration)
        if point != .login { transport.enqueue(Behaviour.token) }
        switch point {
        case .beforeStart: break
        case .login, .flight: transport.enqueue(.silence)
        case .line:
            transport.enqueue(.silence)
            other = client.send(.limits) { _ in }
            while transport.requests.count < 2 { await Task.yield() }
        case .renewal:
            transport.enqueue(status: 401, Behaviour.expired)
            transport.enqueue(.silence)
        case .backOff: transport.enqueue(status: 502)
        case .interceptor: transport.enqueue(Behaviour.records)
        case .handler, .handlerWait:
            transport.enqueue(status: 404)
            client.onError(of: RestError.self) { [gate] _, _ in
                if point == .handler { await gate.pass() }
                return .retry(after: .seconds(1))
            }
        }
    }

    deinit {
        gate.open()
    }

    /// Whether the call has come to the point.
    func isReached() -> Bool {
        switch point {
        case .beforeStart: true
        case .login: transport.requests.count == 1
        case .line: client.runner.limiter.waiting == 1
        case .flight: transport.requests.count == 2
        case .renewal: transport.requests.count == 3
        case .backOff: transport.requests.count == 2 && clock.alarms == 1
        case .interceptor: gate.hasVisitor
        case .handler: gate.hasVisitor
        // The alarms are the deadline of the call, which a handler may ignore, and the wait.
        case .handlerWait: transport.requests.count == 2 && clock.alarms == 2
        }
    }

    /// Ends the other call, which held the only place, and looks whether anything is sent then.
    func sendsNothingMore() async -> Bool {
        let sent = callCount
        other?.cancel()
        gate.open()
        for _ in 0..<50 { await Task.yield() }
        return callCount == sent
    }

    /// The calls that were sent; a login belongs to the account, and goes on for those who come next.
    private var callCount: Int { transport.requests.count { !$0.url.path.hasSuffix("/token") } }
}
